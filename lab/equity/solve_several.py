"""Solve the match equity tables of three to six players of the best tuned policies.

`--set only=lama/amigo players=34` solves those of three and four players there, and leaves the
others unchanged. With `fit=0` only the errors of tables are measured again. What was finished
before it was stopped is not made again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lab.equity.several import (
    Effort,
    after_a_round,
    before,
    harville,
    pairs_of_scores,
    random_scores,
    solved_table,
    won_from,
)
from lama_odds import __version__
from lama_odds.core.policies import Policy
from lama_odds.games.interface.best import OTHERWISE, best_of
from lama_odds.games.interface.match_equity import (
    PLAYERS,
    TUNED,
    SeveralEquity,
    chances_of,
    manifest,
    packed,
    read_several,
)
from lama_odds.games.registry import game_of
from tools.publishing.target import TUNED as READS
from tools.publishing.target import Making, Target, Value

RULES = ("dice/amigo", "lama/amigo", "dice/egmont", "lama/egmont", "lama/party")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once
CHECKED_PAIRS = 100  # of random scores at which a table is checked
# Epochs of the fit to whole games, and of those to rounds.
FIRST, THEN = 6, (6, 6, 24)
OTHER_SEED = 10_007  # added to the seed for that


def tuned(text: str, players: int) -> Policy:
    """The best tuned policy."""
    game: Any = game_of(text)
    return best_of(game.name, text.partition("/")[2], players, OTHERWISE, game.families)


def solve(making: Making, folder: str, text: str, players: int, policy: Policy) -> dict[str, Any]:
    """Solve, check and write a table; return what is known of it."""
    game: Any = game_of(text)
    rules = game.rules(text)
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
        "sha256": making.write_array(f"data/{folder}/{name}", packed(table)),
    }


def checked(making: Making, text: str, table: SeveralEquity) -> dict[str, Any]:
    """How far the table is off, and how far Harville's fitted chances are."""
    game: Any = game_of(text)
    rules = game.rules(text)
    policy = game.policy(table.policy)
    seed, players = making["seed"] + OTHER_SEED, table.players
    starts = pairs_of_scores(rules.target, players, CHECKED_PAIRS, seed)
    games = max(2, making["checked"] // len(starts))
    setup = (game, rules, policy)
    won = won_from(*setup, starts, games, seed, making.threads)
    at_once = before(chances_of(table, starts), won).off
    after = after_a_round(*setup, table, starts, games, seed, making.threads)
    fitted = random_scores(rules.target, players, making["scores"], making["seed"])
    plain = harville(fitted, chances_of(table, fitted), rules.target)(starts)
    errors = {
        "stderr": at_once.most,
        "after": after.off.most,
        "apart": after.of_differences.most,
        "estimated stderr": at_once.rms,
        "estimated after": after.off.rms,
        "estimated apart": after.of_differences.rms,
        "harville stderr": before(plain, won).off.rms,
    }
    return {
        **{name: float(f"{value:.2g}") for name, value in errors.items()},
        "checked": {"scores": len(starts), "games": len(starts) * games, "seed": seed},
    }


def make(making: Making) -> None:
    """Solve all of tuned policies."""
    make_tables(making, TUNED, RULES, tuned, ALIKE)


def make_tables(
    making: Making,
    folder: str,
    rule_sets: Sequence[str],
    policy_of: Callable[[str, int], Policy],
    alike: Mapping[str, str],
) -> None:
    """Solve tables of policies and write them to a folder of data, with a manifest.

    alike: rule sets that play as another does.
    """
    known = manifest(folder)["tables"]
    tables: dict[str, dict[str, Any]] = {text: dict(known.get(text, {})) for text in rule_sets}
    for players in PLAYERS:
        for text in rule_sets:
            if not text.startswith(making["only"]) or str(players) not in str(making["players"]):
                continue
            kept = making.work / f"{text.replace('/', '-')}-{players}.json"
            if not kept.exists():
                if making["fit"]:
                    entry = solve(making, folder, text, players, policy_of(text, players))
                else:
                    entry = tables[text][str(players)]
                    entry = {**entry, **checked(making, text, read_several(folder, entry))}
                making.tell(f"{text}, {players} players: {entry}")
                kept.write_text(json.dumps(entry), encoding="utf-8")
            tables[text][str(players)] = json.loads(kept.read_text(encoding="utf-8"))
    tables.update({text: tables[other] for text, other in alike.items()})
    write_manifest(making, folder, tables)


def write_manifest(making: Making, folder: str, tables: dict[str, dict[str, Any]]) -> None:
    """Write what is known of all tables."""
    content = {
        "what": "chance to win by the scores, for three to six players who all play "
        "`policy`. int16: a network of the scores, as games/interface/match_equity has it. "
        "rounds: number that it was fitted to. stderr: how far a chance at random scores is off, "
        "as a standard deviation, at most (95 %), from whole games of another seed. after: the "
        "same of the mean chance after a round. apart: the same of differences between two such "
        "means, at scores that are near each other. harville: of Harville's chances with fitted "
        "strengths",
        "command": making.command,
        "version": __version__,
        "tables": {text: dict(sorted(facts.items())) for text, facts in tables.items() if facts},
    }
    making.write(f"data/{folder}/manifest.json", json.dumps(content, indent=1) + "\n")


OPTIONS: dict[str, Value] = {
    **{"scores": 200_000, "games": 2, "rounds": 60, "units": 64, "checked": 1_600_000},
    **{"seed": 1, "fit": 1, "only": "", "players": "3456"},
}
QUICK: dict[str, Value] = {
    "scores": 1_000,
    "rounds": 4,
    "units": 8,
    "checked": 1_000,
    "players": "3",
}
TARGET = Target(
    name="several-equity",
    what="chance of three to six players to win from any scores, if all play the best tuned policy",
    make=make,
    writes=(f"data/{TUNED}/",),
    reads=READS,
    options=OPTIONS,
    quick=QUICK,
    deep=True,
)
