"""What `policies` says of every family: how it is written, and what its numbers may be."""

from __future__ import annotations

import re

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Family, read_policy
from lama_odds.games.registry import GAMES, game_of

ALL = [(name, family) for name in GAMES for family in game_of(name).families]


@pytest.mark.parametrize(("game", "family"), ALL, ids=lambda x: getattr(x, "name", x))
def test_usage_and_bounds_are_what_is_read(game: str, family: Family) -> None:
    families = game_of(game).families
    if "[" in family.usage or ":" not in family.usage:
        assert read_policy(family.name, families).family is family
    assert bool(family.bounds) == (":" in family.usage)
    for name, low, high in re.findall(r"(\w+)(?: from)? (-?\d+) to (-?\d+)", family.bounds):
        assert int(low) < int(high)
        key = f"{name}=" if family.allowed and name.islower() else ""
        key = key or ("steal=" if name == "WEIGHT" else "")
        for number in (low, high):
            read_policy(f"{family.name}:{key}{number}", families)
        with pytest.raises(ReadError, match=rf"expected .*\b{high}\b"):
            read_policy(f"{family.name}:{key}{int(high) + 1}", families)
