"""Messages about bad input on the card game, and to `thresholds`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import CARDS_RECORD, caret, inside


@pytest.mark.parametrize(
    ("position", "at", "told"),
    [
        ("hand=33X top=4 opp=4", 7, "cards 1-6, 1+-6+, L or P"),
        ("hand=33x top=4 opp=4", 7, "L or P"),
        ("hand=3++ top=4 opp=4", 7, "+"),
        ("hand=+3 top=4 opp=4", 5, "+3"),
        ("hand=L+ top=4 opp=4", 6, "+"),
        ("hand=3 top=45 opp=4", 11, "one card"),
        ("hand=3 top=- opp=4", 11, "one card"),
        ("hand=3 top=7 opp=4", 11, "7"),
        ("hand=3 top=4 opp=q", 18, "q4 for a player who has quit"),
        ("hand=3 top=4 opp=4,qq5", 20, "opp"),
        ("hand=3 top=4 opp=4q4", 17, "whole number"),
        ("hand=3 top=4 opp=4,,5", 19, "opp"),
        ("hand=3 top=4 opp=4L", 17, "whole number"),
        ("hand=3 top=4 opp=4 pile=x", 24, "whole number"),
        ("hand=3 top=4 opp=4 seen=12Z", 26, "Z"),
        ("hand=3 top=4 opp=4 pot=1,x", 25, "whole number"),
        ("hand=3 top=4 opp=4 pot=!", 23, "tokens such as"),
        ("hand=3 top=4 opp=4 pot=1!,1", 23, "whole number"),
        ("hand=3 top=4 opp=4 scores=1,2.5", 28, "whole number"),
        ("hand=3 top=4 opp=4 top=5", 19, "given twice"),
        ("hand=3 top=4 opp=4 row=3", 19, "row"),
        ("hand=3 opp=4", 12, "top is missing"),
        ("hand=3 top=4", 12, "opp is missing"),
        ("top=4 opp=4 pile=3", 18, "hand is missing"),
        ("hand=3 top=4 opp=" + "9" * 30, 17, "digits"),
    ],
)
def test_the_caret_stands_under_the_place_in_a_position_of_cards(
    position: str, at: int, told: str
) -> None:
    for command in ("advise", "odds"):
        said = inside(command, "lama/party", position)
        assert (said.code, said.out) == (2, "")
        assert caret(said) == (position, at)
        assert told in said.err


@pytest.mark.parametrize(
    ("rules", "position", "told"),
    [
        ("egmont", "hand=333333333 top=4 opp=4", ["9 cards 3 in sight, but the game has 8"]),
        ("egmont", "hand=3333 top=3 opp=4 seen=3333", ["9 cards 3 in sight, but the game has 8"]),
        ("egmont", "hand=33+ top=4 opp=4", ["a card 3+ in sight"]),
        ("amigo", "hand=3 top=P opp=4", ["a card P in sight"]),
        (
            "party",
            "hand=PP top=4 opp=4 seen=4+4+",
            ["2 cards 4+", "2 cards P in sight, but the game has 1"],
        ),
        ("egmont", "hand=3 top=4 opp=30,40", ["73 cards|72 cards|too many cards"]),
        ("egmont", "hand=3 top=4 opp=q2,2 pile=60", ["66 cards in hands, discards and draw pile"]),
        ("egmont", "hand=3 top=4 opp=6,6 pile=-1", ["-1 cards in the draw pile"]),
        ("egmont", "hand=- top=4 opp=q4,q5", ["you have no card left"]),
        ("egmont", "hand=3 top=4 opp=0,4", ["opponent 1 has no card left"]),
        ("egmont", "hand=3 top=4 opp=3,q0", ["opponent 2 has quit without a card"]),
        ("egmont", "hand=3 top=4 opp=-3", ["opponent 1 has -3 cards"]),
        ("egmont", "hand=3 top=4 opp=3 pot=1,1", ["the drama is in play with +drama only"]),
        ("egmont+drama", "hand=3 top=4 opp=3 pot=1,5,20", ["a token of 5", "a token of 20"]),
        ("party+drama", "hand=3 top=L opp=3 pot=1,20!", ["the drama runs with 2 tokens"]),
        ("party+drama", "hand=3 top=4 opp=3 pot=1,1,1,1,20!", ["runs after a 4"]),
        ("egmont", "hand=3 top=4 opp=3,3,3,3,3,3", ["7 players; lama/egmont is for 2 to 6"]),
        ("egmont", "hand=3 top=4 opp=3 first=2", ["first=2, but the seats are 0 to 1"]),
        ("egmont", "hand=3 top=4 opp=3 scores=1,2,-3", ["3 scores for 2 players", "negative"]),
        ("egmont", "hand=3 top=4 opp=3 scores=1,40", ["a score of 40: the game ends at 40"]),
        (
            "egmont",
            "hand=333333333P top=4+ opp=0,q0,-1 pot=7! scores=-1,99 first=8",
            [
                *("9 cards 3", "a card P", "a card 4+", "opponent 1", "opponent 2", "opponent 3"),
                *("drama", "2 scores for 4", "negative", "99", "first=8"),
            ],
        ),
    ],
)
def test_positions_of_cards_that_cannot_occur_are_3_with_all_defects(
    rules: str, position: str, told: list[str]
) -> None:
    for command in ("advise", "odds"):
        said = inside(command, f"lama/{rules}", position)
        assert (said.code, said.out) == (3, "")
        defects = [line for line in said.err.splitlines() if line.startswith("  - ")]
        assert len(defects) == len(told), said.err
        for text in told:
            assert any(part in defect for defect in defects for part in text.split("|")), text


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--players", "7"), "2 to 6"),
        (("--players", "1"), "2 to 6"),
        (("--precision", "0"), "--precision"),
        (("--precision", "nan"), "--precision"),
        (("--games", "0"), "--games"),
        (("--policy", "threshold"), "threshold:T"),
        (("--policy", "trashold:5"), "threshold"),
        (("--threads", "0"), "--threads"),
    ],
)
def test_thresholds_refuses_numbers_that_do_not_fit(args: tuple[str, ...], told: str) -> None:
    said = inside("thresholds", "lama/egmont", *args)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_thresholds_of_too_few_rounds_are_4() -> None:
    said = inside("thresholds", "lama/egmont", "--policy", "threshold:5", "--games", "3")
    assert (said.code, said.out) == (4, "")
    assert "too few rounds" in said.err


def test_a_record_of_cards_names_line_and_place(tmp_path: Path) -> None:
    file = tmp_path / "cards.txt"
    for text, at, told in (
        (CARDS_RECORD.replace("deal 112+35L", "deal 112+35"), 5, "line 7"),
        (CARDS_RECORD.replace("225LLL", "225LLX"), 18, "line 7"),
        (CARDS_RECORD.replace("0 play 1", "0 play 3"), 0, "3 cannot be played on L"),
        (CARDS_RECORD.replace("1 play L pays 1", "1 play L pays 4"), 14, "line 10"),
        (CARDS_RECORD.replace("pot 1 10", "pot 1 11"), 6, "line 6"),
    ):
        file.write_text(text, encoding="utf-8")
        said = inside("advise", "lama/party+drama", "--after", str(file))
        assert said.code == 2
        assert caret(said)[1] == at, said.err
        assert told in said.err


SEEN_FROM_ONE = """lama-odds record 1
rules lama/amigo
players 3
round 0 first 0
scores 0 0 0
deal ? ? 133666
top 4
0 play 5
"""


def test_a_record_that_ends_while_another_is_to_act_is_not_answered(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    file.write_text(SEEN_FROM_ONE, encoding="utf-8")
    for command in ("advise", "odds"):
        said = inside(command, "lama/amigo", "--after", str(file))
        assert (said.code, said.out) == (3, "")
        assert "seat 1 is to act, but the record has the cards of seat 2" in said.err
    file.write_text(f"{SEEN_FROM_ONE}1 draw ?\n", encoding="utf-8")
    assert (
        inside("odds", "lama/amigo", "--after", str(file), "--json")
        .json["position"]
        .startswith("hand=133666 ")
    )


def test_a_turn_without_a_card_is_shown_how_to_hide_it(tmp_path: Path) -> None:
    file = tmp_path / "round.txt"
    file.write_text(f"{SEEN_FROM_ONE}1 draw\n", encoding="utf-8")
    said = inside("advise", "lama/amigo", "--after", str(file))
    assert caret(said) == ("1 draw", 2)
    assert "? for a card that you do not see" in said.err
