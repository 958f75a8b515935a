"""Rounds of two players of Lama Dice, solved for the win as exactly as a table deserves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.best_play.pair_walk import LAST, Walked, walk, walked
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import kernels, tables
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Counts, unpack_hand
from lama_odds.games.dice.rules.ruleset import EVEN, DiceRules, chance_to_win
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers.last_player import Tokens, win_payoff
from lama_odds.games.dice.solvers.last_player_solve import cuts_of
from lama_odds.games.dice.solvers.two_players import PairSolution, pair_situations, solve_pair
from lama_odds.games.interface.best import WIN, best_of
from lama_odds.games.interface.match_equity import MatchEquity

# Rounds of two players of Lama Dice, solved for the win as exactly as a table deserves.
#
# `advise` solves to answer soon, within what time and memory allow. Tables and fitted policies come
# from rounds that are solved further.

# Tokens are followed so far that no value changes by more (see `last_player_solve`); a tenth of
# what `advise` tolerates is not worth its time here.
TOLERATED = 0.01
MOST = 1 << 62  # layers: no limit


class WonRound(NamedTuple):
    """A solved round. tokens: those that are followed. through: the solution, to walk through."""

    tokens: tuple[Tokens, Tokens]
    solution: PairSolution
    through: Walked

    def win(self, starter: int) -> float:
        """Return the chance to win of the player who begins."""
        return EVEN + float(self.solution.passed[starter][self.solution.root, 0])


def won_round(
    rules: DiceRules,
    hands: tuple[Counts, Counts],
    row: int,
    scores: tuple[int, int],
    table: MatchEquity,
    threads: int,
    tolerated: float = TOLERATED,
) -> WonRound:
    """Return the round from these cards, solved for the chance to win with these scores.

    table: what the scores after the round are worth. tolerated: bound of what cutting tokens may
    change.
    """
    cuts = cuts_of(rules, scores, table)
    fewest = cuts.fewest(hands, row, pair_situations(*hands, row), MOST, tolerated)
    assert fewest is not None, "everything fits"
    tokens = fewest[0]
    levels = len(tokens[0].values), len(tokens[1].values)
    payoff = win_payoff(rules, tokens, scores, table, cuts.repeated(levels))
    solution = solve_pair(rules, *hands, row, tokens, threads, None, payoff)
    return WonRound(tokens, solution, walked(rules, solution))


# Rounds of two players of Lama Dice from many deals and scores, solved with both hands in turn.

NAME = "best play"
# More of the late scores, where a round decides more: a power of numbers spread evenly.
LATE = 2 / 3
# Steps of a sequence that covers the square evenly (Roberts, "The unreasonable effectiveness of
# quasirandom sequences", 2018: powers of the inverse of the plastic number).
SPREAD = np.array([0.7548776662466927, 0.5698402909980532])


def tuned(rules: DiceRules) -> Policy:
    """Return the policy that was tuned to win, whose table is known."""
    return best_of(GAME.name, rules.edition, 2, WIN, GAME.families)


@dataclass(frozen=True)
class Round:
    """What rounds of one deal from given scores are worth, both hands held by both.

    scores: of the player who starts, and the other. table: float64[target, target], by which they
    were solved. win: the starter's chance to win. control: by how much the tuned policy wins more
    often from this deal than from all. finals: int64[n, 3] and weights: float64[n], what best play
    left: scores of the starter and the other, and the last to act (0: the starter).
    """

    scores: tuple[int, int]
    table: np.ndarray
    win: float
    control: float
    finals: np.ndarray
    weights: np.ndarray

    def worth(self, rules: DiceRules, table: np.ndarray) -> tuple[float, float]:
        """Return the chance to win if another table values the ends, and how far these moved."""
        before, after = (
            starters_chance(rules, self.finals, values) for values in (self.table, table)
        )
        moved = after - before
        return self.win + float(self.weights @ moved), float(self.weights @ np.abs(moved))


def starters_chance(rules: DiceRules, finals: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the chance to win of the player who started, by what rounds left."""
    mine, other, last = finals.T
    valued = MatchEquity(NAME, table, np.zeros_like(table), 0, 0)
    again = chance_to_win(rules, mine, other, valued)
    return np.where(last == 0, again, 1 - chance_to_win(rules, other, mine, valued))


