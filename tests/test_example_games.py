"""docs/example_games.md says what the commands in it say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "scripts" / "write_example_games.py"
    spec = importlib.util.spec_from_file_location("write_example_games", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_first_example_is_current(script: ModuleType) -> None:
    page = script.DOCS.read_text(encoding="utf-8")
    assert script.section(script.EXAMPLES[0]) in page


def test_every_family_has_an_example(script: ModuleType) -> None:
    page = script.DOCS.read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert titles == [example.title for example in script.EXAMPLES]
    games = {example.rules.split("/")[0] for example in script.EXAMPLES}
    assert games == {"dice", "lama", "pikomino", "noprob"}
    assert page.count("Worst of seat") + page.count("no decision lost anything") >= 7
