"""Two-player endgames solved: the chance to win under the best play of both.

All boards that can be reached from a position are found. Each is one exact turn, whose payoffs are
the other player's chances on the resulting boards. A bust puts a tile back, so boards lead back to
each other. They are solved by value iteration: boards with few tiles in the centre come first,
because a tile that is taken leads to them. A board is solved again when one of those that follow it
has changed, until none changes any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, permutations

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.pikomino.engine.turn_solver import LANES, NOTHING, lane_scratch, solve_turns
from lama_odds.games.pikomino.rules.board import NO_TILE, turned_over
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.jit import compiled, inlined
from lama_odds.jit.arrays import array_of
from lama_odds.jit.store import kept

MOST_TILES = 6
MOST_ROUNDS = 100_000
PIECE = 4 * LANES  # boards whose turns are solved between two looks at the clock
# Turns solved for each board until nothing changes, for the progress bar (measured: 20 to 30). If
# it takes more, the bar stops at ALMOST.
TURNS, ALMOST = 25, 0.99
PRECISE = 1e-12  # a chance that changes by less changes no other
NEVER = -1

# A board: tiles of the centre (ascending), stack of the mover, stack of the other (top last).
Board = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
Known = Callable[[Board], float | None]  # the mover's chance to win if it is solved already


@dataclass(frozen=True)
class Endgame:
    """Solved boards: the number of each board, and the mover's chance to win.

    moved: chances changed by no more than this at the end. solved: boards solved here; the others
    were known.
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
    back = mine[-1] if mine else NO_TILE
    if mine:
        centre, mine = tuple(sorted((*centre, back))), mine[:-1]
    highest = centre[-1] if centre else NO_TILE
    if turned_over(rules.columns, back, highest) != NO_TILE:
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
    boards = {start: number for number, start in enumerate(starts)}
    waiting = list(starts)
    while waiting:
        board = waiting.pop()
        if not board[0] or (boards[board] >= len(starts) and known(board) is not None):
            continue
        following = [after_stop(board, tile) for tile in board[0]]
        following += [after_steal(board)] if can_steal(rules, board) else []
        for after in (*following, after_bust(rules, board)):
            if after not in boards:
                boards[after] = len(boards)
                waiting.append(after)
    return boards


def solved_board(position: Position) -> Board:
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
    win = np.array([0.5 if value is None else value for value in given], dtype=np.float64)
    open_ = [at for at, value in enumerate(given) if value is None]
    links = _links(rules, boards, [(at, order[at]) for at in open_], tiles)
    few_first: dict[int, list[int]] = {}
    for at in open_:
        few_first.setdefault(len(order[at][0]), []).append(at)
    alike = [np.array(few_first[size], dtype=np.int64) for size in sorted(few_first)]
    moved = _iterate(rules, np.array(tiles, dtype=np.int64), links, win, alike, threads, progress)
    return Endgame(rules, boards, win, moved, len(open_))


def _iterate(
    rules: PikominoRules,
    tiles: np.ndarray,
    links: np.ndarray,
    win: np.ndarray,
    alike: Sequence[np.ndarray],
    threads: int,
    progress: Progress | None,
) -> float:
    """Solve turns until no chance changes by more than PRECISE; return how much one still changed.

    alike: boards whose turns are solved with the same chances, one such group after the other.
    """
    changed = np.zeros(win.size, dtype=np.int64)  # the step in which a chance changed
    solved = np.zeros(win.size, dtype=np.int64)
    worth = partial(_worth, rules.tables, tiles, links, win)
    expected = max(1, TURNS * sum(group.size for group in alike))
    step, turns, rounds, most = 0, 0, 0, 1.0 if alike else 0.0
    with ThreadPoolExecutor(threads) as pool:
        while most > PRECISE and rounds < MOST_ROUNDS:
            most, rounds = 0.0, rounds + 1
            for group in alike:
                due = group[_due(links, changed, solved, group)]
                if not due.size:
                    continue
                step += 1
                pieces = [due[at : at + PIECE] for at in range(0, due.size, PIECE)]
                values = np.concatenate(list((pool.map if len(pieces) > 1 else map)(worth, pieces)))
                moved = np.abs(values - win[due])
                most = max(most, float(moved.max()))
                moves = due[moved > PRECISE]
                win[due], solved[due], changed[moves] = values, step, step
                turns += due.size
                if progress:
                    progress(min(turns, int(ALMOST * expected)), expected)
    if progress:
        progress(expected, expected)
    return most


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
def _due(links, changed, solved, boards):
    """Return bool[boards]: whether a board that follows has changed since the turn was solved."""
    due = np.zeros(boards.size, np.bool_)
    for at in range(boards.size):
        board = boards[at]
        for link in range(links.shape[1] - 1):
            after = links[board, link]
            if after >= 0 and changed[after] >= solved[board]:
                due[at] = True
    return due


