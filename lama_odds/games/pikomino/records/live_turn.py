"""One turn of a policy in a live game, and one roll, for games that are played along."""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.round_loop import BUSTED, EVENT_SIZE, log_end, play_turn
from lama_odds.games.pikomino.policies.catalogue import BEST_K, LEAD_FAMILY, policy_rows, tables_of
from lama_odds.games.pikomino.records.record import GameRecord, closing_words, position_after
from lama_odds.games.pikomino.rules.moves import legal_actions
from lama_odds.games.pikomino.rules.position import dice_text
from lama_odds.games.pikomino.rules.ruleset import NAMES
from lama_odds.games.pikomino.rules.table import Table
from lama_odds.games.pikomino.rules.turn_tables import FACES
from lama_odds.games.pikomino.solvers.exact import board_of
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

__all__ = ["legal_actions"]

LOG = 32  # entries: a turn has at most eight rolls and its end


@compiled
def one_turn(rules, policies, tables, seed, step, board, state):
    """Roll for seat 0 in a state and complete the turn; step: index of its random numbers."""
    scratch = scratch_of(tables.turn)
    event = np.zeros(EVENT_SIZE, np.int64)
    key, gamma = stream_of(seed)
    play_turn(rules, tables, policies, board, 0, key, gamma, step, 0, state, False, scratch, event)
    log_end(tables.log, 0, event)


def _log(record: GameRecord, policy: Policy, seed: int, step: int) -> list[int]:
    """Return the log of the current turn, rolling first (see `round_loop.log_roll`)."""
    rules, position = record.rules, position_after(record)
    mask = sum(1 << face for face, count in enumerate(position.kept) if count)
    left = rules.dice - sum(position.kept)
    state = int(rules.tables.number[mask, rules.total(position.kept), left])
    log = np.zeros(LOG, dtype=np.int64)
    policies = policy_rows([policy] * record.players)
    board = board_of(rules, position)
    one_turn(rules.columns, policies, tables_of(rules, [policy], log), seed, step, board, state)
    return [int(entry) for entry in log[1 : log[0] + 1]]


def policy_turn(record: GameRecord, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    table: Table = record.state
    words = [str(table.seat)]
    for entry in _log(record, policy, seed, step):
        if entry >> 60:
            words += closing_words(table, entry >> 4 & 15)
            break
        rolled = tuple(entry >> 4 * face & 15 for face in range(FACES))
        table.roll(rolled)
        words += ["roll", dice_text(rolled)]
        face = (entry >> 24) - 1
        if face >= 0:
            table.keep(face)
            words += ["keep", NAMES[face]]
    return " ".join(words)


def luck_of(record: GameRecord, action: str, seed: int, step: int) -> str:
    """Return what the dice show if the seat to act rolls; an empty text for other actions."""
    if action != "roll":
        return ""
    entry = _log(record, Policy(LEAD_FAMILY, BEST_K), seed, step)[0]
    return dice_text(tuple(entry >> 4 * face & 15 for face in range(FACES)))


def bust_words(record: GameRecord) -> list[str]:
    """Return the words of a turn that must end in a bust, which it does here; otherwise nothing."""
    table: Table = record.state
    if not (table.centre and table.open_turn and table.must_bust):
        return []
    return closing_words(table, BUSTED)


def final_of(record: GameRecord) -> list[int] | None:
    """Return worms by seat of a finished game; None before its end."""
    table: Table = record.state
    return None if table.centre else table.worms
