"""Fit `learned`, which plays No Prob-Lama: rounds that it plays teach it, again and again.

At first it watches `planner`. Then it plays rounds against itself, and against `planner` in either
seat. Sums of earlier steps count less with every step.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lama_odds import __version__
from lama_odds.games.noprob.engine.foretelling import STAGES, line_kinds
from lama_odds.games.noprob.engine.learning import COLUMNS, OWN, THEIRS, add_up, collect
from lama_odds.games.noprob.engine.policy_kernels import FAMILY, LEARNED
from lama_odds.games.noprob.engine.tables import PlayTables
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.policies.learned import (
    MANIFEST,
    Weights,
    expanded,
    joined,
    split,
)
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from tools.fit.learned_weights import chances_of, start_of, traits, weights_of
from tools.publishing.target import Making, Target

RULES = "noprob/starnberger"
PLANNER = "planner:chase=40,lead=6,deny=18,haste=6"
SEATS = 2
KEPT = 0.5  # how much of the sums of earlier steps counts
PER_ROUND = 140  # rows for which there is room; rounds beyond it are left out
SECOND = 1 << 20  # number of the first round that chances are fitted to
# In which seats `learned` plays and learns, and the share of the rounds.
TABLES = (((1, 1), 0.5), ((1, 0), 0.25), ((0, 1), 0.25))


class Sums(NamedTuple):
    """What weights are fitted to, see `learning.add_up`."""

    gram: np.ndarray
    right: np.ndarray


class Rounds(NamedTuple):
    """What was seen in rounds, see `learning.collect`."""

    found: np.ndarray
    numbers: np.ndarray
    leads: np.ndarray


def watched(
    rules: NoprobRules, tables: PlayTables, judged: PlayTables, at: tuple[int, int], rounds: int,
    learned: bool,
) -> Rounds:  # fmt: skip
    """Play rounds. at: seed and first round. learned: whether it plays, or is to learn first."""
    parts = []
    for number, (plays, share) in enumerate(TABLES):
        if not learned and number:
            break
        rows = policy_rows([GAME.policy(PLANNER)] * SEATS)
        if learned:
            rows[np.array(plays) == 1, FAMILY] = LEARNED
        count = int(rounds * share) if learned else rounds
        room = PER_ROUND * count + 4_000
        part = Rounds(
            np.empty((room, COLUMNS), np.int16),
            np.empty((room, 2), np.float32),
            np.empty((room, 3), np.float32),
        )
        seed, first = at
        found, led, _ = collect(
            rules.columns, rows, tables, judged, seed + number, first, count,
            np.array(plays, dtype=np.bool_), *part,
        )  # fmt: skip
        parts.append(Rounds(part.found[:found], part.numbers[:found], part.leads[:led]))
    return Rounds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def step(
    rules: NoprobRules, known: Weights | None, sums: Sums, seed: int, rounds: int
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
    base = tables_of(rules, [GAME.policy(PLANNER)] * SEATS)
    tables = base._replace(learned=expanded(known, rules))
    seen = watched(rules, tables, tables, (seed, 0), rounds, plays)
    gram, right = sums
    gram *= KEPT
    right *= KEPT
    order = np.lexsort((seen.found[:, 1], seen.found[:, 0]))
    add_up(seen.found, seen.numbers, order, line_kinds(), gram, right)
    own, of_own = weights_of(gram[OWN], right[OWN], traits_, start)
    theirs, of_theirs = weights_of(gram[THEIRS], right[THEIRS], traits_, start)
    found = known._replace(own=own, theirs=theirs, share=np.array([of_own, of_theirs]))
    judged = base._replace(learned=expanded(found, rules))
    leads = watched(rules, tables, judged, (seed, SECOND), rounds // 3, plays).leads
    return found._replace(chance=chances_of(leads)), Sums(gram, right)


def fitted(making: Making, rules: NoprobRules) -> Weights:
    """Return the weights after all steps; what a stopped run has kept is not done again."""
    features = len(traits()) + 2
    sums = Sums(np.zeros((2, STAGES, features, features)), np.zeros((2, STAGES, features)))
    known: Weights | None = None
    done = 0
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / "steps.npz"
    if path.exists():
        with np.load(path) as kept:
            done, known = int(kept["done"]), split(kept["weights"])
            sums.gram.flat[kept["at"]] = kept["gram"]
            sums.right[:] = kept["right"]
    for number in range(done, making["steps"]):
        found, sums = step(rules, known, sums, making["seed"] + 10 * number, making["rounds"])
        known = split(joined(found))  # as it will be shipped, and as a stopped run finds it
        _keep(path, number + 1, joined(known), sums)
        making.tell(f"step {number + 1} of {making['steps']}")
    assert known is not None
    return known


def _keep(path: Path, done: int, weights: np.ndarray, sums: Sums) -> None:
    """Write what is done, whole or not at all; most sums are of lines that never came together."""
    partial = path.with_name("partial.npz")
    at = np.flatnonzero(sums.gram)
    gram = sums.gram.flat[at]
    np.savez(partial, done=np.array(done), weights=weights, at=at, gram=gram, right=sums.right)
    os.replace(partial, path)


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    digest = making.write_array("data/learned/noprob.npy", joined(fitted(making, rules)))
    manifest = {
        "what": "weights of `learned` for each stage. First what each kind of line adds to totals "
        "at the end, of the own grid and of others. Then how unseen cards count, and slope and "
        "height of the chance to win by the foretold lead",
        "command": making.command,
        "version": __version__,
        **{name: making[name] for name in ("rounds", "steps", "seed")},
        "rules": RULES,
        "players": SEATS,
        "file": "noprob.npy",
        "sha256": digest,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest) + "\n")


TARGET = Target(
    name="learned",
    what="the weights of `learned`, which plays No Prob-Lama",
    make=make,
    writes=("data/learned/",),
    options={"rounds": 80_000, "steps": 16, "seed": 1},
    quick={"rounds": 3_000, "steps": 2},
    deep=True,
)
