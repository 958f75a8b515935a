"""The last player alone: optimal play solved exactly, for tokens and any payoffs.

All others have quit, so the row never changes, nothing is taken, and every roll that does not match
is blown. Three llamas repeat the decision (with the token they return). Situations are numbered by
a mixed radix: for each kind, the cards held and whether it is in the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.games.dice.engine.roll_backup import EQUAL, add_matches, count_up, roll_tables
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.ruleset import EVEN, DiceRules, chance_to_win
from lama_odds.games.dice.rules.transition import KINDS, blown_kinds, last_llamas_blown
from lama_odds.games.interface.match_equity import MatchEquity, StartingScores
from lama_odds.jit import compiled, for_all
from lama_odds.jit.store import kept

# Tokens for solvers: what three llamas or going out returns, time after time.


@dataclass(frozen=True)
class Tokens:
    """The tokens of one player, most valuable first.

    values: int64[levels]; entry l is what is returned after l tokens were returned; at the last
    level it repeats.
    spare: how often the last level can really be repeated (0 or more) before its value would
    change.
    """

    values: np.ndarray
    spare: int

    @property
    def exact(self) -> bool:
        """Whether nothing is cut: the last level returns nothing."""
        return bool(self.values[-1] == 0)


@lru_cache(maxsize=1_024)
def tokens_of(rules: DiceRules, score: int | None, most_levels: int = 1_000) -> Tokens:
    """Return the tokens of a player with this score (None: nobody holds tokens).

    With more than `most_levels` levels, the list is cut where its equal values begin at the end.
    The last value is then assumed never to run out.
    """
    values = []
    left = score or 0
    while left > 0:
        values.append(rules.token(left))
        left -= values[-1]
    values.append(0)
    kept = values[:most_levels]
    spare = 0
    while kept[-1] and spare + len(kept) < len(values) and values[len(kept) + spare] == kept[-1]:
        spare += 1
    return Tokens(np.array(kept, dtype=np.int64), spare)


def token_bound(rules: DiceRules, tokens: Tokens, rolls: int) -> float:
    """Return how far cutting the list of tokens can change the value of a round.

    At most `rolls` rolls of both players together are not three llamas. So the number X of three
    llamas is at most negative binomial. The cut matters only after more than (levels − 1 + spare)
    returns. Then each return, and going out, is wrong by at most the last value.
    """
    if tokens.exact:
        return 0.0
    q = float(np.mean([transition.all_llamas(roll) for roll in rules.rolls]))
    free = len(tokens.values) - 1 + tokens.spare
    bound, chance = 0.0, (1 - q) ** rolls
    for llamas in range(200):
        if llamas >= free:
            bound += chance * (llamas - free + 1)
        chance *= q * (rolls + llamas) / (llamas + 1)
    return float(tokens.values[-1]) * bound


# Columns of `ends` after the penalties, from the end.
OUT, BLOWN, POINTS = -3, -2, -1


@dataclass(frozen=True)
class AloneSpace:
    """The numbering of the situations of one player alone.

    held: int64[7], most cards of each kind.
    sizes: int64[7], digits of each kind: the cards held, and again with the kind in the row if
    possible.
    strides: int64[7].
    always: the mask of kinds that are in the row of every situation; they need no digits.
    """

    held: np.ndarray
    sizes: np.ndarray
    strides: np.ndarray
    places: int
    always: int = 0

    def place(self, cards: tuple[int, ...], row: int) -> int:
        """Return the number of a situation."""
        row &= ~self.always
        return sum(
            self.part(kind, cards[kind], row >> kind & 1) * int(self.strides[kind])
            for kind in range(KINDS)
        )

    def part(self, kind: int, cards: int, in_row: int) -> int:
        """Return the digit of one kind."""
        return cards + in_row * (int(self.held[kind]) + 1)

    def parts(self) -> np.ndarray:
        """Return the parts of places where no other kinds are in the row, see `roll_backup`."""
        cards = np.arange(int(self.held.max()) + 2) * self.strides[:, None]
        return np.stack((cards, cards), axis=1)


@lru_cache(maxsize=4_096)
def alone_space(held: tuple[int, ...], rows: int, always: int = 0) -> AloneSpace:
    """Return situations with at most `held` cards and any part of the row `rows`.

    always: other kinds, all of which are in the row.
    """
    in_row = [rows >> kind & 1 for kind in range(KINDS)]
    sizes = [(held[kind] + 1) * (1 + in_row[kind]) for kind in range(KINDS)]
    strides = np.cumprod([1, *sizes], dtype=np.int64)
    return AloneSpace(
        np.array(held, dtype=np.int64),
        np.array(sizes, dtype=np.int64),
        strides[:-1],
        int(strides[-1]),
        always,
    )


@dataclass(frozen=True)
class AlonePayoff:
    """What the end of a round is worth to the player alone; lower is better.

    results: float64[levels, ranks + 1], by tokens returned before and rank of the final penalty
    (see `penalty_ranks`); the last column is for going out. Several cases may follow each other,
    each with all levels.
    returned: float64[levels], what three llamas return at once, by tokens returned before.
    """

    results: np.ndarray
    returned: np.ndarray


@dataclass(frozen=True)
class AloneSolution:
    """Optimal play of one player alone.

    space: the numbering.
    worth: float64[places, levels], the expected payoff at a decision (points: the penalty minus the
    tokens returned from now on). The levels of further cases follow (see `AlonePayoff`).
    ends: float64[places, levels, results], chances of each end: first by rank of the final penalty
    (see `penalty_ranks`), then going out and blowing it. The last column has the expected points.
    """

    space: AloneSpace
    worth: np.ndarray
    ends: np.ndarray


@lru_cache(maxsize=16)
def penalty_ranks(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct penalties ascending, and int64[128]: the rank of each mask's penalty."""
    distinct, ranks = np.unique(rules.penalties, return_inverse=True)
    return distinct, ranks.astype(np.int64)


