"""A section of Lama Dice, exact: which cards to discard when the roll allows several."""

from __future__ import annotations

import numpy as np

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report.by_game.dice.dice import OTHERS, solved
from lama_odds.core.estimate import exact
from lama_odds.core.wording import listed
from lama_odds.games.dice.rules.ruleset import NAMES
from lama_odds.games.dice.rules.transition import KINDS, LLAMA
from lama_odds.games.dice.solvers.choices import (
    MOST_ALIKE,
    Discards,
    Takes,
    last_discards,
    pair_discards,
    pair_takes,
)
from lama_odds.games.dice.solvers.solve import holds_one_each

WHO = ("last player", "two players")
LOST = "what discarding all costs, points (mean of such rolls)"


def discard_section(ask: doc.Ask) -> doc.Section | None:
    """Discard all that the dice allow, or keep a card back: for the last player and for two.

    None if there are too few cards of a kind, or no roll that leaves a choice.
    """
    if not holds_one_each(ask.rules):
        return None
    pair, last = pair_discards(ask.rules, solved(ask)), last_discards(ask.rules)
    if not (pair.left[0].any() and last.left[0].any()):
        return None
    # One scale of colours for both maps.
    most = max(float(np.nanmax(_mean_lost(discards))) for discards in (last, pair)) or 1.0
    return doc.Section(
        "discard",
        "Which cards to discard",
        doc.EXACT,
        "Every roll that allows several discards, weighted by its chance, in all situations in "
        "which rolling is right. The llama row is full. The last player holds two to six cards, at "
        f"most {MOST_ALIKE} of a kind, weighted as they are dealt, and plays for points. Of two "
        "players, each holds different cards (you hold two to five) and plays for points vs. "
        "others.",
        headlines=(_discard_said(last, pair),),
        text=(
            "A card that you keep costs points if the round ends now. But it is one more card that "
            "the next roll can match. Each field shows in how many per cent of rolls it is right "
            "to keep a card back. Its colour shows what discarding everything costs on average.",
        ),
        figures=(
            _discard_map(
                "discard_last",
                f"The last player keeps a card back in {_kept(last):.0f} % of rolls.",
                "cards held before the roll",
                last,
                most,
            ),
            _discard_map(
                "discard_two",
                f"With two players in, discarding all is right in {100 - _kept(pair):.0f} % of "
                "rolls.",
                "cards that the other holds",
                pair,
                most,
            ),
        ),
        tables=(
            _kinds_table(last, pair),
            _left_table(last, pair),
        ),
    )


def _kinds_table(last: Discards, pair: Discards) -> doc.Table:
    columns = [doc.Column("card", "text")]
    for who in WHO:
        columns += [doc.Column(f"keep it: {who}", "share"), doc.Column(f"else it costs: {who}")]
    return doc.Table(
        "discard_kinds",
        "How often to keep a card that you may discard, and what discarding it then costs",
        tuple(columns),
        tuple((NAMES[k], *_of_kind(last, k), *_of_kind(pair, k)) for k in range(KINDS)),
        note="The share is of the rolls that allow the discard; the points are a mean where "
        "keeping is right.",
    )


def _of_kind(discards: Discards, kind: int) -> tuple[doc.Cell, doc.Cell]:
    """How often keeping a kind is right when it may be discarded, and what that is worth."""
    rolls, kept, lost = (float(x) for x in discards.kinds[:, kind].sum(axis=1))
    return (exact(kept / rolls) if rolls else None, exact(lost / kept) if kept else None)


def _rows_of(discards: Discards) -> list[tuple[str, np.ndarray]]:
    """What would be left, that comes up, with its numbers by column: float64[3, columns]."""
    rows = []
    for llama in range(2):
        for numbers in range(KINDS):
            if discards.left[0, llama, numbers].any():
                rows.append((_left(llama, numbers), discards.left[:, llama, numbers]))
    return rows


def _left(llama: int, numbers: int) -> str:
    if llama:
        return f"llama + {numbers}" if numbers else "llama alone"
    return f"{numbers} number" + "s" * (numbers > 1) if numbers else "nothing (out)"


def _discard_map(
    name: str, title: str, x_label: str, discards: Discards, most: float
) -> doc.HeatMap:
    rows = _rows_of(discards)
    columns = np.flatnonzero(discards.left[0].any(axis=(0, 1))).tolist()
    values, texts = [], []
    for _, (rolls, kept, lost) in rows:
        here = [(rolls[at], kept[at], lost[at]) for at in columns]
        values.append(tuple(float(c / a) if a else None for a, _, c in here))
        texts.append(tuple(f"{100 * b / a:.0f}" if a else "" for a, b, _ in here))
    return doc.HeatMap(
        name,
        title,
        f"A map by {x_label} (columns) and by what discarding everything would leave (rows): "
        + "; ".join(
            f"{label} {', '.join(filter(None, line))}"
            for (label, _), line in zip(rows, texts, strict=True)
        )
        + ".",
        x_label,
        "discarding all leaves",
        tuple(map(str, columns)),
        tuple(label for label, _ in rows),
        tuple(values),
        tuple(texts),
        "",
        "",
        LOST,
        most,
    )


def _mean_lost(discards: Discards) -> np.ndarray:
    """Points lost by discarding all, by what is left and number of cards; nan where never."""
    rolls, _, lost = discards.left
    return np.where(rolls > 0, lost / np.where(rolls > 0, rolls, 1.0), np.nan)


