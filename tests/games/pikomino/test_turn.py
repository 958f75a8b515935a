"""The solver of a turn against the exact fractions of the plain twin, and the rule for stopping."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.rules.feasibility import find_defects, next_bust
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import parse_rules
from lama_odds.games.pikomino.solvers.exact import solve_position, stop_rule
from lama_odds.games.pikomino.solvers.solve import exact_tables
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import FACES

EGMONT = "pikomino/egmont"
FREE_TURN = Fraction(51132211301397563344873, 31088519960728128454656)
REACH_21 = Fraction(4113019191611091399863, 4605706660848611622912)
TOTALS = range(21, 37)


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-13)


def counts(dice):
    """Dice by face, as the product has them."""
    return tuple(dice.count(face) for face in FACES)


def state_of(rules, kept):
    """The twin's state once these dice are kept."""
    total = sum(twin.value_of(rules, face) for face in kept)
    return frozenset(kept), total, rules.dice - len(kept)


def solve_points(rules, position):
    return GAME.solve(rules, position, "points", 1).actions


def solved(text):
    return solve_points(product_rules(EGMONT), GAME.position(product_rules(EGMONT), text))


# Known values, and totals aimed at


@pytest.mark.long
def test_a_free_turn_is_worth_what_was_worked_out_by_hand():
    (roll,) = solved("")
    assert roll.values["points"].value == close(FREE_TURN)
    free = twin.points(twin_rules({}), twin.all_tiles(twin_rules({})), None, [None])
    assert free.value(*free.begin()) == FREE_TURN
    assert totals("")["reach"]["21"].value == close(REACH_21)


@cache
def aimed(total, dice=8):
    """The twin's turns that want at least, and exactly, a total."""
    rules = twin_rules({"dice": dice})
    return {"reach": twin.reach(rules, total), "exact": twin.exact_hit(rules, total)}


def totals(text, rules_id=EGMONT):
    rules = GAME.rules(rules_id)
    found = GAME.odds_groups(rules, GAME.position(rules, text))
    assert list(found) == ["reach", "exact"]
    for group in found.values():
        assert list(group) == [str(total) for total in TOTALS]
        assert {estimate.method for estimate in group.values()} == {"exact"}
    return found


@pytest.mark.long
@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("dice", "kept", "rolled"),
    [
        (6, "", None),
        (8, "WW", None),
        (8, "1155", None),
        (8, "5555555W", None),
        (8, "444W", "1245"),
        (8, "55", "1235WW"),
        (8, "12345", "5WW"),
    ],
)
def test_every_total_that_is_aimed_at(dice, kept, rolled):
    text = f"kept={kept or '-'}" + (f" rolled={rolled}" if rolled else "")
    found = totals(f"{text} centre=36 tops=21,35", f"{EGMONT}+dice={dice}")
    for total in TOTALS[::5]:
        for group, turn in aimed(total, dice).items():
            state = state_of(turn.rules, kept)
            expected = turn.after_roll(*state, rolled) if rolled else turn.value(*state)
            assert found[group][str(total)].value == close(expected)


# Boards


def random_board(luck, rules):
    """Some tiles in the centre, some on top of stacks: (centre, own top, others' tops)."""
    tiles = luck.sample(twin.all_tiles(rules), rules.tiles)
    players = luck.randrange(2, 5)
    tops = [tiles.pop() if luck.random() < 0.7 else None for _ in range(players)]
    return sorted(tiles[: luck.randrange(1, len(tiles) + 1)]), tops[0], tops[1:]


def random_dice(luck, rules):
    """Dice kept after some random rolls, and perhaps one more roll."""
    kept = ""
    for _ in range(luck.randrange(4)):
        shown = luck.choices(FACES, k=rules.dice - len(kept))
        new = [face for face in shown if face not in kept]
        if new:
            face = luck.choice(new)
            kept += face * shown.count(face)
    left = rules.dice - len(kept)
    return kept, "".join(luck.choices(FACES, k=left)) if left and luck.random() < 0.5 else None


def position_of(board, kept, rolled):
    centre, own, tops = board
    stacks = tuple((top,) if top else () for top in (own, *tops))
    return Position(counts(kept), counts(rolled) if rolled else None, tuple(centre), stacks)


def name_of(board, how, tile):
    """An action's name."""
    return f"stop {tile}" if how == "take" else f"steal {tile} from {board[2].index(tile) + 1}"


