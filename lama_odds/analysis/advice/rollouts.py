"""Rollouts of a position: every action played out on the same cards and dice, until it is clear."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lama_odds.core.elementary import hypot, normal_cdf
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.progress import Progress, StageProgress
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.interface.tally_layout import RolloutTally
from lama_odds.jit.job import Job
from lama_odds.simulation.run import FIRST_CHUNK, default_threads, run, warm_up
from lama_odds.statistics.equivalence import POWER
from lama_odds.statistics.intervals import ALPHA, FEWEST, Moments, Z, anytime_share, half_width
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
    keep: tuple[str, ...] = ()

    @property
    def planned(self) -> int | None:
        """Games that the answer will have at most; None if only the time says."""
        return self.games if self.games is not None else self.most

    def zone(self, counts: Objective) -> float:
        """The largest difference that does not matter to stop."""
        return max(counts.zone, min(self.precision or 0.0, counts.close))

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
    worse_than: of actions that were not played in all games, the one that was shown to be better.
    each: seconds that another game would take; 0 if that was not measured.
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
    worse_than: Mapping[int, int] = field(default_factory=dict)
    each: float = 0.0

    def short(self, objective: str, action: int) -> float:
        """By how much an action might be better than it was played."""
        return self.short_of.get(objective, (0.0,) * len(self.actions))[action]

    def value(self, objective: str, action: int) -> Estimate:
        """The value of an action, with what it might be better in its interval."""
        mean, short = self.moments[objective].mean(action), self.short(objective, action)
        if self.moments[objective].share:
            # A chance that is certain was not looked up.
            if 0 < mean.value < 1:
                mean = self._widened_by_table(objective, mean, self.off[0])
            return replace(mean, low=max(0.0, mean.low), high=min(1.0, _upto(mean, short)))
        return replace(mean, low=_downto(mean, short))

    def loses(self, objective: str, action: int, best: int, lowest: bool, alpha: float) -> Estimate:
        """What an action costs against the best one, allowing for how much better each may be.

        One that was dropped costs at least what it was shown to cost then, as the best one of all
        is no worse than the one that was better.
        """
        better = self.worse_than.get(action, best)
        if better != best:
            least = self._loses(objective, action, better, lowest, alpha)
            lost = self._loses(objective, action, best, lowest, alpha)
            value, high = max(lost.value, least.low), max(lost.high, least.low)
            return replace(lost, value=value, low=max(lost.low, least.low), high=high)
        return self._loses(objective, action, best, lowest, alpha)

    def _loses(
        self, objective: str, action: int, best: int, lowest: bool, alpha: float
    ) -> Estimate:
        first, second = (action, best) if lowest else (best, action)
        lost = self.moments[objective].difference(first, second, alpha)
        if action == best:
            return lost
        if lost.stderr:
            lost = self._widened_by_table(objective, lost, self.off[1])
        return self.with_short(lost, objective, action, best)

    def with_short(self, lost: Estimate, objective: str, action: int, best: int) -> Estimate:
        """What an action costs, allowing for how much better both may be than they were played."""
        low, high = self.short(objective, action), self.short(objective, best)
        return replace(lost, low=_downto(lost, low), high=_upto(lost, high))

    def games_needed(self, counts: Objective, rival: int, best: int, alpha: float) -> int:
        """About how many games would settle which action is better; 0 if no number would.

        They do so with a chance of POWER if the two differ as they seem to. Then one of them is
        shown to be better, or the difference to be within the zone, whose other edge counts too.
        """
        lost = self.loses(counts.name, rival, best, not counts.higher, alpha)
        moments = self.moments[counts.name]
        fixed, tuned = Z * self.off[1] if moments.parts else 0.0, moments.tuned
        near, far = counts.zone - lost.value - fixed, counts.zone + lost.value - fixed
        if lost.value > counts.zone - lost.value:
            near, far = lost.value - fixed, math.inf
        error = (lost.value - lost.low - fixed) / half_width(1.0, self.games, alpha, tuned)
        games, within = self.games, normal_cdf
        while error:
            half, sampled = half_width(error * error, games, alpha, tuned), error / math.sqrt(games)
            if within((near - half) / sampled) - within((half - far) / sampled) >= POWER:
                break
            games += games // 8
            if games > MOST_NEEDED:
                return 0
        return int(float(f"{games:.2g}"))

    def _widened_by_table(self, objective: str, value: Estimate, stderr: float) -> Estimate:
        """Return a value widened by the error of the equity table, if chances are looked up."""
        if not stderr or not self.moments[objective].parts:
            return value
        error, half = hypot(value.stderr, stderr), Z * stderr
        return replace(value, stderr=error, low=value.low - half, high=value.high + half)

    def of(
        self, action: str, objective: str | None = None
    ) -> tuple[dict[str, Estimate], Mapping[str, Estimate]]:
        """Values in one objective or in all, and chances, of an action."""
        at = self.actions.index(action)
        names = self.moments if objective is None else (objective,)
        return {name: self.value(name, at) for name in names}, self.events[at]


def _upto(estimate: Estimate, short: float) -> float:
    """The upper limit if the truth may also be higher by `short`.

    The follow-up was found in other games. So the two errors are independent, and their squares
    add up.
    """
    return estimate.value + hypot(estimate.high - estimate.value, short)


def _downto(estimate: Estimate, short: float) -> float:
    """The lower limit if the truth may also be lower by `short`, see `_upto`."""
    return estimate.value - hypot(estimate.value - estimate.low, short)


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
    counts = objectives[objective]
    race = Race(job, np.zeros(job.job.shape, dtype=np.int64))
    interrupted = _race(race, counts, limits, seed, progress, interim)
    tally, games = race.tally, race.games
    if games < FEWEST:
        raise (StoppedEarlyError if interrupted else LimitError)(
            f"too few games to say anything: {games} played, at least {FEWEST} are needed"
        )
    read = job.read(tally)
    if read.unended:
        raise LimitError(
            say(
                "{games} games did not end: nobody reaches the target with these policies",
                games=read.unended,
            )
        )
    rollouts = race.so_far(*(objectives[name] for name in job.objectives))
    played = [race.games_of(action) for action in range(len(job.actions))]
    return replace(
        rollouts,
        events=rollouts.events if brief else _events(job, read, played),
        interrupted=interrupted,
        notes=() if brief else job.notes(read.counters, sum(played) // len(played)),
        repeated=job.least < games <= (job.most or games),
        each=race.each + job.spent / games,
    )


def moments_of(
    rollouts: RolloutJob, counts: Objective, games: int, threads: int, seed: int
) -> Moments:
    """Play exactly this number of games, even a small one; return their moments.

    Raises KeyboardInterrupt if it is stopped, LimitError if games do not end.
    """
    job = rollouts.job
    if games <= FIRST_CHUNK:  # not worth a thread
        tally = job.play(seed, 0, games)
    else:
        warm_up(job, seed)
        played = run(job, seed, games, threads=threads)
        if played.interrupted:
            raise KeyboardInterrupt
        tally = played.tally
    unended = rollouts.read(tally).unended
    if unended:
        raise LimitError(say("{games} games did not end with these policies", games=unended))
    return _moments(rollouts, tally, games, counts)


@dataclass
class Race:
    """Games of a job so far, of which actions that were shown to be worse play no more.

    tally: of all actions. dropped: by action, the tally and the games when it was dropped.
    worse_than: see `Rollouts`. each: seconds that each of the last games took.
    """

    rollouts: RolloutJob
    tally: np.ndarray
    games: int = 0
    dropped: dict[int, tuple[np.ndarray, int]] = field(default_factory=dict)
    worse_than: dict[int, int] = field(default_factory=dict)
    each: float = 0.0

    @property
    def job(self) -> Job:
        """The job with the actions that still play."""
        if not self.dropped or self.rollouts.among is None:
            return self.rollouts.job
        return self.rollouts.among(self.still)

    @property
    def still(self) -> list[int]:
        """The actions that still play."""
        return [a for a in range(len(self.rollouts.actions)) if a not in self.dropped]

    def games_of(self, action: int) -> int:
        """The number of games that an action has played."""
        return self.dropped[action][1] if action in self.dropped else self.games

    def add(self, tally: np.ndarray, games: int, seconds: float) -> None:
        """Count games of the actions that still play."""
        if self.dropped:
            self.rollouts.add(self.tally, tally, self.still)
        else:
            self.tally += tally
        self.games += games
        self.each = seconds / max(games, 1)

    def drop(self, counts: Objective, keep: Sequence[str]) -> None:
        """Drop the actions that are shown to be worse than the best one so far, if any may be.

        keep: the names of those that stay.
        """
        if self.rollouts.among is None or self.games < FEWEST:
            return
        played, lowest = self.so_far(counts), not counts.higher
        best = played.moments[counts.name].best(lowest)
        alpha = ALPHA / max(1, len(played.actions) - 1)
        for action in self.still:
            if action == best or self.rollouts.actions[action] in keep:
                continue
            if played.loses(counts.name, action, best, lowest, alpha).low > 0:
                self.dropped[action] = self.tally.copy(), self.games
                self.worse_than[action] = best

    def moments(self, counts: Objective) -> Moments:
        """The moments in an objective."""
        whole = _moments(self.rollouts, self.tally, self.games, counts)
        before = {a: _moments(self.rollouts, *at, counts) for a, at in self.dropped.items()}
        return replace(whole, tuned=self.rollouts.tuned, dropped=before)

    def so_far(self, *counted: Objective) -> Rollouts:
        """What games have shown so far, in some objectives."""
        none: Mapping[str, Estimate] = {}
        return Rollouts(
            self.rollouts.actions,
            {counts.name: self.moments(counts) for counts in counted},
            (none,) * len(self.rollouts.actions),
            self.games,
            False,
            short_of=self.rollouts.short_of,
            off=self.rollouts.off,
            worse_than=self.worse_than,
        )


def _race(
    race: Race,
    counts: Objective,
    limits: Limits,
    seed: int,
    progress: StageProgress | None,
    interim: Callable[[Rollouts], None] | None,
) -> bool:
    """Play from checkpoint to checkpoint; returns whether it was interrupted."""
    rollouts = race.rollouts
    warm_up(rollouts.job, seed)
    start = time.perf_counter()
    left = limits.seconds - rollouts.spent
    timed = limits.planned is None
    in_one = limits.games is not None and interim is None and rollouts.among is None
    interrupted = False
    while not interrupted:
        games = race.games
        target = limits.games if in_one else _next(max(games, rollouts.least), limits, rollouts)
        assert target is not None
        spent = time.perf_counter() - start
        race.drop(counts, limits.keep)
        if target == games:
            break
        if games and interim is not None:
            interim(race.so_far(counts))
        if games and limits.games is None:
            if games >= _first(limits) and _enough(race, counts, limits):
                break
            if target > (rollouts.most or target):
                break
            # A checkpoint is begun only if it can be finished in time.
            needed = spent * target / games
            if race.dropped:
                needed = spent + race.each * (target - games)
            if timed and needed > left:
                break
        latest = start + LATE * left if timed and games else math.inf
        try:
            played = run(
                race.job,
                seed,
                target - games,
                first=games,
                threads=limits.processors,
                progress=_tell(progress, start, limits, games, latest),
            )
        except _OutOfTimeError:
            break
        race.add(played.tally, played.games, time.perf_counter() - start - spent)
        interrupted = played.interrupted
    return interrupted


def _next(games: int, limits: Limits, rollouts: RolloutJob) -> int:
    """The checkpoint that follows `games`: one of `next_check`, or the last one allowed.

    Where actions may be dropped, checkpoints depend on nothing, so that `--games` repeats them.
    """
    early = limits.planned is None or rollouts.among is not None
    after = next_check(games, EARLY_CHECK if early else _first(limits))
    return min(after, limits.games or limits.most or after)


def _first(limits: Limits) -> int:
    """The first checkpoint at which a clear answer stops; out of time, an earlier one will do."""
    return EARLY_CHECK if limits.clear or limits.games is not None else FIRST_CHECK


def _enough(race: Race, counts: Objective, limits: Limits) -> bool:
    """Whether the best action is clear and the values of all that play are precise enough."""
    moments = race.moments(counts)
    values = [moments.mean(action) for action in race.still]
    return limits.precise(values, counts) and is_clear(
        moments, not counts.higher, limits.zone(counts)
    )


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


def _moments(rollouts: RolloutJob, tally: np.ndarray, games: int, counts: Objective) -> Moments:
    sums = rollouts.sums(tally, counts.name)
    unit = rollouts.units[rollouts.objectives.index(counts.name)]
    # Results of a round are apart by its most points at most, those against others' by twice that.
    most = max(len(rollouts.results) - 1, 0) or MOST_POINTS
    span = 1.0 if counts.share else float(2 * most if counts.relative else most)
    looked_up = rollouts.looked_up and counts.whole_game
    return Moments(sums, games, unit, counts.share, span / unit, looked_up)


def _events(
    rollouts: RolloutJob, tally: RolloutTally, games: Sequence[int]
) -> tuple[Mapping[str, Estimate], ...]:
    """Shares of the ways the round ends and of the results that came out, for each action.

    games: by action. Those that the job knows exactly are not sampled.
    """
    ways = _named(rollouts.events, tally.events)
    results = _named(rollouts.results, tally.results)
    return tuple(
        {name: anytime_share(count, games[a]) for name, count in ways[a].items()}
        | {name: anytime_share(count, games[a]) for name, count in results[a].items() if count}
        | dict(rollouts.beside.get(rollouts.actions[a], {}))
        for a in range(len(rollouts.actions))
    )


def _named(names: tuple[str, ...], counts: np.ndarray) -> list[dict[str, int]]:
    return [dict(zip(names, row, strict=True)) for row in counts.tolist()]
