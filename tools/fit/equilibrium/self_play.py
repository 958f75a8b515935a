"""Rounds of cards for two that train `equilibrium`, and the moves that come of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.engine.equilibrium import HANDS, MOST_OTHER, MOVES
from lama_odds.games.lama.engine.policy_kernels import last_move
from lama_odds.games.lama.engine.training import Rounds, train
from lama_odds.games.lama.policies.equilibrium import SHAPE, rank_table
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.lama.rules.transition import PLACES, PLAIN, QUIT

SITUATIONS = PLACES * MOST_OTHER * HANDS


class Trained(NamedTuple):
    """What training adds to: float32[situations of both sides, MOVES], and situations visited."""

    regrets: np.ndarray
    totals: np.ndarray
    visited: int


def alone_table(rules: LamaRules) -> np.ndarray:
    """Return int64[PLACES, 2**PLACES]: the penalty once alone, by the top and the values held."""
    found = np.zeros((PLACES, 1 << PLACES), dtype=np.int64)
    playable, penalties = rules.playable, rules.penalties
    for start in range(PLACES):
        for held in range(1 << PLACES):
            hand = sum(1 << 8 * place + PLAIN for place in range(PLACES) if held >> place & 1)
            top = start
            while (
                move := int(last_move(rules.columns, hand, hand & int(playable[top]), top))
            ) != QUIT:
                hand -= 1 << move
                top = move >> 3
            left = sum(1 << place for place in range(PLACES) if hand >> 8 * place + PLAIN & 1)
            found[start, held] = penalties[left]
    return found


def rounds_of(
    rules: LamaRules, worth: np.ndarray, pairs: np.ndarray, chances: np.ndarray
) -> Rounds:
    """Return what `train` plays. pairs, chances: scores before a round, and how often."""
    deck = [
        1 << shift
        for shift, count in zip(rules.shifts, rules.deck, strict=True)
        for _ in range(count)
    ]
    upto = np.cumsum(chances / chances.sum())
    upto[-1] = 1.0
    return Rounds(
        np.array(rules.playable, dtype=np.int64),
        rules.penalties,
        alone_table(rules),
        np.array(deck, dtype=np.int64),
        rules.dealt,
        worth,
        int(rules.starter == "rotate"),
        pairs.astype(np.int64),
        upto,
        np.array([rules.token(score) for score in range(rules.target)], dtype=np.int64),
        rank_table(),
    )


def nothing_yet(sides: int) -> Trained:
    """Return what training begins with."""
    shape = (sides * SITUATIONS, MOVES)
    return Trained(np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0)


def copied(start: Trained, sides: int, share: float) -> Trained:
    """Return what another training begins with: a share of one that had one side."""
    regrets, totals = (np.tile(part, (sides, 1)) * np.float32(share) for part in start[:2])
    return Trained(regrets, totals, 0)


def train_part(
    rounds: Rounds, found: Trained, sides: int, seed: int, number: int, games: int
) -> Trained:
    """Train with part `number` of the games, from 0; later parts count more (linear CFR)."""
    visited = train(
        rounds, seed, number * games, games, sides, found.regrets, found.totals,
        np.float32(number + 1),
    )  # fmt: skip
    return found._replace(visited=found.visited + int(visited))


def moves_of(found: Trained, sides: int) -> np.ndarray:
    """Return uint8[sides, …]: the most frequent move of each situation.

    Where none was ever sampled, it is the one with the highest regret.
    """
    sampled = np.asarray(found.totals.any(axis=1))
    weights = np.where(sampled[:, None], found.totals, found.regrets)
    moves: np.ndarray = np.argmax(weights, axis=1).astype(np.uint8).reshape(sides, *SHAPE)
    return moves
