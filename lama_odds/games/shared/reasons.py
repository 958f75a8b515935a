"""Reasons of verdicts that several games share: contrasts, and changes of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lama_odds.core.wording import counted
from lama_odds.games.interface.reasons import LESS, MORE, SCORE, Change, Changed, Contrast, Gap
from lama_odds.games.shared.in_words import words_of

# What makes an action better in games in which you quit a round with points in hand.
OF_QUITTING = (
    Contrast(
        "go out against quitting",
        (Gap("out", MORE, 0.03), Gap("points", LESS, 0.5, SCORE)),
        "If you {best}, you go out {0.best} and the round {1.best} on average; quitting {1.other}.",
        against=("quit",),
    ),
    Contrast(
        "points against quitting",
        (Gap("points", LESS, 0.5, SCORE),),
        "If you {best}, the round {0.best} on average; quitting {0.other} now.",
        against=("quit",),
    ),
    Contrast(
        "quitting against going out",
        (Gap("points", LESS, 0.5, SCORE), Gap("out", LESS, 0.01)),
        "Quitting {0.best} now; if you {other}, the round {0.other} on average, although "
        "you go out {1.other}.",
        of=("quit",),
    ),
    Contrast(
        "quitting",
        (Gap("points", LESS, 0.5, SCORE),),
        "Quitting {0.best} now; if you {other}, the round {0.other} on average.",
        of=("quit",),
    ),
    Contrast(
        "quitting in time",
        (Gap("other out", LESS, 0.03),),
        "Another player goes out {0.best} if you {best}, and {0.other} if you {other}.",
        of=("quit",),
    ),
    Contrast(
        "go out",
        (Gap("out", MORE, 0.03),),
        "You go out {0.best} if you {best}, and {0.other} if you {other}.",
    ),
    Contrast(
        "points",
        (Gap("points", LESS, 0.5, SCORE),),
        "If you {best}, the round {0.best} on average; if you {other}, it {0.other}.",
    ),
    Contrast(
        "worst score",
        (Gap("last", LESS, 0.04),),
        "You end with the worst score {0.best} if you {best}, and {0.other} if you {other}.",
    ),
    Contrast(
        "others go out",
        (Gap("other out", LESS, 0.03),),
        "Another player goes out {0.best} if you {best}, and {0.other} if you {other}.",
    ),
)
CALLED = {"L": "llama", "P": "pink llama"}  # cards that are not numbers
SCORES = (5, 10, 15, 20, 30)  # points more or fewer


def edited(position: Any, **words: str) -> str:
    """Return a position as text with other words."""
    return " ".join(f"{name}={value}" for name, value in {**words_of(position), **words}.items())


def without_scores(position: Any) -> str | None:
    """Return the position as you see it if you do not look at the scores; None without any."""
    if position.scores is None or not any(position.scores):
        return None
    return " ".join(
        f"{name}={value}" for name, value in words_of(position).items() if name != "scores"
    )


def other_score(sign: int) -> Callable[[Any, Any], Iterable[Changed]]:
    """Return a change: you have more points so far (sign 1), or fewer (-1)."""

    def others(rules: Any, position: Any) -> Iterator[Changed]:
        del rules
        if position.scores is None:
            return
        mine, *theirs = position.scores
        for score in (mine + sign * points for points in SCORES):
            if score >= 0:
                scores = ",".join(map(str, (score, *theirs)))
                yield Changed(
                    f"you had {score} points so far, not {mine}", edited(position, scores=scores)
                )

    return others


def without_a_kind(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which the cards of one kind are missing, those of most cards last."""
    del rules
    hand = cards_in(words_of(position)["hand"])
    kinds = list(dict.fromkeys(reversed(hand)))
    for kind in kinds if len(kinds) > 1 else ():
        rest = "".join(card for card in hand if card != kind)
        yield Changed(f"you held no {CALLED.get(kind, kind)}", edited(position, hand=rest))


def only_a_kind(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which only the cards of one kind are left."""
    del rules
    hand = cards_in(words_of(position)["hand"])
    kinds = dict.fromkeys(hand)
    for kind in kinds if len(kinds) > 1 else ():
        rest = "".join(card for card in hand if card == kind)
        held = CALLED.get(kind, kind) if hand.count(kind) == 1 else f"{rest[0]}s"
        article = "a " if hand.count(kind) == 1 else ""
        yield Changed(f"you held only {article}{held}", edited(position, hand=rest))


def with_another(values: Iterable[str]) -> Callable[[Any, Any], Iterable[Changed]]:
    """Return a change: you hold a card of another value too."""
    kinds = tuple(values)

    def others(rules: Any, position: Any) -> Iterator[Changed]:
        del rules
        hand = words_of(position)["hand"]
        for kind in kinds:
            if kind not in hand:
                yield Changed(
                    f"you held a {CALLED.get(kind, kind)} too", edited(position, hand=hand + kind)
                )

    return others


def cards_in(hand: str) -> list[str]:
    """Return the cards of a hand; a plus belongs to the card before it."""
    found: list[str] = []
    for letter in hand:
        if letter == "+" and found:
            found[-1] += letter
        else:
            found.append(letter)
    return found


# Changes of what is yours, in the order in which they are tried.
OF_YOURS = (
    Change("a kind of your cards less", without_a_kind),
    Change("only one kind of cards", only_a_kind),
    Change("another card", with_another(("1", "2", "3", "4", "5", "6", "L"))),
    Change("your score higher", other_score(1)),
    Change("your score lower", other_score(-1)),
)


def nearest(now: float, values: Iterable[int]) -> list[int]:
    """Return other values than the one now, the nearest first."""
    return sorted((v for v in values if v != now), key=lambda v: (abs(v - now), v))


def others_held(number: int, players: int) -> str:
    """Return that the others hold a number of cards, in words."""
    who = "the other player" if players == 2 else "each of the others"
    return f"{who} held {counted(number, 'card')}"
