"""Solve the match equity tables of two players of a policy that is fitted to best play."""

from __future__ import annotations

from lama_odds.games.registry import game_of
from tools.fit.solve_equity import solved, write_manifest
from tools.publishing.target import Making, Target

FOLDER = "data/fitted_equity/"
POLICIES = {"dice/amigo": "copy"}
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    tables = {
        text: solved(making, text, game_of(text).policy(name), FOLDER)
        for text, name in POLICIES.items()
    }
    tables.update({text: tables[other] for text, other in ALIKE.items()})
    write_manifest(making, FOLDER, tables)


TARGET = Target(
    name="fitted-equity",
    what="chance to win a two-player game from any scores, if both play a fitted policy",
    make=make,
    writes=(FOLDER,),
    reads=("data/copy/", "data/best_play/"),
    options={"rounds": 20_000, "seed": 1},
    quick={"rounds": 64},
)
