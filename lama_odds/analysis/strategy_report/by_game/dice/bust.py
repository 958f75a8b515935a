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
    columns = (Column("held or in the row", "text"), Column("kinds"), Column("blown", "share"))
    said = _blow_said(chances)
    return Section(
        "blow",
        "The chance of a blow",
        EXACT,
        "All outcomes of the dice; three llamas are never a blow while another is in.",
        findings=(said,),
        text=(
            "A roll is blown if no die shows a card that I hold or that lies in the llama row. So "
            "look up both together: holding 25 with 36L in the row means 2356L. The last player "
            f"looks up the own cards alone{_safe(ask.rules)}.",
        ),
        figures=(_blow_map(chances, said), _blow_curves(chances)),
        tables=(Table("blow", "Every set of cards", columns, table, long=True),),
    )


def _safe(rules: DiceRules) -> str:
    """What is different for the last player with some rules."""
    return "" if rules.llama_safe_alone else "; without a llama card, three llamas blow it too"


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
        "The next roll is blown, in % (–: never)",
        said,
        "held or in the row",
        cells,
        ("", ""),
        "chance of a blow",
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
        "The same by how many numbers are held or in the row",
        f"Curves of the chance of a blow by how many numbers there are: {ends}.",
        "different numbers held or in the row",
        "chance of a blow (band: least to most)",
        tuple(lines),
        share=True,
    )


def _blow_said(chances: dict[int, float]) -> str:
    """How much the llama covers, against the numbers."""

    def of(llama: bool, kinds: int) -> list[float]:
        sets = (mask for mask in chances if HAS_LLAMA[mask] == llama and NUMBER_OF[mask] == kinds)
        return [100 * chances[mask] for mask in sets]

    return (
        f"A roll is blown in {of(True, 1)[0]:.0f} % of cases if hand and row together have nothing "
        f"but the llama, in {_range(of(False, 3))} % with three numbers, in "
        f"{_range(of(True, 4))} % with both (exact)."
    )


def _range(values: list[float]) -> str:
    low, high = (f"{value:.0f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
