"""One turn of a policy in a live game, and one draw, for games that are played along."""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.interface.records import Record
from lama_odds.games.noprob.engine.grids import DRAW
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY
from lama_odds.games.noprob.engine.round_loop import NOWHERE, play_turn
from lama_odds.games.noprob.jobs.simulation import deal_of
from lama_odds.games.noprob.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.noprob.records.record import position_after, replay_entry, standing_after
from lama_odds.games.noprob.records.round import Round
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.pile import pack_up
from lama_odds.games.noprob.rules.position import Grid, Position, grid_text
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.solvers.root_state import root_table
from lama_odds.jit import compiled
from lama_odds.luck.stream import COINS, DICE, lane_start, mix, stream_of

__all__ = ["legal_actions"]


@compiled
def one_turn(rules, policies, tables, seed, step, table, source):
    """Play a turn of seat 0 and log it; step: index of its random numbers. source: or AS_POLICY."""
    key, gamma = stream_of(seed)
    draws = mix(lane_start(key, gamma, step, 0, DICE))
    coins = mix(lane_start(key, gamma, step, 0, COINS))
    seats = policies.shape[0]
    play_turn(rules, tables, policies, table, 0, seats, draws, coins, source, AS_POLICY, NOWHERE)


def _table(record: Record) -> np.ndarray:
    """Return the table, the seat to act first, every card in its place."""
    state: Round = record.rounds[-1]
    rules: NoprobRules = record.rules
    table, _ = root_table(rules, position_after(record))
    for step in range(record.players):
        seat = (state.seat + step) % record.players
        hand, up = state.hands[seat], state.up[seat]
        table[transition.GRID + step] = sum(kind << 4 * cell for cell, kind in enumerate(hand))
        table[transition.UP + step] = sum(1 << cell for cell in range(CELLS) if up[cell])
        known = (1 << cell for cell in range(CELLS) if state.knows(seat, cell))
        table[transition.KNOWN + step] = sum(known)
    table[transition.PACK : transition.PACK + 2] = pack_up(state.pile)
    table[transition.PILE] = state.pile_size
    table[transition.UNSEEN] = sum(n << 4 * kind for kind, n in enumerate(state.unseen))
    table[transition.REFILLED] = state.recycled
    table[transition.TURNS] = state.turns_played
    return table


def _entry(record: Record, policy: Policy, seed: int, step: int, source: int) -> int:
    """Return the log entry of the current turn (see `round_loop.log_turn`), by seats of the
    record.
    """
    state: Round = record.rounds[-1]
    policies = [policy] * record.players
    log = np.zeros(2, dtype=np.int64)
    tables = tables_of(record.rules, policies, log)
    rows = policy_rows(policies)
    one_turn(record.rules.columns, rows, tables, seed, step, _table(record), source)
    entry = int(log[1]) & ~15 | state.seat
    # given to a seat, counted from the giver
    if transition.DRAMA <= entry >> 8 & 15 < transition.KINDS:
        to = (state.seat + (entry >> 12 & 15)) % record.players
        entry = entry & ~(15 << 12) | to << 12
    return entry


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    return replay_entry(record.rounds[-1], _entry(record, policy, seed, step, AS_POLICY))


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return the card that an action draws or turns up; an empty text for other actions."""
    state: Round = record.rounds[-1]
    verb, _, place = action.partition(" ")
    if verb == "draw":
        policy = read_policy("random", FAMILIES)
        return str(record.rules.names[_entry(record, policy, seed, step, DRAW) >> 8 & 15])
    if verb == "replace":
        row, column = (int(n) - 1 for n in place.split(","))
        return f"turns {record.rules.names[state.hands[state.seat][3 * row + column]]}"
    return ""


def dealt(rules: NoprobRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    grids, top = deal_of(rules, players, seed, game, number)
    told = [grid_text(rules.names, Grid(grid, (True,) * CELLS)) for grid in grids]
    return [f"deal {' '.join(told)}", f"top {rules.names[top]}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    return [f"round {number} first {first}", *standing_after(record, number).lines()]


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int((record.rounds[-1].first + 1) % record.players)


def seen_by(record: Record, seat: int) -> Position:
    """Return what a seat knows while another acts."""
    record.rounds[-1].seat = seat
    record.rounds[-1].pending = None
    return position_after(record)


def final_of(record: Record) -> list[int] | None:
    """Return the result of a finished game; None before its end."""
    return standing_after(record, len(record.rounds)).final
