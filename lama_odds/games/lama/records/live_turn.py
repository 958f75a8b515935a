"""One turn of a policy in a live game, and one draw, for games that are played along."""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.interface.records import Record
from lama_odds.games.lama.engine import round_loop, table_rows
from lama_odds.games.lama.engine.round_loop import play_round, sit_down
from lama_odds.games.lama.engine.starts import lay_root, set_table
from lama_odds.games.lama.engine.table_rows import PLACE
from lama_odds.games.lama.jobs.simulation import deal_of
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.records.record import next_first as first_after
from lama_odds.games.lama.records.record import position_after, replay_entry
from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import Position, card_text
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.lama.solvers.root_state import root_table
from lama_odds.games.shared.record import numbers_line, scores_after
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

__all__ = ["legal_actions"]


@compiled
def first_turn(rules, policies, tables, seed, step, root, others, begin):
    """Play a round from a table and log its first turn; step: index of its random numbers."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    lay_root(table, root)
    key, gamma = stream_of(seed)
    sit_down(table, seats, key, gamma, step, 0)
    play_round(rules, tables, gamma, table, seats, others, 0, begin, False, result)


def _entry(record: Record, policy: Policy, seed: int, step: int, begin: int) -> int:
    """Return the log entry of the current turn (see `round_loop.log_move`).

    All cards are known here.
    """
    rules: LamaRules = record.rules
    state: Round = record.rounds[-1]
    position = position_after(record)
    policies = [policy] * record.players
    root = root_table(rules, position)
    for step_round in range(1, record.players):
        hand = state.hands[(state.seat + step_round) % record.players]
        root[table_rows.HAND + step_round] = rules.pack(hand)
    place = root[PLACE:]
    place[table_rows.LEFT] = place[table_rows.PILE] = sum(state.pack)
    place[table_rows.PLAIN_PACK], place[table_rows.SPECIAL_PACK] = rules.pack_words(
        tuple(state.pack)
    )
    log = np.zeros(2, dtype=np.int64)
    first_turn(
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, tokens=True, log=log),
        seed,
        step,
        root,
        position.others_in,
        begin,
    )
    return int(log[1])


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    state: Round = record.rounds[-1]
    return replay_entry(
        state, _entry(record, policy, seed, step, round_loop.AS_POLICY) | state.seat
    )


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return the card that the seat to act draws; an empty text for other actions."""
    if action != "draw":
        return ""
    policy = read_policy("threshold:0", FAMILIES)
    entry = _entry(record, policy, seed, step, transition.DRAW)
    return str(NAMES[record.rules.shifts.index(entry >> 12)])


def dealt(rules: LamaRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    hands, top = deal_of(rules, players, seed, game, number)
    return [f"deal {' '.join(card_text(hand) for hand in hands)}", f"top {NAMES[top]}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    scores = scores_after(record.rounds[-1]) if record.rounds else [0] * record.players
    lines = [f"round {number} first {first}", numbers_line("scores", scores)]
    if record.rules.drama:
        pot = record.rounds[-1].pot if record.rounds else []
        lines.append(f"pot {' '.join(map(str, pot)) or '-'}")
    return lines


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int(first_after(record.rounds[-1], record.players)[0])


def seen_by(record: Record, seat: int) -> Position:
    """Return what a seat knows while another acts."""
    record.rounds[-1].seat = seat
    return position_after(record)


def final_of(record: Record) -> list[int] | None:
    """Return the scores of a finished game; None before its end."""
    scores = scores_after(record.rounds[-1])
    return scores if max(scores) >= record.rules.target else None
