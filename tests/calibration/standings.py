"""Ranks, races, limits and reviews played many times: how often they are wrong."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.stats import norm

from lama_odds.analysis.coach.grades import Rated, Worth, graded
from lama_odds.analysis.coach.luck import Swing
from lama_odds.analysis.coach.review import lost_by, spread_of
from lama_odds.analysis.thresholds.answer import Row, threshold
from lama_odds.analysis.thresholds.thresholds import OTHER, OWN, estimates_of, limits_of
from lama_odds.analysis.tournament import _pair
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.jobs import ForkJob, Scale
from lama_odds.games.interface.objectives import POINTS
from lama_odds.games.shared.decisions import Decision
from lama_odds.statistics.intervals import ALPHA, Moments, at_fixed
from lama_odds.statistics.race import survivors
from lama_odds.statistics.ranking import Blocks, ranks
from tests.calibration.playing import (
    POINTS_OF_A_ROUND,
    SURER,
    Statement,
    advice_of,
    critical_surer,
    outcomes,
    sums_at,
)

Z = float(norm.isf(0.025))
Z_SURER = float(norm.isf(SURER * 0.025))


def won(rng: np.random.Generator, chances: list[float], samples: int) -> Blocks:
    """Games won by policies, one of them each game, in blocks of eight."""
    wins = rng.multinomial(8, chances, samples)
    return Blocks(np.column_stack((wins.sum(axis=0), wins.T @ wins)), 8 * samples, samples)


def separated(rng: np.random.Generator, chances: list[float], samples: int) -> list[list[bool]]:
    """Which policies a tournament ranks above which."""
    k, names = len(chances), "abcdefgh"[: len(chances)]
    blocks = won(rng, chances, samples)
    better = [[False] * k for _ in range(k)]
    for i in range(k):
        for j in range(i + 1, k):
            pair = _pair(blocks, (i, j), 1.0, names)
            better[i][j] = pair.separated and pair.difference.value > 0
            better[j][i] = pair.separated and pair.difference.value < 0
    return better


def ranked(policies: int, rate: float) -> Statement:
    """Any rank that is claimed of policies that are all alike."""

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        for _ in range(plays):
            better = separated(rng, [1 / policies] * policies, 100)
            claimed = any(map(any, better))
            assert claimed == any(one != (1, policies) for one in ranks(better))
            found += claimed
        return found

    surer = (("lama_odds.statistics.ranking.critical_value", critical_surer),)
    return Statement(f"ranks of {policies}", rate, play, surer)


def games_to_separate(rate: float) -> Statement:
    """The games said to separate two policies do not."""
    chances = [0.36, 0.33, 0.31]

    def play(rng: np.random.Generator, plays: int) -> int:
        wins = np.rint(1_000 * np.array(chances)).astype(np.int64)
        blocks = Blocks(np.column_stack((wins, np.diag(wins))), 1_000, 1_000)
        games = _pair(blocks, (0, 1), 1.0, "abc").games_to_separate
        assert games is not None
        samples = -(-games // 8)
        return sum(not separated(rng, chances, samples)[0][1] for _ in range(plays))

    surer = (("lama_odds.statistics.ranking.POWER", 1 - SURER * 0.2),)
    return Statement("games to separate", rate, play, surer)


def dropped(candidates: int, looks: int, rate: float) -> Statement:
    """A candidate that is as good as all others is behind after a tuning race."""
    payoffs = outcomes(candidates, alike=0.3)

    def play(rng: np.random.Generator, plays: int) -> int:
        found, first = 0, 16
        drawn = rng.integers(0, len(payoffs), (plays, first << (looks - 1), 16))
        for each in payoffs[drawn].sum(axis=2):
            alive, samples = np.arange(candidates), each.T.astype(float)
            for look in range(looks):
                seen = survivors(samples[:, : first << look], alive, looks, False, 0.0)
                alive = seen.stay
                if 0 in seen.behind:
                    found += 1
                    break
        return found

    return Statement(f"{candidates} candidates, {looks} looks", rate, play, RACE)


def alike(rate: float) -> Statement:
    """A candidate that is worse by just what matters is called equivalent."""

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        for each in rng.normal(size=(plays, 40)):
            samples = np.stack((np.zeros(40), each + 2.0))
            found += bool(survivors(samples, np.arange(2), 1, False, 2.0).alike)
        return found

    return Statement("equivalent candidates", rate, play, RACE)


RACE = (("lama_odds.statistics.race.ALPHA", SURER * 0.05),)


def limit(rate: float) -> Statement:
    """A limit leaves out the penalty at which neither action is better."""
    found: Any = SimpleNamespace(actions=("quit", "draw"), objectives=("points",), scale=Scale())
    keys = [{"penalty": at} for at in range(1, 7)]
    job = ForkJob(None, keys, found.actions, 1.0, "", Scale(), ("points", "margin"), 1.0)
    payoffs = np.array(POINTS_OF_A_ROUND) * 10
    payoffs = payoffs - payoffs.sum() // len(payoffs)

    def row(rng: np.random.Generator, penalty: int, drawing_costs: float) -> Row:
        """A cell: one to three decisions in each of 300 games, those of a game alike."""
        number = rng.integers(1, 4, 300)
        both = number * rng.choice(payoffs, 300) + rng.choice(payoffs, 300)
        costs = both + number * round(10 * drawing_costs)
        quits = number * 10 * penalty
        cell = np.zeros(16, dtype=np.int64)
        sums = (number, number**2, quits, quits**2, quits * number, costs, costs**2)
        sums = (*sums, costs * number, (quits + costs) ** 2)
        cell[: len(sums)] = [each.sum() for each in sums]
        values = {"points": estimates_of(job, cell, 0)}
        return Row({"penalty": penalty, OWN: 0, OTHER: 0}, 0.1, int(cell[0]), values)

    def play(rng: np.random.Generator, plays: int) -> int:
        sure = {at: row(rng, at, 5.0 * (4 - at)) for at in (1, 2, 3, 5, 6)}
        wrong = 0
        for _ in range(plays):
            rows = [sure.get(at) or row(rng, at, 0.0) for at in range(1, 7)]
            certain, perhaps = threshold(found, rows, "points")
            wrong += certain > 3 or perhaps < 4
            (by_score,) = limits_of(SimpleNamespace(rows=rows, **vars(found)))  # type: ignore[arg-type]
            assert (by_score.certain, by_score.perhaps) == ((certain,), (perhaps,))
        return wrong

    surer = (("lama_odds.statistics.intervals.Z", Z_SURER),)
    return Statement("limits of thresholds", rate, play, surer)


GAMES = 2_000


def sampled(rng: np.random.Generator, worse: float, times: int) -> list[Moments]:
    """Two actions in thousandths, of which the first is worse by so many points; so many times."""
    payoffs = 1_000 * outcomes(2)
    payoffs[:, 0] += round(1_000 * worse)
    return [Moments(each, GAMES, 0.001) for each in sums_at(payoffs, [GAMES], times, rng)[:, 0]]


def chosen(seen: Moments) -> Any:
    """A decision for an action, with its grade."""
    advice = advice_of(seen)
    return graded(Decision(1, 0, 0, 0, "a", "", None), advice, POINTS.grades)


def losses(rate: float) -> Statement:
    """The interval of what two decisions lost leaves it out."""

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        both = sampled(rng, 4.0, plays), sampled(rng, 5.0, plays)
        for one, other in zip(*both, strict=True):
            _, low, high = lost_by([chosen(one), chosen(other)])
            found += not low <= 9.0 <= high
        return found

    surer = (("lama_odds.analysis.coach.grades.at_fixed", _at_fixed_surer),)
    return Statement("losses in sum", rate, play, surer)


def _at_fixed_surer(
    found: Estimate, looks: int = 1, alpha: float = ALPHA, tuned: int | None = None
) -> Estimate:
    """Narrower intervals, SURER times as often wrong."""
    usual = at_fixed(found, looks, alpha, tuned)
    return usual.with_half(_narrower(alpha / looks / 2) * (usual.high - usual.low) / 2)


@cache
def _narrower(tail: float) -> float:
    return float(norm.isf(SURER * tail) / norm.isf(tail))


def account(part: str, truth: float, rate: float) -> Statement:
    """The interval of a part of a result leaves it out: four decisions, each four points worse."""

    def play(rng: np.random.Generator, plays: int) -> int:
        wrong = 0
        swings = [Swing(0, at, 1, "", 0.0, at % 2 == 0) for at in range(4)]
        drawn = iter(sampled(rng, 4.0, 4 * plays))
        for several in zip(*[drawn] * 4, strict=True):
            own = []
            for seen in several:
                at = Decision(1, 0, 0, 0, "a", "", None)
                own.append(Worth(at, "b", seen.mean(1), seen.mean(0), seen.difference(0, 1)))
            spread = spread_of(own, [0] * 4, swings, range(4), False, True)
            v, q = ([getattr(one, name).value for one in own] for name in ("before", "after"))
            values = {
                "skill": sum(q) - sum(v),
                "between": v[2] - q[1] - q[3],
                "adjusted": v[0] + sum(q) - sum(v),
            }
            wrong += abs(values[part] - truth) > getattr(spread, part)
        return wrong

    surer = (("lama_odds.analysis.coach.sums.at_fixed", _at_fixed_surer),)
    return Statement(f"luck and skill: {part}", rate, play, surer)


def strength(rate: float) -> Statement:
    """A seat that plays like a policy is said not to."""

    def play(rng: np.random.Generator, plays: int) -> int:
        reference, seat = rng.normal(size=(2, plays))
        return sum(
            not Rated("p", 1 + 0.05 * mine, 0.05, 400, 40).fits(1 + 0.2 * other, 25)
            for mine, other in zip(reference.tolist(), seat.tolist(), strict=True)
        )

    surer = (("lama_odds.analysis.coach.grades.Z", Z_SURER),)
    return Statement("strength", rate, play, surer)


STATEMENTS = [
    ranked(4, 0.043),
    games_to_separate(0.2),
    dropped(3, 2, 0.036),
    alike(0.05),
    limit(0.05),
    losses(0.0167),
    account("skill", 16.0, 0.05),
    account("between", -8.0 - float(outcomes(2).mean()), 0.05),
    strength(0.05),
]
