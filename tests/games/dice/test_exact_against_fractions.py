"""What the product solves is what plain recursion in fractions gives, action by action."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import takewhile

import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.solvers import solve as product_solve
from lama_odds.games.dice.solvers.tokens import tokens_of
from tests.games.dice.small_positions import RULES, Small, draw
from tests.reference.dice_chain import Best, Chain, State, event_chances, points
from tests.reference.dice_solver import Solver, next_chances

THREADS = 2
NEAR = 1e-9
# Chances of the next roll as they stand beside the action, by their names in the odds.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}


def small(rules, hand, row, *others, alone=False, **more):
    edition, options = rules
    return Small(edition, tuple(options.items()), hand, row, others, alone, **more)


AMIGO, EGMONT, TWENTY = ("amigo", {}), ("egmont", {}), ("amigo", {"twenty": True})
UNSAFE = ("egmont", {"llama_safe_alone": False})

CHOSEN_TWO = (
    small(AMIGO, "25", "3L", "1"),
    small(TWENTY, "25", "3L", "1", scores=(3, 9)),
    small(AMIGO, "L", "1", "L"),
    small(AMIGO, "6L", "5", "LL", scores=(1, 0)),
    small(AMIGO, "6L", "5", "LL", scores=(0, 1)),
    small(TWENTY, "46L", "1L", "3L", scores=(39, 23)),
    small(TWENTY, "46", "2L", "3L", scores=(23, 39), shown="46L"),
    small(AMIGO, "35", "2L", "5LL", scores=(10, 9)),
    small(EGMONT, "35", "", "14L", scores=(9, 10)),
    small(EGMONT, "35", "6", "14L"),
    small(UNSAFE, "6", "L", "5"),
    small(UNSAFE, "66", "1L", "35", scores=(9, 1)),
    small(AMIGO, "56", "12L", "3", shown="12L"),
    small(AMIGO, "55L", "13", "122", shown="55L"),
)
# Too large for the chances to the end of the round.
LARGER_TWO = (
    small(AMIGO, "2346", "15L", "346L"),
    small(EGMONT, "2266", "1L", "56LL"),
)
CHOSEN_ALONE = (
    small(AMIGO, "25", "3L", "1", alone=True),
    small(AMIGO, "1", "123456L", "6L", alone=True, scores=(0, 39)),
    small(AMIGO, "6LL", "12", "1", "2L", alone=True, scores=(23, 1, 0)),
    small(TWENTY, "56LL", "123", "345", alone=True, scores=(39, 9)),
    small(UNSAFE, "56", "1L", "3", alone=True, scores=(39, 9)),
    small(UNSAFE, "56L", "1L", "3", alone=True),
    small(UNSAFE, "12", "", "3", alone=True, scores=(10, 10)),
    small(AMIGO, "122345L", "1346L", "16", alone=True, scores=(12, 0)),
    small(AMIGO, "33556L", "12L", "1", "5", "16", alone=True, shown="356"),
)
TWO = (*CHOSEN_TWO, *(draw(number, False, 6) for number in range(3 * len(RULES))))
ALONE = (*CHOSEN_ALONE, *(draw(number, True, 9) for number in range(3 * len(RULES))))


@cache
def solver_of(edition, options):
    return Solver(small((edition, dict(options)), "1", "1").rules)


def reference_of(position):
    return solver_of(position.edition, position.options)


@cache
def solved(position, objective):
    rules, read = position.read()
    actions = GAME.solve(rules, read, objective, THREADS).actions
    found = {valued.action: valued for valued in actions}
    assert len(found) == len(actions)
    return found


def values_of(found, objective):
    return {name: valued.values[objective].value for name, valued in found.items()}


def near(expected, within=NEAR):
    floats = {name: float(value) for name, value in expected.items()}
    return pytest.approx(floats, abs=within, rel=0)


def two_by_fractions(position):
    """Value of every action against one other, both without and with tokens."""
    (other,), (mine, others) = position.others, position.held
    return reference_of(position).pair_actions(
        position.hand, other, position.row, mine, others, position.shown
    )


@cache
def ends_by_fractions(position, action):
    """Chances of the ends after an action, all playing best, and whether a tie left a choice."""
    solver = reference_of(position)
    best = Best(solver)
    seats = len(position.held)
    waiting = (0,) if position.quit else tuple(range(seats))
    state = State((position.hand, *position.others), position.row, waiting, position.held)
    return Chain(solver, [best] * seats).after(state, action, position.shown), best.tied


@pytest.mark.long
@pytest.mark.parametrize("position", [*TWO, *LARGER_TWO], ids=str)
def test_margin_of_two_players(position):
    assert values_of(solved(position, "margin"), "margin") == near(two_by_fractions(position))


@pytest.mark.parametrize("position", ALONE, ids=str)
@pytest.mark.parametrize("objective", ["points", "margin"])
def test_points_and_margin_of_the_last_player(position, objective):
    solver = reference_of(position)
    expected = solver.alone_actions(position.hand, position.row, position.held[0], position.shown)
    others = [solver.penalty(hand) for hand in position.others]
    less = {name: value - sum(others) / len(others) for name, value in expected.items()}
    found = solved(position, objective)
    assert values_of(found, "points") == near(expected)
    assert values_of(found, "margin") == near(less)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_chances_to_the_end_of_the_round(position):
    for action, valued in solved(position, "margin").items():
        ends, tied = ends_by_fractions(position, action)
        if tied:
            continue
        expected = event_chances(ends)
        if position.quit:
            del expected["other out"], expected["other blown"]
        chances = {
            name: chance.value
            for name, chance in valued.chances.items()
            if name not in NEXT.values()
        }
        assert chances == near(expected), action
        expected_points = float(points(ends, 0, position.held))
        assert valued.values["points"].value == pytest.approx(expected_points, abs=NEAR)


@pytest.mark.long
def test_few_positions_are_left_out_of_the_chances_for_a_tie():
    tied = Counter(
        ends_by_fractions(position, action)[1]
        for position in (*TWO, *ALONE)
        for action in solved(position, "margin")
    )
    assert tied[True] < tied[False] / 10


@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_chances_of_the_next_roll(position):
    expected = next_chances(
        position.rules, position.hand, position.row, position.quit, position.shown
    )
    found = {name: chance.value for name, chance in GAME.odds(*position.read()).items()}
    assert found == near(expected, 1e-12)


@pytest.mark.parametrize("position", [*CHOSEN_TWO, *CHOSEN_ALONE], ids=str)
def test_chances_of_the_next_roll_beside_the_action_roll(position):
    expected = next_chances(position.rules, position.hand, position.row, position.quit)
    for action, valued in solved(position, "margin").items():
        found = {
            name: chance.value for name, chance in valued.chances.items() if name in NEXT.values()
        }
        beside = {NEXT[name]: expected[name] for name in NEXT} if action == "roll" else {}
        assert found == near(beside, 1e-12)


def cut_to(monkeypatch, most, position):
    """Solve with so few situations allowed that tokens are cut off."""
    monkeypatch.setattr(product_solve, "MOST_STATES", most)
    return solved.__wrapped__(position, "margin")


CUT = small(AMIGO, "25L", "3L", "1L")
CUTS = [
    pytest.param(most, scores, id=f"{most}-{scores[0]},{scores[1]}")
    for most in (300, 600, 2_000, 4_000)
    for scores in ((39, 39), (9, 23), (1, 39), (13, 12))
]


@pytest.mark.long
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("most", "scores"), CUTS)
@pytest.mark.parametrize("action", ["roll", "quit"])
def test_tokens_cut_off_move_a_value_by_no_more_than_stated(monkeypatch, action, most, scores):
    position = replace(CUT, scores=scores)
    expected = float(two_by_fractions(position)[action])
    value = cut_to(monkeypatch, most, position)[action].values["margin"]
    assert value.low - NEAR <= expected <= value.high + NEAR


@pytest.mark.parametrize(("most", "scores"), CUTS)
def test_tokens_cut_off_are_named_with_their_bound(monkeypatch, most, scores):
    position = replace(CUT, scores=scores)
    value = cut_to(monkeypatch, most, position)["roll"].values["margin"]
    assert value.high - value.value == pytest.approx(value.value - value.low)
    rules, read = position.read()
    named = GAME.solve(rules, read, "margin", THREADS).assumptions
    assert any(f"{value.high - value.value:.2g}" in line for line in named)


def test_nothing_is_cut_off_where_there_is_room():
    values = [v.values["margin"] for v in solved(replace(CUT, scores=(39, 39)), "margin").values()]
    assert [value.high - value.low for value in values] == [0, 0]


def test_the_last_player_has_all_tokens_counted_even_a_thousand():
    position = small(
        ("amigo", {"target": 1000, "black": 1000}), "5L", "6", "4", alone=True, scores=(999, 0)
    )
    reference = reference_of(position)
    for score in range(999):
        reference.alone("5L", "6", score)  # from below, or the recursion is too deep
    expected = reference.alone_actions("5L", "6", 999)
    assert values_of(solved(position, "points"), "points") == near(expected)


@pytest.mark.parametrize("score", [0, 1, 9, 10, 13, 23, 38, 39])
@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 30])
@pytest.mark.parametrize("twenty", [False, True])
def test_tokens_as_the_solvers_see_them(score, most, twenty):
    position = small(TWENTY if twenty else AMIGO, "1", "1", "1")
    reference, returned = reference_of(position), []
    while not returned or returned[-1]:
        returned.append(reference.token(score - sum(returned)))
    tokens = tokens_of(position.read()[0], score, most)
    values = tokens.values.tolist()
    assert values == returned[:most]
    assert tokens.exact == (values == returned)
    if not tokens.exact:
        again = takewhile(lambda token: token == values[-1], returned[most:])
        assert tokens.spare == len(list(again))
