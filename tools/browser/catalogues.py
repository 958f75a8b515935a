"""Checks that the page has all its texts in every language."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

LANGUAGES = ("en", "de", "pl", "fr")  # as base/texts.js offers them; the first is the measure
FIRST = LANGUAGES[0]
SHAPES = Path(__file__).with_name("shapes.js")


class CatalogueError(Exception):
    """Texts that are missing in a language, or are of another kind; one in each line."""


def shapes(folder: Path) -> dict[str, dict[str, str]]:
    """Return the kind of every text by its key, for each language; it takes Node.

    folder: of the modules ``en.js``, ``de.js``, … A kind is ``string``, or ``function of 2``
    (parameters without a default).
    """
    node = shutil.which("node")
    if node is None:
        raise CatalogueError("node is needed to check the texts, and is not installed")
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        Path(copy, "package.json").write_text('{"type": "module"}', encoding="utf-8")
        shutil.copy(SHAPES, copy)
        done = subprocess.run(
            [node, SHAPES.name], cwd=copy, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise CatalogueError(f"the texts cannot be read: {done.stderr.strip()}")
    kinds: dict[str, dict[str, str]] = json.loads(done.stdout)
    return kinds


def differences(kinds: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return what a language lacks, has besides, or has as another kind of text; a line each."""
    first = kinds[FIRST]
    lines = []
    for language, texts in sorted(kinds.items()):
        for key in sorted({*first, *texts}):
            here, there = texts.get(key, "missing"), first.get(key, "missing")
            if here != there:
                lines.append(f"{language}.js: {key} is {here}, in {FIRST}.js {there}")
    return lines


def check_catalogues(folder: Path) -> None:
    """Raise CatalogueError if a text is missing in a language, or takes other parameters."""
    kinds = shapes(folder)
    lines = [f"{name}.js is missing" for name in LANGUAGES if name not in kinds]
    lines = lines or differences(kinds)
    if lines:
        raise CatalogueError("\n".join(lines))
