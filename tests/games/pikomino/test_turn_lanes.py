"""A turn on many boards at once is worth what it is worth on each by itself."""

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.turn_lanes import LANES, lane_scratch, solve_turns
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.rules.ruleset import parse_rules


@pytest.mark.parametrize("options", ["", "+dice=3+low=6+tiles=8", "+dice=1+low=5+tiles=8"])
def test_every_lane_is_the_turn_of_its_board(options):
    tables = parse_rules(f"pikomino/egmont{options}").tables
    states, totals = tables.mask.size, tables.number.shape[1]
    random = np.random.default_rng(4)
    stop = random.random((totals, LANES))
    stop[random.random((totals, LANES)) < 0.3] = NOTHING
    stop[: totals // 2, ::2] = NOTHING
    stop[:, 5] = stop[0] = NOTHING
    bust = random.random(LANES)
    worth, rolling = np.zeros((states + 1, LANES)), np.zeros((states, LANES))
    solve_turns(tables, stop, bust, worth, rolling, lane_scratch(tables))
    every = np.ones(states, np.bool_)
    for lane in range(LANES):
        alone, again = np.zeros(states), np.zeros(states)
        solve_turn(tables, stop[:, lane].copy(), bust[lane], alone, again, True, every)
        assert np.array_equal(alone, worth[:states, lane])
        assert np.array_equal(again, rolling[:, lane])
