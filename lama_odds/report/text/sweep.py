"""A sweep as text and rows: what grows with what, where wishes are fulfilled, variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.compare.answer import Compared
from lama_odds.analysis.sweep import answer
from lama_odds.analysis.sweep.sweep import SEAT_BIAS, WIN
from lama_odds.analysis.variants.given import titled
from lama_odds.core import wording
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.report.terminal import table
from lama_odds.report.text.numbers import (
    CLAUSES,
    FIELDS,
    ORDER,
    UNITS,
    cells,
    csv_text,
    measure_title,
)

# A sweep as text: what grows with what, where wishes are fulfilled, and the variants.

MOST_TOLD = 3  # changes in a sentence
MOST_NAMED = 6  # variants in a sentence
MOST_COLUMNS = 4  # measures beside variants, without -v
MOST_VARIANTS_SHOWN = 12
MARKS = {answer.SURELY: " ✓", answer.MAYBE: " ?", answer.SURELY_NOT: ""}
VERDICTS = {answer.SURELY: "surely", answer.MAYBE: "perhaps", answer.SURELY_NOT: "surely not"}


def sweep_text(sweep: answer.Sweep, verbose: bool = False) -> RenderableType:
    """Trends in sentences, wishes, and the least table of them; verbose: everything."""
    varied = " × ".join(f"{axis.option} {_values(axis)}" for axis in sweep.axes)
    head = (
        f"{titled(sweep)} · {varied} = {len(sweep.variants)} variants · {sweep.players} players · "
        f"{_who(sweep)}"
    )
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(line, style="bold") for line in findings(sweep)]
    for judged in (*sweep.wishes, *([sweep.together] if sweep.together else [])):
        parts += [Text(), *map(Text, wish_lines(sweep, judged, verbose))]
    parts += [Text(), *_tables(sweep, verbose), Text()]
    parts += [Text(line, style="dim") for line in _rests_on(sweep, verbose)]
    return Group(*parts)


def _values(axis: answer.Axis) -> str:
    """The values of an option: as a range where they are evenly spaced numbers."""
    if axis.kind == "number" and len(axis.values) > 2:
        numbers = [int(value) for value in axis.values]
        if numbers == list(range(numbers[0], numbers[-1] + 1, axis.step)):
            step = f" by {axis.step}" if axis.step > 1 else ""
            return f"{numbers[0]} to {numbers[-1]}{step}"
    return wording.listed(list(axis.written))


def _who(sweep: answer.Sweep) -> str:
    policies = dict.fromkeys(sweep.policies)
    if len(policies) == 1:
        return f"all play {next(iter(policies))}"
    return "each variant is played by its own best policy"


def findings(sweep: answer.Sweep) -> list[str]:
    """For each option the measures that depend on it, in a sentence."""
    lines = []
    for axis in sweep.axes:
        own = [trend for trend in sweep.trends if trend.option == axis.option]
        clear = [
            trend
            for trend in own
            if trend.verdict != answer.UNCLEAR and trend.shape != answer.NOT_MONOTONE
        ]
        turning = [
            trend.measure.name.replace("_", " ")
            for trend in own
            if trend.shape == answer.NOT_MONOTONE
        ]
        shown = sorted(clear, key=lambda trend: ORDER.index(trend.measure.key))[:MOST_TOLD]
        if shown:
            lines.append(
                f"▶ {_per(axis)}, {wording.listed([_clause(trend, axis) for trend in shown])}."
            )
            even = [trend for trend in shown if trend.steps]
            if even and all(trend.throughout for trend in even):
                lines.append("  This holds from every value to the next.")
        elif own and not turning:
            lines.append(f"≈ {axis.option} changes nothing that these games can show.")
        elif not own:
            lines.append(_without_trend(sweep, axis))
        if turning:
            lines.append(
                f"  {wording.listed(turning)}: up in places and down in others along {axis.option}."
            )
    return lines


def _without_trend(sweep: answer.Sweep, axis: answer.Axis) -> str:
    """Why an option has no trend; where it is varied alone, how its values differ."""
    if not axis.unordered:
        return f"  {axis.option} depends on the other options: no trend."
    if len(sweep.axes) > 1:
        return f"  The values of {axis.option} have no order: no trend."
    differing = [m for m in shown_measures(sweep, len(sweep.measures)) if _apart(sweep, m) > 1]
    if not differing:
        return f"≈ {axis.option} changes nothing that these games can show."
    differences = [_ends(sweep, measure) for measure in differing[:MOST_TOLD]]
    return f"▶ The values of {axis.option} differ in {wording.listed(differences)}."


def _ends(sweep: answer.Sweep, measure: Compared) -> str:
    """A measure with its lowest and highest value."""
    values = [variant.measures[measure.name] for variant in sweep.variants]
    texts = even(values, measure.share)
    ranked = sorted(range(len(values)), key=lambda at: values[at].value)
    return f"{measure_title(measure)} ({texts[ranked[0]]} to {texts[ranked[-1]]})"


def _apart(sweep: answer.Sweep, measure: Compared) -> float:
    """How far variants are from their mean at most, in half-widths: above 1 they surely differ."""
    distances = [v.apart[measure.name] for v in sweep.variants if measure.name in v.apart]
    halves = [(one, (one.high - one.low) / 2) for one in distances]
    return max((abs(one.value) / half for one, half in halves if half), default=0.0)


def _per(axis: answer.Axis) -> str:
    """The step of an option that a sentence is about."""
    if axis.kind == "number":
        return f"For each {axis.step} more of {axis.option}"
    first, second = axis.written
    return f"With {axis.option}={second} instead of {first}"


def per_step(trend: answer.Trend, axis: answer.Axis) -> Estimate:
    """The slope for a step of the option, as a sentence and a table have it."""
    slope, step = trend.slope, axis.step
    low, high = step * slope.low, step * slope.high
    return Estimate.from_interval(step * slope.value, step * slope.stderr, low, high, slope.n)


def _clause(trend: answer.Trend, axis: answer.Axis) -> str:
    """How a measure changes, as part of a sentence."""
    measure, change = trend.measure, per_step(trend, axis)
    text, higher, lower = CLAUSES[measure.key]
    amount = wording.amount(change, UNITS.get(measure.key, ""), measure.share)
    who = f"player {int(measure.name.split()[-1]) + 1}" if measure.key == WIN else ""
    return text.format(amount, higher if change.value > 0 else lower, who=who)


def wish_lines(sweep: answer.Sweep, judged: answer.Judged, verbose: bool = False) -> list[str]:
    """How many variants fulfil a wish, and which."""
    counts = {name: len(ids) for name, ids in judged.by_verdict.items()}
    sure, maybe = counts[answer.SURELY], counts[answer.MAYBE]
    name = judged.wish.text if judged.wish else "All wishes together"
    if sure:
        verb = "fulfils" if sure == 1 else "fulfil"
        verdict = f"▶ {name}: {sure} of {len(sweep.variants)} variants surely {verb} it"
    elif maybe:
        verdict = f"≈ {name}: no variant surely fulfils it"
    else:
        verdict = f"▶ {name}: no variant fulfils it"
    lines = [f"{verdict}, {maybe} may." if maybe else f"{verdict}."]
    for kind, ids in judged.by_verdict.items():
        if ids and (verbose or kind != answer.SURELY_NOT):
            lines.append(f"  {VERDICTS[kind]}: {_named(sweep, ids, verbose)}")
    return lines


def _named(sweep: answer.Sweep, ids: Sequence[str], verbose: bool) -> str:
    """Variants by their values, joined where one option alone differs; the first ones, or all."""
    there = [variant.values for variant in sweep.variants if variant.rules in ids]
    joined = min((_joined(there, axis) for axis in sweep.axes), key=len)
    shown = joined if verbose else joined[:MOST_NAMED]
    left = len(joined) - len(shown)
    return "; ".join(shown) + (f"; {left} more" if left else "")


def _joined(variants: Sequence[Mapping[str, answer.Value]], axis: answer.Axis) -> list[str]:
    """Variants as ``target=30 dealt=4,5``: the values of an option after the others' values."""
    groups: dict[str, list[str]] = {}
    for values in variants:
        others = {name: value for name, value in values.items() if name != axis.option}
        written = axis.named(values[axis.option]).partition("=")[2]
        groups.setdefault(answer.named_values(others), []).append(written)
    return [
        " ".join(filter(None, (others, f"{axis.option}={','.join(written)}")))
        for others, written in groups.items()
    ]


