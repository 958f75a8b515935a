"""The compiled loop of a round of No Prob-Lama, and the steps between rounds."""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import lowest_score
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, last_hidden
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY, choose_place, choose_source
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    ALL_UP,
    BESIDE,
    CELLS,
    CLOSER,
    DONE,
    DRAMA,
    EMPTY,
    ENDED,
    GRID,
    HEIGHT,
    HELD,
    HELD_BY,
    HELD_SOURCE,
    KNOWN,
    LAST,
    LLAMAS,
    PACK,
    PAUSED,
    PENALTY,
    PILE,
    PLAYED,
    REFILLED,
    SCORE,
    STACK,
    TARGET_NOW,
    TURNS,
    UNSEEN,
    UP,
    kind_at,
    push,
    refill,
    score,
    take_card,
    with_card,
)
from lama_odds.jit import for_all, inlined, small
from lama_odds.luck.stream import COINS, DEAL, DICE, MAX_ROUNDS, below, lane_start, mix

MAX_TURNS = 1_000
DEALT_AT_ONCE = 5  # cards from one word
MANY = 5
NO_PLACE = 15
# Where a study stops a round with the card in hand (ENDED is PAUSED): if it could end the round in
# a cell; or at every card drawn.
NOWHERE, AT_THE_LAST, AT_CARDS = range(3)
NOT_NEGATIVE = 7  # of seats: an index that the compiler knows not to be negative costs less


@inlined
def deal(rules, table, seats, key, gamma, game, round_):
    """Deal the grids and open the discards; the rest is the pile."""
    start = lane_start(key, gamma, game, round_, DEAL)
    numbers = rules[transition.PILE_PACK]
    others = rules[transition.PILE_PACK + 1]
    left = rules[transition.CARDS]
    word = np.uint64(0)
    until = 0
    for seat in range(seats):
        grid = 0
        for cell in range(CELLS):
            if until == 0:
                word = mix(start)
                start += gamma
                until = DEALT_AT_ONCE
            kind, numbers, others = take_card(numbers, others, below(word, left))
            word *= np.uint64(left)
            until -= 1
            left -= 1
            grid |= kind << 4 * cell
        table[GRID + seat] = grid
        table[UP + seat] = 0
        table[KNOWN + seat] = rules[transition.PEEKED]
        table[BESIDE + seat] = 0
    if until == 0:
        word = mix(start)
    kind, numbers, others = take_card(numbers, others, below(word, left))
    table[PACK] = numbers
    table[PACK + 1] = others
    table[PILE] = left - 1
    table[HEIGHT] = 1
    table[STACK] = kind
    table[UNSEEN] = rules[transition.DECK] - (1 << 4 * kind)
    table[REFILLED] = 0
    table[LAST] = -1
    table[TURNS] = 0
    table[CLOSER] = -1


@small
def packed_turn(seat, source, kind, place, replaced):
    """Return a turn as one number."""
    return seat | source << 4 | kind << 8 | place << 12 | replaced << 16


@inlined
@for_all
def log_turn(log, seat, source, kind, place, replaced):
    """Add a turn to a log: log[0] counts the entries."""
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = packed_turn(seat, source, kind, place, replaced)


@inlined
def get_card(table, takes, draws):
    """Take the top discard, or draw a card by a random word. takes: 1 or 0.

    Both are looked up and one is kept, without branches, because branch prediction would fail. A
    card that was drawn counts as seen from now on, unless the pile was made of discards.
    """
    table[HEIGHT] -= takes
    top = table[STACK + (table[HEIGHT] & 255)]
    keep = -takes  # all ones: for a discard, a card beyond the last is drawn, which does not exist
    drawn, first, second = take_card(table[PACK], table[PACK + 1], below(draws, table[PILE]) | keep)
    table[PACK] = first
    table[PACK + 1] = second
    draws_one = 1 - takes
    table[PILE] -= draws_one
    kind = drawn ^ keep & (drawn ^ top)
    table[UNSEEN] -= (draws_one & (1 - table[REFILLED])) << 4 * kind
    return kind


