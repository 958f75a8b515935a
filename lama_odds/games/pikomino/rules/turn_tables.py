"""What a turn depends on besides the board: states, rolls and their chances."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import factorial
from typing import NamedTuple

import numpy as np

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
    found, waiting = {start}, [start]
    while waiting:
        new = set(_after(waiting.pop(), values)) - found
        found |= new
        waiting += new
    return sorted(found, key=lambda state: (-state[0].bit_count(), state))


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
    found: list[tuple[int, ...]] = [()]
    for _ in range(faces):
        found = [(*c, n) for c in found for n in range(dice - sum(c) + 1)]
    return found
