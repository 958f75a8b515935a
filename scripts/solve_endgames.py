"""Solve all endgames of Pikomino for two players with at most four tiles in play.

Sets of one tile come first, then of two and so on: a tile turned over leads to a smaller set.
Writes data/pikomino/endgames.npy and its manifest.

    python scripts/solve_endgames.py
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import time
from pathlib import Path

import numpy as np

from lama_odds import __version__
from lama_odds.core.files import write_whole, write_whole_bytes
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers.endgame import Board, solve_endgame
from lama_odds.games.pikomino.solvers.endgame_table import (
    MANIFEST,
    TABLE,
    length,
    patterns,
    place_of,
    sets_of,
)

DATA = Path(__file__).resolve().parent.parent / "data"
RULES = "pikomino/egmont"


def solve_all(threads: int) -> tuple[np.ndarray, float]:
    """The table, and by how much its chances still moved at the end."""
    rules = parse_rules(RULES)
    numbers = tuple(rules.numbers)
    table = np.full(length(numbers), np.nan)
    begun = time.monotonic()
    sets = list(sets_of(numbers))
    most = 0.0

    def known(board: Board) -> float | None:
        at = place_of(numbers, board)
        return None if at is None or np.isnan(table[at]) else float(table[at])

    for number, tiles in enumerate(sets):
        boards: list[Board] = []
        for pattern in patterns(len(tiles)):
            centre, mine, other = (tuple(tiles[at] for at in part) for part in pattern)
            boards.append((centre, mine, other))
        solved = solve_endgame(rules, boards, threads, None, known)
        at = sets_of(numbers)[tiles]
        table[at : at + len(boards)] = solved.win[: len(boards)]
        most = max(most, solved.moved)
        if number % 100 == 99:
            spent = time.monotonic() - begun
            print(f"{number + 1} of {len(sets)} sets, {spent:.0f} s", flush=True)
    return table, most


def main() -> None:
    """Solve and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    table, moved = solve_all(parser.parse_args().threads)
    if np.isnan(table).any():
        raise SystemExit("a board was left unsolved")
    file = io.BytesIO()
    np.save(file, table, allow_pickle=False)
    manifest = {
        "what": "the mover's chance to win on every board of two players with at most four tiles "
        "in play that is not over; order: lama_odds/games/pikomino/solvers/endgame_table.py",
        "command": "python scripts/solve_endgames.py",
        "rules": RULES,
        "version": __version__,
        "boards": int(table.size),
        "moved": float(f"{moved:.1e}"),
        "sha256": hashlib.sha256(file.getvalue()).hexdigest(),
    }
    (DATA / TABLE).parent.mkdir(parents=True, exist_ok=True)
    write_whole_bytes(DATA / TABLE, file.getvalue())
    write_whole(DATA / MANIFEST, json.dumps({"manifest": manifest}, indent=1) + "\n")


if __name__ == "__main__":
    main()
