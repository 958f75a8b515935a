"""Every link and image of the README, docs and reports leads somewhere, a heading of it too."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path
    for folder in ("docs", "reports")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".md", ".html") and not any(p.startswith(".") for p in path.parts)
) + sorted(ROOT.glob("*.md"))
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|//")
HTML_NAMES = ("href", "src", "data", "poster")


class Addresses(HTMLParser):
    """What an HTML page links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in HTML_NAMES and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def links_of(path: Path, text: str) -> list[str]:
    if path.suffix == ".html":
        return Addresses(text).links
    return LINK.findall(CODE.sub("", text)) + Addresses(CODE.sub("", text)).links


@cache
def places_of(path: Path) -> set[str]:
    """Headings of Markdown as they are linked to, and ids."""
    text = path.read_text(encoding="utf-8")
    found = Addresses(text).places
    if path.suffix == ".md":
        heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        found |= {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
    return found


def broken(path: Path, text: str, root: Path = ROOT) -> Iterator[str]:
    """Links of a page that lead nowhere, or out of the repository."""
    for link in links_of(path, text):
        if ELSEWHERE.match(link):
            continue
        name, _, place = unquote(link).partition("#")
        linked = (path.parent / name).resolve() if name else path
        there = linked.exists() and linked.is_relative_to(root)
        named = place and linked.suffix in (".md", ".html")
        if not there or (named and place not in places_of(linked)):
            yield link


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    assert list(broken(path, path.read_text(encoding="utf-8"))) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A head, here\n", encoding="utf-8")
    page = tmp_path / "page.md"
    text = (
        "[a](other.md) [b](other.md#a-head-here) [c](other.md#no) ![d](none.svg) [e](https://x)\n"
        '<img src="gone.png"> `[f](code.md)`\n```\n[g](code.md)\n```\n[h](../..)\n'
    )
    found = list(broken(page, text, tmp_path.resolve()))
    assert found == ["other.md#no", "none.svg", "../..", "gone.png"]
    html = '<p id="x"><a href="#x">1</a><a href="#y">2</a><a href="other.md">3</a></p>'
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    assert list(broken(tmp_path / "page.html", html, tmp_path.resolve())) == ["#y"]


def test_what_pages_link_to_is_in_the_repository() -> None:
    """A file that lies here only by chance would be missing elsewhere."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("no git checkout here")
    kept = {(ROOT / name).resolve() for name in done.stdout.split("\0")}
    for path in PAGES:
        for link in links_of(path, path.read_text(encoding="utf-8")):
            name = unquote(link).partition("#")[0]
            if name and not ELSEWHERE.match(link):
                linked = (path.parent / name).resolve()
                assert linked.is_dir() or linked in kept, f"{path}: {link}"
