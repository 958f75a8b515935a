"""What grows with what in a grid of rule sets, and where are wishes fulfilled?

All intervals of an answer hold together with 95 %: each has the level of Šidák (1967, Journal of
the American Statistical Association 62, 626-633), see `statistics.ranking`. That holds however the
measures and variants depend on each other, and these share their games. A method that uses their
correlation (max-t) would be narrower; but it needs the correlation between measures, which is not
kept, and random numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.answer import (
    UNFINISHED,
    Compared,
    bounded,
    largest_of,
    value_of,
    with_error,
)
from lama_odds.analysis.compare.compare import (
    CommonGames,
    common_games,
    play_common,
    whole_games,
)
from lama_odds.analysis.compare.design import (
    DEFAULT_GAMES,
    Plan,
    for_seconds,
    matching,
    no_measure,
    plain_name,
)
from lama_odds.analysis.sweep.answer import (
    Axis,
    Grid,
    Step,
    Sweep,
    Trend,
    Variant,
    Wish,
    judged,
    name_in,
    not_swept,
    read_wishes,
)
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.simulation.run import USUAL, Play, Played
from lama_odds.statistics import ranking
from lama_odds.statistics.equivalence import (
    freedom,
    mean_of_blocks,
    rests_on_few,
    widening,
)
from lama_odds.statistics.intervals import wilson

# How measures depend on options: slopes and steps, from the sums of common games.
#
# `statistics.ranking` says how. The other options are held alike: each of their values has a
# level of its own in the fit.

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Fit:
    """The contrasts of an option: its slope, and each step to the next value.

    pairs: of variants that differ in this option alone.
    """

    axis: Axis
    slope: ranking.Contrast
    steps: tuple[tuple[int, ranking.Contrast], ...]
    pairs: Pairs

    @property
    def intervals(self) -> int:
        """How many numbers it gives for a measure."""
        return 1 + len(self.steps)


@dataclass(frozen=True)
class Sums:
    """What was played: the tally of one measure, and how much it is of.

    alike: whether all variants play the same games as far as this measure goes.
    """

    measure: Compared
    sums: np.ndarray
    samples: int
    games: int
    alike: bool


def fits_of(grid: Grid) -> tuple[Fit, ...]:
    """The contrasts of every option that the variants can tell from the others.

    Text with more than two values has no order, and so no trend.
    """
    fits = []
    for at, axis in enumerate(grid.axes):
        if axis.unordered:
            continue
        others = [[1] * len(grid.cells)]
        for other in range(len(grid.axes)):
            others += _levels(grid, other) if other != at else ()
        values = [
            cell.at[at] if axis.kind == "text" else int(axis.values[cell.at[at]])
            for cell in grid.cells
        ]
        slope = ranking.coefficient([values, *others], 0)
        if slope is not None:
            steps = _steps(grid, at, others) if len(axis.values) > 2 else ()
            fits.append(Fit(axis, slope, tuple(enumerate(steps)), _pairs(grid, at)))
    return tuple(fits)


def _steps(grid: Grid, axis: int, others: Sequence[Sequence[int]]) -> Sequence[ranking.Contrast]:
    """The steps from each value of an option to the next; none if they cannot be told apart.

    Where every combination is there, a step is the difference of two means. Then no system is
    solved, which takes long for many values.
    """
    number = len(grid.axes[axis].values)
    if {cell.at[axis] for cell in grid.cells} != set(range(number)):
        return ()
    if len(grid.cells) == prod(len(option.values) for option in grid.axes):
        return [_between(grid, axis, place) for place in range(number - 1)]
    rises = list(_rises(grid, axis))
    return ranking.coefficients([*rises, *others], range(len(rises))) or ()


def _between(grid: Grid, axis: int, place: int) -> ranking.Contrast:
    """The mean at the value after a place, minus the mean at it."""
    signs = [int(cell.at[axis] == place + 1) - int(cell.at[axis] == place) for cell in grid.cells]
    return ranking.Contrast(tuple(signs), signs.count(1))


def _pairs(grid: Grid, axis: int) -> Pairs:
    """The pairs of variants that differ in one option alone; of all variants if there are none."""
    every = list(combinations(range(len(grid.cells)), 2))
    alone = [
        pair
        for pair in every
        if all(
            grid.cells[pair[0]].at[other] == grid.cells[pair[1]].at[other]
            for other in range(len(grid.axes))
            if other != axis
        )
    ]
    return tuple(alone or every)


def _levels(grid: Grid, axis: int) -> Iterator[list[int]]:
    """A column for each value of an option that occurs, but the first."""
    there = sorted({cell.at[axis] for cell in grid.cells})
    for place in there[1:]:
        yield [int(cell.at[axis] == place) for cell in grid.cells]


def _rises(grid: Grid, axis: int) -> Iterator[list[int]]:
    """Columns whose coefficients are the steps from each value to the next."""
    for place in range(1, len(grid.axes[axis].values)):
        yield [int(cell.at[axis] >= place) for cell in grid.cells]


def trends_of(fits: Sequence[Fit], played: Sequence[Sums], intervals: int) -> tuple[Trend, ...]:
    """The trends of all measures along all options, each interval one of `intervals`."""
    trends = []
    for fit in fits:
        values = fit.axis.values
        for one in played:
            steps = tuple(
                Step(values[at], values[at + 1], estimate(step, one, intervals, fit.pairs))
                for at, step in fit.steps
            )
            slope = estimate(fit.slope, one, intervals, fit.pairs)
            rare = not one.alike and rests_on_few(_differing(one, fit.pairs), one.samples)
            trends.append(Trend(fit.axis.option, one.measure, slope, steps, rare))
    return tuple(trends)


def from_mean(played: Sums, at: int, intervals: int) -> Estimate:
    """A variant minus the mean of all."""
    k = len(played.sums)
    contrast = ranking.Contrast(tuple(k * (at == other) - 1 for other in range(k)), k)
    return estimate(contrast, played, intervals, tuple((at, other) for other in range(k)))


def estimate(contrast: ranking.Contrast, played: Sums, intervals: int, pairs: Pairs) -> Estimate:
    """A contrast with its simultaneous interval; exactly 0 if all variants play alike.

    pairs: of variants whose differences it is made of.

    The error is that of the contrast of each block of common games, see `statistics.ranking`.
    Where few blocks differ, or none, the interval is wider, as for the differences of `compare`.
    """
    if played.alike:
        return exact(0.0)
    total, squares = contrast.moments(played.sums)
    scale = played.measure.scale / contrast.divisor
    samples, games = played.samples, played.games
    mean = mean_of_blocks(total, squares, samples, games, scale)
    error = played.measure.error_of(
        {at: weight / contrast.divisor for at, weight in enumerate(contrast.weights) if weight}
    )
    differing = _differing(played, pairs)
    z = ranking.critical_value(intervals, freedom(differing, samples) + 1)
    if mean.stderr:
        sampled = mean.with_half(z * mean.stderr * widening(differing, samples))
        return with_error(sampled, error, z)
    baseline = value_of(played.measure, played.sums, 0, samples, games)
    largest = contrast.size * largest_of(played.measure, baseline)
    unmet = mean.with_half((largest + abs(mean.value)) * wilson(0.0, games, z)[1])
    return with_error(unmet, error, z)


def _differing(played: Sums, pairs: Pairs) -> int:
    """In how many blocks two variants differ, of the pair that differs most often."""
    k = len(played.sums)
    return max(int(played.sums[a, 1 + k + b]) for a, b in pairs)


DEFAULT_SECONDS = 20.0  # of all variants together
WIN = "win"
SEAT_BIAS = Compared(
    "seat bias",
    "seat bias",
    "of games",
    "the largest distance of a seat's win rate from a fair one",
    1.0,
    True,
    False,
    (),
)


def sweep(
    grid: Grid,
    policies: Sequence[Policy],
    players: int,
    *,
    retuned: bool = False,
    measures: Sequence[str] = (),
    wishes: Sequence[str] = (),
    games: int | None = None,
    play: Play = USUAL,
    planned: Callable[[Plan], None] | None = None,
) -> Sweep:
    """Play all variants of a grid on the same cards and dice.

    policies: of all seats, for each variant. measures: those wanted (default: all); those of wishes
    are added. games: default: as many as take DEFAULT_SECONDS, at most DEFAULT_GAMES.
    Raises ReadError for a measure or wish that cannot be read, and LimitError if games do not end,
    or if too few are played.
    """
    more = design.asked(grid.game, [*measures, *map(name_in, wishes)])
    games = whole_games(games, more)
    common = common_games(grid.game, grid.rules, policies, players, play, more)
    known = known_measures(common)
    read = read_wishes(wishes, known, grid.game.title)
    shown = chosen(known, measures, read, grid.game.title)
    fits = fits_of(grid)

    def figures(tally: np.ndarray, samples: int, done: int) -> dict[str, Any]:
        return _figures(fits, _sums(common, tally, samples, done, tuple(known.values())))

    plan = partial(_plan, common, games)
    played, samples = play_common(common, f"{games}", plan, figures, planned)
    counted = _sums(common, played.tally, samples, played.games, shown)
    intervals = _intervals(shown, players, len(grid.cells), fits)
    variants = tuple(
        Variant(
            cell.rules.id,
            policies[at].name,
            grid.values(cell),
            _measured(common, played, at, samples, shown, intervals),
            {one.measure.name: from_mean(one, at, intervals) for one in counted},
        )
        for at, cell in enumerate(grid.cells)
    )
    by_wish, together = judged(read, {variant.rules: variant.measures for variant in variants})
    return Sweep(
        rules=grid.base.id,
        players=players,
        retuned=retuned,
        axes=grid.axes,
        variants=variants,
        measures=shown,
        trends=trends_of(fits, counted, intervals),
        wishes=by_wish,
        together=together,
        left_out=grid.left_out,
        intervals=intervals,
        games=played.games,
        seed=play.seed,
        seconds=played.seconds,
        interrupted=played.interrupted,
    )


def known_measures(common: CommonGames) -> dict[str, Compared]:
    """The measures of `compare` that are counted, and the seat bias, by name."""
    measures = {m.name: m for m in common.measures if m.key != UNFINISHED}
    return {**measures, SEAT_BIAS.name: SEAT_BIAS}


def chosen(
    known: Mapping[str, Compared], names: Sequence[str], wishes: Sequence[Wish], title: str = ""
) -> tuple[Compared, ...]:
    """The measures that are wanted, in their usual order; ReadError for a name that none has.

    title: of the game.
    """
    if not names:
        return tuple(known.values())
    wanted = {wish.measure for wish in wishes}
    for name in names:
        plain = plain_name(name)
        matched = {m.name for m in matching(name, known.values())}
        matched |= {m.name for m in known.values() if m.key in design.members(plain)}
        if not matched:
            every = dict.fromkeys(label for m in known.values() for label in (m.key, m.name))
            groups = (*design.GROUPS, design.GOOD)
            raise not_swept(name) or no_measure(name, [*groups, *every], title, design.NEW)
        wanted |= matched
    return tuple(measure for name, measure in known.items() if name in wanted)


def _intervals(shown: Sequence[Compared], players: int, variants: int, fits: Sequence[Fit]) -> int:
    """How many intervals an answer rests on.

    Of each variant the measures, and how far they are from their means; then all trends. The seat
    bias comes from the win rates of all seats.
    """
    counted = [measure for measure in shown if measure is not SEAT_BIAS]
    wins = sum(measure.key == WIN for measure in counted)
    rates = players if SEAT_BIAS in shown else wins
    of_variant = 2 * len(counted) - wins + rates
    return variants * of_variant + len(counted) * sum(fit.intervals for fit in fits)


def _plan(common: CommonGames, games: int | None) -> Plan:
    """These games, or as many as take DEFAULT_SECONDS, at most DEFAULT_GAMES."""
    if games is not None:
        return Plan(games)
    return for_seconds(common.job(1 << 20), DEFAULT_SECONDS, common.play, DEFAULT_GAMES)


def _figures(fits: Sequence[Fit], counted: Sequence[Sums]) -> dict[str, Any]:
    """JSON of all slopes by name, each interval on its own: for the command `runs`."""
    slopes = [replace(fit, steps=()) for fit in fits]
    return {
        f"{trend.measure.name}: per 1 {trend.option}": trend.slope.to_json()
        for trend in trends_of(slopes, counted, 1)
    }


def _sums(
    common: CommonGames, tally: np.ndarray, samples: int, games: int, shown: Sequence[Compared]
) -> list[Sums]:
    """The sums of the measures that are shown and counted."""
    counted = []
    for measure, sums in zip(common.measures, tally, strict=True):
        if measure in shown:
            alike = common.alike(measure, range(len(common.sides)))
            counted.append(Sums(measure, sums, samples, games, alike))
    return counted


def _measured(
    common: CommonGames,
    played: Played,
    variant: int,
    samples: int,
    shown: Sequence[Compared],
    intervals: int,
) -> dict[str, Estimate]:
    """The measures of a variant with simultaneous intervals, by name."""
    estimates: dict[str, Estimate] = {}
    for measure, sums in zip(common.measures, played.tally, strict=True):
        if measure.key == UNFINISHED:
            continue
        value = value_of(measure, sums, variant, samples, played.games)
        simultaneous = ranking.simultaneous_share if measure.share else ranking.simultaneous_mean
        interval = simultaneous(value, intervals, samples)
        estimates[measure.name] = bounded(
            measure, interval, samples, ranking.critical_value(intervals, samples)
        )
    rates = [estimates[measure.name] for measure in common.measures if measure.key == WIN]
    estimates[SEAT_BIAS.name] = seat_bias(rates)
    return {measure.name: estimates[measure.name] for measure in shown}


def seat_bias(rates: Sequence[Estimate]) -> Estimate:
    """The largest distance of a seat's win rate from a fair one.

    Where all rates are in their intervals, the largest distance is in the interval of the answer.
    The value is a little too high: the largest of several is partly chance.
    """
    fair = 1 / len(rates)
    largest = max(rates, key=lambda rate: abs(rate.value - fair))
    least = max(max(rate.low - fair, fair - rate.high, 0.0) for rate in rates)
    most = max(max(rate.high - fair, fair - rate.low) for rate in rates)
    return Estimate.from_interval(abs(largest.value - fair), largest.stderr, least, most, largest.n)