def expected_actions(turn, board, kept, rolled):
    """Value and results of all actions, from the twin."""
    rules, (centre, _, tops) = turn.rules, board
    state = state_of(rules, kept)
    if rolled:
        return {
            f"keep {face}": (
                value,
                turn.results(*turn.state_after(*state, face, rolled.count(face))),
            )
            for face, value in turn.keeps(*state, rolled).items()
        }
    found = {}
    if "W" in kept:
        for taken, worth in twin.points_by_tile(rules, centre, tops, state[1]).items():
            found[name_of(board, *taken)] = (worth, None)
    if state[2]:
        found["roll"] = (turn.roll(*state), turn.roll_results(*state))
    return found


def check_results(turn, board, chances, results, value):
    """Results by name: they come to the value, however equal ones are chosen."""
    assert chances["bust"] == close(results.get(twin.BUST, 0))
    assert sum(chances.values()) == close(1)
    worth = {"bust": turn.bust}
    for total in turn.payoff:
        found = twin.points_by_tile(turn.rules, board[0], board[2], total)
        worth |= {name_of(board, *taken): payoff for taken, payoff in found.items()}
    assert sum(chance * float(worth[name]) for name, chance in chances.items()) == close(value)


def check_actions(rules_id, turn, board, kept, rolled):
    """Compare all actions of a position, and a bust on the next roll; say what was compared."""
    position, rules = position_of(board, kept, rolled), product_rules(rules_id)
    if find_defects(rules, position):
        return []
    expected = expected_actions(turn, board, kept, rolled)
    actions = {valued.action: valued for valued in solve_points(rules, position)}
    assert actions.keys() == expected.keys()
    for name, (value, results) in expected.items():
        assert actions[name].values["points"].value == close(value)
        chances = {what: estimate.value for what, estimate in actions[name].chances.items()}
        if results is None:
            assert chances == {name: 1.0, "bust": 0.0}
            continue
        if name == "roll":
            bust = close(turn.next_bust(*state_of(turn.rules, kept)))
            assert chances.pop("next bust") == bust == GAME.odds(rules, position)["bust"].value
        check_results(turn, board, chances, results, value)
    if rolled:  # what comes of the turn is what comes of the best face
        best = max(actions.values(), key=lambda each: each.values["points"].value)
        named = {"turn bust" if name == "bust" else name: e for name, e in best.chances.items()}
        assert GAME.odds(rules, position) == named
    return [name.split()[0] for name in actions]


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({"dice": 6, "low": 13}, 0),
        ({"dice": 5, "low": 11, "tiles": 10}, 1),
        ({"dice": 5, "low": 11, "tiles": 10}, 2),
        ({"dice": 6, "low": 13, "no_steal": True}, 1),
        ({"dice": 6, "low": 12, "worm_value": 3, "worms": (2, 1, 4)}, 1),
    ],
    ids=str,
)
def test_every_action_on_random_boards(options, seed):
    rules, luck = twin_rules(options), Random(seed)
    board = random_board(luck, rules)
    turn = twin.points(rules, *board)
    compared = check_actions(id_of(options), turn, board, "", None)
    for _ in range(12):
        compared += check_actions(id_of(options), turn, board, *random_dice(luck, rules))
    assert {"roll", "keep"} <= set(compared)


def test_a_steal_is_weighed_against_the_tile_of_the_centre():
    board = [24, 27], None, [28, 22, None]
    turn = twin.points(twin_rules({}), *board)
    assert check_actions(EGMONT, turn, board, "5544WW", None) == ["steal", "stop", "roll"]
    assert check_actions(EGMONT, turn, board, "55WW", "1344") == ["keep", "keep", "keep"]
    values = {a.action: a.values["points"].value for a in solved("kept=444WW tops=22")}
    assert values["steal 22 from 1"] == 2.0
    assert values["stop 21"] == 1.0


def test_steals_of_the_table_are_worth_what_advise_says() -> None:
    rules, players = GAME.rules(EGMONT), 3
    position = GAME.position(rules, "kept=5555W stacks=-/25/-")
    worths = {a.action: a.values["points"].value for a in solve_points(rules, position)}
    (table,) = (each for each in GAME.exact_tables(rules, players) if each.name == "steals")
    (row,) = (row for row in table.rows if (row["board"], row["tile"]) == (16, 25))
    assert row["steal"].value == worths["steal 25 from 1"]
    assert row["rolling, least"].value <= worths["roll"] <= row["rolling, most"].value
    assert (row["worms"], row["next lower"], row["its worms"]) == (2, 24, 1)


