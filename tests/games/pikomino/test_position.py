"""Positions of Pikomino: text and back, defaults, places of errors, every defect, all at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ImpossibleError, NothingToDecideError, ReadError
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.records.record import position_after, read_record
from lama_odds.games.pikomino.rules.feasibility import find_defects, legal_actions, parse_position
from lama_odds.games.pikomino.rules.position import Position
from tests.games.cases import product_record, product_rules
from tests.games.pikomino.cases import FLIPS, NO_STEAL, SHORT, id_of

RULES = product_rules("pikomino/egmont")
ALL = tuple(range(21, 37))
repeatable = settings(derandomize=True, deadline=None, max_examples=80)


def parse(text: str) -> Position:
    return parse_position(RULES, text)


# Text and back


@st.composite
def any_position(draw: st.DrawFn) -> Position:
    """Dice and tiles in any places: most of these can occur."""
    tiles = draw(st.permutations(ALL))
    players = draw(st.integers(2, 7))
    whole = draw(st.booleans())
    stacks = []
    for _ in range(players):
        height = draw(st.integers(0, 2 if whole else 1))
        stacks.append(tuple(tiles[:height]))
        tiles = tiles[height:]
    centre = tuple(sorted(tiles[: draw(st.integers(1, len(tiles)))]))
    if (whole or not any(stacks)) and ALL[0] not in (*centre, *sum(stacks, ())):
        centre = (ALL[0], *centre)  # it is turned over only at the end of the game
    faces = st.lists(st.integers(0, 5), max_size=8)
    kept, left = draw(faces), None
    if len(kept) < 8 and draw(st.booleans()):
        left = draw(st.lists(st.integers(0, 5), min_size=8 - len(kept), max_size=8 - len(kept)))
    rolled = None if left is None else tuple(left.count(face) for face in range(6))
    return Position(
        tuple(kept.count(face) for face in range(6)), rolled, centre, tuple(stacks), whole
    )


@repeatable
@given(any_position(), st.randoms(use_true_random=False))
def test_what_is_written_reads_back(position, luck):
    defects = find_defects(RULES, position)
    assert all("bust" in defect for defect in defects)
    words = position.format().split()
    luck.shuffle(words)
    if defects:
        with pytest.raises(ImpossibleError):
            parse(" ".join(words))
        return
    assert parse("\t ".join(words)) == position
    assert legal_actions(RULES, position)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", "centre=21-36 own=- tops=-"),
        ("  \t", "centre=21-36 own=- tops=-"),
        ("kept=-", "centre=21-36 own=- tops=-"),
        ("kept=W44", "kept=44W centre=21-36 own=- tops=-"),
        ("own=24", "centre=21-23,25-36 own=24 tops=-"),
        ("tops=27,-,36", "centre=21-26,28-35 own=- tops=27,-,36"),
        ("stacks=24.22/27.30/-", "centre=21,23,25-26,28-29,31-36 stacks=24.22/27.30/-"),
        ("stacks=-/-", "centre=21-36 stacks=-/-"),
        ("centre=30,21-22,23", "centre=21-23,30 own=- tops=-"),
        ("rolled=W5432111", "rolled=1112345W centre=21-36 own=- tops=-"),
        ("centre=21-21 tops=027", "centre=21 own=- tops=27"),
        (
            "kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-",
            "kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-",
        ),
    ],
)
def test_the_canonical_form(text, canonical):
    assert parse(text).format() == canonical
    assert parse(canonical) == parse(text)


def test_the_example_of_the_agreement():
    position = parse("kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-")
    assert position.kept == (0, 0, 0, 3, 0, 1)
    assert position.rolled == (1, 1, 0, 1, 1, 0)
    assert position.centre == (21, 22, 23, 25, *range(30, 37))
    assert position.stacks == ((24,), (27,), ())
    assert (position.players, position.tops, position.whole) == (3, (24, 27, None), False)
    whole = parse("stacks=24.22/27.30/-")
    assert whole.stacks == ((24, 22), (27, 30), ())
    assert (whole.tops, whole.whole) == ((22, 30, None), True)


# What cannot be read


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("kept=44X", 7, "X"),
        ("kept=44x", 7, "W"),
        ("kept=6", 5, "dice 1-5 or W"),
        ("kept=4-", 6, "dice"),
        ("rolled=12,", 10, "W"),
        ("kept=4 rolled=1Z", 15, "rolled"),
        ("kept=4 kept=5", 7, "given twice"),
        ("kepd=4", 0, "kept"),
        ("kept=", 5, "value"),
        ("centre=21,x", 10, "centre"),
        ("centre=21,,22", 10, "centre"),
        ("centre=25-21", 7, "low to high"),
        ("centre=21-22-23", 7, "centre"),
        ("centre=21.22", 7, "centre"),
        ("own=24.25", 4, "own"),
        ("own=24 tops=27,x", 15, "tops"),
        ("tops=27,", 8, "a tile"),
        ("tops=27,,28", 8, "a tile"),
        ("stacks=24.22/2x", 13, "stacks"),
        ("stacks=24/", 10, "stacks"),
        ("stacks=24../-", 10, "stacks"),
        ("own=24 stacks=21/22", 0, "stacks give own too"),
        ("stacks=21/22 tops=23", 13, "stacks give tops too"),
        ("own=" + "9" * 30, 4, "digits"),
    ],
)
def test_what_cannot_be_read_names_the_place(text, at, told):
    with pytest.raises(ReadError, match=told) as caught:
        parse(text)
    assert caught.value.exit_code == 2
    assert (caught.value.text, caught.value.at) == (text, at)


# Defects


def defects(text: str, rules=RULES) -> tuple[str, ...]:
    with pytest.raises(ImpossibleError) as caught:
        parse_position(rules, text)
    assert caught.value.exit_code == 3
    return caught.value.defects


DEFECTS = [
    ("centre=20-22", "20 in the centre: the tiles are 21 to 36"),
    ("centre=35-38", "37, 38 in the centre"),
    ("own=37", "37 in your stack"),
    ("own=-5", "-5 in your stack"),
    ("tops=-,0", "0 in the stack of opponent 2"),
    ("stacks=22.40/-", "40 in your stack"),
    ("centre=21-23,22", "tile 22 2 times, in the centre"),
    ("centre=21-23 own=22", "tile 22 2 times, in the centre and your stack"),
    ("centre=21 tops=24,24", "tile 24 2 times, in the stack of opponent 1 and the stack of"),
    ("own=24 tops=24", "tile 24 2 times, in your stack and the stack of opponent 1"),
    ("stacks=24.24/-", "tile 24 2 times, in your stack"),
    ("centre=21-30 stacks=31/32.30.33", "tile 30 2 times, in the centre and the stack of"),
    ("centre=-", "no tile is left in the centre"),
    ("centre=- stacks=21/22", "no tile is left in the centre"),
    ("kept=11111WWWW", "9 dice kept (11111WWWW), but only 8 exist"),
    ("kept=4 rolled=123", "3 dice rolled (123), but 7 left"),
    ("rolled=123412345", "9 dice rolled"),
    ("rolled=-", "0 dice rolled (-), but 8 left"),
    ("kept=4444 rolled=4444", "bust: 4 kept before"),
    ("kept=44WW rolled=44WW", "bust: 4W kept before"),
    ("kept=4444WWWW centre=21-36 rolled=1", "1 dice rolled (1), but 0 left"),
    ("kept=44445555", "bust: all dice are kept, no worm is kept"),
    ("kept=1111111W", "bust: all dice are kept, no tile for 12"),
    ("kept=2222WWWW centre=29-36 tops=27", "no tile for 28"),
    ("kept=4444444W own=33 centre=34", "no tile for 33"),
    ("tops=-,-,-,-,-,-,-", "8 players"),
]


@pytest.mark.parametrize(("text", "told"), DEFECTS)
def test_a_defect_is_named_alone(text, told):
    (defect,) = defects(text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        (id_of({}), "kept=44WW rolled=44WW own=24", "your 24 goes back, and 36 is turned over"),
        (id_of({}), "kept=1111111W", "no tile for 12; you have no tile to lose"),
        (id_of({}), "kept=1111111W centre=21-35 own=36", "no tile for 12; your 36 goes back"),
        (id_of(SHORT), "kept=1111111W centre=21-35 own=36", "back, and 36 is turned over"),
        (id_of(FLIPS), "kept=1111111W", "you have no tile to lose, and 36 is turned over"),
        (id_of({}), "centre=- own=24", "the game is over"),
        # Where nobody steals, the top tile of another is no tile for 22.
        (id_of(NO_STEAL), "kept=3333311W tops=22 centre=23-36", "you have no tile to lose"),
    ],
)
def test_a_bust_leaves_nothing_to_decide_and_says_what_it_costs(rules_id, text, told):
    with pytest.raises(NothingToDecideError, match="leaves nothing to decide") as caught:
        parse_position(product_rules(rules_id), text)
    (said,) = caught.value.defects
    assert said.endswith(told) or said.startswith(told)


@pytest.mark.parametrize("text", ["kept=11111111 centre=-", "kept=44WW rolled=44", "own=20"])
def test_an_end_that_play_cannot_lead_to_cannot_occur(text):
    with pytest.raises(ImpossibleError, match="cannot occur") as caught:
        parse(text)
    assert not isinstance(caught.value, NothingToDecideError)


def test_all_defects_are_listed_at_once():
    found = defects("kept=44444WWWW rolled=44 centre=20,22 own=22 tops=37,23,23,-,-,-,-")
    for told in (
        *("20 in the centre", "37 in the stack of opponent 1", "tile 22 2", "tile 23 2"),
        *("9 dice kept", "2 dice rolled", "bust: 4 kept before", "8 players"),
    ):
        assert sum(told in defect for defect in found) == 1, told
    assert len(found) == 8
    assert len(defects("kept=11111111 centre=-")) == 2


@pytest.mark.parametrize("text", ["kept=4444444W rolled=-", "kept=44445555 rolled=-"])
def test_no_dice_rolled_with_all_dice_kept_is_a_defect(text):
    assert defects(text)


@pytest.mark.parametrize(
    "text",
    [
        "kept=44444WWW",
        "kept=2222WWWW centre=29-36 tops=28",
        "kept=2222WWWW centre=28 own=21",
        "kept=5555555 centre=36 own=21",
        "kept=12345W centre=36 own=21",
        "kept=5555555 rolled=W",
        "kept=444W rolled=4441",
        "centre=21",
        "stacks=21.22.23.24.25/26/27/28/29/30/31",
    ],
)
def test_what_can_occur_is_no_defect(text):
    assert parse(text).centre


def test_defects_follow_the_options():
    assert "20 in" in defects("own=20")[0]
    assert parse_position(product_rules("pikomino/egmont+low=20"), "own=20").centre == (
        *range(21, 36),
    )
    six = product_rules("pikomino/egmont+dice=6")
    assert "but only 6 exist" in defects("kept=44444WW", six)[0]
    assert "but 6 left" in defects("rolled=12345", six)[0]
    dear = product_rules("pikomino/egmont+worm_value=10")
    assert parse_position(dear, "kept=111112WW tops=27 centre=28").tops == (None, 27)
    assert "no tile for 27" in defects("kept=111112WW tops=26 centre=28", dear)[0]


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, FLIPS, SHORT, {"dice": 6, "low": 13}], ids=id_of)
@pytest.mark.parametrize("players", [2, 5])
def test_positions_of_records_cut_at_every_word_are_never_refused(options, players):
    rules = product_rules(id_of(options))
    policies = (("random", "first-tile") * 3)[:players]
    lines = product_record(id_of(options), policies, 4, 9).splitlines()
    asked = over = 0
    for number, line in enumerate(lines[5:-1], 5):
        words = line.split()
        acts = ("roll", "keep", "stop", "steal", "bust")
        for end in [at for at, word in enumerate(words) if word in acts]:
            text = "\n".join([*lines[:number], " ".join(words[:end]) if end > 1 else ""])
            if words[end] == "bust":
                with pytest.raises(ImpossibleError, match="the turn is over, bust"):
                    position_after(read_record(text))
                over += 1
                continue
            position = position_after(read_record(text))
            asked += 1
            assert parse_position(rules, position.format()) == position
            assert GAME.position_after(rules, text) == position
            told = words[end] if words[end] == "roll" else " ".join(words[end : end + 2])
            actions = [name.split(" from ")[0] for name in legal_actions(rules, position)]
            assert told in actions
    assert asked > 100
    assert over > 5


@pytest.mark.parametrize(
    "text", ["centre=22-36", "centre=36 stacks=-/-", "kept=445WW centre=22,26 stacks=29/30"]
)
def test_the_lowest_tile_is_never_turned_over(text):
    assert defects(text) == (
        "21 is nowhere: the lowest tile is turned over only at the end of the game",
    )


@pytest.mark.parametrize("text", ["centre=25-36 tops=24,-", "centre=36 own=30", "centre=21"])
def test_the_lowest_tile_may_be_buried(text):
    assert find_defects(RULES, parse_position(RULES, text)) == []