def shown_measures(sweep: answer.Sweep, most: int) -> list[Compared]:
    """The measures that matter most: those of wishes, then by how many options they depend on.

    Values without an order have no trend: there it counts how far the variants are apart.
    """
    wished = {judged.wish.measure for judged in sweep.wishes if judged.wish}
    clear = Counter(trend.measure.name for trend in sweep.trends if trend.verdict != answer.UNCLEAR)
    unordered = any(axis.unordered for axis in sweep.axes)
    apart = {m.name: _apart(sweep, m) if unordered else 0.0 for m in sweep.measures}
    clear.update(name for name, halves in apart.items() if halves > 1)
    order = [*ORDER, SEAT_BIAS.key]

    def rank(measure: Compared) -> tuple[bool, int, float, int]:
        name = measure.name
        return name not in wished, -clear[name], -apart[name], order.index(measure.key)

    ordered = sorted(sweep.measures, key=rank)
    if len(ordered) <= most:
        return ordered
    matter = [m for m in ordered if m.name in wished or clear[m.name]]
    return (matter or ordered)[:most]


def _tables(sweep: answer.Sweep, verbose: bool) -> Iterator[RenderableType]:
    """The slopes of what depends on an option, then the variants."""
    measures = list(sweep.measures) if verbose else shown_measures(sweep, MOST_COLUMNS)
    slopes = _slopes(sweep, verbose)
    if slopes is not None:
        yield from (slopes, Text())
    if verbose:
        yield from _steps(sweep)
    numbers = [axis.kind == "number" for axis in sweep.axes]
    if len(sweep.axes) == 2 and all(numbers) and not verbose:
        yield from _crossed(sweep, measures[0])
        return
    heads = [*(axis.option for axis in sweep.axes), *(measure_title(m) for m in measures)]
    variants = sweep.variants if verbose else sweep.variants[:MOST_VARIANTS_SHOWN]
    columns = [_column(sweep, measure, verbose) for measure in measures]
    rows = [
        (
            *(axis.named(variant.values[axis.option]).partition("=")[2] for axis in sweep.axes),
            *(column[variant.rules] for column in columns),
        )
        for variant in variants
    ]
    yield table(heads, rows, keys=len(sweep.axes))
    if len(variants) < len(sweep.variants):
        yield Text(f"{len(sweep.variants) - len(variants)} more variants: -v")


