"""What is compiled only when it is needed, and the time that leaves compiling out."""

import pickle
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from lama_odds import jit
from lama_odds.games.dice.rules import transition
from lama_odds.games.lama.rules import transition as cards
from lama_odds.jit import clock, compiled, for_all, given_or, inlined, leading_zeros, small
from lama_odds.jit.deferred import Deferred

POSITIONS = {
    "dice/amigo": "hand=25L row=1346L opp=13,6LL",
    "lama/amigo": "hand=3356L top=4 opp=4,q2,6",
}


@small
def half(x):
    return x // 2


@inlined
def zeros_of_half(x):
    return leading_zeros(np.int64(half(x)))


@inlined
@for_all
def plus(x, y):
    return x + y


def sums_of_it(x):
    return plus(x, 1) + plus(2, x) + plus(x, x)


def run(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.long
@pytest.mark.parametrize("rules", POSITIONS)
def test_odds_answer_without_numba(rules: str) -> None:
    code = (
        "import sys, lama_odds as lo\n"
        f"found = lo.odds({rules!r}, {POSITIONS[rules]!r}).to_json()\n"
        "print('numba' in sys.modules)\n"
        "print({name: e['value'] for name, e in found['events'].items()})\n"
        "from lama_odds import jit; jit.load_numba()\n"  # from now on rules are compiled
        f"found = lo.odds({rules!r}, {POSITIONS[rules]!r}).to_json()\n"
        "print({name: e['value'] for name, e in found['events'].items()})\n"
    )
    loaded, plain, compiled = run(code)
    assert loaded == "False"
    assert plain == compiled


@pytest.mark.long
@pytest.mark.parametrize("command", ["rules", "policies dice/amigo"])
def test_lists_load_no_numba(command: str) -> None:
    code = (
        f"import sys; sys.argv = ['lama-odds', *{command.split()!r}]\n"
        "from lama_odds.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('numba' in sys.modules)"
    )
    assert run(code)[-1] == "False"


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


def test_it_is_made_once_when_it_is_called() -> None:
    made = []

    def make():
        made.append(1)
        return abs

    late = Deferred(make)
    assert not late.is_made
    assert [late(-1), late(-2)] == [1, 2]
    assert made == [1]
    with pytest.raises(AttributeError):
        _ = late.__nothing_of_the_kind__


def test_compiled_functions_call_what_is_deferred() -> None:
    assert zeros_of_half(8) == 61
    assert half(9) == 4


def test_a_clock_leaves_compiling_out() -> None:
    def slow(signature):
        time.sleep(0.2)
        return inner(signature)

    inner = clock.compiling(lambda signature: time.sleep(0.2) or signature)
    began, ours = time.perf_counter(), clock.Clock()
    assert clock.compiling(slow)("i8") == "i8"
    assert time.perf_counter() - began >= 0.4
    assert 0 <= ours.seconds <= time.perf_counter() - began - 0.4


def test_what_is_inlined_is_compiled_once_for_all_numbers_and_again_for_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda module: tmp_path)  # nothing is kept there

    sums = compiled(sums_of_it)
    assert sums(3) == 15
    assert len(plus.made_inside().signatures) == 1
    # Inside compiled functions it lacks what Python needs, so Python has its own.
    assert plus(1, 2) == 3
    assert plus(1.5, 2) == 3.5
    assert plus.made() is not plus.made_inside()
    assert len(plus.made_inside().signatures) == 1
    assert sums(1.5) == 3 + 2.5 + 3.5


@inlined
def doubled(x):
    return plus(x, x)


def doubled_twice(x):
    return doubled(doubled(x))


def calls_of_plus(made) -> int:
    (code,) = made.inspect_llvm().values()
    return len(re.findall(r"call i32 @\w*plus", code))


def test_what_becomes_part_of_a_caller_is_optimized_there_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda module: tmp_path)
    caller = compiled(doubled_twice)
    assert caller(3) == 12
    # Optimizing puts the code of `plus` in the place of calls.
    assert calls_of_plus(doubled.made_inside()) == 1
    assert calls_of_plus(caller.made()) == 0
    called = inlined(doubled.__wrapped__)  # pytest looks at `doubled`, which makes it too early
    assert called(3) == 6
    assert calls_of_plus(called.made()) == 0


class Shelf(NamedTuple):
    """Tables, one of them for a policy that may not play."""

    numbers: np.ndarray
    weights: np.ndarray | None


@inlined
def weighed(tables, x):
    return tables.weights[x] * tables.numbers[x]


optional = given_or("weights", 0.5)(weighed)


def sum_of_weighed(tables, x):
    return optional(tables, x) + tables.numbers[x]


def test_what_reads_a_table_is_compiled_only_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda module: tmp_path)
    ours = compiled(sum_of_weighed)
    without = Shelf(np.array([1.0, 2.0]), None)
    assert ours(without, 1) == 2.5
    assert not weighed.made_inside().signatures
    with_weights = without._replace(weights=np.array([3.0, 4.0]))
    assert ours(with_weights, 1) == 10
    assert len(weighed.made_inside().signatures) == 1
    # Python gets the same.
    assert (optional(without, 1), optional(with_weights, 0)) == (0.5, 3)
