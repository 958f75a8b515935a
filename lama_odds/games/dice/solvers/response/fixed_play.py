"""What a fixed player does in every situation of a round of two players.

The decisions are those of a policy, or of a solution. In each situation
a policy decides whether it rolls, and values what it costs to leave that situation to the other.
So they are the decisions that it makes in games.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine.policy_kernels import RANDOM, THRESHOLD, cost_after, rolls_on
from lama_odds.games.dice.engine.roll_backup import count_up
from lama_odds.games.dice.engine.round_loop import weighed_by
from lama_odds.games.dice.engine.table_rows import (
    BLOCK,
    FAMILY,
    HAND,
    PARAMETER,
    PENALTY,
    SCORE,
    TABLE_SIZE,
)
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, count_of, kinds_of
from lama_odds.games.dice.solvers.last_player import EQUAL, AloneSpace
from lama_odds.games.dice.solvers.payoffs import end_ranks, scores_at_the_end
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    PairSpace,
    State,
    masks_of,
    place_alone,
    read_digits,
)
from lama_odds.jit import compiled

OUT = -np.inf  # a player who can go out does


class Fixed(NamedTuple):
    """What a player does; layers and columns are those of `PairSolution` and `AloneSolution`.

    costs: float[places, layers], what it costs to leave a situation, in a unit of the player's own.
    It discards and takes what costs least.
    rolls: bool[places, layers], whether it rolls when it decides.
    alone_costs, alone_rolls: [places, columns], the same after the other has quit.
    """

    costs: np.ndarray
    rolls: np.ndarray
    alone_costs: np.ndarray
    alone_rolls: np.ndarray


class Setting(NamedTuple):
    """A round to which decisions belong: its situations, scores before it, and tokens followed."""

    states: list[list[State]]
    space: PairSpace
    alone: tuple[AloneSpace, AloneSpace]
    scores: tuple[int, int]
    tokens: tuple[Tokens, Tokens]

    def levels(self, player: int) -> np.ndarray:
        """Return a player's scores, by tokens returned."""
        gone = np.cumsum(self.tokens[player].values[:-1])
        return np.asarray(self.scores[player] - np.append(0, gone), dtype=np.int64)

    def held(self) -> np.ndarray:
        """Return int64[2, 7, digits]: the packed cards that a digit of a kind gives each player."""
        found = np.zeros((2, *self.space.kinds.shape), dtype=np.int64)
        for kind, states in enumerate(self.states):
            for digit, state in enumerate(states):
                found[:, kind, digit] = state[0] << 4 * kind, state[1] << 4 * kind
        return found


def by_policy(rules: DiceRules, policy: Policy, player: int, of: Setting) -> Fixed:
    """Return what a policy does as player 0 or 1.

    The payoff must keep the scores of players who quit apart, since policies see them. Raises
    ReadError for a policy that decides at random.
    """
    seats = [policy, policy]
    family, parameter, block = policy_rows(seats)[0].tolist()
    if family == RANDOM:
        raise ReadError(f"{policy.name} decides at random: expected a policy that does not")
    tables = tables_of(rules, seats)
    table = np.zeros(TABLE_SIZE, dtype=np.int64)
    table[PENALTY : PENALTY + 2] = -1
    table[FAMILY + player], table[PARAMETER + player] = family, parameter
    table[BLOCK + player] = block
    levels = of.levels(0), of.levels(1)
    shape = of.space.places, levels[0].size * levels[1].size
    costs, rolls = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.bool_)
    _decide(
        of.space, of.held(), rules.columns, tables, table, player, levels[0], levels[1], costs,
        rolls,
    )  # fmt: skip
    other = 1 - player
    finals = np.unique(scores_at_the_end(rules, of.scores[other], of.tokens[other]))
    space = of.alone[player]
    alone_shape = space.places, finals.size * levels[player].size
    alone_costs = np.zeros(alone_shape, dtype=np.float32)
    alone_rolls = np.zeros(alone_shape, dtype=np.bool_)
    table[PENALTY + other] = 0
    _decide_alone(
        space.held, space.sizes, rules.columns, tables, table, player, levels[player], finals,
        alone_costs, alone_rolls,
    )  # fmt: skip
    return Fixed(costs, rolls, alone_costs, alone_rolls)


