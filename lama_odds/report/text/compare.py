"""Comparisons of rule sets as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.compare.answer import DECISIONS, SPREADS, Comparison, Row
from lama_odds.analysis.compare.decisions import CHOICES, MATTER
from lama_odds.analysis.compare.planning import ComparisonPlan, PlannedRow
from lama_odds.analysis.variants.given import named
from lama_odds.core.wording import amount, brief, digits_for, listed, number, signed
from lama_odds.report.terminal import table
from lama_odds.report.text import numbers
from lama_odds.statistics.equivalence import ALPHA, DIFFERS, POWER, SAME, UNDECIDED

HEAD = (
    *("players", "seed", "games", "against", "rules", "against policy", "policy"),
    *("measure", "unit"),
)
ESTIMATES = ("baseline", "other", "difference")
JUDGED = (
    *("relative", "p", "p same", "delta", "verdict", "more games", "saving"),
    "differing blocks",
)
COLUMNS = (
    *("", "baseline", "other", "change", "", "relative", "verdict", "detectable"),
    "variance reduction",
)
MOST_ROWS = 8  # of measures that differ
MOST_TOLD = 3  # differences in a sentence
DETECTED = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)  # standard errors


def compared_text(comparison: Comparison, verbose: bool = False) -> RenderableType:
    """A sentence on each pair of rule sets, and the measures that differ; verbose: everything."""
    if verbose:
        return _all(comparison)
    names = comparison.names
    head = (
        f"{named(comparison.rules[0], names)} · {comparison.players} players · {_who(comparison)}"
    )
    parts: list[RenderableType] = [Text(head, style="dim"), *numbers.called(comparison)]
    for (against, rules), rows in comparison.pairs.items():
        sentences = findings(against, rules, rows, names)
        parts += [Text(), *(Text(line, style="bold") for line in sentences)]
        differing = [row for row in rows if row.judged.verdict == DIFFERS]
        if differing:
            parts += [Text(), _differing(against, rules, differing[:MOST_ROWS], names)]
        parts += [Text(line) for line in _listed("Also differ", differing[MOST_ROWS:])]
        parts += [Text(line) for line in _others(rows)]
    parts += [Text(line) for line in numbers.skill_lines(comparison)]
    sure = (
        f"{comparison.games:,} games each, paired on the same cards and dice; ± is a 95 % "
        "interval. "
        "Changes of chances are percentage points. More: -v"
    )
    return Group(*parts, Text(), Text(sure, style="dim"))


def _who(comparison: Comparison) -> str:
    if len(set(comparison.policies)) == 1:
        return f"all play {comparison.policies[0]}"
    names = [named(rules, comparison.names) for rules in comparison.rules]
    return ", ".join(f"{p} in {r}" for r, p in zip(names, comparison.policies, strict=True))


def findings(
    against: str, rules: str, rows: Sequence[Row], names: Mapping[str, str] = numbers.UNNAMED
) -> list[str]:
    """The changes by a rule set, each in a sentence. names: of rule sets, by id."""
    name = variant_name(against, rules, names)
    against = named(against, names)
    if all(row.proven for row in rows):
        return [f"▶ {name} plays exactly as {against}: the very same games."]
    differing = [row for row in rows if row.judged.verdict == DIFFERS]
    open_ = [row for row in rows if row.judged.verdict == UNDECIDED]
    if not differing and not open_:
        every = f"all {len(rows)} measures are" if len(rows) > 1 else "the measure is"
        return [f"▶ {name} changes nothing that matters: {every} equivalent."]
    if not differing:
        return [
            f"≈ {name} changes nothing that these games can show; {len(open_)} of {len(rows)} "
            f"measure{'s are' if len(rows) > 1 else ' is'} undecided."
        ]
    shown = sorted(differing, key=lambda row: numbers.ORDER.index(row.measure.key))[:MOST_TOLD]
    lines = [f"▶ With {name} {listed([clause(row) for row in shown])}."]
    more = len(differing) - len(shown)
    if more or open_:
        besides = [f"{len(differing)} differ{'s' * (len(differing) == 1)}"]
        besides += [f"{len(open_)} {'are' if len(open_) > 1 else 'is'} undecided"] * bool(open_)
        lines.append(f"  Of {len(rows)} measures {listed(besides)}.")
    elif len(rows) > len(differing):
        same = len(rows) - len(differing)
        others = f"{same} measures are" if same > 1 else "measure is"
        lines.append(f"  The other {others} equivalent.")
    return lines


def variant_name(against: str, rules: str, names: Mapping[str, str] = numbers.UNNAMED) -> str:
    """A rule set by its name, by what it adds to another, or in full."""
    if rules in names:
        return names[rules]
    added = rules.removeprefix(against)
    return added if added.startswith("+") else rules


def clause(row: Row) -> str:
    """A difference as part of a sentence."""
    key, up = row.measure.key, row.difference.value > 0
    if key == DECISIONS:
        return f"players would decide otherwise in {brief(row.difference, True)} of decisions"
    text, higher, lower = numbers.CLAUSES[key]
    unit = numbers.UNITS.get(key, "")
    size = amount(row.difference, unit, row.measure.share)
    who = f"player {numbers.player_of(row.measure)}" if key == "win" else ""
    return text.format(size, higher if up else lower, who=who)


def _differing(
    against: str, rules: str, rows: Sequence[Row], names: Mapping[str, str]
) -> RenderableType:
    lines = [
        (
            numbers.measure_title(row.measure),
            brief(row.baseline, row.measure.share),
            brief(row.other, row.measure.share),
            change(row),
        )
        for row in rows
    ]
    heads = ("", named(against, names), variant_name(against, rules, names), "change")
    return table(heads, lines)


def _others(rows: Sequence[Row]) -> list[str]:
    """The measures that are not shown to differ, by verdict."""
    if all(row.proven for row in rows):
        return []
    lines = []
    for name, wanted in (("Undecided", UNDECIDED), ("Equivalent", SAME)):
        lines += _listed(name, [row for row in rows if row.judged.verdict == wanted])
    return lines


def _listed(name: str, rows: Sequence[Row]) -> list[str]:
    """Measures by name, those of the players' wins together; no line if there are none."""
    names = [row.measure.name.replace("_", " ") for row in rows if row.measure.key != "win"]
    won = [str(numbers.player_of(row.measure)) for row in rows if row.measure.key == "win"]
    names += [f"wins of player{'s' * (len(won) > 1)} {listed(won)}"] * bool(won)
    return [f"{name}: {', '.join(names)}."] if names else []


