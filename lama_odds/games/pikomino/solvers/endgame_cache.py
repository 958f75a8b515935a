"""Endgames solved once and kept on disk: the next question of a game is looked up.

A game goes on with the same tiles, or with fewer once one is turned over. So what is solved and
kept is a set of tiles in play, with all boards on which they can lie (`endgame_table.patterns`);
a set rests on those that have one tile less. Sets of at most four tiles are in the shipped table,
or take a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lama_odds.core.data import data_json
from lama_odds.core.progress import Progress
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame import PRECISE, Board, Endgame, Known, solve_endgame
from lama_odds.games.pikomino.solvers.endgame_table import MANIFEST, MOST, patterns, shipped
from lama_odds.jit.store import kept

Tiles = tuple[int, ...]  # in play, ascending


@dataclass(frozen=True)
class Looked:
    """The endgame of a board, and what it was found from.

    sets: boards of the sets of tiles that were solved, here or before (0: solved for this board
    alone, or shipped). moved: by how much chances still moved at the end.
    """

    endgame: Endgame
    sets: int
    moved: float


def look_up(
    rules: PikominoRules, board: Board, threads: int, progress: Progress | None = None
) -> Looked:
    """The chances on a board and those that it leads to; solved and kept if they are not yet."""
    tiles = tuple(sorted(tile for part in board for tile in part))
    if len(tiles) <= MOST or not board[0]:
        endgame = solve_endgame(rules, [board], threads, progress, shipped(rules))
        return Looked(endgame, 0, endgame.moved)
    tables = _tables(rules, tiles, threads, progress)

    known = _known(rules, tables)
    endgame = solve_endgame(rules, [board], threads, None, known)
    moved = max(float(table[-1]) for table in tables.values())
    return Looked(endgame, sum(len(table) - 1 for table in tables.values()), max(moved, PRECISE))


def _known(rules: PikominoRules, tables: Mapping[Tiles, np.ndarray]) -> Known:
    """The chances in these tables, or in the shipped one."""
    below = shipped(rules)

    def known(board: Board) -> float | None:
        tiles = tuple(sorted(tile for part in board for tile in part))
        if tiles not in tables:
            return below(board)
        centre, mine, other = (tuple(tiles.index(tile) for tile in part) for part in board)
        return float(tables[tiles][patterns(len(tiles))[centre, mine, other]])

    return known


def _tables(
    rules: PikominoRules, tiles: Tiles, threads: int, progress: Progress | None
) -> dict[Tiles, np.ndarray]:
    """Chances on all boards of a set of tiles and of those that can follow, the smaller first.

    Each float64[boards + 1] as `patterns` has them; last: by how much they still moved.
    """
    wanted = _smaller(tiles)
    found = {each: _read(rules, each) for each in wanted}
    missing = [each for each in wanted if found[each] is None]
    whole = sum(len(patterns(len(each))) for each in missing)
    done = 0
    tables: dict[Tiles, np.ndarray] = {}
    for each in wanted:
        table = found[each]
        if table is None:
            size = len(patterns(len(each)))
            tell = _part(progress, done / whole, size / whole)
            table = kept(
                __name__, _inputs(rules, each), _solver(rules, each, tables, threads, tell)
            )
            done += size
        tables[each] = table
    return tables


def _smaller(tiles: Tiles) -> list[Tiles]:
    """A set and all that can follow from it with more than MOST tiles, the smaller first.

    The lowest tile is never turned over while the game goes on (see `endgame_table.sets_of`).
    """
    found = {tiles}
    waiting = [tiles]
    while waiting:
        last = waiting.pop()
        for tile in last[1:] if len(last) > MOST + 1 else ():
            rest = tuple(other for other in last if other != tile)
            if rest not in found:
                found.add(rest)
                waiting.append(rest)
    return sorted(found, key=lambda each: (len(each), each))


def _solver(
    rules: PikominoRules,
    tiles: Tiles,
    tables: Mapping[Tiles, np.ndarray],
    threads: int,
    progress: Progress | None,
) -> Callable[[], np.ndarray]:
    """What solves a set, those below it being solved."""

    def solve() -> np.ndarray:
        boards = [
            (
                tuple(tiles[at] for at in centre),
                tuple(tiles[at] for at in mine),
                tuple(tiles[at] for at in other),
            )
            for centre, mine, other in patterns(len(tiles))
        ]
        solved = solve_endgame(rules, boards, threads, progress, _known(rules, tables))
        return np.append(solved.win[: len(boards)], solved.moved)

    return solve


class _Missing(LookupError):
    """Nothing is kept for a question."""


def _read(rules: PikominoRules, tiles: Tiles) -> np.ndarray | None:
    """The table of a set if it is kept."""

    def missing() -> np.ndarray:
        raise _Missing

    try:
        return kept(__name__, _inputs(rules, tiles), missing)
    except _Missing:
        return None


def _inputs(rules: PikominoRules, tiles: Tiles) -> list[np.ndarray]:
    """All that a table depends on: the rules, the tiles, and the shipped table below it."""
    words = f"{rules.id} {data_json(MANIFEST)['manifest']['sha256']}"
    return [np.frombuffer(words.encode(), dtype=np.uint8), np.array(tiles, dtype=np.int64)]


def _part(progress: Progress | None, begin: float, part: float) -> Progress | None:
    """Progress of a set as a part of the whole."""
    if progress is None:
        return None
    return lambda done, of: progress(round(10_000 * (begin + part * done / of)), 10_000)
