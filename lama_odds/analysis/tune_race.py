"""Races of a search: candidates that are behind for certain are dropped, the others play on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.analysis.tune_games import BLOCK, Field
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.kernels.job import Job
from lama_odds.simulation.run import Played, run
from lama_odds.statistics.survivors import survivors

if TYPE_CHECKING:
    from lama_odds.simulation.folder import RunFolder

FIRST_BLOCKS = 8
LOOKS = 8  # each with as many games again as before it
FRESH = 1 << 38  # games from here on are for the report: no search plays them
SHOWN = 5  # candidates whose values so far are kept for who looks at the run

Progress = Callable[[float, str], None]
Moments = list[tuple[int, int]]


def moments_of_blocks(sums: np.ndarray) -> Moments:
    """Sum and sum of squares of the blocks of each candidate; blocks not played are 0."""
    return [(int(own.sum()), int((own * own).sum())) for own in sums]


def moments_of_sums(tally: np.ndarray) -> Moments:
    """The same where they are all that was counted."""
    return [(int(total), int(squares)) for total, squares in tally]


class Search:
    """What plays the races of a search one after the other, and then measures its winner.

    games: for measuring; at most as many for a candidate in a race. zone: differences that do not
    matter. races: how many there will be. played, seconds: games of the races so far; of all.
    """

    def __init__(
        self,
        field: Field,
        games: int,
        seed: int,
        *,
        zone: float = 0.0,
        races: int = 0,
        threads: int | None = None,
        progress: Progress | None = None,
        folder: RunFolder | None = None,
    ) -> None:
        self.field, self.seed, self.zone, self.races = field, seed, zone, races
        self.threads, self.progress, self.folder = threads, progress, folder
        self.blocks = max(2, -(-games // (BLOCK * field.players)))
        most = max(2 * FIRST_BLOCKS, games // (BLOCK * field.players))
        self.looks = max(1, min(LOOKS, (most // FIRST_BLOCKS).bit_length()))
        self.raced = 0
        self.played = 0
        self.seconds = 0.0

    def race(
        self, candidates: Sequence[Policy], what: str
    ) -> tuple[list[tuple[Estimate, bool]], int]:
        """Play candidates off against each other.

        Returns the value of each and whether it stayed, and which is the best. what: is raced, in
        words. KeyboardInterrupt for Ctrl-C.
        """
        field = self.field
        seats = field.seats(candidates)
        sums = np.zeros((len(candidates), 0), dtype=np.int64)
        counts = np.zeros(len(candidates), dtype=np.int64)
        alive = np.arange(len(candidates))
        for look in range(self.looks):
            done, blocks = sums.shape[1], FIRST_BLOCKS << look
            job = field.race([seats[at] for at in alive], done * BLOCK, blocks - done)
            doing = f"{what}, look {look + 1} of {self.looks}: {len(alive)} in it"
            names = [candidates[at].name for at in alive.tolist()]
            more = np.zeros((len(candidates), blocks - done), dtype=np.int64)
            more[alive] = self._look(job, done, blocks, names, doing, len(candidates)).tally
            sums = np.concatenate([sums, more], axis=1)
            counts[alive] = blocks
            if len(alive) > 1:
                samples = sums / field.scale
                alive = survivors(samples, alive, self.looks, field.higher, self.zone)
            if len(alive) == 1:
                break
        self.raced += 1
        moments = zip(moments_of_blocks(sums), counts.tolist(), strict=True)
        found = [(field.estimate(*own, n), at in alive) for at, (own, n) in enumerate(moments)]
        means = [found[at][0].value * (1 if field.higher else -1) for at in alive]
        return found, int(alive[np.argmax(means)])

    def _look(
        self, job: Job, done: int, blocks: int, names: list[str], doing: str, entered: int
    ) -> Played:
        """Play the blocks from `done` on of those that are in. entered: how many began the race."""
        most = FIRST_BLOCKS << (self.looks - 1)
        later = len(names) * (most - blocks) + entered * most * (self.races - self.raced - 1)
        later += self.blocks
        found = self._play(job, done * BLOCK, blocks - done, names, doing, later)
        self.played += (blocks - done) * BLOCK * self.field.players * len(names)
        return found

    def measure(self, policy: Policy) -> Estimate:
        """Value of a policy on games that no search has played. KeyboardInterrupt for Ctrl-C."""
        job = self.field.measured(self.field.seats([policy])[0])
        doing = "measuring on fresh games"
        ((total, squares),) = self._play(job, FRESH, self.blocks, [policy.name], doing, 0).tally
        return self.field.estimate(int(total), int(squares), self.blocks)

    def _play(
        self, job: Job, first: int, blocks: int, names: list[str], doing: str, later: int
    ) -> Played:
        """Play so many blocks. later: at most as many more of a candidate may come after it."""
        from lama_odds.simulation.folder import Stage

        moments = moments_of_sums if first == FRESH else moments_of_blocks
        players = self.field.players
        doing = f"race {self.raced + 1} of {self.races}, {doing}" if first != FRESH else doing
        begun, progress = self.raced / (self.races + 1), self.progress
        # A race is over when it is clear: its looks are no measure of how far it is.
        tell = (lambda done, of: progress(begun, doing)) if progress else None
        played = run(
            job,
            self.seed,
            blocks * BLOCK,
            first=first,
            threads=self.threads,
            progress=tell,
            chunk=BLOCK,
            folder=self.folder,
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
