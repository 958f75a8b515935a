"""How many tokens the solver of two players has to follow to know the chance to win.

Each token that a player returns is a layer, and layers cost time. Late ones are rarely reached: a
roll is three llamas once in 27 times. So they are cut where that changes no value by more than
`TOLERATED`. At the last layer every return counts the same, midway between what any return there
can change. The bound holds for any play of both. It is the most returns beyond the last layer that
play can lead to on average, times what each may differ from that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from lama_odds.games.dice.engine.roll_backup import roll_tables
from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.rules.winning import chance_to_win
from lama_odds.games.dice.solvers.payoffs import FOLLOWED, Averaged, scores_at_the_end
from lama_odds.games.dice.solvers.tokens import Tokens, tokens_of
from lama_odds.games.interface.match_equity import MatchEquity

TOLERATED = 0.001  # a tenth of a percentage point
# Situations times layers that take so little time that nothing more is cut.
EASY = 500_000


@dataclass(frozen=True)
class Cuts:
    """Both players' tokens, and the bounds of cutting them; see `error`.

    tokens: all of both. least, most: for either player, what a return can add to the chance to win,
    by the tokens returned before it.
    """

    rules: DiceRules
    tokens: tuple[Tokens, Tokens]
    least: tuple[np.ndarray, np.ndarray]
    most: tuple[np.ndarray, np.ndarray]

    def _range(self, player: int, levels: int) -> tuple[float, float]:
        """Return the least and the most that a return beyond these levels can add."""
        least, most = self.least[player][levels - 1 :], self.most[player][levels - 1 :]
        return (float(least.min()), float(most.max())) if least.size else (0.0, 0.0)

    def repeated(self, levels: tuple[int, int]) -> tuple[float, float]:
        """Return what each return beyond these levels counts, for either player."""
        return sum(self._range(0, levels[0])) / 2, sum(self._range(1, levels[1])) / 2

    def error(self, hands: tuple[Counts, Counts], row: int, levels: tuple[int, int]) -> float:
        """Return how far any value can be off if only these levels are followed."""
        return sum(self._error(player, hands[player], row, levels[player]) for player in (0, 1))

    def _error(self, player: int, hand: Counts, row: int, levels: int) -> float:
        least, most = self._range(player, levels)
        if least == most:
            return 0.0
        kinds = sum(map(bool, hand))
        returns = _most_returns(self.rules)(kinds, sum(hand), row.bit_count(), levels - 1)
        return (most - least) / 2 * returns

    def fewest(
        self,
        hands: tuple[Counts, Counts],
        row: int,
        places: int,
        most: int,
        tolerated: float,
    ) -> tuple[tuple[Tokens, Tokens], float] | None:
        """Return the tokens to follow and the bound; None if `most` layers do not suffice.

        tolerated: the highest bound.
        """
        counts = [len(tokens.values) for tokens in self.tokens]
        errors = [
            [self._error(player, hands[player], row, n) for n in range(1, counts[player] + 1)]
            for player in (0, 1)
        ]
        fitting = [
            (one * two, errors[0][one - 1] + errors[1][two - 1], one, two)
            for one in range(1, counts[0] + 1)
            for two in range(1, counts[1] + 1)
            if one * two * places <= most
        ]
        fitting = [cut for cut in fitting if cut[1] <= tolerated]
        if not fitting:
            return None
        easy = [cut for cut in fitting if cut[0] * places <= EASY]
        best = min(easy, key=lambda cut: (cut[1], cut[0])) if easy else min(fitting)
        kept = [_first(tokens, n) for tokens, n in zip(self.tokens, best[2:], strict=True)]
        return (kept[0], kept[1]), best[1]


def cuts_of(
    rules: DiceRules,
    scores: tuple[int, int],
    table: MatchEquity,
    others_table: MatchEquity | None = None,
) -> Cuts:
    """Return what is known of cutting the tokens of these scores; tables: see `win_payoff`."""
    tables = table, others_table or table
    tokens = tokens_of(rules, scores[0]), tokens_of(rules, scores[1])
    finals = [
        scores_at_the_end(rules, score, held) for score, held in zip(scores, tokens, strict=True)
    ]
    mine, other = (
        _steps(rules, finals[player], np.unique(finals[1 - player]), tables[:: 1 - 2 * player])
        for player in (0, 1)
    )
    return Cuts(rules, tokens, (mine[0], other[0]), (mine[1], other[1]))


def averaged_cuts(rules: DiceRules, averaged: Averaged) -> Cuts:
    """Return the same if the scores are unknown; a return beyond all levels adds at most as much as
    the last one that is followed, and takes nothing away.
    """
    tokens = Tokens(np.zeros(FOLLOWED, dtype=np.int64), 0)
    ranges = []
    chances = np.stack((averaged.chances[0], 1 - averaged.chances[1]))  # of player 0
    for axis, sign in ((1, 1), (3, -1)):
        gains = sign * np.diff(chances, axis=axis)
        others = tuple(at for at in range(gains.ndim) if at != axis)
        least, most = gains.min(axis=others), gains.max(axis=others)
        ranges.append((np.append(least, 0.0), np.append(most, most[-1])))
    (mine, other) = ranges
    return Cuts(rules, (tokens, tokens), (mine[0], other[0]), (mine[1], other[1]))


def _first(tokens: Tokens, levels: int) -> Tokens:
    return Tokens(tokens.values[:levels], 0)


def _steps(
    rules: DiceRules,
    mine: np.ndarray,
    others: np.ndarray,
    tables: Sequence[MatchEquity],
) -> tuple[np.ndarray, np.ndarray]:
    """Return float64[levels − 1]: the least and the most that each return can add.

    tables: of rounds that this player starts, and of those that the other starts.
    """
    own = mine[..., None]
    gains = np.stack(
        [
            np.diff(chance_to_win(rules, own, others, tables[0]), axis=0),
            np.diff(1 - chance_to_win(rules, others, own, tables[1]), axis=0),
        ]
    )
    return gains.min(axis=(0, 2, 3)), gains.max(axis=(0, 2, 3))


@lru_cache(maxsize=16)
def _most_returns(rules: DiceRules) -> Callable[[int, int, int, int], float]:
    """Return a function: the most returns beyond `free` that a player can expect.

    It takes the number of kinds that the player holds, the number of cards, that of the llama row,
    and `free`. It assumes that the dice and both players are as kind as can be, within what rolls
    of a hand with this number of kinds allow.
    """
    tables = roll_tables(rules)
    q = float(tables.llamas[0] / tables.outcomes[0])
    shares = _shares(rules)

    @cache
    def returns(kinds: int, cards: int, row: int, free: int) -> float:
        if cards == 0 or (row == 0 and rules.empty_row_ends):
            return 0.0
        # Discarding `gone` cards ends up to as many kinds.
        matched = max(
            returns(left, cards - gone, less, free)
            for gone in range(1, min(rules.dice, cards) + 1)
            for left in range(max(kinds - gone, min(1, cards - gone)), min(kinds, cards - gone) + 1)
            for less in _rows(row)
        )
        missed = 0.0
        if row and kinds < KINDS:
            missed = max(returns(kinds + 1, cards + 1, less, free) for less in _rows(row - 1))
        takes = min(row, KINDS - kinds)
        rest = max(match * matched + miss * missed for match, miss in shares[kinds, takes])
        # After three llamas the other may take a card of the row, or not.
        fewer = returns(kinds, cards, row - 1, max(free - 1, 0)) if row else 0.0
        if free:
            return rest + q * max(fewer, returns(kinds, cards, row, free - 1))
        return max((rest + q) / (1 - q), rest + q * (1 + fewer))

    return returns


def _shares(rules: DiceRules) -> dict[tuple[int, int], list[tuple[float, float]]]:
    """Return the chances (match, card taken) of a roll that hands and rows can have.

    They are listed by the number of kinds held, and of those in the row that are not held.
    """
    tables = roll_tables(rules)
    avoiding, outcomes = tables.avoiding, tables.outcomes[0]
    found: dict[tuple[int, int], set[tuple[float, float]]] = defaultdict(set)
    for mine in range(FULL_ROW + 1):
        match = 1 - (tables.llamas[0] + avoiding[mine]) / outcomes
        for row in range(FULL_ROW + 1):
            if row & mine == 0:
                taken = (avoiding[mine] - avoiding[mine | row]) / outcomes
                found[mine.bit_count(), row.bit_count()].add((float(match), float(taken)))
    return {key: _largest(pairs) for key, pairs in found.items()}


def _largest(pairs: set[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the pairs than which no other is larger in both parts."""
    kept: list[tuple[float, float]] = []
    for pair in sorted(pairs, reverse=True):
        if not kept or pair[1] > kept[-1][1]:
            kept.append(pair)
    return kept


def _rows(row: int) -> range:
    """Return what the other may leave of a row: the other takes one card at most."""
    return range(max(row - 1, 0), row + 1)
