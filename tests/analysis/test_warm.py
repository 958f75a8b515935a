"""Compiling ahead: what is asked, who compiles what, what is kept, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lama_odds.analysis.warm.questions import (
    ADVISE,
    AFTER,
    ODDS,
    SIMULATE,
    TWO,
    WIN,
    Question,
    built_in_rules,
    typical_questions,
)
from lama_odds.analysis.warm.warm import Warmed, _Waiting
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of
from tests.cli.calls import PATIENCE, heed_ctrl_c, inside

WARM = [sys.executable, "-m", "lama_odds", "warm"]


def test_all_built_in_rule_sets_are_asked_about_and_every_position_can_occur() -> None:
    rules = built_in_rules()
    assert len(rules) == len(set(rules)) >= 8
    questions = typical_questions(rules)
    assert {question.rules for question in questions} == set(rules)
    assert len(questions) == len(set(questions))
    assert any(question.text == AFTER for question in questions)
    for name in rules:
        of_two = [
            q for q in questions if q.rules == name and (q.command, q.text) == (SIMULATE, TWO)
        ]
        to_win = [q for q in questions if q.rules == name and (q.command, q.aim) == (ADVISE, WIN)]
        assert len(of_two) == 1
        assert len(to_win) == game_of(name).has_rounds
    for question in questions:
        game = game_of(question.rules)
        if question.text == AFTER:
            assert game.has("held_by_others")
        elif question.command in (ADVISE, ODDS):
            assert game.position(game.rules(question.rules), question.text).players >= 2


def test_a_rule_set_that_there_is_not_is_refused_before_anything_is_compiled() -> None:
    with pytest.raises(ReadError, match="did you mean"):
        typical_questions(["dice/amigo", "dice/amig"])
    refused = inside("warm", "dice/amigo+dealt=nothing")
    assert refused.code == 2
    assert "dealt" in refused.err


def test_processes_work_on_different_games_as_long_as_there_are_any() -> None:
    dice, more_dice, cards = (Question(ODDS, rules) for rules in ("dice/a", "dice/b", "lama/a"))
    waiting = _Waiting([dice, more_dice, cards])
    assert [waiting.take(), waiting.take()] == [dice, cards]
    waiting.done(dice)
    assert waiting.take() == more_dice
    assert waiting.take() is None
    stopped = _Waiting([dice, cards])
    stopped.stop()
    assert stopped.take() is None


def test_what_was_made_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*counts: int) -> str:
        found = Warmed(("lama/amigo",), 12, *counts, seconds=12.3)
        monkeypatch.setattr("lama_odds.analysis.warm.warm.warm", lambda *_: found)
        return inside("warm", "lama/amigo").out

    assert said(1, 0).startswith("Made 1 function for lama/amigo in 12 s; kept")
    assert said(70, 2).startswith("Made 70 functions and 2 tables for lama/amigo in 12 s; kept")
    assert said(0, 0).startswith("Nothing to compile for lama/amigo: all of it is there.")


def own_cache(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(folder)}


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is moved by an XDG variable")
def test_after_ctrl_c_it_goes_on_and_then_questions_compile_nothing(tmp_path: Path) -> None:
    """Ctrl-C ends all processes, and what is compiled is kept: compiling all takes long."""
    env = own_cache(tmp_path)
    running = subprocess.Popen(
        [*WARM, "pikomino/egmont"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True, preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    began = time.monotonic()
    while not list(tmp_path.rglob("*.nbc")):
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.1)
    children = children_of(running.pid)
    assert children
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out, err) == (130, "", "lama-odds: stopped\n")
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    kept = len(list(tmp_path.rglob("*.nbc")))
    again = subprocess.run([*WARM, "pikomino/egmont"], env=env, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("Made ")
    assert len(list(tmp_path.rglob("*.nbc"))) > kept
    third = subprocess.run([*WARM, "pikomino/egmont"], env=env, capture_output=True, text=True)
    assert third.stdout.startswith("Nothing to compile")
    question = [*WARM[:-1], "advise", "pikomino/egmont", "kept=44 rolled=12335W"]
    answer = subprocess.run(question, env=env, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


def children_of(process: int) -> list[str]:
    """The processes that a process has begun."""
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()
