"""The seats of the policies at the tables of a tournament."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Seating = tuple[int, ...]  # the policy at each seat, by number

MOST_SEATINGS = 2_000  # up to here all are played
ORDERS = 60  # of all policies; seatings come from these if there are more than MOST_SEATINGS
CANDIDATES = 20  # orders, of which the one that mixes best is chosen


@dataclass(frozen=True)
class Schedule:
    """All tables of a tournament, each once, and which of their seats a figure is the mean of.

    league: int64[policies, appearances], seats (table · players + seat) of each policy; complete:
    whether these are all seatings. matrix: by (policy, other), the seats of the policy at the
    tables where all others play the other.
    """

    policies: int
    players: int
    seatings: tuple[Seating, ...]
    league: np.ndarray
    complete: bool
    matrix: Mapping[tuple[int, int], np.ndarray]

    @property
    def league_tables(self) -> int:
        """Tables of the league; one that is in it twice counts twice."""
        return int(self.league.size // self.players)


def schedule_of(policies: int, players: int) -> Schedule:
    """The tables for this number of policies and players.

    League: all seatings of every balanced line-up. There each policy has at most one seat; with
    more players than policies, the seats of two policies differ by at most one. If there are too
    many seatings, a fixed part is used in which every policy has every seat equally often.
    Matrix: one player of a policy, in every seat, and all others of another.
    """
    complete = number_of_seatings(policies, players) <= MOST_SEATINGS
    league = all_seatings(policies, players) if complete else some_seatings(policies, players)
    duels = {
        (i, j): [(j,) * seat + (i,) + (j,) * (players - 1 - seat) for seat in range(players)]
        for i, j in itertools.permutations(range(policies), 2)
    }
    tables: dict[Seating, int] = {}
    for seating in itertools.chain(league, *duels.values()):
        tables.setdefault(seating, len(tables))
    seats: list[list[int]] = [[] for _ in range(policies)]
    for seating in league:
        for seat, policy in enumerate(seating):
            seats[policy].append(tables[seating] * players + seat)
    matrix = {
        pair: np.array([tables[duel] * players + seat for seat, duel in enumerate(found)])
        for pair, found in duels.items()
    }
    return Schedule(policies, players, tuple(tables), np.array(seats), complete, matrix)


def number_of_seatings(policies: int, players: int) -> int:
    """How many seatings `all_seatings` gives."""
    if policies >= players:
        return math.perm(policies, players)
    each, more = divmod(players, policies)
    alike = math.prod(math.factorial(each + (i < more)) for i in range(policies))
    return math.comb(policies, more) * math.factorial(players) // alike


def all_seatings(policies: int, players: int) -> list[Seating]:
    """Every order of every mix that is as even as can be."""
    if policies >= players:
        return list(itertools.permutations(range(policies), players))
    each, more = divmod(players, policies)
    found: set[Seating] = set()
    for extra in itertools.combinations(range(policies), more):
        found.update(itertools.permutations([*range(policies)] * each + [*extra]))
    return sorted(found)


def some_seatings(policies: int, players: int) -> list[Seating]:
    """Seatings from ORDERS fixed orders of the policies in a ring, each begun at every place.

    So from each order every policy has every seat once. The orders are drawn, always the same,
    each of CANDIDATES the one after which all pairs have met most evenly.
    """
    rng = np.random.RandomState(0)  # a frozen generator: the same on every version
    met = np.zeros((policies, policies), dtype=np.int64)
    found: list[Seating] = []
    for _ in range(ORDERS):
        drawn = [_ring(rng.permutation(policies).tolist(), players) for _ in range(CANDIDATES)]
        after = [met + _meetings(ring, policies) for ring in drawn]
        best = min(range(CANDIDATES), key=lambda i: int((after[i] ** 2).sum()))
        met = after[best]
        found += drawn[best]
    return found


def _ring(order: Sequence[int], players: int) -> list[Seating]:
    k = len(order)
    return [tuple(order[(at + seat) % k] for seat in range(players)) for at in range(k)]


def _meetings(seatings: Sequence[Seating], policies: int) -> np.ndarray:
    """int64[policies, policies]: at how many pairs of seats two different policies met."""
    counts = np.array([np.bincount(seating, minlength=policies) for seating in seatings])
    met = counts.T @ counts
    np.fill_diagonal(met, 0)
    return np.asarray(met)
