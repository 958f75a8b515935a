"""Values tables of `meanfield`: alone against the exact solution; leads and tokens in its play."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.engine.policy_kernels import HANDS, ROLLING, with_token
from lama_odds.games.dice.engine.round_loop import all_leeway
from lama_odds.games.dice.engine.table_rows import PARAMETER
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.jobs.rollouts import root_table
from lama_odds.games.dice.policies.catalogue import meanfield_values, passing_of, tables_of
from lama_odds.games.dice.policies.meanfield import values_table
from lama_odds.games.dice.solvers.last_player import alone_space, solve_alone
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.shared.seating import COLUMNS, PENALTY, leeway
from lama_odds.jit import compiled

RULES = GAME.rules("dice/egmont+twenty")
SCORE = 2 * COLUMNS


@pytest.mark.long
@pytest.mark.parametrize("token", [0, 10, 20])
@pytest.mark.parametrize("row", [0b0000101, 0b1111111, 0])
def test_alone_it_is_the_exact_player_whose_token_never_runs_out(token: int, row: int) -> None:
    table = values_table(RULES, passing_of(RULES, 2), 0, token)
    full = (2,) * 7
    alone = solve_alone(RULES, alone_space(full, row), Tokens(np.array([token]), 0))
    for index in range(1, HANDS, 97):
        hand = tuple(index // 3**kind % 3 for kind in range(7))
        penalty = RULES.penalties[sum(1 << kind for kind in range(7) if hand[kind])]
        rolling = table[0, ROLLING, row * HANDS + index]
        exact = alone.worth[alone.space.place(hand, row), 0]
        assert min(rolling, penalty) == pytest.approx(min(exact, penalty), abs=1e-4)


@pytest.mark.long
def test_a_token_makes_rolling_worth_more() -> None:
    without, with_it = (meanfield_values(RULES, 3, 0, token) for token in (0, 10))
    assert (with_it <= without + 1e-6).all()
    assert with_it.min() == pytest.approx(-10)


@compiled
def block_of(values, block, score, black, pink):
    return with_token(values, block, score, black, pink)


@pytest.mark.long
def test_blocks_by_score() -> None:
    policies = [GAME.policy("meanfield:out=1"), GAME.policy("meanfield")]
    values = tables_of(RULES, policies).values
    assert len(values) == 3 * 2 * 2  # tokens, policies, others still in
    for score, token in ((0, 0), (9, 0), (10, 10), (19, 10), (20, 20), (33, 20)):
        for block, extra in ((0, 0), (2, 1)):
            at = block_of(values, block, score, RULES.black, RULES.pink)
            expected = meanfield_values(RULES, 2, extra, token)
            assert np.array_equal(values[at : at + 2], expected)


@compiled
def leeway_of(parameter, table, seats, seat, open_cards):
    return leeway(parameter, table, SCORE, seats, seat, open_cards)


@pytest.mark.parametrize(
    ("name", "scores", "penalties", "expected"),
    [
        ("meanfield", (3, 30, 20), (-1, -1, -1), 0),
        ("meanfield:even=-4", (3, 30, 20), (-1, -1, -1), -4),
        ("meanfield:ahead=5", (3, 30, 20), (-1, -1, -1), 8.5),  # 17 ahead of the lowest
        ("meanfield:ahead=5", (3, 30, 20), (-1, -1, 15), 13.5),  # which has quit with 15
        ("meanfield:ahead=5,behind=9", (33, 30, 20), (-1, -1, -1), -11.7),
        ("meanfield:out=7,even=2,ahead=5,behind=9", (20, 20, 20), (-1, -1, -1), 2),
    ],
)
def test_leeway(
    name: str, scores: tuple[int, ...], penalties: tuple[int, ...], expected: float
) -> None:
    table = np.zeros(11 * COLUMNS, dtype=np.int64)
    table[SCORE : SCORE + 3] = scores
    table[PENALTY : PENALTY + 3] = penalties
    parameter = GAME.policy(name).parameter
    assert leeway_of(parameter, table, 3, 0, True) == pytest.approx(expected)
    hidden = leeway_of(parameter, table, 3, 0, False)
    if max(penalties) < 0:
        assert hidden == pytest.approx(expected)
    else:  # what cannot be seen does not count
        assert hidden == pytest.approx(8.5)


@compiled
def all_leeway_of(rules, points, table, seats, seat, penalty, others):
    return all_leeway(rules, points, table, seats, seat, penalty, others)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((10, 20, 28), 0.0),  # 3 and 12, 11 on the table: nobody gets to 40
        ((10, 20, 29), 7.0),  # the last one does, and seat 0 is lowest
        ((28, 20, 29), 7.0),  # seats 0 and 1 would share the lowest score
        ((30, 20, 29), -9.0),  # higher than 32: lost as it lies
        ((37, 20, 20), -9.0),  # ends the game itself
        ((36, 20, 20), 0.0),
    ],
)
def test_the_end_of_the_game_as_the_cards_lie(scores: tuple[int, ...], expected: float) -> None:
    position = GAME.position(
        RULES, f"hand=12 row=123456L opp=2L,q56 scores={','.join(map(str, scores))} first=1"
    )
    table = root_table(RULES, position)
    table[PARAMETER] = GAME.policy("meanfield:win=7,lose=9").parameter
    points = RULES.penalties
    assert all_leeway_of(RULES.columns, points, table, 3, 0, 3, 1) == pytest.approx(expected)
    table[PARAMETER] = GAME.policy("meanfield:even=2,win=7,lose=9").parameter
    assert all_leeway_of(RULES.columns, points, table, 3, 0, 3, 1) == pytest.approx(expected + 2)


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("meanfield:out=5", (30, 20, 20), 0.0),  # 33 to 21 and 29: the game goes on
        ("meanfield:out=5", (38, 39, 33), -99.0),  # 41 to 40 and 42: quitting loses it
        ("meanfield:out=5", (36, 39, 31), 99.0),  # 39 to 40 and 40: quitting wins it
        ("meanfield:win=7", (37, 39, 31), 7.0),  # a shared win: a better roll may win alone
        ("meanfield", (38, 39, 33), 0.0),  # plays for points
    ],
)
def test_the_last_player_settles_the_game_and_does_not_give_it_away(
    name: str, scores: tuple[int, ...], expected: float
) -> None:
    text = f"hand=12 row=123456L opp=q=1,q=9 scores={','.join(map(str, scores))}"
    table = root_table(RULES, GAME.position(RULES, text))
    table[PARAMETER] = GAME.policy(name).parameter
    assert all_leeway_of(RULES.columns, RULES.penalties, table, 3, 0, 3, 0) == expected


def value_of(text: str, action: str) -> float:
    position = GAME.position(RULES, text)
    found = advise(GAME, RULES, position, objective="win", limits=Limits(games=20_000))
    return next(each.value.value for each in found.actions if each.action == action)


@pytest.mark.parametrize(
    ("before", "alone"),
    [
        ("hand=4 opp=23,q=20 scores=39,39,39", "hand=23 opp=q=4,q=20 scores=39,39,39"),
        ("hand=1 opp=13,q=16 scores=39,39,39", "hand=13 opp=q=1,q=16 scores=39,39,39"),
    ],
)
def test_who_is_left_alone_wins_nearly_as_often_as_solved(before: str, alone: str) -> None:
    assert 1 - value_of(before, "quit") == pytest.approx(value_of(alone, "roll"), abs=0.03)


def test_numbers_are_read_and_written() -> None:
    policy = GAME.policy("meanfield:behind=3,out=7,even=-2")
    assert policy.name == "meanfield:out=7,even=-2,behind=3"
    assert GAME.policy(policy.name) == policy
    numbers = policy.family.numbers_of(policy.parameter)
    assert numbers == {"out": 7, "even": -2, "ahead": 0, "behind": 3, "win": 0, "lose": 0}
    assert policy.family.with_numbers(numbers) == policy
    assert GAME.policy("meanfield").name == "meanfield"
    for text in ("meanfield:lead=3", "meanfield:out=61", "meanfield:out=1,out=2", "meanfield:"):
        with pytest.raises(ReadError):
            GAME.policy(text)
