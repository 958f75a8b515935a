"""Train `equilibrium`, which plays cards for two: counterfactual regrets of self-play.

What a round is worth comes from the match equity table of a `meanfield`. Scores at which it is
worth alike are put into classes (see `score_classes`). At first one table is trained for all
scores together. From there each class is trained as a game of its own. So classes are trained side
by side, and a stopped run resumes after those that are done. Of the average strategy, the most
frequent move of each situation is shipped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.analysis.equity import match_equity
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import MANIFEST, POINTS_CLASS, joined
from lama_odds.games.lama.rules.ruleset import LamaRules
from tools.fit.equilibrium.score_classes import ScoreClass, score_classes, seen_in_games, worth_of
from tools.fit.equilibrium.self_play import (
    Trained,
    copied,
    moves_of,
    nothing_yet,
    rounds_of,
    train_part,
)
from tools.publishing.target import Making, Target

RULES = ("lama/egmont",)
ALIKE = {"lama/amigo": "lama/egmont"}  # one llama more, and another starter: the same moves
# Its games tell what scores are worth and how frequent they are. (Not `best`, which may be what is
# trained here.)
BEFORE = "meanfield:out=2,even=2,ahead=8,win=7,lose=3"
SEEN_ROUNDS = 500  # from each two scores
RARE, LESS = 0.05, 4  # classes in which fewer rounds begin get a fraction of the games
START = 0.1  # how much the table to begin with counts, against what a class adds to it
PER_POINT = 0.01  # what a point is worth in the class for points


def worth_of_points(highest: int) -> np.ndarray:
    """Return float64[highest, highest]: the worth if every point of the margin counts alike."""
    mine, other = np.indices((highest, highest))
    return np.asarray(0.5 + PER_POINT * (other - mine))


def classes_of(
    making: Making, rules: LamaRules, threads: int
) -> Iterator[tuple[ScoreClass, np.ndarray]]:
    """Yield each class with what its rounds are worth, the one for points first."""
    highest = rules.target + rules.most_points + 1
    start = np.zeros((1, 2), dtype=np.int64)
    yield ScoreClass(start, np.ones(1), 1, 1.0), worth_of_points(highest)
    policy = GAME.policy(BEFORE)
    seed = making["seed"]
    equities = match_equity(GAME, rules, policy, making["equity_rounds"], seed, threads).values
    worth = worth_of(equities, highest)
    visits, results = seen_in_games(rules, policy, min(SEEN_ROUNDS, making["equity_rounds"]), seed)
    counts = making["unequal"], making["equal"]
    for found in score_classes(rules, worth, visits, results, *counts):
        yield found, worth


def together(classes: list[tuple[ScoreClass, np.ndarray]]) -> ScoreClass:
    """Return all pairs of scores as one class, in order."""
    of_scores = [class_ for class_, _ in classes[POINTS_CLASS + 1 :]]
    pairs = np.concatenate([class_.pairs for class_ in of_scores])
    visits = np.concatenate([class_.visits for class_ in of_scores])
    order = np.lexsort(pairs.T)
    return ScoreClass(pairs[order], visits[order], 1, 1.0)


def begun(making: Making, rules: LamaRules, folder: Path, all_: ScoreClass, worth: Any) -> Trained:
    """Return one table for all scores together, which a stopped run has kept."""
    path = folder / "begun.npz"
    if not path.exists():
        rounds, found = rounds_of(rules, worth, all_.pairs, all_.visits), nothing_yet(1)
        for part in range(making["parts"]):
            found = train_part(rounds, found, 1, making["seed"], part, making["first_games"])
        partial_path = folder / "partial.npz"
        np.savez(partial_path, regrets=found.regrets, totals=found.totals)
        os.replace(partial_path, path)
        making.tell(f"{rules.id}: all scores together, {found.visited:,} decisions")
    with np.load(path) as kept:
        return Trained(kept["regrets"], kept["totals"], 0)


def train_class(
    making: Making, rules: LamaRules, folder: Path, start: Trained, numbered: tuple[int, Any]
) -> np.ndarray:
    """Return uint8[sides, …], the moves of a class; a stopped run has kept what is done."""
    number, (class_, worth) = numbered
    path = folder / f"{number:02}.npy"
    if path.exists():
        return np.asarray(np.load(path))
    rounds = rounds_of(rules, worth, class_.pairs, class_.visits)
    games = making["games"] * class_.sides
    if class_.often < RARE:
        games //= LESS
    # Both seats have trained the table to begin with, and those of a class with one side.
    share = START * making["games"] / making["first_games"]
    found = copied(start, class_.sides, share)
    for part in range(making["parts"]):
        seed = making["seed"] + 1 + number
        found = train_part(rounds, found, class_.sides, seed, part, games)
    moves = moves_of(found, class_.sides)
    partial_path = folder / f"partial{number:02}.npy"
    np.save(partial_path, moves)
    os.replace(partial_path, path)
    making.tell(f"{rules.id}: class {number}, {found.visited:,} decisions")
    return moves


def trained(making: Making, rules: LamaRules) -> tuple[np.ndarray, np.ndarray]:
    """Return the moves of all classes, and the class of each two scores."""
    folder = making.work / rules.id.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    threads = making.threads or os.cpu_count() or 1
    classes = list(classes_of(making, rules, threads))
    making.tell(f"{rules.id}: {len(classes)} classes of scores")
    start = begun(making, rules, folder, together(classes), classes[-1][1])
    with ThreadPoolExecutor(threads) as pool:
        moves = list(
            pool.map(partial(train_class, making, rules, folder, start), enumerate(classes))
        )
    of_scores = np.zeros((rules.target, rules.target), dtype=np.uint8)
    at = 0
    for number, (class_, _) in enumerate(classes):
        if number != POINTS_CLASS:
            for mine, other in class_.pairs:
                of_scores[mine, other] = at
                of_scores[other, mine] = at + class_.sides - 1
        at += class_.sides
    return np.concatenate(moves), of_scores


def make(making: Making) -> None:
    """Train and write."""
    entries: dict[str, Any] = {}
    for text in RULES:
        rules = GAME.rules(text)
        moves, of_scores = trained(making, rules)
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(f"data/equilibrium/{name}", joined(moves, of_scores))
        entries[text] = {"file": name, "target": rules.target, "sha256": digest}
    entries.update({text: entries[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "moves of `equilibrium`. First the class of each two scores, a byte each; then the "
        "move of each situation, four a byte: by class, top, the other's cards, and hand",
        "command": making.command,
        "version": __version__,
        **{
            name: making[name]
            for name in (
                "games",
                "first_games",
                "parts",
                "equity_rounds",
                "unequal",
                "equal",
                "seed",
            )
        },
        "rules": entries,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest) + "\n")


TARGET = Target(
    name="equilibrium",
    what="the moves of `equilibrium`, which plays cards for two",
    make=make,
    writes=("data/equilibrium/",),
    reads=("data/lama/meanfield.json",),
    options={
        "games": 200_000,
        "first_games": 600_000,
        "parts": 20,
        "equity_rounds": 5_000,
        "unequal": 8,
        "equal": 2,
        "seed": 1,
    },
    quick={
        "games": 200,
        "first_games": 200,
        "parts": 2,
        "equity_rounds": 20,
        "unequal": 2,
        "equal": 1,
    },
    deep=True,
)
