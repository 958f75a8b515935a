"""The sheet of Lama Dice: when to quit, the last player, what to discard and take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lama_odds.analysis.strategy_report.by_game.dice.discards import discard_section
from lama_odds.analysis.strategy_report.by_game.dice.takes import take_section
from lama_odds.analysis.strategy_report.report import DEFAULT_PRECISION, Ask, Budget
from lama_odds.games.registry import game_of
from tools.publishing.reference.markdown import table
from tools.publishing.sheets.limits import Played, by_key, by_players

RULES, PLAYERS = "dice/amigo", 4
EDITIONS = {"dice/amigo": "English or French rules", "dice/egmont": "Polish rules"}


def parts(played: Played) -> Iterator[str]:
    """The sheet, part by part."""
    yield "## Quit or roll?"
    yield (
        "Add up your cards: each number once, all llamas together 10. Quit with this many points "
        "or fewer, and roll with more. *5 to 6* means that 6 is a toss-up."
    )
    yield by_players(played, EDITIONS)
    found = played.thresholds(RULES, PLAYERS)
    yield f"With {PLAYERS} players, by how many others have not quit:"
    yield by_key(found, "others", "others who have not quit", "quit up to")
    (last,) = (each for each in found.tables if each.name == "last_player")
    yield from _last(last.rows)
    ask = Ask(game_of(RULES), game_of(RULES).rules(RULES), PLAYERS, Budget(DEFAULT_PRECISION))
    sections = (
        ("## What to discard", discard_section(ask)),
        ("## What to take", take_section(ask)),
    )
    for title, section in sections:
        if section is not None and section.headlines:
            yield title
            yield "\n\n".join(section.headlines)


def _last(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Up to where the last player always quits, from where always rolls, and what lies between."""
    quits = {row["penalty"] for row in rows if row["better"] == "quit"}
    rolls = {row["penalty"] for row in rows if row["better"] != "quit"}
    low, high = min(rolls), max(quits)
    yield "## All others have quit"
    yield (
        f"With a full llama row and one card of each kind: quit with {low - 1} points or less, "
        f"roll with {high + 1} or more. Between, it depends on your cards. This is exact."
    )
    lines = []
    for penalty in range(low, high + 1):
        here = [row for row in rows if row["penalty"] == penalty]
        quitting = [row["cards"] for row in here if row["better"] == "quit"]
        rolling = [row["cards"] for row in here if row["better"] != "quit"]
        if here:
            lines.append((str(penalty), _cards(quitting), _cards(rolling)))
    yield table(("points", "quit with", "roll with"), lines)


def _cards(hands: Sequence[str]) -> str:
    return ", ".join(hands) or "–"
