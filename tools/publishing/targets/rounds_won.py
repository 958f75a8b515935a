"""Play rounds of No Prob-Lama and count their winners: data/rounds_won.json.

All players play the best policy. What the llamas of a standing are worth follows from the counts
(see `games.interface.rounds_won`).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.core.policies import Policy
from lama_odds.games.interface.rounds_won import MANIFEST, solved_chances
from lama_odds.games.noprob.jobs import simulation
from lama_odds.games.registry import game_of
from tools.publishing.target import Making, Target

RULES = ("noprob/starnberger",)
SHARE = 0.2
SAMPLES = 40  # of the counts, for their errors


def winners(rules: Any, policies: list[Policy], seed: int, rounds: int) -> np.ndarray:
    """Return int64[2**players], rounds by their winners; bit k is the k-th player in turn order."""
    players = len(policies)
    job = simulation(rules, policies, rounds=True)
    counts = np.zeros(1 << players, dtype=np.int64)
    for game in range(rounds):
        scores = job.play(seed, game, 1)[:players, 0]
        counts[int((scores == scores.min()) @ (1 << np.arange(players)))] += 1
    return counts


def errors(counts: np.ndarray, players: int, target: int, seed: int) -> tuple[float, float]:
    """Return standard errors of a chance, and of a difference between two actions.

    They are the largest of all standings. Two actions are taken to change the winner of SHARE
    of the rounds. If they change more, nobody needs to know the difference that well.
    """
    random = np.random.default_rng(seed)
    rounds = int(counts.sum())
    chances = np.array([
        solved_chances(random.multinomial(rounds, counts / rounds) / rounds, players, target)
        for _ in range(SAMPLES)
    ])  # fmt: skip
    apart = [np.diff(chances, axis=1 + seat).std(axis=0).max() for seat in range(players)]
    return float(chances.std(axis=0).max()), SHARE * float(max(apart))


def make(making: Making) -> None:
    """Play all rounds and write the counts with their errors."""
    tables: dict[str, dict[str, Any]] = {}
    for text in RULES:
        game: Any = game_of(text)
        rules = game.rules(text)
        for players in rules.players:
            policy = game.best_policy(rules, players)
            counts = winners(rules, [policy] * players, making["seed"], making["rounds"])
            target = rules.target_of(players)
            stderr, apart = errors(counts, players, target, making["seed"])
            tables.setdefault(text, {})[str(players)] = {
                "policy": policy.name,
                "target": target,
                "seed": making["seed"],
                "stderr": float(f"{stderr:.2g}"),
                "apart": float(f"{apart:.2g}"),
                "winners": counts.tolist(),
            }
            making.tell(
                f"{text}: {players} players, error {stderr:.2g}, of differences {apart:.2g}"
            )
    manifest = {
        "what": "rounds by their winners, if all play `policy`: bit k of the index is the k-th "
        "player in turn order. target: rounds that win a game. stderr: of a chance to win it at "
        "any standing, at most. apart: the same of the difference between two actions that change "
        "the winner of a fifth of the rounds",
        "command": making.command,
        "version": __version__,
        "tables": tables,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="rounds-won",
    what="winners of rounds of No Prob-Lama, for the worth of its llamas",
    make=make,
    writes=(f"data/{MANIFEST}",),
    reads=("data/best.json", "data/learned/"),
    options={"rounds": 200_000, "seed": 1},
    quick={"rounds": 200},
)
