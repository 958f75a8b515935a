"""The section of thresholds for winning: when to quit, by the own score and the best other's."""

from __future__ import annotations

import math
from dataclasses import replace

from lama_odds.analysis.published_card import published_card
from lama_odds.analysis.strategy_report.document import (
    SAMPLED,
    Beside,
    Cell,
    Column,
    Curves,
    Line,
    Section,
    Table,
    line_of,
)
from lama_odds.analysis.strategy_report.report import DEFAULT_PRECISION, Ask
from lama_odds.analysis.strategy_report.words import POINTS_OF_CHANCE, all_play, better_said, going
from lama_odds.analysis.thresholds.answer import Limit, Row, Thresholds
from lama_odds.analysis.thresholds.by_score import PRECISION, game_thresholds
from lama_odds.core.estimate import with_unit
from lama_odds.core.progress import Progress
from lama_odds.games.shared.score_bands import OTHER, OWN

PAST = 4  # penalties shown after the last turning point
WIDEST = 0.15  # of the chance to win: half-width of what is still drawn


def win_section(ask: Ask, progress: Progress | None = None) -> Section:
    """When to quit if winning the game counts."""
    found = game_thresholds(
        ask.game,
        ask.rules,
        ask.players,
        # Coarser where points are, but not as much: chances of rare scores vary widely.
        precision=PRECISION * math.sqrt(ask.budget.precision / DEFAULT_PRECISION),
        seed=ask.seed,
        threads=ask.threads,
        progress=progress,
    )
    quits, goes_on = found.actions
    figure = by_scores(found)
    return Section(
        "thresholds_win",
        f"When to {quits} to win the game",
        SAMPLED,
        f"{found.games:,} games of {found.players} players, in which {all_play(ask)}. At "
        f"decisions {found.decisions}, both actions are played out to the end of the game with "
        "the same cards and dice.",
        headlines=(*_card_said(ask), *_headlines(found)),
        text=(
            f"The curves show what {going(goes_on)} costs you of the chance to win the game. Above "
            f"0 you should {quits}, below 0 you should {goes_on}. Scores are those before the "
            "round. Bands are 95 % intervals.",
        ),
        figures=tuple(
            replace(part, title=f"To win the game: {part.title}")
            for part in figure.parts
            if isinstance(part, Curves)
        ),
        tables=(_limits_table(found), _all_rows(found)),
        games=found.games,
        interrupted=found.interrupted,
    )


def by_scores(found: Thresholds) -> Beside:
    """A part for each own score, a small figure in it for each score of the best other."""
    quits, goes_on = found.actions
    lows = sorted({limit.keys[OWN] or 0 for limit in found.limits})
    said = "; ".join(
        f"your score {_scores(found, OWN, limit)} and best other {_scores(found, OTHER, limit)}: "
        f"{_limit_text(found, limit, 0)}"
        for limit in found.limits
    )
    return Beside(
        "by_scores",
        f"To win the game: {quits} or {goes_on}, by your score and the best other's",
        f"Curves of what {going(goes_on)} costs you of the chance to win, by {found.label}, a "
        f"small figure for each pair of scores. Last {found.label} to {quits} with: {said}.",
        tuple(part for low in lows if (part := _part(found, low)).lines),
    )


def _part(found: Thresholds, own: int) -> Curves:
    """The curves of one own score, up to a few penalties after the last turning point."""
    quits, goes_on = found.actions
    limits = [limit for limit in found.limits if limit.keys[OWN] == own]
    last = PAST + max(1, *(limit.at[0] for limit in limits))
    lines = (_line(found, limit, last) for limit in limits)
    band = found.band or 1
    return Curves(
        f"by_scores_{own}",
        f"your score is {_range(own, band)}",
        f"What {going(goes_on)} costs you with a score of {_range(own, band)}, by {found.label}, "
        "a small figure for each score of the best other.",
        f"your {found.label} if you {quits} now",
        f"what {going(goes_on)} costs, {POINTS_OF_CHANCE}",
        tuple(line for line in lines if len(line.x) > 1),
        share=True,
        zero=(f"{goes_on}", f"{quits}"),
        panels=True,
        separate=True,
    )


def _line(found: Thresholds, limit: Limit, last: int) -> Line:
    """The curve of an own score and one of the best other; what is hardly known is left out."""
    main = found.objectives[0]
    rows = [row for row in found.rows if all(row.keys[k] == v for k, v in limit.keys.items())]
    points = [
        (float(found.shown(_penalty(row)) or 0), row.values[main][2])
        for row in sorted(rows, key=_penalty)
        if _penalty(row) <= last
    ]
    sure = [(x, e) for x, e in points if e.high - e.low < 2 * WIDEST]
    return line_of(f"best other {_scores(found, OTHER, limit)}", sure)


