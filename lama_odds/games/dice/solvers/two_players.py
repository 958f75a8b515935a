"""Two players in a two-player round: the zero-sum equilibrium, exactly.

All cards are open and the players alternate, so each situation has a value, both playing as well as
possible. What counts at the end of the round is a table (see `payoffs`): the margin of player 0, or
the chance to win the game.
Situations are numbered by a mixed radix over the kinds, with the possible states of each kind: own
cards, the other's cards, in the row. Every discard and every take leads to a lower number, so one
upward pass solves all. Only three llamas stay in place and pass the turn: two unknowns, solved
together.

Threads share the work by blocks of the two slowest kinds. A block needs only blocks that are lower
in both, so each diagonal of blocks is solved at once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import prod
from typing import NamedTuple

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.games.dice.engine.roll_backup import add_matches, add_misses, count_up, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, blown_kinds, row_ends_round
from lama_odds.games.dice.solvers.last_player import (
    AloneSolution,
    AloneSpace,
    PairPayoff,
    Tokens,
    alone_space,
    end_ranks,
    margin_payoff,
    solve_alone,
)
from lama_odds.jit import compiled, inlined

Counts = tuple[int, ...]
State = tuple[int, int, int]


class PairSpace(NamedTuple):
    """The numbering of the situations that two hands and a row can lead to; player 0 decides.

    sizes, strides: int64[7].
    kinds: int64[7, digits], the masks of each digit: bit kind for the cards of player 0, << 7 for
    the other's cards, << 14 for the row.
    steps: int64[2, 7, digits, dice + 1], how far the number moves when a player discards this many
    (0: has fewer).
    takes: int64[2, 7, digits], how far it moves when a player takes the kind.
    alone: int64[2, 7, digits], part of the place in a player's own `AloneSpace`.
    """

    sizes: np.ndarray
    strides: np.ndarray
    kinds: np.ndarray
    steps: np.ndarray
    takes: np.ndarray
    alone: np.ndarray

    @property
    def places(self) -> int:
        """The number of situations."""
        return int(np.prod(self.sizes))


@lru_cache(maxsize=1_000)
def kind_states(state: State) -> list[State]:
    """Return the possible states of one kind, in an order in which every change goes down.

    The list is shared: nobody changes it.
    """
    states, waiting = set(), [state]
    while waiting:
        now = waiting.pop()
        if now in states:
            continue
        states.add(now)
        mine, other, row = now
        waiting += [(mine - 1, other, row)] * (mine > 0) + [(mine, other - 1, row)] * (other > 0)
        if row:
            waiting += [(1, other, 0)] * (mine == 0) + [(mine, 1, 0)] * (other == 0)
    return sorted(states, key=lambda s: (s[2], s[0] + s[1], s))


def pair_states(mine: Counts, other: Counts, row: int) -> list[list[State]]:
    """Return the states of each kind that a position leads to."""
    return [kind_states((mine[k], other[k], row >> k & 1)) for k in range(KINDS)]


def pair_situations(mine: Counts, other: Counts, row: int) -> int:
    """Return the number of situations that a position leads to, ignoring tokens."""
    return prod(len(states) for states in pair_states(mine, other, row))


def pair_space(
    rules: DiceRules, states: list[list[State]], row: int
) -> tuple[PairSpace, tuple[AloneSpace, AloneSpace]]:
    """Return the numbering of all situations; the given position has the highest number."""
    widest = max(map(len, states))
    sizes = np.array([len(s) for s in states], dtype=np.int64)
    strides = np.cumprod([1, *sizes[:-1]], dtype=np.int64)
    held = [tuple(max(s[player] for s in states[k]) for k in range(KINDS)) for player in (0, 1)]
    alone = (alone_space(held[0], row), alone_space(held[1], row))
    kinds = np.zeros((KINDS, widest), dtype=np.int64)
    steps = np.zeros((2, KINDS, widest, rules.dice + 1), dtype=np.int64)
    takes = np.zeros((2, KINDS, widest), dtype=np.int64)
    own = np.zeros((2, KINDS, widest), dtype=np.int64)
    for k in range(KINDS):
        digits = {state: digit for digit, state in enumerate(states[k])}
        for state, digit in digits.items():
            in_row = state[2]
            kinds[k, digit] = ((state[0] > 0) | (state[1] > 0) << 7 | in_row << 14) << k
            for player in (0, 1):
                cards = state[player]
                own[player, k, digit] = (
                    alone[player].part(k, cards, in_row) * alone[player].strides[k]
                )
                for gone in range(1, min(cards, rules.dice) + 1):
                    after = _changed(state, player, cards - gone, in_row)
                    steps[player, k, digit, gone] = (digits[after] - digit) * strides[k]
                if in_row and cards == 0:
                    after = _changed(state, player, 1, 0)
                    takes[player, k, digit] = (digits[after] - digit) * strides[k]
    return PairSpace(sizes, strides, kinds, steps, takes, own), alone


def _changed(state: State, player: int, cards: int, row: int) -> State:
    return (cards, state[1], row) if player == 0 else (state[0], cards, row)


@dataclass(frozen=True)
class PairSolution:
    """The equilibrium of all situations of a space.

    payoff: what counts. alone: what follows if a player is left alone, by its columns.
    passed: float64[2, places, layers]; passed[p] is the value to the *other* player when player p
    decides. So lower is better for the player who has just moved.

    A layer is (tokens returned by player 0, tokens returned by the other), the first one slow.
    """

    space: PairSpace
    states: list[list[State]]
    alone: tuple[AloneSolution, AloneSolution]
    tokens: tuple[Tokens, Tokens]
    passed: np.ndarray
    payoff: PairPayoff

    @property
    def root(self) -> int:
        """The number of the given position."""
        return self.space.places - 1

    @cached_property
    def numbered(self) -> list[dict[State, int]]:
        """Return for each kind the part of the number of a situation that each state gives."""
        return [
            {state: digit * int(stride) for digit, state in enumerate(states)}
            for states, stride in zip(self.states, self.space.strides, strict=True)
        ]

    @cached_property
    def against(self) -> tuple[list[dict[int, np.ndarray]], ...]:
        """Return parts for each player who decides, by kind and by cards of the other player.

        int64[2, cards + 2]: by whether one is in the row, and by cards held; 0 where there is none.
        """
        width = 2 + max(max(state[:2]) for of_kind in self.states for state in of_kind)
        parts: tuple[list[dict[int, np.ndarray]], ...] = ([], [])
        for numbers in self.numbered:
            for player, by_other in enumerate(parts):
                by_other.append({})
                for (mine, other, in_row), part in numbers.items():
                    held, against = (other, mine) if player else (mine, other)
                    table = by_other[-1].setdefault(against, np.zeros((2, width), dtype=np.int64))
                    table[in_row, held] = part
        return parts

    def place(self, mine: Counts, other: Counts, row: int) -> int:
        """Return the number of a situation."""
        return sum(
            self.numbered[kind][mine[kind], other[kind], row >> kind & 1] for kind in range(KINDS)
        )


def solve_pair(
    rules: DiceRules,
    mine: Counts,
    other: Counts,
    row: int,
    tokens: tuple[Tokens, Tokens],
    threads: int,
    progress: Progress | None = None,
    payoff: PairPayoff | None = None,
) -> PairSolution:
    """Solve the round from a position, for both players to decide.

    payoff: what counts (None: the margin).
    """
    with_ends = payoff is None
    counts = payoff or margin_payoff(rules, tokens)
    states = pair_states(mine, other, row)
    space, alone_spaces = pair_space(rules, states, row)
    solving = partial(solve_alone, rules, with_ends=with_ends)
    with ThreadPoolExecutor(threads) as pool:
        first, second = pool.map(
            lambda player: solving(
                alone_spaces[player], tokens[player], payoff=counts.alone[player]
            ),
            (0, 1),
        )
    alone = first, second
    passed = np.empty((2, space.places, counts.ends.shape[-1]))
    counted = Counted(
        end_ranks(rules),
        counts.ends,
        counts.returned,
        counts.quits,
        counts.columns,
        (alone[0].worth, alone[1].worth),
    )
    sweep = partial(_sweep, space, roll_tables(rules), rules.columns, counted, passed[0], passed[1])
    work = diagonals(space)
    with ThreadPoolExecutor(threads) as pool:
        for done, starts in enumerate(work):
            list(pool.map(lambda start: sweep(start, start + block_of(space)), starts))
            if progress:
                progress(done + 1, len(work))
    return PairSolution(space, states, alone, tokens, passed, counts)


class Counted(NamedTuple):
    """What counts, as the compiled functions read it; see `PairPayoff` and `AloneSolution.worth`.

    ranks: see `end_ranks`.
    """

    ranks: np.ndarray
    ends: np.ndarray
    returned: tuple[np.ndarray, np.ndarray]
    quits: np.ndarray
    columns: np.ndarray
    alone: tuple[np.ndarray, np.ndarray]


def block_of(space: PairSpace) -> int:
    """Return the places of a block: all that share the digits of the two slowest kinds."""
    return int(space.strides[KINDS - 2])


def diagonals(space: PairSpace) -> list[list[int]]:
    """Return first places of the blocks of each diagonal, the lowest diagonal first.

    A block leads only to blocks that are not higher in either of its two digits.
    """
    rows, columns = int(space.sizes[KINDS - 1]), int(space.sizes[KINDS - 2])
    return [
        [
            (row * columns + diagonal - row) * block_of(space)
            for row in range(max(0, diagonal - columns + 1), min(rows, diagonal + 1))
        ]
        for diagonal in range(rows + columns - 1)
    ]


@inlined
def read_digits(space, place, digits):
    """Split a place into its digits."""
    for kind in range(KINDS):
        digits[kind] = place // space.strides[kind] % space.sizes[kind]


@inlined
def masks_of(space, digits):
    """Return the masks of a place from its digits (see `PairSpace.kinds`)."""
    masks = 0
    for kind in range(KINDS):
        masks |= space.kinds[kind, digits[kind]]
    return masks


@inlined
def place_alone(space, player, digits):
    """Return a player's place in the own `AloneSpace`."""
    place = 0
    for kind in range(KINDS):
        place += space.alone[player, kind, digits[kind]]
    return place


