"""Kernels that `simulation` runs: rounds, games, positions played out, with beliefs.

``kernel(rules, policies, tables, seed, first, count, tally)``. rules: int64 row of the rule set.
policies: int64[seats, POLICY_COLUMNS]. tables: see `tables.PlayTables`.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    EQUITY,
    WIN,
    count,
    count_details,
    count_payoffs,
    event_of,
)
from lama_odds.games.noprob.engine.grids import DRAW, PASS
from lama_odds.games.noprob.engine.policy_kernels import FAMILY, RANDOM, choose_place, choose_source
from lama_odds.games.noprob.engine.round_loop import (
    DEALT_AT_ONCE,
    NOWHERE,
    after_turn,
    begin_game,
    close_round,
    deal,
    finish_round,
    get_card,
    lay_card,
    play_dealt,
    play_out,
    refill_or_end,
    settle,
    share_of,
    use_card,
)
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    CELLS,
    CLOSER,
    DRAMA,
    ENDED,
    FOUR_ROUNDS,
    GRID,
    HEIGHT,
    KINDS,
    KNOWN,
    LAST,
    LLAMAS,
    MAX_SEATS,
    PACK,
    PENALTY,
    PILE,
    PLAYED,
    REFILLED,
    SCORE,
    STACK,
    TABLE_SIZE,
    TARGET_NOW,
    TURNS,
    UNSEEN,
    UP,
    kind_at,
    take_card,
    up_to,
    with_card,
)
from lama_odds.jit import compiled, for_all, inlined
from lama_odds.jit.elementary import log
from lama_odds.luck.stream import COINS, DEAL, DICE, below, lane_start, mix, stream_of

# What a player's turns tell of cards that it has looked at and not turned up yet.
#
# A player knows these cards, and nobody else does. A *hand* is a possibility for them: kinds of
# cards in their cells. It has a weight for each model, which is a policy. A turn multiplies the
# weight by the chance that the model takes this turn with these cards, softened: (1 - epsilon)
# times the policy, plus epsilon times a choice at random. All hands are listed, so nothing is
# sampled.
#
# A weight leaves out how many ways there are to deal the hand. That is a factor of all hands
# together (see `solvers.beliefs`).

LEAST = 1e-27  # of the largest weight of a model: what is lighter is left out

_11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def begin_model(policies, models, m, table, seat, looked):
    """Seat a model; return how many hands it tells apart (0: at random). The last one is blind."""
    blind = m == models.shape[0]
    for column in range(policies.shape[1]):
        policies[seat, column] = models[0 if blind else m, column]
    table[KNOWN + seat] = table[UP + seat] if blind else table[UP + seat] | looked
    return policies[seat, FAMILY] != RANDOM, blind


@inlined
def weigh_source(tables, policies, models, trail, table, source, weights):
    """Multiply weights by the chances of drawing, taking or passing."""
    seat, seats, epsilon = trail.seat, policies.shape[0], trail.epsilon
    grid = table[GRID + seat]
    options = (table[PILE] > 0) + (table[HEIGHT] > 0) + (table[LAST] >= 0)
    even = 1.0 / max(options, 1)
    for m in range(models.shape[0] + 1):
        decides, blind = begin_model(policies, models, m, table, seat, trail.looked)
        chance = even
        for i in range(weights.shape[1]):
            if weights[m, i] == 0.0:
                continue
            if decides and not (blind and i):
                table[GRID + seat] = grid if blind else grid | trail.hands[i]
                chosen = choose_source(tables, policies, table, seat, seats, np.uint64(0))[0]
                chance = epsilon * even + (1.0 - epsilon) * (chosen == source)
            weights[m, i] *= chance
    table[GRID + seat] = grid


@inlined
def weigh_place(tables, policies, models, trail, table, kind, source, place, weights):
    """Multiply weights by the chances of what was done with a card."""
    seat, seats, epsilon = trail.seat, policies.shape[0], trail.epsilon
    grid = table[GRID + seat]
    drawn = source == DRAW
    even = 1.0 / (seats - 1 if kind >= DRAMA else CELLS + drawn)
    for m in range(models.shape[0] + 1):
        decides, blind = begin_model(policies, models, m, table, seat, trail.looked)
        chance = even
        for i in range(weights.shape[1]):
            if weights[m, i] == 0.0:
                continue
            if decides and not (blind and i):
                table[GRID + seat] = grid if blind else grid | trail.hands[i]
                chosen = choose_place(
                    tables, policies, table, seat, seats, kind, drawn, np.uint64(0)
                )
                chance = epsilon * even + (1.0 - epsilon) * (chosen == place)
            weights[m, i] *= chance
    table[GRID + seat] = grid


@inlined
def put_in_scale(weights, scales):
    """Divide the weights of each model by the largest, noted in scales; leave out the lightest."""
    for m in range(weights.shape[0]):
        largest = 0.0
        for i in range(weights.shape[1]):
            largest = max(largest, weights[m, i])
        scales[m] += log(largest)
        for i in range(weights.shape[1]):
            scaled = weights[m, i] / largest
            weights[m, i] = scaled if scaled >= LEAST else 0.0


@inlined
def get_this_card(table, kind, source):
    """Let a known card come from the pile or from the discards."""
    if source != DRAW:
        table[HEIGHT] -= 1
        return
    table[PILE] -= 1
    if table[REFILLED]:
        at = up_to(table[PACK], table[PACK + 1], kind) - 1
        _, table[PACK], table[PACK + 1] = take_card(table[PACK], table[PACK + 1], at)
    else:
        table[UNSEEN] -= 1 << 4 * kind


@compiled
def follow(rules, tables, policies, models, trail, table, weights, scales):
    """Follow a player through a round, turn by turn, as everybody has seen it.

    policies: int64[seats, columns], a row for each seat; that of the player is overwritten.
    models: int64[models, columns]. trail: see `TrailTables`. table: the round as it was dealt, with
    a 0 in each cell of a hand. weights: float64[models + 1, hands] of ones, scales: float64[models
    + 1] of zeros, both changed: the weights of each model, divided by the exponential of its
    scale. The last row is that of the first model, if it had looked at other cards.
    """
    seat, seats = trail.seat, policies.shape[0]
    for entry in trail.turns:
        actor, source, kind = entry & 15, entry >> 4 & 15, entry >> 8 & 15
        place, replaced = entry >> 12 & 15, entry >> 16
        if actor == seat:
            weigh_source(tables, policies, models, trail, table, source, weights)
        if source != PASS:
            get_this_card(table, kind, source)
            if actor == seat:
                weigh_place(tables, policies, models, trail, table, kind, source, place, weights)
                put_in_scale(weights, scales)
            if place < CELLS and kind < DRAMA:
                table[GRID + actor] = with_card(table[GRID + actor], place, replaced)
            lay_card(tables, table, actor, kind, place)
        after_turn(table, actor, seats)
        refill_or_end(rules, table)


@inlined
@for_all
def draw_hands(held, table, seats, word):
    """Put cards that the others have looked at into their cells, by a random word.

    They are taken out of the pack, and their players know them. held: see `HeldTables`.
    """
    lucky = np.float64(np.int64(word >> _11)) * _UNIT
    deal = 0
    high = held.upto.size - 1
    while deal < high:
        middle = (deal + high) // 2
        if lucky < held.upto[middle]:
            high = middle
        else:
            deal = middle + 1
    for seat in range(1, seats):
        table[GRID + seat] = table[GRID + seat] & ~held.cells[seat] | held.hands[deal, seat]
        table[KNOWN + seat] = table[UP + seat] | held.looked[seat]
    table[PACK] -= held.packs[deal, 0]
    table[PACK + 1] -= held.packs[deal, 1]


@compiled
def play_first_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds. Measures: penalty of each seat; turns; rounds without an end."""
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        play_dealt(rules, tables, policies, table, seats, key, gamma, game, 0, 0)
        for seat in range(seats):
            count(tally, seat, table[PENALTY + seat])
        count(tally, seats, table[TURNS])
        count(tally, seats + 1, np.int64(table[ENDED] == ABANDONED))


