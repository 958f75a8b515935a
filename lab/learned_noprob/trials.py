"""Rounds that teach LEARNED by trial: turns played in two ways, and what they teach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lab import nets
from lama_odds.games.interface.tally_layout import lowest_score
from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PASS,
    TAKE,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.learned import (
    ABOVE,
    GONE,
    OF_OTHER,
    OFFERED,
    OTHERS,
    OUT,
    TENTH,
    TOTAL,
    UNITS,
    PlayTables,
    find_gifts,
)
from lama_odds.games.noprob.engine.planner import (
    FAR,
    face_down,
    fewest_down,
    line_kinds,
    total_of_other,
    turns_to_come,
    unknown_in,
)
from lama_odds.games.noprob.engine.policy_kernels import (
    FAMILY,
    LEARNED,
    choose_place,
    choose_source,
    write_costs,
)
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
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import Weights, expanded, policy_rows, tables_of
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    BESIDE,
    CELLS,
    DONE,
    DRAMA,
    ENDED,
    HEIGHT,
    LAST,
    MAX_SEATS,
    PENALTY,
    PILE,
    STACK,
    TABLE_SIZE,
    TURNS,
    UNKNOWN,
    UP,
    kind_at,
    line_of,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import COINS, DICE, STUDY, below, lane_start, mix, stream_of

# Rounds that teach LEARNED by trial: single turns are played in two ways, each to the end.
#
# Once as the policy plays, once otherwise, both with common random numbers. What they win says
# which way is better. A policy cannot learn from its own rounds alone about what it never does.

# A view is what a seat's chance to win after its turn is foretold from. Its columns are the stage
# and the lines of every grid, the own one first, then the others in turn order. NO_STAGE: the seat
# has no turn any more, so its `rest` is its total.
OF_SEAT = 7
COLUMNS = OF_SEAT * MAX_SEATS
NO_STAGE = -1
# Numbers of a view: for every seat what unknown cards count, and the rest of the total; `above`.
OF_UNKNOWN, REST, ABOVE_DECK = 0, MAX_SEATS, 2 * MAX_SEATS
COST = ABOVE_DECK + 1  # of what the next player is offered
NUMBERS = COST + 1
OF_TEN = 10
OTHER_SOURCE = 4  # of ten trials where there is a choice: draw or take; of the others: a place
ANY_PLACE = 3  # of ten trials of a place: any other, otherwise one of the best few
BEST_FEW = 4
# Most of what a turn can win or lose, it does near the end of a round. So turns are tried OFTEN
# times as often there: with at most so many own cards face down, or fewest of another player.
OFTEN, NEAR_DOWN, NEAR_FEWEST = 4, 2, 1
PLAYED, TRIED = range(2)


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
    note_grid(grid, 10 * down + fewest_down(table, seat, seats, seat), columns, 0)
    numbers[OF_UNKNOWN] = unknown_in(grid) * above
    numbers[REST] = table[BESIDE + seat] + offered
    numbers[ABOVE_DECK] = above
    numbers[COST] = offered
    for step in range(1, seats):
        other = (seat + step) % seats
        grid = seen_grid(tables.spread, table, other, seat)
        if step > to_come:
            note_grid(grid, NO_STAGE, columns, OF_SEAT * step)
            numbers[OF_UNKNOWN + step] = 0.0
            numbers[REST + step], _ = total_of_other(
                tables, table, other, seats, seat, down, to_come, mean
            )
        else:
            fewest = min(down, fewest_down(table, seat, seats, other))
            stage = 10 * face_down(table[UP + other]) + fewest
            note_grid(grid, stage, columns, OF_SEAT * step)
            numbers[OF_UNKNOWN + step] = unknown_in(grid) * above
            numbers[REST + step] = table[BESIDE + other]


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


@inlined
def near_end(table, seat, seats):
    """Return whether a round may be near its end, as a seat sees it."""
    down, fewest = face_down(table[UP + seat]), fewest_down(table, seat, seats, seat)
    return down <= NEAR_DOWN or fewest <= NEAR_FEWEST


@compiled
def try_rounds(rules, policies, tables, seed, rounds, learns, every, views, numbers, won, who):
    """Play rounds; one turn in `every` is also played otherwise, to the end of the round.

    Near that end it is OFTEN times as many.

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
            apart = every // OFTEN if near_end(table, seat, seats) else every
            if learns[seat] and table[TURNS] < MAX_TURNS and below(mix(word), apart) == 0:
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


# At which tables `learned` learns No Prob-Lama: among itself, and with `planner` in a seat.

RULES = "noprob/starnberger"
PLANNER = "planner:chase=40,lead=6,deny=18,haste=6"
ITSELF = 0.5  # share of the rounds that `learned` plays against itself


