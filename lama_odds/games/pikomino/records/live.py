"""One decision of Pikomino at a time: of a policy, a record, a game being played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.language import later
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import Follows, LivePlay, PolicyQuery, Record, Situation
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import PlayTables
from lama_odds.games.pikomino.engine.policy_kernels import (
    CARD,
    FAMILY,
    LEAD,
    LEARNED,
    RANDOM,
    kept_by_card,
    solves_turns,
)
from lama_odds.games.pikomino.engine.round_loop import (
    BUSTED,
    EVENT_SIZE,
    HOW,
    STOLE,
    choose_face,
    log_end,
    mark_kept,
    play_turn,
    prepare_turn,
)
from lama_odds.games.pikomino.policies import BEST_K, LEAD_FAMILY, policy_rows, tables_of
from lama_odds.games.pikomino.records import record
from lama_odds.games.pikomino.records.record import (
    TileEntries,
    closing_words,
    position_after,
)
from lama_odds.games.pikomino.records.words import ON_SCREEN, practice
from lama_odds.games.pikomino.rules import board as tiles
from lama_odds.games.pikomino.rules.feasibility import legal_actions
from lama_odds.games.pikomino.rules.position import Position, Table, dice_text, read_dice
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, PikominoRules
from lama_odds.games.pikomino.solvers.exact import board_of
from lama_odds.games.shared.decisions import Asking
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

# Let policies of Pikomino decide situations (see `games.shared.decisions`).

ROLLS, STOPS, STEALS = 0, 1, 2


@compiled
def asked_face(rules, policies, tables, board, kept, total, left, counts, coins):
    """Return the face that seat 0 keeps of a roll, −1 if it can keep none."""
    turn = tables.turn
    scratch = scratch_of(turn)
    family = policies[0, FAMILY]
    if family == CARD:
        return kept_by_card(
            tables, rules, board, policies, 0, kept, total, left, counts, scratch.seen
        )
    if solves_turns(family):
        mark_kept(turn, scratch.needed, kept, total, left, counts)
        prepare_turn(rules, tables, policies, board, 0, scratch)
    return choose_face(turn, family, scratch.worth, kept, total, left, counts, coins)


@compiled
def asked_stop(rules, policies, tables, board, state, word):
    """Return whether seat 0 rolls, stops or steals: the first step of its turn when played."""
    scratch = scratch_of(tables.turn)
    event = np.zeros(EVENT_SIZE, np.int64)
    log = np.zeros(2, np.int64)
    logged = PlayTables(tables.turn, tables.worms, tables.rolls, tables.learned, tables.cards, log)
    play_turn(
        rules, logged, policies, board, 0, word, np.uint64(1), 0, 0, state, True, scratch, event
    )
    if log[0]:
        return ROLLS
    return STEALS if event[HOW] == STOLE else STOPS


class Player:
    """A policy under a rule set; see `games.interface.capabilities.Player`."""

    def __init__(self, rules: PikominoRules, policy: Policy, players: int) -> None:
        self.rules = rules
        self.rows = policy_rows([policy] * players)
        self.tables = tables_of(rules, [policy])

    @property
    def basis(self) -> tuple[Any, ...]:
        """The policy's row, dice, tiles and worms; what turns tiles over, if that is weighed."""
        columns = self.rules.columns.copy()
        if self.rows[0, FAMILY] not in (LEAD, LEARNED):
            columns[[tiles.FLIP_WITHOUT_TILE, tiles.SHORT]] = 0
        numbers: tuple[Any, ...] = (self.rows[0], columns, np.array(self.rules.face_values))
        if self.rows[0, FAMILY] == CARD:
            numbers += (self.tables.cards,)
        return numbers if self.rows[0, FAMILY] == RANDOM else (*numbers, self.rules.worm_table)

    def decides(self, situation: Situation, word: int) -> str:
        """Return which face to keep, or whether to roll, to stop or to steal."""
        position: Position = situation.position
        rules, kept = self.rules, position.kept
        board = board_of(rules, position)
        mask, total, left = position.mask, rules.total(kept), rules.dice - sum(kept)
        arguments = (rules.columns, self.rows, self.tables, board)
        if position.rolled is not None:
            counts = sum(n << 4 * face for face, n in enumerate(position.rolled))
            face = int(asked_face(*arguments, mask, total, left, counts, np.uint64(word)))
            return f"keep {NAMES[face]}" if face >= 0 else "bust"
        what = asked_stop(*arguments, int(rules.tables.number[mask, total, left]), np.uint64(word))
        names = legal_actions(rules, position)
        verb = ("roll", "stop", "steal")[what]
        return next((name for name in names if name.split()[0] == verb), "bust")


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.decisions.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return, after each roll, which face to keep.

        After each face kept, whether to roll again.
        """
        assert self.record is not None
        at_turn = record.position_after(self.record)
        # The first roll of a turn is not a choice, but it counts as a decision like others.
        makers: list[Callable[[], Any]] = [partial(replace, at_turn)]
        kept = at_turn.kept
        for word, value in zip(words[1::2], words[2::2], strict=False):
            if word.text == "roll":
                rolled = read_dice(value, "roll")
                if any(n and not kept[face] for face, n in enumerate(rolled)):
                    makers.append(partial(replace, at_turn, kept=kept, rolled=rolled))
            elif word.text == "keep":
                face = NAMES.index(value.text)
                kept = tuple(n or (rolled[f] if f == face else 0) for f, n in enumerate(kept))
                after = replace(at_turn, kept=kept)
                if legal_actions(self.rules, after):
                    makers.append(partial(replace, after))
        return makers


def unlike(a: PikominoRules, b: PikominoRules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.dice != b.dice:
        return f"{a.dice} dice, {b.dice} under the other rules"
    if a.numbers != b.numbers:
        return "other tiles"
    return ""


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike)


# One turn of a policy in a live game, and one roll, for games that are played along.

LOG = 32  # entries: a turn has at most eight rolls and its end


@compiled
def one_turn(rules, policies, tables, seed, step, board, state):
    """Roll for seat 0 in a state and complete the turn; step: index of its random numbers."""
    scratch = scratch_of(tables.turn)
    event = np.zeros(EVENT_SIZE, np.int64)
    key, gamma = stream_of(seed)
    play_turn(rules, tables, policies, board, 0, key, gamma, step, 0, state, False, scratch, event)
    log_end(tables.log, 0, event)


def _log(record: Record, policy: Policy, seed: int, step: int) -> list[int]:
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


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
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


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return what the dice show if the seat to act rolls; an empty text for other actions."""
    if action != "roll":
        return ""
    entry = _log(record, Policy(LEAD_FAMILY, BEST_K), seed, step)[0]
    return dice_text(tuple(entry >> 4 * face & 15 for face in range(FACES)))


def bust_words(record: Record) -> list[str]:
    """Return the words of a turn that must end in a bust, which it does here; otherwise nothing."""
    table: Table = record.state
    if not (table.centre and table.open_turn and table.must_bust):
        return []
    return closing_words(table, BUSTED)


# What `play` needs of Pikomino.


def tapped(rules: PikominoRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb."""
    del players
    return {
        "roll": Follows("dice", tuple(NAMES), dice=rules.dice),
        "keep": Follows("face"),
        "stop": Follows("tile"),
        "steal": Follows("tile"),
    }


LIVE_PLAY = LivePlay(
    policy_turn=policy_turn,
    luck_of=luck_of,
    entries=TileEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    closing=bust_words,
    shows={"roll": later("dice")},
    by_itself=("bust", "returns", "flips"),
    results=Table.results,
)
