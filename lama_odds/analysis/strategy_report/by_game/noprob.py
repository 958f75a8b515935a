"""The sections of No Prob-Lama: when to end, what to keep, whom to give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.thresholds.answer import tables_beside
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import Progress
from lama_odds.core.wording import (
    POINTS_OF_CHANCE,
    capital,
    size_with_error,
    with_error,
    with_minus,
    with_unit,
)
from lama_odds.games.interface.jobs import ForkTable, ForkTables
from lama_odds.games.interface.objectives import ThresholdTable
from lama_odds.games.interface.tally_layout import FORK_COLUMNS, as_one_game, decisions_of
from lama_odds.jit.job import Job
from lama_odds.simulation.run import BLOCK, Play

# Cells of forks taken together: a job that counts groups of another job's cells as well.
#
# Decisions of one game are not independent, and a game has decisions in several cells. So the error
# of a group needs its sums game by game, which the sums of its cells do not give. Here the error
# comes from small blocks of games instead, which are as independent and take less time.

NO_GROUP = -1


def pooled_job(job: Job, groups: np.ndarray) -> Job:
    """A job that plays the games of another and counts groups of its cells in the rows after them.

    job: one whose tally is of forks (see `add_fork`), int64[cells, FORK_COLUMNS]. groups:
    int64[levels, cells], the group of each cell, or NO_GROUP; a cell is in as many as there are
    levels. Groups are numbered from 0 over all levels. Games have to be played in whole BLOCKs.
    """
    nothing = np.zeros(0, dtype=np.int64)
    rows = job.shape[0] + int(groups.max()) + 1
    return Job(play_pooled, nothing, nothing, (job, groups), (rows, FORK_COLUMNS))


def play_pooled(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `pooled_job`, in plain Python. tables: the job, and the groups."""
    del rules, policies
    job, groups = tables
    if first % BLOCK or count % BLOCK:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    one = np.zeros(job.shape, dtype=np.int64)
    if not count:  # the call that compiles
        job.play(seed, first, 0, one)
    for start in range(first, first + count, BLOCK):
        one[:] = 0
        job.play(seed, start, BLOCK, one)
        cells = np.flatnonzero(decisions_of(one))
        tally[cells] += one[cells]
        for level in groups:
            _add(tally[len(one) :], one[cells], level[cells])


def _add(tally: np.ndarray, cells: np.ndarray, groups: np.ndarray) -> None:
    """Add the cells of a block of games to the groups that they are in."""
    numbers, place = np.unique(groups, return_inverse=True)
    sums = np.zeros((len(numbers), FORK_COLUMNS), dtype=np.int64)
    np.add.at(sums, place, cells)
    sums, numbers = sums[numbers != NO_GROUP], numbers[numbers != NO_GROUP]
    tally[numbers] += as_one_game(sums)


# The section of No Prob-Lama on cards drawn: where to put them, whom to give the specials.
#
# Cards drawn in self-play are put, or given, in several ways with the same cards to come, see
# `studies` of the game. The cells of its tables are few decisions each; here they are taken
# together by what kind of place a card goes to.

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
    "saves much": "a card worth 6 or more points more",
    "saves some": "a card worth 3 to 5 points more",
    "saves little": "a card worth 1 or 2 points more",
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
    GIFTS: "Whom to give a special card",
}
# Columns of the studies, and what putting a card on some places is.
COSTS = {"points": "cost, points", "round": f"cost, {POINTS_OF_CHANCE} of winning the round"}
COSTS |= {"margin": "cost vs. others", "on": "replaces"}
DOING = {KINDS[COMPLETES]: "completing a line", KINDS[BREAKS]: "breaking a line"}
NOTES = {
    PLACES: "What it costs to put a card drawn there, compared with its best other use.",
    GIFTS: "What it costs you to give a Drama or a Karma away, compared with another use.",
}
POLICY = "whom the policy gives it"
NAMES = {"D": "Drama", "K": "Karma"}
LINE = 3  # cards
MOST_WORSE = 2


