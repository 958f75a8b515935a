"""The charts and parts of the page on choices of No Prob-Lama, from what was played both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lama_odds.analysis.strategy_report.document import Dot, Dots, HeatMap
from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.core.estimate import Estimate
from tools.publishing.pikomino_risk import in_cell, points

TABLES = (2, 4)  # players
ANY = "any"
PER_CENT = 100.0
MOST_NAMED = 3  # in a row
WAYS = "better", "worse"
PLANNER = "planner:chase=40,lead={},deny=18,haste=6"
USUAL_LEAD = 6
LEADS = (-99, USUAL_LEAD, 20, 35, 50, 65)

Leads = dict[tuple[int, str], Estimate]  # wins of `planner`, by its lead and the other player


class Habit(NamedTuple):
    """A question of the page: its name in `habits`, and its words."""

    name: str
    title: str
    asked: str
    chart: str


class Answer(NamedTuple):
    """What a choice changes, second minus first: in points of the round, and in rounds won."""

    question: str
    card: str
    down: str
    points: Estimate
    round: Estimate


HABITS = (
    Habit(
        "hidden",
        "What a face-down card is worth",
        "You draw a card. You can throw it away, or put it on one of your cards that is face down "
        "and that you do not know. Above 0, putting it there is better.",
        "reports/noprob_lessons_hidden.svg",
    ),
    Habit(
        "pair",
        "When to go for a line",
        "You draw a number that completes no line. You can put it where it makes a pair: two alike "
        "in a row or column, so that a third makes a line. Or you put it to its best other use, "
        "which may be to throw it away. Above 0, the pair is better.",
        "reports/noprob_lessons_pair.svg",
    ),
    Habit(
        "taken",
        "When to take a card for a pair",
        "The top discard would make a pair, and no line. You can take it for that, or draw from "
        "the pile. Above 0, taking it is better.",
        "reports/noprob_lessons_taken.svg",
    ),
)
ENDS = "reports/noprob_lessons_ends.svg"


def signed(found: Estimate, unit: float = 1.0) -> str:
    """A change with its half-width."""
    half = abs(unit) * (found.high - found.low) / 2
    return f"{unit * found.value:+.1f} ± {half:.1f}"


def sorted_out(answers: Iterable[tuple[str, Estimate]], better: str, worse: str) -> str:
    """Which of these are clear, and which are not: up to three sentences."""
    sides = (better, worse, "")
    found = list(answers)
    at = [better if one.low > 0 else worse if one.high < 0 else "" for _, one in found]
    told = []
    for side in sides:
        names = runs([name if side == at[i] else "" for i, (name, _) in enumerate(found)])
        if names:
            which = "all" if at.count(side) == len(at) else ", ".join(names)
            told.append(f"{f'Clearly {side}' if side else 'Not clear'}: {which}.")
    return " ".join(told)


def runs(names: Sequence[str]) -> list[str]:
    """Names, more than MOST_NAMED in a row as the first and the last; an empty one is a gap."""
    found: list[list[str]] = [[]]
    for name in names:
        if name:
            found[-1].append(name)
        else:
            found.append([])
    told = []
    for run_ in found:
        told += [f"{run_[0]} … {run_[-1]}"] if len(run_) > MOST_NAMED else run_
    return told


def habit_chart(habit: Habit, answers: Sequence[Answer], alt: str) -> Dots:
    """Chances by card, a colour for each number of cards face down."""
    return Dots(
        name=habit.name,
        title=habit.title,
        alt=alt,
        x_label="change of the chance to win the round, percentage points",
        dots=tuple(
            Dot(
                one.card,
                PER_CENT * one.round.value,
                PER_CENT * one.round.low,
                PER_CENT * one.round.high,
                f"{one.down} face down",
            )
            for one in answers
            if one.question == habit.name and one.down != ANY
        ),
        reference=0.0,
        reference_name="no change",
    )


def habit_part(habit: Habit, found: dict[int, list[Answer]], alt: str) -> list[str]:
    """A question: a table, a chart for two players, and what is clear."""
    lines = [f"## {habit.title}", "", habit.asked, ""]
    heads = [f"{players} players, {what}" for players in TABLES for what in ("chance", "total")]
    lines += [f"| card | {' | '.join(heads)} |", f"|---{'|---' * len(heads)}|"]
    whole = {
        players: {one.card: one for one in found[players] if is_whole(one, habit)}
        for players in TABLES
    }
    for card in dict.fromkeys(card for cards in whole.values() for card in cards):
        cells = []
        for players in TABLES:
            one = whole[players].get(card)
            cells += [signed(one.round, PER_CENT), signed(one.points)] if one else ["", ""]
        lines.append(f"| {card} | {' | '.join(cells)} |")
    lines.append("")
    for players in TABLES:
        chances = ((card, one.round) for card, one in whole[players].items())
        lines.append(f"- {players} players, for the chance: {sorted_out(chances, *WAYS)}")
    return [*lines, "", f"![{alt}]({habit.chart.removeprefix('reports/')})", ""]


def is_whole(one: Answer, habit: Habit) -> bool:
    """Whether it is of this question, with any number of cards face down."""
    return one.question == habit.name and one.down == ANY


def ends_map(found: Thresholds, alt: str) -> HeatMap:
    """How much of the round ending it gains, by lead and the fewest cards of another."""
    downs = sorted({row.keys["down"] or 0 for row in found.rows})
    leads = sorted({row.keys["penalty"] or 0 for row in found.rows})
    cells = {(row.keys["penalty"], row.keys["down"] or 0): gained(row) for row in found.rows}
    values = tuple(
        tuple(
            PER_CENT * cells[lead, down].value if (lead, down) in cells else None for down in downs
        )
        for lead in leads
    )
    return HeatMap(
        name="ends",
        title="What ending the round gains",
        alt=alt,
        x_label="fewest cards face down of another",
        y_label="lead, points",
        x_names=tuple(str(down) if down else ANY for down in downs),
        y_names=tuple(found.scale.text(lead) for lead in leads),
        values=values,
        texts=tuple(tuple(map(in_cell, row)) for row in values),
        low="continue",
        high="end",
        unit="chance to win the round, percentage points",
        limit=20.0,
        border=False,
    )


def gained(row: Row) -> Estimate:
    """What ending gains of the chance to win the round: what the other choice loses more."""
    return row.values["round lost"][2]


def ends_part(found: dict[int, Thresholds], alt: str) -> list[str]:
    """When to end: by lead."""
    any_of = found[TABLES[0]]
    lines = [
        "## When to end the round",
        "",
        "You hold a card that fits best on your last card face down. Putting it there ends the "
        "round: the others have one more turn each. Or you put it elsewhere, or throw it away. "
        f"Lead: {any_of.scale.about}. Above 0, ending is better.",
        "",
    ]
    heads = [f"{players} players, {what}" for players in TABLES for what in ("chance", "total")]
    lines += [f"| lead | {' | '.join(heads)} |", f"|---{'|---' * len(heads)}|"]
    alone = {
        players: {
            row.keys["penalty"] or 0: row for row in found[players].rows if row.keys["down"] is None
        }
        for players in TABLES
    }
    for lead in sorted({lead for rows in alone.values() for lead in rows}):
        cells = []
        for players in TABLES:
            row = alone[players].get(lead)
            less = "" if row is None else signed(row.values["points"][2], -1.0)
            cells += ["", ""] if row is None else [signed(gained(row), PER_CENT), less]
        lines.append(f"| {any_of.scale.text(lead)} | {' | '.join(cells)} |")
    lines.append("")
    for players in TABLES:
        chances = (
            (any_of.scale.text(lead), gained(row)) for lead, row in sorted(alone[players].items())
        )
        told = sorted_out(chances, "better to end at a lead of", "worse to end at a lead of")
        lines.append(f"- {players} players, for the chance: {told}")
    return [*lines, "", f"![{alt}]({ENDS.removeprefix('reports/')})", ""]


def leads_part(found: Leads) -> list[str]:
    """Whether another player gains by ending later."""
    others = list(dict.fromkeys(other for _, other in found))
    lines = [
        "### If you do not play like `learned`",
        "",
        "The map is for two players of `learned`. Does `planner` gain by waiting too? Here it ends "
        "a round only with this lead: how far its expected total is below the other's, before the "
        "last card.",
        "",
        f"| lead of `planner` | {' | '.join(f'wins against `{other}`' for other in others)} |",
        f"|---{'|---' * len(others)}|",
    ]
    for lead in dict.fromkeys(lead for lead, _ in found):
        cells = [f"{points(found[lead, other])} %" for other in others]
        lines.append(f"| {lead_name(lead)} | {' | '.join(cells)} |")
    told = []
    for other in others:
        wins = {lead: one for (lead, against), one in found.items() if against == other}
        most = max(wins.values(), key=lambda one: one.value)
        best = [lead_name(lead) for lead, one in wins.items() if one.high >= most.low]
        told.append(f"{', '.join(best)} (against `{other}`)")
    return [*lines, "", f"Not clearly worse than the best: {'; '.join(told)}.", ""]


def lead_name(lead: int) -> str:
    """A lead of `planner` as it is shown."""
    return ANY if lead == min(LEADS) else str(lead)


def gifts_part(rows: Sequence[Mapping[str, Any]], players: int) -> list[str]:
    """Whom to give: what a Drama or a Karma does to the giver, by its receiver."""
    lines = [
        "## Whom to give a Drama or a Karma",
        "",
        f"A Drama costs three points and a Karma saves three. With {players} players you choose "
        "who gets it. Totals are those that you expect. `learned` gives a Drama to the lowest "
        "total that it foresees for the end, and a Karma to the highest.",
        "",
        "| card | who gets it | chance, against nobody | chance, against whom `learned` gives it |",
        "|---|---|---|---|",
    ]
    told = []
    for card, name in (("D", "Drama"), ("K", "Karma")):
        here = [row for row in rows if row["card"] == card]
        chances = {(row["to"], row["against"]): row["round"] for row in here}
        against = list(dict.fromkeys(row["against"] for row in here))
        for to in dict.fromkeys(row["to"] for row in here):
            cells = [signed(chances[to, other], PER_CENT) for other in against]
            lines.append(f"| {name} | {to} | {' | '.join(cells)} |")
        others = [(to, found) for (to, other), found in chances.items() if other == against[1]]
        told.append(f"- {name}, against whom `learned` gives it: {sorted_out(others, *WAYS)}")
    return [*lines, "", *told, ""]
