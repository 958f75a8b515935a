"""Run what README.md and the pages of docs/ show, and put what comes out below it.

    .venv/bin/python scripts/update_readme.py [README.md docs/gallery.md docs/notebook.md]

A comment ``<!-- output: ARGUMENTS -->`` is followed by a code block that shows
``lama-odds ARGUMENTS`` and what it printed; ``> FILE`` at the end keeps that in a file instead,
for the commands after it. A block of ``python`` is followed by a block of ``text``: what it
printed, and its last expression. All of a page is run in order, in one empty folder; figures that
are drawn there are kept beside the page, in a folder of its name.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lama_odds.cli.commands import run

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/gallery.md", "docs/notebook.md")
COMMAND = r"<!-- output: (?P<arguments>.+?) -->\n```\n(?P<printed>.*?)```\n"
PYTHON = r"```python\n(?P<code>.*?)```\n\n```text\n(?P<said>.*?)```\n"
BLOCK = re.compile(f"{COMMAND}|{PYTHON}", re.DOTALL)


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder to run a page in; it is gone afterwards."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as made:
        os.chdir(made)
        try:
            yield Path(made)
        finally:
            os.chdir(before)


def output_of(arguments: str) -> str:
    """What a command prints, below the command."""
    asked, _, file = arguments.partition(" > ")
    printed = io.StringIO()
    sys.argv = ["lama-odds", *shlex.split(asked)]
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        run()
    if file:
        Path(file).write_text(printed.getvalue(), encoding="utf-8")
        return f"$ lama-odds {arguments}\n"
    lines = [line.rstrip() for line in printed.getvalue().rstrip().splitlines()]
    return "\n".join([f"$ lama-odds {arguments}", "", *lines]) + "\n"


def said_by(code: str, names: dict[str, Any]) -> str:
    """What code prints, and its last expression as a notebook would show it; names: of the page."""
    printed = io.StringIO()
    parsed = ast.parse(code)
    last = parsed.body[-1]
    with contextlib.redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(parsed.body[:-1], []), "page", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "page", "eval"), names)
            if value is not None:
                print(value)
        else:
            exec(compile(parsed, "page", "exec"), names)
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().rstrip().splitlines())


def made(block: re.Match[str], names: dict[str, Any]) -> str:
    """What a block should show; in order: what was before is in the folder and in `names`."""
    if block["arguments"]:
        return output_of(block["arguments"])
    return said_by(block["code"], names)


def shown(block: re.Match[str]) -> str:
    """What a block shows."""
    return block["printed"] if block["arguments"] else block["said"]


def updated(text: str) -> str:
    """A page with all outputs made anew."""
    names: dict[str, Any] = {}

    def anew(block: re.Match[str]) -> str:
        whole = block[0]
        return whole[: whole.rindex(shown(block) + "```")] + made(block, names) + "```\n"

    return BLOCK.sub(anew, text)


def update(page: Path) -> None:
    """Write a page anew, and its figures beside it."""
    with empty_folder() as folder:
        text = updated(page.read_text(encoding="utf-8"))
        for figure in sorted(folder.glob("*.svg")):
            kept = page.with_suffix("") / figure.name
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(figure.read_bytes())
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        update(ROOT / name)
