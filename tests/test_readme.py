"""README and the pages of docs show what commands print and code says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tools.publishing.targets import pages as update_readme

ROOT = Path(__file__).resolve().parent.parent
# What differs from run to run: seconds, threads, speed.
TIMING = re.compile(r"[\d.]+ s\b|on \d+ threads|[\d,]+ (games|rounds) a second")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def same(text: str) -> str:
    return TIMING.sub("…", text)


README = list(update_readme.BLOCK.finditer(text_of("README.md")))
PAGES = ("docs/gallery.md", "docs/notebook.md")


@pytest.mark.long
@pytest.mark.parametrize("block", README, ids=lambda block: block["arguments"][:40])
def test_outputs_are_those_of_the_commands(block: re.Match[str]) -> None:
    assert same(update_readme.made(block, {})) == same(update_readme.shown(block))


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_pages_show_what_comes_out(page: str) -> None:
    names: dict[str, Any] = {}
    blocks = list(update_readme.BLOCK.finditer(text_of(page)))
    assert len(blocks) > 5
    with update_readme.empty_folder():
        for block in blocks:
            made = update_readme.made(block, names)
            assert same(made) == same(update_readme.shown(block)), block[0][:80]


@pytest.mark.parametrize("page", PAGES)
def test_all_code_of_a_page_is_run(page: str) -> None:
    """Blocks that the script does not know of would never be checked."""
    left = update_readme.BLOCK.sub("", text_of(page))
    assert "```python" not in left
    assert "output:" not in left
