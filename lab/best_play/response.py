"""The best response to fixed play in rounds of two players of Lama Dice, exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine.policy_kernels import RANDOM, THRESHOLD, cost_after, rolls_on
from lama_odds.games.dice.engine.roll_backup import (
    RollTables,
    add_matches,
    add_misses,
    count_up,
    rank_takes,
    roll_tables,
)
from lama_odds.games.dice.engine.round_loop import weighed_by
from lama_odds.games.dice.engine.tables import (
    BLOCK,
    FAMILY,
    HAND,
    PARAMETER,
    PENALTY,
    SCORE,
    TABLE_SIZE,
)
from lama_odds.games.dice.policies import policy_rows, tables_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    FULL_ROW,
    KINDS,
    blown_kinds,
    count_of,
    kinds_of,
    last_llamas_blown,
    row_ends_round,
)
from lama_odds.games.dice.solvers.last_player import (
    EQUAL,
    AlonePayoff,
    AloneSolution,
    AloneSpace,
    PairPayoff,
    Tokens,
    end_ranks,
    scores_at_the_end,
    solve_alone,
)
from lama_odds.games.dice.solvers.two_players import (
    Counted,
    PairSolution,
    PairSpace,
    State,
    masks_of,
    place_alone,
    read_digits,
)
from lama_odds.jit import allocating, compiled, inlined

# The value of rolling for a player whose discards and takes are fixed.
#
# `roll_backup` has it for the best choices. Here each choice has a cost of the player's own, in any
# unit: the player leaves what costs least, whatever it is worth. Of discards that cost the same it
# is the one that comes first in `policy_kernels.chosen_discard`, of takes the lowest kind.


class Chosen(NamedTuple):
    """Scratch of `add_chosen_matches`.

    cards: int64[sets], the cards of each matched set, packed as a hand.
    reach: int64[sets], the place after discarding a set; −1 if there are fewer cards.
    least: float64[sets, layers], what the chosen discard within a set costs.
    picked: int64[sets, layers], the set that is discarded.
    """

    cards: np.ndarray
    reach: np.ndarray
    least: np.ndarray
    picked: np.ndarray


@allocating
def chosen_scratch(tables, layers):
    """Return scratch for this number of layers."""
    sets = tables.stem.size
    cards = np.zeros(sets, np.int64)
    for found in range(1, sets):
        more = np.int64(tables.copies[found]) << 4 * np.int64(tables.last[found])
        cards[found] = cards[tables.stem[found]] + more
    reach = np.zeros(sets, np.int64)
    return Chosen(cards, reach, np.zeros((sets, layers)), np.zeros((sets, layers), np.int64))


@inlined
def add_chosen_matches(tables: RollTables, worth, costs, here, digits, steps, mask, scratch, total):
    """Add to total[layers] the rolls that match, each with the discard that costs least.

    costs: [places, layers], what it costs to leave a situation. See `roll_backup.add_matches`.
    """
    cards, reach, least, picked = scratch
    reach[0] = here
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        found = tables.sets[entry]
        kind = tables.last[found]
        step = steps[kind, digits[kind], tables.copies[found]]
        place = reach[tables.stem[found]]
        place = place + step if step != 0 and place >= 0 else -1
        reach[found] = place
        weight = tables.weights[entry]
        for layer in range(total.size):
            best = np.int64(0)
            cost = np.inf
            if place >= 0:
                best = np.int64(found)
                cost = np.float64(costs[place, layer])
            for i in range(tables.smaller.shape[1]):
                less = tables.smaller[found, i]
                if less == 0:
                    break
                value = least[less, layer]
                other = picked[less, layer]
                if value < cost or (value == cost and cards[other] > cards[best]):
                    cost = value
                    best = other
            least[found, layer] = cost
            picked[found, layer] = best
            if weight > 0.0:
                total[layer] += weight * worth[reach[best], layer]


@inlined
def add_chosen_misses(
    tables: RollTables, worth, costs, here, digits, takes, mask, row, blown, order, total
):
    """Add to total[layers] the rolls that match nothing: the take of least cost, or blown[layers].

    See `roll_backup.add_misses`.
    """
    for layer in range(total.size):
        shown = mask
        for at in range(rank_takes(costs, here, digits, takes, mask, row, layer, order)):
            kind = np.int64(order[1, at])
            more = shown | 1 << kind
            chance = tables.avoiding[shown] - tables.avoiding[more]
            total[layer] += chance * worth[here + takes[kind, digits[kind]], layer]
            shown = more
        total[layer] += tables.avoiding[shown] * blown[layer]


# What a fixed player does in every situation of a round of two players.
#
# The decisions are those of a policy, or of a solution. In each situation
# a policy decides whether it rolls, and values what it costs to leave that situation to the other.
# So they are the decisions that it makes in games.

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


# The best response to a fixed player in a two-player round, exactly.
#
# Nothing is hidden in Lama Dice for two. So a player who knows what the other would do everywhere
# has a decision problem of its own, on the situations of `two_players`. Player 0 responds, player 1
# is fixed. The result has the shape of the equilibrium: rounds are played through it in the same
# way.


def respond(rules: DiceRules, of: Setting, fixed: Fixed, payoff: PairPayoff) -> PairSolution:
    """Return the best response of player 0 to what player 1 does, in all situations.

    `passed[0]` and `passed[1]` are what it is worth to the other player if 0 or 1 decides, 0 then
    playing its best response and 1 as it is fixed.
    """
    alone = (
        solve_alone(rules, of.alone[0], of.tokens[0], False, payoff.alone[0]),
        alone_as_fixed(rules, of.alone[1], of.tokens[1], fixed, payoff.alone[1]),
    )
    passed = np.empty((2, of.space.places, payoff.ends.shape[-1]))
    counted = Counted(
        end_ranks(rules),
        payoff.ends,
        payoff.returned,
        payoff.quits,
        payoff.columns,
        (alone[0].worth, alone[1].worth),
    )
    _sweep(
        of.space, roll_tables(rules), rules.columns, counted, fixed.costs, fixed.rolls, passed[0],
        passed[1],
    )  # fmt: skip
    return PairSolution(of.space, of.states, alone, of.tokens, passed, payoff)


def alone_as_fixed(
    rules: DiceRules, space: AloneSpace, tokens: Tokens, fixed: Fixed, payoff: AlonePayoff
) -> AloneSolution:
    """Return what a player alone is worth who plays as fixed; see `solve_alone`."""
    worth = np.zeros((space.places, payoff.returned.size))
    _play_alone(
        roll_tables(rules), rules.columns, end_ranks(rules), space.held, space.sizes, space.strides,
        tokens.values.size, payoff.results, payoff.returned, fixed.alone_costs, fixed.alone_rolls,
        worth,
    )  # fmt: skip
    return AloneSolution(space, worth, np.zeros((*worth.shape, 0)))


@compiled
def _play_alone(
    tables, columns, ranks, held, sizes, strides, levels, results, returned, costs, rolls, worth
):  # fmt: skip
    """Fill in what each situation is worth to a fixed player alone."""
    digits = np.zeros(KINDS, np.int64)
    steps = np.zeros((KINDS, sizes.max(), tables.smaller.shape[1] + 1), np.int64)
    for kind in range(KINDS):
        for digit in range(sizes[kind]):
            for gone in range(1, min(digit % (held[kind] + 1), steps.shape[2] - 1) + 1):
                steps[kind, digit, gone] = -gone * strides[kind]
    scratch = chosen_scratch(tables, returned.size)
    total = np.zeros(returned.size)
    outcomes = tables.outcomes[0]
    for place in range(worth.shape[0]):
        mask = 0
        row = 0
        if place > 0:
            count_up(digits, sizes)
        for kind in range(KINDS):
            mask |= (digits[kind] % (held[kind] + 1) > 0) << kind
            row |= (digits[kind] > held[kind]) << kind
        if mask:
            total[:] = 0.0
            add_chosen_matches(tables, worth, costs, place, digits, steps, mask, scratch, total)
        again = tables.llamas[0]
        bust = tables.avoiding[mask]
        if last_llamas_blown(columns, mask):
            bust += again
            again = 0.0
        again /= outcomes
        for column in range(returned.size - 1, -1, -1):
            if mask == 0 or not rolls[place, column]:
                worth[place, column] = results[column, ranks[mask]]
                continue
            blown = results[column, ranks[blown_kinds(mask, row)]]
            rolling = (total[column] + bust * blown) / outcomes - again * returned[column]
            if column % levels == levels - 1:
                rolling /= 1.0 - again
            else:
                rolling += again * worth[place, column + 1]
            worth[place, column] = rolling


@compiled
def _sweep(space, tables, columns, counted, costs, rolls, passed_0, passed_1):
    """Solve all places, the lowest first: see `two_players`."""
    layers = passed_0.shape[1]
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, layers), np.inf)
    scratch = chosen_scratch(tables, layers)
    order = np.zeros((2, KINDS))
    blown = np.zeros(layers)
    roll_0 = np.zeros(layers)
    roll_1 = np.zeros(layers)
    for place in range(passed_0.shape[0]):
        if place > 0:
            count_up(digits, space.sizes)
        masks = masks_of(space, digits)
        mine = masks & FULL_ROW
        other = masks >> 7 & FULL_ROW
        row = masks >> 14
        rank_0 = counted.ranks[mine]
        rank_1 = counted.ranks[other]
        if mine == 0 or other == 0 or row_ends_round(columns, row):
            for layer in range(layers):
                passed_1[place, layer] = counted.ends[0, rank_0, rank_1, layer]
                passed_0[place, layer] = counted.ends[1, rank_0, rank_1, layer]
            continue
        blown_rank = counted.ranks[blown_kinds(mine, row)]
        for layer in range(layers):
            blown[layer] = counted.ends[0, blown_rank, rank_1, layer]
            roll_0[layer] = 0.0
        add_matches(tables, passed_1, place, digits, space.steps[0], mine, reach, best, roll_0)
        add_misses(tables, passed_1, place, digits, space.takes[0], mine, row, blown, order, roll_0)
        blown_rank = counted.ranks[blown_kinds(other, row)]
        for layer in range(layers):
            blown[layer] = counted.ends[1, rank_0, blown_rank, layer]
            roll_1[layer] = 0.0
        add_chosen_matches(
            tables, passed_0, costs, place, digits, space.steps[1], other, scratch, roll_1
        )
        add_chosen_misses(
            tables, passed_0, costs, place, digits, space.takes[1], other, row, blown, order, roll_1
        )
        alone = (place_alone(space, 0, digits), place_alone(space, 1, digits))
        _decide_best(
            tables, counted, rank_0, rank_1, alone, roll_0, roll_1, rolls, place, passed_0, passed_1
        )


@inlined
def _decide_best(
    tables, counted, rank_0, rank_1, alone, roll_0, roll_1, rolls, place, passed_0, passed_1
):  # fmt: skip
    """Quit or roll at a place; three llamas connect the decisions of both."""
    outcomes = tables.outcomes[0]
    q = tables.llamas[0] / outcomes
    last_0 = counted.returned[0].size - 1
    last_1 = counted.returned[1].size - 1
    for a in range(last_0, -1, -1):
        for b in range(last_1, -1, -1):
            layer = a * (last_1 + 1) + b
            column_1 = counted.columns[0, rank_0, layer]
            column_0 = counted.columns[1, rank_1, layer]
            quit_0 = counted.quits[0, rank_0] - counted.alone[1][alone[1], column_1]
            moved_0 = roll_0[layer] / outcomes - q * counted.returned[0][a]
            moved_1 = roll_1[layer] / outcomes - q * counted.returned[1][b]
            tied_0 = q if a == last_0 else 0.0
            tied_1 = q if b == last_1 else 0.0
            if tied_0 == 0.0:
                moved_0 += q * passed_1[place, layer + last_1 + 1]
            if tied_1 == 0.0:
                moved_1 += q * passed_0[place, layer + 1]
            if rolls[place, layer]:
                x = (moved_0 - tied_0 * moved_1) / (1.0 - tied_0 * tied_1)
                x = min(x, quit_0)
                y = moved_1 - tied_1 * x
            else:
                y = counted.quits[1, rank_1] - counted.alone[0][alone[0], column_0]
                x = min(quit_0, moved_0 - tied_0 * y)
            passed_0[place, layer] = -x
            passed_1[place, layer] = -y
