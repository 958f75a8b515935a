"""A card of rules against its neighbours: each limit a little lower and higher, and never.

Each neighbour plays the same fresh games as the card, as one player among players of the policy
that the card was found against, and as one among players of the card itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.tune.card_search import CardSearch, limits_near, with_limit
from lama_odds.core.estimate import Estimate
from lama_odds.games.shared.rule_cards import NEVER_LIMIT, CardLanguage, RuleCard

NEAR = (-2, -1, 1, 2)
MOST_MOVES = 8  # from a card to a neighbour that beats it


@dataclass(frozen=True)
class Company:
    """A policy among others of one kind: what it wins, and how much more than the card does."""

    value: Estimate
    difference: Estimate

    @property
    def beats(self) -> bool:
        """Whether it wins more than the card beyond the interval."""
        return self.difference.low > 0

    @property
    def loses(self) -> bool:
        """Whether it wins less than the card beyond the interval."""
        return self.difference.high < 0


@dataclass(frozen=True)
class Neighbour:
    """A card with another limit in one line; line: from 0. others, itself: its company."""

    card: RuleCard
    line: int
    others: Company
    itself: Company

    @property
    def limit(self) -> int:
        """Return the limit in which it differs."""
        return self.card.lines[self.line].limit

    @property
    def beats(self) -> bool:
        """Whether it is better in some company."""
        return self.others.beats or self.itself.beats

    @property
    def better(self) -> bool:
        """Whether it is better in some company, and not known to be worse in the other."""
        return self.beats and not self.others.loses and not self.itself.loses

    def to_json(self, name: str) -> dict[str, Any]:
        """Return plain values; name: of the neighbour as a policy."""
        found: dict[str, Any] = {"policy": name, "line": self.line, "limit": self.limit}
        for company, seen in (("among best", self.others), ("among itself", self.itself)):
            found[company] = seen.value.to_json()
            found[f"{company}, more than the card"] = seen.difference.to_json()
        return found


def neighbours_of(language: CardLanguage, card: RuleCard) -> list[tuple[int, RuleCard]]:
    """Return the neighbours of a card, each with the line in which it differs."""
    return [
        (at, with_limit(card, at, limit))
        for at, line in enumerate(card.lines)
        if line.limit != NEVER_LIMIT
        for limit in limits_near(language, line.limit, NEAR)
    ]


def compared(cards: CardSearch, card: RuleCard, part: int = 0) -> tuple[Estimate, list[Neighbour]]:
    """Return what a card wins on fresh games, and its neighbours on the same.

    part: see `Search.compared`.
    """
    near = neighbours_of(cards.language, card)
    policies = [cards.policy(each) for each in (card, *(other for _, other in near))]
    others = companies(cards, policies, part)
    itself = companies(cards, policies, part, among_itself=True)
    found = [
        Neighbour(other, line, *both)
        for (line, other), both in zip(near, zip(others[1:], itself[1:], strict=True), strict=True)
    ]
    return others[0].value, found


def companies(
    cards: CardSearch, policies: Sequence[Any], part: int, among_itself: bool = False
) -> list[Company]:
    """Return what policies win in one company, the first of them being the card."""
    against = policies[0] if among_itself else None
    return [Company(*each) for each in cards.search.compared(policies, against, part)]


def settled(cards: CardSearch, card: RuleCard) -> tuple[RuleCard, Estimate, list[Neighbour], int]:
    """Return a card that no better neighbour has, what it wins, its neighbours, and the part.

    From a card that a neighbour beats, the search goes on to that neighbour, each time on other
    fresh games. So what is returned comes from games that chose nothing but to stay.
    """
    for part in range(MOST_MOVES + 1):
        value, near = compared(cards, card, part)
        better = [each for each in near if each.better]
        if not better or part == MOST_MOVES:
            break
        sign = 1 if cards.search.field.higher else -1
        card = max(
            better, key=lambda n: sign * (n.others.difference.value + n.itself.difference.value)
        ).card
    return card, value, near, part
