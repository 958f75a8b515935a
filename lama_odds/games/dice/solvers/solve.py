"""Positions that are solved without sampling, as values of every legal action.

- The last player (all others have quit): see `last_player_solve`.
- Two players in a two-player round: the equilibrium of the margin, or of the chance to win (see
  `pair_wins`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import Progress
from lama_odds.games.dice.rules.next_roll import (
    next_chances,
    penalty_of,
    results_of,
)
from lama_odds.games.dice.rules.position import Counts, Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers.last_player import (
    BLOWN,
    OUT,
    alone_space,
    penalty_ranks,
    solve_alone,
)
from lama_odds.games.dice.solvers.last_player_solve import solve_last
from lama_odds.games.dice.solvers.outcome_flow import Outcome, flow, new_mass
from lama_odds.games.dice.solvers.pair_cache import Found, find
from lama_odds.games.dice.solvers.pair_wins import after_moves, roll_value, solve_two_wins
from lama_odds.games.dice.solvers.tokens import Tokens, token_bound, tokens_of
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.interface.solution import (
    Solution,
    Valued,
)

Vector = np.ndarray

# The largest product of situations and token layers: under 10 s on two cores, and under 600 MB.
MOST_STATES = 24_000_000
# The same where the chance to win is solved: under 10 s on two cores, and 1 GiB.
MOST_WON = 46_000_000
# The largest product for which the chances to the end of the round are computed too.
MOST_FLOWING = 2_500_000


def solve(
    rules: DiceRules,
    position: Position,
    objective: str,
    threads: int,
    progress: Progress | None = None,
    table: MatchEquity | None = None,
) -> Solution | None:
    """Return exact values of all legal actions; None if only sampling can answer.

    table: chances to win by the scores that a two-player round leaves.
    """
    if position.others_in == 0:
        return solve_last(rules, position, objective, table)
    if position.players == 2 and objective == "margin":
        return _solve_two(rules, position, threads, progress)
    if position.players == 2 and objective == "win" and table is not None:
        return solve_two_wins(rules, position, threads, progress, table, MOST_WON)
    return None


def _solve_two(
    rules: DiceRules, position: Position, threads: int, progress: Progress | None
) -> Solution | None:
    """Return the equilibrium of the margin of two players still in; None if it is too much work."""
    other = position.opponents[0].cards
    assert other is not None
    within = _tokens_within(rules, position, other)
    if within is None:
        return None
    tokens, bound = within
    found = find(rules, position.hand, other, position.row, tokens, threads, progress)
    assumptions = ["both play the rest of the round perfectly for points vs. others"]
    if bound:
        assumptions.append(
            "the last kind of token is assumed not to run out; this changes no value by more than "
            f"{bound:.2g}"
        )
    flowing = found.size <= MOST_FLOWING
    if not flowing:
        assumptions.append("too many situations to compute the chances to the end of the round")

    def valued(action: str, margin: float, start: tuple[Counts, int] | None) -> Valued:
        values: Mapping[str, Estimate] = {"margin": exact(margin, bound)}

        @cache
        def outcome() -> Outcome:
            solution = found.solution()
            mass = new_mass(solution)
            if start is not None:
                hand, row = start
                mass[0, 1, solution.place(hand, other, row), 0] = 1.0
            return flow(rules, solution, mass, roll_first=start is None)

        def chances() -> dict[str, Estimate]:
            first = next_chances(rules, position) if action == "roll" else {}
            return first | _ways(rules, outcome()) if flowing else first

        if flowing:
            values = Later(lambda: {"points": exact(outcome().points[0], bound)}, values)
        return Valued(action, values, Later(chances))

    if position.rolled is not None:
        actions = [
            valued(name, margin, left) for name, margin, left in after_moves(rules, position, found)
        ]
        return Solution(tuple(actions), tuple(assumptions))
    quit_ = _quit_two(rules, position, found)
    margin = roll_value(rules, position, found)
    return Solution((quit_, valued("roll", margin, None)), tuple(assumptions))


def _quit_two(rules: DiceRules, position: Position, found: Found) -> Valued:
    """Return quitting: your penalty is fixed, and the other continues with all tokens."""
    mine = penalty_of(rules, position.hand)
    left = found.other, position.row, position.scores[1] if position.scores else None

    def chances() -> dict[str, Estimate]:
        distinct, _ = penalty_ranks(rules)
        _, ends = _left_alone(rules, *left, with_ends=True)
        return {
            "out": exact(0.0),
            "blown": exact(0.0),
            "last": exact(float(ends[: len(distinct)][distinct <= mine].sum())),
            "other out": exact(ends[OUT]),
            "other blown": exact(ends[BLOWN]),
            f"penalty {mine}": exact(1.0),
        }

    worth, _ = _left_alone(rules, *left)
    return Valued("quit", {"margin": exact(mine - worth), "points": exact(mine)}, Later(chances))


@lru_cache(maxsize=4_096)
def _left_alone(
    rules: DiceRules, hand: Counts, row: int, score: int | None, with_ends: bool = False
) -> tuple[float, np.ndarray]:
    """Return what a round costs a player left alone, with all tokens, and how it ends."""
    space = alone_space(hand, 0, row)
    solved = solve_alone(rules, space, tokens_of(rules, score), with_ends)
    place = space.place(hand, 0)
    return float(solved.worth[place, 0]), solved.ends[place, 0].copy()


def _tokens_within(
    rules: DiceRules, position: Position, other: Counts
) -> tuple[tuple[Tokens, Tokens], float] | None:
    """Return tokens of both, cut until the work fits, and a bound on the error of cutting.

    It is None if the work does not fit even without tokens.
    """
    scores = position.scores or (None, None)
    places = pair_situations(position.hand, other, position.row)
    rolls = sum(position.hand) + sum(other) + 2 * bin(position.row).count("1")
    mine, others = (_cuts(rules, score, rolls, MOST_STATES // places) for score in scores)
    fitting = [
        (first[1] + second[1], len(first[0].values) * len(second[0].values), first[0], second[0])
        for first in mine
        for second in others
        if places * len(first[0].values) * len(second[0].values) <= MOST_STATES
    ]
    if not fitting:
        return None
    bound, _, tokens, their_tokens = min(fitting, key=lambda cut: cut[:2])
    return (tokens, their_tokens), bound


@lru_cache(maxsize=1_024)
def _cuts(rules: DiceRules, score: int | None, rolls: int, most: int) -> list[tuple[Tokens, float]]:
    """Return the tokens of a score, whole and cut to fewer levels, each with its bound."""
    levels = min(most, len(tokens_of(rules, score).values))
    cuts = [tokens_of(rules, score, kept) for kept in range(levels, 0, -1)]
    return [(tokens, token_bound(rules, tokens, rolls)) for tokens in cuts]


def _ways(rules: DiceRules, outcome: Outcome) -> dict[str, Estimate]:
    distinct, _ = penalty_ranks(rules)
    ways = {
        "out": exact(outcome.ends[0, 0]),
        "blown": exact(outcome.ends[0, 1]),
        "last": exact(outcome.last),
        "other out": exact(outcome.ends[1, 0]),
        "other blown": exact(outcome.ends[1, 1]),
    }
    return ways | results_of(distinct, outcome.results.sum(axis=1))
