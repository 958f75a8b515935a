"""The best response to a fixed player in a two-player round, exactly.

Nothing is hidden in Lama Dice for two. So a player who knows what the other would do everywhere has
a decision problem of its own, on the situations of `two_players`. Player 0 responds, player 1 is
fixed. The result has the shape of the equilibrium: rounds are played through it in the same way.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine.chosen_backup import (
    add_chosen_matches,
    add_chosen_misses,
    chosen_scratch,
)
from lama_odds.games.dice.engine.roll_backup import add_matches, add_misses, count_up, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    FULL_ROW,
    KINDS,
    blown_kinds,
    last_llamas_blown,
    row_ends_round,
)
from lama_odds.games.dice.solvers.last_player import (
    AlonePayoff,
    AloneSolution,
    AloneSpace,
    solve_alone,
)
from lama_odds.games.dice.solvers.payoffs import PairPayoff, end_ranks
from lama_odds.games.dice.solvers.response.fixed_play import Fixed, Setting
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import (
    Counted,
    PairSolution,
    masks_of,
    place_alone,
)
from lama_odds.jit import compiled, inlined


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
        _decide(
            tables, counted, rank_0, rank_1, alone, roll_0, roll_1, rolls, place, passed_0, passed_1
        )


@inlined
def _decide(
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
