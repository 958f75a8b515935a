"""Decisions of whole games, classified by the scores: the basis of thresholds for winning.

A cell is a penalty, a band of the own score and a band of the best opponent's, which is the lowest.
All bands have the same width in points; the last one is open at its end.
"""

from __future__ import annotations

from lama_odds.games.interface.tally_layout import WIN, lowest_score
from lama_odds.games.shared.seating import lowest_other
from lama_odds.jit import inlined

# What forks of whole games count for each action. First the share of the win that is lost, in units
# of 1 / WIN; then the points of the round.
LOST = 0
POINTS = 1
OBJECTIVES = ("win", "points")
# Keys of a cell, besides "penalty": the lowest score of each band.
OWN = "own"
OTHER = "other"


@inlined
def score_cell(penalty, table, at, seat, seats, band, bands):
    """Return the cell of a decision of a seat; table[at: at + seats]: the scores."""
    other = lowest_other(table, at, seats, seat, False)
    # In a drama, a score can be above the target while its round is played.
    own = min(table[at + seat] // band, bands - 1)
    return (penalty * bands + own) * bands + min(other // band, bands - 1)


@inlined
def lost_share(table, at, seat, seats):
    """Return the share of the win that is lost at the end of a game, in units of 1 / WIN.

    Ties share the win.
    """
    lowest, shared = lowest_score(table, at, seats)
    return WIN - WIN // shared * (table[at + seat] == lowest)


def bands_of(target: int, band: int) -> int:
    """Return the number of bands of this width up to a target."""
    return -(-target // band)


def cell_keys(most_points: int, target: int, band: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell: penalty, own score and the best opponent's, from here up."""
    lows = [band * at for at in range(bands_of(target, band))]
    return [
        {"penalty": penalty, OWN: own, OTHER: other}
        for penalty in range(most_points + 1)
        for own in lows
        for other in lows
    ]
