"""Endgames solved once and kept on disk: the next question of a game is looked up.

Later in a game there are the same tiles, or fewer when one is turned over. So what is solved and
kept is a set of tiles in play, with all boards that they can form (`endgame_table.patterns`). A set
depends on those with one tile less. The smallest ones are in the shipped tables. For other rules
the sets of MOST tiles are kept together with all that can follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame import (
    Board,
    Endgame,
    Known,
    nothing_known,
    solve_endgame,
)
from lama_odds.games.pikomino.solvers.endgame_table import MOST, boards_of, contents, shipped
from lama_odds.jit.store import kept

Tiles = tuple[int, ...]  # in play, ascending


@dataclass(frozen=True)
class Looked:
    """The endgame of a board, and where it was found.

    sets: boards of the sets of tiles that were solved, now or before (0: solved for this board
    alone, or shipped).
    moved: how much chances still changed at the end. rests: whether they rest on shipped ones.
    """

    endgame: Endgame
    sets: int
    moved: float
    rests: bool


def look_up(
    rules: PikominoRules, board: Board, threads: int, progress: Progress | None = None
) -> Looked:
    """Return the chances on a board and its successors; they are solved and kept if necessary."""
    tiles = _tiles_of(board)
    rests = _covered(rules, tiles)
    sets = _sets(rules, tiles) if board[0] else []
    if not sets:
        endgame = solve_endgame(rules, [board], threads, progress, shipped(rules))
        return Looked(endgame, 0, endgame.moved, rests)
    chances, moved = _solved(rules, sets, threads, progress)
    endgame = solve_endgame(rules, [board], threads, None, _known(rules, chances))
    return Looked(endgame, len(chances), moved, rests)


def _tiles_of(board: Board) -> Tiles:
    return tuple(sorted(tile for part in board for tile in part))


def _covered(rules: PikominoRules, tiles: Tiles) -> bool:
    """Return whether few of these tiles are in the shipped tables."""
    return shipped(rules) is not nothing_known and tiles[0] == rules.numbers[0]


def _sets(rules: PikominoRules, tiles: Tiles) -> list[Tiles]:
    """Return a set of tiles and those that can follow and are kept separately, smaller ones first.

    It is empty if all is in the shipped table, or so small that it is solved in a moment. The
    lowest tile is never turned over before the end of the game (see `endgame_table.sets_of`).
    """
    least = MOST + 1 if _covered(rules, tiles) else MOST
    return [
        (tiles[0], *others)
        for size in range(least, len(tiles) + 1)
        for others in combinations(tiles[1:], size - 1)
    ]


def _boards(tiles: Tiles) -> list[Board]:
    """Return the boards of a set's table: its own, and of MOST tiles those that can follow."""
    sizes = range(len(tiles), 0, -1) if len(tiles) == MOST else [len(tiles)]
    return [
        board
        for size in sizes
        for others in combinations(tiles[1:], size - 1)
        for board in boards_of((tiles[0], *others))
    ]


def _known(rules: PikominoRules, chances: Mapping[Board, float]) -> Known:
    """Return these chances, otherwise those of the shipped table."""
    below = shipped(rules)

    def known(board: Board) -> float | None:
        found = chances.get(board)
        return below(board) if found is None else found

    return known


def _solved(
    rules: PikominoRules, sets: list[Tiles], threads: int, progress: Progress | None
) -> tuple[dict[Board, float], float]:
    """Return chances on all boards of these sets, and how much they still changed at the end.

    The smaller sets come first, because the larger ones depend on them.
    """
    tables = {each: _read(rules, each) for each in sets}
    whole = sum(len(_boards(each)) for each in sets if tables[each] is None)
    chances: dict[Board, float] = {}
    done, moved = 0, 0.0
    for each in sets:
        boards, table = _boards(each), tables[each]
        if table is None:
            tell = _part(progress, done / whole, len(boards) / whole)
            solve = partial(_solve, rules, boards, chances, threads, tell)
            table = kept(__name__, _inputs(rules, each), solve)
            done += len(boards)
        chances.update(zip(boards, table[:-1].tolist(), strict=True))
        moved = max(moved, float(table[-1]))
    return chances, moved


def _solve(
    rules: PikominoRules,
    boards: list[Board],
    chances: Mapping[Board, float],
    threads: int,
    progress: Progress | None,
) -> np.ndarray:
    """Return the table of a set: float64[boards + 1], last how much the chances still changed."""
    solved = solve_endgame(rules, boards, threads, progress, _known(rules, chances))
    return np.append(solved.win[: len(boards)], solved.moved)


class _Missing(LookupError):
    """No table is kept for a question."""


def _read(rules: PikominoRules, tiles: Tiles) -> np.ndarray | None:
    """Return the table of a set if it is kept."""

    def missing() -> np.ndarray:
        raise _Missing

    try:
        return kept(__name__, _inputs(rules, tiles), missing)
    except _Missing:
        return None


def _inputs(rules: PikominoRules, tiles: Tiles) -> list[np.ndarray]:
    """Return everything a table depends on: the rules, the tiles, and the shipped tables
    below it.
    """
    words = f"{rules.id} {contents()}"
    return [np.frombuffer(words.encode(), dtype=np.uint8), np.array(tiles, dtype=np.int64)]


def _part(progress: Progress | None, begin: float, part: float) -> Progress | None:
    """Return progress of a set as a part of the whole."""
    if progress is None:
        return None
    return lambda done, of: progress(round(10_000 * (begin + part * done / of)), 10_000)
