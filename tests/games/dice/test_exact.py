"""What the product solves is what plain recursion in fractions gives, and no wider than it says."""

import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from unittest import mock

import numpy as np
import pytest

from lama_odds.core.wording import significant
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.odds import moves
from lama_odds.games.dice.rules.ruleset import parse_rules, table_error
from lama_odds.games.dice.solvers import last_player_solve, pair_cache
from lama_odds.games.dice.solvers import solve as product_solve
from lama_odds.games.dice.solvers.choices import pair_discards, pair_takes
from lama_odds.games.dice.solvers.last_player import (
    alone_space,
    penalty_ranks,
    solve_alone,
    token_bound,
    tokens_of,
)
from lama_odds.games.dice.solvers.solve import SETS, OneEach, holds_one_each, solve_one_each
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import MatchEquity, starting_scores
from tests.games.dice.table import (
    AMIGO,
    EGMONT,
    KINDS,
    RULES,
    TWENTY,
    UNSAFE,
    draw,
    near,
    small,
    table_of,
)
from tests.reference import dice as twin
from tests.reference.dice_solver import (
    Alone,
    Best,
    Chain,
    Dice,
    Pair,
    State,
    choices_of,
    event_chances,
    next_chances,
    points,
    shared,
)

THREADS = 2
# Chances of the next roll beside the action `roll`, by their names in the odds.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}
TWO = (
    small(TWENTY, "25", "3L", "1", scores=(3, 9)),
    small(AMIGO, "6L", "1", "L"),
    small(AMIGO, "1", "5", "1", scores=(0, 1)),
    small(TWENTY, "46", "2L", "3L", scores=(23, 39), shown="46L"),
    small(AMIGO, "35", "2L", "5LL", scores=(10, 9)),
    small(EGMONT, "35", "", "14L", scores=(9, 10)),
    small(UNSAFE, "66", "1L", "35", scores=(9, 1)),
    small(AMIGO, "56", "12L", "3", shown="12L"),
    small(AMIGO, "55L", "13", "122", shown="55L"),
    *(draw(number, False, 6) for number in range(len(RULES))),
)
LARGER = small(EGMONT, "2266", "1L", "56LL")  # too large for chances to the end of the round
ALONE = (
    small(AMIGO, "1", "123456L", "6L", alone=True, scores=(0, 39)),
    small(AMIGO, "6LL", "12", "1", "2L", alone=True, scores=(23, 1, 0)),
    small(UNSAFE, "56", "1L", "3", alone=True, scores=(39, 9)),
    small(UNSAFE, "56L", "1L", "3", alone=True),
    small(UNSAFE, "12", "", "3", alone=True, scores=(10, 10)),
    small(AMIGO, "122345L", "1346L", "16", alone=True, scores=(12, 0)),
    small(AMIGO, "33556L", "12L", "1", "5", "16", alone=True, shown="356"),
    *(draw(number, True, 9) for number in range(len(RULES))),
)


@pytest.fixture(autouse=True)
def _nothing_kept():
    pair_cache.forget()
    yield
    pair_cache.forget()


@cache
def table_for(rules_id):
    """Any chances will do; these are not even larger with fewer points."""
    return table_of(GAME.rules(rules_id).target, len(rules_id))


def solved(position, objective, table=None):
    """Give the actions by name; for the chance to win with any table if none is given."""
    if objective == "win" and table is None:
        table = table_for(position.rules_id)
    found = GAME.solve(*position.read(), objective, THREADS, None, table)
    return {valued.action: valued for valued in found.actions}


def values_of(found, objective):
    return {name: valued.values[objective].value for name, valued in found.items()}


@cache
def dice_of(edition, options):
    return Dice(small((edition, dict(options)), "1", "1").rules)


@cache
def pair_of(edition, options, objective):
    dice = dice_of(edition, options)
    if objective == "margin":
        return Pair(dice)
    values = table_for(small((edition, dict(options)), "1", "1").rules_id).values

    def chance(own, other):
        if max(own, other) >= dice.rules.target:
            return shared(own, [other])
        return Fraction(float(values[own, other]))

    return Pair(dice, chance, whole=1)