def points_payoff(rules: DiceRules, tokens: Tokens) -> AlonePayoff:
    """Return the points as payoff: the penalty minus returned tokens."""
    distinct, _ = penalty_ranks(rules)
    returned = tokens.values.astype(np.float64)
    penalties = np.broadcast_to(distinct.astype(np.float64), (len(returned), len(distinct)))
    return AlonePayoff(np.ascontiguousarray(np.column_stack((penalties, -returned))), returned)


def solve_alone(
    rules: DiceRules,
    space: AloneSpace,
    tokens: Tokens,
    with_ends: bool = True,
    payoff: AlonePayoff | None = None,
) -> AloneSolution:
    """Solve all situations of a space; payoff: what counts (None: the points)."""
    distinct, ranks = penalty_ranks(rules)
    payoff = payoff or points_payoff(rules, tokens)
    levels = len(payoff.returned)
    worth = np.zeros((space.places, levels))
    results = len(distinct) + 3 if with_ends else 0
    ends = np.zeros((space.places, levels, results))
    _solve(
        roll_tables(rules),
        rules.columns,
        rules.penalties,
        ranks,
        space.held,
        space.sizes,
        space.strides,
        space.always,
        tokens.values,
        payoff.results,
        payoff.returned,
        worth,
        ends,
    )
    return AloneSolution(space, worth, ends)


@compiled
def _solve(
    tables, columns, penalties, ranks, held, sizes, strides, always, tokens, results, returned,
    worth, ends,
):  # fmt: skip
    levels = returned.size
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    steps = np.zeros((KINDS, sizes.max(), tables.smaller.shape[1] + 1), np.int64)
    for kind in range(KINDS):
        for digit in range(sizes[kind]):
            for gone in range(1, min(digit % (held[kind] + 1), steps.shape[2] - 1) + 1):
                steps[kind, digit, gone] = -gone * strides[kind]
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, levels), np.inf)
    total = np.zeros(levels)
    outcomes = tables.outcomes[0]
    for place in range(worth.shape[0]):
        mask = 0
        row = always
        if place > 0:
            count_up(digits, sizes)
        for kind in range(KINDS):
            mask |= (digits[kind] % (held[kind] + 1) > 0) << kind
            row |= (digits[kind] > held[kind]) << kind
        if mask == 0:
            for level in range(levels):
                worth[place, level] = results[level, results.shape[1] - 1]
                if ends.shape[2]:
                    ends[place, level, ranks[0]] = 1.0
                    ends[place, level, ends.shape[2] + OUT] = 1.0
                    ends[place, level, ends.shape[2] + POINTS] = -tokens[level % tokens.size]
            continue
        total[:] = 0.0
        add_matches(tables, worth, place, digits, steps, mask, reach, best, total)
        again = tables.llamas[0]
        bust = tables.avoiding[mask]
        if last_llamas_blown(columns, mask):
            bust += again
            again = 0.0
        again /= outcomes
        left = blown_kinds(mask, row)
        for level in range(levels - 1, -1, -1):
            blown = results[level, ranks[left]]
            rolling = (total[level] + bust * blown) / outcomes - again * returned[level]
            last = level % tokens.size == tokens.size - 1
            if last:
                rolling /= 1.0 - again
            else:
                rolling += again * worth[place, level + 1]
            quitting = results[level, ranks[mask]]
            if rolling >= quitting - EQUAL:  # if equal, quit
                worth[place, level] = quitting
                if ends.shape[2]:
                    ends[place, level, ranks[mask]] = 1.0
                    ends[place, level, ends.shape[2] + POINTS] = penalties[mask]
                continue
            worth[place, level] = rolling
            if ends.shape[2]:
                _add_ends(tables, worth, ends, place, level, mask, reach, best)
                chance = bust / outcomes
                ends[place, level, ranks[left]] += chance
                ends[place, level, ends.shape[2] + BLOWN] += chance
                points = chance * penalties[left] - again * tokens[level % tokens.size]
                ends[place, level, ends.shape[2] + POINTS] += points
                for result in range(ends.shape[2]):
                    if last:
                        ends[place, level, result] /= 1.0 - again
                    else:
                        ends[place, level, result] += again * ends[place, level + 1, result]


