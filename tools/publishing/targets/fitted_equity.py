"""Solve the match equity tables of two players of a policy that was fitted or trained.

`--set only=dice/egmont` solves one and leaves the others unchanged.
"""

from __future__ import annotations

from typing import Any

from lab.equity.solve_two import solved, write_manifest
from lama_odds.core.reading import data_json
from lama_odds.games.registry import game_of
from tools.publishing.target import Making, Target

FOLDER = "data/fitted_equity/"
# Policies, and how many times the rounds of the option are played: `copy` takes longer.
POLICIES = {
    "lama/egmont": ("equilibrium", 5),
    "lama/amigo": ("equilibrium", 5),
    "dice/amigo": ("copy", 1),
    "dice/egmont": ("copy", 1),
}
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    tables: dict[str, Any] = {}
    before = data_json(f"{FOLDER.removeprefix('data/')}manifest.json")["tables"]
    for text, (name, more) in POLICIES.items():
        if text.startswith(making["only"]):
            tables[text] = solved(making, text, game_of(text).policy(name), FOLDER, more)
        else:
            tables[text] = before[text]
    tables.update({text: tables[other] for text, other in ALIKE.items()})
    write_manifest(making, FOLDER, tables)


TARGET = Target(
    name="fitted-equity",
    what="chance to win a two-player game from any scores, if both play `copy` or `equilibrium`",
    make=make,
    writes=(FOLDER,),
    reads=("data/copy/", "data/best_play/", "data/equilibrium/"),
    options={"rounds": 20_000, "seed": 1, "only": ""},
    quick={"rounds": 64},
)
