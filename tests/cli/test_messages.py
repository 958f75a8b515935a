"""Messages about bad input: near names, the place of the error, reasons, all defects at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from lama_odds.cli.commands import in_digits
from tests.cli.calls import RECORD, caret, inside

RULES = "dice/amigo"
POSITION = "hand=25L row=1346L opp=13"
CARDS = "hand=3356L top=4 opp=4,q2,6"
PLAY = ("simulate", RULES, "--players", "2", "--policy", "random", "--games", "5")


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (("advise", "dic/amigo", POSITION), "dice"),
        (("advise", "dice/amgio", POSITION), "amigo"),
        (("odds", "dice/egmond", "deal"), "egmont"),
        (("rules", "dice/amigo+twnty"), "twenty"),
        (("advise", "dice/amigo+llama_point=9", POSITION), "llama_points"),
        (("advise", RULES, "hnad=25L opp=13"), "hand"),
        (("advise", RULES, "hand=25L opp=13 score=1,2"), "scores"),
        (("advise", RULES, POSITION, "--opponents", "treshold:5"), "threshold"),
        (("simulate", RULES, *PLAY[2:4], "--policy", "randon", "--games", "5"), "random"),
        (("advise", RULES, POSITION, "--objective", "point"), "points"),
        (("advise", "lana/egmont", CARDS), "lama"),
        (("odds", "lama/pary", "deal"), "party"),
        (("rules", "lama/egmont+llama_eech"), "llama_each"),
        (("advise", "lama/egmont", "hand=3 topp=4 opp=4"), "top"),
        (("advise", "lama/egmont", CARDS, "--opponents", "maching:5"), "matching"),
    ],
)
def test_an_unknown_name_is_answered_by_near_ones(args: tuple[str, ...], near: str) -> None:
    said = inside(*args)
    assert said.code == 2
    hint = next(line for line in said.err.splitlines() if "did you mean" in line)
    assert near in hint.replace("?", "").split()


@pytest.mark.parametrize("name", ["zzz/amigo", "dice/zzz", "dice/amigo+zzz"])
def test_a_name_like_no_other_is_answered_by_all(name: str) -> None:
    said = inside("advise", name, POSITION)
    assert said.code == 2
    assert "known: " in said.err


def test_unknown_commands_and_options_are_2() -> None:
    said = inside("advice", RULES, POSITION)
    assert said.code == 2
    assert "advice" in said.err
    said = inside("advise", RULES, POSITION, "--opponent", "random")
    assert said.code == 2
    assert "--opponent" in said.err


@pytest.mark.parametrize("command", ["advise", "odds", "simulate", "thresholds"])
@pytest.mark.parametrize("game", ["dice", "lama"])
def test_a_game_without_edition_is_2_and_names_the_editions(command: str, game: str) -> None:
    rest = {"simulate": PLAY[2:], "advise": (POSITION,), "odds": ("deal",)}.get(command, ())
    said = inside(command, game, *rest)
    assert said.code == 2
    for edition in ("amigo", "egmont", "gigamic" if game == "dice" else "party"):
        assert f"{game}/{edition}" in said.err


@pytest.mark.parametrize("command", ["advise", "odds"])
def test_a_missing_position_is_2(command: str) -> None:
    said = inside(command, RULES)
    assert said.code == 2
    assert "position" in said.err
    assert inside(command, RULES, "").code == 2


def test_a_position_and_a_record_together_are_2(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8")
    more = ("--objective", "points", "--games", "1000")
    assert inside("advise", RULES, "--after", str(file), *more).code == 0
    said = inside("advise", RULES, POSITION, "--after", str(file))
    assert said.code == 2
    assert "--after" in said.err


def test_a_record_that_cannot_be_read_is_2(tmp_path: Path) -> None:
    assert "nowhere.txt" in inside("advise", RULES, "--after", "nowhere.txt").err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name in ("nowhere", "bytes", ""):
        assert inside("advise", RULES, "--after", str(tmp_path / name)).code == 2


def test_a_record_names_line_and_place(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD.replace("1256LL", "1256LX"), encoding="utf-8")
    said = inside("advise", RULES, "--after", str(file))
    assert said.code == 2
    assert "line 8" in said.err
    assert caret(said) == ("deal 12344L 1256LX", 17)


@pytest.mark.parametrize(
    ("text", "digits"),
    [("1,000", "1000"), ("1e6", "1000000"), ("2.5E+3", "2500"), ("1e0", "1"), ("1.25e1", "1.25e1")]
    + [(text, text) for text in ("1,00", "1.5", "e6", "1e", "1e-3", "many", "")],
)
def test_numbers_of_games_may_be_grouped_or_powers(text: str, digits: str) -> None:
    assert in_digits(text) == digits


def test_games_are_read_so() -> None:
    asked = ("advise", "lama/amigo", "hand=34 top=6 opp=4,3", "--json")
    for words in (("--games", "1,000"), ("--games=1e3",)):
        assert inside(*asked, *words).json["games"] == 1_000
    said = inside(*asked, "--games", "1,00").err
    assert "--games 1,00: expected a whole number from 1,000 to" in said


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--threads", value) for value in ("0", "-1", "1.5", "many", "257")),
        *(("--seconds", value) for value in ("nan", "inf", "-inf", "0", "-1", "1e9", "")),
        *(("--games", value) for value in ("0", "-5", "1.5", "nan", "1" + "0" * 30)),
        *(("--seed", value) for value in ("-1", "x", "1" + "0" * 30)),
        ("--objective", "score"),
        ("--opponents", "nonsense"),
        ("--opponents", "threshold"),
        ("--opponents", "threshold:-1"),
    ],
)
def test_options_are_validated_even_where_an_exact_answer_ignores_them(
    option: str, value: str
) -> None:
    said = inside("advise", RULES, "hand=25L opp=q=16", option, value)
    assert (said.code, said.out) == (2, "")
    assert value.strip("-") in said.err or option in said.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--players", "7"), "2 to 6"),
        (("--players", "1"), "2 to 6"),
        (("--players", "3", "--policy", "random"), "2 policies for 3 players"),
        (("--show", "6"), "only 5"),
        (("--games", "0"), "--games"),
        (("--threads", "0"), "--threads"),
    ],
)
def test_simulate_refuses_numbers_that_do_not_fit(args: tuple[str, ...], told: str) -> None:
    said = inside(*PLAY, *args)
    assert said.code == 2
    assert told in said.err


@pytest.mark.parametrize(
    ("position", "at", "told"),
    [
        ("hand=25X opp=13", 7, "X"),
        ("hand=25x opp=13", 7, "cards 1-6 or L"),
        ("hand=25L opp=13 hand=1", 16, "given twice"),
        ("hand=25L  opp=13,6Z", 18, "opp"),
        ("hand=25L\topp=1Z", 14, "opp"),
        ("hand= opp=13", 5, "a value"),
        ("hand=25L opp=13,,1", 16, "opp"),
        ("hand=25L opp=q", 14, "q6LL or q=16"),
        ("hand=25L opp=q=1x", 15, "whole number"),
        ("hand=25L opp=qq1", 14, "opp"),
        ("hand=25L row=1131 opp=1", 14, "at most once"),
        ("hand=25L opp=1 scores=1,x", 24, "whole number"),
        ("hand=25L opp=1 scores=1.5,2", 22, "whole number"),
        ("hand=25L opp=1 first=me", 21, "whole number"),
        ("hand=25L opp=1 rolled=1a3", 23, "rolled"),
        ("hand=25L opp=1 25L", 15, "a comma between players"),
        ("hnad=25L opp=1", 0, "hnad"),
        ("opp=1", 5, "hand is missing"),
        ("hand=1", 6, "opp is missing"),
        ("hand=25L opp=1 first=" + "9" * 30, 21, "digits"),
    ],
)
def test_the_caret_stands_under_the_place(position: str, at: int, told: str) -> None:
    said = inside("advise", RULES, position)
    assert said.code == 2
    # A tab is written out, which takes two places.
    shown = position.replace("\t", "\\t")
    assert caret(said) == (shown, at + position[:at].count("\t"))
    assert told in said.err


@pytest.mark.parametrize(
    ("rules", "at", "told"),
    [
        ("lama/gigamic", 5, "gigamic"),
        ("lama/party+llama_each", 11, "not defined"),
        ("lama/party+twenty=maybe", 18, "on or off"),
        ("lama/egmont+starter=dealer", 20, "rotate or last_actor"),
        ("lama/egmont+pink_adds", 12, "no pink llama"),
        ("lama/egmont+drama_tokens=3", 12, "+drama"),
        ("lama/egmont+copies=1+dealt=4+llamas=1", 21, "two players"),
        ("lama/egmont+copies=13", 19, "1 to 12"),
        ("lama/egmont+points=1.2.3", 19, "six numbers"),
        ("lama/egmont+faces=123456L", 12, "faces"),
        ("dice", 4, "edition"),
        ("dice/", 5, "edition"),
        ("dice/Amigo", 5, "Amigo"),
        ("dice/amigo+", 11, "option"),
        ("dice/amigo++twenty", 11, "option"),
        ("dice/amigo+twenty+twenty=off", 18, "given twice"),
        ("dice/amigo+twenty=yes", 18, "on or off"),
        ("dice/amigo+target", 17, "target=value"),
        ("dice/amigo+target=", 18, "whole number"),
        ("dice/amigo+target=0", 18, "1 to 1000"),
        ("dice/amigo+faces=1234LL.34x6LL.1256LL", 26, "faces 1-6 or L"),
        ("dice/amigo+faces=1234LL..1256LL", 24, "2 to 12 faces"),
        ("dice/amigo+twenty+pink=5", 18, "worth more"),
        ("dice/amigo+pink=30", 11, "+twenty"),
        ("dice /amigo", 0, "unknown game"),
    ],
)
def test_the_caret_stands_under_the_place_in_a_rule_set(rules: str, at: int, told: str) -> None:
    said = inside("rules" if "/" in rules else "odds", rules, *(() if "/" in rules else ("deal",)))
    assert said.code == 2
    assert caret(said) == (rules, at)
    assert told in said.err


def test_all_defects_are_listed_at_once() -> None:
    position = "hand=33333 row=3456L opp=333,q=0 scores=-1,40 first=5 rolled=666"
    said = inside("advise", RULES, position)
    assert said.code == 3
    defects = [line for line in said.err.splitlines() if line.startswith("  - ")]
    for told in ("first=5", "2 scores", "-1", "40", "9 cards 3", "penalty of 0", "666"):
        assert any(told in defect for defect in defects), told
    assert len(defects) == 7