@compiled
def _sweep(space, tables, columns, counted, passed_0, passed_1, lo, hi):
    """Solve the places lo to hi − 1; all lower ones that they lead to are solved."""
    layers = passed_0.shape[1]
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, layers), np.inf)
    order = np.zeros((2, KINDS))
    blown = np.zeros(layers)
    roll_0 = np.zeros(layers)
    roll_1 = np.zeros(layers)
    read_digits(space, lo, digits)
    for place in range(lo, hi):
        if place > lo:
            count_up(digits, space.sizes)
        masks = masks_of(space, digits)
        mine = masks & FULL_ROW
        other = masks >> 7 & FULL_ROW
        row = masks >> 14
        rank_0 = counted.ranks[mine]
        rank_1 = counted.ranks[other]
        if mine == 0 or other == 0 or row_ends_round(columns, row):
            for layer in range(layers):
                passed_1[place, layer] = counted.ends[0, rank_0, rank_1, layer]
                passed_0[place, layer] = counted.ends[1, rank_0, rank_1, layer]
            continue
        blown_rank = counted.ranks[blown_kinds(mine, row)]
        for layer in range(layers):
            blown[layer] = counted.ends[0, blown_rank, rank_1, layer]
            roll_0[layer] = 0.0
        add_matches(tables, passed_1, place, digits, space.steps[0], mine, reach, best, roll_0)
        add_misses(tables, passed_1, place, digits, space.takes[0], mine, row, blown, order, roll_0)
        blown_rank = counted.ranks[blown_kinds(other, row)]
        for layer in range(layers):
            blown[layer] = counted.ends[1, rank_0, blown_rank, layer]
            roll_1[layer] = 0.0
        add_matches(tables, passed_0, place, digits, space.steps[1], other, reach, best, roll_1)
        add_misses(
            tables, passed_0, place, digits, space.takes[1], other, row, blown, order, roll_1
        )
        alone = (place_alone(space, 0, digits), place_alone(space, 1, digits))
        _decide(tables, counted, rank_0, rank_1, alone, roll_0, roll_1, place, passed_0, passed_1)


