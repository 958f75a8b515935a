"""Exact values of every decision of a turn, for worms."""

from __future__ import annotations

from lama_odds.core.estimate import exact
from lama_odds.games.pikomino.exact import Turn, solve_position
from lama_odds.games.pikomino.odds import (
    after_keeping,
    keepable,
    legal_actions,
    next_bust,
    result_names,
)
from lama_odds.games.pikomino.position import Position
from lama_odds.games.pikomino.ruleset import NAMES, PikominoRules
from lama_odds.games.protocol import Solution, Valued

ASSUMPTION = (
    "points counts this turn: worms won or lost, less the mean change of the others' (a stolen "
    "tile is a loss to one of them); what comes after is not in it"
)


def solve_points(rules: PikominoRules, position: Position) -> Solution:
    """Values of all legal actions, each played on for the most points."""
    turn = solve_position(rules, position)
    if position.rolled is not None:
        actions = [_keeping(rules, position, turn, face) for face in keepable(position)]
    else:
        actions = [_acting(rules, position, turn, name) for name in legal_actions(rules, position)]
    return Solution(tuple(actions), (ASSUMPTION,))


def _keeping(rules: PikominoRules, position: Position, turn: Turn, face: int) -> Valued:
    kept = after_keeping(position, face)
    value = exact(float(turn.worth[turn.state(kept)]))
    chances = result_names(rules, position, turn, turn.results(kept, roll=False))
    return Valued(f"keep {NAMES[face]}", {"points": value}, chances)


def _acting(rules: PikominoRules, position: Position, turn: Turn, name: str) -> Valued:
    verb, _, what = name.partition(" ")
    if verb == "roll":
        value = float(turn.rolling[turn.state(position.kept)])
        results = turn.results(position.kept, roll=True)
        chances = result_names(rules, position, turn, results)
        next_ = {"next bust": exact(next_bust(rules, position))}
        return Valued(name, {"points": exact(value)}, {**next_, **chances})
    tile = int(what.split()[0])
    worms = rules.worms_on(tile)
    share = 1 / (position.players - 1) if verb == "steal" else 0.0
    return Valued(name, {"points": exact(worms * (1 + share))}, {name: exact(1.0)})
