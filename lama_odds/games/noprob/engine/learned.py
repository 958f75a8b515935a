"""LEARNED: does what gives the best chance to win the round, as played rounds have taught it.

The lead that is foretold, against the lowest total of the others, tells the chance to win, by a
logistic curve for each stage (see `planner`). An action is worth the chance after the turn. A
draw is worth the mean over the cards that may come.
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
    lowest_of_others,
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
TIE = 1e-9  # differences that do not count
NEVER = np.int64(PASS)  # the answer where nobody plays LEARNED
OFFER = 0.18  # of what a card on the discards saves the next player: how much it costs


@inlined
def chance_of(odds):
    """Return the chance with this logarithm of the odds."""
    return 1.0 / (1.0 + exp(-odds))


@inlined
@for_all
def view_of(tables, table, seat, seats):
    """Return what a turn of a seat is judged by, as numbers.

    They are the own grid, its cards face down and the fewest of anybody else. Then come two leads:
    the lowest foretold total of the others minus the own, now and with one card more face up.
    Last are the mean of the unseen cards above that of the deck, and what turning a card up is
    worth by itself.
    """
    learned = tables.learned
    mean = mean_of(tables.points, without_known(table, seat))
    above = mean - learned.mean
    grid = seen_grid(tables.spread, table, seat, seat)
    down = face_down(table[UP + seat])
    fewest = fewest_down(table, seat, seats, seat)
    to_come = turns_to_come(table, seats)
    stage = 10 * down + fewest
    less = max(stage - 10, 0)
    beside = table[BESIDE + seat]
    mine = foretold(learned.own, learned.share[0], stage, grid, above) + beside
    mine_less = foretold(learned.own, learned.share[0], less, grid, above) + beside
    theirs, theirs_less = lowest_of_others(tables, table, seats, seat, down, to_come, mean)
    late = URGENCY * max(table[TURNS] // seats - PATIENCE, 0) ** 2 if table[LAST] < 0 else 0.0
    return grid, down, fewest, theirs - mine, theirs_less - mine_less, above, late


@inlined
@for_all
def odds_as_it_is(tables, view, less):
    """Return the logarithm of the odds to win with an unchanged grid; less: off the lead."""
    _, down, fewest, lead, _, _, _ = view
    stage = 10 * down + fewest
    return tables.learned.chance[stage, 0] * (lead - less) + tables.learned.chance[stage, 1]


@inlined
@for_all
def without_cell(tables, view, up, cell):
    """Return what the odds with any card in a cell are made of.

    Slope and height, the lead if the lines through the cell counted nothing, the stage, and the
    lines with an empty cell.
    """
    learned, weights = tables.learned, tables.learned.own
    grid, down, fewest, lead, lead_less, above, late = view
    turned = 1 - (up >> cell & 1)
    stage = 10 * (down - turned) + fewest
    row, column = cell // 3, cell % 3
    ahead = lead_less if turned else lead
    ahead += weights[stage, row_of(grid, row)] + weights[stage, column_of(grid, column)]
    if kind_at(grid, cell) == UNKNOWN:
        ahead += learned.share[0, stage] * above
    height = learned.chance[stage, 1] + late * turned
    empty = with_card(grid, cell, 0)
    return (
        learned.chance[stage, 0], height, ahead, stage,
        row_of(empty, row), column_of(empty, column),
    )  # fmt: skip


@inlined
@for_all
def odds_with(tables, cell, rest, kind, offered):
    """Return the logarithm of the odds to win with a card in a cell, see `without_cell`."""
    slope, height, ahead, stage, row, column = rest
    weights = tables.learned.own
    lines = weights[stage, row | kind << 4 * (cell % 3)]
    lines += weights[stage, column | kind << 4 * (cell // 3)]
    return slope * (ahead - lines - offered) + height


@inlined
@for_all
def find_best(tables, view, up, best):
    """Write for each number and joker the logarithm of the odds with it in the best cell."""
    own = tables.learned.by_card
    best[:] = -FAR
    for cell in range(CELLS):
        slope, height, ahead, stage, row, column = without_cell(tables, view, up, cell)
        at_row, at_column = cell % 3, cell // 3
        row, column = apart(row, at_row), apart(column, at_column)
        for kind in range(DRAMA):  # as `odds_with`, the same sums in the same order
            lines = own[at_row, stage, row + kind] + own[at_column, stage, column + kind]
            best[kind] = max(best[kind], slope * (ahead - lines) + height)


@given_or("learned", NEVER)
@compiled
@for_all
def learned_source(tables, table, seat, seats):
    """LEARNED: draw, take the discard, or pass a last turn."""
    view = view_of(tables, table, seat, seats)
    up = table[UP + seat]
    passing = odds_as_it_is(tables, view, 0.0)
    best = np.empty(KINDS)
    find_best(tables, view, up, best)
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
    drawing, cards = chances_of_cards(tables, table, view, best, passing, seat, seats)
    return TAKE if chance_of(taking) * cards > drawing + TIE else DRAW


@inlined
@for_all
def chances_of_cards(tables, table, view, best, passing, seat, seats):
    """Return the summed chances with each card that may be drawn, and the number of these cards.

    best: see `find_best`; overwritten for specials.
    """
    unseen = without_known(table, seat)
    drawing = 0.0
    cards = 0
    special = odds_as_it_is(tables, view, -tables.points[DRAMA] / (seats - 1.0))
    best[DRAMA:] = special
    for kind in range(KINDS):
        n = unseen >> 4 * kind & 15
        if table[REFILLED]:
            n = number_of(table[PACK], table[PACK + 1], kind)
        cards += n
        if n:
            found = best[kind] if kind >= DRAMA else max(best[kind], passing)
            drawing += n * chance_of(found)
    return drawing, cards


@given_or("learned", None)
@compiled
@for_all
def source_chances(tables, table, seat, seats, chances):
    """LEARNED: write the chances to win the round that it expects of DRAW, TAKE and PASS."""
    view = view_of(tables, table, seat, seats)
    passing = odds_as_it_is(tables, view, 0.0)
    best = np.empty(KINDS)
    find_best(tables, view, table[UP + seat], best)
    chances[PASS] = chance_of(passing)
    drawing, cards = chances_of_cards(tables, table, view, best, passing, seat, seats)
    chances[DRAW] = drawing / max(cards, 1)
    if table[HEIGHT]:
        chances[TAKE] = chance_of(best[table[STACK + table[HEIGHT] - 1]])


@given_or("learned", NEVER)
@compiled
@for_all
def learned_place(tables, table, seat, seats, kind, drawn):
    """LEARNED: return the cell for a number or a joker, or PUT_AWAY for one that was drawn."""
    view = view_of(tables, table, seat, seats)
    grid = view[0]
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
        best = odds_as_it_is(tables, view, given[kind])
    for cell in range(CELLS):
        old = kind_at(grid, cell)
        rest = without_cell(tables, view, up, cell)
        odds = odds_with(tables, cell, rest, kind, given[old])
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
    view = view_of(tables, table, seat, seats)
    for cell in range(CELLS):
        rest = without_cell(tables, view, table[UP + seat], cell)
        costs[cell] = -odds_with(tables, cell, rest, kind, 0.0)
    costs[PUT_AWAY] = -odds_as_it_is(tables, view, 0.0)


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
