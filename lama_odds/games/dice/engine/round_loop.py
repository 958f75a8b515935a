"""The compiled loop of a round of Lama Dice, from a deal or from any point in it.

Everything on the table is in one array, see `table_rows`.
"""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import BITS
from lama_odds.games.dice.engine.policy_kernels import (
    HANDS,
    PASSED_ON,
    ROLLING,
    VALUES,
    chosen_discard,
    chosen_take,
    hand_index,
    rolls_on,
    token_of_block,
    with_token,
)
from lama_odds.games.dice.engine.tables import (
    AHEAD,
    BLOCK,
    COINS_AT,
    COST,
    DICE_AT,
    FAMILY,
    HAND,
    KINDS_HELD,
    NEXT,
    PARAMETER,
    PENALTY,
    SCORE,
    SCRATCH,
    TABLE_SIZE,
)
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import (
    BLOWN,
    FULL_ROW,
    LLAMAS,
    MATCH,
    kinds_of,
    most_discarded,
    roll_case,
    roll_kinds,
)
from lama_odds.games.shared.card_values import returned_token
from lama_odds.games.shared.seating import all_in, at_the_end, leave, leeway, settled_alone
from lama_odds.jit import allocating, for_all, inlined
from lama_odds.luck.stream import COINS, DEAL, DICE, below, lane_start, mix

# Places of a round's result, int64[RESULT_SIZE].
LAST_ACTOR = 0
ACTIONS = 1
ENDED = 2
ENDED_BY = 3
OTHERS_IN = 4  # others still in, when paused
ROW_LEFT = 5  # the row, when paused
ALL_ACTIONS = 6  # of the game so far, updated by `kernels.play_out`
LUCK = 7  # of the rolls of seat 0, if it is wanted: added to what is there, in LUCK_UNITs
RESULT_SIZE = 8

LUCK_BITS = 32
LUCK_UNIT = 1 / (1 << LUCK_BITS)  # of a point
# Added to a packed hand, it sets the bits MANY where a kind is held more than twice.
TO_MANY = 0x5555555
MANY = 0x8888888

NO_LEEWAY = np.float32(0)

# How a round ended.
ALL_QUIT = 0
WENT_OUT = 1
BLEW = 2
ROW_EMPTY = 3
PAUSED = 4

# What a log contains of a turn, besides the seat and the roll.
QUIT = 0
RETURNED = 1
DISCARDED = 2
TOOK = 3
BLEW_IT = 4

# First decision of `play_round`: the policy's, rolling, or the policy's after a pause.
AS_POLICY = 0
ROLL = 1
RESUME = 2

DICE_BITS = (1 << 4 * transition.MAX_DICE) - 1

_LANE_BITS = np.uint64(10)
_EACH_BYTE = np.uint64(0x01010101010101)
_ALL_BUT_TOP = np.uint64(0x7F7F7F7F7F7F7F)
_ONE = np.uint64(1)


@inlined
@for_all
def log_turn(log, seat, event, roll, pick):
    """Add a turn to a log: log[0] counts the entries, each packs seat, event, dice and cards.

    Seat and event have four bits each, the kinds shown by the dice 20, the cards (packed as a hand;
    for TOOK a kind) 28. A full log continues counting, so that the caller sees it was too short.
    """
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = seat | event << 4 | (roll & DICE_BITS) << 8 | pick << 28


@inlined
@for_all
def sit_down(rules, rolls, table, seats, key, gamma, game, round_):
    """Give every seat its lanes of random numbers for a round, and its first roll."""
    start = lane_start(key, gamma, game, round_, DEAL)
    for seat in range(seats):
        lane = start + gamma * (np.uint64(DICE + seat) << _LANE_BITS)
        table[AHEAD + seat] = rolls[below(mix(lane), rules[transition.ROLLS])]
        table[DICE_AT + seat] = np.int64(lane + gamma)
        table[COINS_AT + seat] = np.int64(start + gamma * (np.uint64(COINS + seat) << _LANE_BITS))
    return start


@inlined
def draw_card(pack, word, left):
    """Draw card number ``word * left >> 64`` of the remaining pack, kinds in ascending order.

    The pack has one cumulated byte for each kind. Comparing the number with all bytes at once gives
    the kind. Here each byte is 127 higher: its top bit is then set if it is above the number.
    """
    chosen = np.uint64(below(word, np.int64(left)))
    return pack - ((pack - chosen * _EACH_BYTE) >> np.uint64(7) & _EACH_BYTE)


