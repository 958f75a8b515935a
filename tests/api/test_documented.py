"""The functions of `lama_odds` explain each argument, and their examples work."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import lama_odds as lo
from lama_odds.api import batches, choices, game_rows, positions, tables
from lama_odds.core import delta, errors

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = sorted(name for name in lo.__all__ if inspect.isfunction(getattr(lo, name)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_argument_is_explained(name: str) -> None:
    function = getattr(lo, name)
    text = inspect.getdoc(function) or ""
    labels = re.findall(r"^(\w+(?:, \w+)*): ", text, re.MULTILINE)
    explained = {each for label in labels for each in label.split(", ")}
    assert explained == set(inspect.signature(function).parameters)
    assert "answer's" in text or "attribute" in text
    assert "Raises" in text


@pytest.mark.parametrize("module", [batches, choices, game_rows, positions, tables, delta, errors])
def test_examples_work(module: object) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed


def test_what_is_public_has_a_text() -> None:
    for name in set(lo.__all__) - {"__version__"}:
        assert inspect.getdoc(getattr(lo, name)), name


def test_the_reference_lists_all() -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    listed = re.findall(r"^        - (\w+)$", page, re.MULTILINE)
    assert set(listed) == set(lo.__all__) - {"__version__"}
