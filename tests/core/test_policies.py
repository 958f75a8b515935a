"""Policies by name: families, parameters, bounds, near names."""

from __future__ import annotations

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.games.dice.policies.catalogue import FAMILIES as DICE

FAMILIES = (
    Family("random", 0, "as it comes"),
    Family("threshold", 1, "quits at T or less", "T", 0, 20),
)


@pytest.mark.parametrize("name", ["random", "threshold:0", "threshold:20"])
def test_a_name_reads_back(name: str) -> None:
    assert read_policy(name, FAMILIES).name == name


def test_a_parameter_is_kept() -> None:
    assert read_policy("threshold:7", FAMILIES) == Policy(FAMILIES[1], 7)
    assert read_policy("threshold:007", FAMILIES).name == "threshold:7"
    assert read_policy("random", FAMILIES) == Policy(FAMILIES[0], 0)


def test_usage_names_the_parameter() -> None:
    assert [family.usage for family in FAMILIES] == ["random", "threshold:T"]


@pytest.mark.parametrize(
    ("name", "told", "at"),
    [
        ("", "unknown policy ''", 0),
        ("Random", "unknown policy 'Random'", 0),
        ("treshold:5", "unknown policy 'treshold'", 0),
        ("threshold", "needs its parameter: threshold:T", 9),
        ("threshold:", "whole number", 10),
        ("threshold:x", "whole number", 10),
        ("threshold:5.0", "whole number", 10),
        ("threshold:5:5", "whole number", 10),
        ("threshold:21", "0 to 20", 10),
        ("threshold:-1", "0 to 20", 10),
        ("threshold: 5", "whole number", 10),
        ("random:3", "random without a parameter", 7),
        ("random:", "random without a parameter", 7),
    ],
)
def test_a_name_that_cannot_be_read(name: str, told: str, at: int) -> None:
    with pytest.raises(ReadError) as caught:
        read_policy(name, FAMILIES)
    assert told in str(caught.value)
    assert (caught.value.text, caught.value.at) == (name, at)


def test_near_names_are_offered() -> None:
    with pytest.raises(ReadError) as caught:
        read_policy("treshold:5", FAMILIES)
    assert caught.value.hints == ("  did you mean threshold?",)


def test_the_reference_policies_are_there() -> None:
    assert {"random", "threshold:T"} <= {family.usage for family in DICE}
    assert len({family.code for family in DICE}) == len(DICE)
    for family in DICE:
        needed = family.parameter and family.default is None
        name = f"{family.name}:{family.low}" if needed else family.name
        assert read_policy(name, DICE).name == name
