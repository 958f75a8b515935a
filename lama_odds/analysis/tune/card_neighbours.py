"""A card of rules against its neighbours.

They have another limit in one line, a little lower or higher or *never*, or they lack a line. Each
plays the same fresh games as the card. It is one player among players of the policy that the card
was found against, and one among players of the card itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lama_odds.analysis.tune.card_search import CardSearch, limits_near, one_line_less, with_limit
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.shared.rule_cards import NEVER_LIMIT, CardLanguage, RuleCard

NEAR = (-2, -1, 1, 2)
MOST_MOVES = 5  # from a card to a neighbour that is better
SAME = 0.004  # how far a plainer card may be from a card and still take its place


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
    """A card that differs in one line; line: from 0. others, itself: its company.

    plainer: whether it lacks the line, or has *never* there.
    """

    card: RuleCard
    line: int
    others: Company
    itself: Company
    plainer: bool = False

    @property
    def beats(self) -> bool:
        """Whether it is better in some company."""
        return self.others.beats or self.itself.beats

    @property
    def better(self) -> bool:
        """Whether it is better in some company, and not known to be worse in the other.

        A plainer one is better if it is shown to make no difference.
        """
        both = (self.others.difference, self.itself.difference)
        if self.plainer and all(max(-each.low, each.high) < SAME for each in both):
            return True
        return self.beats and not self.others.loses and not self.itself.loses


def neighbours_of(language: CardLanguage, card: RuleCard) -> list[tuple[int, RuleCard]]:
    """Return the neighbours of a card, each with the line in which it differs."""
    found = [
        (at, with_limit(card, at, limit))
        for at, line in enumerate(card.lines)
        for limit in limits_near(language, line.limit, NEAR)
    ]
    return [*found, *enumerate(one_line_less(card))]


def is_plainer(card: RuleCard, line: int, other: RuleCard) -> bool:
    """Whether a neighbour lacks the line in which it differs from a card, or has *never* there."""
    return len(other.lines) < len(card.lines) or other.lines[line].limit == NEVER_LIMIT


def compared(cards: CardSearch, card: RuleCard, part: int = 0) -> list[Neighbour]:
    """Return the neighbours of a card, compared with it on fresh games; part: see `Search`."""
    near = neighbours_of(cards.language, card)
    policies = [cards.policy(each) for each in (card, *(other for _, other in near))]
    others = companies(cards, policies, part)
    itself = companies(cards, policies, part, among_itself=True)
    both = zip(others[1:], itself[1:], strict=True)
    return [
        Neighbour(other, line, *companies, is_plainer(card, line, other))
        for (line, other), companies in zip(near, both, strict=True)
    ]


def companies(
    cards: CardSearch, policies: Sequence[Policy], part: int, among_itself: bool = False
) -> list[Company]:
    """Return what policies win in one company, the first of them being the card."""
    against = policies[0] if among_itself else None
    return [Company(*each) for each in cards.search.compared(policies, against, part)]


def settled(cards: CardSearch, card: RuleCard) -> tuple[RuleCard, list[Neighbour], int]:
    """Return a card that no neighbour beats, its neighbours, and how many cards were left for it.

    From a card that has a better neighbour, the search goes on to that one, and compares it on
    other fresh games. It goes only once to one that is merely plainer: small losses add up.
    """
    plainer = False
    sign = 1 if cards.search.field.higher else -1
    for moves in range(MOST_MOVES + 1):
        near = compared(cards, card, moves)
        better = [each for each in near if each.beats or not plainer]
        better = [each for each in better if each.better]
        if not better or moves == MOST_MOVES:
            break
        gains = [sign * (n.others.difference.value + n.itself.difference.value) for n in better]
        chosen = better[gains.index(max(gains))]
        card, plainer = chosen.card, plainer or not chosen.beats
    return card, near, moves
