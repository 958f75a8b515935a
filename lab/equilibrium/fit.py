"""Fit `equilibrium`, which plays cards for two: classes of scores, self-play, its table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.equilibrium.self_play import (
    Trained,
    copied,
    moves_of,
    nothing_yet,
    rounds_of,
    train_part,
)
from lama_odds import __version__
from lama_odds.analysis.equity import left_by_two, match_equity
from lama_odds.core.policies import Policy
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import MANIFEST, POINTS_CLASS, joined
from lama_odds.games.lama.rules.ruleset import LamaRules
from tools.publishing.target import Making, Target

# Classes of scores of two players: pairs at which the results of a round are worth alike.
#
# What a round is worth by its penalties is taken from a match equity table. A zero-sum game stays
# the same if its payoffs are shifted or scaled. So two pairs of scores are alike if their payoffs
# are, apart from shift and scale (k-means; pairs that occur often and decide much count more).

STEPS = 200  # of k-means at most


class ScoreClass(NamedTuple):
    """Pairs of scores, the higher one first, and how often a round begins with each.

    sides: 2, or 1 if both scores are equal in all pairs. often: share of rounds that begin here.
    """

    pairs: np.ndarray
    visits: np.ndarray
    sides: int
    often: float


def seen_in_games(
    rules: LamaRules, policy: Policy, rounds: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often rounds of a game begin with each two scores, and results at the first.

    The first score is the starter's. The results are int64[…, …], by both penalties. rounds: from
    each two scores, played by this policy in both seats.
    """
    target = rules.target
    size = target * target
    follows = np.zeros((size, size))
    results = np.zeros((0, 0), dtype=np.int64)
    for mine in range(target):
        at = mine * target * rounds
        left = left_by_two(GAME, rules, [policy] * 2, mine, rounds, seed, at)
        if mine == 0:
            results = left[0].sum(axis=2)
        for other in range(target):
            going_on = left[other, :target, :target] / rounds
            row = follows[mine * target + other]
            row += going_on[:, :, 0].reshape(-1)
            row += going_on[:, :, 1].T.reshape(-1)
    first = np.zeros(size)
    first[0] = 1.0
    visits = np.linalg.solve(np.eye(size) - follows.T, first)
    return visits.reshape(target, target), results


def worth_of(equities: np.ndarray, highest: int) -> np.ndarray:
    """Return float64[highest, highest]: the chance to win of the next starter, if any.

    equities: float64[target, target].
    """
    target = len(equities)
    mine, other = np.indices((highest, highest))
    worth = np.where(mine < other, 1.0, np.where(mine == other, 0.5, 0.0))
    worth[:target, :target] = equities
    return worth


def payoffs_at(
    rules: LamaRules, worth: np.ndarray, penalties: np.ndarray, mine: int, other: int
) -> np.ndarray:
    """Return float64[results]: what each result is worth to a player with the first score.

    penalties: int64[results, 2], 0 if that player has gone out.
    """
    after = [
        score - rules.token(score) * (column == 0) + column
        for score, column in zip((mine, other), penalties.T, strict=True)
    ]
    payoffs: np.ndarray = (worth[after[0], after[1]] + 1.0 - worth[after[1], after[0]]) / 2
    return payoffs


def clustered(points: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Return int64[n], the cluster of each point (k-means, begun with points far apart)."""
    nearest = np.full(len(points), np.inf)
    centres = [points[int(np.argmax(weights))]]
    for _ in range(count - 1):
        nearest = np.minimum(nearest, ((points - centres[-1]) ** 2).sum(axis=1))
        centres.append(points[int(np.argmax(nearest * weights))])
    middle = np.array(centres)
    clusters = np.zeros(len(points), dtype=np.int64)
    for step in range(STEPS):
        away = ((points[:, None] - middle[None]) ** 2).sum(axis=2)
        before, clusters = clusters, np.argmin(away, axis=1)
        if step and np.array_equal(before, clusters):
            break
        for number in range(count):
            inside = clusters == number
            if inside.any():
                middle[number] = np.average(points[inside], axis=0, weights=weights[inside])
    return clusters


def score_classes(
    rules: LamaRules, worth: np.ndarray, visits: np.ndarray, results: np.ndarray,
    unequal: int, equal: int,
) -> list[ScoreClass]:  # fmt: skip
    """Return classes of all pairs of scores, those of unequal scores first.

    visits, results: see `seen_in_games`. unequal, equal: the number of classes.
    """
    results = results + results.T
    penalties = np.argwhere(results)
    often = np.sqrt(results[tuple(penalties.T)] / results.sum())
    classes = []
    for count, sides in ((unequal, 2), (equal, 1)):
        pairs = np.array(
            [
                (mine, other)
                for mine in range(rules.target)
                for other in range(mine + 1)
                if (mine == other) == (sides == 1)
            ]
        )
        seen = np.array([visits[a, b] + visits[b, a] for a, b in pairs]) + 1e-6
        payoffs = np.array([payoffs_at(rules, worth, penalties, a, b) for a, b in pairs])
        payoffs -= (payoffs @ often**2)[:, None]
        spread = np.sqrt(payoffs**2 @ often**2)
        points = payoffs / np.maximum(spread, 1e-9)[:, None] * often
        inside = clustered(points, seen * spread, count)
        for number in range(count):
            here = inside == number
            if here.any():  # equal scores were counted twice
                share = float(seen[here].sum() / visits.sum()) * sides / 2
                classes.append(ScoreClass(pairs[here], seen[here], sides, share))
    return classes


# Train `equilibrium`, which plays cards for two: counterfactual regrets of self-play.
#
# What a round is worth comes from the match equity table of a `meanfield`. Scores at which it is
# worth alike are put into classes (see `score_classes`). At first one table is trained for all
# scores together. From there each class is trained as a game of its own. So classes are trained
# side by side, and a stopped run resumes after those that are done. Of the average strategy, the
# most frequent move of each situation is shipped.

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
    for class_ in score_classes(rules, worth, visits, results, *counts):
        yield class_, worth


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
        rounds, table = rounds_of(rules, worth, all_.pairs, all_.visits), nothing_yet(1)
        for part in range(making["parts"]):
            table = train_part(rounds, table, 1, making["seed"], part, making["first_games"])
        partial_path = folder / "partial.npz"
        np.savez(partial_path, regrets=table.regrets, totals=table.totals)
        os.replace(partial_path, path)
        making.tell(f"{rules.id}: all scores together, {table.visited:,} decisions")
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
    table = copied(start, class_.sides, share)
    for part in range(making["parts"]):
        seed = making["seed"] + 1 + number
        table = train_part(rounds, table, class_.sides, seed, part, games)
    moves = moves_of(table, class_.sides)
    partial_path = folder / f"partial{number:02}.npy"
    np.save(partial_path, moves)
    os.replace(partial_path, path)
    making.tell(f"{rules.id}: class {number}, {table.visited:,} decisions")
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
