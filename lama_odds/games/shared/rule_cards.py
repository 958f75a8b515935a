"""Policies that fit on a card: a few lines that say how far to go, written and read exactly.

A card is a decision list. Each line has up to `MOST_CONDITIONS` conditions on what a person sees,
and a limit; the first line whose conditions all hold counts. The last one has no conditions. Habits
come before the lines: words for what a player always does. A card is written without anything that
a shell or a list of policies would read: ``same/fewest=1..2:9/own=30..:never/4``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import CARD, Family, Policy
from lama_odds.core.wording import capital, counted
from lama_odds.jit import inlined

MOST_LINES = 5
MOST_CONDITIONS = 2
NEVER = "never"
# A row of a card for kernels: the limit, then feature, lowest and highest of each condition.
LIMIT = 0
CONDITIONS = 1
FIELDS = CONDITIONS + 3 * MOST_CONDITIONS
NO_FEATURE = -1
NEVER_LIMIT = -1  # as a limit: no value is as low as this
_BITS = 8  # of each field of a row in a parameter
_OPEN = 255  # a bound that is not there


@dataclass(frozen=True)
class Feature:
    """Something that a person sees: its name, and the lowest and highest number it can be.

    cuts: a search first tries conditions up to one of these, and above it; default: spread evenly.
    noun: what is counted, for one of it. said: a condition in words, with {amount}. told: the same
    for some bounds that read better otherwise, with {low} and {high}.
    """

    name: str
    low: int
    high: int
    meaning: str
    cuts: tuple[int, ...] = ()
    noun: str = ""
    said: str = "{amount}"
    told: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def in_words(self, low: int, high: int) -> str:
        """Return in words that it is between two numbers."""
        if (low, high) in self.told:
            return say(self.told[low, high], low=low, high=high)
        return say(self.said, amount=self._amount(low, high))

    def _amount(self, low: int, high: int) -> str:
        if low == high:
            return counted(low, self.noun)
        if low == self.low:
            fewest = counted(high, self.noun)
            if self.noun:
                return say("{amount} or fewer", amount=fewest)
            return say("{amount} or less", amount=fewest)
        if high == self.high:
            return say("{amount} or more", amount=counted(low, self.noun))
        return say("{low} to {high}", low=low, high=counted(high, self.noun))


@dataclass(frozen=True)
class Condition:
    """A feature, by its place among the features of the game, between two numbers."""

    feature: int
    low: int
    high: int


@dataclass(frozen=True)
class Line:
    """How far to go if all conditions hold; limit: NEVER_LIMIT for never."""

    limit: int
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class RuleCard:
    """What a card says. habits: places of habits, ascending; lines: the last has no conditions."""

    lines: tuple[Line, ...]
    habits: tuple[int, ...] = ()

    @property
    def bits(self) -> int:
        """The habits, a bit for each."""
        return sum(1 << habit for habit in self.habits)


@dataclass(frozen=True)
class CardLanguage:
    """What cards of a game can speak of: features, habits, and limits from 0 to `most`.

    habits: name -> a sentence. Habits of one group exclude each other: see `groups`.
    deed: what a player does up to a limit, or from there, with {amount}; noun: what it counts.
    never, always, lowest: what a player does for NEVER_LIMIT, for `most`, and up to `least`.
    least: the lowest limit that a search tries. tried: those that it tries first, beside `never`;
    default: spread evenly.
    """

    features: tuple[Feature, ...]
    most: int
    habits: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()
    least: int = 0
    tried: tuple[int, ...] = ()
    deed: str = later("quit with up to {amount}")
    noun: str = "point"
    never: str = later("never quit")
    always: str = ""
    lowest: str = ""

    @property
    def usage(self) -> str:
        """Return how a card is written, in short."""
        return "LINE/…/LIMIT"

    @property
    def allowed(self) -> str:
        """Return what a card can contain, in words."""
        seen = ", ".join(f"`{f.name}={f.low}..{f.high}`" for f in self.features)
        habits = f". First habits: {', '.join(self.habits)}" if self.habits else ""
        return (
            f"up to {MOST_LINES} lines with a slash between, each `NAME=LOW..HIGH:LIMIT`. The last "
            f"is a limit alone (0 to {self.most}, or {NEVER}). Names and their bounds: "
            f"{seen}{habits}"
        )

    # --- text ---------------------------------------------------------------------------------

    def read(self, part: Part) -> int:
        """Return the parameter of a written card. Raises ReadError at the place of a fault."""
        pieces = part.split("/")
        names = list(self.habits)
        habits: list[int] = []
        while pieces and pieces[0].text in self.habits:
            habit = names.index(pieces[0].text)
            if habit in habits or any(self._exclude(habit, other) for other in habits):
                raise pieces[0].fail("each habit once, and none that excludes another", what="card")
            habits.append(habit)
            pieces = pieces[1:]
        if not pieces:
            raise part.fail(f"a limit from 0 to {self.most}, or {NEVER}", len(part.text), "card")
        if len(pieces) > MOST_LINES:
            raise pieces[MOST_LINES].fail(f"at most {MOST_LINES} lines", what="card")
        lines = [self._line(piece, last=piece is pieces[-1]) for piece in pieces]
        return self.pack(RuleCard(tuple(lines), tuple(sorted(habits))))

    def _exclude(self, one: int, other: int) -> bool:
        names = list(self.habits)
        return any(names[one] in group and names[other] in group for group in self.groups)

    def _line(self, part: Part, last: bool) -> Line:
        before, colon, after = part.text.rpartition(":")
        limit = Part(part.whole, after, part.at + len(before) + len(colon)).strip()
        if bool(colon) == last:
            wanted = "a limit without conditions as the last line" if last else "NAME=LOW..HIGH:"
            raise part.fail(wanted, what="card")
        pieces = Part(part.whole, before, part.at).split("+") if colon else []
        if len(pieces) > MOST_CONDITIONS:
            raise pieces[MOST_CONDITIONS].fail(f"{MOST_CONDITIONS} conditions at most", what="card")
        conditions = tuple(sorted((self._condition(p) for p in pieces), key=lambda c: c.feature))
        if len({condition.feature for condition in conditions}) < len(conditions):
            raise part.fail("each name once in a line", what="card")
        return Line(self._limit(limit), conditions)

    def _limit(self, part: Part) -> int:
        if part.text == NEVER:
            return NEVER_LIMIT
        digits = part.text.isascii() and part.text.isdecimal() and len(part.text) <= 3
        value = int(part.text) if digits else -1
        if not 0 <= value <= self.most:
            raise part.fail(f"a limit from 0 to {self.most}, or {NEVER}", what="card")
        return value

    def _condition(self, part: Part) -> Condition:
        name, equals, bounds = part.text.partition("=")
        known = {candidate.name: at for at, candidate in enumerate(self.features)}
        if name not in known or not equals:
            expected = f"one of {', '.join(f'{candidate}=' for candidate in known)}"
            raise ReadError(
                f"cannot read in card: found {part.text!r}, expected {expected}",
                part.whole,
                part.at,
                near_names(name, known),
            )
        feature = self.features[known[name]]
        at = part.at + len(name) + 1
        low, dots, high = bounds.partition("..")
        first = self._bound(Part(part.whole, low, at), feature, feature.low if dots else None)
        if not dots:
            return Condition(known[name], first, first)
        last = self._bound(Part(part.whole, high, at + len(low) + 2), feature, feature.high)
        if first > last:
            raise Part(part.whole, bounds, at).fail("the lower number first", what="card")
        if (first, last) == (feature.low, feature.high):
            raise Part(part.whole, bounds, at).fail("bounds that exclude something", what="card")
        return Condition(known[name], first, last)

    def _bound(self, part: Part, feature: Feature, missing: int | None) -> int:
        """Return a bound; missing: what it is if nothing is written."""
        if not part.text and missing is not None:
            return missing
        value = part.integer("card")
        if not feature.low <= value <= feature.high:
            raise part.fail(f"{feature.low} to {feature.high}", what=f"card, {feature.name}")
        return value

    def write(self, parameter: int) -> str:
        """Return the text of a card: the inverse of `read`."""
        card = self.unpack(parameter)
        names = list(self.habits)
        return "/".join([names[at] for at in card.habits] + [self._written(x) for x in card.lines])

    def _written(self, line: Line) -> str:
        limit = NEVER if line.limit == NEVER_LIMIT else str(line.limit)
        conditions = "+".join(self._bounds(condition) for condition in line.conditions)
        return f"{conditions}:{limit}" if conditions else limit

    def _bounds(self, condition: Condition) -> str:
        feature = self.features[condition.feature]
        low, high = condition.low, condition.high
        if low == high:
            return f"{feature.name}={low}"
        shown_low = "" if low == feature.low else str(low)
        shown_high = "" if high == feature.high else str(high)
        return f"{feature.name}={shown_low}..{shown_high}"

    def in_words(self, card: RuleCard) -> list[str]:
        """Return a card as sentences: its lines in their order, then its habits."""
        lines = []
        for line in card.lines:
            deed = self._deed(line.limit)
            wanted = say(" and ").join(
                self.features[condition.feature].in_words(condition.low, condition.high)
                for condition in line.conditions
            )
            if wanted:
                sentence = say("if {conditions}, {deed}.", conditions=wanted, deed=deed)
            elif len(card.lines) > 1:
                sentence = say("otherwise, {deed}.", deed=deed)
            else:
                sentence = f"{deed}."
            lines.append(capital(sentence))
        sentences = list(self.habits.values())
        return [*lines, *(say(sentences[at]) for at in card.habits)]

    def _deed(self, limit: int) -> str:
        if limit == NEVER_LIMIT:
            return say(self.never)
        if limit == self.most and self.always:
            return say(self.always)
        if limit <= self.least and self.lowest:
            return say(self.lowest)
        return say(self.deed, amount=counted(limit, self.noun))

    # --- numbers ------------------------------------------------------------------------------

    def pack(self, card: RuleCard) -> int:
        """Return a card as one whole number of any size."""
        fields = [len(card.lines), card.bits]
        for row in rows_of(card)[: len(card.lines)].tolist():
            fields += [value & 0xFF for value in row]
        return sum(value << _BITS * at for at, value in enumerate(fields))

    def unpack(self, parameter: int) -> RuleCard:
        """Return the card of a number: the inverse of `pack`."""
        count, habits = parameter & 0xFF, parameter >> _BITS & 0xFF
        lines = []
        for line in range(count):
            shift = _BITS * (2 + FIELDS * line)
            row = [parameter >> shift + _BITS * at & 0xFF for at in range(FIELDS)]
            values = [value - 256 if value == _OPEN else value for value in row]
            triples = (values[at : at + 3] for at in range(CONDITIONS, FIELDS, 3))
            conditions = tuple(Condition(*triple) for triple in triples if triple[0] != NO_FEATURE)
            lines.append(Line(values[LIMIT], conditions))
        return RuleCard(
            tuple(lines), tuple(at for at in range(len(self.habits)) if habits >> at & 1)
        )


def family_of(language: CardLanguage, code: int, plays: str) -> Family:
    """Return the family of the cards of a game.

    code: its number in compiled functions. plays: how cards are played there, in words.
    """
    return Family(
        CARD,
        code,
        f"plays by rules that fit on a card. {plays}",
        language.usage,
        allowed=language.allowed,
        read=language.read,
        write=language.write,
        brief="rules on a card",
    )


def language_of(family: Family) -> CardLanguage | None:
    """Return what cards of a family can speak of; None for a family of other policies."""
    owner = getattr(family.read, "__self__", None)
    return owner if isinstance(owner, CardLanguage) else None


def card_in(policy: Policy) -> tuple[CardLanguage, RuleCard]:
    """Return the language and the card of a policy that is one."""
    language = language_of(policy.family)
    assert language is not None
    return language, language.unpack(policy.parameter)


def parameters_of(policies: Sequence[Policy]) -> list[int]:
    """Return the parameter of each card among some policies: the order of their blocks."""
    return sorted({policy.parameter for policy in policies if policy.family.name == CARD})


def rows_of(card: RuleCard) -> np.ndarray:
    """Return int64[MOST_LINES, FIELDS]: the lines for kernels; rows beyond the last never count."""
    rows = np.full((MOST_LINES, FIELDS), NO_FEATURE, dtype=np.int64)
    for at, line in enumerate(card.lines):
        rows[at, LIMIT] = line.limit
        for place, condition in enumerate(line.conditions):
            start = CONDITIONS + 3 * place
            rows[at, start : start + 3] = condition.feature, condition.low, condition.high
    return rows


def blocks_of(
    language: CardLanguage,
    policies: Sequence[Policy],
    numbers: Callable[[RuleCard], Sequence[int]] | None = None,
) -> np.ndarray | None:
    """Return int64[cards, rows, FIELDS] for kernels; None if no policy is a card.

    The rows are MOST_LINES lines. numbers: of a card, what a further row has, at most FIELDS.
    """
    cards = [language.unpack(parameter) for parameter in parameters_of(policies)]
    if not cards:
        return None
    blocks = np.stack([rows_of(card) for card in cards])
    if numbers is None:
        return blocks
    more = np.zeros((len(cards), 1, FIELDS), dtype=np.int64)
    for at, card in enumerate(cards):
        row = numbers(card)
        more[at, 0, : len(row)] = row
    return np.concatenate([blocks, more], axis=1)


@inlined
def limit_of(cards, block, seen, at):
    """Return the limit of a card; seen[at + feature]: what its player sees, by feature."""
    for line in range(MOST_LINES):
        holds = True
        for place in range(MOST_CONDITIONS):
            start = CONDITIONS + 3 * place
            feature = cards[block, line, start]
            if feature >= 0:
                value = seen[at + feature]
                holds = holds and cards[block, line, start + 1] <= value
                holds = holds and value <= cards[block, line, start + 2]
        if holds:
            return cards[block, line, LIMIT]
    return np.int64(NEVER_LIMIT)


# What cards of rules speak of in rounds that cost points: L.A.M.A. and Lama Dice alike.

POINTS, HAND = "point", "card"
MOST_OTHERS = 5
FEWER = later("another player holds {high} cards or fewer")
NO_FEWER = later("no other holds fewer than {low} cards")
AT_MOST = later("at most {high} others have not quit")


def fewest(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return the fewest cards of another player still in."""
    return Feature(
        *("fewest", 1, most, "fewest cards of another player still in", cuts),
        noun=HAND,
        said=later("of the others still in, the one with the fewest cards has {amount}"),
        told={
            (1, 1): later("another player holds one card"),
            (1, 2): later("another player holds one or two cards"),
            **{(1, high): FEWER for high in range(3, most)},
            **{(low, most): NO_FEWER for low in range(2, most)},
        },
    )


