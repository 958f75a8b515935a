"""Match equity of three to six players: games from random scores, a network, checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, sparse

from lama_odds.analysis.equity import PointsGame, job_from, noted_blocks, played_blocks
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import ONE_ROUND, WHOLE_GAMES, add_worth
from lama_odds.games.interface.match_equity import SeveralEquity, chances_of
from lama_odds.games.interface.tally_layout import EQUITY

# Whole games from random scores: what everybody won, as shares.


@dataclass(frozen=True)
class WonFrom:
    """What was won from some scores; seat 0 starts the first round.

    starts: int64[rows, seats]. won: float64[rows, seats], mean share of the win, ties shared.
    squares: the mean of its square. games: from each row.
    """

    starts: np.ndarray
    won: np.ndarray
    squares: np.ndarray
    games: int

    @property
    def variance(self) -> np.ndarray:
        """float64[rows, seats]: of the mean."""
        return np.asarray((self.squares - self.won**2) / (self.games - 1))


def won_from(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    starts: np.ndarray,
    games: int,
    seed: int,
    threads: int | None = None,
) -> WonFrom:
    """Play games of a policy from scores. games: from each row.

    Raises LimitError for games without an end.
    """
    rows, seats = starts.shape
    job = job_from(game, rules, [policy] * seats, starts, WHOLE_GAMES)
    won, squares = np.zeros((rows, seats)), np.zeros((rows, seats))
    at = 0
    for scores, _ in played_blocks(job, seed, 0, rows * games, threads):
        shares = shares_of(rules, policy, scores)
        row = np.arange(at, at + len(scores)) % rows
        for seat in range(seats):
            won[:, seat] += np.bincount(row, shares[:, seat], rows)
            squares[:, seat] += np.bincount(row, shares[:, seat] ** 2, rows)
        at += len(scores)
    return WonFrom(starts, won / games, squares / games, games)


def shares_of(rules: Any, policy: Policy, scores: np.ndarray) -> np.ndarray:
    """Return float64[games, seats], shares of the win by final scores.

    Raises LimitError for games without an end.
    """
    if scores.max(axis=1).min() < rules.target:
        raise LimitError(f"{policy.name} against itself never ends a game of {rules.id}")
    lowest = scores == scores.min(axis=1, keepdims=True)
    return np.asarray(lowest / lowest.sum(axis=1, keepdims=True))


def random_scores(target: int, players: int, rows: int, seed: int) -> np.ndarray:
    """Return int64[rows, players], random scores below the target.

    In every other row each score is as likely as any other. In the rest all are at least some
    random score, since six players who all have 30 points of 40 would hardly occur.
    """
    random = np.random.default_rng(seed)
    lowest = random.integers(0, target, (rows, 1)) * (np.arange(rows) % 2)[:, None]
    return random.integers(lowest, target, (rows, players))


# How far chances are off: against whole games from fresh random scores, with another seed.
#
# The mean squared distance between chances and games has the games' own variance in it, which is
# known and subtracted. What is left is the squared error of the chances, from sampling and fitting.
# Advice takes a mean of chances, over what a round leaves, and compares such means. So their errors
# are measured too: whole games are compared with the chances after their first round. Scores come
# in pairs that are near each other, because what actions leave is near each other too.

SURE = 1.645  # standard errors of a bound that holds with 95 %
NEAR = 10  # points by which the score of one player differs in a pair, at most


@dataclass(frozen=True)
class Off:
    """The error of chances: its mean square, and the standard error of that."""

    square: float
    error: float

    @property
    def rms(self) -> float:
        """The standard deviation, estimated."""
        return float(np.sqrt(max(0.0, self.square)))

    @property
    def most(self) -> float:
        """The standard deviation, at most, with 95 %."""
        return float(np.sqrt(max(0.0, self.square) + SURE * self.error))


def pairs_of_scores(target: int, players: int, pairs: int, seed: int) -> np.ndarray:
    """Return int64[2 · pairs, players]: random scores, then others near each of them.

    One player, as likely the first as any other, has another score.
    """
    first = random_scores(target, players, pairs, seed)
    random = np.random.default_rng([seed, pairs])
    second = first.copy()
    changed = random.integers(0, players, pairs)
    rows = np.arange(pairs)
    moved = first[rows, changed] + random.integers(-NEAR, NEAR + 1, pairs)
    second[rows, changed] = np.clip(moved, 0, target - 1)
    return np.concatenate([first, second])


@dataclass(frozen=True)
class Apart:
    """By how much chances are above what was won, float64[rows, seats], and the variances."""

    mean: np.ndarray
    variance: np.ndarray

    @property
    def off(self) -> Off:
        """The error of chances."""
        return _off(self.mean, self.variance)

    @property
    def of_differences(self) -> Off:
        """The error of differences within pairs, see `pairs_of_scores`."""
        first, second = np.split(self.mean, 2)
        variances = np.split(self.variance, 2)
        return _off(second - first, variances[0] + variances[1])


def before(chances: np.ndarray, won: WonFrom) -> Apart:
    """Compare chances at the scores of the rows, float64[rows, seats]."""
    return Apart(chances - won.won, won.variance)


def after_a_round(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    table: SeveralEquity,
    starts: np.ndarray,
    games: int,
    seed: int,
    threads: int | None = None,
) -> Apart:
    """Compare the chances after the first round with the same games played to their end.

    games: from each row. Raises LimitError for games without an end.
    """
    rows, seats = starts.shape
    jobs = [
        job_from(game, rules, [policy] * seats, starts, most) for most in (ONE_ROUND, WHOLE_GAMES)
    ]
    sums, squares = np.zeros((rows, seats)), np.zeros((rows, seats))
    both = [played_blocks(job, seed, 0, rows * games, threads) for job in jobs]
    at = 0
    for (scores, starters), (ends, _) in zip(*both, strict=True):
        apart = chances_of(table, scores, starters) - shares_of(rules, policy, ends)
        row = np.arange(at, at + len(scores)) % rows
        for seat in range(seats):
            sums[:, seat] += np.bincount(row, apart[:, seat], rows)
            squares[:, seat] += np.bincount(row, apart[:, seat] ** 2, rows)
        at += len(scores)
    mean = sums / games
    return Apart(mean, (squares / games - mean**2) / (games - 1))


def _off(apart: np.ndarray, noise: np.ndarray) -> Off:
    # Rows are independent, their seats are not.
    square = (apart**2 - noise).mean(axis=1)
    return Off(float(square.mean()), float(square.std(ddof=1) / np.sqrt(len(square))))


# Harville's chances with fitted strengths: what a match equity table of several has to beat.
#
# Harville (1973) gives each competitor the chance strength / sum of strengths. Here a strength
# depends on the score and on the turn after the starter. Poker tournaments use the same with stacks
# as strengths (the independent chip model).

STEPS = 1_000  # at most
PENALTY = 1e-7  # on squared logarithms: only their differences matter


def harville(
    starts: np.ndarray, won: np.ndarray, target: int
) -> Callable[[np.ndarray], np.ndarray]:
    """Fit strengths to shares of the win; return what gives the chances at other scores.

    starts: int64[rows, players]; seat 0 starts. won: float64[rows, players].
    """
    players = starts.shape[1]
    size = players * target
    turns = target * np.arange(players)

    def shares(logs: np.ndarray, scores: np.ndarray) -> np.ndarray:
        own_logs = logs[scores + turns]
        strong = np.exp(own_logs - own_logs.max(axis=1, keepdims=True))
        return np.asarray(strong / strong.sum(axis=1, keepdims=True))

    def loss(logs: np.ndarray) -> tuple[float, np.ndarray]:
        chances = shares(logs, starts)
        likely = (won * np.log(np.maximum(chances, 1e-300))).sum(axis=1).mean()
        slopes = (chances - won) / len(chances)
        slope = np.bincount((starts + turns).ravel(), slopes.ravel(), size)
        return PENALTY * float(logs @ logs) - likely, slope + 2 * PENALTY * logs

    fitted = optimize.minimize(
        loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    return lambda scores: shares(fitted.x, scores)


# The network of a match equity table, fitted to shares of the win (see `games.score_chances`).
#
# It is fitted with floating point numbers, by Adam (Kingma and Ba 2015) on the cross-entropy, and
# then rounded. Rows of scores are sums of a few smooth features and one for each score. So scores
# next to each other get like rows unless the data say otherwise.

BATCH = 512
RATE = 0.01  # of learning at first; it falls to 0 along half a cosine
LARGEST = (1 << 15) - 1  # of what is shipped, as int16
TOKEN = 10  # points at which tokens make a difference
OWN_FEATURE = 1.0  # of a score
FIRST, SECOND = 0.9, 0.99  # of Adam: how much of its means stays
TINY = np.float32(1e-8)


def features_of(players: int, target: int) -> np.ndarray:
    """Return float32[players · target, features], by turn and score."""
    score = np.arange(target) / target
    powers = np.stack([score**p for p in range(3)], axis=1)
    bends = [np.maximum(0, score - bend) for bend in (1 / 4, 1 / 2, 3 / 4, 7 / 8)]
    steps = [np.arange(target) >= token for token in range(TOKEN, target, TOKEN)]
    by_score = np.concatenate(
        [powers, np.stack([*bends, *steps], axis=1), OWN_FEATURE * np.eye(target)], axis=1
    )
    by_turn = np.einsum("ab,xp->axbp", np.eye(players), powers).reshape(players, target, -1)
    both = np.concatenate([np.tile(by_score, (players, 1, 1)), by_turn], axis=2)
    return both.reshape(players * target, -1).astype(np.float32)


class Network:
    """A network that is being fitted.

    parts: by features, what is added for a player and for all; and the weights.
    """

    def __init__(self, players: int, target: int, units: int, seed: int) -> None:
        """units: of the hidden layer. seed: of where the fit begins, and of its order."""
        self.players, self.target = players, target
        self.random = np.random.default_rng(seed)
        self.features = features_of(players, target)
        size = (self.features.shape[1], units)
        draw = self.random.normal
        self.parts = [
            (draw(size=size) / 2).astype(np.float32),
            (draw(size=size) / (2 * np.sqrt(players))).astype(np.float32),
            (draw(size=units) / 10).astype(np.float32),
        ]

    def fit(self, starts: np.ndarray, won: np.ndarray, epochs: int) -> None:
        """Fit it further. starts: int64[rows, players]; seat 0 starts. won: shares of the win."""
        cells = starts + self.target * np.arange(self.players)
        won = won.astype(np.float32)
        batches = max(1, len(cells) // BATCH)
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        step, steps = 0, epochs * batches
        for _ in range(epochs):
            order = self.random.permutation(len(cells))
            for chosen in np.array_split(order, batches):
                step += 1
                rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
                for at, slope in enumerate(self._slopes(cells[chosen], won[chosen])):
                    means[at] += (1 - FIRST) * (slope - means[at])
                    squares[at] += (1 - SECOND) * (slope * slope - squares[at])
                    mean, square = means[at] / (1 - FIRST**step), squares[at] / (1 - SECOND**step)
                    change = rate * mean / (np.sqrt(square) + TINY)
                    self.parts[at] -= change.astype(np.float32)

    def _slopes(self, cells: np.ndarray, won: np.ndarray) -> tuple[np.ndarray, ...]:
        """The slopes of the cross-entropy by all parts, of these rows."""
        own, common, weights = self.parts
        rows, players = cells.shape
        everybody = (self.features @ common)[cells].sum(axis=1, keepdims=True)
        hidden = np.maximum((self.features @ own)[cells] + everybody, 0)
        logs = hidden @ weights
        logs -= logs.max(axis=1, keepdims=True)
        shares = np.exp(logs)
        shares /= shares.sum(axis=1, keepdims=True)
        errors = (shares - won) / np.float32(rows)
        back = errors[:, :, None] * weights * (hidden > 0)
        flat = cells.ravel()
        ones = np.ones(len(flat), dtype=np.float32)
        number = len(self.features)
        by_player = sparse.csr_matrix((ones, flat, np.arange(len(flat) + 1)), (len(flat), number))
        starts = players * np.arange(rows + 1)
        by_row = sparse.csr_matrix((ones, flat, starts), (rows, number))
        return (
            self.features.T @ (by_player.T @ back.reshape(len(flat), -1)),
            self.features.T @ (by_row.T @ back.sum(axis=1)),
            np.tensordot(errors, hidden, ((0, 1), (0, 1))),
        )

    def rounded(self, policy: str, rounds: int, seed: int) -> SeveralEquity:
        """The table, in integers. rounds, seed: of what it was fitted to."""
        own, common, weights = self.parts
        rows = np.stack([self.features.astype(np.float64) @ part for part in (own, common)])
        scale = _scale(float(np.abs(rows).max()))
        weight_scale = _scale(float(np.abs(weights).max()))
        counted = np.rint(scale * rows).astype(np.int32)
        own_rows, common_rows = counted.reshape(2, self.players, self.target, -1)
        return SeveralEquity(
            policy,
            own_rows,
            common_rows,
            np.rint(weight_scale * weights).astype(np.int32),
            scale * weight_scale,
            0.0,
            0.0,
            0.0,
            rounds,
            seed,
        )


def _scale(largest: float) -> int:
    """The highest power of 2 by which this may be multiplied."""
    return int(2 ** np.floor(np.log2(LARGEST / largest)))


# A match equity table of three to six players: played, and fitted to what was played.
#
# First a network is fitted to the winners of whole games from random scores. Then a single round is
# played many times from such scores, and the network says what it leaves. That varies far less, so
# it is fitted again to the means of these chances, a few times over (fitted value iteration).


@dataclass(frozen=True)
class Effort:
    """How much is played and fitted.

    scores: random ones, for every player. games, rounds: whole games and single rounds from each.
    units: of the network. first: epochs of the fit to games; then: of those to rounds.
    """

    scores: int
    games: int
    rounds: int
    units: int
    first: int
    then: tuple[int, ...]


def solved_table(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    players: int,
    effort: Effort,
    seed: int,
    threads: int | None = None,
) -> SeveralEquity:
    """The table, without its error. Raises LimitError for games without an end."""
    target = rules.target
    starts = random_scores(target, players, effort.scores, seed)
    network = Network(players, target, effort.units, seed)
    won = won_from(game, rules, policy, starts, effort.games, seed, threads)
    network.fit(starts, won.won, effort.first)
    rounds = effort.scores * effort.rounds
    job = job_from(game, rules, [policy] * players, starts, ONE_ROUND)
    noted = np.concatenate(list(noted_blocks(job, seed + 1, 0, rounds, threads)))
    by_scores = np.ascontiguousarray(noted.reshape(effort.rounds, effort.scores).T)
    for epochs in effort.then:
        table = network.rounded(policy.name, rounds, seed)
        worth = np.zeros(starts.shape)
        add_worth(table.counted, by_scores, worth)
        network.fit(starts, worth / (EQUITY * effort.rounds), epochs)
    return network.rounded(policy.name, rounds, seed)
