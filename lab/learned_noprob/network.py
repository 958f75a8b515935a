"""Teach `learned` of No Prob-Lama the network that corrects its chances, by trials.

It begins with the weights that `fit` found, which go on learning.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from lab.learned_noprob.fit import FOLDER, for_all, name_of
from lab.learned_noprob.sharpen import sharpened, shifts_among_itself
from lab.learned_noprob.trials import RULES, first_net
from lama_odds import __version__
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import MANIFEST, Weights, joined, split
from tools.publishing.target import Making, Target

ROOT = Path(__file__).parents[2]
# How far steps go in the first lesson: of what was fitted, and of the network (see `trials.RATES`).
RATE, OF_NET = 0.15, 0.02


def make(making: Making) -> None:
    """Let trials teach the network, and the rest go on learning; write all."""
    rules = GAME.rules(RULES)

    def found(seats: int) -> Weights:
        begun = split(np.load(ROOT / FOLDER / name_of(seats)))._replace(net=first_net(seats))
        return sharpened(making, rules, seats, begun, RATE, OF_NET)

    tables = {}
    for seats, weights in for_all(making, found).items():
        digest = making.write_array(f"data/learned/{name_of(seats)}", joined(weights))
        shifts = shifts_among_itself(rules, seats, weights, making["seed"], making["trials"])
        tables[str(seats)] = {"file": name_of(seats), "sha256": digest, "shifts": shifts}
    manifest = {
        "what": "weights of `learned` for each number of players and each stage. First what each "
        "kind of line adds to totals at the end, of the own grid and of others. Then how unseen "
        "cards count, and slope and height of the chance to win by the foretold lead. After all "
        "stages a network that corrects the logarithm of its odds. shifts: what to add to it "
        "among players who all have these weights, by own cards face down after the turn",
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
    reads=(FOLDER,),
    options={"trials": 300_000, "lessons": 30, "seed": 2},
    quick={"trials": 10_000, "lessons": 2},
    deep=True,
)
