"""Exact values of every decision of a turn: for worms, and for winning if that is solved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import decimal, thousands
from lama_odds.games.interface.capabilities import TurnPlan
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.objectives import (
    Solution,
    ThresholdTable,
    Valued,
)
from lama_odds.games.pikomino.engine.adjusted import learned_payoffs
from lama_odds.games.pikomino.engine.look_ahead import payoffs_ahead
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.engine.turn_solver import NOTHING
from lama_odds.games.pikomino.policies import errors_of, learned, play_tables, suits
from lama_odds.games.pikomino.rules.feasibility import after_keeping, legal_actions, next_bust
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, WORM_KEPT, PikominoRules
from lama_odds.games.pikomino.solvers.endgame import (
    FEW,
    MOST,
    MOST_TILES,
    PRECISE,
    Board,
    Known,
    Looked,
    after_steal,
    after_stop,
    boards_of,
    look_up,
    nothing_known,
    precision,
    result_of,
    sets_of,
    shipped,
    solved_board,
)
from lama_odds.games.pikomino.solvers.exact import (
    Turn,
    board_of,
    result_names,
    solve,
    solve_position,
    stop_rule,
)

# Chances to win any board: what `learned` makes of it, one turn ahead, with its measured error.
#
# The turn of the position is solved, with the chances after the next player's turn as its payoffs.
# These are solved in turn, for the chances that `learned` reads off the boards behind them.
# With three and more players these chances are divided by everybody's sum.


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


def turn_plan(rules: PikominoRules, position: Position, policy: Policy) -> TurnPlan | None:
    """Return how the turn of a position may end if `learned` plays it on; None of others."""
    if policy.family.code != LEARNED or not position.whole:
        return None
    size = rules.tables.number.shape[1]
    stop, steals = np.zeros(size), np.zeros(size, dtype=np.bool_)
    bust = learned_payoffs(
        rules.columns, play_tables(rules, learned()), board_of(rules, position),
        position.players, stop, steals,
    )  # fmt: skip
    turn = solve(rules, stop, steals, float(bust))

    def chances(at: Position, action: str) -> dict[str, float]:
        verb, _, what = action.partition(" ")
        if verb in ("stop", "steal"):
            return {action: 1.0}
        kept = after_keeping(at, NAMES.index(what)) if verb == "keep" else at.kept
        named = result_names(rules, at, turn, turn.results(kept, roll=verb == "roll"))
        return {name: chance.value for name, chance in named.items() if chance.value > 0}

    return TurnPlan(chances, float(rules.worm_table.sum()) / position.players)


def measured_errors(players: int) -> Errors | None:
    """Return the errors for a number of players; None if they were not measured."""
    errors = errors_of(players)
    return None if errors is None else Errors(**errors)


POINTS_ONLY = later(
    "points counts this turn: worms won or lost, minus the mean change of the others' (a stolen "
    "tile is a loss to one of them); later turns are not included"
)


def solve_points(rules: PikominoRules, position: Position) -> Solution:
    """Return values of all legal actions, each followed by the best play for points."""
    turn = solve_position(rules, position)

    def stopping(verb: str, tile: int) -> float:
        share = 1 / (position.players - 1) if verb == "steal" else 0.0
        return rules.worms_on(tile) * (1 + share)

    return Solution(_valued(rules, position, turn, "points", stopping), (say(POINTS_ONLY),))


def solve_win(
    rules: PikominoRules, position: Position, threads: int, progress: Progress | None = None
) -> Solution | None:
    """Return chances to win of all legal actions: exact for two players with few tiles.

    Otherwise they are learned. None if they are not known for these rules, or not all tiles are.
    """
    tiles = len(position.centre) + sum(len(stack) for stack in position.stacks)
    if not position.whole:
        return None
    if position.players != 2 or tiles > MOST_TILES:
        return _learned_win(rules, position)
    start = solved_board(position)
    lookup = look_up(rules, start, threads, progress)
    endgame = lookup.endgame
    turn = solve(rules, *endgame.payoffs(start))

    def stopping(verb: str, tile: int) -> float:
        after = after_steal(start) if verb == "steal" else after_stop(start, tile)
        return 1 - float(endgame.win[endgame.boards[after]])

    actions = _valued(rules, position, turn, "win", stopping)
    points = {valued.action: valued.values for valued in solve_points(rules, position).actions}
    both = tuple(
        Valued(valued.action, {**valued.values, **points[valued.action]}, valued.chances)
        for valued in actions
    )
    return Solution(
        both,
        (
            say(
                "both play as well as possible, to the end of the game: {how}",
                how=_solved(lookup),
            ),
        ),
    )


def chances_ahead(rules: PikominoRules, position: Position) -> tuple[Valued, ...]:
    """Return learned chances to win of all legal actions, one turn ahead."""
    solved = ahead(rules, position)

    def stopping(verb: str, tile: int) -> float:
        return float((solved.robs if verb == "steal" else solved.takes)[tile])

    return _valued(rules, position, solved.turn, "win", stopping)


READ_OFF = later(
    "all play `learned`, to the end of the game; its chances are read off the boards after the "
    "turn of the next player"
)
READ_OFF_AND_DIVIDED = later(
    "all play `learned`, to the end of the game; its chances are read off the boards after the "
    "turn of the next player, and divided by the sum of everybody's"
)


def _learned_win(rules: PikominoRules, position: Position) -> Solution | None:
    """Return learned chances to win of all legal actions, with their measured errors."""
    errors = measured_errors(position.players) if suits(rules.id) else None
    if errors is None:
        return None
    points = {valued.action: valued.values for valued in solve_points(rules, position).actions}
    actions = []
    for valued in chances_ahead(rules, position):
        value = min(max(valued.values["win"].value, 0.0), 1.0)
        half = errors.each_side * errors.value
        win = Estimate.from_interval(
            value, errors.value, max(0.0, value - half), min(1.0, value + half), errors.boards
        )
        actions.append(Valued(valued.action, {"win": win, **points[valued.action]}, valued.chances))
    return Solution(
        tuple(actions),
        (
            say(READ_OFF if position.players == 2 else READ_OFF_AND_DIVIDED),
            say(
                "intervals: how far off such chances were on {boards} boards of other games, which "
                "were played on many times; 95 % of boards lie within them",
                boards=errors.boards,
            ),
        ),
        apart=errors.each_side * errors.apart,
    )


def _solved(lookup: Looked) -> str:
    """Return how the chances of an endgame were found, and to what precision."""
    rounded = decimal(f"{precision(MOST):.0e}")
    if not lookup.sets and not lookup.endgame.solved:
        return say(
            "from the shipped tables of all boards with at most {most} tiles, right to {precision}",
            most=MOST,
            precision=rounded,
        )
    if lookup.sets:
        which = say("all {boards} boards with these tiles", boards=thousands(lookup.sets))
    else:
        which = say("{boards} boards", boards=thousands(lookup.endgame.solved))
    moved = decimal(f"{max(lookup.moved, PRECISE):.0e}")
    fields = {"boards": which, "moved": moved, "precision": rounded}
    if lookup.rests:
        return say(
            "{boards} solved until no chance changed by more than {moved}; they rest on shipped "
            "chances, right to {precision}",
            **fields,
        )
    return say("{boards} solved until no chance changed by more than {moved}", **fields)


def _valued(
    rules: PikominoRules,
    position: Position,
    turn: Turn,
    objective: str,
    stopping: Callable[[str, int], float],
) -> tuple[Valued, ...]:
    """Return all legal actions in a solved turn; stopping: value of stop or steal with a tile."""

    def chances(name: str) -> dict[str, Estimate]:
        verb, _, what = name.partition(" ")
        if verb == "keep":
            kept = after_keeping(position, NAMES.index(what))
            return result_names(rules, position, turn, turn.results(kept, roll=False))
        if verb == "roll":
            results = turn.results(position.kept, roll=True)
            busts = {"next bust": exact(next_bust(rules, position))}
            return busts | result_names(rules, position, turn, results)
        return {name: exact(1.0), "bust": exact(0.0)}

    actions = []
    for name in legal_actions(rules, position):
        verb, _, what = name.partition(" ")
        if verb == "keep":
            value = float(turn.worth[turn.state(after_keeping(position, NAMES.index(what)))])
        elif verb == "roll":
            value = float(turn.rolling[turn.state(position.kept)])
        else:
            value = stopping(verb, int(what.split()[0]))
        later = Later(partial(chances, name))
        actions.append(Valued(name, {objective: exact(value)}, later))
    return tuple(actions)


# Exact tables of a turn: when to stop, and what a steal is worth.

BOARD_SIZES = (16, 12, 8, 4)
BETTER_BY = 1e-9
TERMS = (
    later("stop: worms of the tile that you take if you stop at this total"),
    later("roll: worms that you can expect if you roll again and then play as well as possible"),
    later(
        "to reach a total: to end with a worm and at least that total; so you can take its tile or "
        "a lower one from the centre"
    ),
    later(
        "exactly a total: to end with a worm and that total; only then can you steal its tile. "
        "lama-odds odds shows both chances"
    ),
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
    title = say("Stop or roll on, with all tiles in the centre: by total, dice left and faces kept")
    rule = stop_rule(rules, turn).said()
    return ThresholdTable(
        "stop_or_roll", title, tuple(rows), rule=rule, terms=tuple(map(say, TERMS))
    )


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
    title = say(
        "A steal: the tile is on top of one opponent's stack, all others lie in the centre. "
        "Rolling has the lowest and the highest worth with this total, by dice and faces"
    )
    return ThresholdTable("steals", title, tuple(rows), shares=("steal chance",))


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
    for (size, tile), pairs in sorted(gains.items()):
        values = np.array(pairs, dtype=np.float64)
        worth = values[:, 0] - values[:, 1]
        rows.append(
            {
                "tiles": size,
                "tile": tile,
                "boards": len(pairs),
                "steal": exact(float(values[:, 0].mean())),
                "next lower": exact(float(values[:, 1].mean())),
                "steal adds": exact(float(worth.mean())),
                "least": exact(float(worth.min())),
                "most": exact(float(worth.max())),
                "better on": exact(float((worth > 0).mean())),
            }
        )
    title = say(
        "A steal in the two-player game: mean chance to win after it, and after taking the next "
        "lower tile of the centre instead. The mean is over all boards with this number of tiles "
        "in play, with best play. “Better on” is the share of the boards on which the steal wins "
        "more"
    )
    return ThresholdTable("steals_in_the_game", title, tuple(rows), shares=("better on",))


def _chance(rules: PikominoRules, known: Known, board: Board) -> float:
    """Return the mover's chance to win on a board of the shipped table, or one that is over."""
    chance = known(board)
    return result_of(rules, board) if chance is None else chance


def _rolling(rules: PikominoRules, turn: Turn, total: int) -> list[float]:
    """Return the values of rolling again in the states with a worm and this total."""
    tables = rules.tables
    return [
        float(turn.rolling[state])
        for state in range(tables.mask.size)
        if tables.total[state] == total and tables.mask[state] & WORM_KEPT and tables.left[state]
    ]
