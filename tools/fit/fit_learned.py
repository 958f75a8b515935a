"""Fit `learned`, which plays No Prob-Lama: rounds that it plays teach it, again and again.

At first it watches `planner`. Then it plays rounds among itself, and with `planner` in one of the
seats. Sums of earlier steps count less with every step. In the end trials sharpen the weights (see
`learned_trials`). Each number of players is learned apart.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lama_odds import __version__
from lama_odds.games.noprob.engine.foretelling import STAGES, line_kinds
from lama_odds.games.noprob.engine.learning import COLUMNS, OWN, THEIRS, add_up, collect
from lama_odds.games.noprob.engine.tables import PlayTables
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.learned import (
    MANIFEST,
    SEATS,
    Weights,
    joined,
    split,
)
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from tools.fit.learned_tables import RULES, rows_of, seatings, tables_with
from tools.fit.learned_trials import sharpened
from tools.fit.learned_weights import chances_of, start_of, traits, weights_of
from tools.publishing.target import Making, Target

# How much of the sums of earlier steps counts, up to a step. At first rounds are soon out of date.
# Later the weights hardly change, and what counts is how many rounds they come from.
KEPT = ((16, 0.5), (22, 0.8))
KEPT_LAST = 0.9
# Rows of a round for which there is room, times the square of the seats: in a larger round there
# are more turns, and more is seen in each. Rounds beyond it are left out.
PER_ROUND = 35
SECOND = 1 << 20  # number of the first round that chances are fitted to


class Sums(NamedTuple):
    """What weights are fitted to, see `learning.add_up`."""

    gram: np.ndarray
    right: np.ndarray


class Rounds(NamedTuple):
    """What was seen in rounds, see `learning.collect`."""

    found: np.ndarray
    numbers: np.ndarray
    leads: np.ndarray


class Lesson(NamedTuple):
    """What rounds are played for: the number of players, the seed, and how many of two players.

    kept: how much of the sums of the steps before counts.

    Of more players there are fewer rounds: each has more turns, and more is seen in each.
    """

    seats: int
    seed: int
    of_two: int
    kept: float = KEPT[0][1]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.of_two * 4 // self.seats**2


def kept_at(number: int) -> float:
    """Return how much of the earlier sums counts in a step, the first being 0."""
    return next((kept for until, kept in KEPT if number < until), KEPT_LAST)


def watched(
    rules: NoprobRules, tables: PlayTables, judged: PlayTables, lesson: Lesson, first: int,
    rounds: int, learned: bool,
) -> Rounds:  # fmt: skip
    """Play rounds from `first` on. learned: whether it plays, or is to learn first."""
    parts = []
    for number, (plays, share) in enumerate(seatings(lesson.seats)):
        if not learned and number:
            break
        rows = rows_of(plays if learned else ~plays)
        count = int(rounds * share) if learned else rounds
        room = PER_ROUND * lesson.seats**2 * count + 4_000 * lesson.seats
        part = Rounds(
            np.empty((room, COLUMNS), np.int16),
            np.empty((room, 2), np.float32),
            np.empty((room, 3), np.float32),
        )
        found, led, _ = collect(
            rules.columns, rows, tables, judged, lesson.seed + number, first, count, plays, *part
        )
        parts.append(Rounds(part.found[:found], part.numbers[:found], part.leads[:led]))
    return Rounds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def step(
    rules: NoprobRules, known: Weights | None, sums: Sums, lesson: Lesson
) -> tuple[Weights, Sums]:
    """Return what a step teaches: weights from its rounds, chances from others like them.

    sums: of the steps before; the new ones take their place.
    """
    traits_ = traits()
    start = start_of(rules, rules.mean_card, traits_)
    if known is None:
        plain = np.tile(traits_ @ start, (STAGES, 1))
        known, plays = Weights(plain, plain, np.ones((2, STAGES)), np.zeros((STAGES, 2))), False
    else:
        plays = True
    tables = tables_with(rules, lesson.seats, known)
    seen = watched(rules, tables, tables, lesson, 0, lesson.rounds, plays)
    gram, right = sums
    gram *= lesson.kept
    right *= lesson.kept
    order = np.lexsort((seen.found[:, 1], seen.found[:, 0]))
    add_up(seen.found, seen.numbers, order, line_kinds(), gram, right)
    own, of_own = weights_of(gram[OWN], right[OWN], traits_, start)
    theirs, of_theirs = weights_of(gram[THEIRS], right[THEIRS], traits_, start)
    found = known._replace(own=own, theirs=theirs, share=np.array([of_own, of_theirs]))
    judged = tables_with(rules, lesson.seats, found)
    leads = watched(rules, tables, judged, lesson, SECOND, lesson.rounds // 3, plays).leads
    return found._replace(chance=chances_of(leads)), Sums(gram, right)


def fitted(making: Making, rules: NoprobRules, seats: int) -> Weights:
    """Return the weights for a number of players after all steps, before trials.

    What a stopped run has kept is not done again.
    """
    features = len(traits()) + 2
    sums = Sums(np.zeros((2, STAGES, features, features)), np.zeros((2, STAGES, features)))
    known: Weights | None = None
    done = 0
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / f"steps-{seats}.npz"
    if path.exists():
        with np.load(path) as kept:
            done, known = int(kept["done"]), split(kept["weights"])
            sums.gram.flat[kept["at"]] = kept["gram"]
            sums.right[:] = kept["right"]
    for number in range(done, making["steps"]):
        lesson = Lesson(seats, making["seed"] + 10 * number, making["rounds"], kept_at(number))
        found, sums = step(rules, known, sums, lesson)
        known = split(joined(found))  # as it will be shipped, and as a stopped run finds it
        _keep(path, number + 1, joined(known), sums)
        making.tell(f"{seats} players: step {number + 1} of {making['steps']}")
    assert known is not None
    return known


def _keep(path: Path, done: int, weights: np.ndarray, sums: Sums) -> None:
    """Write what is done, whole or not at all; most sums are of lines that never came together."""
    partial = path.with_name(f"partial-{path.name}")
    at = np.flatnonzero(sums.gram)
    gram = sums.gram.flat[at]
    np.savez(partial, done=np.array(done), weights=weights, at=at, gram=gram, right=sums.right)
    os.replace(partial, path)


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)

    def found(seats: int) -> Weights:
        return sharpened(making, rules, seats, fitted(making, rules, seats))

    with ThreadPoolExecutor(making.threads or os.cpu_count() or 1) as pool:
        longest_first = SEATS[::-1]
        weights = dict(zip(longest_first, pool.map(found, longest_first), strict=True))
    tables = {}
    for seats, part in sorted(weights.items()):
        name = f"noprob-{seats}.npy"
        digest = making.write_array(f"data/learned/{name}", joined(part))
        tables[str(seats)] = {"file": name, "sha256": digest}
    manifest = {
        "what": "weights of `learned` for each number of players and each stage. First what each "
        "kind of line adds to totals at the end, of the own grid and of others. Then how unseen "
        "cards count, and slope and height of the chance to win by the foretold lead",
        "command": making.command,
        "version": __version__,
        **making.options,
        "rules": RULES,
        "tables": tables,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest) + "\n")


TARGET = Target(
    name="learned",
    what="the weights of `learned`, which plays No Prob-Lama",
    make=make,
    writes=("data/learned/",),
    options={"rounds": 80_000, "steps": 34, "trials": 300_000, "lessons": 30, "seed": 1},
    quick={"rounds": 3_000, "steps": 2, "trials": 10_000, "lessons": 2},
    deep=True,
)
