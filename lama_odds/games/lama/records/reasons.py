"""Why an action is best in the card games: what follows it, and what would turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.core.language import later, say_count
from lama_odds.games.interface.reasons import (
    LESS,
    Change,
    Changed,
    Contrast,
    Gap,
    Reasons,
)
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.shared.reasons import (
    OF_QUITTING,
    OF_YOURS,
    all_quit,
    edited,
    nearest,
    others_held,
    without_scores,
)

USUAL_CARDS = 4  # of another player, if you do not look
MOST_CARDS = 8  # that each of the others holds, in a change
PILES = (5, 10, 20, 30)
_MANY = 10  # points of a round that are many


def reasons(rules: LamaRules) -> Reasons:
    """Return the patterns of a rule set."""
    many = "|".join(f"penalty {points}" for points in range(_MANY, rules.most_points + 1))
    return Reasons(
        (
            *OF_QUITTING,
            Contrast(
                "ten or more",
                (Gap(many, LESS, 0.04),),
                later(
                    "You end with ten points or more {best0} if you {best}, and {other0} if you "
                    "{other}."
                ),
            ),
        ),
        (
            Change("others' cards fewer", lambda _, position: fewer_cards(position)),
            Change("others' cards more", lambda _, position: more_cards(position)),
            *OF_YOURS,
            Change("the next player's cards", lambda _, position: next_cards(position)),
            Change("the pile", lambda _, position: pile_changes(position)),
            Change("others quit", lambda _, position: others_quit(position)),
        ),
        ("quit",),
        ignored={
            later("the others' cards"): lambda _, position: usual_cards(position),
            later("the scores"): lambda _, position: without_scores(position),
        },
    )


def fewer_cards(position: Position) -> Iterator[Changed]:
    """Yield positions in which each of the others holds fewer cards."""
    yield from _others_hold(position, -1)


def more_cards(position: Position) -> Iterator[Changed]:
    """Yield positions in which each of the others holds more cards."""
    yield from _others_hold(position, +1)


def _others_hold(position: Position, sign: int) -> Iterator[Changed]:
    inside = [other.cards for other in position.opponents if not other.quit]
    if not inside:
        return
    bound = min(inside) if sign < 0 else max(inside)
    numbers = range(bound - 1, 0, -1) if sign < 0 else range(bound + 1, MOST_CARDS + 1)
    for number in numbers:
        held = ",".join(
            other.format() if other.quit else str(number) for other in position.opponents
        )
        yield Changed(_held(number, position), edited(position, opp=held))


def _held(number: int, position: Position) -> str:
    """That the others still in the round hold a number of cards."""
    alone = sum(not other.quit for other in position.opponents) == 1
    return others_held(number, 2 if alone else position.players)


def next_cards(position: Position) -> Iterator[Changed]:
    """Yield positions in which the player to your left holds another number of cards."""
    first, *rest = position.opponents
    if first.quit or not any(not other.quit for other in rest):
        return
    held = [other.format() for other in rest]
    for number in nearest(first.cards, range(1, MOST_CARDS + 1)):
        when = say_count(
            "the player to your left held {n} card",
            "the player to your left held {n} cards",
            number,
        )
        yield Changed(when, edited(position, opp=",".join([str(number), *held])))


def pile_changes(position: Position) -> Iterator[Changed]:
    """Yield positions with another number of cards to draw, where it is known."""
    if position.pile is None:
        return
    for number in nearest(position.pile, (0, *PILES)):
        when = say_count(
            "{n} cards were left to draw, not {now}",
            "{n} cards were left to draw, not {now}",
            number,
            now=position.pile,
        )
        yield Changed(when, edited(position, pile=str(number)))


def others_quit(position: Position) -> Iterator[Changed]:
    """Yield the position in which all the others have quit."""
    if all(other.quit for other in position.opponents):
        return
    held = ",".join(f"q{other.cards}" for other in position.opponents)
    yield Changed(all_quit(position.players - 1), edited(position, opp=held))


def usual_cards(position: Position) -> str | None:
    """Return the position as you see it if you do not look at the others' cards."""
    if all(other.quit for other in position.opponents):
        return None
    held = [other.format() if other.quit else str(USUAL_CARDS) for other in position.opponents]
    return edited(position, opp=",".join(held))
