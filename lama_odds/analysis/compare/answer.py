"""What a comparison answers: rows of measures, with their values, differences and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from statistics import NormalDist
from typing import Generic, TypeVar

import numpy as np

import lama_odds
from lama_odds.core.checks import Delta
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.jit.job import Job, Measure
from lama_odds.simulation.run import PairedPart
from lama_odds.statistics import equivalence
from lama_odds.statistics.intervals import Z, share_of, wilson

# What rule sets are compared by: measures made of what a game's kernels count.

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
    games do not reduce, see `design`; empty: there is none.
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
        jobs = {ROUNDS: game.simulation(rules, policies, True).detailed()}
    except ReadError:  # how a game says that it has no rounds
        jobs = {}
    return {**jobs, GAMES: game.simulation(rules, policies, False).detailed()}


def compared_by(jobs: Jobs, actions: str) -> list[Compared]:
    """The measures of these jobs, those of rounds first; last, what did not end.

    actions: see `Game.actions`.
    """
    measures: list[Compared] = []
    for name, known in ((ROUNDS, ROUND_MEASURES), (GAMES, GAME_MEASURES)):
        taken = {measure.key for measure in measures}
        listed = _listed(name, jobs[name], known, actions) if name in jobs else []
        measures += [measure for measure in listed if measure.key not in taken]
    for name in (ROUNDS, GAMES):
        counted = [m for m in jobs[name].measures if m.name == UNFINISHED] if name in jobs else []
        measures += [mean_of(UNFINISHED, UNFINISHED, "", "", name, [m]) for m in counted]
    return measures


def _listed(
    of_job: str, job: Job, known: Mapping[str, tuple[str, str]], actions: str
) -> list[Compared]:
    """Those of the known measures that a job counts and that are not always the same."""
    measures = []
    for key, (unit, about) in known.items():
        meaning = about.format(actions=actions)
        if key == "shared":
            measures += _shared(job, unit, meaning)
            continue
        counted = [m for m in job.measures if m.name == key and m.least < m.most]
        groups = [[measure] for measure in counted] if key == "win" else [counted] * bool(counted)
        for group in groups:
            name = f"{key} seat {group[0].seat}" if key == "win" else key
            measures.append(mean_of(name, key, unit, meaning, of_job, group))
    return measures


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


def parts_of(measures: Sequence[Compared], jobs: Jobs) -> list[PairedPart]:
    """The jobs of a variant, with what they add to the measures."""
    return [
        PairedPart(job, np.array([measure.row(name, job) for measure in measures]))
        for name, job in jobs.items()
    ]


# Measures of rule sets and their differences, from the sums that `simulation.blocks` keeps.
#
# If two rule sets did not differ in any game, the difference is 0 as far as was seen. Its bound
# comes from games that have not occurred yet, and from the most that a game can change.

# Some measures have no upper limit, as games may never end. For these, the most that a game can
# change is assumed to be the mean plus some standard deviations of a game: as if a very large one
# became 0.
SPREADS = 3
Pair = tuple[int, int]


def value_of(
    measure: Compared, sums: np.ndarray, variant: int, samples: int, games: int
) -> Estimate:
    """A measure of one variant; shares with Wilson's interval. sums: int64[k, 1 + 3 k]."""
    total, squares = int(sums[variant, 0]), int(sums[variant, variant + 1])
    mean = equivalence.mean_of_blocks(total, squares, samples, games, measure.scale)
    if not measure.share:
        return bounded(measure, mean, samples, Z)
    wilson = share_of(total * measure.scale, games)
    estimate = mean.with_interval(wilson.low, wilson.high)
    return with_error(estimate, measure.error_of({variant: 1}), Z, 1.0)


def with_error(estimate: Estimate, error: float, z: float, most: float = 0.0) -> Estimate:
    """An estimate with an error besides that of its games. z: standard errors of its interval.

    most: the highest value, where 0 is the lowest; 0: there are no limits.
    """
    if not error:
        return estimate
    low = estimate.value - math.hypot(estimate.value - estimate.low, z * error)
    high = estimate.value + math.hypot(estimate.high - estimate.value, z * error)
    if most:
        low, high = max(0.0, low), min(most, high)
    stderr = math.hypot(estimate.stderr, error)
    return Estimate.from_interval(estimate.value, stderr, low, high, estimate.n)