@inlined
def _decide(tables, counted, rank_0, rank_1, alone, roll_0, roll_1, place, passed_0, passed_1):
    """Quit or roll for both players at a place; three llamas connect the two decisions."""
    outcomes = tables.outcomes[0]
    q = tables.llamas[0] / outcomes
    last_0 = counted.returned[0].size - 1
    last_1 = counted.returned[1].size - 1
    for a in range(last_0, -1, -1):
        for b in range(last_1, -1, -1):
            layer = a * (last_1 + 1) + b
            column_1 = counted.columns[0, rank_0, layer]
            column_0 = counted.columns[1, rank_1, layer]
            quit_0 = counted.quits[0, rank_0] - counted.alone[1][alone[1], column_1]
            quit_1 = counted.quits[1, rank_1] - counted.alone[0][alone[0], column_0]
            moved_0 = roll_0[layer] / outcomes - q * counted.returned[0][a]
            moved_1 = roll_1[layer] / outcomes - q * counted.returned[1][b]
            # If three llamas change the layer, the value that follows is known.
            tied_0 = q if a == last_0 else 0.0
            tied_1 = q if b == last_1 else 0.0
            if tied_0 == 0.0:
                moved_0 += q * passed_1[place, layer + last_1 + 1]
            if tied_1 == 0.0:
                moved_1 += q * passed_0[place, layer + 1]
            x = (moved_0 - tied_0 * moved_1) / (1.0 - tied_0 * tied_1)
            y = moved_1 - tied_1 * x
            if x > quit_0 or y > quit_1:
                # Not both roll. One of "player 0 quits" and "the other quits" is consistent.
                y = min(quit_1, moved_1 - tied_1 * quit_0)
                x = quit_0
                if moved_0 - tied_0 * y < quit_0:
                    y = quit_1
                    x = moved_0 - tied_0 * quit_1
            passed_0[place, layer] = -x
            passed_1[place, layer] = -y