def _all(comparison: Comparison) -> RenderableType:
    """A table for each pair of rule sets, then notes on the method."""
    parts: list[RenderableType] = [
        Text(
            f"{named(comparison.rules[0], comparison.names)}   {comparison.players} players, "
            f"{_who(comparison)}",
            style="dim",
        ),
        *numbers.called(comparison),
    ]
    for (against, rules), rows in comparison.pairs.items():
        title = f"{named(rules, comparison.names)} against {named(against, comparison.names)}"
        sentences = findings(against, rules, rows, comparison.names)
        parts += [Text(), Text(title, style="bold")]
        parts += [*(Text(line) for line in sentences), Text(), _pair(rows)]
    parts += [Text(), *map(Text, numbers.skill_lines(comparison))] if comparison.skill_shows else []
    return Group(*parts, Text(), _rests_on(comparison))


def _pair(rows: Sequence[Row]) -> RenderableType:
    lines = [
        (
            numbers.measure_name(row.measure),
            number(row.baseline, row.measure.share),
            number(row.other, row.measure.share),
            change(row),
            unit(row),
            relative(row),
            verdict(row),
            detectable(row),
            saving(row),
        )
        for row in rows
    ]
    return table(COLUMNS, lines)


def detectable(row: Row) -> str:
    """The minimum detectable effect: the difference these games would show with 80 % chance."""
    if row.proven or row.identical or row.rare:
        return "–"
    least = DETECTED * row.difference.stderr * (100 if row.measure.share else 1)
    return f"{least:.2g}"


