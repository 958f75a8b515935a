"""`meanfield` decides as its table says; leads, tokens and the end of the game count."""

import random
from collections import Counter

import numpy as np
import pytest

from lama_odds.games.dice import policies
from lama_odds.games.dice.engine.policy_kernels import HANDS, PASSED_ON, ROLLING, with_token
from lama_odds.games.dice.engine.round_loop import all_leeway
from lama_odds.games.dice.engine.tables import PARAMETER
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.jobs import root_table
from lama_odds.games.dice.policies import meanfield_values, passing_of, values_table
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.solvers.last_player import Tokens, alone_space, solve_alone
from lama_odds.games.interface.capabilities import Situation

RULES = GAME.rules("dice/egmont+twenty")
COSTLY = GAME.rules("dice/egmont+quit_cost=4")


@pytest.mark.long
def test_alone_it_is_the_exact_player_whose_token_never_runs_out():
    for token in (0, 20):
        table = values_table(RULES, passing_of(RULES, 2), 0, token)
        for row in (0b0000101, 0b1111111, 0):
            alone = solve_alone(RULES, alone_space((2,) * 7, row), Tokens(np.array([token]), 0))
            for index in range(1, HANDS, 97):
                hand = tuple(index // 3**kind % 3 for kind in range(7))
                penalty = RULES.penalties[sum(1 << kind for kind in range(7) if hand[kind])]
                rolling = table[0, ROLLING, row * HANDS + index]
                exact = alone.worth[alone.space.place(hand, row), 0]
                assert min(rolling, penalty) == pytest.approx(min(exact, penalty), abs=1e-4)


@pytest.mark.long
def test_a_token_makes_rolling_worth_more():
    without, with_it = (meanfield_values(RULES, 2, 0, token) for token in (0, 10))
    assert (with_it <= without + 1e-6).all()
    assert with_it.min() == pytest.approx(-10)


def test_blocks_go_by_the_worth_of_going_out_and_by_score(monkeypatch):
    """Each table says for what it was solved."""

    def said(rules, players, out, token):
        return np.full((players, 2, 1), 100 * out + token, np.float32)

    monkeypatch.setattr(policies, "meanfield_values", said)
    monkeypatch.setattr(policies, "_values", policies._values.__wrapped__)
    seats = [GAME.policy(name) for name in ("meanfield:out=7", "meanfield", "meanfield:out=3")]
    values, rows = policies.tables_of(RULES, seats).values, policies.policy_rows(seats)
    for (_, _, block), out in zip(rows, (7, 0, 3), strict=True):
        for score, token in ((0, 0), (9, 0), (10, 10), (19, 10), (33, 20)):
            at = with_token(values, block, score, RULES.black, RULES.pink)
            assert (values[at : at + 3] == 100 * out + token).all()


@pytest.mark.long
@pytest.mark.parametrize("rules", [RULES, COSTLY], ids=lambda rules: rules.id)
def test_what_the_others_do_between_two_turns_counts_by_its_chance(rules):
    """Of one other: still in, or out; last: the round has ended."""
    some = np.array([[0.6, 0.0, 0.4], [0.3, 0.5, 0.2]])
    values = values_table(rules, some)
    for row, index in ((127, 5), (0b1000011, 700), (0b11, 2000)):
        at = row * HANDS + index
        digits = [index // 3**kind % 3 for kind in range(7)]
        penalty = rules.penalties[sum(1 << kind for kind in range(7) if digits[kind])]
        alone, deciding = (
            min(penalty + rules.quit_cost, values[others, ROLLING, at]) for others in (0, 1)
        )
        expected = 0.3 * alone + 0.5 * deciding + 0.2 * penalty
        assert values[1, PASSED_ON, at] == pytest.approx(expected, abs=1e-5)
        assert values[0, PASSED_ON, at] == pytest.approx(0.6 * alone + 0.4 * penalty, abs=1e-5)


def leeway_at(policy, text, penalty, others, rules=RULES):
    """Give the points by which `meanfield` values quitting less at a position."""
    position = GAME.position(rules, text)
    table = root_table(rules, position)
    table[PARAMETER] = GAME.policy(policy).parameter
    seats = position.players
    return all_leeway(rules.columns, rules.penalties, table, seats, 0, penalty, others)


@pytest.mark.parametrize(
    ("policy", "scores", "opponents", "expected"),
    [
        ("meanfield", (3, 30, 20), "13,2", 0),
        ("meanfield:ahead=5", (3, 30, 20), "13,2", 8.5),  # 17 ahead of the lowest
        ("meanfield:ahead=5", (3, 30, 20), "13,q=15", 13.5),  # which has quit with 15
        ("meanfield:ahead=5,behind=9", (33, 30, 20), "13,2", -11.7),
        ("meanfield:out=7,even=2,ahead=5,behind=9", (20, 20, 20), "13,2", 2),
    ],
)
def test_leads_count(policy, scores, opponents, expected):
    text = f"hand=12 opp={opponents} scores={','.join(map(str, scores))}"
    assert leeway_at(policy, text, 3, 1) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "expected", "costly"),
    [
        ((10, 20, 28), 0, 7),  # 3 and 12, 11 on the table: nobody gets to 40, but 11 + 4 do
        ((10, 20, 24), 0, 0),
        ((10, 20, 29), 7, 7),  # the last one does, and seat 0 is lowest
        ((28, 20, 29), 7, -9),  # seats 0 and 1 share the lowest score, if quitting costs nothing
        ((30, 20, 29), -9, -9),  # higher than 32: lost as it lies
        ((37, 20, 20), -9, -9),  # ends the game itself
        ((36, 20, 20), 0, -9),
        ((32, 20, 20), 0, 0),
    ],
)
def test_the_end_of_the_game_as_the_cards_lie(scores, expected, costly):
    text = f"hand=12 opp=2L,q56 scores={','.join(map(str, scores))} first=1"
    for rules, leeway in ((RULES, expected), (COSTLY, costly)):
        assert leeway_at("meanfield:win=7,lose=9", text, 3, 1, rules) == leeway
        assert leeway_at("meanfield:even=2,win=7,lose=9", text, 3, 1, rules) == leeway + 2


