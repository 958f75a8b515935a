"""Rollouts of a position: every action played out on the same cards and dice, until it is clear."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress, StageProgress
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.interface.tally_layout import RolloutTally
from lama_odds.simulation.run import FIRST_CHUNK, default_threads, run, warm_up
from lama_odds.statistics.equivalence import POWER
from lama_odds.statistics.intervals import FEWEST, Moments, Z, anytime_share, half_width
from lama_odds.statistics.race import EARLY_CHECK, FIRST_CHECK, is_clear, next_check

MOST_POINTS = 50  # by which rounds can be apart, where a game does not tell its results
MOST_NEEDED = 100_000_000  # games beyond which a question is not settled
LATE = 1.05  # times the seconds given, at which games on the way to a checkpoint are dropped


class StoppedEarlyError(LimitError):
    """Ctrl-C came before there were enough games for any statement."""


class _OutOfTimeError(Exception):
    """The next checkpoint cannot be reached in time."""


@dataclass(frozen=True)
class Limits:
    """How long to sample: at most for these seconds, or exactly this number of games.

    most: a limit without a clock; like `games` it makes the same answer on any machine. precision:
    half-width of the values' intervals at which a clear answer stops, instead of
    `Objective.precise`. clear: stop as soon as the best action is clear and no value rougher than
    `Objective.rough`. Neither matters where `games` is given. learned: whether learned values will
    do although `games` is given, which then counts only where there are none.
    """

    seconds: float = 1.0
    games: int | None = None
    threads: int | None = None
    clear: bool = False
    most: int | None = None
    precision: float | None = None
    learned: bool = False

    @property
    def planned(self) -> int | None:
        """Games that the answer will have at most; None if only the time says."""
        return self.games if self.games is not None else self.most

    def precise(self, values: Sequence[Estimate], counts: Objective) -> bool:
        """Whether the values are known well enough to stop."""
        if self.clear:
            return max(value.stderr for value in values) <= counts.rough
        wanted = counts.precise if self.precision is None else self.precision
        return max(value.high - value.low for value in values) <= 2 * wanted

    @property
    def processors(self) -> int:
        """Threads to use."""
        return self.threads or default_threads()


@dataclass(frozen=True)
class Rollouts:
    """What was played: moments by objective, ways the round ended by action.

    short_of, off: see `RolloutJob`. repeated: whether `--games` with this number repeats it.
    """

    actions: tuple[str, ...]
    moments: Mapping[str, Moments]
    events: tuple[Mapping[str, Estimate], ...]
    games: int
    interrupted: bool
    notes: tuple[str, ...] = ()
    short_of: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    repeated: bool = True
    off: tuple[float, float] = (0.0, 0.0)

    def short(self, objective: str, action: int) -> float:
        """By how much an action might be better than it was played."""
        return self.short_of.get(objective, (0.0,) * len(self.actions))[action]

    def value(self, objective: str, action: int) -> Estimate:
        """The value of an action, with what it might be better in its interval."""
        mean, short = self.moments[objective].mean(action), self.short(objective, action)
        if self.moments[objective].share:
            # A chance that is certain was not looked up.
            if 0 < mean.value < 1:
                mean = self._looked_up(objective, mean, self.off[0])
            return replace(mean, low=max(0.0, mean.low), high=min(1.0, mean.high + short))
        return replace(mean, low=mean.low - short)

    def loses(self, objective: str, action: int, best: int, lowest: bool, alpha: float) -> Estimate:
        """What an action costs against the best one, allowing for how much better each may be."""
        first, second = (action, best) if lowest else (best, action)
        lost = self.moments[objective].difference(first, second, alpha)
        if action == best:
            return lost
        if lost.stderr:
            lost = self._looked_up(objective, lost, self.off[1])
        low, high = self.short(objective, action), self.short(objective, best)
        return replace(lost, low=lost.low - low, high=lost.high + high)

    def games_needed(self, counts: Objective, rival: int, best: int, alpha: float) -> int:
        """About how many games would settle which action is better; 0 if no number would.

        They do so with a chance of POWER if the two differ as they seem to. Then one of them is
        shown to be better, or the difference to be within the zone, whose other edge counts too.
        """
        lost = self.loses(counts.name, rival, best, not counts.higher, alpha)
        fixed = Z * self.off[1] if self.moments[counts.name].parts else 0.0
        near, far = counts.zone - lost.value - fixed, counts.zone + lost.value - fixed
        if lost.value > counts.zone - lost.value:
            near, far = lost.value - fixed, math.inf
        error = (lost.value - lost.low - fixed) / half_width(1.0, self.games, alpha)
        games, within = self.games, NormalDist().cdf
        while error:
            half, sampled = half_width(error**2, games, alpha), error / math.sqrt(games)
            if within((near - half) / sampled) - within((half - far) / sampled) >= POWER:
                break
            games += games // 8
            if games > MOST_NEEDED:
                return 0
        return int(float(f"{games:.2g}"))

    def _looked_up(self, objective: str, found: Estimate, off: float) -> Estimate:
        """The same with the error of the table in it, if there are looked-up chances."""
        if not off or not self.moments[objective].parts:
            return found
        error, half = math.hypot(found.stderr, off), Z * off
        return replace(found, stderr=error, low=found.low - half, high=found.high + half)

    def of(
        self, action: str, objective: str | None = None
    ) -> tuple[dict[str, Estimate], Mapping[str, Estimate]]:
        """Values in one objective or in all, and chances, of an action."""
        at = self.actions.index(action)
        names = self.moments if objective is None else (objective,)
        return {name: self.value(name, at) for name in names}, self.events[at]


def roll_out(
    job: RolloutJob,
    objectives: Mapping[str, Objective],
    objective: str,
    limits: Limits,
    seed: int,
    progress: StageProgress | None,
    brief: bool = False,
    interim: Callable[[Rollouts], None] | None = None,
) -> Rollouts:
    """Play until the best action is clear and the values precise enough, or to the limit.

    objectives: of the game, by name; objective: the one in which the best action is looked for.
    brief: leave out chances and notes. interim: called with the values so far, in the objective, at
    each checkpoint but the last. Raises LimitError if the limit is too low for any statement, or if
    games do not end.
    """
    tally, games, interrupted = _race(job, objectives[objective], limits, seed, progress, interim)
    if games < FEWEST:
        raise (StoppedEarlyError if interrupted else LimitError)(
            f"too few games to say anything: {games} played, at least {FEWEST} are needed"
        )
    read = job.read(tally)
    if read.unended:
        raise LimitError(
            f"{read.unended} games did not end: nobody reaches the target with these policies"
        )
    moments = {name: _moments(job, tally, objectives[name], games) for name in job.objectives}
    none: Mapping[str, Estimate] = {}
    events = (none,) * len(job.actions) if brief else _events(job, read, games)
    notes = () if brief else job.notes(read.counters, games)
    repeated = job.least < games <= (job.most or games)
    return Rollouts(
        job.actions, moments, events, games, interrupted, notes, job.short_of, repeated, job.off
    )


def played(rollouts: RolloutJob, counts: Objective, games: int, threads: int, seed: int) -> Moments:
    """What this number of games comes to, even if it is small: the caller averages many of them.

    Raises KeyboardInterrupt if it is stopped, LimitError if games do not end.
    """
    job = rollouts.job
    if games <= FIRST_CHUNK:  # not worth a thread
        tally = job.play(seed, 0, games)
    else:
        warm_up(job, seed)
        found = run(job, seed, games, threads=threads)
        if found.interrupted:
            raise KeyboardInterrupt
        tally = found.tally
    unended = rollouts.read(tally).unended
    if unended:
        raise LimitError(f"{unended} games did not end with these policies")
    return _moments(rollouts, tally, counts, games)


def _race(
    rollouts: RolloutJob,
    counts: Objective,
    limits: Limits,
    seed: int,
    progress: StageProgress | None,
    interim: Callable[[Rollouts], None] | None,
) -> tuple[np.ndarray, int, bool]:
    """Play from checkpoint to checkpoint; returns the tally, the games, whether interrupted."""
    job = rollouts.job
    warm_up(job, seed)
    tally = np.zeros(job.shape, dtype=np.int64)
    start = time.perf_counter()
    left = limits.seconds - rollouts.spent
    timed = limits.planned is None
    games, interrupted = 0, False
    while not interrupted:
        target = _next(max(games, rollouts.least), limits, interim is not None)
        spent = time.perf_counter() - start
        if target == games:
            break
        if games:
            moments = _moments(rollouts, tally, counts, games)
            if interim is not None:
                interim(_so_far(rollouts, counts, moments, games))
        if games and limits.games is None:
            if games >= _first(limits) and _enough(moments, counts, limits):
                break
            if target > (rollouts.most or target):
                break
            # A checkpoint is begun only if it can be finished in time.
            if timed and spent * target / games > left:
                break
        latest = start + LATE * left if timed and games else math.inf
        try:
            played = run(
                job,
                seed,
                target - games,
                first=games,
                threads=limits.processors,
                progress=_tell(progress, start, limits, games, latest),
            )
        except _OutOfTimeError:
            break
        tally += played.tally
        games += played.games
        interrupted = played.interrupted
    return tally, games, interrupted


def _next(games: int, limits: Limits, shown: bool) -> int:
    """The checkpoint that follows `games`: one of `next_check`, or the last one allowed.

    shown: whether each is reported. Without that, a fixed number is played in one go.
    """
    if limits.games is not None and not shown:
        return limits.games
    timed = limits.planned is None
    after = next_check(games, EARLY_CHECK if timed else _first(limits))
    return min(after, limits.games or limits.most or after)


def _first(limits: Limits) -> int:
    """The first checkpoint at which a clear answer stops; out of time, an earlier one will do."""
    return EARLY_CHECK if limits.clear or limits.games is not None else FIRST_CHECK


def _so_far(rollouts: RolloutJob, counts: Objective, moments: Moments, games: int) -> Rollouts:
    """What games have shown so far, in one objective."""
    none: Mapping[str, Estimate] = {}
    events = (none,) * len(rollouts.actions)
    values = {counts.name: moments}
    return Rollouts(
        rollouts.actions,
        values,
        events,
        games,
        False,
        short_of=rollouts.short_of,
        off=rollouts.off,
    )


def _enough(moments: Moments, counts: Objective, limits: Limits) -> bool:
    """Whether the best action is clear and all values are as precise as wanted."""
    values = [moments.mean(action) for action in range(len(moments.sums))]
    return limits.precise(values, counts) and is_clear(moments, not counts.higher, counts.zone)


def _tell(
    progress: StageProgress | None, start: float, limits: Limits, before: int, latest: float
) -> Progress:
    """What is called after each chunk; it raises _OutOfTimeError too late for the checkpoint."""

    def tell(done: int, of: int) -> None:
        if done < of and time.perf_counter() > latest:
            raise _OutOfTimeError
        if progress is None:
            return
        if limits.planned is not None:
            progress(min(1.0, (before + done) / limits.planned), "playing")
        else:
            progress(min(1.0, (time.perf_counter() - start) / limits.seconds), "playing")

    return tell


def _moments(rollouts: RolloutJob, tally: np.ndarray, counts: Objective, games: int) -> Moments:
    sums = rollouts.sums(tally, counts.name)
    unit = rollouts.units[rollouts.objectives.index(counts.name)]
    # Results of a round are apart by its most points at most, those against others' by twice that.
    most = max(len(rollouts.results) - 1, 0) or MOST_POINTS
    span = 1.0 if counts.share else float(2 * most if counts.relative else most)
    looked_up = rollouts.looked_up and counts.whole_game
    return Moments(sums, games, unit, counts.share, span / unit, looked_up)


def _events(
    rollouts: RolloutJob, tally: RolloutTally, games: int
) -> tuple[Mapping[str, Estimate], ...]:
    """Shares of the ways the round ends and of the results that came out, for each action.

    Those that the job knows exactly are not sampled.
    """
    ways = _named(rollouts.events, tally.events)
    results = _named(rollouts.results, tally.results)
    return tuple(
        {name: anytime_share(count, games) for name, count in ways[a].items()}
        | {name: anytime_share(count, games) for name, count in results[a].items() if count}
        | dict(rollouts.beside.get(rollouts.actions[a], {}))
        for a in range(len(rollouts.actions))
    )


def _named(names: tuple[str, ...], counts: np.ndarray) -> list[dict[str, int]]:
    return [dict(zip(names, row, strict=True)) for row in counts.tolist()]
