"""The numbers of `meanfield`, the same in the card and dice games.

For points of a round all are 0. For winning the game the policy depends on the scores: quitting
early keeps one's points, and lets the others continue alone. A lead is the lowest score of the
others minus the own one. The policy also checks whether the game would end if all cards counted
now. A player who would win then should rather quit; one who would not should rather continue.
"""

from __future__ import annotations

from lama_odds.core.policies import Policy
from lama_odds.core.policy_numbers import BITS, Numbers

MOST_EVEN = 40

NUMBERS = Numbers(
    out=(0, 60, 0),
    even=(-MOST_EVEN, MOST_EVEN, 0),
    ahead=(0, 99, 0),
    behind=(0, 99, 0),
    win=(0, 99, 0),
    lose=(0, 99, 0),
)
PLAIN = MOST_EVEN << BITS  # all numbers are 0: for points of a round
# The ranges in which `tune` searches.
SPACE = {
    "out": (0, 16),
    "even": (-10, 10),
    "ahead": (0, 20),
    "behind": (0, 20),
    "win": (0, 15),
    "lose": (0, 20),
}
USAGE = ",".join(f"{name}={name[0].upper()}" for name in NUMBERS.bounds)


def meaning(going_on: str, lie: str) -> str:
    """Return the meaning of the numbers.

    going_on: the alternative to quitting; lie: where cards lie.
    """
    return (
        "With out=O it plays as if going out were worth O points more than it returns (the others "
        f"pay then). With even=E it plays as if {going_on} cost E points more; below 0, as if "
        f"quitting did. With ahead=A {going_on} costs A tenths of a point more for each point "
        "ahead of the lowest score of the others. With behind=B quitting costs B tenths more for "
        "each point behind. `win` and `lose` count only if the game would end with all cards as "
        f"they lie now{lie}. For the player who would win then, {going_on} costs W points more "
        "(win=W). For any other player, quitting costs L points more (lose=L)"
    )


def out_of(policy: Policy) -> int:
    """Return how much more a `meanfield` counts going out."""
    return NUMBERS.unpack(policy.parameter)["out"]


def knows_target(parameter: int) -> bool:
    """Return whether a `meanfield` checks if the game would end (win or lose given)."""
    return parameter >> 4 * BITS != 0