@compiled
@for_all
def _add_ends(tables, worth, ends, place, level, mask, reach, best):
    """Add the results that follow each matching roll with its best discard."""
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        chance = tables.weights[entry] / tables.outcomes[0]
        if chance > 0.0:
            after = best_place(tables, worth, tables.sets[entry], level, reach, best)
            for result in range(ends.shape[2]):
                ends[place, level, result] += chance * ends[after, level, result]


@compiled
def best_place(tables, worth, matched, level, reach, best):
    """Return the place after the best discard within a matched set (after `add_matches`).

    Of equally good discards it is the one with most cards.
    """
    value = best[matched, level]
    while reach[matched] < 0 or worth[reach[matched], level] > value + EQUAL:
        for i in range(tables.smaller.shape[1]):
            if best[tables.smaller[matched, i], level] <= value + EQUAL:
                matched = tables.smaller[matched, i]
                break
    return reach[matched]


# What the end of a two-player round is worth: the margin, or the chance to win the game.
#
# The solver of two players needs both as tables, so that the same sweep serves them. Whatever
# counts is zero-sum: what the end is worth to one player is minus what it is worth to the other.

FOLLOWED = 6  # levels of tokens where the scores before the round are unknown


@dataclass(frozen=True)
class PairPayoff:
    """What the end of a round is worth; lower is better.

    A rank is that of a player's final penalty (see `penalty_ranks`). One rank more is for going
    out. A layer is (tokens returned by player 0, tokens returned by the other), the first one slow.

    ends: float64[2, ranks + 1, ranks + 1, layers], the worth to the player who ended the round
    (first index), by the ranks of player 0 and the other.
    returned: float64[levels] of either player, what three llamas return at once.
    quits: float64[2, ranks + 1], what the cards of a player who quits count at once.
    alone: what counts for either player alone, in one column for each of a set of cases.
    columns: int64[2, ranks + 1, layers], the column of the other player alone if one quits.
    """

    ends: np.ndarray
    returned: tuple[np.ndarray, np.ndarray]
    quits: np.ndarray
    alone: tuple[AlonePayoff, AlonePayoff]
    columns: np.ndarray


def end_ranks(rules: DiceRules) -> np.ndarray:
    """Return int64[128]: the rank of a mask of kinds at the end; without cards it is going out."""
    distinct, ranks = penalty_ranks(rules)
    extended = ranks.copy()
    extended[0] = len(distinct)
    return extended


def margin_payoff(rules: DiceRules, tokens: tuple[Tokens, Tokens]) -> PairPayoff:
    """Return the margin: a player's penalty minus the other's, both minus returned tokens."""
    distinct, _ = penalty_ranks(rules)
    penalties = np.append(distinct, 0).astype(np.float64)
    values = tokens[0].values, tokens[1].values
    sizes = len(values[0]), len(values[1])
    ranks = len(penalties)
    ends = np.empty((2, ranks, ranks, *sizes))
    ends[0] = (penalties[:, None] - penalties)[..., None, None]
    ends[1] = (penalties - penalties[:, None])[..., None, None]
    ends[0, -1] -= values[0][:, None]
    ends[1, :, -1] -= values[1]
    columns = np.empty((2, ranks, *sizes), dtype=np.int64)
    columns[0] = np.arange(sizes[1])
    columns[1] = np.arange(sizes[0])[:, None]
    alone = points_payoff(rules, tokens[0]), points_payoff(rules, tokens[1])
    return PairPayoff(
        ends.reshape(2, ranks, ranks, -1),
        (alone[0].returned, alone[1].returned),
        np.stack((penalties, penalties)),
        alone,
        columns.reshape(2, ranks, -1),
    )


