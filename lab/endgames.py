"""Solve all endgames of Pikomino for two players with at most five tiles in play.

Sets of one tile come first, then of two and so on: a tile turned over leads to a smaller set. Sets
of the same size do not depend on each other. They are kept in parts of PART sets until all are
solved.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lama_odds import __version__
from lama_odds.core.errors import LimitError
from lama_odds.games.pikomino.rules.ruleset import PikominoRules, parse_rules
from lama_odds.games.pikomino.solvers.endgame import (
    FEW,
    FIVES,
    FIVES_MANIFEST,
    MANIFEST,
    MOST,
    STEPS,
    TABLE,
    Board,
    Known,
    boards_of,
    in_bytes,
    length,
    place_of,
    sets_of,
    solve_endgame,
)
from tools.publishing.target import Making, Target

RULES = "pikomino/egmont"
PART = 65
ORDER = "order: lama_odds/games/pikomino/solvers/endgame.py"


def solve_all(making: Making) -> tuple[np.ndarray, float]:
    """The chances on all boards, and by how much they still moved at the end."""
    rules = parse_rules(RULES)
    numbers = tuple(rules.numbers)
    table = np.full(length(numbers), np.nan)
    most = 0.0

    def known(board: Board) -> float | None:
        at = place_of(numbers, board)
        return None if at is None or np.isnan(table[at]) else float(table[at])

    for size in range(1, MOST + 1):
        sets = [tiles for tiles in sets_of(numbers) if len(tiles) == size]
        for begin in range(0, len(sets), PART):
            part = sets[begin : begin + PART]
            file = making.work / f"tiles-{size}-{begin:04}.npy"
            at = sets_of(numbers)[part[0]]
            chances = _part(making, rules, part, known, file)
            table[at : at + chances.size - 1] = chances[:-1]
            most = max(most, float(chances[-1]))
    return table, most


def _part(
    making: Making,
    rules: PikominoRules,
    sets: Sequence[tuple[int, ...]],
    known: Known,
    file: Path,
) -> np.ndarray:
    """The chances on the boards of some sets, last by how much one still moved; solved or read."""
    if file.is_file():
        return np.asarray(np.load(file))
    threads = making.threads or os.cpu_count() or 1
    wins = []
    most = 0.0
    for tiles in sets:
        boards = boards_of(tiles)
        solved = solve_endgame(rules, boards, threads, None, known)
        wins.append(solved.win[: len(boards)])
        most = max(most, solved.moved)
    chances = np.concatenate([*wins, [most]])
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part.npy")
    np.save(partial, chances)
    partial.replace(file)
    making.tell(f"{len(sets)} sets of {len(sets[0])} tiles, up to {', '.join(map(str, sets[-1]))}")
    return chances


def make(making: Making) -> None:
    """Solve and write."""
    table, moved = solve_all(making)
    if np.isnan(table).any():
        raise LimitError("a board was left unsolved")
    few = length(tuple(parse_rules(RULES).numbers), FEW)
    what = "the mover's chance to win on every board of two players with {} tiles in play that is "
    manifest = {
        "what": f"{what.format('at most four')}not over; {ORDER}",
        "command": making.command,
        "rules": RULES,
        "version": __version__,
        "boards": few,
        "moved": float(f"{moved:.1e}"),
        "sha256": making.write_array(f"data/{TABLE}", table[:few]),
    }
    making.write(f"data/{MANIFEST}", json.dumps({"manifest": manifest}, indent=1) + "\n")
    manifest |= {
        "what": f"{what.format('five')}not over, times {STEPS:,}, in three bytes, the lowest "
        f"first; {ORDER}",
        "boards": int(table.size) - few,
        "rounded": 3e-8,
        "sha256": making.write_array(f"data/{FIVES}", in_bytes(table[few:])),
    }
    making.write(f"data/{FIVES_MANIFEST}", json.dumps({"manifest": manifest}, indent=1) + "\n")


TARGET = Target(
    name="endgames",
    what="Pikomino with two players and at most five tiles, solved",
    make=make,
    writes=tuple(f"data/{name}" for name in (TABLE, MANIFEST, FIVES, FIVES_MANIFEST)),
    deep=True,
)
