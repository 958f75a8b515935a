"""The players still in a round, in turn order: rows of a table that card and dice games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.core.policies import BITS, MASK, Numbers, Policy
from lama_odds.games.interface.match_equity import CHANCE, find_chances, has_table
from lama_odds.games.interface.tally_layout import EQUITY, WIN, lowest_score
from lama_odds.jit import inlined

# The numbers of `meanfield`, the same in the card and dice games.
#
# For points of a round all are 0. For winning the game the policy depends on the scores: quitting
# early keeps one's points, and lets the others continue alone. A lead is the lowest score of the
# others minus the own one. The policy also checks whether the game would end if all cards counted
# now. A player who would win then should rather quit; one who would not should rather continue.

MOST_EVEN = 40

NUMBERS = Numbers(
    out=(0, 60, 0),
    even=(-MOST_EVEN, MOST_EVEN, 0),
    ahead=(0, 99, 0),
    behind=(0, 99, 0),
    win=(0, 99, 0),
    lose=(0, 99, 0),
)
PLAIN = MOST_EVEN << BITS  # all numbers are 0: for points of a round
# The ranges in which `tune` searches.
SPACE = {
    "out": (0, 16),
    "even": (-10, 10),
    "ahead": (0, 20),
    "behind": (0, 20),
    "win": (0, 15),
    "lose": (0, 20),
}
USAGE = ",".join(f"{name}={name[0].upper()}" for name in NUMBERS.bounds)


def meaning(going_on: str, lie: str) -> str:
    """Return the meaning of the numbers.

    going_on: the alternative to quitting; lie: where cards lie.
    """
    return (
        "With out=O it plays as if going out were worth O points more than it returns (the others "
        f"pay then). With even=E it plays as if {going_on} cost E points more; below 0, as if "
        f"quitting did. With ahead=A {going_on} costs A tenths of a point more for each point "
        "ahead of the lowest score of the others. With behind=B quitting costs B tenths more for "
        "each point behind. `win` and `lose` count only if the game would end with all cards as "
        f"they lie now{lie}. For the player who would win then, {going_on} costs W points more "
        "(win=W). For any other player, quitting costs L points more (lose=L)"
    )


def out_of(policy: Policy) -> int:
    """Return how much more a `meanfield` counts going out."""
    return NUMBERS.unpack(policy.parameter)["out"]


def knows_target(parameter: int) -> bool:
    """Return whether a `meanfield` checks if the game would end (win or lose given)."""
    return parameter >> 4 * BITS != 0


MAX_SEATS = 6
COLUMNS = 8  # one for each seat: the entry of a seat is table[ROW + seat]
HAND = 0 * COLUMNS  # packed cards
PENALTY = 1 * COLUMNS  # of the round; −1 for seats that are still in
SCORE = 2 * COLUMNS  # points in tokens
NEXT = 3 * COLUMNS  # the next seat that is still in
BEFORE = 4 * COLUMNS  # the seat still in before this one
SETTLED = 99  # points by which quitting counts more or less if it settles the game


@inlined
def all_in(table, seats):
    """Seat everybody in order; nobody has quit."""
    for seat in range(seats):
        table[NEXT + seat] = seat + 1
        table[BEFORE + seat] = seat - 1
        table[PENALTY + seat] = -1
    table[NEXT + seats - 1] = 0
    table[BEFORE + 0] = seats - 1


@inlined
def leave(table, seat, penalty):
    """Take a seat out of the round: it has quit with this penalty."""
    table[PENALTY + seat] = penalty
    before = table[BEFORE + seat] & 7
    after = table[NEXT + seat] & 7
    table[NEXT + before] = after
    table[BEFORE + after] = before


def lay_seats(
    table: np.ndarray, hands: Sequence[int], penalties: Sequence[int], scores: Sequence[int]
) -> None:
    """Write on a table what the seats have, and which of them are still in, in turn order.

    hands: packed. penalties: −1 for seats that are still in. scores: may be empty.
    """
    for seat, (hand, penalty) in enumerate(zip(hands, penalties, strict=True)):
        table[HAND + seat] = hand
        table[PENALTY + seat] = penalty
    for seat, score in enumerate(scores):
        table[SCORE + seat] = score
    active = [seat for seat, penalty in enumerate(penalties) if penalty < 0]
    for seat, following in zip(active, [*active[1:], active[0]], strict=True):
        table[NEXT + seat] = following
        table[BEFORE + following] = seat


@inlined
def add_penalties(table, seats):
    """Add the penalties of the last round to the scores; return the highest score."""
    highest = 0
    for seat in range(seats):
        table[SCORE + seat] += table[PENALTY + seat]
        highest = max(highest, table[SCORE + seat])
    return highest


@inlined
def lowest_other(table, score, seats, seat, with_quit):
    """Return the lowest score of the others; table[score:]: the scores.

    with_quit: whether penalties of players who quit this round count too.
    """
    lowest = np.int64(1) << 40
    for other in range(seats):
        if other != seat:
            has = table[score + other]
            if with_quit:
                has += max(table[PENALTY + other], 0)
            lowest = min(lowest, has)
    return lowest


@inlined
def leeway(parameter, table, score, seats, seat, open_cards):
    """Return the points by which a `meanfield` values quitting less than continuing, by its lead.

    parameter: the policy's, which holds NUMBERS. table[score:]: the scores. open_cards: whether
    the penalties of players who have quit are known, and count.
    """
    even = (parameter >> BITS & MASK) - MOST_EVEN
    ahead = parameter >> 2 * BITS & MASK
    behind = parameter >> 3 * BITS & MASK
    if ahead | behind == 0:
        return np.float32(even)
    lead = lowest_other(table, score, seats, seat, open_cards) - table[score + seat]
    slope = ahead if lead > 0 else behind
    return np.float32(10 * even + slope * lead) / np.float32(10)


@inlined
def settled_alone(parameter, mine, lowest, highest, target):
    """Return the leeway of a `meanfield` alone in the round if quitting settles the game.

    It quits if that surely wins, and never if that surely loses: negative. 0 if neither, and for
    a policy whose numbers are all 0, which plays for points. Arguments as of `at_the_end`.
    """
    if parameter == PLAIN or max(mine, highest) < target or mine == lowest:
        return np.float32(0)
    return np.float32(SETTLED if mine < lowest else -SETTLED)


@inlined
def at_the_end(parameter, mine, lowest, highest, target):
    """Return the points by which quitting is valued less (more, if negative) if the game would end.

    mine: the own score including the cost of quitting. lowest, highest: of the others, with their
    cards as they lie. target: the score at which the game ends.
    """
    if max(mine, highest) < target:
        return np.float32(0)
    if mine <= lowest:
        return np.float32(parameter >> 4 * BITS & MASK)
    return -np.float32(parameter >> 5 * BITS & MASK)


# Decisions of whole games, classified by the scores: the basis of thresholds for winning.
#
# A cell is a penalty, a band of the own score and a band of the best opponent's, which is the
# lowest. All bands have the same width in points; the last one is open at its end.

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
