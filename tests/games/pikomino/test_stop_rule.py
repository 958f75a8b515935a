"""The rule for stopping: its cost against plain Python, and what is said of it."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers.exact import solve_position
from lama_odds.games.pikomino.solvers.stop_rule import StopRule, stop_rule
from tests.cli.calls import inside

RULES = "pikomino/egmont+dice=3+low=6+tiles=8"


def plain_worth(text, totals):
    """A first turn by the rule, every roll one by one, the best face kept for it."""
    rules = parse_rules(text)
    values = rules.face_values

    @cache
    def worth(mask, total, left):
        tile = max((t for t in rules.numbers if t <= total), default=None)
        stops = rules.worms_on(tile) if mask & 32 and tile else None
        if left == 0 or (stops is not None and total >= totals[left]):
            return stops or 0.0
        rolled = 0.0
        for dice in product(range(6), repeat=left):
            kept = [face for face in set(dice) if not mask >> face & 1]
            rolled += max(
                (
                    worth(mask | 1 << face, total + n * values[face], left - n)
                    for face in kept
                    for n in [dice.count(face)]
                ),
                default=0.0,
            )
        return rolled / 6**left

    return worth(0, 0, rules.dice)


def rule_of(text):
    rules = parse_rules(text)
    start = Position(NONE, None, tuple(rules.numbers), ((), ()))
    return stop_rule(rules, solve_position(rules, start))


def test_the_rule_is_the_best_of_its_kind():
    """Of all rules, played out in plain Python."""
    found = rule_of(RULES)
    worth = {totals: plain_worth(RULES, (0, *totals)) for totals in product(range(6, 15), repeat=2)}
    assert found.worth == pytest.approx(worth[found.totals], abs=1e-12)
    assert found.worth == pytest.approx(max(worth.values()), abs=1e-12)
    assert found.costs >= 0


def test_what_is_said():
    said = StopRule((21, 25, 37, 37), 21, 36, 0.07, 1.57).said()
    assert "stop with one die left at any tile; with two dice left at 25 or more." in said
    assert "costs 0.070 worms per turn" in said
    assert "which brings 1.64" in said
    assert "with one or two dice left at 8 or more" in StopRule((8, 8), 6, 13, 0, 1).said()


def test_thresholds_begin_with_it_and_explain_their_words():
    told = inside("thresholds", "pikomino/egmont")
    assert told.out.splitlines()[2].startswith("▶ A rule for stopping while all tiles")
    full = inside("thresholds", "pikomino/egmont", "-v").out
    assert full.splitlines()[1].startswith("A rule for stopping while all tiles")
    for term in ("· stop: ", "· to reach a total: ", "· exactly a total: "):
        assert term in full
    plain = inside("thresholds", "pikomino/egmont", "--json").json
    assert plain["stop_or_roll_rule"].startswith("A rule for stopping")


@pytest.mark.parametrize("options", ["dice=5+low=15", "dice=1+low=5+tiles=8"])
def test_tiles_that_the_dice_cannot_reach_are_no_error(options):
    said = inside("thresholds", f"pikomino/egmont+{options}")
    assert (said.code, said.err) == (0, "")
