"""The network of a match equity table, fitted to shares of the win (see `games.score_chances`).

It is fitted with floating point numbers, by Adam (Kingma and Ba 2015) on the cross-entropy, and
then rounded. Rows of scores are sums of a few smooth features and one for each score. So scores
next to each other get like rows unless the data say otherwise.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lama_odds.games.interface.several_equity import SeveralEquity

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
