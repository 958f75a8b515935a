"""What does a rule change, how much, and how sure is that?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

import lama_odds
from lama_odds.analysis.measures import UNFINISHED, Compared, compared_by, jobs_of, parts_of
from lama_odds.analysis.planning import (
    DEFAULT_GAMES,
    DEFAULT_SECONDS,
    Plan,
    for_precision,
    for_seconds,
)
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.protocol import Game
from lama_odds.kernels.job import Job
from lama_odds.simulation.blocks import block_of, paired_job
from lama_odds.simulation.run import Played, Progress, run
from lama_odds.statistics.equivalence import (
    Difference,
    Judged,
    judge,
    mean_of_blocks,
    rests_on_few,
)
from lama_odds.statistics.intervals import share_of

if TYPE_CHECKING:
    from lama_odds.simulation.folder import RunFolder

FEWEST = 100  # games
# δ unless it is given: what nobody minds.
DELTA_RELATIVE = 0.01  # of the baseline's value
DELTA_SHARE = 0.005  # of shares


@dataclass(frozen=True)
class Delta:
    """A difference that nobody minds; relative: to the baseline's value."""

    value: float
    relative: bool = False


@dataclass(frozen=True)
class Row:
    """A measure of two rule sets, `rules` less `against`.

    saving: by how much the same luck cuts the variance of the difference (None: it has none).
    differing: in how many of the `samples` blocks of games the two differ; where they are few the
    interval is wider than usual, and nothing is said to differ (see `equivalence`).
    """

    measure: Compared
    rules: str
    against: str
    baseline: Estimate
    other: Estimate
    difference: Estimate
    delta: float
    judged: Judged
    saving: float | None
    differing: int
    samples: int

    @property
    def relative(self) -> float | None:
        """The difference as a part of the baseline's size; None if that is 0."""
        size = abs(self.baseline.value)  # where points can be negative, more is still a plus
        return self.difference.value / size if size else None

    @property
    def identical(self) -> bool:
        """Whether no block of games made a difference."""
        return self.differing == 0

    @property
    def rare(self) -> bool:
        """Whether the difference rests on few blocks."""
        return rests_on_few(self.differing, self.samples)

    def to_json(self) -> dict[str, Any]:
        """The agreed keys, and more."""
        return {
            "name": self.measure.name,
            "unit": self.measure.unit,
            "rules": self.rules,
            "against": self.against,
            "baseline": self.baseline.to_json(),
            "other": self.other.to_json(),
            "difference": self.difference.to_json(),
            "relative": self.relative,
            "p": self.judged.p,
            "p_same": self.judged.p_same,
            "delta": self.delta,
            "verdict": self.judged.verdict,
            "more_games": self.judged.more,
            "saving": self.saving,
            "differing_blocks": self.differing,
        }


@dataclass(frozen=True)
class Comparison:
    """The answer: rows by pair, then by measure. policies: of each rule set, baseline first."""

    rules: tuple[str, ...]
    players: int
    policies: tuple[str, ...]
    retuned: bool
    rows: tuple[Row, ...]
    games: int
    seed: int
    seconds: float
    interrupted: bool = False
    version: str = field(default=lama_odds.__version__)

    def to_json(self) -> dict[str, Any]:
        """One object; seconds are left out: the rest depends on the arguments alone."""
        return {
            "baseline": self.rules[0],
            "others": list(self.rules[1:]),
            "players": self.players,
            "policies": list(self.policies),
            "retuned": self.retuned,
            "games": self.games,
            "seed": self.seed,
            "measures": [row.to_json() for row in self.rows],
            "version": self.version,
        }

    @property
    def pairs(self) -> dict[tuple[str, str], list[Row]]:
        """The rows of each pair (against, rules)."""
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            found.setdefault((row.against, row.rules), []).append(row)
        return found


@dataclass(frozen=True)
class Amount:
    """How much to play: games, or seconds, or a half-width of one measure (None: the first).

    None of them: DEFAULT_GAMES, or fewer if they would take long.
    """

    games: int | None = None
    seconds: float | None = None
    half_width: float | None = None
    measure: str | None = None


