"""Families of policies that nothing here can play: refused before a kernel is called, and in it.

A kernel tells families apart by their codes, in one function for each kind of decision; what is
none of its own raises ValueError with `UNKNOWN_FAMILY`, so that no family plays as another does.
"""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Family, Policy

UNKNOWN_FAMILY = "a family of policies that is not handled here"


def code_of(policy: Policy, families: Sequence[Family]) -> int:
    """What kernels know a policy's family by; LimitError if it is none of these, of a game."""
    if not any(policy.family is family for family in families):
        known = ", ".join(family.name for family in families)
        raise LimitError(f"{policy.name} is none of the policies of this game: {known}")
    return policy.family.code
