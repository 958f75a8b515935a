"""What cards of rules speak of in rounds that cost points: L.A.M.A. and Lama Dice alike."""

from __future__ import annotations

from lama_odds.games.shared.rule_cards import Feature

POINTS, HAND = "point", "card"
MOST_OTHERS = 5


def fewest(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return the fewest cards of another player still in."""
    return Feature(
        *("fewest", 1, most, "fewest cards of another player still in", cuts),
        noun=HAND,
        said="of the others still in, the one with the fewest cards has {}",
        told={
            (1, 1): "another player holds one card",
            (1, 2): "another player holds one or two cards",
            **{(1, high): f"another player holds {high} cards or fewer" for high in range(3, most)},
            **{(low, most): f"no other holds fewer than {low} cards" for low in range(2, most)},
        },
    )


def others(cuts: tuple[int, ...] = ()) -> Feature:
    """Return the number of other players still in."""
    return Feature(
        *("others", 0, MOST_OTHERS, "other players still in", cuts),
        said="{} others have not quit",
        told={
            (0, 0): "all others have quit",
            (1, 1): "one other has not quit",
            (1, MOST_OTHERS): "others have not quit",
            (0, 1): "at most one other has not quit",
            **{(0, most): f"at most {most} others have not quit" for most in range(2, MOST_OTHERS)},
        },
    )


def cards(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return the number of your cards."""
    return Feature(*("cards", 1, most, "your cards", cuts), noun=HAND, said="you hold {}")


def score(most: int) -> Feature:
    """Return your score."""
    return Feature(*("score", 0, most, "your score", (9, 19, 29)), said="your score is {}")


def ahead(most: int) -> Feature:
    """Return by how much the others' lowest score is higher than yours."""
    return Feature(
        *("ahead", 0, most, "points by which the others' lowest score is higher", (0, 4, 9)),
        noun=POINTS,
        said="your score is ahead by {}",
        told={(0, 0): "your score is not ahead", (1, most): "your score is ahead"},
    )


def behind(most: int) -> Feature:
    """Return by how much it is lower."""
    return Feature(
        *("behind", 0, most, "points by which it is lower", (0, 4, 9)),
        noun=POINTS,
        said="your score is behind by {}",
        told={(0, 0): "your score is not behind", (1, most): "your score is behind"},
    )


def total(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return your score with the points in your hand."""
    return Feature(
        *("total", 0, most, "your score with the points in hand", cuts),
        said="your score and your cards together make {}",
    )
