"""How many games does a comparison need, and what would a number of games show? From a pilot.

Two numbers of games are given for an effect: for a test that finds it, and for one that rules it
out (two one-sided tests, see `statistics.equivalence`). Both rest on the errors of the pilot and
have a chance of POWER. All differences are judged together. So each test is planned at the level
that Holm's correction begins with: ALPHA divided by their number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any, ClassVar

import lama_odds
from lama_odds.analysis.compare import answer
from lama_odds.analysis.compare.compare import (
    CompareQuestion,
    check_ended,
    check_games,
)
from lama_odds.analysis.compare.design import DEFAULT_GAMES, check_deltas, deltas_of, pilot
from lama_odds.core.checks import Delta
from lama_odds.core.errors import ReadError
from lama_odds.simulation.run import BLOCK, block_of
from lama_odds.statistics.equivalence import ALPHA, POWER, widening
from lama_odds.statistics.intervals import Z

PILOT = 1 << 15  # games
NORMAL = NormalDist()


@dataclass(frozen=True)
class PlannedRow(answer.OfPair):
    """What a measure of two rule sets takes.

    deviation: standard deviation of the difference in one game, from the pilot; 0 if both play the
    very same games, None if no game of the pilot differed. delta: the change to be found, or to be
    ruled out. to_show, to_rule_out: games for that, and detectable: the smallest change that the
    budget shows. All three are None without a deviation.
    """

    KEYS = (
        "name=measure.name unit=measure.unit rules against baseline deviation delta "
        "games_to_show=to_show games_to_rule_out=to_rule_out detectable"
    )

    deviation: float | None
    to_show: int | None
    to_rule_out: int | None
    detectable: float | None


@dataclass(frozen=True)
class ComparisonPlan(answer.BetweenRules[PlannedRow]):
    """The answer.

    pilot: games that were played. games: the budget. uncertainty: by what part the numbers of games
    may be off, as the pilot knows deviations only so well (95 %).
    each: seconds a game of each rule set takes here. names: of rule sets from files, by id.
    """

    KEYS = (
        "baseline others players policies retuned pilot games seed alpha power "
        "uncertainty measures=rows version"
    )

    pilot: int
    uncertainty: float
    each: float
    version: str = field(default=lama_odds.__version__)
    names: Mapping[str, str] = field(default_factory=dict)
    alpha: ClassVar[float] = ALPHA
    power: ClassVar[float] = POWER


def plan_comparison(
    question: CompareQuestion,
    *,
    retuned: bool = False,
    games: int | None = None,
    deltas: Mapping[str | None, Delta] | None = None,
) -> ComparisonPlan:
    """Play a pilot on the same cards and dice, and plan a comparison.

    retuned: whether each rule set has a policy of its own (for the report). games: the budget.
    deltas: the changes to be found, by name of a measure; None: for all others.
    Raises ReadError for a measure that there is not, LimitError if games do not end.
    """
    if not question.wanted:
        raise ReadError("a plan: the wanted measures are not counted in games of a pilot")
    games = games or DEFAULT_GAMES
    check_games(games)
    deltas = deltas_of(deltas or {}, question.measures, question.game.title)
    check_deltas(deltas, (measure for _, measure in question.wanted))
    played = pilot(question.job(PILOT), PILOT, question.play)
    check_ended(question, played)
    samples = PILOT // block_of(PILOT)
    counted = [(measure, played.tally[at]) for at, measure in question.wanted]
    tests = len(counted) * len(question.pairs)
    rows = [
        _row(question, pair, measure, sums, samples, games, deltas, tests)
        for pair in question.pairs
        for measure, sums in counted
    ]
    return ComparisonPlan(
        rules=question.ids,
        players=question.players,
        policies=tuple(side.policy.name for side in question.sides),
        retuned=retuned,
        rows=tuple(rows),
        pilot=PILOT,
        games=games,
        seed=question.seed,
        uncertainty=Z * math.sqrt(2 / (samples - 1)),  # of a variance
        each=played.seconds / PILOT,
    )


def _row(
    question: CompareQuestion,
    pair: tuple[int, int],
    measure: answer.Compared,
    sums: Any,
    samples: int,
    games: int,
    deltas: Mapping[str | None, Delta],
    tests: int,
) -> PlannedRow:
    baseline = answer.value_of(measure, sums, pair[0], samples, PILOT)
    delta = answer.delta_of(measure, baseline.value, deltas)
    differing = answer.moments_of(sums, pair)[3]
    deviation, fixed = None, 0.0
    if question.alike(measure, pair):
        deviation = 0.0
    elif differing:
        fixed = answer.fixed_error(measure, pair)
        sampled = replace(measure, noise=())
        error = answer.difference_of(sampled, sums, pair, samples, PILOT).stderr
        deviation = error * widening(differing, samples) * math.sqrt(PILOT)
    return PlannedRow(
        measure,
        question.ids[pair[1]],
        question.ids[pair[0]],
        baseline,
        delta,
        deviation,
        _games(deviation, fixed, delta, _to_show(tests)),
        _games(deviation, fixed, delta, _to_rule_out(tests)),
        _to_show(tests) * math.hypot(deviation / math.sqrt(games), fixed) if deviation else None,
    )


def _to_show(tests: int) -> float:
    """How many standard errors a change must be to be found."""
    return NORMAL.inv_cdf(1 - ALPHA / (2 * tests)) + NORMAL.inv_cdf(POWER)


def _to_rule_out(tests: int) -> float:
    """How many standard errors a change must be to be ruled out where there is none."""
    return NORMAL.inv_cdf(1 - ALPHA / tests) + NORMAL.inv_cdf((1 + POWER) / 2)


def _games(deviation: float | None, fixed: float, delta: float, errors: float) -> int | None:
    """Games after which δ is that many standard errors, in whole blocks.

    None: not known, or no number of games, as the fixed part of the error is too large.
    """
    if not deviation or delta <= errors * fixed:
        return None
    variance = (delta / errors) ** 2 - fixed**2
    return BLOCK * max(1, math.ceil(deviation**2 / variance / BLOCK))
