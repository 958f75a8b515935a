"""Jobs, and what a second process compiles: types as plain data, who gets what."""

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
from lama_odds.games.registry import game_of
from lama_odds.jit.ahead import second_process
from lama_odds.jit.ahead.plain_types import OtherTypeError, plain_of, type_of
from lama_odds.jit.job import Job, sharing
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


POSITION = "hand=25L row=1346L opp=13,6LL"


class Play(NamedTuple):
    values: np.ndarray
    log: np.ndarray


class Tables(NamedTuple):
    play: Play
    starter: int
    first: np.ndarray


def add(
    rules: Any, policies: Any, tables: Tables, seed: int, first: int, count: int, tally: np.ndarray
) -> None:
    """A kernel: how many games, and their indices with what the tables have."""
    tally += [count, sum(range(first, first + count)) + tables.starter + int(tables.play.log.sum())]


def job_with(values: list[int]) -> Job:
    array = np.array(values)
    tables = Tables(Play(array, np.zeros(1)), 3, array.copy())
    return Job(add, np.zeros(1), np.zeros(1), tables, (2,))


def test_a_job_is_played_into_a_tally_or_a_new_one() -> None:
    job = job_with([1])
    tally = job.play(0, 10, 2)
    assert tally.tolist() == [2, 24]
    assert job.play(0, 5, 1, tally) is tally
    assert tally.tolist() == [3, 32]


def test_tables_are_changed_by_name() -> None:
    job = job_with([1]).with_tables(starter=5)
    assert type(job.tables) is Tables
    assert job.play(0, 0, 1).tolist() == [1, 5]


def test_equal_arrays_are_shared_within_tables_of_tables() -> None:
    one, two, other = sharing(job_with(values) for values in ([1, 2], [1, 2], [1, 3]))
    for job in (one, two, other):
        assert type(job.tables) is Tables
        assert type(job.tables.play) is Play
        assert job.tables.play.values is job.tables.first
    assert one.tables.first is two.tables.first
    assert other.tables.first is not one.tables.first
    assert other.tables.first.tolist() == [1, 3]


def test_policies_of_a_position_share_their_values() -> None:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    jobs = [game.simulation(rules, [game.policy("meanfield")] * 3, True) for _ in range(2)]
    one, two = sharing(jobs)
    tables: Any = (one.tables, two.tables)
    assert tables[0].values is tables[1].values
    assert type(tables[0]) is type(jobs[0].tables)
