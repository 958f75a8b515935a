"""Run the commands shown in README.md and the pages of docs/, and put their outputs below them.

`tools/publishing/shown.py` describes what a page may show. Figures that are drawn there are kept
in docs/pictures/. Figures that sentences state are filled in from reports/claims.json, drawn ones
from docs/strategy/pictures/, tables from CSV tables of reports/.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tools.publishing.shown import BLOCK, empty_folder, question, shown, updated
from tools.publishing.stories.marks import CARD, FIGURE, FOLDER, with_cards, with_figures
from tools.publishing.stories.tables import (
    BELIEFS,
    COMPARED,
    LUCK,
    NOPROB_BELIEFS,
    TABLE,
    with_tables,
)
from tools.publishing.target import Making, Target
from tools.publishing.targets.claims import FILE, MARK, filled, published

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PICTURES = "docs/pictures/"


def pages() -> tuple[str, ...]:
    """README, CHANGELOG and the pages of docs/ and reports/ that show outputs or claims."""
    paths = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    paths += [path for name in ("docs", "reports") for path in sorted((ROOT / name).rglob("*.md"))]
    return tuple(
        path.relative_to(ROOT).as_posix()
        for path in paths
        for text in [path.read_text(encoding="utf-8")]
        if any(mark.search(text) for mark in (BLOCK, MARK, FIGURE, TABLE))
    )


PAGES = pages()


def asked_by(name: str, content: bytes) -> bytes:
    """Commands, code and claims of a page, which decide what comes out; prose does not."""
    return _parts(name, content, question, "key")


def shown_by(name: str, content: bytes) -> bytes:
    """Return all outputs of a page, and what it claims; figures unchanged."""
    return _parts(name, content, shown, "text")


def _parts(name: str, content: bytes, of: Callable[[re.Match[str]], str], mark: str) -> bytes:
    if name not in PAGES:
        return content
    page = content.decode()
    marks = [match[mark] for match in MARK.finditer(page)]
    for drawn in (FIGURE, TABLE):
        marks += [match["name" if mark == "key" else "text"] for match in drawn.finditer(page)]
    if mark == "text":
        marks += [match["text"] for match in CARD.finditer(page)]
    return "\n".join([*map(of, BLOCK.finditer(page)), *marks]).encode()


def make(making: Making) -> None:
    """Write all pages again, and their figures."""
    for name in PAGES:
        with empty_folder() as folder:
            text = updated((ROOT / name).read_text(encoding="utf-8"))
            figures = {path.name: path.read_bytes() for path in sorted(folder.glob("*.svg"))}
        for figure, content in figures.items():
            making.write(PICTURES + figure, content)
        making.write(name, _filled(text))
        making.tell(name)


def fill(making: Making) -> None:
    """Write all pages again with their claims, the outputs unchanged."""
    for name in PAGES:
        making.write(name, _filled((ROOT / name).read_text(encoding="utf-8")))


def _filled(text: str) -> str:
    """A page with its claims, tables, figures and cards."""
    return with_figures(with_cards(with_tables(filled(text, published()))), ROOT / FOLDER)


TARGET = Target(
    name="pages",
    what="what the README and pages of docs show of commands and code",
    make=make,
    again=fill,
    writes=(*PAGES, PICTURES),
    reads=("data/", FILE, FOLDER, LUCK, BELIEFS, NOPROB_BELIEFS, COMPARED, *PAGES),
    asks=asked_by,
    shows=shown_by,
)
