"""Games in which plans of each turn are judged by `learned`: with other payoffs of a bust.

See `plan_costs` for what a plan costs. A plan here is a policy's own, after a number was added to
its payoff of a bust. The last plan is that of another policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lama_odds.games.pikomino.engine.adjusted import play_solved
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import set_learned_payoffs
from lama_odds.games.pikomino.engine.look_ahead import follow, lead_over, set_paid
from lama_odds.games.pikomino.engine.policy_kernels import set_turn_payoffs
from lama_odds.games.pikomino.engine.round_loop import EVENT_SIZE, MAX_TURNS, begin_game
from lama_odds.games.pikomino.engine.turn_solver import solve_turn
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies import AS_SOLD, learned, play_tables, policy_rows
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS, top_of
from lama_odds.games.pikomino.rules.ruleset import FACES
from lama_odds.jit import compiled
from lama_odds.luck.stream import DICE, lane_start, stream_of
from lama_odds.report.text.numbers import listed

# Columns of a turn; from COSTS on what each plan costs.
GAME_NUMBER, LEAD, TOP, TILES_LEFT, COSTS = range(5)


@compiled
def judge_plans(rules, policies, play, who, others, shifts, seed, first, games, rows):
    """Play games and judge plans of the turns of one seat, which plays as its policy does.

    who: that seat. others: rows of policies, for a last plan of that seat. shifts: float64[k], what
    is added to the payoff of a bust. rows: float64[n, COSTS + k + 1], to fill. Returns how many
    were.
    """
    tables = play.turn
    worms, learned = play.worms, play.learned
    start = tables.mask.size - 1
    seats = policies.shape[0]
    plan, judge = scratch_of(tables), scratch_of(tables)
    plan.needed[:] = True
    judge.needed[:] = True
    paid = np.zeros(plan.stop.size)
    worth = np.zeros(start + 1)
    chosen, options = np.zeros((FACES, 9)), np.zeros((FACES, 9))
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    key, gamma = stream_of(seed)
    row = 0
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        seat = 0
        for _ in range(MAX_TURNS):
            if board[CENTRE] == 0 or row == rows.shape[0]:
                break
            lost = set_learned_payoffs(board, rules, worms, seats, seat, learned, judge)
            solve_turn(tables, judge.stop, lost, judge.worth, judge.rolling, True, judge.needed)
            dice = lane_start(key, gamma, game, turns[seat], DICE + seat)
            if seat != who:
                play_solved(rules, play, board, seat, start, False, dice, gamma, judge, event)
            else:
                out = rows[row]
                out[GAME_NUMBER], out[LEAD] = game, lead_over(board, worms, seats, seat)
                out[TOP] = top_of(board, seat)
                out[TILES_LEFT] = 0
                for tile in range(64):
                    out[TILES_LEFT] += board[CENTRE] >> tile & 1
                best = judge.worth[start]
                for step in range(shifts.size + 2):
                    # The plan of the others' row first, then those with a shift, then its own.
                    who_plans = others if step == 0 else policies
                    shift = shifts[step - 1] if 0 < step <= shifts.size else 0.0
                    bust = set_turn_payoffs(board, rules, worms, learned, who_plans, seat, plan)
                    solve_turn(
                        tables, plan.stop, bust + shift, plan.worth, plan.rolling, True,
                        plan.needed,
                    )  # fmt: skip
                    if step <= shifts.size:
                        at = shifts.size if step == 0 else step - 1
                        lost = set_paid(rules, play, board, seats, seat, plan, judge, paid)
                        value = follow(tables, plan, paid, lost, worth, chosen, options)
                        out[COSTS + at] = best - value
                play_solved(rules, play, board, seat, start, False, dice, gamma, plan, event)
                row += 1
            turns[seat] += 1
            seat = seat + 1 if seat + 1 < seats else 0
    return row


# Rules of thumb for Pikomino: how to change a turn that is played for worms, and what that saves.
#
# A rule names a situation, and says how many worms a bust counts less (or more) there than it
# costs. The turn is then played exactly for worms, with this payoff of a bust. Or the rule is to
# play for the chance to be in the lead after the turn. What such plans cost is judged by `learned`.
#
# Rules are chosen one after the other, on games of their own: the next one is what saves most
# besides those before it. Of several that fit a turn, the first counts.

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