def as_solved(rules: DiceRules, solution: PairSolution, player: int) -> Fixed:
    """Return what a solution does as player 0 or 1; it quits where that is as good."""
    other = 1 - player
    passed, alone = solution.passed, solution.alone[player].worth
    payoff = solution.payoff
    rolls = np.zeros(passed.shape[1:], dtype=np.bool_)
    _roll_as_solved(
        solution.space, player, end_ranks(rules), passed[player], solution.alone[other].worth,
        payoff.quits[player], payoff.columns[player], rolls,
    )  # fmt: skip
    space = solution.alone[player].space
    ranks = end_ranks(rules)[_masks_alone(space)]
    alone_rolls = alone < payoff.alone[player].results[:, ranks].T - EQUAL
    return Fixed(passed[other], rolls, alone, alone_rolls)


def _masks_alone(space: AloneSpace) -> np.ndarray:
    """Return int64[places], the kinds held in each situation of a player alone."""
    places = np.arange(space.places)
    found = np.zeros(space.places, dtype=np.int64)
    for kind in range(KINDS):
        digit = places // space.strides[kind] % space.sizes[kind]
        found |= (digit % (space.held[kind] + 1) > 0).astype(np.int64) << kind
    return found


@compiled
def _decide(
    space, held, rules, tables, table, player, scores_0, scores_1, costs, rolls
):  # fmt: skip
    """Write what a policy does while both are in."""
    digits = np.zeros(KINDS, np.int64)
    family, parameter = table[FAMILY + player], table[PARAMETER + player]
    coin = np.uint64(0)
    for place in range(costs.shape[0]):
        if place > 0:
            count_up(digits, space.sizes)
        first = 0
        second = 0
        for kind in range(KINDS):
            first += held[0, kind, digits[kind]]
            second += held[1, kind, digits[kind]]
        row = masks_of(space, digits) >> 14
        hand = first if player == 0 else second
        table[HAND], table[HAND + 1] = first, second
        penalty = tables.points[kinds_of(hand)]
        for layer in range(costs.shape[1]):
            if hand == 0:
                costs[place, layer] = OUT
                continue
            if first == 0 or second == 0:
                continue
            table[SCORE] = scores_0[layer // scores_1.size]
            table[SCORE + 1] = scores_1[layer % scores_1.size]
            block, ahead = weighed_by(
                rules, tables.points, tables.values, table, 2, player, penalty, 1
            )
            rolls[place, layer] = rolls_on(
                family, parameter, block, penalty, ahead, hand, row, 1, coin, tables, table, player
            )
            if family == THRESHOLD:
                costs[place, layer] = _cards(hand)
            else:
                costs[place, layer] = cost_after(family, block, hand, row, 1, tables, table, player)


@compiled
def _cards(hand):
    """Return how many cards a hand has: a threshold discards as many as it can."""
    total = 0
    for kind in range(KINDS):
        total += count_of(hand, kind)
    return total


@compiled
def _decide_alone(
    most, sizes, rules, tables, table, player, scores, finals, costs, rolls
):  # fmt: skip
    """Write what a policy does alone; finals: of the other, who has quit."""
    digits = np.zeros(KINDS, np.int64)
    family, parameter = table[FAMILY + player], table[PARAMETER + player]
    coin = np.uint64(0)
    for place in range(costs.shape[0]):
        if place > 0:
            count_up(digits, sizes)
        hand = 0
        row = 0
        for kind in range(KINDS):
            hand += digits[kind] % (most[kind] + 1) << 4 * kind
            row |= (digits[kind] > most[kind]) << kind
        table[HAND + player] = hand
        penalty = tables.points[kinds_of(hand)]
        for column in range(costs.shape[1]):
            if hand == 0:
                costs[place, column] = OUT
                continue
            table[SCORE + player] = scores[column % scores.size]
            table[SCORE + 1 - player] = finals[column // scores.size]
            block, ahead = weighed_by(
                rules, tables.points, tables.values, table, 2, player, penalty, 0
            )
            rolls[place, column] = rolls_on(
                family, parameter, block, penalty, ahead, hand, row, 0, coin, tables, table, player
            )
            if family == THRESHOLD:
                costs[place, column] = _cards(hand)
            else:
                costs[place, column] = cost_after(
                    family, block, hand, row, 0, tables, table, player
                )


@compiled
def _roll_as_solved(space, player, ranks, passed, alone, quits, columns, rolls):
    """Write where a solution rolls. alone: what the other alone is worth."""
    digits = np.zeros(KINDS, np.int64)
    for place in range(rolls.shape[0]):
        read_digits(space, place, digits)
        masks = masks_of(space, digits)
        rank = ranks[masks >> 7 * player & FULL_ROW]
        left = place_alone(space, 1 - player, digits)
        for layer in range(rolls.shape[1]):
            quitting = quits[rank] - alone[left, columns[rank, layer]]
            rolls[place, layer] = -passed[place, layer] < quitting - EQUAL
