"""Values tables for the `meanfield` policy: one player solved against an average table.

What happens between two turns of a player comes from self-play (see `data/lama`): the end of the
round, players who quit, the smallest hand, the top card. It is treated as if it depended only on
the *context* and the card on top. The rest is one player's problem, solved by value iteration:
which card to play, when to draw, when to quit.

A context is (others still in: one, two, three or more; fewest cards among them: 1 to 6 or more). A
hand is its counts by place, above two treated as two; plus cards count as their numbers. A separate
flag says whether it has a pink llama.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.engine.policy_kernels import (
    CONTEXTS,
    DECIDING,
    HANDS,
    MOST_FEWEST,
    MOST_OTHERS,
    PASSED_ON,
)
from lama_odds.games.lama.rules.ruleset import LLAMA, VALUES, LamaRules
from lama_odds.games.lama.rules.transition import PLACES
from lama_odds.jit import compiled

# Columns of a passing table after the contexts: all others have quit; the round has ended.
ALONE = CONTEXTS
ENDED = CONTEXTS + 1
ITERATIONS = 80
CLOSE = 0.001  # points; iteration stops when no value changes more


def values_table(
    rules: LamaRules, contexts: np.ndarray, tops: np.ndarray, bonus: float, token: int = 0
) -> np.ndarray:
    """Return float32[2, CONTEXTS, PLACES, hands]: what a hand will cost, PASSED_ON or DECIDING.

    contexts: float64[CONTEXTS, CONTEXTS + 2], for each context after a turn, how frequent each
    context is at the next one.
    tops: float64[MOST_OTHERS, 7, 7], for each value on top after a turn, how frequent each value is
    at the next one.
    bonus: points that going out is worth in any case. token: the value of the token held, which
    going out returns as the rules say.
    """
    places = np.array(rules.places)
    by_place = np.zeros((MOST_OTHERS, PLACES, PLACES))
    for others in range(MOST_OTHERS):
        by_place[others][np.ix_(places, places)] = tops[others]
    following = np.zeros(PLACES, dtype=np.int64)
    for value, place in enumerate(rules.places):
        following[place] = rules.places[(value + 1) % VALUES]
    deck = np.zeros(PLACES + 1)
    for value, place in enumerate(rules.places):
        deck[place] = rules.deck[2 * value] + (value != LLAMA) * rules.deck[2 * value + 1]
    deck[PLACES] = rules.pink_llamas
    gone_out = np.full(PLACES, -bonus, dtype=np.float32)
    for value, place in enumerate(rules.places):  # of the last card
        gone_out[place] -= token if rules.token(token, 2 * value) else 0
    hands = HANDS * (2 if rules.pink_llamas else 1)
    values = np.zeros((2, CONTEXTS, PLACES, hands), dtype=np.float32)
    _solve(
        _costs(rules, hands), deck, following, rules.places[LLAMA], contexts, by_place,
        gone_out, rules.quit_cost, values,
    )  # fmt: skip
    return values


def _costs(rules: LamaRules, hands: int) -> np.ndarray:
    """Return float32[hands]: the penalty of every hand."""
    costs = np.zeros(hands, dtype=np.float32)
    for hand in range(hands):
        counts = [hand // 3**place % 3 for place in range(PLACES)]
        llamas = counts[rules.places[LLAMA]]
        mask = sum(1 << place for place in range(PLACES) if counts[place])
        held = mask | (hand >= HANDS) << 7
        costs[hand] = rules.penalties[held] + rules.llama_each * rules.llama_points * llamas
    return costs


@compiled
def _solve(costs, deck, following, llama, contexts, tops, gone_out, quit_cost, values):
    """Iterate until the values converge: PASSED_ON from DECIDING, DECIDING from PASSED_ON.

    gone_out: float32[PLACES], what going out costs by the place of the last card. quit_cost: what
    quitting costs besides the cards.
    """
    hands = costs.size
    passed, deciding = values[PASSED_ON], values[DECIDING]
    quitting = costs + np.float32(quit_cost)
    alone = np.zeros((PLACES, hands), np.float32)
    _last_player(quitting, following, llama, gone_out, alone)
    for context in range(CONTEXTS):
        for top in range(PLACES):
            deciding[context, top] = costs
            passed[context, top] = costs
    moved = np.zeros((CONTEXTS + 1, PLACES, hands), np.float32)
    chances = np.zeros((PLACES + 1, hands), np.float32)
    ups = np.zeros((PLACES + 1, hands), np.int32)
    downs = np.zeros((PLACES + 1, hands), np.int32)
    _moves(deck, hands, chances, ups, downs)
    used = contexts[:, ENDED] < 1.0
    for _ in range(ITERATIONS):
        for others in range(MOST_OTHERS):
            if not used[others * MOST_FEWEST : (others + 1) * MOST_FEWEST].any():
                continue
            _move_tops(tops[others], deciding, alone, moved)
            for fewest in range(MOST_FEWEST):
                context = others * MOST_FEWEST + fewest
                for top in range(PLACES):
                    row = passed[context, top]
                    row[:] = np.float32(contexts[context, ENDED]) * costs
                    for after in range(CONTEXTS + 1):
                        chance = np.float32(contexts[context, after])
                        if chance > 0:
                            _add(row, chance, moved[after, top])
        for top in range(PLACES):
            passed[:, top, 0] = gone_out[top]
        change = _decide(
            quitting, used, chances, ups, downs, following, llama, gone_out, passed, deciding
        )
        if change < CLOSE:
            break


@compiled
def _add(row, factor, other):
    for i in range(row.size):
        row[i] += factor * other[i]


@compiled
def _last_player(costs, following, llama, gone_out, alone):
    """Fill in what a hand will cost once all others have quit, see `policy_kernels.last_move`."""
    for top in range(PLACES):
        alone[top, 0] = gone_out[top]
    for hand in range(1, costs.size):
        for top in range(PLACES):
            after = following[top]
            if hand // 3**top % 3 > 0:
                alone[top, hand] = alone[top, hand - 3**top]
            elif hand // 3**after % 3 > 0:
                alone[top, hand] = alone[after, hand - 3**after]
            elif hand >= HANDS:
                alone[top, hand] = alone[llama, hand - HANDS]
            else:
                alone[top, hand] = costs[hand]


@compiled
def _move_tops(chances, deciding, alone, moved):
    """Average over the card on top at the next turn; the last row is for being alone then."""
    moved[:] = 0
    for top in range(PLACES):
        for after in range(PLACES):
            chance = np.float32(chances[top, after])
            if chance > 0:
                for context in range(CONTEXTS):
                    _add(moved[context, top], chance, deciding[context, after])
                _add(moved[CONTEXTS, top], chance, alone[after])


@compiled
def _decide(costs, used, chances, ups, downs, following, llama, gone_out, passed, deciding):
    """Fill in the best of quitting, drawing and playing for every hand.

    Return the largest change.
    """
    change = np.float32(0)
    drawn = np.zeros(costs.size, np.float32)
    for context in range(CONTEXTS):
        if not used[context]:
            continue
        for top in range(PLACES):
            row = passed[context, top]
            best = deciding[context, top]
            drawn[:] = 0
            for place in range(PLACES + 1):
                _add_drawn(drawn, chances[place], row, ups[place])
            same, after = passed[context, top], passed[context, following[top]]
            down_same, down_after = downs[top], downs[following[top]]
            wild = passed[context, llama]
            for hand in range(1, costs.size):
                least = min(costs[hand], drawn[hand])
                if down_same[hand] >= 0:
                    least = min(least, same[down_same[hand]])
                if down_after[hand] >= 0:
                    least = min(least, after[down_after[hand]])
                if hand >= HANDS:
                    least = min(least, wild[hand - HANDS])
                change = max(change, abs(least - best[hand]))
                best[hand] = least
            best[0] = gone_out[top]
    return change


@compiled
def _add_drawn(drawn, chances, row, ups):
    for hand in range(drawn.size):
        drawn[hand] += chances[hand] * row[ups[hand]]


@compiled
def _moves(deck, hands, chances, ups, downs):
    """Fill in by place (the last: pink) and hand: the chance to draw it, hands with and without it.

    A hand that cannot exist is −1.
    """
    counts = np.zeros(PLACES, np.int64)
    for hand in range(hands):
        left = 0.0
        rest = hand % HANDS
        for place in range(PLACES):
            counts[place] = rest % 3
            rest //= 3
            left += max(0.0, deck[place] - counts[place])
        pink = hand >= HANDS
        left += max(0.0, deck[PLACES] - pink)
        for place in range(PLACES):
            chances[place, hand] = max(0.0, deck[place] - counts[place]) / left
            ups[place, hand] = hand + (3**place if counts[place] < 2 else 0)
            downs[place, hand] = hand - 3**place if counts[place] else -1
        chances[PLACES, hand] = max(0.0, deck[PLACES] - pink) / left
        ups[PLACES, hand] = hand if pink or deck[PLACES] == 0 else hand + HANDS
        downs[PLACES, hand] = hand - HANDS if pink else -1