def seatings(seats: int) -> list[tuple[np.ndarray, float]]:
    """Return in which seats `learned` plays and learns, and the share of the rounds."""
    lineups = [(np.ones(seats, dtype=np.bool_), ITSELF)]
    for other in reversed(range(seats)):
        lineups.append((np.arange(seats) != other, (1 - ITSELF) / seats))
    return lineups


def rows_of(plays: np.ndarray) -> np.ndarray:
    """Return the policies at a table, for compiled code. plays: in which seats `learned` does."""
    rows = policy_rows([GAME.policy(PLANNER)] * len(plays))
    rows[plays, FAMILY] = LEARNED
    return rows


def tables_with(rules: NoprobRules, seats: int, weights: Weights) -> PlayTables:
    """Return what policies play by if `learned` has these weights."""
    base = tables_of(rules, [GAME.policy(PLANNER)] * seats)
    return base._replace(learned=expanded(weights, rules))


# Weights of `learned` that learn from trials: which of two ways of a turn wins more.
#
# The chance to win after a turn is a logistic curve of the foretold lead. What decides is how the
# chances of two ways differ, so the squared error of this difference is what steps of Adam make
# small. A part of the log loss of each chance keeps them near the truth.

BATCH = 4_096
LEVEL = np.float32(0.1)  # what the log loss of a chance counts beside the squared error
# How far a step goes at most, of a rate of 1: for each part of `Weights` but the network.
RATES = (0.03, 0.03, 0.003, 0.003)
BEGINS = 0.15  # size of the network's weights
LEAST_SLOPE = np.float32(0.01)  # of the logistic curve


class Trials(NamedTuple):
    """What was seen, and what was won, see `trials.try_rounds`."""

    views: np.ndarray
    numbers: np.ndarray
    won: np.ndarray

    @classmethod
    def room(cls, size: int) -> Trials:
        """Return room for a number of them."""
        return cls(
            np.empty((size, 2, COLUMNS), np.int16),
            np.empty((size, 2, NUMBERS), np.float32),
            np.empty((size, 2), np.float32),
        )

    def first(self, size: int) -> Trials:
        """Return the first of them."""
        return Trials(*(part[:size] for part in self))


class Memory(NamedTuple):
    """What Adam remembers of each part of `Weights`: the mean of slopes and that of squares."""

    means: Weights
    squares: Weights

    @classmethod
    def empty(cls, weights: Weights) -> Memory:
        """Return that before the first step."""
        return cls(*(Weights(*(np.zeros_like(part) for part in weights)) for _ in cls._fields))