def others(cuts: tuple[int, ...] = ()) -> Feature:
    """Return the number of other players still in."""
    return Feature(
        *("others", 0, MOST_OTHERS, "other players still in", cuts),
        said=later("{amount} others have not quit"),
        told={
            (0, 0): later("all others have quit"),
            (1, 1): later("one other has not quit"),
            (1, MOST_OTHERS): later("others have not quit"),
            (0, 1): later("at most one other has not quit"),
            **{(0, most): AT_MOST for most in range(2, MOST_OTHERS)},
        },
    )


def cards(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return the number of your cards."""
    return Feature(
        *("cards", 1, most, "your cards", cuts), noun=HAND, said=later("you hold {amount}")
    )


def score(most: int) -> Feature:
    """Return your score."""
    return Feature(
        *("score", 0, most, "your score", (9, 19, 29)), said=later("your score is {amount}")
    )


def ahead(most: int) -> Feature:
    """Return by how much the others' lowest score is higher than yours."""
    return Feature(
        *("ahead", 0, most, "points by which the others' lowest score is higher", (0, 4, 9)),
        noun=POINTS,
        said=later("your score is ahead by {amount}"),
        told={(0, 0): later("your score is not ahead"), (1, most): later("your score is ahead")},
    )


def behind(most: int) -> Feature:
    """Return by how much it is lower."""
    return Feature(
        *("behind", 0, most, "points by which it is lower", (0, 4, 9)),
        noun=POINTS,
        said=later("your score is behind by {amount}"),
        told={(0, 0): later("your score is not behind"), (1, most): later("your score is behind")},
    )


def total(most: int, cuts: tuple[int, ...]) -> Feature:
    """Return your score with the points in your hand."""
    return Feature(
        *("total", 0, most, "your score with the points in hand", cuts),
        said=later("your score and your cards together make {amount}"),
    )
