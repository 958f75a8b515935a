"""Fit `learned`, which plays Lama Dice with three to six players, see `lab.lessons`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.equity.several import Effort, solved_table
from lab.learned_dice.net import Decisions, decisions, teach
from lab.lessons import Tables, files_of, learned_in_steps, lineups, make_for_all, seed_of
from lab.nets import begun
from lama_odds.games.dice.engine.policy_kernels import LEARNED, VALUES
from lama_odds.games.dice.engine.trained import MANIFEST, SHAPES, Net, laid_out
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
# At the tables `learned`, the teacher and OTHERS have the numbers 0 to 3, see `lessons.Tables`.
FIRST_TABLES: Tables = (*[{}] * 6, {0: 2}, {-1: 2}, {1: 3}, {-1: 3})
TABLES: Tables = (
    *[{}] * 4, {-1: 1}, {0: 1}, {1: 1}, {-1: 2}, {1: 2}, {-1: 3},
)  # fmt: skip
# Of the match equity tables, see `lab.equity.several`.
GAMES, UNITS, FITS = 2, 64, (4, 4, 12)
EPOCHS = 2  # times that a step learns from each decision
Nets = Sequence[Net]  # whether to roll, and what to leave
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

    def lesson(self, nets: Nets | None, seed: int, sizes: tuple[int, int]) -> Lesson:
        """Return decisions of games; nets: what `learned` knows, None before it has learned."""
        tables, decides = self.tables, VALUES
        if nets is not None:
            tables, decides = tables._replace(learned=laid_out((nets[0], nets[1]))), LEARNED
        seated = lineups(self.rows, self.players, nets is None, FIRST_TABLES, TABLES)
        return decisions(self.rules, seated, tables, self.equities, seed, decides, sizes)


def learned_from(making: Making, rules: DiceRules, players: int) -> Nets:
    """Return the weights for a number of players."""
    table, seed = Table(making, rules, players), seed_of(making, players)
    random = np.random.default_rng(seed)
    begin = [Net(*begun(random, SHAPES[:4])) for _ in range(2)]

    def lesson(nets: Nets | None, step: int) -> Lesson:
        return table.lesson(nets, seed + step, (making["rolls"], making["choices"]))

    return learned_in_steps(making, players, begin, lesson, teach, (EPOCHS, EPOCHS))


def make(making: Making) -> None:
    """Fit and write."""
    rules = GAME.rules(RULES)
    assert isinstance(rules, DiceRules)
    what = (
        "networks of `learned` for each number of players, whether to roll and what to leave: rows "
        "of the first layer, then the second, the result, and the constants of both"
    )

    def found(players: int) -> Nets:
        return learned_from(making, rules, players)

    make_for_all(making, MANIFEST, what, (RULES, *ALIKE), found)


TARGET = Target(
    name="learned-dice",
    what="the networks of `learned`, which plays Lama Dice with three to six players",
    make=make,
    writes=files_of(MANIFEST),
    reads=("data/dice/meanfield.json",),
    options={
        **{"scores": 100_000, "rounds": 20, "rolls": 2_000_000, "choices": 1_500_000},
        **{"steps": 3, "seed": 1},
    },
    quick={"scores": 1_000, "rounds": 4, "rolls": 20_000, "choices": 10_000, "steps": 3},
    deep=True,
)
