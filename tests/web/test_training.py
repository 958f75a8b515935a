"""Training where the page keeps the answers: the same positions and verdicts as with the file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from lama_odds.analysis.coach.drills import collection, stored_why
from lama_odds.analysis.coach.training import HEADER, read_log
from lama_odds.core.errors import ReadError
from lama_odds.core.language import ENGLISH, LANGUAGES, speaking
from lama_odds.games.registry import names
from lama_odds.web.training import answer_in, answer_with, next_of, next_with

DAY = "2026-11-29"
TODAY = date.fromisoformat(DAY)
LATER = "2026-12-05"


def test_carried_answers_lead_where_those_in_the_file_lead(tmp_path: Path) -> None:
    file = tmp_path / "training.txt"
    log = ""
    for turn in range(6):
        there = next_of(read_log(file), "dice", TODAY)
        here = next_with("dice", log, DAY)
        assert here == there
        action = "" if turn == 2 else here["choices"][turn % len(here["choices"])]["action"]
        told = answer_in(read_log(file), "dice", here["id"], action, TODAY)
        found = answer_with("dice", log, DAY, here["id"], action)
        line = found.pop("line")
        assert found == told
        log = f"{log or HEADER}\n{line}".strip()
        assert f"{log}\n" == file.read_text(encoding="utf-8")
    assert next_with("dice", log, LATER)["due"] > 0


def test_a_line_that_cannot_be_read_is_left_out_and_said() -> None:
    assert next_with("lama", f"{HEADER}\n\n", DAY)["notes"] == []
    found = next_with("lama", f"{HEADER}\nnonsense\n", DAY)
    assert found["notes"] == ["1 line of your earlier answers cannot be read, and is left out"]


def test_what_cannot_be_answered_is_refused() -> None:
    first = next_with("lama", "", DAY)
    with pytest.raises(ReadError, match="cannot be done here"):
        answer_with("lama", "", DAY, first["id"], "fly")
    with pytest.raises(ReadError, match="is not a position"):
        answer_with("lama", "", DAY, "nonsense", "draw")
    with pytest.raises(ReadError, match="unknown game"):
        next_with("chess", "", DAY)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != ENGLISH])
def test_all_stored_reasons_are_in_the_language_in_force(language: str) -> None:
    for game in names():
        for drill in collection(game):
            with speaking(language):
                told = stored_why(drill)
            assert len(told) == len(drill.why)
            assert not set(told) & set(drill.why), drill.id
            assert stored_why(drill) == drill.why
