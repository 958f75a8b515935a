"""Points and margin as the product solves them are what plain recursion in fractions gives."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from unittest import mock

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.wording import significant
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.odds import moves
from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers import pair_cache
from lama_odds.games.dice.solvers import solve as product_solve
from lama_odds.games.dice.solvers.last_player import (
    alone_space,
    penalty_ranks,
    solve_alone,
    token_bound,
    tokens_of,
)
from lama_odds.games.dice.solvers.solve import SETS, holds_one_each, solve_one_each
from lama_odds.games.dice.solvers.two_players import (
    pair_situations,
    pair_states,
    roll_margins,
    solve_pair,
)
from tests.games.dice.table import (
    AMIGO,
    EGMONT,
    KINDS,
    NEAR,
    RULES,
    TWENTY,
    UNSAFE,
    counts,
    draw,
    near,
    small,
    values_of,
)
from tests.reference.dice_solver import (
    Best,
    Chain,
    Solver,
    State,
    event_chances,
    next_chances,
    points,
)

THREADS = 2
# Chances of the next roll as they stand beside the action, by their names in the odds.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}


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
    small(AMIGO, "234", "15L", "34L"),
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
TWO = (*CHOSEN_TWO, *(draw(number, False, 6) for number in range(2 * len(RULES))))
ALONE = (*CHOSEN_ALONE, *(draw(number, True, 9) for number in range(2 * len(RULES))))


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


def by_size(position):
    """Fractions take moments for few cards and a short row, and seconds for the rest."""
    cards = len(position.hand) + len(position.row) + sum(map(len, position.others))
    marks = [pytest.mark.long] if len(position.row) * cards > 9 else []
    return pytest.param(position, marks=marks, id=str(position))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("position", [by_size(position) for position in (*TWO, *LARGER_TWO)])
def test_margin_of_two_players(position):
    assert values_of(solved(position, "margin"), "margin") == near(two_by_fractions(position))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("position", ALONE, ids=str)
def test_points_and_margin_of_the_last_player(position):
    solver = reference_of(position)
    expected = solver.alone_actions(position.hand, position.row, position.held[0], position.shown)
    others = [solver.penalty(hand) for hand in position.others]
    less = {name: value - sum(others) / len(others) for name, value in expected.items()}
    for objective in ("points", "margin"):
        found = solved(position, objective)
        assert values_of(found, "points") == near(expected)
        assert values_of(found, "margin") == near(less)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_chances_to_the_end_of_the_round(position):
    for action, valued in solved(position, "margin").items():
        ends, tied = ends_by_fractions(position, action)
        if tied:  # then other play is as good
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


@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_chances_of_the_next_roll(position):
    expected = next_chances(
        position.rules, position.hand, position.row, position.quit, position.shown
    )
    found = {name: chance.value for name, chance in GAME.odds(*position.read()).items()}
    assert found == near(expected, 1e-12)


@pytest.mark.one_in(4)
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
CUTS = [(300, (39, 39)), (300, (9, 23)), (600, (1, 39)), (600, (13, 12)), (2_000, (39, 39)),
        (2_000, (9, 23)), (4_000, (1, 39)), (4_000, (39, 39))]  # fmt: skip


@pytest.mark.long
@pytest.mark.one_in(8)
@pytest.mark.parametrize(("most", "scores"), CUTS)
@pytest.mark.parametrize("action", ["roll", "quit"])
def test_tokens_cut_off_move_a_value_by_no_more_than_stated(monkeypatch, action, most, scores):
    position = replace(CUT, scores=scores)
    expected = float(two_by_fractions(position)[action])
    value = cut_to(monkeypatch, most, position)[action].values["margin"]
    assert value.low - NEAR <= expected <= value.high + NEAR
    assert value.high - value.value == pytest.approx(value.value - value.low)
    if action == "roll":
        named = GAME.solve(*position.read(), "margin", THREADS).assumptions
        assert any(significant(value.high - value.value) in line for line in named)


@pytest.mark.parametrize("most", [400, 1_500])
def test_the_tokens_followed_are_those_with_the_lowest_bound(monkeypatch, most):
    """Each roll but three llamas discards a card, or takes one, which can be discarded later."""
    position = replace(CUT, scores=(39, 13))
    value = cut_to(monkeypatch, most, position)["roll"].values["margin"]
    rules, read = position.read()
    rolls = len("25L") + len("1L") + 2 * len("3L")
    places = pair_situations(read.hand, read.opponents[0].cards, read.row)
    cuts = [[tokens_of(rules, score, n) for n in range(1, 30)] for score in position.scores]
    bounds = [
        token_bound(rules, mine, rolls) + token_bound(rules, other, rolls)
        for mine in cuts[0]
        for other in cuts[1]
        if places * len(mine.values) * len(other.values) <= most
    ]
    assert value.high - value.value == pytest.approx(min(bounds))
    assert min(bounds) > 0


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


def test_where_quitting_and_rolling_are_worth_the_same_one_quits():
    ties = 0
    for text in ("dice/amigo", "dice/amigo+llama_points=7"):
        rules = parse_rules(text)
        _, ranks = penalty_ranks(rules)
        for score in (0, 3, 12):
            space = alone_space((1,) * 7, 127)
            solution = solve_alone(rules, space, tokens_of(rules, score))
            places = np.arange(space.places)
            masks = np.zeros(space.places, dtype=np.int64)
            for kind in range(7):
                digits = places // int(space.strides[kind]) % int(space.sizes[kind])
                masks |= (digits % 2) << kind
            penalties = np.array(rules.penalties)[masks][:, None]
            tie = (np.abs(solution.worth - penalties) < 1e-10) & (masks > 0)[:, None]
            quits = np.take_along_axis(solution.ends, ranks[masks][:, None, None], axis=2)[..., 0]
            assert np.all(solution.worth[tie] == np.broadcast_to(penalties, tie.shape)[tie])
            assert np.all(quits[tie] == 1.0)
            ties += int(tie.sum())
    assert ties > 1_000


# --- Rounds of two looked up in the solution of their first position -------------------------

AMIGO_RULES = parse_rules("dice/amigo")
ROW = 0b1000011  # 1, 2 and the llama


def mask_of(cards):
    return sum(1 << KINDS.index(card) for card in cards)


def pair(mine, other, row, scores, look_up):
    hands = counts(mine), counts(other)
    tokens = tuple(tokens_of(AMIGO_RULES, score) for score in scores)
    if look_up:
        return pair_cache.find(AMIGO_RULES, *hands, row, tokens, 1, None).solution()
    return solve_pair(AMIGO_RULES, *hands, row, tokens, 1)


@pytest.mark.parametrize(
    ("mine", "other", "row", "scores"),
    [
        ("13L", "14", ROW, (12, 3)),  # the same
        ("3L", "14", ROW, (12, 3)),
        ("13L", "124", 0b1000001, (2, 3)),  # a card taken, a token returned
        ("14", "13L", ROW, (3, 12)),  # the other's turn
        ("4", "123L", 0b1000001, (2, 2)),
    ],
)
def test_later_positions_are_looked_up(mine, other, row, scores):
    pair_cache.forget()
    pair("13L", "14", ROW, (12, 3), True)
    with mock.patch.object(pair_cache, "solve_pair", side_effect=solve_pair) as again:
        found = pair(mine, other, row, scores, True)
    assert again.call_count == 0
    expected = pair(mine, other, row, scores, False)
    assert found.states == expected.states
    if other.startswith("14") or (mine, other) == ("13L", "124"):
        assert np.array_equal(found.passed, expected.passed)
    # With the players changed what three llamas tie together is rounded the other way.
    assert np.allclose(found.passed, expected.passed, rtol=0, atol=1e-12)
    assert found.root == expected.root
    pair_cache.forget()


def test_what_a_solution_has_not_is_solved():
    pair_cache.forget()
    kept = pair("13", "14", ROW, (0, 0), True)
    tokens = tuple(tokens_of(AMIGO_RULES, score) for score in (0, 0))
    more = tuple(tokens_of(AMIGO_RULES, score) for score in (5, 0))
    states = pair_states(counts("133"), counts("14"), ROW)
    assert pair_cache.looked_up(kept, states, tokens) is None
    assert pair_cache.looked_up(kept, kept.states, more) is None
    assert pair_cache.looked_up(kept, kept.states, tokens) is not None
    other = pair("133", "14", ROW, (0, 0), True)
    assert np.array_equal(other.passed, pair("133", "14", ROW, (0, 0), False).passed)
    pair_cache.forget()


@pytest.mark.long
def test_threads_that_ask_different_things_get_their_own_answers():
    """Solutions of several rule sets and of both payoffs replace each other all the time."""
    asked = [
        ("dice/amigo", "hand=12 row=123L opp=3L", "margin"),
        ("dice/egmont", "hand=12 row=123L opp=3L", "margin"),
        ("dice/amigo", "hand=12 row=123L opp=3L scores=12,3", "win"),
        ("dice/egmont", "hand=1L row=12L opp=12 scores=3,12", "win"),
        ("dice/amigo", "hand=1L row=12L opp=12 scores=20,20", "win"),
    ]

    def values(question):
        rules, position, objective = question
        found = lo.advise(rules, position, objective=objective, games=1_000, threads=1)
        return [action.value.value for action in found.actions]

    alone = [values(question) for question in asked]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(values, asked)) == alone


# --- One card of each kind: all situations solved at once ------------------------------------


@pytest.fixture(scope="module")
def one_each():
    return solve_one_each(AMIGO_RULES, THREADS)


@pytest.mark.long
@pytest.mark.parametrize(
    ("mine", "other", "row"),
    [
        ("1", "3", "123456L"), ("25", "L", "123456L"), ("46L", "136", "1346L"),
        ("12", "45L", "6"), ("3", "2", "L"), ("5", "14", "12"),
    ],
)  # fmt: skip
def test_quitting_saves_what_the_solver_says(one_each, mine, other, row):
    values = values_of(solved(small(AMIGO, mine, row, other), "margin"), "margin")
    found = one_each.gain[mask_of(row), mask_of(other), mask_of(mine)]
    assert found == pytest.approx(values["roll"] - values["quit"], abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("mine", "rolled"), [("13L", "13L"), ("46", "2LL")])
def test_moves_are_worth_what_the_solver_says(one_each, mine, rolled):
    position = small(AMIGO, mine, "123456L", "25", shown=rolled)
    rules, read = position.read()
    values = values_of(solved(position, "margin"), "margin")
    assert len(values) > 1
    for name, (hand, row) in moves(rules, read, read.rolled):
        held = sum(1 << kind for kind, cards in enumerate(hand) if cards)
        value = one_each.moved[row, mask_of("25"), held]
        assert value == pytest.approx(values[name], abs=1e-9)


@pytest.mark.long
def test_nothing_is_decided_when_the_round_is_over(one_each):
    over = np.isnan(one_each.gain)
    assert over[0].all()
    assert over[:, 0].all()
    assert over[:, :, 0].all()
    assert not over[1:, 1:, 1:].any()
    assert one_each.gain.shape == (SETS,) * 3


def test_cards_must_suffice_for_one_of_each_kind():
    assert FULL_ROW == SETS - 1
    assert holds_one_each(AMIGO_RULES)
    assert not holds_one_each(parse_rules("dice/amigo+copies=2"))


def test_an_empty_row_goes_on_in_egmont():
    rules = parse_rules("dice/egmont")
    solution = solve_pair(rules, counts("1"), counts("2"), 0, (tokens_of(rules, None),) * 2, 1)
    assert not np.isnan(roll_margins(rules, solution, 1)[solution.root]).any()


def test_rolls_count_the_tokens_that_three_llamas_return():
    position = small(AMIGO, "25", "1346L", "13LL", scores=(12, 3))
    want = values_of(solved(position, "margin"), "margin")["roll"]
    tokens = tokens_of(AMIGO_RULES, 12), tokens_of(AMIGO_RULES, 3)
    row = mask_of("1346L")
    solution = solve_pair(AMIGO_RULES, counts("25"), counts("13LL"), row, tokens, 1)
    found = [roll_margins(AMIGO_RULES, solution, threads)[solution.root] for threads in (1, 2)]
    assert found[0][0] == pytest.approx(want, abs=1e-9)
    assert found[0].tobytes() == found[1].tobytes()
