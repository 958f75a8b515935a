"""Decisions of two players of Lama Dice with what each is worth, from solved rounds.

Games of two policies are left at a random decision, or at the deal of its round. From there the
round is solved for the win, and played through with decisions made at random now and then. Each
decision to quit or roll that comes up is kept, with what quitting and rolling are worth. A roll
with several discards or takes is kept with it, and what each of them is worth. So are players who
continue alone because the other has quit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lab.best_play.pair_walk import Walked, value_decisions, walk, worth_after
from lab.best_play.pairs import WonRound, won_round
from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import MATCH, MISS, kinds_of, lowest_kind
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.shared.decisions import decisions as decisions_of
from lama_odds.jit import compiled

# Games that are left: of the policies that were tuned for winning and for points.
LEFT = ("meanfield:out=1,even=3,ahead=3,behind=2,win=5,lose=20", "meanfield")
DEALS = 0.06  # of the rounds are solved from their deal
EASY = 200_000  # situations that others lead to at most
ANY_SCORES = 0.3  # of the rounds are solved at random scores, the others at those of their game
# How rounds are played through: whether as solved, and how many decisions are made at random.
PLAYED = ((True, 0.08), (True, 0.3), (False, 0.1))
ROUNDS, SEEN = 500, 4_000  # played through each way by each starter, and decisions seen
KEPT = 4_000  # decisions of a round at most
ALONE = 30  # players alone that are kept of a round at most
NEAR = 0.01  # chance to win that quitting costs at most where somebody quits
OPTIONS = 7  # discards that three dice allow at most
TRIED = 6  # rolls, until one leaves a choice


class Decisions(NamedTuple):
    """Decisions to quit or roll, and for each a roll with a choice, if one was found.

    hands, others: int64[n], packed cards of the player who decides and of the other.
    rows: int64[n]. scores: int64[n, 2], of both.
    quitting, rolling: float64[n], what they cost, in chances to win.
    often: int64[n], how often each came up.
    left_hands, left_rows: int64[n, OPTIONS], what a discard or take leaves. left: float64, what it
    costs; infinite where there is none.
    """

    hands: np.ndarray
    others: np.ndarray
    rows: np.ndarray
    scores: np.ndarray
    quitting: np.ndarray
    rolling: np.ndarray
    often: np.ndarray
    left_hands: np.ndarray
    left_rows: np.ndarray
    left: np.ndarray


class Found(NamedTuple):
    """What a solved round shows.

    alone: int64[n, 4], players alone: packed cards, the row, their score, the other's final score.
    """

    seen: Decisions
    alone: np.ndarray


def path_of(rules: DiceRules, policy: Policy, seed: int, number: int) -> list[Position]:
    """Return the decisions to quit or roll of a game of a policy, while both are in."""
    record = GAME.record(rules, [policy] * 2, seed, number, False)
    positions = [decision.position for decision in decisions_of(GAME, rules, record)]
    return [position for position in positions if position.rolled is None and position.others_in]


def start_of(path: Sequence[Position], random: np.random.Generator) -> Position | None:
    """Return where a game is left: at a random decision, or the first easy one after it.

    None if there is none.
    """
    at = int(random.integers(len(path)))
    anywhere = random.random() < DEALS
    easy = (position for position in path[at:] if anywhere or situations(position) <= EASY)
    return next(easy, None)


def situations(position: Position) -> int:
    """Return how many situations a position leads to."""
    cards = position.opponents[0].cards
    assert cards is not None
    return pair_situations(position.hand, cards, position.row)


def decisions(
    rules: DiceRules, table: MatchEquity, seed: int, number: int, threads: int
) -> Found | None:
    """Return decisions of one solved round; None if it has none that is easy enough."""
    random = np.random.default_rng((seed, number))
    policy = GAME.policy(LEFT[number % len(LEFT)])
    start = start_of(path_of(rules, policy, seed, number), random)
    if start is None or start.scores is None or start.opponents[0].cards is None:
        return None
    first, second = start.scores
    if random.random() < ANY_SCORES:
        first, second = random.integers(0, rules.target, 2).tolist()
    scores = first, second
    hands = start.hand, start.opponents[0].cards
    solved = won_round(rules, hands, start.row, scores, table, threads)
    seen = [
        walk(
            rules, solved.through, hands, start.row, scores, starter,
            (None, None) if best else (policy, policy), seed + number, ROUNDS, explores, SEEN,
        ).seen
        for starter in (0, 1)
        for best, explores in PLAYED
    ]  # fmt: skip
    rows, often = np.unique(np.concatenate(seen), axis=0, return_counts=True)
    return _valued(rules, solved, rows, often, scores, random)


def _valued(
    rules: DiceRules,
    solved: WonRound,
    seen: np.ndarray,
    often: np.ndarray,
    scores: tuple[int, int],
    random: np.random.Generator,
) -> Found | None:
    """Return decisions (see `Walks.seen`) with scores and values."""
    tokens = solved.tokens
    sizes = len(tokens[0].values), len(tokens[1].values)
    gone = np.stack(np.divmod(seen[:, 4], sizes[1]), axis=1)
    # At the last of several levels, more tokens may have been returned.
    known = np.all((gone < np.array(sizes) - 1) | (np.array(sizes) == 1), axis=1)
    if not known.any():
        return None
    seen, gone, often = seen[known], gone[known], often[known]
    if len(seen) > KEPT:
        chances = often**0.5 / (often**0.5).sum()
        kept = np.sort(random.choice(len(seen), KEPT, replace=False, p=chances))
        seen, gone, often = seen[kept], gone[kept], often[kept]
    left = [
        score - np.append(0, np.cumsum(of.values[:-1]))[gone[:, player]]
        for player, (score, of) in enumerate(zip(scores, tokens, strict=True))
    ]
    me = seen[:, 0]
    own = np.column_stack((np.where(me == 0, *left), np.where(me == 0, *left[::-1])))
    worth = np.empty((len(seen), 2))
    value_decisions(rules.columns, rules.rolls, solved.through, seen, worth)
    words = random.integers(0, len(rules.rolls), (len(seen), TRIED))
    hands, rows = np.zeros((2, len(seen), OPTIONS), dtype=np.int64)
    options = np.full((len(seen), OPTIONS), np.inf)
    _choices(rules.columns, rules.rolls, solved.through, seen, words, hands, rows, options)
    valued = Decisions(
        seen[:, 1], seen[:, 2], seen[:, 3], own, worth[:, 0], worth[:, 1], often, hands, rows,
        options,
    )  # fmt: skip
    return Found(valued, _alone(rules, valued, random))


def _alone(rules: DiceRules, seen: Decisions, random: np.random.Generator) -> np.ndarray:
    """Return players alone because the other quits, where that costs little; see `Found`."""
    quits = np.flatnonzero(seen.quitting <= seen.rolling + NEAR)
    kept = random.permutation(quits)[:ALONE]
    kinds = np.array([kinds_of(int(hand)) for hand in seen.hands[kept]], dtype=np.int64)
    finals = seen.scores[kept, 0] + np.asarray(rules.penalties)[kinds]
    return np.column_stack((seen.others[kept], seen.rows[kept], seen.scores[kept, 1], finals))


@compiled
def _choices(rules, rolls, solved: Walked, seen, words, hands, rows, worth):
    """Write what a roll with a choice leaves at each decision, the first of those drawn."""
    for number in range(seen.shape[0]):
        me, hand, theirs, row, at = seen[number]
        mask = kinds_of(hand)
        count = 0
        for tried in range(words.shape[1]):
            roll = rolls[words[number, tried]]
            case = transition.roll_case(rules, mask, row, roll, False)
            if case == MATCH:
                most = transition.most_discarded(hand, roll)
                options = transition.discard_options(most)
                if options < 2 or most == hand or options > worth.shape[1]:
                    continue
                for choice in range(options, 0, -1):
                    left = hand - transition.discard_option(most, choice)
                    hands[number, count] = left
                    rows[number, count] = row
                    worth[number, count] = worth_after(solved, False, me, left, theirs, row, at)
                    count += 1
                break
            takeable = transition.roll_kinds(roll) & row
            if case != MISS or takeable & (takeable - 1) == 0:
                continue
            while takeable:
                kind = lowest_kind(takeable)
                takeable &= takeable - 1
                left = hand + (1 << 4 * kind)
                after = row & ~(1 << kind)
                hands[number, count] = left
                rows[number, count] = after
                worth[number, count] = worth_after(solved, False, me, left, theirs, after, at)
                count += 1
            break
