"""Rules of thumb for Pikomino: which counts, what it saves, and plans judged as elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.plan_costs import (
    BEST,
    COLUMNS,
    PLAN,
    SEAT,
    judge_games,
)
from lama_odds.games.pikomino.engine.shifted_plans import COSTS, LEAD, TILES_LEFT, TOP
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies.catalogue import play_tables, policy_rows
from lama_odds.games.pikomino.policies.learned import learned
from tests.games.cases import product_rules
from tools.fit.thumb_rules import (
    FOR_LEAD,
    PLAIN,
    PLANS,
    SHIFTS,
    Rule,
    choose_rules,
    costs_with,
    places,
    turns_for_worms,
)
from tools.publishing.pikomino_risk import risk_map, rules_of_thumb

BEHIND = Rule(lead=(-99, -1), tiles=(1, 1), plan=FOR_LEAD)
NOTHING = Rule(top=(-1, -1), plan=SHIFTS.index(0.5))


def turns() -> np.ndarray:
    """Four turns: behind with one tile left, the same without a tile, without a tile, others."""
    found = np.zeros((4, COSTS + PLANS))
    found[:, LEAD] = (-3, -3, 2, 0)
    found[:, TILES_LEFT] = (1, 1, 9, 9)
    found[:, TOP] = (5, -1, -1, 5)
    found[:, COSTS:] = 0.04
    found[:2, COSTS + FOR_LEAD] = 0.0
    found[1:3, COSTS + SHIFTS.index(0.5)] = 0.01
    return found


def test_the_first_rule_that_fits_counts() -> None:
    assert list(places(turns(), [BEHIND, NOTHING])) == [0, 0, 1, -1]
    assert list(costs_with(turns(), [BEHIND, NOTHING])) == [0.0, 0.0, 0.01, 0.04]
    assert list(costs_with(turns(), [NOTHING, BEHIND])) == [0.0, 0.01, 0.01, 0.04]
    assert list(costs_with(turns(), [])) == [0.04] * 4


def test_what_saves_most_is_chosen_first() -> None:
    assert choose_rules(turns(), 2, [NOTHING, BEHIND]) == [BEHIND, NOTHING]


def test_rules_are_told_with_what_they_save() -> None:
    told = "\n".join(rules_of_thumb(turns(), [BEHIND, NOTHING], 10, 2))
    assert "1. **If you are behind and one tile is left in the centre: play for being in" in told
    assert "2. **If you have no tile to lose: play as if a bust cost 0.5 worm less" in told
    assert "It fits 50 % of the turns and saves 4.00" in told
    assert "so 2.50 are left" in told


@pytest.mark.long
def test_plans_for_worms_cost_what_the_other_judge_says() -> None:
    games = 3
    found = turns_for_worms(games, 4)
    rules, tables = product_rules("pikomino/egmont"), None
    tables = play_tables(rules, learned())
    for seat in range(2):
        names = ["learned", "learned"]
        names[seat] = "optimal-turn"
        rows, results = np.zeros((games * 120, COLUMNS)), np.zeros((games, 4))
        policies = policy_rows([GAME.policy(name) for name in names])
        filled = judge_games(rules.columns, policies, tables, 4, 0, games, rows, results)
        theirs = rows[:filled][rows[:filled, SEAT] == seat]
        here = found[found[:, 0] // games == seat]
        assert here[:, COSTS + PLAIN] == pytest.approx(theirs[:, BEST] - theirs[:, PLAN], abs=1e-9)
        # A shift of the bust changes something, and nothing is better than the best plan.
        assert here[:, COSTS:].min() > -1e-9
        assert np.abs(here[:, COSTS] - here[:, COSTS + PLAIN]).max() > 0.001
        assert risk_map(theirs).limit > 0
