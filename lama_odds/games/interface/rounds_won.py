"""Chances to win a game of rounds won: it goes to the player who first wins enough of them.

The chance to win the next round depends on turn order alone, if all play one policy. Counts of
rounds are in data/rounds_won.json, made by `tools/publish rounds-won`. The worth of a standing
follows from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np

from lama_odds.core.language import say
from lama_odds.core.reading import data_json
from lama_odds.core.wording import in_percent, significant
from lama_odds.games.interface.tally_layout import EQUITY

MANIFEST = "rounds_won.json"
SETTLED = 1e-12  # of a chance: the last change of the iteration


@dataclass(frozen=True)
class RoundsWonEquity:
    """A match equity table by rounds won.

    winners: int64[2**players], rounds by their winners; bit k is the k-th player in turn order.
    target: rounds that win, before ties raise the number. stderr: of a chance, at most.
    apart: the same of the difference between two actions that change the winner of a fifth of the
    rounds.
    """

    policy: str
    players: int
    target: int
    winners: np.ndarray
    seed: int
    stderr: float
    apart: float

    @property
    def rounds(self) -> int:
        """The number of rounds that were played for it."""
        return int(self.winners.sum())

    @property
    def off(self) -> tuple[float, float]:
        """Standard errors of a looked-up chance and of a difference of two."""
        return self.stderr, self.apart

    @property
    def said(self) -> str:
        """The table and its error, in words."""
        return say(
            "the match equity table of {players} players of {policy} (standard error of a chance "
            "{error}, in the intervals)",
            players=self.players,
            policy=self.policy,
            error=in_percent(significant(100 * self.stderr)),
        )

    @cached_property
    def solved(self) -> np.ndarray:
        """The chances, see `solved_chances`."""
        return solved_chances(self.winners / self.rounds, self.players, self.target)

    def by_seat(self, won: Sequence[int], starter: int) -> np.ndarray:
        """Return float64[players], everybody's chance by the rounds won; starter: of the next.

        If somebody has as many as the target, ties have raised it.
        """
        target = max(self.target, max(won) + 1)
        lacking = [min(target - n, self.target + 1) - 1 for n in won]
        turned = [lacking[(starter + k) % self.players] for k in range(self.players)]
        return np.asarray(np.roll(self.solved[tuple(turned)], starter))

    @cached_property
    def counted(self) -> Any:
        """The table for kernels: int64[players, depth, depth**(players - 1)], in 1 / EQUITY.

        The chance of seat 0 by the starter, and by the rounds that each seat lacks, less 1.
        """
        seats = range(self.players)
        mine = [
            np.transpose(self.solved[..., -starter % self.players], np.roll(seats, starter))
            for starter in seats
        ]
        depth = self.target + 1
        return np.rint(EQUITY * np.array(mine)).astype(np.int64).reshape(len(seats), depth, -1)


def solved_chances(shares: np.ndarray, players: int, target: int) -> np.ndarray:
    """Return float64[target + 1, …, players]: chances by the rounds that each player lacks, less 1.

    Players are in turn order; the first one starts the next round, and the second one the round
    after it. shares: float64[2**players], the share of rounds that each set of them wins together.
    If several reach the target at once, it is raised by 1. A player who then lacks more than
    target + 1 rounds counts as lacking these.
    """
    depth = target + 1
    states = np.array(list(product(range(depth), repeat=players)))
    turned = np.roll(np.arange(players), -1)  # the first, second, … player of the next round
    steps = []
    for winners in range(1, 1 << players):
        if shares[winners]:
            after = states - (winners >> np.arange(players) & 1)
            reached = (after < 0).sum(axis=1)
            after += (reached > 1)[:, None]
            over = np.where(reached[:, None] == 1, after < 0, False)
            places = np.ravel_multi_index(np.clip(after, 0, target).T[turned], [depth] * players)
            steps.append((shares[winners], over, reached == 1, places))
    chances = np.full((len(states), players), 1 / players)
    change = 1.0
    while change > SETTLED:
        updated = np.zeros_like(chances)
        for share, over, ended, places in steps:
            later = np.roll(chances[places], 1, axis=1)
            updated += share * np.where(ended[:, None], over, later)
        change = float(np.abs(updated - chances).max())
        chances = updated
    return chances.reshape(*[depth] * players, players)


@cache
def rounds_won(rules_id: str, players: int, policy: str) -> RoundsWonEquity | None:
    """Return the shipped table of players of a policy; None if there is none."""
    entry: Any = data_json(MANIFEST)["tables"].get(rules_id, {}).get(str(players))
    if entry is None or entry["policy"] != policy:
        return None
    return RoundsWonEquity(
        policy,
        players,
        entry["target"],
        np.array(entry["winners"], dtype=np.int64),
        entry["seed"],
        entry["stderr"],
        entry["apart"],
    )
