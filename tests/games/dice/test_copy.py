"""`copy` decides as its weights say, for two players only, and beats all rules of thumb."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.engine.copied import DIGITS, SIZES
from lama_odds.games.dice.engine.table_rows import (
    BLOCK,
    COLUMNS,
    SCRATCH,
    SCRATCH_SIZE,
    TABLE_SIZE,
)
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies.copy import MANIFEST, laid_out, weights_of
from lama_odds.games.dice.records.policy_query import Player
from lama_odds.games.interface.records import Situation
from tests.cli.calls import process
from tests.reference import dice_copy

RULES = "dice/amigo"
NEAR = 1e-3  # sums in other orders may differ by so much: such decisions are left out


@pytest.fixture(scope="module")
def copies():
    rules = GAME.rules(RULES)
    manifest = data_json(MANIFEST)
    entry = manifest["rules"][RULES]
    packed = data_bytes(f"copy/{entry['file']}", entry["sha256"])
    weights = np.frombuffer(packed[-2 * weights_total(manifest) :], dtype="<f2").tolist()
    return Player(rules, GAME.policy("copy"), 2), dice_copy.Copy(manifest["features"], weights)


def weights_total(manifest: dict) -> int:
    return sum(weights_of(manifest["features"][net]) for net in ("rolling", "deciding"))


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


def test_it_rolls_where_its_weights_say_so(copies):
    player, reference = copies
    said = set()
    for number in range(300):
        situation = drawn(number)
        gain = reference.gain(*situation)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            assert decided(player, situation) == expected, situation
            said.add(expected)
    assert said == {"roll", "quit"}


def test_it_discards_and_takes_what_its_weights_say(copies):
    player, reference = copies
    compared = {"discard": 0, "take": 0}
    for number in range(400):
        situation = drawn(number)
        mine, _, row, *_ = situation
        luck = random.Random(-number)
        shown = "".join(luck.choices("1234LL", k=1) + luck.choices("3456LL", k=1) + ["2"])
        matches, left = "", mine
        for card in shown:
            if card in left:
                left = left.replace(card, "", 1)
                matches += card
        takeable = "" if matches else "".join(sorted(set(shown) & set(row)))
        if matches and len(matches) < len(mine):
            verb, worth = "discard", reference.discards(matches, *situation)
        elif len(takeable) > 1:
            verb, worth = "take", reference.takes(takeable, *situation)
        else:
            continue
        ranked = sorted(worth, key=worth.__getitem__)
        if len(ranked) > 1 and worth[ranked[-1]] - worth[ranked[-2]] < NEAR:
            continue
        assert decided(player, situation, shown) == f"{verb} {ranked[-1]}", (situation, shown)
        compared[verb] += 1
    assert compared["discard"] > 50
    assert compared["take"] > 10


def test_the_reference_describes_situations_alike():
    assert list(SIZES) == dice_copy.SIZES
    assert len(dice_copy.digits("1", "2L", "345", 12, 3)) == DIGITS
    rows = laid_out([[0, 1, 17], [7, 8, 9]])
    assert rows[1][3] == SIZES[0] * SIZES[1]


def test_its_digits_have_room_behind_the_rows_of_a_table():
    assert SCRATCH >= BLOCK + COLUMNS
    assert DIGITS <= SCRATCH_SIZE
    assert TABLE_SIZE >= SCRATCH + SCRATCH_SIZE


def test_going_out_is_always_chosen(copies):
    player, _ = copies
    assert decided(player, ("13", "245", "126L", 10, 5), "135") == "discard 13"


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    one, two = (
        lo.simulate(RULES, 2, ["copy", "best"], 3_000, seed=4, threads=threads).to_json()["seats"]
        for threads in (1, 2)
    )
    assert one == two


@pytest.mark.parametrize("other", ["best", "meanfield", "threshold:8", "random"])
@pytest.mark.parametrize("rules", ["dice/amigo", "dice/gigamic"])
def test_it_beats_other_policies_from_both_seats(rules, other):
    first = lo.simulate(rules, 2, ["copy", other], 2_000, seed=1).seats[0]["win"]
    second = lo.simulate(rules, 2, [other, "copy"], 2_000, seed=2).seats[1]["win"]
    assert (first.value + second.value) / 2 > 0.57


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_are_refused(players):
    with pytest.raises(ReadError, match="two players"):
        lo.simulate(RULES, players, "copy", 100)


@pytest.mark.parametrize("rules", ["dice/egmont", "dice/amigo+target=30"])
def test_other_rules_are_refused_and_those_it_knows_are_named(rules):
    with pytest.raises(ReadError, match="dice/amigo, dice/gigamic"):
        lo.simulate(rules, 2, "copy", 100)


def test_the_command_refuses_in_a_sentence():
    said = process(
        "simulate", "dice/egmont", "--players", "2", "--policy", "copy", "--games", "100"
    )
    assert said.code == 2
    assert "copy is fitted to" in said.err
    assert "Traceback" not in said.err


def test_records_of_its_games_are_read_and_reviewed():
    record = lo.simulate(RULES, 2, "copy", 1, seed=9, rounds=True, records=1).records[0]
    review = lo.review(record, games=1_000)
    assert review.decisions