@pytest.mark.parametrize(
    ("policy", "scores", "expected", "costly"),
    [
        ("meanfield:out=5", (30, 20, 20), 0, 0),  # 33 to 21 and 29: the game goes on
        ("meanfield:out=5", (35, 20, 20), 0, -99),  # 38 to 21 and 29, or 42 to 25 and 33
        ("meanfield:out=5", (38, 39, 33), -99, -99),  # 41 to 40 and 42: quitting loses it
        ("meanfield:out=5", (36, 39, 31), 99, 99),  # 39 to 40 and 40: quitting wins it
        ("meanfield:win=7", (37, 39, 31), 7, 7),  # a shared win: a better roll may win alone
        ("meanfield", (38, 39, 33), 0, 0),  # plays for points
    ],
)
def test_the_last_player_settles_the_game_and_does_not_give_it_away(
    policy, scores, expected, costly
):
    text = f"hand=12 opp=q=1,q=9 scores={','.join(map(str, scores))}"
    assert leeway_at(policy, text, 3, 0) == expected
    assert leeway_at(policy, text, 3, 0, COSTLY) == costly


@pytest.mark.long
@pytest.mark.parametrize("rules", [RULES, COSTLY], ids=lambda rules: rules.id)
def test_it_rolls_where_its_table_costs_less_than_quitting(rules):
    player, said = Player(rules, GAME.policy("meanfield"), 2), Counter()
    blocks = {token: meanfield_values(rules, 2, 0, token) for token in (0, 10, 20)}
    for number in range(60):
        luck = random.Random(number)
        hand = "".join(sorted(luck.sample("112233445566LL", luck.randint(1, 6))))
        row, score = luck.randrange(128), luck.choice((0, 9, 10, 19, 20, 33))
        shown = "".join(kind for at, kind in enumerate("123456L") if row >> at & 1) or "-"
        position = GAME.position(rules, f"hand={hand} row={shown} opp=2 scores={score},3")
        index = sum(hand.count(kind) * 3**at for at, kind in enumerate("123456L"))
        block = blocks[rules.token(score) if score >= 10 else 0]
        quitting = sum(10 if kind == "L" else int(kind) for kind in set(hand))
        rolling = block[1, ROLLING, row * HANDS + index]
        expected = "roll" if quitting + rules.quit_cost > rolling else "quit"
        assert player.decides(Situation(0, position), 0) == expected, position.format()
        said[expected, rolling > quitting] += 1
    assert len(said) == 2
