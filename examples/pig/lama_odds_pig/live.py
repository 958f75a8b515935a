"""A game of Pig played along: decisions of policies, their turns, what is typed and shown."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.core.wording import with_unit
from lama_odds.games.interface import capabilities
from lama_odds.games.shared.decisions import Asking, words_of
from lama_odds.games.shared.typed import Typed
from lama_odds_pig import engine, records
from lama_odds_pig.rules import Rules
from lama_odds_pig.solvers import arrays


class Player:
    """A policy under a rule set."""

    def __init__(self, rules: Rules, policy: Policy, players: int) -> None:
        _, rows, tables = arrays(rules, [policy])
        self.basis = rows, tables.table

    def decides(self, situation: capabilities.Situation, word: int) -> str:
        """Return whether to roll or to hold; word: a random one."""
        turn, (mine, *others) = situation.position.turn, situation.position.scores
        again = not turn or engine.asked(*self.basis, mine, max(others), turn, np.uint64(word))
        return "roll" if again else "hold"


class Reader(Asking, records.Reader):
    """The situations of a record: before each roll, and before points are held."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return functions that make the position of each decision in a turn."""
        points = 0
        found: list[Callable[[], Any]] = []
        for word in words[1:]:
            if word.text in records.VERBS:
                found.append(partial(self.table.position, points))
            else:
                points += word.integer("roll")
        return found


def unlike(a: Rules, b: Rules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    return f"{b.target} points win, not {a.target}" if a.target > b.target else ""


def luck_of(record: capabilities.Record, action: str, seed: int, step: int) -> str:
    """Return what the die shows if the seat to act rolls."""
    word = int(words_of(seed, step, 1)[0, 0])
    return str(1 + (word * record.rules.sides >> 64)) if action == "roll" else ""


class Entries(Typed):
    """The entries of Pig."""

    verbs = records.VERBS
    letters: ClassVar[Mapping[str, str]] = {"r": "roll", "h": "hold"}
    card = re.compile(r"[0-9]+")


QUERY = capabilities.PolicyQuery(
    Player, Reader, lambda rules, position: list(position.actions), unlike
)
LIVE_PLAY = capabilities.LivePlay(
    luck_of,
    Entries(),
    capabilities.OnScreen(
        against=(("r", "roll again"), ("h", "hold: take the points of your turn")),
        table=(("r4 r6 h", "rolls 4 and 6, then holds"), ("r1", "rolls a 1: bust")),
        holds=lambda position, at: with_unit(position.scores[at]),
        hand=lambda rules, position: f"This turn has {with_unit(position.turn)}",
    ),
    shows={"roll": "face"},
    tapped=lambda rules, players: {
        "roll": capabilities.Follows("face", [str(face) for face in range(1, rules.sides + 1)])
    },
)
