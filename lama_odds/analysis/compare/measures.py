"""What rule sets are compared by: measures made of what a game's kernels count."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.jit.job import Job, Measure
from lama_odds.simulation.paired_blocks import Part

UNFINISHED = "unfinished"
DECISIONS = "decisions"
SKILL = "skill"

# Of first rounds and of whole games: what is counted, in which unit, and what it means.
# A count of each seat is given as its mean over the seats. {actions}: what a game calls them.
ROUND_MEASURES = {
    "penalty": ("points per round", "penalty of a player in a first round"),
    "actions": ("actions per round", "plays, draws, rolls and quits of all players"),
    "turns": ("turns per round", "turns of all players in a first round"),
    "went_out": ("of rounds", "a player got rid of all cards"),
    "blown": ("of rounds", "a player blew it"),
}
GAME_MEASURES = {
    "rounds": ("rounds per game", "rounds until the game ends"),
    "length": ("actions per game", "{actions} of all players"),
    "turns": ("turns per game", "turns of all players"),
    "busts": ("busts per game", "turns that end without a tile"),
    "steals": ("steals per game", "tiles stolen"),
    "worms": ("worms per player", "worms of a player at the end"),
    "spread": ("points", "highest minus lowest score at the end"),
    "shared": ("of games", "more than one player wins"),
    "win": ("of games", "wins of the seat, shared ones in parts"),
}


# Names of jobs: first rounds, whole games; others see `design`.
ROUNDS, GAMES = "rounds", "games"
Jobs = Mapping[str, Job]
Weight = tuple[str, str, int | None, int]


@dataclass(frozen=True)
class Compared:
    """A measure. key: its name without the seat; unit: in words; scale: what one counts.

    most: the highest value of a game, where there is one and 0 is the lowest; 0: not known.

    share: of rounds or games. rounds: of first rounds alone. weights: by job, name and seat, what
    each measure of a job counts. noise: covariances between the rule sets of an error that more
    games do not reduce, see `long_games`; empty: there is none.
    """

    name: str
    key: str
    unit: str
    meaning: str
    scale: float
    share: bool
    rounds: bool
    weights: tuple[Weight, ...]
    most: float = 0.0
    noise: tuple[tuple[float, ...], ...] = ()

    def error_of(self, weights: Mapping[int, float]) -> float:
        """The error that more games do not reduce, of a weighted sum of rule sets."""
        if not self.noise:
            return 0.0
        pairs = product(weights.items(), repeat=2)
        return math.sqrt(max(0.0, math.fsum(a * b * self.noise[i][j] for (i, a), (j, b) in pairs)))

    @property
    def per_cent(self) -> bool:
        """Whether it is counted in per cent or percentage points, though it is not a share."""
        return self.unit.startswith("%") or self.unit == "percentage points"

    @property
    def jobs(self) -> set[str]:
        """The names of the jobs that count it."""
        return {job for job, _, _, _ in self.weights}

    def row(self, name: str, job: Job) -> list[int]:
        """Weights of the rows of a job's tally."""
        weights = {(of, seat): weight for by, of, seat, weight in self.weights if by == name}
        return [weights.get((m.name, m.seat), 0) for m in job.measures]


# Not counted by a kernel: see `differing`.
DECISIONS_APART = Compared(
    DECISIONS,
    DECISIONS,
    "of decisions",
    "decisions in games of the baseline that a player under the other rules would make otherwise",
    1.0,
    True,
    False,
    (),
)


def jobs_of(game: Game[R, P], rules: R, policies: Sequence[Policy]) -> dict[str, Job]:
    """The jobs of first rounds (if the game has any) and of whole games, in detail."""
    try:
        found = {ROUNDS: game.simulation(rules, policies, True).detailed()}
    except ReadError:  # how a game says that it has no rounds
        found = {}
    return {**found, GAMES: game.simulation(rules, policies, False).detailed()}


def compared_by(jobs: Jobs, actions: str) -> list[Compared]:
    """The measures of these jobs, those of rounds first; last, what did not end.

    actions: see `Game.actions`.
    """
    found: list[Compared] = []
    for name, known in ((ROUNDS, ROUND_MEASURES), (GAMES, GAME_MEASURES)):
        taken = {measure.key for measure in found}
        listed = _listed(name, jobs[name], known, actions) if name in jobs else []
        found += [measure for measure in listed if measure.key not in taken]
    for name in (ROUNDS, GAMES):
        counted = [m for m in jobs[name].measures if m.name == UNFINISHED] if name in jobs else []
        found += [mean_of(UNFINISHED, UNFINISHED, "", "", name, [m]) for m in counted]
    return found


def _listed(
    of_job: str, job: Job, known: Mapping[str, tuple[str, str]], actions: str
) -> list[Compared]:
    """Those of the known measures that a job counts and that are not always the same."""
    found = []
    for key, (unit, about) in known.items():
        meaning = about.format(actions=actions)
        if key == "shared":
            found += _shared(job, unit, meaning)
            continue
        counted = [m for m in job.measures if m.name == key and m.least < m.most]
        groups = [[measure] for measure in counted] if key == "win" else [counted] * bool(counted)
        for group in groups:
            name = f"{key} seat {group[0].seat}" if key == "win" else key
            found.append(mean_of(name, key, unit, meaning, of_job, group))
    return found


def mean_of(
    name: str, key: str, unit: str, meaning: str, job: str, group: Sequence[Measure]
) -> Compared:
    """The mean of a group of measures of a job."""
    weights = tuple((job, measure.name, measure.seat, 1) for measure in group)
    scale = group[0].unit / len(group)
    return Compared(name, key, unit, meaning, scale, group[0].share, job == ROUNDS, weights)


def _shared(job: Job, unit: str, meaning: str) -> list[Compared]:
    """Games won by several: all wins less those that are not shared."""
    seats = [measure.seat for measure in job.measures if measure.name == "outright"]
    weights = [(GAMES, "win", seat, 1) for seat in seats]
    weights += [(GAMES, "outright", seat, -WIN) for seat in seats]
    if not seats:
        return []
    return [Compared("shared", "shared", unit, meaning, 1 / WIN, True, False, tuple(weights))]


def parts_of(measures: Sequence[Compared], jobs: Jobs) -> list[Part]:
    """The jobs of a variant, with what they add to the measures."""
    return [
        Part(job, np.array([measure.row(name, job) for measure in measures]))
        for name, job in jobs.items()
    ]
