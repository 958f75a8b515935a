"""Pig played along and reviewed: a process with entries, the record it writes, what it cost."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.coach.choices import choices
from lama_odds.analysis.coach.review import review
from lama_odds.analysis.coach.session import Session
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.shared.decisions import decisions, query_of, read_record

if "pig" not in {point.name for point in entry_points(group="lama_odds.games")}:
    pytest.skip(
        "Pig is not installed (pip install --no-deps -e examples/pig)", allow_module_level=True
    )

from lama_odds_pig.game import GAME
from lama_odds_pig.rules import Position

CLASSIC = GAME.rules("pig/classic")
SMALL = GAME.rules("pig/classic+bust=2+sides=4+target=15")
SHORT = ("pig/classic+target=20", "--players", "2", "--against", "hold:9", "--seed", "9")
# What `play` writes with these options when all its advice is taken.
GOLDEN = """lama-odds record 1
rules pig/classic+target=20
players 2
policies me hold:9
luck 9 0
0 roll 1
1 roll 2 roll 6 roll 5 hold
0 roll 3 roll 3 roll 2 roll 3 roll 6 roll 4
final 21 13
"""


def called(folder: Path, entries: str, *args: object) -> subprocess.CompletedProcess[str]:
    """A call of lama-odds as a process."""
    done = subprocess.run(
        [sys.executable, "-m", "lama_odds", *map(str, args)],
        input=entries,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def reviewed(folder: Path, file: Path) -> Any:
    return json.loads(called(folder, "", "review", file, "--json").stdout)


@pytest.mark.long
def test_taking_all_advice_writes_a_game_that_cost_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = called(tmp_path, "\n" * 40, "play", *SHORT, "--file", file)
    assert "you: 0 points · player 2: 13 points\nThis turn has 3 points: roll, hold" in said.stdout
    assert "The game is over: " in said.stdout
    assert file.read_text(encoding="utf-8") == GOLDEN
    me, other = reviewed(tmp_path, file)["seats"]
    assert (me["policy"], me["error"], me["skill"]) == ("me", 0, 0)
    assert (other["policy"], other["error"] > 0) == ("hold:9", True)
    for seat in (me, other):
        parts = (seat["start"], *seat["luck"].values(), seat["skill"])
        assert sum(parts) == pytest.approx(seat["result"])
    assert me["start"] + other["start"] > 1  # the first player has more than the second


@pytest.mark.long
def test_entries_in_words_and_letters_undone_and_resumed(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    called(tmp_path, "roll\nhold\nr\n", "play", *SHORT, "--file", whole)
    said = called(tmp_path, "help\nfly\nroll 3\nr\nundo\nr\n", "play", *SHORT, "--file", parts)
    assert "h          hold: take the points of your turn" in said.stdout
    assert "expected roll FACE, or then hold" in said.stdout
    called(tmp_path, "h\n?\n", "play", "--resume", parts)
    called(tmp_path, "r\n", "play", "--resume", parts)
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


@pytest.mark.long
def test_a_table_of_people(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    entries = "r4 r6 h\n#2 roll 6; hold\nr7\nr1\nr\nr5\n"
    table = ("--players", "3", "--table", "--games", "1000")
    said = called(tmp_path, entries, "play", "pig/classic", *table, "--file", file)
    assert "found '7', expected a face from 1 to 6" in said.stdout
    assert "name the face too: roll FACE" in said.stdout
    turns = ["0 roll 4 roll 6 hold", "1 roll 6 hold", "2 roll 1", "0 roll 5"]
    assert file.read_text(encoding="utf-8").splitlines()[5:] == turns
    after = called(tmp_path, "", "advise", "pig/classic", "--after", file, "--games", "1000")
    assert "turn=5 scores=10,6,0" in after.stdout
    seats = reviewed(tmp_path, file)["seats"]
    assert [seat["decisions"] for seat in seats] == [2, 1, 0]


def test_a_page_offers_all_faces_and_to_hold() -> None:
    session = Session.begin(GAME, CLASSIC, 2, 0, None, 0)
    (roll,) = choices(session)
    assert (roll.verb, roll.options) == ("roll", ("1", "2", "3", "4", "5", "6"))
    session.enter("r4")
    assert [choice.verb for choice in choices(session)] == ["roll", "hold"]


def test_the_decisions_of_a_record_are_those_of_its_policies() -> None:
    names = ("optimal", "hold:9", "hold:3")
    for number in range(5):
        text = GAME.record(SMALL, [GAME.policy(name) for name in names], 3, number, False)
        found = decisions(GAME, SMALL, text)
        players = [query_of(GAME).player(SMALL, GAME.policy(name), 3) for name in names]
        for decision in found:
            assert GAME.position_after(SMALL, decision.before) == decision.position
            assert (
                players[decision.seat].decides(Situation(0, decision.position), 0)
                == decision.chosen
            )
        words = [word for line in text.splitlines()[5:-1] for word in line.split()[1:]]
        assert [decision.chosen for decision in found] == [w for w in words if w.isalpha()]


def test_a_random_player_holds_half_the_time() -> None:
    player = query_of(GAME).player(CLASSIC, GAME.policy("random"), 2)
    situation = Situation(0, Position(14, (30, 50)))
    words = np.random.default_rng(1).integers(0, 2**64, 2_000, dtype=np.uint64)
    holds = sum(player.decides(situation, int(word)) == "hold" for word in words)
    assert abs(holds - 1_000) < 3.5 * 500**0.5


def test_luck_is_0_on_average() -> None:
    """Whatever a player does, if the others play as well as possible."""
    policies = [GAME.policy("random"), GAME.policy("optimal")]
    luck = []
    for number in range(150):
        text = GAME.record(SMALL, policies, 8, number, False)
        account = review(GAME, SMALL, text, seat=0).course.accounts[0]
        luck.append(account.rolls + account.between)
    assert abs(np.mean(luck)) < 3.5 * np.std(luck) / len(luck) ** 0.5
    assert np.std(luck) > 0.1


def test_a_turn_is_reviewed_for_points_and_counts_only_when_it_is_over() -> None:
    head = "lama-odds record 1\nrules pig/classic\nplayers 2\n"
    for last, result in (("hold", 8.0), ("roll 1", 0.0), ("", None)):
        text = f"{head}0 roll 6 hold\n1 roll 5 roll 3 {last}\n"
        me, other = review(GAME, CLASSIC, text, objective="points").course.accounts
        assert (me.result, me.final) == (6.0, True)
        assert other.final is (result is not None)
        assert result is None or other.result == result
        assert other.skill == 0 if last == "roll 1" else other.skill <= 0


def test_a_finished_record_says_who_won() -> None:
    record = read_record(GAME, GOLDEN)
    assert record.outcome == record.final
    assert record.state.over
    assert max(record.state.points) >= 20
