"""Figures of sweeps: curves along one option, maps of two, with what is not known marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lama_odds.analysis.compare.answer import Compared
from lama_odds.analysis.compare.compare import Comparison, Row
from lama_odds.analysis.sweep import answer
from lama_odds.analysis.variants.given import named, titled
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import EXACT
from lama_odds.report.figures import style
from lama_odds.report.figures.curves import draw_cell, ink_on
from lama_odds.report.text.compare import change, unit, verdict
from lama_odds.report.text.numbers import measure_title
from lama_odds.report.text.sweep import even, shown_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Comparisons of rule variants as a forest plot: every change with its interval and band.


def forest_plot(comparison: Comparison, format_: str) -> bytes:
    """The changes relative to the baseline with their intervals, a line for each measure.

    The bands are ±δ. Filled marks differ, hollow ones are the same, the others undecided.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(style.STYLE):
        rows = [row for row in comparison.rows if row.relative is not None]
        pairs = list(comparison.pairs)
        names = list(dict.fromkeys(row.measure.name for row in rows))
        step = max(1.0, 0.62 * len(pairs))
        figure = Figure(figsize=(8.5, 1.4 + 0.30 * step * len(names) + 0.2 * len(pairs)))
        axes = figure.add_subplot()
        for row in rows:
            pair = pairs.index((row.against, row.rules))
            shift = (pair - (len(pairs) - 1) / 2) * step * 0.8 / len(pairs)
            _mark_row(axes, row, names.index(row.measure.name) * step + shift, pair, len(pairs))
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_ylim(len(names) * step - step / 2, -step / 2)
        axes.set_yticks(
            [at * step for at in range(len(names))], [name.replace("_", " ") for name in names]
        )
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(
            "change against the baseline, % of its value, with 95 % intervals; band: ± δ\n"
            "filled: differs; hollow: same; grey: undecided"
        )
        _limit(axes, rows)
        _headings(axes, comparison, pairs)
        return style.drawn(figure, format_)