def _penalty(row: Row) -> int:
    return row.keys["penalty"] or 0


def _range(low: int, band: int) -> str:
    return f"{low}–{low + band - 1}" if band > 1 else str(low)


def _scores(found: Thresholds, key: str, limit: Limit) -> str:
    return _range(limit.keys[key] or 0, found.band or 1)


def _limit_text(found: Thresholds, limit: Limit, objective: int) -> str:
    """``5``, ``5 (4–7)`` where it is open, ``never``."""
    at, certain, perhaps = (x[objective] for x in (limit.at, limit.certain, limit.perhaps))
    said = "never" if at < 0 else str(found.shown(at))
    if certain == perhaps or (at < 0 and perhaps <= 0):
        return said
    return f"{said} ({found.shown(max(certain, 0))}–{found.shown(max(perhaps, 0))})"


def _card_said(ask: Ask) -> list[str]:
    """The rule that was played for winning, and what it wins; nothing if there is none."""
    card = published_card(ask.game, ask.rules, ask.players)
    return [] if card is None else [" ".join(card.lines), card.said]


def _headlines(found: Thresholds) -> list[str]:
    """Where it turns at the start of the game, and how far the scores move it."""
    quits, goes_on = found.actions
    often = max(found.limits, key=lambda limit: limit.met)
    known = [limit for limit in found.limits if limit.at[0] >= 0]
    first = (
        f"To win the game, your limit depends on the scores. {_with_scores(found, often)}, "
        f"{_rule(found, often)}."
        if often.at[0] >= 0
        else f"To win the game, {goes_on} more often. {_with_scores(found, often)}, never {quits}."
    )
    far = max(known, key=lambda limit: limit.at[0], default=often)
    return [first if far is often else f"{first} {_with_scores(found, far)}, {_rule(found, far)}."]


def _with_scores(found: Thresholds, limit: Limit) -> str:
    """At which scores, in words."""
    own, other = _scores(found, OWN, limit), _scores(found, OTHER, limit)
    if own == other:
        return f"When you and the best other have {with_unit(own)} each"
    return f"When you have {with_unit(own)} and the best other {other}"


def _rule(found: Thresholds, limit: Limit) -> str:
    """Up to where to quit, and how uncertain that is."""
    quits = found.actions[0]
    at, sure, perhaps = (x[0] for x in (limit.at, limit.certain, limit.perhaps))
    said = f"{quits} with {found.shown(at)} point{'s' * (found.shown(at) != 1)} or less"
    if sure == perhaps:
        return said
    low, high = found.shown(max(sure, 0)), found.shown(max(perhaps, 0))
    return f"{said} (the limit is uncertain: {low} to {high})"


def _limits_table(found: Thresholds) -> Table:
    quits = found.actions[0]
    lows = sorted({limit.keys[OTHER] or 0 for limit in found.limits})
    by_scores = {(limit.keys[OWN], limit.keys[OTHER]): limit for limit in found.limits}
    band = found.band or 1
    rows: list[tuple[Cell, ...]] = []
    for own in sorted({limit.keys[OWN] or 0 for limit in found.limits}):
        limits = [by_scores.get((own, other)) for other in lows]
        cells = [None if limit is None else _limit_text(found, limit, 0) for limit in limits]
        rows.append((_range(own, band), *cells))
    columns = [Column("your score", "text")]
    columns += [Column(f"best other {_range(low, band)}", "text") for low in lows]
    title = f"To win the game: {quits} at this {found.label} or less (in brackets: how uncertain)"
    return Table("limits_by_scores", title, tuple(columns), tuple(rows))


def _all_rows(found: Thresholds) -> Table:
    quits, goes_on = found.actions
    main = found.objectives[0]
    columns = (
        Column(found.label),
        Column("your score from"),
        Column("best other's from"),
        Column("times per game"),
        Column("n"),
        Column(f"{quits}, win", "share"),
        Column(f"{goes_on}, win", "share"),
        Column(f"{going(goes_on)} costs, {POINTS_OF_CHANCE}", "change"),
        Column("better", "text"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            found.shown(_penalty(row)),
            row.keys[OWN],
            row.keys[OTHER],
            row.met,
            row.n,
            *row.values[main],
            better_said(found, row, main),
        )
        for row in found.rows
    ]
    title = "All situations that occurred often enough"
    return Table("thresholds_win", title, columns, tuple(rows), long=True)
