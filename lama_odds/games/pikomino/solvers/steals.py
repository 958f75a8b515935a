"""Exact tables of a turn: when to stop, and what a steal is worth."""

from __future__ import annotations

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.games.interface.solution import (
    ThresholdTable,
)
from lama_odds.games.pikomino.engine.turn_solver import NOTHING
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM_KEPT
from lama_odds.games.pikomino.solvers.endgame import (
    Board,
    Known,
    after_steal,
    after_stop,
    nothing_known,
    result_of,
)
from lama_odds.games.pikomino.solvers.endgame_table import FEW, boards_of, sets_of, shipped
from lama_odds.games.pikomino.solvers.exact import Turn, solve_position
from lama_odds.games.pikomino.solvers.stop_rule import stop_rule

BOARD_SIZES = (16, 12, 8, 4)
BETTER_BY = 1e-9
TERMS = (
    "stop: worms of the tile that you take if you stop at this total",
    "roll: worms that you can expect if you roll again and then play as well as possible",
    "to reach a total: to end with a worm and at least that total; so you can take its tile or "
    "a lower one from the centre",
    "exactly a total: to end with a worm and that total; only then can you steal its tile. "
    "lama-odds odds shows both chances",
)


def exact_tables(rules: PikominoRules, players: int) -> list[ThresholdTable]:
    """Return tables: stop or roll with all tiles in the centre; the value of a steal if any."""
    tables = [_stop_or_roll(rules, players)]
    if rules.no_steal:
        return tables
    tables.append(_steals(rules, players))
    if players == 2 and shipped(rules) is not nothing_known:
        tables.append(_steals_in_the_game(rules))
    return tables


def _empty(players: int) -> tuple[tuple[int, ...], ...]:
    return ((),) * players


def _stop_or_roll(rules: PikominoRules, players: int) -> ThresholdTable:
    """Return every state with a worm kept in which a tile can be taken and dice are left."""
    position = Position(NONE, None, tuple(rules.numbers), _empty(players))
    turn = solve_position(rules, position)
    tables = rules.tables
    rows = []
    for state in range(tables.mask.size):
        mask, total = int(tables.mask[state]), int(tables.total[state])
        left = int(tables.left[state])
        stop, roll = float(turn.stop[total]), float(turn.rolling[state])
        if not mask & WORM_KEPT or stop == NOTHING or not left:
            continue
        faces = "".join(NAMES[face] for face in range(FACES) if mask >> face & 1)
        rows.append(
            {
                "total": total,
                "dice": left,
                "faces": faces,
                "stop": exact(stop),
                "roll": exact(roll),
                "better": _better({"stop": stop, "roll": roll}),
            }
        )
    rows.sort(key=lambda row: (row["total"], row["dice"], row["faces"]))
    title = "Stop or roll on, with all tiles in the centre: by total, dice left and faces kept"
    rule = stop_rule(rules, turn).said()
    return ThresholdTable("stop_or_roll", title, tuple(rows), rule=rule, terms=TERMS)


def _better(values: dict[str, float]) -> str:
    best = max(values.values())
    names = [name for name, value in values.items() if value > best - BETTER_BY]
    return " or ".join(names)


def board_of_size(rules: PikominoRules, size: int) -> list[int]:
    """Return this many tiles spread evenly from the highest to the lowest, ascending."""
    numbers = list(rules.numbers)
    size = min(size, len(numbers))
    if size == 1:
        return [numbers[-1]]
    steps = [round(i * (len(numbers) - 1) / (size - 1)) for i in range(size)]
    return sorted({numbers[step] for step in steps})


def _steals(rules: PikominoRules, players: int) -> ThresholdTable:
    """Return steals of a tile on an opponent's stack, the others of the board in the centre."""
    rows = []
    for size in BOARD_SIZES:
        if size > rules.tiles:
            continue
        for tile in board_of_size(rules, size):
            centre = tuple(t for t in board_of_size(rules, size) if t != tile)
            if centre:
                rows.append(_steal(rules, players, size, tile, centre))
    title = (
        "A steal: the tile is on top of one opponent's stack, all others lie in the centre. "
        "Rolling has the lowest and the highest worth with this total, by dice and faces"
    )
    return ThresholdTable("steals", title, tuple(rows))


def _met(turn: Turn, tile: int) -> float:
    """Return how often a turn stops with a total; never if the dice cannot sum to it."""
    return float(turn.results(NONE, roll=True)[tile]) if tile < turn.stop.size else 0.0


def _steal(
    rules: PikominoRules, players: int, size: int, tile: int, centre: tuple[int, ...]
) -> dict[str, object]:
    stacks = ((), (tile,), *((),) * (players - 2))
    turn = solve_position(rules, Position(NONE, None, centre, stacks))
    lower = max((t for t in centre if t < tile), default=None)
    rolls = _rolling(rules, turn, tile)
    return {
        "board": size,
        "tile": tile,
        "worms": rules.worms_on(tile),
        "steal": exact(rules.worms_on(tile) * (1 + 1 / (players - 1))),
        "next lower": lower,
        "its worms": rules.worms_on(lower) if lower is not None else 0,
        "rolling, least": exact(min(rolls, default=0.0)),
        "rolling, most": exact(max(rolls, default=0.0)),
        "steal chance": exact(_met(turn, tile)),
    }


def _steals_in_the_game(rules: PikominoRules) -> ThresholdTable:
    """Return what a steal adds to the chance to win, compared to the next lower tile of the
    centre.
    """
    known = shipped(rules)
    gains: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for tiles in sets_of(tuple(rules.numbers), FEW):
        for centre, mine, other in boards_of(tiles):
            if not other or other[-1] < centre[0]:
                continue
            lower = max(tile for tile in centre if tile < other[-1])
            board = centre, mine, other
            after = [after_steal(board), after_stop(board, lower)]
            steal, stop = (1 - _chance(rules, known, board) for board in after)
            gains.setdefault((len(tiles), other[-1]), []).append((steal, stop))
    rows = []
    for (size, tile), found in sorted(gains.items()):
        values = np.array(found)
        worth = values[:, 0] - values[:, 1]
        rows.append(
            {
                "tiles": size,
                "tile": tile,
                "boards": len(found),
                "steal": exact(float(values[:, 0].mean())),
                "next lower": exact(float(values[:, 1].mean())),
                "steal adds": exact(float(worth.mean())),
                "least": exact(float(worth.min())),
                "most": exact(float(worth.max())),
                "better on": exact(float((worth > 0).mean())),
            }
        )
    title = (
        "A steal in the two-player game: mean chance to win after it, and after taking the next "
        "lower tile of the centre instead. The mean is over all boards with this number of tiles "
        "in play, with best play. “Better on” is the share of the boards on which the steal wins "
        "more"
    )
    return ThresholdTable("steals_in_the_game", title, tuple(rows))


def _chance(rules: PikominoRules, known: Known, board: Board) -> float:
    """Return the mover's chance to win on a board of the shipped table, or one that is over."""
    found = known(board)
    return result_of(rules, board) if found is None else found


def _rolling(rules: PikominoRules, turn: Turn, total: int) -> list[float]:
    """Return the values of rolling again in the states with a worm and this total."""
    tables = rules.tables
    return [
        float(turn.rolling[state])
        for state in range(tables.mask.size)
        if tables.total[state] == total and tables.mask[state] & WORM_KEPT and tables.left[state]
    ]