@inlined
def deal(rules, table, seats, start, gamma):
    """Deal the hands: seat by seat, six cards from each word of the deal lane."""
    pack = np.uint64(rules[transition.CUMULATIVE]) + _ALL_BUT_TOP
    left = np.uint64(rules[transition.DECK])
    for seat in range(seats):
        before = pack
        cards = rules[transition.DEALT]
        while cards >= 6:
            word = mix(start)
            start += gamma
            for _ in range(6):  # a fixed length helps the compiler
                pack = draw_card(pack, word, left)
                word *= left
                left -= _ONE
            cards -= 6
        if cards > 0:
            word = mix(start)
            start += gamma
            for _ in range(cards):
                pack = draw_card(pack, word, left)
                word *= left
                left -= _ONE
        drawn = before - pack
        drawn -= drawn << np.uint64(8)
        # Counts from bytes to nibbles.
        drawn &= np.uint64(0x0F0F0F0F0F0F0F)
        drawn = (drawn | drawn >> np.uint64(4)) & np.uint64(0x00FF00FF00FF00FF)
        drawn = (drawn | drawn >> np.uint64(8)) & np.uint64(0x0000FFFF0000FFFF)
        table[HAND + seat] = np.int64((drawn | drawn >> np.uint64(16)) & np.uint64(0x0FFFFFFF))


@inlined
def hold(points, table, seat, hand):
    """Give a seat a hand, and note its kinds and points now, while nothing waits for them.

    At the next turn of the seat, what happens depends on them.
    """
    kinds = kinds_of(hand)
    table[HAND + seat] = hand
    table[KINDS_HELD + seat] = kinds
    table[COST + seat] = points[kinds]


@inlined
def take_roll(rolls, outcomes, gamma, table, seat):
    """Take the roll of a seat; its next one is looked up now, while nothing waits for it."""
    roll = table[AHEAD + seat]
    lane = np.uint64(table[DICE_AT + seat])
    table[AHEAD + seat] = rolls[below(mix(lane), outcomes)]
    table[DICE_AT + seat] = np.int64(lane + gamma)
    return roll


@inlined
def all_leeway(rules, points, table, seats, seat, penalty, others):
    """Return the points by which a `meanfield` values quitting less, from the scores.

    others: players still in beside this one.
    """
    parameter = table[PARAMETER + seat]
    ahead = leeway(parameter, table, SCORE, seats, seat, True)
    if parameter >> 4 * BITS == 0 and others > 0:
        return ahead
    lowest = np.int64(1) << 40
    highest = np.int64(0)
    for other in range(seats):
        if other != seat:
            cost = table[PENALTY + other]
            if cost < 0:
                cost = points[kinds_of(table[HAND + other])]
            lowest = min(lowest, table[SCORE + other] + cost)
            highest = max(highest, table[SCORE + other] + cost)
    mine = table[SCORE + seat] + transition.quitting_cost(rules, penalty)
    target = rules[transition.TARGET]
    if others == 0:
        settled = settled_alone(parameter, mine, lowest, highest, target)
        if settled != 0:
            return settled
    return ahead + at_the_end(parameter, mine, lowest, highest, target)


@inlined
def weighed_by(rules, points, values, table, seats, seat, penalty, others):
    """Return what a seat's policy uses beside its cards: its block of values, and its leeway.

    The leeway is `all_leeway`, minus what quitting costs besides the cards.
    """
    block = table[BLOCK + seat]
    ahead = NO_LEEWAY
    if table[FAMILY + seat] == VALUES:
        score = table[SCORE + seat]
        block = with_token(values, block, score, rules[transition.BLACK], rules[transition.PINK])
        ahead = all_leeway(rules, points, table, seats, seat, penalty, others)
        ahead -= np.float32(rules[transition.QUIT_COST])
    return block, ahead


@inlined
def luck_of(values, ranks, block, hand, row, expected):
    """Return the luck of a roll, in LUCK_UNITs: what the cards after it cost above `expected`.

    block: of the values table, for as many others as are still in.
    """
    cost = values[block, PASSED_ON, row * HANDS + hand_index(hand, ranks)]
    return np.int64((np.float64(cost) - np.float64(expected)) / LUCK_UNIT)


