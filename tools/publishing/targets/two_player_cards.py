"""How strong `equilibrium` is in cards for two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.analysis.tournament import Tournament, tournament
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.best import OTHERWISE
from lama_odds.games.registry import game_of
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE = "reports/two_player_cards.md"
EQUILIBRIUM = "equilibrium"
EDITIONS = ("lama/egmont", "lama/amigo")
POOL = ("meanfield", "matching:4", "matching:8", "matching:13", "threshold:5", "random")


def tuned(rules: str) -> str:
    """The best of the tuned policies, which plays under options."""
    game = game_of(rules)
    return game.best_policy(game.rules(rules), 2, OTHERWISE).name


def played(rules: str, names: Sequence[str], games: int, making: Making) -> Tournament:
    """A tournament of these policies."""
    game: Any = game_of(rules)
    policies = [game.policy(name) for name in names]
    return tournament(
        game, game.rules(rules), policies, 2, games=games, seed=making["seed"],
        threads=making.threads, progress=making.bar,
    )  # fmt: skip


def percent(found: Estimate) -> str:
    """A share in per cent with its half-width."""
    half = 50 * (found.high - found.low)
    return f"{100 * found.value:.1f} ± {half:.1f}"


def beaten(found: Tournament) -> list[str]:
    """A table of how often `equilibrium` wins against each other policy."""
    rows = found.matrix[EQUILIBRIUM]
    return [
        "| against | wins % |",
        "|---|---|",
        *(f"| `{name}` | {percent(won)} |" for name, won in rows.items() if name != EQUILIBRIUM),
    ]


def page(leagues: Sequence[Tournament], made_by: str) -> str:
    """The report as Markdown."""
    lines = [
        "# Cards for two: equilibrium",
        "",
        "`equilibrium` plays two-player games of L.A.M.A. by a table of moves that self-play has "
        "trained. All games are played with both players in both seats, on the same cards, from "
        "seeds that no training has seen. The ± are 95 % intervals; those of a table hold "
        "together. [Best responses](best_response.md) have what a player who thinks one step ahead "
        "gains against it.",
        "",
        "## Against other policies",
    ]
    for league in leagues:
        lines += ["", f"### `{league.rules}`", "", *beaten(league), ""]
        lines.append(f"{league.games:,} games in each seating.")
    lines += ["", f"Made by {made_by}."]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Play all and write the page."""
    leagues = []
    for rules in EDITIONS:
        names = (EQUILIBRIUM, tuned(rules), *POOL)
        leagues.append(played(rules, names, making["games"], making))
        making.tell(f"{rules}: {leagues[-1].seconds:.0f} s")
    making.write(PAGE, page(leagues, making.made_by))


TARGET = Target(
    name="two-player-cards",
    what="how strong equilibrium is in cards for two",
    make=make,
    writes=(PAGE,),
    reads=(*POLICIES, *EQUITY),
    options={"games": 20_000, "seed": 77},
    quick={"games": 32},
)
