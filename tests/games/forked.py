"""Forks counted by hand: decisions of rounds that were played both ways."""

from collections import Counter, defaultdict

import numpy as np

from lama_odds.games.interface.tally_layout import CERTAIN
from lama_odds.simulation.run import run
from tests.reference import luck

STUDY = 15  # the lane that says which decisions are taken


def is_taken(stream, game, number, chance):
    """Say whether decision number so-and-so of a first round, counted from 1, is studied."""
    word = luck.word_at(stream, luck.address_of(game, 0, STUDY, number))
    return luck.below(word, CERTAIN) < chance


def payoffs_of(seat, changes):
    """Points of a seat, and how much more than each of the others it got, in sum."""
    return changes[seat], len(changes) * changes[seat] - sum(changes)


def counted(games):
    """Sum up games, each a list of (keys, payoffs of the first action, of the second).

    Give by keys a row: decisions, sum of n², and for each objective the sums of f, f², f n, d,
    d², d n, s², where n, f, s and d are the decisions of a game, the sums of their payoffs, and
    s − f.
    """
    rows = defaultdict(lambda: np.zeros(16, dtype=np.int64))
    for forks in games:
        number, sums = Counter(), defaultdict(lambda: np.zeros((2, 2), dtype=np.int64))
        for keys, first, second in forks:
            for key in keys:
                number[key] += 1
                sums[key] += [first, second]
        for key, n in number.items():
            line = [n, n * n]
            for f, s in sums[key].T:
                line += [f, f * f, f * n, s - f, (s - f) ** 2, (s - f) * n, s * s]
            rows[key] += line
    return {key: row.tolist() for key, row in rows.items()}


def product_rows(job, seed, games, threads=1):
    """Give the rows of a product's fork job that are not empty, by keys."""
    tally = run(job.job, seed, games, threads=threads).tally
    keys = [tuple(key.values()) for key in job.keys]
    assert len(set(keys)) == len(keys) == len(tally)
    return {key: row.tolist() for key, row in zip(keys, tally, strict=True) if row.any()}