@compiled
def foretell(weights, kinds, view, numbers, seats, totals, units):
    """Return the logarithm of the odds, and the place of the lowest total of the others.

    totals: float32[MAX_SEATS] and units: float32[UNITS] are filled in.
    """
    stage = view[0]
    total = numbers[REST] + weights.share[0, stage] * numbers[OF_UNKNOWN]
    for line in range(6):
        total += weights.own[stage, kinds[view[1 + line]]]
    totals[0] = total
    net = weights.net
    above = numbers[ABOVE_DECK]
    cost = numbers[COST] * TENTH
    offered = net.shape[0] + OFFERED + max(view[OF_SEAT] // 10, 0)
    for unit in range(UNITS):
        units[unit] = net[stage // 10, unit] + above * net[net.shape[0] + ABOVE, unit]
        units[unit] += cost * net[offered, unit]
    lowest = 1
    for step in range(1, seats):
        at = OF_SEAT * step
        stage = view[at]
        total = numbers[REST + step]
        row = first = OTHERS + OF_OTHER * (step - 1)
        row += GONE if stage == NO_STAGE else stage // 10
        if stage != NO_STAGE:
            total += weights.share[1, stage] * numbers[OF_UNKNOWN + step]
            for line in range(6):
                total += weights.theirs[stage, kinds[view[at + 1 + line]]]
        totals[step] = total
        if total < totals[lowest]:
            lowest = step
        lead = (total - totals[0]) * TENTH
        for unit in range(UNITS):
            units[unit] += net[row, unit] + lead * net[first + TOTAL, unit]
    slope, height = weights.chance[view[0]]
    odds = slope * (totals[lowest] - totals[0]) + height
    for unit in range(UNITS):
        odds += max(units[unit], np.float32(0)) * net[net.shape[0] + OUT, unit]
    return odds, lowest


@compiled
def add_slopes(weights, slopes, kinds, view, numbers, seats, totals, units, lowest, pull):
    """Add what a view adds to the slopes. pull: the slope by the logarithm of the odds.

    totals, units, lowest: see `foretell`; units are overwritten.
    """
    net, of_net = weights.net, slopes.net
    stage = view[0]
    slopes.chance[stage, 0] += pull * (totals[lowest] - totals[0])
    slopes.chance[stage, 1] += pull
    of_lead = pull * weights.chance[stage, 0]
    cost = numbers[COST] * TENTH
    offered = net.shape[0] + OFFERED + max(view[OF_SEAT] // 10, 0)
    for unit in range(UNITS):
        of_net[net.shape[0] + OUT, unit] += pull * max(units[unit], np.float32(0))
        out = net[net.shape[0] + OUT, unit]
        units[unit] = pull * out if units[unit] > 0 else np.float32(0)
        of_net[stage // 10, unit] += units[unit]
        of_net[net.shape[0] + ABOVE, unit] += numbers[ABOVE_DECK] * units[unit]
        of_net[offered, unit] += cost * units[unit]
    own = np.float32(0)
    for step in range(1, seats):
        at = OF_SEAT * step
        first = OTHERS + OF_OTHER * (step - 1)
        row = first + (GONE if view[at] == NO_STAGE else view[at] // 10)
        lead = (totals[step] - totals[0]) * TENTH
        change = of_lead if step == lowest else np.float32(0)
        for unit in range(UNITS):
            of_net[row, unit] += units[unit]
            of_net[first + TOTAL, unit] += lead * units[unit]
            change += TENTH * net[first + TOTAL, unit] * units[unit]
        own -= change
        if view[at] != NO_STAGE:
            slopes.share[1, view[at]] += change * numbers[OF_UNKNOWN + step]
            for line in range(6):
                slopes.theirs[view[at], kinds[view[at + 1 + line]]] += change
    slopes.share[0, stage] += own * numbers[OF_UNKNOWN]
    for line in range(6):
        slopes.own[stage, kinds[view[1 + line]]] += own


@compiled
def slopes_of(weights, slopes, kinds, trials, seats, chosen, level):
    """Add to the slopes of the loss of the chosen trials; return their squared error.

    level: see LEVEL. weights, slopes: of float32.
    """
    one = np.float32(1)
    totals, units = np.zeros((2, MAX_SEATS), np.float32), np.zeros((2, UNITS), np.float32)
    lowest = np.zeros(2, np.int64)
    chance, error = np.zeros((2, 2), np.float32)
    squares = 0.0
    for row in chosen:
        for way in range(2):
            odds, lowest[way] = foretell(
                weights, kinds, trials.views[row, way], trials.numbers[row, way], seats,
                totals[way], units[way],
            )  # fmt: skip
            chance[way] = one / (one + np.exp(-odds))
            error[way] = chance[way] - trials.won[row, way]
        gap = error[0] - error[1]
        squares += gap * gap
        for way in range(2):
            pull = gap * chance[way] * (one - chance[way])
            pull = level * error[way] + (pull if way == 0 else -pull)
            add_slopes(
                weights, slopes, kinds, trials.views[row, way], trials.numbers[row, way], seats,
                totals[way], units[way], lowest[way], pull,
            )  # fmt: skip
    return squares


@compiled
def played_odds(weights, kinds, trials, seats, odds):
    """Fill in the logarithm of the odds to win that the weights give each turn, as it was played.

    odds: float64[n], of n trials.
    """
    totals, units = np.zeros(MAX_SEATS, np.float32), np.zeros(UNITS, np.float32)
    for row in range(odds.size):
        odds[row], _ = foretell(
            weights, kinds, trials.views[row, PLAYED], trials.numbers[row, PLAYED], seats, totals,
            units,
        )  # fmt: skip


def first_net(seats: int) -> np.ndarray:
    """Return the network before it has learned: it corrects nothing."""
    rows = OTHERS + OF_OTHER * (seats - 1) - OFFERED
    net = np.random.default_rng(seats).standard_normal((rows, UNITS)) * BEGINS
    net[OUT] = 0
    return net.astype(np.float32)


def learn(
    weights: Weights, memory: Memory, trials: Trials, seats: int, rates: np.ndarray, number: int,
    random: np.random.Generator,
) -> tuple[int, float]:  # fmt: skip
    """Go through trials once, in random order; weights and memory change.

    rates: how far steps go, for each part of `Weights`. number: of the steps of Adam before.
    Returns the number of those after it, and the mean squared error as it was before each step.
    """
    kinds = line_kinds()
    slopes = Weights(*(np.zeros_like(part) for part in weights))
    order = random.permutation(len(trials.won))
    loss = 0.0
    batches = max(len(order) // BATCH, 1)
    for chosen in np.array_split(order, batches):
        loss += slopes_of(weights, slopes, kinds, trials, seats, chosen, LEVEL)
        number += 1
        for *parts, rate in zip(weights, slopes, *memory, rates, strict=True):
            flat = (part.reshape(-1) for part in parts)
            nets.step(*flat, rate, number, len(chosen))
        np.maximum(weights.chance[:, 0], LEAST_SLOPE, out=weights.chance[:, 0])
    return number, loss / max(len(order), 1)
