"""When to quit if winning the game is what counts: by your score and the best other's.

Decisions of whole games of self-play are played out both ways, to the end of the game. Every cell
(penalty, own score, the best other's) is thinned out by itself. Where the pilot found a large
difference, a few decisions are enough. Near the turning point, as many are played out as the
precision needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from lama_odds.analysis.thresholds.answer import Limit, Row, Thresholds, reached_by
from lama_odds.analysis.thresholds.tables import FEWEST_FORKS
from lama_odds.analysis.thresholds.thresholds import (
    SPARE,
    answer_of,
    check_met,
    estimates_of,
    rows_of,
)
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import ForkJob
from lama_odds.games.interface.tally_layout import CERTAIN, ForkCell, decisions_of, unended_of
from lama_odds.games.registry import having
from lama_odds.games.shared.score_bands import OTHER, OWN
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import Z

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder

PRECISION = 0.01  # of the chance to win
BAND = 10  # points
PILOT_GAMES = 1_500  # or fewer, if fewer are to be played
PILOT_SHARE = 0.1  # of the time, about
FEWEST_GAMES = 5_000
MOST_GAMES = 500_000  # planned at most
MOST_FORKS = 2_000_000  # likewise: about 40 s on two processors
RARE = 0.01  # decisions per game: rarer cells do not decide how long to play
FEWEST_TRIED = 30  # decisions of the pilot: with fewer, a cell is not thinned out
# The assumed spread of a difference where the pilot saw too little: two games hardly alike.
LIKELY_SPREAD = 0.5
OFF_ZERO = 0.5  # a half-width of this part of the difference is precise enough
OBJECTIVE = ("win",)


def game_thresholds(
    game: Game[R, P],
    rules: R,
    players: int,
    *,
    policy: Policy | None = None,
    precision: float = PRECISION,
    games: int | None = None,
    band: int = BAND,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    folder: RunFolder | None = None,
) -> Thresholds:
    """Chances to win of quitting and of continuing, by penalty, own score and the best other's.

    policy: everybody's (default: the best known for winning). precision: half-width of the 95 %
    intervals of differences that are not large, as far as MOST_GAMES and MOST_FORKS can give it.
    games: instead of as many as that takes. band: points that are one class of scores. Raises
    LimitError if the game has no such thresholds, if games do not end, or if nothing occurred
    often enough.
    """
    policy = policy or game.best_policy(rules, players, "win")
    policies = [policy] * players
    pilot = game.game_forks(rules, policies, None, band)
    if pilot is None:
        raise LimitError(
            f"thresholds for winning exist for {' and '.join(having('game_forks'))}, "
            f"not for {game.name}: use those for points"
        )
    trying, playing = _part(progress, 0.0, PILOT_SHARE), _part(progress, PILOT_SHARE, 1.0)
    before = PILOT_GAMES if games is None else min(games, PILOT_GAMES)
    tried = run(pilot.job, seed, before, threads=threads, progress=trying, folder=folder)
    if tried.interrupted:
        raise KeyboardInterrupt
    planned, chances = plan(pilot, tried.tally, before, precision, games)
    job = game.game_forks(rules, policies, chances, band)
    assert job is not None
    # The games of the pilot are not counted again.
    played = run(
        job.job,
        seed,
        planned,
        first=before,
        threads=threads,
        progress=playing,
        folder=folder,
    )
    _check_ended(tried.tally, played.tally)
    rows = rows_of(job, played.tally, chances, max(1, played.games))
    check_met(rows, "games", played.games)
    found = replace(answer_of(job, rules, players, policy, rows, played, seed), band=band)
    common = [row for row in rows if row.met >= RARE]
    reached = reached_by(common, OBJECTIVE, precision, OFF_ZERO) if games is None else None
    return replace(found, limits=tuple(limits_of(found)), precision=reached)


def _check_ended(*tallies: np.ndarray) -> None:
    """LimitError if a game of these tallies did not end."""
    for tally in tallies:
        if unended_of(tally):
            raise LimitError(
                f"{unended_of(tally)} games did not end: nobody reaches the target with these "
                "policies"
            )


def _part(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Progress of a part of the work."""
    if progress is None:
        return None
    return lambda done, of: progress(round(1_000 * (start + (end - start) * done / of)), 1_000)


