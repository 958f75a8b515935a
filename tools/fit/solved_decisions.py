"""Decisions of two players of Lama Dice with what each is worth, from solved rounds.

Rounds of `best` are left at a random turn, or at their deal. From there the round is solved for
the win, at random scores, and played through with decisions made at random now and then. Each
decision to quit or roll that comes up is kept, with what quitting and rolling are worth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers.pair_walk import value_decisions, walk
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.shared.decisions import decisions as decisions_of
from tools.fit.won_round import WonRound, won_round

AT_RANDOM = 0.2  # of the decisions
DEALS = 0.03  # of the rounds are solved from their deal
EASY = 120_000  # situations that others lead to at most
ROUNDS, KEPT = 200, 500  # played through a solution, and decisions kept, by each starter


class Start(NamedTuple):
    """Where a round is left: cards of the player who decides and of the other, and the row."""

    mine: Counts
    other: Counts
    row: int

    @property
    def situations(self) -> int:
        """How many situations it leads to."""
        return pair_situations(*self)


class Decisions(NamedTuple):
    """Decisions to quit or roll.

    hands, others: int64[n], packed cards of the player who decides and of the other.
    rows: int64[n]. scores: int64[n, 2], of both.
    quitting, rolling: float64[n], what they cost, in chances to win.
    """

    hands: np.ndarray
    others: np.ndarray
    rows: np.ndarray
    scores: np.ndarray
    quitting: np.ndarray
    rolling: np.ndarray


def path_of(rules: DiceRules, policy: Policy, seed: int, number: int) -> list[Start]:
    """Return the decisions to quit or roll of a round of a policy, while both are in."""
    path = []
    for decision in decisions_of(GAME, rules, GAME.record(rules, [policy] * 2, seed, number, True)):
        position = decision.position
        if position.rolled is None and position.others_in:
            path.append(Start(position.hand, position.opponents[0].cards, position.row))
    return path


def start_of(path: list[Start], random: np.random.Generator) -> Start | None:
    """Return where a round is left: at its deal, or at a random turn or the first easy one after.

    None if there is none.
    """
    if random.random() < DEALS:
        return path[0]
    left = path[int(random.integers(len(path))) :]
    return next((start for start in left if start.situations <= EASY), None)


def decisions(
    rules: DiceRules, policy: Policy, table: MatchEquity, seed: int, number: int, threads: int
) -> Decisions | None:
    """Return decisions of one solved round; None if it has none that is easy enough."""
    random = np.random.default_rng((seed, number))
    start = start_of(path_of(rules, policy, seed, number), random)
    if start is None:
        return None
    first, second = random.integers(0, rules.target, 2).tolist()
    scores = first, second
    hands = start.mine, start.other
    solved = won_round(rules, hands, start.row, scores, table, threads)
    both = (None, None) if number % 2 else (policy, policy)
    seen = [
        walk(
            rules, solved.through, hands, start.row, scores, starter, both, seed + number, ROUNDS,
            AT_RANDOM, KEPT,
        ).seen
        for starter in (0, 1)
    ]  # fmt: skip
    return _valued(rules, solved, np.unique(np.concatenate(seen), axis=0), scores)


def _valued(
    rules: DiceRules,
    solved: WonRound,
    seen: np.ndarray,
    scores: tuple[int, int],
) -> Decisions:
    """Return decisions (see `Walks.seen`) with scores and values."""
    tokens = solved.tokens
    sizes = len(tokens[0].values), len(tokens[1].values)
    gone = np.stack(np.divmod(seen[:, 4], sizes[1]), axis=1)
    # At the last of several levels, more tokens may have been returned.
    known = np.all((gone < np.array(sizes) - 1) | (np.array(sizes) == 1), axis=1)
    seen, gone = seen[known], gone[known]
    left = [
        score - np.append(0, np.cumsum(of.values[:-1]))[gone[:, player]]
        for player, (score, of) in enumerate(zip(scores, tokens, strict=True))
    ]
    me = seen[:, 0]
    own = np.column_stack((np.where(me == 0, *left), np.where(me == 0, *left[::-1])))
    worth = np.empty((len(seen), 2))
    value_decisions(rules.columns, rules.rolls, solved.through, seen, worth)
    return Decisions(seen[:, 1], seen[:, 2], seen[:, 3], own, worth[:, 0], worth[:, 1])
