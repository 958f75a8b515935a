"""The differences between editions that are studied, and what is measured of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lama_odds.analysis.strategy_report.document import Dot
from lama_odds.core.estimate import Estimate
from tools.publishing.studies.telling_apart import GAMES, Needed, Spread, named_right, needed

HUNDRED, TEN = 100, 10  # evenings
SURELY, PERHAPS, SURELY_NOT = "surely", "perhaps", "surely not"


@dataclass(frozen=True)
class Difference:
    """A difference between editions. name: short; what: of the rules; file: of the comparison."""

    name: str
    what: str
    file: str
    against: str
    rules: str


def _cards(name: str, what: str, file: str, rules: str, against: str = "egmont") -> Difference:
    return Difference(name, what, file, f"lama/{against}", f"lama/{rules}")


def _dice(name: str, what: str, file: str, rules: str) -> Difference:
    return Difference(name, what, f"dice_{file}", "dice/amigo", f"dice/{rules}")


PARTY = "party+drama"
DIFFERENCES = (
    _cards("L.A.M.A. of Amigo", "8 llamas, the last to act starts", "lama_llamas", "amigo"),
    _cards("8 llamas", "one llama more", "lama_llamas", "egmont+llamas=8"),
    _cards("starter", "the last to act starts", "lama_starter", "egmont+starter=last_actor"),
    _cards("every llama costs", "three llamas cost 30", "lama_llama_each", "egmont+llama_each"),
    _cards("Lama 20", "tokens of 20", "lama_twenty", "egmont+twenty"),
    _cards("Lama Drama", "llamas fill a pot", "lama_drama", "egmont+drama"),
    _cards("Lama Party", "plus cards, a pink llama", "lama_party", "party"),
    _cards(
        "pink adds", "pink and other llamas cost", "party_pink_adds", "party+pink_adds", "party"
    ),
    _cards(
        "pink without drama",
        "the pink llama fills no pot",
        "party_pink_drama",
        f"{PARTY}+pink_drama=off",
        PARTY,
    ),
    _dice("dice, Polish", "an empty row does not end a round", "editions", "egmont"),
    _dice("dice, French", "the same rules", "editions", "gigamic"),
    _dice("three llamas alone", "they can be blown", "safe_alone", "amigo+llama_safe_alone=off"),
    _dice("dice, tokens of 20", "tokens of 20", "twenty", "amigo+twenty"),
)


def soonest(found: Needed) -> float:
    """Evenings to sort by: no number of them is last."""
    return float("inf") if found.value is None else found.value


@dataclass(frozen=True)
class Changed:
    """A measure of two editions. of_round: noted every round; differing: blocks of games."""

    measure: str
    unit: str
    old: Estimate
    new: Estimate
    difference: Estimate
    spread: Spread
    of_round: bool
    differing: int
    verdict: str

    @property
    def share(self) -> bool:
        """Whether it is a chance."""
        return self.unit.startswith("of ")

    @property
    def largest(self) -> float:
        """The most that a game may change where none was seen to."""
        return 1.0 if self.share else abs(self.old.value) + 3 * self.spread.old

    @property
    def name(self) -> str:
        """In words; seats count from 1."""
        if self.measure.startswith("win seat "):
            return f"wins of player {int(self.measure.split()[-1]) + 1}"
        known = {"length": "actions per game", "actions": "actions per round"}
        known |= {"penalty": "points per round", "rounds": "rounds per game"}
        known |= {"shared": "shared wins", "went_out": "rounds in which a player goes out"}
        known |= {"blown": "rounds that are blown", "spread": "spread of the final scores"}
        return known.get(self.measure, self.measure)

    def notes(self, rounds: float) -> float:
        """Notes per evening. rounds: of a game."""
        return GAMES * (rounds if self.of_round else 1.0)

    def evenings(self, rounds: float) -> Needed:
        """Evenings until a watcher who notes this can tell."""
        each = self.notes(rounds)
        return Needed(*(n and n / each for n in needed(self.difference, self.spread)))

    def right_after(self, evenings: float, rounds: float, name: str) -> Dot:
        """How often the watcher names the right edition, with its interval."""
        notes = evenings * self.notes(rounds)
        d = self.difference
        sizes = sorted((abs(d.low), abs(d.high)))
        least = 0.0 if d.low <= 0 <= d.high else sizes[0]
        value, low, high = (named_right(x, self.spread, notes) for x in (d.value, least, sizes[1]))
        return Dot(name, value, low, high)


@dataclass(frozen=True)
class Pair:
    """Two editions whose players all use one policy. decisions: taken otherwise; None: unknown."""

    difference: Difference
    policy: str
    games: int
    changes: tuple[Changed, ...]
    decisions: Estimate | None

    def with_changes(self, changes: Sequence[Changed]) -> Pair:
        """The same with other intervals."""
        return replace(self, changes=tuple(changes))

    def of(self, measure: str) -> Changed:
        """A measure by its name."""
        return next(one for one in self.changes if one.measure == measure)

    @property
    def rounds(self) -> float:
        """Rounds per game of the first edition."""
        return self.of("rounds").old.value

    @property
    def identical(self) -> bool:
        """Whether not one game came out otherwise."""
        return all(one.differing == 0 for one in self.changes)

    @property
    def first(self) -> Changed:
        """The measure by which a watcher can tell soonest."""
        return min(
            self.changes,
            key=lambda one: soonest(one.evenings(self.rounds)),
        )

    @property
    def evenings(self) -> Needed:
        """Evenings until some measure tells; the bounds are those of all measures together."""
        every = [one.evenings(self.rounds) for one in self.changes]
        value, low, high = (
            min(found for found in column if found is not None)
            if any(found is not None for found in column)
            else None
            for column in zip(*every, strict=True)
        )
        return Needed(value, low, high)

    def verdict(self, most: float = HUNDRED) -> str:
        """Whether it is noticed within this many evenings."""
        found = self.evenings
        if found.high is not None and found.high <= most:
            return SURELY
        return SURELY_NOT if found.low is None or found.low > most else PERHAPS


@dataclass(frozen=True)
class Study:
    """The pairs with the strongest policy and with a plain one, in the same order."""

    best: tuple[Pair, ...]
    plain: tuple[Pair, ...]
    intervals: int

    def where(self, verdict: str, most: float = HUNDRED) -> list[Pair]:
        """The pairs of a verdict, soonest first."""
        found = [pair for pair in self.best if pair.verdict(most) == verdict]
        return sorted(found, key=lambda pair: soonest(pair.evenings))

    def named(self, name: str) -> Pair:
        """A pair by the name of its difference."""
        return next(pair for pair in self.best if pair.difference.name == name)
