"""What the study of editions says: sentences, tables and a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lama_odds.analysis.compare.answer import ONE_SIDED
from lama_odds.analysis.strategy_report.document import Dots
from lama_odds.report.terminal import digits_for, number
from lama_odds.report.text.numbers import signed
from lama_odds.statistics.equivalence import SAME
from tools.publishing.studies.editions_pairs import (
    HUNDRED,
    PERHAPS,
    SURELY,
    SURELY_NOT,
    TEN,
    Changed,
    Pair,
    Study,
    soonest,
)
from tools.publishing.studies.telling_apart import BOTH, GAMES, Needed
from tools.publishing.studies.wording import at, bullets, names, opening, section, table

NEVER = "never"


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
    first = min(found.best, key=lambda pair: soonest(pair.evenings))
    soon = found.where(SURELY, TEN)
    lines = [
        f"A watcher surely notices {len(sure)} of {len(found.best)} differences within a hundred "
        f"evenings. In brackets is how many it takes: {names(map(with_evenings, sure))}.",
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
    parts = max((llamas, starter), key=lambda pair: -soonest(pair.evenings))
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
    lines: list[Sequence[str]] = []
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
    lines: list[Sequence[str]] = []
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


def measured(found: Study) -> list[str]:
    """Where the figures come from, and what is not known."""
    games = sorted({pair.games for pair in (*found.best, *found.plain)})
    return [
        *section(
            "How it was measured",
            "The figures are those of [comparisons](../comparisons/comparisons.md), which has the "
            f"commands. {names(f'{n:,}' for n in games)} games of each rule set were played, four "
            "players, on the same cards and dice. Strong players use the best policy known for the "
            "first edition, plain ones a threshold.",
            f"All {found.intervals} intervals of differences hold together with 95 %. Those of "
            "decisions hold one by one. A measure of rounds is that of first rounds, and a game "
            "has as many of them as rounds.",
            "A watcher who notes a measure n times is right with 95 % if "
            f"n = ({ONE_SIDED:.3f} (s + t) / d)². "
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
    ]


def page(found: Study, made_by: str) -> str:
    """The whole page."""
    lines = [
        *opening(
            "Which differences between editions would anybody notice?",
            "Editions of L.A.M.A. and Lama Dice differ in small rules. A player watches evenings "
            f"of {GAMES} games, and notes results: points, rounds, who wins. After how many "
            "evenings can this player tell which of two editions is played, and be right in 95 % "
            f"of cases with either? What takes more than {HUNDRED} evenings counts as not noticed.",
            [
                *noticed(found),
                *boxes(found),
                play(found),
                equivalent(found),
                fair(found),
                *notes(found),
            ],
            f"![{chart(found).alt}](editions.svg)",
        ),
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
                "shared, percentage points",
                "largest change of a seat, percentage points",
            ),
            change_rows(found),
        ),
        *measured(found),
        f"Made by {made_by}.",
    ]
    return "\n".join(lines) + "\n"
