"""Lessons of networks that learn from games which they play: steps, what is kept, what is shipped.

In each step they play games, most of them against themselves, others at tables with what they have
learned from and with rules of thumb. The decisions of a step and of the one before teach them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from lab.nets import Report, taught
from lama_odds import __version__
from lama_odds.games.shared.shipped_weights import PLAYERS, joined
from tools.publishing.target import Making

FIRST_RATE, RATE = 2e-3, 1e-3
MANY, TEACHER = 0, 1  # numbers of policies: what learns, and what it learns from at first
# Tables: the policies beside the most frequent one, by seat. Seats are counted from the first, or
# from the last if below 0.
Tables = Sequence[dict[int, int]]
FEW_TABLES: Tables = ({-1: 0}, {0: 0})  # one that learns among teachers


def lineups(
    rows: np.ndarray, players: int, first: bool, first_tables: Tables, tables: Tables
) -> list[np.ndarray]:
    """Return the rows of the policies at each table. first: before anything is learned."""
    seatings = []
    many = [(TEACHER, first_tables)] if first else [(MANY, tables), (TEACHER, FEW_TABLES)]
    for most, those in many:
        for table in those:
            seats = [most] * players
            for seat, who in table.items():
                seats[seat] = who
            seatings.append(rows[seats])
    return seatings


def joint(lessons: Sequence[Any]) -> Any:
    """Return the decisions of several lessons of a network."""
    return type(lessons[0])(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def learned_in_steps(
    making: Making,
    players: int,
    begin: Sequence[Any],
    lesson: Callable[[Sequence[Any] | None, int], Sequence[Any]],
    teach: Callable[..., None],
    epochs: tuple[int, int],
    rates: tuple[float, float] = (FIRST_RATE, RATE),
) -> Sequence[Any]:
    """Return networks after all steps; what a stopped run has kept is not done again.

    begin: the networks at first. lesson(nets, step): the decisions that teach each of them, from
    games of `nets`, None in the first step. epochs, rates: see `taught`, of the first step and of
    others.
    """
    steps, seed = making["steps"], seed_of(making, players)
    kept: list[Sequence[Any]] = []
    making.work.mkdir(parents=True, exist_ok=True)
    while len(kept) < steps and _path(making, players, len(kept)).exists():
        kept.append(_read(_path(making, players, len(kept)), begin))
    before: Sequence[Any] | None = None
    for number in range(len(kept), steps):
        if number > 1 and before is None:  # after a stop
            before = lesson(kept[number - 2], number - 1)
        now = lesson(kept[-1] if number else None, number)
        every = now
        if before is not None and number > 1:
            every = [joint(pair) for pair in zip(before, now, strict=True)]
        random = np.random.default_rng([seed, number])
        rate, reports, nets = rates[number > 0], [], []
        for net, seen in zip(kept[-1] if kept else begin, every, strict=True):
            history: list[Report] = []
            nets.append(taught(net, seen, teach, epochs[number > 0], rate, random, history.append))
            reports.append(history[-1])
        kept.append(nets)
        _keep(_path(making, players, number), nets)
        before = now
        summary = ", ".join(f"{100 * r.explained:.2f} % (gain {r.gain:.4f})" for r in reports)
        making.tell(f"{players} players, step {number + 1} of {steps}: explained {summary}")
    return kept[-1]


def seed_of(making: Making, players: int) -> int:
    """Return the seed for a number of players."""
    seed: int = making["seed"] + 1_000 * players
    return seed


def _path(making: Making, players: int, step: int) -> Path:
    return making.work / f"{players}-{step}.npz"


def _read(path: Path, like: Sequence[Any]) -> Sequence[Any]:
    with np.load(path) as kept:
        parts = iter([kept[name] for name in kept.files])
    return [type(net)(*(next(parts) for _ in net)) for net in like]


def _keep(path: Path, nets: Sequence[Any]) -> None:
    """Write weights, whole or not at all."""
    partial = path.with_name(f"partial-{path.name}")
    np.savez(partial, *(part for net in nets for part in net))
    os.replace(partial, path)


def name_of(players: int) -> str:
    """Return the name of the file with the weights for a number of players."""
    return f"learned-{players}.npy"


def make_for_all(
    making: Making,
    manifest: str,
    what: str,
    rules: Sequence[str],
    nets_for: Callable[[int], Sequence[Any]],
) -> None:
    """Write the networks for every number of players, and a manifest.

    manifest: its path in data/. rules: what they can play. nets_for: the networks for a number of
    players.
    """
    with ThreadPoolExecutor(making.threads or os.cpu_count() or 1) as pool:
        every = dict(zip(PLAYERS, pool.map(nets_for, PLAYERS), strict=True))
    folder, tables = manifest.rpartition("/")[0], {}
    for players, nets in every.items():
        weights = joined(part for net in nets for part in net)
        digest = making.write_array(f"data/{folder}/{name_of(players)}", weights)
        tables[str(players)] = {"file": name_of(players), "sha256": digest}
    written = {
        "what": what,
        "command": making.command,
        "version": __version__,
        **making.options,
        "rules": list(rules),
        "tables": tables,
    }
    making.write(f"data/{manifest}", json.dumps(written, indent=1) + "\n")


def files_of(manifest: str) -> tuple[str, ...]:
    """Return all files that `make_for_all` writes."""
    folder = manifest.rpartition("/")[0]
    return f"data/{manifest}", *(f"data/{folder}/{name_of(players)}" for players in PLAYERS)
