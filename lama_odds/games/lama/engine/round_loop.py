"""The compiled loop of a round of cards, from its deal or from any point in it.

Everything that seats have is on the table, see `table_rows`. No policy sees the whole table: each
gets what its seat can see.
"""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import BITS, MASK
from lama_odds.games.lama.engine import policy_kernels
from lama_odds.games.lama.engine.card_rules import ALONE, card_move
from lama_odds.games.lama.engine.policy_kernels import (
    BLOCK,
    BY_VALUES,
    CARD,
    COINS_AT,
    DRAWS_AT,
    EQUILIBRIUM,
    FAMILY,
    HAND,
    LEARNED,
    LEFT,
    MATCHING,
    NEXT,
    PARAMETER,
    PENALTY,
    PILE,
    PLACE,
    PLAIN_PACK,
    PLAYED,
    POT,
    POT_TOKENS,
    RANDOM,
    RUNNING,
    SCORE,
    SCRATCH,
    SHOWN,
    SPECIAL_PACK,
    TABLE_SIZE,
    THRESHOLD,
    TOP,
    best_move,
    context_of,
    fewest_cards,
    last_move,
    random_move,
    threshold_move,
)
from lama_odds.games.lama.engine.trained import (
    equilibrium_move,
    learned_move,
    looked_at,
    shown_after_draw,
    shown_after_play,
    shown_of,
)
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import (
    DRAW,
    QUIT,
    count_cards,
    is_plus,
    out_token,
    pays,
    penalty_of,
    place_of,
    quitting_cost,
)
from lama_odds.games.shared.card_values import lowest_token
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.games.shared.seating import all_in, at_the_end, leave, leeway
from lama_odds.jit import allocating, for_all, inlined
from lama_odds.luck.stream import COINS, DEAL, DICE, below, lane_start, mix

# Deal hands from a shuffled pack, and turn over the opening card.

PER_WORD = 6  # cards dealt from one random word

_ONE = np.uint64(1)
_FOUR = np.uint64(4)


@inlined
def deal_hand(plain, special, left, cards, specials, start, gamma):
    """Deal cards, PER_WORD from each random word; return (hand, plain, special, next word)."""
    before = plain
    before_special = special
    while cards > 0:
        word = mix(start)
        start += gamma
        if cards >= PER_WORD and not specials:
            for _ in range(PER_WORD):  # a fixed length helps the compiler
                plain = transition.without_plain(plain, np.uint64(below(word, np.int64(left))))
                word *= left
                left -= _ONE
        elif cards >= PER_WORD:
            for _ in range(PER_WORD):
                x = np.uint64(below(word, np.int64(left)))
                plain = transition.without_plain(plain, x)
                special = transition.without_plain(special, x)
                word *= left
                left -= _ONE
        else:
            for _ in range(min(cards, PER_WORD)):
                x = np.uint64(below(word, np.int64(left)))
                plain = transition.without_plain(plain, x)
                special = transition.without_plain(special, x)
                word *= left
                left -= _ONE
        cards -= PER_WORD
    hand = transition.taken(before - plain) << _FOUR
    if specials:
        # Cards taken before a special card are subtracted from its count too.
        gone = before_special - special
        hand |= transition.taken_after(gone, before - plain)
    return np.int64(hand), plain, special, start


@inlined
def deal(rules, table, seats, start, gamma):
    """Deal the hands, seat by seat, and turn over the opening card.

    Each seat begins a new word of the deal lane, and so does the opening card.
    """
    plain = np.uint64(rules[transition.PLAIN_PACK])
    special = np.uint64(rules[transition.SPECIAL_PACK])
    left = np.uint64(rules[transition.DECK])
    dealt = rules[transition.DEALT]
    for seat in range(seats):
        hand, plain, special, start = deal_hand(
            plain, special, left, dealt, rules[transition.SPECIALS] != 0, start, gamma
        )
        left -= np.uint64(dealt)
        table[HAND + seat] = hand
        table[SHOWN + seat] = shown_of(dealt)
    x = np.uint64(below(mix(start), np.int64(left)))
    card, plain, special = transition.take_card(plain, special, x)
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)
    table[PLACE + TOP] = transition.place_of(transition.dearest(card))
    table[PLACE + LEFT] = np.int64(left) - 1
    table[PLACE + PILE] = np.int64(left) - 1
    table[PLACE + RUNNING] = 0
    table[PLACE + PLAYED] = card


