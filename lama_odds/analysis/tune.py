"""The best parameters of a family of policies against others, found by racing.

Every candidate sits in each seat in turn at tables whose other seats play one policy, all on the
same deals. Candidates that are behind for certain are dropped; the others play on. A family with
several numbers is searched one number after the other, twice. What is reported of the winner is
measured on games that the search never saw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import lama_odds
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy
from lama_odds.games.protocol import Game
from lama_odds.games.tallies import WIN
from lama_odds.kernels.job import Job
from lama_odds.simulation.run import default_threads
from lama_odds.statistics.survivors import survivors

BLOCK = 64  # games; their sum is a sample
FIRST_BLOCKS = 8
LOOKS = 8  # each with as many games again as before it
MOST_VALUES = 25  # of one number that are tried at once
FRESH = 1 << 38  # games from here on are for the report: no search plays them
ZONE = {"win": 0.001, "points": 0.005}
STARTS = {"T": (0, 30)}  # where thresholds are looked for first: hands cost that much

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Tried:
    """A candidate: its numbers, value in the search, and whether it was still in at the end."""

    policy: str
    numbers: Mapping[str, int]
    value: Estimate
    stayed: bool


@dataclass(frozen=True)
class Tuned:
    """The answer: the policy found, its value on fresh games, and what the search saw."""

    rules: str
    players: int
    family: str
    objective: str
    against: str
    policy: str
    numbers: Mapping[str, int]
    value: Estimate
    fair: float | None
    searched: Estimate
    tried: tuple[Tried, ...]
    games: int
    search_games: int
    seed: int
    threads: int
    seconds: float
    version: str = field(default=lama_odds.__version__)

    @property
    def plateau(self) -> list[Tried]:
        """Candidates of the last race that were not shown to be worse."""
        return [tried for tried in self.tried if tried.stayed]

    @property
    def luck(self) -> float:
        """How much of the search's own value of its winner the fresh games do not confirm."""
        return self.searched.value - self.value.value

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "rules": self.rules,
            "players": self.players,
            "family": self.family,
            "objective": self.objective,
            "against": self.against,
            "policy": self.policy,
            "numbers": dict(self.numbers),
            "value": self.value.to_json(),
            "fair": self.fair,
            "searched": self.searched.to_json(),
            "luck": self.luck,
            "tried": [
                {
                    "policy": tried.policy,
                    "value": tried.value.to_json(),
                    "stayed": tried.stayed,
                }
                for tried in self.tried
            ],
            "games": self.games,
            "search_games": self.search_games,
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.seconds,
            "version": self.version,
        }


class _Field:
    """Tables at which a candidate plays against the others, and its payoffs by block."""

    def __init__(
        self, game: Game, rules: Any, players: int, objective: str, against: Policy, seed: int
    ) -> None:
        self.game, self.rules, self.players = game, rules, players
        self.against, self.seed = against, seed
        self.win = objective == "win"
        self.rounds = not self.win and game.name != "pikomino"
        self.games = 0

    @property
    def higher(self) -> bool:
        """Whether a higher payoff is better."""
        return self.win or not self.rounds

    def jobs(self, policy: Policy) -> list[tuple[Job, int]]:
        """For each seat of the candidate, the job and the row of the tally with its payoff."""
        found = []
        for seat in range(self.players):
            policies = [self.against] * self.players
            policies[seat] = policy
            job = self.game.simulation(self.rules, policies, self.rounds)
            name = "win" if self.win else "penalty" if self.rounds else "worms"
            row = next(at for at, m in enumerate(job.measures) if m.name == name and m.seat == seat)
            found.append((job, row))
        return found

    def payoffs(self, jobs: Sequence[tuple[Job, int]], first: int, blocks: int) -> np.ndarray:
        """float64[blocks]: mean payoff of a game in each block, over all seats."""
        sums = np.zeros(blocks)
        for job, row in jobs:
            unfinished = [at for at, m in enumerate(job.measures) if m.name == "unfinished"]
            for block in range(blocks):
                tally = np.zeros(job.shape, dtype=np.int64)
                start = first + block * BLOCK
                job.kernel(job.rules, job.policies, job.tables, self.seed, start, BLOCK, tally)
                sums[block] += tally[row, 0]
                if self.win and tally[unfinished, 0].any():
                    raise LimitError("games do not end with these policies: nobody can be tuned")
        unit = WIN if self.win else 1
        return sums / (BLOCK * self.players * unit)


