"""The value of a roll in every solved situation of two players.

`two_players` keeps the better of quitting and rolling. Here rolling has its own value, so that the
two can be compared when quitting is right.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from lama_odds.games.dice.engine.roll_backup import add_matches, add_misses, count_up, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, blown_kinds, row_ends_round
from lama_odds.games.dice.solvers.two_players import PairSolution, masks_of, read_digits
from lama_odds.jit import compiled

CHUNKS = 8  # parts of the work, shared between threads


def roll_margins(rules: DiceRules, solution: PairSolution, threads: int) -> np.ndarray:
    """Return float64[places, layers]: the margin of rolling now, if both then play as solved.

    It is nan if the round is over. Margins are the player's points minus the other's: lower is
    better.
    """
    places = solution.space.places
    found = np.full((places, solution.passed.shape[2]), np.nan)
    fill = partial(
        _fill,
        solution.space,
        roll_tables(rules),
        rules.columns,
        rules.penalties,
        solution.tokens[0].values,
        solution.tokens[1].values.size,
        solution.passed[1],
        found,
    )
    ends = np.linspace(0, places, CHUNKS + 1, dtype=np.int64).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, ends[:-1], ends[1:]))
    return found


@compiled
def _fill(space, tables, columns, penalties, tokens, other_levels, passed, found, lo, hi):
    """Fill in rolls at the places lo to hi − 1."""
    layers = found.shape[1]
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, layers), np.inf)
    order = np.zeros((2, KINDS))
    blown = np.zeros(layers)
    total = np.zeros(layers)
    outcomes = tables.outcomes[0]
    again = tables.llamas[0] / outcomes
    read_digits(space, lo, digits)
    for place in range(lo, hi):
        if place > lo:
            count_up(digits, space.sizes)
        masks = masks_of(space, digits)
        mine = masks & FULL_ROW
        other = masks >> 7 & FULL_ROW
        row = masks >> 14
        if mine == 0 or other == 0 or row_ends_round(columns, row):
            continue
        blown[:] = penalties[blown_kinds(mine, row)] - penalties[other]
        total[:] = 0.0
        add_matches(tables, passed, place, digits, space.steps[0], mine, reach, best, total)
        add_misses(tables, passed, place, digits, space.takes[0], mine, row, blown, order, total)
        for layer in range(layers):
            level = layer // other_levels
            after = layer + other_levels if level < tokens.size - 1 else layer
            moved = total[layer] / outcomes - again * tokens[level]
            found[place, layer] = moved + again * passed[place, after]
