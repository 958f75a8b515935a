"""Solve the match equity tables of two players of `best`; writes data/equity.

python scripts/solve_equity.py --rounds 1000000 --seed 1
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds import __version__
from lama_odds.analysis.equity import match_equity
from lama_odds.core.files import write_whole, write_whole_bytes
from lama_odds.games.registry import game_of

FOLDER = Path(__file__).resolve().parent.parent / "data" / "equity"
RULES = ("lama/egmont", "lama/amigo", "lama/party", "dice/amigo", "dice/gigamic", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once


def main() -> None:
    """Solve all and write them with a manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="from each pair of scores")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    tables: dict[str, Any] = {}
    for text in RULES:
        if text in ALIKE:
            tables[text] = tables[ALIKE[text]]
            continue
        began = time.perf_counter()
        game = game_of(text)
        rules = game.rules(text)
        found = match_equity(game, rules, game.best_policy(rules, 2), args.rounds, args.seed)
        packed = io.BytesIO()
        np.save(packed, np.stack([found.values, found.stderr]), allow_pickle=False)
        name = text.replace("/", "-") + ".npy"
        write_whole_bytes(FOLDER / name, packed.getvalue())
        tables[text] = {
            "policy": found.policy,
            "file": name,
            "rounds": found.rounds,
            "seed": found.seed,
            "largest stderr": float(f"{found.stderr.max():.2g}"),
            "sha256": hashlib.sha256(packed.getvalue()).hexdigest(),
        }
        print(f"{text}: {time.perf_counter() - began:.0f} s, {tables[text]}", flush=True)
    manifest = {
        "what": "chance to win a game of two of who starts the next round, by the own and the "
        "other's score, ties shared, both playing `policy`: float64[2, target, target], values "
        "and standard errors; rounds: played from each two scores",
        "command": f"python scripts/solve_equity.py --rounds {args.rounds} --seed {args.seed}",
        "version": __version__,
        "tables": tables,
    }
    write_whole(FOLDER / "manifest.json", json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