def _mark_row(axes: Axes, row: Row, y: float, pair: int, pairs: int) -> None:
    """One change: its band, interval and mark, and its value in words next to the figure."""
    base = abs(row.baseline.value)
    low, middle, high = (
        100 * value / base
        for value in (row.difference.low, row.difference.value, row.difference.high)
    )
    band = 100 * row.delta / base
    height = 0.62 if pairs == 1 else 0.42
    axes.axhline(y, color="#DDDDDD", linewidth=0.6, zorder=0)
    axes.barh(y, 2 * band, left=-band, height=height, color="#E8E8E8", zorder=0.5)
    colour = style.COLOURS[pair % len(style.COLOURS)]
    axes.plot([low, high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=2)
    face = {"differs": colour, "same": "white", "undecided": "#C8C8C8"}[row.judged.verdict]
    marker = style.MARKERS[pair % len(style.MARKERS)]
    axes.plot([middle], [y], marker, color=colour, mfc=face, markersize=5.5, zorder=3)
    axes.annotate(
        f"{change(row)} {unit(row)}, {verdict(row)}",
        (1.0, y),
        xycoords=("axes fraction", "data"),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
        color=colour if pairs > 1 else "black",
    )


def _limit(axes: Axes, rows: Sequence[Row]) -> None:
    """Let the axis end where the intervals do, not where a wide band does."""
    ends = [0.0]
    for row in rows:
        base = abs(row.baseline.value)
        ends += [100 * row.difference.low / base, 100 * row.difference.high / base]
    width = max(max(ends) - min(ends), 1.0)
    axes.set_xlim(min(ends) - 0.08 * width, max(ends) + 0.08 * width)


def _headings(axes: Axes, comparison: Comparison, pairs: Sequence[tuple[str, str]]) -> None:
    """What is compared, each pair in its colour."""
    title = f"{comparison.players} players, {comparison.games:,} games each"
    axes.set_title(title, pad=8 + 13 * len(pairs), fontsize=9, color=style.GREY)
    for at, (against, rules) in enumerate(pairs):
        axes.annotate(
            f"{named(rules, comparison.names)} against {named(against, comparison.names)}",
            (0, 1),
            xycoords="axes fraction",
            xytext=(0, 6 + 13 * (len(pairs) - 1 - at)),
            textcoords="offset points",
            fontsize=10,
            fontweight="bold",
            color=style.COLOURS[at % len(style.COLOURS)],
            parse_math=False,
        )


MOST_AXES = 2
MOST_CURVES, MOST_MAPS = 6, 4
COLUMNS = 2
HEIGHT, ROW, MAP_MORE = 2.1, 0.36, 1.1  # inches of curves, of a row of a map, of the rest of it
LEFT, LETTER, GAP = 0.6, 0.072, 0.06  # inches: beside a panel, of a letter, between names
USED = 0.9  # of the width, from the first value to the last
MOST_BESIDE = 8  # columns of a map: one with more takes the whole width
MANY = 25  # points of a curve: more are drawn smaller
PALE, FULL = "#f4f4f2", "#00679f"
HATCH = "////"
MET = style.COLOURS[2]


def check_drawable(axes: Sequence[answer.Axis]) -> None:
    """ReadError for more options than a figure shows."""
    if len(axes) > MOST_AXES:
        raise ReadError(f"a figure shows one or two options, and {len(axes)} are varied")


def sweep_figure(sweep: answer.Sweep, format_: str) -> bytes:
    """The measures that matter most, each in a panel: curves of one option, maps of two."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    check_drawable(sweep.axes)
    maps = len(sweep.axes) == MOST_AXES
    measures = shown_measures(sweep, MOST_MAPS if maps else MOST_CURVES)
    wide = maps and len(sweep.axes[1].values) > MOST_BESIDE
    columns = 1 if wide else min(COLUMNS, len(measures))
    rows = math.ceil(len(measures) / columns)
    width = style.WIDE / (1 if wide else COLUMNS) - LEFT
    height = ROW * len(sweep.axes[0].values) + MAP_MORE if maps else HEIGHT
    if maps or sweep.axes[0].kind != "number":
        height += _below(sweep.axes[-1], width)
    looks = style.PAGE_STYLE | {"figure.facecolor": "white", "hatch.linewidth": 0.6}
    with rc_context(looks):
        canvas = Figure(
            figsize=(style.WIDE if wide else style.WIDE * columns / COLUMNS, height * rows)
        )
        panels = list(canvas.subplots(rows, columns, squeeze=False).flat)
        for panel, measure in zip(panels, measures, strict=False):
            (_map if maps else _curve)(panel, sweep, measure, width)
            panel.set_title(measure_title(measure), fontsize=9, parse_math=False)
        for panel in panels[len(measures) :]:
            panel.set_visible(False)
        canvas.supxlabel(_legend(sweep, maps), fontsize=8, color=style.GREY)
        title = f"{titled(sweep)}, {sweep.players} players, {sweep.games:,} games of each variant"
        return style.drawn(canvas, format_, title)


def _fits(names: Sequence[str], width: float) -> bool:
    """Whether names fit beside each other, each in its part of the width."""
    return max(map(len, names)) * LETTER + GAP <= width / len(names)


def _below(axis: answer.Axis, width: float) -> float:
    """How much height turned names take."""
    return LETTER * max(map(len, axis.written)) if not _fits(axis.written, width) else 0.0


def labelled(places: Sequence[float], names: Sequence[str], width: float) -> list[int]:
    """Which of some numbers along a line of this width have room for their names."""
    scale = width / (places[-1] - places[0])
    shown = [0]
    for at, place in enumerate(places[1:], 1):
        last = shown[-1]
        room = (len(names[at]) + len(names[last])) / 2 * LETTER + GAP
        if (place - places[last]) * scale >= room:
            shown.append(at)
    return shown


def _legend(sweep: answer.Sweep, maps: bool) -> str:
    if maps:
        unknown = "may be above or below the mean of the map"
        if sweep.wishes:
            unknown = f"may fulfil the wish; where there is none, {unknown}"
        wished = "framed: surely fulfils the wish; " * bool(sweep.wishes)
        left_out = "; –: cannot be played" * bool(sweep.left_out)
        return f"{wished}hatched: {unknown}{left_out}"
    wished = "; green: range of the wish; filled: surely fulfilled, hollow: perhaps" * bool(
        sweep.wishes
    )
    return f"bands: intervals that hold together with 95 %{wished}"


def _wishes_for(sweep: answer.Sweep, measure: Compared) -> list[answer.Judged]:
    return [w for w in sweep.wishes if w.wish and w.wish.measure == measure.name]


def _verdict(wishes: Sequence[answer.Judged], rules: str) -> str:
    """The verdict on a variant of all wishes for a measure."""
    verdicts = {wish.verdict(rules) for wish in wishes}
    if verdicts == {answer.SURELY}:
        return answer.SURELY
    return answer.MAYBE if verdicts <= {answer.SURELY, answer.MAYBE} else ""


def _curve(panel: Axes, sweep: answer.Sweep, measure: Compared, width: float) -> None:
    """A measure along an option, with the band of its intervals."""
    axis = sweep.axes[0]
    numeric = axis.kind == "number"
    there = [axis.values.index(variant.values[axis.option]) for variant in sweep.variants]
    places = [float(axis.values[at]) if numeric else float(at) for at in there]
    values = [variant.measures[measure.name] for variant in sweep.variants]
    wishes = _wishes_for(sweep, measure)
    size = 4.5 if len(places) <= MANY else 2.5
    low, high = [v.low for v in values], [v.high for v in values]
    if numeric:
        panel.fill_between(places, low, high, color=style.COLOURS[0], alpha=0.22, linewidth=0)
        panel.plot(places, [v.value for v in values], color=style.COLOURS[0], linewidth=1.5)
    else:
        panel.vlines(places, low, high, color=style.COLOURS[0], linewidth=2)
        panel.set_xlim(-0.5, len(axis.values) - 0.5)
    for x, value, variant in zip(places, values, sweep.variants, strict=True):
        verdict = _verdict(wishes, variant.rules) if wishes else answer.SURELY
        face = (
            style.COLOURS[0]
            if verdict == answer.SURELY
            else "white"
            if verdict == answer.MAYBE
            else "#c8c8c8"
        )
        panel.plot([x], [value.value], "o", color=style.COLOURS[0], mfc=face, markersize=size)
    limits = panel.get_ylim()
    for judged in wishes:
        assert judged.wish is not None
        panel.axhspan(
            max(judged.wish.low, limits[0]), min(judged.wish.high, limits[1]), color=MET, alpha=0.13
        )
    panel.set_ylim(*limits)
    names = [axis.written[at] for at in there]
    shown = labelled(places, names, USED * width) if numeric else range(len(places))
    turned = 0 if numeric or _fits(names, width) else 90
    panel.set_xticks(
        [places[at] for at in shown], [names[at] for at in shown], fontsize=8, rotation=turned
    )
    panel.grid(axis="y", color=style.RULE, linewidth=0.6)
    panel.tick_params(length=2, labelsize=8)
    panel.set_xlabel(axis.option, fontsize=8)
    if measure.share:
        style.in_per_cent(panel.yaxis)


def _map(panel: Axes, sweep: answer.Sweep, measure: Compared, width: float) -> None:
    """A measure by two options; what is not known is hatched."""
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    down, across = sweep.axes
    by_values = {tuple(variant.values.values()): variant for variant in sweep.variants}
    values = [variant.measures[measure.name] for variant in sweep.variants]
    texts = {
        variant.rules: text
        for variant, text in zip(sweep.variants, even(values, measure.share), strict=True)
    }
    colours = LinearSegmentedColormap.from_list("map", [PALE, FULL])
    scale = Normalize(min(v.value for v in values), max(v.value for v in values))
    turned = 0 if max(map(len, texts.values())) * LETTER <= width / len(across.values) else 90
    for y, first in enumerate(down.values):
        for x, second in enumerate(across.values):
            variant = by_values.get((first, second))
            if variant is None:
                panel.text(x + 0.5, y + 0.5, "–", ha="center", va="center", color=style.GREY)
                continue
            value = variant.measures[measure.name]
            face = colours(scale(value.value))
            draw_cell(panel, (x, y), face, texts[variant.rules], turned)
            _mark(panel, (x, y), face, _known(sweep, measure, variant))
    panel.set_xlim(0, len(across.values))
    panel.set_ylim(len(down.values), 0)
    panel.set_xticks(
        [x + 0.5 for x in range(len(across.values))],
        across.written,
        fontsize=8,
        rotation=0 if _fits(across.written, width) else 90,
    )
    panel.set_yticks([y + 0.5 for y in range(len(down.values))], down.written, fontsize=8)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
    panel.set_xlabel(across.option, fontsize=8)
    panel.set_ylabel(down.option, fontsize=8)


def _mark(panel: Axes, at: tuple[int, int], face: Any, known: str) -> None:
    """Hatch a cell that is not known; frame one that surely fulfils a wish."""
    x, y = at
    if known == answer.MAYBE:
        sides = [x, x + 1, x + 1, x], [y, y, y + 1, y + 1]
        panel.fill(
            *sides, facecolor="none", edgecolor=ink_on(face), hatch=HATCH, linewidth=0, alpha=0.45
        )
    elif known == answer.SURELY:
        a, b = 0.05, 0.95
        xs, ys = [x + a, x + b, x + b, x + a, x + a], [y + a, y + a, y + b, y + b, y + a]
        panel.plot(xs, ys, color=MET, linewidth=1.8)


def _known(sweep: answer.Sweep, measure: Compared, variant: answer.Variant) -> str:
    """With wishes the verdict on them; else whether a cell is known to differ from the mean."""
    wishes = _wishes_for(sweep, measure)
    if wishes:
        return _verdict(wishes, variant.rules)
    apart = variant.apart.get(measure.name)
    if apart is None or apart.method == EXACT:
        return ""
    return answer.MAYBE if answer.direction(apart) == answer.UNCLEAR else ""
