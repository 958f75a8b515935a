"""Rounds of two players played through a solution: how they end, and what mistakes cost.

Either player plays as solved or follows a policy. Each decision is compared with the best one, so
that the cost of mistakes is measured without the sampling error of the dice. Rules come from
`rules.transition`, decisions of policies from `engine.policy_kernels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine.policy_kernels import RANDOM, chosen_discard, chosen_take, rolls_on
from lama_odds.games.dice.engine.roll_backup import EQUAL
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
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import Counts, pack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import BLOWN, KINDS, LLAMAS, MATCH, count_of, kinds_of
from lama_odds.games.dice.solvers.last_player import end_ranks
from lama_odds.games.dice.solvers.two_players import PairSolution
from lama_odds.games.shared.card_values import returned_token
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import COINS, DICE, STUDY, below, lane_start, mix, stream_of

SOLVED = -1  # the family code of a player who plays as solved
MOST = 16  # cards of a kind: what a packed hand can hold
LAST, FIELDS = 2, 3  # columns of finals: scores, last actor
# Where mistakes are made: quit or roll, which cards to discard, which one to take, and all three
# after the other has quit.
QUITTING, DISCARDING, TAKING, ALONE, PLACES = 0, 1, 2, 3, 4


class Walked(NamedTuple):
    """A solution as the compiled functions read it; see `PairSolution` and `PairPayoff`.

    parts: int64[7, 2, 16, 16], parts of places by kind, whether it is in the row, and the cards of
    player 0 and the other. alone_parts: int64[2, 7, 2, 16], likewise of a player alone.
    """

    parts: np.ndarray
    alone_parts: np.ndarray
    passed: tuple[np.ndarray, np.ndarray]
    alone: tuple[np.ndarray, np.ndarray]
    results: tuple[np.ndarray, np.ndarray]
    returned: tuple[np.ndarray, np.ndarray]
    ends: np.ndarray
    quits: np.ndarray
    columns: np.ndarray
    ranks: np.ndarray


@dataclass(frozen=True)
class Walks:
    """Rounds that were played through a solution.

    finals: int64[rounds, 3], the final scores of player 0 and the other, and the last to act.
    costs: float64[rounds, 2, 4], what the mistakes of either player cost in that round, by where
    they are made, in the unit of the payoff. It is the worth of the best decision minus that of the
    decision made. A roll where quitting is best costs what the best decision after that roll is
    worth less; so a single round can have a negative cost.
    seen: int64[decisions, 5], the first decisions to quit or roll while both were in: the player,
    packed hands of that player and the other, the row, and the layer.
    """

    finals: np.ndarray
    costs: np.ndarray
    seen: np.ndarray


def walked(rules: DiceRules, solution: PairSolution) -> Walked:
    """Return a solution as `walk` reads it."""
    parts = np.zeros((KINDS, 2, MOST, MOST), dtype=np.int64)
    for kind, numbers in enumerate(solution.numbered):
        for (mine, other, in_row), number in numbers.items():
            parts[kind, in_row, mine, other] = number
    alone_parts = np.zeros((2, KINDS, 2, MOST), dtype=np.int64)
    for player, alone in enumerate(solution.alone):
        for kind in range(KINDS):
            for in_row in (0, 1):
                for cards in range(int(alone.space.held[kind]) + 1):
                    part = alone.space.part(kind, cards, in_row) * int(alone.space.strides[kind])
                    alone_parts[player, kind, in_row, cards] = part
    payoff = solution.payoff
    return Walked(
        parts,
        alone_parts,
        (solution.passed[0], solution.passed[1]),
        (solution.alone[0].worth, solution.alone[1].worth),
        (payoff.alone[0].results, payoff.alone[1].results),
        payoff.returned,
        payoff.ends,
        payoff.quits,
        payoff.columns,
        end_ranks(rules),
    )


def walk(
    rules: DiceRules,
    solution: Walked,
    hands: tuple[Counts, Counts],
    row: int,
    scores: tuple[int, int],
    begins: int,
    policies: Sequence[Policy | None],
    seed: int,
    rounds: int,
    explores: float = 0.0,
    most_seen: int = 0,
) -> Walks:
    """Play rounds from the first position of a solution.

    begins: the player who decides first. policies: of either player; None plays as solved.
    explores: how often a decision is made at random instead. most_seen: decisions to keep.
    """
    known = next((policy for policy in policies if policy is not None), None)
    seated = [] if known is None else [policy or known for policy in policies]
    tables = tables_of(rules, seated)
    rows = policy_rows(seated) if seated else np.zeros((2, 3), dtype=np.int64)
    rows[[policy is None for policy in policies], 0] = SOLVED
    root = np.zeros(TABLE_SIZE, dtype=np.int64)
    for player in (0, 1):
        root[HAND + player] = pack_hand(hands[player])
        root[SCORE + player] = scores[player]
        root[PENALTY + player] = -1
        root[FAMILY + player], root[PARAMETER + player], root[BLOCK + player] = rows[player]
    finals = np.zeros((rounds, FIELDS), dtype=np.int64)
    costs = np.zeros((rounds, 2, PLACES))
    seen = np.zeros((most_seen + 1, 5), dtype=np.int64)  # the first row counts them
    often = np.uint64(min(explores, 0.999) * 2.0**64)
    _walk(rules.columns, tables, solution, root, row, begins, seed, often, finals, costs, seen)
    return Walks(finals, costs, seen[1 : seen[0, 0] + 1])


@inlined
def place_of(parts, hand, theirs, me, row):
    """Return the number of a situation from packed hands."""
    first, second = (hand, theirs) if me == 0 else (theirs, hand)
    place = 0
    for kind in range(KINDS):
        place += parts[kind, row >> kind & 1, count_of(first, kind), count_of(second, kind)]
    return place


@inlined
def alone_place(parts, hand, row):
    """Return the number of a situation of a player alone."""
    place = 0
    for kind in range(KINDS):
        place += parts[kind, row >> kind & 1, count_of(hand, kind)]
    return place


@inlined
def worth_after(solved, alone, me, hand, theirs, row, at):
    """Return what a situation after a player's move is worth to that player; lower is better.

    at: the layer; the column if the player is alone.
    """
    if alone:
        return solved.alone[me][alone_place(solved.alone_parts[me], hand, row), at]
    return solved.passed[1 - me][place_of(solved.parts, hand, theirs, me, row), at]


@inlined
def decision(solved, alone, me, hand, theirs, row, at):
    """Return what a player's decision is worth, and what quitting is worth."""
    mine = solved.ranks[kinds_of(hand)]
    if alone:
        place = alone_place(solved.alone_parts[me], hand, row)
        return solved.alone[me][place, at], solved.results[me][at, mine]
    other = 1 - me
    best = -solved.passed[me][place_of(solved.parts, hand, theirs, me, row), at]
    left = alone_place(solved.alone_parts[other], theirs, row)
    column = solved.columns[me, mine, at]
    return best, solved.quits[me, mine] - solved.alone[other][left, column]


