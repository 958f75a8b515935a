"""Rules of thumb for Pikomino: how to change a turn that is played for worms, and what that saves.

A rule names a situation, and says how many worms a bust counts less (or more) there than it costs.
The turn is then played exactly for worms, with this payoff of a bust. Or the rule is to play for
the chance to be in the lead after the turn. What such plans cost is judged by `learned`.

Rules are chosen one after the other, on games of their own: the next one is what saves most besides
those before it. Of several that fit a turn, the first counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lama_odds.games.pikomino.engine.shifted_plans import (
    COSTS,
    GAME_NUMBER,
    LEAD,
    TILES_LEFT,
    TOP,
    judge_plans,
)
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies.catalogue import play_tables, policy_rows
from lama_odds.games.pikomino.policies.learned import AS_SOLD, learned
from lama_odds.report.text.numbers import listed

SHIFTS = (-4.0, -2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 4.0)  # worms that a bust counts less
PLAIN = SHIFTS.index(0.0)
FOR_LEAD = len(SHIFTS)
PLANS = FOR_LEAD + 1
COLUMNS = COSTS + PLANS
IN_LEAD = "lead:1000"  # a policy that counts hardly anything else
ANY = 99
PIECE = 50  # games that are judged at a time
ROOM = 60  # turns of a seat in a game, at most, for which there is room


class Rule(NamedTuple):
    """A situation, bounds included, and the plan there: a place in SHIFTS, or FOR_LEAD."""

    lead: tuple[int, int] = (-ANY, ANY)
    tiles: tuple[int, int] = (1, ANY)
    top: tuple[int, int] = (-1, ANY)
    plan: int = PLAIN

    def fits(self, turns: np.ndarray) -> np.ndarray:
        """Return which turns are in the situation."""
        found = np.ones(len(turns), dtype=bool)
        for column, (least, most) in ((LEAD, self.lead), (TILES_LEFT, self.tiles), (TOP, self.top)):
            found &= (turns[:, column] >= least) & (turns[:, column] <= most)
        return found

    @property
    def situation(self) -> str:
        """The situation in words; an empty text if it is every turn."""
        words = [LEAD_WORDS[self.lead], TILE_WORDS[self.tiles], TOP_WORDS[self.top]]
        return listed([word for word in words if word])

    @property
    def advice(self) -> str:
        """What to do there, in words."""
        if self.plan == FOR_LEAD:
            return "play for being in the lead after your turn, and for nothing else"
        shift = SHIFTS[self.plan]
        worms = f"{abs(shift):g} worm{'s' * (abs(shift) > 1)}"
        if shift > 0:
            return f"play as if a bust cost {worms} less than it does"
        return f"play as if a bust cost {worms} more than it does"


LEAD_WORDS = {
    (-ANY, -4): "you are behind by 4 worms or more",
    (-ANY, -1): "you are behind",
    (-ANY, 0): "you are not ahead",
    (0, 0): "you are even",
    (1, ANY): "you are ahead",
    (4, ANY): "you are ahead by 4 worms or more",
    (-ANY, ANY): "",
}
TILE_WORDS = {
    (1, 1): "one tile is left in the centre",
    (1, 2): "at most 2 tiles are left in the centre",
    (1, 3): "at most 3 tiles are left in the centre",
    (1, 5): "at most 5 tiles are left in the centre",
    (6, ANY): "6 tiles or more are left in the centre",
    (1, ANY): "",
}
TOP_WORDS = {
    (-1, -1): "you have no tile to lose",
    (0, 3): "your top tile is 24 or lower",
    (8, ANY): "your top tile is 29 or higher",
    (-1, ANY): "",
}
EVERY = tuple(
    Rule(lead, tiles, top, plan)
    for lead in LEAD_WORDS
    for tiles in TILE_WORDS
    for top in TOP_WORDS
    for plan in range(PLANS)
    if plan != PLAIN
)


def turns_for_worms(games: int, seed: int) -> np.ndarray:
    """Return the turns for worms of two-player games against `learned`, judged, in both seats.

    Games of the second seat are numbered on.
    """
    rules = GAME.rules(AS_SOLD)
    play = play_tables(rules, learned())
    lead = policy_rows([GAME.policy(IN_LEAD)] * 2)
    found = []
    for seat in range(2):
        names = ["learned", "learned"]
        names[seat] = "optimal-turn"
        rows = policy_rows([GAME.policy(name) for name in names])
        for first in range(0, games, PIECE):
            count = min(PIECE, games - first)
            turns = np.zeros((count * ROOM, COLUMNS))
            filled = judge_plans(
                rules.columns, rows, play, seat, lead, np.array(SHIFTS), seed, first, count, turns
            )
            turns[:filled, GAME_NUMBER] += seat * games
            found.append(turns[:filled].copy())
    return np.concatenate(found)


def places(turns: np.ndarray, rules: Sequence[Rule]) -> np.ndarray:
    """Return which of these rules counts for each turn, the first that fits; −1 for none."""
    found = np.full(len(turns), -1)
    for at, rule in enumerate(rules):
        found[(found < 0) & rule.fits(turns)] = at
    return found


def costs_with(turns: np.ndarray, rules: Sequence[Rule]) -> np.ndarray:
    """Return what each turn costs if these rules are followed."""
    plans = np.array([*(rule.plan for rule in rules), PLAIN])[places(turns, rules)]
    found: np.ndarray = turns[np.arange(len(turns)), COSTS + plans]
    return found


def choose_rules(turns: np.ndarray, count: int, every: Sequence[Rule] = EVERY) -> list[Rule]:
    """Return rules that together save most, chosen one after the other."""
    found: list[Rule] = []
    for _ in range(count):
        found.append(min(every, key=lambda rule: float(costs_with(turns, [*found, rule]).sum())))
    return found
