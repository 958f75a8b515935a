"""The last player of a round, all others having quit: every action solved.

What counts is the player's points, and so the margin, or the chance to win the game. That chance is
known in two cases: the game ends with this round whatever happens, or two players have a match
equity table. The last player also starts the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.dice.engine.one_roll import roll_once
from lama_odds.games.dice.rules.next_roll import (
    moves,
    next_chances,
    penalty_of,
    results_of,
)
from lama_odds.games.dice.rules.position import Counts, Position, counts_mask
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import blown_kinds
from lama_odds.games.dice.rules.winning import ERRORS, chance_to_win, table_error, valued_by_table
from lama_odds.games.dice.solvers.last_player import (
    BLOWN,
    OUT,
    POINTS,
    AlonePayoff,
    AloneSpace,
    alone_space,
    penalty_ranks,
    points_payoff,
    solve_alone,
)
from lama_odds.games.dice.solvers.payoffs import averaged_alone, scores_at_the_end
from lama_odds.games.dice.solvers.tokens import Tokens, tokens_of
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.match_equity import MatchEquity, StartingScores, starting_scores
from lama_odds.games.interface.solution import (
    Solution,
    Valued,
)

Vector = np.ndarray

PERFECTLY = "all others have quit; you play on perfectly for your"
TIES_SHARED = "players who are equally low at the end share the win"


def solve_last(
    rules: DiceRules, position: Position, objective: str, table: MatchEquity | None = None
) -> Solution | None:
    """Return quit or roll, or what to discard; None if the chance to win is not known.

    table: chances to win by the scores that a two-player round leaves.
    """
    if objective == "win" and position.scores is None:
        starting = starting_scores(rules.id, position.players)
        if starting is not None:
            return None if table is None else _averaged(rules, position, table, starting)
    tokens = tokens_of(rules, position.scores[0] if position.scores else None)
    payoff: AlonePayoff | None = points_payoff(rules, tokens)
    if objective == "win":
        payoff = winning_payoff(rules, position, tokens, table)
    if payoff is None:
        return None
    space = alone_space(position.hand, 0, position.row)
    solve = partial(_vectors, rules, position, space, tokens, payoff)

    @cache
    def whole() -> dict[str, Vector]:
        return solve(True)

    bound = partial(_bound, rules, position, tokens, table if objective == "win" else None)
    actions = tuple(
        _valued(rules, position, objective, action, float(vector[0]), whole, bound(action))
        for action, vector in solve(False).items()
    )
    return Solution(actions, _assumptions(rules, position, objective, table, bound("roll")))


def _bound(
    rules: DiceRules, position: Position, tokens: Tokens, table: MatchEquity | None, action: str
) -> float:
    """Return how far the sampling error of the table may move the value of an action."""
    others = others_at_the_end(rules, position)
    if table is None or max(others) >= rules.target:
        return 0.0
    score = position.scores[0] if position.scores else 0
    finals = scores_at_the_end(rules, score, tokens)
    if action == "quit":
        finals = np.array(score + penalty_of(rules, position.hand))
    return table_error(rules, table, finals, np.array(others))


def _averaged(
    rules: DiceRules, position: Position, table: MatchEquity, starting: StartingScores
) -> Solution:
    """Return the chances to win against one player, averaged over scores that are not known."""
    (penalty,) = _penalties(rules, position)
    wins, error = averaged_alone(rules, table, starting, penalty)
    tokens = Tokens(np.zeros(len(wins), dtype=np.int64), 0)
    payoff = AlonePayoff(-wins, np.zeros(len(wins)))
    space = alone_space(position.hand, 0, position.row)
    bound = float(ERRORS * error)
    first = next_chances(rules, position) if position.rolled is None else {}
    actions = tuple(
        Valued(
            action,
            {"win": exact(-float(vector[0]), bound)},
            first if action == "roll" else {},
        )
        for action, vector in _vectors(rules, position, space, tokens, payoff, False).items()
    )
    return Solution(
        actions,
        (
            f"{PERFECTLY} chance to win; what else is shown is sampled",
            valued_by_table(rules, table, bound),
        ),
        complete=False,
    )


def _vectors(
    rules: DiceRules,
    position: Position,
    space: AloneSpace,
    tokens: Tokens,
    payoff: AlonePayoff,
    with_ends: bool,
) -> dict[str, Vector]:
    """Return for every action what counts; with_ends: then the columns of `AloneSolution.ends`."""
    kinds = counts_mask(position.hand)
    solution = solve_alone(rules, space, tokens, with_ends, payoff)

    def after(hand: Counts, row: int, level: int = 0) -> Vector:
        place = solution.space.place(hand, row)
        return np.append(solution.worth[place, level], solution.ends[place, level])

    if position.rolled is not None:
        return {name: after(*left) for name, left in moves(rules, position, position.rolled)}
    llamas = after(position.hand, position.row, min(1, len(tokens.values) - 1))
    llamas[0] -= payoff.returned[0]
    blown = _sure(rules, payoff, blown_kinds(kinds, position.row))
    blown[BLOWN] = 1.0
    if with_ends:
        llamas[POINTS] -= tokens.values[0]
    rolling = roll_once(
        rules, position.hand, position.row, True, space.parts(), solution.worth,
        solution.ends, llamas, blown,
    )  # fmt: skip
    return {"quit": _sure(rules, payoff, kinds), "roll": rolling}


def winning_payoff(
    rules: DiceRules, position: Position, tokens: Tokens, table: MatchEquity | None
) -> AlonePayoff | None:
    """Return minus the chance to win, ties shared, of every way in which the round can end.

    It is None if that depends on later rounds and there is no table.
    """
    others = others_at_the_end(rules, position)
    if table is None and max(others) < rules.target:
        return None
    score = position.scores[0] if position.scores else 0
    finals = scores_at_the_end(rules, score, tokens)
    lowest = min(others)
    if len(others) == 1:
        wins = chance_to_win(rules, finals, np.array(lowest), table)
    else:
        share = 1 / (1 + others.count(lowest))
        wins = np.where(finals < lowest, 1.0, np.where(finals == lowest, share, 0.0))
    return AlonePayoff(-wins, np.zeros(len(tokens.values)))


def others_at_the_end(rules: DiceRules, position: Position) -> list[int]:
    """Return the score of each other player when the round is over; all have quit."""
    scores = position.scores or (0,) * position.players
    return [
        score + penalty
        for score, penalty in zip(scores[1:], _penalties(rules, position), strict=True)
    ]


def _penalties(rules: DiceRules, position: Position) -> list[int]:
    """Return the penalties of the others; all have quit."""
    return [
        penalty_of(rules, other.cards) if other.cards is not None else int(other.penalty or 0)
        for other in position.opponents
    ]


def _assumptions(
    rules: DiceRules, position: Position, objective: str, table: MatchEquity | None, bound: float
) -> tuple[str, ...]:
    """What the values rest on; bound: by how much the table may move them."""
    if objective != "win":
        return (f"{PERFECTLY} points",)
    if max(others_at_the_end(rules, position)) >= rules.target:
        return (f"{PERFECTLY} chance to win; the game ends with this round", TIES_SHARED)
    assert table is not None
    return (f"{PERFECTLY} chance to win", valued_by_table(rules, table, bound))


def _valued(
    rules: DiceRules,
    position: Position,
    objective: str,
    action: str,
    value: float,
    whole: Callable[[], dict[str, Vector]],
    bound: float,
) -> Valued:
    """Return an action; whole: of every action what counts, then `AloneSolution.ends`.

    bound: how far its chance to win may be off.
    """
    distinct, _ = penalty_ranks(rules)
    others = _penalties(rules, position)

    def in_points(points: float) -> dict[str, Estimate]:
        return {
            "points": exact(points),
            "margin": exact(points - sum(others) / len(others)),
        }

    values: Mapping[str, Estimate] = in_points(value)
    if objective == "win":
        values = Later(lambda: in_points(whole()[action][POINTS]), {"win": exact(-value, bound)})

    def chances() -> dict[str, Estimate]:
        vector = whole()[action]
        by_result = vector[1 : 1 + len(distinct)]
        last = float(by_result[distinct >= max(others)].sum())
        ways = {"out": exact(vector[OUT]), "blown": exact(vector[BLOWN]), "last": exact(last)}
        first = next_chances(rules, position) if action == "roll" else {}
        return first | ways | results_of(distinct, by_result)

    return Valued(action, values, Later(chances))


def _sure(rules: DiceRules, payoff: AlonePayoff, kinds: int) -> Vector:
    """Return the vector of a round that ends with these kinds (neither out nor blown)."""
    distinct, ranks = penalty_ranks(rules)
    vector = np.zeros(len(distinct) + 4)
    vector[0] = payoff.results[0, ranks[kinds]]
    vector[1 + ranks[kinds]] = 1.0
    vector[POINTS] = rules.penalties[kinds]
    return vector