@inlined
def refill_or_end(rules, table):
    """Handle an empty pile at the start of a turn."""
    if table[PILE] == 0:
        if rules[transition.REFILL]:
            refill(table)
        else:
            table[ENDED] = EMPTY


@inlined
@for_all
def lay_card(tables, table, seat, kind, place):
    """Put a card in a cell, on the discards, or beside the grid that gets it.

    Returns the card that it replaces, or NO_PLACE.
    """
    if kind >= DRAMA:
        table[BESIDE + place] += tables.points[kind]
        return NO_PLACE
    if place == PUT_AWAY:
        push(table, kind)
        return NO_PLACE
    replaced = kind_at(table[GRID + seat], place)
    table[UNSEEN] -= (1 ^ (table[UP + seat] >> place & 1)) << 4 * replaced
    table[GRID + seat] = with_card(table[GRID + seat], place, kind)
    table[UP + seat] |= 1 << place
    push(table, replaced)
    return replaced


@inlined
@for_all
def use_card(rules, tables, policies, table, seat, seats, kind, source, place, word):
    """Use a card: put it in the grid, discard it, or give it to another seat.

    place: a cell, PUT_AWAY, or for a special the seat that gets it; or AS_POLICY.
    """
    log = tables.log
    if place == AS_POLICY:
        place = choose_place(tables, policies, table, seat, seats, kind, source == DRAW, word)
    replaced = lay_card(tables, table, seat, kind, place)
    if log.size:
        log_turn(log, seat, source, kind, place, replaced)


@inlined
def play_turn(rules, tables, policies, table, seat, seats, draws, coins, source, place, pause):
    """Play a turn; source, place: the action, or AS_POLICY. draws, coins: random words.

    pause: where to stop, see NOWHERE.
    """
    word = coins
    if source == AS_POLICY:
        source, word = choose_source(tables, policies, table, seat, seats, word)
    if source == PASS:
        if tables.log.size:
            log_turn(tables.log, seat, source, NO_PLACE, NO_PLACE, NO_PLACE)
        return
    kind = get_card(table, source, draws)
    if pause == AT_THE_LAST:
        stops = kind < DRAMA and table[LAST] < 0 and last_hidden(table[UP + seat]) >= 0
    else:
        stops = pause == AT_CARDS and source == DRAW
    if stops:
        table[ENDED] = PAUSED
        table[HELD] = kind
        table[HELD_SOURCE] = source
        table[HELD_BY] = seat
        return
    use_card(rules, tables, policies, table, seat, seats, kind, source, place, word)


@inlined
@for_all
def after_turn(table, seat, seats):
    """Return whether the round is over, after the turn of a seat."""
    table[TURNS] += 1
    if table[LAST] < 0:
        if table[UP + seat] != ALL_UP:
            return False
        table[LAST] = seats - 1
        table[CLOSER] = seat
    else:
        table[LAST] -= 1
    return table[LAST] == 0


@inlined
@for_all
def one_turn(rules, tables, policies, table, seat, seats, draws, coins, pause):
    """Play a turn as the policy of a seat does; ENDED says why the round is over, if it is.

    It is not counted if there was no card for it, or if it was stopped, see `play_turn`.
    """
    if table[TURNS] >= MAX_TURNS:
        table[ENDED] = ABANDONED
    else:
        refill_or_end(rules, table)
    if table[ENDED] == 0:
        play_turn(
            rules, tables, policies, table, seat, seats, draws, coins, AS_POLICY, AS_POLICY, pause
        )
        if table[ENDED] == 0 and after_turn(table, seat, seats):
            table[ENDED] = DONE


