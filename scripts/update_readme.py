"""Run the commands named in README.md and put their output below them.

    .venv/bin/python scripts/update_readme.py

A comment ``<!-- output: ARGUMENTS -->`` is followed by a code block that shows
``lama-odds ARGUMENTS`` and what it printed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

from lama_odds.cli.main import main

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"(<!-- output: (?P<arguments>.+?) -->\n```\n)(?P<shown>.*?)(```\n)", re.DOTALL)


def output_of(arguments: str) -> str:
    """What a command prints."""
    printed = io.StringIO()
    sys.argv = ["lama-odds", *shlex.split(arguments)]
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        main()
    lines = [line.rstrip() for line in printed.getvalue().rstrip().splitlines()]
    return "\n".join([f"$ lama-odds {arguments}", "", *lines]) + "\n"


def updated(text: str) -> str:
    """The README with all outputs made anew."""
    return BLOCK.sub(lambda m: m[1] + output_of(m["arguments"]) + m[4], text)


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
