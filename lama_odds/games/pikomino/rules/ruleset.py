"""The rule sets of Pikomino, each field with its source, and the tables of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import factorial
from typing import ClassVar, NamedTuple

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import (
    RuleSet,
    editions_of,
    number,
    options_of,
    refuse_senseless,
    said_option,
    switch,
    text,
)
from lama_odds.games.pikomino.rules import board

# What a turn depends on besides the board: states, rolls and their chances.

FACES = 6
WORM = 5
WORM_KEPT = 1 << WORM

State = tuple[int, int, int]  # faces kept as bits, their sum, dice left


class Runs(NamedTuple):
    """Rolls that differ in the last alive face alone follow each other: a run.

    first: int64[FACES + 1, dice + 2], as that of rolls. roll: int64[runs + 1], where each begins.
    last: int64[runs], the last of the other alive faces that its rolls show; −1 if none. anew:
    int64[runs], the first of them from which they are not like those of the run before.
    """

    first: np.ndarray
    roll: np.ndarray
    last: np.ndarray
    anew: np.ndarray


class TurnTables(NamedTuple):
    """Tables that depend on the dice alone.

    mask, total, left: int64[states], most faces kept first, the start of a turn last.
    number: int32[masks, totals, dice + 1] -> state or −1. values: int64[6].
    children: int32, from child[state] on, the states after keeping: of each alive face, ascending,
    1, 2, … dice.
    rolls: int64, from first[u, n] to first[u, n + 1] − 1, the rolls of n dice with u faces alive,
    their counts in four bits each.
    chance: float64, in the same order. runs: rolls that differ in the last alive face alone.
    """

    mask: np.ndarray
    total: np.ndarray
    left: np.ndarray
    number: np.ndarray
    values: np.ndarray
    children: np.ndarray
    child: np.ndarray
    rolls: np.ndarray
    chance: np.ndarray
    first: np.ndarray
    runs: Runs


@lru_cache(maxsize=16)
def turn_tables(dice: int, values: tuple[int, ...]) -> TurnTables:
    """Return the tables for this many dice with these values of their faces."""
    states = _states(dice, values)
    most = max(total for _, total, _ in states)
    index = np.full((1 << FACES, most + 1, dice + 1), -1, dtype=np.int32)
    for at, (mask, total, left) in enumerate(states):
        index[mask, total, left] = at
    children: list[int] = []
    child = np.zeros(len(states), dtype=np.int64)
    for at, state in enumerate(states):
        child[at] = len(children)
        children += [index[after] for after in _after(state, values)]
    rolls, chances, first = _rolls(dice)
    masks, totals, lefts = np.ascontiguousarray(np.array(states, dtype=np.int64).T)
    return TurnTables(
        masks,
        totals,
        lefts,
        index,
        np.array(values, dtype=np.int64),
        np.array(children, dtype=np.int32),
        child,
        np.array(rolls, dtype=np.int64),
        np.array(chances),
        first,
        _runs(rolls, first),
    )


def _after(state: State, values: tuple[int, ...]) -> list[State]:
    """Return states after keeping: of each face that is not kept yet, ascending, 1, 2, … dice."""
    mask, total, left = state
    return [
        (mask | 1 << face, total + n * values[face], left - n)
        for face, n in product(range(FACES), range(1, left + 1))
        if not mask >> face & 1
    ]


def _states(dice: int, values: tuple[int, ...]) -> list[State]:
    """Return the possible states of a turn, most faces kept first, its start last."""
    start = (0, 0, dice)
    states, waiting = {start}, [start]
    while waiting:
        new = set(_after(waiting.pop(), values)) - states
        states |= new
        waiting += new
    return sorted(states, key=lambda state: (-state[0].bit_count(), state))


def _rolls(dice: int) -> tuple[list[int], list[float], np.ndarray]:
    """Return rolls of 0, 1, … dice by the number of alive faces, their chances, and their
    starts.
    """
    rolls: list[int] = []
    chances: list[float] = []
    first = np.zeros((FACES + 1, dice + 2), dtype=np.int64)
    for alive in range(FACES + 1):
        for n in range(dice + 1):
            first[alive, n] = len(rolls)
            for counts in _counts(alive, n):
                dead = n - sum(counts)
                if dead and alive == FACES:
                    continue
                rolls.append(sum(count << 4 * at for at, count in enumerate(counts)))
                ways = factorial(n) // factorial(dead) * (FACES - alive) ** dead
                for count in counts:
                    ways //= factorial(count)
                chances.append(ways / FACES**n)
        first[alive, dice + 1] = len(rolls)
    return rolls, chances, first


def _runs(rolls: list[int], first: np.ndarray) -> Runs:
    """Return the runs of all rolls; with no face alive there is a single roll, and no run."""
    begins, last, anew = [0], [-1], [0]
    starts = np.zeros_like(first)
    for alive in range(1, FACES + 1):
        others = (1 << 4 * (alive - 1)) - 1
        for dice in range(first.shape[1] - 1):
            starts[alive, dice] = len(begins)
            before, shown = -1, -1
            for at in range(first[alive, dice], first[alive, dice + 1]):
                prefix = rolls[at] & others
                if prefix == before:
                    continue
                differs = before ^ prefix if before >= 0 else 1
                begins.append(at)
                anew.append(min(((differs & -differs).bit_length() - 1) // 4, shown + 1))
                shown = (prefix.bit_length() + 3) // 4 - 1
                last.append(shown)
                before = prefix
        starts[alive, -1] = len(begins)
    return Runs(starts, np.array([*begins, len(rolls)]), np.array(last), np.array(anew))


def _counts(faces: int, dice: int) -> list[tuple[int, ...]]:
    """Return all counts of this many faces that sum to at most `dice`."""
    counts: list[tuple[int, ...]] = [()]
    for _ in range(faces):
        counts = [(*c, n) for c in counts for n in range(dice - sum(c) + 1)]
    return counts


NAMES = "12345W"

_BOOK = "egmont"


def read_worms(part: Part) -> tuple[int, ...]:
    """Return worms on the tiles, written as ``1.2.3.4``: as many groups of tiles, ascending."""
    values = tuple(piece.integer(said_option("worms")) for piece in part.split("."))
    if not all(1 <= value <= 20 for value in values) or len(values) > 24:
        expected = say("up to 24 numbers from 1 to 20 between dots")
        raise part.fail(expected, what=said_option("worms"))
    return values


ABOUT = {"egmont": "Polish rules, tiles 21 to 36"}


@dataclass(frozen=True)
class PikominoRules(RuleSet):
    """A rule set of Pikomino; the fields are the options."""

    GAME = "pikomino"
    CHANGES: ClassVar = {"egmont": {}}

    dice: int = number(8, "number of dice", _BOOK, 1, 8, column=board.DICE)
    flip_without_tile: bool = switch(
        False,
        later("a bust turns the highest tile over even if the player had none to lose"),
        "other editions; not in egmont",
        column=board.FLIP_WITHOUT_TILE,
    )
    low: int = number(21, "number on the lowest tile", _BOOK, 1, 60, column=board.LOW)
    no_steal: bool = switch(
        False,
        later("no tile can be taken from another player's stack"),
        "a house rule",
        column=board.NO_STEAL,
    )
    short: bool = switch(
        False,
        later("the tile that goes back is turned over even if it is the highest"),
        "a shorter game; not in egmont",
        column=board.SHORT,
    )
    tiles: int = number(16, "number of tiles", _BOOK, 1, 24, column=board.TILES)
    worm_value: int = number(5, "what a worm counts", _BOOK, 1, 10, column=board.WORM_VALUE)
    worms: tuple[int, ...] = text(
        (1, 2, 3, 4),
        "worms on the tiles, ascending, each for an equal share of them",
        _BOOK,
        read=read_worms,
        write=lambda worms: ".".join(map(str, worms)),
    )

    @property
    def players(self) -> range:
        """The numbers of players."""
        return range(2, 8)

    @property
    def numbers(self) -> range:
        """The numbers on the tiles."""
        return range(self.low, self.low + self.tiles)

    @cached_property
    def face_values(self) -> tuple[int, ...]:
        """What each face counts, the worm last."""
        return (*range(1, FACES), self.worm_value)

    @cached_property
    def worm_table(self) -> np.ndarray:
        """int64[tiles]: worms on each tile."""
        groups = len(self.worms)
        return np.array(
            [self.worms[at * groups // self.tiles] for at in range(self.tiles)], dtype=np.int64
        )

    def worms_on(self, number: int) -> int:
        """Return the worms on the tile with a number."""
        return int(self.worm_table[number - self.low])

    @cached_property
    def tables(self) -> TurnTables:
        """What the solver of a turn needs of the dice."""
        return turn_tables(self.dice, self.face_values)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The totals with a worm that dice can make, ascending."""
        states = zip(self.tables.mask, self.tables.total, strict=True)
        return tuple(sorted({int(total) for mask, total in states if mask >> WORM & 1}))

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[RULES_COLUMNS]: the numbers that the compiled functions read."""
        row = np.zeros(board.RULES_COLUMNS, dtype=np.int64)
        row[list(self.in_columns())] = list(self.in_columns().values())
        return row

    def total(self, kept: tuple[int, ...]) -> int:
        """Return the total of kept dice, counted by face."""
        return sum(n * value for n, value in zip(kept, self.face_values, strict=True))


OPTIONS, EDITIONS = options_of(PikominoRules), editions_of(PikominoRules)


def parse_rules(id_: str) -> PikominoRules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    rules, _ = PikominoRules.read(id_)
    refuse_senseless(id_, _senseless(rules))
    return rules


def _senseless(rules: PikominoRules) -> list[tuple[str, str]]:
    """Return options that contradict the rest, with the reason."""
    best = rules.dice * max(rules.face_values)
    if rules.low > best:
        changed = [n for n in ("low", "dice") if rules.values[n] != EDITIONS[rules.edition][n]]
        reason = say(
            "{dice} dice make {best} at most, the lowest is {low}",
            dice=rules.dice,
            best=best,
            low=rules.low,
        )
        return [(changed[0], reason)]
    return []
