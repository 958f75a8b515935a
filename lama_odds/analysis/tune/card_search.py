"""Cards of rules found by racing: a line more at a time, then each number, then what is left out.

The first card is the best single limit. Each further line is an exception, above any of the others.
All conditions on one thing that a person sees are tried with several limits, then pairs of those
that did well. Then
every number of the card is tried a little lower and higher. Of cards with fewer lines, those that a
longer card leaves when it loses one are candidates too. After each look only the better part of the
candidates stays. That finds a good card, not surely the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lama_odds.analysis.tune.racing import Search
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy
from lama_odds.games.shared.rule_cards import (
    MOST_LINES,
    NEVER_LIMIT,
    CardLanguage,
    Condition,
    Feature,
    Line,
    RuleCard,
)
from lama_odds.statistics.race import BEHIND

STEPS = (-4, -2, -1, 1, 2, 4)  # of a number of a card
MOST_CUTS = 5  # of a feature that are tried first
MOST_TRIED = 8  # limits that are tried first
MISSES = 2  # lines in a row that win nothing, after which no more are tried
PAIRED = 10  # conditions that did well, of which pairs are tried
FEWEST_KEPT, MOST_KEPT = 0.2, 0.8  # of candidates, the share that plays on after a look
WORTH = {"win": 0.002, "points": 0.01}  # of a line: a card does without one that gains less
LARGE = 10**9

Raced = list[tuple[RuleCard, Estimate, str]]


class CardSearch:
    """A search for cards of a language; its races are those of `search`."""

    def __init__(self, search: Search, family: Family, language: CardLanguage) -> None:
        self.search, self.family, self.language = search, family, language

    def policy(self, card: RuleCard) -> Policy:
        """Return a card as a policy."""
        return Policy(self.family, self.language.pack(card))

    def ranked(self, cards: Iterable[RuleCard], what: str) -> list[RuleCard]:
        """Return the candidates of a race, those first that played longest and won most.

        After each look a part of them stays, so that about one is left at the end.
        """
        entered = list(dict.fromkeys(cards))
        if len(entered) == 1:
            return entered
        keep = len(entered) ** (-1 / max(1, self.search.looks))
        self.search.races = max(self.search.races, self.search.raced + 1)
        policies = [self.policy(card) for card in entered]
        outcomes, best = self.search.race(policies, what, min(MOST_KEPT, max(FEWEST_KEPT, keep)))
        sign = 1 if self.search.field.higher else -1
        order = sorted(
            range(len(entered)),
            key=lambda at: (at == best, outcomes[at][0].n, sign * outcomes[at][0].value),
            reverse=True,
        )
        return [entered[at] for at in order]

    def best(self, cards: Iterable[RuleCard], what: str) -> RuleCard:
        """Return the winner of a race."""
        return self.ranked(cards, what)[0]

    def near(self, cards: Iterable[RuleCard]) -> list[RuleCard]:
        """Return the best cards found near some others, such as those of a similar rule set."""
        return [self._with_habits(self._refined(self._refined(card))) for card in cards]

    def by_lines(self, most: int = MOST_LINES) -> list[RuleCard]:
        """Return the best card found with one line, with two, and so on, while that wins more."""
        card = RuleCard((Line(0),))
        limits = (NEVER_LIMIT, *range(self.language.least, self.language.most + 1))
        card = self.best([with_limit(card, 0, limit) for limit in limits], "limits")
        card = self._with_habits(card)
        return self.longer([self._refined(card)], most)

    def longer(self, cards: Sequence[RuleCard], most: int = MOST_LINES) -> list[RuleCard]:
        """Return cards by lines, and those with further lines, while that wins more.

        A line that wins nothing may prepare for another, so the search goes on to that one.
        """
        by_lines, card = list(cards), cards[-1]
        for lines in range(len(by_lines) + 1, most + 1):
            longer = self._one_line_more(by_lines[-1])
            if len(longer.lines) < lines:
                break
            longer = self._with_habits(self._refined(self._refined(longer)))
            by_lines[-1] = self.best([by_lines[-1], *one_line_less(longer)], f"{lines - 1} lines")
            by_lines.append(longer)
            card = self.best([card, by_lines[-2], longer], f"at most {lines} lines")
            if len(card.lines) <= lines - MISSES:
                break
        return by_lines[: len(card.lines)]

    def _one_line_more(self, card: RuleCard) -> RuleCard:
        """Return a card with one line more; the card itself if none is better."""
        what = f"line {len(card.lines) + 1}"
        good: dict[tuple[int, tuple[Condition, ...]], RuleCard] = {}
        single = [(condition,) for condition in conditions_of(self.language)]
        for place in range(len(card.lines)):
            ranked = self.ranked(
                [card, *with_exceptions(self.language, card, single, place)],
                f"{what} as line {place + 1}",
            )
            for candidate in ranked[: PAIRED + 1]:
                if candidate is not card:
                    good.setdefault((place, candidate.lines[place].conditions), candidate)
        pairs = [
            (place, tuple(sorted((one, other), key=lambda condition: condition.feature)))
            for (place, (one,)), (at, (other,)) in combinations(good, 2)
            if place == at and one.feature != other.feature
        ]
        longer = [
            candidate
            for place, pair in pairs
            for candidate in with_exceptions(self.language, card, [pair], place)
        ]
        return self.best([card, *good.values(), *longer], f"{what}, two conditions")

    def chosen(self, cards: Sequence[RuleCard], worth: float) -> tuple[RuleCard, Raced]:
        """Return the shortest card within `worth` of the best, and the race that says so."""
        self.search.races = max(self.search.races, self.search.raced + 1)
        outcomes, best = self.search.race([self.policy(card) for card in cards], "lines")
        raced = [(card, *outcome) for card, outcome in zip(cards, outcomes, strict=True)]
        sign = 1 if self.search.field.higher else -1
        least = sign * outcomes[best][0].value - worth
        good = (c for c, value, state in raced if state != BEHIND and sign * value.value >= least)
        return min(good, key=lambda card: len(card.lines)), raced

    def _with_habits(self, card: RuleCard) -> RuleCard:
        """Return a card with the best habits, group by group."""
        names = list(self.language.habits)
        grouped = [tuple(names.index(name) for name in group) for group in self.language.groups]
        single = [(at,) for at in range(len(names)) if not any(at in group for group in grouped)]
        for group in (*grouped, *single):
            others = tuple(at for at in card.habits if at not in group)
            tried = [others, *(tuple(sorted((*others, at))) for at in group)]
            other = self.best([replace(card, habits=habits) for habits in tried], "habits")
            card = self.best([card, other], "habits again")
        return card

    def _refined(self, card: RuleCard) -> RuleCard:
        """Return a card with each of its numbers as good as it gets, one after the other."""
        for number in range(LARGE):
            nearby = numbers_near(self.language, card)
            if number >= len(nearby):
                break
            what = f"number {number + 1} of {len(nearby)}"
            other = self.best([card, *nearby[number]], what)
            card = self.best([card, other], f"{what} again")  # it may have won by chance
        return card


def with_line(card: RuleCard, at: int, line: Line) -> RuleCard:
    """Return a card with another line in a place."""
    return replace(card, lines=(*card.lines[:at], line, *card.lines[at + 1 :]))


def with_limit(card: RuleCard, at: int, limit: int) -> RuleCard:
    """Return a card with another limit in a line."""
    return with_line(card, at, replace(card.lines[at], limit=limit))


def with_exceptions(
    language: CardLanguage,
    card: RuleCard,
    conditions: Iterable[tuple[Condition, ...]],
    place: int = 0,
) -> Iterator[RuleCard]:
    """Yield a card with a further line in a place: all limits tried for each of some conditions."""
    for wanted in conditions:
        for limit in (NEVER_LIMIT, *limits_tried(language)):
            line = Line(limit, wanted)
            yield replace(card, lines=(*card.lines[:place], line, *card.lines[place:]))


def one_line_less(card: RuleCard) -> list[RuleCard]:
    """Return a card without each of its lines; the last one stays."""
    return [
        replace(card, lines=card.lines[:at] + card.lines[at + 1 :])
        for at in range(len(card.lines) - 1)
    ]


def conditions_of(language: CardLanguage) -> Iterator[Condition]:
    """Yield the conditions that are tried first: up to a cut, and above it."""
    for at, feature in enumerate(language.features):
        for cut in feature.cuts or spread(feature.low, feature.high - 1, MOST_CUTS):
            yield Condition(at, feature.low, cut)
            yield Condition(at, cut + 1, feature.high)


def limits_tried(language: CardLanguage) -> tuple[int, ...]:
    """Return the limits that are tried first, besides `never`."""
    return language.tried or spread(language.least, language.most, MOST_TRIED)


def spread(low: int, high: int, most: int) -> tuple[int, ...]:
    """Return at most this many numbers, evenly from the lowest to the highest."""
    count = min(most, high - low + 1)
    return tuple(low + (high - low) * at // max(1, count - 1) for at in range(count))


def numbers_near(language: CardLanguage, card: RuleCard) -> list[list[RuleCard]]:
    """Return, for each number of a card, the cards with it a little lower and higher.

    A limit is tried with `never` too, and `never` with the limits that are tried first.
    """
    groups = []
    for at, line in enumerate(card.lines):
        limits = limits_near(language, line.limit, STEPS)
        groups.append([with_limit(card, at, limit) for limit in limits])
        for place, condition in enumerate(line.conditions):
            feature = language.features[condition.feature]
            for bounds in bounds_near(feature, condition):
                changed = [
                    (*line.conditions[:place], other, *line.conditions[place + 1 :])
                    for other in bounds
                ]
                groups.append([with_line(card, at, replace(line, conditions=c)) for c in changed])
    return groups


def limits_near(language: CardLanguage, limit: int, steps: Sequence[int]) -> list[int]:
    """Return limits some steps from one, as far as there are such, and `never`.

    Near `never` are those that are tried first.
    """
    if limit == NEVER_LIMIT:
        return list(limits_tried(language))
    near = [limit + step for step in steps if language.least <= limit + step <= language.most]
    return [NEVER_LIMIT, *near]


def bounds_near(feature: Feature, condition: Condition) -> list[list[Condition]]:
    """Return, for each bound of a condition that excludes something, others near it."""
    groups = []
    if condition.low > feature.low:
        groups.append([replace(condition, low=condition.low + step) for step in STEPS])
    if condition.high < feature.high:
        groups.append([replace(condition, high=condition.high + step) for step in STEPS])
    return [[other for other in near if _can_be(feature, other)] for near in groups]


def _can_be(feature: Feature, condition: Condition) -> bool:
    """Whether a condition can be written: its bounds are in order and exclude something."""
    inside = feature.low <= condition.low <= condition.high <= feature.high
    return inside and (condition.low, condition.high) != (feature.low, feature.high)


# A card of rules against its neighbours.
#
# They have another limit in one line, a little lower or higher or *never*, or they lack a line.
# Each plays the same fresh games as the card. It is one player among players of the policy that the
# card was found against, and one among players of the card itself.

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
        if self.plainer and all(max(-e.low, e.high) < SAME for e in both):
            return True
        return self.beats and not self.others.loses and not self.itself.loses


def neighbours_of(language: CardLanguage, card: RuleCard) -> list[tuple[int, RuleCard]]:
    """Return the neighbours of a card, each with the line in which it differs."""
    neighbours = [
        (at, with_limit(card, at, limit))
        for at, line in enumerate(card.lines)
        for limit in limits_near(language, line.limit, NEAR)
    ]
    return [*neighbours, *enumerate(one_line_less(card))]


def compared(cards: CardSearch, card: RuleCard, part: int = 0) -> list[Neighbour]:
    """Return the neighbours of a card, compared with it on fresh games; part: see `Search`."""
    near = neighbours_of(cards.language, card)
    policies = [cards.policy(candidate) for candidate in (card, *(other for _, other in near))]
    others = companies(cards, policies, part)
    itself = companies(cards, policies, part, among_itself=True)
    both = zip(others[1:], itself[1:], strict=True)
    neighbours = []
    for (line, other), company in zip(near, both, strict=True):
        plainer = len(other.lines) < len(card.lines) or other.lines[line].limit == NEVER_LIMIT
        neighbours.append(Neighbour(other, line, *company, plainer))
    return neighbours


def companies(
    cards: CardSearch, policies: Sequence[Policy], part: int, among_itself: bool = False
) -> list[Company]:
    """Return what policies win in one company, the first of them being the card."""
    against = policies[0] if among_itself else None
    return [Company(*pair) for pair in cards.search.compared(policies, against, part)]


def settled(cards: CardSearch, card: RuleCard) -> tuple[RuleCard, list[Neighbour], int]:
    """Return a card that no neighbour beats, its neighbours, and how many cards were left for it.

    From a card that has a better neighbour, the search goes on to that one, and compares it on
    other fresh games. It goes only once to one that is merely plainer: small losses add up.
    """
    plainer = False
    sign = 1 if cards.search.field.higher else -1
    for moves in range(MOST_MOVES + 1):
        near = compared(cards, card, moves)
        better = [neighbour for neighbour in near if neighbour.beats or not plainer]
        better = [neighbour for neighbour in better if neighbour.better]
        if not better or moves == MOST_MOVES:
            break
        gains = [sign * (n.others.difference.value + n.itself.difference.value) for n in better]
        chosen = better[gains.index(max(gains))]
        card, plainer = chosen.card, plainer or not chosen.beats
    return card, near, moves
