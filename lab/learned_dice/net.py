"""Decisions of played games of Lama Dice, played out both ways, and what learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lab.nets import ERRORS, GAIN, SPREAD, add_rows, go_down, go_up
from lama_odds.games.dice.engine.policy_kernels import LEARNED
from lama_odds.games.dice.engine.round_loop import (
    AS_POLICY,
    ENDED,
    LAST_ACTOR,
    OTHERS_IN,
    PAUSED,
    RESUME,
    ROLL,
    ROW_LEFT,
    deal,
    play_round,
    seat_policies,
    set_table,
    sit_down,
)
from lama_odds.games.dice.engine.tables import (
    AHEAD,
    BLOCK,
    FAMILY,
    HAND,
    NEXT,
    PARAMETER,
    PENALTY,
    SCORE,
    SCRATCH,
    PlayTables,
)
from lama_odds.games.dice.engine.trained import (
    CLEAR,
    FIRST,
    MOST_ROWS,
    SECOND,
    write_rows,
)
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    FULL_ROW,
    MATCH,
    MISS,
    discard_option,
    discard_options,
    kinds_of,
    lowest_kind,
    most_discarded,
    quitting_cost,
    roll_case,
    roll_kinds,
    row_ends_round,
)
from lama_odds.games.interface.match_equity import CHANCE, Equities, find_chances, new_room
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.shared.seating import add_penalties, all_in, leave
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, below, lane_start, mix, stream_of

# Decisions of played games of Lama Dice, each played out after two choices.
#
# Some decisions are chosen by chance. The rest of the round is played after either choice with the
# same dice, and they are new ones: so what differs comes from the choice. What a choice is worth is
# the chance to win the game after the round, by a match equity table.

EVERY_ROLL, EVERY_CHOICE, EVERY_LAST = 2, 3, 3  # one of so many decisions of a kind
UNIT = 10.0  # worths are tenths of a chance to win: sizes that are learned well
QUITS, ROLLS, DISCARDS, TAKES = range(4)


class Decisions(NamedTuple):
    """Decisions of one kind, and how much better the first choice is than the second.

    rows: int16[n, situations, MOST_ROWS], see `trained.write_rows`: of a player who can roll or
    quit one situation, otherwise two, what either choice leaves. numbers: int16[n], how many of
    them count. worths: float32[n].
    """

    rows: np.ndarray
    numbers: np.ndarray
    worths: np.ndarray


@inlined
def begin_choice(rules, points, branch, seat, row, choice, cards, result):
    """Carry out a choice other than rolling; return the row, and whether the round continues."""
    hand = branch[HAND + seat]
    result[LAST_ACTOR] = seat
    if choice == DISCARDS:
        branch[HAND + seat] = hand - cards
        return row, True
    if choice == TAKES:
        branch[HAND + seat] = hand + (1 << 4 * cards)
        row &= ~(1 << cards)
        return row, not row_ends_round(rules, row)
    leave(branch, seat, quitting_cost(rules, points[kinds_of(hand)]))
    return row, True


@compiled
def worth_of_choice(
    rules, tables, equities, luck, table, branch, seats, others, row, seat, choice, cards, result,
    room,
):  # fmt: skip
    """Return what a choice is worth to its player, with one possible rest of the round.

    luck: key, gamma and the number of the dice. cards: discarded, packed, or the kind taken.
    """
    key, gamma, number = luck
    for i in range(SCRATCH):
        branch[i] = table[i]
    sit_down(rules, tables.rolls, branch, seats, key, gamma, number, 0)
    first, begin, goes_on = seat, ROLL, True
    if choice != ROLLS:
        first, begin = branch[NEXT + seat], AS_POLICY
        row, goes_on = begin_choice(
            rules, tables.points, branch, seat, row, choice, cards, result
        )  # fmt: skip
        if choice == QUITS:
            goes_on = others > 0
            others -= 1
    if goes_on:
        play_round(
            rules, tables, gamma, branch, seats, others, row, first, begin, False, False, result
        )
    else:
        for s in range(seats):
            if branch[PENALTY + s] < 0:
                branch[PENALTY + s] = tables.points[kinds_of(branch[HAND + s])]
    add_penalties(branch, seats)
    find_chances(equities, branch, SCORE, seats, result[LAST_ACTOR], room)
    return room[CHANCE, seat] / EQUITY * UNIT


@inlined
def note_rows(points, table, seats, seat, hand, row, others, into, index, at):
    """Write the rows of a situation among decisions."""
    played = table[BLOCK + seat]
    table[BLOCK + seat] = seats
    number = write_rows(points, hand, row, others, table, seat)
    table[BLOCK + seat] = played
    for i in range(number):
        into.rows[index, at, i] = table[SCRATCH + i]
    into.numbers[index] = number


@compiled
def note_rolling(
    rules, tables, equities, luck, table, branch, seats, others, row, seat, result, room, into,
    index,
):  # fmt: skip
    """Write a decision to roll or to quit among the others."""
    hand = table[HAND + seat]
    note_rows(tables.points, table, seats, seat, hand, row, others, into, index, 0)
    worth = 0.0
    for choice in range(ROLLS, QUITS - 1, -1):
        worth = (
            worth_of_choice(
                rules, tables, equities, luck, table, branch, seats, others, row, seat, choice, 0,
                result, room,
            )
            - worth
        )  # fmt: skip
    into.worths[index] = -worth


@compiled
def note_choice(
    rules, tables, equities, luck, table, branch, seats, others, row, seat, word, result, room,
    into, index,
):  # fmt: skip
    """Write two choices after the next roll of a seat among the others; return whether it has any.

    word: a random number, which chooses them.
    """
    roll, hand = table[AHEAD + seat], table[HAND + seat]
    case = roll_case(rules, kinds_of(hand), row, roll, others == 0)
    most = most_discarded(hand, roll)
    takeable = roll_kinds(roll) & row
    options = np.int64(0)
    if case == MATCH and most != hand:
        options = discard_options(most)
    elif case == MISS:
        left = takeable
        while left:
            left &= left - 1
            options += 1
    if options < 2:
        return False
    one = below(word, options)
    other = (one + 1 + below(mix(word), options - 1)) % options
    worth = 0.0
    for at in range(1, -1, -1):
        number = other if at else one
        choice = DISCARDS
        after, left = hand, row
        if case == MATCH:
            cards = discard_option(most, 1 + number)
            after -= cards
        else:
            choice = TAKES
            rest = takeable
            for _ in range(number):
                rest &= rest - 1
            cards = lowest_kind(rest)
            after += 1 << 4 * cards
            left &= ~(1 << cards)
        note_rows(tables.points, table, seats, seat, after, left, others, into, index, at)
        worth = (
            worth_of_choice(
                rules, tables, equities, luck, table, branch, seats, others, row, seat, choice,
                cards, result, room,
            )
            - worth
        )  # fmt: skip
    into.worths[index] = worth
    return True


@inlined
def note(
    rules, tables, equities, luck, words, table, branch, seats, others, row, seat, result, room,
    rolling, choosing, rolls, choices,
):  # fmt: skip
    """Write decisions of a seat among the others, by chance; return how many there are now.

    words: random numbers, one for each kind. rolls, choices: how many there were.
    """
    clear = others > 0 and tables.points[kinds_of(table[HAND + seat])] >= CLEAR
    wanted = rolls < rolling.numbers.size and not clear
    if wanted and (others == 0 or below(words[0], EVERY_ROLL) == 0):
        note_rolling(
            rules, tables, equities, luck, table, branch, seats, others, row, seat, result, room,
            rolling, rolls,
        )  # fmt: skip
        rolls += 1
    if choices < choosing.numbers.size and below(words[1], EVERY_CHOICE) == 0:
        choices += note_choice(
            rules, tables, equities, luck, table, branch, seats, others, row, seat, mix(words[1]),
            result, room, choosing, choices,
        )  # fmt: skip
    return rolls, choices


@inlined
def teaches(table, seat, decides):
    """Return whether decisions of a seat count; of `learned`, only those of the first networks."""
    family = table[FAMILY + seat]
    return family == decides and (family != LEARNED or table[PARAMETER + seat] == 0)


@compiled
def collect(rules, lineups, tables, equities, seed, decides, rolling, choosing):
    """Play games, and fill both kinds of `Decisions`; return the number of games.

    lineups: int64[lineups, seats, 3], rows of policies; each plays a game in turn. decides: the
    family whose decisions count.
    """
    seats = lineups.shape[1]
    table, result = set_table(lineups[0])
    branch, after = set_table(lineups[0])
    alone, _ = set_table(lineups[0])
    room = new_room()
    key, gamma = stream_of(seed)
    other_key = mix(key)
    rolls, choices, number, game = 0, 0, 0, 0
    while True:
        seat_policies(lineups[game % lineups.shape[0]], table)
        seat_policies(lineups[game % lineups.shape[0]], branch)
        table[SCORE : SCORE + seats] = 0
        starter = 0
        for round_ in range(MAX_ROUNDS):
            start = sit_down(rules, tables.rolls, table, seats, key, gamma, game, round_)
            deal(rules, table, seats, start, gamma)
            all_in(table, seats)
            seat, others, row, begin = starter, seats - 1, FULL_ROW, AS_POLICY
            word = lane_start(key, gamma, game, round_, STUDY)
            while True:
                play_round(
                    rules, tables, gamma, table, seats, others, row, seat, begin, True, False,
                    result,
                )  # fmt: skip
                if result[ENDED] != PAUSED:
                    break
                begin = RESUME
                seat, others, row = result[LAST_ACTOR], result[OTHERS_IN], result[ROW_LEFT]
                if not teaches(table, seat, decides):
                    continue
                number += 1
                luck = (other_key, gamma, number)
                words = (mix(word), mix(word + gamma))
                word += gamma + gamma
                rolls, choices = note(
                    rules, tables, equities, luck, words, table, branch, seats, others, row, seat,
                    after, room, rolling, choosing, rolls, choices,
                )  # fmt: skip
                if others == 1 and below(mix(words[0]), EVERY_LAST) == 0:
                    # As if this one quit now: what the last one does then.
                    for i in range(SCRATCH):
                        alone[i] = table[i]
                    penalty = tables.points[kinds_of(table[HAND + seat])]
                    leave(alone, seat, quitting_cost(rules, penalty))
                    rolls, choices = note(
                        rules, tables, equities, luck, words, alone, branch, seats, 0, row,
                        table[NEXT + seat], after, room, rolling, choosing, rolls, choices,
                    )  # fmt: skip
                if rolls == rolling.numbers.size and choices == choosing.numbers.size:
                    return game + 1
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = result[LAST_ACTOR]
        game += 1


def decisions(
    rules: DiceRules,
    lineups: Sequence[np.ndarray],
    tables: PlayTables,
    equities: Equities,
    seed: int,
    decides: int,
    sizes: tuple[int, int],
) -> tuple[Decisions, Decisions]:
    """Return this many decisions to roll or quit, and of what to discard or take."""
    rolling, choosing = (
        Decisions(
            np.zeros((size, situations, MOST_ROWS), np.int16),
            np.zeros(size, np.int16),
            np.zeros(size, np.float32),
        )
        for size, situations in zip(sizes, (1, 2), strict=True)
    )
    collect(rules.columns, np.array(lineups), tables, equities, seed, decides, rolling, choosing)
    return rolling, choosing


# Teach a network how much better one choice is than another; gains are beside the other one.

SIZES = (FIRST, SECOND, 1)


@compiled
def teach(net, slopes, seen, chosen, learns, stats):
    """Add up what decisions teach, and how well they are foretold.

    net, slopes: `Net`. seen: `Decisions`. chosen: int64, the numbers of the decisions. learns:
    whether slopes are wanted.
    """
    situations = seen.rows.shape[1]
    first, second = np.zeros((2, FIRST), np.float32), np.zeros((2, SECOND), np.float32)
    results, pulls = np.zeros((2, 1), np.float32), np.zeros(1, np.float32)
    back = np.zeros(FIRST, np.float32)
    for n in chosen:
        number = seen.numbers[n]
        for at in range(situations):
            add_rows(net, FIRST, seen.rows[n, at], number, first[at])
            go_up(net, SIZES, first[at], second[at], results[at])
        foretold = results[0, 0] - results[1, 0]
        worth = seen.worths[n]
        error = foretold - worth
        stats[ERRORS] += error * error
        stats[SPREAD] += worth * worth
        stats[GAIN] += worth if foretold > 0 else -worth
        if learns:
            pulls[0] = error
            for at in range(situations):
                go_down(net, slopes, SIZES, first[at], second[at], pulls, back)
                for i in range(number):
                    row = seen.rows[n, at, i]
                    for x in range(FIRST):
                        slopes.rows[row, x] += back[x]
                pulls[0] = -error
