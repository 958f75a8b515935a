"""LEARNED: does what gives the best chance to win the round, as played rounds have taught it.

The lead that is foretold, against the lowest total of the others, tells the chance to win, by a
logistic curve for each stage (see `planner`). A small network corrects the logarithm of its odds by
the foretold totals of all others, and by everybody's cards face down. An action is worth the chance
after the turn. A draw is worth the mean over the cards that may come.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import RolloutLayout
from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    PUT_AWAY,
    TAKE,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.planner import (
    FAR,
    PATIENCE,
    Learned,
    apart,
    face_down,
    fewest_down,
    foretold,
    total_of_other,
    turns_to_come,
)
from lama_odds.games.noprob.rules.transition import (
    BESIDE,
    CELLS,
    DRAMA,
    HEIGHT,
    KINDS,
    LAST,
    PACK,
    PILE,
    REFILLED,
    STACK,
    TURNS,
    UNKNOWN,
    UP,
    ScoreTables,
    column_of,
    kind_at,
    number_of,
    row_of,
    with_card,
)
from lama_odds.jit import compiled, for_all, given_or, inlined
from lama_odds.jit.elementary import exp

# What the kernels of No Prob-Lama read besides rules and policies, by name.
#
# numba takes named tuples as arguments, also one within another.


class PlayTables(NamedTuple):
    """Tables for rounds and games.

    scoring: how a grid is counted. points: of each kind.
    spread: masks, see `grids.spread_masks`.
    worth: float64[chases, codes], see `grids.line_worth`.
    learned: what a LEARNED policy knows; None if none plays.
    low: int64[1], points of a card face down for LOW_CARDS; None if none plays.
    cards: int64, the blocks of `card`, see `card_rules`; None if nobody plays it.
    log: int64 of any size, see `round_loop.log_turn`; of size 0 for none.
    """

    scoring: ScoreTables
    points: np.ndarray
    spread: np.ndarray
    worth: np.ndarray
    learned: Learned | None
    low: np.ndarray | None
    cards: np.ndarray | None
    log: np.ndarray


class ForkTables(NamedTuple):
    """Tables for forks in first rounds. chances: int64, see `tally_layout.forks_here`."""

    play: PlayTables
    chances: np.ndarray


class TrailTables(NamedTuple):
    """A player, and a round so far, for `beliefs.follow`.

    seat: the player. looked: mask of the cells it has looked at.
    hands: int64[hands], kinds in those of them that are face down still, a nibble for each cell.
    turns: int64[turns], of everybody, see `round_loop.log_turn`.
    epsilon: the share of choices at random.
    """

    seat: int
    looked: int
    hands: np.ndarray
    turns: np.ndarray
    epsilon: float


class HeldTables(NamedTuple):
    """Deals of what the others have looked at and not turned up, for `beliefs.draw_hands`.

    upto: float64[deals], summed chances; empty if nothing is inferred.
    hands: int64[deals, seats], kinds in the cells, a nibble for each cell.
    packs: int64[deals, 2], all these cards as in a pile, see `pile.pack_up`.
    cells: int64[seats], grids with all ones in the cells.
    looked: int64[seats], masks of all cells that a player has looked at.
    """

    upto: np.ndarray
    hands: np.ndarray
    packs: np.ndarray
    cells: np.ndarray
    looked: np.ndarray


class RolloutTables(NamedTuple):
    """Tables for a position that is played out.

    root: int64[TABLE_SIZE], see `kernels.deal_unknown`.
    actions: int64[k, 3], root actions. plan: int64[2, KINDS], the use of every card.
    unknown: the number of unknown discards. peeks: the number of cells looked at.
    starter: who started the round, −1 if not known. played: rounds with this one.
    held: cards that the others' play tells of.
    equities: see `RoundsWonEquity.counted`; of size 0 if games are played to their end.
    """

    play: PlayTables
    root: np.ndarray
    actions: np.ndarray
    plan: np.ndarray
    unknown: int
    peeks: int
    starter: int
    played: int
    layout: RolloutLayout
    held: HeldTables
    equities: np.ndarray


# Of the logarithm of the odds: what turning a card up is worth more after PATIENCE, times the
# square of the own turns since. So a round ends even if everybody is sure to lose by ending it.
URGENCY = 0.002
TIE = 1e-5  # differences that do not count: more than the network's rounding errors
NEVER = np.int64(PASS)  # the answer where nobody plays LEARNED
# Rows of the network: by the own cards face down. Then for each other seat in turn order by its
# cards face down (GONE: it has no turn any more), and for its foretold total. Then for what the
# card on the discards costs, by the next player's cards face down. Then for what is `above` in a
# view, and last the weights of the units.
UNITS = 16
OTHERS = CELLS + 1
GONE = CELLS + 1
TOTAL = GONE + 1
OF_OTHER = TOTAL + 1  # rows
OFFERED, ABOVE, OUT = -CELLS - 3, -2, -1
TENTH = np.float32(0.1)  # of a total
# Rows of a layer: see `see_others`; then room for `find_best`.
STAYS, TURNS_UP, PULL, LOWEST, CORRECTED, OFFER_PULL = 0, 1, 2, 3, 5, 6
LAYERS = 7
OFFER = 0.18  # of what a card on the discards saves the next player: how much it costs


@inlined
def chance_of(odds):
    """Return the chance with this logarithm of the odds."""
    return 1.0 / (1.0 + exp(-odds))


class View(NamedTuple):
    """What a turn of a seat is judged by, twice: unchanged, and with one more card turned up.

    grid: as its player knows it. stages, mine: of the own grid, and its foretold totals. lowest: of
    the foretold totals of the others. above: the mean of the unseen cards above that of the deck.
    late: what turning a card up is worth by itself.
    """

    grid: int
    stages: tuple[int, int]
    mine: tuple[float, float]
    lowest: tuple[float, float]
    above: float
    late: float


@inlined
@for_all
def see_others(tables, table, seat, seats, mean, layer):
    """Return the lowest foretold totals of the others, and fill the network's first layer.

    layer: float32[LAYERS, UNITS]: with an own total of 0, unchanged and with one more card turned
    up. Then what a point of the own total changes, and one that the discard costs.
    """
    learned = tables.learned
    net = learned.net
    down = face_down(table[UP + seat])
    to_come = turns_to_come(table, seats)
    above = np.float32(mean - learned.mean)
    less = max(down - 1, 0)
    for unit in range(UNITS):
        unseen = above * net[net.shape[0] + ABOVE, unit]
        layer[STAYS, unit] = net[down, unit] + unseen
        layer[TURNS_UP, unit] = net[less, unit] + unseen
        layer[PULL, unit] = 0
    follower = seat + 1 if seat + 1 < seats else 0
    offered = net.shape[0] + OFFERED + face_down(table[UP + follower])
    for unit in range(UNITS):
        layer[OFFER_PULL, unit] = net[offered, unit] * TENTH
    lowest = lowest_less = FAR
    for step in range(1, seats):
        other = (seat + step) % seats
        total, total_less = total_of_other(tables, table, other, seats, seat, down, to_come, mean)
        lowest = min(lowest, total)
        lowest_less = min(lowest_less, total_less)
        first = OTHERS + OF_OTHER * (step - 1)
        row = first + (GONE if step > to_come else face_down(table[UP + other]))
        one, two = np.float32(total), np.float32(total_less)
        for unit in range(UNITS):
            slope = net[first + TOTAL, unit] * TENTH
            layer[STAYS, unit] += net[row, unit] + one * slope
            layer[TURNS_UP, unit] += net[row, unit] + two * slope
            layer[PULL, unit] -= slope
    return lowest, lowest_less


@inlined
@for_all
def view_of(tables, table, seat, seats, layer):
    """Return what a turn of a seat is judged by; layer is filled in."""
    learned = tables.learned
    mean = mean_of(tables.points, without_known(table, seat))
    above = mean - learned.mean
    grid = seen_grid(tables.spread, table, seat, seat)
    down = face_down(table[UP + seat])
    stage = 10 * down + fewest_down(table, seat, seats, seat)
    less = max(stage - 10, 0)
    extra = table[BESIDE + seat]
    mine = foretold(learned.own, learned.share[0], stage, grid, above) + extra
    mine_less = foretold(learned.own, learned.share[0], less, grid, above) + extra
    lowest = see_others(tables, table, seat, seats, mean, layer)
    late = URGENCY * max(table[TURNS] // seats - PATIENCE, 0) ** 2 if table[LAST] < 0 else 0.0
    return View(grid, (stage, less), (mine, mine_less), lowest, above, late)


@inlined
@for_all
def odds_of(tables, view, layer, turned, mine, offered=0.0):
    """Return the logarithm of the odds to win with an own foretold total.

    layer: see `see_others`. turned: 1 if a card was turned up, otherwise 0. offered: what the card
    that goes to the discards costs, which the total has in it.
    """
    learned = tables.learned
    stage = view.stages[turned]
    odds = learned.chance[stage, 0] * (view.lowest[turned] - mine) + learned.chance[stage, 1]
    total, cost = np.float32(mine), np.float32(offered)
    corrected = np.float32(0)
    for unit in range(UNITS):
        seen = layer[turned, unit] + total * layer[PULL, unit] + cost * layer[OFFER_PULL, unit]
        seen = max(seen, np.float32(0))
        corrected += seen * learned.net[learned.net.shape[0] + OUT, unit]
    return odds + view.late * turned + corrected


@inlined
@for_all
def without_cell(tables, view, up, cell):
    """Return what the own total with any card in a cell is made of.

    Whether a card is turned up there, the total if the lines through the cell counted nothing, the
    stage, and the lines with an empty cell.
    """
    learned, weights = tables.learned, tables.learned.own
    turned = 1 - (up >> cell & 1)
    stage = view.stages[turned]
    row, column = cell // 3, cell % 3
    total = view.mine[turned]
    total -= weights[stage, row_of(view.grid, row)] + weights[stage, column_of(view.grid, column)]
    if kind_at(view.grid, cell) == UNKNOWN:
        total -= learned.share[0, stage] * view.above
    empty = with_card(view.grid, cell, 0)
    return turned, total, stage, row_of(empty, row), column_of(empty, column)


@inlined
@for_all
def total_with(tables, cell, rest, kind):
    """Return the own foretold total with a card in a cell, see `without_cell`."""
    _, total, stage, row, column = rest
    weights = tables.learned.own
    lines = weights[stage, row | kind << 4 * (cell % 3)]
    return total + (lines + weights[stage, column | kind << 4 * (cell // 3)])


@inlined
@for_all
def find_best(tables, view, layer, up, best):
    """Write for each number and joker the logarithm of the odds with it in the best cell.

    That is the cell with the lowest foretold total, of those face up or of those face down.
    """
    learned = tables.learned
    own = learned.by_card
    layer[LOWEST : LOWEST + 2] = FAR
    for cell in range(CELLS):
        turned, total, stage, row, column = without_cell(tables, view, up, cell)
        at_row, at_column = cell % 3, cell // 3
        row, column = apart(row, at_row), apart(column, at_column)
        for kind in range(DRAMA):  # as `total_with`, the same sums in the same order
            lines = own[at_row, stage, row + kind] + own[at_column, stage, column + kind]
            least = min(layer[LOWEST + turned, kind], np.float32(total + lines))
            layer[LOWEST + turned, kind] = least
    best[:] = -FAR
    for turned in range(2):
        lowest, corrected = layer[LOWEST + turned], layer[CORRECTED]
        if lowest[0] >= FAR:
            continue
        corrected[:] = 0
        for unit in range(UNITS):
            start, pull = layer[turned, unit], layer[PULL, unit]
            out = learned.net[learned.net.shape[0] + OUT, unit]
            for kind in range(DRAMA):
                seen = max(start + lowest[kind] * pull, np.float32(0))
                corrected[kind] += seen * out
        slope, height = learned.chance[view.stages[turned]]
        height += view.late * turned
        for kind in range(DRAMA):
            odds = slope * (view.lowest[turned] - lowest[kind]) + height + corrected[kind]
            best[kind] = max(best[kind], odds)


@given_or("learned", NEVER)
@compiled
@for_all
def learned_source(tables, table, seat, seats):
    """LEARNED: draw, take the discard, or pass a last turn."""
    layer = np.empty((LAYERS, UNITS), np.float32)
    view = view_of(tables, table, seat, seats, layer)
    up = table[UP + seat]
    passing = odds_of(tables, view, layer, 0, view.mine[0])
    best = np.empty(KINDS)
    find_best(tables, view, layer, up, best)
    taking = -FAR
    if table[HEIGHT]:
        top = table[STACK + table[HEIGHT] - 1]
        if top < DRAMA:
            taking = best[top]
    if table[PILE] == 0:
        if table[HEIGHT] == 0 or (taking <= passing and table[LAST] >= 0):
            return PASS
        return TAKE
    if taking == -FAR:
        return DRAW
    drawing, cards = chances_of_cards(tables, table, view, layer, best, passing, seat, seats)
    return TAKE if chance_of(taking) * cards > drawing + TIE else DRAW


@inlined
@for_all
def chances_of_cards(tables, table, view, layer, best, passing, seat, seats):
    """Return the summed chances with each card that may be drawn, and the number of these cards.

    best: see `find_best`; overwritten for specials.
    """
    unseen = without_known(table, seat)
    drawing = 0.0
    cards = 0
    given = tables.points[DRAMA] / (seats - 1.0)
    best[DRAMA:] = odds_of(tables, view, layer, 0, view.mine[0] - given)
    for kind in range(KINDS):
        n = unseen >> 4 * kind & 15
        if table[REFILLED]:
            n = number_of(table[PACK], table[PACK + 1], kind)
        cards += n
        if n:
            odds = best[kind] if kind >= DRAMA else max(best[kind], passing)
            drawing += n * chance_of(odds)
    return drawing, cards


@given_or("learned", None)
@compiled
@for_all
def source_chances(tables, table, seat, seats, chances):
    """LEARNED: write the chances to win the round that it expects of DRAW, TAKE and PASS."""
    layer = np.empty((LAYERS, UNITS), np.float32)
    view = view_of(tables, table, seat, seats, layer)
    passing = odds_of(tables, view, layer, 0, view.mine[0])
    best = np.empty(KINDS)
    find_best(tables, view, layer, table[UP + seat], best)
    chances[PASS] = chance_of(passing)
    drawing, cards = chances_of_cards(tables, table, view, layer, best, passing, seat, seats)
    chances[DRAW] = drawing / max(cards, 1)
    if table[HEIGHT]:
        chances[TAKE] = chance_of(best[table[STACK + table[HEIGHT] - 1]])


@given_or("learned", NEVER)
@compiled
@for_all
def learned_place(tables, table, seat, seats, kind, drawn):
    """LEARNED: return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    layer = np.empty((LAYERS, UNITS), np.float32)
    view = view_of(tables, table, seat, seats, layer)
    up = table[UP + seat]
    follower = seat + 1 if seat + 1 < seats else 0
    theirs = seen_grid(tables.spread, table, follower, seat)
    mean = mean_of(tables.points, without_known(table, seat))
    given = np.zeros(UNKNOWN + 1)  # what each card on the discards costs
    if table[LAST] != 1:  # there is a next player
        find_gifts(tables, theirs, mean, given)
    best = -2 * FAR
    chosen = PUT_AWAY
    if drawn:
        best = odds_of(tables, view, layer, 0, view.mine[0] + given[kind], given[kind])
    for cell in range(CELLS):
        rest = without_cell(tables, view, up, cell)
        offered = given[kind_at(view.grid, cell)]
        total = total_with(tables, cell, rest, kind) + offered
        odds = odds_of(tables, view, layer, rest[0], total, offered)
        if odds > best + TIE:
            best = odds
            chosen = cell
    return chosen


