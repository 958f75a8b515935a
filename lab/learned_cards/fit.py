"""Fit `learned`, which plays cards with three to six players, see `lab.lessons`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.equity.several import Effort, solved_table
from lab.learned_cards.net import Decisions, decisions, teach
from lab.lessons import TEACHER, Tables, files_of, learned_in_steps, lineups, make_for_all, seed_of
from lab.nets import begun
from lama_odds.games.lama.engine.policy_kernels import BY_VALUES, LEARNED
from lama_odds.games.lama.engine.trained import Learned
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.policies.learned import MANIFEST, SHAPES
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
# At the tables `learned`, the teacher and OTHERS have the numbers 0 to 4, see `lessons.Tables`.
FIRST_TABLES: Tables = (*[{}] * 6, {-1: 2}, {0: 2}, {1: 3}, {-1: 4})
TABLES: Tables = (
    *[{}] * 4, {-1: 1}, {0: 1}, {1: 1}, {-1: 2}, {1: 3}, {-1: 4},
)  # fmt: skip
# Of the match equity tables, see `lab.equity.several`.
GAMES, UNITS, FITS = 2, 64, (6, 6, 24)
FIRST_EPOCHS, EPOCHS = 4, 2  # times that a step learns from each decision


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

    def lesson(self, net: Learned | None, seed: int, size: int) -> Decisions:
        """Return decisions of games; net: what `learned` knows, None before it has learned."""
        tables = self.tables._replace(learned=net)
        decides = BY_VALUES if net is None else LEARNED
        seated = lineups(self.rows, self.players, net is None, FIRST_TABLES, TABLES)
        return decisions(self.rules, seated, tables, self.equities, seed, decides, size)


def learned_from(making: Making, rules: LamaRules, players: int) -> Sequence[Learned]:
    """Return the weights for a number of players, alone in a list."""
    table, seed = Table(making, rules, players), seed_of(making, players)
    begin = [Learned(*begun(np.random.default_rng(seed), SHAPES))]

    def lesson(nets: Sequence[Learned] | None, step: int) -> list[Decisions]:
        size = making["decisions"] if step else making["first"]
        return [table.lesson(nets[0] if nets else None, seed + step, size)]

    return learned_in_steps(making, players, begin, lesson, teach, (FIRST_EPOCHS, EPOCHS))


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    assert isinstance(rules, LamaRules)
    what = (
        "networks of `learned` for each number of players: rows of the first layer, then the "
        "second, the results, and the constants of both"
    )

    def found(players: int) -> Sequence[Learned]:
        return learned_from(making, rules, players)

    make_for_all(making, MANIFEST, what, (RULES, ALIKE), found)


TARGET = Target(
    name="learned-lama",
    what="the networks of `learned`, which plays cards with three to six players",
    make=make,
    writes=files_of(MANIFEST),
    reads=("data/lama/meanfield.json",),
    options={
        **{"scores": 200_000, "rounds": 20, "first": 16_000_000, "decisions": 10_000_000},
        **{"steps": 9, "seed": 1},
    },
    quick={"scores": 1_000, "rounds": 4, "first": 20_000, "decisions": 10_000, "steps": 3},
    deep=True,
)
