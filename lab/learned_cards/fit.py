"""Fit `learned`, which plays cards with three to six players: games that it plays teach it.

At first it learns from games of a tuned `meanfield`. Then it plays games in steps, most of them
against itself, others at tables with what it has learned from and with rules of thumb. After each
step it learns from the decisions of that step and of the one before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from lab.equity.several import Effort, solved_table
from lab.learned_cards.net import Decisions, Report, begun, decisions, taught
from lama_odds import __version__
from lama_odds.games.lama.engine.policy_kernels import BY_VALUES, LEARNED
from lama_odds.games.lama.engine.trained import Learned
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.policies.learned import MANIFEST, PLAYERS, joined
from lama_odds.games.lama.rules.ruleset import LamaRules
from tools.publishing.target import Making, Target

RULES = "lama/egmont"
ALIKE = "lama/amigo"  # has one llama more; measured: `learned` does as well there
TEACHERS = {
    3: "meanfield:out=4,behind=1,lose=3",
    4: "meanfield:out=7,even=1,lose=3",
    5: "meanfield:out=5",
    6: "meanfield:out=8,even=1,ahead=1,lose=2",
}
OTHERS = ("meanfield", "matching:5", "threshold:10")
# The policies that sit at a table beside the most frequent one, by seat: `learned`, the teacher and
# OTHERS have the numbers 0 to 4. Seats are counted from the first, or from the last if below 0.
MANY, TEACHER = 0, 1
FIRST_TABLES: Sequence[dict[int, int]] = (*[{}] * 6, {-1: 2}, {0: 2}, {1: 3}, {-1: 4})
TABLES: Sequence[dict[int, int]] = (
    *[{}] * 4, {-1: 1}, {0: 1}, {1: 1}, {-1: 2}, {1: 3}, {-1: 4},
)  # fmt: skip
FEW_TABLES: Sequence[dict[int, int]] = ({-1: 0}, {0: 0})  # one `learned` among teachers
# Of the match equity tables, see `lab.equity.several`.
GAMES, UNITS, FITS = 2, 64, (6, 6, 24)
FIRST_EPOCHS, EPOCHS = 4, 2  # times that a step learns from each decision
FIRST_RATE, RATE = 2e-3, 1e-3


class Table:
    """A number of players: the policies of the tables they play at, and what scores are worth.

    Chances to win after a round are those of teachers among themselves.
    """

    def __init__(self, making: Making, rules: LamaRules, players: int) -> None:
        self.rules, self.players = rules, players
        self.policies = [GAME.policy(n) for n in ("learned", TEACHERS[players], *OTHERS)]
        effort = Effort(making["scores"], GAMES, making["rounds"], UNITS, FITS[0], FITS)
        teacher, seed = self.policies[TEACHER], making["seed"]
        self.equities = solved_table(GAME, rules, teacher, players, effort, seed, 1).counted
        self.rows = policy_rows(self.policies)
        known = [policy for policy in self.policies if policy.family.code != LEARNED]
        self.tables = tables_of(rules, known, True, players=players)

    def lineups(self, first: bool) -> list[np.ndarray]:
        """Return the rows of the policies at each table. first: before it has learned."""
        found = []
        for many, tables in (
            [(TEACHER, FIRST_TABLES)] if first else [(MANY, TABLES), (TEACHER, FEW_TABLES)]
        ):
            for table in tables:
                seats = [many] * self.players
                for seat, who in table.items():
                    seats[seat] = who
                found.append(self.rows[seats])
        return found

    def lesson(self, net: Learned | None, seed: int, size: int) -> Decisions:
        """Return decisions of games; net: what `learned` knows, None before it has learned."""
        tables = self.tables._replace(learned=net)
        decides = BY_VALUES if net is None else LEARNED
        lineups = self.lineups(net is None)
        return decisions(self.rules, lineups, tables, self.equities, seed, decides, size)


def joint(lessons: Sequence[Decisions]) -> Decisions:
    """Return the decisions of several lessons."""
    return Decisions(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def learned_from(making: Making, rules: LamaRules, players: int) -> Learned:
    """Return the weights for a number of players; what a stopped run has kept is not done again."""
    table = Table(making, rules, players)
    seed, steps = making["seed"] + 1_000 * players, making["steps"]
    net = begun(np.random.default_rng(seed))
    kept: list[Learned] = []
    making.work.mkdir(parents=True, exist_ok=True)
    while len(kept) < steps and _path(making, players, len(kept)).exists():
        kept.append(_read(_path(making, players, len(kept))))

    def lesson(step: int) -> Decisions:
        size = making["decisions"] if step else making["first"]
        return table.lesson(kept[step - 1] if step else None, seed + step, size)

    before: Decisions | None = None
    for step in range(len(kept), steps):
        if step > 1 and before is None:  # after a stop
            before = lesson(step - 1)
        now = lesson(step)
        every = joint((before, now)) if before is not None and step > 1 else now
        reports: list[Report] = []
        random = np.random.default_rng([seed, step])
        epochs, rate = (EPOCHS, RATE) if step else (FIRST_EPOCHS, FIRST_RATE)
        net = taught(kept[-1] if kept else net, every, epochs, rate, random, reports.append)
        _keep(_path(making, players, step), net)
        kept.append(net)
        before = now
        making.tell(
            f"{players} players, step {step + 1} of {steps}: {len(every.numbers):,} decisions, "
            f"{100 * reports[-1].explained:.2f} % explained, gain {reports[-1].gain:.4f}"
        )
    return kept[-1]


def _name(players: int) -> str:
    return f"learned-{players}.npy"


def _path(making: Making, players: int, step: int) -> Path:
    return making.work / f"{players}-{step}.npz"


def _read(path: Path) -> Learned:
    with np.load(path) as kept:
        return Learned(*(kept[name] for name in Learned._fields))


def _keep(path: Path, net: Learned) -> None:
    """Write weights, whole or not at all."""
    partial = path.with_name(f"partial-{path.name}")
    np.savez(partial, **net._asdict())
    os.replace(partial, path)


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    assert isinstance(rules, LamaRules)

    def found(players: int) -> Learned:
        return learned_from(making, rules, players)

    with ThreadPoolExecutor(making.threads or os.cpu_count() or 1) as pool:
        nets = dict(zip(PLAYERS, pool.map(found, PLAYERS), strict=True))
    tables = {}
    for players, net in nets.items():
        name = _name(players)
        digest = making.write_array(f"data/lama/{name}", joined(net))
        tables[str(players)] = {"file": name, "sha256": digest}
    manifest = {
        "what": "networks of `learned` for each number of players: rows of the first layer, then "
        "the second, the results, and the constants of both",
        "command": making.command,
        "version": __version__,
        **making.options,
        "rules": [RULES, ALIKE],
        "tables": tables,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="learned-lama",
    what="the networks of `learned`, which plays cards with three to six players",
    make=make,
    writes=(f"data/{MANIFEST}", *(f"data/lama/{_name(players)}" for players in PLAYERS)),
    reads=("data/lama/meanfield.json",),
    options={
        **{"scores": 200_000, "rounds": 20, "first": 16_000_000, "decisions": 10_000_000},
        **{"steps": 9, "seed": 1},
    },
    quick={"scores": 1_000, "rounds": 4, "first": 20_000, "decisions": 10_000, "steps": 3},
    deep=True,
)
