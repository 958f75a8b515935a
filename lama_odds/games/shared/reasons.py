"""Changes of a position that may turn a verdict, as several games list them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lama_odds.core.wording import counted
from lama_odds.games.interface.reasons import Changed
from lama_odds.games.shared.in_words import words_of

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


def score_changes(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which you have more points, then fewer, where scores are known."""
    del rules
    if position.scores is None:
        return
    mine, *others = position.scores
    theirs = ",".join(map(str, others))
    for more in SCORES:
        yield Changed(
            f"you had {mine + more} points so far, not {mine}",
            edited(position, scores=f"{mine + more},{theirs}"),
        )


def fewer_scores(rules: Any, position: Any) -> Iterator[Changed]:
    """Yield positions in which you have fewer points."""
    del rules
    if position.scores is None:
        return
    mine, *others = position.scores
    theirs = ",".join(map(str, others))
    for less in SCORES:
        if less <= mine:
            yield Changed(
                f"you had {mine - less} points so far, not {mine}",
                edited(position, scores=f"{mine - less},{theirs}"),
            )


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


def nearest(now: float, values: Iterable[int]) -> list[int]:
    """Return other values than the one now, the nearest first."""
    return sorted((v for v in values if v != now), key=lambda v: (abs(v - now), v))


def others_held(number: int, players: int) -> str:
    """Return that the others hold a number of cards, in words."""
    who = "the other player" if players == 2 else "each of the others"
    return f"{who} held {counted(number, 'card')}"
