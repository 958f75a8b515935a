"""The value of cards in hand: situations of self-play, continued with other hands.

A first round is played with the policies of the seats, and one of its decisions is chosen at
random. From there the round is played to its end several times, by everybody's policy and with
common random numbers:

- with the same hand, and with one more card (from the pile)
- with other hands of equal size, each value once, from the pile and the own cards
- if a card like the top and one of the next value can be played, with each of the two first

Situations have a card to draw and another player still in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.interface.tally_layout import (
    count_difference,
    count_hands,
)
from lama_odds.games.lama.engine import policy_kernels, round_loop
from lama_odds.games.lama.engine.policy_kernels import HAND, PENALTY, PLACE, SCORE, SCRATCH
from lama_odds.games.lama.engine.round_loop import (
    AS_POLICY,
    LAST_ACTOR,
    OTHERS_IN,
    begin_game,
    begin_round,
    play_round,
    set_table,
)
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import LOW_FOUR, ONES, PLAIN, count_cards
from lama_odds.jit import allocating, compiled, inlined
from lama_odds.luck.stream import STUDY, below, lane_start, mix, stream_of

LOG = 512  # entries: no real round comes near
MOST_DECISIONS = 12  # of a round and seat, from which one is chosen

# Rows for an additional card: all situations, by copies of its value held, by the cards in hand.
# There are separate ones for the first and for further copies, then for what a llama adds to that.
MOST_COPIES = 2  # this many or more
COPIES = 1
MOST_CARDS = 6  # in hand, this many or more
CARDS = COPIES + MOST_COPIES + 1
LLAMA_INSTEAD = CARDS + 2 * MOST_CARDS
OF_A_CARD = LLAMA_INSTEAD + 1
# Rows of a top: all, by copies of its value held, by the cards in hand.
TOP_COPIES = 1
TOP_CARDS = TOP_COPIES + MOST_COPIES
OF_A_TOP = TOP_CARDS + MOST_CARDS


class Scene(NamedTuple):
    """A situation that is continued.

    root: the table at the situation. branch, result: a table and a result to fill. others: seats
    still in besides the seat to decide.
    """

    rules: np.ndarray
    tables: PlayTables
    gamma: np.uint64
    root: np.ndarray
    branch: np.ndarray
    result: np.ndarray
    seats: int
    others: int
    seat: int


@inlined
def cumulated(cards):
    """Return cards as the two words of a pack (see `transition.pack_up`)."""
    plain = (cards >> PLAIN & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    special = (cards & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    return plain, special + (plain >> 48) * ONES


@inlined
def hold(table, seat, hand):
    """Give a seat another hand: its cards go back to the pile, the new ones come out of it."""
    before = table[HAND + seat]
    plain, special = cumulated(before)
    plain_gone, special_gone = cumulated(hand)
    table[PLACE + policy_kernels.PLAIN_PACK] += plain - plain_gone
    table[PLACE + policy_kernels.SPECIAL_PACK] += special - special_gone
    change = count_cards(before) - count_cards(hand)
    table[PLACE + policy_kernels.LEFT] += change
    table[PLACE + policy_kernels.PILE] += change
    table[HAND + seat] = hand


@inlined
def in_pile(table, kind):
    """Return the number of cards of a kind in the pile."""
    plain = np.uint64(table[PLACE + policy_kernels.PLAIN_PACK])
    counts = transition.taken(plain)
    if kind & PLAIN == 0:
        counts = transition.taken_after(
            np.uint64(table[PLACE + policy_kernels.SPECIAL_PACK]), plain
        )
    return np.int64(counts) >> (kind & ~PLAIN) & 0xFF


@inlined
def copies_of(hand, place):
    """Return the cards of a value in a hand, plain and special, at most MOST_COPIES."""
    return min((hand >> 8 * place & 15) + (hand >> 8 * place + PLAIN & 15), MOST_COPIES)


@inlined
def stop_before(rules, blind, gamma, table, seats, log, decision, result):
    """Play a dealt round to a decision of its log; return whether the loop can stop there.

    blind: tables with no playable cards. The loop stops when nothing can be played, so it stops
    before every decision, and the moves of the log continue it.
    """
    seat = 0
    others = seats - 1
    begin = AS_POLICY
    for at in range(1, decision + 2):
        play_round(rules, blind, gamma, table, seats, others, seat, begin, True, result)
        if result[round_loop.ENDED] != round_loop.PAUSED:
            return False
        seat = result[LAST_ACTOR]
        others = result[OTHERS_IN]
        begin = (log[at] >> 4 & 0xFF) + AS_POLICY
    return True


@compiled
def points_with(scene, hand, begin):
    """Return the points of the seat to decide if it holds this hand and the round is completed.

    begin: AS_POLICY or the first move.
    """
    root, branch, seat = scene.root, scene.branch, scene.seat
    for i in range(SCRATCH):
        branch[i] = root[i]
    hold(branch, seat, hand)
    play_round(
        scene.rules, scene.tables, scene.gamma, branch, scene.seats, scene.others, seat, begin,
        False, scene.result,
    )  # fmt: skip
    return branch[PENALTY + seat] + branch[SCORE + seat] - root[SCORE + seat]


@inlined
def count_card(tally, first, hand, place, difference):
    """Count what one more card of a value adds."""
    copies = copies_of(hand, place)
    cards = min(count_cards(hand), MOST_CARDS) - 1
    count_difference(tally, first, difference)
    count_difference(tally, first + COPIES + copies, difference)
    count_difference(tally, first + CARDS + (copies > 0) * MOST_CARDS + cards, difference)


@inlined
def count_play(tally, first, hand, place, difference):
    """Count what playing the next value instead of the top's adds."""
    cards = min(count_cards(hand), MOST_CARDS) - 1
    count_difference(tally, first, difference)
    count_difference(tally, first + TOP_COPIES + copies_of(hand, place) - 1, difference)
    count_difference(tally, first + TOP_CARDS + cards, difference)


