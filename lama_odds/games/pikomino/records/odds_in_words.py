"""What can become of a turn of Pikomino, in a few lines."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import OddsInWords
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.odds_in_words import other_player

MOST = 6  # ends of the turn in the table
BUST = "turn bust"
RARE = 0.005  # would be shown as 0 %


def odds_in_words(
    rules: PikominoRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """How the best turn ends, most likely ends first."""
    if position is None or BUST not in chances:
        return None
    del rules
    ends = {name: e.value for name, e in chances.items() if name.startswith(("stop", "steal"))}
    if not ends:
        return OddsInWords("The turn is bust, whatever you do.")
    likely = sorted(ends, key=lambda name: -ends[name])
    next_ = ""
    if "bust" in chances:
        rare = chances["bust"].value < RARE
        next_ = " The next roll hardly ever busts." if rare else " The next roll busts with {bust}."
    finding = f"Played for worms, the turn takes a tile with {_sum(ends)}.{next_}"
    rows: list[tuple[str | float, ...]] = [(_end(name), ends[name]) for name in likely[:MOST]]
    if likely[MOST:]:
        rows.append((f"one of {len(likely) - MOST} others", sum(ends[n] for n in likely[MOST:])))
    rows.append(("bust", chances[BUST].value))
    return OddsInWords(finding, ("the turn ends with", "chance"), tuple(rows))


def _sum(ends: Mapping[str, float]) -> str:
    return f"{100 * sum(ends.values()):.0f} %"


def _end(name: str) -> str:
    """An end of the turn as one would say it."""
    words = name.split()
    if words[0] == "steal":
        return f"tile {words[1]}, from {other_player(int(words[3]))}"
    return f"tile {words[1]}"
