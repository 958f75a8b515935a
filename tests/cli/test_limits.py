"""How much is played: what cannot be asked for together, the fewest games, and a single game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lama_odds.api import asked
from lama_odds.cli.advise import EXAMPLES
from lama_odds.cli.commands import app
from lama_odds.games.registry import GAMES, game_of
from lama_odds.statistics.anytime import FEWEST
from tests.cli.calls import BUILT, RECORD, SAMPLED, inside

TWO = ("--players", "2")


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((*SAMPLED, "--games", "1000", "--seconds", "5"), "--games and --seconds"),
        (
            ("thresholds", "dice/amigo", "--games", "1000", "--precision", "0.1"),
            "--games and --precision",
        ),
        (
            (
                *("tournament", "dice/amigo", *TWO, "--policies", "random,threshold:5"),
                *("--games", "100", "--precision", "0.1"),
            ),
            "--games and --precision",
        ),
        (
            ("compare", "dice/amigo", "dice/egmont", *TWO, "--games", "500", "--seconds", "1"),
            "--games, --seconds and --precision",
        ),
        (
            ("report", "dice/amigo", "--out", "x", "--quick", "--precision", "1"),
            "--quick and --precision",
        ),
    ],
)
def test_of_several_limits_one_is_given(args: tuple[str, ...], options: str) -> None:
    said = inside(*args)
    assert (said.code, said.out) == (2, "")
    assert f"expected one of {options}" in said.err


def test_fewer_games_than_can_say_anything_are_refused_at_once(tmp_path: Path) -> None:
    assert asked.FEWEST_ROLLOUTS == FEWEST
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8")
    for args in (SAMPLED, ("review", str(file))):
        said = inside(*args, "--games", str(FEWEST - 1))
        assert (said.code, said.out) == (2, "")
        assert "--games 999: expected a whole number from 1,000 to " in said.err
        assert "--seconds" not in said.err
    assert inside(*SAMPLED, "--games", str(FEWEST)).code == 0


@pytest.mark.parametrize(
    ("rules", "policy", "measure"),
    [
        ("dice/amigo", "threshold:5", "score"),
        ("lama/egmont", "threshold:5", "score"),
        ("pikomino/egmont", "first-tile", "worms"),
        ("noprob/starnberger", "random", "score"),
    ],
)
def test_one_game_does_not_make_a_mean_certain(rules: str, policy: str, measure: str) -> None:
    play = ("simulate", rules, *TWO, "--policy", policy, "--json")
    one, many = inside(*play, "--games", "1").json, inside(*play, "--games", "200").json
    for seat, usual in zip(one["seats"], many["seats"], strict=True):
        for name in (measure, "win"):
            found, expected = seat[name], usual[name]["value"]
            assert found["low"] <= expected <= found["high"]
            assert found["low"] < found["high"]
        assert seat[measure]["stderr"] > 0
    table = [name for name in one if isinstance(one[name], dict)]
    assert table
    for name in table:
        assert one[name]["low"] <= many[name]["value"] <= one[name]["high"]
        assert one[name]["low"] < one[name]["high"]
    rows = re.findall(r"^seat \d .*", inside(*play[:-1], "--games", "1", "-v").out, re.M)
    assert len(rows) == len(one["seats"])
    assert all(" ± " in row for row in rows)
    assert re.search(r"wins ± \d+ %", inside(*play[:-1], "--games", "1").out)


def test_a_game_without_worms_does_not_say_that_there_are_none() -> None:
    play = ("simulate", "pikomino/egmont", *TWO, "--policy", "first-tile", "--games", "1")
    seats = inside(*play, "--json").json["seats"]
    none = [seat["worms"] for seat in seats if seat["worms"]["value"] == 0]
    assert none
    assert none[0]["low"] == 0
    assert none[0]["high"] > 20


PARAGRAPHS = {"lama": "Cards", "dice": "Dice", "pikomino": "Pikomino", "noprob": "No Prob-Lama"}


@pytest.mark.parametrize("name", GAMES)
def test_help_has_all_words_of_a_position(name: str) -> None:
    general, *_ = re.findall(r"^A position .*(?:\n.+)*", EXAMPLES, re.MULTILINE)
    own = re.search(rf"^{PARAGRAPHS[name]}: .*(?:\n.+)*", EXAMPLES, re.MULTILINE)
    assert own is not None
    said = own[0] + ("" if name == "pikomino" else general)
    assert [word for word in game_of(name).words if not re.search(rf"\b{word}\b", said)] == []


def test_help_has_all_objectives() -> None:
    parameters = {p.name: p for p in BUILT(app()).commands["advise"].params}
    said = parameters["objective"].help
    for name in GAMES:
        assert [o for o in game_of(name).objectives if not re.search(rf"\b{o}\b", said)] == []
