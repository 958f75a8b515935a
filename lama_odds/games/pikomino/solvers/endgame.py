"""Two-player endgames solved: the chance to win under the best play of both.

All boards that can be reached from a position are found. Each is one exact turn, whose payoffs are
the other player's chances on the resulting boards. A bust puts a tile back, so boards lead back to
each other. They are solved by policy iteration (Howard 1960): the best turns for the present
chances, then the chances that follow from these turns, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn, turn_results
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.jit import compiled

MOST_TILES = 6
MOST_ROUNDS = 40
PIECE = 64  # boards whose turns are solved between two looks at the clock
# Turns solved for each board until nothing changes, for the progress bar (measured: 4.4 to 5.9,
# whatever the tiles and rules). If it takes more, the bar stops at ALMOST.
TURNS, ALMOST = 5.5, 0.99
UNCHANGED = 1e-11  # a chance that changes by less changes no turn
PRECISE = 1e-10  # the iteration stops when chances change by less
NEVER = -1

# A board: tiles of the centre (ascending), stack of the mover, stack of the other (top last).
Board = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
Known = Callable[[Board], float | None]  # the mover's chance to win if it is solved already


@dataclass(frozen=True)
class Endgame:
    """Solved boards: the number of each board, and the mover's chance to win.

    moved: how much chances still changed in the last iteration. solved: boards solved here; the
    others were known.
    """

    rules: PikominoRules
    boards: dict[Board, int]
    win: np.ndarray
    moved: float
    solved: int

    def payoffs(self, board: Board) -> tuple[np.ndarray, np.ndarray, float]:
        """Return the payoffs of a turn: stop by total, whether to steal there, and of a bust."""
        stop = np.full(self.rules.tables.number.shape[1], NOTHING)
        steals = np.zeros(stop.size, dtype=np.bool_)
        centre, _, other = board
        for total in range(stop.size):
            lower = [tile for tile in centre if tile <= total]
            if lower:
                stop[total] = 1 - self.win[self.boards[after_stop(board, max(lower))]]
            if can_steal(self.rules, board) and other[-1] == total:
                value = 1 - self.win[self.boards[after_steal(board)]]
                if value > stop[total]:
                    stop[total], steals[total] = value, True
        return stop, steals, float(1 - self.win[self.boards[after_bust(self.rules, board)]])


def after_stop(board: Board, tile: int) -> Board:
    """Return the board, the other to move, after a tile of the centre is taken."""
    centre, mine, other = board
    return tuple(t for t in centre if t != tile), other, (*mine, tile)


def can_steal(rules: PikominoRules, board: Board) -> bool:
    """Return whether there is a tile to be stolen."""
    return bool(board[2]) and not rules.no_steal


def after_steal(board: Board) -> Board:
    """Return the board, the other to move, after the other's top tile is taken."""
    centre, mine, other = board
    return centre, other[:-1], (*mine, other[-1])


def after_bust(rules: PikominoRules, board: Board) -> Board:
    """Return the board, the other to move, after a bust."""
    centre, mine, other = board
    back = mine[-1] if mine else None
    if back is not None:
        centre, mine = tuple(sorted((*centre, back))), mine[:-1]
    if (
        (back is not None or rules.flip_without_tile)
        and centre
        and (centre[-1] != back or rules.short)
    ):
        centre = centre[:-1]
    return centre, other, mine


def result_of(rules: PikominoRules, board: Board) -> float:
    """Return the share of the win of the next player to move, with an empty centre."""
    ranks = [(sum(map(rules.worms_on, s)), max(s, default=0)) for s in board[1:]]
    return 0.5 if ranks[0] == ranks[1] else float(ranks[0] > ranks[1])


def find_boards(rules: PikominoRules, starts: Sequence[Board], known: Known) -> dict[Board, int]:
    """Return all boards that can follow, numbered in the order found, `starts` first.

    The search stops at known boards, except those in `starts`.
    """
    found = {start: number for number, start in enumerate(starts)}
    waiting = list(starts)
    while waiting:
        board = waiting.pop()
        if not board[0] or (found[board] >= len(starts) and known(board) is not None):
            continue
        following = [after_stop(board, tile) for tile in board[0]]
        following += [after_steal(board)] if can_steal(rules, board) else []
        for after in (*following, after_bust(rules, board)):
            if after not in found:
                found[after] = len(found)
                waiting.append(after)
    return found


def board_of(position: Position) -> Board:
    """Return the board of a two-player position; the player to decide moves."""
    return tuple(sorted(position.centre)), position.stacks[0], position.stacks[1]


def nothing_known(board: Board) -> None:
    """Return None: no board is solved already."""


