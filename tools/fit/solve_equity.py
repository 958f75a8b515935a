"""Solve the match equity tables of two players of `best`.

`--set only=lama/egmont` solves one and leaves the others unchanged.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.analysis.equity import match_equity
from lama_odds.core.data import data_json
from lama_odds.games.interface.match_equity import MANIFEST
from lama_odds.games.registry import game_of
from tools.publishing.target import POLICIES, Making, Target

FOLDER = "data/equity/"
RULES = ("lama/egmont", "lama/amigo", "lama/party", "dice/amigo", "dice/gigamic", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    rounds, seed = making["rounds"], making["seed"]
    tables: dict[str, Any] = {}
    before = data_json(MANIFEST)["tables"]
    for text in RULES:
        if not text.startswith(making["only"]):
            tables[text] = before[text]
            continue
        if text in ALIKE:
            tables[text] = tables[ALIKE[text]]
            continue
        game: Any = game_of(text)
        rules = game.rules(text)
        found = match_equity(game, rules, game.best_policy(rules, 2), rounds, seed)
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(FOLDER + name, np.stack([found.values, found.stderr]))
        tables[text] = {
            "policy": found.policy,
            "file": name,
            "rounds": found.rounds,
            "seed": found.seed,
            "largest stderr": float(f"{found.stderr.max():.2g}"),
            "sha256": digest,
        }
        making.tell(f"{text}: {tables[text]}")
    manifest = {
        "what": "chance to win a two-player game for the player who starts the next round, by the "
        "own and the other's score, ties shared. Both play `policy`. float64[2, target, "
        "target], values and standard errors. rounds: number played from each two scores",
        "command": making.command,
        "version": __version__,
        "tables": tables,
    }
    making.write(FOLDER + "manifest.json", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="equity-tables",
    what="chance to win a two-player game from any scores, if both play best",
    make=make,
    writes=(FOLDER,),
    reads=POLICIES,
    options={"rounds": 100_000, "seed": 1, "only": ""},
    quick={"rounds": 64},
)
