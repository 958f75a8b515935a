"""What a report says of seats, from chances with known errors."""

from __future__ import annotations

import pytest

from lama_odds.analysis.strategy_report.sections.games import seats_said
from lama_odds.core.estimate import Estimate


def win(value: float, stderr: float) -> Estimate:
    return Estimate(value, stderr, value - 1.96 * stderr, value + 1.96 * stderr, 10_000)


@pytest.mark.parametrize("errors", [2.0, 2.4])
def test_seats_within_their_errors_are_not_called_different(errors: float) -> None:
    far = 0.004 * errors
    wins = [win(0.25 + far, 0.004), win(0.25, 0.004), win(0.25, 0.004), win(0.25 - far, 0.004)]
    said = seats_said(wins, 0.25)
    assert said.startswith(
        "No seat is known to be better than another: each wins 25.0 % of games, within "
    )
    # What it says of the farthest seat holds for all that its interval allows.
    within = float(said.split("within ")[1].split()[0])
    assert within / 100 == pytest.approx(far + 2.49 * 0.004, abs=0.0006)


def test_a_seat_far_out_is_named() -> None:
    wins = [win(0.27, 0.004), win(0.25, 0.004), win(0.245, 0.004), win(0.235, 0.004)]
    said = seats_said(wins, 0.25)
    assert said.startswith(
        "The seats are not equal: player 1 (starts) wins 27.0 ± 1.0 % of games, player 4 23.5"
    )
    assert said.endswith("Equal would be 25.0 % each.")


def test_one_seat_out_of_six_needs_more_than_one_of_two() -> None:
    out = 0.01 * 2.3
    two = [win(0.5 + out, 0.01), win(0.5 - out, 0.01)]
    six = [win(1 / 6 + out, 0.01), win(1 / 6 - out, 0.01), *[win(1 / 6, 0.01)] * 4]
    assert seats_said(two, 0.5).startswith("The seats are not equal")
    assert seats_said(six, 1 / 6).startswith("No seat is known")