@pytest.mark.parametrize(
    ("kept", "board", "by_hand"),
    [
        # One die left: only 5 and W were kept before. 34 are kept: a 1 is too low for 36.
        ("5WWWWWW", ([*range(21, 31)], None, [None]), Fraction(1, 3)),
        ("4WWWWWW", ([36], 21, [None]), Fraction(1, 2)),
        ("12345", ([21], 30, [None]), None),
        ("4444WW", ([35, 36], None, [26, 31]), None),
    ],
)
def test_the_chance_of_a_bust_on_the_next_roll(kept, board, by_hand):
    turn = twin.points(twin_rules({}), *board)
    position = position_of(board, kept, None)
    expected = turn.next_bust(*state_of(turn.rules, kept))
    assert next_bust(product_rules(EGMONT), position) == close(expected)
    assert by_hand in (None, expected)


# Any payoff


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_any_payoffs_also_with_a_bust_worth_more_than_tiles(seed):
    luck, plain, rules = Random(seed), twin_rules({"dice": 5}), product_rules(id_of({"dice": 5}))
    payoff = {
        total: Fraction(luck.randrange(-40, 41), 16)
        for total in range(1, 26)
        if luck.random() < (0.3, 0.8)[seed % 2]
    }
    bust = Fraction(luck.randrange(-20, 41), 16)
    turn, tables = twin.Turn(plain, payoff, bust), rules.tables
    stop = np.full(tables.number.shape[1], NOTHING)
    stop[list(payoff)] = [float(value) for value in payoff.values()]
    for prune in (False, True):
        worth, rolling = np.zeros(tables.mask.size), np.zeros(tables.mask.size)
        every = np.ones(worth.size, dtype=bool)
        solve_turn(tables, stop, float(bust), worth, rolling, prune, every)
        for at in range(tables.mask.size):
            kept = {face for place, face in enumerate(FACES) if tables.mask[at] >> place & 1}
            state = kept, int(tables.total[at]), int(tables.left[at])
            assert worth[at] == close(turn.value(*state))
            if not prune and state[2]:
                assert rolling[at] == close(turn.roll(*state))
    assert min(payoff.values()) < bust


# The rule for stopping

SMALL_ID = "pikomino/egmont+dice=3+low=6+tiles=8"


def plain_worth(text, stops_at):
    """A first turn by the rule, every roll one by one, the best face kept for it."""
    rules = parse_rules(text)
    values = rules.face_values

    @cache
    def worth(mask, total, left):
        tile = max((t for t in rules.numbers if t <= total), default=None)
        stops = rules.worms_on(tile) if mask & 32 and tile else None
        if left == 0 or (stops is not None and min(total, 13) in stops_at[left]):
            return stops or 0.0
        rolled = 0.0
        for dice in product(range(6), repeat=left):
            rolled += max(
                (
                    worth(mask | 1 << face, total + n * values[face], left - n)
                    for face in set(dice)
                    for n in [dice.count(face)]
                    if not mask >> face & 1
                ),
                default=0.0,
            )
        return rolled / 6**left

    return worth(0, 0, rules.dice)


def rule_of(text):
    rules = product_rules(text)
    start = Position(NONE, None, tuple(rules.numbers), ((), ()))
    return stop_rule(rules, solve_position(rules, start))


@pytest.mark.long
def test_the_rule_is_the_best_of_its_kind():
    """In plain Python: no other total from which to stop is better, and no other single total."""
    found = rule_of(SMALL_ID)
    stops = {dice: set(totals) for dice, totals in enumerate(found.stops, 1)}
    assert found.worth == pytest.approx(plain_worth(SMALL_ID, stops), abs=1e-12)
    assert found.costs >= 0
    others = [{dice: set(range(low, 14))} for dice in (1, 2) for low in range(6, 15)]
    others += [{dice: stops[dice] ^ {total}} for dice in (1, 2) for total in range(6, 14)]
    assert max(plain_worth(SMALL_ID, stops | other) for other in others) <= found.worth + 1e-9


def test_the_rule_is_true_of_the_table():
    """Where every situation says roll, or every one says stop, so does the rule."""
    rules = product_rules("pikomino/egmont+no_steal")
    stops, said = rule_of(rules.id).stops, {}
    for row in exact_tables(rules, 2)[0].rows:
        said.setdefault((row["total"], row["dice"]), set()).add(row["better"])
    for (total, dice), better in said.items():
        if dice <= len(stops) and len(better) == 1:
            assert better == {"stop" if total in stops[dice - 1] else "roll"}
    assert {28, 30}.isdisjoint(stops[1])  # single totals between others


@pytest.mark.parametrize("options", ["dice=5+low=15", "dice=1+low=5+tiles=8"])
def test_tiles_that_the_dice_cannot_reach_are_no_error(options):
    assert exact_tables(product_rules(f"pikomino/egmont+{options}"), 2)
