"""Comparisons of rule variants as a forest plot: every change with its interval and band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lama_odds.analysis.compare.compare import Comparison, Row
from lama_odds.analysis.variants.given import named
from lama_odds.report.figures.files import COLOURS, GREY, MARKERS, STYLE, drawn
from lama_odds.report.text.compare import change, unit, verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def forest_plot(found: Comparison, format_: str) -> bytes:
    """The changes relative to the baseline with their intervals, a line for each measure.

    The bands are ±δ. Filled marks differ, hollow ones are the same, the others undecided.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        rows = [row for row in found.rows if row.relative is not None]
        pairs = list(found.pairs)
        names = list(dict.fromkeys(row.measure.name for row in rows))
        step = max(1.0, 0.62 * len(pairs))
        figure = Figure(figsize=(8.5, 1.4 + 0.30 * step * len(names) + 0.2 * len(pairs)))
        axes = figure.add_subplot()
        for row in rows:
            pair = pairs.index((row.against, row.rules))
            shift = (pair - (len(pairs) - 1) / 2) * step * 0.8 / len(pairs)
            _mark(axes, row, names.index(row.measure.name) * step + shift, pair, len(pairs))
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
        _headings(axes, found, pairs)
        return drawn(figure, format_)


def _mark(axes: Axes, row: Row, y: float, pair: int, pairs: int) -> None:
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
    colour = COLOURS[pair % len(COLOURS)]
    axes.plot([low, high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=2)
    face = {"differs": colour, "same": "white", "undecided": "#C8C8C8"}[row.judged.verdict]
    marker = MARKERS[pair % len(MARKERS)]
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


def _headings(axes: Axes, found: Comparison, pairs: Sequence[tuple[str, str]]) -> None:
    """What is compared, each pair in its colour."""
    title = f"{found.players} players, {found.games:,} games each"
    axes.set_title(title, pad=8 + 13 * len(pairs), fontsize=9, color=GREY)
    for at, (against, rules) in enumerate(pairs):
        axes.annotate(
            f"{named(rules, found.names)} against {named(against, found.names)}",
            (0, 1),
            xycoords="axes fraction",
            xytext=(0, 6 + 13 * (len(pairs) - 1 - at)),
            textcoords="offset points",
            fontsize=10,
            fontweight="bold",
            color=COLOURS[at % len(COLOURS)],
            parse_math=False,
        )