def scores_at_the_end(rules: DiceRules, score: int, tokens: Tokens) -> np.ndarray:
    """Return int64[levels, ranks + 1]: final scores, by tokens returned before and final rank."""
    distinct, _ = penalty_ranks(rules)
    levels = score - np.append(0, np.cumsum(tokens.values[:-1]))
    return np.column_stack((levels[:, None] + distinct, levels - tokens.values))


@dataclass(frozen=True)
class Averaged:
    """Chances to win after a round if the scores before it are unknown: means over what occurs.

    chances: float64[2, levels, ranks + 1, levels, ranks + 1], of the player who starts the next
    round, which is first player 0 and then the other. Then by the tokens that player 0 has returned
    and the rank of its final penalty (the last one: going out), and by those of the other.
    errors: likewise, the mean standard error of the table.
    """

    chances: np.ndarray
    errors: np.ndarray


def averaged_chances(rules: DiceRules, table: MatchEquity, starting: StartingScores) -> Averaged:
    """Return the chances of two players, averaged over the scores before the round."""
    ranks = len(penalty_ranks(rules)[0]) + 1
    rows = starting.rows
    inputs = rules.columns, rules.penalties, table.values, table.stderr, rows
    like = "float64", (4, FOLLOWED, ranks, FOLLOWED, ranks)
    chances = kept(__name__, inputs, lambda: _averages(rules, table, rows), like)
    return Averaged(chances[:2], chances[2:])


def _averages(rules: DiceRules, table: MatchEquity, rows: np.ndarray) -> np.ndarray:
    """Return the chances of `Averaged`, then the errors."""
    finals = [_finals_of(rules, score) for score in range(rules.target)]
    shape = finals[0].shape
    scores = np.arange(rules.target + int(rules.penalties.max()) + 1)
    wins = chance_to_win(rules, scores[:, None], scores, table)
    errors = np.zeros_like(wins)
    errors[: rules.target, : rules.target] = table.stderr
    pairs, counts = np.unique(rows, axis=0, return_counts=True)
    flat = np.stack([final.ravel() for final in finals])
    total = np.zeros((4, flat.shape[1], flat.shape[1]))
    _add_up(flat, pairs, counts.astype(np.float64), wins, errors, total)
    return total.reshape(4, *shape, *shape) / len(rows)


@compiled
def _add_up(finals, pairs, counts, wins, errors, total):
    """Add to total[4, n, n] what pairs of scores are worth, either player's turn, and its errors.

    finals: int64[scores, n], final scores. pairs: int64[pairs, 2], scores before the round, which
    occur counts[pairs] times. wins, errors: float64[scores, scores].
    """
    for at in range(counts.size):
        mine, other, count = finals[pairs[at, 0]], finals[pairs[at, 1]], counts[at]
        for i in range(mine.size):
            for j in range(other.size):
                first, second = mine[i], other[j]
                total[0, i, j] += count * wins[first, second]
                total[1, i, j] += count * wins[second, first]
                total[2, i, j] += count * errors[first, second]
                total[3, i, j] += count * errors[second, first]


def averaged_alone(
    rules: DiceRules, table: MatchEquity, starting: StartingScores, penalty: int
) -> tuple[np.ndarray, float]:
    """Return what the last of two players wins on average, and the table's largest mean error.

    The first is float64[FOLLOWED, ranks + 1], like a part of `Averaged.chances`. penalty: of the
    other, who has quit.
    """
    finals = np.stack([_finals_of(rules, score) for score in range(rules.target)])
    mine, others = finals[starting.rows[:, 0]], starting.rows[:, 1, None, None] + penalty
    most = rules.target - 1
    errors = table.stderr[np.minimum(mine, most), np.minimum(others, most)]
    errors = np.where(np.maximum(mine, others) > most, 0.0, errors)
    wins = chance_to_win(rules, mine, others, table)
    return wins.mean(axis=0), float(errors.mean(axis=0).max())


def _finals_of(rules: DiceRules, score: int) -> np.ndarray:
    """Return int64[FOLLOWED, ranks + 1]: `scores_at_the_end`, cut or continued."""
    values = np.zeros(FOLLOWED, dtype=np.int64)
    held = tokens_of(rules, score).values[:FOLLOWED]
    values[: len(held)] = held
    return scores_at_the_end(rules, score, Tokens(values, 0))


