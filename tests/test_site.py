"""The documentation site: built strictly, complete in itself, readable on a phone, searchable."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from filelock import FileLock

from tests.test_documents import broken

pytest.importorskip("mkdocs", reason="the extra docs is not installed")

from lama_odds.core.language import LANGUAGES
from lama_odds.games.registry import GAMES, game_of
from tools.publishing.targets.beside_the_table import printed_name
from tools.site import hooks

ROOT = Path(__file__).resolve().parent.parent
PHONE = 390  # pixels
LOADED = re.compile(
    r"<(?:script|img|iframe|source)[^>]* src=\"(?:https?:)?//|<link[^>]*stylesheet"
    r"[^>]* href=\"(?:https?:)?//|@import|url\(\"?(?:https?:)?//"
)
CUT = "parts => parts.filter(each => each.scrollWidth > each.clientWidth).length"
# What people look for, and the page that they should see first.
SEARCHED = {
    "determinization": "reference/glossary",
    "when to quit": "howto/when_to_quit",
    "L.A.M.A.": "howto/position_lama",
    "Heckmeck": "howto/position_pikomino",
    "hand=3356L": "howto/position_lama",
    "llama_each": "howto/design",
    "threshold:5": "reference/policies",
    "best response": "howto/policies",
}
PAGES = (
    "index.html",
    "table/lama.html",
    "howto/when_to_quit.html",
    "reference/commands.html",
    "reference/policies.html",
    "reference/json.html",
    "explanation/intervals.html",
    "results/league.html",
)


@pytest.fixture(scope="session")
def site(shared_folder: Path) -> Path:
    """The site, built once for all workers; a warning would have failed it."""
    made = shared_folder / "site"
    with FileLock(shared_folder / "site.lock"):
        if not made.exists():
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", made]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    return made


@pytest.mark.long
def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    for page in (*pages, *(site / "assets").glob("*.css")):
        assert not LOADED.search(page.read_text(encoding="utf-8")), page
    for page in pages:
        if page.name == "404.html":  # shown at any address, so its links begin at the root
            continue
        text = page.read_text(encoding="utf-8")
        links = [link for link in broken(page, text, site.resolve()) if link not in (".", "#")]
        assert links == [], page
    for name in ("reference/schemas/advise.json", "results/league.csv", "CITATION.cff"):
        assert (site / name).is_file()
    text = (site / "howto" / "when_to_quit.html").read_text(encoding="utf-8")
    assert '<meta property="og:title" content="When to quit · lama-odds">' in text
    assert "og:image" not in text  # needs the address of the site


def test_stories_have_a_position_to_change() -> None:
    """Each can be read, and leads to the page that answers where there is one."""
    stories = sorted((ROOT / "docs/strategy").glob("*.md"))
    assert len(stories) == len(GAMES)
    for story in stories:
        marks = list(hooks.TRY.finditer(story.read_text(encoding="utf-8")))
        assert marks, story
        for mark in marks:
            game = game_of(mark["rules"])
            assert game.name == story.stem
            game.position(game.rules(mark["rules"]), mark["position"])
            link = re.search(r"\]\((.+)\)\{", hooks.tried(mark, f"strategy/{story.name}"))
            assert link is not None
            page = urlsplit(link[1])
            assert page.path == "../ask/index.html"
            asked = {"rules": [mark["rules"]], "position": [mark["position"]]}
            assert parse_qs(page.query) == asked


@pytest.mark.long
def test_pages_fit_a_phone_from_a_folder(site: Path, browser: Any) -> None:
    context = browser.new_context(viewport={"width": PHONE, "height": 800}, offline=True)
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if "http" in request.url else None)
    for name in PAGES:
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE, name
        assert page.locator("pre > code").evaluate_all(CUT) == 0, name
    for scheme, shown in (("light", "default"), ("dark", "slate")):
        page.emulate_media(color_scheme=scheme)
        page.goto((site / PAGES[0]).as_uri())
        assert page.evaluate("document.body.dataset.mdColorScheme") == shown
    assert said == []
    context.close()


@pytest.mark.long
def test_search_finds_pages_from_a_folder(site: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto((site / "tutorials" / "index.html").as_uri())
    query = page.locator("[data-md-component=search-query]")
    first = page.locator(".md-search-result__item > a").first
    found = {}
    for text in SEARCHED:
        query.fill("")
        first.wait_for(state="detached")  # the hits of the text before
        query.fill(text)
        query.press("End")
        first.wait_for()
        path = re.sub(r"\.html.*", "", first.get_attribute("href"))
        found[text] = "/".join(path.split("/")[-2:])
    assert found == SEARCHED
    page.close()


@pytest.mark.long
@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("game", ["lama", "dice", "pikomino", "noprob"])
def test_every_card_prints_on_one_page(site: Path, browser: Any, game: str, spoken: str) -> None:
    page = browser.new_page()
    page.goto((site / "table" / printed_name(game, spoken)).as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    cards = page.locator("section").count()
    assert cards > 0
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == cards
    cut = CUT.replace("Width", "Height")
    assert page.locator("section").evaluate_all(cut) == 0
    page.close()


def test_pages_begin_with_their_heading() -> None:
    pages = sorted((ROOT / "docs").rglob("*.md"))
    assert len(pages) > 40
    for path in pages:
        assert path.read_text(encoding="utf-8").startswith("# "), path
