"""Solve a two-player round once; later positions are looked up in the first solution.

While both players are in, every position of a round is a situation of the space in which its first
position was solved. It has the same value: within 1e-12 if it is the other's turn, otherwise bit
for bit. The last solution is kept for that. It is dropped before another one is made, so that the
memory for one is enough. Threads that need it take turns.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from lama_odds.core.progress import Progress, may_stop
from lama_odds.games.dice.rules.position import counts_mask
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import KINDS, blown_kinds
from lama_odds.games.dice.solvers.last_player import (
    AloneSolution,
    AloneSpace,
    Averaged,
    Tokens,
    averaged_payoff,
    end_ranks,
    margin_payoff,
    solve_alone,
    win_payoff,
)
from lama_odds.games.dice.solvers.two_players import (
    Counts,
    PairSolution,
    State,
    pair_situations,
    pair_space,
    pair_states,
    solve_pair,
)
from lama_odds.games.interface.match_equity import MatchEquity

MOST_ALONE = 4  # solutions of players alone that are kept, the latest


@dataclass(frozen=True)
class Stakes:
    """The scores of both at the start of a solution, and the table that values later ones.

    averaged: if the scores are not known, what the end of the round is worth on average.
    """

    scores: tuple[int, int]
    table: MatchEquity
    averaged: Averaged | None = None


class _Last(NamedTuple):
    """The last solution and its rule set.

    stakes: what the scores are worth, if it is solved for the win; None for the margin.
    """

    rules: DiceRules
    solution: PairSolution
    stakes: Stakes | None


@dataclass
class _Kept:
    """The last solution, and solutions of players alone in its situations."""

    last: _Last | None = None
    alone: dict[tuple[DiceRules, bytes], AloneSolution] = field(default_factory=dict)


_KEPT = _Kept()
_LOCK = threading.RLock()  # of what is kept
PATIENCE = 0.05  # seconds between looks whether somebody who waits wants to stop


@contextmanager
def _in_turn() -> Iterator[_Kept]:
    """Hold what is kept; waiting for it can be stopped."""
    while not _LOCK.acquire(timeout=PATIENCE):
        may_stop()
    try:
        yield _KEPT
    finally:
        _LOCK.release()


@dataclass(frozen=True)
class Found:
    """A position and what it leads to, where they are in a solution.

    kept: the solution. swapped: whether its players are the other way round. gone: tokens that you
    and the other have returned since its first position.
    """

    rules: DiceRules
    mine: Counts
    other: Counts
    row: int
    tokens: tuple[Tokens, Tokens]
    kept: PairSolution
    swapped: bool = False
    gone: tuple[int, int] = (0, 0)

    @property
    def passed(self) -> np.ndarray:
        """Values after your turn, float64[places, layers]; see `PairSolution.passed`."""
        values: np.ndarray = self.kept.passed[0 if self.swapped else 1]
        return values

    @property
    def size(self) -> int:
        """The number of situations and layers that the position leads to."""
        layers = len(self.tokens[0].values) * len(self.tokens[1].values)
        return pair_situations(self.mine, self.other, self.row) * layers

    @property
    def layer(self) -> int:
        """The layer of the position."""
        return self._layer(self.gone)

    @property
    def after_llamas(self) -> float:
        """What your three llamas leave: the value after your turn, with the token returned."""
        me = int(self.swapped)
        last = len(self.kept.tokens[me].values) - 1
        layer = self._layer((min(self.gone[0] + 1, last), self.gone[1]))
        root = self.place(self.mine, self.row)
        return float(self.passed[root, layer] - self.kept.payoff.returned[me][self.gone[0]])

    def _layer(self, levels: tuple[int, int]) -> int:
        first, second = levels[::-1] if self.swapped else levels
        return first * len(self.kept.tokens[1].values) + second

    def blown(self) -> float:
        """Return what it is worth if you blow it now."""
        ranks = end_ranks(self.rules)
        mine = ranks[blown_kinds(counts_mask(self.mine), self.row)]
        other = ranks[counts_mask(self.other)]
        if self.swapped:
            return float(self.kept.payoff.ends[1, other, mine, self.layer])
        return float(self.kept.payoff.ends[0, mine, other, self.layer])

    def quitting(self) -> float:
        """Return what it is worth if you quit now, and the other continues alone."""
        me, payoff = int(self.swapped), self.kept.payoff
        rank = end_ranks(self.rules)[counts_mask(self.mine)]
        alone = self.kept.alone[1 - me]
        place = alone.space.place(self.other, self.row)
        column = payoff.columns[me, rank, self.layer]
        return float(payoff.quits[me, rank] - alone.worth[place, column])

    def place(self, mine: Counts, row: int) -> int:
        """Return the place of a situation with these cards and this row."""
        if self.swapped:
            return self.kept.place(self.other, mine, row)
        return self.kept.place(mine, self.other, row)

    @property
    def parts(self) -> np.ndarray:
        """The parts of places, see `one_roll.add_rolls`."""
        tables = self.kept.against[self.swapped]
        return np.array([of_kind[cards] for of_kind, cards in zip(tables, self.other, strict=True)])

    def solution(self) -> PairSolution:
        """Return the result of `solve_pair` for the position."""
        states = pair_states(self.mine, self.other, self.row)
        if states == self.kept.states and all(map(_same, self.tokens, self.kept.tokens)):
            return self.kept
        passed = looked_up(self.kept, states, self.tokens)
        assert passed is not None
        space, alone = pair_space(self.rules, states, self.row)
        solved = [
            _alone(self.rules, of_one, tokens)
            for of_one, tokens in zip(alone, self.tokens, strict=True)
        ]
        return PairSolution(
            space,
            states,
            (solved[0], solved[1]),
            self.tokens,
            passed,
            margin_payoff(self.rules, self.tokens),
        )


def find(
    rules: DiceRules,
    mine: Counts,
    other: Counts,
    row: int,
    tokens: tuple[Tokens, Tokens],
    threads: int,
    progress: Progress | None = None,
) -> Found:
    """Return a position in the last solution, or else in its own, which is kept then."""
    locate = partial(Found, rules, mine, other, row, tokens)
    with _in_turn() as held:
        last = held.last
        if last is not None and last.rules == rules and last.stakes is None:
            for swapped in (False, True):
                gone = _gone_by(last.solution, tokens, swapped)
                if gone is not None and _has(last.solution, mine, other, row, swapped):
                    return locate(last.solution, swapped, gone)
        last = None  # or two solutions would be held at once
        forget()
        solution = solve_pair(rules, mine, other, row, tokens, threads, progress)
        held.last = _Last(rules, solution, None)
    return locate(solution)


def find_win(
    rules: DiceRules, mine: Counts, other: Counts, row: int, stakes: Stakes
) -> Found | None:
    """Return a position in the last solution, if that is for the win and contains it."""
    with _in_turn() as held:
        last = held.last
    if last is None or last.stakes is None or last.rules != rules:
        return None
    kept, start = last.solution, last.stakes
    if not np.array_equal(start.table.values, stakes.table.values):
        return None
    if (start.averaged is None) != (stakes.averaged is None):
        return None
    if start.averaged is not None and stakes.averaged is not None:
        if not np.array_equal(start.averaged.chances, stakes.averaged.chances):
            return None
        known = _has(kept, mine, other, row, False)
        return Found(rules, mine, other, row, kept.tokens, kept) if known else None
    for swapped in (False, True):
        both = list(zip(start.scores, kept.tokens, strict=True))
        levels = [
            _level(*of_one, score)
            for of_one, score in zip(both[::-1] if swapped else both, stakes.scores, strict=True)
        ]
        if levels[0] is None or levels[1] is None or not _has(kept, mine, other, row, swapped):
            continue
        owned = kept.tokens[::-1] if swapped else kept.tokens
        left = [Tokens(of.values[gone:], 0) for of, gone in zip(owned, levels, strict=True)]
        gone = levels[0], levels[1]
        return Found(rules, mine, other, row, (left[0], left[1]), kept, swapped, gone)
    return None


def solve_win(
    rules: DiceRules,
    mine: Counts,
    other: Counts,
    row: int,
    stakes: Stakes,
    tokens: tuple[Tokens, Tokens],
    repeated: tuple[float, float],
    threads: int,
    progress: Progress | None = None,
) -> Found:
    """Return a position in its own solution for the win, which is kept.

    tokens: those that are followed. repeated: see `win_payoff`.
    """
    with _in_turn() as held:
        forget()
        if stakes.averaged is None:
            payoff = win_payoff(rules, tokens, stakes.scores, stakes.table, repeated)
        else:
            levels = len(tokens[0].values), len(tokens[1].values)
            payoff = averaged_payoff(stakes.averaged, levels, repeated)
        solution = solve_pair(rules, mine, other, row, tokens, threads, progress, payoff)
        held.last = _Last(rules, solution, stakes)
    return Found(rules, mine, other, row, tokens, solution)


def _level(start: int, tokens: Tokens, score: int) -> int | None:
    """Return how many tokens lead from a score to another; None if that cannot be."""
    scores = start - np.append(0, np.cumsum(tokens.values[:-1]))
    at = np.flatnonzero(scores == score)
    return int(at[0]) if at.size else None


def _has(kept: PairSolution, mine: Counts, other: Counts, row: int, swapped: bool) -> bool:
    """Return whether a solution has a position, and so all that it leads to."""
    first, second = (other, mine) if swapped else (mine, other)
    return all(
        (first[kind], second[kind], row >> kind & 1) in kept.numbered[kind] for kind in range(KINDS)
    )


def _gone_by(
    kept: PairSolution, tokens: tuple[Tokens, Tokens], swapped: bool
) -> tuple[int, int] | None:
    """Return how many tokens both have returned since a solution's position; None if impossible."""
    held = kept.tokens[::-1] if swapped else kept.tokens
    mine, others = (
        _gone(all_.values, left.values) for all_, left in zip(held, tokens, strict=True)
    )
    return None if mine is None or others is None else (mine, others)