def win_payoff(
    rules: DiceRules,
    tokens: tuple[Tokens, Tokens],
    scores: tuple[int, int],
    table: MatchEquity,
    repeated: tuple[float, float],
    others_table: MatchEquity | None = None,
    apart: bool = False,
) -> PairPayoff:
    """Return what the chance to win lacks to `EVEN`.

    scores: before any token is returned. repeated: what three llamas add at the last level of
    either player. The player who acts last starts the next round.
    table: values rounds that player 0 starts, and those that the other starts unless these have
    `others_table`. apart: whether every score of a player who quits is a case of its own.
    """
    others_table = others_table or table
    finals = tuple(
        scores_at_the_end(rules, score, held) for score, held in zip(scores, tokens, strict=True)
    )
    levels, others = len(finals[0]), len(finals[1])
    mine = finals[0].T[:, None, :, None]
    other = finals[1].T[None, :, None, :]
    ends = np.stack(
        [
            EVEN - chance_to_win(rules, mine, other, table),
            EVEN - chance_to_win(rules, other, mine, others_table),
        ]
    )
    returned = np.zeros(levels), np.zeros(others)
    for of_player, last in zip(returned, repeated, strict=True):
        of_player[-1] = last
    cases = (
        _against_quitters(rules, finals[0], finals[1], table, returned[0], apart),
        _against_quitters(rules, finals[1], finals[0], others_table, returned[1], apart),
    )
    return _won_or_lost(ends, returned, cases)


def averaged_payoff(
    averaged: Averaged, levels: tuple[int, int], repeated: tuple[float, float]
) -> PairPayoff:
    """Return what the chance to win lacks to `EVEN` if the scores before the round are unknown.

    levels, repeated: tokens that are followed, and what three llamas add at the last of them.
    """
    lacks = EVEN - averaged.chances[:, : levels[0], :, : levels[1]]
    ranks = lacks.shape[2]
    returned = np.zeros(levels[0]), np.zeros(levels[1])
    for of_player, last in zip(returned, repeated, strict=True):
        of_player[-1] = last
    # Each end of the player who has quit is a case: tokens returned before, and final penalty.
    by_case = np.moveaxis(lacks[0], (2, 3), (0, 1)), lacks[1]
    cases = tuple(
        (
            np.arange(at.shape[0] * ranks).reshape(-1, ranks),
            AlonePayoff(
                np.ascontiguousarray(at).reshape(-1, ranks), np.tile(at_once, at.shape[0] * ranks)
            ),
        )
        for at, at_once in zip(by_case, returned, strict=True)
    )
    return _won_or_lost(lacks.transpose(0, 2, 4, 1, 3), returned, (cases[0], cases[1]))


Cases = tuple[np.ndarray, AlonePayoff]


def _won_or_lost(
    ends: np.ndarray, returned: tuple[np.ndarray, np.ndarray], cases: tuple[Cases, Cases]
) -> PairPayoff:
    """Return a payoff in which only the end counts.

    ends: float64[2, ranks, ranks, levels, levels]. cases: for either player alone, see
    `_against_quitters`.
    """
    _, ranks, _, levels, others = ends.shape
    (first, against_first), (second, against_second) = cases
    columns = np.empty((2, ranks, levels, others), dtype=np.int64)
    columns[0] = second.T[:, :, None] * others + np.arange(others)
    columns[1] = first.T[:, None, :] * levels + np.arange(levels)[:, None]
    return PairPayoff(
        np.ascontiguousarray(ends).reshape(2, ranks, ranks, -1),
        returned,
        np.zeros((2, ranks)),
        (against_first, against_second),
        columns.reshape(2, ranks, -1),
    )


def _against_quitters(
    rules: DiceRules,
    mine: np.ndarray,
    other: np.ndarray,
    table: MatchEquity,
    returned: np.ndarray,
    apart: bool,
) -> tuple[np.ndarray, AlonePayoff]:
    """Return what counts for a player alone, in one case for each score of the player who quit.

    mine, other: final scores of both (see `scores_at_the_end`). The first array is int64 like
    `other`, the case of each of them. Scores against which the same counts are one case, unless
    they are kept apart.
    """
    scores, at = np.unique(other, return_inverse=True)
    worth = EVEN - chance_to_win(rules, mine[None], scores[:, None, None], table)
    cases, of_score = worth.reshape(len(scores), -1), np.arange(len(scores))
    if not apart:
        cases, of_score = np.unique(cases, axis=0, return_inverse=True)
    results = np.ascontiguousarray(cases.reshape(-1, mine.shape[1]))
    at_once = np.tile(returned, len(cases))
    return of_score.reshape(-1)[at.reshape(other.shape)], AlonePayoff(results, at_once)
