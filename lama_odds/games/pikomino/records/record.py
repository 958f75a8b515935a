"""A game of Pikomino as text: written, read, replayed.

A record has one line for each turn; dice are sorted, W last::

    lama-odds record 1
    rules pikomino/egmont
    players 2
    policies first-tile random
    luck 0 155
    0 roll 1122444W keep 4 roll 1125W keep W roll 1155 keep 5 stop 27
    1 roll 11222334 keep 2 roll 22222 bust
    0 roll 11111111 keep 1 bust returns 27 flips 36
    1 roll 1123455W

After ``stop`` comes the tile taken, after ``steal`` the tile stolen from another stack. After
``bust`` come the tile put back and the one turned over, if any; they may be left out. ``1 stop 27``
alone is a turn of which only the result is known, and so are ``1 steal 24`` and ``1 bust``.
``final`` has the worms by seat. A record may stop anywhere in a turn: it then ends with the
decision of that player.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import NothingToDecideError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import (
    CHOICE,
    LUCK,
    Record,
    Recorded,
    TurnPlan,
    as_written,
)
from lama_odds.games.pikomino.engine import round_loop
from lama_odds.games.pikomino.jobs import simulation
from lama_odds.games.pikomino.rules.feasibility import parse_position
from lama_odds.games.pikomino.rules.position import Position, Table, dice_text, read_dice
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, PikominoRules, parse_rules
from lama_odds.games.shared.measures import FIRST_LOG
from lama_odds.games.shared.record import (
    STANDS,
    Refused,
    TableReader,
    head_lines,
    numbers_line,
    unfinished_table,
)
from lama_odds.games.shared.typed import Typed
from lama_odds.jit.job import Job

VERBS = {
    "roll": LUCK,
    "keep": CHOICE,
    "stop": CHOICE,
    "steal": CHOICE,
}  # of a turn, and what follows them
RESULTS = ("stop", "steal", "bust")


def log_of(job: Job, seed: int, game: int) -> list[int]:
    """Play one game of a simulation again and return its log."""
    size = FIRST_LOG
    while True:
        log = np.zeros(size, dtype=np.int64)
        job.with_tables(log=log).play(seed, game, 1)
        if log[0] < size:
            return [int(entry) for entry in log[1 : log[0] + 1]]
        size = int(log[0]) + 1


def write_record(
    rules: PikominoRules, policies: Sequence[str], luck: tuple[int, int], log: Sequence[int]
) -> str:
    """Return the record of a kernel's log (see `round_loop.log_roll`), replayed turn by turn."""
    lines = head_lines(rules.id, policies, luck)
    table = Table(rules, len(policies))
    words: list[str] = []
    for entry in log:
        if not words:
            words = [str(table.seat)]
        if entry >> 60:
            words += closing_words(table, entry >> 4 & 15)
            lines.append(" ".join(words))
            words = []
            continue
        rolled = tuple(entry >> 4 * face & 15 for face in range(FACES))
        face = (entry >> 24) - 1
        table.roll(rolled)
        words += ["roll", dice_text(rolled)]
        if face >= 0:
            table.keep(face)
            words += ["keep", NAMES[face]]
    if not table.centre:
        lines.append(numbers_line("final", table.worms))
    return "\n".join(lines) + "\n"


def closing_words(table: Table, how: int) -> list[str]:
    """End a turn as logged; return the words for it."""
    if how == round_loop.STOPPED:
        return ["stop", str(table.stop())]
    if how == round_loop.STOLE:
        return ["steal", str(table.steal())]
    back, flipped = table.bust()
    words = ["bust"]
    words += ["returns", str(back)] if back is not None else []
    return words + (["flips", str(flipped)] if flipped is not None else [])


def read_record(text: str) -> Record:
    """Read and replay a record; see `games.shared.record.RecordReader.read`."""
    return Reader().read(text)


