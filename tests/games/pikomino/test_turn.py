"""The solver of a turn against the exact fractions of the plain twin."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.rules.feasibility import find_defects
from lama_odds.games.pikomino.rules.position import Position
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import FACES

EGMONT = "pikomino/egmont"
FREE_TURN = Fraction(51132211301397563344873, 31088519960728128454656)
REACH_21 = Fraction(4113019191611091399863, 4605706660848611622912)
TOTALS = range(21, 37)
SMALL = ({"dice": 6, "low": 13}, {"dice": 5, "low": 11, "tiles": 10}, {"dice": 7})
BOARDS = [
    *((options, seed) for options in SMALL for seed in range(3)),
    ({}, 0),
    *(({"dice": 6, "low": 13, "no_steal": True}, seed) for seed in range(3)),
    ({"dice": 6, "low": 12, "worm_value": 3, "worms": (2, 1, 4)}, 1),
]


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-13)


def counts(dice):
    """Dice by face, as the product has them."""
    return tuple(dice.count(face) for face in FACES)


def state_of(rules, kept):
    """The twin's state once these dice are kept."""
    total = sum(twin.value_of(rules, face) for face in kept)
    return frozenset(kept), total, rules.dice - len(kept)


def solved(rules_id, text):
    rules = GAME.rules(rules_id)
    return GAME.solve(rules, GAME.position(rules, text), "points", 1).actions


# Known values


def test_a_free_turn_is_worth_what_was_worked_out_by_hand():
    (roll,) = solved(EGMONT, "")
    assert roll.action == "roll"
    assert roll.values["points"].value == close(FREE_TURN)
    free = twin.points(twin_rules({}), twin.all_tiles(twin_rules({})), None, [None])
    assert free.value(*free.begin()) == FREE_TURN


# Totals aimed at


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
def test_every_total_from_the_start():
    found = totals("")
    assert found["reach"]["21"].value == close(REACH_21)
    fewer = totals("", f"{EGMONT}+dice=6")
    for total in TOTALS:
        for group, turn in aimed(total, 6).items():
            assert fewer[group][str(total)].value == close(turn.value(*turn.begin()))
        if total in (21, 30):
            for group, turn in aimed(total).items():
                assert found[group][str(total)].value == close(turn.value(*turn.begin()))


@pytest.mark.long
@pytest.mark.parametrize("kept", ["WW", "444W", "55WWW", "1155", "12345W", "5555555W", "3W2"])
def test_every_total_from_dice_kept(kept):
    found = totals(f"kept={kept} centre=36 tops=21,35")
    for total in TOTALS:
        for group, turn in aimed(total).items():
            expected = turn.value(*state_of(turn.rules, kept))
            assert found[group][str(total)].value == close(expected)


@pytest.mark.long
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kept", "rolled"),
    [("", "1124555W"), ("", "33333333"), ("444W", "1245"), ("55", "1235WW"), ("12345", "5WW")],
)
def test_every_total_after_a_roll(kept, rolled):
    found = totals(f"kept={kept or '-'} rolled={rolled}")
    for total in TOTALS if kept else (21, 30):
        for group, turn in aimed(total).items():
            expected = turn.after_roll(*state_of(turn.rules, kept), rolled)
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


def results_by_name(rules, board, results):
    """Chances by total as chances by what is taken; of equals the tile of the centre."""
    centre, _, tops = board
    found = {}
    for result, chance in results.items():
        if result == twin.BUST:
            name = "bust"
        else:
            worth = twin.points_by_tile(rules, centre, tops, result)
            name = name_of(board, *max(worth, key=worth.get))
        found[name] = found.get(name, 0) + chance
    return found


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
    """Results by name: they come to the value, and only among equals to other results."""
    shares = results_by_name(turn.rules, board, results)
    assert chances.keys() == {"bust"} | shares.keys()
    assert sum(chances.values()) == close(1)
    worth = {"bust": turn.bust}
    for total in turn.payoff:
        found = twin.points_by_tile(turn.rules, board[0], board[2], total)
        worth |= {name_of(board, *taken): payoff for taken, payoff in found.items()}
    assert sum(chance * float(worth[name]) for name, chance in chances.items()) == close(value)
    # Which of two equals is played is left to rounding: a part of the results may move.
    for name, share in shares.items():
        assert chances[name] == pytest.approx(float(share), abs=0.02)


def check_actions(rules_id, turn, board, kept, rolled):
    """Compare all actions of a position; count what was compared."""
    position = position_of(board, kept, rolled)
    rules = product_rules(rules_id)
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
            assert chances.pop("next bust") == close(turn.next_bust(*state_of(turn.rules, kept)))
        check_results(turn, board, chances, results, value)
    return [name.split()[0] for name in actions]


def solve_points(rules, position):
    return GAME.solve(rules, position, "points", 1).actions


@pytest.mark.long
@pytest.mark.parametrize(("options", "seed"), BOARDS, ids=str)
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
    values = {a.action: a.values["points"].value for a in solved(EGMONT, "kept=444WW tops=22")}
    assert values["steal 22 from 1"] == 2.0
    assert values["stop 21"] == 1.0


def test_of_equals_stopping_and_the_lower_face_are_played():
    board = [18, 21, 24, 25], 15, [16]
    options = {"dice": 6, "low": 13}
    turn = twin.points(twin_rules(options), *board)
    (roll,) = solve_points(product_rules(id_of(options)), position_of(board, "15", None))
    results = turn.roll_results(*state_of(turn.rules, "15"))
    for name, share in results_by_name(turn.rules, board, results).items():
        assert roll.chances[name].value == pytest.approx(float(share), abs=1e-9)


@pytest.mark.parametrize("players", [2, 3])
def test_steals_of_the_table_are_worth_what_advise_says(players: int) -> None:
    rules = GAME.rules(EGMONT)
    position = GAME.position(rules, f"kept=5555W stacks=-/25{'/-' * (players - 2)}")
    solution = GAME.solve(rules, position, "points", 1, None)
    assert solution is not None
    worths = {action.action: action.values["points"].value for action in solution.actions}
    (table,) = (each for each in GAME.exact_tables(rules, players) if each.name == "steals")
    (row,) = (row for row in table.rows if (row["board"], row["tile"]) == (16, 25))
    assert row["steal"].value == worths["steal 25 from 1"]
    assert row["rolling, least"].value <= worths["roll"] <= row["rolling, most"].value
    assert (row["worms"], row["next lower"], row["its worms"]) == (2, 24, 1)
