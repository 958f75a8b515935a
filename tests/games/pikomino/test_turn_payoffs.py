"""The solver of a turn for any payoffs, and the chance of a bust, against the exact fractions."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.rules.moves import next_bust
from lama_odds.games.pikomino.solvers import exact
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.games.pikomino.test_turn import EGMONT, close, position_of, state_of
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import FACES

# Any payoff


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("prune", [False, True])
def test_any_payoffs_also_with_a_bust_worth_more_than_tiles(seed, prune):
    options, luck = {"dice": 5}, Random(seed)
    plain, rules = twin_rules(options), product_rules(id_of(options))
    payoff = {
        total: Fraction(luck.randrange(-40, 41), 16)
        for total in range(1, 26)
        if luck.random() < (0.3, 0.8)[seed % 2]
    }
    bust = Fraction(luck.randrange(-20, 41), 16)
    turn = twin.Turn(plain, payoff, bust)
    stop = np.full(rules.tables.number.shape[1], NOTHING)
    for total, value in payoff.items():
        stop[total] = value
    tables = rules.tables
    worth, rolling = np.zeros(tables.mask.size), np.zeros(tables.mask.size)
    solve_turn(tables, stop, float(bust), worth, rolling, prune, np.ones(worth.size, dtype=bool))
    for at in range(tables.mask.size):
        kept = {face for place, face in enumerate(FACES) if tables.mask[at] >> place & 1}
        state = kept, int(tables.total[at]), int(tables.left[at])
        assert worth[at] == close(turn.value(*state))
        if not prune and state[2]:
            assert rolling[at] == close(turn.roll(*state))
    assert min(payoff.values()) < bust


def test_a_face_must_be_kept_even_where_a_bust_is_worth_more():
    rules = product_rules("pikomino/egmont+dice=1+low=5")
    stop = np.full(rules.tables.number.shape[1], NOTHING)
    stop[5] = -3.0
    turn = exact.solve(rules, stop, np.zeros(stop.size, dtype=np.bool_), 2.0)
    assert turn.worth[-1] == close(Fraction(5, 6) * 2 + Fraction(1, 6) * -3)


# The chance of a bust on the next roll


@pytest.mark.parametrize(
    ("kept", "board"),
    [
        ("", ([36], None, [None])),
        ("5555", ([21], None, [None])),
        ("WWWWWW5", ([36], None, [36])),
        ("1111W", ([21], None, [None])),
        ("12345W", ([36], None, [None])),
        ("12345", ([21], 30, [None])),
        ("4444WW", ([35, 36], None, [28, None])),
        ("4444WW", ([35, 36], None, [26, 31])),
        ("55555WW", ([36], None, [35])),
    ],
)
def test_the_next_roll_may_be_bust(kept, board):
    turn = twin.points(twin_rules({}), *board)
    position = position_of(board, kept, None)
    expected = turn.next_bust(*state_of(turn.rules, kept))
    assert next_bust(product_rules(EGMONT), position) == close(expected)
    found = GAME.odds(product_rules(EGMONT), position)
    assert found["bust"].value == close(expected)
    shares = sum(estimate.value for name, estimate in found.items() if name != "bust")
    assert shares == close(1)


def test_a_bust_of_the_next_roll_by_hand():
    rules = product_rules(EGMONT)
    # One die left, 33 with worms kept: only 5 and W were kept before, and any other face stops.
    odds = GAME.odds(rules, GAME.position(rules, "kept=5WWWWWW centre=21-30"))
    assert odds["bust"].value == close(Fraction(1, 3))
    # 34 are kept: a 1 is too low for the only tile, 4 and W were kept before.
    odds = GAME.odds(rules, GAME.position(rules, "kept=4WWWWWW centre=36 stacks=21/-"))
    assert odds["bust"].value == close(Fraction(1, 2))
