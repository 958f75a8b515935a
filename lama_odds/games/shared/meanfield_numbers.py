"""The numbers of `meanfield`, the same in the card and dice games.

For points of a round all are 0. For winning the game it counts who is ahead: quitting early keeps
what one has, and lets the others go on alone. A lead is the lowest score of the others less the
own one. And it looks whether the game would end if everybody's cards went down as they lie: who
wins then had better quit, and who does not had better go on.
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
# Where `tune` looks for them.
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
    """What the numbers do. going_on: what one does who does not quit; lie: how cards lie."""
    return (
        f"out=O: going out counts O points more than it returns (the others pay then). {going_on} "
        "counts more by even=E points, by A tenths of a point for each point ahead of the lowest "
        "score of the others (ahead=A), and by W points to who would win if the game would end "
        f"with all cards counting as they lie now{lie} (win=W); quitting counts more by B tenths "
        "for each point behind (behind=B), and by L points to who would not win then (lose=L)"
    )


def out_of(policy: Policy) -> int:
    """What going out counts more for a `meanfield`."""
    return NUMBERS.unpack(policy.parameter)["out"]


def knows_target(parameter: int) -> bool:
    """Whether a `meanfield` decides by whether the game would end (win or lose given)."""
    return parameter >> 4 * BITS != 0
