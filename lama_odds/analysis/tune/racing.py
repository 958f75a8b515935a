"""Races of a search: candidates that are behind for certain are dropped, the others continue.

Every race has games of its own. The winner of a race tends to have had good cards in it, which
would count again if the next race had the same games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lama_odds.analysis.tournament import points_name
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.jit.job import Job, sharing
from lama_odds.simulation.run import Play, Played
from lama_odds.statistics.intervals import variance_of
from lama_odds.statistics.race import states, survivors

# The games of tuning as jobs: a candidate in each seat in turn, the others playing one policy.
#
# Samples are sums over blocks of game indices, the same blocks for all candidates.

BLOCK = 64  # games of a seat; their sum over all seats is a sample


class Field:
    """Tables at which a candidate plays against the others. scale: of a block's sum to its mean."""

    def __init__(
        self, game: Game[R, P], rules: R, players: int, objective: str, against: Policy
    ) -> None:
        self.game, self.rules, self.players = game, rules, players
        self.against = against
        self.win = objective == "win"
        self.rounds = not self.win and game.has_rounds
        self.scale = BLOCK * players * (WIN if self.win else 1)

    @property
    def higher(self) -> bool:
        """Whether a higher payoff is better."""
        return self.win or not self.rounds

    def jobs(self, policy: Policy) -> list[tuple[Job, int]]:
        """For each seat of the candidate, the job and the row of the tally with its payoff."""
        pairs = []
        for seat in range(self.players):
            policies = [self.against] * self.players
            policies[seat] = policy
            job = self.game.simulation(self.rules, policies, self.rounds)
            name = "win" if self.win else points_name(job)
            row = next(at for at, m in enumerate(job.measures) if m.name == name and m.seat == seat)
            pairs.append((job, row))
        return pairs

    def seats(self, candidates: Sequence[Policy]) -> list[tuple[tuple[Any, ...], ...]]:
        """Return, by candidate and seat: (job, row of the result, row of unended games or -1)."""
        by_candidate = [self.jobs(candidate) for candidate in candidates]
        jobs = iter(sharing(job for seats in by_candidate for job, _ in seats))
        return [
            tuple((next(jobs), row, _unfinished(job) if self.win else -1) for job, row in seats)
            for seats in by_candidate
        ]

    def race(self, seats: Sequence[Any], first: int, blocks: int) -> Job:
        """The job of a look. Its tally, int64[candidates, blocks], holds the sums of blocks.

        Games have to be played in whole blocks, from `first` on.
        """
        nothing = np.zeros(0, dtype=np.int64)
        return Job(play_race, nothing, nothing, (first, tuple(seats)), (len(seats), blocks))

    def measured(self, seats: Any) -> Job:
        """The job of one candidate. Its tally, int64[1, 2]: sum and sum of squares of blocks."""
        nothing = np.zeros(0, dtype=np.int64)
        return Job(play_measured, nothing, nothing, (seats,), (1, 2))

    def among(self, against: Policy) -> Field:
        """The same tables, the others playing something else."""
        objective = "win" if self.win else "points"
        return Field(self.game, self.rules, self.players, objective, against)

    def estimate(self, total: int, squares: int, blocks: int, several: int = 1) -> Estimate:
        """A mean over blocks with its 95 % interval (t distribution); n counts games.

        several: intervals that hold together.
        """
        from scipy import stats

        stderr = math.sqrt(variance_of(total, squares, blocks) / blocks) / self.scale
        mean = total / blocks / self.scale
        games = blocks * BLOCK * self.players
        return Estimate.normal(mean, stderr, games, float(stats.t.isf(0.025 / several, blocks - 1)))


def _unfinished(job: Job) -> int:
    """The row of the tally with games that did not end; −1 if there is none."""
    rows = (at for at, measure in enumerate(job.measures) if measure.name == "unfinished")
    return next(rows, -1)


