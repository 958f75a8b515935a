"""Solve all endgames of Pikomino for two players with at most four tiles in play.

Sets of one tile come first, then of two and so on: a tile turned over leads to a smaller set.
"""

from __future__ import annotations

import json
import os

import numpy as np

from lama_odds import __version__
from lama_odds.core.errors import LimitError
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
from tools.publishing.target import Making, Target

RULES = "pikomino/egmont"


def solve_all(making: Making) -> tuple[np.ndarray, float]:
    """The table, and by how much its chances still moved at the end."""
    threads = making.threads or os.cpu_count() or 1
    rules = parse_rules(RULES)
    numbers = tuple(rules.numbers)
    table = np.full(length(numbers), np.nan)
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
            making.tell(f"{number + 1} of {len(sets)} sets")
    return table, most


def make(making: Making) -> None:
    """Solve and write."""
    table, moved = solve_all(making)
    if np.isnan(table).any():
        raise LimitError("a board was left unsolved")
    digest = making.write_array(f"data/{TABLE}", table)
    manifest = {
        "what": "the mover's chance to win on every board of two players with at most four tiles "
        "in play that is not over; order: lama_odds/games/pikomino/solvers/endgame_table.py",
        "command": making.command,
        "rules": RULES,
        "version": __version__,
        "boards": int(table.size),
        "moved": float(f"{moved:.1e}"),
        "sha256": digest,
    }
    making.write(f"data/{MANIFEST}", json.dumps({"manifest": manifest}, indent=1) + "\n")


TARGET = Target(
    name="endgames",
    what="Pikomino with two players and at most four tiles, solved",
    make=make,
    writes=(f"data/{TABLE}", f"data/{MANIFEST}"),
    deep=True,
)