@compiled
def play_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games. Measures: win, outright, score, llamas of each seat; rounds; no end.

    If the tally has rows for them: length, in turns; spread, the highest score minus the lowest.
    """
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, table, seats)
        rounds = play_out(rules, tables, policies, table, seats, key, gamma, game, 0, 0)
        for seat in range(seats):
            won, shared = share_of(rules, table, seat, seats)
            won = won and rounds > 0
            count(tally, seat, WIN // shared * won)
            count(tally, seats + seat, np.int64(won and shared == 1))
            count(tally, 2 * seats + seat, table[SCORE + seat])
            count(tally, 3 * seats + seat, table[LLAMAS + seat])
        count(tally, 4 * seats, rounds)
        count(tally, 4 * seats + 1, np.int64(rounds == 0))
        count_details(tally, 4 * seats + 2, table[PLAYED], table, SCORE, seats)


@compiled
def deal_round(rules, table, seats, seed, game, round_):
    """Deal a round on a table."""
    key, gamma = stream_of(seed)
    deal(rules, table, seats, key, gamma, game, round_)


# Root actions of rollouts: [source or HOLD, kind held, place or BY_PLAN].
HOLD = 3
BY_PLAN = -2  # the place that the plan gives for the card: int64[2, kinds], drawn and taken
POINTS, MARGIN, ROUND, WINS = range(4)
OBJECTIVES = 4
I_END = 0
OTHER_ENDS = 1
EVENTS = 2
COUNTERS = 1
EVENT_NAMES = ("ends", "other ends")


@inlined
def deal_unknown(table, held, seats, unknown, peeks, start, gamma):
    """Deal everything unknown at a position: grids, `unknown` discards, and the rest as the pile.

    table: its pack has all cards that seat 0 does not know, including UNSEEN ones. Cells it does
    not know have UNKNOWN; unknown discards are lowest. Cards that the others have looked at are
    drawn first, if their play tells of them. Otherwise the cells are drawn at random too.
    """
    if held.upto.size:
        draw_hands(held, table, seats, mix(start))
        start += gamma
    numbers = table[PACK]
    others = table[PACK + 1]
    left = up_to(numbers, others, KINDS - 1)
    word = np.uint64(0)
    until = 0
    for seat in range(seats + 1):
        cells = CELLS if seat < seats else unknown
        for cell in range(cells):
            if seat < seats and kind_at(table[GRID + seat], cell) < KINDS:
                continue
            if until == 0:
                word = mix(start)
                start += gamma
                until = DEALT_AT_ONCE
            kind, numbers, others = take_card(numbers, others, below(word, left))
            word *= np.uint64(left)
            until -= 1
            left -= 1
            if seat < seats:
                table[GRID + seat] = with_card(table[GRID + seat], cell, kind)
            else:
                table[STACK + cell] = kind
    table[PACK] = numbers
    table[PACK + 1] = others
    table[PILE] = left
    if not held.upto.size:
        look_anywhere(table, seats, peeks, start, gamma)


@inlined
def look_anywhere(table, seats, peeks, start, gamma):
    """Let the others have looked at any cells."""
    for seat in range(1, seats):
        word = mix(start)
        start += gamma
        looked = 0
        for n in range(peeks):
            at = below(word, CELLS - n)
            word *= np.uint64(CELLS - n)
            for cell in range(CELLS):
                if not looked >> cell & 1:
                    if at == 0:
                        looked |= 1 << cell
                        break
                    at -= 1
        table[KNOWN + seat] = table[UP + seat] | looked


@inlined
def play_root(rules, tables, policies, table, seats, action, plan, key, gamma, game):
    """Play the turn of seat 0 by a root action."""
    draws = mix(lane_start(key, gamma, game, 0, DICE))
    coins = mix(lane_start(key, gamma, game, 0, COINS))
    source, kind, place = action
    if source == PASS:
        return
    if source == HOLD:
        source = DRAW
    else:
        kind = get_card(table, source, draws)
        if place == BY_PLAN:
            place = plan[source, kind]
    use_card(rules, tables, policies, table, 0, seats, kind, source, place, coins)


@inlined
def lay_unknown(tables, seats, key, gamma, game, dealt):
    """Set the table up as at the position, and deal what is unknown there."""
    for i in range(TABLE_SIZE):  # less to compile than copying a slice
        dealt[i] = tables.root[i]
    start = lane_start(key, gamma, game, 0, DEAL)
    deal_unknown(dealt, tables.held, seats, tables.unknown, tables.peeks, start, gamma)


@inlined
def play_after(rules, policies, tables, key, gamma, game, a, seats, dealt, table, payoff, tally):
    """Play the round after root action a; write what it costs, and count how it ended."""
    play, actions, layout = tables.play, tables.actions, tables.layout
    for i in range(TABLE_SIZE):
        table[i] = dealt[i]
    if actions[a, 0] != HOLD:  # otherwise the turn has begun
        refill_or_end(rules, table)
    if table[ENDED] == 0:
        action = (actions[a, 0], actions[a, 1], actions[a, 2])
        play_root(rules, play, policies, table, seats, action, tables.plan, key, gamma, game)
        finish_round(rules, play, policies, table, 0, seats, key, gamma, game, NOWHERE)
    settle(play.scoring, table, seats)
    tally[event_of(layout, a, I_END)] += table[CLOSER] == 0
    tally[event_of(layout, a, OTHER_ENDS)] += table[CLOSER] > 0
    tally[layout.counters_at] += table[ENDED] == ABANDONED
    count_round(payoff, a, table, seats)


@compiled
def roll_out(rules, policies, tables, seed, first, games, tally):
    """Play the round of a position out after each root action, with the same redraw.

    tables: see `RolloutTables`. tally: see `RolloutLayout`; the game's own counter has the rounds
    that were broken off. Random numbers are common to all actions.
    """
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    dealt = np.zeros(TABLE_SIZE, np.int64)
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        lay_unknown(tables, seats, key, gamma, game, dealt)
        for a in range(payoff.shape[1]):
            play_after(
                rules, policies, tables, key, gamma, game, a, seats, dealt, table, payoff, tally
            )
        count_payoffs(tally, payoff)


@compiled
def roll_out_games(rules, policies, tables, seed, first, games, tally):
    """Do what `roll_out` does, and play each game to its end or look its worth up there.

    tables, tally: as there.
    """
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    dealt = np.zeros(TABLE_SIZE, np.int64)
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    stood = np.zeros((payoff.shape[1], STANDING), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        lay_unknown(tables, seats, key, gamma, game, dealt)
        starter = tables.starter if tables.starter >= 0 else game % seats
        for a in range(payoff.shape[1]):
            play_after(
                rules, policies, tables, key, gamma, game, a, seats, dealt, table, payoff, tally
            )
            payoff[WINS, a] = finish(
                rules, tables.play, policies, table, seats, key, gamma, game, starter,
                tables.played, tally, tables.layout, stood, payoff, a, tables.equities,
            )  # fmt: skip
        count_payoffs(tally, payoff)


@inlined
def count_round(payoff, a, table, seats):
    """Write the result of a round for seat 0, by objective."""
    mine = table[PENALTY]
    rest = 0
    lowest = mine
    for seat in range(1, seats):
        rest += table[PENALTY + seat]
        lowest = min(lowest, table[PENALTY + seat])
    payoff[POINTS, a] = mine
    payoff[MARGIN, a] = mine * (seats - 1) - rest
    payoff[ROUND, a] = WIN * (mine == lowest)


@inlined
def finish(
    rules, tables, policies, table, seats, key, gamma, game, starter, played, tally, layout,
    stood, payoff, a, equities,
):  # fmt: skip
    """Play the game to its end after a round; return the share of the win of seat 0.

    If there is a table, look up the chance of the standing instead, in units of 1 / EQUITY.
    stood: int64[k, STANDING], the standing of the game after each root action, and whether the game
    had no end. If the standing is that after an earlier action, the rest has been played already.
    """
    ended = close_round(rules, table, seats, played)
    following = starter + 1 if starter + 1 < seats else 0
    if equities.size and not ended:
        return chance_at(equities, table, seats, following)
    if not ended:
        note_standing(rules, table, seats, stood, a)
        same = stands_as(stood, a)
        if same < a:
            stood[a, ENDLESS] = stood[same, ENDLESS]
            tally[layout.unended] += stood[a, ENDLESS]
            return payoff[WINS, same]
        rounds = play_out(
            rules, tables, policies, table, seats, key, gamma, game, played, following
        )
        stood[a, ENDLESS] = rounds == 0
        tally[layout.unended] += rounds == 0
    else:
        stood[a, TARGET_STOOD] = 0  # like no game that continues
    won, shared = share_of(rules, table, 0, seats)
    return (EQUITY if equities.size else WIN) // shared * won


@inlined
def chance_at(equities, table, seats, starter):
    """Return the chance of seat 0 by the llamas of all; see `RoundsWonEquity.counted`."""
    depth = equities.shape[1]
    mine = min(table[TARGET_NOW] - table[LLAMAS], depth) - 1
    others = 0
    for seat in range(1, seats):
        others = others * depth + min(table[TARGET_NOW] - table[LLAMAS + seat], depth) - 1
    return equities[starter, mine, others]


# Columns of `stood`: by seat llamas, or sums in games with sums; the target; whether without an
# end.
TARGET_STOOD = MAX_SEATS
ENDLESS = MAX_SEATS + 1
STANDING = MAX_SEATS + 2


@inlined
def note_standing(rules, table, seats, stood, a):
    """Write everything that affects the rest of a game, after a round."""
    at = SCORE if rules[FOUR_ROUNDS] else LLAMAS
    for seat in range(seats):
        stood[a, seat] = table[at + seat]
    stood[a, TARGET_STOOD] = table[TARGET_NOW]


@inlined
def stands_as(stood, a):
    """Return the first root action after which the game had the same standing."""
    for before in range(a):
        alike = True
        for column in range(ENDLESS):
            alike = alike and stood[before, column] == stood[a, column]
        if alike:
            return before
    return a
