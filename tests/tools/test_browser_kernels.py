"""Compiled functions as WebAssembly: in Node they give the bits that they give here."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import lama_odds
from lama_odds.core import elementary
from tools.browser.compared import compared
from tools.browser.kernels import build, serving, without_names
from tools.browser.needed import Call, listed, noting

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("node"), reason="node runs WebAssembly here"),
    pytest.mark.skipif(not shutil.which("wasm-ld"), reason="wasm-ld (Debian: lld) links it"),
]
RUNTIME = Path(__file__).parents[2] / "tools/browser/runtime/kernels.js"
# What is asked: few kinds of arguments, many players, and what is solved.
GRIDS = "?,?,?/?,?,9/?,?,?", "3,?,?/?,4,9/?,?,?", "?,?,?/?,8,9/?,?,?", "3,?,?/?,?,7/?,?,?"
ASKED = {
    "dice": [
        *(
            f"hand=25 row=1346L opp={opp}"
            for opp in ("13,q6LL", "13,6,q4", "13,6,4,55", "1,6,4,5,3")
        ),
        "hand=25 opp=q6LL",
        "hand=2 row=6L opp=1",
    ],
    "lama": [f"hand=3356L top=4 opp={opp}" for opp in ("4,q2", "4,q2,6", "4,q2,6,3", "4,q2,6,3,2")],
    "pikomino": [
        *(f"kept=44WW stacks={'/'.join(str(n) for n in range(21, 21 + n))}" for n in range(2, 7)),
    ],
    "noprob": [
        f"grid=3,?,5/?,(7),?/J,?,? top=4 opp={';'.join([*GRIDS, GRIDS[0]][:n])}"
        for n in range(1, 6)
    ],
}
RULES = {
    "dice": "dice/amigo",
    "lama": "lama/egmont",
    "pikomino": "pikomino/egmont",
    "noprob": "noprob/starnberger",
}
OBJECTIVES = {
    "dice": ("margin",),
    "lama": ("points",),
    "pikomino": ("win", "points"),
    "noprob": ("round",),
}
EXP = "lama_odds.jit.elementary.exp", "f"
LOG = "lama_odds.jit.elementary.log", "f"
SMALL = [
    EXP,
    LOG,
    ("lama_odds.games.dice.rules.transition.roll_case", "<i81,i,i,i,b"),
    ("lama_odds.games.lama.rules.transition.penalty_of", "<i81,<i81,i"),
]

Calls = dict[tuple[str, str], list[Call]]


@pytest.fixture(scope="module")
def calls() -> Mapping[str, Calls]:
    """What Python calls for the answers, by game."""
    found: dict[str, Calls] = {}
    for game, positions in ASKED.items():
        met: Calls = {}
        with noting(met):
            for position, aim in product(positions, OBJECTIVES[game]):
                lama_odds.advise(RULES[game], position, objective=aim, games=1000, threads=1)
        found[game] = met
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module of few functions."""
    out = tmp_path_factory.mktemp("browser")
    build(out, {"small": SMALL})
    return out


@pytest.mark.parametrize("game", ASKED)
def test_the_list_has_what_answers_call(calls: Mapping[str, Calls], game: str) -> None:
    assert len(calls[game]) > 1
    assert {tuple(pair) for pair in listed()[game]} >= set(calls[game])