# The value of a roll in every solved situation of two players.
#
# `two_players` keeps the better of quitting and rolling. Here rolling has its own value, so that
# the two can be compared when quitting is right.

CHUNKS = 8  # parts of the work, shared between threads


def roll_margins(rules: DiceRules, solution: PairSolution, threads: int) -> np.ndarray:
    """Return float64[places, layers]: the margin of rolling now, if both then play as solved.

    It is nan if the round is over. Margins are the player's points minus the other's: lower is
    better.
    """
    places = solution.space.places
    margins = np.full((places, solution.passed.shape[2]), np.nan)
    fill = partial(
        _fill,
        solution.space,
        roll_tables(rules),
        rules.columns,
        rules.penalties,
        solution.tokens[0].values,
        solution.tokens[1].values.size,
        solution.passed[1],
        margins,
    )
    ends = np.linspace(0, places, CHUNKS + 1, dtype=np.int64).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, ends[:-1], ends[1:]))
    return margins


@compiled
def _fill(space, tables, columns, penalties, tokens, other_levels, passed, margins, lo, hi):
    """Fill in rolls at the places lo to hi − 1."""
    layers = margins.shape[1]
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, layers), np.inf)
    order = np.zeros((2, KINDS))
    blown = np.zeros(layers)
    total = np.zeros(layers)
    outcomes = tables.outcomes[0]
    again = tables.llamas[0] / outcomes
    read_digits(space, lo, digits)
    for place in range(lo, hi):
        if place > lo:
            count_up(digits, space.sizes)
        masks = masks_of(space, digits)
        mine = masks & FULL_ROW
        other = masks >> 7 & FULL_ROW
        row = masks >> 14
        if mine == 0 or other == 0 or row_ends_round(columns, row):
            continue
        blown[:] = penalties[blown_kinds(mine, row)] - penalties[other]
        total[:] = 0.0
        add_matches(tables, passed, place, digits, space.steps[0], mine, reach, best, total)
        add_misses(tables, passed, place, digits, space.takes[0], mine, row, blown, order, total)
        for layer in range(layers):
            level = layer // other_levels
            after = layer + other_levels if level < tokens.size - 1 else layer
            moved = total[layer] / outcomes - again * tokens[level]
            margins[place, layer] = moved + again * passed[place, after]
