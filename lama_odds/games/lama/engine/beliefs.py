"""What a player's actions tell of the hand: hands with weights, followed through a round.

A hand is possible with a weight for each model, which is a policy. An action multiplies the weight
by the chance that the model takes it, softened: (1 - epsilon) times the policy, plus epsilon times
a choice at random among the legal actions. A card played leaves the hand. A card drawn may be of
any kind, and equal hands are merged. So all that can be held is listed, and nothing is sampled. If
the list gets too long, `thin_out` selects hands that represent the others.

A weight leaves out how many ways there are to deal the hand from the unseen cards. That is a
factor of all hands together (see `solvers.beliefs`).
"""

from __future__ import annotations

import numpy as np

from lama_odds.core.policies import MASK
from lama_odds.games.lama.engine import policy_kernels
from lama_odds.games.lama.engine.card_rules import card_move
from lama_odds.games.lama.engine.policy_kernels import (
    BLOCK,
    BY_VALUES,
    CARD,
    EQUILIBRIUM,
    FAMILY,
    HAND,
    LEARNED,
    MATCHING,
    PARAMETER,
    PENALTY,
    PLACE,
    PLAIN_PACK,
    PLAYED,
    RANDOM,
    SCORE,
    SPECIAL_PACK,
    THRESHOLD,
    best_move,
    context_of,
    count_options,
    threshold_move,
)
from lama_odds.games.lama.engine.policy_kernels import LEFT as UNSEEN
from lama_odds.games.lama.engine.round_loop import all_leeway, deal_hand, decide
from lama_odds.games.lama.engine.trained import equilibrium_move, learned_move
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import (
    DRAW,
    LOW_FOUR,
    ONES,
    PLACES,
    PLAIN,
    QUIT,
    penalty_of,
    quitting_cost,
)
from lama_odds.games.shared.families import UNKNOWN_FAMILY
from lama_odds.jit import allocating, compiled, inlined
from lama_odds.luck.stream import DEAL, lane_start, mix, stream_of

COUNTS = 16  # a hand has 0 to 15 cards of a kind
SWEEPS = 4  # through a deal, a new hand proposed for each player

_11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def count_ways(ways, kinds, hand):
    """Return the number of ways to deal a hand, as a product over its kinds."""
    product = 1.0
    for k in range(kinds.size):
        product *= ways[k, hand >> kinds[k] & 15]
    return product


@inlined
def weigh_action(
    rules, tables, models, epsilon, table, seats, move, others, keys, weights, count
):  # fmt: skip
    """Multiply the weights of hands by the chance of an action, for each model.

    keys, weights: hands and float64[models, hands] before the action. table: seat 0 acts; its
    policy is overwritten.
    """
    top = table[PLACE + policy_kernels.TOP]
    can_draw = table[PLACE + policy_kernels.PILE] > 0 and others > 0
    played = table[PLACE + policy_kernels.PLAYED]
    for m in range(models.shape[0]):
        table[FAMILY] = models[m, 0]
        table[PARAMETER] = models[m, 1]
        table[BLOCK] = models[m, 2]
        for i in range(count):
            hand = keys[i]
            cards = hand & tables.playable[top & 7]
            chance = 1.0 / count_options(tables.order, cards, can_draw)
            if models[m, 0] != RANDOM:
                chance *= epsilon
                chosen = decide(
                    rules, tables, tables.penalties, np.uint64(1), table, seats, 0, hand, cards,
                    top, others, can_draw, played,
                )  # fmt: skip
                if chosen == move:
                    chance += 1.0 - epsilon
            weights[m, i] *= chance


@inlined
def lose_card(keys, weights, count, kind):
    """Leave only hands with a card, and take it out; return their number."""
    kept = 0
    for i in range(count):
        if keys[i] >> kind & 15:
            keys[kept] = keys[i] - (1 << kind)
            for m in range(weights.shape[0]):
                weights[m, kept] = weights[m, i]
            kept += 1
    return kept


@inlined
def gain_card(keys, weights, count, kinds, bounds, at, grown, grown_weights):
    """List the hands after drawing any card, equal ones merged; return their number.

    keys ascend, and so do the hands found. at: int64[kinds], to use.
    """
    number = 0
    for k in range(kinds.size):
        at[k] = 0
    while True:
        least = np.int64(1) << 62
        for k in range(kinds.size):
            while at[k] < count and keys[at[k]] >> kinds[k] & 15 >= bounds[k]:
                at[k] += 1
            if at[k] < count:
                least = min(least, keys[at[k]] + (1 << kinds[k]))
        if least == np.int64(1) << 62:
            return number
        grown[number] = least
        for m in range(weights.shape[0]):
            grown_weights[m, number] = 0.0
        for k in range(kinds.size):
            if at[k] < count and keys[at[k]] + (1 << kinds[k]) == least:
                for m in range(weights.shape[0]):
                    grown_weights[m, number] += weights[m, at[k]]
                at[k] += 1
        number += 1


