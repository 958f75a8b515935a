"""The exact turn of a position: values of every action, how the turn ends, chances of totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import ENGLISH, language, say
from lama_odds.core.wording import listed, rounded
from lama_odds.games.interface.objectives import (
    ThresholdTable,
)
from lama_odds.games.pikomino.engine.policy_kernels import POLICY_COLUMNS, payoffs
from lama_odds.games.pikomino.engine.turn_solver import (
    EQUAL,
    NOTHING,
    follow_rule,
    solve_turn,
    turn_results,
)
from lama_odds.games.pikomino.policies import UNIT
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, HEIGHT, MAX_TILES, OWNER, STACK
from lama_odds.games.pikomino.rules.feasibility import (
    after_keeping,
    dice_left,
    keepable,
    next_bust,
    stops,
)
from lama_odds.games.pikomino.rules.position import NONE, Faces, Position
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, WORM, PikominoRules


def board_of(rules: PikominoRules, position: Position) -> np.ndarray:
    """Return the board as the compiled functions use it."""
    board = np.zeros(BOARD_SIZE, dtype=np.int64)
    board[CENTRE] = sum(1 << tile - rules.low for tile in position.centre)
    for seat, stack in enumerate(position.stacks):
        board[HEIGHT + seat] = len(stack)
        for at, tile in enumerate(stack):
            board[STACK + seat * MAX_TILES + at] = tile - rules.low
        if stack:
            board[OWNER + stack[-1] - rules.low] = seat + 1
    return board


@dataclass(frozen=True)
class Turn:
    """A solved turn: payoffs by total (stop, steals), of a bust, and the values of all states."""

    rules: PikominoRules
    stop: np.ndarray
    steals: np.ndarray
    bust: float
    worth: np.ndarray
    rolling: np.ndarray

    def state(self, kept: Faces) -> int:
        """Return the number of the state with these dice kept."""
        mask = sum(1 << face for face in range(FACES) if kept[face])
        left = self.rules.dice - sum(kept)
        return int(self.rules.tables.number[mask, self.rules.total(kept), left])

    def results(self, kept: Faces, roll: bool) -> np.ndarray:
        """Return chances to stop with each total, then of a bust, under best play from a state.

        roll: whether the dice left are rolled first, whatever stopping would bring.
        """
        tables = self.rules.tables
        chances = np.zeros(self.stop.size + 1)
        mass = np.zeros(tables.mask.size)
        state = self.state(kept)
        start = -1 - state if roll else state
        turn_results(tables, self.stop, self.worth, self.rolling, start, mass, chances)
        return chances


def solve_position(rules: PikominoRules, position: Position, steal: float | None = None) -> Turn:
    """Return the turn for worms; steal: weight of the victim's loss, 1 / (players − 1) if None."""
    tables = rules.tables
    weight = 1 / (position.players - 1) if steal is None else steal
    row = np.zeros((position.players, POLICY_COLUMNS), dtype=np.float64)
    row[0] = (0, weight * UNIT)
    stop = np.zeros(tables.number.shape[1])
    steals = np.zeros(stop.size, dtype=np.bool_)
    board = board_of(rules, position)
    bust = payoffs(board, rules.columns, rules.worm_table, row, stop, steals)
    return solve(rules, stop, steals, bust)


def solve(rules: PikominoRules, stop: np.ndarray, steals: np.ndarray, bust: float) -> Turn:
    """Return the turn for any payoffs."""
    worth, rolling = np.zeros(rules.tables.mask.size), np.zeros(rules.tables.mask.size)
    every = np.ones(worth.size, dtype=np.bool_)
    solve_turn(rules.tables, stop, bust, worth, rolling, False, every)
    return Turn(rules, stop, steals, bust, worth, rolling)


def aimed(rules: PikominoRules, number: int, exactly: bool) -> Turn:
    """Return the turn of a player who aims at a total (at least or exactly), ignoring tiles."""
    totals = np.arange(rules.tables.number.shape[1])
    fits = totals == number if exactly else totals >= number
    stop = np.where(fits, 1.0, NOTHING)
    return solve(rules, stop, np.zeros(stop.size, dtype=np.bool_), 0.0)


# Exact chances of a turn: the next roll, how the best turn ends, and totals aimed at.


def result_names(
    rules: PikominoRules, position: Position, turn: Turn, results: np.ndarray
) -> dict[str, Estimate]:
    """Return chances of a turn's results by name: ``stop 25``, ``steal 27 from 1``, ``bust``."""
    chances: dict[str, float] = {}
    for total, (tile, owner) in stops(rules, position).items():
        if turn.steals[total] and owner is not None:
            name = f"steal {total} from {owner}"
        else:
            name = f"stop {tile}"
        chances[name] = chances.get(name, 0.0) + float(results[total])
    named = {name: exact(chance) for name, chance in sorted(chances.items()) if chance > 0}
    return {**named, "bust": exact(float(results[-1]))}


