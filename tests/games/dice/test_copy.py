"""`copy` decides as its networks say, for two players only, and beats all rules of thumb."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.engine.copied import (
    CONSTANTS_AT,
    FIRST,
    NET_SIZE,
    PARTS,
    RETURNS_AT,
    ROWS,
    SCRATCH_END,
    SECOND,
    SEEN_AT,
    SLOPES_AT,
    write_rows,
)
from lama_odds.games.dice.engine.table_rows import BLOCK, COLUMNS, SCRATCH, TABLE_SIZE
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies.copy import MANIFEST, copied, joined, split
from lama_odds.games.dice.records.policy_query import Player
from lama_odds.games.dice.rules.position import pack_hand
from lama_odds.games.interface.match_equity import best_play
from lama_odds.games.interface.records import Situation
from lama_odds.jit import compiled
from tests.cli.calls import process
from tests.reference import dice_copy

RULES = "dice/amigo"
NEAR = 1e-3  # points; sums in other orders may differ by so much: such decisions are left out


@compiled
def rows_of(hand, theirs, row, rows):
    write_rows(hand, theirs, row, rows, 0)


def packed(cards: str) -> int:
    return pack_hand(tuple(cards.count(kind) for kind in dice_copy.KINDS))


@pytest.fixture(scope="module")
def shipped() -> np.ndarray:
    entry = data_json(MANIFEST)["rules"][RULES]
    content = data_bytes(f"copy/{entry['file']}", entry["sha256"])
    size = sum(part.size for net in split(np.zeros(1 << 20, np.float16)) for part in net)
    return np.frombuffer(content[-2 * size :], dtype="<f2")


@pytest.fixture(scope="module")
def copies(shipped):
    rules = GAME.rules(RULES)
    table = best_play(RULES).values.tolist()
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
    position = GAME.position(GAME.rules(RULES), text)
    return player.decides(Situation(0, position), 0)


def test_it_rolls_where_its_network_says_so(copies):
    player, reference = copies
    said = set()
    for number in range(200):
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
    for number in range(200):
        mine, theirs, row, my_score, their_score = drawn(number)
        final = their_score + dice_copy.penalty(theirs)
        gain = reference.gain_alone(mine, row, my_score, final)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            situation = mine, f"q{theirs}", row, my_score, their_score
            assert decided(player, situation) == expected, situation
            said.add(expected)
    assert said == {"roll", "quit"}


@pytest.mark.parametrize("alone", [False, True])
def test_it_discards_and_takes_what_its_networks_say(copies, alone):
    player, reference = copies
    compared = {"discard": 0, "take": 0}
    for number in range(300):
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
    assert compared["discard"] > 40
    assert alone or compared["take"] > 5


def test_the_reference_describes_situations_alike():
    assert (ROWS, FIRST, SECOND) == (dice_copy.ROWS, dice_copy.FIRST, dice_copy.SECOND)
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
    rules = GAME.rules(RULES)
    nets = copied(rules, 2)
    assert nets.shape == (2 * NET_SIZE, FIRST)
    for net in (0, NET_SIZE):
        assert nets[net + RETURNS_AT, :12].tolist() == [0, *[1] * 9, 10, 10]
        assert nets[net + SLOPES_AT].min() > 0
        assert np.any(nets[net + CONSTANTS_AT, :SECOND])


def test_going_out_is_always_chosen(copies):
    player, _ = copies
    assert decided(player, ("13", "245", "126L", 10, 5), "135") == "discard 13"


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    one, two = (
        lo.simulate(RULES, 2, ["copy", "meanfield"], 3_000, seed=4, threads=threads).to_json()[
            "seats"
        ]
        for threads in (1, 2)
    )
    assert one == two


TUNED = "meanfield:out=1,even=3,ahead=3,behind=2,win=5,lose=20"


@pytest.mark.parametrize("other", [TUNED, "meanfield", "threshold:8", "random"])
@pytest.mark.parametrize("rules", ["dice/amigo", "dice/gigamic", "dice/egmont"])
def test_it_beats_other_policies_from_both_seats(rules, other):
    first = lo.simulate(rules, 2, ["copy", other], 2_000, seed=1).seats[0]["win"]
    second = lo.simulate(rules, 2, [other, "copy"], 2_000, seed=2).seats[1]["win"]
    assert (first.value + second.value) / 2 > 0.57


def test_it_is_best_for_two_to_win_where_it_is_fitted():
    def best(rules: str, players: int, aim: str = "win") -> str:
        return GAME.best_policy(GAME.rules(rules), players, aim).family.name

    assert best("dice/amigo", 2) == best("dice/gigamic", 2) == best("dice/egmont", 2) == "copy"
    assert best("dice/amigo", 3) == best("dice/amigo", 2, "points") == "meanfield"
    assert best("dice/amigo+target=30", 2) == best("dice/egmont+twenty", 2) == "meanfield"


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_are_refused(players):
    with pytest.raises(ReadError, match="two players"):
        lo.simulate(RULES, players, "copy", 100)


@pytest.mark.parametrize("rules", ["dice/egmont+twenty", "dice/amigo+target=30"])
def test_other_rules_are_refused_and_those_it_knows_are_named(rules):
    with pytest.raises(ReadError, match="dice/amigo, dice/egmont, dice/gigamic"):
        lo.simulate(rules, 2, "copy", 100)


def test_the_command_refuses_in_a_sentence():
    said = process(
        "simulate", "dice/egmont+twenty", "--players", "2", "--policy", "copy", "--games", "100"
    )
    assert said.code == 2
    assert "copy is fitted to" in said.err
    assert "Traceback" not in said.err


def test_records_of_its_games_are_read_and_reviewed():
    record = lo.simulate(RULES, 2, "copy", 1, seed=9, rounds=True, records=1).records[0]
    review = lo.review(record, games=1_000)
    assert review.decisions
