"""The rule for stopping: its cost against plain Python, and what is said of it."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers.exact import solve_position
from lama_odds.games.pikomino.solvers.steals import exact_tables
from lama_odds.games.pikomino.solvers.stop_rule import StopRule, stop_rule
from tests.cli.calls import inside

RULES = "pikomino/egmont+dice=3+low=6+tiles=8"


def plain_worth(text, stops_at):
    """A first turn by the rule, every roll one by one, the best face kept for it."""
    rules = parse_rules(text)
    values = rules.face_values

    @cache
    def worth(mask, total, left):
        tile = max((t for t in rules.numbers if t <= total), default=None)
        stops = rules.worms_on(tile) if mask & 32 and tile else None
        if left == 0 or (stops is not None and min(total, 13) in stops_at[left]):
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


@pytest.mark.long
def test_the_rule_is_the_best_of_its_kind():
    """In plain Python: no other total from which to stop is better, and no other single total."""
    found = rule_of(RULES)
    stops = {dice: set(totals) for dice, totals in enumerate(found.stops, 1)}
    assert found.worth == pytest.approx(plain_worth(RULES, stops), abs=1e-12)
    assert found.costs >= 0
    others = [{dice: set(range(low, 14))} for dice in (1, 2) for low in range(6, 15)]
    others += [{dice: stops[dice] ^ {total}} for dice in (1, 2) for total in range(6, 14)]
    assert max(plain_worth(RULES, stops | other) for other in others) <= found.worth + 1e-9


def test_the_rule_is_true_of_the_table():
    """Where every situation says roll, or every one says stop, so does the rule."""
    rules = parse_rules("pikomino/egmont+no_steal")
    table = exact_tables(rules, 2)[0]
    stops = rule_of(rules.id).stops
    met = {(row["total"], row["dice"]) for row in table.rows if row["dice"] <= len(stops)}
    for total, dice in met:
        better = {r["better"] for r in table.rows if (r["total"], r["dice"]) == (total, dice)}
        if len(better) == 1:
            assert better == {"stop" if total in stops[dice - 1] else "roll"}
    assert {28, 30}.isdisjoint(stops[1])


def test_what_is_said():
    tiles = tuple(range(21, 37))
    said = StopRule((tiles, tiles[4:7] + tiles[8:], (), ()), tiles, 0.07, 1.57).said()
    assert "with one die left at any tile; with two dice left at 25 or more but 28." in said
    assert "costs 0.070 worms per turn" in said
    assert "which brings 1.64" in said
    said = StopRule((tiles, (21, 25, 30)), tiles, 0, 1).said()
    assert "with two dice left at 21, 25 or 30." in said
    both = StopRule((tiles[2:], tiles[2:]), tiles, 0, 1).said()
    assert "with one or two dice left at 23 or more" in both


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
