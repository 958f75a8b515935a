"""One turn of a policy in a live game, and one roll, for games that are played along."""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.kernels import seat_policies, set_table
from lama_odds.games.dice.engine.round_loop import play_round, sit_down
from lama_odds.games.dice.engine.table_rows import TABLE_SIZE
from lama_odds.games.dice.jobs import rollouts
from lama_odds.games.dice.jobs.simulation import deal_of
from lama_odds.games.dice.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.dice.records.record import position_after, replay_entry
from lama_odds.games.dice.records.round import Round
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.position import Position, card_text
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.interface.records import Record
from lama_odds.games.shared.record import numbers_line, scores_after
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

__all__ = ["legal_actions"]


@compiled
def first_turn(rules, policies, tables, seed, step, root, others, row, begin):
    """Play a round from a position and log its first turn; step: index of its random numbers."""
    seats = policies.shape[0]
    table, result = set_table(policies)
    for i in range(TABLE_SIZE):
        table[i] = root[i]
    seat_policies(policies, table)
    key, gamma = stream_of(seed)
    sit_down(rules, tables.rolls, table, seats, key, gamma, step, 0)
    play_round(rules, tables, gamma, table, seats, others, row, 0, begin, False, False, result)


def _entry(
    rules: DiceRules, position: Position, policy: Policy, seed: int, step: int, begin: int
) -> int:
    """Return the log entry of the current turn (see `round_loop.log_turn`)."""
    policies = [policy] * position.players
    log = np.zeros(2, dtype=np.int64)
    first_turn(
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, log=log),
        seed,
        step,
        rollouts.root_table(rules, position),
        position.others_in,
        position.row,
        begin,
    )
    return int(log[1])


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    state: Round = record.rounds[-1]
    entry = _entry(record.rules, position_after(record), policy, seed, step, round_loop.AS_POLICY)
    return replay_entry(state, entry | state.seat, record.rules.dice)


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return what the dice show if the seat to act rolls; an empty text for other actions."""
    if action != "roll":
        return ""
    policy = read_policy("threshold:0", FAMILIES)
    entry = _entry(record.rules, position_after(record), policy, seed, step, round_loop.ROLL)
    shown = entry >> 8 & round_loop.DICE_BITS
    return "".join(NAMES[k] for k in sorted(shown >> 4 * d & 15 for d in range(record.rules.dice)))


def dealt(rules: DiceRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    hands = deal_of(rules, players, seed, game, number)
    return [f"deal {' '.join(card_text(hand) for hand in hands)}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    scores = scores_after(record.rounds[-1]) if record.rounds else [0] * record.players
    return [f"round {number} first {first}", numbers_line("scores", scores)]


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int(record.rounds[-1].last_actor)


def final_of(record: Record) -> list[int] | None:
    """Return the scores of a finished game; None before its end."""
    scores = scores_after(record.rounds[-1])
    return scores if max(scores) >= record.rules.target else None
