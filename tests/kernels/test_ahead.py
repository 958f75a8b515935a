"""What a second process compiles: types as plain data, who gets what, and that the file is true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from lama_odds import jit
from lama_odds.analysis.warm.questions import ADVISE, ask, typical_questions
from lama_odds.core.data import data_json
from lama_odds.jit.ahead import second_process
from lama_odds.jit.ahead.plain_types import OtherTypeError, plain_of, type_of
from lama_odds.jit.made import made_so_far
from tools.fit.compile_ahead import EDITIONS, LOADING, Pace, begun_at, entry, handed_over, within
from tools.fit.compile_log import Function


class Pair(NamedTuple):
    """A tuple with names."""

    one: Any
    other: Any


def typed(value: Any) -> Any:
    return jit.load_numba().typeof(value)


@pytest.mark.parametrize(
    "value",
    [
        1,
        2.5,
        True,
        None,
        np.int16(3),
        np.zeros(3),
        np.zeros((2, 3), dtype=np.int8).T,
        np.zeros((4, 4), dtype=np.bool_)[::2],
        (1, 2.5),
        (1, 1),
        Pair(1, np.zeros(3)),
        Pair(1, 2),
        Pair(Pair(1, None), (np.zeros(3), 1)),
    ],
)
def test_types_read_back(value: Any) -> None:
    assert type_of(plain_of(typed(value))) == typed(value)


def test_what_a_caller_writes_out_reads_back() -> None:
    from numba.core import types

    for value in (3, True):
        found = type_of(plain_of(types.literal(value)))
        assert found == types.literal(value)
        assert found.literal_value is value


def test_an_array_that_is_only_read_reads_back() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    assert type_of(plain_of(typed(array))) == typed(array) != typed(np.zeros(3))


def test_other_types_are_refused() -> None:
    with pytest.raises(OtherTypeError):
        plain_of(typed("text"))


def functions(*needs: tuple[float, tuple[int, ...]]) -> list[Function]:
    """Functions, each with its seconds and what it needs."""
    return [
        Function("module", f"f{number}", True, ["int64"], seconds, list(needed))
        for number, (seconds, needed) in enumerate(needs)
    ]


def test_two_independent_parts_are_shared() -> None:
    found = functions((1, (1, 2)), (3, ()), (3, ()))
    chosen, alone, together = handed_over(found)
    assert (chosen, alone) == ([2], 7)
    assert together == pytest.approx(4 + LOADING)


def test_a_chain_cannot_be_shared() -> None:
    chosen, alone, together = handed_over(functions((1, (1,)), (3, (2,)), (3, ())))
    assert (chosen, alone, together) == ([], 7, 7)


def test_who_needs_what_the_other_compiles_waits_for_it() -> None:
    # The second begins with 3, which 1 and 2 need: the first waits, then both go on.
    found = functions((1, (1, 2)), (2, (3,)), (2, (3,)), (3, ()))
    assert Pace(found).took([]) == 8
    assert Pace(found).took([2]) == pytest.approx(3 + 2 + 1 + 2 * LOADING, abs=0.1)


def test_a_line_of_the_file_has_its_types_by_number() -> None:
    types: list[Any] = ["float64"]
    found = entry(functions((1, (1, 2)), (3, ()), (3, ())), 0, [2], types)
    assert types == ["float64", "int64"]
    assert found == {"first": [1], "then": [["module", "f2", True, [1]]]}


def test_what_an_earlier_kernel_compiled_is_not_handed_over() -> None:
    found = functions((0, (1,)), (3, ()), (0, (3, 4)), (2, ()), (2, ()))
    chosen, alone, together = handed_over(begun_at(found, 2))
    assert (chosen, alone) == ([4], 4)
    assert (within(found, 0), within(found, 2)) == (3, 4)
    assert together == pytest.approx(2 + LOADING)


def listed_for(game: str) -> list[tuple[str, str, bool, list[Any]]]:
    """All functions that the file lists for kernels of a game."""
    questions = data_json(second_process.FILE)["questions"]
    return [
        (module, name, part, [place["types"][at] for at in given])
        for kernel, place in questions.items()
        if kernel.startswith(f"lama_odds.games.{game}.")
        for needs in place["needs"]
        for module, name, part, given in needs["then"]
    ]


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_listed_is_what_questions_need(edition: str) -> None:
    """After the questions, nothing that is listed has to be compiled.

    If this fails: `tools/publish compiled-ahead` makes the file anew.
    """
    asked = [each for each in typical_questions([edition]) if each.command == ADVISE]
    for question in asked:
        if not question.aim:
            ask(question)
    before = made_so_far().functions
    listed = listed_for(edition.partition("/")[0])
    assert listed
    for function in listed:
        second_process.compile_one(*function)
    assert made_so_far().functions == before


TOGETHER = """
import os, sys
from lama_odds.jit.ahead import second_process
from lama_odds.analysis.warm.questions import ADVISE, Question, ask
os.sched_getaffinity = lambda _: {0, 1}
ended = []
second_process._end = ended.append
ask(Question(ADVISE, "dice/amigo", "hand=25L row=1346L opp=13,6LL"))
status = [os.waitpid(each, 0)[1] for each in second_process._running]
print(len(status), *status)
"""


def test_who_is_to_compile_alone_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(second_process, "needed_by", lambda *given: asked.append(given))
    monkeypatch.setattr(second_process, "_has_two_processors", lambda: True)
    monkeypatch.setattr(second_process.threading, "active_count", lambda: 1)
    monkeypatch.setattr(second_process, "_off", [])
    monkeypatch.setattr(second_process, "_running", [])
    second_process.begin(typed, ())
    assert len(asked) == 1
    monkeypatch.setattr(second_process, "_off", [True])
    second_process.begin(typed, ())
    assert len(asked) == 1


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")
def test_a_first_question_has_a_second_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1 0"
    assert not done.stderr or "first question" in done.stderr