def change(row: Row) -> str:
    """The difference with its sign; of shares in percentage points. Just 0 if that is proven.

    An interval that does not reach 0, though it would with as much on either side, has its ends.
    """
    if row.proven:
        return "0"
    scale = 100 if row.measure.share else 1
    estimate = row.difference
    value, low, high = (scale * x for x in (estimate.value, estimate.low, estimate.high))
    # What was not met can only be on one side of a share of 0.
    half = max(value - low, high - value) if row.identical else (high - low) / 2
    if half >= abs(value) and low * high > 0:
        digits = digits_for(min(abs(low), abs(high)), 2)
        return f"{signed(value, digits)} ({signed(low, digits)} to {signed(high, digits)})"
    digits = digits_for(half, 2)
    return f"{signed(value, digits)} ± {half:.{digits}f}"


def unit(row: Row) -> str:
    """What the difference is counted in."""
    return f"% {row.measure.unit}" if row.measure.share else row.measure.unit


def relative(row: Row) -> str:
    """The difference in per cent of the baseline's value."""
    if row.relative is None:
        return "–"
    return f"{100 * row.relative:+.2f} %" if row.relative else "0 %"


def verdict(row: Row) -> str:
    """The verdict in words."""
    if row.proven and row.judged.verdict == SAME:
        return "no difference at all"
    if row.judged.verdict == DIFFERS:
        if row.measure.key == DECISIONS:
            return "differs"
        return "differs: higher" if row.difference.value > 0 else "differs: lower"
    scale, sign = (100, " %") if row.measure.share else (1, "")
    limit = f"±{scale * row.delta:.3g}{sign}"
    if row.judged.verdict == SAME:
        small = ", but not 0" if row.judged.p <= ALPHA else ""
        small = ", none differed" if row.identical else small
        return f"equivalent within {limit}{small}"
    if row.measure.key in (CHOICES, MATTER):
        return f"undecided: at most {row.samples} games are looked at"
    if row.judged.more is None:
        return "undecided: few games differ" if row.rare else "undecided"
    return f"undecided: about {two_digits(row.judged.more):,} games more"


