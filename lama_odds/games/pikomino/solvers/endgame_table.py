"""Endgames that are shipped solved: all two-player boards with at most five tiles in play.

A table has the mover's chance to win on each board that is not over. Boards are in the order of
`sets_of` (which tiles are in play) and, within a set, of `patterns` (where they are). Boards with
at most FEW tiles come first: data/pikomino/endgames.npy has them as float64. Those with MOST tiles
are twenty times as many. They are in data/pikomino/endgames_five.npy, in three bytes each: a
multiple of 1 / STEPS. The manifest of a table names the rule set and the precision.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame import Board, Known, nothing_known
from lama_odds.jit.arrays import array_of

FEW = 4
MOST = 5
TABLE = "pikomino/endgames.npy"
MANIFEST = "pikomino/endgames.json"
FIVES = "pikomino/endgames_five.npy"
FIVES_MANIFEST = "pikomino/endgames_five.json"
BYTES = 3
STEPS = (1 << 8 * BYTES) - 1


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
def sets_of(numbers: tuple[int, ...], most: int = MOST) -> dict[tuple[int, ...], int]:
    """Return every set of at most `most` tiles that can be in play, and where its boards begin.

    The lowest tile is always among them. To be turned over, it would have to be the highest of the
    centre, so the last one there. One that has just been put back stays, and without it the game is
    over.
    """
    found, at = {}, 0
    for size in range(most):
        for others in combinations(numbers[1:], size):
            tiles = (numbers[0], *others)
            found[tiles] = at
            at += len(patterns(len(tiles)))
    return found


def boards_of(tiles: tuple[int, ...]) -> list[Board]:
    """Return the boards of a set of tiles, in the order of a table."""
    return [
        (
            tuple(tiles[at] for at in centre),
            tuple(tiles[at] for at in mine),
            tuple(tiles[at] for at in other),
        )
        for centre, mine, other in patterns(len(tiles))
    ]


def place_of(numbers: tuple[int, ...], board: Board) -> int | None:
    """Return a board's place in the tables, one after the other.

    None if it has too many tiles, is over or cannot occur.
    """
    tiles = tuple(sorted(tile for part in board for tile in part))
    if not board[0] or len(tiles) > MOST or tiles[0] != numbers[0]:
        return None
    centre, mine, other = (tuple(tiles.index(tile) for tile in part) for part in board)
    return sets_of(numbers)[tiles] + patterns(len(tiles))[centre, mine, other]


def length(numbers: tuple[int, ...], most: int = MOST) -> int:
    """Return the number of boards with at most `most` of these tiles in play."""
    last, begin = list(sets_of(numbers, most).items())[-1]
    return begin + len(patterns(len(last)))


def shipped(rules: PikominoRules) -> Known:
    """Return the shipped chances of a rule set; there are some only for that of the manifest."""
    table = table_of(rules)
    if table is None:
        return nothing_known
    numbers = tuple(rules.numbers)

    def known(board: Board) -> float | None:
        at = place_of(numbers, board)
        if at is None:
            return None
        return float(table[at]) if at < table.size else chance_of(_fives()[at - table.size])

    return known


def table_of(rules: PikominoRules) -> np.ndarray | None:
    """Return float64[boards]: the shipped table of boards with at most FEW tiles.

    None for rules other than its manifest's.
    """
    return _table(TABLE, MANIFEST) if rules.id == data_json(MANIFEST)["manifest"]["rules"] else None


def precision(tiles: int) -> float:
    """Return how far off the chances of a table may be, or how much they still changed."""
    if tiles <= FEW:
        return float(data_json(MANIFEST)["manifest"]["moved"])
    return float(data_json(FIVES_MANIFEST)["manifest"]["rounded"])


def contents() -> str:
    """Return what tells the shipped tables from others."""
    return " ".join(data_json(name)["manifest"]["sha256"] for name in (MANIFEST, FIVES_MANIFEST))


def in_bytes(chances: np.ndarray) -> np.ndarray:
    """Return chances as they are shipped: uint8[boards, BYTES], the lowest byte first."""
    whole: np.ndarray = np.rint(chances * STEPS).astype("<u4")
    return np.ascontiguousarray(whole.view(np.uint8).reshape(-1, 4)[:, :BYTES])


def chance_of(row: np.ndarray) -> float:
    """Return the chance that these bytes are."""
    return int.from_bytes(row.tobytes(), "little") / STEPS


def _fives() -> np.ndarray:
    return _table(FIVES, FIVES_MANIFEST)


@cache
def _table(name: str, manifest: str) -> np.ndarray:
    """Return a table, checked against its manifest."""
    return array_of(data_bytes(name, data_json(manifest)["manifest"]["sha256"]))
