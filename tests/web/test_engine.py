"""The engine of the page without a server: what it answers is what Python answers, bit for bit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from filelock import FileLock

from lama_odds.analysis.coach.drills import collection
from lama_odds.core.language import LANGUAGES, speaking
from lama_odds.games.registry import GAMES
from lama_odds.web.training import answer_with, next_with
from tests.web.phone import PHONE, patient
from tools.browser.asked import both, chosen, differences, hosted, in_chromium
from tools.browser.engine import sizes, write_engine
from tools.browser.site import write_site

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("wasm-ld"), reason="wasm-ld (Debian: lld) links it"),
    pytest.mark.skipif(not shutil.which("node"), reason="there is no node here"),
]

# How many are asked in each language, and one drill of how many is answered. All are asked weekly,
# see .github/workflows/check.yml.
QUESTIONS = {"en": 12, "de": 4, "pl": 4, "fr": 4}
SEED = 36  # of those of all games
DRILLS = {"en": 16, "de": 64, "pl": 64, "fr": 64}
MOST_CODE = 1_000_000  # bytes that are fetched at most, of all games together
SOLVED = "lama-odds-solved /ask/ "  # how the names of caches begin
OFFLINE = "() => navigator.serviceWorker.controller !== null"


@pytest.fixture(scope="module")
def engine(shared_folder: Path, browser_kernels: Path) -> Path:
    """The engine, built once for all workers."""
    made = shared_folder / "engine-of-all"
    with FileLock(shared_folder / "engine-of-all.lock"):
        if not made.exists():
            write_engine(made, browser_kernels)
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_have_the_same_bits(engine: Path, language: str) -> None:
    """Values, intervals, verdicts, reasons and refusals, of all rule sets and options."""
    asked = chosen(QUESTIONS[language], seed=SEED + LANGUAGES.index(language))
    apart = {
        f"{what} {options}": differences(found, wanted)
        for (what, options), found, wanted in both(asked, engine, language)
    }
    assert {question: those for question, those in apart.items() if those} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_drills_are_answered_alike(engine: Path, language: str) -> None:
    log = {"log": "", "day": "2026-11-29"}
    asked: list[tuple[str, dict[str, Any]]] = []
    wanted = []
    with speaking(language):
        for game in GAMES:
            asked.append((f"train/{game}/next", log))
            wanted.append(next_with(game, *log.values()))
            for drill in collection(game)[:: DRILLS[language]]:
                for action in (drill.best, drill.choices[1].action):
                    asked.append((f"train/{game}", {**log, "id": drill.id, "action": action}))
                    wanted.append(answer_with(game, *log.values(), drill.id, action))
    for question, found, told in zip(
        asked, in_chromium(asked, engine, language), wanted, strict=True
    ):
        assert found == told, question


def test_the_engine_is_small_and_made_alike(
    engine: Path, browser_kernels: Path, tmp_path: Path
) -> None:
    """Its scripts and compiled functions fit; a second one is the same byte for byte."""
    code = {name: size for name, size in sizes(engine).items() if "tables/" not in name}
    assert sum(code.values()) < MOST_CODE
    write_engine(tmp_path / "again", browser_kernels)
    files = [path.relative_to(engine) for path in engine.rglob("*") if path.is_file()]
    assert all(
        (tmp_path / "again" / each).read_bytes() == (engine / each).read_bytes() for each in files
    )


@pytest.fixture
def page(engine: Path, tmp_path: Path) -> Iterator[tuple[Any, str]]:
    """A page on a phone, and its address."""
    write_site(tmp_path / "ask", engine)
    with hosted(tmp_path) as address, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        found = patient(browser.new_page(viewport=PHONE, locale="en-GB"))
        yield found, f"{address}/ask/"
        browser.close()


def test_a_position_is_answered_in_aeroplane_mode(page: tuple[Any, str]) -> None:
    """After a first answer, the same game is answered without a network."""
    found, address = page
    question = "?rules=lama/amigo&position=hand%3D3356L+top%3D4+opp%3D4,q2,6"
    found.goto(address + question)
    found.wait_for_selector(".verdict.clear, .verdict.open")
    found.wait_for_function(OFFLINE)
    found.context.set_offline(True)
    found.goto(address + question.replace("3356L", "3346L"))
    found.wait_for_selector(".verdict.clear, .verdict.open")
    assert "4" in found.inner_text(".verdict")


# Notes what workers say of answers, and when the position was changed.
TOLD = """
window.told = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data: { event, data } }) => {
      if (event) told.push([data.position, data.settled ? "settled" : event]);
    });
  }
};
"""
CHANGED = """(position) => {
  told.push(["", "changed"]);
  history.pushState(null, "", `?rules=lama/amigo&position=${encodeURIComponent(position)}`);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


@pytest.mark.parametrize("visits", [1, 2])  # workers share memory from the second visit on
def test_a_new_question_does_not_wait_for_reasons(page: tuple[Any, str], visits: int) -> None:
    """A verdict comes before the reasons for it, and the next question gives these up."""
    found, address = page
    found.add_init_script(TOLD)
    first, then = ("hand=456L top=2 opp=4,5,6", "hand=256L top=2 opp=4,5,6")
    for _ in range(visits):
        found.goto(f"{address}?rules=lama/amigo&position={quote(first)}")
        found.wait_for_selector(".verdict.clear")
        found.wait_for_function(OFFLINE)
    found.evaluate(CHANGED, then)
    found.wait_for_function("then => told.some(each => each.join() === `${then},answer`)", arg=then)
    events = found.evaluate("told")
    changed = events.index(["", "changed"])
    assert [first, "settled"] in events[:changed]
    assert first not in [position for position, _ in events[changed:]]


def test_what_was_solved_is_kept_and_that_of_older_versions_is_removed(
    page: tuple[Any, str],
) -> None:
    """Lama Dice solves what its policy plays by; the next visit reads it."""
    found, address = page
    found.goto(address)
    found.evaluate("() => caches.open('lama-odds-solved /ask/ older')")
    found.goto(f"{address}?rules=dice/amigo&position=hand%3D25L+row%3D1346L+opp%3D13,6LL")
    found.wait_for_selector(".verdict.clear")
    kept = f"""async () => {{
        const names = (await caches.keys()).filter((name) => name.startsWith({SOLVED!r}));
        return names.length === 1 && (await (await caches.open(names[0])).keys()).length > 0;
    }}"""
    found.wait_for_function(kept)
