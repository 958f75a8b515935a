"""When to quit: quitting against continuing, by penalty and what else can be seen.

The decisions are those that arise in self-play. Both actions are played out with the same cards and
dice. Common decisions are thinned out so that rare ones get their share of the time. That is done
by the penalty alone, so each cell stays a fair sample of what occurs there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lama_odds.analysis.thresholds.answer import (
    FEWEST_FORKS,
    Limit,
    Row,
    Thresholds,
    reached_by,
    tables_beside,
)
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import ForkJob
from lama_odds.games.interface.match_equity import RoundsToWin
from lama_odds.games.interface.objectives import SHARES, ThresholdTable
from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    FORKS_SQUARED,
    ForkCell,
    decisions_of,
    unended_of,
)
from lama_odds.games.registry import having
from lama_odds.games.shared.seating import OTHER, OWN
from lama_odds.simulation.run import USUAL, Play, Played
from lama_odds.statistics.intervals import Z, mean_of_counts, ratio_of

PRECISION = 0.05  # points
PILOT_GAMES = 20_000  # or fewer, if fewer are to be played
MOST_GAMES = 12_000_000  # planned at most, if the game does not say fewer
RARE = 4e-5  # decisions per round: rarer penalties do not decide how long to play
# The same where rounds are played for winning the game.
WIN_PRECISION = 0.0025
WIN_RARE = 1e-3
LEAST_SHARE = 0.05  # of the decisions with a common penalty that are played out
SPARE = 0.9  # of the wanted half-width: what is planned for


def thresholds(
    game: Game[R, P],
    rules: R,
    players: int,
    *,
    policy: Policy | None = None,
    worth: RoundsToWin | None = None,
    precision: float | None = None,
    games: int | None = None,
    play: Play = USUAL,
    beside: bool = True,
) -> Thresholds:
    """Values of quitting and of continuing at the decisions of self-play.

    policy: everybody's (default: the best known). worth: what rounds are played for, to win the
    game; None: for points.
    precision: wanted half-width of the 95 % intervals of the rows by penalty, as far as MOST_GAMES
    rounds, or the most of the game, can give it.
    games: rounds, instead of as many as that takes.
    play: thinning out depends on the number of rounds, so with another number only the rounds of
    the pilot that its folder keeps can be used again.
    beside: with the sampled tables of other decisions, if the game has any.
    Raises LimitError if the game has no thresholds, or if nothing occurred often enough.
    """
    policy = policy or game.best_policy(rules, players, "win" if worth else "points")
    policies = [policy] * players
    usual, rare = (WIN_PRECISION, WIN_RARE) if worth else (PRECISION, RARE)
    precision = usual if precision is None else precision
    always = np.full(game.most_points(rules) + 1, CERTAIN, dtype=np.int64)
    pilot = game.forks(rules, policies, always, worth)
    if pilot is None:
        return _exact_only(game, rules, players, play.seed)
    before = PILOT_GAMES if games is None else min(games, PILOT_GAMES)
    tried = play.run(pilot.job, before, progress=None)
    if tried.interrupted:
        raise KeyboardInterrupt
    planned, chances = plan(pilot, tried.tally, before, precision, games, rare)
    job = game.forks(rules, policies, chances, worth)
    assert job is not None
    # The rounds of the pilot are not counted again.
    played = play.run(
        job.job, planned, first=before, figures=lambda tally, _: _by_penalty(job, tally)
    )
    taken = chances[[keys["penalty"] or 0 for keys in job.keys]]
    rows = rows_of(job, played.tally, taken, max(1, played.games))
    check_met(rows, "rounds", played.games)
    others: list[ThresholdTable] = []
    interrupted = played.interrupted
    if beside and job.beside is not None and not interrupted:
        others, interrupted = tables_beside(job.beside, games, play)
    shown = (*game.exact_tables(rules, players), *others)
    answer = answer_of(job, rules, players, policy, rows, played, play.seed)
    common = [row for row in rows if _only_penalty(row.keys) and row.met >= rare]
    wanted = job.objectives[: 1 if worth else 2]  # another precision is meant for points
    reached = reached_by(common, wanted, precision) if games is None else None
    return replace(answer, tables=shown, interrupted=interrupted, precision=reached)


TOO_FEW = {
    "rounds": later(
        "too few rounds: in {games} no decision occurred {times} times (give more games)"
    ),
    "games": later(
        "too few games: in {games} no decision occurred {times} times (give more games)"
    ),
}


def check_met(rows: Sequence[Row], played: str, games: int) -> None:
    """LimitError if no decision occurred often enough; played: rounds or games."""
    if not rows:
        raise LimitError(say(TOO_FEW[played], games=games, times=FEWEST_FORKS))


def _exact_only(game: Game[R, P], rules: R, players: int, seed: int) -> Thresholds:
    """The answer of a game that has exact tables only; LimitError without any."""
    tables = game.exact_tables(rules, players)
    if not tables:
        raise LimitError(
            say("{game} has no thresholds: use lama-odds advise for a position", game=game.name)
        )
    return Thresholds(rules.id, players, tables=tuple(tables), seed=seed)


def answer_of(
    job: ForkJob,
    rules: Any,
    players: int,
    policy: Policy,
    rows: Sequence[Row],
    played: Played,
    seed: int,
) -> Thresholds:
    """The answer that these rows and games make, without further tables."""
    return Thresholds(
        rules=rules.id,
        players=players,
        policy=policy.name,
        actions=job.actions,
        decisions=job.met,
        scale=job.scale,
        objectives=job.objectives,
        rows=tuple(rows),
        games=played.games,
        seed=seed,
        seconds=played.seconds,
        interrupted=played.interrupted,
        words=job.words,
    )


def _by_penalty(job: ForkJob, tally: np.ndarray) -> dict[str, Any]:
    """JSON of the differences in the first objective, by name."""
    first, second = job.actions
    return {
        f"{keys['penalty']}: {second} − {first}, {job.objectives[0]}": estimates_of(
            job, tally[cell], 0
        )[2].to_json()
        for cell, keys in enumerate(job.keys)
        if _only_penalty(keys) and decisions_of(tally[cell]) >= FEWEST_FORKS
    }


def _only_penalty(keys: Mapping[str, int | None]) -> bool:
    return all(value is None for name, value in keys.items() if name != "penalty")


def plan(
    pilot: ForkJob,
    tally: np.ndarray,
    tried: int,
    precision: float,
    games: int | None,
    rare: float = RARE,
) -> tuple[int, np.ndarray]:
    """Rounds to play, and of each penalty how many of CERTAIN decisions to take.

    tally: of the pilot, which had `tried` rounds. rare: see RARE.

    As many rounds as the rarest penalty needs for its half-width; of commoner ones no more
    decisions than they need, but LEAST_SHARE of them, for the cells below.
    """
    wanted, rates = {}, {}
    for cell, keys in enumerate(pilot.keys):
        penalty = keys["penalty"]
        forks = int(decisions_of(tally[cell]))
        if not _only_penalty(keys) or penalty is None or forks < 2:
            continue
        # Chances and points need precisions of their own: that of chances is wanted.
        counted = 1 if pilot.objectives[0] in SHARES else len(pilot.objectives)
        errors = [estimates_of(pilot, tally[cell], at)[2].stderr for at in range(counted)]
        rates[penalty] = forks / tried
        wanted[penalty] = forks * (Z * max(errors) / (SPARE * precision)) ** 2
    if games is None:
        needed = [wanted[p] / rates[p] for p in wanted if rates[p] >= rare]
        games = min(pilot.most or MOST_GAMES, max(PILOT_GAMES, math.ceil(max(needed, default=0.0))))
    chances = np.full(max(k["penalty"] or 0 for k in pilot.keys) + 1, CERTAIN, dtype=np.int64)
    for penalty, forks_wanted in wanted.items():
        share = max(LEAST_SHARE, forks_wanted / (games * rates[penalty]))
        chances[penalty] = min(CERTAIN, math.ceil(share * CERTAIN))
    return games, chances


def estimates_of(
    job: ForkJob, cell: np.ndarray, objective: int
) -> tuple[Estimate, Estimate, Estimate]:
    """First action, second action, second − first, in one objective."""
    unit = (job.unit, job.margin_unit)[objective]
    forks = ForkCell(cell)
    first, second = (ratio_of(*sums(objective), unit) for sums in (forks.first, forks.second))
    if job.objectives[objective] in SHARES:  # what is lost of it was counted
        first, second = _rest(first), _rest(second)
    return first, second, ratio_of(*forks.difference(objective), unit)


def _rest(lost: Estimate) -> Estimate:
    """What is left of 1."""
    low, high = max(0.0, 1 - lost.high), min(1.0, 1 - lost.low)
    return replace(lost, value=1 - lost.value, low=low, high=high)


def rows_of(job: ForkJob, tally: np.ndarray, chances: np.ndarray, games: int) -> Sequence[Row]:
    """A row for each cell met often enough, those with fewer keys first.

    chances: int64, by cell, how many of CERTAIN decisions were taken.
    """
    rows = []
    for cell, keys in enumerate(job.keys):
        forks = int(decisions_of(tally[cell]))
        if forks < FEWEST_FORKS:
            continue
        values = {
            name: estimates_of(job, tally[cell], at) for at, name in enumerate(job.objectives)
        }
        # Games are independent, the decisions of a game are not; thinning is part of the error.
        squares = int(tally[cell, FORKS_SQUARED])
        often = mean_of_counts(forks, squares, games, CERTAIN / int(chances[cell]))
        rows.append(Row(keys, often.value, forks, values, often))
    return sorted(rows, key=lambda row: sum(value is not None for value in row.keys.values()))


# When to quit if winning the game is what counts: by your score and the best other's.
#
# Decisions of whole games of self-play are played out both ways, to the end of the game. Every cell
# (penalty, own score, the best other's) is thinned out by itself. Where the pilot found a large
# difference, a few decisions are enough. Near the turning point, as many are played out as the
# precision needs.

CHANCE_PRECISION = 0.01  # of the chance to win
BAND = 10  # points
PILOT_WHOLE_GAMES = 1_500  # or fewer, if fewer are to be played
PILOT_SHARE = 0.1  # of the time, about
FEWEST_GAMES = 5_000
MOST_WHOLE_GAMES = 500_000  # planned at most
MOST_FORKS = 2_000_000  # likewise: about 40 s on two processors
RARE_IN_A_GAME = 0.01  # decisions per game: rarer cells do not decide how long to play
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
    precision: float = CHANCE_PRECISION,
    games: int | None = None,
    band: int = BAND,
    play: Play = USUAL,
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
            say(
                "thresholds for winning exist for {games}, not for {game}: use those for points",
                games=say(" and ").join(having("game_forks")),
                game=game.name,
            )
        )
    trying, playing = (
        _part(play.progress, *share) for share in ((0.0, PILOT_SHARE), (PILOT_SHARE, 1.0))
    )
    before = PILOT_WHOLE_GAMES if games is None else min(games, PILOT_WHOLE_GAMES)
    tried = play.run(pilot.job, before, progress=trying)
    if tried.interrupted:
        raise KeyboardInterrupt
    planned, chances = plan_whole_games(pilot, tried.tally, before, precision, games)
    job = game.game_forks(rules, policies, chances, band)
    assert job is not None
    # The games of the pilot are not counted again.
    played = play.run(job.job, planned, first=before, progress=playing)
    _check_ended(tried.tally, played.tally)
    rows = rows_of(job, played.tally, chances, max(1, played.games))
    check_met(rows, "games", played.games)
    answer = replace(answer_of(job, rules, players, policy, rows, played, play.seed), band=band)
    common = [row for row in rows if row.met >= RARE_IN_A_GAME]
    reached = reached_by(common, OBJECTIVE, precision, OFF_ZERO) if games is None else None
    return replace(answer, limits=tuple(limits_of(answer)), precision=reached)


def _check_ended(*tallies: np.ndarray) -> None:
    """LimitError if a game of these tallies did not end."""
    for tally in tallies:
        if unended_of(tally):
            raise LimitError(
                say(
                    "{games} games did not end: nobody reaches the target with these policies",
                    games=unended_of(tally),
                )
            )


def _part(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Progress of a part of the work."""
    if progress is None:
        return None
    return lambda done, of: progress(round(1_000 * (start + (end - start) * done / of)), 1_000)


