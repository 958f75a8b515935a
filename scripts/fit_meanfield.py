"""Measure what happens between two turns of a seat when everybody plays `meanfield`.

Starts from a guess, plays, measures, solves `meanfield` again with what was
measured, and so on until it no longer moves; writes data/dice/meanfield.json.

    python scripts/fit_meanfield.py --games 20000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np

import lama_odds
from lama_odds.games.dice.engine import kernels, round_loop
from lama_odds.games.dice.engine.tables import PlayTables
from lama_odds.games.dice.policies.catalogue import MEANFIELD, PARAMETERS, ranks
from lama_odds.games.dice.policies.meanfield import values_table
from lama_odds.games.dice.rules.ruleset import EDITIONS, DiceRules, parse_rules

ROUNDS = 12


def guess(players: int) -> np.ndarray:
    """A first table: one in ten rounds ends, one in ten players quits."""
    passing = np.zeros((players, players + 1))
    passing[0, 0] = 1.0
    for others in range(1, players):
        passing[others, [others - 1, others, players]] = 0.1, 0.8, 0.1
    return passing


def measure(
    rules: DiceRules, players: int, passing: np.ndarray, seed: int, games: int
) -> np.ndarray:
    """Play first rounds with everybody on `meanfield` and count what lies between turns."""
    log = np.zeros(100_000, dtype=np.int64)
    tables = PlayTables(rules.rolls, rules.penalties, values_table(rules, passing), ranks(), log)
    policies = np.array([[MEANFIELD.code, 0, 0]] * players)
    tally = np.zeros((players + 3, 2), dtype=np.int64)
    counts = np.zeros((players, players + 1))
    for game in range(games):
        log[0] = 0
        kernels.play_first_rounds(rules.columns, policies, tables, seed, game, 1, tally)
        count_passing(log[1 : log[0] + 1].tolist(), players, counts)
    counts[0] = 0.0
    counts[0, 0] = 1.0
    for others in range(1, players):
        if counts[others].sum() == 0:
            counts[others, others] = 1.0
    return counts / counts.sum(axis=1, keepdims=True)


def count_passing(turns: list[int], players: int, counts: np.ndarray) -> None:
    """Add the turns of a round: counts[others in after a turn, others in at the next, or ended]."""
    others = players - 1
    waiting: dict[int, int] = {}
    for entry in turns:
        seat, event = entry & 15, entry >> 4 & 15
        if seat in waiting:
            counts[waiting.pop(seat), others] += 1
        if event == round_loop.QUIT:
            others -= 1
        else:
            waiting[seat] = others
    last = turns[-1] & 15
    for seat, before in waiting.items():
        if seat != last:
            counts[before, players] += 1


def fit(rules: DiceRules, players: int, seed: int, games: int) -> np.ndarray:
    """The table that self-play reproduces, averaged over the last rounds of fitting."""
    passing = guess(players)
    kept = []
    for number in range(ROUNDS):
        seen = measure(rules, players, passing, seed + number, games)
        passing = (passing + seen) / 2
        if number >= ROUNDS // 2:
            kept.append(seen)
    return np.mean(kept, axis=0)


def main() -> None:
    """Fit all editions and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    fitted: dict[str, dict[str, list[list[float]]]] = {}
    for edition in EDITIONS:
        rules = parse_rules(f"dice/{edition}")
        for players in rules.players:
            print(f"{edition}, {players} players", flush=True)
            table = fit(rules, players, args.seed, args.games)
            fitted.setdefault(edition, {})[str(players)] = np.round(table, 4).tolist()
    write_fitted(
        PARAMETERS,
        fitted,
        "how often, between two turns of a seat with k others in (row), 0, 1, … others "
        "are in at the next (columns), or the round has ended (last column)",
        "scripts/fit_meanfield.py",
        args.games,
        args.seed,
    )


def write_fitted(name: str, fitted: object, what: str, script: str, games: int, seed: int) -> None:
    """Write a file of data/ with its manifest; whole or not at all."""
    manifest = {
        "what": what,
        "command": f"python {script} --games {games} --seed {seed}",
        "version": lama_odds.__version__,
        "games": games,
        "seed": seed,
    }
    path = Path(__file__).resolve().parent.parent / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"manifest": manifest, "passing": fitted}, indent=1)
    # A table row a line.
    text = re.sub(r"\[\s+([-0-9.,\s]+?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
    part = path.with_suffix(".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    main()