A_CARD = 3  # approximate mean points of a hidden card

# Places of a round's result, int64[RESULT_SIZE].
LAST_ACTOR = 0
ACTIONS = 1
ENDED = 2
ENDED_BY = 3
OTHERS_IN = 4  # others still in, when paused
MOVE = 5  # what the policy decides, when paused
ALL_ACTIONS = 6  # of the game so far, updated by `kernels.play_out`
RESULT_SIZE = 7

# How a round ended.
ALL_QUIT = 0
WENT_OUT = 1
PAUSED = 2
BLEW = -1  # never

# First decision of `play_round`, if it is not a move: the policy's.
AS_POLICY = -3

_LANE_BITS = np.uint64(10)


@inlined
@for_all
def log_move(log, seat, move, card):
    """Add a decision to a log: log[0] counts the entries, each packs seat, move and card drawn.

    The seat has four bits, the move (counted from −3) eight, the card's kind eight. A full log
    continues counting, so that the caller sees it was too short.
    """
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = seat | (move - AS_POLICY) << 4 | card << 12


@inlined
@for_all
def sit_down(table, seats, key, gamma, game, round_):
    """Give every seat its lanes of random numbers for a round."""
    start = lane_start(key, gamma, game, round_, DEAL)
    for seat in range(seats):
        table[DRAWS_AT + seat] = np.int64(start + gamma * (np.uint64(DICE + seat) << _LANE_BITS))
        table[COINS_AT + seat] = np.int64(start + gamma * (np.uint64(COINS + seat) << _LANE_BITS))
    return start


@inlined
def put_on_pot(rules, table, seat):
    """Pay the lowest token for a llama played; with five on the pot the drama runs."""
    token = lowest_token(table[SCORE + seat], rules[transition.BLACK], rules[transition.PINK])
    table[SCORE + seat] -= token
    table[PLACE + POT] += token
    table[PLACE + POT_TOKENS] += token > 0
    if table[PLACE + POT_TOKENS] >= rules[transition.DRAMA]:
        table[PLACE + RUNNING] = 1


@inlined
def face_drama(rules, table, seat, move, others):
    """Handle the first action of a turn while the drama runs: a llama passes it on, others end it.

    With any other action the player first takes the whole pot, unless all others have quit.
    """
    if move >= 0 and pays(rules, move) and others > 0:
        return
    table[PLACE + RUNNING] = 0
    if others > 0:
        table[SCORE + seat] += table[PLACE + POT]
        table[PLACE + POT] = 0
        table[PLACE + POT_TOKENS] = 0


@inlined
def put_down(table, top, pile, left, played, plain, special):
    """Write what is on the table back, after a round or at a pause."""
    table[PLACE + TOP] = top
    table[PLACE + PILE] = pile
    table[PLACE + LEFT] = left
    table[PLACE + PLAYED] = played
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)


@inlined
def quit_round(rules, penalties, table, seat, hand, log):
    """Let a seat quit with the cost of its hand."""
    leave(table, seat, quitting_cost(rules, penalties, hand))
    if log.size:
        log_move(log, seat, QUIT, 0)


@inlined
def go_out(rules, table, seat, kind):
    """Return a token to the supply after the last card, if the rules say so; kind: of that card."""
    table[SCORE + seat] -= out_token(rules, table[SCORE + seat], kind)


@inlined
def settle(rules, penalties, table, seats):
    """Set the penalties of all players still in when the round ends."""
    for seat in range(seats):
        if table[PENALTY + seat] < 0:
            table[PENALTY + seat] = penalty_of(rules, penalties, table[HAND + seat])


