"""The section on the rules: which options the variants change, and what these mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lama_odds.analysis.strategy_report.document import EXACT, Cell, Column, Section, Table
from lama_odds.core.rulesets import Option

if TYPE_CHECKING:
    from lama_odds.analysis.strategy_report.design.plan import DesignAsk


def rules_section(ask: DesignAsk) -> Section:
    """A row for each option that a variant changes."""
    rows: list[tuple[Cell, ...]] = []
    for rules in ask.variants:
        changed = [
            name
            for name, value in rules.values.items()
            if name in ask.game.options and value != ask.rules.values.get(name)
        ]
        for name in changed:
            option = ask.game.options[name]
            values = (written(option, each.values[name]) for each in (ask.rules, rules))
            rows.append((ask.called(rules), name, *values, option.meaning))
    columns = (
        Column("variant", "text"),
        Column("option", "text"),
        Column(ask.rules.id, "text"),
        Column("variant's", "text"),
        Column("meaning", "text"),
    )
    ids = [f"{ask.called(r)} is {r.id}." for r in ask.variants if r.id in ask.names]
    return Section(
        "rules",
        "What the rules change",
        EXACT,
        "All other rules are those of the first rule set.",
        text=tuple(ids),
        tables=(Table("rules", "Options", columns, tuple(rows)),),
    )


def written(option: Option, value: Any) -> str:
    """The value of an option as an id has it."""
    if option.kind == "switch":
        return "on" if value else "off"
    return str(value) if option.kind == "number" else option.write(value)
