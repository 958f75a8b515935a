"""Rounds of two players solved once: later positions are looked up in the solution of the first.

Every position that a round can reach while both are in is a situation of the space in which its
first position was solved, with the same value (within 1e-12 if it is the other's turn, else bit
for bit). The last solution is kept for that; it is let go
before another is made, so that no more memory is needed than for one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers.last_player import AloneSolution, AloneSpace, solve_alone
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import (
    Counts,
    PairSolution,
    State,
    pair_space,
    pair_states,
    solve_pair,
)

MOST_ALONE = 4  # kept of players alone, the latest


@dataclass
class _Kept:
    """The last solution made, of which rule set, and players alone in its situations."""

    rules: DiceRules | None = None
    solution: PairSolution | None = None
    alone: dict[bytes, AloneSolution] = field(default_factory=dict)


_KEPT = _Kept()


def solve_or_look_up(
    rules: DiceRules,
    mine: Counts,
    other: Counts,
    row: int,
    tokens: tuple[Tokens, Tokens],
    threads: int,
    progress: Progress | None = None,
) -> PairSolution:
    """As `solve_pair`, looked up if the last solution has all situations of this position."""
    states = pair_states(mine, other, row)
    kept = _KEPT.solution if _KEPT.rules == rules else None
    if kept is not None:
        if states == kept.states and all(map(_same, tokens, kept.tokens)):
            return kept
        passed = looked_up(kept, states, tokens)
        if passed is not None:
            space, alone = pair_space(rules, states, row)
            solved = (_alone(rules, alone[0], tokens[0]), _alone(rules, alone[1], tokens[1]))
            return PairSolution(space, states, solved, tokens, passed)
    kept = None
    forget()
    solution = solve_pair(rules, mine, other, row, tokens, threads, progress)
    _KEPT.rules, _KEPT.solution = rules, solution
    return solution


def forget() -> None:
    """Let the solution kept go, and those of players alone."""
    _KEPT.rules = _KEPT.solution = None
    _KEPT.alone.clear()


def _same(one: Tokens, other: Tokens) -> bool:
    return np.array_equal(one.values, other.values)


def _alone(rules: DiceRules, space: AloneSpace, tokens: Tokens) -> AloneSolution:
    """A player alone: solved once for the hands and rows of a space, whoever is to move."""
    key = b"/".join(part.tobytes() for part in (space.held, space.sizes, tokens.values))
    solved = _KEPT.alone.pop(key, None) or solve_alone(rules, space, tokens)
    _KEPT.alone[key] = solved
    if len(_KEPT.alone) > MOST_ALONE:
        del _KEPT.alone[next(iter(_KEPT.alone))]
    return solved


def looked_up(
    kept: PairSolution, states: list[list[State]], tokens: tuple[Tokens, Tokens]
) -> np.ndarray | None:
    """Values of the situations of a position, float64[2, places, layers], or None.

    They are in a solution, as it is or with the players changed, if it has every state of each
    kind, and if the tokens are those that are left there after some returns.
    """
    for swapped in (False, True):
        held = kept.tokens[::-1] if swapped else kept.tokens
        gone = [_gone(all_.values, left.values) for all_, left in zip(held, tokens, strict=True)]
        digits = [_digits(kept.states[k], states[k], swapped) for k in range(len(states))]
        if any(g is None for g in gone) or any(d is None for d in digits):
            continue
        sizes = [len(of_kind) for of_kind in kept.states]
        levels = tuple(len(of.values) for of in kept.tokens)
        passed = kept.passed.reshape(2, *sizes[::-1], *levels)
        if swapped:  # who is to decide, and whose tokens
            passed = np.swapaxes(passed[::-1], -1, -2)
        wanted = [range(2), *digits[::-1]]
        wanted += [range(int(g or 0), len(of.values)) for g, of in zip(gone, held, strict=True)]
        found = passed[np.ix_(*wanted)]
        layers = len(tokens[0].values) * len(tokens[1].values)
        return np.ascontiguousarray(found).reshape(2, -1, layers)
    return None


def _gone(held: np.ndarray, left: np.ndarray) -> int | None:
    """How many tokens have been returned if these are left; None if that cannot be."""
    gone = len(held) - len(left)
    return gone if gone >= 0 and np.array_equal(held[gone:], left) else None


def _digits(kept: list[State], wanted: list[State], swapped: bool) -> list[int] | None:
    """Where the states of a kind are in a solution; None if one is not."""
    places = {
        ((other, mine) if swapped else (mine, other)) + (row,): digit
        for digit, (mine, other, row) in enumerate(kept)
    }
    if any(state not in places for state in wanted):
        return None
    return [places[state] for state in wanted]
