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
from lama_odds.games.dice.rules.position import Counts, Position, counts_mask
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.winning import ERRORS, EVEN, table_error, valued_by_table
from lama_odds.games.dice.solvers.last_player_solve import TIES_SHARED
from lama_odds.games.dice.solvers.pair_cache import Found, Stakes, find_win, solve_win
from lama_odds.games.dice.solvers.payoffs import (
    averaged_chances,
    end_ranks,
    scores_at_the_end,
)
from lama_odds.games.dice.solvers.token_cuts import TOLERATED, Cuts, averaged_cuts, cuts_of
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import MatchEquity, starting_scores
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
    found, cut, stakes = within
    ends, quitting = _table_errors(rules, position, stakes, cut.whole)
    bound = cut.error + ends

    def valued(action: str, worth: float, bound: float = bound) -> Valued:
        first = next_chances(rules, position) if action == "roll" else {}
        values = {"win": exact(EVEN - worth, bound)}
        if action == "quit":
            values["points"] = exact(penalty_of(rules, position.hand))
        return Valued(action, values, first)

    if position.rolled is not None:
        actions = [valued(name, worth) for name, worth, _ in after_moves(rules, position, found)]
    else:
        actions = [
            valued("quit", found.quitting(), cut.error + quitting),
            valued("roll", roll_value(rules, position, found)),
        ]
    return Solution(tuple(actions), _assumptions(rules, table, bound, cut.error), complete=False)


def _table_errors(
    rules: DiceRules, position: Position, stakes: Stakes, tokens: tuple[Tokens, Tokens]
) -> tuple[float, float]:
    """Return the most that the table's sampling error may do: to any value, and to quitting."""
    penalty = penalty_of(rules, position.hand)
    if stakes.averaged is not None:
        errors, rank = stakes.averaged.errors, int(end_ranks(rules)[counts_mask(position.hand)])
        return float(ERRORS * errors.max()), float(ERRORS * errors[:, 0, rank].max())
    finals = [
        scores_at_the_end(rules, score, held)
        for score, held in zip(stakes.scores, tokens, strict=True)
    ]
    mine = np.array([stakes.scores[0] + penalty])
    ends = table_error(rules, stakes.table, finals[0], finals[1])
    return ends, table_error(rules, stakes.table, mine, finals[1])


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
) -> tuple[Found, _Cut, Stakes] | None:
    """Return a position in a solution that cuts no more than is tolerated; None if none fits."""
    other = position.opponents[0].cards
    assert other is not None
    mine, row = position.hand, position.row
    stakes, cuts = _stakes(rules, position, table)
    found = find_win(rules, mine, other, row, stakes)
    if found is not None:
        error = cuts.error((mine, other), row, _levels(found.tokens))
        if error <= TOLERATED:
            return found, _Cut(cuts.tokens, error), stakes
    found = None  # or two solutions would be held at once
    places = pair_situations(mine, other, row)
    fewest = cuts.fewest((mine, other), row, places, most, TOLERATED)
    if fewest is None:
        return None
    tokens, error = fewest
    repeated = cuts.repeated(_levels(tokens))
    found = solve_win(rules, mine, other, row, stakes, tokens, repeated, threads, progress)
    return found, _Cut(cuts.tokens, error), stakes


def _stakes(rules: DiceRules, position: Position, table: MatchEquity) -> tuple[Stakes, Cuts]:
    """Return what the round is played for, and what is known of cutting its tokens."""
    if position.scores is not None:
        stakes = Stakes((position.scores[0], position.scores[1]), table)
        return stakes, cuts_of(rules, stakes.scores, table)
    starting = starting_scores(rules.id, position.players)
    if starting is None:
        return Stakes((0, 0), table), cuts_of(rules, (0, 0), table)
    averaged = averaged_chances(rules, table, starting)
    return Stakes((0, 0), table, averaged), averaged_cuts(rules, averaged)


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