@inlined
@for_all
def play_on(rules, tables, policies, table, first, seats, key, gamma, game, round_, pause):
    """Play turns until the round ends; `first` started it (TURNS turns are played).

    pause: see `play_turn`; a turn with a stop is not counted yet.
    """
    draws = lane_start(key, gamma, game, round_, DICE)
    coins = lane_start(key, gamma, game, round_, COINS)
    lane = gamma << np.uint64(10)
    seat = (first + table[TURNS]) % seats & NOT_NEGATIVE
    number = table[TURNS] // seats
    table[ENDED] = 0
    while table[ENDED] == 0:
        at = lane * np.uint64(seat) + gamma * np.uint64(number)
        one_turn(
            rules, tables, policies, table, seat, seats, mix(draws + at), mix(coins + at), pause
        )
        seat = (seat + 1 if seat + 1 < seats else 0) & NOT_NEGATIVE
        number += seat == first


@inlined
def finish_round(rules, tables, policies, table, seat, seats, key, gamma, game, pause):
    """Play a first round after a turn of a seat, unless that was the last; see `play_on`."""
    if after_turn(table, seat, seats):
        table[ENDED] = DONE
    else:
        play_on(rules, tables, policies, table, 0, seats, key, gamma, game, 0, pause)


@inlined
def settle(scoring, table, seats):
    """Count the grids of a round that has ended."""
    for seat in range(seats):
        table[PENALTY + seat] = score(scoring, table[GRID + seat]) + table[BESIDE + seat]


@inlined
def play_dealt(rules, tables, policies, table, seats, key, gamma, game, round_, starter):
    """Deal a round, play it and count it."""
    deal(rules, table, seats, key, gamma, game, round_)
    play_on(rules, tables, policies, table, starter, seats, key, gamma, game, round_, NOWHERE)
    settle(tables.scoring, table, seats)


@inlined
def begin_game(rules, table, seats):
    """Remove all llamas."""
    for seat in range(seats):
        table[SCORE + seat] = 0
        table[LLAMAS + seat] = 0
    table[PLAYED] = 0
    table[TARGET_NOW] = rules[transition.TARGET_MANY] if seats >= MANY else rules[transition.TARGET]


@inlined
def close_round(rules, table, seats, played):
    """Add a round to the standing; return whether the game has ended.

    played: rounds with this one.
    """
    lowest, shared = lowest_score(table, PENALTY, seats)
    for seat in range(seats):
        table[SCORE + seat] += table[PENALTY + seat]
    if rules[transition.FOUR_ROUNDS]:
        return played >= rules[transition.FOUR_ROUNDS]
    reached = 0
    for seat in range(seats):
        table[LLAMAS + seat] += table[PENALTY + seat] == lowest
        reached += table[LLAMAS + seat] >= table[TARGET_NOW]
    if rules[transition.ANY_TIE] and shared > 1 and reached:
        table[TARGET_NOW] += 1
        reached = at_target(table, seats)
    while reached > 1:
        table[TARGET_NOW] += 1
        reached = at_target(table, seats)
    return reached == 1


@inlined
def at_target(table, seats):
    """Return how many seats have enough llamas to win."""
    reached = 0
    for seat in range(seats):
        reached += table[LLAMAS + seat] >= table[TARGET_NOW]
    return reached


@inlined
def share_of(rules, table, seat, seats):
    """Return (whether a seat has won, by how many the win is shared) for a finished game."""
    if rules[transition.FOUR_ROUNDS]:
        lowest, shared = lowest_score(table, SCORE, seats)
        return table[SCORE + seat] == lowest, shared
    return table[LLAMAS + seat] >= table[TARGET_NOW], 1


@inlined
def play_out(rules, tables, policies, table, seats, key, gamma, game, played, starter):
    """Play whole rounds until the game ends; return its rounds, or 0 if it has no end.

    played: rounds before. starter: of the next one.
    """
    while played < MAX_ROUNDS - 1:
        play_dealt(rules, tables, policies, table, seats, key, gamma, game, played, starter)
        table[PLAYED] += table[TURNS]
        if table[ENDED] == ABANDONED:
            return 0
        played += 1
        if close_round(rules, table, seats, played):
            return played
        starter = starter + 1 if starter + 1 < seats else 0
    return 0
