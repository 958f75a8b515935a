"""The exact turn of a position: values of every action, how the turn ends, chances of totals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.games.pikomino.engine.policy_kernels import POLICY_COLUMNS, payoffs
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn, turn_results
from lama_odds.games.pikomino.policies.catalogue import UNIT
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, HEIGHT, MAX_TILES, OWNER, STACK
from lama_odds.games.pikomino.rules.position import Faces, Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.rules.turn_tables import FACES


def board_of(rules: PikominoRules, position: Position) -> np.ndarray:
    """Return the board as the compiled functions use it."""
    board = np.zeros(BOARD_SIZE, dtype=np.int64)
    board[CENTRE] = sum(1 << tile - rules.low for tile in position.centre)
    for seat, stack in enumerate(position.stacks):
        board[HEIGHT + seat] = len(stack)
        for at, tile in enumerate(stack):
            board[STACK + seat * MAX_TILES + at] = tile - rules.low
        if stack:
            board[OWNER + stack[-1] - rules.low] = seat + 1
    return board


@dataclass(frozen=True)
class Turn:
    """A solved turn: payoffs by total (stop, steals), of a bust, and the values of all states."""

    rules: PikominoRules
    stop: np.ndarray
    steals: np.ndarray
    bust: float
    worth: np.ndarray
    rolling: np.ndarray

    def state(self, kept: Faces) -> int:
        """Return the number of the state with these dice kept."""
        mask = sum(1 << face for face in range(FACES) if kept[face])
        left = self.rules.dice - sum(kept)
        return int(self.rules.tables.number[mask, self.rules.total(kept), left])

    def results(self, kept: Faces, roll: bool) -> np.ndarray:
        """Return chances to stop with each total, then of a bust, under best play from a state.

        roll: whether the dice left are rolled first, whatever stopping would bring.
        """
        tables = self.rules.tables
        found = np.zeros(self.stop.size + 1)
        mass = np.zeros(tables.mask.size)
        state = self.state(kept)
        start = -1 - state if roll else state
        turn_results(tables, self.stop, self.worth, self.rolling, start, mass, found)
        return found


def solve_position(rules: PikominoRules, position: Position, steal: float | None = None) -> Turn:
    """Return the turn for worms; steal: weight of the victim's loss, 1 / (players − 1) if None."""
    tables = rules.tables
    weight = 1 / (position.players - 1) if steal is None else steal
    row = np.zeros((position.players, POLICY_COLUMNS), dtype=np.float64)
    row[0] = (0, weight * UNIT)
    stop = np.zeros(tables.number.shape[1])
    steals = np.zeros(stop.size, dtype=np.bool_)
    board = board_of(rules, position)
    bust = payoffs(board, rules.columns, rules.worm_table, row, stop, steals)
    return solve(rules, stop, steals, bust)


def solve(rules: PikominoRules, stop: np.ndarray, steals: np.ndarray, bust: float) -> Turn:
    """Return the turn for any payoffs."""
    worth, rolling = np.zeros(rules.tables.mask.size), np.zeros(rules.tables.mask.size)
    every = np.ones(worth.size, dtype=np.bool_)
    solve_turn(rules.tables, stop, bust, worth, rolling, False, every)
    return Turn(rules, stop, steals, bust, worth, rolling)


def aimed(rules: PikominoRules, number: int, exactly: bool) -> Turn:
    """Return the turn of a player who aims at a total (at least or exactly), ignoring tiles."""
    totals = np.arange(rules.tables.number.shape[1])
    fits = totals == number if exactly else totals >= number
    stop = np.where(fits, 1.0, NOTHING)
    return solve(rules, stop, np.zeros(stop.size, dtype=np.bool_), 0.0)
