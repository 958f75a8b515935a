"""The section of No Prob-Lama on cards drawn: where to put them, whom to give the specials.

Cards drawn in self-play are put, or given, in several ways on the same luck, see `studies` of the
game. The cells of its tables are few decisions each; here they are taken together by what kind of
place a card goes to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lama_odds.analysis.strategy_report.document import (
    EXACT,
    SAMPLED,
    Beside,
    Column,
    Dots,
    Figure,
    HeatMap,
    Section,
    Table,
    dot_of,
)
from lama_odds.analysis.strategy_report.pooled import NO_GROUP, pooled_job
from lama_odds.analysis.strategy_report.report import DEFAULT_PRECISION, Ask, shown
from lama_odds.analysis.thresholds.tables import tables_beside
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import Progress
from lama_odds.games.interface.jobs import ForkTable, ForkTables
from lama_odds.games.interface.solution import ThresholdTable
from lama_odds.simulation.paired_blocks import BLOCK

REPLACEMENTS, GIFTS = "replacements", "gifts"
PLACES, BY_CARD = "places", "places_by_card"
FEWEST_ROUNDS = 400
MOST_PART = 2 / 3  # of the rounds that the tables of `thresholds` rest on
SHOWN_LIMIT = 4.0  # points: colours are full from here on
FACE_DOWN, COMPLETES, BREAKS = "face down", "completes a line", "breaks a line"
# Kinds of places; those of a card that counts more are told apart by what is saved at least.
KINDS = {
    COMPLETES: "a line is completed",
    FACE_DOWN: "a card face down",
    "saves much": "a card 6 or more points dearer",
    "saves some": "a card 3 to 5 points dearer",
    "saves little": "a card 1 or 2 points dearer",
    "equal": "a card that counts the same",
    "cheaper": "a lower number",
    "joker": "a joker",
    "negative": "a negative card",
    BREAKS: "a line is broken",
}
SAVES = {"saves much": 6, "saves some": 3, "saves little": 1}  # points at least
TITLES = {
    PLACES: "Kinds of places, all cards",
    BY_CARD: "Kinds of places, by card",
    REPLACEMENTS: "Every card on every other",
    GIFTS: "Whom to give a special",
}
POLICY = "whom the policy gives it"
NAMES = {"D": "Drama", "K": "Karma"}
LINE = 3  # cards
MOST_WORSE = 2


def _studies(ask: Ask) -> ForkTables | None:
    """The studies of cards drawn; None if the game has none."""
    policies = [ask.game.best_policy(ask.rules, ask.players, "points")] * ask.players
    chances = np.ones(ask.game.most_points(ask.rules) + 1, dtype=np.int64)
    forks = ask.game.forks(ask.rules, policies, chances)
    return None if forks is None else forks.beside


def drawn_section(ask: Ask, progress: Progress | None = None) -> Section | None:
    """Where to put a card drawn, and whom to give a special; None if nothing was met enough."""
    studied = _studies(ask)
    if studied is None:
        return None
    part = MOST_PART * min(1.0, DEFAULT_PRECISION / ask.budget.precision)
    rounds = max(FEWEST_ROUNDS, round(part * studied.rounds)) // BLOCK * BLOCK
    beside = with_places(studied, ask.rules)
    found, interrupted = tables_beside(beside, ask.seed, rounds, ask.threads, progress, None)
    tables = {table.name: table for table in found}
    figures: list[Figure] = []
    said: list[str] = []
    if PLACES in tables:
        figures.append(_place_dots(tables[PLACES]))
        said += _places_said(tables[PLACES])
    if BY_CARD in tables:
        figures.append(place_map(tables[BY_CARD], ask.rules.names))
    if GIFTS in tables and ask.players > 2:  # else there is nobody else to give it to
        figures.append(_gift_dots(tables[GIFTS]))
        said += gifts_said(tables[GIFTS])
    policy = ask.game.best_policy(ask.rules, ask.players, "points").name
    return Section(
        "drawn",
        "A card drawn: where to put it, whom to give it",
        SAMPLED,
        f"{rounds:,} rounds of {ask.players} players, everybody plays "
        f"{policy}; a quarter of the cards drawn are put there and elsewhere, or given to each of "
        "the others and to nobody, and the round is played out on the same luck.",
        headlines=tuple(said),
        text=(
            "What putting a card there adds, against its best other use (another place, or putting "
            "it away). The kind of place is drawn evenly from those that I have, not chosen: above "
            "0 points stands what it costs not to look for a better one. A place that makes or "
            "breaks a line is counted as that only. Intervals are 95 %.",
        ),
        figures=tuple(figures),
        tables=tuple(_table(table) for table in found),
        games=rounds,
        interrupted=interrupted,
    )


def place_of(card: int, replaces: str, points: Mapping[str, int]) -> str:
    """The kind of place: of what a card replaces, against the points of the card."""
    if replaces in (FACE_DOWN, COMPLETES, BREAKS):
        return replaces
    old = replaces.strip("()")
    if old == "J":
        return "joker"
    saved = points[old] - card
    if saved > 0:
        return next(kind for kind, least in SAVES.items() if saved >= least)
    if saved == 0:
        return "equal"
    return "negative" if points[old] < 0 else "cheaper"


def with_places(studied: ForkTables, rules: Any) -> ForkTables:
    """The same studies, replacements also by kind of place: of each card, and of all."""
    source = next(table for table in studied.tables if table.name == REPLACEMENTS)
    points = dict(zip(rules.names, rules.points, strict=True))
    cells = studied.job.shape[0]
    cards = list(dict.fromkeys(keys["card"] for keys in source.keys))
    kinds = list(KINDS)
    groups = np.full((2, cells), NO_GROUP, dtype=np.int64)
    for at, keys in enumerate(source.keys):
        kind = kinds.index(place_of(points[keys["card"]], keys["replaces"], points))
        groups[0, source.first + at] = cards.index(keys["card"]) * len(kinds) + kind
        groups[1, source.first + at] = len(cards) * len(kinds) + kind
    by_card = [{"card": card, "on": KINDS[kind]} for card in cards for kind in kinds]
    title = "What putting a card drawn there adds to my total, against its best other use"
    objectives, made = source.objectives, source.made
    more = (
        ForkTable(PLACES, f"{title}: all cards", cells + len(by_card),
                  [{"on": KINDS[kind]} for kind in kinds], objectives, made),
        ForkTable(BY_CARD, f"{title}: by card", cells, by_card, objectives, made),
    )  # fmt: skip
    job = pooled_job(studied.job, groups)
    return ForkTables(job, studied.rounds, (*more, *studied.tables))


def _place_dots(found: ThresholdTable) -> Beside:
    """What a place adds to the total, and to the chance of the lowest one."""
    parts = []
    for name, title in (
        ("points", "points of my total (lower is better)"),
        ("round", "chance of the lowest total"),
    ):
        rows = sorted(found.rows, key=lambda row: row["points"].value)
        dots = tuple(dot_of(row["on"], row[name]) for row in rows)
        share = name == "round"
        said = ", ".join(
            f"{d.label} {100 * d.value:+.1f} %" if share else f"{d.label} {d.value:+.1f}"
            for d in dots
        )
        parts.append(Dots(f"{PLACES}_{name}", title, said, "", dots, share=share, reference=0.0))
    return Beside(
        PLACES,
        "Where to put a card drawn, against its best other use",
        "What putting a card there adds. "
        + "; ".join(f"{part.title}: {part.alt}" for part in parts)
        + ".",
        tuple(parts),
    )


def _clear(found: Estimate) -> bool:
    """Whether it is known on which side of 0 it is."""
    return found.low > 0 or found.high < 0


def place_map(found: ThresholdTable, names: Sequence[str]) -> HeatMap:
    """The same by card: values that are clear of 0 are written out."""
    cells = {(row["on"], row["card"]): row["points"] for row in found.rows}
    kinds = [kind for kind in KINDS.values() if any(on == kind for on, _ in cells)]
    met = {card for _, card in cells}
    cards = [name for name in names if name in met]
    cards.sort(key=lambda name: -100 if name == "J" else int(name))
    lines = [[cells.get((kind, card)) for card in cards] for kind in kinds]
    clear = sum(e is not None and _clear(e) for line in lines for e in line)
    return HeatMap(
        BY_CARD,
        "Which card on what",
        "A map by what is replaced (rows) and card drawn (columns): points that it adds to my "
        f"total. {clear} of {len(cells)} fields are known to be above or below 0: "
        + "; ".join(_row_said(kind, cards, line) for kind, line in zip(kinds, lines, strict=True))
        + ".",
        "card drawn; a number stands where the interval does not hold 0",
        "put on",
        tuple("joker" if card == "J" else card.replace("-", "−") for card in cards),
        tuple(kinds),
        tuple(tuple(e.value if e else None for e in line) for line in lines),
        tuple(tuple(_written(e) for e in line) for line in lines),
        "here",
        "its other use",
        "points that it adds to my total",
        SHOWN_LIMIT,
        border=False,
    )


def _written(found: Estimate | None) -> str:
    if found is None or not _clear(found):
        return ""
    return f"{found.value:+.1f}".replace("-", "−")


def _row_said(kind: str, cards: Sequence[str], line: Sequence[Estimate | None]) -> str:
    told = [f"{c} {e.value:+.1f}" for c, e in zip(cards, line, strict=True) if e and _clear(e)]
    return f"{kind}: {', '.join(told) or 'none'}"


def _gift_dots(found: ThresholdTable) -> Beside:
    """What a gift does to the margin of who gives it, by who gets it."""
    parts = []
    for card, name in NAMES.items():
        rows = [r for r in found.rows if r["card"] == card and r["against"] != POLICY]
        if rows:
            dots = tuple(dot_of(row["to"], row["margin"]) for row in rows)
            said = ", ".join(f"{d.label} {d.value:+.2f}" for d in dots)
            title = f"{name}: margin of the giver"
            label = "points; at 0: nobody gets it"
            parts.append(Dots(f"gift_{name}", title, said, label, dots, reference=0.0))
    return Beside(
        GIFTS,
        "Whom to give a special: against nobody's getting it, lower is better",
        "What a special adds to the margin of who gives it, by who gets it. "
        + "; ".join(f"{part.title}: {part.alt}" for part in parts)
        + ".",
        tuple(parts),
    )


def _table(found: ThresholdTable) -> Table:
    """A table of a study as the report has it."""
    columns = []
    for name, value in found.rows[0].items():
        kind = "share" if name == "round" else "number"
        columns.append(Column(name, "text" if isinstance(value, str) else kind))
    rows = tuple(tuple(row.values()) for row in found.rows)
    note = f"{found.title}; {found.made}."
    long = found.name != PLACES
    return Table(found.name, TITLES[found.name], tuple(columns), rows, long, note)


def _places_said(found: ThresholdTable) -> list[str]:
    """Completing a line, a card face down, and the places that cost most."""
    by_place = {row["on"]: row for row in found.rows}
    parts = []
    if KINDS[COMPLETES] in by_place:
        parts.append(f"completing a line {_compared(by_place[KINDS[COMPLETES]]['points'])}")
    if KINDS[FACE_DOWN] in by_place:
        parts.append(
            f"replacing a card face down {_compared(by_place[KINDS[FACE_DOWN]]['points'])}"
        )
    said = [f"Against the best other use of a card drawn, {'; '.join(parts)}."] if parts else []
    worse = [row for row in found.rows if row["points"].low > 0]
    worse = sorted(worse, key=lambda row: -row["points"].value)[:MOST_WORSE]
    if worse:
        listed = "; ".join(
            f"{row['on']}: {shown(row['points'])} points and {shown(_lost(row['round']), True)} of "
            "the chance of the lowest total"
            for row in worse
        )
        said.append(f"Places that cost most – {listed}.")
    return said


def _compared(points: Estimate) -> str:
    """What something adds to a total, in words."""
    if not _clear(points):
        return f"makes no clear difference ({shown(points)} points)"
    verb = "costs" if points.value > 0 else "saves"
    return f"{verb} {shown(_lost(points) if points.value < 0 else points)} points"


def _lost(found: Estimate) -> Estimate:
    """The same with the other sign."""
    return replace(found, value=-found.value, low=-found.high, high=-found.low)


def gifts_said(found: ThresholdTable) -> list[str]:
    """Whom the policy gives a special, and what it costs to give it to another."""
    said = []
    for card, name in NAMES.items():
        rows = [r for r in found.rows if r["card"] == card and r["to"].endswith("total")]
        others = [row for row in rows if row["against"] == POLICY]
        if len(others) < 2:
            continue
        usual = min(others, key=lambda row: abs(row["margin"].value))["to"]
        alone = next(r for r in rows if r["to"] == usual and r["against"] != POLICY)
        listed = ", ".join(f"{r['to']} {shown(r['margin'])}" for r in others if r["to"] != usual)
        said.append(
            f"A {name} to the {usual} of the others {_compared(alone['margin'])} of margin; to "
            f"another, so much more is lost: {listed}."
        )
    return said


def lines_section(ask: Ask) -> Section | None:
    """What a line of each number saves, and how likely the next card completes a pair.

    None if no number is there twice.
    """
    rules = ask.rules
    unseen = rules.cards - (LINE - 1)
    rows = []
    for number in range(len(rules.points)):
        name, value, copies = rules.names[number], rules.points[number], rules.deck[number]
        if value <= 0 or not name.isdigit() or copies < LINE - 1:
            continue
        third = exact((copies - (LINE - 1) + rules.jokers) / unseen)
        rows.append((name, LINE * value, -value, (LINE + 1) * value, third))
    if not rows:
        return None
    last = rows[-1]
    return Section(
        "lines",
        "What a line is worth",
        EXACT,
        "Three cards of a number in a row or column count minus the number instead of their sum; "
        "jokers stand for any. The next card: nothing known but the pair.",
        findings=(
            f"A line of {last[0]} counts {last[2]} instead of {last[1]}; with a pair held, the "
            f"next card drawn completes it in {100 * last[4].value:.1f} % (exact).",
        ),
        tables=(
            Table(
                "lines",
                "Lines by number",
                (
                    Column("number", "text"),
                    Column("three cards count"),
                    Column("as a line"),
                    Column("saved"),
                    Column("the next card completes a pair", "share"),
                ),
                tuple(rows),
            ),
        ),
    )