def _studies(ask: doc.Ask) -> ForkTables | None:
    """The studies of cards drawn; None if the game has none."""
    policies = [ask.game.best_policy(ask.rules, ask.players, "points")] * ask.players
    chances = np.ones(ask.game.most_points(ask.rules) + 1, dtype=np.int64)
    forks = ask.game.forks(ask.rules, policies, chances)
    return None if forks is None else forks.beside


def drawn_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """Where to put a card drawn, and whom to give a special; None if all is too rare."""
    studied = _studies(ask)
    if studied is None:
        return None
    part = MOST_PART * min(1.0, doc.DEFAULT_PRECISION / ask.budget.precision)
    rounds = max(FEWEST_ROUNDS, round(part * studied.rounds)) // BLOCK * BLOCK
    forks = with_places(studied, ask.rules)
    all_tables, interrupted = tables_beside(forks, rounds, Play(ask.seed, ask.threads, progress))
    tables = {table.name: table for table in all_tables}
    figures: list[doc.Figure] = []
    headlines: list[str] = []
    if PLACES in tables:
        figures.append(_place_dots(tables[PLACES]))
        headlines += _places_said(tables[PLACES])
    if BY_CARD in tables:
        figures.append(place_map(tables[BY_CARD], ask.rules.names))
    if GIFTS in tables and ask.players > 2:  # else there is nobody else to give it to
        figures.append(_gift_dots(tables[GIFTS]))
        headlines += gifts_said(tables[GIFTS])
    return doc.Section(
        "drawn",
        "A card drawn: where to put it, and whom to give it",
        doc.SAMPLED,
        f"{rounds:,} rounds of {ask.players} players, in which {doc.all_play(ask, 'points')}. A "
        "quarter of the cards drawn are tried in several places, given to several players, or put "
        "away. Each time the round is played out with the same cards to come.",
        headlines=tuple(headlines),
        text=(
            "The figures show what it costs you to put a card in a kind of place, compared with "
            "its best other use: another place, or putting it away. Below 0 it saves that much.",
            "Above 0: what you lose by putting it there rather than in the best place. Places are "
            "tried at random. One that completes or breaks a line counts as that only. Intervals "
            "are 95 %.",
        ),
        figures=tuple(figures),
        tables=tuple(_table(table) for table in all_tables),
        games=rounds,
        interrupted=interrupted,
        story=(PLACES, GIFTS),
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
    title = "What putting a card drawn there adds to your total, compared with its best other use"
    objectives, made = source.objectives, source.made
    more = (
        ForkTable(PLACES, f"{title}: all cards", cells + len(by_card),
                  [{"on": KINDS[kind]} for kind in kinds], objectives, made),
        ForkTable(BY_CARD, f"{title}: by card", cells, by_card, objectives, made),
    )  # fmt: skip
    job = pooled_job(studied.job, groups)
    return ForkTables(job, studied.rounds, (*more, *studied.tables))


def _place_dots(table: ThresholdTable) -> doc.Beside:
    """What a place costs in points, and of the chance of the lowest total."""
    parts = []
    rows = sorted(table.rows, key=lambda row: row["points"].value)
    for name, title in (
        ("points", "Cost in points of your total"),
        ("round", f"Cost in {POINTS_OF_CHANCE} of the chance to win the round"),
    ):
        dots = tuple(doc.dot_of(row["on"], _cost(row, name)) for row in rows)
        text = ", ".join(f"{d.label} {with_minus(d.value, 1)}" for d in dots)
        parts.append(doc.Dots(f"{PLACES}_{name}", title, text, "", dots, reference=0.0))
    return doc.Beside(
        PLACES,
        titles.of_cost(parts[-1]),
        "What it costs to put a card there. "
        + "; ".join(f"{part.title}: {part.alt}" for part in parts)
        + ".",
        tuple(parts),
    )


def _cost(row: Mapping[str, Any], name: str) -> Estimate:
    """What a row costs: points, or percentage points of the chance of the lowest total."""
    return row["points"] if name == "points" else _times(row["round"], -100)


def _clear(estimate: Estimate) -> bool:
    """Whether it is known on which side of 0 it is."""
    return estimate.low > 0 or estimate.high < 0


def place_map(table: ThresholdTable, names: Sequence[str]) -> doc.HeatMap:
    """The same by card: values that are clear of 0 are written out."""
    cells = {(row["on"], row["card"]): row["points"] for row in table.rows}
    kinds = [kind for kind in KINDS.values() if any(on == kind for on, _ in cells)]
    cards = [name for name in names if any(card == name for _, card in cells)]
    cards.sort(key=lambda name: -100 if name == "J" else int(name))
    lines = [[cells.get((kind, card)) for kind in kinds] for card in cards]
    clear = sum(e is not None and _clear(e) for line in lines for e in line)
    return doc.HeatMap(
        BY_CARD,
        _dearest_said(cells),
        "A map by what is replaced (columns) and card drawn (rows): what it costs in points of "
        f"your total. {clear} of {len(cells)} fields are known to be above or below 0: "
        + "; ".join(_row_said(card, kinds, line) for card, line in zip(cards, lines, strict=True))
        + ".",
        "the card replaces …",
        "card drawn",
        tuple(kinds),
        tuple("joker" if card == "J" else card.replace("-", "−") for card in cards),
        tuple(tuple(e.value if e else None for e in line) for line in lines),
        tuple(tuple(_written(e) for e in line) for line in lines),
        "this place",
        "another use",
        "cost in points of your total",
        SHOWN_LIMIT,
        border=False,
    )


def _dearest_said(cells: Mapping[tuple[str, str], Estimate]) -> str:
    """The card and the place that cost most for certain."""
    clear = {key: e for key, e in cells.items() if e.low > 0}
    if not clear:
        return "No card clearly costs points in any kind of place: all are within 0 ± the error."
    (kind, card), most = max(clear.items(), key=lambda item: item[1].value)
    name = "joker" if card == "J" else card.replace("-", "−")
    return f"{capital(_doing(kind))} costs most with a {name}: {most.value:.1f} points."


def _written(estimate: Estimate | None) -> str:
    if estimate is None or not _clear(estimate):
        return ""
    return f"{estimate.value:+.1f}".replace("-", "−")


def _row_said(kind: str, cards: Sequence[str], line: Sequence[Estimate | None]) -> str:
    values = [f"{c} {e.value:+.1f}" for c, e in zip(cards, line, strict=True) if e and _clear(e)]
    return f"{kind}: {', '.join(values) or 'none'}"


def _gift_dots(table: ThresholdTable) -> doc.Beside:
    """What a gift costs the giver against the others, by the player that gets it."""
    parts = []
    for card, name in NAMES.items():
        rows = [r for r in table.rows if r["card"] == card and r["against"] != POLICY]
        if rows:
            dots = tuple(doc.dot_of(row["to"], row["margin"]) for row in rows)
            text = ", ".join(f"{d.label} {d.value:+.2f}" for d in dots)
            title = f"What giving a {name} costs you"
            label = "points vs. others (at 0: nobody gets it)"
            parts.append(doc.Dots(f"gift_{name}", title, text, label, dots, reference=0.0))
    return doc.Beside(
        GIFTS,
        titles.of_most(
            parts[-1],
            f"Giving a {parts[-1].name.removeprefix('gift_')} costs you most, {{value}} points vs. "
            "others, if it goes to: {label}.",
        ),
        "What it costs you vs. others to give a special card, by the player that gets it. "
        + "; ".join(f"{part.title}: {part.alt}" for part in parts)
        + ".",
        tuple(parts),
    )


def _table(table: ThresholdTable) -> doc.Table:
    """A table of a study as the report has it."""
    columns = []
    for name, value in table.rows[0].items():
        kind = "change" if name == "round" else "number"
        columns.append(
            doc.Column(COSTS.get(name, name), "text" if isinstance(value, str) else kind)
        )
    rows = tuple(
        tuple(_times(cell, -1) if name == "round" else cell for name, cell in row.items())
        for row in table.rows
    )
    note = f"{NOTES.get(table.name, NOTES[PLACES])} {capital(table.made)}."
    long = table.name != PLACES
    return doc.Table(table.name, TITLES[table.name], tuple(columns), rows, long, note)


def _places_said(table: ThresholdTable) -> list[str]:
    """Completing a line, a card face down, and the places that cost most."""
    by_place = {row["on"]: row for row in table.rows}
    against = "compared with the best other use of a card drawn"
    lines: list[str] = []
    for kind in (COMPLETES, FACE_DOWN):
        if KINDS[kind] in by_place:
            adds = _compared(by_place[KINDS[kind]]["points"])
            lines.append(f"{capital(_doing(KINDS[kind]))} {adds}{f', {against}' * (not lines)}.")
    lines = [" ".join(lines)] if lines else []
    worse = [row for row in table.rows if row["points"].low > 0]
    worse = sorted(worse, key=lambda row: -row["points"].value)[:MOST_WORSE]
    costs = [
        f"{capital(_doing(row['on']))} costs {with_unit(with_error(row['points']))} and "
        f"{with_error(_cost(row, 'round'))} {POINTS_OF_CHANCE} of winning the round."
        for row in worse
    ]
    return [*lines, *([" ".join(costs)] if costs else [])]


def _doing(kind: str) -> str:
    """What putting a card on a kind of place is."""
    return DOING.get(kind, f"replacing {kind}")


def _compared(points: Estimate) -> str:
    """What something adds to a total, in words."""
    if not _clear(points):
        return f"makes no clear difference ({with_unit(with_error(points))})"
    return f"{'costs' if points.value > 0 else 'saves'} you {with_unit(size_with_error(points))}"


def _times(estimate: Estimate, factor: float) -> Estimate:
    """The same times a number, which may be negative."""
    low, high = sorted((factor * estimate.low, factor * estimate.high))
    stderr = abs(factor) * estimate.stderr
    return replace(estimate, value=factor * estimate.value, stderr=stderr, low=low, high=high)


def gifts_said(table: ThresholdTable) -> list[str]:
    """Whom the policy gives a special, and what it costs to give it to another."""
    sentences = []
    for card, name in NAMES.items():
        rows = [r for r in table.rows if r["card"] == card and r["to"].endswith("total")]
        others = [row for row in rows if row["against"] == POLICY]
        if len(others) < 2:
            continue
        usual = min(others, key=lambda row: abs(row["margin"].value))["to"]
        alone = next(r for r in rows if r["to"] == usual and r["against"] != POLICY)
        far = max((r for r in others if r["to"] != usual), key=lambda r: abs(r["margin"].value))
        sentences.append(
            f"Giving a {name} to the player with the {usual} of the others "
            f"{_compared(alone['margin'])} vs. others. Giving it to the player with the "
            f"{far['to']} instead {_compared(far['margin'])}{' more' * (far['margin'].low > 0)}."
        )
    return sentences


def lines_section(ask: doc.Ask) -> doc.Section | None:
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
    return doc.Section(
        "lines",
        "What a line is worth",
        doc.EXACT,
        "Three cards of a number in a row or column count minus the number instead of their sum. "
        "Jokers stand for any number. Of the next card nothing is known but the pair.",
        findings=(
            f"A line of three {last[0]}s counts {with_minus(last[2], 0)} points instead of "
            f"{last[1]}. If you have a pair, the next card drawn completes it in "
            f"{100 * last[4].value:.1f} % of cases.",
        ),
        tables=(
            doc.Table(
                "lines",
                "Lines by number",
                doc.columns_of(
                    "number|text",
                    "three cards count",
                    "as a line",
                    "saved",
                    "the next card completes a pair|share",
                ),
                tuple(rows),
            ),
        ),
    )