@inlined
def all_leeway(rules, penalties, table, seats, seat, hand):
    """Return the points by which a `meanfield` values drawing more (below 0: quitting), from the
    scores.

    The others' hands are hidden, also those of players who have quit: each card counts A_CARD
    points.
    """
    parameter = table[PARAMETER + seat]
    ahead = leeway(parameter, table, SCORE, seats, seat, False)
    if parameter >> 4 * BITS == 0:
        return ahead
    lowest = np.int64(1) << 40
    highest = np.int64(0)
    for other in range(seats):
        if other != seat:
            lies = table[SCORE + other] + A_CARD * count_cards(table[HAND + other])
            lowest = min(lowest, lies)
            highest = max(highest, lies)
    mine = table[SCORE + seat] + quitting_cost(rules, penalties, hand)
    return ahead + at_the_end(parameter, mine, lowest, highest, rules[transition.TARGET])


@inlined
def decide(
    rules, tables, penalties, gamma, table, seats, seat, hand, cards, top, others, can_draw, played
):  # fmt: skip
    """Return the decision of a seat's policy; the coin of RANDOM is used up.

    Every policy decides here; what a hidden hand reveals is computed in `redraw.quit_chance`.
    """
    family = table[FAMILY + seat]
    if family in (THRESHOLD, MATCHING):
        return threshold_move(
            rules, penalties, table[PARAMETER + seat], family, hand, cards, top, can_draw
        )
    if family == RANDOM:
        coin = np.uint64(table[COINS_AT + seat])
        table[COINS_AT + seat] = np.int64(coin + gamma)
        return random_move(tables.order, cards, can_draw, coin)
    if family not in (BY_VALUES, EQUILIBRIUM, LEARNED, CARD):
        raise ValueError(UNKNOWN_FAMILY)
    if others == 0 and (family != CARD or table[PARAMETER + seat] & ALONE):
        return last_move(rules, hand, cards, top)
    if family == LEARNED:
        return learned_move(
            tables, rules, penalties, table, seats, seat, hand, cards, top, can_draw, others, played
        )
    if family == CARD:
        return card_move(
            tables, rules, table, seats, seat, hand, cards, top, can_draw, others,
            fewest_cards(table, HAND, NEXT, seat), played,
        )  # fmt: skip
    if family == EQUILIBRIUM:
        return equilibrium_move(
            tables.equilibrium, table[BLOCK + seat], hand, cards, top, can_draw,
            fewest_cards(table, HAND, NEXT, seat), table[SCORE + seat], table[SCORE + 1 - seat],
        )  # fmt: skip
    running = rules[transition.DRAMA] > 0 and table[PLACE + RUNNING] != 0
    return best_move(
        rules, penalties, tables.values, tables.ranks, table[BLOCK + seat],
        table[PARAMETER + seat] & MASK,
        all_leeway(rules, penalties, table, seats, seat, hand),
        hand, cards, top, can_draw,
        context_of(others, fewest_cards(table, HAND, NEXT, seat)),
        rules[transition.CARDS] - played - hand, table[SCORE + seat], table[PLACE + POT], running,
    )  # fmt: skip


