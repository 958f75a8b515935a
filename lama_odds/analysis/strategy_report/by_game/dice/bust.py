"""A section of Lama Dice: the chance that a roll is blown, exactly, for every set of cards."""

from __future__ import annotations

from lama_odds.analysis.strategy_report.by_game.dice.dice import HAS_LLAMA, NAMES
from lama_odds.analysis.strategy_report.document import (
    EXACT,
    Column,
    Curves,
    HeatMap,
    Line,
    Section,
    Table,
)
from lama_odds.analysis.strategy_report.report import Ask
from lama_odds.analysis.strategy_report.sections.exact import map_of_kinds
from lama_odds.core.estimate import exact
from lama_odds.games.dice.rules.odds import next_roll
from lama_odds.games.dice.rules.position import Opponent, Position, mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.solvers.choices import NUMBER_OF
from lama_odds.games.dice.solvers.one_each import SETS


def blow_section(ask: Ask) -> Section:
    """The chance that a roll is blown: it shows no card held, and none of the row."""
    chances = _blown(ask.rules)
    table = tuple(
        (NAMES[mask], int(NUMBER_OF[mask]), exact(chance)) for mask, chance in chances.items()
    )
    columns = (Column("held or in the row", "text"), Column("kinds"), Column("blows it", "share"))
    said = _blow_said(chances)
    return Section(
        "blow",
        "The chance to blow it",
        EXACT,
        "All outcomes of the dice. Three llamas never blow it while another player is in.",
        findings=(said,),
        text=(
            "You blow it if no die shows a card that you hold or that lies in the llama row. So "
            "look up both together: with 25 in hand and 36L in the row, look up 2356L. As the last "
            f"player, look up your own cards alone{_safe(ask.rules)}.",
        ),
        figures=(_blow_map(chances, said), _blow_curves(chances)),
        tables=(Table("blow", "Every set of cards", columns, table, long=True),),
    )


def _safe(rules: DiceRules) -> str:
    """What is different for the last player with some rules."""
    safe = rules.llama_safe_alone
    return "" if safe else ". Then three llamas blow it, too, unless you hold a llama card"


def _blown(rules: DiceRules) -> dict[int, float]:
    """Chance of a blow by the kinds that I hold or that lie in the row."""
    other = (Opponent(mask_counts(FULL_ROW)),)
    return {
        mask: float(next_roll(rules, Position(mask_counts(mask), 0, other))["blown"])
        for mask in range(1, SETS)
    }


def _blow_map(chances: dict[int, float], said: str) -> HeatMap:
    cells = {
        NAMES[mask]: (chance, f"{100 * chance:.0f}" if chance > 0 else "–")
        for mask, chance in chances.items()
    }
    return map_of_kinds(
        "blow",
        "How often the next roll blows it, in % (–: never)",
        said,
        "held or in the row",
        cells,
        ("", ""),
        "chance to blow it",
        max(chances.values()),
    )


def _blow_curves(chances: dict[int, float]) -> Curves:
    lines = []
    for llama, name in ((False, "numbers alone"), (True, "with the llama")):
        points = []
        for numbers in range(KINDS):
            found = [
                chance
                for mask, chance in chances.items()
                if HAS_LLAMA[mask] == llama and NUMBER_OF[mask] - llama == numbers
            ]
            if found:
                mean = sum(found) / len(found)
                points.append((float(numbers), mean, min(found), max(found)))
        lines.append(Line(name, *(tuple(float(p[at]) for p in points) for at in range(4))))
    ends = "; ".join(f"{x.label} {100 * x.y[0]:.0f} % to {100 * x.y[-1]:.1f} %" for x in lines)
    return Curves(
        "blow_by_numbers",
        "The same by how many numbers you hold or the row has",
        f"Curves of the chance to blow it by how many numbers there are: {ends}.",
        "different numbers held or in the row",
        "chance to blow it\n(band: lowest to highest)",
        tuple(lines),
        share=True,
    )


def _blow_said(chances: dict[int, float]) -> str:
    """How much the llama covers, against the numbers."""

    def of(llama: bool, kinds: int) -> list[float]:
        sets = (mask for mask in chances if HAS_LLAMA[mask] == llama and NUMBER_OF[mask] == kinds)
        return [100 * chances[mask] for mask in sets]

    return (
        f"A roll blows it in {of(True, 1)[0]:.0f} % of cases if your hand and the row together "
        f"have only the llama. With three numbers it is {_range(of(False, 3))} %, with three "
        f"numbers and the llama {_range(of(True, 4))} %."
    )


def _range(values: list[float]) -> str:
    low, high = (f"{value:.0f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
