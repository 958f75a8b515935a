"""Which sections a report has, each with the inputs that it depends on and how it is made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.coach.drills import DRILLS
from lama_odds.analysis.coach.grades import RATINGS
from lama_odds.analysis.strategy_report.by_game import own
from lama_odds.analysis.strategy_report.by_game.own import Made, Make
from lama_odds.analysis.strategy_report.document import HOOK, PLAYED, RULE, Ask
from lama_odds.analysis.strategy_report.sections import exact, games, rounds, story, variants
from lama_odds.analysis.thresholds.thresholds import BAND
from lama_odds.core.reading import MOST_BYTES, read_bytes

PACKAGE = Path(lama_odds.__file__).resolve().parent
# What answers are made of; the layers above only show them.
SOURCES = ("core", "jit", "luck", "games", "simulation", "statistics", "analysis")
DATA = (".json", ".npy")
FOR_COACH = (RATINGS, DRILLS)  # which only reviews and training use


@dataclass(frozen=True)
class Planned:
    """A section to be made. weight: its part of the time, roughly."""

    name: str
    inputs: str
    weight: float
    make: Make


def planned(ask: Ask) -> list[Planned]:
    """The sections of a rule set, in the order of the page."""
    found: list[Made] = [
        (HOOK, 0.2, lambda tell: story.hook_section(ask)),
        (RULE, 0.1, lambda tell: story.rule_section(ask)),
        (PLAYED, 0.1, lambda tell: story.played_section(ask)),
    ]
    if _has_game_forks(ask):
        found.append(("thresholds_win", 6.0, lambda tell: rounds.win_section(ask, tell)))
    if _has_forks(ask):
        found.append(("thresholds", 5.0, lambda tell: rounds.thresholds_section(ask, tell)))
    tables = {table.name: table for table in ask.game.exact_tables(ask.rules, ask.players)}
    found += own.of_hands(ask)
    if "last_player" in tables:
        rows = tables["last_player"]
        found.append(("last_player", 0.2, lambda tell: exact.last_player_section(rows)))
    found += own.of_turns(ask, tables)
    found += own.of_the_game(ask)
    found += [
        ("costs", 4.0, lambda tell: games.costs_section(ask, tell)),
        ("seats", 2.0, lambda tell: games.seats_section(ask, tell)),
        ("league", 5.0, lambda tell: games.league_section(ask, tell)),
    ]
    if len(variants.variants_of(ask)) > 1:
        found.append(("variants", 3.0, lambda tell: variants.variants_section(ask, tell)))
    found += own.of_pairings(ask)
    if not ask.game.no_deal:
        found.append(("deal", 0.2, lambda tell: exact.deal_section(ask)))
    return [Planned(name, inputs_of(ask, name), weight, make) for name, weight, make in found]


def _has_forks(ask: Ask) -> bool:
    policy = ask.game.best_policy(ask.rules, ask.players, "points")
    chances = np.ones(ask.game.most_points(ask.rules) + 1, dtype=np.int64)
    return ask.game.forks(ask.rules, [policy] * ask.players, chances) is not None


def _has_game_forks(ask: Ask) -> bool:
    policies = [ask.game.best_policy(ask.rules, ask.players)] * ask.players
    return ask.game.game_forks(ask.rules, policies, None, BAND) is not None


def inputs_of(ask: Ask, name: str) -> str:
    """A hash of all that a section depends on: the question, and the code that answers it."""
    if name == HOOK:  # shipped positions are not part of the code
        name = f"{name} {story.shipped(ask)}"
    best = [ask.game.best_policy(ask.rules, ask.players, o).name for o in ("win", "points")]
    asked: dict[str, Any] = {
        "section": name,
        "rules": ask.rules.id,
        "players": ask.players,
        "precision": ask.budget.precision,
        "seed": ask.seed,
        "best": best,
        "code": code_hash(),
    }
    return hash_of_inputs(asked)


def hash_of_inputs(asked: dict[str, Any]) -> str:
    """A hash of plain values by name."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@cache
def code_hash() -> str:
    """A hash of the package's code below the reports, and of its data but what is for the coach."""
    digest = hashlib.sha256(lama_odds.__version__.encode())
    files = [path for layer in SOURCES for path in (PACKAGE / layer).rglob("*.py")]
    for folder in (PACKAGE / "data", PACKAGE.parent / "data"):
        if (folder / "best.json").is_file():
            found = (path for path in folder.rglob("*") if path.suffix in DATA)
            files += [path for path in found if path.name not in FOR_COACH]
            break
    for path in sorted(files, key=lambda path: path.as_posix()):
        digest.update(path.name.encode() + b"\0" + read_bytes(path, MOST_BYTES))
    return digest.hexdigest()
