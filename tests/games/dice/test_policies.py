"""`meanfield` and `copy` decide as their tables and networks say; leads, tokens, ends count."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.errors import ReadError
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.dice.engine.policy_kernels import (
    CONSTANTS_AT,
    COPY_ROWS,
    FIRST,
    HANDS,
    NET_SIZE,
    PARTS,
    PASSED_ON,
    RETURNS_AT,
    ROLLING,
    SCRATCH_END,
    SECOND,
    SEEN_AT,
    SLOPES_AT,
    token_of_block,
    with_token,
    write_rows,
)
from lama_odds.games.dice.engine.round_loop import all_leeway
from lama_odds.games.dice.engine.tables import BLOCK, COLUMNS, PARAMETER, SCRATCH, TABLE_SIZE
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.jobs import root_table
from lama_odds.games.dice.policies import (
    MANIFEST,
    copied,
    joined,
    meanfield_values,
    passing_of,
    split,
    tables_of,
    values_table,
)
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.rules.position import pack_hand
from lama_odds.games.dice.solvers.last_player import Tokens, alone_space, solve_alone
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.match_equity import best_play
from lama_odds.jit import compiled
from tests.reference import dice_copy

RULES = GAME.rules("dice/egmont+twenty")
COSTLY = GAME.rules("dice/egmont+quit_cost=4+twenty")


@pytest.mark.long
@pytest.mark.parametrize("token", [0, 20])
def test_alone_it_is_the_exact_player_whose_token_never_runs_out(token):
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
def test_a_token_makes_rolling_worth_more_and_blocks_go_by_score():
    without, with_it = (meanfield_values(RULES, 3, 0, token) for token in (0, 10))
    assert (with_it <= without + 1e-6).all()
    assert with_it.min() == pytest.approx(-10)
    policies = [GAME.policy("meanfield:out=1"), GAME.policy("meanfield")]
    values = tables_of(RULES, policies).values
    assert len(values) == 3 * 2 * 2  # tokens, policies, others still in
    for score, token in ((0, 0), (9, 0), (10, 10), (19, 10), (20, 20), (33, 20)):
        for block, extra in ((0, 0), (2, 1)):
            at = with_token(values, block, score, RULES.black, RULES.pink)
            assert np.array_equal(values[at : at + 2], meanfield_values(RULES, 2, extra, token))


@pytest.mark.parametrize(
    ("score", "level", "token"), [(0, 0, 0), (9, 0, 0), (10, 1, 10), (19, 1, 10), (20, 2, 20)]
)
def test_a_score_has_the_block_of_the_most_valuable_token(score, level, token):
    """The blocks: without a token, with a black one, and with a pink one if there are any."""
    two, three = (np.zeros((size, 2, 1), dtype=np.float32) for size in (4, 6))
    assert with_token(three, 1, score, 10, 20) == 1 + 2 * level
    assert with_token(two, 1, score, 10, 0) == 1 + 2 * min(level, 1)
    assert token_of_block(score, 10, 20) == token
    assert token_of_block(score, 10, 0) == min(token, 10)


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
        ("meanfield:even=-4", (3, 30, 20), "13,2", -4),
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


def test_numbers_are_read_and_written():
    policy = GAME.policy("meanfield:behind=3,out=7,even=-2")
    assert policy.name == "meanfield:out=7,even=-2,behind=3"
    assert GAME.policy(policy.name) == policy
    numbers = policy.family.numbers_of(policy.parameter)
    assert numbers == {"out": 7, "even": -2, "ahead": 0, "behind": 3, "win": 0, "lose": 0}
    assert policy.family.with_numbers(numbers) == policy
    assert GAME.policy("meanfield").name == "meanfield"
    for text in ("meanfield:lead=3", "meanfield:out=61", "meanfield:out=1,out=2", "meanfield:"):
        with pytest.raises(ReadError):
            GAME.policy(text)


@pytest.mark.long
@pytest.mark.one_in(2)
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
        block = blocks[20 if score >= 20 else 10 if score >= 10 else 0]
        quitting = sum(10 if kind == "L" else int(kind) for kind in set(hand))
        rolling = block[1, ROLLING, row * HANDS + index]
        expected = "roll" if quitting + rules.quit_cost > rolling else "quit"
        assert player.decides(Situation(0, position), 0) == expected, position.format()
        said[expected, rolling > quitting] += 1
    assert len(said) == 2


# --- `copy`: two networks --------------------------------------------------------------------


FITTED = "dice/amigo"
NEAR = 1e-3  # points; sums in other orders may differ by so much: such decisions are left out


@compiled
def rows_of(hand, theirs, row, rows):
    write_rows(hand, theirs, row, rows, 0)


def packed(cards: str) -> int:
    return pack_hand(tuple(cards.count(kind) for kind in dice_copy.KINDS))


@pytest.fixture(scope="module")
def shipped() -> np.ndarray:
    entry = data_json(MANIFEST)["rules"][FITTED]
    content = data_bytes(f"copy/{entry['file']}", entry["sha256"])
    size = sum(part.size for net in split(np.zeros(1 << 20, np.float16)) for part in net)
    return np.frombuffer(content[-2 * size :], dtype="<f2")


@pytest.fixture(scope="module")
def copies(shipped):
    rules = GAME.rules(FITTED)
    table = best_play(FITTED).values.tolist()
    return Player(rules, GAME.policy("copy"), 2), dice_copy.Copy(shipped.tolist(), table)


def drawn(number: int) -> tuple[str, str, str, int, int]:
    """Any two hands, a row and scores."""
    luck = random.Random(number)
    pack = list(dice_copy.KINDS * 5)
    luck.shuffle(pack)
    mine, theirs = (sorted(pack.pop() for _ in range(luck.randint(1, 6))) for _ in range(2))
    row = sorted(luck.sample(dice_copy.KINDS, luck.randint(1, 7)))
    return (
        *("".join(cards) for cards in (mine, theirs, row)),
        luck.randrange(40),
        luck.randrange(40),
    )


def decided(player: Player, situation: tuple, shown: str = "") -> str:
    mine, theirs, row, *scores = situation
    text = f"hand={mine} row={row} opp={theirs} scores={scores[0]},{scores[1]}"
    if shown:
        text += f" rolled={shown}"
    position = GAME.position(GAME.rules(FITTED), text)
    return player.decides(Situation(0, position), 0)


def test_it_rolls_where_its_network_says_so(copies):
    player, reference = copies
    said = set()
    for number in range(80):
        situation = drawn(number)
        gain = reference.gain(*situation)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            assert decided(player, situation) == expected, situation
            said.add(expected)
    assert said == {"roll", "quit"}


def test_alone_it_rolls_where_its_other_network_says_so(copies):
    player, reference = copies
    said = set()
    for number in range(80):
        mine, theirs, row, my_score, their_score = drawn(number)
        final = their_score + dice_copy.penalty(theirs)
        gain = reference.gain_alone(mine, row, my_score, final)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            situation = mine, f"q{theirs}", row, my_score, their_score
            assert decided(player, situation) == expected, situation
            said.add(expected)
    assert said == {"roll", "quit"}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("alone", [False, True])
def test_it_discards_and_takes_what_its_networks_say(copies, alone):
    player, reference = copies
    compared = {"discard": 0, "take": 0}
    for number in range(150):
        mine, theirs, row, *scores = drawn(number)
        luck = random.Random(-number)
        shown = "".join(luck.choices("1234LL", k=1) + luck.choices("3456LL", k=1) + ["2"])
        matches, left = "", mine
        for card in shown:
            if card in left:
                left = left.replace(card, "", 1)
                matches += card
        takeable = "" if matches or alone else "".join(sorted(set(shown) & set(row)))
        situation = mine, "q34" if alone else theirs, row, *scores
        if matches and len(matches) < len(mine):
            verb = "discard"
            others = (row, scores[0], scores[1] + 7) if alone else (theirs, row, *scores)
            worth = reference.discards(matches, mine, others)
        elif len(takeable) > 1:
            verb, worth = "take", reference.takes(takeable, mine, theirs, row, *scores)
        else:
            continue
        ranked = sorted(worth, key=worth.__getitem__)
        if len(ranked) > 1 and abs(worth[ranked[0]] - worth[ranked[1]]) < NEAR / 100:
            continue
        assert decided(player, situation, shown) == f"{verb} {ranked[0]}", (situation, shown)
        compared[verb] += 1
    assert compared["discard"] > 20
    assert alone or compared["take"] > 2


def test_the_reference_describes_situations_alike():
    assert (COPY_ROWS, FIRST, SECOND) == (dice_copy.ROWS, dice_copy.FIRST, dice_copy.SECOND)
    for number in range(50):
        mine, theirs, row, *_ = drawn(number)
        rows = np.zeros(PARTS, np.int64)
        rows_of(packed(mine), packed(theirs), dice_copy.kinds(row), rows)
        assert rows.tolist() == dice_copy.rows(mine, theirs, row)


def test_a_situation_has_room_behind_the_rows_of_a_table():
    assert SCRATCH >= BLOCK + COLUMNS
    assert 2 * (SCRATCH + PARTS) <= SEEN_AT
    assert SCRATCH_END <= TABLE_SIZE


def test_what_is_shipped_is_what_was_fitted(shipped):
    assert np.array_equal(joined(split(shipped)), shipped)
    assert np.isfinite(shipped.astype(float)).all()
    assert np.any(shipped)


def test_both_networks_lie_in_one_array():
    rules = GAME.rules(FITTED)
    nets = copied(rules, 2)
    assert nets.shape == (2 * NET_SIZE, FIRST)
    for net in (0, NET_SIZE):
        assert nets[net + RETURNS_AT, :12].tolist() == [0, *[1] * 9, 10, 10]
        assert nets[net + SLOPES_AT].min() > 0
        assert np.any(nets[net + CONSTANTS_AT, :SECOND])


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    one, two = (
        lo.simulate(FITTED, 2, ["copy", "meanfield"], 3_000, seed=4, threads=threads).to_json()[
            "seats"
        ]
        for threads in (1, 2)
    )
    assert one == two


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rules", ["dice/amigo", "dice/egmont"])
def test_it_beats_the_best_meanfield_from_both_seats(rules):
    other = "meanfield:out=1,even=3,ahead=3,behind=2,win=5,lose=20"
    first = lo.simulate(rules, 2, ["copy", other], 2_000, seed=1).seats[0]["win"]
    second = lo.simulate(rules, 2, [other, "copy"], 2_000, seed=2).seats[1]["win"]
    assert (first.value + second.value) / 2 > 0.55


@pytest.mark.parametrize(
    ("rules", "players", "told"),
    [
        ("dice/amigo", 3, "two players"),
        ("dice/egmont+twenty", 2, "dice/amigo, dice/egmont, dice/gigamic"),
        ("dice/amigo+target=30", 2, "copy is trained for"),
    ],
)
def test_more_players_and_other_rules_are_refused(rules, players, told):
    with pytest.raises(ReadError, match=told):
        lo.simulate(rules, players, "copy", 100)


def test_it_is_best_for_two_to_win_where_it_is_fitted():
    def best(rules: str, players: int, aim: str = "win") -> str:
        return GAME.best_policy(GAME.rules(rules), players, aim).family.name

    assert best("dice/amigo", 2) == best("dice/gigamic", 2) == best("dice/egmont", 2) == "copy"
    assert best("dice/amigo", 3) == best("dice/gigamic", 6) == "learned"
    assert best("dice/amigo", 3, "points") == best("dice/amigo", 2, "points") == "meanfield"
    assert best("dice/amigo+twenty", 3) == "meanfield"
    assert best("dice/amigo+target=30", 2) == best("dice/egmont+twenty", 2) == "meanfield"


@pytest.mark.long
def test_records_of_its_games_are_read_and_reviewed():
    record = lo.simulate(FITTED, 2, "copy", 1, seed=9, rounds=True, records=1).records[0]
    review = lo.review(record, games=1_000)
    assert review.decisions
