"""Solve the match equity tables of three to six players of the best policies in data/best.json.

`--set only=lama/amigo players=34` solves those of three and four players there, and leaves the
others unchanged. With `fit=0` only the errors of tables are measured again. What was finished
before it was stopped is not made again.
"""

from __future__ import annotations

import json
from typing import Any

from lama_odds import __version__
from lama_odds.analysis.several_equity.checked import after_a_round, before, pairs_of_scores
from lama_odds.analysis.several_equity.harville import harville
from lama_odds.analysis.several_equity.solve import Effort, solved_table
from lama_odds.analysis.several_equity.whole_games import random_scores, won_from
from lama_odds.games.interface.several_equity import (
    PLAYERS,
    SeveralEquity,
    chances_of,
    manifest,
    packed,
    read_several,
)
from lama_odds.games.registry import game_of
from tools.publishing.target import TUNED, Making, Target

FOLDER = "data/several_equity/"
RULES = ("dice/amigo", "lama/amigo", "dice/egmont", "lama/egmont", "lama/party")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once
CHECKED_PAIRS = 100  # of random scores at which a table is checked
# Epochs of the fit to whole games, and of those to rounds.
FIRST, THEN = 6, (6, 6, 24)
OTHER_SEED = 10_007  # added to the seed for that


def solve(making: Making, text: str, players: int) -> dict[str, Any]:
    """Solve, check and write a table; return what is known of it."""
    game: Any = game_of(text)
    rules = game.rules(text)
    policy = game.best_policy(rules, players)
    effort = Effort(
        making["scores"], making["games"], making["rounds"], making["units"], FIRST, THEN
    )
    table = solved_table(game, rules, policy, players, effort, making["seed"], making.threads)
    name = f"{text.replace('/', '-')}-{players}.npy"
    return {
        "policy": policy.name,
        "players": players,
        "target": rules.target,
        "file": name,
        "units": len(table.weights),
        "whole": table.whole,
        "rounds": table.rounds,
        "seed": table.seed,
        **checked(making, text, table),
        "sha256": making.write_array(FOLDER + name, packed(table)),
    }


def checked(making: Making, text: str, table: SeveralEquity) -> dict[str, Any]:
    """How far the table is off, and how far Harville's fitted chances are."""
    game: Any = game_of(text)
    rules = game.rules(text)
    policy = game.best_policy(rules, table.players)
    seed, players = making["seed"] + OTHER_SEED, table.players
    starts = pairs_of_scores(rules.target, players, CHECKED_PAIRS, seed)
    games = max(2, making["checked"] // len(starts))
    asked = (game, rules, policy)
    won = won_from(*asked, starts, games, seed, making.threads)
    at_once = before(chances_of(table, starts), won).off
    after = after_a_round(*asked, table, starts, games, seed, making.threads)
    fitted = random_scores(rules.target, players, making["scores"], making["seed"])
    plain = harville(fitted, chances_of(table, fitted), rules.target)(starts)
    found = {
        "stderr": at_once.most,
        "after": after.off.most,
        "apart": after.of_differences.most,
        "estimated stderr": at_once.rms,
        "estimated after": after.off.rms,
        "estimated apart": after.of_differences.rms,
        "harville stderr": before(plain, won).off.rms,
    }
    return {
        **{name: float(f"{value:.2g}") for name, value in found.items()},
        "checked": {"scores": len(starts), "games": len(starts) * games, "seed": seed},
    }


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    before = manifest()["tables"]
    tables: dict[str, dict[str, Any]] = {text: dict(before.get(text, {})) for text in RULES}
    for players in PLAYERS:
        for text in RULES:
            if not text.startswith(making["only"]) or str(players) not in str(making["players"]):
                continue
            kept = making.work / f"{text.replace('/', '-')}-{players}.json"
            if not kept.exists():
                if making["fit"]:
                    entry = solve(making, text, players)
                else:
                    entry = tables[text][str(players)]
                    entry = {**entry, **checked(making, text, read_several(entry))}
                making.tell(f"{text}, {players} players: {entry}")
                kept.write_text(json.dumps(entry), encoding="utf-8")
            tables[text][str(players)] = json.loads(kept.read_text(encoding="utf-8"))
            write_manifest(making, tables)


def write_manifest(making: Making, tables: dict[str, dict[str, Any]]) -> None:
    """Write what is known of all tables."""
    for text, other in ALIKE.items():
        tables[text] = tables[other]
    found = {
        "what": "chance to win by the scores, for three to six players who all play "
        "`policy`. int16: a network of the scores, as games/interface/score_chances has it. "
        "rounds: number that it was fitted to. stderr: how far a chance at random scores is off, "
        "as a standard deviation, at most (95 %), from whole games of another seed. after: the "
        "same of the mean chance after a round. apart: the same of differences between two such "
        "means, at scores that are near each other. harville: of Harville's chances with fitted "
        "strengths",
        "command": making.command,
        "version": __version__,
        "tables": {text: dict(sorted(each.items())) for text, each in tables.items() if each},
    }
    making.write(FOLDER + "manifest.json", json.dumps(found, indent=1) + "\n")


TARGET = Target(
    name="several-equity",
    what="chance of three to six players to win from any scores, if all play the best tuned policy",
    make=make,
    writes=(FOLDER,),
    reads=TUNED,
    options={
        **{"scores": 200_000, "games": 2, "rounds": 60, "units": 64, "checked": 1_600_000},
        **{"seed": 1, "fit": 1, "only": "", "players": "3456"},
    },
    quick={"scores": 1_000, "rounds": 4, "units": 8, "checked": 1_000, "players": "3"},
    deep=True,
)
