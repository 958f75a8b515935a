"""The README shows what the commands print, and its links lead somewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# What differs from run to run: seconds, threads, speed.
TIMING = re.compile(r"[\d.]+ s\b|on \d+ threads|[\d,]+ (games|rounds) a second")

sys.path.insert(0, str(ROOT / "scripts"))
update_readme = pytest.importorskip("update_readme")


@pytest.mark.parametrize(
    "block", list(update_readme.BLOCK.finditer(README)), ids=lambda block: block["arguments"][:40]
)
def test_outputs_are_those_of_the_commands(block: re.Match[str]) -> None:
    printed = update_readme.output_of(block["arguments"])
    assert TIMING.sub("…", printed) == TIMING.sub("…", block["shown"])


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