def by_fractions(position, objective):
    """Value of every action, as the product counts it."""
    of_points = objective.replace("points", "margin")
    pair = pair_of(position.edition, position.options, of_points)
    own, *others = position.held
    if not position.quit:
        situation = position.hand, position.others[0], position.row, own, others[0]
        found, less = pair.actions(*situation, position.shown), own - others[0]
    else:
        less = own
        if objective == "margin":
            less += sum(map(pair.dice.penalty, position.others)) / len(others)
        found = alone_for(position, objective).actions(
            position.hand, position.row, own, position.shown
        )
    return found if objective == "win" else {name: -found[name] - less for name in found}


def alone_for(position, objective):
    """Give the best play of the last player for what counts."""
    dice = dice_of(position.edition, position.options)
    finals = [
        score + dice.penalty(hand)
        for score, hand in zip(position.held[1:], position.others, strict=True)
    ]
    if objective != "win":
        return Alone(dice)
    if max(finals) >= dice.rules.target:
        return Alone(dice, lambda own: shared(own, finals))
    return pair_of(position.edition, position.options, objective).alone(finals[0])


def by_size(position):
    """Fractions take moments for few cards and a short row, and seconds for the rest."""
    cards = len(position.hand) + len(position.row) + sum(map(len, position.others))
    marks = [pytest.mark.long] if len(position.row) * cards > 9 else []
    return pytest.param(position, marks=marks, id=str(position))


# --- Values ----------------------------------------------------------------------------------


@pytest.mark.one_in(5)
@pytest.mark.parametrize("position", [by_size(each) for each in (*TWO, LARGER)])
def test_every_action_of_two_players(position):
    for objective in ("margin", "win") if position.scores else ("margin",):
        found = solved(position, objective)
        assert values_of(found, objective) == near(by_fractions(position, objective))
        assert all(valued.values[objective].stderr == 0 for valued in found.values())


@pytest.mark.parametrize("position", ALONE, ids=str)
def test_every_action_of_the_last_player(position):
    for objective in ("points", "margin"):
        found = solved(position, objective)
        for told in ("points", "margin"):
            assert values_of(found, told) == near(by_fractions(position, told))
    if position.scores and len(position.others) == 1:
        assert values_of(solved(position, "win"), "win") == near(by_fractions(position, "win"))


def over(number):
    """A position of the last player whose round ends the game, whatever that player does."""
    luck = random.Random(number)
    while True:
        found = draw(luck.randrange(10_000), True, 8)
        rules = dice_of(found.edition, found.options)
        scores = tuple(luck.randrange(rules.rules.target) for _ in range(1 + len(found.others)))
        ends = zip(scores[1:], map(rules.penalty, found.others), strict=True)
        if max(map(sum, ends)) >= rules.rules.target:
            return replace(found, scores=scores)


ENDED = (
    small(AMIGO, "25", "3L", "1", alone=True, scores=(33, 39)),  # quitting leaves 40 all
    # The lowest score of three is 31; so it is counted by hand that quitting wins a third.
    small(AMIGO, "236", "345", "1", "6", "35", alone=True, scores=(20, 30, 25, 35)),
    *(over(number) for number in range(6)),
)


@pytest.mark.parametrize("position", ENDED, ids=str)
def test_the_last_player_where_the_game_ends_with_the_round(position):
    actions = GAME.solve(*position.read(), "win", THREADS, None, None).actions
    found = {valued.action: valued for valued in actions}
    assert values_of(found, "win") == near(by_fractions(position, "win"))


def test_where_quitting_and_rolling_are_worth_the_same_one_quits():
    rules = parse_rules("dice/amigo+llama_points=7")
    _, ranks = penalty_ranks(rules)
    space = alone_space((1,) * 7, 127)
    solution = solve_alone(rules, space, tokens_of(rules, 3))
    places = np.arange(space.places)[:, None]
    held = places // space.strides % space.sizes % 2
    masks = (held << np.arange(7)).sum(axis=1)
    penalties = np.array(rules.penalties)[masks][:, None]
    tie = (np.abs(solution.worth - penalties) < 1e-10) & (masks > 0)[:, None]
    quits = np.take_along_axis(solution.ends, ranks[masks][:, None, None], axis=2)[..., 0]
    assert (solution.worth[tie] == np.broadcast_to(penalties, tie.shape)[tie]).all()
    assert (quits[tie] == 1).all()
    assert tie.sum() > 100


