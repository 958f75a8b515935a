"""Positions that are solved without sampling, as values of every legal action.

- The last player (all others have quit): the own points, and so the margin.
- Two players in a two-player round: the equilibrium of the margin.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.dice import turn
from lama_odds.games.dice.exact_alone import alone_space, penalty_ranks, solve_alone
from lama_odds.games.dice.exact_flow import Outcome, flow, new_mass
from lama_odds.games.dice.exact_pair import PairSolution, pair_states
from lama_odds.games.dice.odds import discards, next_roll, takes
from lama_odds.games.dice.pair_kept import solve_or_look_up
from lama_odds.games.dice.position import Counts, Position, card_text, counts_mask, roll_case
from lama_odds.games.dice.ruleset import NAMES, DiceRules
from lama_odds.games.dice.tokens import Tokens, token_bound, tokens_of
from lama_odds.games.protocol import Solution, Valued

Progress = Callable[[int, int], None]
Vector = np.ndarray

# Chances of the next roll beside the action: `out` and `blown` alone are those of the round.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}
# Most situations times token layers: under 10 s on two cores, and under 600 MB.
MOST_STATES = 24_000_000
# Most of them for which the chances to the end of the round are worked out too.
MOST_FLOWING = 2_500_000


def solve(
    rules: DiceRules,
    position: Position,
    objective: str,
    threads: int,
    progress: Progress | None = None,
) -> Solution | None:
    """Exact values of all legal actions, or None where only sampling answers."""
    if position.others_in == 0 and objective in ("points", "margin"):
        return _solve_last(rules, position)
    if position.players == 2 and objective == "margin":
        return _solve_two(rules, position, threads, progress)
    return None


def penalty_of(rules: DiceRules, cards: Counts) -> int:
    """Penalty of a hand: each kind once."""
    return int(rules.penalties[counts_mask(cards)])


def next_chances(rules: DiceRules, position: Position) -> dict[str, Estimate]:
    """Chances of my next roll, as they stand beside the action ``roll``."""
    chances = next_roll(rules, position)
    return {shown: exact(float(chances[name])) for name, shown in NEXT.items()}


def _less(hand: Counts, gone: Counts) -> Counts:
    return tuple(held - less for held, less in zip(hand, gone, strict=True))


def _more(hand: Counts, kind: int) -> Counts:
    return tuple(held + (k == kind) for k, held in enumerate(hand))


def _results(distinct: np.ndarray, chances: Vector) -> dict[str, Estimate]:
    """Chances of each penalty of mine that can come out."""
    pairs = zip(distinct.tolist(), chances.tolist(), strict=True)
    return {f"penalty {penalty}": exact(chance) for penalty, chance in pairs if chance > 0}


def roll_once(
    rules: DiceRules,
    position: Position,
    after: Callable[[Counts, int], Vector],
    llamas: Vector,
    blown: Vector,
) -> Vector:
    """Mean over all rolls of what follows, each with its best discard or take.

    after: (my cards, row) once the turn has passed on -> vector, of which the
    first entry is made as low as can be. llamas, blown: the same after those.
    """
    total = np.zeros_like(blown)
    for rolled, ways in rules.sorted_rolls.items():
        case = roll_case(rules, position, rolled)
        if case == turn.LLAMAS:
            total += ways * llamas
        elif case == turn.BLOWN:
            total += ways * blown
        else:
            options = (after(*left) for _, left in moves(rules, position, rolled))
            total += ways * min(options, key=lambda vector: vector[0])
    return total / len(rules.rolls)


def moves(
    rules: DiceRules, position: Position, rolled: tuple[int, ...]
) -> list[tuple[str, tuple[Counts, int]]]:
    """Legal discards or takes of a roll, with the hand and the row they leave."""
    if roll_case(rules, position, rolled) == turn.MATCH:
        return [
            (f"discard {card_text(cards)}", (_less(position.hand, cards), position.row))
            for cards in discards(rules, position.hand, rolled)
        ]
    return [
        (f"take {NAMES[kind]}", (_more(position.hand, kind), position.row & ~(1 << kind)))
        for kind in takes(position, rolled)
    ]


def _solve_last(rules: DiceRules, position: Position) -> Solution:
    """The last player: quit or roll, or what to discard."""
    tokens = tokens_of(rules, position.scores[0] if position.scores else None)
    solution = solve_alone(rules, alone_space(position.hand, position.row), tokens)
    distinct, ranks = penalty_ranks(rules)
    others = [
        penalty_of(rules, o.cards) if o.cards is not None else int(o.penalty or 0)
        for o in position.opponents
    ]

    def after(hand: Counts, row: int, level: int = 0) -> Vector:
        place = solution.space.place(hand, row)
        return np.append(solution.worth[place, level], solution.ends[place, level])

    def valued(action: str, vector: Vector) -> Valued:
        points, chances, out, blown = vector[0], vector[1:-2], vector[-2], vector[-1]
        values = {
            "points": exact(points),
            "margin": exact(points - sum(others) / len(others)),
        }
        last = float(chances[distinct >= max(others)].sum())
        ways = {"out": exact(out), "blown": exact(blown), "last": exact(last)}
        first = next_chances(rules, position) if action == "roll" else {}
        return Valued(action, values, first | ways | _results(distinct, chances))

    found = []
    if position.rolled is not None:
        found = [
            valued(name, after(*left)) for name, left in moves(rules, position, position.rolled)
        ]
    else:
        kinds = counts_mask(position.hand)
        llamas = after(position.hand, position.row, min(1, len(tokens.values) - 1))
        llamas[0] -= tokens.values[0]
        blown = _sure(rules, kinds | position.row, ranks, len(distinct))
        blown[-1] = 1.0
        found = [
            valued("quit", _sure(rules, kinds, ranks, len(distinct))),
            valued("roll", roll_once(rules, position, after, llamas, blown)),
        ]
    return Solution(
        tuple(found), ("all others have quit; I play on as well as possible for my points",)
    )


def _sure(rules: DiceRules, kinds: int, ranks: np.ndarray, results: int) -> Vector:
    """The vector of a round that ends with these kinds (neither out nor blown)."""
    vector = np.zeros(results + 3)
    vector[0] = rules.penalties[kinds]
    vector[1 + ranks[kinds]] = 1.0
    return vector


def _solve_two(
    rules: DiceRules, position: Position, threads: int, progress: Progress | None
) -> Solution | None:
    """Two players, both in: the equilibrium of the margin; None if that is too much work."""
    other = position.opponents[0].cards
    assert other is not None
    within = _tokens_within(rules, position, other)
    if within is None:
        return None
    tokens, bound = within
    solution = solve_or_look_up(
        rules, position.hand, other, position.row, tokens, threads, progress
    )
    assumptions = ["both play the round as well as possible for their margin, from here to its end"]
    if bound:
        assumptions.append(
            "the last kind of token is taken as not running out; "
            f"this moves no value by more than {bound:.2g}"
        )
    flowing = solution.passed[0].size <= MOST_FLOWING
    if not flowing:
        assumptions.append("too many situations to add the chances to the end of the round")

    def valued(action: str, margin: float, start: tuple[int, int] | None) -> Valued:
        values = {"margin": exact(margin, bound)}
        chances = next_chances(rules, position) if action == "roll" else {}
        if flowing and action != "quit":
            mass = new_mass(solution)
            if start is not None:
                mass[0, 1, start[0], start[1]] = 1.0
            outcome = flow(rules, solution, mass, roll_first=start is None)
            values["points"] = exact(outcome.points[0], bound)
            chances |= _ways(rules, outcome)
        return Valued(action, values, chances)

    def after(hand: Counts, row: int) -> Vector:
        return solution.passed[1, solution.place(hand, other, row), :1]

    if position.rolled is not None:
        found = []
        for name, left in moves(rules, position, position.rolled):
            place = solution.place(left[0], other, left[1])
            found.append(valued(name, float(solution.passed[1, place, 0]), (place, 0)))
        return Solution(tuple(found), tuple(assumptions))
    quit_ = _quit_two(rules, position, other)
    margin = _roll_margin(rules, position, other, solution, after)
    return Solution((quit_, valued("roll", margin, None)), tuple(assumptions))


def _quit_two(rules: DiceRules, position: Position, other: Counts) -> Valued:
    """Quitting: my penalty is fixed, the other goes on alone, with all tokens counted."""
    tokens = tokens_of(rules, position.scores[1] if position.scores else None)
    alone = solve_alone(rules, alone_space(other, position.row), tokens)
    place = alone.space.place(other, position.row)
    distinct, _ = penalty_ranks(rules)
    mine = penalty_of(rules, position.hand)
    ends = alone.ends[place, 0]
    chances = {
        "out": exact(0.0),
        "blown": exact(0.0),
        "last": exact(float(ends[:-2][distinct <= mine].sum())),
        "other out": exact(ends[-2]),
        "other blown": exact(ends[-1]),
        f"penalty {mine}": exact(1.0),
    }
    margin = exact(mine - alone.worth[place, 0])
    return Valued("quit", {"margin": margin, "points": exact(mine)}, chances)


def _roll_margin(
    rules: DiceRules,
    position: Position,
    other: Counts,
    solution: PairSolution,
    after: Callable[[Counts, int], Vector],
) -> float:
    """Margin of rolling once, then both playing as solved."""
    tokens = solution.tokens[0].values
    layer = len(solution.tokens[1].values) if len(tokens) > 1 else 0
    llamas = solution.passed[1, solution.root, layer] - tokens[0]
    blown = rules.penalties[counts_mask(position.hand) | position.row] - penalty_of(rules, other)
    return float(roll_once(rules, position, after, np.array([llamas]), np.array([float(blown)]))[0])


def _tokens_within(
    rules: DiceRules, position: Position, other: Counts
) -> tuple[tuple[Tokens, Tokens], float] | None:
    """Tokens of both, cut until the work fits, and a bound of what cutting moves.

    None if it does not fit without any tokens.
    """
    scores = position.scores or (None, None)
    places = 1
    for states in pair_states(position.hand, other, position.row):
        places *= len(states)
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


def _cuts(rules: DiceRules, score: int | None, rolls: int, most: int) -> list[tuple[Tokens, float]]:
    """The tokens of a score, whole and cut to fewer levels, each with its bound."""
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
    return ways | _results(distinct, outcome.results.sum(axis=1))
