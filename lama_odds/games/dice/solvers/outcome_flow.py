"""What equilibrium play of two players leads to: chances of each way the round ends.

Probability starts at a position (or after an action). It flows down the places in one pass, from
the highest number to the lowest, and splits at each decision as the solution decides. Blocks of one
diagonal are shared between lanes; each lane collects its part in an array of its own. The number of
lanes is fixed, so that the sums are the same bits on any number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.engine.roll_backup import EQUAL, add_matches, rank_takes, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, blown_kinds, row_ends_round
from lama_odds.games.dice.solvers.last_player import best_place, penalty_ranks
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    block_of,
    diagonals,
    masks_of,
    place_alone,
    read_digits,
)
from lama_odds.jit import compiled, for_all, inlined

LANES = 2

# Ways a round ends, for player 0 and the other (1): columns of `Outcome.ends`.
OUT = 0
BLOWN = 1


@dataclass(frozen=True)
class Outcome:
    """How a round ends on average from some start.

    ends: float64[2, 2], chances of (going out, blowing it) by player.
    points: float64[2], expected penalty minus tokens returned.
    results: float64[ranks, ranks], chances of the penalties of player 0 and the other, by rank.
    """

    ends: np.ndarray
    points: np.ndarray
    results: np.ndarray

    @property
    def last(self) -> float:
        """The chance that no penalty of this round is higher than that of player 0."""
        return float(np.tril(self.results).sum())


def new_mass(solution: PairSolution) -> np.ndarray:
    """Return zero probability everywhere: float64[LANES, 2, places, layers], see `flow`."""
    return np.zeros((LANES, *solution.passed.shape))


def flow(rules: DiceRules, solution: PairSolution, mass: np.ndarray, roll_first: bool) -> Outcome:
    """Let the probability `mass` flow to the ends of the round; `mass` is used up.

    mass: float64[LANES, 2, places, layers], the player to decide and where; the lanes are added up.
    roll_first: player 0 begins at the root with a roll, whatever the solution says.
    """
    distinct, ranks = penalty_ranks(rules)
    ends = np.zeros((LANES, 2, 2))
    points = np.zeros((LANES, 2))
    results = np.zeros((LANES, len(distinct), len(distinct)))
    block = block_of(solution.space)
    root_block = solution.root - solution.root % block
    solved = Solved(
        solution.passed,
        (solution.alone[0].worth, solution.alone[1].worth),
        (solution.alone[0].ends, solution.alone[1].ends),
        (solution.tokens[0].values, solution.tokens[1].values),
    )

    def lane_of_diagonal(starts: list[int], lane: int) -> None:
        outcome = Found(ends[lane], points[lane], results[lane])
        for start in starts[lane::LANES]:
            _flow(
                solution.space, roll_tables(rules), rules.columns, rules.penalties, ranks, solved,
                mass, lane, start, start + block, roll_first and start == root_block, outcome,
            )  # fmt: skip

    with ThreadPoolExecutor(LANES) as pool:
        for starts in reversed(diagonals(solution.space)):
            list(pool.map(partial(lane_of_diagonal, starts), range(LANES)))
    return Outcome(ends.sum(axis=0), points.sum(axis=0), results.sum(axis=0))


class Solved(NamedTuple):
    """A solution as the compiled functions read it; see `PairSolution`."""

    passed: np.ndarray
    alone: tuple[np.ndarray, np.ndarray]
    ends: tuple[np.ndarray, np.ndarray]
    tokens: tuple[np.ndarray, np.ndarray]


class Found(NamedTuple):
    """Where a lane adds up what it finds; see `Outcome`."""

    ends: np.ndarray
    points: np.ndarray
    results: np.ndarray


@compiled
def _flow(
    space, tables, columns, penalties, ranks, solved, mass, lane, lo, hi, roll_first, sums
):  # fmt: skip
    """Let the probability in the places lo to hi − 1 flow, into a lane of its own."""
    layers = solved.passed.shape[2]
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(tables.stem.size, np.int64)
    best = np.full((tables.stem.size, layers), np.inf)
    order = np.zeros((2, KINDS))
    unused = np.zeros(layers)
    leaving = np.zeros((2, layers))
    for place in range(hi - 1, lo - 1, -1):
        if _collect(mass, lane, place) == 0.0 and not roll_first:
            continue
        read_digits(space, place, digits)
        masks = masks_of(space, digits)
        row = masks >> 14
        kinds = (masks & FULL_ROW, masks >> 7 & FULL_ROW)
        if kinds[0] == 0 or kinds[1] == 0 or row_ends_round(columns, row):
            _end(penalties, ranks, solved.tokens, mass[lane], place, kinds, sums)
            continue
        alone = (place_alone(space, 0, digits), place_alone(space, 1, digits))
        _decide(
            tables, penalties, ranks, solved, mass[lane], place, kinds, alone, roll_first,
            leaving, sums,
        )  # fmt: skip
        roll_first = False
        for player in range(2):
            rolling = 0.0
            for layer in range(layers):
                rolling += leaving[player, layer]
            if rolling == 0.0:
                continue
            worth = solved.passed[1 - player]
            mine = kinds[player]
            steps = space.steps[player]
            takes = space.takes[player]
            add_matches(tables, worth, place, digits, steps, mine, reach, best, unused)
            for layer in range(layers):
                blown = _leave(
                    tables, worth, mass[lane, 1 - player], place, digits, takes, mine, row,
                    layer, leaving[player, layer], reach, best, order,
                )  # fmt: skip
                _blow(penalties, ranks, player, kinds, row, blown, sums)


@inlined
def _collect(mass, lane, place):
    """Add the other lanes' probability at a place to this one's; return the sum."""
    reached = 0.0
    for player in range(2):
        for layer in range(mass.shape[3]):
            for more in range(LANES):
                if more != lane:
                    mass[lane, player, place, layer] += mass[more, player, place, layer]
            reached += mass[lane, player, place, layer]
    return reached


@inlined
def _end(penalties, ranks, tokens, mass, place, kinds, sums):
    """Add up a place where the round is over: a player went out, or the row is empty."""
    for layer in range(mass.shape[2]):
        chance = mass[0, place, layer] + mass[1, place, layer]
        sums.results[ranks[kinds[0]], ranks[kinds[1]]] += chance
        levels = (layer // tokens[1].size, layer % tokens[1].size)
        for player in range(2):
            sums.points[player] += chance * penalties[kinds[player]]
            if kinds[player] == 0:
                sums.ends[player, OUT] += chance
                sums.points[player] -= chance * tokens[player][levels[player]]


@inlined
def _decide(tables, penalties, ranks, solved, mass, place, kinds, alone, roll_first, leaving, sums):
    """Quit or roll at a place, as solved; leaving: probability of rolls of either player there.

    If both are worth the same, the player quits. Three llamas pass the turn at the place, perhaps
    several times; they are handled here.
    """
    q = tables.llamas[0] / tables.outcomes[0]
    last_0 = solved.tokens[0].size - 1
    last_1 = solved.tokens[1].size - 1
    for layer in range(leaving.shape[1]):
        a = layer // (last_1 + 1)
        b = layer % (last_1 + 1)
        rolls_0 = (
            -solved.passed[0, place, layer]
            < penalties[kinds[0]] - solved.alone[1][alone[1], b] - EQUAL
        )
        rolls_1 = (
            -solved.passed[1, place, layer]
            < penalties[kinds[1]] - solved.alone[0][alone[0], a] - EQUAL
        )
        next_0 = layer + last_1 + 1 if a < last_0 else layer
        next_1 = layer + 1 if b < last_1 else layer
        forced = 1.0 if roll_first and layer == 0 else 0.0
        mass[1, place, next_0] += forced * q
        back_0 = q if rolls_0 and next_0 == layer else 0.0
        back_1 = q if rolls_1 and next_1 == layer else 0.0
        visits_0 = (mass[0, place, layer] + back_1 * mass[1, place, layer]) / (1 - back_0 * back_1)
        visits_1 = mass[1, place, layer] + back_0 * visits_0
        leaving[0, layer] = forced
        leaving[1, layer] = 0.0
        if rolls_0:
            leaving[0, layer] += visits_0
            if next_0 != layer:
                mass[1, place, next_0] += q * visits_0
        else:
            _alone(penalties, ranks, solved, kinds, 1, alone[1], b, visits_0, sums)
        if rolls_1:
            leaving[1, layer] = visits_1
            if next_1 != layer:
                mass[0, place, next_1] += q * visits_1
        else:
            _alone(penalties, ranks, solved, kinds, 0, alone[0], a, visits_1, sums)
        sums.points[0] -= leaving[0, layer] * q * solved.tokens[0][a]
        sums.points[1] -= leaving[1, layer] * q * solved.tokens[1][b]


@inlined
@for_all
def _alone(penalties, ranks, solved, kinds, player, place, level, chance, sums):
    """Add what follows when the other has quit and `player` continues alone."""
    if chance == 0.0:
        return
    quitter = 1 - player
    sums.points[quitter] += chance * penalties[kinds[quitter]]
    sums.points[player] += chance * solved.alone[player][place, level]
    ends = solved.ends[player][place, level]
    rank = ranks[kinds[quitter]]
    count = sums.results.shape[0]
    for result in range(count):
        if player == 0:
            sums.results[result, rank] += chance * ends[result]
        else:
            sums.results[rank, result] += chance * ends[result]
    sums.ends[player, OUT] += chance * ends[count]
    sums.ends[player, BLOWN] += chance * ends[count + 1]


@inlined
def _leave(tables, worth, mass, place, digits, takes, mask, row, layer, chance, reach, best, order):
    """Move the probability of a roll at a place; return the part that is blown."""
    if chance == 0.0:
        return 0.0
    part = chance / tables.outcomes[0]
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        if tables.weights[entry] > 0.0:
            after = best_place(tables, worth, tables.sets[entry], layer, reach, best)
            mass[after, layer] += part * tables.weights[entry]
    shown = mask
    for at in range(rank_takes(worth, place, digits, takes, mask, row, layer, order)):
        kind = np.int64(order[1, at])
        more = shown | 1 << kind
        chance_of_kind = part * (tables.avoiding[shown] - tables.avoiding[more])
        mass[place + takes[kind, digits[kind]], layer] += chance_of_kind
        shown = more
    return part * tables.avoiding[shown]


@inlined
def _blow(penalties, ranks, player, kinds, row, chance, sums):
    """Add a round that `player` has blown: the row is added to the player's cards."""
    mine = blown_kinds(kinds[0], row) if player == 0 else kinds[0]
    other = blown_kinds(kinds[1], row) if player == 1 else kinds[1]
    sums.ends[player, BLOWN] += chance
    sums.points[0] += chance * penalties[mine]
    sums.points[1] += chance * penalties[other]
    sums.results[ranks[mine], ranks[other]] += chance