def bounded(measure: Compared, estimate: Estimate, samples: int, z: float) -> Estimate:
    """A mean of a bounded measure: its interval stays within the bounds.

    That of equal games allows for others that were not met.
    """
    if not measure.most:
        return estimate
    low, high = estimate.low, estimate.high
    if not estimate.stderr:
        half = measure.most * wilson(0.0, samples, z)[1]
        low, high = estimate.value - half, estimate.value + half
    return estimate.with_interval(max(0.0, low), min(measure.most, high))


def moments_of(sums: np.ndarray, pair: Pair) -> tuple[int, int, int, int]:
    """Of the second variant of a pair minus the first: sums of blocks, of squares and of cubes,
    and how many blocks are not 0."""
    (a, b), k = pair, len(sums)
    total = int(sums[b, 0]) - int(sums[a, 0])
    squares = int(sums[a, a + 1]) + int(sums[b, b + 1]) - 2 * int(sums[a, b + 1])
    return total, squares, int(sums[b, 1 + 2 * k + a]), int(sums[a, 1 + k + b])


def difference_of(
    measure: Compared, sums: np.ndarray, pair: Pair, samples: int, games: int
) -> Estimate:
    """The second variant of a pair minus the first, block by block."""
    total, squares, _, differing = moments_of(sums, pair)
    change = equivalence.mean_of_blocks(total, squares, samples, games, measure.scale, differing)
    baseline = value_of(measure, sums, pair[0], samples, games)
    sampled = equivalence.allowing_for_unmet(change, largest_of(measure, baseline))
    return with_error(sampled, fixed_error(measure, pair), Z)


def fixed_error(measure: Compared, pair: Pair) -> float:
    """The part of a difference's error that more games do not reduce."""
    return measure.error_of({pair[0]: -1, pair[1]: 1})


def largest_of(measure: Compared, value: Estimate) -> float:
    """The most that a game can change in a measure. value: that of the baseline.

    It is 1 for a share. For others it is a guess (see SPREADS), and at least what one counts.
    """
    if measure.share:
        return 1.0
    spread = value.stderr * math.sqrt(value.n)
    return max(measure.scale, abs(value.value) + SPREADS * spread)


# δ unless it is given: the smallest difference that matters.
ONE_SIDED = NormalDist().inv_cdf(0.95)
DELTA_RELATIVE = 0.01  # of the baseline's value
DELTA_SHARE = 0.005  # of shares


OPEN = equivalence.Judged(equivalence.UNDECIDED, 1.0, 1.0)  # before all rows are judged together


@dataclass(frozen=True)
class OfPair(Plain):
    """A measure of two rule sets, `rules` minus `against`. delta: the least that matters."""

    measure: Compared
    rules: str
    against: str
    baseline: Estimate
    delta: float


@dataclass(frozen=True)
class Row(OfPair):
    """A difference with its verdict.

    tested: what was judged; judged: with what verdict.
    differing: in how many of the `samples` blocks of games the two differ. Where they are few, the
    interval is wider than usual, and no difference is reported (see `equivalence`). For the measure
    of decisions (see `decisions`): how many of the tried decisions differ.
    An exact difference of 0: the two play the same games, whatever cards and dice come.
    """

    KEYS = (
        "name=measure.name unit=measure.unit rules against baseline other difference "
        "relative p=judged.p p_same=judged.p_same delta verdict=judged.verdict "
        "more_games=judged.more saving differing_blocks=differing"
    )

    other: Estimate
    difference: Estimate
    tested: equivalence.Tested
    differing: int
    samples: int
    judged: equivalence.Judged = OPEN

    @property
    def saving(self) -> float | None:
        """By how much the same cards and dice cut the variance of the difference.

        None where there is no variance, or nothing to be paired.
        """
        if self.difference.stderr == 0 or self.baseline.method == EXACT:
            return None
        apart = math.fsum((self.baseline.stderr**2, self.other.stderr**2))
        return apart / self.difference.stderr**2

    @property
    def relative(self) -> float | None:
        """The difference as a part of the baseline's size; None if that is 0."""
        size = abs(self.baseline.value)  # where points can be negative, more is still a plus
        return self.difference.value / size if size else None

    @property
    def identical(self) -> bool:
        """Whether no block of games, or decision, made a difference."""
        return self.differing == 0

    @property
    def proven(self) -> bool:
        """Whether both rule sets play identical games whatever is dealt: proved, not sampled."""
        return self.identical and self.difference.method == "exact"

    @property
    def rare(self) -> bool:
        """Whether the difference rests on few blocks."""
        return self.measure.key != DECISIONS and equivalence.rests_on_few(
            self.differing, self.samples
        )


