"""Decisions of whole games told apart by the scores: what thresholds for winning are made of.

A cell is a penalty, a band of the own score and a band of the best other's, the lowest score of the
others; bands are so many points wide, the last one open at its end.
"""

from __future__ import annotations

from lama_odds.games.interface.tally_layout import WIN, lowest_score
from lama_odds.games.shared.seating import lowest_other
from lama_odds.jit import inlined

# What forks of whole games count of each action, in this order: the share of the win that is lost,
# in units of 1 / WIN, and the points of the round.
LOST = 0
POINTS = 1
OBJECTIVES = ("win", "points")
# Keys of a cell, besides "penalty": the lowest point of each band.
OWN = "own"
OTHER = "other"


@inlined
def score_cell(penalty, table, at, seat, seats, band, bands):
    """Cell of a decision of a seat; table[at: at + seats]: the scores."""
    other = lowest_other(table, at, seats, seat, False)
    # A drama can lift a score above the target, while its round is played.
    own = min(table[at + seat] // band, bands - 1)
    return (penalty * bands + own) * bands + min(other // band, bands - 1)


@inlined
def lost_share(table, at, seat, seats):
    """What is lost of the win at the end of a game, ties shared, in units of 1 / WIN."""
    lowest, shared = lowest_score(table, at, seats)
    return WIN - WIN // shared * (table[at + seat] == lowest)


def bands_of(target: int, band: int) -> int:
    """Number of bands, so many points wide, up to a target."""
    return -(-target // band)


def cell_keys(most_points: int, target: int, band: int) -> list[dict[str, int | None]]:
    """What each cell is: penalty, own score and the best other's, both from here on."""
    lows = [band * at for at in range(bands_of(target, band))]
    return [
        {"penalty": penalty, OWN: own, OTHER: other}
        for penalty in range(most_points + 1)
        for own in lows
        for other in lows
    ]