def _column(sweep: answer.Sweep, measure: Compared, verbose: bool = False) -> dict[str, str]:
    """A measure of all variants by id, with the mark of its wishes."""
    values = [variant.measures[measure.name] for variant in sweep.variants]
    texts = (
        [wording.number(v, measure.share) for v in values]
        if verbose
        else even(values, measure.share)
    )
    return {
        variant.rules: text + mark(sweep, variant.rules, measure.name)
        for variant, text in zip(sweep.variants, texts, strict=True)
    }


def mark(sweep: answer.Sweep, rules: str, measure: str) -> str:
    """✓ if a variant surely fulfils the wishes for a measure, ? if it may."""
    verdicts = [
        judged.verdict(rules)
        for judged in sweep.wishes
        if judged.wish and judged.wish.measure == measure
    ]
    if not verdicts or answer.SURELY_NOT in verdicts:
        return ""
    return MARKS[answer.MAYBE if answer.MAYBE in verdicts else answer.SURELY]


def _crossed(sweep: answer.Sweep, measure: Compared) -> Iterator[RenderableType]:
    """A measure by two options: rows and columns."""
    down, across = sweep.axes
    column = _column(sweep, measure)
    cells = {tuple(variant.values.values()): column[variant.rules] for variant in sweep.variants}
    rows = [
        (down.named(first), *(cells.get((first, second), "–") for second in across.values))
        for first in down.values
    ]
    yield Text(measure_title(measure))
    yield table(("", *(across.named(second) for second in across.values)), rows)


def _slopes(sweep: answer.Sweep, verbose: bool) -> RenderableType | None:
    """A row for each measure, a column for each option; without -v what depends on any."""
    axes = [axis for axis in sweep.axes if any(t.option == axis.option for t in sweep.trends)]
    rows = []
    for measure in sweep.measures:
        own = {t.option: t for t in sweep.trends if t.measure.name == measure.name}
        if own and (verbose or any(t.verdict != answer.UNCLEAR for t in own.values())):
            cells = (change(own[axis.option], axis) for axis in axes)
            rows.append((measure_title(measure), *cells))
    heads = ["change for", *(_head(axis) for axis in axes)]
    return table(heads, rows) if rows else None


def _head(axis: answer.Axis) -> str:
    if axis.kind == "number":
        return f"{axis.option} +{axis.step}"
    return f"{axis.option}={axis.written[1]}"