# --- Chances ---------------------------------------------------------------------------------


@cache
def ends_by_fractions(position, objective, action):
    """Chances of the ends after an action, all playing best, and whether a tie left a choice."""
    dice = dice_of(position.edition, position.options)
    best = Best(dice)
    if position.quit:
        best.alone = alone_for(position, objective)
    seats = len(position.held)
    waiting = (0,) if position.quit else tuple(range(seats))
    state = State((position.hand, *position.others), position.row, waiting, position.held)
    return Chain(dice, [best] * seats).after(state, action, position.shown), best.tied


TO_WIN = (
    small(AMIGO, "LL", "L", "1", alone=True, scores=(39, 39)),  # only three llamas keep one in
    *(position for position in ALONE if position.scores and len(position.others) == 1),
)
PLAYED = [(position, "win") for position in TO_WIN]
PLAYED += [(position, "margin") for position in (*TWO, *ALONE)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("position", "objective"), PLAYED, ids=str)
def test_chances_to_the_end_of_the_round(position, objective):
    following = next_chances(position.rules, position.hand, position.row, position.quit)
    for action, valued in solved(position, objective).items():
        ends, tied = ends_by_fractions(position, objective, action)
        found = {name: chance.value for name, chance in valued.chances.items()}
        beside = {NEXT[name]: following[name] for name in NEXT} if action == "roll" else {}
        first = {name: found.pop(name) for name in NEXT.values() if name in found}
        assert first == near(beside, 1e-12)
        if tied:  # then other play is as good
            continue
        expected = event_chances(ends)
        if position.quit:
            del expected["other out"], expected["other blown"]
        assert found == near(expected), action
        mean = float(points(ends, 0, position.held))
        assert valued.values["points"].value == pytest.approx(mean, abs=1e-9)


def test_of_equally_good_discards_the_one_with_most_cards_goes():
    """Either card alone would do, but who rolls both goes out at once, and nothing is worse."""
    position = small(AMIGO, "25", "3L", "1", alone=True, scores=(33, 39))
    rolling = solved(position, "win")["roll"].chances
    assert rolling["out"].value == pytest.approx(
        next_chances(position.rules, position.hand, position.row, position.quit)["out"], abs=1e-12
    )


@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_chances_of_the_next_roll(position):
    expected = next_chances(
        position.rules, position.hand, position.row, position.quit, position.shown
    )
    found = {name: chance.value for name, chance in GAME.odds(*position.read()).items()}
    assert found == near(expected, 1e-12)


# --- Tokens that are cut, and the error of the table -----------------------------------------

CUT = small(AMIGO, "25L", "3L", "1L", scores=(39, 13))


@pytest.mark.long
@pytest.mark.parametrize(("most", "scores"), [(300, (39, 39)), (600, (13, 12)), (2_000, (9, 23))])
def test_tokens_cut_off_move_a_margin_by_no_more_than_stated(monkeypatch, most, scores):
    monkeypatch.setattr(product_solve, "MOST_STATES", most)
    position = replace(CUT, scores=scores)
    found = GAME.solve(*position.read(), "margin", THREADS)
    for valued in found.actions:
        value, expected = valued.values["margin"], by_fractions(position, "margin")[valued.action]
        assert value.low - 1e-9 <= float(expected) <= value.high + 1e-9
        if valued.action == "roll":
            told = significant(value.high - value.value)
            assert any(told in line for line in found.assumptions)


def test_the_tokens_followed_are_those_with_the_lowest_bound(monkeypatch):
    """Each roll but three llamas discards a card, or takes one, which can be discarded later."""
    whole = solved(CUT, "margin")["roll"].values["margin"]
    assert whole.high == whole.low
    pair_cache.forget()
    monkeypatch.setattr(product_solve, "MOST_STATES", 400)
    value = solved(CUT, "margin")["roll"].values["margin"]
    rules, read = CUT.read()
    rolls = len("25L") + len("1L") + 2 * len("3L")
    places = pair_situations(read.hand, read.opponents[0].cards, read.row)
    cuts = [[tokens_of(rules, score, n) for n in range(1, 30)] for score in CUT.scores]
    bounds = [
        token_bound(rules, mine, rolls) + token_bound(rules, other, rolls)
        for mine in cuts[0]
        for other in cuts[1]
        if places * len(mine.values) * len(other.values) <= 400
    ]
    assert value.high - value.value == pytest.approx(min(bounds))
    assert min(bounds) > 0


