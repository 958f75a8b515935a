"""Refuse families of policies that nothing here can play: before a kernel is called, and in it.

A kernel distinguishes families by their codes, in one function for each kind of decision. Each of
these raises ValueError with `UNKNOWN_FAMILY` for other codes, so that no family plays as another.
"""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.errors import LimitError
from lama_odds.core.language import say
from lama_odds.core.policies import SEARCH, Family, Policy

UNKNOWN_FAMILY = "a family of policies that is not handled here"


def code_of(policy: Policy, families: Sequence[Family]) -> int:
    """Return a family's code in kernels; raise LimitError if these families lack it."""
    if policy.family is SEARCH:
        raise LimitError(
            say(
                "{policy} thinks at each decision, so it cannot be part of a simulation like this: "
                "it can play whole games in simulate, tournament and play",
                policy=policy.name,
            )
        )
    if not any(policy.family is family for family in families):
        known = ", ".join(family.name for family in families)
        raise LimitError(
            say("{policy} is not a policy of this game: {known}", policy=policy.name, known=known)
        )
    return policy.family.code