@dataclass(frozen=True)
class SkillShows(Plain):
    """After how many games a win rate is clearly above a fair one; None: never, or not known."""

    KEYS = "games low high"

    games: int | None
    low: int | None
    high: int | None


def shows_after(rate: Estimate, players: int) -> SkillShows:
    """After how many games a win rate is expected to be above that of 95 % of fair players.

    A fair player wins as often as all others do; by the normal approximation, on one side.
    """
    fair = 1 / players

    def games(value: float) -> int | None:
        if value <= fair:
            return None
        return math.ceil((ONE_SIDED / (value - fair)) ** 2 * fair * (1 - fair))

    return SkillShows(games(rate.value), games(rate.high), games(rate.low))


@dataclass(frozen=True)
class LeftOut(Plain):
    """A measure that a pair of rule sets cannot be compared by, and why."""

    KEYS = "name=measure rules against reason"

    measure: str
    rules: str
    against: str
    reason: str


AnyRow = TypeVar("AnyRow", bound=OfPair)


@dataclass(frozen=True)
class BetweenRules(Plain, Generic[AnyRow]):
    """An answer about several rule sets: rows by pair, then by measure.

    policies: of each rule set, baseline first.
    """

    rules: tuple[str, ...]
    players: int
    policies: tuple[str, ...]
    retuned: bool
    rows: tuple[AnyRow, ...]
    games: int
    seed: int

    @property
    def baseline(self) -> str:
        """The first rule set."""
        return self.rules[0]

    @property
    def others(self) -> tuple[str, ...]:
        """The other rule sets."""
        return self.rules[1:]

    @property
    def pairs(self) -> dict[tuple[str, str], list[AnyRow]]:
        """The rows of each pair (against, rules)."""
        by_pair: dict[tuple[str, str], list[AnyRow]] = {}
        for row in self.rows:
            by_pair.setdefault((row.against, row.rules), []).append(row)
        return by_pair


@dataclass(frozen=True)
class Comparison(BetweenRules[Row]):
    """The answer. names: those of rule sets that come from files of variants, by id."""

    KEYS = (
        "baseline others players policies retuned games seed measures=rows left_out "
        "skill_shows? version"
    )

    seconds: float
    interrupted: bool = False
    left_out: tuple[LeftOut, ...] = ()
    version: str = field(default=lama_odds.__version__)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def skill_shows(self) -> dict[str, SkillShows]:
        """After how many games skill shows, by rule set; empty if skill is not measured."""
        rates: dict[str, Estimate] = {}
        for row in self.rows:
            if row.measure.key == SKILL:
                rates |= {row.against: row.baseline, row.rules: row.other}
        return {rules: shows_after(rates[rules], self.players) for rules in self.rules if rates}


def delta_of(measure: Compared, baseline: float, deltas: Mapping[str | None, Delta]) -> float:
    """The smallest difference that matters in a measure."""
    delta = given_delta(measure, deltas)
    if delta:
        return delta.value * abs(baseline) if delta.relative else delta.value
    return DELTA_SHARE if measure.share else DELTA_RELATIVE * abs(baseline)


def given_delta(measure: Compared, deltas: Mapping[str | None, Delta]) -> Delta | None:
    """The δ of a measure, if it is given."""
    for name in (measure.name, measure.key, None):
        delta = deltas.get(name)
        # Part of a baseline that is 0 by its meaning: no δ at all.
        if delta and not (delta.relative and measure.key == DECISIONS):
            return delta
    return None