def forget() -> None:
    """Drop the kept solution, and those of players alone."""
    with _in_turn() as held:
        held.last = None
        held.alone.clear()


def _same(one: Tokens, other: Tokens) -> bool:
    return np.array_equal(one.values, other.values)


def _alone(rules: DiceRules, space: AloneSpace, tokens: Tokens) -> AloneSolution:
    """Return a player alone, solved once for the hands and rows of a space."""
    parts = b"/".join(part.tobytes() for part in (space.held, space.sizes, tokens.values))
    key = rules, parts
    with _in_turn() as held:
        solved = held.alone.pop(key, None) or solve_alone(rules, space, tokens)
        held.alone[key] = solved
        if len(held.alone) > MOST_ALONE:
            del held.alone[next(iter(held.alone))]
    return solved


def looked_up(
    kept: PairSolution, states: list[list[State]], tokens: tuple[Tokens, Tokens]
) -> np.ndarray | None:
    """Return values of a position's situations, float64[2, places, layers], or None.

    A solution contains them, possibly with the players swapped, if it has every state of each kind.
    Also the tokens must be those that are left there after some returns.
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
        if swapped:  # the player to decide, and the owner of the tokens
            passed = np.swapaxes(passed[::-1], -1, -2)
        wanted = [range(2), *digits[::-1]]
        wanted += [range(int(g or 0), len(of.values)) for g, of in zip(gone, held, strict=True)]
        values = passed[np.ix_(*wanted)]
        layers = len(tokens[0].values) * len(tokens[1].values)
        return np.ascontiguousarray(values).reshape(2, -1, layers)
    return None


def _gone(held: np.ndarray, left: np.ndarray) -> int | None:
    """Return how many tokens were returned if these are left; None if that cannot be."""
    if held is left:
        return 0
    gone = len(held) - len(left)
    return gone if gone >= 0 and np.array_equal(held[gone:], left) else None


def _digits(kept: list[State], wanted: list[State], swapped: bool) -> list[int] | None:
    """Return where the states of a kind are in a solution; None if one is missing."""
    places = {
        ((other, mine) if swapped else (mine, other)) + (row,): digit
        for digit, (mine, other, row) in enumerate(kept)
    }
    if any(state not in places for state in wanted):
        return None
    return [places[state] for state in wanted]