def tune(
    game: Game,
    rules: Any,
    family: Family,
    players: int,
    *,
    objective: str = "win",
    against: Policy | None = None,
    games: int = 20_000,
    seed: int = 0,
    threads: int | None = None,
    start: Policy | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Find the best policy of a family and measure it on fresh games.

    games: for the report; the search plays at most as many for each candidate. start: of the
    family, where a search of several numbers begins. Raises ReadError for a family without
    numbers, LimitError if games do not end.
    """
    began = time.perf_counter()
    if not family.searchable:
        raise ReadError(f"policy {family.name} has no parameter to tune")
    against = against or game.best_policy(rules, players)
    searcher = _Field(game, rules, players, objective, against, seed)
    workers = threads or default_threads()
    numbers = _start(family) if start is None else family.numbers_of(start.parameter)
    steps = _plan(family, start is not None)
    tried: tuple[Tried, ...] = ()
    for number, (name, fine) in enumerate(steps):
        values = _values(family, numbers, name, fine)
        if progress:
            progress(number / (len(steps) + 1), f"racing {len(values)} values of {name}")
        candidates = [family.with_numbers({**numbers, name: value}) for value in values]
        tried, best = _race(searcher, candidates, values, name, numbers, games, workers, objective)
        numbers = {**numbers, name: values[best]}
    chosen = family.with_numbers(numbers)
    if progress:
        progress(len(steps) / (len(steps) + 1), "measuring on fresh games")
    value, played = _measure(searcher, chosen, games, workers)
    searched = next(t.value for t in tried if t.policy == chosen.name)
    return Tuned(
        rules=rules.id,
        players=players,
        family=family.name,
        objective=objective,
        against=against.name,
        policy=chosen.name,
        numbers=numbers,
        value=value,
        fair=1 / players if objective == "win" else None,
        searched=searched,
        tried=tried,
        games=played,
        search_games=searcher.games,
        seed=seed,
        threads=workers,
        seconds=time.perf_counter() - began,
    )


def measure(
    game: Game,
    rules: Any,
    players: int,
    objective: str,
    against: Policy,
    policy: Policy,
    games: int,
    seed: int,
) -> Estimate:
    """What a policy is worth among others that play `against`, on games no search has played."""
    searcher = _Field(game, rules, players, objective, against, seed)
    return _measure(searcher, policy, games, default_threads())[0]


def _start(family: Family) -> dict[str, int]:
    """Numbers to start from: the middle of the range, or near nothing where it is wide."""
    return {
        name: low + (min(high, STARTS.get(name, (low, high))[1]) - low) // 3
        for name, (low, high) in family.searchable.items()
    }


def _plan(family: Family, near: bool) -> list[tuple[str, bool]]:
    """Which number is searched when, and whether finely: all coarsely, twice, then finely.

    near: several numbers are searched finely only, around those to start from.
    """
    names = list(family.searchable)
    passes = (False, True) if len(names) == 1 else (True,) if near else (False, False, True)
    return [(name, fine) for fine in passes for name in names]


def _values(family: Family, numbers: Mapping[str, int], name: str, fine: bool) -> list[int]:
    """Values of a number to try: the whole range in even steps, or around the best so far."""
    low, high = family.searchable[name]
    if name in STARTS:
        low, high = max(low, STARTS[name][0]), min(high, STARTS[name][1])
    step = max(1, -(-(high - low) // (MOST_VALUES - 1 if len(family.searchable) == 1 else 10)))
    values = set(range(low, high + 1, step)) | {numbers[name]}
    if fine:
        inner = max(1, step // 4)
        values = {numbers[name] + inner * i for i in range(-4, 5)}
    return sorted(value for value in values if low <= value <= high)


def _race(
    searcher: _Field,
    candidates: Sequence[Policy],
    values: Sequence[int],
    name: str,
    numbers: Mapping[str, int],
    games: int,
    workers: int,
    objective: str,
) -> tuple[tuple[Tried, ...], int]:
    """Play candidates off against each other; returns all of them, and the best."""
    jobs = [searcher.jobs(candidate) for candidate in candidates]
    most = max(2 * FIRST_BLOCKS, games // (BLOCK * searcher.players))
    looks = max(1, min(LOOKS, (most // FIRST_BLOCKS).bit_length()))
    samples = np.zeros((len(candidates), 0))
    counts = np.zeros(len(candidates), dtype=np.int64)
    alive = np.arange(len(candidates))
    for look in range(looks):
        done = samples.shape[1]
        blocks = FIRST_BLOCKS << look
        more = np.full((len(candidates), blocks - done), np.nan)
        with ThreadPoolExecutor(workers) as pool:
            played = pool.map(
                lambda at, first=done * BLOCK, n=blocks - done: searcher.payoffs(
                    jobs[at], first, n
                ),
                alive,
            )
            for at, found in zip(alive, played, strict=True):
                more[at] = found
        searcher.games += (blocks - done) * BLOCK * searcher.players * len(alive)
        samples = np.concatenate([samples, more], axis=1)
        counts[alive] = blocks
        if len(alive) > 1:
            alive = survivors(samples, alive, looks, searcher.higher, ZONE[objective])
        if len(alive) == 1:
            break
    means = np.array([samples[at, : counts[at]].mean() for at in range(len(candidates))])
    best = int(alive[np.argmax(means[alive]) if searcher.higher else np.argmin(means[alive])])
    tried = tuple(
        Tried(
            candidate.name,
            {**numbers, name: values[at]},
            _estimate(samples[at, : counts[at]], searcher.players),
            at in alive,
        )
        for at, candidate in enumerate(candidates)
    )
    return tried, best


def _measure(searcher: _Field, policy: Policy, games: int, workers: int) -> tuple[Estimate, int]:
    """Value of a policy on games that no search has played, and how many they were."""
    jobs = searcher.jobs(policy)
    blocks = max(2, -(-games // (BLOCK * searcher.players)))
    pieces = np.array_split(np.arange(blocks), workers)
    with ThreadPoolExecutor(workers) as pool:
        found = pool.map(
            lambda piece: searcher.payoffs(jobs, FRESH + int(piece[0]) * BLOCK, len(piece)),
            [piece for piece in pieces if len(piece)],
        )
        samples = np.concatenate(list(found))
    return _estimate(samples, searcher.players), blocks * BLOCK * searcher.players


def _estimate(samples: np.ndarray, players: int) -> Estimate:
    """A mean over blocks with its 95 % interval (t distribution); n counts games."""
    from scipy import stats

    n = len(samples)
    stderr = float(samples.std(ddof=1) / np.sqrt(n))
    half = float(stats.t.ppf(0.975, n - 1)) * stderr
    mean = float(samples.mean())
    return Estimate(mean, stderr, mean - half, mean + half, n * BLOCK * players, "simulation")
