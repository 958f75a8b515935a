"""Estimates: the agreed keys, and exact ones without an error bar."""

from __future__ import annotations

from lama_odds.core.estimate import Estimate, exact


def test_the_keys_are_the_agreed_ones() -> None:
    estimate = Estimate(0.5, 0.1, 0.3, 0.7, 25, "simulation")
    assert list(estimate.to_json().items()) == [
        ("value", 0.5),
        ("stderr", 0.1),
        ("low", 0.3),
        ("high", 0.7),
        ("n", 25),
        ("method", "simulation"),
    ]


def test_an_exact_value_is_its_own_interval() -> None:
    assert exact(3).to_json() == {
        "value": 3.0,
        "stderr": 0.0,
        "low": 3.0,
        "high": 3.0,
        "n": 0,
        "method": "exact",
    }


def test_a_bound_widens_the_interval() -> None:
    estimate = exact(3, 0.25)
    assert (estimate.low, estimate.value, estimate.high) == (2.75, 3, 3.25)
    assert (estimate.stderr, estimate.method) == (0, "exact")


def test_there_is_no_negative_zero() -> None:
    estimate = exact(-0.0)
    assert [str(number) for number in (estimate.value, estimate.low, estimate.high)] == ["0.0"] * 3


def test_an_interval_of_so_many_errors() -> None:
    estimate = Estimate.normal(1.0, 0.5, 9, 2.0)
    assert estimate == Estimate(1.0, 0.5, 0.0, 2.0, 9, "simulation")
    assert estimate == Estimate.from_half(1.0, 0.5, 1.0, 9)
    assert estimate == Estimate.from_interval(1.0, 0.5, 0.0, 2.0, 9)


def test_what_rests_on_no_games_is_exact() -> None:
    assert Estimate.from_interval(1.0, 0.0, 0.5, 2.0, 0).method == "exact"


def test_errors_of_a_mean_go_together_and_those_of_a_difference_do_not() -> None:
    first, second = Estimate.from_half(5.0, 3.0, 6.0, 70), Estimate.from_half(1.0, 4.0, 8.0, 60)
    assert Estimate.mean([first, second]) == Estimate.from_half(3.0, 3.5, 7.0, 60)
    assert Estimate.difference(first, second) == Estimate.from_half(4.0, 5.0, 10.0, 60)


def test_another_interval_leaves_the_rest() -> None:
    found = Estimate.from_half(5.0, 3.0, 6.0, 70)
    assert found.with_half(1.0) == Estimate(5.0, 3.0, 4.0, 6.0, 70, "simulation")
    assert found.with_interval(0.0, 9.0) == Estimate(5.0, 3.0, 0.0, 9.0, 70, "simulation")


def test_an_estimate_comes_back_from_its_json() -> None:
    for found in (exact(3, 0.25), Estimate.from_half(5.0, 3.0, 6.0, 70)):
        assert Estimate.from_json(found.to_json()) == found
