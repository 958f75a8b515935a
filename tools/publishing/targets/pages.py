"""Run the commands shown in README.md and the pages of docs/, and put their outputs below them.

`tools/publishing/shown.py` describes what a page may show. Figures that are drawn there are kept
in docs/pictures/.
"""

from __future__ import annotations

from pathlib import Path

from tools.publishing.shown import BLOCK, empty_folder, question, shown, updated
from tools.publishing.target import Making, Target

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PICTURES = "docs/pictures/"


def pages() -> tuple[str, ...]:
    """README and the pages of docs/ that show outputs."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return tuple(
        path.relative_to(ROOT).as_posix()
        for path in found
        if BLOCK.search(path.read_text(encoding="utf-8"))
    )


PAGES = pages()


def asked_by(name: str, content: bytes) -> bytes:
    """Commands and code of a page, which decide what comes out; prose does not."""
    if name not in PAGES:
        return content
    return "\n".join(map(question, BLOCK.finditer(content.decode()))).encode()


def shown_by(name: str, content: bytes) -> bytes:
    """Return all outputs of a page; figures unchanged."""
    if name not in PAGES:
        return content
    return "\n".join(map(shown, BLOCK.finditer(content.decode()))).encode()


def make(making: Making) -> None:
    """Write all pages again, and their figures."""
    for name in PAGES:
        with empty_folder() as folder:
            text = updated((ROOT / name).read_text(encoding="utf-8"))
            figures = {path.name: path.read_bytes() for path in sorted(folder.glob("*.svg"))}
        for figure, content in figures.items():
            making.write(PICTURES + figure, content)
        making.write(name, text)
        making.tell(name)


TARGET = Target(
    name="pages",
    what="what the README and pages of docs show of commands and code",
    make=make,
    writes=(*PAGES, PICTURES),
    reads=("data/", *PAGES),
    asks=asked_by,
    shows=shown_by,
)
