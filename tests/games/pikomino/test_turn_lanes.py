"""A turn on many boards at once is worth what it is worth on each by itself."""

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.turn_lanes import LANES, solve_turns
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.rules.turn_tables import FACES


@pytest.mark.parametrize("options", ["", "+dice=3+low=6+tiles=8", "+dice=1+low=5+tiles=8"])
def test_every_lane_is_the_turn_of_its_board(options):
    tables = parse_rules(f"pikomino/egmont{options}").tables
    states, totals = tables.mask.size, tables.number.shape[1]
    random = np.random.default_rng(4)
    stop = random.random((totals, LANES))
    stop[random.random((totals, LANES)) < 0.3] = NOTHING
    stop[: totals // 2, ::2] = NOTHING
    stop[:, 5] = NOTHING
    bust = random.random(LANES)
    upper, worth = np.zeros((totals, LANES)), np.zeros((states + 1, LANES))
    rows, sums = np.zeros((FACES, 9), np.int64), np.zeros(LANES)
    solve_turns(tables, stop, bust, upper, worth, rows, sums)
    every = np.ones(states, np.bool_)
    for lane in range(LANES):
        alone, rolling = np.zeros(states), np.zeros(states)
        solve_turn(tables, stop[:, lane].copy(), bust[lane], alone, rolling, True, every)
        assert np.abs(alone - worth[:states, lane]).max() < 1e-14
