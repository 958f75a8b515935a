"""Two players in a two-player round: every action's chance to win the game, solved.

The scores that the round can leave are valued by a match equity table. So the values are exact
except for two things, which their bounds contain: the error of the table, and tokens that are cut
(see `token_cuts`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.core.progress import Progress
from lama_odds.games.dice.engine.one_roll import roll_once
from lama_odds.games.dice.rules.next_roll import moves, next_chances, penalty_of
from lama_odds.games.dice.rules.position import Counts, Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.winning import EVEN, table_error, valued_by_table
from lama_odds.games.dice.solvers.last_player_solve import TIES_SHARED
from lama_odds.games.dice.solvers.pair_cache import Found, Stakes, find_win, solve_win
from lama_odds.games.dice.solvers.payoffs import scores_at_the_end
from lama_odds.games.dice.solvers.token_cuts import TOLERATED, cuts_of
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.interface.solution import Solution, Valued


def after_moves(
    rules: DiceRules, position: Position, found: Found
) -> list[tuple[str, float, tuple[Counts, int]]]:
    """Return discards or takes of a roll, what each is worth, and the hand and row it leaves."""
    assert position.rolled is not None
    passed, layer = found.passed, found.layer
    return [
        (name, float(passed[found.place(*left), layer]), left)
        for name, left in moves(rules, position, position.rolled)
    ]


def roll_value(rules: DiceRules, position: Position, found: Found) -> float:
    """Return what rolling once is worth, if both then play as solved."""
    ends = np.zeros((1, 1, 0))
    llamas, blown = np.array([found.after_llamas]), np.array([found.blown()])
    return float(
        roll_once(
            rules, position.hand, position.row, False, found.parts, found.passed, ends,
            llamas, blown, found.layer,
        )[0]
    )  # fmt: skip


def solve_two_wins(
    rules: DiceRules,
    position: Position,
    threads: int,
    progress: Progress | None,
    table: MatchEquity,
    most: int,
) -> Solution | None:
    """Return the chances to win of two players still in; None if it is too much work.

    most: situations times layers that are solved.
    """
    within = _solved(rules, position, threads, progress, table, most)
    if within is None:
        return None
    found, cut = within
    scores = position.scores or (0, 0)
    finals = [
        scores_at_the_end(rules, score, tokens)
        for score, tokens in zip(scores, cut.whole, strict=True)
    ]
    bound = cut.error + table_error(rules, table, finals[0], finals[1])

    def valued(action: str, worth: float, bound: float = bound) -> Valued:
        first = next_chances(rules, position) if action == "roll" else {}
        values = {"win": exact(EVEN - worth, bound)}
        if action == "quit":
            values["points"] = exact(penalty_of(rules, position.hand))
        return Valued(action, values, first)

    if position.rolled is not None:
        actions = [valued(name, worth) for name, worth, _ in after_moves(rules, position, found)]
    else:
        mine = np.array([scores[0] + penalty_of(rules, position.hand)])
        quits = cut.error + table_error(rules, table, mine, finals[1])
        actions = [
            valued("quit", found.quitting(), quits),
            valued("roll", roll_value(rules, position, found)),
        ]
    return Solution(tuple(actions), _assumptions(rules, table, bound, cut.error), complete=False)


@dataclass(frozen=True)
class _Cut:
    """How a solution cuts tokens: all tokens of both, and the bound."""

    whole: tuple[Tokens, Tokens]
    error: float


def _solved(
    rules: DiceRules,
    position: Position,
    threads: int,
    progress: Progress | None,
    table: MatchEquity,
    most: int,
) -> tuple[Found, _Cut] | None:
    """Return a position in a solution that cuts no more than is tolerated; None if none fits."""
    other = position.opponents[0].cards
    assert other is not None
    mine, row = position.hand, position.row
    first, second = position.scores or (0, 0)
    stakes = Stakes((first, second), table)
    cuts = cuts_of(rules, stakes.scores, table)
    found = find_win(rules, mine, other, row, stakes)
    if found is not None:
        error = cuts.error((mine, other), row, _levels(found.tokens))
        if error <= TOLERATED:
            return found, _Cut(cuts.tokens, error)
    found = None  # or two solutions would be held at once
    places = pair_situations(mine, other, row)
    fewest = cuts.fewest((mine, other), row, places, most, TOLERATED)
    if fewest is None:
        return None
    tokens, error = fewest
    repeated = cuts.repeated(_levels(tokens))
    found = solve_win(rules, mine, other, row, stakes, tokens, repeated, threads, progress)
    return found, _Cut(cuts.tokens, error)


def _levels(tokens: tuple[Tokens, Tokens]) -> tuple[int, int]:
    return len(tokens[0].values), len(tokens[1].values)


def _assumptions(rules: DiceRules, table: MatchEquity, bound: float, cut: float) -> tuple[str, ...]:
    """Return what the values rest on."""
    found = [
        "the chance to win is solved: both play the rest of the round perfectly for it; what else "
        "is shown is sampled",
        valued_by_table(rules, table, bound - cut),
        TIES_SHARED,
    ]
    if cut:
        found.append(
            "many tokens returned in this round are followed only roughly; this changes no value "
            f"by more than {100 * cut:.2g} percentage points"
        )
    return tuple(found)
