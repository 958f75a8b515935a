"""Run the commands shown in README.md and the pages of docs/, and put their outputs below them.

A comment ``<!-- output: ARGUMENTS -->`` is followed by a code block with ``lama-odds ARGUMENTS``
and its output. ``> FILE`` at the end keeps the output in a file instead, for later commands. A
block of ``python`` is followed by a block of ``text``: its output, and its last expression. A page
is run in order, in one empty folder. Figures drawn there are kept beside the page, in a folder of
its name.
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
from tools.publishing.target import Making, Target

ROOT = Path(__file__).resolve().parent.parent.parent.parent
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
    """Return a page with all outputs made again."""
    names: dict[str, Any] = {}

    def anew(block: re.Match[str]) -> str:
        whole = block[0]
        return whole[: whole.rindex(shown(block) + "```")] + made(block, names) + "```\n"

    return BLOCK.sub(anew, text)


def asked_by(name: str, content: bytes) -> bytes:
    """Commands and code of a page, which decide what comes out; prose does not."""
    if name not in PAGES:
        return content
    blocks = BLOCK.finditer(content.decode())
    return "\n".join(block["arguments"] or block["code"] for block in blocks).encode()


def shown_by(name: str, content: bytes) -> bytes:
    """Return all outputs of a page; figures unchanged."""
    if name not in PAGES:
        return content
    return "\n".join(map(shown, BLOCK.finditer(content.decode()))).encode()


def make(making: Making) -> None:
    """Write all pages again, and their figures beside them."""
    for name in PAGES:
        page = Path(name)
        with empty_folder() as folder:
            text = updated((ROOT / page).read_text(encoding="utf-8"))
            figures = {path.name: path.read_bytes() for path in sorted(folder.glob("*.svg"))}
        for figure, content in figures.items():
            making.write(f"{page.with_suffix('').as_posix()}/{figure}", content)
        making.write(name, text)
        making.tell(name)


TARGET = Target(
    name="pages",
    what="what the README and pages of docs show of commands and code",
    make=make,
    writes=(*PAGES, "docs/gallery/", "docs/notebook/"),
    reads=("data/", *PAGES),
    asks=asked_by,
    shows=shown_by,
)
