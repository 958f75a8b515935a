"""How a screen shows Pikomino played along: situations, chances, practice games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.in_words import other_player, score_text, spaced, word_of

# How a screen shows Pikomino played along.


def holds(position: Any, at: int) -> str:
    """Return the top tile of a player."""
    stack = position.stacks[at]
    return f"tile {stack[-1]} of {len(stack)}" if stack else "no tile"


def hand(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    total = rules.total(position.kept)
    told = [f"you keep {kept} = {total}"] * bool(kept) + [f"you rolled {rolled}"] * bool(rolled)
    text = ", ".join(told) or "your turn"
    return text[0].upper() + text[1:]


def in_words(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled, in words."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    told = [f"kept {spaced(kept)} = {rules.total(position.kept)}"] if kept else []
    told += [f"rolled {spaced(rolled)}"] if rolled else []
    return " · ".join(told) or "your turn begins"


ON_SCREEN = OnScreen(
    against=(
        ("r", "roll"),
        ("kW", "keep W: all worms rolled"),
        ("s27", "stop 27: take the tile from the centre"),
        ("t27", "steal 27 from another player"),
    ),
    table=(
        ("r1124444W k4", "rolls and keeps the fours"),
        ("s27", "stops and takes tile 27"),
        ("t27", "steals tile 27"),
        ("27, bust", "the result alone: takes or steals tile 27, goes bust"),
    ),
    middle={"centre": "centre"},
    holds=holds,
    score=score_text,
    hand=hand,
    unit=lambda rules: "worms",
    tie_break="the highest tile",
    told={"bust": "bust", "returns": "{} goes back", "flips": "{} is turned over"},
    aimed=("steal",),
)


# What can become of a turn of Pikomino, in a few lines.

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


# Small positions of Pikomino for practice: the solved ones and those in between.


def practice(players: int) -> Sequence[str]:
    """Return positions with one tile to take and with few in play; after a roll and before it."""
    stacks = "/".join(["21", *["-"] * (players - 1)])
    few = "/".join(["21", "22", *["-"] * (players - 2)])
    return [
        *(f"kept=44W stacks={stacks}{end}" for end in ("", " rolled=12345")),
        *(f"kept=44W centre=25,26 stacks={few}{end}" for end in ("", " rolled=12345")),
    ]
