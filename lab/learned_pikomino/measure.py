"""Measure how far off the chances of `learned` are that `advise` shows for Pikomino.

Decisions are picked from games that `learned` plays against itself. Each is played on many times
after its two best actions, with luck-adjusted results. What these differ from the chances by is
their error, once the sampling error of the games is taken off. The upper end of the interval of
this error is kept, because there are few boards.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from lama_odds import __version__
from lama_odds.core.policies import Policy
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.jobs import rollouts
from lama_odds.games.pikomino.policies import AS_SOLD, ERRORS, PLAYERS
from lama_odds.games.pikomino.records.record import simulated_record
from lama_odds.games.pikomino.rules.feasibility import legal_actions
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame import MOST_TILES
from lama_odds.games.pikomino.solvers.solve import chances_ahead
from lama_odds.games.shared.decisions import decisions
from lama_odds.statistics.intervals import Z
from tools.publishing.target import Making, Target

EACH = 2  # decisions of a game


class Checked(NamedTuple):
    """A decision: chances of the best action and what the second costs; played; their variances."""

    value: float
    apart: float
    played: float
    played_apart: float
    variance: float
    variance_apart: float


def met(rules: PikominoRules, policies: list[Policy], seed: int, count: int) -> list[Position]:
    """Return positions with a choice, from as many games as it takes."""
    random = np.random.default_rng(seed)
    positions: list[Position] = []
    game = 0
    while len(positions) < count:
        record = simulated_record(rules, policies, seed, game, False)
        here = [one.position for one in decisions(GAME, rules, record)]
        here = [one for one in here if _is_open(rules, one)]
        for at in random.permutation(len(here))[:EACH]:
            positions.append(here[at])
        game += 1
    return positions[:count]


def _is_open(rules: PikominoRules, position: Position) -> bool:
    """Whether there is a choice, and the board is not solved."""
    tiles = len(position.centre) + sum(map(len, position.stacks))
    solved = position.players == 2 and tiles <= MOST_TILES
    return not solved and len(legal_actions(rules, position)) > 1


def check(
    rules: PikominoRules, policies: list[Policy], position: Position, seed: int, games: int
) -> Checked:
    """Play a position on after its two best actions."""
    ranked = sorted(chances_ahead(rules, position), key=lambda one: -one.values["win"].value)
    best, second = (one.values["win"].value for one in ranked[:2])
    only = [one.action for one in ranked[:2]]
    job = rollouts(rules, position, policies, only)
    sums = job.sums(job.job.play(seed, 0, games), "win") / games
    first, other = sums[0, 0], sums[1, 0]
    squares, other_squares, products = sums[0, 1], sums[1, 2], sums[0, 2]
    apart_squares = squares + other_squares - 2 * products
    unit = job.units[0]
    return Checked(
        best,
        best - second,
        unit * first,
        unit * (first - other),
        unit * unit * (squares - first**2) / (games - 1),
        unit * unit * (apart_squares - (first - other) ** 2) / (games - 1),
    )


def error_of(differences: np.ndarray, variances: np.ndarray) -> float:
    """Return an upper bound of the standard error behind differences with sampling errors."""
    squares = differences**2 - variances
    most = squares.mean() + Z * squares.std(ddof=1) / len(squares) ** 0.5
    return float(np.sqrt(max(0.0, most)))


def errors_for(making: Making, rules: PikominoRules, players: int) -> dict[str, float | int]:
    """Return the errors for a number of players."""
    policies = [GAME.policy("learned")] * players
    seed = making["seed"] + players
    checks = []
    for number, position in enumerate(met(rules, policies, seed, making["boards"])):
        checks.append(check(rules, policies, position, seed + 1000 + number, making["games"]))
    value, apart, played, played_apart, variance, variance_apart = np.array(checks).T
    errors: dict[str, float | int] = {
        "value": round(error_of(value - played, variance), 5),
        "apart": round(error_of(apart - played_apart, variance_apart), 5),
        "boards": len(checks),
        "each_side": round(Z, 5),
    }
    making.tell(
        f"{players} players: {errors}, bias {np.mean(value - played):+.4f} ± "
        f"{Z * np.std(value - played) / len(checks) ** 0.5:.4f}"
    )
    return errors


def make(making: Making) -> None:
    """Measure and write."""
    rules = GAME.rules(AS_SOLD)
    errors = {str(players): errors_for(making, rules, players) for players in PLAYERS}
    manifest = {
        "what": "how far off chances to win are that are not solved, as standard errors (upper "
        "bounds), by number of players. apart: of the difference of the two best actions",
        "command": making.command,
        "version": __version__,
        **{name: making[name] for name in ("boards", "games", "seed")},
        "rules": AS_SOLD,
        "errors": errors,
    }
    making.write(f"data/{ERRORS}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="learned-pikomino-errors",
    what="the errors of the chances that `learned` gives in Pikomino",
    make=make,
    writes=(f"data/{ERRORS}",),
    reads=("data/pikomino/learned.npy", "data/pikomino/learned.json"),
    options={"boards": 200, "games": 80, "seed": 9_001},
    quick={"boards": 4, "games": 4},
    deep=True,
)