@inlined
def play_round(rules, tables, gamma, table, seats, others, first, begin, pause, result):
    """Play a round from the point where seat `first` decides.

    tables: see `PlayTables`.
    others: seats still in beside `first`.
    begin: AS_POLICY or the first decision.
    pause: whether to stop, PAUSED, before a decision to draw or to quit with nothing to play; −n:
    before the n-th action.

    Sets all penalties, the hands at the end of the round, the scores (minus tokens returned and
    paid, plus a pot taken), the pot, the log and `result`.
    """
    playable, penalties, log = tables.playable, tables.penalties, tables.log
    drama = rules[transition.DRAMA] > 0
    specials = rules[transition.SPECIALS] != 0
    plain = np.uint64(table[PLACE + PLAIN_PACK])
    special = np.uint64(table[PLACE + SPECIAL_PACK])
    left = table[PLACE + LEFT]
    pile = table[PLACE + PILE]
    played = table[PLACE + PLAYED]
    top = table[PLACE + TOP]
    seat = first & 7  # the mask saves a test for negative indices at every access
    actions = 0
    ended = ALL_QUIT
    resumed = begin != AS_POLICY
    while True:
        actions += 1
        hand = table[HAND + seat]
        cards = hand & playable[top & 7]
        can_draw = pile > 0 and others > 0
        if begin != AS_POLICY:
            move = begin
            begin = AS_POLICY
        else:
            move = decide(
                rules, tables, penalties, gamma, table, seats, seat, hand, cards, top, others,
                can_draw, played,
            )  # fmt: skip
        stops = actions == -pause if pause < 0 else cards == 0 and can_draw
        if pause and stops and not resumed:
            result[MOVE] = move
            ended = PAUSED
            break
        resumed = False
        if drama and table[PLACE + RUNNING]:
            face_drama(rules, table, seat, move, others)
        if move == QUIT:
            quit_round(rules, penalties, table, seat, hand, log)
            if others == 0:
                break
            others -= 1
            seat = table[NEXT + seat] & 7
            continue
        if move == DRAW:
            lane = np.uint64(table[DRAWS_AT + seat])
            table[DRAWS_AT + seat] = np.int64(lane + gamma)
            x = np.uint64(below(mix(lane), left))
            if specials:
                drawn, plain, special = transition.take_card(plain, special, x)
            else:
                drawn, plain = transition.take_plain(plain, x)
            left -= 1
            pile -= 1
            table[HAND + seat] = hand + drawn
            if looked_at(tables):
                table[SHOWN + seat] = shown_after_draw(table[SHOWN + seat], top)
            if log.size:
                log_move(log, seat, DRAW, transition.dearest(drawn))
            seat = table[NEXT + seat] & 7
            continue
        card = 1 << (move & 63)
        hand -= card
        table[HAND + seat] = hand
        played += card
        top = place_of(move)
        if looked_at(tables):
            table[SHOWN + seat] = shown_after_play(table[SHOWN + seat], top)
        if log.size:
            log_move(log, seat, move, 0)
        if drama and pays(rules, move):
            put_on_pot(rules, table, seat)
        if hand == 0:
            go_out(rules, table, seat, move)
            ended = WENT_OUT
            break
        # The player of a plus card also has the next turn.
        if not (specials and is_plus(rules, move)):
            seat = table[NEXT + seat] & 7
    if ended != PAUSED:
        settle(rules, penalties, table, seats)
    put_down(table, top, pile, left, played, plain, special)
    result[OTHERS_IN] = others
    result[LAST_ACTOR] = seat
    result[ACTIONS] = actions
    result[ENDED] = ended
    result[ENDED_BY] = seat


# Set up a table (empty, dealt, or like another) and play rounds from there.


@allocating
def set_table(policies):
    """Return an empty table with the policies of the seats on it, and an array for a result."""
    table = np.zeros(TABLE_SIZE, np.int64)
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]
    return table, np.zeros(RESULT_SIZE, np.int64)


@inlined
def begin_game(table, seats):
    """Take all tokens off the seats and the pot."""
    for seat in range(seats):
        table[SCORE + seat] = 0
    table[PLACE + policy_kernels.POT] = 0
    table[PLACE + policy_kernels.POT_TOKENS] = 0


@inlined
@for_all
def begin_round(rules, table, seats, key, gamma, game, round_):
    """Deal a round: all are in, each seat with its lanes of random numbers."""
    start = sit_down(table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)
    all_in(table, seats)


@inlined
def lay_root(table, root):
    """Set a table up like another, except for the policies of the seats."""
    for i in range(SCRATCH):
        if not FAMILY <= i < PLACE:
            table[i] = root[i]


@inlined
@for_all
def play_dealt(rules, tables, key, gamma, game, round_, table, seats, first, result):
    """Deal a round and play it."""
    begin_round(rules, table, seats, key, gamma, game, round_)
    play_round(rules, tables, gamma, table, seats, seats - 1, first, AS_POLICY, False, result)


@inlined
def copy_table(table, copy):
    """Copy a table, except for what policies write down while they decide."""
    for i in range(SCRATCH):
        copy[i] = table[i]


@inlined
def play_from(rules, tables, gamma, root, table, seats, others, seat, begin, result):
    """Play a round from a copy of another table; see `play_round`."""
    copy_table(root, table)
    play_round(rules, tables, gamma, table, seats, others, seat, begin, False, result)
