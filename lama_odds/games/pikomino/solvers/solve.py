"""Exact values of every decision of a turn: for worms, and for winning if that is solved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import Progress
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.solution import (
    Solution,
    Valued,
)
from lama_odds.games.pikomino.policies.learned import suits
from lama_odds.games.pikomino.rules.moves import after_keeping, legal_actions, next_bust
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.solvers.endgame import (
    MOST_TILES,
    PRECISE,
    after_steal,
    after_stop,
    board_of,
)
from lama_odds.games.pikomino.solvers.endgame_cache import Looked, look_up
from lama_odds.games.pikomino.solvers.endgame_table import MOST, precision
from lama_odds.games.pikomino.solvers.exact import Turn, solve, solve_position
from lama_odds.games.pikomino.solvers.look_ahead import ahead, measured_errors
from lama_odds.games.pikomino.solvers.odds import result_names

POINTS_ONLY = (
    "points counts this turn: worms won or lost, minus the mean change of the others' (a stolen "
    "tile is a loss to one of them); later turns are not included"
)


def solve_points(rules: PikominoRules, position: Position) -> Solution:
    """Return values of all legal actions, each followed by the best play for points."""
    turn = solve_position(rules, position)

    def stopping(verb: str, tile: int) -> float:
        share = 1 / (position.players - 1) if verb == "steal" else 0.0
        return rules.worms_on(tile) * (1 + share)

    return Solution(_valued(rules, position, turn, "points", stopping), (POINTS_ONLY,))


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
    start = board_of(position)
    found = look_up(rules, start, threads, progress)
    endgame = found.endgame
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
        (f"both play as well as possible, to the end of the game: {_solved(found)}",),
    )


def chances_ahead(rules: PikominoRules, position: Position) -> tuple[Valued, ...]:
    """Return learned chances to win of all legal actions, one turn ahead."""
    found = ahead(rules, position)

    def stopping(verb: str, tile: int) -> float:
        return float((found.robs if verb == "steal" else found.takes)[tile])

    return _valued(rules, position, found.turn, "win", stopping)


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
    shares = ", and divided by the sum of everybody's" if position.players > 2 else ""
    return Solution(
        tuple(actions),
        (
            "all play `learned`, to the end of the game; its chances are read off the boards after "
            f"the turn of the next player{shares}",
            f"intervals: how far off such chances were on {errors.boards} boards of other games, "
            "which were played on many times; 95 % of boards lie within them",
        ),
        apart=errors.each_side * errors.apart,
    )


def _solved(found: Looked) -> str:
    """Return how the chances of an endgame were found, and to what precision."""
    rounded = f"right to {precision(MOST):.0e}"
    if not found.sets and not found.endgame.solved:
        return f"from the shipped tables of all boards with at most {MOST} tiles, {rounded}"
    which = f"all {found.sets:,} boards with these tiles"
    if not found.sets:
        which = f"{found.endgame.solved:,} boards"
    until = f"solved until no chance changed by more than {max(found.moved, PRECISE):.0e}"
    rests = f"; they rest on shipped chances, {rounded}" if found.rests else ""
    return f"{which} {until}{rests}"


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

    found = []
    for name in legal_actions(rules, position):
        verb, _, what = name.partition(" ")
        if verb == "keep":
            value = float(turn.worth[turn.state(after_keeping(position, NAMES.index(what)))])
        elif verb == "roll":
            value = float(turn.rolling[turn.state(position.kept)])
        else:
            value = stopping(verb, int(what.split()[0]))
        later = Later(partial(chances, name))
        found.append(Valued(name, {objective: exact(value)}, later))
    return tuple(found)