@inlined
def play_round(
    rules, tables, gamma, table, seats, others, row, first, begin, pause, adjusts, result
):  # fmt: skip
    """Play a round from the point where seat `first` decides to quit or roll.

    A seat's turn number t of the round reads its coins 2 t (quit or roll) and 2 t + 1 (what to
    discard or take), needed or not.

    tables: see `PlayTables`.
    others: seats still in beside `first`.
    begin: AS_POLICY, ROLL or RESUME.
    pause: whether to stop, PAUSED, before a seat decides while others are still in.
    adjusts: whether to measure the luck of the rolls of seat 0, if its policy has a values table.
    The table has the mean cost of rolling, and what each roll leads to: the luck of a roll is the
    difference, and has mean 0 whatever the others do. Hands with more than two cards of a kind are
    left out, because the table does not tell them apart.

    Sets all penalties, the hands at the end of the round, the scores (minus tokens returned), the
    log and `result`.
    """
    rolls, points, log = tables.rolls, tables.points, tables.log
    values, ranks = tables.values, tables.ranks
    outcomes = rules[transition.ROLLS]
    black = rules[transition.BLACK]
    pink = rules[transition.PINK]
    for s in range(seats):
        hold(points, table, s, table[HAND + s])
    seat = first & 7  # the mask saves a test for negative indices at every access
    actions = 0
    ended = ALL_QUIT
    while True:
        if pause and begin == AS_POLICY and others > 0:
            ended = PAUSED
            break
        actions += 1
        hand = table[HAND + seat]
        kinds = table[KINDS_HELD + seat]
        penalty = table[COST + seat]
        family = table[FAMILY + seat]
        coin = np.uint64(table[COINS_AT + seat])
        block, ahead = weighed_by(rules, points, values, table, seats, seat, penalty, others)
        if begin != ROLL and not rolls_on(
            family, table[PARAMETER + seat], block, penalty, ahead, hand, row, others, coin,
            tables, table, seat,
        ):  # fmt: skip
            leave(table, seat, transition.quitting_cost(rules, penalty))
            if log.size:
                log_turn(log, seat, QUIT, 0, 0)
            if others == 0:
                break
            others -= 1
        else:
            coin += gamma
            roll = take_roll(rolls, outcomes, gamma, table, seat)
            case = roll_case(rules, kinds, row, roll, others == 0)
            measured = adjusts and seat == 0 and family == VALUES and hand + TO_MANY & MANY == 0
            at = block + others
            expected = NO_LEEWAY
            if measured:
                expected = values[at, ROLLING, row * HANDS + hand_index(hand, ranks)]
            if case == MATCH:
                most = most_discarded(hand, roll)
                cards = chosen_discard(
                    family, block, most, hand, row, others, coin, tables, table, seat
                )
                hand -= cards
                hold(points, table, seat, hand)
                if measured:
                    result[LUCK] += luck_of(values, ranks, at, hand, row, expected)
                if log.size:
                    log_turn(log, seat, DISCARDED, roll, cards)
                if hand == 0:
                    table[SCORE + seat] -= transition.out_token(
                        rules, table[SCORE + seat], kinds_of(cards)
                    )
                    ended = WENT_OUT
                    break
            elif case == LLAMAS:
                if measured:
                    # What three llamas return in the table of the block (see `with_token`).
                    token = np.float32(token_of_block(table[SCORE + seat], black, pink))
                    result[LUCK] += luck_of(values, ranks, at, hand, row, expected + token)
                table[SCORE + seat] -= returned_token(table[SCORE + seat], black, pink)
                if log.size:
                    log_turn(log, seat, RETURNED, roll, 0)
            elif case == BLOWN:
                hold(points, table, seat, hand + transition.row_cards(row))
                if measured:
                    lost = table[COST + seat]
                    result[LUCK] += np.int64((lost - np.float64(expected)) / LUCK_UNIT)
                if log.size:
                    log_turn(log, seat, BLEW_IT, roll, 0)
                ended = BLEW
                break
            else:
                takeable = roll_kinds(roll) & row
                kind = chosen_take(
                    family, block, takeable, hand, row, others, coin, tables, table, seat
                )
                hold(points, table, seat, hand + (1 << 4 * kind))
                row &= ~(1 << kind)
                if measured:
                    result[LUCK] += luck_of(values, ranks, at, table[HAND + seat], row, expected)
                if log.size:
                    log_turn(log, seat, TOOK, roll, kind)
                if transition.row_ends_round(rules, row):
                    ended = ROW_EMPTY
                    break
            coin += gamma
        table[COINS_AT + seat] = np.int64(coin)
        seat = table[NEXT + seat] & 7
        begin = AS_POLICY
    result[OTHERS_IN] = others
    result[ROW_LEFT] = row
    for s in range(seats if ended != PAUSED else 0):
        penalty, cost = table[PENALTY + s], table[COST + s]
        table[PENALTY + s] = cost if penalty < 0 else penalty
    result[LAST_ACTOR] = seat
    result[ACTIONS] = actions
    result[ENDED] = ended
    result[ENDED_BY] = seat


# Set up a table (empty, dealt, or like another) and play rounds from there.


@allocating
def set_table(policies):
    """Return an empty table with the policies of the seats on it, and an array for a result."""
    table = np.zeros(TABLE_SIZE, np.int64)
    seat_policies(policies, table)
    return table, np.zeros(RESULT_SIZE, np.int64)


@inlined
def seat_policies(policies, table):
    """Write the policies of the seats on the table."""
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]


@inlined
def begin_game(table, seats):
    """Take all tokens off the seats."""
    for seat in range(seats):
        table[SCORE + seat] = 0


@inlined
@for_all
def begin_round(rules, tables, table, seats, key, gamma, game, round_):
    """Deal a round: all are in, each seat with its lanes of random numbers."""
    start = sit_down(rules, tables.rolls, table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)
    all_in(table, seats)


@inlined
@for_all
def play_dealt(rules, tables, key, gamma, game, round_, table, seats, first, result):
    """Deal a round and play it."""
    begin_round(rules, tables, table, seats, key, gamma, game, round_)
    play_round(
        rules, tables, gamma, table, seats, seats - 1, FULL_ROW, first, AS_POLICY, False, False,
        result,
    )  # fmt: skip


@inlined
def copy_table(table, copy):
    """Copy a table, except for what policies write down while they decide."""
    for i in range(SCRATCH):
        copy[i] = table[i]
