"""What a page shows of commands and code: its blocks, and what comes out of each.

A block is one of these, and all blocks of a page are run in order in one empty folder:

- ``<!-- output: ARGUMENTS -->`` before a code block: the command and what it printed. ARGUMENTS may
  end as in a shell with ``< FILE``, ``| head -N`` or ``> FILE``. What a failing command writes to
  stderr is shown too.
- ``<!-- picture: FILE: ARGUMENTS -->`` before an image: the command and its output, drawn.
- ``<!-- file: NAME -->`` before a code block: the block is written to that file.
- a block of ``python`` before a block of ``text``: what the code printed, and its last expression.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds.cli.commands import run
from tools.publishing.terminal_picture import picture

WIDTH = 100  # columns of the outputs on pages
OUTPUT = r"<!-- output: (?P<arguments>.+?) -->\n```\n(?P<printed>.*?)```\n"
PICTURE = r"<!-- picture: (?P<picture>\S+): (?P<drawn>.+?) -->\n"
FILE = r"<!-- file: (?P<file>\S+) -->\n```\n(?P<content>.*?)```\n"
PYTHON = r"```python\n(?P<code>.*?)```\n\n```text\n(?P<said>.*?)```\n"
BLOCK = re.compile(f"{OUTPUT}|{PICTURE}|{FILE}|{PYTHON}", re.DOTALL)
REDIRECTED = re.compile(
    r"^(?P<arguments>.*?)(?: < (?P<source>\S+))?(?: \| head -(?P<lines>\d+))?(?: > (?P<kept>\S+))?$"
)


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder to run a page in, which is the user's data folder too; it is gone afterwards."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as made:
        own = {"COLUMNS": str(WIDTH), "XDG_DATA_HOME": made}
        kept = {name: os.environ.get(name) for name in own}
        os.chdir(made)
        os.environ.update(own)
        try:
            yield Path(made)
        finally:
            os.chdir(before)
            for name, value in kept.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


@dataclass(frozen=True)
class Command:
    """A command as it is typed, and the files and lines that it is about."""

    typed: str
    arguments: str
    source: str | None
    lines: int | None
    kept: str | None

    @classmethod
    def of(cls, typed: str) -> Command:
        """The command of a block."""
        match = REDIRECTED.match(typed)
        assert match is not None  # the pattern matches any text
        lines = match["lines"]
        return cls(
            typed, match["arguments"], match["source"], int(lines) if lines else None, match["kept"]
        )

    def printed(self) -> str:
        """What the command prints, run in this folder."""
        printed, errors = io.StringIO(), io.StringIO()
        sys.argv = ["lama-odds", *shlex.split(self.arguments)]
        before = sys.stdin
        if self.source is not None:
            sys.stdin = io.StringIO(Path(self.source).read_text(encoding="utf-8"))
        failed = False
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
                run()
        except SystemExit as end:
            failed = bool(end.code)
        finally:
            sys.stdin = before
        return printed.getvalue() + (errors.getvalue() if failed else "")

    def shown(self) -> str:
        """The command, and what it prints below it; kept in a file it prints nothing."""
        printed = self.printed()
        if self.kept is not None:
            Path(self.kept).write_text(printed, encoding="utf-8")
            return f"$ lama-odds {self.typed}\n"
        lines = [line.rstrip() for line in printed.rstrip().splitlines()][: self.lines]
        return "\n".join([f"$ lama-odds {self.typed}", "", *lines]).rstrip() + "\n"


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
        return Command.of(block["arguments"]).shown()
    if block["picture"]:
        drawn = picture(Command.of(block["drawn"]).shown())
        Path(block["picture"]).write_text(drawn, encoding="utf-8")
        return ""
    if block["file"]:
        Path(block["file"]).write_text(block["content"], encoding="utf-8")
        return str(block["content"])
    return said_by(block["code"], names)


def shown(block: re.Match[str]) -> str:
    """What a block shows; of a picture nothing: that is in its file."""
    for part in ("printed", "content", "said"):
        if block[part] is not None:
            return str(block[part])
    return ""


def question(block: re.Match[str]) -> str:
    """What decides about the output of a block."""
    parts = (block["arguments"], block["drawn"], block["content"], block["code"])
    return next(str(part) for part in parts if part is not None)


def updated(text: str) -> str:
    """A page with all its outputs made again."""
    names: dict[str, Any] = {}

    def again(block: re.Match[str]) -> str:
        whole, now = block[0], made(block, names)
        if block["picture"] or block["file"]:
            return whole
        return whole[: whole.rindex(shown(block) + "```")] + now + "```\n"

    return BLOCK.sub(again, text)
