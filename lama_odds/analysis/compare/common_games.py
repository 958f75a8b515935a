"""Several rule sets played on the same cards and dice: what is measured, and how it is played.

The one way to play for `compare` and `sweep`: the same rule sets, policies, seed and number of
games give the same tally in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.decision_agreement import Side
from lama_odds.analysis.compare.long_games import LONG, Pilot, covariances
from lama_odds.analysis.compare.measures import (
    UNFINISHED,
    Compared,
    compared_by,
    jobs_of,
    parts_of,
)
from lama_odds.analysis.compare.sample_size import Plan, plan_from
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.watched import ONE_IN
from lama_odds.jit.job import Job
from lama_odds.simulation.job_identity import hash_of
from lama_odds.simulation.paired_blocks import Part, block_of, paired_job
from lama_odds.simulation.run import Played, run

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder

FEWEST = 100  # games, and blocks from which on figures are shown while it plays
# The figures of a tally after a number of blocks and games, by name.
FiguresOf = Callable[[np.ndarray, int, int], dict[str, Any]]


@dataclass(frozen=True)
class CommonGames:
    """Rule sets with their policies, and what is measured.

    hashes: of each rule set, of its jobs by name: where they are the same, all that is played is.
    """

    game: AnyGame
    sides: tuple[Side, ...]
    players: int
    measures: tuple[Compared, ...]
    parts: tuple[tuple[Part, ...], ...]
    hashes: tuple[Mapping[str, str], ...]
    seed: int
    threads: int | None

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the rule sets."""
        return tuple(side.rules.id for side in self.sides)

    def job(self, games: int) -> Job:
        """All rule sets on the same games."""
        return paired_job(self.parts, block_of(games))

    def alike(self, measure: Compared, variants: Iterable[int]) -> bool:
        """Whether these rule sets play what a measure counts in just the same way."""
        every = [self.hashes[at] for at in variants]
        return all(len({hashes.get(job) for hashes in every}) == 1 for job in measure.jobs)


def common_games(
    game: AnyGame,
    variants: Sequence[Any],
    policies: Sequence[Policy],
    players: int,
    seed: int,
    threads: int | None,
    more: Sequence[str] = (),
) -> CommonGames:
    """The jobs of rule sets, each with the policy of all its seats.

    more: names of measures that are counted besides the usual ones, see `design`.
    """
    sides = tuple(Side(*side) for side in zip(variants, policies, strict=True))
    jobs = [jobs_of(game, side.rules, [side.policy] * players) for side in sides]
    pilots = [design.piloted(game, side.rules, side.policy, players, more) for side in sides]
    best = game.best_for_each(variants, players)
    besides = [
        design.jobs_of(game, side.rules, side.policy, strongest, players, more, pilot)
        for side, strongest, pilot in zip(sides, best, pilots, strict=True)
    ]
    measures = (
        *compared_by(jobs[0], game.actions),
        *(_with_noise(m, pilots) for m in design.compared_by(besides[0]) if m.name in more),
    )
    jobs = [{**usual, **other} for usual, other in zip(jobs, besides, strict=True)]
    parts = tuple(tuple(parts_of(measures, of_variant)) for of_variant in jobs)
    hashes = tuple({name: _hash(job) for name, job in one.items()} for one in jobs)
    return CommonGames(game, sides, players, measures, parts, hashes, seed, threads)


def _with_noise(measure: Compared, pilots: Sequence[Pilot | None]) -> Compared:
    """A measure with the error of its pilots, if it has any."""
    found = [pilot for pilot in pilots if pilot is not None]
    if measure.key != LONG or not found:
        return measure
    return replace(measure, noise=covariances(found))


def _hash(job: Job) -> str:
    """Of a job with what it counts: the same only where every game is, and every count."""
    return hash_of([job, [astuple(measure) for measure in job.measures]])


def check_games(games: int | None) -> None:
    """LimitError for fewer games than can be compared."""
    if games is not None and games < FEWEST:
        raise LimitError(f"too few games to compare: {games}, at least {FEWEST} are needed")


def whole_games(games: int | None, more: Iterable[str]) -> int | None:
    """A number of games, rounded up where one game in ONE_IN is looked at; more: see above."""
    check_games(games)
    if games is None or set(more).isdisjoint(design.LOOKED_AT):
        return games
    return -(-games // ONE_IN) * ONE_IN


def play_common(
    common: CommonGames,
    name: str,
    decide: Callable[[], Plan],
    figures_of: FiguresOf,
    planned: Callable[[Plan], None] | None,
    progress: Progress | None,
    folder: RunFolder | None,
) -> tuple[Played, int]:
    """Play the games of a plan; also the number of blocks that were played.

    name, decide: of the plan; a run that resumes keeps the plan of this name. figures_of: what to
    show while it plays. LimitError if it was stopped before FEWEST games, or if games do not end.
    """
    # Seconds are never the same twice: a resumed run plays the number of games planned at first.
    plan = folder.settled(name, lambda: astuple(decide()), plan_from) if folder else decide()
    if planned:
        planned(plan)

    def figures(tally: np.ndarray, games: int) -> dict[str, Any]:
        samples = games // block_of(plan.games)
        return {} if samples < FEWEST else figures_of(tally, samples, games)

    played = run(
        common.job(plan.games),
        common.seed,
        plan.games,
        threads=common.threads,
        progress=progress,
        folder=folder,
        figures=figures,
    )
    if played.games < FEWEST:
        raise LimitError(f"stopped before {FEWEST} games were played")
    check_ended(common, played)
    return played, played.games // block_of(plan.games)


def check_ended(common: CommonGames, played: Played) -> None:
    """LimitError if games did not end."""
    for measure, sums in zip(common.measures, played.tally, strict=True):
        if measure.key == UNFINISHED and sums[:, 0].any():
            raise LimitError(
                f"{sums[:, 0].max()} games did not end: nobody reaches the target with "
                "these policies"
            )