def change(trend: answer.Trend, axis: answer.Axis) -> str:
    """A slope with its half-width; of shares in percentage points. A bare 0 is proven."""
    return _signed(per_step(trend, axis), trend.measure.share)


def even(values: Sequence[Estimate], share: bool) -> list[str]:
    """Values without their errors, all with as many digits as the usual one deserves."""
    scale = 100 if share else 1
    halves = [scale * (value.high - value.low) / 2 for value in values]
    digits = sorted(map(wording.first_digit, halves))[len(halves) // 2]
    return [wording.rounded(scale * value.value, digits) + " %" * share for value in values]


def _signed(estimate: Estimate, share: bool) -> str:
    if estimate.value == estimate.stderr == 0:
        return "0" if estimate.method == EXACT else "none differed"
    scale = 100 if share else 1
    half = scale * (estimate.high - estimate.low) / 2
    digits = wording.digits_for(half, 1)
    return f"{wording.signed(scale * estimate.value, digits)} ± {half:.{digits}f}"


def _steps(sweep: answer.Sweep) -> Iterator[RenderableType]:
    """For each option with more than two values: the change from each to the next."""
    for axis in sweep.axes:
        own = [t for t in sweep.trends if t.option == axis.option and t.steps]
        if not own:
            continue
        heads = [f"{s.before} → {s.after}" for s in own[0].steps]
        rows = [
            (measure_title(t.measure), *(_signed(s.difference, t.measure.share) for s in t.steps))
            for t in own
        ]
        yield from (Text(f"{axis.option}, from each value to the next", style="bold"),)
        yield from (table(["", *heads], rows), Text())


def _rests_on(sweep: answer.Sweep, verbose: bool) -> list[str]:
    """How sure it is; verbose: also the method."""
    lines = []
    for left in sweep.left_out if verbose else sweep.left_out[:MOST_TOLD]:
        lines.append(f"Left out: {answer.named_values(left.values)} ({left.reason})")
    more = len(sweep.left_out) - len(lines)
    lines += [f"Left out: {more} more variants that cannot be played"] * bool(more)
    shares = [m for m in sweep.measures if m.share]
    errors = (
        wording.widest([v.measures[m.name] for v in sweep.variants for m in shares], True)
        if shares
        else ""
    )
    sure = (
        f"{sweep.games:,} games of each variant, on the same cards and dice. All intervals hold "
        "together with 95 %"
    )
    sure += f"; chances {errors} at most." if errors else "."
    marked = " ✓ fulfils the wish, ? may." * bool(sweep.wishes)
    if not verbose:
        return [*lines, f"{sure}{marked} Changes of chances are percentage points. More: -v"]
    return [
        *(f"· {line}" for line in lines),
        f"· {sure}{marked} Changes of chances are percentage points",
        f"· ± are simultaneous intervals: {sweep.intervals} in all, by Šidák's method",
        "· change: the least squares slope along an option, the others alike, from the slope of "
        "each block of common games",
        *_meanings(sweep),
        f"· seed {sweep.seed}, {sweep.seconds:.1f} s",
        *([f"· --games {sweep.games} repeats this answer"] * (not sweep.interrupted)),
    ]


def _meanings(sweep: answer.Sweep) -> list[str]:
    meant = {m.key: m for m in sweep.measures if m.key in ("spread", "shared", "seat bias")}
    return [f"· {m.name.replace('_', ' ')}: {m.meaning}" for m in meant.values()]


# A sweep as a CSV file: a line for each variant and measure.

HEAD = ("players", "seed", "games", "policy", "rules")


def sweep_csv(sweep: answer.Sweep) -> str:
    """All variants; wish and verdict are those for the measure, several with ``;`` between."""
    options = [axis.option for axis in sweep.axes]
    rows: list[list[object]] = [[*HEAD, *options, "measure", "unit", *FIELDS, "wish", "verdict"]]
    for variant in sweep.variants:
        begun = [sweep.players, sweep.seed, sweep.games, variant.policy, variant.rules]
        for measure in sweep.measures:
            value = variant.measures[measure.name]
            own = [w for w in sweep.wishes if w.wish and w.wish.measure == measure.name]
            rows.append(
                [
                    *begun,
                    *(str(variant.values[option]) for option in options),
                    *(measure.name, measure.unit),
                    *cells(value),
                    "; ".join(judged.wish.text for judged in own if judged.wish),
                    "; ".join(judged.verdict(variant.rules) for judged in own),
                ]
            )
    return csv_text(rows)
