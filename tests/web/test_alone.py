"""The page that needs no server: it opens without a network, asks nobody, speaks four languages.

Its engine is a stand-in here, which answers what was recorded of the server.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from filelock import FileLock

from tests.web.alone import BELOW, IMPOSSIBLE, POSITIONS, Host, build, hosted
from tests.web.phone import AWAY, FINAL, PHONE, patient
from tools.browser.site import MANIFEST, WORKER

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if shutil.which("node") is None:
    pytest.skip("there is no node here, which checks the texts", allow_module_level=True)

pytestmark = pytest.mark.long
SAID = {  # of the same position
    "en-GB": "Keep the 5s — better than keep the 2s by 0.3 worms",
    "de-AT": "Die 5er beiseitelegen: 0,3 Würmer besser als die 2er beiseitelegen",
    "pl-PL": "Odłożyć kostki z 5: lepiej o 0,3 robala niż odłożyć kostki z 2",
    "fr-CH": "Garder les 5\u00a0: 0,3 ver de mieux que garder les 2",
}
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
# Said by the browser where a test takes something away.
REFUSED = "Failed to load resource: "
ELSEWHERE = "https://example.com/"


@pytest.fixture(scope="module")
def folder(shared_folder: Path) -> Path:
    """A folder with the page below it, built once for all workers."""
    made = shared_folder / "alone"
    with FileLock(shared_folder / "alone.lock"):
        if not made.exists():
            build(made / BELOW, shared_folder / "alone-engine")
    return made


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    with hosted(folder) as found:
        yield found


@contextmanager
def opened(browser: Any, host: Host, locale: str = "en-GB") -> Iterator[Any]:
    """A page on a phone of its own; AssertionError for errors, and for what is asked elsewhere."""
    context = browser.new_context(viewport=PHONE, locale=locale)
    page = patient(context.new_page())
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation',"
        " (e) => console.error(`CSP ${e.blockedURI}`));"
    )
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    context.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert [text for text in said if REFUSED not in text and ELSEWHERE not in text] == []
    assert [url for url in asked if not url.startswith(host.address)] == []


def link(host: Host, rules: str, position: str | None = None) -> str:
    return f"{host.address}?rules={quote(rules)}&position={quote(position or POSITIONS[rules])}"


def script(page: Any, name: str) -> str:
    """The address of a module of the page that is shown."""
    found: str = page.evaluate("document.querySelector('script').src")
    return found.replace("old.js", name)


def verdict(page: Any) -> str:
    page.wait_for_selector(FINAL)
    found: str = page.locator("main .verdict .said").inner_text()
    return found


@pytest.mark.parametrize("locale", SAID)
def test_a_link_opens_at_its_position_in_the_language_of_the_browser(
    browser: Any, host: Host, locale: str
) -> None:
    """And nothing is wider than the phone."""
    with opened(browser, host, locale) as page:
        for rules, position in POSITIONS.items():
            page.goto(link(host, rules))
            said = verdict(page)
            assert said == SAID[locale] or not rules.startswith("pikomino")
            shown = page.locator(".notation").inner_text()
            assert sorted(shown.split()) == sorted(position.split())
            assert page.locator(".odds").count() == 1
            page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert page.evaluate("document.documentElement.lang") == locale[:2]
        for query in ("train=lama", "lookup="):
            page.goto(f"{host.address}?{query}")
            page.wait_for_selector("main h1")
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_it_opens_without_a_network_after_the_first_visit(browser: Any, folder: Path) -> None:
    host = Host(folder)
    with opened(browser, host) as page:
        page.goto(link(host, "dice/amigo"))
        first = verdict(page)
        assert page.evaluate(CONTROLLED)
        host.close()
        page.goto(link(host, "dice/amigo"))
        assert verdict(page) == first
        page.goto(f"{host.address}?lookup=")
        page.locator(".sheet summary").first.click()
        assert page.locator(".sheet td:visible").count() > 10
        page.goto(f"{host.address}?rules={quote('lama/party+drama')}")
        page.get_by_role("button", name="Add pink llama").wait_for()


def test_all_that_is_asked_stays_on_the_phone(browser: Any, host: Host) -> None:
    with opened(browser, host) as page:
        page.goto(link(host, "lama/amigo", IMPOSSIBLE))
        sync_api.expect(page.locator(".verdict.bad")).to_contain_text("This cannot occur:")
        assert page.locator("[data-part=opp2] .defects").count() == 1
        page.goto(link(host, "lama/amigo"))
        verdict(page)
        for tab in ("Train", "Look up", "Ask"):
            page.get_by_role("button", name=tab, exact=True).click()
        verdict(page)
        assert page.evaluate(f"fetch('{ELSEWHERE}').catch((e) => e.name)") == "TypeError"
        inside = "async (src) => (await import(src)).get('/api/elsewhere')"
        assert page.evaluate(inside, script(page, "base/api.js")) == "TypeError"  # in the worker
    assert not any("api" in address.split("/") for address in host.asked)


def test_tables_that_do_not_arrive_are_tried_again(browser: Any, host: Host) -> None:
    for kept in (host.missing, host.changed):
        kept.add("tables/dice.txt")
        with opened(browser, host) as page:
            page.clock.install()
            page.goto(link(host, "dice/amigo"))
            sync_api.expect(page.locator(".verdict.bad")).to_contain_text("did not arrive")
            kept.clear()
            page.clock.fast_forward(AWAY)
            assert verdict(page)  # by itself, after a while


_LOADED = """() => performance.getEntriesByType("resource").map(({ name }) => name)"""
_WAITS = "navigator.serviceWorker.getRegistration().then((found) => Boolean(found.waiting))"


def version_of(page: Any) -> str:
    """The version of the page that is shown; AssertionError if anything is of another one."""
    found: str = page.evaluate("document.querySelector('script').src").split("/")[-2]
    names = [name for name in page.evaluate(_LOADED) if "/ask/" in name]
    own = [name for name in names if f"/ask/{found}/" in name]
    assert len(own) > 40
    assert {name.rpartition("/")[2] for name in names if name not in own} <= {MANIFEST, WORKER}
    return found


def test_a_newer_version_begins_when_the_page_is_opened_again(browser: Any, tmp_path: Path) -> None:
    engine = tmp_path / "kept"
    old = build(tmp_path / "www" / BELOW, engine)
    with hosted(tmp_path / "www") as host, opened(browser, host) as page:
        page.goto(link(host, "dice/amigo"))
        verdict(page)
        new = build(tmp_path / "www" / BELOW, engine, newer=True)
        host.asked.clear()
        assert version_of(page) == old != new
        page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        while not page.evaluate(_WAITS):
            page.wait_for_timeout(50)
        assert version_of(page) == old  # the newer one is complete, and waits
        page.reload()
        page.wait_for_function(f"() => document.querySelector('script').src.includes('{new}')")
        assert verdict(page)
        assert version_of(page) == new
        assert len(page.evaluate("caches.keys()")) == 1
        assert [address for address in host.asked if old in address] == []
        tables = [address for address in host.asked if "engine/tables" in address]
        assert tables == []  # they are the same as before


def test_an_old_page_says_that_there_is_a_newer_one(browser: Any, tmp_path: Path) -> None:
    engine = tmp_path / "kept"
    build(tmp_path / "www" / BELOW, engine)
    with hosted(tmp_path / "www") as host, opened(browser, host) as page:
        page.goto(link(host, "lama/amigo"))
        verdict(page)
        build(tmp_path / "www" / BELOW, engine, newer=True)
        page.get_by_role("button", name="Change").click()
        page.get_by_role("button", name="Lama Dice").click()
        page.locator("[data-key=done]").click()
        page.get_by_role("button", name="Show an example").click()
        sync_api.expect(page.locator(".verdict.bad")).to_contain_text("a newer version")


_GIVEN_UP = """
async ([src, path]) => {
  const { get, stream } = await import(src);
  const aborter = new AbortController();
  const heard = [];
  const hear = (event) => { heard.push(event); aborter.abort(); };
  const said = await stream(path, hear, aborter.signal)
    .then(() => "answered", (error) => error.name);
  const { givenUp, language } = await get("/api/asked");
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  return { said, heard: heard.length, givenUp: givenUp.length, language };
}
"""


def test_a_question_is_given_up(browser: Any, host: Host) -> None:
    with opened(browser, host, "fr-FR") as page:
        page.goto(f"{host.address}?lookup=")
        page.wait_for_selector(".sheet")
        of = {"rules": "lama/amigo", "position": POSITIONS["lama/amigo"]}
        path = f"/api/advise/stream?{urlencode(of)}"
        found = page.evaluate(_GIVEN_UP, [script(page, "base/api.js"), path])
    assert found == {"said": "AbortError", "heard": 1, "givenUp": 1, "language": "fr"}


def test_training_is_kept_on_the_phone(browser: Any, host: Host) -> None:
    with opened(browser, host) as page:
        page.goto(f"{host.address}?train=lama")
        first = page.locator(".drill .option").first
        first.wait_for()
        position = page.locator(".drill").inner_text()
        first.click()
        page.get_by_role("button", name="Next position").click()
        page.locator(".drill .option").first.wait_for()
        assert page.locator(".drill").inner_text() != position
        log = page.evaluate("localStorage.getItem('lama-odds.training')")
        assert log.startswith("lama-odds training 1\n")
        assert " | chose " in log


def test_another_language_can_be_chosen(browser: Any, host: Host) -> None:
    with opened(browser, host, "it-IT") as page:
        page.goto(link(host, "pikomino/egmont"))
        page.get_by_role("button", name="Ask", exact=True).wait_for()
        page.get_by_label("Language").select_option("pl")
        page.get_by_role("button", name="Zapytaj", exact=True).wait_for()
        assert page.locator(".notation").inner_text().startswith("kept=444W")  # at the same place
        page.reload()
        page.get_by_role("button", name="Zapytaj", exact=True).wait_for()


def test_polish_counts_as_one_does(browser: Any, host: Host) -> None:
    count = (
        "([src, all]) => import(src).then(({ texts }) => all.map((n) => texts.amount(n, 'points')))"
    )
    with opened(browser, host, "pl-PL") as page:
        page.goto(host.address)
        page.wait_for_selector("#tabs button")
        amounts = ["1", "2", "5", "12", "22", "1,5"]
        told = page.evaluate(count, [script(page, "texts/pl.js"), amounts])
    assert told == ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "1,5 punktu"]


def test_an_old_browser_gets_a_sentence_and_the_sheets(browser: Any, host: Host) -> None:
    for lacks in ("delete window.BigInt", "delete window.WebAssembly", "window.Worker = class {}"):
        with opened(browser, host, "de-DE") as page:
            page.add_init_script(lacks)
            page.goto(host.address)
            sync_api.expect(page.locator("main")).to_contain_text("Dieser Browser ist zu alt")
            links = page.locator("main a")
            assert links.count() == len(POSITIONS)
            links.first.click()
            page.wait_for_selector("h1")
            assert page.locator("#tabs").count() == 0
            assert page.evaluate("document.documentElement.lang") == "de"


def test_it_can_be_installed(folder: Path) -> None:
    page = folder / BELOW
    manifest = json.loads((page / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = set()
    for icon in manifest["icons"]:
        content = (page / icon["src"]).read_bytes()
        if content.startswith(b"\x89PNG"):
            width, height = (int.from_bytes(content[at : at + 4]) for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add((width, icon["purpose"]))
    assert sizes == {(192, "any"), (512, "any"), (512, "maskable")}


def test_two_builds_are_the_same(folder: Path, tmp_path: Path, shared_folder: Path) -> None:
    with FileLock(shared_folder / "alone.lock"):
        build(tmp_path / "again", shared_folder / "alone-engine")
    first, second = folder / BELOW, tmp_path / "again"
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert names == sorted(p.relative_to(second) for p in second.rglob("*") if p.is_file())
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