@allocating
def thin_out(keys, weights, count, most, kinds, ways):
    """Keep at most `most` hands, and the expected weight of each; return their number.

    Heavy hands keep their weight. The others are selected at equal steps of the summed weight, and
    each that is selected gets the weight of a step (Fearnhead and Clifford 2003).
    """
    every = np.zeros(count)
    for i in range(count):
        total = 0.0
        for m in range(weights.shape[0]):
            total += weights[m, i]
        every[i] = total * count_ways(ways, kinds, keys[i])
    ascending = np.sort(every)
    step = 0.0
    light = 0.0
    for i in range(count):  # this many light hands, all others are heavy
        light += ascending[i]
        places = most - (count - 1 - i)
        if places > 0 and (i == count - 1 or ascending[i + 1] * places >= light):
            step = light / places
            break
    kept = 0
    upto = step / 2
    for i in range(count):
        scale = 1.0
        if every[i] < step:
            upto += every[i]
            if upto < step:
                continue
            upto -= step
            scale = step / every[i]
        elif every[i] == 0.0:
            continue
        keys[kept] = keys[i]
        for m in range(weights.shape[0]):
            weights[m, kept] = weights[m, i] * scale
        kept += 1
    return kept


@inlined
def put_in_scale(weights, count):
    """Divide all weights by the largest sum of a hand."""
    largest = 0.0
    for i in range(count):
        total = 0.0
        for m in range(weights.shape[0]):
            total += weights[m, i]
        largest = max(largest, total)
    if largest > 0:
        for m in range(weights.shape[0]):
            for i in range(count):
                weights[m, i] /= largest


@compiled
def follow(rules, tables, models, epsilon, seats, trail, most, keys, weights, count):
    """Follow the hands of a player through a round; return the number left, and if some stand for
    others.

    models: int64[models, 3], rows of policies. trail: see `TrailTables`. keys, weights: the first
    `count` are the hands as they may be dealt, ascending; those left are written there.
    """
    kinds = trail.kinds
    grown = np.empty_like(keys)
    grown_weights = np.empty_like(weights)
    thinned = False
    at = np.zeros(kinds.size, np.int64)
    table = np.zeros(trail.tables.shape[1], np.int64)
    for t in range(trail.moves.size):
        move = trail.moves[t]
        for i in range(table.size):
            table[i] = trail.tables[t, i]
        if count > most:  # room for what is drawn
            thinned = True
            count = thin_out(keys, weights, count, most, kinds, trail.ways[t])
        weigh_action(
            rules,
            tables,
            models,
            epsilon,
            table,
            seats,
            move,
            trail.others[t],
            keys,
            weights,
            count,
        )
        if move >= 0:
            count = lose_card(keys, weights, count, move)
        elif move == DRAW:
            count = gain_card(
                keys, weights, count, kinds, trail.bounds[t], at, grown, grown_weights
            )
            for i in range(count):
                keys[i] = grown[i]
                for m in range(weights.shape[0]):
                    weights[m, i] = grown_weights[m, i]
        put_in_scale(weights, count)
    return count, thinned


@inlined
def lucky_number(word):
    """Return a number from 0 to 1 from a random word."""
    return np.float64(np.int64(word >> _11)) * _UNIT


