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

from typing import NamedTuple

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
        _costs(rules, hands), _moves(deck, hands), following, rules.places[LLAMA], contexts,
        by_place, gone_out, rules.quit_cost, values,
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


class Moves(NamedTuple):
    """What drawing and playing do to a hand, by place; the last place is the pink llama.

    chances: float32[PLACES + 1, hands], of drawing a card of the place. ups, downs: int64 of the
    same shape, the hand with a card more and less; -1 if there is none to play.
    """

    chances: np.ndarray
    ups: np.ndarray
    downs: np.ndarray


def _solve(
    costs: np.ndarray,
    moves: Moves,
    following: np.ndarray,
    llama: int,
    contexts: np.ndarray,
    tops: np.ndarray,
    gone_out: np.ndarray,
    quit_cost: int,
    values: np.ndarray,
) -> None:
    """Iterate until the values converge: PASSED_ON from DECIDING, DECIDING from PASSED_ON.

    gone_out: float32[PLACES], what going out costs by the place of the last card. quit_cost: what
    quitting costs besides the cards.

    All is float32, added up in a fixed order: the same bits on every machine.
    """
    passed, deciding = values[PASSED_ON], values[DECIDING]
    values[:] = costs
    quitting = costs + np.float32(quit_cost)
    alone = _last_player(quitting, moves.downs, following, llama, gone_out)
    moved = np.zeros((CONTEXTS + 1, PLACES, costs.size), np.float32)
    used = contexts[:, ENDED] < 1.0
    for _ in range(ITERATIONS):
        for others in range(MOST_OTHERS):
            here = range(others * MOST_FEWEST, (others + 1) * MOST_FEWEST)
            if used[here].any():
                _move_tops(tops[others], deciding, alone, moved)
                for context in here:
                    _pass_on(contexts[context], costs, moved, passed[context])
        passed[:, :, 0] = gone_out
        least = _best_of(quitting, moves, following, llama, passed[used])
        least[:, :, 0] = gone_out
        change = np.abs(least - deciding[used])[:, :, 1:].max(initial=0.0)
        deciding[used] = least
        if change < CLOSE:
            break


def _last_player(
    costs: np.ndarray, downs: np.ndarray, following: np.ndarray, llama: int, gone_out: np.ndarray
) -> np.ndarray:
    """Return what a hand will cost once all others have quit, see `policy_kernels.last_move`.

    float32[PLACES, hands], filled in from few cards to many.
    """
    alone = np.tile(costs, (PLACES, 1))
    alone[:, 0] = gone_out
    left = np.arange(costs.size)
    cards = left // HANDS + sum(left // 3**place % 3 for place in range(PLACES))
    for number in range(1, cards.max() + 1):
        hands = np.flatnonzero(cards == number)
        for top in range(PLACES):
            after = following[top]
            found = np.where(hands >= HANDS, alone[llama, hands - HANDS], costs[hands])
            for place in (after, top):  # cards like the top are played first
                down = downs[place, hands]
                found = np.where(down >= 0, alone[place, down], found)
            alone[top, hands] = found
    return alone


def _move_tops(
    chances: np.ndarray, deciding: np.ndarray, alone: np.ndarray, moved: np.ndarray
) -> None:
    """Average over the card on top at the next turn; the last row is for being alone then."""
    moved[:] = 0
    for top in range(PLACES):
        for after in range(PLACES):
            chance = np.float32(chances[top, after])
            if chance > 0:
                moved[:CONTEXTS, top] += chance * deciding[:, after]
                moved[CONTEXTS, top] += chance * alone[after]


def _pass_on(chances: np.ndarray, costs: np.ndarray, moved: np.ndarray, passed: np.ndarray) -> None:
    """Average over the context at the next turn, into float32[PLACES, hands]."""
    passed[:] = np.float32(chances[ENDED]) * costs
    for after in range(CONTEXTS + 1):
        chance = np.float32(chances[after])
        if chance > 0:
            passed += chance * moved[after]


def _best_of(
    costs: np.ndarray, moves: Moves, following: np.ndarray, llama: int, passed: np.ndarray
) -> np.ndarray:
    """Return the best of quitting, drawing and playing for every hand, in the shape of `passed`."""
    drawn = np.zeros_like(passed)
    for chances, ups in zip(moves.chances, moves.ups, strict=True):
        drawn += chances * passed[:, :, ups]
    least = np.where(drawn < costs, drawn, costs)
    for top in range(PLACES):
        for place in (top, following[top]):
            hands = np.flatnonzero(moves.downs[place] >= 0)
            played = passed[:, place, moves.downs[place, hands]]
            least[:, top, hands] = np.minimum(least[:, top, hands], played)
    if costs.size > HANDS:
        wild = passed[:, llama, np.newaxis, : costs.size - HANDS]
        least[:, :, HANDS:] = np.minimum(least[:, :, HANDS:], wild)
    return least


def _moves(deck: np.ndarray, hands: int) -> Moves:
    """Return the moves of every hand. deck: float64[PLACES + 1], the cards of each place."""
    every = np.arange(hands)
    pink = every // HANDS
    counts = np.array([*(every // 3**place % 3 for place in range(PLACES)), pink])
    steps = np.array([*(3**place for place in range(PLACES)), HANDS])[:, np.newaxis]
    unseen = np.maximum(0.0, deck[:, np.newaxis] - counts)
    left = np.zeros(hands)
    for place in range(PLACES + 1):
        left += unseen[place]
    most = np.array([*(2 for _ in range(PLACES)), 1 if deck[PLACES] else 0])[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # a player with all cards draws none
        chances = (unseen / left).astype(np.float32)
    ups = every + np.where(counts < most, steps, 0)
    return Moves(chances, ups, np.where(counts > 0, every - steps, -1))