@pytest.mark.long
@pytest.mark.parametrize("tolerated", [0.3, 0.03])
def test_tokens_cut_move_a_chance_to_win_by_no_more_than_stated(monkeypatch, tolerated):
    monkeypatch.setattr(last_player_solve, "EASY", 0)
    monkeypatch.setattr(last_player_solve, "TOLERATED", tolerated)
    monkeypatch.setattr(product_solve, "TOLERATED", tolerated)
    position, table = replace(CUT, scores=(9, 13)), table_for(CUT.rules_id)
    # Without an error of the table, the interval is what cutting may do.
    found = solved(position, "win", replace(table, stderr=np.zeros_like(table.stderr)))
    expected = by_fractions(position, "win")
    for action, valued in found.items():
        value = valued.values["win"]
        assert 0 < value.high - value.low <= 2 * tolerated
        assert value.low <= float(expected[action]) <= value.high
    assert values_of(found, "win") != near(expected)


def table_with_errors(**errors):
    """Give a table in which only some entries have errors, named by both scores."""
    stderr = np.zeros((40, 40))
    for name, error in errors.items():
        own, other = map(int, name[1:].split("_"))
        stderr[own, other] = error
    return MatchEquity("some policy", np.full((40, 40), 0.5), stderr, 1000, 1)


def bounds_of(position, table):
    """By how many standard errors each chance to win may be off."""
    found = solved(position, "win", table)
    values = {name: valued.values["win"] for name, valued in found.items()}
    return {name: (value.high - value.value) / 1.959964 for name, value in values.items()}


def test_each_action_has_the_largest_error_of_the_scores_that_it_can_lead_to():
    rules, table = GAME.rules("dice/amigo"), table_with_errors(_12_5=0.01, _5_12=0.03)
    found = table_error(rules, table, np.array([12, 45]), np.array([5, 41]))
    assert found == pytest.approx(1.959964 * 0.03)  # either may start the next round
    assert table_error(rules, table, np.array([40]), np.array([5])) == 0  # the game has ended
    # Quitting leaves 3 + 7 points; the other has 9 and plays on.
    table = table_with_errors(_10_10=0.01, _11_11=0.02, _38_38=0.3)
    pair = bounds_of(small(AMIGO, "25", "3L", "1", scores=(3, 9)), table)
    assert pair == pytest.approx({"quit": 0.01, "roll": 0.02}, rel=1e-5)
    table = table_with_errors(_10_10=0.01, _8_10=0.02, _38_38=0.3)
    last = bounds_of(small(AMIGO, "25", "3L", "1", alone=True, scores=(3, 9)), table)
    assert last == pytest.approx({"quit": 0.01, "roll": 0.02}, rel=1e-5)


@pytest.mark.parametrize("alone", [False, True])
def test_without_scores_both_are_averaged(alone):
    """Over scores at which rounds begin; 0 all is one of them, and with 33 the game may end."""
    even = np.full((40, 40), 0.5)
    table = MatchEquity("some policy", even, even / 50, 1000, 1)
    position = small(AMIGO, "25", "3L", "1", alone=alone)
    bounds = bounds_of(position, table)
    assert 0.005 < bounds["quit"] < 0.0101
    assert bounds["quit"] - 1e-9 <= bounds["roll"] <= 0.01 + last_player_solve.TOLERATED
    values = values_of(solved(position, "win", table), "win")
    assert all(0.4 < chance < 0.6 for chance in values.values())


def test_without_scores_certain_ends_win_the_mean_over_scores_at_which_rounds_begin():
    table, last = table_for("dice/amigo"), small(AMIGO, "25", "3L", "1", alone=True)
    rows = starting_scores("dice/amigo", 2).rows.tolist()
    token = dice_of(last.edition, last.options).token
    for position, action, change in (
        (last, "quit", lambda score: 7),
        (replace(last, shown="25L"), "discard 25", lambda score: -token(score)),
    ):
        ends = [(mine + change(mine), other + 1) for mine, other in rows]
        wins = [shared(a, [b]) if max(a, b) >= 40 else table.values[a, b] for a, b in ends]
        found = values_of(solved(position, "win", table), "win")
        assert found[action] == pytest.approx(float(sum(wins)) / len(wins), abs=1e-9)


