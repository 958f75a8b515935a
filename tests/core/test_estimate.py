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
