"""Solve the match equity tables of two players of the best tuned policy in data/best.json.

`--set only=lama/egmont` solves one and leaves the others unchanged.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.analysis.equity import match_equity
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.games.interface.best import OTHERWISE, best_of
from lama_odds.games.registry import game_of
from tools.publishing.target import TUNED, Making, Target

FOLDER = "data/equity/"
RULES = ("lama/egmont", "lama/amigo", "lama/party", "dice/amigo", "dice/gigamic", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once


def solved(making: Making, text: str, policy: Policy, folder: str, more: int = 1) -> dict[str, Any]:
    """Solve and write the table of a policy; return what is known of it.

    more: times the rounds of the option.
    """
    game: Any = game_of(text)
    table = match_equity(game, game.rules(text), policy, more * making["rounds"], making["seed"])
    name = text.replace("/", "-") + ".npy"
    digest = making.write_array(folder + name, np.stack([table.values, table.stderr]))
    entry = {
        "policy": table.policy,
        "file": name,
        "rounds": table.rounds,
        "seed": table.seed,
        "largest stderr": float(f"{table.stderr.max():.2g}"),
        "sha256": digest,
    }
    making.tell(f"{text}: {entry}")
    return entry


def write_manifest(making: Making, folder: str, tables: dict[str, Any]) -> None:
    """Write what is known of all tables."""
    manifest = {
        "what": "chance to win a two-player game for the player who starts the next round, by the "
        "own and the other's score, ties shared. Both play `policy`. float64[2, target, "
        "target], values and standard errors. rounds: number played from each two scores",
        "command": making.command,
        "version": __version__,
        "tables": tables,
    }
    making.write(folder + "manifest.json", json.dumps(manifest, indent=1) + "\n")


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    tables: dict[str, Any] = {}
    before = data_json("equity/manifest.json")["tables"]
    for text in RULES:
        if not text.startswith(making["only"]):
            tables[text] = before[text]
            continue
        if text in ALIKE:
            tables[text] = tables[ALIKE[text]]
            continue
        game: Any = game_of(text)
        policy = best_of(game.name, game.rules(text).edition, 2, OTHERWISE, game.families)
        tables[text] = solved(making, text, policy, FOLDER)
    write_manifest(making, FOLDER, tables)


TARGET = Target(
    name="equity-tables",
    what="chance to win a two-player game from any scores, if both play the best tuned policy",
    make=make,
    writes=(FOLDER,),
    reads=TUNED,
    options={"rounds": 100_000, "seed": 1, "only": ""},
    quick={"rounds": 64},
)
