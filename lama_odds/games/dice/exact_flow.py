"""What equilibrium play of two players leads to: chances of each way the round ends.

Probability starts at a position (or after an action) and flows down the places
in one pass, from the highest number to the lowest, splitting at each decision
as the solution decides. Blocks of one diagonal are shared between lanes that
each collect what flows on in an array of their own: always as many lanes, so
that the sums are the same bits on any number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from lama_odds.games.dice.exact_alone import best_place, penalty_ranks
from lama_odds.games.dice.exact_pair import (
    PairSolution,
    block_of,
    diagonals,
    masks_of,
    place_alone,
    read_digits,
)
from lama_odds.games.dice.roll_value import add_matches, rank_takes, roll_tables
from lama_odds.games.dice.ruleset import DiceRules
from lama_odds.games.dice.turn import EMPTY_ROW_ENDS, FULL_ROW, KINDS
from lama_odds.kernels import compiled

LANES = 2

# Ways a round ends, for me (0) and the other (1): columns of `Outcome.ends`.
OUT = 0
BLOWN = 1


@dataclass(frozen=True)
class Outcome:
    """How a round goes on average from some start.

    ends: float64[2, 2], chances of (going out, blowing it) by player. points:
    float64[2], expected penalty less tokens returned. results: float64[ranks,
    ranks], chances of my penalty and the other's, by rank.
    """

    ends: np.ndarray
    points: np.ndarray
    results: np.ndarray

    @property
    def last(self) -> float:
        """Chance that no penalty of this round is higher than mine."""
        return float(np.tril(self.results).sum())


def new_mass(solution: PairSolution) -> np.ndarray:
    """No probability anywhere: float64[LANES, 2, places, layers], see `flow`."""
    return np.zeros((LANES, *solution.passed.shape))


def flow(rules: DiceRules, solution: PairSolution, mass: np.ndarray, roll_first: bool) -> Outcome:
    """Let the probability `mass` flow to the ends of the round; `mass` is used up.

    mass: float64[LANES, 2, places, layers], who is to decide where; the lanes are
    added up. roll_first: I begin at the root with a roll, whatever the solution says.
    """
    distinct, ranks = penalty_ranks(rules)
    ends = np.zeros((LANES, 2, 2))
    points = np.zeros((LANES, 2))
    results = np.zeros((LANES, len(distinct), len(distinct)))
    block = block_of(solution.space)
    root_block = solution.root - solution.root % block

    def lane_of_diagonal(starts: list[int], lane: int) -> None:
        for start in starts[lane::LANES]:
            _flow(
                solution.space,
                roll_tables(rules),
                rules.columns,
                rules.penalties,
                ranks,
                solution.alone[0].worth,
                solution.alone[1].worth,
                solution.alone[0].ends,
                solution.alone[1].ends,
                solution.tokens[0].values,
                solution.tokens[1].values,
                solution.passed[0],
                solution.passed[1],
                mass,
                lane,
                start,
                start + block,
                roll_first and start == root_block,
                ends[lane],
                points[lane],
                results[lane],
            )

    with ThreadPoolExecutor(LANES) as pool:
        for starts in reversed(diagonals(solution.space)):
            list(pool.map(partial(lane_of_diagonal, starts), range(LANES)))
    return Outcome(ends.sum(axis=0), points.sum(axis=0), results.sum(axis=0))


@compiled
def _flow(
    space,
    tables,
    columns,
    penalties,
    ranks,
    alone_0,
    alone_1,
    ends_0,
    ends_1,
    tokens_0,
    tokens_1,
    passed_0,
    passed_1,
    mass,
    lane,
    lo,
    hi,
    roll_first,
    ends,
    points,
    results,
):
    """Let the probability in the places lo to hi − 1 flow, into a lane of its own."""
    mass_0 = mass[lane, 0]
    mass_1 = mass[lane, 1]
    layers = passed_0.shape[1]
    sets = tables.stem.size
    q = tables.llamas[0] / tables.outcomes[0]
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, layers), np.inf)
    order = np.zeros((2, KINDS))
    unused = np.zeros(layers)
    leaving = np.zeros((2, layers))
    for place in range(hi - 1, lo - 1, -1):
        reached = 0.0
        for layer in range(layers):
            for more in range(LANES):
                if more != lane:
                    mass_0[place, layer] += mass[more, 0, place, layer]
                    mass_1[place, layer] += mass[more, 1, place, layer]
            reached += mass_0[place, layer] + mass_1[place, layer]
        if reached == 0.0 and not roll_first:
            continue
        read_digits(space, place, digits)
        masks = masks_of(space, digits)
        mine = masks & FULL_ROW
        other = masks >> 7 & FULL_ROW
        row = masks >> 14
        if mine == 0 or other == 0 or (row == 0 and columns[EMPTY_ROW_ENDS]):
            for layer in range(layers):
                chance = mass_0[place, layer] + mass_1[place, layer]
                results[ranks[mine], ranks[other]] += chance
                points[0] += chance * penalties[mine]
                points[1] += chance * penalties[other]
                if mine == 0:
                    ends[0, OUT] += chance
                    points[0] -= chance * tokens_0[layer // tokens_1.size]
                elif other == 0:
                    ends[1, OUT] += chance
                    points[1] -= chance * tokens_1[layer % tokens_1.size]
            continue
        alone_place_0 = place_alone(space, 0, digits)
        alone_place_1 = place_alone(space, 1, digits)
        leaving[:] = 0.0
        for a in range(tokens_0.size):
            for b in range(tokens_1.size):
                layer = a * tokens_1.size + b
                rolls_0 = -passed_0[place, layer] < penalties[mine] - alone_1[alone_place_1, b]
                rolls_1 = -passed_1[place, layer] < penalties[other] - alone_0[alone_place_0, a]
                next_0 = layer + tokens_1.size if a < tokens_0.size - 1 else layer
                next_1 = layer + 1 if b < tokens_1.size - 1 else layer
                m_0 = mass_0[place, layer]
                m_1 = mass_1[place, layer]
                forced = 0.0
                if roll_first:
                    # The first roll, already made: three llamas pass it on, the rest leaves.
                    forced = 1.0
                    roll_first = False
                    if next_0 == layer:
                        m_1 += q
                    else:
                        mass_1[place, next_0] += q
                # Three llamas pass a turn between the players, perhaps again and again.
                back_0 = q if rolls_0 and next_0 == layer else 0.0
                back_1 = q if rolls_1 and next_1 == layer else 0.0
                visits_0 = (m_0 + back_1 * m_1) / (1.0 - back_0 * back_1)
                visits_1 = m_1 + back_0 * visits_0
                if rolls_0 and next_0 != layer:
                    mass_1[place, next_0] += q * visits_0
                if rolls_1 and next_1 != layer:
                    mass_0[place, next_1] += q * visits_1
                if rolls_0:
                    leaving[0, layer] += visits_0
                else:
                    _alone(
                        1,
                        0,
                        visits_0,
                        penalties[mine],
                        ranks[mine],
                        alone_1[alone_place_1, b],
                        ends_1[alone_place_1, b],
                        ends,
                        points,
                        results,
                    )
                if rolls_1:
                    leaving[1, layer] += visits_1
                else:
                    _alone(
                        0,
                        1,
                        visits_1,
                        penalties[other],
                        ranks[other],
                        alone_0[alone_place_0, a],
                        ends_0[alone_place_0, a],
                        ends,
                        points,
                        results,
                    )
                leaving[0, layer] += forced
                points[0] -= leaving[0, layer] * q * tokens_0[a]
                points[1] -= leaving[1, layer] * q * tokens_1[b]
        if leaving[0].any():
            add_matches(tables, passed_1, place, digits, space.steps[0], mine, reach, best, unused)
            for layer in range(layers):
                blown = _leave(
                    tables,
                    passed_1,
                    mass_1,
                    place,
                    digits,
                    space.takes[0],
                    mine,
                    row,
                    layer,
                    leaving[0, layer],
                    reach,
                    best,
                    order,
                )
                _blow(0, blown, penalties, ranks, mine | row, other, ends, points, results)
        if leaving[1].any():
            add_matches(tables, passed_0, place, digits, space.steps[1], other, reach, best, unused)
            for layer in range(layers):
                blown = _leave(
                    tables,
                    passed_0,
                    mass_0,
                    place,
                    digits,
                    space.takes[1],
                    other,
                    row,
                    layer,
                    leaving[1, layer],
                    reach,
                    best,
                    order,
                )
                _blow(1, blown, penalties, ranks, mine, other | row, ends, points, results)


@compiled
def _alone(player, quitter, chance, penalty, rank, worth, player_ends, ends, points, results):
    """Add what follows when `quitter` has quit and `player` goes on alone."""
    if chance == 0.0:
        return
    points[quitter] += chance * penalty
    points[player] += chance * worth
    count = results.shape[0]
    for result in range(count):
        if player == 0:
            results[result, rank] += chance * player_ends[result]
        else:
            results[rank, result] += chance * player_ends[result]
    ends[player, OUT] += chance * player_ends[count]
    ends[player, BLOWN] += chance * player_ends[count + 1]


@compiled
def _leave(tables, worth, mass, place, digits, takes, mask, row, layer, chance, reach, best, order):
    """Move the probability of a roll at a place on; returns the part that is blown."""
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
        mass[place + takes[kind, digits[kind]], layer] += part * (
            tables.avoiding[shown] - tables.avoiding[more]
        )
        shown = more
    return part * tables.avoiding[shown]


@compiled
def _blow(player, chance, penalties, ranks, mine, other, ends, points, results):
    """Add a blown round; mine, other: kinds held at its end."""
    ends[player, BLOWN] += chance
    points[0] += chance * penalties[mine]
    points[1] += chance * penalties[other]
    results[ranks[mine], ranks[other]] += chance