def two_digits(games: int) -> int:
    """A number of games, rounded up to two digits."""
    step: int = 10 ** max(0, len(str(games)) - 2)
    return -(-games // step) * step


def saving(row: Row) -> str:
    """By how much pairing reduces the variance of the difference."""
    return "–" if row.saving is None else f"{row.saving:.3g} ×"


def _rests_on(comparison: Comparison) -> Text:
    """Which question was answered, and how."""
    measures = {row.measure.name: row.measure for row in comparison.rows}.values()
    rounds = any(measure.rounds for measure in measures)
    lines = [
        question(comparison),
        "change: other minus baseline, game by game on the same cards and dice (common random "
        "numbers; other decks or faces read the same random numbers in their own way)",
        f"95 % intervals, each on its own. Among all {len(comparison.rows)} verdicts the chance "
        "of any "
        f"wrong “differs” is at most {100 * ALPHA:.0f} %, and so is that of any wrong “equivalent” "
        "(Holm)",
        "equivalent: less than δ apart (without --delta: 1 % of the baseline, for chances half a "
        "percentage point); no difference at all: both play the very same games",
        "detectable: the difference that this number of games shows with a chance of "
        f"{100 * POWER:.0f} %; for an undecided measure, the games that would settle it with that "
        "chance",
        "variance reduction: variance on independent cards and dice, divided by that of the pairs",
    ]
    first = "a round: the first one (nobody holds tokens, player 1 starts); a game: to its end; "
    fair = f"win: fair would be {100 / comparison.players:.4g} % for each player"
    lines.append(f"{first * rounds}{fair}")
    lines += [f"{name}: {meaning}" for name, meaning in numbers.meanings(comparison).items()]
    lines += decisions_lines(comparison)
    lines += numbers.looked_lines(comparison)
    rare = dict.fromkeys(numbers.measure_name(row.measure) for row in comparison.rows if row.rare)
    if rare:
        lines.append(
            f"{', '.join(rare)}: few games made any difference. The interval allows for that, and "
            "a verdict “differs” needs more of them"
        )
    lines += unmet_lines(comparison)
    lines.append(
        f"{comparison.games:,} games each, seed {comparison.seed}, {comparison.seconds:.1f} s"
    )
    if not comparison.interrupted:
        lines.append(f"--games {comparison.games} repeats this answer")
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def unmet_lines(comparison: Comparison) -> list[str]:
    """A note on the intervals of changes that no game showed, if there are any."""
    counted = [row for row in comparison.rows if row.measure.key != DECISIONS]
    unmet = [
        numbers.measure_name(row.measure) for row in counted if row.identical and not row.proven
    ]
    if not unmet:
        return []
    names = ", ".join(dict.fromkeys(unmet))
    return [
        f"{names}: no game showed a difference. The variance is inflated for unseen outcomes: a "
        f"game may change a chance by 1, anything else by its mean and {SPREADS} standard "
        "deviations (assumed, not proven)"
    ]


def decisions_lines(comparison: Comparison) -> list[str]:
    """Notes on the measure `decisions`, and the reason if it is left out."""
    lines = []
    counts = [row.samples for row in comparison.rows if row.measure.key == DECISIONS]
    if counts:
        number = f" ({max(counts):,} were compared, the error is between games)" * any(counts)
        lines.append(
            "decisions: share of decisions with a choice that the players of the other rule set "
            "would take otherwise. In games of the baseline both get the same information as the "
            f"player to move{number}"
        )
    if 0 in counts:
        lines.append("decisions, exactly 0: both decide by the same tables")
    for left in comparison.left_out:
        rules, against = (named(side, comparison.names) for side in (left.rules, left.against))
        lines.append(f"{left.measure} of {rules} against {against}: {left.reason}")
    return lines


def question(comparison: Comparison) -> str:
    """Which question the policies make of it."""
    if comparison.retuned:
        return (
            "the question: what does the rule change once players have adapted? Everybody plays "
            "the best policy known for each rule set, of one kind for all"
        )
    return (
        "the question: what does the rule change if everybody still plays "
        f"{comparison.policies[0]}? "
        "(a solved policy is solved for each rule set)"
    )


def compared_csv(comparison: Comparison) -> str:
    """A line for each pair and measure: both values, the difference, and the verdict.

    A measure that was left out has no numbers; its verdict is the reason.
    """
    estimates = [f"{name} {field}" for name in ESTIMATES for field in numbers.FIELDS]
    rows: list[list[object]] = [[*HEAD, *estimates, *JUDGED]]
    policies = dict(zip(comparison.rules, comparison.policies, strict=True))

    def begin(against: str, rules: str) -> list[object]:
        settings = [comparison.players, comparison.seed, comparison.games, against, rules]
        return [*settings, policies[against], policies[rules]]

    for row in comparison.rows:
        line = [*begin(row.against, row.rules), row.measure.name, row.measure.unit]
        for estimate in (row.baseline, row.other, row.difference):
            line += numbers.cells(estimate)
        judged = row.judged
        line += [row.relative, judged.p, judged.p_same, row.delta, judged.verdict]
        line += [judged.more, row.saving, row.differing]
        rows.append(line)
    for left in comparison.left_out:
        line = [*begin(left.against, left.rules), left.measure, ""]
        line += [""] * (len(estimates) + JUDGED.index("verdict"))
        line += [f"left out: {left.reason}"]
        rows.append(line + [""] * (len(JUDGED) - 1 - JUDGED.index("verdict")))
    return numbers.csv_text(rows)


# Plans of comparisons as text and as a CSV file.

PLAN_HEAD = ("players", "seed", "pilot", "games", "against", "rules", "measure", "unit")
PLAN_FIELDS = ("baseline", "deviation", "delta", "games to show", "games to rule out", "detectable")
LONG = 90.0  # seconds from which on a time is given in minutes, and minutes in hours


def planned_text(plan: ComparisonPlan, verbose: bool = False) -> RenderableType:
    """How many games each measure needs, and what the budget shows; verbose: how it was found."""
    names = plan.names
    head = f"{named(plan.rules[0], names)} · {plan.players} players · a plan, nothing is compared"
    parts: list[RenderableType] = [Text(head, style="dim"), *numbers.called(plan)]
    for (against, rules), rows in plan.pairs.items():
        sentences = _finding(plan, against, rules, rows, names)
        parts += [Text(), *(Text(line, style="bold") for line in sentences)]
        if any(row.deviation != 0 for row in rows):
            parts += [Text(), _table(plan, rows)]
    error = f"{100 * plan.uncertainty:.0f} %"
    sure = (
        f"A plan from a pilot of {plan.pilot:,} games: the numbers of games may be off by {error}. "
        "--delta sets the change, --games the budget. More: -v"
    )
    parts += [Text(), Text(sure, style="dim")]
    if verbose:
        parts.append(_plan_rests_on(plan))
    return Group(*parts)


def _finding(
    plan: ComparisonPlan,
    against: str,
    rules: str,
    rows: Sequence[PlannedRow],
    names: Mapping[str, str],
) -> list[str]:
    """What it takes to settle all measures, and what the budget settles."""
    name = variant_name(against, rules, names)
    if all(row.deviation == 0 for row in rows):
        return [f"▶ {name} plays exactly as {named(against, names)}: there is nothing to plan."]
    known = [row for row in rows if row.to_show is not None and row.to_rule_out is not None]
    if not known:
        return [f"≈ What {name} changes: the pilot gives no number of games that would settle it."]
    needed = max((max(row.to_show or 0, row.to_rule_out or 0) for row in known), default=0)
    settled = [row for row in known if max(row.to_show or 0, row.to_rule_out or 0) <= plan.games]
    open_ = len(rows) - len(known)
    lines = [
        f"▶ What {name} changes: {two_digits(needed):,} games settle every measure"
        f"{f' but {open_}' * bool(open_)}, in about {_time(needed * plan.each)} here."
    ]
    if needed > plan.games:
        lines.append(
            f"  {plan.games:,} games settle {len(settled)} of {len(rows)} measures, in about "
            f"{_time(plan.games * plan.each)}."
        )
    return lines


def _time(seconds: float) -> str:
    for unit, size in (("s", 1), ("minutes", 60)):
        if seconds < LONG * size:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{seconds / 3600:.1f} hours"


def _table(plan: ComparisonPlan, rows: Sequence[PlannedRow]) -> RenderableType:
    heads = ("", "a change of", "games to show", "to rule out", f"{plan.games:,} games show")
    return table(heads, [_line(row) for row in rows])


def _line(row: PlannedRow) -> tuple[str, ...]:
    scale, sign = (100, " points") if row.measure.share else (1, "")
    if row.deviation == 0:
        games: tuple[str, ...] = ("no change at all", "–", "–")
    elif row.to_show is None or row.to_rule_out is None or row.detectable is None:
        games = ("not known", "not known", "–")
    else:
        shown = (f"{two_digits(number):,}" for number in (row.to_show, row.to_rule_out))
        games = (*shown, f"{scale * row.detectable:.2g}{sign}")
    return (numbers.measure_title(row.measure), f"{scale * row.delta:.2g}{sign}", *games)


def _plan_rests_on(plan: ComparisonPlan) -> Text:
    lines = [
        f"policies: {', '.join(dict.fromkeys(plan.policies))}, the same cards and dice for all",
        "a change of: δ of the comparison (without --delta: 1 % of the baseline, for chances half "
        "a percentage point)",
        "games to show: after these a change of δ is found to differ with a chance of "
        f"{100 * POWER:.0f} %",
        "to rule out: if nothing changes, it is found to be equivalent after these, with the same "
        "chance",
        f"each at the level {ALPHA:g} divided by the {len(plan.rows)} measures, with which Holm's "
        "correction begins: a comparison may need fewer games, never more",
        "points: percentage points",
        "not known: no game of the pilot differed. no change at all: both play the same games",
        f"seed {plan.seed}; compare plays other games than the pilot",
    ]
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def planned_csv(plan: ComparisonPlan) -> str:
    """A line for each pair and measure."""
    rows: list[list[object]] = [[*PLAN_HEAD, *PLAN_FIELDS]]
    for row in plan.rows:
        settings = [plan.players, plan.seed, plan.pilot, plan.games, row.against, row.rules]
        values = [row.baseline.value, row.deviation, row.delta]
        values += [row.to_show, row.to_rule_out, row.detectable]
        rows.append([*settings, row.measure.name, row.measure.unit, *values])
    return numbers.csv_text(rows)