@inlined
def chosen_hand(first, upto, player, word):
    """Return the entry that a random word selects among the hands of a player."""
    lucky = lucky_number(word)
    low = first[player]
    high = first[player + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if lucky < upto[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def fit(fits, kinds, hand, plains, specials):
    """Return the ways to deal a hand and the others' cards, relative to dealing them separately.

    It is at most 1. plains, specials: what the others hold, a byte for each place.
    """
    ratio = 1.0
    for k in range(kinds.size):
        kind = kinds[k]
        rest = (plains if kind & PLAIN else specials) >> (kind & ~PLAIN) & 15
        ratio *= fits[k, rest, hand >> kind & 15]
    return ratio


@inlined
def one_that_fits(held, player, plains, specials, tries, start, gamma):
    """Return an entry of a player selected by how well it fits the others' cards, and the mean fit.

    tries: hands to select from; 0: all. The mean fit is then exact, otherwise right on average.
    """
    chosen = held.first[player]
    total = 0.0
    if tries:
        for _ in range(tries):
            entry = chosen_hand(held.first, held.upto, player, mix(start))
            chance = fit(held.fits, held.kinds, held.hands[entry], plains, specials)
            total += chance
            if lucky_number(mix(start + gamma)) * total < chance:
                chosen = entry
            start += gamma + gamma
        return chosen, total / tries
    before = 0.0
    for entry in range(held.first[player], held.first[player + 1]):
        chance = held.upto[entry] - before
        before = held.upto[entry]
        chance *= fit(held.fits, held.kinds, held.hands[entry], plains, specials)
        total += chance
        if lucky_number(mix(start + gamma * np.uint64(entry))) * total < chance:
            chosen = entry
    return chosen, total


@inlined
def resample(weights, order):
    """Select deals at equal steps of the summed weight, if few of them have most of it.

    order: to fill with the deals selected. Returns whether it was done.
    """
    total = 0.0
    squares = 0.0
    for deal in range(weights.size):
        total += weights[deal]
        squares += weights[deal] * weights[deal]
    if total * total >= squares * weights.size / 2:
        return False
    step = total / weights.size
    upto = step / 2
    selected = 0
    for deal in range(weights.size):
        upto += weights[deal]
        while upto >= step and selected < order.size:
            order[selected] = deal
            selected += 1
            upto -= step
    while selected < order.size:
        order[selected] = order[selected - 1]
        selected += 1
    for deal in range(weights.size):
        weights[deal] = step
    return True


@inlined
def propose_again(held, hands, first, players, start, gamma):
    """Propose new hands for the players of a deal, one after the other; return the next word.

    hands: packed, from place `first`. A proposal is accepted by how much better it fits (Metropolis
    and Hastings). So chances stay the same, and deals that were alike become different.
    """
    plains = np.int64(0)
    specials = np.int64(0)
    for player in range(players):
        plains += hands[first + player] >> PLAIN & LOW_FOUR
        specials += hands[first + player] & LOW_FOUR
    for at in range(SWEEPS * players):
        player = at % players
        mine = hands[first + player]
        plains -= mine >> PLAIN & LOW_FOUR
        specials -= mine & LOW_FOUR
        proposed = held.hands[chosen_hand(held.first, held.upto, player, mix(start))]
        better = fit(held.fits, held.kinds, proposed, plains, specials)
        now = fit(held.fits, held.kinds, mine, plains, specials)
        if lucky_number(mix(start + gamma)) * now < better:
            hands[first + player] = proposed
            mine = proposed
        start += gamma + gamma
        plains += mine >> PLAIN & LOW_FOUR
        specials += mine & LOW_FOUR
    return start


@compiled
def deal_together(held, seed, tries, dealt, weights):
    """Deal hands to all players together, many times: fill in the deals and their weights.

    dealt: int64[players, deals], packed hands. tries: see `one_that_fits`.
    """
    key, gamma = stream_of(seed)
    players, deals = dealt.shape
    plains = np.zeros(deals, np.int64)
    specials = np.zeros(deals, np.int64)
    order = np.zeros(deals, np.int64)
    copied = np.zeros((players + 2, deals), np.int64)
    for deal in range(deals):
        weights[deal] = 1.0
    for player in range(players):
        for deal in range(deals):
            start = lane_start(key, gamma, deal, player, DEAL)
            entry, mean = one_that_fits(
                held, player, plains[deal], specials[deal], tries, start, gamma
            )
            dealt[player, deal] = entry
            plains[deal] += held.hands[entry] >> PLAIN & LOW_FOUR
            specials[deal] += held.hands[entry] & LOW_FOUR
            weights[deal] *= mean
        if resample(weights, order):
            for deal in range(deals):
                for other in range(player + 1):
                    copied[other, deal] = dealt[other, order[deal]]
                copied[players, deal] = plains[order[deal]]
                copied[players + 1, deal] = specials[order[deal]]
            for deal in range(deals):
                for other in range(player + 1):
                    dealt[other, deal] = copied[other, deal]
                plains[deal] = copied[players, deal]
                specials[deal] = copied[players + 1, deal]
    for deal in range(deals):
        for player in range(players):
            dealt[player, deal] = held.hands[dealt[player, deal]]


# Determinizations: hidden cards are drawn at random, consistent with what one player knows.
#
# The unseen cards are dealt to the others, in the right numbers, all deals equally likely. A deal
# counts only if everybody who has quit holds a hand with which that seat's policy would quit. Such
# a policy is shown a random card of the whole deck as top card, because the real one is unknown.
# The number of others in, and the fewest cards among them, are those of the position.
# `hidden_hands` finds these hands once for a position. Here they are drawn, and the other players
# get the rest.


@inlined
def quit_chance(rules, tables, table, seats, seat, hand, top, others, fewest):
    """Return the chance that the policy of a seat quits with this hand on this top."""
    cards = hand & tables.playable[top & 7]
    family = table[FAMILY + seat]
    if family == RANDOM:
        return 1.0 / count_options(tables.order, cards, 1)
    if family == BY_VALUES:
        move = best_move(
            rules, tables.penalties, tables.values, tables.ranks, table[BLOCK + seat],
            table[PARAMETER + seat] & MASK,
            all_leeway(rules, tables.penalties, table, seats, seat, hand),
            hand, cards, top, True,
            context_of(others, fewest), rules[transition.CARDS] - table[PLACE + PLAYED] - hand,
            table[SCORE + seat], 0, False,
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == EQUILIBRIUM:
        move = equilibrium_move(
            tables.equilibrium, table[BLOCK + seat], hand, cards, top, True, fewest,
            table[SCORE + seat], table[SCORE + 1 - seat],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == LEARNED:
        move = learned_move(
            tables, rules, tables.penalties, table, seats, seat, hand, cards, top, True, others,
            table[PLACE + PLAYED],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family == CARD:
        move = card_move(
            tables, rules, table, seats, seat, hand, cards, top, True, others, fewest,
            table[PLACE + PLAYED],
        )  # fmt: skip
        return 1.0 if move == QUIT else 0.0
    if family not in (THRESHOLD, MATCHING):
        raise ValueError(UNKNOWN_FAMILY)
    parameter = table[PARAMETER + seat]
    move = threshold_move(rules, tables.penalties, parameter, family, hand, cards, top, True)
    return 1.0 if move == QUIT else 0.0


@compiled
def weigh_hands(rules, tables, table, seats, seat, others, fewest, hands, chances, costs):
    """Fill in, for several hands, the chance that a seat quits with each, and its cost.

    table: the position's table, with the policy of the seat. others, fewest: players still in, the
    one to decide included, and the fewest cards one holds. The top is any card of the deck.
    """
    for at in range(hands.size):
        chance = 0.0
        for top in range(PLACES):
            of_place = rules[transition.CARDS] >> 8 * top & 0xFF
            there = (of_place & 15) + (of_place >> 4)
            if there:
                chance += there * quit_chance(
                    rules, tables, table, seats, seat, hands[at], top, others, fewest
                )
        chances[at] = chance / rules[transition.DECK]
        costs[at] = penalty_of(rules, tables.penalties, hands[at])


@inlined
def choose(first, upto, node, word):
    """Return the entry of a node that a random word selects; upto: summed chances in the node."""
    lucky = np.float64(np.int64(word >> _11)) * _UNIT
    low = first[node]
    high = first[node + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if lucky < upto[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def take_hand(plain, special, hand):
    """Return the two words of a pack after a hand was taken out of it (see
    `transition.pack_up`).
    """
    plains = (hand >> 4 & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    specials = (hand & LOW_FOUR) * ONES & 0xFFFFFFFFFFFFFF
    every = (plains >> 48) * ONES
    return plain - np.uint64(plains), special - np.uint64(every + specials)


@inlined
def deal_hidden(rules, tables, table, counts, seats, quitters, held, start, gamma):
    """Deal hands to the others, first to those who have quit: their hands are more restricted.

    table: the position's table; its pack has the unseen cards. counts: cards of each seat.
    quitters: see `QuitterTables`; it may have the hands of all others, see `beliefs`. held: if
    these are a sample of deals, hands that are proposed again. start: first word of the deal lane.
    """
    who, first, following = quitters.seats, quitters.first, quitters.following
    hands, upto = quitters.hands, quitters.upto
    plain = np.uint64(table[PLACE + PLAIN_PACK])
    special = np.uint64(table[PLACE + SPECIAL_PACK])
    left = table[PLACE + UNSEEN]
    if who.size:
        node = following[choose(first, upto, first.size - 2, mix(start))]
        start += gamma
        for at in range(who.size - 1, -1, -1):
            entry = choose(first, upto, node, mix(start))
            start += gamma
            node = following[entry]
            table[HAND + who[at]] = hands[entry]
        if held.hands.size:
            start = propose_again(held, table, HAND + 1, seats - 1, start, gamma)
        for at in range(who.size):
            hand = table[HAND + who[at]]
            plain, special = take_hand(plain, special, hand)
            left -= counts[who[at]]
            if table[PENALTY + who[at]] >= 0:
                table[PENALTY + who[at]] = quitting_cost(rules, tables.penalties, hand)
    specials = rules[transition.SPECIALS] != 0
    for seat in range(1, seats):
        if table[PENALTY + seat] < 0 and who.size < seats - 1:
            hand, plain, special, start = deal_hand(
                plain, special, np.uint64(left), counts[seat], specials, start, gamma
            )
            left -= counts[seat]
            table[HAND + seat] = hand
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)
    table[PLACE + UNSEEN] = left
