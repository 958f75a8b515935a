"""Endgames that are shipped solved: all two-player boards with at most four tiles in play.

The table is data/pikomino/endgames.npy, one float64 for each board that is not over: the mover's
chance to win. Boards are in the order of `sets_of` (which tiles are in play) and, within a set, of
`patterns` (where they are). Its manifest names the rule set and the precision.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame import Board, Known, nothing_known
from lama_odds.jit.arrays import array_of

MOST = 4
TABLE = "pikomino/endgames.npy"
MANIFEST = "pikomino/endgames.json"


@cache
def patterns(tiles: int) -> dict[Board, int]:
    """Return the ways to place tiles 0, 1, ... on a board whose centre is not empty, numbered."""
    found: dict[Board, int] = {}
    for centre in range(tiles, 0, -1):
        for inside in combinations(range(tiles), centre):
            others = [tile for tile in range(tiles) if tile not in inside]
            for order in permutations(others):
                for mine in range(len(order) + 1):
                    found[inside, order[:mine], order[mine:]] = len(found)
    return found


@cache
def sets_of(numbers: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return every set of at most MOST tiles that can be in play, and where its boards begin.

    The lowest tile is always among them. To be turned over, it would have to be the highest of the
    centre, so the last one there. One that has just been put back stays, and without it the game is
    over.
    """
    found, at = {}, 0
    for size in range(MOST):
        for others in combinations(numbers[1:], size):
            tiles = (numbers[0], *others)
            found[tiles] = at
            at += len(patterns(len(tiles)))
    return found


def place_of(numbers: tuple[int, ...], board: Board) -> int | None:
    """Return a board's place in the table.

    None if it has too many tiles, is over or cannot occur.
    """
    tiles = tuple(sorted(tile for part in board for tile in part))
    if not board[0] or len(tiles) > MOST or tiles[0] != numbers[0]:
        return None
    centre, mine, other = (tuple(tiles.index(tile) for tile in part) for part in board)
    return sets_of(numbers)[tiles] + patterns(len(tiles))[centre, mine, other]


def length(numbers: tuple[int, ...]) -> int:
    """Return the number of boards in a table of these tiles."""
    last, begin = list(sets_of(numbers).items())[-1]
    return begin + len(patterns(len(last)))


def shipped(rules: PikominoRules) -> Known:
    """Return the shipped chances of a rule set; there are some only for that of the manifest."""
    table = table_of(rules)
    if table is None:
        return nothing_known
    numbers = tuple(rules.numbers)

    def known(board: Board) -> float | None:
        at = place_of(numbers, board)
        return None if at is None else float(table[at])

    return known


def table_of(rules: PikominoRules) -> np.ndarray | None:
    """Return float64[boards]: the shipped table; None for rules other than its manifest's."""
    return _table() if rules.id == data_json(MANIFEST)["manifest"]["rules"] else None


def precision() -> float:
    """Return how much the chances of the table still changed at the end."""
    return float(data_json(MANIFEST)["manifest"]["moved"])


@cache
def _table() -> np.ndarray:
    """Return the table, checked against its manifest."""
    return array_of(data_bytes(TABLE, data_json(MANIFEST)["manifest"]["sha256"]))