def odds(rules: PikominoRules, position: Position) -> dict[str, Estimate]:
    """Return ``bust`` of the next roll (if you have not rolled yet), then how the best turn ends.

    ``stop 25`` and so on, and ``turn bust``, are chances under the best play for worms from here.
    """
    turn = solve_position(rules, position)
    chances = {}
    if position.rolled is None:
        if dice_left(rules, position.kept):
            chances["bust"] = exact(next_bust(rules, position))
        results = turn.results(position.kept, roll=False)
    else:
        best = max(keepable(position), key=lambda f: value_of_keeping(turn, position, f))
        results = turn.results(after_keeping(position, best), roll=False)
    named = result_names(rules, position, turn, results)
    chances |= {("turn bust" if name == "bust" else name): e for name, e in named.items()}
    return chances


def value_of_keeping(turn: Turn, position: Position, face: int) -> float:
    """Return the value of a turn after keeping a face of the roll."""
    return float(turn.worth[turn.state(after_keeping(position, face))])


def totals(rules: PikominoRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return chances to end with a worm and at least, and exactly, each total when aiming at it."""
    chances: dict[str, dict[str, Estimate]] = {"reach": {}, "exact": {}}
    for number in rules.numbers:
        for group, exactly in (("reach", False), ("exact", True)):
            turn = aimed(rules, number, exactly)
            if position.rolled is None:
                value = float(turn.worth[turn.state(position.kept)])
            else:
                value = max(value_of_keeping(turn, position, face) for face in keepable(position))
            chances[group][str(number)] = exact(value)
    return chances


# Which face to keep of a first roll: every roll of all dice, with its weight, exactly.
#
# All tiles are in the centre and nobody has any; the turn is played for worms. The value of keeping
# a face is that of the best play after it.

FIRST = 1000  # points: more than dice can count
HIGH = 3  # from this face on: 4, 5 and the worm

# Rules of thumb: how much each face is preferred, from its count and its points.
Preference = Callable[[np.ndarray, np.ndarray], np.ndarray]
RULES: dict[str, Preference] = {
    "the most points": lambda counts, values: counts * values,
    "the most points in 4s, 5s or worms, if any": lambda counts, values: (
        counts * values + FIRST * (np.arange(FACES) >= HIGH)
    ),
    "worms, else the most points": lambda counts, values: (
        counts * values + FIRST * (np.arange(FACES) == WORM)
    ),
    "the highest face": lambda counts, values: values + 0 * counts,
    "the most dice": lambda counts, values: counts,
}


def first_tables(rules: PikominoRules, players: int) -> list[ThresholdTable]:
    """Return tables by face and number of dice that show it, and of the costs of rules of thumb."""
    counts, chances, values = first_rolls(rules, players)
    best = values.max(axis=1)
    rows = []
    for face in reversed(range(FACES)):
        for dice in range(1, rules.dice + 1):
            here = counts[:, face] == dice
            weights = chances[here] / chances[here].sum()
            value = values[here, face]
            others = np.delete(values[here], face, axis=1).max(axis=1)
            rows.append(
                {
                    "face": NAMES[face],
                    "dice": dice,
                    "shown": exact(float(chances[here].sum())),
                    "best on": exact(float(weights[value > best[here] - EQUAL].sum())),
                    "costs": exact(float(weights @ (best[here] - value))),
                    "ahead": _ahead(weights, value, others),
                }
            )
    title = say(
        "A first roll, with all tiles in the centre and none of your own: each face by the number "
        "of dice that show it. “Best on” is the share of such rolls on which keeping it is best. "
        "The cost is in worms, if you always keep it; “ahead” is its mean worth minus that of the "
        "best other face"
    )
    thumbs = [
        _rule(name, prefer(counts, np.array(rules.face_values)), counts, chances, values)
        for name, prefer in RULES.items()
    ]
    thumb_title = say(
        "Rules of thumb for a first roll (of equal faces the higher, worms before all): share of "
        "rolls on which they are best, and their cost in worms per turn"
    )
    return [
        ThresholdTable("first_face", title, tuple(rows), shares=("shown", "best on")),
        ThresholdTable("first_rules", thumb_title, tuple(thumbs), shares=("best on",)),
    ]


def first_rolls(rules: PikominoRules, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all rolls of all dice: counts, chances, and values of keeping each face.

    They are int64[rolls, 6] by face, float64[rolls], and float64[rolls, 6] in worms (−inf for a
    face that is not shown).
    """
    position = Position(NONE, None, tuple(rules.numbers), ((),) * players)
    turn = solve_position(rules, position)
    tables = rules.tables
    rolls = slice(tables.first[FACES, rules.dice], tables.first[FACES, rules.dice + 1])
    faces = np.arange(FACES)
    counts = tables.rolls[rolls, None] >> 4 * faces & 15
    after = tables.number[1 << faces, counts * tables.values, rules.dice - counts]
    values = np.where(counts > 0, turn.worth[after], -np.inf)
    return counts, tables.chance[rolls], values


def _ahead(weights: np.ndarray, value: np.ndarray, others: np.ndarray) -> Estimate | None:
    """Return the mean advantage of a face over the best other; None without another."""
    return exact(float(weights @ (value - others))) if np.isfinite(others).all() else None


def _rule(
    name: str,
    preferred: np.ndarray,
    counts: np.ndarray,
    chances: np.ndarray,
    values: np.ndarray,
) -> dict[str, object]:
    """Return the results of a rule of thumb: of equally preferred faces it keeps the last, the
    worm.
    """
    shown = np.where(counts > 0, preferred, -1)
    kept = FACES - 1 - np.argmax(shown[:, ::-1], axis=1)
    value = values[np.arange(len(kept)), kept]
    best = values.max(axis=1)
    return {
        "keep": name,
        "best on": exact(float(chances[value > best - EQUAL].sum())),
        "costs": exact(float(chances @ (best - value))),
    }


# A rule for stopping that you can keep in mind, and its cost compared to the best play.
#
# For each number of dice left, such a rule names the totals at which to stop; otherwise roll. Faces
# are kept as well as possible under the rule. For one number of dice after the other, another total
# from which to stop is tried, and single totals, until none improves. The cost is exact.

MOST_DICE = 4  # for which a total is searched; with more left, stopping early is hardly ever right
LEAST_GAIN = 1e-9  # worms
NUMBERS = ["no", "one", "two", "three", "four"]


@dataclass(frozen=True)
class StopRule:
    """A rule for stopping. stops: the tiles at which to stop, by dice left, 1 to MOST_DICE.

    tiles: all of them, ascending. costs: worms per turn compared to the best play. worth: of a turn
    under the rule.
    """

    stops: tuple[tuple[int, ...], ...]
    tiles: tuple[int, ...]
    costs: float
    worth: float

    def said(self) -> str:
        """The rule and its cost, in sentences."""
        parts: dict[str, list[int]] = {}
        for dice, totals in enumerate(self.stops, 1):
            if totals:
                parts.setdefault(_at(totals, self.tiles), []).append(dice)
        stops_at = [_with_dice(dice, at) for at, dice in parts.items()]
        return say(
            "A rule for stopping while all tiles are in the centre and you have none: once you "
            "have a worm and can take a tile, stop {rule}. Otherwise roll again. This costs "
            "{costs} worms per turn against the best play, which brings {best}.",
            rule="; ".join(stops_at) if stops_at else say("at no total"),
            costs=rounded(self.costs, 3),
            best=rounded(self.worth + self.costs, 2),
        )


def _with_dice(dice: Sequence[int], at: str) -> str:
    """Return at which totals to stop with some numbers of dice left, in words."""
    spoken = NUMBERS if language() == ENGLISH else [*map(str, range(len(NUMBERS)))]
    if [*dice] == [1]:
        return say("with one die left {at}", at=at)
    names = say(" or ").join(spoken[number] for number in dice)
    return say("with {dice} dice left {at}", dice=names, at=at)


def _at(stops: tuple[int, ...], tiles: tuple[int, ...]) -> str:
    """Return totals at which to stop, in words."""
    but = [tile for tile in tiles if tile > stops[0] and tile not in stops]
    if len(but) >= len(stops):
        return say("at {totals}", totals=listed([*map(str, stops)], "or"))
    tiles_but = listed([*map(str, but)])
    if stops[0] == tiles[0]:
        return say("at any tile but {tiles}", tiles=tiles_but) if but else say("at any tile")
    if but:
        return say("at {total} or more but {tiles}", total=stops[0], tiles=tiles_but)
    return say("at {total} or more", total=stops[0])


def stop_rule(rules: PikominoRules, turn: Turn) -> StopRule:
    """Return the best rule of this kind for a solved turn, from its start."""
    tiles = tuple(rules.numbers)
    totals = np.arange(max(int(rules.tables.total.max()), tiles[-1]) + 1)
    # A total beyond the highest tile takes that one; from a total beyond all, you never stop.
    from_here = [totals >= total for total in (*tiles, totals[-1] + 1)]
    single = [totals == total for total in tiles[:-1]] + [totals >= tiles[-1]]
    searched = range(1, min(MOST_DICE, rules.dice - 1) + 1)
    rule = np.zeros((rules.dice + 1, totals.size), dtype=np.bool_)
    best = _worth(rules, turn, rule)
    gained = True
    while gained:
        gained = False
        for dice in searched:
            ways = [_with(rule, dice, here) for here in from_here]
            ways += [_with(rule, dice, rule[dice] ^ here) for here in single]
            values = [_worth(rules, turn, way) for way in ways]
            at = int(np.argmax(values))
            if values[at] > best + LEAST_GAIN:
                best, gained, rule = values[at], True, ways[at]
    stops = tuple(tuple(tile for tile in tiles if rule[dice, tile]) for dice in searched)
    return StopRule(stops, tiles, float(turn.worth[-1]) - best, best)


def _with(stops_at: np.ndarray, dice: int, here: np.ndarray) -> np.ndarray:
    """Return the rule with other totals at which to stop, for a number of dice."""
    changed = stops_at.copy()
    changed[dice] = here
    return changed


def _worth(rules: PikominoRules, turn: Turn, stops_at: np.ndarray) -> float:
    """Return the worms of a turn from its start; stops_at: see `follow_rule`."""
    worth = np.zeros(rules.tables.mask.size)
    return float(follow_rule(rules.tables, turn.stop, turn.bust, stops_at, worth))
