"""Chances to win any board: what `learned` makes of it, one turn ahead, with its measured error.

The turn of the position is solved, with the chances after the next player's turn as its payoffs.
These are solved in turn, for the chances that `learned` reads off the boards behind them.
With three and more players these chances are divided by everybody's sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.pikomino.engine.look_ahead import payoffs_ahead
from lama_odds.games.pikomino.policies.catalogue import play_tables
from lama_odds.games.pikomino.policies.learned import errors_of, learned
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.exact import Turn, board_of, solve


class Ahead(NamedTuple):
    """A turn solved for the chance to win, and what its tiles are worth.

    takes, robs: float64[totals], chances after taking a tile of the centre and after a steal.
    """

    turn: Turn
    takes: np.ndarray
    robs: np.ndarray


class Errors(NamedTuple):
    """How far off such chances are, measured on boards of games: standard errors.

    value: of a chance. apart: of the difference of two actions. boards: how many were measured.
    each_side: errors on either side of an interval.
    """

    value: float
    apart: float
    boards: int
    each_side: float


def ahead(rules: PikominoRules, position: Position) -> Ahead:
    """Return the turn of a position whose stacks are known."""
    size = rules.tables.number.shape[1]
    stop, takes, robs = np.zeros(size), np.zeros(size), np.zeros(size)
    steals = np.zeros(size, dtype=np.bool_)
    bust = payoffs_ahead(
        rules.columns, play_tables(rules, learned()), board_of(rules, position), position.players,
        0, stop, steals, takes, robs,
    )  # fmt: skip
    return Ahead(solve(rules, stop, steals, float(bust)), takes, robs)


def measured_errors(players: int) -> Errors | None:
    """Return the errors for a number of players; None if they were not measured."""
    found = errors_of(players)
    return None if found is None else Errors(**found)
