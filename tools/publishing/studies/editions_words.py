"""What the study of editions says: the differences, sentences, tables and a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lama_odds.analysis.strategy_report.document import Dot, Dots
from lama_odds.core.estimate import Estimate
from lama_odds.report.text.answers import digits_for, number
from lama_odds.report.text.numbers import signed
from lama_odds.statistics.equivalence import SAME
from tools.publishing.studies.telling_apart import (
    BOTH,
    GAMES,
    Needed,
    Spread,
    named_right,
    needed,
)
from tools.publishing.studies.wording import at, bullets, names, section, table

HUNDRED, TEN = 100, 10  # evenings
NEVER = "never"
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
    return Difference(name, what, f"{file}", f"lama/{against}", f"lama/{rules}")


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
        chances = [named_right(x, self.spread, notes) for x in (d.value, least, sizes[1])]
        return Dot(name, *chances)


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
            key=lambda one: one.evenings(self.rounds).value or float("inf"),
        )

    @property
    def evenings(self) -> Needed:
        """Evenings until some measure tells; the bounds are those of all measures together."""
        all_of_them = [one.evenings(self.rounds) for one in self.changes]
        value, low, high = (
            min((n[at] for n in all_of_them if n[at] is not None), default=None) for at in range(3)
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
        return sorted(found, key=lambda pair: pair.evenings.value or float("inf"))

    def named(self, name: str) -> Pair:
        """A pair by the name of its difference."""
        return next(pair for pair in self.best if pair.difference.name == name)


def whole(value: float | None) -> str:
    """Evenings as a number with two digits that count."""
    if value is None:
        return NEVER
    if value < 1:
        return "1"
    digits = max(0, len(str(int(value))) - 2)
    return f"{round(value, -digits):,.0f}"


def evenings(found: Needed) -> str:
    """Evenings with their interval."""
    if found.value is None:
        return NEVER
    high = f"to {whole(found.high)}" if found.high is not None else "or more"
    return f"{whole(found.value)} ({whole(found.low)} {high})"


def with_evenings(pair: Pair) -> str:
    """A difference with the evenings it takes."""
    return f"{pair.difference.name} ({whole(pair.evenings.value)})"


def difference_of(change: Changed) -> str:
    """A change with its error; chances in percentage points."""
    if change.differing == 0:
        return "0"
    scale = 100 if change.share else 1
    half = scale * (change.difference.high - change.difference.low) / 2
    digits = digits_for(half, 1)
    return f"{signed(scale * change.difference.value, digits)} ± {half:.{digits}f}"


def noticed(found: Study) -> list[str]:
    """What is noticed surely, perhaps, surely not, and soonest."""
    sure, maybe, none = (found.where(verdict) for verdict in (SURELY, PERHAPS, SURELY_NOT))
    same = [pair for pair in none if pair.identical]
    first = min(found.best, key=lambda pair: pair.evenings.value or float("inf"))
    soon = found.where(SURELY, TEN)
    lines = [
        f"A watcher surely notices {len(sure)} of {len(found.best)} differences within a hundred "
        f"evenings (in brackets: how many it takes): {names(map(with_evenings, sure))}.",
        f"Within {TEN} evenings, {names(p.difference.name for p in soon)} is surely noticed."
        if soon
        else f"Not one is surely noticed within {TEN} evenings.",
        f"The soonest is {first.difference.name}, by {first.first.name}: "
        f"{difference_of(first.first)}. It takes {evenings(first.evenings)} evenings.",
        f"Surely not noticed: {names(map(with_evenings, (p for p in none if not p.identical)))}.",
    ]
    if maybe:
        lines.append(f"Perhaps noticed: {names(map(with_evenings, maybe))}.")
    if same:
        lines.append(
            f"All games came out the same for {names(p.difference.name for p in same)}: "
            "there is nothing to notice."
        )
    return lines


def boxes(found: Study) -> list[str]:
    """The boxes that look alike: Egmont and Amigo cards, English and Polish dice."""
    amigo, llamas, starter = map(found.named, ("L.A.M.A. of Amigo", "8 llamas", "starter"))
    polish = found.named("dice, Polish")
    parts = max((llamas, starter), key=lambda pair: -(pair.evenings.value or float("inf")))
    return [
        f"The card boxes of Egmont and Amigo differ most in {amigo.first.name} "
        f"({difference_of(amigo.first)}). Telling them apart takes {evenings(amigo.evenings)} "
        f"evenings. The part that shows sooner is *{parts.difference.name}*.",
        f"Polish and English dice differ most in {polish.first.name} "
        f"({difference_of(polish.first)}{' points' * polish.first.share}), which takes "
        f"{evenings(polish.evenings)} evenings.",
    ]


def play(found: Study) -> str:
    """How many decisions change."""
    known = [pair for pair in found.best if pair.decisions is not None]
    unknown = [pair.difference.name for pair in found.best if pair.decisions is None]

    def size(pair: Pair) -> float:
        assert pair.decisions is not None
        return pair.decisions.value

    most = max(known, key=size)
    assert most.decisions is not None
    small = [pair for pair in known if pair.decisions and pair.decisions.high < 0.01]
    text = (
        f"How you should play changes little: {most.difference.name} changes most, "
        f"{at(most.decisions, True)} of decisions. It is surely below 1 % for {len(small)} of "
        f"{len(known)} differences."
    )
    left = f" Not measured, because the cards differ: {names(unknown)}."
    return text + left * bool(unknown)


def equivalent(found: Study) -> str:
    """How many measures were shown to be equivalent."""
    every = [one for pair in found.best for one in pair.changes if not pair.identical]
    same = [one for one in every if one.verdict == SAME]
    return (
        f"Of {len(every)} measures that were compared, {len(same)} were shown to be equivalent: "
        "within 1 % of a mean or 0.5 points of a chance."
    )


def fair(found: Study) -> str:
    """Whether an edition favours a seat more than another one."""
    seats = [
        (pair, one)
        for pair in found.best
        for one in pair.changes
        if one.measure.startswith("win seat ")
    ]
    sure = [(p, one) for p, one in seats if one.difference.low > 0 or one.difference.high < 0]
    most = max(max(-one.difference.low, one.difference.high) for _, one in seats)
    if not sure:
        return (
            "No difference surely changes how often a seat wins. None changes it by more than "
            f"{100 * most:.1f} percentage points."
        )
    which = names(dict.fromkeys(p.difference.name for p, _ in sure))
    return (
        f"How often a seat wins surely changes with {which}, by at most {100 * most:.1f} "
        "percentage points."
    )


def notes(found: Study) -> list[str]:
    """What happens without knowing the averages, and with a plain policy."""
    changed = [
        one.difference.name
        for one, other in zip(found.best, found.plain, strict=True)
        if {one.verdict(), other.verdict()} == {SURELY, SURELY_NOT}
    ]
    plain = (
        f"With plain players the verdict turns round for {names(changed)}."
        if changed
        else "With plain players no verdict turns round from surely to surely not or back."
    )
    return [
        "These are watchers who know the averages of both editions. Without them you need notes "
        f"on both, {BOTH:.1f} times as many of each.",
        plain,
    ]


def rows(found: Study) -> list[Sequence[str]]:
    """A row of each difference: what is noticed, and how soon."""
    lines = []
    for pair, plain in zip(found.best, found.plain, strict=True):
        first = pair.first
        what = "–" if pair.identical else f"{first.name}: {difference_of(first)}"
        decisions = "–" if pair.decisions is None else number(pair.decisions, True)
        lines.append(
            (
                f"{pair.difference.name}: {pair.difference.what}",
                what,
                evenings(pair.evenings),
                pair.verdict(),
                evenings(plain.evenings),
                decisions,
            )
        )
    return lines


MEASURES = ("rounds", "length", "penalty", "spread", "shared")


def change_rows(found: Study) -> list[Sequence[str]]:
    """A row of each difference: length, scores and fairness."""
    lines = []
    for pair in found.best:
        seats = [one for one in pair.changes if one.measure.startswith("win seat ")]
        size: Callable[[Changed], float] = lambda one: abs(one.difference.value)  # noqa: E731
        cells = [difference_of(pair.of(name)) for name in MEASURES]
        lines.append((pair.difference.name, *cells, difference_of(max(seats, key=size))))
    return lines


def chart(found: Study) -> Dots:
    """How often a watcher names the right edition after ten evenings."""
    dots = tuple(
        pair.first.right_after(TEN, pair.rounds, pair.difference.name) for pair in found.best
    )
    return Dots(
        name="editions",
        title="How often a watcher names the right edition",
        alt=f"Chart: chance to name the right edition after {TEN} evenings, by difference",
        x_label=f"right after {TEN} evenings of {GAMES} games",
        dots=dots,
        share=True,
        reference=0.95,
        reference_name="95 %",
    )


def page(found: Study, made_by: str) -> str:
    """The whole page."""
    games = sorted({pair.games for pair in (*found.best, *found.plain)})
    lines = [
        "# Which differences between editions would anybody notice?",
        "",
        "Editions of L.A.M.A. and Lama Dice differ in small rules. A player watches evenings of "
        f"{GAMES} games, and notes results: points, rounds, who wins. After how many evenings can "
        "this player tell which of two editions is played, and be right in 95 % of cases with "
        f"either? What takes more than {HUNDRED} evenings counts as not noticed.",
        "",
        *bullets(
            "What it says",
            [
                *noticed(found),
                *boxes(found),
                play(found),
                equivalent(found),
                fair(found),
                *notes(found),
            ],
        ),
        f"![{chart(found).alt}](editions.svg)",
        "",
        *section("How soon it is noticed"),
        *table(
            (
                "difference",
                "what shows it first",
                "evenings, strong players",
                "noticed",
                "evenings, plain players",
                "decisions changed",
            ),
            rows(found),
        ),
        "In brackets: from the largest difference that the games allow to the smallest. “Or more” "
        "means that the difference may be 0.",
        "",
        *section("What changes in length, scores and fairness"),
        *table(
            (
                "difference",
                "rounds per game",
                "actions per game",
                "points per round",
                "spread, points",
                "shared, points of %",
                "largest change of a seat, points of %",
            ),
            change_rows(found),
        ),
        *section(
            "How it was measured",
            "The figures are those of [comparisons](../comparisons/comparisons.md), which has the "
            f"commands. {names(f'{n:,}' for n in games)} games of each rule set were played, four "
            "players, on the same cards and dice. Strong players use the best policy known for the "
            "first edition, plain ones a threshold.",
            f"All {found.intervals} intervals of differences hold together with 95 %. Those of "
            "decisions hold one by one. A measure of rounds is that of first rounds, and a game "
            "has as many of them as rounds.",
            "A watcher who notes a measure n times is right with 95 % if n = (1.645 (s + t) / d)². "
            "Here d is the difference, s and t are standard deviations of one note. Of all "
            "measures the one that tells soonest is taken.",
        ),
        *bullets(
            "What is not known",
            [
                "What you see at once is left out: new cards, pink tokens, a pot on the table.",
                "A watcher who weighs several measures together is faster. How much faster is not "
                "measured here, because they depend on each other.",
                "Players keep their policy under the other rules, apart from what is solved for "
                "each rule set. People may change more.",
            ],
        ),
        f"Made by {made_by}.",
    ]
    return "\n".join(lines) + "\n"
