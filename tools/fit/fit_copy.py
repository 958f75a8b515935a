"""Fit the networks of `copy` to decisions of solved rounds of two players of Lama Dice.

One network is for two players who are both in. The other is for a player alone, whose decisions are
solved too. `--set only=dice/egmont` fits one rule set and leaves the others unchanged.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.core.data import data_json
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies.copy import (
    MANIFEST,
    Weights,
    joined,
    outlook,
    shapes,
    worths,
)
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.match_equity import best_play
from tools.fit.alone_decisions import alone_decisions
from tools.fit.copy_net import (
    CHOICES,
    LOST,
    LOST_CHOICES,
    SEEN,
    SQUARED,
    STATS,
    WRONG,
    taught,
)
from tools.fit.solved_decisions import Decisions, Found, decisions
from tools.publishing.target import Making, Target

RULES = ("dice/amigo", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): fitted once
TESTED = 10  # every tenth round is left out, to see how well the rest foretells it
NETS = ("together", "alone")
PART = 50  # rounds that are kept together


def shown(stats: np.ndarray) -> dict[str, float]:
    """How well decisions are made, from the sums of `copy_net.teach`."""
    seen, choices = stats[SEEN], max(stats[CHOICES], 1.0)
    found = {
        "wrong": stats[WRONG] / seen,
        "cost": stats[LOST] / seen,
        "choices cost": stats[LOST_CHOICES] / choices,
        "points": (stats[SQUARED] / seen) ** 0.5,
    }
    return {name: float(f"{value:.3g}") for name, value in found.items()}


def gathered(making: Making, rules: DiceRules, text: str) -> tuple[Found, np.ndarray]:
    """Return decisions of all solved rounds, and the number of the round of each."""
    table = best_play(text)
    assert table is not None, "the table of best play is shipped"
    folder = making.work / text.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    threads = making.threads or os.cpu_count() or 1
    parts: list[tuple[Found, np.ndarray]] = []
    for first in range(0, making["rounds"], PART):
        path = folder / f"{first:06}.npz"
        if not path.exists():
            found = [
                (number, decisions(rules, table, making["seed"], number, threads))
                for number in range(first, min(first + PART, making["rounds"]))
            ]
            _keep(path, [(number, seen) for number, seen in found if seen is not None])
        with np.load(path) as kept:
            seen = Decisions(*(kept[name] for name in Decisions._fields))
            parts.append((Found(seen, kept["alone"]), kept["numbers"]))
        making.bar(first + PART, making["rounds"])
    return _joined([found for found, _ in parts]), np.concatenate([of for _, of in parts])


def _joined(parts: Sequence[Found]) -> Found:
    columns = zip(*(found.seen for found in parts), strict=True)
    alone = np.concatenate([found.alone for found in parts])
    return Found(Decisions(*(np.concatenate(column) for column in columns)), alone)


def _keep(path: Path, found: Sequence[tuple[int, Found]]) -> None:
    """Write a part, whole or not at all."""
    partial = path.with_name("partial.npz")
    numbers = np.concatenate([np.full(len(one.seen.hands), number) for number, one in found])
    joined = _joined([one for _, one in found])
    np.savez(partial, numbers=numbers, alone=joined.alone, **joined.seen._asdict())
    os.replace(partial, path)


def fit_net(
    making: Making, rules: DiceRules, seen: Decisions, numbers: np.ndarray, alone: bool
) -> tuple[Weights, dict[str, Any]]:
    """Return a network, and how well it does. numbers: of the rounds."""
    table = best_play(rules.id)
    assert table is not None
    found = worths(rules, table, alone)
    name = NETS[alone]
    last = np.zeros((2, STATS))

    def told(epoch: int, learned: np.ndarray, rest: np.ndarray) -> None:
        last[:] = learned, rest
        making.tell(f"{name}, {epoch}: {shown(learned)}, others {shown(rest)}")

    weights = taught(
        shapes(alone), outlook(found, alone), found, rules.penalties, seen,
        numbers % TESTED > 0, alone, making["epochs"], making["seed"], told,
    )  # fmt: skip
    facts = {"learned": shown(last[0]), "others": shown(last[1])}
    return weights, {"decisions": len(numbers), **facts}


def fit_rules(making: Making, text: str) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the weights of both networks, and how well they do."""
    rules = GAME.rules(text)
    table = best_play(text)
    assert table is not None
    found, numbers = gathered(making, rules, text)
    making.tell(f"{text}: {len(numbers):,} decisions of {making['rounds']:,} rounds")
    alone, starts = alone_decisions(rules, table, found.alone, making["seed"])
    making.tell(f"{text}: {len(starts):,} decisions of {len(found.alone):,} players alone")
    together, facts = fit_net(making, rules, found.seen, numbers, False)
    single, facts_alone = fit_net(making, rules, alone, starts, True)
    return joined((together, single)), dict(zip(NETS, (facts, facts_alone), strict=True))


def make(making: Making) -> None:
    """Fit and write."""
    entries: dict[str, Any] = {}
    for text in RULES:
        if not text.startswith(making["only"]):
            entries[text] = data_json(MANIFEST)["rules"][text]
            continue
        weights, facts = fit_rules(making, text)
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(f"data/copy/{name}", weights)
        entries[text] = {"file": name, **facts, "sha256": digest}
    entries.update({text: entries[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "weights of the networks of `copy`, fitted to decisions of solved rounds: for two "
        "players who are in, and for one alone. How well they do at decisions that taught them, "
        "and at others. wrong: share of wrong decisions to quit or roll. cost: what they cost on "
        "average, in chances to win. choices cost: the same for discards and takes. points: error "
        "of what a situation costs",
        "command": making.command,
        "version": __version__,
        **{name: making[name] for name in ("rounds", "epochs", "seed")},
        "rules": entries,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="copy",
    what="the weights of `copy`, which plays Lama Dice for two nearly as solved",
    make=make,
    writes=("data/copy/",),
    reads=("data/dice/", "data/best_play/"),
    options={"rounds": 1_700, "epochs": 9, "seed": 1, "only": ""},
    quick={"rounds": 20, "epochs": 2},
    deep=True,
)