def compare(
    game: Game,
    variants: Sequence[Any],
    policies: Sequence[Policy],
    players: int,
    *,
    retuned: bool = False,
    amount: Amount | None = None,
    all_pairs: bool = False,
    deltas: Mapping[str | None, Delta] | None = None,
    seed: int = 0,
    threads: int | None = None,
    planned: Callable[[Plan], None] | None = None,
    progress: Progress | None = None,
    folder: RunFolder | None = None,
) -> Comparison:
    """Play all rule sets on the same luck; compare each with the first, or all pairs.

    variants, policies: rule sets of the game, with the policy of all seats in each. retuned:
    whether each has a policy of its own (for the report). deltas: by name of a measure; None:
    for all others. planned: called with what will be played, once that is known. folder: where
    games are kept, and not played again.
    Raises ReadError for a measure that there is not, LimitError if games do not end, if too few
    are played, or if too many would be needed.
    """
    amount = amount or Amount()
    if amount.games is not None and amount.games < FEWEST:
        raise LimitError(f"too few games to compare: {amount.games}, at least {FEWEST} are needed")
    jobs = [
        jobs_of(game, rules, [policy] * players)
        for rules, policy in zip(variants, policies, strict=True)
    ]
    measures = compared_by(*jobs[0])
    _check_names(measures, [name for name in (*(deltas or {}), amount.measure) if name])
    pairs = list(combinations(range(len(variants)), 2))
    if not all_pairs:
        pairs = [pair for pair in pairs if pair[0] == 0]
    made = [parts_of(measures, *of_variant) for of_variant in jobs]

    def job_of(games: int) -> Job:
        return paired_job(made, block_of(games))

    def decide() -> Plan:
        return _plan(amount, measures, pairs, job_of, len(variants), seed, threads, progress)

    # Seconds are never the same twice: who goes on plays as many games as were planned at first.
    settled = folder.settled(f"{amount}, {pairs}", lambda: astuple(decide())) if folder else None
    plan = Plan(*settled) if settled else decide()
    if planned:
        planned(plan)
    ids = [rules.id for rules in variants]

    def figures(tally: np.ndarray, games: int) -> dict[str, Any]:
        samples = games // block_of(plan.games)
        if samples < FEWEST:
            return {}
        return _differences(measures, tally, samples, games, pairs, ids)

    played = run(
        job_of(plan.games),
        seed,
        plan.games,
        threads=threads,
        progress=progress,
        folder=folder,
        figures=figures,
    )
    if played.games < FEWEST:
        raise LimitError(f"stopped before {FEWEST} games were played")
    samples = played.games // block_of(plan.games)
    return Comparison(
        rules=tuple(ids),
        players=players,
        policies=tuple(policy.name for policy in policies),
        retuned=retuned,
        rows=tuple(_rows(measures, played, samples, pairs, ids, deltas or {})),
        games=played.games,
        seed=seed,
        seconds=played.seconds,
        interrupted=played.interrupted,
    )


def _check_names(measures: Sequence[Compared], names: Sequence[str]) -> None:
    known = [m.key for m in measures if m.key != UNFINISHED]
    known += [m.name for m in measures if m.name != m.key]
    for name in names:
        if name not in known:
            raise ReadError(
                f"no measure {name!r} here", hints=near_names(name, dict.fromkeys(known))
            )


