"""A section of Lama Dice, exact: which card of the row to take on a miss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.analysis.strategy_report.by_game.dice.dice import OTHERS, solved
from lama_odds.analysis.strategy_report.document import EXACT, Cell, Column, HeatMap, Section, Table
from lama_odds.analysis.strategy_report.report import Ask
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
        "Two players, the llama row full, the other with any "
        f"{OTHERS} different cards, I with one to four, all hands in which rolling is right; both "
        "play as well as can be for their margin.",
        headlines=(said,),
        text=(
            "Read a row: so many points of margin it gains to take its card rather than that of "
            "the column, where the dice show both (mean over my numbers of cards). The llama is "
            "the dearest card but the easiest to match again.",
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
        "Take this card (row) rather than that (column)?",
        f"A map of all pairs of cards that a roll can offer. {said}",
        "rather than",
        "take",
        tuple(NAMES),
        tuple(NAMES),
        tuple(values),
        tuple(tuple("" if v is None else _signed(v) for v in line) for line in values),
        "column",
        "row",
        "points of margin gained",
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
    beats = f": the llama always before {_listed(always)}" if always else ""
    return (
        f"On a miss with a choice take {', '.join(NAMES[kind] for kind in order)}, in this order"
        f"{beats}. Always the lowest is wrong in {100 * wrong / rolls:.0f} % of cases and loses "
        f"{lost / rolls:.2f} points a time (exact; two players, the other with {OTHERS} different "
        "cards)."
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _lowest_table(found: Takes) -> Table:
    columns = (
        Column("my cards"),
        Column("lowest wrong", "share"),
        Column("it loses"),
        *(Column(f"llama over {NAMES[kind]}", "share") for kind in range(LLAMA)),
    )
    rows: list[tuple[Cell, ...]] = []
    for size in _sizes(found):
        rolls, wrong, lost = (float(x) for x in found.lowest[:, size])
        over = [float(found.right[LLAMA, kind, size]) for kind in range(LLAMA)]
        rows.append((size, exact(wrong / rolls), exact(lost / rolls), *map(exact, over)))
    title = (
        "By my number of cards: the lowest card, and how often the llama is better than a number"
    )
    return Table("take_lowest", title, columns, tuple(rows))


def _pairs_table(found: Takes) -> Table:
    columns = (
        Column("take", "text"),
        Column("rather than", "text"),
        Column("my cards"),
        Column("better", "share"),
        Column("points gained, mean"),
    )
    rows: list[tuple[Cell, ...]] = []
    for first in range(KINDS):
        for second in range(first + 1, KINDS):
            for size in _sizes(found):
                if not np.isnan(found.gain[first, second, size]):
                    values = (found.right[first, second, size], found.gain[first, second, size])
                    rows.append((NAMES[first], NAMES[second], size, *(exact(v) for v in values)))
    return Table("take", "All pairs of cards", columns, tuple(rows), long=True)
