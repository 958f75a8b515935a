"""Play the scores at which rounds of games begin, for answers to positions without scores.

Whole games of the best policy are stopped after each number of rounds. All their rounds are equally
likely, and so are the players of each. `--set only=lama/amigo` plays one rule set and leaves the
others unchanged.
"""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.analysis.equity import job_from, played_blocks
from lama_odds.core.reading import data_json
from lama_odds.games.interface.match_equity import STARTING, table_for
from lama_odds.games.registry import game_of
from tools.publishing.target import EQUITY, POLICIES, Making, Target

FOLDER = "data/starting_scores/"
RULES = ("lama/egmont", "lama/amigo", "lama/party", "dice/amigo", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): played once
PLAYERS = range(2, 7)


def begun_rounds(text: str, players: int, games: int, seed: int, threads: int | None) -> np.ndarray:
    """Return int64[rounds, players], the scores before each round of these games, seat 0 first."""
    game: Any = game_of(text)
    rules = game.rules(text)
    policies = [game.best_policy(rules, players)] * players
    nothing = np.zeros((1, players), dtype=np.int64)
    starts = [np.repeat(nothing, games, axis=0)]
    for rounds in count(1):
        job = job_from(game, rules, policies, nothing, rounds)
        after = np.concatenate(
            [scores for scores, _ in played_blocks(job, seed, 0, games, threads)]
        )
        left = after[after.max(axis=1) < rules.target]
        if not len(left):
            return np.concatenate(starts)
        starts.append(left)
    raise AssertionError("games end")


def drawn(scores: np.ndarray, rows: int, seed: int) -> np.ndarray:
    """Return uint8[rows, players]: some of the rounds, each from the view of one of its players."""
    random = np.random.default_rng(seed)
    chosen = scores[random.choice(len(scores), rows, replace=False)]
    first = random.integers(scores.shape[1], size=rows)
    turns = (first[:, None] + np.arange(scores.shape[1])) % scores.shape[1]
    return np.take_along_axis(chosen, turns, axis=1).astype(np.uint8)


def make(making: Making) -> None:
    """Play all and write them with a manifest."""
    before = data_json(STARTING)["tables"] if making["only"] else {}
    tables = {text: _made(making, text) for text in RULES if text.startswith(making["only"])}
    tables = {**before, **tables}
    tables.update({text: tables[other] for text, other in ALIKE.items() if other in tables})
    manifest = {
        "what": "scores at which rounds of games begin: uint8[rows, players], of a player chosen "
        "at random and of those after it in turn order; all rows are equally likely",
        "command": making.command,
        "version": __version__,
        "tables": tables,
    }
    making.write(f"data/{STARTING}", json.dumps(manifest, indent=1) + "\n")


def _made(making: Making, text: str) -> dict[str, Any]:
    """Write the scores of a rule set; return what is known of them, by the number of players."""
    game: Any = game_of(text)
    rules = game.rules(text)
    entries = {}
    for players in PLAYERS:
        policy = game.best_policy(rules, players)
        if table_for(text, [policy] * players) is None:
            continue
        games, seed = making["games"], making["seed"]
        scores = begun_rounds(text, players, games, seed, making.threads)
        name = f"{text.replace('/', '-')}-{players}.npy"
        digest = making.write_array(FOLDER + name, drawn(scores, making["rows"], seed))
        entries[str(players)] = {
            "policy": policy.name,
            "file": name,
            "rounds": len(scores),
            "games": games,
            "seed": seed,
            "sha256": digest,
        }
    making.tell(f"{text}: {', '.join(entries)} players")
    return entries


TARGET = Target(
    name="starting-scores",
    what="scores at which rounds of games begin, for positions without scores",
    make=make,
    writes=(FOLDER,),
    reads=(*POLICIES, *EQUITY),
    options={"rows": 4_096, "games": 4_096, "seed": 1, "only": ""},
    quick={"games": 500, "rows": 256},
)
