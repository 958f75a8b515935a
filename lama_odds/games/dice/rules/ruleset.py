"""The rule sets of Lama Dice: frozen values; every field cites its source.

The rule books do not show the faces of the dice. What is known: each die has two llama faces and
four different numbers, and each number is on exactly two of the three dice. Which numbers share a
die is an assumption (`faces`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import ClassVar

import numpy as np

from lama_odds.core.elementary import normal_quantile
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import (
    RuleSet,
    editions_of,
    number,
    option,
    options_of,
    refuse_senseless,
    said_option,
    switch,
    text,
)
from lama_odds.core.wording import listed, significant
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import KINDS, LLAMA, MAX_DICE
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.shared.card_values import (
    AS_IN_THE_BOOKS,
    OUT_TOKEN,
    OUT_TOKENS,
    POINTS,
    QUIT_COST,
    returned_token,
)

NAMES = "123456L"
DEFAULT_FACES = "1234LL.3456LL.1256LL"
MAX_OUTCOMES = 8192

_BOOKS = "amigo, gigamic, egmont"


def read_faces(part: Part) -> str:
    """Return faces written as ``1234LL.3456LL.1256LL``, dice between dots, in canonical order.

    Raises ReadError for another face, a die of fewer than 2 or more than 12 faces, more than five
    dice, more than 8,192 outcomes, and dice that show only llamas.
    """
    dice = part.split(".")
    for die in dice:
        for offset, face in enumerate(die.text):
            if face not in NAMES:
                raise die.fail(say("faces 1-6 or L"), offset=offset, what=said_option("faces"))
        if not 2 <= len(die.text) <= 12:
            raise die.fail(say("2 to 12 faces on each die"), what=said_option("faces"))
    if len(dice) > MAX_DICE or prod(len(die.text) for die in dice) > MAX_OUTCOMES:
        expected = say(
            "at most {dice} dice with {outcomes} outcomes together",
            dice=MAX_DICE,
            outcomes=MAX_OUTCOMES,
        )
        raise part.fail(expected, what=said_option("faces"))
    if set(part.text) <= set("L."):
        raise part.fail(say("at least one number among the faces"), what=said_option("faces"))
    ordered = sorted("".join(sorted(die.text)) for die in dice)
    return DEFAULT_FACES if ordered == sorted(DEFAULT_FACES.split(".")) else ".".join(ordered)


ABOUT = {
    "amigo": "English rules of Lama Dice",
    "egmont": "Polish rules (Lama kostkowa)",
    "gigamic": "French rules (Lama, le jeu de dés); the same odds as amigo",
}


@dataclass(frozen=True)
class DiceRules(RuleSet):
    """A rule set of Lama Dice; the fields are the options."""

    GAME = "dice"
    CHANGES: ClassVar = {"amigo": {}, "egmont": {"empty_row_ends": False}, "gigamic": {}}

    black: int = number(10, "value of a black token", _BOOKS, 2, 1000, column=transition.BLACK)
    copies: int = number(6, "cards of each value 1-6, the one in the row included", _BOOKS, 1, 12)
    dealt: int = number(6, "cards dealt to each player", _BOOKS, 1, 12, column=transition.DEALT)
    empty_row_ends: bool = switch(
        True,
        later("taking the last card of the llama row ends the round"),
        "amigo and gigamic, end of the round; not in egmont",
        column=transition.EMPTY_ROW_ENDS,
    )
    faces: str = text(
        DEFAULT_FACES,
        "faces of the dice, dots between dice; the pairing is an assumption",
        "no rule book shows them",
        read=read_faces,
    )
    llama_points: int = number(10, "points for all llama cards of a row together", _BOOKS, 1, 40)
    llama_safe_alone: bool = switch(
        True,
        later("the last player's three llamas are never blown; off: without a llama card they are"),
        "amigo, end of the round; egmont does not say",
        column=transition.LLAMA_SAFE_ALONE,
    )
    llamas: int = number(7, "llama cards, the one in the row included", _BOOKS, 1, 12)
    out_token: str = option(OUT_TOKENS[0], OUT_TOKEN)
    pink: int = number(20, "value of a pink token (with twenty)", "egmont, Lama 20", 2, 1000)
    points: tuple[int, ...] = option((1, 2, 3, 4, 5, 6), POINTS)
    quit_cost: int = option(0, QUIT_COST, column=transition.QUIT_COST)
    target: int = number(
        40, "score at which the game ends", _BOOKS, 1, 1000, column=transition.TARGET
    )
    twenty: bool = switch(False, later("pink tokens of 20 points are in play"), "egmont, Lama 20")

    @cached_property
    def players(self) -> range:
        """The numbers of players for which the cards suffice, at most six."""
        return range(2, min(6, sum(self.dealt_from) // self.dealt) + 1)

    @cached_property
    def dealt_from(self) -> tuple[int, ...]:
        """Cards of each kind in the pack that is dealt (without the row's seven)."""
        return (self.copies - 1,) * LLAMA + (self.llamas - 1,)

    @cached_property
    def in_play(self) -> tuple[int, ...]:
        """Cards of each kind in the game."""
        return (self.copies,) * LLAMA + (self.llamas,)

    @property
    def faces_assumed(self) -> bool:
        """Whether the faces are those assumed, which the dice on the table may not have."""
        return self.faces == DEFAULT_FACES

    def cannot_show(self, rolled: Sequence[int]) -> str:
        """Say that the dice cannot show these kinds."""
        shown = "".join(NAMES[kind] for kind in rolled) or say("nothing")
        about = {"dice": self.dice, "faces": self.faces, "shown": shown}
        if not self.faces_assumed or len(rolled) != self.dice:
            return say("the {dice} dice ({faces}) cannot show {shown}", **about)
        return say(
            "the {dice} dice ({faces}) cannot show {shown}: these faces are assumed, and "
            "+faces=… sets those of your dice",
            **about,
        )

    @property
    def dice(self) -> int:
        """The number of dice."""
        return self.faces.count(".") + 1

    @cached_property
    def rolls(self) -> np.ndarray:
        """int64[outcomes]: every roll of the dice, equally likely (see `transition.pack_roll`)."""
        dice = [[NAMES.index(face) for face in die] for die in self.faces.split(".")]
        return np.array([transition.pack_roll(kinds) for kinds in product(*dice)], dtype=np.int64)

    @cached_property
    def sorted_rolls(self) -> Counter[tuple[int, ...]]:
        """Rolls as sorted kinds, with the number of outcomes of each."""
        return Counter(
            tuple(sorted(int(roll) >> 4 * die & 15 for die in range(self.dice)))
            for roll in self.rolls
        )

    @cached_property
    def readable_rolls(self) -> tuple[tuple[int, ...], ...]:
        """Sorted rolls that a record may have, those of these faces first.

        Dice whose faces are assumed count as they lie.
        """
        rolls = sorted(self.sorted_rolls)
        if self.faces_assumed:
            every = combinations_with_replacement(range(len(NAMES)), self.dice)
            rolls += [roll for roll in every if roll not in self.sorted_rolls]
        return tuple(rolls)

    @property
    def most_points(self) -> int:
        """The highest number of points that a round can cost."""
        return int(self.penalties.max()) + self.quit_cost

    @cached_property
    def penalties(self) -> np.ndarray:
        """int64[128]: points of a mask of kinds, each kind once."""
        worth = (*self.points, self.llama_points)
        return np.array(
            [sum(worth[k] for k in range(KINDS) if mask >> k & 1) for mask in range(1 << KINDS)],
            dtype=np.int64,
        )

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[RULES_COLUMNS]: the numbers that the compiled functions read."""
        row = np.zeros(transition.RULES_COLUMNS, dtype=np.int64)
        row[list(self.in_columns())] = list(self.in_columns().values())
        row[transition.ROLLS] = len(self.rolls)
        row[transition.DICE] = self.dice
        row[transition.PINK] = self.pink if self.twenty else 0
        row[transition.OUT_TOKEN] = OUT_TOKENS.index(self.out_token)
        row[transition.DECK] = sum(self.dealt_from)
        row[transition.CUMULATIVE] = transition.pack_deck(self.dealt_from)
        return row

    def token(self, score: int) -> int:
        """Return the value of the token that three llamas return, with this score (0: none)."""
        return int(returned_token(score, self.black, self.pink if self.twenty else 0))

    def token_out(self, score: int, cards: int) -> int:
        """Return the value of the token that going out returns; cards: the last, as a mask."""
        return int(transition.out_token(self.columns, score, cards))

    @property
    def unsolved(self) -> str:
        """The options by which solvers do not know how to play, in words; empty if they do."""
        named = [name for name, usual in AS_IN_THE_BOOKS.items() if getattr(self, name) != usual]
        return listed(named)


OPTIONS, EDITIONS = options_of(DiceRules), editions_of(DiceRules)


def parse_rules(id_: str) -> DiceRules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    rules, _ = DiceRules.read(id_)
    refuse_senseless(id_, _senseless(rules))
    return rules


def _senseless(rules: DiceRules) -> list[tuple[str, str]]:
    """Return options that contradict the rest, with the reason."""
    clashes = []
    usual = EDITIONS[rules.edition]
    if not rules.twenty and rules.pink != usual["pink"]:
        clashes.append(("pink", say("pink tokens are in play with +twenty only")))
    if rules.twenty and rules.pink <= rules.black:
        given = "pink" if rules.pink != usual["pink"] else "black"
        clashes.append(
            (
                given,
                say(
                    "a pink token ({pink}) must be worth more than a black one ({black})",
                    pink=rules.pink,
                    black=rules.black,
                ),
            )
        )
    if not len(rules.players):
        given = next(n for n in ("dealt", "copies", "llamas") if rules.values[n] != usual[n])
        reason = say("{cards} cards do not suffice for two players", cards=sum(rules.dealt_from))
        clashes.append((given, reason))
    return clashes


def pairings() -> list[str]:
    """Return the 15 sets of faces that agree with what is known of the dice.

    Each number is missing from exactly one die, and each die lacks two numbers: a partition of 1-6
    into three pairs.
    """
    faces = []
    for second in range(2, 7):
        left = [n for n in range(2, 7) if n != second]
        for pair in combinations(left, 2):
            if left[0] not in pair:
                continue
            other = [n for n in left if n not in pair]
            lacking = [(1, second), pair, tuple(other)]
            dice = [
                "".join(str(n) for n in range(1, 7) if n not in lack) + "LL" for lack in lacking
            ]
            faces.append(read_faces(Part("", ".".join(dice), 0)))
    return sorted(faces)


# The chance to win a game of two players from the scores that a round leaves.

ERRORS = normal_quantile(0.975)  # standard errors on either side of an entry: 95 %
EVEN = 0.5  # chances to win are counted from here, so that they are zero-sum


def chance_to_win(
    rules: DiceRules, mine: np.ndarray, other: np.ndarray, table: MatchEquity | None
) -> np.ndarray:
    """Return a player's chance to win by both final scores; ties are shared.

    The player starts the next round. table: values scores below the target; without one they must
    not occur.
    """
    wins = np.where(mine < other, 1.0, np.where(mine == other, 0.5, 0.0))
    if table is None:
        return wins
    most = rules.target - 1
    inside = table.values[np.minimum(mine, most), np.minimum(other, most)]
    return np.where(np.maximum(mine, other) >= rules.target, wins, inside)


def table_error(rules: DiceRules, table: MatchEquity, mine: np.ndarray, other: np.ndarray) -> float:
    """Return the most that the table's sampling error may do, at 95 % for each of its entries.

    mine, other: final scores that can occur.
    """
    first, second = np.unique(mine), np.unique(other)
    first, second = first[first < rules.target], second[second < rules.target]
    if not first.size or not second.size:
        return 0.0
    errors = table.stderr[np.ix_(first, second)].max(), table.stderr[np.ix_(second, first)].max()
    return float(ERRORS * max(errors))


def valued_by_table(rules: DiceRules, table: MatchEquity, bound: float) -> str:
    """Return in words what scores below the target rest on; bound: see `table_error`."""
    return say(
        "scores below {target} are valued by the match equity table of {policy}; its sampling "
        "error changes no value by more than {bound} percentage points",
        target=rules.target,
        policy=table.policy,
        bound=significant(100 * bound),
    )
