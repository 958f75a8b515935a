"""`compare` and `sweep` played many times: differs, same, missing games, wishes."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

from lama_odds.analysis.compare import compare
from lama_odds.analysis.compare.answer import Compared
from lama_odds.analysis.sweep import sweep
from lama_odds.analysis.sweep.answer import (
    SURELY_NOT,
    UNCLEAR,
    Grid,
    Wish,
    grid_of,
    judged,
    read_axes,
)
from lama_odds.analysis.sweep.sweep import Sums, fits_of, trends_of
from lama_odds.core.checks import Delta
from lama_odds.games.registry import game_of
from lama_odds.simulation.run import add_samples
from lama_odds.statistics.equivalence import (
    DIFFERS,
    SAME,
    Difference,
    grouped_share,
    judge,
    mean_of_blocks,
    skewness_of,
)
from tests.calibration.playing import SURER, Change, Play, Statement, critical_surer, outcomes

SIZE, BLOCKS = 8, 60  # games of a block, and blocks
CENTS = 100
DELTA = 1.0  # points
JUDGED: tuple[Change, ...] = (
    ("lama_odds.statistics.equivalence.judge.__defaults__", (SURER * 0.05,)),
)


def measures(number: int) -> tuple[Compared, ...]:
    """Some measures in points."""
    names = "pqrstu"[:number]
    return tuple(Compared(n, n, "points", "", 1 / CENTS, False, False, ()) for n in names)


def tally_of(rng: np.random.Generator, number: int, *payoffs: np.ndarray) -> np.ndarray:
    """The tally of so many measures of variants; each measure, and each payoffs, has own games."""
    drawn = [
        each[rng.integers(0, len(each), (number, BLOCKS, SIZE))].sum(axis=2) for each in payoffs
    ]
    return counted(np.concatenate(drawn, axis=2).transpose(0, 2, 1))


def counted(samples: np.ndarray) -> np.ndarray:
    """The tally of int64[measures, variants, blocks]."""
    number, k, _ = samples.shape
    tally = np.zeros((number, k, 1 + 3 * k), dtype=np.int64)
    add_samples(tally, samples)
    return tally


def compared(wrong: str, apart: float, delta: float = DELTA) -> Play:
    """In how many comparisons any verdict is this. apart: what the others differ by, up or down."""
    shown = measures(2)
    payoffs = CENTS * outcomes(2)
    payoffs[:, 1] += round(apart * CENTS)
    asked: Any = SimpleNamespace(
        pairs=((0, 1), (3, 2)), ids="abcd", alike=lambda measure, pair: False
    )
    wanted, deltas = list(enumerate(shown)), {None: Delta(delta)}

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        # How many games are missing is played apart, and takes most of the time.
        with patch.object(Difference, "missing", lambda self, alpha: None):
            for _ in range(plays):
                tally = tally_of(rng, 2, payoffs, payoffs)
                measured = compare._measured(asked, wanted, tally, BLOCKS, SIZE * BLOCKS, deltas)
                rows = compare._judged(asked, measured)
                found += any(row.judged.verdict == wrong for row in rows)
        return found

    return play


def decisions(rate: float) -> Statement:
    """Decisions that differ are said to be fewer than δ where they are just as many."""
    counts = np.full(150, 20)

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        for chances in rng.beta(1, 9, (plays, len(counts))):
            shares = [grouped_share(rng.binomial(20, chances), counts, 0.1)]
            found += judge(shares)[0].verdict == SAME
        return found

    return Statement("same decisions", rate, play, JUDGED)


def missing(delta: float, mean: float, rate: float) -> Statement:
    """The games said to be missing do not settle it, one among ten."""
    level = 0.05 / 10
    payoffs = CENTS * outcomes(2)
    apart = payoffs[:, 1] - payoffs[:, 0] + round(mean * CENTS)

    def difference(counts: np.ndarray) -> Difference:
        n = int(counts.sum())
        sums = [int(counts @ apart**power) for power in (1, 2, 3)]
        differing = int(counts @ (apart != 0))
        found = mean_of_blocks(sums[0], sums[1], n, n, 1 / CENTS, differing)
        return Difference(found, n, delta, differing, None, skewness_of(*sums, n))

    def play(rng: np.random.Generator, plays: int) -> int:
        seen = difference(np.full(len(apart), 1_000 // len(apart)))
        more = seen.missing(level)
        assert more is not None
        chances = np.full(len(apart), 1 / len(apart))
        later = rng.multinomial(seen.samples + more, chances, plays)
        return sum(min(one.p, one.p_same) > level for one in map(difference, later))

    surer = (("lama_odds.statistics.equivalence.POWER", 1 - SURER * 0.2),)
    return Statement(f"games missing at {mean:g} of {delta:g} points", rate, play, surer)


@cache
def grid() -> Grid:
    """Three variants: an option with three values."""
    game = game_of("lama/amigo")
    return grid_of(game, game.rules("lama/amigo"), read_axes(game, ("target=20,30,40",)), 2)


def share(seat: int) -> Compared:
    """The win rate of a seat."""
    return Compared(f"win seat {seat}", "win", "of games", "", 1.0, True, False, ())


class Swept:
    """A sweep of variants that are all alike: what it says, and what is true."""

    shown = (*measures(1), share(0), share(1), sweep.SEAT_BIAS)

    def __init__(self) -> None:
        self.plays = 0
        self.cells, self.counted = len(grid().cells), self.shown[:-1]
        self.fits = fits_of(grid())
        self.intervals = sweep._intervals(self.shown, 2, self.cells, self.fits)
        self.payoffs = outcomes(self.cells)
        self.wins = (self.payoffs > 1).astype(np.int64)
        chance = float(self.wins.mean())
        self.truth = {
            "p": float(self.payoffs.mean()),
            "win seat 0": chance,
            "win seat 1": 1 - chance,
        }
        self.truth |= {sweep.SEAT_BIAS.name: abs(chance - 0.5)}
        self.wishes = [
            wish
            for name, value in self.truth.items()
            for wish in (
                Wish("", name, -np.inf, value + 1e-12),
                Wish("", name, value - 1e-12, np.inf),
            )
        ]

    def play(self, rng: np.random.Generator) -> None:
        """Play new games."""
        won = self.wins[rng.integers(0, len(self.wins), (BLOCKS, SIZE))].sum(axis=1).T
        seats = counted(np.stack([won, SIZE - won]))
        self.tally = [*tally_of(rng, 1, CENTS * self.payoffs), *seats]
        common: Any = SimpleNamespace(measures=self.counted)
        played: Any = SimpleNamespace(tally=self.tally, games=SIZE * BLOCKS)
        self.measured = {
            f"{at}": sweep._measured(common, played, at, BLOCKS, self.shown, self.intervals)
            for at in range(self.cells)
        }

    def wrong(self, rng: np.random.Generator) -> bool:
        """Whether any interval leaves out what is true in new games."""
        self.play(rng)
        sums = [
            Sums(measure, each, BLOCKS, SIZE * BLOCKS, False)
            for measure, each in zip(self.counted, self.tally, strict=True)
        ]
        apart = [
            sweep.from_mean(one, at, self.intervals) for at in range(self.cells) for one in sums
        ]
        trends = trends_of(self.fits, sums, self.intervals)
        claimed = any(trend.verdict != UNCLEAR for trend in trends)
        steps = [step.difference for trend in trends for step in trend.steps]
        zero = [*steps, *apart]
        missed = any(
            not found.low <= self.truth[name] <= found.high
            for one in self.measured.values()
            for name, found in one.items()
        )
        self.plays += 1
        assert missed or self.plays % 8 or not self.misjudged()
        return missed or claimed or any(not each.low <= 0 <= each.high for each in zero)

    def misjudged(self) -> bool:
        """Whether any wish is surely not fulfilled that just is."""
        each, together = judged(self.wishes, self.measured)
        assert together is not None
        found = any(one.by_verdict[SURELY_NOT] for one in each)
        assert bool(together.by_verdict[SURELY_NOT]) == found
        return found


def swept(rate: float) -> Statement:
    """Any number, trend or wish of a sweep is wrong."""

    def play(rng: np.random.Generator, plays: int) -> int:
        games = Swept()
        return sum(games.wrong(rng) for _ in range(plays))

    surer = (("lama_odds.statistics.ranking.critical_value", critical_surer),)
    return Statement("sweep", rate, play, surer)


STATEMENTS = [
    Statement("differs", 0.0425, compared(DIFFERS, 0.0, 0.05), JUDGED),
    Statement("same", 0.0425, compared(SAME, DELTA), JUDGED, compared(SAME, DELTA + 0.1)),
    decisions(0.06),
    missing(0.0, 0.5, 0.2),
    missing(0.3, 0.05, 0.0865),
    swept(0.0173),
]
