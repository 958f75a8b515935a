"""The page without a server: compiled functions give the same bits in Node, texts are all there."""

from __future__ import annotations

import json
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
from lama_odds.core.errors import LamaOddsError
from lama_odds.web import app, questions
from lama_odds.web.guard import error_of
from tools.browser.catalogues import CatalogueError, check_catalogues, differences
from tools.browser.compared import compared
from tools.browser.kernels import build
from tools.browser.needed import Call, listed, noting
from tools.browser.site import rule_sets, write_site

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
needs_linker = pytest.mark.skipif(not shutil.which("wasm-ld"), reason="wasm-ld (Debian: lld) links")


def in_wasm(test: Any) -> Any:
    return pytest.mark.long(needs_node(needs_linker(test)))


# Compiled functions as WebAssembly

RUNTIME = Path(__file__).parents[2] / "tools/browser/runtime/kernels.js"
# What is asked: the rule set, what counts, and positions that need all that is compiled.
GRIDS = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,?"
ASKED = {
    "dice": ("dice/amigo", ("margin",), ("hand=25 row=1346L opp=13,q6LL", "hand=2 row=6L opp=1")),
    "lama": ("lama/egmont", ("points",), ("hand=3356L top=4 opp=4,q2,6",)),
    "pikomino": ("pikomino/egmont", ("win", "points"), ("kept=44WW stacks=21/22",)),
    "noprob": ("noprob/starnberger", ("round",), (GRIDS,)),
}
SMALL = [
    ("lama_odds.jit.elementary.exp", "f"),
    ("lama_odds.jit.elementary.log", "f"),
    ("lama_odds.games.lama.rules.transition.penalty_of", "<i81,<i81,i"),
]

Calls = dict[tuple[str, str], list[Call]]


@pytest.fixture(scope="module")
def calls() -> Mapping[str, Calls]:
    """What Python calls for the answers, by game."""
    found: dict[str, Calls] = {}
    for game, (rules, aims, positions) in ASKED.items():
        met: Calls = {}
        with noting(met):
            for position, aim in product(positions, aims):
                lama_odds.advise(rules, position, objective=aim, games=1000, threads=1)
        found[game] = met
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module of few functions."""
    out = tmp_path_factory.mktemp("browser")
    build(out, {"small": SMALL})
    return out


@in_wasm
@pytest.mark.parametrize("game", ASKED)
def test_the_list_has_what_answers_call_and_calls_have_the_same_bits(
    calls: Mapping[str, Calls], browser_kernels: Path, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {tuple(pair) for pair in listed()[game]} >= set(calls[game])
    assert compared(browser_kernels, {game: calls[game]}) == 0, capsys.readouterr().out
    kept = sum(map(len, calls[game].values()))
    assert f"{kept} of {kept} calls have the same bits" in capsys.readouterr().out
    assert kept > 5


@in_wasm
def test_a_wrong_result_is_seen(
    calls: Mapping[str, Calls], browser_kernels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, (call, *_) = next(item for item in calls["lama"].items() if "roll_out" in item[0][0])
    wrong = tuple(after + 1 if at == 6 else after for at, after in enumerate(call.after))
    assert compared(browser_kernels, {"lama": {key: [call._replace(after=wrong)]}}) == 1
    assert "roll_out: 1 differ (array" in capsys.readouterr().out


@in_wasm
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


@in_wasm
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


@in_wasm
def test_kinds_that_were_not_compiled_are_named_and_integers_stand_for_floats(small: Path) -> None:
    script = """
        const cards = { dtype: "int64", shape: [8], data: new BigInt64Array(8) };
        const log = kernels.call("lama_odds.jit.elementary.log", [1]);
        try { kernels.call("lama_odds.games.lama.rules.transition.penalty_of", [null, cards, 2]); }
        catch (error) { return [log, error instanceof Error, error.message]; }
    """
    log, is_error, message = in_node(small, script)
    assert (log, is_error) == (0, True)
    assert "lama.rules.transition.penalty_of" in message
    assert "n,<i81,i" in message


# The page as plain files: its texts in every language, rule sets as the server says them

TEXTS = app.STATIC / "texts"


@needs_node
def test_every_text_is_there_in_every_language() -> None:
    check_catalogues(TEXTS)


@needs_node
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('    show: "Antwort zeigen",\n', "", "train.show is missing, in en.js string"),
        ('title: "Üben"', "title: () => 1", "train.title is function of 0, in en.js string"),
        ("score: (right, asked)", "score: (right)", "train.score is function of 1, in en.js"),
        ("[/^next bust$/", "[/^bust$/", "chances.patterns.2.0 is /^bust$/, in en.js /^next bust$/"),
    ],
)
def test_a_text_that_is_missing_or_of_another_kind_is_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    texts = tmp_path / "texts"
    shutil.copytree(TEXTS, texts)
    german = (texts / "de.js").read_text(encoding="utf-8")
    assert german.count(old) == 1
    (texts / "de.js").write_text(german.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError) as raised:
        check_catalogues(texts)
    lines = str(raised.value).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"de.js: {said}")


@needs_node
def test_a_language_that_is_missing_is_named(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    shutil.copytree(TEXTS, texts)
    (texts / "pl.js").unlink()
    with pytest.raises(CatalogueError, match=r"pl\.js is missing"):
        check_catalogues(texts)


def test_a_text_besides_those_in_english_is_named_too() -> None:
    found = {"en": {"a": "string"}, "fr": {"a": "string", "b": "string"}}
    assert differences(found) == ["fr.js: b is string, in en.js missing"]


def test_rule_sets_are_those_of_the_server() -> None:
    found = rule_sets(questions.games("en")["games"])
    assert {"lama/amigo", "lama/egmont+twenty", "noprob/starnberger+refill=off"} <= set(found)
    refused = {rules for rules, told in found.items() if "error" in told}
    assert {rules: questions.rule_set(rules) for rules in set(found) - refused} == {
        rules: told for rules, told in found.items() if rules not in refused
    }
    assert "lama/party+llama_each" in refused
    for rules in refused:
        with pytest.raises(LamaOddsError) as raised:
            questions.rule_set(rules)
        assert found[rules] == error_of(raised.value)


@needs_node
def test_a_folder_of_something_else_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        write_site(tmp_path, tmp_path)
    assert (tmp_path / "mine.txt").exists()
