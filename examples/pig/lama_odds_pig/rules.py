"""The rules of Pig: rule sets with their options, positions, and which of them cannot occur.

In a turn you roll one die as often as you like. Its numbers add up, and you get their sum when you
hold. If the bust face comes up, the turn ends without points. A turn that reaches the target ends
at once, and its player wins.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lama_odds.core.errors import ImpossibleError
from lama_odds.core.notation import read_integers, read_words
from lama_odds.core.rulesets import RuleSet, number, refuse_senseless
from lama_odds.games.interface.defects import defects_of_players

BOOK = "Neller & Presser 2004"
WORDS = {
    "turn": "points of this turn so far, for example 14; 0 if not given: nothing is rolled yet",
    "scores": "points of all players before it, yours first, for example 30,50; 0,0 if not given",
}


@dataclass(frozen=True)
class Rules(RuleSet):
    """A rule set of Pig; the fields are the options."""

    GAME = "pig"
    CHANGES: ClassVar = {"classic": {}}

    bust: int = number(1, "the face that ends a turn", BOOK, 1, 20)
    sides: int = number(6, "sides of the die, numbered from 1", BOOK, 3, 20)
    target: int = number(100, "points that win the game", BOOK, 2, 200)
    players = range(2, 8)  # as many as there are random numbers for

    @property
    def columns(self) -> np.ndarray:
        """int64[1 + sides]: the target, then the points of each face, 0 for a bust."""
        faces = [face * (face != self.bust) for face in range(1, self.sides + 1)]
        return np.array([self.target, *faces], dtype=np.int64)


@dataclass(frozen=True)
class Position:
    """A turn of seat 0. turn: its points so far. scores: before it, in turn order."""

    turn: int
    scores: tuple[int, ...]
    first = None  # the starting player does not matter

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.scores)

    @property
    def others_in(self) -> int:
        """The number of other players: nobody quits."""
        return self.players - 1

    @property
    def actions(self) -> tuple[str, ...]:
        """The legal actions: a turn begins with a roll."""
        return ("roll", "hold") if self.turn else ("roll",)

    def format(self) -> str:
        """Return the position as text that reads back as this position."""
        return f"turn={self.turn} scores={','.join(map(str, self.scores))}"


def parse_rules(text: str) -> Rules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    rules, given = Rules.read(text)
    if rules.bust > rules.sides:
        option = "bust" if "bust" in given else "sides"
        refuse_senseless(text, [(option, f"a die with {rules.sides} sides has no {rules.bust}")])
    return rules


def parse_position(rules: Rules, text: str) -> Position:
    """Read a position; raise ReadError (with the place) or ImpossibleError (with all defects)."""
    words = read_words(text, WORDS) if text.strip() else {}
    turn = words["turn"].integer("turn") if "turn" in words else 0
    scores = read_integers(words["scores"], "scores") if "scores" in words else (0, 0)
    found = Position(turn, scores)
    defects = defects_of_players(rules, found)
    least = 2 if rules.bust == 1 else 1
    defects += [f"{n} points: a roll brings {least} or more" for n in scores if 0 < n < least]
    if turn != 0 and not least <= turn < rules.target - scores[0]:
        defects.append(f"a turn of {turn} points that has not ended, with {scores[0]} before it")
    if defects:
        raise ImpossibleError("this position", defects)
    return found
