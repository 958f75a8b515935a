"""What other programs rely on: versions on the page of contracts are those in the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import lama_odds as lo
from lama_odds.cli.commands import COMMANDS
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.record import HEADER
from tools.publishing.reference import contracts
from tools.publishing.reference.json_pages import JSON, schema_files
from tools.publishing.reference.records import EXAMPLES

ROOT = Path(__file__).resolve().parent.parent.parent
WORKFLOWS = ROOT / ".github" / "workflows"
# They show, keep or serve something: they compute no answer.
NO_FUNCTION = {"play", "serve", "train", "report", "cache", "warm", "help"}


def test_the_page_is_what_the_code_says() -> None:
    page = ROOT / "docs" / "reference" / "contracts.md"
    assert page.read_text(encoding="utf-8") == contracts.contracts_page()


def test_every_error_has_a_listed_exit_code() -> None:
    kinds, waiting = set(), [LamaOddsError]
    while waiting:
        kind = waiting.pop()
        kinds.add(kind)
        waiting += kind.__subclasses__()
    assert {str(kind.exit_code) for kind in kinds} <= {code for code, _ in contracts.exit_codes()}


def test_schemas_name_their_version() -> None:
    for name, text in schema_files():
        assert f'"$id": "urn:lama-odds:json:{JSON}:{name.removesuffix(".json")}"' in text


def test_records_begin_with_their_version_and_those_of_another_are_refused() -> None:
    assert f"lama-odds record {contracts.RECORD}" == HEADER
    rules_id, names, seed = EXAMPLES["dice"]
    game = game_of(rules_id)
    policies = [game.policy(name) for name in names]
    text = game.record(game.rules(rules_id), policies, seed, 0, game.has_rounds)
    assert text.startswith(f"{HEADER}\n")
    with pytest.raises(ReadError, match="record"):
        lo.review(text.replace(HEADER, f"lama-odds record {contracts.RECORD + 1}"))


def test_commands_that_compute_answers_are_functions() -> None:
    assert set(COMMANDS) - set(lo.__all__) == NO_FUNCTION


def test_versions_of_python_that_are_named_are_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert project["requires-python"] == f">={named[0]}"
    for name in ("check", "release"):
        text = (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8")
        (tried,) = re.findall(r"python: \[(.+)\]", text)
        assert re.findall(r"3\.\d+", tried) == [named[0], named[-1]], name
