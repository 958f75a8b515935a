"""Measures of rule sets, and rule sets by name, as sentences and tables say them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from rich.text import Text

from lama_odds.analysis.compare.measures import DECISIONS, Compared

# Differences as one would say them: of a measure that is higher, and of one that is lower.
CLAUSES = {
    "penalty": ("a round costs {} {}", "more", "less"),
    "rounds": ("a game is {} rounds {}", "longer", "shorter"),
    "worms": ("a player ends with {} {}", "more", "less"),
    "turns": ("{} turns {} are played", "more", "fewer"),
    "busts": ("{} turns {} are bust", "more", "fewer"),
    "steals": ("{} tiles {} are stolen", "more", "fewer"),
    "went_out": ("going out is {} {} likely", "more", "less"),
    "blown": ("blowing it is {} {} likely", "more", "less"),
    "spread": ("final scores lie {} {}", "further apart", "closer together"),
    "shared": ("a shared win is {} {} likely", "more", "less"),
    "win": ("{who} wins {} {} often", "more", "less"),
    "actions": ("a round has {} actions {}", "more", "fewer"),
    "length": ("a game has {} actions {}", "more", "fewer"),
    "long games": ("a long game is {} {} likely", "more", "less"),
    "longest wait": ("the longest wait is {} {}", "longer", "shorter"),
    "sat out": ("a player watches {} {} after quitting", "more", "less"),
    "lead changes": ("the lead changes {} times {}", "more often", "less often"),
    "comebacks": ("a comeback is {} {} likely", "more", "less"),
    "decided": ("the winner is settled {} {}", "later", "earlier"),
    "drama": ("the later winner is behind by {} {}", "more", "less"),
    "skill": ("the best player beats casual ones {} {} often", "more", "less"),
    "bold wins": ("bold play beats cautious play {} {} often", "more", "less"),
}
ORDER = (*CLAUSES, DECISIONS)
UNNAMED: Mapping[str, str] = MappingProxyType({})
UNITS = {
    "penalty": "points",
    "worms": "worms",
    "spread": "points",
    "longest wait": "actions",
    "sat out": "% of a game",
    "decided": "% of the game",
    "drama": "percentage points",
}


class Named(Protocol):
    """An answer about several rule sets. names: those that files of variants give them, by id."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids."""

    @property
    def names(self) -> Mapping[str, str]:
        """Names by id."""


def called(found: Named) -> list[Text]:
    """What the names of variants stand for, a line each."""
    return [
        Text(f"{found.names[rules]}: {rules}", style="dim")
        for rules in found.rules
        if rules in found.names
    ]


def measure_title(measure: Compared) -> str:
    """A measure with its unit, unless this says the same, or it is a chance."""
    if measure.key == "win":
        return f"wins of player {player_of(measure)}"
    name, unit = measure.name.replace("_", " "), measure.unit
    return name if measure.share else unit if unit.startswith(name) else f"{name}, {unit}"


def player_of(measure: Compared) -> int:
    """Whose wins a measure counts, from 1."""
    return int(measure.name.split()[-1]) + 1
