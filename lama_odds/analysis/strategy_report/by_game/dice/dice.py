"""A section of Lama Dice: quit or roll with one other player still in, exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.sections.exact import map_of_kinds
from lama_odds.core.estimate import exact
from lama_odds.games.dice.rules.odds import next_roll
from lama_odds.games.dice.rules.position import Opponent, Position, card_text, mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, LLAMA
from lama_odds.games.dice.solvers.choices import NUMBER_OF, WORSE_BY
from lama_odds.games.dice.solvers.solve import SETS, OneEach, holds_one_each, solve_one_each
from lama_odds.simulation.run import default_threads

SAID_OTHERS = ("1", "2")  # numbers that the other holds, in the short version
OTHERS = 3  # cards of the other where only one number is shown: half of those dealt
HAND = 5  # points of your hand that the map of rows is coloured by
MOST_SHOWN = 16  # points of your hand: with more, rolling is nearly always right
COLOUR_LIMIT = 6.0  # points: colours are full from here on
SIDES = ("roll", "quit")
UNIT = "what rolling costs vs. others, points"
NOTE = "Points vs. others, mean over all such hands; below 0, quitting costs that much."
PAIR = 2  # players
HAS_LLAMA = (np.arange(SETS) >> LLAMA & 1).astype(bool)
NAMES = [card_text(mask_counts(mask)) for mask in range(SETS)]


def solved(ask: doc.Ask) -> OneEach:
    """All situations of two players with one card of each kind; kept for the next section."""
    return solve_one_each(ask.rules, ask.threads or default_threads())


def two_players_section(ask: doc.Ask) -> doc.Section | None:
    """Roll or quit with another player still in: by your cards, by the other's, by the row.

    None if there are too few cards of a kind for all of these situations.
    """
    if not holds_one_each(ask.rules):
        return None
    gain, penalties = solved(ask).gain, ask.rules.penalties
    limits = {name: _limit(gain[FULL_ROW, hands], penalties) for name, hands in _others()}
    rows = _rows(gain, penalties)
    others_said, rows_said = _others_said(limits), _rows_said(rows)
    return doc.Section(
        "two_players",
        "Two players: quit or roll",
        doc.EXACT,
        "A round of two players with best play on both sides. Each plays for points vs. others: "
        "its own points minus the other's. Nobody holds two cards of a kind, or tokens. All hands "
        "count the same.",
        headlines=(others_said,),
        findings=(rows_said,),
        text=(
            "The line separates quitting from rolling. A number in a field shows where the answer "
            "depends on the cards: quitting is right in that percentage of the cases.",
            "Except where noted, the llama row is full and the other player holds "
            f"{OTHERS} different cards (all {int((NUMBER_OF == OTHERS).sum())} such hands). In the "
            f"map of llama rows the colours are for hands of {HAND} points.",
        ),
        figures=(
            _map_of_others(gain, penalties, limits, others_said),
            _map_of_hands(gain),
            _map_of_rows(rows, rows_said),
        ),
        tables=(
            _table_of_others(gain, penalties),
            _table_of_hands(gain, penalties),
            _as_table(rows),
        ),
        story=("two_players_others",) if ask.players == PAIR else (),
    )


def _others() -> list[tuple[str, np.ndarray]]:
    """Hands of the other in classes: by how many numbers, without and with the llama."""
    classes = []
    for llama in (False, True):
        for numbers in range(0 if llama else 1, KINDS):
            name = "L" + f"+{numbers}" * (numbers > 0) if llama else str(numbers)
            hands = (numbers + llama == NUMBER_OF) & (llama == HAS_LLAMA)
            classes.append((name, np.flatnonzero(hands)))
    return classes[:-1]  # all seven kinds are more than are dealt


def _with(penalties: np.ndarray, points: int) -> np.ndarray:
    """My hands of a number of points."""
    return np.flatnonzero(penalties[1:] == points) + 1


def _mean(values: np.ndarray) -> tuple[float, float] | None:
    """Mean of what quitting saves, and the part in which it saves something; None if nothing."""
    known = values[~np.isnan(values)]
    return (float(known.mean()), float((known > WORSE_BY).mean())) if known.size else None


def _cell(values: np.ndarray) -> tuple[float | None, str]:
    """A field: the mean, and the part in which quitting is right where it depends on the cards."""
    saving = _mean(values)
    if saving is None:
        return None, ""
    return saving[0], f"{100 * saving[1]:.0f}" if 0 < saving[1] < 1 else ""


def _limit(gain: np.ndarray, penalties: np.ndarray) -> int:
    """The most points in your hand with which quitting is right on average, 0 if never.

    gain: of some of the others' hands, and all of yours.
    """
    quits = 0
    for points in range(1, int(penalties.max()) + 1):
        saving = _mean(gain[:, _with(penalties, points)])
        if saving and saving[0] > 0:
            quits = points
    return quits


def _map_of_others(
    gain: np.ndarray, penalties: np.ndarray, limits: dict[str, int], finding: str
) -> doc.HeatMap:
    points = [p for p in range(1, MOST_SHOWN + 1) if _with(penalties, p).size]
    lines = [
        [_cell(gain[FULL_ROW, hands][:, _with(penalties, p)]) for p in points]
        for _, hands in _others()
    ]
    return doc.HeatMap(
        "two_players_others",
        f"Quit with up to {limits[SAID_OTHERS[0]]} points if the other holds one number, with up "
        f"to {limits['L']} if it holds a single llama.",
        f"A map by the other's cards (columns) and your points (rows). {finding}",
        "how many numbers the other holds (L: and the llama)",
        "points of your hand",
        tuple(name for name, _ in _others()),
        tuple(map(str, points)),
        tuple(tuple(line[at][0] for line in lines) for at in range(len(points))),
        tuple(tuple(line[at][1] for line in lines) for at in range(len(points))),
        *SIDES,
        UNIT,
        COLOUR_LIMIT,
    )


def _map_of_hands(gain: np.ndarray) -> doc.HeatMap:
    against = np.flatnonzero(NUMBER_OF == OTHERS)
    cells = {}
    for mask in range(1, SETS):
        value, text = _cell(gain[FULL_ROW, against, mask])
        cells[NAMES[mask]] = (value or 0.0, text)
    quits = sum(value > 0 for value, _ in cells.values())
    return map_of_kinds(
        "two_players",
        f"Against {OTHERS} different cards, quitting is better with {quits} of 127 hands.",
        f"With {quits} of 127 hands quitting is better, averaged over the other's hands.",
        "held",
        cells,
        SIDES,
        UNIT,
        COLOUR_LIMIT,
    )


def _rows(gain: np.ndarray, penalties: np.ndarray) -> list[tuple[int, int, float]]:
    """Of each llama row: its set, up to how many points to quit, what quitting saves with HAND."""
    against = np.flatnonzero(NUMBER_OF == OTHERS)
    rows = []
    for row in range(1, SETS):
        here = gain[row, against]
        usual = _mean(here[:, _with(penalties, HAND)])
        rows.append((row, _limit(here, penalties), usual[0] if usual else 0.0))
    return rows


def _map_of_rows(rows: Sequence[tuple[int, int, float]], finding: str) -> doc.HeatMap:
    cells = {NAMES[row]: (usual, str(limit) if limit else "–") for row, limit, usual in rows}
    return map_of_kinds(
        "two_players_rows",
        f"The limit is {_range(_of_rows(rows)[0])} points while the row has the llama, "
        f"{_range(_of_rows(rows)[1])} with only one or two numbers left.",
        finding,
        "in the llama row",
        cells,
        SIDES,
        f"with a hand of {HAND} points: {UNIT}",
        COLOUR_LIMIT / 2,
    )


def _others_said(limits: dict[str, int]) -> str:
    """Up to how many points to quit against a few numbers, and against the llama alone."""
    few = _range([limits[name] for name in SAID_OTHERS])
    return (
        f"With two players left and a full llama row, quit with {few} points or less against a "
        f"hand of {SAID_OTHERS[0]} or {SAID_OTHERS[-1]} different numbers. Against a single llama, "
        f"quit with {limits['L']} or less."
    )


def _rows_said(rows: Sequence[tuple[int, int, float]]) -> str:
    """How far the limit moves with the row."""
    full = rows[-1][1]
    kept, gone = _of_rows(rows)
    return (
        f"Against {OTHERS} different cards you should quit with {full} points or less while the "
        f"llama row is full. The limit is {_range(kept)} while the row has the llama. It is "
        f"{_range(gone)} when only one or two numbers are left in the row."
    )


def _of_rows(rows: Sequence[tuple[int, int, float]]) -> tuple[list[int], list[int]]:
    """The limits while the row has the llama, and with one or two numbers left."""
    kept = [limit for row, limit, _ in rows if HAS_LLAMA[row]]
    gone = [limit for row, limit, _ in rows if not HAS_LLAMA[row] and NUMBER_OF[row] <= 2]
    return kept, gone


def _range(values: Sequence[float]) -> str:
    low, high = (f"{value:.0f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _table_of_others(gain: np.ndarray, penalties: np.ndarray) -> doc.Table:
    points = [p for p in range(1, MOST_SHOWN + 1) if _with(penalties, p).size]
    columns = (
        doc.Column("the other holds", "text"),
        doc.Column("quit up to"),
        *(doc.Column(str(p)) for p in points),
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for name, hands in _others():
        here = gain[FULL_ROW, hands]
        means = [_mean(here[:, _with(penalties, p)]) for p in points]
        rows.append((name, _limit(here, penalties), *(exact(m[0]) if m else None for m in means)))
    title = "What rolling costs, by the points of your hand (columns)"
    note = f"{NOTE} Numbers that the other holds, L: and the llama."
    return doc.Table("two_players_others", title, columns, tuple(rows), long=True, note=note)


def _table_of_hands(gain: np.ndarray, penalties: np.ndarray) -> doc.Table:
    sizes = range(1, KINDS - 1)
    columns = [doc.Column("your cards", "text"), doc.Column("points")]
    columns += [doc.Column(f"other has {size}") for size in sizes]
    columns += [doc.Column(f"quitting is right, other has {OTHERS}", "share")]
    rows: list[tuple[doc.Cell, ...]] = []
    for mask in sorted(range(1, SETS), key=lambda m: (penalties[m], NAMES[m])):
        here = [gain[FULL_ROW, size == NUMBER_OF, mask] for size in sizes]
        savings = [_mean(values) for values in here]
        part = savings[OTHERS - 1]
        rows.append(
            (
                NAMES[mask],
                int(penalties[mask]),
                *(exact(one[0]) if one else None for one in savings),
                exact(part[1]) if part else None,
            )
        )
    title = "What rolling costs with every hand, by the other's number of cards"
    return doc.Table("two_players", title, tuple(columns), tuple(rows), long=True, note=NOTE)


def _as_table(rows: Sequence[tuple[int, int, float]]) -> doc.Table:
    columns = doc.columns_of(
        "llama row|text", "cards", "quit up to", f"rolling costs with {HAND} points"
    )
    cells = tuple(
        (NAMES[row], int(NUMBER_OF[row]), limit, exact(usual)) for row, limit, usual in rows
    )
    title = f"Every llama row, the other with {OTHERS} different cards"
    return doc.Table("two_players_rows", title, columns, cells, long=True)


# A section of Lama Dice: the chance that a roll is blown, exactly, for every set of cards.


def blow_section(ask: doc.Ask) -> doc.Section:
    """The chance that a roll is blown: it shows no card held, and none of the row."""
    chances = _blown(ask.rules)
    table = tuple(
        (NAMES[mask], int(NUMBER_OF[mask]), exact(chance)) for mask, chance in chances.items()
    )
    columns = doc.columns_of("held or in the row|text", "kinds", "blows it|share")
    finding = _blow_said(chances)
    safe = ask.rules.llama_safe_alone
    unsafe = "" if safe else ". Then three llamas blow it, too, unless you hold a llama card"
    return doc.Section(
        "blow",
        "The chance to blow it",
        doc.EXACT,
        "All outcomes of the dice. Three llamas never blow it while another player is in.",
        findings=(finding,),
        text=(
            "You blow it if no die shows a card that you hold or that lies in the llama row. So "
            "look up both together: with 25 in hand and 36L in the row, look up 2356L. As the last "
            f"player, look up your own cards alone{unsafe}.",
        ),
        figures=(_blow_map(chances, finding), _blow_curves(chances)),
        tables=(doc.Table("blow", "Every set of cards", columns, table, long=True),),
        story=("blow_by_numbers",),
    )


def _blown(rules: DiceRules) -> dict[int, float]:
    """Chance of a blow by the kinds that I hold or that lie in the row."""
    other = (Opponent(mask_counts(FULL_ROW)),)
    return {
        mask: float(next_roll(rules, Position(mask_counts(mask), 0, other))["blown"])
        for mask in range(1, SETS)
    }


def _blow_map(chances: dict[int, float], finding: str) -> doc.HeatMap:
    cells = {
        NAMES[mask]: (chance, f"{100 * chance:.0f}" if chance > 0 else "–")
        for mask, chance in chances.items()
    }
    return map_of_kinds(
        "blow",
        finding.partition(". ")[0].removesuffix(".") + ".",
        finding,
        "held or in the row",
        cells,
        ("", ""),
        "chance to blow it",
        max(chances.values()),
    )


def _blow_curves(chances: dict[int, float]) -> doc.Curves:
    lines = []
    for llama, name in ((True, "with the llama"), (False, "numbers alone")):
        points = []
        for numbers in range(KINDS):
            group = [
                chance
                for mask, chance in chances.items()
                if HAS_LLAMA[mask] == llama and NUMBER_OF[mask] - llama == numbers
            ]
            if group:
                mean = sum(group) / len(group)
                points.append((float(numbers), mean, min(group), max(group)))
        lines.append(doc.Line(name, *(tuple(float(p[at]) for p in points) for at in range(4))))
    ends = "; ".join(f"{x.label} {100 * x.y[0]:.0f} % to {100 * x.y[-1]:.1f} %" for x in lines)
    return doc.Curves(
        "blow_by_numbers",
        titles.of_blow(dict(zip(lines[0].x, lines[0].y, strict=True))),
        f"Curves of the chance to blow it by how many numbers there are: {ends}.",
        "different numbers held or in the row",
        "chance to blow it\n(band: lowest to highest)",
        tuple(lines),
        share=True,
        noted=3.0,
    )


def _blow_said(chances: dict[int, float]) -> str:
    """How much the llama covers, against the numbers."""

    def of(llama: bool, kinds: int) -> list[float]:
        sets = (mask for mask in chances if HAS_LLAMA[mask] == llama and NUMBER_OF[mask] == kinds)
        return [100 * chances[mask] for mask in sets]

    return (
        f"A roll blows it in {of(True, 1)[0]:.0f} % of cases if your hand and the row together "
        f"have only the llama. With three numbers it is {_range(of(False, 3))} %, with "
        f"three numbers and the llama {_range(of(True, 4))} %."
    )
