"""What the end of a two-player round is worth: the margin, or the chance to win the game.

The solver of two players needs both as tables, so that the same sweep serves them. Whatever counts
is zero-sum: what the end is worth to one player is minus what it is worth to the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.winning import EVEN, chance_to_win
from lama_odds.games.dice.solvers.last_player import AlonePayoff, penalty_ranks, points_payoff
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.interface.match_equity import MatchEquity


@dataclass(frozen=True)
class PairPayoff:
    """What the end of a round is worth; lower is better.

    A rank is that of a player's final penalty (see `penalty_ranks`). One rank more is for going
    out. A layer is (tokens returned by player 0, tokens returned by the other), the first one slow.

    ends: float64[2, ranks + 1, ranks + 1, layers], the worth to the player who ended the round
    (first index), by the ranks of player 0 and the other.
    returned: float64[levels] of either player, what three llamas return at once.
    quits: float64[2, ranks + 1], what the cards of a player who quits count at once.
    alone: what counts for either player alone, in one column for each of a set of cases.
    columns: int64[2, ranks + 1, layers], the column of the other player alone if one quits.
    """

    ends: np.ndarray
    returned: tuple[np.ndarray, np.ndarray]
    quits: np.ndarray
    alone: tuple[AlonePayoff, AlonePayoff]
    columns: np.ndarray


def end_ranks(rules: DiceRules) -> np.ndarray:
    """Return int64[128]: the rank of a mask of kinds at the end; without cards it is going out."""
    distinct, ranks = penalty_ranks(rules)
    found = ranks.copy()
    found[0] = len(distinct)
    return found


def margin_payoff(rules: DiceRules, tokens: tuple[Tokens, Tokens]) -> PairPayoff:
    """Return the margin: a player's penalty minus the other's, both minus returned tokens."""
    distinct, _ = penalty_ranks(rules)
    penalties = np.append(distinct, 0).astype(np.float64)
    values = tokens[0].values, tokens[1].values
    sizes = len(values[0]), len(values[1])
    ranks = len(penalties)
    ends = np.empty((2, ranks, ranks, *sizes))
    ends[0] = (penalties[:, None] - penalties)[..., None, None]
    ends[1] = (penalties - penalties[:, None])[..., None, None]
    ends[0, -1] -= values[0][:, None]
    ends[1, :, -1] -= values[1]
    columns = np.empty((2, ranks, *sizes), dtype=np.int64)
    columns[0] = np.arange(sizes[1])
    columns[1] = np.arange(sizes[0])[:, None]
    alone = points_payoff(rules, tokens[0]), points_payoff(rules, tokens[1])
    return PairPayoff(
        ends.reshape(2, ranks, ranks, -1),
        (alone[0].returned, alone[1].returned),
        np.stack((penalties, penalties)),
        alone,
        columns.reshape(2, ranks, -1),
    )


def scores_at_the_end(rules: DiceRules, score: int, tokens: Tokens) -> np.ndarray:
    """Return int64[levels, ranks + 1]: final scores, by tokens returned before and final rank."""
    distinct, _ = penalty_ranks(rules)
    levels = score - np.append(0, np.cumsum(tokens.values[:-1]))
    return np.column_stack((levels[:, None] + distinct, levels - tokens.values))


def win_payoff(
    rules: DiceRules,
    tokens: tuple[Tokens, Tokens],
    scores: tuple[int, int],
    table: MatchEquity,
    repeated: tuple[float, float],
    others_table: MatchEquity | None = None,
    apart: bool = False,
) -> PairPayoff:
    """Return what the chance to win lacks to `EVEN`.

    scores: before any token is returned. repeated: what three llamas add at the last level of
    either player. The player who acts last starts the next round.
    table: values rounds that player 0 starts, and those that the other starts unless these have
    `others_table`. apart: whether every score of a player who quits is a case of its own.
    """
    others_table = others_table or table
    finals = tuple(
        scores_at_the_end(rules, score, held) for score, held in zip(scores, tokens, strict=True)
    )
    (levels, ranks), others = finals[0].shape, finals[1].shape[0]
    mine = finals[0].T[:, None, :, None]
    other = finals[1].T[None, :, None, :]
    ends = np.stack(
        [
            EVEN - chance_to_win(rules, mine, other, table),
            EVEN - chance_to_win(rules, other, mine, others_table),
        ]
    )
    returned = np.zeros(levels), np.zeros(others)
    for of_player, last in zip(returned, repeated, strict=True):
        of_player[-1] = last
    first, against_first = _against_quitters(rules, finals[0], finals[1], table, returned[0], apart)
    second, against_second = _against_quitters(
        rules, finals[1], finals[0], others_table, returned[1], apart
    )
    columns = np.empty((2, ranks, levels, others), dtype=np.int64)
    columns[0] = second.T[:, :, None] * others + np.arange(others)
    columns[1] = first.T[:, None, :] * levels + np.arange(levels)[:, None]
    return PairPayoff(
        ends.reshape(2, ranks, ranks, -1),
        returned,
        np.zeros((2, ranks)),
        (against_first, against_second),
        columns.reshape(2, ranks, -1),
    )


def _against_quitters(
    rules: DiceRules,
    mine: np.ndarray,
    other: np.ndarray,
    table: MatchEquity,
    returned: np.ndarray,
    apart: bool,
) -> tuple[np.ndarray, AlonePayoff]:
    """Return what counts for a player alone, in one case for each score of the player who quit.

    mine, other: final scores of both (see `scores_at_the_end`). The first array is int64 like
    `other`, the case of each of them. Scores against which the same counts are one case, unless
    they are kept apart.
    """
    scores, at = np.unique(other, return_inverse=True)
    worth = EVEN - chance_to_win(rules, mine[None], scores[:, None, None], table)
    cases, of_score = worth.reshape(len(scores), -1), np.arange(len(scores))
    if not apart:
        cases, of_score = np.unique(cases, axis=0, return_inverse=True)
    results = np.ascontiguousarray(cases.reshape(-1, mine.shape[1]))
    at_once = np.tile(returned, len(cases))
    return of_score.reshape(-1)[at.reshape(other.shape)], AlonePayoff(results, at_once)
