"""The section on measures: what a variant changes, what stays, and small figures of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.answer import Compared, Comparison, Row
from lama_odds.analysis.compare.compare import compare
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.sweep.answer import UNCLEAR, Axis, Sweep, grid_of, named_values, read_axes
from lama_odds.analysis.sweep.sweep import sweep
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.core.rulesets import Option
from lama_odds.core.wording import capital, listed, with_error
from lama_odds.simulation.run import Play
from lama_odds.statistics.equivalence import DIFFERS, SAME, UNDECIDED

if TYPE_CHECKING:
    from lama_odds.analysis.strategy_report.design.plan import DesignAsk


# The section on the rules: which options the variants change, and what these mean.


def rules_section(ask: DesignAsk) -> doc.Section:
    """A row for each option that a variant changes."""
    rows: list[tuple[doc.Cell, ...]] = []
    for rules in ask.variants:
        changed = [
            name
            for name, value in rules.values.items()
            if name in ask.game.options and value != ask.rules.values.get(name)
        ]
        for name in changed:
            option = ask.game.options[name]
            values = (written(option, rule_set.values[name]) for rule_set in (ask.rules, rules))
            rows.append((ask.called(rules), name, *values, option.meaning))
    columns = doc.columns_of(
        "variant|text", "option|text", f"{ask.rules.id}|text", "variant's|text", "meaning|text"
    )
    ids = [f"{ask.called(r)} is {r.id}." for r in ask.variants if r.id in ask.names]
    return doc.Section(
        "rules",
        "What the rules change",
        doc.EXACT,
        "All other rules are those of the first rule set.",
        text=tuple(ids),
        tables=(doc.Table("rules", "Options", columns, tuple(rows)),),
    )


def written(option: Option, value: Any) -> str:
    """The value of an option as an id has it."""
    if option.kind == "switch":
        return "on" if value else "off"
    return str(value) if option.kind == "number" else option.write(value)


WIN = "win"
MOST_SAID = 4
# How measures are called on the page; others by their own names.
TITLES = {
    "length": "actions",
    "decided": "decided after",
    "choices": "decisions",
    "matter": "decisions that matter",
    "decisions": "decided otherwise",
    "shared": "shared wins",
    "skill": "wins of the best player",
    "bold wins": "wins of bold players",
}


def measures_section(ask: DesignAsk, tell: Progress | None = None) -> doc.Section:
    """All measures of the baseline and its variants, on the same cards and dice."""
    variants = ask.every if ask.variants else (ask.rules, ask.rules)
    answer = compare(
        ask.game,
        variants,
        [ask.plays] * len(variants),
        ask.players,
        measures=[design.GOOD],
        amount=ask.amount,
        play=Play(ask.seed, ask.threads, tell),
    )
    changes = [line for rules in ask.variants for line in _changes_in_words(ask, answer, rules.id)]
    figures = (*_small_figures(ask, answer), _by_seat(ask, answer))
    order = _by_change(answer, figures)
    return doc.Section(
        "measures",
        "What makes it good" if not ask.variants else "What changes, and what stays",
        doc.SAMPLED,
        f"{answer.games:,} games of each rule set with the same cards and dice. The chance of any "
        "wrong “differs” is at most 5 %, and so is that of any wrong “equivalent”.",
        headlines=tuple(changes),
        findings=tuple(_skill(ask, answer)),
        text=tuple(_settled(ask, answer)),
        figures=figures,
        tables=(*_changes_tables(ask, answer), _meanings_table(ask, answer)),
        games=answer.games * len(ask.every),
        interrupted=answer.interrupted,
        lead=order[0].title,
        story=tuple(figure.name for figure in order),
    )


def _by_change(comparison: Comparison, figures: Sequence[doc.Dots]) -> list[doc.Dots]:
    """Figures of what clearly changes first, the largest change before all."""
    size = {
        _figure_name(row.measure.key): abs(row.relative or 0)
        for row in sorted(comparison.rows, key=lambda row: abs(row.relative or 0))
        if row.judged.verdict == DIFFERS
    }
    return sorted(figures, key=lambda figure: -size.get(figure.name, -1.0))


def _figure_name(key: str) -> str:
    return "m_wins" if key == WIN else f"m_{key.replace(' ', '_')}"


def title_of(row: Row) -> str:
    """What a measure is called on the page."""
    if row.measure.key == WIN:
        return f"wins of player {int(row.measure.name.split()[-1]) + 1}"
    return TITLES.get(row.measure.key, row.measure.name)


def _of(comparison: Comparison, rules: str, verdict: str) -> list[Row]:
    rows = [row for row in comparison.rows if row.rules == rules]
    return [row for row in rows if row.judged.verdict == verdict]


def _changes_in_words(ask: DesignAsk, comparison: Comparison, rules: str) -> list[str]:
    """The largest changes by a variant, in a sentence."""
    name = next(ask.called(variant) for variant in ask.variants if variant.id == rules)
    differing = _of(comparison, rules, DIFFERS)
    if not differing:
        return [f"{name} changes nothing that these games can show."]
    largest = sorted(differing, key=lambda row: -abs(row.relative or 0))[:MOST_SAID]
    parts = [
        f"{title_of(row)} {_brief(row.measure, row.baseline)} → {_brief(row.measure, row.other)}"
        for row in largest
    ]
    number = len([row for row in comparison.rows if row.rules == rules])
    return [f"{name} changes {len(differing)} of {number} measures, most of all {listed(parts)}."]


def _brief(measure: Compared, value: Estimate) -> str:
    """A value without its error."""
    number = 100 * value.value if measure.share else value.value
    return f"{number:.3g}" + " %" * measure.share


def _skill(ask: DesignAsk, comparison: Comparison) -> list[str]:
    """After how many games skill shows."""
    lines = []
    for rules in ask.every:
        shows = comparison.skill_shows.get(rules.id)
        if shows is None:
            continue
        name = ask.called(rules)
        if shows.games is None or shows.high is None:
            lines.append(f"With {name} it is not sure that skill shows at all.")
        else:
            lines.append(
                f"With {name} skill shows after {shows.games} games ({shows.low} to {shows.high}): "
                "the best player then wins more than 95 % of equal players do."
            )
    return lines


def _settled(ask: DesignAsk, comparison: Comparison) -> list[str]:
    """What stays under each variant, and what these games do not settle."""
    lines = []
    for rules in ask.variants:
        name = ask.called(rules)
        for verdict, begins in ((SAME, "stay the same"), (UNDECIDED, "are not settled")):
            rows = _of(comparison, rules.id, verdict)
            if rows:
                lines.append(f"With {name} these {begins}: {listed(_titles(rows))}.")
    return lines


def _titles(rows: Sequence[Row]) -> list[str]:
    """What measures are called, the wins of several players together."""
    titles = [title_of(row) for row in rows if row.measure.key != WIN]
    players = [title_of(row).split()[-1] for row in rows if row.measure.key == WIN]
    if not players:
        return titles
    return [*titles, f"wins of player{'s' * (len(players) > 1)} {', '.join(players)}"]


def _values(ask: DesignAsk, comparison: Comparison, name: str) -> list[tuple[str, Estimate, Row]]:
    """A measure of all rule sets, by what they are called."""
    rows = [row for row in comparison.rows if row.measure.name == name]
    values = [(ask.called(ask.rules), rows[0].baseline, rows[0])]
    by_rules = {row.rules: row for row in rows}
    values += [
        (ask.called(rules), by_rules[rules.id].other, by_rules[rules.id])
        for rules in ask.variants
        if rules.id in by_rules
    ]
    return values


def _small_figures(ask: DesignAsk, comparison: Comparison) -> list[doc.Dots]:
    """A small figure for each measure, group by group; the wins of the seats have their own."""
    figures = []
    names = {row.measure.key: row.measure.name for row in comparison.rows if row.measure.key != WIN}
    for keys in design.GROUPS.values():
        for key in keys:
            if key in names and key != "decisions":
                values = _values(ask, comparison, names[key])
                row, share = values[0][2], values[0][2].measure.share
                dots = tuple(doc.dot_of(name, value) for name, value, _ in values)
                texts = [f"{name} {with_error(value, share)}" for name, value, _ in values]
                clear = [name for name, _, other in values[1:] if other.judged.verdict == DIFFERS]
                figures.append(
                    doc.Dots(
                        _figure_name(key),
                        titles.of_change(title_of(row), dots, clear, row.measure.unit, share),
                        f"{capital(title_of(row))}: {', '.join(texts)}.",
                        _unit(row.measure),
                        dots,
                        share=share,
                    )
                )
    return figures


def _by_seat(ask: DesignAsk, comparison: Comparison) -> doc.Dots:
    dots: list[doc.Dot] = []
    wins = []
    for name in dict.fromkeys(
        row.measure.name for row in comparison.rows if row.measure.key == WIN
    ):
        values = _values(ask, comparison, name)
        player = title_of(values[0][2]).removeprefix("wins of ")
        dots += [doc.dot_of(player, value, called) for called, value, _ in values]
        wins += [f"{player} with {called} {with_error(value, True)}" for called, value, _ in values]
    far = max(dots, key=lambda dot: abs(dot.value - 1 / ask.players))
    return doc.Dots(
        "m_wins",
        f"Farthest from an even share of wins is {far.label} with {far.group}: "
        f"{100 * far.value:.1f} %.",
        f"Wins by seat: {', '.join(wins)}.",
        "% of games",
        tuple(dots),
        share=True,
        reference=1 / ask.players,
        reference_name="fair",
    )


def _changes_tables(ask: DesignAsk, comparison: Comparison) -> list[doc.Table]:
    """A row for each variant and measure; no table without variants."""
    if not ask.variants:
        return []
    columns = doc.columns_of(
        "variant|text", "measure|text", "unit|text", "before", "with it", "change", "verdict|text"
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for row in comparison.rows:
        name = next((ask.called(r) for r in ask.variants if r.id == row.rules), row.rules)
        scale = 100.0 if row.measure.share else 1.0
        numbers = (_scaled(e, scale) for e in (row.baseline, row.other, row.difference))
        unit = _unit(row.measure)
        rows.append((name, title_of(row), unit, *numbers, row.judged.verdict))
    return [doc.Table("changes", "All measures", columns, tuple(rows), long=True)]


def _scaled(estimate: Estimate, scale: float) -> Estimate:
    low, high = scale * estimate.low, scale * estimate.high
    return Estimate.from_interval(
        scale * estimate.value, scale * estimate.stderr, low, high, estimate.n
    )


def _meanings_table(ask: DesignAsk, comparison: Comparison) -> doc.Table:
    rows = {title_of(row): row.measure.meaning for row in comparison.rows if row.measure.key != WIN}
    columns = doc.columns_of("measure|text", "meaning|text")
    return doc.Table(
        "meanings",
        "What the measures mean",
        columns,
        tuple(rows.items()),
        long=True,
        note=f"Casual players play {ask.game.casual or '–'}. Chances to win come from the match "
        "equity table where there is one, or from games that continue there.",
    )


# The section on a sweep: what grows with what, for the options that a designer asks about.

MEASURES = ("length", "turns", "lead changes", "comebacks", "decided", "long games", "seat bias")


def swept_section(ask: DesignAsk, tell: Progress | None = None) -> doc.Section:
    """Every combination of the options, on the same cards and dice."""
    axes = read_axes(ask.game, list(ask.vary))
    grid = grid_of(ask.game, ask.rules, axes, ask.players)
    swept = sweep(
        grid,
        [ask.plays] * len(grid.cells),
        ask.players,
        measures=["tension", "duration", "seat bias"],
        games=ask.games,
        play=Play(ask.seed, ask.threads, tell),
    )
    return doc.Section(
        "swept",
        "What grows with what",
        doc.SAMPLED,
        f"{swept.games:,} games of each of {len(swept.variants)} variants, on the same cards and "
        "dice. All intervals of this section hold together with 95 %.",
        headlines=tuple(_sweep_in_words(swept)),
        figures=tuple(_figures(swept)),
        tables=(_table(swept),),
        games=swept.games * len(swept.variants),
        interrupted=swept.interrupted,
    )


def _sweep_in_words(sweep: Sweep) -> list[str]:
    """The clear trends along each option, in a sentence."""
    lines = []
    for axis in sweep.axes:
        clear = [t for t in sweep.trends if t.option == axis.option and t.verdict != UNCLEAR]
        if not clear:
            lines.append(f"{axis.option} changes nothing that these games can show.")
            continue
        ups = [t.measure.name for t in clear if t.slope.value > 0]
        downs = [t.measure.name for t in clear if t.slope.value < 0]
        both = ((ups, "up"), (downs, "down"))
        ways = [f"{', '.join(names)} {way}" for names, way in both if names]
        lines.append(f"More {axis.option}: {'; '.join(ways)}.")
    return lines


def _shown(sweep: Sweep) -> list[Compared]:
    return [measure for measure in sweep.measures if measure.key in MEASURES]


def _figures(sweep: Sweep) -> list[doc.Figure]:
    """A small figure for each measure: curves, or dots."""
    numeric = sorted(
        (axis for axis in sweep.axes if axis.kind == "number"), key=lambda axis: -len(axis.values)
    )
    if not numeric or len(sweep.axes) > 2:
        return [_dots(sweep, measure) for measure in _shown(sweep)]
    others = [axis for axis in sweep.axes if axis is not numeric[0]]
    return [_curves(sweep, numeric[0], others, measure) for measure in _shown(sweep)]


def _name(measure: Compared) -> str:
    return f"s_{measure.key.replace(' ', '_')}"


def _unit(measure: Compared) -> str:
    return f"% {measure.unit}" if measure.share else measure.unit


def _curves(sweep: Sweep, along: Axis, others: Sequence[Axis], measure: Compared) -> doc.Curves:
    """A measure along an option, a curve for each value of the other one."""
    scale = 100.0 if measure.share else 1.0
    groups: dict[str, list[tuple[float, Estimate]]] = {}
    for variant in sweep.variants:
        label = named_values({axis.option: variant.values[axis.option] for axis in others})
        place = float(variant.values[along.option])
        groups.setdefault(label, []).append((place, variant.measures[measure.name]))
    text = "; ".join(
        f"{label or measure.name}: "
        + ", ".join(f"{x:g}: {with_error(y, measure.share)}" for x, y in points)
        for label, points in groups.items()
    )
    lines = tuple(doc.line_of(label or measure.name, p, scale) for label, p in groups.items())
    goes = f"From {along.option}={{first}} to {{last}}, {measure.name} goes from {{at_first}} to "
    return doc.Curves(
        _name(measure),
        titles.of_ends(lines[0], f"{goes}{{at_last}} {_unit(measure)}.", 1),
        f"{measure.name} by {along.option}. {text}.",
        along.option,
        _unit(measure),
        lines,
    )


def _dots(sweep: Sweep, measure: Compared) -> doc.Dots:
    values = [(named_values(v.values), v.measures[measure.name]) for v in sweep.variants]
    dots = tuple(doc.dot_of(name, value) for name, value in values)
    low, high = (end(values, key=lambda pair: pair[1].value) for end in (min, max))
    return doc.Dots(
        _name(measure),
        f"{capital(measure.name)} is {_brief(measure, low[1])} with {low[0]} and "
        f"{_brief(measure, high[1])} with {high[0]}.",
        ", ".join(f"{name}: {with_error(value, measure.share)}" for name, value in values) + ".",
        _unit(measure),
        dots,
        share=measure.share,
    )


def _table(sweep: Sweep) -> doc.Table:
    """A row for each variant."""
    options = [doc.Column(axis.option, "text") for axis in sweep.axes]
    measures: Sequence[Compared] = sweep.measures
    columns = (*options, *(doc.Column(m.name, "share" if m.share else "number") for m in measures))
    rows: list[tuple[doc.Cell, ...]] = [
        (
            *(axis.named(v.values[axis.option]).partition("=")[2] for axis in sweep.axes),
            *(v.measures[m.name] for m in measures),
        )
        for v in sweep.variants
    ]
    return doc.Table("swept", "All variants", columns, tuple(rows), long=True)