def solve_endgame(
    rules: PikominoRules,
    starts: Sequence[Board],
    threads: int,
    progress: Progress | None = None,
    known: Known = nothing_known,
) -> Endgame:
    """Return chances to win on all boards reachable from some, both playing as well as possible.

    progress: receives how many turns are solved, of as many as are usually needed.
    """
    boards = find_boards(rules, starts, known)
    order = list(boards)
    tiles = sorted({tile for board in order for part in board for tile in part})
    given = [known(board) if board[0] else result_of(rules, board) for board in order]
    win = np.array([0.5 if value is None else value for value in given])
    open_ = np.array([at for at, value in enumerate(given) if value is None], dtype=np.int64)
    links = _links(rules, boards, [(at, order[at]) for at in open_], tiles)
    chances = np.zeros((len(order), len(tiles) + 2))
    numbers = np.array(tiles, dtype=np.int64)
    last = np.full(win.size, 2.0)
    moved, rounds, turns = 1.0, 0, 0
    expected = max(1, round(TURNS * open_.size))
    while open_.size and moved > PRECISE and rounds < MOST_ROUNDS:
        before = win.copy()
        pieces = np.array_split(open_, max(1, min(threads, open_.size), open_.size // PIECE))
        improve = partial(_improve, rules.tables, numbers, links, win, last, chances)
        with ThreadPoolExecutor(threads) as pool:
            for solved in pool.map(improve, pieces):
                turns += solved
                if progress:
                    progress(min(turns, int(ALMOST * expected)), expected)
        last = before
        _evaluate(links, chances, win, open_)
        moved = float(np.abs(win - before).max())
        rounds += 1
    if progress:
        progress(expected, expected)
    return Endgame(rules, boards, win, moved if open_.size else 0.0, int(open_.size))


def _links(
    rules: PikominoRules,
    boards: dict[Board, int],
    numbered: Sequence[tuple[int, Board]],
    tiles: list[int],
) -> np.ndarray:
    """Return int64[boards, tiles + 3], links of the boards `numbered`.

    Columns: the board after taking each tile of the centre (or NEVER), after a steal, after a bust.
    The last one is the place in `tiles` of the tile that can be stolen.
    """
    links = np.full((len(boards), len(tiles) + 3), NEVER, dtype=np.int64)
    for number, board in numbered:
        for tile in board[0]:
            links[number, tiles.index(tile)] = boards[after_stop(board, tile)]
        if can_steal(rules, board):
            links[number, len(tiles)] = boards[after_steal(board)]
            links[number, len(tiles) + 2] = tiles.index(board[2][-1])
        links[number, len(tiles) + 1] = boards[after_bust(rules, board)]
    return links


@compiled
def _improve(tables, numbers, links, win, last, chances, piece):
    """Find the best turn of each board of a piece for the present chances, and how it ends.

    last: the chances for which the present turns are best; boards whose successors have not changed
    keep theirs.
    chances: float64[boards, tiles + 2], to fill: to take each tile of the centre, to steal, of a
    bust.

    Returns how many turns were solved.
    """
    tiles = numbers.size
    totals = tables.number.shape[1]
    states = tables.mask.size
    stop = np.zeros(totals)
    option = np.zeros(totals, np.int64)
    worth, rolling, mass = np.zeros(states), np.zeros(states), np.zeros(states)
    every = np.ones(states, np.bool_)
    results = np.zeros(totals + 1)
    solved = 0
    for board in piece:
        changed = False
        for at in range(tiles + 2):
            after = links[board, at]
            changed = changed or (after >= 0 and abs(win[after] - last[after]) > UNCHANGED)
        if not changed:
            continue
        solved += 1
        stop[:] = -np.inf
        best = -1
        for total in range(totals):
            for tile in range(tiles):
                if numbers[tile] == total and links[board, tile] >= 0:
                    best = tile
            option[total] = best
            if best >= 0:
                stop[total] = 1.0 - win[links[board, best]]
            stolen = links[board, tiles + 2]
            if stolen >= 0 and numbers[stolen] == total:
                value = 1.0 - win[links[board, tiles]]
                if value > stop[total]:
                    stop[total] = value
                    option[total] = tiles
        bust = 1.0 - win[links[board, tiles + 1]]
        solve_turn(tables, stop, bust, worth, rolling, True, every)
        turn_results(tables, stop, worth, rolling, states - 1, mass, results)
        for at in range(tiles + 2):
            chances[board, at] = 0.0
        for total in range(totals):
            if results[total] > 0.0:
                chances[board, option[total]] += results[total]
        chances[board, tiles + 1] = results[totals]
    return solved


@compiled
def _evaluate(links, chances, win, open_):
    """Compute the chances to win that follow from the turns: sweep over the boards to
    convergence.
    """
    for _ in range(100_000):
        change = 0.0
        for board in open_:
            value = 0.0
            for at in range(chances.shape[1]):
                if chances[board, at] > 0.0:
                    value += chances[board, at] * (1.0 - win[links[board, at]])
            change = max(change, abs(value - win[board]))
            win[board] = value
        if change < 1e-13:
            break
