"""What is compiled only when it is needed, and answers without numba."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from lama_odds.games.dice.engine import kernels as of_dice
from lama_odds.games.dice.rules import transition
from lama_odds.games.lama.engine import kernels as of_cards
from lama_odds.games.lama.rules import transition as cards
from lama_odds.jit import (
    cache_folder,
    compiled,
    inlined,
    leading_zeros,
    native,
    of_each_game,
    small,
    stamped,
)
from lama_odds.jit.native import Arguments, UnusualError, passed
from lama_odds.jit.places import opened


@small
def half(x):
    return x // 2


@inlined
def zeros_of_half(x):
    return leading_zeros(np.int64(half(x)))


sides: Any = None  # of the copies below


@of_each_game(inlined)
def highest(dice):
    return dice * sides.MOST


@of_each_game(compiled)
def span(dice):
    return highest(dice) - dice


def printed(script: str, *arguments: str) -> list[str]:
    """The lines that another process prints."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_small_rules_are_the_same_source_compiled_or_not() -> None:
    draw = np.random.default_rng(5)
    for _ in range(500):
        hand, roll = (int(draw.integers(0, 1 << 27)) & 0x3333333 for _ in range(2))
        for rule, arguments in (
            (transition.kinds_of, (hand,)),
            (transition.discard_options, (hand,)),
            (transition.row_cards, (hand & 127,)),
            (transition.most_discarded, (hand, roll << 20)),
            (cards.count_cards, (hand,)),
        ):
            assert rule._plain(*arguments) == rule.made()(*arguments)


def test_what_is_deferred_has_the_name_of_its_function_and_is_found_by_it() -> None:
    assert transition.kinds_of.__doc__.startswith("Return the mask of the kinds held")
    assert pickle.loads(pickle.dumps(transition.kinds_of)) is transition.kinds_of


def test_compiled_functions_call_what_is_deferred() -> None:
    assert zeros_of_half(8) == 61
    assert half(9) == 4


def test_copies_of_a_template_differ_by_what_names_stand_for_in_them() -> None:
    """Each calls its own copies of other functions, and belongs to the module of its game."""
    few, many = ModuleType("few"), ModuleType("many")
    few.MOST, many.MOST = 2, 20  # type: ignore[attr-defined]
    modules = "tests.kernels.test_cache", "tests.kernels.test_deferred"
    copies = [
        stamped(span, module, sides=part) for module, part in zip(modules, (few, many), strict=True)
    ]
    assert [copy(3) for copy in copies] == [3, 57]
    assert [copy.__module__ for copy in copies] == list(modules)
    assert copies[0] is stamped(span, modules[0], sides=few)


def test_kernels_of_each_game_are_found_by_name_and_kept_in_a_folder_of_their_own() -> None:
    for module in (of_dice, of_cards):
        for name in ("play_games", "roll_out", "fork_rounds", "watch_games"):
            kernel = getattr(module, name)
            assert (kernel.__module__, kernel.__qualname__) == (module.__name__, name)
            assert pickle.loads(pickle.dumps(kernel)) is kernel
    assert cache_folder(of_dice.__name__) != cache_folder(of_cards.__name__)


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere numba is loaded")

QUESTIONS = {
    "a turn of Pikomino": ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    "rollouts of cards": ("lama/amigo", "hand=3356L top=4 opp=4,q2,6"),
}
ASK = """
import json, sys
import lama_odds as lo
from lama_odds import jit
rules, position, first = sys.argv[1:]
if first == "numba":
    jit.load_numba()
answer = lo.advise(rules, position, games=1_000, threads=2).to_json()
print("numba" in sys.modules)
print(json.dumps({key: value for key, value in answer.items() if "second" not in key}))
"""


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_without_numba_are_those_with_it(question: str) -> None:
    with_it = printed(ASK, *QUESTIONS[question], "numba")  # compiled and kept from here on
    without = printed(ASK, *QUESTIONS[question], "nothing")
    assert (with_it[0], without[0]) == ("True", "False")
    assert json.loads(without[1]) == json.loads(with_it[1])


class Inner(NamedTuple):
    numbers: np.ndarray
    factor: float


class Tables(NamedTuple):
    inner: Inner
    more: tuple[np.ndarray, np.ndarray]
    limit: int