def _plan(
    amount: Amount,
    measures: Sequence[Compared],
    pairs: Sequence[tuple[int, int]],
    job_of: Callable[[int], Job],
    variants: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> Plan:
    """How many games to play."""
    if amount.games is not None:
        return Plan(amount.games)
    job = job_of(1 << 20)
    if amount.half_width is not None:
        wanted = amount.measure or measures[0].name
        chosen = [at for at, m in enumerate(measures) if wanted in (m.name, m.key)]

        def worst(tally: np.ndarray, games: int) -> float:
            samples = games // block_of(games)
            return max(
                difference_of(measures[at], tally[at], pair, samples, games).stderr
                for at in chosen
                for pair in pairs
            )

        return for_precision(job, seed, amount.half_width, threads, worst, progress)
    if amount.seconds is not None:
        return for_seconds(job, seed, amount.seconds, threads, progress)
    seconds = DEFAULT_SECONDS * variants
    return for_seconds(job, seed, seconds, threads, progress, DEFAULT_GAMES)


def value_of(
    measure: Compared, sums: np.ndarray, variant: int, samples: int, games: int
) -> Estimate:
    """A measure of one variant; shares with Wilson's interval. sums: int64[k, 1 + 2 k]."""
    total, squares = int(sums[variant, 0]), int(sums[variant, variant + 1])
    mean = mean_of_blocks(total, squares, samples, games, measure.scale)
    if not measure.share:
        return mean
    wilson = share_of(total * measure.scale, games)
    return Estimate(mean.value, mean.stderr, wilson.low, wilson.high, games, "simulation")


def difference_of(
    measure: Compared, sums: np.ndarray, pair: tuple[int, int], samples: int, games: int
) -> Estimate:
    """The second variant of a pair less the first, block by block."""
    a, b = pair
    total = int(sums[b, 0]) - int(sums[a, 0])
    squares = int(sums[a, a + 1]) + int(sums[b, b + 1]) - 2 * int(sums[a, b + 1])
    differing = int(sums[a, 1 + len(sums) + b])
    return mean_of_blocks(total, squares, samples, games, measure.scale, differing)


def _differences(
    measures: Sequence[Compared],
    tally: np.ndarray,
    samples: int,
    games: int,
    pairs: Sequence[tuple[int, int]],
    ids: Sequence[str],
) -> dict[str, Any]:
    """JSON of the differences of all pairs, by name."""
    return {
        f"{measure.name}: {ids[b]} − {ids[a]}": difference_of(
            measure, sums, (a, b), samples, games
        ).to_json()
        for a, b in pairs
        for measure, sums in zip(measures, tally, strict=True)
        if measure.key != UNFINISHED
    }


def _rows(
    measures: Sequence[Compared],
    played: Played,
    samples: int,
    pairs: Sequence[tuple[int, int]],
    ids: Sequence[str],
    deltas: Mapping[str | None, Delta],
) -> list[Row]:
    """All rows, the verdicts judged together."""
    found = []
    for pair in pairs:
        for measure, sums in zip(measures, played.tally, strict=True):
            if measure.key == UNFINISHED and sums[:, 0].any():
                raise LimitError(
                    f"{sums[:, 0].max()} games did not end: nobody reaches the target with "
                    "these policies"
                )
            if measure.key != UNFINISHED:
                old, new = (value_of(measure, sums, v, samples, played.games) for v in pair)
                change = difference_of(measure, sums, pair, samples, played.games)
                differing = int(sums[pair[0], 1 + len(sums) + pair[1]])
                found.append((pair, measure, old, new, change, differing))
    limits = [delta_of(measure, old.value, deltas) for _, measure, old, *_ in found]
    differences = [
        Difference(change, samples, delta, differing, 1.0 if measure.share else None)
        for (_, measure, _, _, change, differing), delta in zip(found, limits, strict=True)
    ]
    return [
        Row(
            measure,
            *(ids[b], ids[a]),
            *(old, new, change),
            delta,
            judged,
            _saving(old, new, change),
            differing,
            samples,
        )
        for ((a, b), measure, old, new, change, differing), delta, judged in zip(
            found, limits, judge(differences), strict=True
        )
    ]


def delta_of(measure: Compared, baseline: float, deltas: Mapping[str | None, Delta]) -> float:
    """The difference that nobody minds in a measure."""
    for name in (measure.name, measure.key, None):
        if name in deltas:
            delta = deltas[name]
            return delta.value * abs(baseline) if delta.relative else delta.value
    return DELTA_SHARE if measure.share else DELTA_RELATIVE * abs(baseline)


def _saving(old: Estimate, new: Estimate, change: Estimate) -> float | None:
    """Variance that the difference would have with other luck for each, over the one it has."""
    if change.stderr == 0:
        return None
    return math.fsum((old.stderr**2, new.stderr**2)) / change.stderr**2
