"""Fit `learned`, which plays Lama Dice with three to six players: games that it plays teach it.

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
from lab.learned_dice.net import Decisions, Report, begun, decisions, taught
from lama_odds import __version__
from lama_odds.games.dice.engine.learned import MANIFEST, PLAYERS, joined
from lama_odds.games.dice.engine.policy_kernels import LEARNED, VALUES
from lama_odds.games.dice.engine.trained import Net, laid_out
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies import policy_rows, tables_of
from lama_odds.games.dice.rules.ruleset import DiceRules
from tools.publishing.target import Making, Target

RULES = "dice/amigo"
# The first has the same odds, and the other differs once the row is empty. Measured: `learned` wins
# more than its share there too.
ALIKE = ("dice/gigamic", "dice/egmont")
TEACHERS = {
    3: "meanfield:out=2,even=-2,lose=2",
    4: "meanfield:out=5",
    5: "meanfield:out=2,even=-1,ahead=1,win=1,lose=2",
    6: "meanfield:even=-1,ahead=1,win=2,lose=3",
}
OTHERS = ("threshold:0", "threshold:4")
# The policies that sit at a table beside the most frequent one, by seat: `learned`, the teacher and
# OTHERS have the numbers 0 to 3. Seats are counted from the first, or from the last if below 0.
MANY, TEACHER = 0, 1
FIRST_TABLES: Sequence[dict[int, int]] = (*[{}] * 6, {0: 2}, {-1: 2}, {1: 3}, {-1: 3})
TABLES: Sequence[dict[int, int]] = (
    *[{}] * 4, {-1: 1}, {0: 1}, {1: 1}, {-1: 2}, {1: 2}, {-1: 3},
)  # fmt: skip
FEW_TABLES: Sequence[dict[int, int]] = ({-1: 0}, {0: 0})  # one `learned` among teachers
# Of the match equity tables, see `lab.equity.several`.
GAMES, UNITS, FITS = 2, 64, (4, 4, 12)
EPOCHS = 2  # times that a step learns from each decision
FIRST_RATE, RATE = 2e-3, 1e-3
Nets = tuple[Net, Net]
Lesson = tuple[Decisions, Decisions]


class Table:
    """A number of players: the policies of the tables they play at, and what scores are worth.

    Chances to win after a round are those of teachers among themselves.
    """

    def __init__(self, making: Making, rules: DiceRules, players: int) -> None:
        self.rules, self.players = rules, players
        teacher, *others = (GAME.policy(n) for n in (TEACHERS[players], *OTHERS))
        effort = Effort(making["scores"], GAMES, making["rounds"], UNITS, FITS[0], FITS[1:])
        seed = making["seed"]
        self.equities = solved_table(GAME, rules, teacher, players, effort, seed, 1).counted
        everybody = [teacher] * (players - 1)
        self.tables = tables_of(rules, [*everybody, teacher])
        known = [policy_rows([*everybody, policy])[-1] for policy in (teacher, *others)]
        self.rows = np.array([(LEARNED, 0, players), *known])

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

    def lesson(self, nets: Nets | None, seed: int, sizes: tuple[int, int]) -> Lesson:
        """Return decisions of games; nets: what `learned` knows, None before it has learned."""
        tables, decides = self.tables, VALUES
        if nets is not None:
            tables, decides = tables._replace(learned=laid_out(nets)), LEARNED
        lineups = self.lineups(nets is None)
        return decisions(self.rules, lineups, tables, self.equities, seed, decides, sizes)


def joint(lessons: Sequence[Decisions]) -> Decisions:
    """Return the decisions of several lessons."""
    return Decisions(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def learned_from(making: Making, rules: DiceRules, players: int) -> Nets:
    """Return the weights for a number of players; what a stopped run has kept is not done again."""
    table = Table(making, rules, players)
    seed, steps = making["seed"] + 1_000 * players, making["steps"]
    random = np.random.default_rng(seed)
    nets = begun(random), begun(random)
    kept: list[Nets] = []
    making.work.mkdir(parents=True, exist_ok=True)
    while len(kept) < steps and _path(making, players, len(kept)).exists():
        kept.append(_read(_path(making, players, len(kept))))

    def lesson(step: int) -> Lesson:
        sizes = making["rolls"], making["choices"]
        return table.lesson(kept[step - 1] if step else None, seed + step, sizes)

    before: Lesson | None = None
    for step in range(len(kept), steps):
        if step > 1 and before is None:  # after a stop
            before = lesson(step - 1)
        now = lesson(step)
        every = now
        if before is not None and step > 1:
            every = joint((before[0], now[0])), joint((before[1], now[1]))
        random = np.random.default_rng([seed, step])
        reports: list[Report] = []
        rate = RATE if step else FIRST_RATE
        of_rolls, of_choices = (
            taught(net, seen, EPOCHS, rate, random, reports.append)
            for net, seen in zip(kept[-1] if kept else nets, every, strict=True)
        )
        kept.append((of_rolls, of_choices))
        _keep(_path(making, players, step), kept[-1])
        before = now
        said = ", ".join(f"{100 * r.explained:.2f} % (gain {r.gain:.4f})" for r in reports)
        making.tell(f"{players} players, step {step + 1} of {steps}: explained {said}")
    return kept[-1]


def _name(players: int) -> str:
    return f"learned-{players}.npy"


def _path(making: Making, players: int, step: int) -> Path:
    return making.work / f"{players}-{step}.npz"


def _read(path: Path) -> Nets:
    with np.load(path) as kept:
        parts = [kept[name] for name in kept.files]
    count = len(Net._fields)
    return Net(*parts[:count]), Net(*parts[count:])


def _keep(path: Path, nets: Nets) -> None:
    """Write weights, whole or not at all."""
    partial = path.with_name(f"partial-{path.name}")
    np.savez(partial, *(part for net in nets for part in net))
    os.replace(partial, path)


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    assert isinstance(rules, DiceRules)

    def found(players: int) -> Nets:
        return learned_from(making, rules, players)

    with ThreadPoolExecutor(making.threads or os.cpu_count() or 1) as pool:
        nets = dict(zip(PLAYERS, pool.map(found, PLAYERS), strict=True))
    tables = {}
    for players, both in nets.items():
        name = _name(players)
        digest = making.write_array(f"data/dice/{name}", joined(both))
        tables[str(players)] = {"file": name, "sha256": digest}
    manifest = {
        "what": "networks of `learned` for each number of players, whether to roll and what to "
        "leave: rows of the first layer, then the second, the result, and the constants of both",
        "command": making.command,
        "version": __version__,
        **making.options,
        "rules": [RULES, *ALIKE],
        "tables": tables,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="learned-dice",
    what="the networks of `learned`, which plays Lama Dice with three to six players",
    make=make,
    writes=(f"data/{MANIFEST}", *(f"data/dice/{_name(players)}" for players in PLAYERS)),
    reads=("data/dice/meanfield.json",),
    options={
        **{"scores": 100_000, "rounds": 20, "rolls": 2_000_000, "choices": 1_500_000},
        **{"steps": 3, "seed": 1},
    },
    quick={"scores": 1_000, "rounds": 4, "rolls": 20_000, "choices": 10_000, "steps": 3},
    deep=True,
)
