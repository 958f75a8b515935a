"""Measure what happens between two turns of a seat if all play `meanfield` (dice)."""

from __future__ import annotations

import json
import re

import numpy as np

import lama_odds
from lama_odds.games.dice.engine import kernels, round_loop
from lama_odds.games.dice.policies import MEANFIELD, PARAMETERS, tables_of, values_table
from lama_odds.games.dice.rules.ruleset import EDITIONS, DiceRules, parse_rules
from tools.publishing.target import Making, Target

# The file of what was fitted: a manifest, and tables with a row a line.


def write_fitted(making: Making, name: str, fitted: object, what: str) -> None:
    """Write a file of data/ with its manifest."""
    manifest = {
        "what": what,
        "command": making.command,
        "version": lama_odds.__version__,
        "games": making["games"],
        "seed": making["seed"],
    }
    text = json.dumps({"manifest": manifest, "passing": fitted}, indent=1)
    text = re.sub(r"\[\s+([-0-9.,\s]+?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
    making.write(f"data/{name}", text + "\n")


# Measure what happens between two turns of a seat when everybody plays `meanfield`.
#
# Starts from a guess, plays, measures, solves `meanfield` again with what was measured, and so on
# until it no longer moves.

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
    values = values_table(rules, passing)
    tables = tables_of(rules, (), log=log)._replace(values=values)
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
    shares: np.ndarray = counts / counts.sum(axis=1, keepdims=True)
    return shares


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
    average: np.ndarray = np.mean(kept, axis=0)
    return average


def make(making: Making) -> None:
    """Fit all editions and write the file."""
    fitted: dict[str, dict[str, list[list[float]]]] = {}
    for edition in EDITIONS:
        rules = parse_rules(f"dice/{edition}")
        for players in rules.players:
            table = fit(rules, players, making["seed"], making["games"])
            fitted.setdefault(edition, {})[str(players)] = np.round(table, 4).tolist()
            making.tell(f"{edition}, {players} players")
    write_fitted(
        making,
        PARAMETERS,
        fitted,
        "how often, between two turns of a seat with k others in (row), 0, 1, … others "
        "are in at the next (columns), or the round has ended (last column)",
    )


TARGET = Target(
    name="meanfield-dice",
    what="what happens between two turns of a seat: tables of meanfield of dice",
    make=make,
    writes=(f"data/{PARAMETERS}",),
    options={"games": 10_000, "seed": 1},
    quick={"games": 20},
    deep=True,
)
