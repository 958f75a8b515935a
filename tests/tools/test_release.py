"""What is released: archives, machine code made ahead, workflows, and what others rely on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import lama_odds as lo
from lama_odds.cli.commands import COMMANDS
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.games.lama.rules.ruleset import parse_rules
from lama_odds.games.lama.rules.transition import penalty_of
from lama_odds.games.shared.record import HEADER
from lama_odds.jit import native
from lama_odds.jit.native import Arguments
from lama_odds.jit.sources import folder_name
from tools.browser.machine import PLAIN
from tools.publishing.reference import contracts
from tools.publishing.reference.json_pages import JSON, schema_files

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Archives

MADE_AHEAD = "lama_odds/machine_code"
BUILDERS = WheelBuilder, SdistBuilder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small one, with machine code made ahead."""
    root = tmp_path / "checkout"
    root.mkdir()
    for name in ("pyproject.toml", ".gitignore", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, root)
    for name in ("lama_odds/__init__.py", f"{MADE_AHEAD}/a-1/b-2.native", f"{MADE_AHEAD}/notes"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text('__version__ = "1"\n', encoding="utf-8")
    return root


def test_machine_code_goes_into_the_wheel_only(checkout: Path) -> None:
    wheel, sdist = (
        {each.distribution_path for each in builder(str(checkout)).recurse_included_files()}
        for builder in BUILDERS
    )
    native_files = {name for name in wheel if name.startswith(MADE_AHEAD)}
    assert native_files == {f"{MADE_AHEAD}/a-1/b-2.native"}
    assert not [name for name in sdist if name.startswith(MADE_AHEAD)]


def test_archives_have_the_same_bits_elsewhere_and_later(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(checkout, elsewhere)
    for path in elsewhere.rglob("*"):
        os.utime(path)
    for builder in BUILDERS:
        made = [
            next(builder(str(root)).build(directory=str(root / "out"), versions=["standard"]))
            for root in (checkout, elsewhere)
        ]
        one, other = map(Path, made)
        assert (one.name, one.read_bytes()) == (other.name, other.read_bytes())


# Machine code made ahead: found without a cache, with the same results

RULES = parse_rules("lama/egmont")
GIVEN = RULES.playable, RULES.penalties, 0x0100000201
MODULE, NAME = penalty_of.__module__, penalty_of.__name__
KINDS = Arguments()(GIVEN)[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the machine code of one function, made by a process of its own."""
    out = tmp_path_factory.mktemp("ahead")
    script = (
        "import sys, json; from pathlib import Path; from tools import machine_code as m;"
        "m._make_one(Path(sys.argv[1]), m.LINUX, json.loads(sys.argv[2]))"
    )
    pairs = json.dumps([[f"{MODULE}.{NAME}", KINDS]])
    environment = {**os.environ, **PLAIN, "XDG_CACHE_HOME": str(out / "cache")}
    command = [sys.executable, "-c", script, str(out), pairs]
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
    return out / folder_name(MODULE)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="machine code is made for Linux")
def test_machine_code_gives_what_python_gives_unless_damaged_or_of_another_version(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if native.made_ahead_by()[2] == native.AHEAD:  # otherwise the processor lacks what it uses
        found = native.found(tmp_path, NAME, KINDS, made)
        assert found is not None
        assert found(Arguments()(GIVEN)[1]) == penalty_of(*GIVEN)
    assert native.found(tmp_path / "none", NAME, KINDS, tmp_path) is None
    head, _, code = native.file_of(made, NAME, KINDS).read_bytes().partition(b"\n")
    native.file_of(tmp_path, NAME, KINDS).write_bytes(head[:-5] + b"\n" + code)
    assert native.found(tmp_path / "none", NAME, KINDS, tmp_path) is None
    for other in (["ahead", "0.1", native.AHEAD], ["ahead"]):
        monkeypatch.setattr(native, "made_ahead_by", lambda other=other: other)
        assert native.found(tmp_path / "none", NAME, KINDS, made) is None


# Workflows: actions are pinned, jobs have few permissions and end in time

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: (?P<action>[\w.-]+/[\w./-]+)@(?P<commit>[0-9a-f]{40}) # v\d+\.\d+\.\d+")
MOST_MINUTES = 120
# What jobs may write; all others read the repository at most.
MAY_WRITE = {
    ("site", "publish"): {"pages", "id-token"},
    ("release", "attest"): {"attestations", "id-token"},
    ("release", "pypi"): {"id-token"},
    ("release", "github"): {"contents"},
}


def jobs() -> Iterator[tuple[tuple[str, str], dict[str, Any], dict[str, str]]]:
    """Each job by its workflow and name, with the permissions it has."""
    yaml = pytest.importorskip("yaml", reason="the extra cluster is not installed")
    for file in FILES:
        workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
        for name, job in workflow["jobs"].items():
            allowed = job.get("permissions", workflow["permissions"])
            yield (file.stem, name), job, allowed


def test_actions_are_pinned_to_one_commit_each() -> None:
    commits: dict[str, set[str]] = {}
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            if "uses:" in line:
                found = PINNED.search(line)
                assert found, f"{file.name}: {line.strip()}"
                commits.setdefault(found["action"], set()).add(found["commit"])
    assert commits
    assert {action: each for action, each in commits.items() if len(each) > 1} == {}


def test_jobs_end_in_time_and_write_only_what_they_must() -> None:
    written = {}
    for name, job, allowed in jobs():
        assert 0 < job["timeout-minutes"] <= MOST_MINUTES
        assert set(allowed.values()) <= {"read", "write"}
        assert {what for what, level in allowed.items() if level == "read"} <= {"contents"}
        writes = {what for what, level in allowed.items() if level == "write"}
        written |= {name: writes} if writes else {}
    assert written == MAY_WRITE


def test_checkouts_keep_no_credentials_and_commands_have_no_text_of_others() -> None:
    for name, job, _ in jobs():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, name
            assert "${{" not in step.get("run", ""), f"{name}: pass it in env"
            assert "secrets." not in str(step), name


def test_versions_of_python_that_are_named_are_tried() -> None:
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={named[0]}"
    for file in FILES:
        if file.stem in ("check", "release"):
            (tried,) = re.findall(r"python: \[(.+)\]", file.read_text(encoding="utf-8"))
            assert re.findall(r"3\.\d+", tried) == [named[0], named[-1]], file.stem


# What other programs rely on

# They show, keep or serve something: they compute no answer.
NO_FUNCTION = {"play", "serve", "train", "report", "cache", "warm", "help"}


def test_the_page_of_contracts_is_what_the_code_says() -> None:
    page = ROOT / "docs" / "reference" / "contracts.md"
    assert page.read_text(encoding="utf-8") == contracts.contracts_page()
    for name, text in schema_files():
        assert f'"$id": "urn:lama-odds:json:{JSON}:{name.removesuffix(".json")}"' in text


def test_every_error_has_a_listed_exit_code_and_every_command_with_an_answer_a_function() -> None:
    kinds, waiting = set(), [LamaOddsError]
    while waiting:
        kind = waiting.pop()
        kinds.add(kind)
        waiting += kind.__subclasses__()
    assert {str(kind.exit_code) for kind in kinds} <= {code for code, _ in contracts.exit_codes()}
    assert set(COMMANDS) - set(lo.__all__) == NO_FUNCTION


def test_records_begin_with_their_version_and_those_of_another_are_refused() -> None:
    assert f"lama-odds record {contracts.RECORD}" == HEADER
    with pytest.raises(ReadError, match="record"):
        lo.review(f"lama-odds record {contracts.RECORD + 1}\nrules dice/amigo\nplayers 2\n")