@inlined
def blown_worth(solved, alone, me, hand, theirs, row, at):
    """Return what blowing it is worth to a player."""
    mine = solved.ranks[transition.blown_kinds(kinds_of(hand), row)]
    if alone:
        return solved.results[me][at, mine]
    other = solved.ranks[kinds_of(theirs)]
    return solved.ends[me, mine, other, at] if me == 0 else solved.ends[me, other, mine, at]


@inlined
def after_return(solved, alone, me, at):
    """Return the layer (or column) after a returned token, and what counts at once."""
    of_second = solved.returned[1].size
    level = (
        at % solved.returned[me].size if alone else at // of_second if me == 0 else at % of_second
    )
    at_once = solved.returned[me][level]
    if level < solved.returned[me].size - 1:
        at += of_second if me == 0 and not alone else 1
    return at, at_once


@inlined
def best_discard(solved, alone, me, most, hand, theirs, row, at):
    """Return what the best discard within `most` is worth, and its cards."""
    best = np.inf
    cards = most
    for choice in range(transition.discard_options(most), 0, -1):
        tried = transition.discard_option(most, choice)
        worth = worth_after(solved, alone, me, hand - tried, theirs, row, at)
        if worth < best:
            best = worth
            cards = tried
    return best, cards


@inlined
def best_take(solved, me, takeable, hand, theirs, row, at):
    """Return what the best kind to take is worth, and the kind."""
    best = np.inf
    kind = 0
    while takeable:
        tried = transition.lowest_kind(takeable)
        takeable &= takeable - 1
        left = row & ~(1 << tried)
        worth = worth_after(solved, False, me, hand + (1 << 4 * tried), theirs, left, at)
        if worth < best:
            best = worth
            kind = tried
    return best, kind


@compiled
def _walk(
    rules, tables, solved, root, row_at_first, begins, seed, explores, finals, costs, seen
):  # fmt: skip
    """Play all rounds; a round reads the lanes of its number in the stream of the seed."""
    table = np.zeros(TABLE_SIZE, np.int64)
    key, gamma = stream_of(seed)
    for game in range(finals.shape[0]):
        for at in range(table.size):
            table[at] = root[at]
        _walk_round(
            rules, tables, solved, table, row_at_first, begins, key, gamma, game, explores,
            finals[game], costs[game], seen,
        )  # fmt: skip
        for player in range(2):
            penalty = table[PENALTY + player]
            if penalty < 0:
                penalty = tables.points[kinds_of(table[HAND + player])]
            finals[game, player] = table[SCORE + player] + penalty


