"""What grows with what in a grid of rule sets, and where are wishes fulfilled?

All intervals of an answer hold together with 95 %: each has the level of Šidák (1967, Journal of
the American Statistical Association 62, 626-633), see `statistics.ranking`. That holds however the
measures and variants depend on each other, and these share their games. A method that uses their
correlation (max-t) would be narrower; but it needs the correlation between measures, which is not
kept, and random numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.common_games import (
    CommonGames,
    common_games,
    play_common,
    whole_games,
)
from lama_odds.analysis.compare.measures import UNFINISHED, Compared
from lama_odds.analysis.compare.names import matching, no_measure, plain_name
from lama_odds.analysis.compare.paired_differences import bounded, value_of
from lama_odds.analysis.compare.sample_size import DEFAULT_GAMES, Plan, for_seconds
from lama_odds.analysis.sweep.answer import Sweep, Variant
from lama_odds.analysis.sweep.grid import Grid
from lama_odds.analysis.sweep.trends import Fit, Sums, fits_of, from_mean, trends_of
from lama_odds.analysis.sweep.wishes import Wish, judged, name_in, not_swept, read_wishes
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.simulation.run import Played
from lama_odds.statistics.ranking import (
    critical_value,
    simultaneous_mean,
    simultaneous_share,
)

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder

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
    seed: int = 0,
    threads: int | None = None,
    planned: Callable[[Plan], None] | None = None,
    progress: Progress | None = None,
    folder: RunFolder | None = None,
) -> Sweep:
    """Play all variants of a grid on the same cards and dice.

    policies: of all seats, for each variant. measures: those wanted (default: all); those of wishes
    are added. games: default: as many as take DEFAULT_SECONDS, at most DEFAULT_GAMES.
    folder: where games are kept, and not played again.
    Raises ReadError for a measure or wish that cannot be read, and LimitError if games do not end,
    or if too few are played.
    """
    more = design.asked(grid.game, [*measures, *map(name_in, wishes)])
    games = whole_games(games, more)
    common = common_games(grid.game, grid.rules, policies, players, seed, threads, more)
    known = known_measures(common)
    read = read_wishes(wishes, known, grid.game.title)
    shown = chosen(known, measures, read, grid.game.title)
    fits = fits_of(grid)

    def figures(tally: np.ndarray, samples: int, done: int) -> dict[str, Any]:
        return _figures(fits, _sums(common, tally, samples, done, tuple(known.values())))

    plan = partial(_plan, common, games, progress)
    played, samples = play_common(common, f"{games}", plan, figures, planned, progress, folder)
    counted = _sums(common, played.tally, samples, played.games, shown)
    intervals = _intervals(shown, players, len(grid.cells), fits)
    variants = tuple(
        Variant(
            cell.rules.id,
            policies[at].name,
            grid.values(cell),
            _measured(common, played, at, samples, shown, intervals),
            _apart(counted, at, intervals),
        )
        for at, cell in enumerate(grid.cells)
    )
    each, together = judged(read, {variant.rules: variant.measures for variant in variants})
    return Sweep(
        rules=grid.base.id,
        players=players,
        retuned=retuned,
        axes=grid.axes,
        variants=variants,
        measures=shown,
        trends=trends_of(fits, counted, intervals),
        wishes=each,
        together=together,
        left_out=grid.left_out,
        intervals=intervals,
        games=played.games,
        seed=seed,
        seconds=played.seconds,
        interrupted=played.interrupted,
    )


def known_measures(common: CommonGames) -> dict[str, Compared]:
    """The measures of `compare` that are counted, and the seat bias, by name."""
    found = {m.name: m for m in common.measures if m.key != UNFINISHED}
    return {**found, SEAT_BIAS.name: SEAT_BIAS}


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
        found = {m.name for m in matching(name, known.values())}
        found |= {m.name for m in known.values() if m.key in design.members(plain)}
        if not found:
            every = dict.fromkeys(each for m in known.values() for each in (m.key, m.name))
            groups = (*design.GROUPS, design.GOOD)
            raise not_swept(name) or no_measure(name, [*groups, *every], title, design.NEW)
        wanted |= found
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


def _plan(common: CommonGames, games: int | None, progress: Progress | None) -> Plan:
    """These games, or as many as take DEFAULT_SECONDS, at most DEFAULT_GAMES."""
    if games is not None:
        return Plan(games)
    job = common.job(1 << 20)
    seconds, seed, threads = DEFAULT_SECONDS, common.seed, common.threads
    return for_seconds(job, seed, seconds, threads, progress, DEFAULT_GAMES)


def _figures(fits: Sequence[Fit], counted: Sequence[Sums]) -> dict[str, Any]:
    """JSON of all slopes by name, each interval on its own: for the command `runs`."""
    slopes = [replace(fit, steps=()) for fit in fits]
    return {
        f"{trend.measure.name}: per 1 {trend.option}": trend.slope.to_json()
        for trend in trends_of(slopes, counted, 1)
    }


def _apart(counted: Sequence[Sums], variant: int, intervals: int) -> dict[str, Estimate]:
    """How far each measure of a variant is from its mean over all variants, by name."""
    return {one.measure.name: from_mean(one, variant, intervals) for one in counted}


def _sums(
    common: CommonGames, tally: np.ndarray, samples: int, games: int, shown: Sequence[Compared]
) -> list[Sums]:
    """The sums of the measures that are shown and counted."""
    found = []
    for measure, sums in zip(common.measures, tally, strict=True):
        if measure in shown:
            alike = common.alike(measure, range(len(common.sides)))
            found.append(Sums(measure, sums, samples, games, alike))
    return found


def _measured(
    common: CommonGames,
    played: Played,
    variant: int,
    samples: int,
    shown: Sequence[Compared],
    intervals: int,
) -> dict[str, Estimate]:
    """The measures of a variant with simultaneous intervals, by name."""
    found: dict[str, Estimate] = {}
    for measure, sums in zip(common.measures, played.tally, strict=True):
        if measure.key == UNFINISHED:
            continue
        value = value_of(measure, sums, variant, samples, played.games)
        simultaneous = simultaneous_share if measure.share else simultaneous_mean
        each = simultaneous(value, intervals, samples)
        found[measure.name] = bounded(measure, each, samples, critical_value(intervals, samples))
    rates = [found[measure.name] for measure in common.measures if measure.key == WIN]
    found[SEAT_BIAS.name] = seat_bias(rates)
    return {measure.name: found[measure.name] for measure in shown}


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
