"""Decisions of whole games, classified by the scores: the basis of thresholds for winning.

A cell is a penalty, a band of the own score and a band of the best opponent's, which is the lowest.
All bands have the same width in points; the last one is open at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lama_odds.games.interface.score_chances import CHANCE, find_chances, has_table
from lama_odds.games.interface.tally_layout import EQUITY, WIN, lowest_score
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
BAND = 10  # points that are one class of scores, unless another width is given


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


@inlined
def worth_of_round(equities, table, score, penalty, seat, seats, starter, before, room, payoff):
    """Write what a round leaves to a seat: points, and its margin or the chance to win it lacks.

    table[score:], table[penalty:]: the scores without the penalties of the round, which are added;
    before: those at its start. With a table: the lacking chance in 1 / EQUITY, then the points.
    Otherwise the points, then the margin (times seats − 1). starter: of the next round.
    """
    total = 0
    for s in range(seats):
        table[score + s] += table[penalty + s]
        total += table[score + s] - before[s]
    mine = table[score + seat] - before[seat]
    if has_table(equities):
        find_chances(equities, table, score, seats, starter, room)
        payoff[0] = EQUITY - room[CHANCE, seat]
        payoff[1] = mine
    else:
        payoff[0] = mine
        payoff[1] = mine * seats - total


def bands_of(target: int, band: int) -> int:
    """Return the number of bands of this width up to a target."""
    return -(-target // band)


def with_scores(
    cells: Sequence[Mapping[str, int | None]], most_points: int, target: int
) -> list[dict[str, int | None]]:
    """Return the meaning of these cells and of those by scores that follow, see `cell_keys`."""
    nothing = dict.fromkeys((*cells[0], OWN, OTHER))
    return [{**nothing, **keys} for keys in (*cells, *cell_keys(most_points, target, BAND))]


def cell_keys(most_points: int, target: int, band: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell: penalty, own score and the best opponent's, from here up."""
    lows = [band * at for at in range(bands_of(target, band))]
    return [
        {"penalty": penalty, OWN: own, OTHER: other}
        for penalty in range(most_points + 1)
        for own in lows
        for other in lows
    ]
