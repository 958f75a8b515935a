"""What the commands print is what `golden` holds; on a narrow screen nothing of it is cut off."""

from __future__ import annotations

import difflib
import re

import pytest
from rich.console import RenderableType

from lama_odds.cli.commands import COMMANDS
from lama_odds.report import terminal
from tests.cli.golden_update import CALLS, GOLDEN, START, record

NARROW, WIDE = 80, 1000


# They play for seconds.
PLAYING = ("compare", "sweep", "thresholds", "tune")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=pytest.mark.long) if name in PLAYING else name
        for name in sorted(CALLS)
    ],
)
def test_a_command_prints_what_its_file_holds(command: str) -> None:
    seen: list[RenderableType] = []
    held, found = GOLDEN.read(command), record(command, seen)
    apart = list(difflib.unified_diff(held.splitlines(), found.splitlines(), lineterm="", n=5))
    assert found == held, "\n".join(apart)
    for answer in seen:
        narrow, wide = (terminal.printed(answer, width, plain=True) for width in (NARROW, WIDE))
        assert not re.search("(?<![=/])…", narrow + wide)
        assert not [x for x in narrow.splitlines() if len(x) > NARROW and '"' not in x]
        assert set(narrow.split()) == set(wide.split())


def test_every_command_has_its_file_and_every_refusal_its_words() -> None:
    assert set(CALLS) == {*COMMANDS, "lama-odds"}
    for command in CALLS:
        for block in GOLDEN.read(command).split(START)[1:]:
            lines = block.splitlines()
            refused = any(line.startswith("exit code ") for line in lines)
            told = [line for line in lines[1:] if line.startswith("!")]
            out = [
                line for line in lines[1:] if line and line not in told and "exit code" not in line
            ]
            assert refused <= bool(told), block
            assert "Traceback" not in block
            assert not (refused and out) or "--positions" in lines[0] or "play" in lines[0], block