def plan(
    pilot: ForkJob, tally: np.ndarray, tried: int, precision: float, games: int | None
) -> tuple[int, np.ndarray]:
    """Games to play, and of each cell how many of CERTAIN decisions to take.

    pilot: whose decisions were all taken, in `tried` games; tally: what it counted.
    """
    met = decisions_of(tally[:-1]) / tried
    wanted = np.array([_wanted(pilot, cell, precision) for cell in tally[:-1]])
    common = met >= RARE
    if games is None:
        needed = float((wanted[common] / met[common]).max()) if common.any() else 0.0
        games = min(MOST_GAMES, max(FEWEST_GAMES, math.ceil(needed)))
        # As many decisions of each cell as it needs, if that many occur.
        forks = float(np.minimum(wanted, games * met).sum())
        wanted *= min(1.0, MOST_FORKS / max(forks, 1.0))
    with np.errstate(divide="ignore"):
        shares = np.where(met > 0, wanted / (games * met), 1.0)
    chances = np.ceil(np.clip(shares, 0.0, 1.0) * CERTAIN).astype(np.int64)
    return games, np.maximum(chances, 1)


def _wanted(pilot: ForkJob, cell: np.ndarray, precision: float) -> float:
    """Decisions that a cell needs: for the precision, or to be off 0 by twice its half-width."""
    forks = ForkCell(cell).decisions
    if forks < FEWEST_TRIED:
        return float((Z * LIKELY_SPREAD / (SPARE * precision)) ** 2)
    difference = estimates_of(pilot, cell, 0)[2]
    least = max(difference.low, -difference.high, 0.0)  # how far from 0 it is at least
    half = max(precision, OFF_ZERO * least)
    return max(2.0 * FEWEST_FORKS, forks * (Z * difference.stderr / (SPARE * half)) ** 2)


def limits_of(found: Thresholds) -> list[Limit]:
    """Where quitting stops to be better, by own and the best other's score."""
    groups: dict[tuple[int, int], list[Row]] = {}
    for row in found.rows:
        groups.setdefault((row.keys[OWN] or 0, row.keys[OTHER] or 0), []).append(row)
    limits = []
    for (own, other), group in sorted(groups.items()):
        group.sort(key=_penalty)
        turns = [turning_point(group, objective) for objective in found.objectives]
        ends = [
            _open_range(found, group, objective, turn)
            for objective, turn in zip(found.objectives, turns, strict=True)
        ]
        before = [row for row in group if _penalty(row) <= turns[0]][-1:]
        after = [row for row in group if _penalty(row) > turns[0]][:1]
        limits.append(
            Limit(
                {OWN: own, OTHER: other},
                tuple(turns),
                tuple(certain for certain, _ in ends),
                tuple(perhaps for _, perhaps in ends),
                (*before, *after),
                sum(row.met for row in group),
            )
        )
    return limits


def _penalty(row: Row) -> int:
    return row.keys["penalty"] or 0


def turning_point(rows: Sequence[Row], objective: str) -> int:
    """The penalty up to which quitting gains the most in all, each row as often as it occurs.

    −1: at none. rows: in the order of their penalties. How often a row occurs is known within some
    per cent only (`Row.often`). That matters only if differences change their sign more than once
    and their sum is nearly 0. In practice it has moved no turning point.
    """
    best, at, total = 0.0, -1, 0.0
    for row in rows:
        total += row.met * row.values[objective][2].value
        if total > best:
            best, at = total, _penalty(row)
    return at


def _open_range(
    found: Thresholds, rows: Sequence[Row], objective: str, turn: int
) -> tuple[int, int]:
    """Penalties (certain, perhaps) around a turning point, as in `Limit`.

    Quitting is clearly better at the first, and continuing is clearly better beyond the second. If
    a penalty has few decisions, those at the penalties around it decide.
    """
    certain, perhaps = -1, max(_penalty(row) for row in rows)
    for row in rows:
        penalty, better = _penalty(row), row.better(objective, found.actions)
        if penalty <= turn and better == found.actions[0]:
            certain = penalty
        if penalty > turn and better == found.actions[1]:
            before = [_penalty(other) for other in rows if _penalty(other) < penalty]
            perhaps = max(before, default=-1)
            break
    return certain, perhaps