@inlined
def _walk_round(
    rules, tables, solved, table, row, begins, key, gamma, game, explores, final, costs, seen
):  # fmt: skip
    """Play a round; write who acted last, and what the mistakes of either player cost."""
    black, pink = rules[transition.BLACK], rules[transition.PINK]
    me = begins
    alone = False
    at = 0
    turn = np.uint64(0)
    ended = False
    while not ended:
        final[LAST] = me
        others = 0 if alone else 1
        hand, theirs = table[HAND + me], table[HAND + 1 - me]
        mask = kinds_of(hand)
        family = table[FAMILY + me]
        coin = lane_start(key, gamma, game, 0, COINS + me) + gamma * (turn + turn)
        dice = mix(lane_start(key, gamma, game, 0, DICE + me) + gamma * turn)
        if mix(lane_start(key, gamma, game, 0, STUDY) + gamma * turn) < explores:
            family = RANDOM
        turn += np.uint64(1)
        if not alone and seen[0, 0] < seen.shape[0] - 1:
            seen[0, 0] += 1
            entry = seen[seen[0, 0]]
            entry[0], entry[1], entry[2], entry[3], entry[4] = me, hand, theirs, row, at
        best, quitting = decision(solved, alone, me, hand, theirs, row, at)
        should_roll = best < quitting - EQUAL
        rolls = should_roll
        block = 0
        if family != SOLVED:
            penalty = tables.points[mask]
            block, ahead = weighed_by(
                rules, tables.points, tables.values, table, 2, me, penalty, others
            )
            rolls = rolls_on(
                family, table[PARAMETER + me], block, penalty, ahead, hand, row, others, coin,
                tables, table, me,
            )  # fmt: skip
        if not rolls:
            costs[me, ALONE if alone else QUITTING] += quitting - best
            table[PENALTY + me] = tables.points[mask]
            if alone:
                return
            at = solved.columns[me, solved.ranks[mask], at]
            alone = True
            me = 1 - me
            continue
        coin += gamma
        roll = tables.rolls[below(dice, rules[transition.ROLLS])]
        case = transition.roll_case(rules, mask, row, roll, alone)
        if case == LLAMAS:
            table[SCORE + me] -= returned_token(table[SCORE + me], black, pink)
            at, at_once = after_return(solved, alone, me, at)
            reached = worth_after(solved, alone, me, hand, theirs, row, at) - at_once
            made = reached
        elif case == BLOWN:
            reached = blown_worth(solved, alone, me, hand, theirs, row, at)
            made = reached
            table[HAND + me] = hand + transition.row_cards(row & ~mask)
            ended = True
        elif case == MATCH:
            most = transition.most_discarded(hand, roll)
            reached, cards = best_discard(solved, alone, me, most, hand, theirs, row, at)
            made = reached
            if family != SOLVED:
                cards = chosen_discard(
                    family, block, most, hand, row, others, coin, tables, table, me
                )
                made = worth_after(solved, alone, me, hand - cards, theirs, row, at)
            table[HAND + me] = hand - cards
            if hand == cards:
                table[SCORE + me] -= returned_token(table[SCORE + me], black, pink)
                ended = True
        else:
            takeable = transition.roll_kinds(roll) & row
            reached, kind = best_take(solved, me, takeable, hand, theirs, row, at)
            made = reached
            if family != SOLVED:
                kind = chosen_take(
                    family,
                    block,
                    takeable,
                    hand,
                    row,
                    others,
                    coin,
                    tables,
                    table,
                    me,
                )
                left = row & ~(1 << kind)
                made = worth_after(solved, False, me, hand + (1 << 4 * kind), theirs, left, at)
            table[HAND + me] = hand + (1 << 4 * kind)
            row &= ~(1 << kind)
            ended = transition.row_ends_round(rules, row)
        chosen = DISCARDING if case == MATCH else TAKING
        costs[me, ALONE if alone else chosen] += made - reached
        if not should_roll:
            costs[me, ALONE if alone else QUITTING] += reached - quitting
        if not alone:
            me = 1 - me


@compiled
def value_decisions(rules, rolls, solved, seen, worth):
    """Write what quitting and rolling are worth in decisions (see `Walks.seen`): float64[n, 2]."""
    for number in range(seen.shape[0]):
        me, hand, theirs, row, at = seen[number]
        worth[number, 0] = decision(solved, False, me, hand, theirs, row, at)[1]
        mask = kinds_of(hand)
        total = 0.0
        for roll in rolls:
            case = transition.roll_case(rules, mask, row, roll, False)
            if case == LLAMAS:
                after, at_once = after_return(solved, False, me, at)
                total += worth_after(solved, False, me, hand, theirs, row, after) - at_once
            elif case == BLOWN:
                total += blown_worth(solved, False, me, hand, theirs, row, at)
            elif case == MATCH:
                most = transition.most_discarded(hand, roll)
                total += best_discard(solved, False, me, most, hand, theirs, row, at)[0]
            else:
                total += best_take(
                    solved, me, transition.roll_kinds(roll) & row, hand, theirs, row, at
                )[0]
        worth[number, 1] = total / rolls.size