def _left_table(last: Discards, pair: Discards) -> doc.Table:
    columns = doc.columns_of(
        "situation|text",
        "discarding all leaves|text",
        "cards (own, or the other's)",
        "keeping is right|share",
        "discarding then costs",
        LOST,
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for who, discards in zip(WHO, (last, pair), strict=True):
        for label, counts in _rows_of(discards):
            for at in np.flatnonzero(counts[0]).tolist():
                rolls, kept, lost = (float(x) for x in counts[:, at])
                saves = exact(lost / kept) if kept else None
                rows.append((who, label, at, exact(kept / rolls), saves, exact(lost / rolls)))
    return doc.Table("discard", "By what would be left", columns, tuple(rows), long=True)


def _discard_said(last: Discards, pair: Discards) -> str:
    """How often, and where only the llama would be left."""
    llama = _share(last.left[:, 1, 0].sum(axis=1))
    sizes = last.left.sum(axis=(1, 2))
    few, many = (_share(sizes[:, at]) for at in (3, 6))
    return (
        "With two players in, discard all that the dice allow: that is right in "
        f"{100 - _kept(pair):.0f} % of rolls. As the last player, keep a card back more often: in "
        f"{few:.0f} % of rolls with three cards, {many:.0f} % with six, and {llama:.0f} % where "
        "only the llama would be left."
    )


def _kept(discards: Discards) -> float:
    """How often to keep a card back, in per cent of all rolls."""
    return _share(discards.left.sum(axis=(1, 2, 3)))


def _share(counts: np.ndarray) -> float:
    """In per cent; 0 of nothing."""
    return float(100 * counts[1] / counts[0]) if counts[0] else 0.0


# A section of Lama Dice, exact: which card of the row to take on a miss.

TAKE_LIMIT = 3.0  # points: colours are full from here on


def take_section(ask: doc.Ask) -> doc.Section | None:
    """Which card of the row to take on a miss that leaves a choice; None if none does."""
    if not holds_one_each(ask.rules):
        return None
    takes = pair_takes(ask.rules, solved(ask), OTHERS)
    if not takes.lowest[0].any():
        return None
    gain = _mean_over_sizes(takes)
    headline = _take_said(takes, gain)
    return doc.Section(
        "take",
        "Which card to take on a miss",
        doc.EXACT,
        "Two players, the llama row full. The other holds any "
        f"{OTHERS} different cards, you hold one to four; all hands with which rolling is right. "
        "Best play on both sides, for points vs. others.",
        headlines=(headline,),
        text=(
            "A field shows what it costs you to take the column's card instead of the row's, where "
            "the dice show both. Numbers above 0 mean: take the row's card. The llama counts most, "
            "but it is the easiest card to match again.",
        ),
        figures=(_take_map(gain, headline),),
        tables=(_lowest_table(takes), _pairs_table(takes)),
    )


def _sizes(takes: Takes) -> list[int]:
    """My numbers of cards with which there is a choice."""
    return [int(size) for size in np.flatnonzero(takes.lowest[0])]


def _mean_over_sizes(takes: Takes) -> np.ndarray:
    """What taking the first kind gains on the second: float64[7, 7], nan where never offered."""
    gain = takes.gain[:, :, _sizes(takes)]
    known = (~np.isnan(gain)).sum(axis=2)
    return np.where(known > 0, np.nansum(gain, axis=2) / np.maximum(known, 1), np.nan)


def _take_map(gain: np.ndarray, headline: str) -> doc.HeatMap:
    values = [tuple(None if np.isnan(value) else float(value) for value in line) for line in gain]
    return doc.HeatMap(
        "take",
        headline.partition(". ")[2],
        f"A map of all pairs of cards that a roll can offer. {headline}",
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


def _take_said(takes: Takes, gain: np.ndarray) -> str:
    """The order of the cards, and what the simple rule costs."""
    order = np.argsort(-np.nan_to_num(gain).sum(axis=1), kind="stable")
    best = np.nan_to_num(takes.right[LLAMA][:, _sizes(takes)])
    always = [NAMES[kind] for kind in range(LLAMA) if best[kind].min() > 0.99]
    rolls, wrong, lost = takes.lowest.sum(axis=1)
    beats = f" (L is the llama, always before {listed(always)})" if always else ""
    return (
        f"If a miss leaves you a choice, prefer {', '.join(NAMES[kind] for kind in order)}, in "
        f"this order{beats}. Always taking the lowest card is wrong in "
        f"{100 * wrong / rolls:.0f} % of cases and costs {lost / rolls:.2f} points each time on "
        "average."
    )


def _lowest_table(takes: Takes) -> doc.Table:
    columns = (
        doc.Column("your cards"),
        doc.Column("lowest is wrong", "share"),
        doc.Column("it costs"),
        *(doc.Column(f"llama beats {NAMES[kind]}", "share") for kind in range(LLAMA)),
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for size in _sizes(takes):
        rolls, wrong, lost = (float(x) for x in takes.lowest[:, size])
        over = [float(takes.right[LLAMA, kind, size]) for kind in range(LLAMA)]
        rows.append((size, exact(wrong / rolls), exact(lost / rolls), *map(exact, over)))
    title = (
        "By your number of cards: what the lowest card costs, and how often the llama beats a "
        "number"
    )
    return doc.Table("take_lowest", title, columns, tuple(rows))


def _pairs_table(takes: Takes) -> doc.Table:
    columns = doc.columns_of(
        "take|text", "rather than|text", "your cards", "better|share", "the other costs, mean"
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for first in range(KINDS):
        for second in range(first + 1, KINDS):
            for size in _sizes(takes):
                if not np.isnan(takes.gain[first, second, size]):
                    values = (takes.right[first, second, size], takes.gain[first, second, size])
                    rows.append((NAMES[first], NAMES[second], size, *(exact(v) for v in values)))
    return doc.Table("take", "All pairs of cards", columns, tuple(rows), long=True)