@compiled
def _worth(tables, numbers, links, win, boards):
    """Return float64[boards]: the chance to win with the best turn, for the present chances."""
    totals = tables.number.shape[1]
    states = tables.mask.size
    stop, bust = np.zeros((totals, LANES)), np.zeros(LANES)
    worth, rolling = np.zeros((states + 1, LANES)), np.zeros((0, LANES))
    scratch = lane_scratch(tables)
    values = np.zeros(boards.size)
    for first in range(0, boards.size, LANES):
        for lane in range(LANES):
            board = boards[min(first + lane, boards.size - 1)]
            bust[lane] = set_payoffs(numbers, links, win, board, stop, lane)
        solve_turns(tables, stop, bust, worth, rolling, scratch)
        for lane in range(min(LANES, boards.size - first)):
            values[first + lane] = worth[states - 1, lane]
    return values


@inlined
def set_payoffs(numbers, links, win, board, stop, lane):
    """Set the payoffs of stopping on a board; return that of a bust."""
    tiles = numbers.size
    stolen = links[board, tiles + 2]
    value = -np.inf
    for total in range(stop.shape[0]):
        for tile in range(tiles):
            if numbers[tile] == total and links[board, tile] >= 0:
                value = 1.0 - win[links[board, tile]]
        stop[total, lane] = value
        if stolen >= 0 and numbers[stolen] == total:
            stop[total, lane] = max(value, 1.0 - win[links[board, tiles]])
    return 1.0 - win[links[board, tiles + 1]]


# Endgames that are shipped solved: all two-player boards with at most five tiles in play.
#
# A table has the mover's chance to win on each board that is not over. Boards are in the order of
# `sets_of` (which tiles are in play) and, within a set, of `patterns` (where they are). Boards with
# at most FEW tiles come first: data/pikomino/endgames.npy has them as float64. Those with MOST
# tiles are twenty times as many. They are in data/pikomino/endgames_five.npy, in three bytes each:
# a multiple of 1 / STEPS. The manifest of a table names the rule set and the precision.

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
    boards: dict[Board, int] = {}
    for centre in range(tiles, 0, -1):
        for inside in combinations(range(tiles), centre):
            others = [tile for tile in range(tiles) if tile not in inside]
            for order in permutations(others):
                for mine in range(len(order) + 1):
                    boards[inside, order[:mine], order[mine:]] = len(boards)
    return boards


@cache
def sets_of(numbers: tuple[int, ...], most: int = MOST) -> dict[tuple[int, ...], int]:
    """Return every set of at most `most` tiles that can be in play, and where its boards begin.

    The lowest tile is always among them. To be turned over, it would have to be the highest of the
    centre, so the last one there. One that has just been put back stays, and without it the game is
    over.
    """
    starts, at = {}, 0
    for size in range(most):
        for others in combinations(numbers[1:], size):
            tiles = (numbers[0], *others)
            starts[tiles] = at
            at += len(patterns(len(tiles)))
    return starts


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


# Endgames solved once and kept on disk: the next question of a game is looked up.
#
# Later in a game there are the same tiles, or fewer when one is turned over. So what is solved and
# kept is a set of tiles in play, with all boards that they can form (`patterns`). A
# set depends on those with one tile less. The smallest ones are in the shipped tables. For other
# rules the sets of MOST tiles are kept together with all that can follow from them.

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
    lowest tile is never turned over before the end of the game (see `sets_of`).
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
        chance = chances.get(board)
        return below(board) if chance is None else chance

    return known


def _solved(
    rules: PikominoRules, sets: list[Tiles], threads: int, progress: Progress | None
) -> tuple[dict[Board, float], float]:
    """Return chances on all boards of these sets, and how much they still changed at the end.

    The smaller sets come first, because the larger ones depend on them.
    """
    tables = {tiles: _read(rules, tiles) for tiles in sets}
    whole = sum(len(_boards(tiles)) for tiles in sets if tables[tiles] is None)
    chances: dict[Board, float] = {}
    done, moved = 0, 0.0
    for tiles in sets:
        boards, table = _boards(tiles), tables[tiles]
        if table is None:
            tell = _part(progress, done / whole, len(boards) / whole)
            solve = partial(_solve, rules, boards, chances, threads, tell)
            table = kept(__name__, _inputs(rules, tiles), solve)
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
