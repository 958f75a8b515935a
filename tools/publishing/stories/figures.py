"""The figures of the stories, from published tables; each title is a sentence with its finding."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.document import (
    SMALL,
    Curves,
    Dot,
    Dots,
    Figure,
    Line,
    Spot,
)
from tools.publishing.targets.claims import LESSONS, REPORTS, RULE_CARDS

ROOT = Path(__file__).resolve().parent.parent.parent.parent
Rows = Sequence[Mapping[str, str]]
EVEN = 0.25  # win rate of one of four equal players
FIRST, SECOND = "the first", "a second"


def rows_of(name: str) -> Rows:
    """The rows of a published table."""
    with (ROOT / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _dot(row: Mapping[str, str], column: str, label: str, group: str = "", times: float = 1) -> Dot:
    ends = sorted(times * float(row[f"{column} {end}".strip()]) for end in ("low", "high"))
    return Dot(label, times * float(row[column or "value"]), ends[0], ends[1], group)


def _line(rows: Iterable[Mapping[str, str]], label: str, x: str, column: str) -> Line:
    """A curve through the rows, which have an interval each."""
    dots = sorted((float(row[x]), _dot(row, column, "")) for row in rows)
    return Line(
        label,
        tuple(at for at, _ in dots),
        tuple(dot.value for _, dot in dots),
        tuple(dot.low for _, dot in dots),
        tuple(dot.high for _, dot in dots),
    )


def lama_second() -> Figure:
    """What a first and a second card of each number cost."""
    rows = rows_of(f"{REPORTS['lama']}card_values.csv")
    dots = tuple(
        _dot(row, column, "llama" if row["one card more"] == "L" else row["one card more"], name)
        for name, column in ((FIRST, "first of its value"), (SECOND, "second"))
        for row in rows
    )
    figure = Dots(
        "lama_second", "", "", "points that one card more costs you this round", dots,
        noted=("6", SECOND),
    )  # fmt: skip
    return replace(figure, title=titles.of_copies(figure, "6", FIRST, SECOND) or "")


def lama_style() -> Figure:
    """How often one player wins among three who play to win."""
    names = {
        "strong": "plays to win, as they do",
        "cautious": "plays for few points per round",
        "rule of thumb: match, quit at 5": "matches first, quits at 5",
        "rule of thumb: quit at 5": "quits at 5",
    }
    rows = rows_of(f"{REPORTS['lama']}league_matrix.csv")
    dots = tuple(_dot(row, "others: strong", names[row["one plays"]]) for row in rows)
    figure = Dots(
        "lama_style", "", "", "one player's win rate, three others play to win", dots, share=True,
        reference=EVEN, reference_name="even", noted=(dots[1].label, ""),
    )  # fmt: skip
    costs = {
        row["all play"]: float(row["points per player"])
        for row in rows_of(f"{REPORTS['lama']}costs.csv")
    }
    title = (
        f"Taking fewer points per round ({costs['cautious']:.1f} instead of {costs['strong']:.1f}) "
        f"wins only {100 * dots[1].value:.0f} % among players who play to win."
    )
    return replace(figure, title=title)


def lama_scores() -> Figure:
    """What drawing costs of the chance to win, by your own score."""
    rows = [
        row
        for row in rows_of(f"{REPORTS['lama']}thresholds_win.csv")
        if row["best other's from"] == "0" and float(row["penalty"]) <= MOST_POINTS
    ]
    column = "drawing costs, percentage points"
    names = {"10": "you have 10–19", "0": "you have 0–9"}
    lines = tuple(
        _line((row for row in rows if row["your score from"] == own), name, "penalty", column)
        for own, name in names.items()
    )
    at = NOTED_POINTS
    worth = -100 * lines[0].y[lines[0].x.index(at)]
    title = (
        f"Once your score is ten or more, draw: with {at:.0f} points in hand it adds {worth:.1f} "
        "points of winning chance."
    )
    return Curves(
        "lama_scores", title, "", "points in your hand (the best other player has 0–9)",
        "drawing costs, points of winning chance", lines, share=True,
        zero=("draw", "quit"), noted=at,
    )  # fmt: skip


MOST_POINTS, NOTED_POINTS = 15, 5.0


def lama_first() -> Figure:
    """Which of two cards that fit goes first."""
    few, many = "you hold 4 cards or fewer", "you hold 5 or more"
    rows = [row for row in rows_of(f"{REPORTS['lama']}which_first.csv") if row["top"] != "L"]
    dots = tuple(
        _dot(row, column, row["choice"].replace("L", "llama"), name)
        for name, column in ((few, "with 4 cards or fewer"), (many, "with 5 or more"))
        for row in rows
    )
    figure = Dots(
        "lama_first", "", "", "points that playing the higher card first costs", dots,
        reference=0.0, reference_name="no difference", noted=("6 or 5", few),
    )  # fmt: skip
    sentence = titles.of_first(figure, "6 or 5", few, "5", "6") or ""
    return replace(figure, title=f"With four cards or fewer, {sentence[:1].lower()}{sentence[1:]}")


def dice_quit() -> Figure:
    """How often three ways to quit win among strong players."""
    cards = json.loads((ROOT / RULE_CARDS).read_text(encoding="utf-8"))["cards"]
    card = cards["dice"]["amigo"]["4"]
    matrix = rows_of(f"{REPORTS['dice']}league_matrix.csv")
    five = next(row for row in matrix if row["one plays"] == "rule of thumb: quit at 5")
    known = {"quits only when alone, with 8 or less": card, "never quits": card["never"]}
    wins = {name: entry["among best"] for name, entry in known.items()}
    dots = [Dot(name, win["value"], win["low"], win["high"]) for name, win in wins.items()]
    dots.append(_dot(five, "others: strong", "quits with 5 or less"))
    figure = Dots(
        "dice_quit", "", "", "one player's win rate, three others play to win", tuple(dots),
        share=True, reference=EVEN, reference_name="even", noted=("never quits", ""),
    )  # fmt: skip
    title = (
        f"Never quit, and you win {100 * dots[1].value:.0f} %; quit with five points or less, and "
        f"you win {100 * dots[2].value:.0f} %."
    )
    return replace(figure, title=title)


def dice_blow() -> Figure:
    """The chance to blow it, by the numbers that a roll can use."""
    lines = []
    for llama, name in ((True, "with a llama"), (False, "without")):
        by_numbers: dict[int, list[float]] = {}
        for row in rows_of(f"{REPORTS['dice']}blow.csv"):
            kinds = row["held or in the row"]
            if ("L" in kinds) is llama:
                numbers = len(kinds.replace("L", ""))
                by_numbers.setdefault(numbers, []).append(float(row["blows it"]))
        groups = sorted((at, chances) for at, chances in by_numbers.items() if at)
        lines.append(
            Line(
                name,
                tuple(float(at) for at, _ in groups),
                tuple(sum(chances) / len(chances) for _, chances in groups),
                tuple(min(chances) for _, chances in groups),
                tuple(max(chances) for _, chances in groups),
            )
        )
    found_ = Curves(
        "dice_blow", "", "", "different numbers in your hand or the row",
        "chance that a roll blows it", tuple(lines), share=True, noted=3.0,
    )  # fmt: skip
    chances = dict(zip(lines[0].x, lines[0].y, strict=True))
    return replace(found_, title=titles.of_blow(chances))


def dice_alone() -> Figure:
    """As the last player in, what rolling costs, by the points of the hand."""
    by_points: dict[int, list[float]] = {}
    for row in rows_of(f"{REPORTS['dice']}last_player.csv"):
        by_points.setdefault(int(row["penalty"]), []).append(
            float(row["roll"]) - float(row["quit"])
        )
    groups = sorted(by_points.items())
    line = Line(
        "",
        tuple(float(at) for at, _ in groups),
        tuple(sum(costs) / len(costs) for _, costs in groups),
        tuple(min(costs) for _, costs in groups),
        tuple(max(costs) for _, costs in groups),
    )
    surely = next(at for at, costs in groups if min(costs) <= 0) - 1
    mean = line.y[line.x.index(float(surely))]
    title = (
        f"Alone in the round, quit with {surely} points or less: rolling on costs {mean:.1f} "
        f"points with {surely}."
    )
    return Curves(
        "dice_alone", title, "", "points in your hand", "rolling costs, points\n(band: all hands)",
        (line,), zero=("roll", "quit"), noted=float(surely),
    )  # fmt: skip


def of_amounts_and_wins(spots: Sequence[Spot], amount: str) -> str:
    """Whether who gathers most wins most. amount: what is gathered, in the plural."""
    most, wins = max(spots, key=lambda s: s.x), max(spots, key=lambda s: s.y)
    if most is wins:
        return f"“{most.label}” gathers most {amount} and wins most: {100 * wins.y:.0f} %."
    return (
        f"Most {amount} do not win most games: {100 * most.y:.0f} % with {most.x:.1f} {amount}, "
        f"{100 * wins.y:.0f} % with {wins.x:.1f}."
    )


def of_rolls(shares: Mapping[int, float], dice: int) -> str:
    """From which total on to roll or stop. shares: how often rolling is better, by total."""
    always = [total for total, share in shares.items() if share == 1]
    seldom = min(shares, key=lambda total: shares[total])
    rolled = f"always roll at {always[0]}" if always else "it depends on the faces kept"
    return (
        f"With {SMALL[dice]} dice left, {rolled}; at {seldom}, stop in "
        f"{100 * (1 - shares[seldom]):.0f} % of cases."
    )


def pikomino_first() -> Figure:
    """How often a number of worms or of fives is the best to keep of a first roll."""
    rows = rows_of(f"{REPORTS['pikomino']}first_face.csv")
    shares: dict[str, dict[int, float]] = {}
    for row in rows:
        if row["face"] in "W5" and int(row["dice"]) <= MOST_DICE:
            shares.setdefault(row["face"], {})[int(row["dice"])] = float(row["best on"])
    dots = tuple(
        Dot(f"{dice} of them", share, share, share, name)
        for face, name in (("W", "worms"), ("5", "fives"))
        for dice, share in shares[face].items()
    )
    return Dots(
        "pikomino_first", titles.of_first_face(shares["W"], "worm"), "",
        "share of first rolls in which keeping them is best", dots, share=True,
        noted=("2 of them", "worms"),
    )  # fmt: skip


MOST_DICE, HIGH = 4, 28.0


def pikomino_reach() -> Figure:
    """What a turn can reach."""
    rows = rows_of(f"{REPORTS['pikomino']}reach.csv")
    totals = tuple(float(row["total"]) for row in rows)
    lines = []
    for name in ("at least", "exactly"):
        chances = tuple(float(row[name]) for row in rows)
        lines.append(Line(name, totals, chances, chances, chances))
    return Curves(
        "pikomino_reach", titles.of_reach(lines[0]), "", "total that you play for",
        "chance to reach it in a turn", tuple(lines), share=True, noted=HIGH,
    )  # fmt: skip


def pikomino_two() -> Figure:
    """With two dice left, in how many cases rolling on is better, by total."""
    cases: dict[int, list[bool]] = {}
    for row in rows_of(f"{REPORTS['pikomino']}stop_or_roll.csv"):
        if row["dice left"] == "2":
            cases.setdefault(int(row["total"]), []).append(row["better"] == "roll")
    shares = {total: sum(rolls) / len(rolls) for total, rolls in sorted(cases.items())}
    dots = tuple(Dot(str(total), share, share, share) for total, share in shares.items())
    return Dots(
        "pikomino_two", of_rolls(shares, 2), "",
        "share of the faces kept with which rolling on is better", dots, share=True,
        noted=("28", ""),
    )  # fmt: skip


def pikomino_league() -> Figure:
    """Worms gathered and games won, of three ways to play."""
    names = {
        "strong": "plays to win",
        "best turn for worms": "plays for worms",
        "takes the first tile": "takes the first tile",
    }
    spots = []
    for row in rows_of(f"{REPORTS['pikomino']}league.csv"):
        if row["plays"] in names:
            dot = _dot(row, "win rate", names[row["plays"]])
            worms = float(row["worms (more is better)"])
            spots.append(Spot(dot.label, worms, dot.value, dot.low, dot.high))
    figure = Dots(
        "pikomino_league", of_amounts_and_wins(spots, "worms"), "",
        "win rate at mixed tables of four",
        tuple(Dot(f"{s.label}: {s.x:.1f} worms", s.y, s.low, s.high) for s in spots),
        share=True, reference=EVEN, reference_name="even",
    )  # fmt: skip
    return replace(figure, noted=(figure.dots[0].label, ""))


def _lessons(name: str, question: str, x_label: str, cards: Sequence[str], noted: str) -> Dots:
    """What a choice adds to the chance to win the round with four players, by card."""
    rows = [
        row
        for row in rows_of(LESSONS)
        if (row["players"], row["question"], row["face down"], row["measure"])
        == ("4", question, "any", "chance")
    ]
    by_card = {row["what"]: row for row in rows}
    names = {"J": "joker"}
    dots = tuple(
        _dot(by_card[card], "", names.get(card, card).replace("-", "−"), times=100)
        for card in cards
    )
    return Dots(
        name, "", "", x_label, dots, reference=0.0, reference_name="no difference",
        noted=(names.get(noted, noted), ""),
    )  # fmt: skip


def noprob_pair() -> Figure:
    """What a pair adds, by number."""
    figure = _lessons(
        "noprob_pair", "pair", "a pair adds to the chance to win the round, percentage points",
        ("3 to 5", "6 to 8", "9", "10"), "10",
    )  # fmt: skip
    ten, low = figure.dots[-1], figure.dots[0]
    title = (
        f"A pair of 10s adds {ten.value:.1f} points of winning chance; a pair of 3s, 4s or 5s "
        f"costs {-low.value:.1f}."
    )
    return replace(figure, title=title)


def noprob_hidden() -> Figure:
    """What a card on an unknown one adds, by card."""
    figure = _lessons(
        "noprob_hidden", "hidden",
        "putting it there adds to the chance to win the round, percentage points",
        ("3 to 5", "6 to 8", "9", "10", "-1 or -2", "-5", "J"), "10",
    )  # fmt: skip
    ten, low = figure.dots[3], figure.dots[0]
    title = (
        f"On an unknown card of yours a 10 adds {ten.value:.1f} points of winning chance; a 3, 4 "
        f"or 5 {'costs some' if low.high < 0 else 'adds nothing'}."
    )
    return replace(figure, title=title)


def noprob_places() -> Figure:
    """What a card drawn costs, by what it replaces."""
    column = "cost, percentage points of winning the round"
    rows = rows_of(f"{REPORTS['noprob']}places.csv")
    dots = tuple(_dot(row, column, row["replaces"], times=100) for row in rows)
    figure = Dots(
        "noprob_places", "", "", "cost in percentage points of winning the round", dots,
        reference=0.0, reference_name="nothing",
    )  # fmt: skip
    most = max(dots, key=lambda dot: dot.value)
    return replace(figure, title=titles.of_cost(figure), noted=(most.label, ""))


def _of_lead(line: Line) -> str:
    """Below which lead to continue is surely better, and what ending adds with the greatest one.

    Between the two it hardly matters, so that no limit of ending would be sure.
    """
    points = sorted(zip(line.x, line.high, line.y, strict=True), reverse=True)
    unsure = [x for x, _, _ in itertools.takewhile(lambda point: point[1] > 0, points)]
    if not unsure:
        return "Continue at all these leads."
    most, _, gain = points[0]
    return (
        f"A strong player continues with a lead below {unsure[-1]:.0f}; "
        f"with {most:.0f} or more, ending adds {100 * gain:.0f} percentage points."
    )


def noprob_end() -> Figure:
    """What it costs not to end the round, by lead."""
    rows = rows_of(f"{REPORTS['noprob']}thresholds_by_penalty.csv")
    column = next(name for name in rows[0] if name.endswith("costs, chance to win the round"))
    line = _line((row for row in rows if float(row["lead"]) >= LEAST_LEAD), "", "lead", column)
    title = _of_lead(line)
    return Curves(
        "noprob_end", title, "", "your lead in points if the round ends now",
        "not ending costs, points of winning chance", (line,), share=True,
        zero=("continue", "end"), noted=max(line.x),
    )  # fmt: skip


LEAST_LEAD = -20

FIGURES: tuple[Callable[[], Figure], ...] = (
    *(lama_second, lama_style, lama_scores, lama_first),
    *(dice_quit, dice_blow, dice_alone),
    *(pikomino_first, pikomino_reach, pikomino_two, pikomino_league),
    *(noprob_pair, noprob_hidden, noprob_places, noprob_end),
)
