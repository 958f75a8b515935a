"""Fit `learned`, which plays Pikomino: games that it plays teach it, again and again.

There is a network for each number of players. At first it watches `lead`. Then it plays games
against itself in steps. After each it learns from the later half of all steps so far.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.learned_pikomino.learning import ROW, collect, learn
from lama_odds import __version__
from lama_odds.games.pikomino.engine.learned import FEATURES, HIDDEN, Learned, PlayTables
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies import (
    MANIFEST,
    PLAYERS,
    TABLE,
    joined,
    policy_rows,
    tables_of,
)
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from tools.publishing.target import Making, Target

RULES = "pikomino/egmont"
WATCHED = "lead:50"
OTHERS = ("lead:50", "optimal-turn", "lead:150", "first-tile", "random")
PIECE = 250  # games that one thread plays at a time
PER_GAME = 45  # rows of a seat for which there is room; games beyond it are left out
EPOCHS, LAST_EPOCHS = 2, 10  # times that a step learns from each board; the last step
RATE, LAST_RATE = 0.012, 0.0004
LASTING = 0.6  # how much errors of later turns count, see `learning.teach`
SPREAD = 0.1  # of the weights at the start


class Network(NamedTuple):
    """What is learned for one number of players, as `learned.read_off` reads it."""

    weights: np.ndarray
    out: np.ndarray


def begin(seed: int) -> Network:
    """Return a network that knows nothing."""
    random = np.random.default_rng(seed)
    weights = random.normal(0.0, SPREAD, (FEATURES, HIDDEN)).astype(np.float32)
    out = random.normal(0.0, SPREAD, HIDDEN + 1).astype(np.float32)
    return Network(weights, out)


def known(tables: PlayTables, players: int, network: Network) -> PlayTables:
    """Return tables in which a network is that of its number of players."""
    weights = np.zeros((len(PLAYERS), FEATURES, HIDDEN), np.float32)
    out = np.zeros((len(PLAYERS), HIDDEN + 1), np.float32)
    weights[players - 2], out[players - 2] = network
    return tables._replace(learned=Learned(weights, out))


def watch(
    rules: PikominoRules, tables: PlayTables, players: int, plays: bool, seed: int, games: int,
    threads: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Play games in pieces; return what they teach: boards and values."""
    others = policy_rows([GAME.policy(name) for name in OTHERS])

    def piece(first: int) -> tuple[np.ndarray, np.ndarray]:
        room = PER_GAME * PIECE * (1 if players == 2 else players)
        rows, targets = np.empty((room, ROW), np.int16), np.empty(room, np.float32)
        filled = collect(
            rules.columns,
            tables,
            others,
            players,
            plays,
            LASTING,
            seed,
            first,
            PIECE,
            rows,
            targets,
        )
        return rows[:filled], targets[:filled]

    with ThreadPoolExecutor(threads) as pool:
        pieces = list(pool.map(piece, range(0, games, PIECE)))
    return np.concatenate([rows for rows, _ in pieces]), np.concatenate([t for _, t in pieces])


def taught(making: Making, rules: PikominoRules, players: int) -> Network:
    """Return the network for a number of players; what a stopped run has kept is not done again."""
    steps, seed = _effort(making, players)[0], making["seed"] + 100_000 * players
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / f"{players}.npz"
    network, done = begin(seed), 0
    if path.exists():
        with np.load(path) as kept:
            network, done = Network(kept["weights"], kept["out"]), int(kept["done"])
    for number in range(done, steps):
        rows, targets = played(making, rules, players, number, network)
        _keep(making.work / f"{players}-{number}.npz", rows=rows, targets=targets)
        last = number + 1 == steps
        lessons = [_kept(making.work, players, at) for at in range((number + 1) // 2, number + 1)]
        rows, targets = (np.concatenate(part) for part in zip(*lessons, strict=True))
        random = np.random.default_rng([seed, number])
        error = 0.0
        for epoch in range(LAST_EPOCHS if last else EPOCHS):
            rate = RATE * (LAST_RATE / RATE) ** (epoch / (LAST_EPOCHS - 1)) if last else RATE
            error = learn(rows, targets, random.permutation(len(rows)), *network, rate)
        _keep(path, done=np.array(number + 1), weights=network.weights, out=network.out)
        if number % 10 == 0 or last:
            making.tell(
                f"{players} players, step {number + 1} of {steps}: {len(rows)} boards, "
                f"error {error**0.5:.4f}"
            )
    return network


def played(
    making: Making, rules: PikominoRules, players: int, number: int, network: Network
) -> tuple[np.ndarray, np.ndarray]:
    """Return boards and values of the games of a step."""
    tables = known(tables_of(rules, []), players, network)
    seed = making["seed"] + 100_000 * players + number
    games = _effort(making, players)[1] if number else making["watched"]
    threads = making.threads or os.cpu_count() or 1
    return watch(rules, tables, players, number > 0, seed, games, threads)


def _effort(making: Making, players: int) -> tuple[int, int]:
    """Return the steps, and the games of each, for a number of players."""
    which = "two_" if players == PLAYERS[0] else "more_"
    return making[f"{which}steps"], making[f"{which}games"]


def _kept(folder: Path, players: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return boards and values of a step, as they were kept."""
    with np.load(folder / f"{players}-{number}.npz") as kept:
        return kept["rows"], kept["targets"]


def _keep(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays, whole or not at all."""
    partial = path.with_name("partial.npz")
    np.savez(partial, **arrays)  # type: ignore[arg-type]
    os.replace(partial, path)


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    networks = []
    for players in PLAYERS:
        networks.append(taught(making, rules, players))
    weights, out = (np.array(part) for part in zip(*networks, strict=True))
    digest = making.write_array(f"data/{TABLE}", joined(weights, out))
    manifest = {
        "what": "networks of `learned` for 2 to 7 players: weights of the features, then of the "
        "hidden layer",
        "command": making.command,
        "version": __version__,
        **making.options,
        "rules": RULES,
        "sha256": digest,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="learned-pikomino",
    what="the networks of `learned`, which plays Pikomino",
    make=make,
    writes=(f"data/{TABLE}", f"data/{MANIFEST}"),
    options={
        "watched": 2_000,
        "two_steps": 40,
        "two_games": 1_000,
        "more_steps": 12,
        "more_games": 500,
        "seed": 1,
    },
    quick={"watched": 250, "two_steps": 2, "two_games": 250, "more_steps": 2, "more_games": 250},
    deep=True,
)
