"""Positions that are solved without sampling, as values of every legal action.

- The last player (all others have quit): see `last_player_solve`.
- Two players in a two-player round: the equilibrium of the margin, or of the chance to win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import say
from lama_odds.core.progress import Progress
from lama_odds.core.wording import significant
from lama_odds.games.dice.engine.roll_backup import roll_once
from lama_odds.games.dice.rules.odds import (
    moves,
    next_chances,
    penalty_of,
    results_of,
)
from lama_odds.games.dice.rules.position import Counts, Position, counts_mask
from lama_odds.games.dice.rules.ruleset import ERRORS, EVEN, DiceRules, table_error, valued_by_table
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.solvers.last_player import (
    BLOWN,
    OUT,
    Tokens,
    alone_space,
    averaged_chances,
    end_ranks,
    penalty_ranks,
    scores_at_the_end,
    solve_alone,
    token_bound,
    tokens_of,
)
from lama_odds.games.dice.solvers.last_player_solve import (
    TIES_SHARED,
    TOLERATED,
    Cuts,
    averaged_cuts,
    cuts_of,
    solve_last,
)
from lama_odds.games.dice.solvers.outcome_flow import Outcome, flow, new_mass
from lama_odds.games.dice.solvers.pair_cache import Found, Stakes, find, find_win, solve_win
from lama_odds.games.dice.solvers.two_players import (
    PairSolution,
    pair_situations,
    roll_margins,
    solve_pair,
)
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.match_equity import MatchEquity, starting_scores
from lama_odds.games.interface.objectives import Solution, Valued

# Two players with at most one card of each kind: all situations of the round, solved at once.
#
# One solution contains them all, for any llama row and any hands. Only the kinds count for the
# penalty, so these situations show the decision without side effects.

SETS = FULL_ROW + 1
EACH = 3  # cards of a kind: one in either hand, one in the row


@dataclass(frozen=True)
class OneEach:
    """All situations, float64[llama row, other's cards, own cards], the sets of kinds as masks.

    gain: what quitting saves compared to rolling, in points of margin (below 0: roll), if both then
    play as well as possible; nan if the round is over.
    moved: the margin of a player who has just moved (lower is better). Nobody holds tokens.
    """

    gain: np.ndarray
    moved: np.ndarray


def holds_one_each(rules: DiceRules) -> bool:
    """Return whether there are enough cards for all these situations."""
    return min(rules.in_play) >= EACH


@lru_cache(maxsize=1)
def solve_one_each(rules: DiceRules, threads: int) -> OneEach:
    """Solve all situations (some two million; a few seconds)."""
    tokens = tokens_of(rules, None)
    one = (1,) * KINDS
    solution = solve_pair(rules, one, one, FULL_ROW, (tokens, tokens), threads)
    masks, alone = _masks_of_places(solution)
    mine = rules.penalties[masks & FULL_ROW]
    quits = mine - solution.alone[1].worth[alone, 0]
    rolls = roll_margins(rules, solution, threads)[:, 0]
    return OneEach(_by_masks(masks, rolls - quits), _by_masks(masks, solution.passed[1, :, 0]))


def _masks_of_places(solution: PairSolution) -> tuple[np.ndarray, np.ndarray]:
    """Return the masks of every place (see `PairSpace.kinds`), and the other's place alone."""
    space = solution.space
    places = np.arange(space.places)
    masks = np.zeros_like(places)
    alone = np.zeros_like(places)
    for kind in range(KINDS):
        digits = places // space.strides[kind] % space.sizes[kind]
        masks |= space.kinds[kind][digits]
        alone += space.alone[1, kind][digits]
    return masks, alone


def _by_masks(masks: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return values of places in the order of their masks."""
    ordered = np.empty_like(values)
    ordered[masks] = values
    return ordered.reshape(SETS, SETS, SETS)


# Two players in a two-player round: every action's chance to win the game, solved.
#
# The scores that the round can leave are valued by a match equity table. So the values are exact
# except for two things, which their bounds contain: the error of the table, and tokens that are cut
# (see `last_player_solve`).


def after_moves(
    rules: DiceRules, position: Position, solved: Found
) -> list[tuple[str, float, tuple[Counts, int]]]:
    """Return discards or takes of a roll, what each is worth, and the hand and row it leaves."""
    assert position.rolled is not None
    passed, layer = solved.passed, solved.layer
    return [
        (name, float(passed[solved.place(*left), layer]), left)
        for name, left in moves(rules, position, position.rolled)
    ]


def roll_value(rules: DiceRules, position: Position, solved: Found) -> float:
    """Return what rolling once is worth, if both then play as solved."""
    ends = np.zeros((1, 1, 0))
    llamas, blown = (
        np.array([value], dtype=np.float64) for value in (solved.after_llamas, solved.blown())
    )
    return float(
        roll_once(
            rules, position.hand, position.row, False, solved.parts, solved.passed, ends,
            llamas, blown, solved.layer,
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
    solved, cut, stakes = within
    ends, quitting = _table_errors(rules, position, stakes, cut.whole)
    bound = cut.error + ends

    def valued(action: str, worth: float, bound: float = bound) -> Valued:
        first = next_chances(rules, position) if action == "roll" else {}
        values = {"win": exact(EVEN - worth, bound)}
        if action == "quit":
            values["points"] = exact(penalty_of(rules, position.hand))
        return Valued(action, values, first)

    if position.rolled is not None:
        actions = [valued(name, worth) for name, worth, _ in after_moves(rules, position, solved)]
    else:
        actions = [
            valued("quit", solved.quitting(), cut.error + quitting),
            valued("roll", roll_value(rules, position, solved)),
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
    solved = find_win(rules, mine, other, row, stakes)
    if solved is not None:
        error = cuts.error((mine, other), row, _levels(solved.tokens))
        if error <= TOLERATED:
            return solved, _Cut(cuts.tokens, error), stakes
    solved = None  # or two solutions would be held at once
    places = pair_situations(mine, other, row)
    fewest = cuts.fewest((mine, other), row, places, most, TOLERATED)
    if fewest is None:
        return None
    tokens, error = fewest
    repeated = cuts.repeated(_levels(tokens))
    solved = solve_win(rules, mine, other, row, stakes, tokens, repeated, threads, progress)
    return solved, _Cut(cuts.tokens, error), stakes


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
    assumptions = [
        say(
            "the chance to win is solved: both play the rest of the round perfectly for it; what "
            "else is shown is sampled"
        ),
        valued_by_table(rules, table, bound - cut),
        say(TIES_SHARED),
    ]
    if cut:
        assumptions.append(
            say(
                "many tokens returned in this round are followed only roughly; this changes no "
                "value by more than {bound} percentage points",
                bound=significant(100 * cut),
            )
        )
    return tuple(assumptions)


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
    solved = find(rules, position.hand, other, position.row, tokens, threads, progress)
    assumptions = [say("both play the rest of the round perfectly for points vs. others")]
    if bound:
        assumptions.append(
            say(
                "the last kind of token is assumed not to run out; this changes no value by more "
                "than {bound}",
                bound=significant(bound),
            )
        )
    flowing = solved.size <= MOST_FLOWING
    if not flowing:
        assumptions.append(
            say("too many situations to compute the chances to the end of the round")
        )

    def valued(action: str, margin: float, start: tuple[Counts, int] | None) -> Valued:
        values: Mapping[str, Estimate] = {"margin": exact(margin, bound)}

        @cache
        def outcome() -> Outcome:
            solution = solved.solution()
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
            valued(name, margin, left)
            for name, margin, left in after_moves(rules, position, solved)
        ]
        return Solution(tuple(actions), tuple(assumptions))
    quit_ = _quit_two(rules, position, solved)
    margin = roll_value(rules, position, solved)
    return Solution((quit_, valued("roll", margin, None)), tuple(assumptions))


def _quit_two(rules: DiceRules, position: Position, solved: Found) -> Valued:
    """Return quitting: your penalty is fixed, and the other continues with all tokens."""
    mine = penalty_of(rules, position.hand)
    left = solved.other, position.row, position.scores[1] if position.scores else None

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
