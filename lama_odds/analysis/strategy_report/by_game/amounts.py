"""What a report does otherwise for single games: how much is played, what is compared, for which
rule sets it is made if none is named.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_RULES = ("dice/amigo", "lama/amigo", "pikomino/egmont", "noprob/starnberger")
MOST_GAMES = 4_000_000


@dataclass(frozen=True)
class Amounts:
    """Of a game. part: of the games; policies that think longer get fewer, by game, so that a
    seed always means the same games. options: that a rule set is compared with; those that it
    cannot have are left out. most_compared: games of each rule set then, about half a minute.
    """

    part: float = 1.0
    options: tuple[str, ...] = ("drama", "twenty")
    most_compared: int = MOST_GAMES


AMOUNTS = {
    "pikomino": Amounts(0.05, ("flip_without_tile", "short", "dice=7"), 4_000),
    "noprob": Amounts(0.2, ("four_rounds", "any_tie"), 16_000),
}


def amounts_of(game: str) -> Amounts:
    """The amounts of a game."""
    return AMOUNTS.get(game, Amounts())
