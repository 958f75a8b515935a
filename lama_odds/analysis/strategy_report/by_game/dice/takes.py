"""A section of Lama Dice, exact: which card of the row to take on a miss."""

from __future__ import annotations

import numpy as np

from lama_odds.analysis.strategy_report.by_game.dice.dice import OTHERS, solved
from lama_odds.analysis.strategy_report.document import EXACT, Cell, Column, HeatMap, Section, Table
from lama_odds.analysis.strategy_report.report import Ask
from lama_odds.analysis.strategy_report.words import listed
from lama_odds.core.estimate import exact
from lama_odds.games.dice.rules.ruleset import NAMES
from lama_odds.games.dice.rules.transition import KINDS, LLAMA
from lama_odds.games.dice.solvers.choices import Takes, pair_takes
from lama_odds.games.dice.solvers.one_each import holds_one_each

TAKE_LIMIT = 3.0  # points: colours are full from here on


def take_section(ask: Ask) -> Section | None:
    """Which card of the row to take on a miss that leaves a choice; None if none does."""
    if not holds_one_each(ask.rules):
        return None
    found = pair_takes(ask.rules, solved(ask), OTHERS)
    if not found.lowest[0].any():
        return None
    gain = _mean_over_sizes(found)
    said = _take_said(found, gain)
    return Section(
        "take",
        "Which card to take on a miss",
        EXACT,
        "Two players, the llama row full. The other holds any "
        f"{OTHERS} different cards, you hold one to four; all hands with which rolling is right. "
        "Best play on both sides, for points vs. others.",
        headlines=(said,),
        text=(
            "A field shows what it costs you to take the column's card instead of the row's, where "
            "the dice show both. Numbers above 0 mean: take the row's card. The llama counts most, "
            "but it is the easiest card to match again.",
        ),
        figures=(_take_map(gain, said),),
        tables=(_lowest_table(found), _pairs_table(found)),
    )


def _sizes(found: Takes) -> list[int]:
    """My numbers of cards with which there is a choice."""
    return [int(size) for size in np.flatnonzero(found.lowest[0])]


def _mean_over_sizes(found: Takes) -> np.ndarray:
    """What taking the first kind gains on the second: float64[7, 7], nan where never offered."""
    gain = found.gain[:, :, _sizes(found)]
    known = (~np.isnan(gain)).sum(axis=2)
    return np.where(known > 0, np.nansum(gain, axis=2) / np.maximum(known, 1), np.nan)


def _take_map(gain: np.ndarray, said: str) -> HeatMap:
    values = [tuple(None if np.isnan(value) else float(value) for value in line) for line in gain]
    return HeatMap(
        "take",
        "Which of two cards to take: what the column's costs more",
        f"A map of all pairs of cards that a roll can offer. {said}",
        "instead take",
        "take",
        tuple(NAMES),
        tuple(NAMES),
        tuple(values),
        tuple(tuple("" if v is None else _signed(v) for v in line) for line in values),
        "column",
        "row",
        "cost vs. others of taking the column's card, points",
        TAKE_LIMIT,
        border=False,
    )


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def _take_said(found: Takes, gain: np.ndarray) -> str:
    """The order of the cards, and what the simple rule costs."""
    order = np.argsort(-np.nan_to_num(gain).sum(axis=1), kind="stable")
    best = np.nan_to_num(found.right[LLAMA][:, _sizes(found)])
    always = [NAMES[kind] for kind in range(LLAMA) if best[kind].min() > 0.99]
    rolls, wrong, lost = found.lowest.sum(axis=1)
    beats = f" (L is the llama, always before {listed(always)})" if always else ""
    return (
        f"If a miss leaves you a choice, prefer {', '.join(NAMES[kind] for kind in order)}, in "
        f"this order{beats}. Always taking the lowest card is wrong in "
        f"{100 * wrong / rolls:.0f} % of cases and costs {lost / rolls:.2f} points each time on "
        "average."
    )


def _lowest_table(found: Takes) -> Table:
    columns = (
        Column("your cards"),
        Column("lowest is wrong", "share"),
        Column("it costs"),
        *(Column(f"llama beats {NAMES[kind]}", "share") for kind in range(LLAMA)),
    )
    rows: list[tuple[Cell, ...]] = []
    for size in _sizes(found):
        rolls, wrong, lost = (float(x) for x in found.lowest[:, size])
        over = [float(found.right[LLAMA, kind, size]) for kind in range(LLAMA)]
        rows.append((size, exact(wrong / rolls), exact(lost / rolls), *map(exact, over)))
    title = (
        "By your number of cards: what the lowest card costs, and how often the llama beats a "
        "number"
    )
    return Table("take_lowest", title, columns, tuple(rows))


def _pairs_table(found: Takes) -> Table:
    columns = (
        Column("take", "text"),
        Column("rather than", "text"),
        Column("your cards"),
        Column("better", "share"),
        Column("the other costs, mean"),
    )
    rows: list[tuple[Cell, ...]] = []
    for first in range(KINDS):
        for second in range(first + 1, KINDS):
            for size in _sizes(found):
                if not np.isnan(found.gain[first, second, size]):
                    values = (found.right[first, second, size], found.gain[first, second, size])
                    rows.append((NAMES[first], NAMES[second], size, *(exact(v) for v in values)))
    return Table("take", "All pairs of cards", columns, tuple(rows), long=True)
