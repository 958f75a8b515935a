"""Rounds that teach LEARNED by trial: single turns are played in two ways, each to the end.

Once as the policy plays, once otherwise, both with common random numbers. What they win says which
way is better. A policy cannot learn from its own rounds alone about what it never does.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import lowest_score
from lama_odds.games.noprob.engine.foretelling import (
    FAR,
    face_down,
    fewest_down,
    total_of_other,
    turns_to_come,
    unknown_in,
)
from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    TAKE,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.learned import find_gifts
from lama_odds.games.noprob.engine.policy_kernels import choose_place, choose_source, write_costs
from lama_odds.games.noprob.engine.round_loop import (
    MAX_TURNS,
    NOWHERE,
    after_turn,
    deal,
    finish_round,
    get_card,
    lay_card,
    one_turn,
    refill_or_end,
    settle,
)
from lama_odds.games.noprob.rules.scoring import line_of
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    BESIDE,
    CELLS,
    DONE,
    DRAMA,
    ENDED,
    HEIGHT,
    LAST,
    PENALTY,
    PILE,
    STACK,
    TABLE_SIZE,
    TURNS,
    UNKNOWN,
    UP,
    kind_at,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import COINS, DICE, STUDY, below, lane_start, mix, stream_of

# Columns of a view, what a seat's chance to win after its turn is foretold from. First the stage of
# the own grid and its lines. Then the same of the grid with the lowest foretold total of the
# others. A stage of NO_STAGE: its seat has no turn any more, so REST contains its total.
STAGE, CODES, OTHER_STAGE, OTHER_CODES = 0, 1, 7, 8
COLUMNS = OTHER_CODES + 6
NO_STAGE = -1
# Numbers of a view: what unknown cards count, own and the other's, and the rest of the lead.
OWN_UNKNOWN, OTHER_UNKNOWN, REST = range(3)
NUMBERS = 3
OF_TEN = 10
OTHER_SOURCE = 4  # of ten trials where there is a choice: draw or take; of the others: a place
ANY_PLACE = 3  # of ten trials of a place: any other, otherwise one of the best few
BEST_FEW = 4
PLAYED, TRIED = range(2)


@inlined
def lowest_other(tables, table, seats, viewer, down, to_come, mean):
    """Return the seat with the lowest foretold total of the others, and this total."""
    lowest, found = FAR, 0
    for other in range(seats):
        if other != viewer:
            total, _ = total_of_other(tables, table, other, seats, viewer, down, to_come, mean)
            if total < lowest:
                lowest, found = total, other
    return found, lowest


@inlined
def note_grid(grid, stage, columns, first):
    """Write a stage, and behind it the lines of a grid."""
    columns[first] = stage
    for line in range(6):
        columns[first + 1 + line] = line_of(grid, line)


@inlined
def note_view(tables, table, seat, seats, offered, columns, numbers):
    """Write what a seat's chance to win is foretold from, after its turn.

    offered: what the card that went to the discards costs, see `learned.OFFER`. columns:
    int16[COLUMNS]. numbers: float32[NUMBERS].
    """
    mean = mean_of(tables.points, without_known(table, seat))
    above = mean - tables.learned.mean
    down = face_down(table[UP + seat])
    to_come = turns_to_come(table, seats)
    grid = seen_grid(tables.spread, table, seat, seat)
    note_grid(grid, 10 * down + fewest_down(table, seat, seats, seat), columns, STAGE)
    numbers[OWN_UNKNOWN] = unknown_in(grid) * above
    other, total = lowest_other(tables, table, seats, seat, down, to_come, mean)
    rest = -table[BESIDE + seat] - offered
    grid = seen_grid(tables.spread, table, other, seat)
    if (other - seat) % seats > to_come:
        note_grid(grid, NO_STAGE, columns, OTHER_STAGE)
        numbers[OTHER_UNKNOWN] = 0.0
        numbers[REST] = rest + total
    else:
        fewest = min(down, fewest_down(table, seat, seats, other))
        stage = 10 * face_down(table[UP + other]) + fewest
        note_grid(grid, stage, columns, OTHER_STAGE)
        numbers[OTHER_UNKNOWN] = unknown_in(grid) * above
        numbers[REST] = rest + table[BESIDE + other]


@inlined
def another_place(tables, policies, table, seat, seats, kind, source, place, word, costs):
    """Return another place for a number or a joker: one of those that seem best, or any.

    place: where the policy puts it. costs: float64[CELLS + 1], overwritten.
    """
    places = CELLS + np.int64(source == DRAW)
    if below(word, OF_TEN) < ANY_PLACE:
        other = np.int64(below(mix(word), places - 1))
        return other + (other >= place)
    write_costs(tables, policies, table, seat, seats, kind, costs)
    costs[place] = FAR
    for _ in range(below(mix(word), BEST_FEW)):
        costs[costs[:places].argmin()] = FAR
    return np.int64(costs[:places].argmin())


@inlined
def try_turn(
    tables, policies, table, seat, seats, source, other_place, words, given, costs, columns, numbers
):
    """Play a turn from a source, and note what the seat sees after it; it is not counted yet.

    other_place: whether a number or a joker goes elsewhere than the policy puts it. words: random
    ones, for the card, the policy and the other place. given, costs: float64[UNKNOWN + 1] and
    [CELLS + 1], overwritten. columns, numbers: see `note_view`.
    """
    draws, coins, word = words
    kind = get_card(table, np.int64(source), draws)
    given[:] = 0.0
    if table[LAST] != 1:  # there is a next player
        follower = seat + 1 if seat + 1 < seats else 0
        theirs = seen_grid(tables.spread, table, follower, seat)
        find_gifts(tables, theirs, mean_of(tables.points, without_known(table, seat)), given)
    place = np.int64(
        choose_place(tables, policies, table, seat, seats, kind, source == DRAW, coins)
    )
    offered = 0.0
    if kind < DRAMA:
        if other_place:
            place = another_place(
                tables, policies, table, seat, seats, kind, source, place, word, costs
            )
        offered = given[kind]
        if place < CELLS:
            offered = given[kind_at(seen_grid(tables.spread, table, seat, seat), place)]
    lay_card(tables, table, seat, kind, place)
    note_view(tables, table, seat, seats, offered, columns, numbers)


@inlined
def share_of(table, seat, seats):
    """Return the share of a round that a seat has won."""
    lowest, shared = lowest_score(table, PENALTY, seats)
    return (table[PENALTY + seat] == lowest) / shared


@compiled
def try_rounds(rules, policies, tables, seed, rounds, learns, every, views, numbers, won, who):
    """Play rounds; one turn in `every` is also played otherwise, to the end of the round.

    learns: bool of each seat, whether its turns are tried. Room for n trials, each as the policy
    plays and otherwise: views: int16[n, 2, COLUMNS] and numbers: float32[n, 2, NUMBERS], see
    `note_view`. won: float32[n, 2], the share of the round. who: int8[n], the seat whose turn it
    was. Stops when they are full. Returns the numbers of trials and of rounds.
    """
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    branch = np.zeros(TABLE_SIZE, np.int64)
    costs = np.zeros(CELLS + 1)
    given = np.zeros(UNKNOWN + 1)
    key, gamma = stream_of(seed)
    lane = gamma << np.uint64(10)
    count = 0
    for game in range(rounds):
        if count + MAX_TURNS > len(won):
            return count, game
        deal(rules, table, seats, key, gamma, game, 0)
        draws = lane_start(key, gamma, game, 0, DICE)
        coins = lane_start(key, gamma, game, 0, COINS)
        word = lane_start(key, gamma, game, 0, STUDY)
        seat, number, began = 0, 0, count
        table[ENDED] = 0
        while table[ENDED] == 0:
            at = lane * np.uint64(seat) + gamma * np.uint64(number)
            word += gamma
            source = np.int64(PASS)
            if learns[seat] and table[TURNS] < MAX_TURNS and below(mix(word), every) == 0:
                refill_or_end(rules, table)
                if table[ENDED]:
                    break
                source, coin = choose_source(tables, policies, table, seat, seats, mix(coins + at))
            if source == PASS:
                one_turn(
                    rules, tables, policies, table, seat, seats, mix(draws + at), mix(coins + at),
                    NOWHERE,
                )  # fmt: skip
            else:
                for i in range(TABLE_SIZE):
                    branch[i] = table[i]
                chosen = mix(mix(word))
                words = mix(draws + at), coin, mix(chosen)
                takes = table[HEIGHT] > 0 and table[STACK + table[HEIGHT] - 1] < DRAMA
                turned = takes and table[PILE] > 0 and below(chosen, OF_TEN) < OTHER_SOURCE
                other = DRAW + TAKE - source if turned else source
                try_turn(
                    tables, policies, branch, seat, seats, other, not turned, words, given, costs,
                    views[count, TRIED], numbers[count, TRIED],
                )  # fmt: skip
                finish_round(
                    rules, tables, policies, branch, seat, seats, key, gamma, game, NOWHERE
                )
                settle(tables.scoring, branch, seats)
                won[count, TRIED] = share_of(branch, seat, seats)
                try_turn(
                    tables, policies, table, seat, seats, source, False, words, given, costs,
                    views[count, PLAYED], numbers[count, PLAYED],
                )  # fmt: skip
                if after_turn(table, seat, seats):
                    table[ENDED] = DONE
                who[count] = seat
                count += branch[ENDED] != ABANDONED
            seat = seat + 1 if seat + 1 < seats else 0
            number += seat == 0
        if table[ENDED] == ABANDONED:
            count = began
            continue
        settle(tables.scoring, table, seats)
        for row in range(began, count):
            won[row, PLAYED] = share_of(table, who[row], seats)
    return count, rounds