@given_or("learned", None)
@compiled
@for_all
def learned_costs(tables, table, seat, seats, kind, costs):
    """LEARNED: write what a number or a joker costs in each cell and put away.

    It is the logarithm of the odds to lose the round after this turn.
    """
    layer = np.empty((LAYERS, UNITS), np.float32)
    view = view_of(tables, table, seat, seats, layer)
    for cell in range(CELLS):
        rest = without_cell(tables, view, table[UP + seat], cell)
        costs[cell] = -odds_of(tables, view, layer, rest[0], total_with(tables, cell, rest, kind))
    costs[PUT_AWAY] = -odds_of(tables, view, layer, 0, view.mine[0])


@inlined
@for_all
def find_gifts(tables, grid, mean, given):
    """Write what each number or joker on the discards costs, by what it saves the next player.

    given: float64[UNKNOWN + 1], of zeros.
    """
    points, worth = tables.points, tables.learned.worth
    for cell in range(CELLS):
        old = kind_at(grid, cell)
        here = mean if old == UNKNOWN else points[old]
        at_row, at_column = cell % 3, cell // 3
        row = apart(row_of(grid, cell // 3), at_row)
        column = apart(column_of(grid, cell % 3), at_column)
        row_now, column_now = worth[at_row, row], worth[at_column, column]
        row, column = row & ~15, column & ~15
        for kind in range(DRAMA):  # as `change_of`, the same sums in the same order
            change = points[kind] - here
            change += worth[at_row, row + kind] - row_now
            change = change + worth[at_column, column + kind] - column_now
            given[kind] = min(given[kind], change)
    for kind in range(DRAMA):
        given[kind] *= -OFFER


@given_or("learned", NEVER)
@compiled
@for_all
def learned_gift(tables, table, seat, seats, kind):
    """LEARNED: give a Drama to the lowest foretold total of the others, a Karma to the highest."""
    mean = mean_of(tables.points, without_known(table, seat))
    down = face_down(table[UP + seat])
    to_come = turns_to_come(table, seats)
    sign = 1.0 if kind == DRAMA else -1.0
    best = FAR
    chosen = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        total = sign * total_of_other(tables, table, other, seats, seat, down, to_come, mean)[0]
        if total < best - TIE:
            best = total
            chosen = other
    return chosen
