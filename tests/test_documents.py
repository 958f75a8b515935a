"""README, docs and reports: links lead somewhere, outputs are what comes out, words are plain."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tools.publishing import shown
from tools.publishing.targets.pages import PAGES, PICTURES
from tools.study import plain_words
from tools.study.plain_words import Text

ROOT = Path(__file__).resolve().parent.parent
LINKING = sorted(
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


@cache
def text_in(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
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


def test_links_lead_somewhere() -> None:
    found = {path: list(broken(path, text_in(path))) for path in LINKING}
    assert {path: links for path, links in found.items() if links} == {}


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
    for path in LINKING:
        for link in links_of(path, text_in(path)):
            name = unquote(link).partition("#")[0]
            if name and not ELSEWHERE.match(link):
                linked = (path.parent / name).resolve()
                assert linked.is_dir() or linked in kept, f"{path}: {link}"


# Outputs


# What differs from run to run: seconds, threads, speed.
TIMING = re.compile(r"[\d.]+ s\b|on \d+ threads|[\d,]+ (games|rounds) a second")
README_LINES = 110
# Pages whose commands take seconds each. `tools/publish pages` makes them before a release, and
# `tools/publish --list` says when they are out of date.
SLOW = {
    "docs/howto/compare_rules.md",
    "docs/howto/design.md",
    "docs/howto/policies.md",
    "docs/howto/position_dice.md",
    "docs/howto/position_lama.md",
    "docs/howto/position_noprob.md",
    "docs/howto/when_to_quit.md",
    "docs/tutorials/first_answer.md",
    "docs/results/example_games.md",
    "docs/tutorials/notebook.md",
}


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def same(text: str) -> str:
    return TIMING.sub("…", text)


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if page not in SLOW])
def test_pages_show_what_comes_out(page: str) -> None:
    names: dict[str, Any] = {}
    with shown.empty_folder() as folder:
        for block in shown.BLOCK.finditer(text_of(page)):
            made = shown.made(block, names)
            assert same(made) == same(shown.shown(block)), block[0][:80]
            if block["picture"]:
                kept = text_of(PICTURES + block["picture"])
                drawn = (folder / block["picture"]).read_text(encoding="utf-8")
                assert same(drawn) == same(kept), block[0]


def test_all_code_of_the_pages_is_run() -> None:
    """Blocks that the script does not know of would never be checked."""
    assert set(PAGES) >= SLOW
    for page in PAGES:
        left = shown.BLOCK.sub("", text_of(page))
        assert "```python" not in left, page
        assert not re.search("<!-- (output|picture|file):", left), page
    assert len(text_of("README.md").splitlines()) <= README_LINES


# Words


def found_in(text: str) -> list[str]:
    return [finding.found for finding in plain_words.findings(Text(1, text))]


@pytest.mark.long
def test_words_are_plain() -> None:
    found = [finding for path in plain_words.files() for finding in plain_words.found_in(path)]
    assert not found, "\n".join(map(str, found))
    assert not plain_words.unused()  # what is let pass is there


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Deal the cards anew.", ["anew"]),
        ("Show the scores; who has quit is in brackets.", ["who"]),
        ("Ten points a round. Text that is no number.", ["points a round", "is no"]),
        ("Who moves first? Players who have quit hold 5 points. There is no card left.", []),
        ("The luck-adjusted result of push-your-luck games. `luck`, and lama_odds/luck.", []),
    ],
)
def test_private_words_are_seen_and_plain_ones_left_alone(text: str, found: list[str]) -> None:
    assert found_in(text) == found


def test_long_sentences_are_seen() -> None:
    long, short = " ".join(["Words"] * 31) + ".", " ".join(["Words"] * 30) + "."
    assert found_in(long) == ["Words Words Words Words Words Words …"]
    assert found_in(f"{short} {short}\n\n- {short}\n- {short}") == []


def test_texts_are_found_with_their_lines_and_code_is_left_out() -> None:
    source = (
        'def f():\n    """Plain.\n\n    Dealt anew.\n\n    >>> "anew"\n    \'anew\'\n    """\n'
        '    # told\n    x = "anew"\n    return f"{f} anew"\n'
    )
    page = "Plain.\n\n```\nall is dealt anew\n```\n\n| told | [anew](told.md) |\n"
    for texts, lines in (
        (plain_words.python_texts(source), [4, 9, 11]),
        (plain_words.markdown_texts(page), [7, 7]),
    ):
        found = [each for text in texts for each in plain_words.findings(text)]
        assert sorted(each.line for each in found) == lines