def dealt(rules: DiceRules, seed: int, number: int) -> tuple[Counts, Counts]:
    """Return the hands of a first round of two players, as simulations deal them."""
    table = np.zeros(tables.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, rules.rolls, table, 2, seed, number, 0)
    first, second = table[tables.HAND : tables.HAND + 2].tolist()
    return unpack_hand(first), unpack_hand(second)


def scores_of(number: int, target: int) -> tuple[int, int]:
    """Return the scores of round `number`."""
    first, second = (((number + 1) * SPREAD % 1) ** LATE * target).astype(int).tolist()
    return first, second


def solved_rounds(
    rules: DiceRules,
    number: int,
    tables: tuple[MatchEquity, MatchEquity],
    seed: int,
    walks: int,
    threads: int,
) -> tuple[Round, Round]:
    """Return rounds of one deal, started by the player with the first or the second score.

    tables: of the tuned policy, and what is known of best play.
    """
    base, table = tables
    best = tuned(rules)
    scores = scores_of(number, rules.target)
    hands = dealt(rules, seed, number)
    played: tuple[list[_Played], list[_Played]] = ([], [])
    for held in (hands, hands[::-1]):
        solved = won_round(rules, held, FULL_ROW, scores, table, threads)
        for starter in (0, 1):
            left, usual = (
                _from_starter(
                    walk(
                        rules, solved.through, held, FULL_ROW, scores, starter, both, number, walks
                    ).finals,
                    starter,
                )
                for both in ((None, None), (best, best))
            )
            usually = float(starters_chance(rules, usual, base.values).mean())
            played[starter].append(_Played(solved.win(starter), usually, left))
    return (
        _round(scores, table.values, base.values, played[0]),
        _round(scores[::-1], table.values, base.values, played[1]),
    )


class _Played(NamedTuple):
    """A deal solved and played: chances of best play and of the tuned policy, and what is left."""

    win: float
    usual: float
    finals: np.ndarray


def _from_starter(finals: np.ndarray, starter: int) -> np.ndarray:
    """Return final scores and the last to act, the starter's first."""
    if starter == 0:
        return finals
    return np.column_stack((finals[:, 1], finals[:, 0], 1 - finals[:, LAST]))


def _round(
    scores: tuple[int, int], table: np.ndarray, base: np.ndarray, both: Sequence[_Played]
) -> Round:
    left, counts = np.unique(
        np.concatenate([played.finals for played in both]), axis=0, return_counts=True
    )
    win, usual = (float(np.mean([played[at] for played in both])) for at in (0, 1))
    return Round(scores, table, win, usual - float(base[scores]), left, counts / counts.sum())


Pair = tuple[Round, Round]


class Kept:
    """Rounds and tables of one rule set that are done, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def read(self, number: int, table: np.ndarray) -> Pair | None:
        """Return the rounds of a number, solved by this table; None if there are none."""
        path = self.folder / f"{number:05}.npz"
        if not path.exists():
            return None
        with np.load(path) as kept:
            first, second = (
                Round(
                    tuple(kept["scores"].tolist()[:: 1 - 2 * starter]),
                    table,
                    float(kept["wins"][starter]),
                    float(kept["controls"][starter]),
                    kept[f"finals{starter}"],
                    kept[f"weights{starter}"],
                )
                for starter in (0, 1)
            )
        return first, second

    def write(self, number: int, rounds: Pair) -> None:
        """Keep the rounds of a number, whole or not at all."""
        path, partial = self.folder / f"{number:05}.npz", self.folder / "partial.npz"
        parts: dict[str, Any] = {
            f"{name}{starter}": getattr(round_, name)
            for starter, round_ in enumerate(rounds)
            for name in ("finals", "weights")
        }
        parts |= {
            "scores": rounds[0].scores,
            "wins": [round_.win for round_ in rounds],
            "controls": [round_.control for round_ in rounds],
        }
        np.savez_compressed(partial, **parts)
        os.replace(partial, path)
