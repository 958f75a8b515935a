"""Teach the network of `learned`, which plays cards: what a move is worth beside the others.

Only differences count: of each decision the mean of the possible moves is taken away, from what was
seen and from what the network says. The error is squared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.engine.equilibrium import MOVES
from lama_odds.games.lama.engine.learned.network import FIRST, SECOND, Learned
from lama_odds.games.lama.engine.learned.rows import ROWS
from lama_odds.jit import compiled, inlined
from tools.fit.adam import step
from tools.fit.card_decisions import Decisions
from tools.fit.upper_layers import go_down, go_up

BATCH = 2048
SLOWEST = 2e-5  # steps, slower and slower
TESTED = 20  # one of this many decisions is left out, to see how well the rest foretells it
SIZES = (FIRST, SECOND, MOVES)
# Sums of `stats`: decisions, squared errors, squared differences, what the best move gains beside
# the mean.
SEEN, ERRORS, SPREAD, GAIN, STATS = 0, 1, 2, 3, 4


class Report(NamedTuple):
    """How well a network foretells decisions that it has not learned from.

    explained: share of what differs between moves; most of that is chance. gain: what the moves
    gain that it takes, in tenths of a chance to win, beside any of them.
    """

    explained: float
    gain: float


@inlined
def forward(net, rows, number, first, second, results):
    """Fill in the layers and results of a situation; number: of its rows."""
    for x in range(FIRST):
        first[x] = 0
    for i in range(number):
        at = rows[i]
        for x in range(FIRST):
            first[x] += net.rows[at, x]
    go_up(net, SIZES, first, second, results)


@inlined
def pull(results, worths, possible, pulls, stats):
    """Write by how much each result is too high; add up `stats`."""
    moves = np.float32(0)
    mean = np.float32(0)
    mean_worth = np.float32(0)
    for move in range(MOVES):
        if possible >> move & 1:
            moves += 1
            mean += results[move]
            mean_worth += worths[move]
    mean /= moves
    mean_worth /= moves
    best = -1
    for move in range(MOVES):
        pulls[move] = 0
        if possible >> move & 1:
            differs = worths[move] - mean_worth
            pulls[move] = results[move] - mean - differs
            stats[ERRORS] += pulls[move] * pulls[move]
            stats[SPREAD] += differs * differs
            if best < 0 or results[move] > results[best]:
                best = move
    stats[SEEN] += 1
    stats[GAIN] += worths[best] - mean_worth


@compiled
def teach(net, slopes, seen, chosen, learns, stats):
    """Add up what decisions teach, and how well they are foretold.

    net, slopes: `Learned`. seen: `Decisions`. chosen: int64, the numbers of the decisions. learns:
    whether slopes are wanted.
    """
    first, second = np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32)
    results, pulls = np.zeros(MOVES, np.float32), np.zeros(MOVES, np.float32)
    back = np.zeros(FIRST, np.float32)
    for n in chosen:
        rows, number = seen.rows[n], seen.numbers[n]
        forward(net, rows, number, first, second, results)
        pull(results, seen.worths[n], seen.possible[n], pulls, stats)
        if learns:
            go_down(net, slopes, SIZES, first, second, pulls, back)
            for i in range(number):
                at = rows[i]
                for x in range(FIRST):
                    slopes.rows[at, x] += back[x]


def begun(random: np.random.Generator) -> Learned:
    """Return small random weights."""

    def drawn(shape: tuple[int, ...], size: float) -> np.ndarray:
        return (random.standard_normal(shape) * size).astype(np.float32)

    return Learned(
        drawn((ROWS, FIRST), 0.05),
        drawn((FIRST, SECOND), (2 / FIRST) ** 0.5),
        drawn((MOVES, SECOND), 0.1),
        np.zeros(SECOND + MOVES, np.float32),
    )


def taught(
    net: Learned,
    seen: Decisions,
    epochs: int,
    fastest: float,
    random: np.random.Generator,
    told: Callable[[Report], None],
) -> Learned:
    """Return the weights after decisions have taught a network `epochs` times.

    told: hears after each time how well those foretell what they have not learned from.
    """
    net = Learned(*(part.copy() for part in net))
    slopes, means, squares = (Learned(*(np.zeros_like(part) for part in net)) for _ in range(3))
    tested = np.arange(len(seen.numbers)) % TESTED == 0
    teaching, rest = np.flatnonzero(~tested), np.flatnonzero(tested)
    batches = max(1, len(teaching) // BATCH)
    number = 0
    for _ in range(epochs):
        order = random.permutation(teaching)
        stats = np.zeros((2, STATS))
        for batch in range(batches):
            done = number / (epochs * batches)
            number += 1
            teach(net, slopes, seen, order[batch * BATCH : (batch + 1) * BATCH], True, stats[0])
            rate = SLOWEST + (fastest - SLOWEST) * (1 + np.cos(np.pi * done)) / 2
            for parts in zip(net, slopes, means, squares, strict=True):
                step(*(part.ravel() for part in parts), rate, number, BATCH)
        teach(net, slopes, seen, rest, False, stats[1])
        explained = 1 - stats[1, ERRORS] / stats[1, SPREAD]
        told(Report(float(explained), float(stats[1, GAIN] / stats[1, SEEN])))
    return net
