"""Reasons of verdicts that several games share: contrasts, and changes of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lama_odds.core.language import later, say, say_count
from lama_odds.games.interface.reasons import LESS, MORE, SCORE, Change, Changed, Contrast, Gap
from lama_odds.games.shared.in_words import words_of

# What makes an action better in games in which you quit a round with points in hand.
OF_QUITTING = (
    Contrast(
        "go out against quitting",
        (Gap("out", MORE, 0.03), Gap("points", LESS, 0.5, SCORE)),
        later(
            "If you {best}, you go out {best0} and the round {best1} on average; quitting {other1}."
        ),
        against=("quit",),
    ),
    Contrast(
        "points against quitting",
        (Gap("points", LESS, 0.5, SCORE),),
        later("If you {best}, the round {best0} on average; quitting {other0} now."),
        against=("quit",),
    ),
    Contrast(
        "quitting against going out",
        (Gap("points", LESS, 0.5, SCORE), Gap("out", LESS, 0.01)),
        later(
            "Quitting {best0} now; if you {other}, the round {other0} on average, although "
            "you go out {other1}."
        ),
        of=("quit",),
    ),
    Contrast(
        "quitting",
        (Gap("points", LESS, 0.5, SCORE),),
        later("Quitting {best0} now; if you {other}, the round {other0} on average."),
        of=("quit",),
    ),
    Contrast(
        "quitting in time",
        (Gap("other out", LESS, 0.03),),
        later("Another player goes out {best0} if you {best}, and {other0} if you {other}."),
        of=("quit",),
    ),
    Contrast(
        "go out",
        (Gap("out", MORE, 0.03),),
        later("You go out {best0} if you {best}, and {other0} if you {other}."),
    ),
    Contrast(
        "points",
        (Gap("points", LESS, 0.5, SCORE),),
        later("If you {best}, the round {best0} on average; if you {other}, it {other0}."),
    ),
    Contrast(
        "worst score",
        (Gap("last", LESS, 0.04),),
        later("You end with the worst score {best0} if you {best}, and {other0} if you {other}."),
    ),
    Contrast(
        "others go out",
        (Gap("other out", LESS, 0.03),),
        later("Another player goes out {best0} if you {best}, and {other0} if you {other}."),
    ),
)
# Templates about a card: a number, a llama, a pink llama.
HELD_NO = later("you held no {card}"), later("you held no llama"), later("you held no pink llama")
HELD_ONLY = (
    *(later("you held only a {card}"), later("you held only a llama")),
    later("you held only a pink llama"),
)
HELD_TOO = (
    *(later("you held a {card} too"), later("you held a llama too")),
    later("you held a pink llama too"),
)
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
                when = say_count(
                    "you had {n} points so far, not {now}",
                    "you had {n} points so far, not {now}",
                    score,
                    now=mine,
                )
                yield Changed(when, edited(position, scores=scores))

    return others


def without_a_kind(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which the cards of one kind are missing, those of most cards last."""
    del rules
    hand = cards_in(words_of(position)["hand"])
    kinds = list(dict.fromkeys(reversed(hand)))
    for kind in kinds if len(kinds) > 1 else ():
        rest = "".join(card for card in hand if card != kind)
        yield Changed(said_of(kind, HELD_NO), edited(position, hand=rest))


def only_a_kind(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which only the cards of one kind are left."""
    del rules
    hand = cards_in(words_of(position)["hand"])
    kinds = dict.fromkeys(hand)
    for kind in kinds if len(kinds) > 1 else ():
        rest = "".join(card for card in hand if card == kind)
        several = hand.count(kind) > 1
        when = say("you held only {card}s", card=rest[0]) if several else said_of(kind, HELD_ONLY)
        yield Changed(when, edited(position, hand=rest))


def with_another(values: Iterable[str]) -> Callable[[Any, Any], Iterable[Changed]]:
    """Return a change: you hold a card of another value too."""
    kinds = tuple(values)

    def others(rules: Any, position: Any) -> Iterator[Changed]:
        del rules
        hand = words_of(position)["hand"]
        for kind in kinds:
            if kind not in hand:
                yield Changed(said_of(kind, HELD_TOO), edited(position, hand=hand + kind))

    return others


def said_of(kind: str, templates: tuple[str, str, str]) -> str:
    """Return the sentence about a card, see `HELD_NO`."""
    return say(templates[{"L": 1, "P": 2}.get(kind, 0)], card=kind)


def cards_in(hand: str) -> list[str]:
    """Return the cards of a hand; a plus belongs to the card before it."""
    cards: list[str] = []
    for letter in hand:
        if letter == "+" and cards:
            cards[-1] += letter
        else:
            cards.append(letter)
    return cards


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
    if players == 2:
        return say_count(
            "the other player held {n} card", "the other player held {n} cards", number
        )
    return say_count(
        "each of the others held {n} card", "each of the others held {n} cards", number
    )


def all_quit(others: int) -> str:
    """Return that all the others had quit, in words."""
    return say("the other player had quit") if others == 1 else say("all the others had quit")