@pytest.mark.parametrize("game", ASKED)
def test_calls_have_the_same_bits(
    calls: Mapping[str, Calls], browser_kernels: Path, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compared(browser_kernels, {game: calls[game]}) == 0, capsys.readouterr().out
    kept = sum(map(len, calls[game].values()))
    assert f"{kept} of {kept} calls have the same bits" in capsys.readouterr().out
    assert kept > 5


def test_a_wrong_result_is_seen(
    calls: Mapping[str, Calls], browser_kernels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, (call, *_) = next(item for item in calls["lama"].items() if "roll_out" in item[0][0])
    wrong = tuple(after + 1 if at == 6 else after for at, after in enumerate(call.after))
    assert compared(browser_kernels, {"lama": {key: [call._replace(after=wrong)]}}) == 1
    assert "roll_out: 1 differ (array" in capsys.readouterr().out


def test_two_builds_are_equal(small: Path, tmp_path: Path) -> None:
    build(tmp_path, {"small": SMALL})
    for file in ("small.wasm", "small.json"):
        assert (tmp_path / file).read_bytes() == (small / file).read_bytes()


def in_node(small: Path, script: str) -> Any:
    """Return what a script makes of kernels, as JSON."""
    whole = f"""
        import fs from "node:fs";
        import {{ loadKernels }} from {json.dumps(RUNTIME.as_uri())};
        const bytes = fs.readFileSync({json.dumps(str(small / "small.wasm"))});
        const manifest = fs.readFileSync({json.dumps(str(small / "small.json"))}, "utf8");
        const kernels = await loadKernels(bytes, manifest);
        const answer = (() => {{ {script} }})();
        console.log(JSON.stringify(answer));
    """
    command = ["node", "--input-type=module", "-e", whole]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def test_elementary_functions_at_the_ends(small: Path) -> None:
    random = Random(3)
    numbers = [random.uniform(-746, 710) for _ in range(300)]
    numbers += [random.uniform(-745.2, -708) for _ in range(300)]  # what is left has fewer digits
    numbers += [0.0, 709.782712893384, -745.1332191019412]
    script = """
        const given = GIVEN;
        const text = (x) => new BigInt64Array(new Float64Array([x]).buffer)[0].toString();
        return given.map((x) => [
            text(kernels.call("lama_odds.jit.elementary.exp", [{ float: x }])),
            text(kernels.call("lama_odds.jit.elementary.log", [{ float: Math.abs(x) * 1e-308 }])),
        ]);
    """.replace("GIVEN", json.dumps(numbers))
    for x, found in zip(numbers, in_node(small, script), strict=True):
        wanted = np.array([elementary.exp(x), elementary.log(abs(x) * 1e-308)])
        assert found == [str(bits) for bits in wanted.view(np.int64).tolist()], x


@pytest.mark.parametrize(
    ("given", "kinds"), [("[null, [1, true], 2.5]", "n,(i,b),f"), ("[null, cards, 2]", "n,<i81,i")]
)
def test_kinds_that_were_not_compiled_are_named(small: Path, given: str, kinds: str) -> None:
    script = f"""
        const name = "lama_odds.games.lama.rules.transition.penalty_of";
        const cards = {{ dtype: "int64", shape: [8], data: new BigInt64Array(8) }};
        try {{ kernels.call(name, {given}); }}
        catch (error) {{ return [error instanceof Error, error.message]; }}
    """
    is_error, message = in_node(small, script)
    assert is_error
    assert "lama.rules.transition.penalty_of" in message
    assert kinds in message


def test_integers_stand_for_floats(small: Path) -> None:
    assert in_node(small, 'return kernels.call("lama_odds.jit.elementary.log", [1]);') == 0
    log = in_node(small, 'return kernels.call("lama_odds.jit.elementary.log", [2]);')
    assert math.isclose(log, math.log(2))


def test_constants_are_copied_once(small: Path) -> None:
    script = """
        const data = new BigInt64Array(4096);
        const rules = { dtype: "int64", shape: [4096], data, constant: true };
        const ask = () => {
            kernels.call("lama_odds.games.dice.rules.transition.roll_case", [rules, 1, 2, 3, true]);
            return kernels.kept;
        };
        const before = kernels.kept;
        const [first, second] = [ask(), ask()];
        const size = kernels.memory.buffer.byteLength;
        for (let n = 0; n < 100; n++) ask();
        const same = kernels.memory.buffer.byteLength === size;
        return [first - before >= 32768, second === first, same];
    """
    assert in_node(small, script) == [True, True, True]


def test_one_version_serves_where_only_tables_are_missing() -> None:
    given = [
        ("f", "<i81,T(n,<i83),i"),
        ("f", "<i81,T(Net(<f42,f),n),i"),
        ("f", "<i81,T(n,n),f"),
        ("f", "<i81,T(Net(<f42,f),<i83),i"),
        ("g", "n"),
        ("g", "i"),
        ("g", "T(i)"),
        ("g", "U(i)"),
    ]
    wanted = [
        ("f", "<i81,T(?Net(<f42,f),?<i83),i"),
        ("f", "<i81,T(n,n),f"),
        ("g", "?T(i)"),
        ("g", "U(i)"),
        ("g", "i"),
    ]
    assert sorted(serving(given)) == wanted


def test_names_of_tuples_are_left_out() -> None:
    assert without_names("<i82,Play(tuple(i,f),Runs2(n)),tuple()") == "<i82,((i,f),(n)),()"