@allocating
def blind_tables(tables):
    """Return the tables with no playable cards."""
    nothing = np.zeros(tables.playable.size, np.int64)
    return PlayTables(
        nothing,
        tables.penalties,
        tables.order,
        tables.values,
        tables.ranks,
        tables.equilibrium,
        tables.learned,
        tables.cards,
        tables.log,
    )


@inlined
def add_cards(scene, hand, kinds, points, tally):
    """Continue with the same hand, and with one more card of each kind in the pile.

    kinds: the llama first, if there are any. points: int64 for each of them, to fill.
    """
    root = scene.root
    base = points_with(scene, hand, np.int64(AS_POLICY))
    llamas = in_pile(root, kinds[0]) > 0
    for at in range(kinds.size):
        kind = kinds[at]
        if in_pile(root, kind) == 0:
            continue
        points[at] = points_with(scene, hand + (1 << kind), np.int64(AS_POLICY))
        first = at * OF_A_CARD
        count_card(tally, first, hand, transition.place_of(kind), points[at] - base)
        if llamas:
            count_difference(tally, first + LLAMA_INSTEAD, points[0] - points[at])


@inlined
def play_both(scene, hand, first, following, tally):
    """Play a card like the top, or one of the next value, if the hand has both (plain ones)."""
    root = scene.root
    top = root[PLACE + policy_kernels.TOP]
    same = 8 * top + PLAIN
    above = 8 * following[top] + PLAIN
    if hand >> same & 15 and hand >> above & 15:
        more = points_with(scene, hand, above) - points_with(scene, hand, same)
        count_play(tally, first + top * OF_A_TOP, hand, top, more)


@inlined
def play_sets(scene, hand, kinds, sets, size, points, tally):
    """Continue with each of several hands, if the pile and the own cards contain them.

    size: cards of the hands, the first in sets, how many, and where their tally begins.
    """
    cards, first, count, at = size[0], size[1], size[2], size[3]
    wanted = 0
    for i in range(first, first + count):
        wanted |= sets[i]  # one of each kind
    fits = count_cards(hand) == cards
    for kind in kinds:
        fits &= (wanted >> kind & 15) <= in_pile(scene.root, kind) + (hand >> kind & 15)
    if not fits:
        return
    for i in range(count):
        points[i] = points_with(scene, sets[first + i], np.int64(AS_POLICY))
    count_hands(tally, at, points, count)


@compiled
def study_hands(rules, policies, tables, seed, first, games, tally):
    """Play first rounds, one situation of each with other hands; tally: see `studies.studies_of`.

    tables: see `StudyTables`.
    """
    play, kinds, sets, sizes = tables.play, tables.kinds, tables.sets, tables.sizes
    blind = blind_tables(play)
    log = np.zeros(LOG, np.int64)
    logged = PlayTables(
        play.playable,
        play.penalties,
        play.order,
        play.values,
        play.ranks,
        play.equilibrium,
        play.learned,
        play.cards,
        log,
    )
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch, _ = set_table(policies)
    points = np.zeros(max(sets.size, kinds.size), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        begin_round(rules, table, seats, key, gamma, game, 0)
        log[0] = 0
        start = Scene(rules, logged, gamma, table, branch, result, seats, seats - 1, np.int64(0))
        points_with(start, table[HAND], np.int64(AS_POLICY))
        word = mix(lane_start(key, gamma, game, 0, STUDY))
        decision = below(word, MOST_DECISIONS * seats)
        if decision >= min(log[0], LOG - 1) or not stop_before(
            rules, blind, gamma, table, seats, log, decision, result
        ):
            continue
        seat, others = result[LAST_ACTOR], result[OTHERS_IN]
        hand = table[HAND + seat]
        scene = Scene(rules, play, gamma, table, branch, result, seats, others, seat)
        add_cards(scene, hand, kinds, points, tally)
        play_both(scene, hand, tables.tops, tables.following, tally)
        for at in range(sizes.shape[0]):
            play_sets(scene, hand, kinds, sets, sizes[at], points, tally)