@compiled
def heavier(tables, start, doubled):
    """A sum over all kinds of arguments; an index that is too large is an error."""
    scratch = np.zeros(4)  # memory of its own
    for at in range(min(tables.limit, 4)):
        scratch[at] = tables.inner.numbers[at, 1] * tables.inner.factor + tables.more[1][at]
    if tables.limit > 4:
        raise ValueError("too many")
    return scratch.sum() * (2 if doubled else 1) + start + tables.more[0][0]


class Partly(NamedTuple):
    inner: Inner | None
    more: Inner | None
    number: int


@compiled
def counted_partly(tables):
    return tables.number + tables.more.numbers.size


@compiled
def is_more(first, second):
    return first > second


def tables(limit: int = 4) -> Tables:
    numbers = np.arange(8.0).reshape(4, 2)
    return Tables(Inner(numbers, 0.5), (np.array([3]), np.arange(4)), limit)


def found(function, *arguments) -> native.Native | None:
    """The machine code of a function for such arguments, once numba has compiled it."""
    function.made()(*arguments)
    return native.found(function._folder(), function.__name__, Arguments()(arguments)[0])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (heavier, (tables(), 1.25, True)),
        (heavier, (tables(), np.float64(1.25), False)),
        (counted_partly, (Partly(None, Inner(np.zeros(5), 0.5), 3),)),
        (is_more, (2, 1)),
        (is_more, (np.int64(-5), 1)),
    ],
)
def test_numbers_are_those_of_numba(function, arguments) -> None:
    code = found(function, *arguments)
    assert code is not None
    values = Arguments()
    for _ in range(2):  # tables that are known from before
        result = code(values(arguments)[1])
        assert result == function.made()(*arguments)
        assert type(result) is type(function.made()(*arguments))


def test_an_error_is_left_to_numba() -> None:
    code = found(heavier, tables(), 1.0, True)
    with pytest.raises(UnusualError):
        code(Arguments()((tables(5), 1.0, True))[1])
    with pytest.raises(ValueError, match="too many"):
        heavier(tables(5), 1.0, True)


@pytest.mark.parametrize(
    "value",
    [
        "text",
        2**63,
        np.int32(1),
        np.zeros((2, 3))[:, 1],
        np.frombuffer(b"12345678", dtype=np.int64),
        (1, [2]),
    ],
)
def test_unusual_arguments_are_left_to_numba(value) -> None:
    with pytest.raises(UnusualError):
        passed(value)


def test_kinds_tell_what_was_compiled_apart() -> None:
    alike = [(tables(), 1.0, True), (tables(3), 2.5, False)]
    assert len({Arguments()(each)[0] for each in alike}) == 1
    others = [1, 1.0, True, np.zeros(1), np.zeros((1, 1)), np.zeros(1, dtype=bool), (1,), (1, 1)]
    assert len({passed(each).kind for each in others}) == len(others)
    assert passed((None, 1)).kind != passed((1, 1)).kind
    assert passed(Inner(np.zeros(1), 1.0)).kind != passed((np.zeros(1), 1.0)).kind


@pytest.mark.parametrize("damage", ["cut", "changed", "other version", "unknown function"])
def test_a_file_that_is_not_as_it_should_be_is_not_run(damage: str, tmp_path: Path) -> None:
    assert found(is_more, 2, 1) is not None
    file = native.file_of(is_more._folder(), "is_more", "i,i")
    content = file.read_bytes()
    head, _, code = opened(content).partition(b"\n")
    header = native.Header(*json.loads(head))
    changed = {
        "cut": content[:-1],
        "changed": content[:200] + bytes([content[200] ^ 1]) + content[201:],
        "other version": native.content_of(header._replace(made_by=["numba 0"]), code),
        "unknown function": native.content_of(header._replace(needs=["no_such_function"]), code),
    }
    native.file_of(tmp_path, "is_more", "i,i").write_bytes(content)
    assert native.found(tmp_path, "is_more", "i,i") is not None
    native.file_of(tmp_path, "is_more", "i,i").write_bytes(changed[damage])
    assert native.found(tmp_path, "is_more", "i,i") is None


def test_numba_can_be_switched_off(monkeypatch) -> None:
    """Then it says that games need it, see `jit`; machine code that is kept does not hide that."""
    assert found(is_more, 2, 1) is not None
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert native.found(is_more._folder(), "is_more", "i,i") is None
