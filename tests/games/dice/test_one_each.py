"""Two players with one card of each kind: every situation as the solver has it one by one."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.next_roll import moves
from lama_odds.games.dice.rules.position import Opponent, Position, mask_counts
from lama_odds.games.dice.rules.ruleset import NAMES
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers.one_each import SETS, OneEach, holds_one_each, solve_one_each
from lama_odds.games.dice.solvers.pair_rolls import roll_margins
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.dice.solvers.two_players import solve_pair

RULES = GAME.rules("dice/amigo")
THREADS = 2


@pytest.fixture(scope="module")
def one() -> OneEach:
    return solve_one_each(RULES, THREADS)


def mask_of(cards: str) -> int:
    return sum(1 << NAMES.index(card) for card in cards)


def position_of(mine: str, other: str, row: str, rolled: str = "") -> Position:
    return Position(
        mask_counts(mask_of(mine)),
        mask_of(row),
        (Opponent(mask_counts(mask_of(other))),),
        tuple(NAMES.index(face) for face in rolled) or None,
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("mine", "other", "row"),
    [
        ("1", "3", "123456L"),
        ("25", "L", "123456L"),
        ("46L", "136", "1346L"),
        ("12", "45L", "6"),
        ("3", "2", "L"),
        ("5", "14", "12"),
    ],
)
def test_quitting_saves_what_the_solver_says(one: OneEach, mine: str, other: str, row: str) -> None:
    solution = GAME.solve(RULES, position_of(mine, other, row), "margin", 1)
    assert solution is not None
    values = {a.action: a.values["margin"].value for a in solution.actions}
    found = one.gain[mask_of(row), mask_of(other), mask_of(mine)]
    assert found == pytest.approx(values["roll"] - values["quit"], abs=1e-9)


@pytest.mark.long
def test_moves_are_worth_what_the_solver_says(one: OneEach) -> None:
    for rolled in ("13L", "2LL"):
        position = position_of("13L" if "1" in rolled else "46", "25", "123456L", rolled)
        solution = GAME.solve(RULES, position, "margin", 1)
        assert solution is not None
        assert len(solution.actions) > 1
        assert position.rolled is not None
        for valued, (name, (hand, row)) in zip(
            solution.actions, moves(RULES, position, position.rolled), strict=True
        ):
            assert valued.action == name
            mine = sum(1 << kind for kind, cards in enumerate(hand) if cards)
            value = one.moved[row, mask_of("25"), mine]
            assert value == pytest.approx(valued.values["margin"].value, abs=1e-9)


@pytest.mark.long
def test_nothing_is_decided_when_the_round_is_over(one: OneEach) -> None:
    over = np.isnan(one.gain)
    assert over[0].all()
    assert over[:, 0].all()
    assert over[:, :, 0].all()
    assert not over[1:, 1:, 1:].any()
    assert one.gain.shape == (SETS,) * 3


def test_an_empty_row_goes_on_in_egmont() -> None:
    rules = GAME.rules("dice/egmont")
    solution = solve_pair(
        rules, mask_counts(1), mask_counts(2), 0, (tokens_of(rules, None),) * 2, 1
    )
    assert not np.isnan(roll_margins(rules, solution, 1)[solution.root]).any()


def test_rolls_count_the_tokens_that_three_llamas_return() -> None:
    scores = (12, 3)
    other = (1, 0, 1, 0, 0, 0, 2)
    hand, row = mask_counts(mask_of("25")), mask_of("1346L")
    position = Position(hand, row, (Opponent(other),), None, scores)
    solution = GAME.solve(RULES, position, "margin", 1)
    assert solution is not None
    (want,) = (a.values["margin"].value for a in solution.actions if a.action == "roll")
    tokens = tokens_of(RULES, scores[0]), tokens_of(RULES, scores[1])
    pair = solve_pair(RULES, hand, other, row, tokens, 1)
    found = [roll_margins(RULES, pair, threads)[pair.root] for threads in (1, 2)]
    assert found[0][0] == pytest.approx(want, abs=1e-9)
    assert found[0].tobytes() == found[1].tobytes()


def test_cards_must_suffice() -> None:
    assert holds_one_each(RULES)
    assert not holds_one_each(GAME.rules("dice/amigo+copies=2"))
    assert FULL_ROW == SETS - 1
