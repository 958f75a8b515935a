"""Rounds that begin at given scores: their job, what its kernels share, and how to read its tally.

Match equity tables are made of such rounds. For each game the tally has one number, with the scores
after its last round and the starter of the next one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lama_odds.games.interface.match_equity import CHANCE, find_chances, new_room
from lama_odds.jit import compiled, inlined
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, below, lane_start, mix

BLOCK = 1 << 18  # games that a tally has room for
SCORE_BITS = 60  # of a number, for all scores together
ONE_ROUND = 1
WHOLE_GAMES = MAX_ROUNDS
AS_GIVEN = np.zeros((0, 1), np.int64)  # scores are known: none are drawn


class FromScoresTables(NamedTuple):
    """Tables for rounds from given scores.

    starts: int64[rows, seats], the scores before the first round; seat 0 starts it. Game g begins
    with row g modulo their number. most: rounds that a game has at most.
    """

    play: Any
    starts: np.ndarray
    most: int


def from_scores(
    kernel: Any, rules: np.ndarray, policies: np.ndarray, play: Any, starts: np.ndarray, most: int
) -> Job:
    """Return the job of games from these scores, of which any BLOCK in a row can be played."""
    return Job(kernel, rules, policies, FromScoresTables(play, starts, most), (BLOCK,))


@inlined
def take_scores(starts, game, table, at, seats):
    """Write the scores with which a game begins."""
    row = game % starts.shape[0]
    for seat in range(seats):
        table[at + seat] = starts[row, seat]


@inlined
def draw_scores(starts, key, gamma, game, table, at, seats):
    """Write scores that are drawn for a game, if there are any to draw from.

    starts: int64[rows, seats], all equally likely. The word is the first of lane STUDY of the last
    round that has an address.
    """
    if starts.shape[0]:
        word = mix(lane_start(key, gamma, game, MAX_ROUNDS - 1, STUDY))
        row = below(word, starts.shape[0])
        for seat in range(seats):
            table[at + seat] = starts[row, seat]


@inlined
def note_scores(tally, game, table, at, seats, starter):
    """Note the scores after the last round of a game, and the starter of the next one."""
    bits = SCORE_BITS // seats
    noted = starter
    for seat in range(seats):
        noted = noted << bits | table[at + seat]
    tally[game % tally.size] += noted


def read_scores(noted: np.ndarray, seats: int) -> tuple[np.ndarray, np.ndarray]:
    """Return int64[games, seats], the scores, and int64[games], the starters."""
    bits = SCORE_BITS // seats
    shifts = bits * np.arange(seats - 1, -1, -1)
    return noted[:, None] >> shifts & (1 << bits) - 1, noted >> bits * seats


def in_order(noted: np.ndarray, first: int, games: int) -> np.ndarray:
    """Return the part of a tally that has these games, in their order."""
    return np.roll(noted, -(first % BLOCK))[:games]


@compiled
def add_worth(equities, noted, worth):
    """Add up what the rounds of each row leave to everybody, in units of 1 / EQUITY.

    noted: int64[rows, rounds], see `note_scores`. worth: float64[rows, seats].
    """
    seats = worth.shape[1]
    room = new_room()
    table = np.zeros(seats, np.int64)
    bits = SCORE_BITS // seats
    mask = (1 << bits) - 1
    for row in range(noted.shape[0]):
        for number in noted[row]:
            starter = number
            for seat in range(seats - 1, -1, -1):
                table[seat] = starter & mask
                starter >>= bits
            find_chances(equities, table, 0, seats, starter, room)
            for seat in range(seats):
                worth[row, seat] += room[CHANCE, seat]
