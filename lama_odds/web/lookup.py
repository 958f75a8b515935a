"""What can be looked up: the sheets for the table, and the strategy reports, both made before."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lama_odds.core.reading import read_text

PACKAGE = Path(__file__).resolve().parent.parent
MOST = 1 << 22  # characters of a file
# Where they are: in the wheel, or in a checkout.
SHEETS = (PACKAGE / "sheets", PACKAGE.parent / "docs" / "table")
REPORTS = (PACKAGE / "strategy", PACKAGE.parent / "reports" / "strategy")
NO_SHEET = "index"
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
MADE = re.compile(r"\s*Made by `tools/[^`]*`(?: \([^)]*\))?(?:, lama-odds \S+?)?\.(?=\W*$)")
TITLE = re.compile(r"<title>([^<]*)</title>")


@cache
def what_there_is() -> dict[str, Any]:
    """Return all sheets with their content, and the names of the reports."""
    sheets = [_sheet(path) for path in _files(SHEETS, "*.md") if path.stem != NO_SHEET]
    reports = [
        {"title": _title(path), "address": f"/reports/{path.stem}"}
        for path in _files(REPORTS, "*.html")
        if path.stem != NO_SHEET
    ]
    return {"sheets": sheets, "reports": reports}


def report(name: str) -> Path | None:
    """Return the file of a strategy report; None if there is none of this name."""
    return next((path for path in _files(REPORTS, "*.html") if path.stem == name), None)


def blocks_of(text: str) -> list[dict[str, Any]]:
    """Return the blocks of a sheet in Markdown: headings, tables and paragraphs."""
    found: list[dict[str, Any]] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.strip().splitlines()
        if lines[0].startswith("<!--"):
            continue
        if lines[0].startswith("#"):
            found.append({"heading": lines[0].lstrip("# ")})
        elif lines[0].startswith("|"):
            head, _, *rows = map(_cells, lines)
            found.append({"table": {"head": head, "rows": rows}})
        else:
            found.append({"text": _plain(" ".join(lines))})
    return found


@cache
def _files(folders: tuple[Path, ...], pattern: str) -> tuple[Path, ...]:
    folder = next((folder for folder in folders if folder.is_dir()), None)
    return () if folder is None else tuple(sorted(folder.glob(pattern)))


def _sheet(path: Path) -> dict[str, Any]:
    first, *rest = blocks_of(read_text(path, MOST))
    return {"name": path.stem, "title": first["heading"], "blocks": rest}


def _title(path: Path) -> str:
    found = TITLE.search(read_text(path, MOST))
    return path.stem if found is None else found[1].strip()


def _cells(line: str) -> list[str]:
    return [_plain(cell) for cell in line.strip("| ").split("|")]


def _plain(text: str) -> str:
    """Return text without links, emphasis, and the program that made it."""
    return LINK.sub(r"\1", MADE.sub("", text)).replace("*", "").strip()