class Reader(TableReader):
    """What a record of Pikomino adds: turns of rolls."""

    game = "pikomino"
    verbs = VERBS
    results = RESULTS
    final_said = later("the scores at the end of the game: worms by seat, the centre being empty")
    table: Table

    def read_rules(self, text: str) -> PikominoRules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def at_start(self, count: int) -> Table:
        """Return the table of this number of players."""
        return Table(self.rules, count)

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the reader of a position that replaces the table."""
        return {STANDS: self.stands}

    def stand(self, text: str) -> None:
        """Let the table be as a position says."""
        position, table = parse_position(self.rules, text), self.table
        if not position.whole or any(position.kept) or position.rolled or table.open_turn:
            raise Refused(say("stands has centre and stacks before a roll"))
        table.centre = sorted(position.centre)
        table.stacks = [list(stack) for stack in self.in_order(position.stacks)]
        table.seat = self.mine
        held = {*table.centre, *(tile for stack in table.stacks for tile in stack)}
        table.turned = [tile for tile in self.rules.numbers if tile not in held]

    def turn(self, words: list[Part]) -> None:
        """Read a turn, which may be unfinished."""
        if self.table.open_turn:
            raise words[0].fail(say("nothing after an unfinished turn"))
        at = 1
        while at < len(words):
            word = words[at]
            value = words[at + 1] if at + 1 < len(words) else None
            if word.text == "bust":
                self._bust(words[at + 1 :])
                return
            if word.text in ("stop", "steal"):
                self._tile(word, value, words[at + 2 :])
                return
            if word.text not in ("roll", "keep") or value is None:
                raise word.fail(say("roll DICE, keep FACE, stop TILE, steal TILE or bust"))
            if word.text == "roll":
                self.table.roll(read_dice(value, "roll"))
            else:
                if value.text not in tuple(NAMES):
                    raise value.fail(say("one face, 1-5 or W"), what="keep")
                self.table.keep(NAMES.index(value.text))
            at += 2

    def _tile(self, word: Part, value: Part | None, rest: list[Part]) -> None:
        if value is None:
            raise word.fail(f"{word.text} TILE")
        named = value.integer(word.text)
        if not self.table.open_turn:
            _nothing_after(rest)
            self.table.take(word.text, named)
            return
        expected = self.table.stop_tile() if word.text == "stop" else self.table.steal_tile()
        if named != expected:
            raise value.fail(
                say("no tile: none can be taken") if expected is None else f"{expected}"
            )
        _nothing_after(rest)
        if word.text == "stop":
            self.table.stop()
        else:
            self.table.steal()

    def _bust(self, rest: list[Part]) -> None:
        back, flipped = self.table.bust()
        expected = {"returns": back, "flips": flipped}
        while rest:
            if rest[0].text not in expected or len(rest) < 2:
                raise rest[0].fail(say("returns TILE, flips TILE or nothing more"))
            tile = expected.pop(rest[0].text)
            if rest[1].integer("bust") != tile:
                raise rest[1].fail(say("no tile") if tile is None else str(tile))
            rest = rest[2:]


def _nothing_after(rest: list[Part]) -> None:
    if rest:
        raise rest[0].fail(say("nothing after the tile"))


def position_after(record: Record) -> Position:
    """Return the position at the end of a record, as the seat to decide sees it."""
    table: Table = unfinished_table(record)
    if table.must_bust:
        raise NothingToDecideError(say("the end of this record"), [say("the turn is over, bust")])
    seats = [(table.seat + step) % record.players for step in range(record.players)]
    return Position(
        kept=tuple(table.kept),
        rolled=table.rolled,
        centre=tuple(table.centre),
        stacks=tuple(tuple(table.stacks[seat]) for seat in seats),
        whole=True,
    )


# What you type in Pikomino played along.


class TileEntries(Typed):
    """The entries of Pikomino."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"r": "roll", "k": "keep", "s": "stop", "t": "steal"}
    card = re.compile(r"[1-5W]")
    several = ("roll",)
    follows = ("bust", "returns", "flips", "from")

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record.

        The player that a tile is stolen from need not be typed, and neither need the verb where
        a tile is the whole turn: ``25``.
        """
        words = self.in_full(entry)
        if words[0] == "take" or (len(words) == 1 and not state.open_turn):
            tile = words[-1]
            if tile.isdecimal():
                stolen = tile in {str(stack[-1]) for stack in state.stacks if stack}
                return ["steal" if stolen else "stop", tile]
        if words == ["bust"] and not state.open_turn:
            return closing_words(deepcopy(state), round_loop.BUSTED)
        if words[0] == "steal" and len(words) == 4 and words[2] == "from":
            return words[:2]
        return words


# How records of Pikomino are split into decisions.


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation; a steal names the owner of the tile."""
    verb, what = words[at : at + 2]
    if verb == "steal":
        owner = next(i for i, top in enumerate(position.tops) if i and top == int(what))
        return f"steal {int(what)} from {owner}"
    return f"stop {int(what)}" if verb == "stop" else as_written(position, words, at)


def ranked(record: Record) -> list[Any]:
    """Return worms and highest tile by seat, which decide the game in this order."""
    assert record.outcome is not None
    stacks = record.state.stacks
    tallest = [max(stack, default=0) for stack in stacks]
    return list(zip(record.outcome, tallest, strict=True))


def turn_plan(rules: PikominoRules, position: Position, policy: Policy) -> TurnPlan | None:
    """Return how a turn may end; what solves it is loaded now."""
    from lama_odds.games.pikomino.solvers.solve import turn_plan as planned

    return planned(rules, position, policy)


RECORDED = Recorded(
    VERBS,
    Reader,
    luck=later("of own rolls, if the player decides on them at once"),
    named=named,
    ranked=ranked,
    uncounted=later("Tiles stolen from you in their turns are not in it"),
    turn_plan=turn_plan,
    results=RESULTS,
)


# A simulated game as text.


def simulated_record(
    rules: PikominoRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated game as text."""
    job = simulation(rules, policies, rounds)
    names = [policy.name for policy in policies]
    return write_record(rules, names, (seed, game), log_of(job, seed, game))