def plan_whole_games(
    pilot: ForkJob, tally: np.ndarray, tried: int, precision: float, games: int | None
) -> tuple[int, np.ndarray]:
    """Games to play, and of each cell how many of CERTAIN decisions to take.

    pilot: whose decisions were all taken, in `tried` games; tally: what it counted.
    """
    rates = decisions_of(tally[:-1]) / tried
    wanted = np.array([_wanted(pilot, cell, precision) for cell in tally[:-1]])
    common = rates >= RARE_IN_A_GAME
    if games is None:
        needed = float((wanted[common] / rates[common]).max()) if common.any() else 0.0
        games = min(MOST_WHOLE_GAMES, max(FEWEST_GAMES, math.ceil(needed)))
        # As many decisions of each cell as it needs, if that many occur.
        forks = float(np.minimum(wanted, games * rates).sum())
        wanted *= min(1.0, MOST_FORKS / max(forks, 1.0))
    with np.errstate(divide="ignore"):
        shares = np.where(rates > 0, wanted / (games * rates), 1.0)
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


def limits_of(thresholds: Thresholds) -> list[Limit]:
    """Where quitting stops to be better, by own and the best other's score."""
    groups: dict[tuple[int, int], list[Row]] = {}
    for row in thresholds.rows:
        groups.setdefault((row.keys[OWN] or 0, row.keys[OTHER] or 0), []).append(row)
    limits = []
    for (own, other), group in sorted(groups.items()):
        group.sort(key=lambda row: row.penalty)
        turns = [turning_point(group, objective) for objective in thresholds.objectives]
        ends = [
            _open_range(thresholds, group, objective, turn)
            for objective, turn in zip(thresholds.objectives, turns, strict=True)
        ]
        before = [row for row in group if row.penalty <= turns[0]][-1:]
        after = [row for row in group if row.penalty > turns[0]][:1]
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
            best, at = total, row.penalty
    return at


def _open_range(
    thresholds: Thresholds, rows: Sequence[Row], objective: str, turn: int
) -> tuple[int, int]:
    """Penalties (certain, perhaps) around a turning point, as in `Limit`.

    Quitting is clearly better at the first, and continuing is clearly better beyond the second. If
    a penalty has few decisions, those at the penalties around it decide.
    """
    certain, perhaps = -1, max(row.penalty for row in rows)
    for row in rows:
        penalty, better = row.penalty, row.better(objective, thresholds.actions)
        if penalty <= turn and better == thresholds.actions[0]:
            certain = penalty
        if penalty > turn and better == thresholds.actions[1]:
            before = [other.penalty for other in rows if other.penalty < penalty]
            perhaps = max(before, default=-1)
            break
    return certain, perhaps