def test_what_depends_on_later_rounds_or_is_too_large_is_left_to_sampling(monkeypatch):
    three = small(AMIGO, "25", "3L", "1", "2", alone=True, scores=(10, 12, 3))
    assert GAME.solve(*three.read(), "win", 1, None, None) is None
    rules, read = CUT.read()
    assert GAME.solve(rules, read, "win", 1, None, None) is None
    monkeypatch.setattr(product_solve, "MOST_WON", 10)
    assert GAME.solve(rules, read, "win", 1, None, table_for(CUT.rules_id)) is None
    assert "sampled, not solved" in GAME.too_large(rules, read, "win")


# --- Rounds looked up in the solution of their first position --------------------------------

FIRST = small(AMIGO, "13L", "12L", "14", scores=(12, 3))
LATER = (
    small(AMIGO, "3L", "12L", "14", scores=(12, 3)),
    small(AMIGO, "13L", "1L", "124", scores=(2, 3)),  # a card taken, a token returned
    small(AMIGO, "14", "12L", "13L", scores=(3, 12)),  # the other's turn
    small(AMIGO, "4", "1L", "123L", scores=(2, 2), shown="44L"),
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("later", LATER, ids=str)
def test_later_positions_are_looked_up(later, objective):
    solved(FIRST, objective)
    with mock.patch.object(pair_cache, "solve_pair", side_effect=AssertionError):
        found = solved(later, objective)
        chances = {name: dict(valued.chances) for name, valued in found.items()}
    assert values_of(found, objective) == near(by_fractions(later, objective))
    pair_cache.forget()
    for name, valued in solved(later, objective).items():
        alone = {event: chance.value for event, chance in valued.chances.items()}
        assert {e: c.value for e, c in chances[name].items()} == near(alone)


@pytest.mark.long
def test_solutions_kept_answer_only_what_they_hold():
    """Of several rule sets, stakes and payoffs, one after another and from threads at once."""
    egmont = small(EGMONT, "3L", "1L", "14", scores=(12, 3))
    asked = [
        (LATER[0], "margin"), (LATER[0], "win"), (egmont, "margin"), (egmont, "win"),
        (replace(LATER[0], scores=(12, 4)), "win"), (replace(LATER[0], scores=(12, 4)), "margin"),
        (replace(LATER[0], hand="33L"), "win"),
    ]  # fmt: skip

    def answered(question):
        position, objective = question
        return values_of(solved(position, objective), objective)

    for question in asked:
        assert answered(question) == near(by_fractions(*question))
    other = table_of(40, 99)
    values = values_of(solved(LATER[0], "win", other), "win")
    assert values != near(by_fractions(LATER[0], "win"))
    assert answered((LATER[0], "win")) == near(by_fractions(LATER[0], "win"))
    alone = [answered(question) for question in asked]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            for found, expected in zip(pool.map(answered, asked), alone, strict=True):
                assert found == near(expected)


def mask_of(cards):
    return sum(1 << KINDS.index(card) for card in cards)


@pytest.mark.long
def test_situations_with_one_card_of_each_kind_are_worth_what_the_solver_says():
    one_each = solve_one_each(parse_rules("dice/amigo"), THREADS)
    for mine, other, row in (("1", "3", "123456L"), ("46L", "136", "1346L"), ("5", "14", "12")):
        values = values_of(solved(small(AMIGO, mine, row, other), "margin"), "margin")
        found = one_each.gain[mask_of(row), mask_of(other), mask_of(mine)]
        assert found == pytest.approx(values["roll"] - values["quit"], abs=1e-9)
    for mine, rolled in (("13L", "13L"), ("46", "2LL")):
        position = small(AMIGO, mine, "123456L", "25", shown=rolled)
        rules, read = position.read()
        values = values_of(solved(position, "margin"), "margin")
        assert len(values) > 1
        for name, (hand, row) in moves(rules, read, read.rolled):
            held = sum(1 << kind for kind, cards in enumerate(hand) if cards)
            value = one_each.moved[row, mask_of("25"), held]
            assert value == pytest.approx(values[name], abs=1e-9)
    over = np.isnan(one_each.gain)  # nothing is decided when the round is over
    assert over[0].all()
    assert over[:, 0].all()
    assert over[:, :, 0].all()
    assert not over[1:, 1:, 1:].any()
    assert not holds_one_each(parse_rules("dice/amigo+copies=2"))


# What to discard and to take: values of situations added up, against loops over single rolls.


RULES, BOOK = parse_rules("dice/amigo"), twin.edition("amigo")
FULL = SETS - 1
LUCK = np.random.default_rng(1)
# In some situations one rolls. What follows is worth few different values, so that many are equal.
ROLLING = [(int(LUCK.choice((3, 7, 56, 74, 126))), mine) for mine in range(1, FULL, 2)]
GAIN = np.ones((SETS, SETS, SETS))
GAIN[FULL][tuple(np.transpose(ROLLING))] = -1
ONE = OneEach(GAIN, LUCK.integers(0, 4, (SETS, SETS, SETS)).astype(float))


def set_of(cards):
    return sum(1 << KINDS.index(card) for card in set(cards))


def rolls_of(case, least, most):
    """Give each roll that leaves a choice: hand, the other's cards, choices, their values."""
    for other, mine in ROLLING:
        hand = "".join(kind for at, kind in enumerate(KINDS) if mine >> at & 1)
        for roll in twin.all_rolls(BOOK.faces) if least <= len(hand) <= most else ():
            found, choices = choices_of(BOOK, hand, KINDS, roll, False)
            if found == case and len(choices) > 1:
                choices = sorted(choices, key=lambda choice: (len(choice[0]), choice[0]))
                worth = [ONE.moved[set_of(row), other, set_of(left)] for _, left, row in choices]
                yield hand, other.bit_count(), [left for _, left, _ in choices], worth


def test_discards_of_two_players_count_what_is_kept_back_and_what_that_saves():
    left, kinds = (defaultdict(lambda: np.zeros(3)) for _ in range(2))
    for hand, number, choices, worth in rolls_of("discard", 2, 5):
        rest, lost = choices[-1], worth[-1] - min(worth)
        best = max(at for at, value in enumerate(worth) if value == min(worth))
        left["L" in rest, len(set(rest) - {"L"}), number] += (1, lost > 0, lost)
        for kind in set(hand) - set(rest):
            kept = kind in choices[best]
            kinds[KINDS.index(kind), number] += (1, kept, lost * kept)
    found = pair_discards(RULES, ONE)
    for sums, expected in ((found.left, left), (found.kinds, kinds)):
        at = {key: sums[(slice(None), *map(int, key))].tolist() for key in expected}
        assert at == {key: pytest.approx(value) for key, value in expected.items()}
        assert sums[0].sum() == pytest.approx(sum(value[0] for value in expected.values()))


def test_takes_of_two_players_are_compared_wherever_one_rolls_and_could_take_either():
    found = pair_takes(RULES, ONE, others=3)
    lowest, saved = defaultdict(lambda: np.zeros(3)), defaultdict(list)
    for hand, number, _, worth in rolls_of("take", 1, 4):
        if number == 3:
            lost = worth[0] - min(worth)  # the lowest card is named first
            lowest[len(hand)] += (1, lost > 0, lost)
    for cards, sums in lowest.items():
        assert found.lowest[:, cards] == pytest.approx(sums)
    for other, mine in ROLLING:
        for first in range(7):
            for second in range(7):
                if first != second and not mine & (1 << first | 1 << second):
                    one, two = (
                        ONE.moved[FULL ^ 1 << kind, other, mine | 1 << kind]
                        for kind in (first, second)
                    )
                    key = first, second, mine.bit_count()
                    saved[key] += [two - one] * (other.bit_count() == 3)
    assert sum(map(bool, saved.values())) > 40
    for key, gains in saved.items():
        if gains and key[2] <= 4:
            assert found.gain[key] == pytest.approx(np.mean(gains))
            assert found.right[key] == pytest.approx(np.mean(np.array(gains) > 0))