def play_race(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `Field.race`, in plain Python. tables: its first game, seats by candidate."""
    del rules, policies
    begin, candidates = tables
    at = (first - begin) // BLOCK
    for sums, seats in zip(tally, candidates, strict=True):
        sums[at : at + count // BLOCK] += _block_sums(seats, seed, first, count)


def play_measured(
    rules: Any, policies: Any, tables: Any, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """The kernel of `Field.measured`, in plain Python. tables: the seats of the candidate."""
    del rules, policies
    sums = _block_sums(tables[0], seed, first, count)
    tally[0] += [sums.sum(), (sums * sums).sum()]


def _block_sums(seats: Any, seed: int, first: int, count: int) -> np.ndarray:
    """int64[blocks]: payoffs over all seats in each block. LimitError if a game did not end."""
    if count % BLOCK:
        raise ValueError(f"games {first} to {first + count - 1} are not whole blocks")
    sums = np.zeros(count // BLOCK, dtype=np.int64)
    for job, row, unfinished in seats:
        tally = np.zeros(job.shape, dtype=np.int64)
        if not count:  # the call that compiles
            job.play(seed, first, 0, tally)
        for block in range(len(sums)):
            tally[:] = 0
            start = first + block * BLOCK
            job.play(seed, start, BLOCK, tally)
            sums[block] += tally[row, 0]
            if unfinished >= 0 and tally[unfinished, 0]:
                raise LimitError("games do not end with these policies: none can be tuned")
    return sums


FIRST_BLOCKS = 8
SORTING = 1024  # games of a first look that only sorts out
LOOKS = 8  # each with as many games again as before it
FRESH = 1 << 38  # games from here on are for the report: no search plays them
OWN = 1 << 30  # games apart begin the races of a search: none plays as many
SHOWN = 5  # candidates whose values so far are kept, to be shown while the search runs

Moments = list[tuple[int, int]]


def moments_of_blocks(sums: np.ndarray) -> Moments:
    """Sum and sum of squares of the blocks of each candidate; blocks not played are 0."""
    return [(int(own.sum()), int((own * own).sum())) for own in sums]


def moments_of_sums(tally: np.ndarray) -> Moments:
    """Sum and sum of squares of each candidate, where the tally has nothing else."""
    return [(int(total), int(squares)) for total, squares in tally]


def first_of(race: int) -> int:
    """The first game of a race, from 0; ValueError beyond those that no report uses."""
    if not 0 <= race < FRESH // OWN:
        raise ValueError(f"race {race}: games are set apart for {FRESH // OWN}")
    return race * OWN


class Search:
    """What plays the races of a search one after the other, and then measures its winner.

    games: for measuring; at most as many for a candidate in a race. zone: differences that do not
    matter. races: how many there will be. played, seconds: games of the races so far; of all.
    """

    def __init__(
        self,
        field: Field,
        games: int,
        play: Play,
        *,
        zone: float = 0.0,
        races: int = 0,
        progress: StageProgress | None = None,
    ) -> None:
        self.field, self.play, self.zone, self.races = field, play, zone, races
        self.progress = progress
        self.blocks = max(2, -(-games // (BLOCK * field.players)))
        most = max(2 * FIRST_BLOCKS, games // (BLOCK * field.players))
        self.looks = max(1, min(LOOKS, (most // FIRST_BLOCKS).bit_length()))
        self.raced = 0
        self.played = 0
        self.seconds = 0.0

    def race(
        self, candidates: Sequence[Policy], what: str, keep: float = 1.0
    ) -> tuple[list[tuple[Estimate, str]], int]:
        """Play candidates off against each other, on games that no race before has played.

        Returns the value of each and its state (see `survivors.states`), and which is the best.
        what: is raced, in words. keep: the share of candidates that play on after a look, the best
        so far: less than 1 for many candidates, of which a good one will do. KeyboardInterrupt for
        Ctrl-C.
        """
        field, first = self.field, first_of(self.raced)
        sorting = max(2, SORTING // (BLOCK * field.players))
        begin = FIRST_BLOCKS if keep == 1.0 else min(sorting, FIRST_BLOCKS)
        looks = self.looks + (FIRST_BLOCKS // begin).bit_length() - 1
        seats = field.seats(candidates)
        sums = np.zeros((len(candidates), 0), dtype=np.int64)
        counts = np.zeros(len(candidates), dtype=np.int64)
        alive = np.arange(len(candidates))
        behind: set[int] = set()
        alike: dict[int, int] = {}
        for look in range(looks):
            done, blocks = sums.shape[1], begin << look
            playing = [seats[at] for at in alive]
            job = field.race(playing, first + done * BLOCK, blocks - done)
            doing = f"{what}, look {look + 1} of {looks}: {len(alive)} in it"
            names = [candidates[at].name for at in alive.tolist()]
            more = np.zeros((len(candidates), blocks - done), dtype=np.int64)
            more[alive] = self._look(job, done, blocks, names, doing, len(candidates)).tally
            sums = np.concatenate([sums, more], axis=1)
            counts[alive] = blocks
            if len(alive) > 1:
                samples = sums / field.scale
                left = survivors(samples, alive, looks, field.higher, self.zone)
                alive = left.stay
                behind.update(left.behind)
                alike.update((at, left.lead) for at in left.alike)
                if keep < 1.0:
                    means = samples[alive].mean(axis=1) * (1 if field.higher else -1)
                    order = np.argsort(-means, kind="stable")[: math.ceil(keep * len(alive))]
                    alive = np.sort(alive[order])
            if len(alive) == 1:
                break
        self.raced += 1
        played = zip(moments_of_blocks(sums), counts.tolist(), strict=True)
        values = [field.estimate(*moments, blocks) for moments, blocks in played]
        outcomes = list(zip(values, states(len(candidates), behind, alike), strict=True))
        means = [outcomes[at][0].value * (1 if field.higher else -1) for at in alive]
        return outcomes, int(alive[np.argmax(means)])

    def _look(
        self, job: Job, done: int, blocks: int, names: list[str], doing: str, entered: int
    ) -> Played:
        """Play the blocks from `done` on of those that are in. entered: how many began the race."""
        most = FIRST_BLOCKS << (self.looks - 1)
        later = len(names) * (most - blocks) + entered * most * (self.races - self.raced - 1)
        later += self.blocks
        first = first_of(self.raced) + done * BLOCK
        played = self._play(job, first, blocks - done, names, doing, later)
        self.played += (blocks - done) * BLOCK * self.field.players * len(names)
        return played

    def measure(self, policy: Policy) -> Estimate:
        """Value of a policy on games that no search has played. KeyboardInterrupt for Ctrl-C."""
        job = self.field.measured(self.field.seats([policy])[0])
        doing = "measuring on fresh games"
        ((total, squares),) = self._play(job, FRESH, self.blocks, [policy.name], doing, 0).tally
        return self.field.estimate(int(total), int(squares), self.blocks)

    def compared(
        self, policies: Sequence[Policy], against: Policy | None = None, part: int = 0
    ) -> list[tuple[Estimate, Estimate]]:
        """Of each policy, its value, and how much more it is worth than the first one.

        All play the same games, which no race plays. against: what the others play, if something
        else than in the races. part: other numbers stand for other games, also than `measure` has.
        The intervals of the differences hold together (Bonferroni). KeyboardInterrupt for Ctrl-C.
        """
        field = self.field if against is None else self.field.among(against)
        first = FRESH + part * OWN
        job = field.race(field.seats(policies), first, self.blocks)
        names = [policy.name for policy in policies]
        sums = self._play(job, first, self.blocks, names, "comparing on fresh games", 0).tally
        most = max(1, len(policies) - 1)
        return [
            (
                field.estimate(*moments_of_blocks(own[None])[0], self.blocks),
                field.estimate(*moments_of_blocks((own - sums[0])[None])[0], self.blocks, most),
            )
            for own in sums
        ]

    def _play(
        self, job: Job, first: int, blocks: int, names: list[str], doing: str, later: int
    ) -> Played:
        """Play blocks. later: the most blocks of a candidate that may follow these."""
        from lama_odds.simulation.run_folder import Stage

        moments = moments_of_sums if job.kernel is play_measured else moments_of_blocks
        players = self.field.players
        doing = f"race {self.raced + 1} of {self.races}, {doing}" if first < FRESH else doing
        begun, progress = min(1.0, self.raced / (self.races + 1)), self.progress
        # A race is over when it is clear: its looks do not show how far it is.
        tell = (lambda done, of: progress(begun, doing)) if progress else None
        played = self.play.run(
            job,
            blocks * BLOCK,
            first=first,
            progress=tell,
            chunk=BLOCK,
            figures=lambda tally, games: self._figures(names, moments(tally), games // BLOCK),
            stage=Stage(doing, len(names) * players, later * BLOCK * players),
        )
        if played.interrupted:
            raise KeyboardInterrupt
        self.seconds += played.seconds
        return played

    def _figures(self, names: list[str], moments: Moments, blocks: int) -> dict[str, Any]:
        """JSON of the values so far, the best first."""
        if blocks < 2:
            return {}
        values = [self.field.estimate(*moment, blocks) for moment in moments]
        sign = -1 if self.field.higher else 1
        order = sorted(range(len(names)), key=lambda at: sign * values[at].value)[:SHOWN]
        return {names[at]: values[at].to_json() for at in order}
