"""How strong `equilibrium` and `search` are in cards for two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.analysis.research.best_response import Response, best_response
from lama_odds.analysis.tournament.tournament import Tournament, tournament
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.best import OTHERWISE
from lama_odds.games.registry import game_of
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE = "reports/two_player_cards.md"
EQUILIBRIUM = "equilibrium"
EDITIONS = ("lama/egmont", "lama/amigo")
POOL = ("meanfield", "matching:4", "matching:8", "matching:13", "threshold:5", "random")
SEARCHED = "lama/egmont"
SEARCH = "search:256"


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


def response(making: Making) -> Response:
    """What a player who thinks one step ahead gains against `equilibrium`."""
    game: Any = game_of(SEARCHED)
    return best_response(
        game, game.rules(SEARCHED), 2, "win", games=making["responses"], seed=making["seed"],
        threads=making.threads, progress=making.bar, policy=game.policy(EQUILIBRIUM),
    )  # fmt: skip


def percent(found: Estimate, sign: str = "") -> str:
    """A share in per cent with its half-width; a difference with its sign."""
    half = 50 * (found.high - found.low)
    return f"{100 * found.value:{sign}.1f} ± {half:.1f}"


def beaten(found: Tournament) -> list[str]:
    """A table of how often `equilibrium` wins against each other policy."""
    rows = found.matrix[EQUILIBRIUM]
    return [
        "| against | wins % |",
        "|---|---|",
        *(f"| `{name}` | {percent(won)} |" for name, won in rows.items() if name != EQUILIBRIUM),
    ]


def page(
    leagues: Sequence[Tournament], one: Response,
    searched: Tournament, made_by: str,
) -> str:  # fmt: skip
    """The report as Markdown."""
    lines = [
        "# Cards for two: equilibrium and search",
        "",
        "`equilibrium` plays two-player games of L.A.M.A. by a table of moves that self-play has "
        "trained. `search:GAMES` thinks at each decision, as `advise` does. All games are played "
        "with both players in both seats, on the same cards, from seeds that no training has "
        "seen. The ± are 95 % intervals; those of a table hold together.",
        "",
        "## Against other policies",
    ]
    for league in leagues:
        lines += ["", f"### `{league.rules}`", "", *beaten(league), ""]
        lines.append(f"{league.games:,} games in each seating.")
    lines += [
        "",
        "## One-step best response",
        "",
        "What a player who thinks one step ahead gains in chances to win, in percentage points, "
        "if the other plays the policy. It is a lower bound of what can be gained against it. "
        "Rollouts draw hidden cards evenly from the unseen ones. See [best "
        "responses](best_response.md).",
        "",
        "| policy | gain | by rollouts | other action | games × seats |",
        "|---|---|---|---|---|",
        f"| `{one.policy}` | **{percent(one.gain, '+')}** | {percent(one.promised, '+')} | "
        f"{100 * one.departed:.1f} % | {one.games:,} × 2 |",
        "",
        "## Search",
        "",
        f"`{SEARCH}` thinks one step ahead too, and takes the other for `best`. But it infers "
        "hidden cards from what the other did. So what it wins beyond an even share is a bound "
        "as well, and may be a higher one.",
        "",
        "| against | wins % | games in each seat |",
        "|---|---|---|",
    ]
    won = percent(searched.matrix[SEARCH][EQUILIBRIUM])
    lines.append(f"| `{EQUILIBRIUM}` | {won} | {searched.games:,} |")
    lines += ["", f"`{SEARCHED}`. Made by {made_by}."]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Play all and write the page."""
    leagues = []
    for rules in EDITIONS:
        names = (EQUILIBRIUM, tuned(rules), *POOL)
        leagues.append(played(rules, names, making["games"], making))
        making.tell(f"{rules}: {leagues[-1].seconds:.0f} s")
    one = response(making)
    making.tell(f"best response: {percent(one.gain, '+')}, {percent(one.promised, '+')}")
    searched = played(SEARCHED, (SEARCH, EQUILIBRIUM), making["searched"], making)
    making.tell(f"{SEARCH}: {percent(searched.matrix[SEARCH][EQUILIBRIUM])}")
    making.write(PAGE, page(leagues, one, searched, making.made_by))


TARGET = Target(
    name="two-player-cards",
    what="how strong equilibrium and search are in cards for two",
    make=make,
    writes=(PAGE,),
    reads=(*POLICIES, *EQUITY),
    options={"games": 20_000, "responses": 1_000, "searched": 700, "seed": 77},
    quick={"games": 32, "responses": 4, "searched": 30},
)
