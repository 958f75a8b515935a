"""Strategy reports: pages that stand alone, speak plainly, are resumed, and touch nothing else."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.strategy_report import plan as report_plan
from lama_odds.analysis.strategy_report.document import (
    Ask,
    Bars,
    Budget,
    Column,
    Dot,
    Line,
    Section,
    Table,
    from_plain,
    to_plain,
)
from lama_odds.analysis.strategy_report.plan import Planned
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.report.figures import draw as drawing
from lama_odds.report.figures.draw import draw
from lama_odds.report.pages.pages import (
    MANIFEST,
    SECTIONS,
    Folder,
    Report,
    index_file,
    slug_of,
)
from tests.cli.calls import inside as call
from tests.report.page_words import faults_of, is_finding, not_sentences, words_of

RULES = "dice/amigo"
SLUG = "dice-amigo-2"
COARSE = ("--players", "2", "--precision", "2")
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """What the tests ask of a page: balanced tags, images, addresses, tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tables = 0
        self.feed(text)
        self.close()
        assert self.open == [], f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(found)
        self.tables += tag == "table"
        self.ids += [found["id"] or ""] if "id" in found else []
        self.addresses += [found[name] or "" for name in ("href", "src") if name in found]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> without a start"
        assert self.open.pop() == tag


def page_of(folder: Path) -> str:
    return (folder / f"{SLUG}.html").read_text(encoding="utf-8")


def contents(folder: Path, *suffixes: str) -> dict[str, bytes]:
    files = (p for p in sorted(folder.rglob("*")) if p.suffix in suffixes)
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def check_page(folder: Path, slug: str) -> Page:
    """What holds for the page of each report, and for its short version."""
    text = (folder / f"{slug}.html").read_text(encoding="utf-8")
    page = Page(text)
    for image in page.images:
        assert len(image["alt"] or "") > 20
        assert (image["src"] or "").startswith("data:image/svg+xml;base64,")
    assert len(set(page.ids)) == len(page.ids)
    assert not faults_of(words_of(text))
    entry = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["reports"][slug]
    lines = [*entry["headlines"], *entry["findings"]]
    assert not [fault for line in lines for fault in not_sentences(line)]
    assert not [line for line in lines if "meanfield" in line]  # exact names are in the details
    sections = sections_in(folder / SECTIONS / slug)
    titles = [figure.title for section in sections for figure in section.figures]
    assert not [title for title in titles if not is_finding(title)]
    assert len(set(titles)) == len(titles)
    return page


@pytest.mark.long
def test_a_page_stands_alone_and_speaks_plainly(made: Path) -> None:
    page = check_page(made, SLUG)
    assert len(page.images) >= 8
    assert page.tables >= 8
    for name in (f"{SLUG}.html", "index.html"):
        text = (made / name).read_text(encoding="utf-8")
        found = Page(text)
        assert not re.search(r"(https?:)?//[a-z]", re.sub(r"data:[^\"]+", "", text))
        for address in found.addresses:
            if address.startswith("#"):
                assert address[1:] in found.ids
            elif not address.startswith("data:"):
                assert (made / address).is_file(), address


@pytest.mark.long
def test_every_table_and_figure_is_a_file(made: Path) -> None:
    entry = json.loads((made / MANIFEST).read_text(encoding="utf-8"))["reports"][SLUG]
    assert entry["command"].startswith(f"lama-odds report {RULES} --players 2")
    files = [path for path in made.rglob("*") if path.is_file() and SECTIONS not in path.parts]
    visible = {path.relative_to(made).as_posix() for path in files}
    assert visible == {*entry["files"], MANIFEST, "index.html"}
    for section in sections_in(made / SECTIONS / SLUG):
        for table in section.tables:
            text = (made / SLUG / f"{table.name}.csv").read_text(encoding="utf-8")
            assert len(list(csv.reader(io.StringIO(text)))) == len(table.rows) + 1
        for figure in section.figures:
            assert (made / SLUG / f"{figure.name}.svg").read_bytes().startswith(b"<?xml")
            assert (made / SLUG / f"{figure.name}.png").read_bytes().startswith(b"\x89PNG")


def sections_in(folder: Path) -> list[Section]:
    """The sections that are kept in a folder."""
    found = [json.loads(content)["section"] for content in contents(folder, ".json").values()]
    sections = [from_plain(section) for section in found]
    assert all(isinstance(section, Section) for section in sections)
    return sections


def games_of(path: Path) -> int:
    """The games that a section on disk was made from."""
    section = from_plain(json.loads(path.read_text(encoding="utf-8"))["section"])
    return section.games if isinstance(section, Section) else 0


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """All figures are the same picture: how they look is not asked here."""
    svg = draw(Bars("b", "t", "a", "x", "y", ("1", "2"), (0.5, 0.5)), "svg")
    pictures = {"svg": svg, "png": b"\x89PNG"}
    monkeypatch.setattr(drawing, "draw", lambda figure, image: pictures[image])
    monkeypatch.setattr(drawing, "_processes", lambda number: None)


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_what_is_missing_or_damaged_is_made_again_with_the_same_bytes(
    made: Path, tmp_path: Path
) -> None:
    """Some that games are played for, and a damaged section. Others are kept as they are."""
    again = shutil.copytree(made, tmp_path / "again")
    sections = sorted((again / SECTIONS / SLUG).iterdir())
    damaged = again / SECTIONS / SLUG / "blow.json"
    missing = [path for path in sections if games_of(path) and path != damaged][::3]
    assert 1 < len(missing) < len(sections) - 1
    for path in missing:
        path.unlink()
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2])
    for path in sections:
        if path.exists():
            os.utime(path, (10, 10))
    assert call("report", RULES, *COARSE, "--threads", "1", "--out", str(again)).code == 0
    made_again = [path for path in sections if path.stat().st_mtime > 10]
    assert made_again == sorted([*missing, damaged])
    found, before = (contents(each, ".csv", ".json") for each in (again, made))
    del found[MANIFEST], before[MANIFEST]  # it has the hash of each file, pictures too
    assert found == before
    pages = [re.sub(r"data:[^\"]+", "", page_of(folder)) for folder in (again, made)]
    assert pages[0] == pages[1]


@pytest.mark.long
def test_other_inputs_are_other_sections() -> None:
    from lama_odds.cli.report import read_asks

    def hashes(**changed: int) -> set[str]:
        asks = read_asks([RULES], 2, 2.0, False, changed.get("seed", 0), changed.get("threads"))
        return {plan.inputs for plan in report_plan.planned(asks[0][0])}

    assert hashes() == hashes(threads=3)
    assert not hashes() & hashes(seed=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((RULES, RULES), "given twice"),
        ((RULES, "--players", "9"), "for 2 to 6 players"),
        ((RULES, "--precision", "nan"), "expected a number above 0"),
        ((RULES, "--format", "htm"), "html"),
    ],
)
def test_what_cannot_be_read_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = call("report", *arguments, "--out", str(tmp_path / "out"))
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "out").exists()


def test_what_others_have_put_there_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "index.html"
    mine.write_text("mine")
    for out, said in ((tmp_path, "holds other things (index.html)"), (mine, "found a file")):
        done = call("report", RULES, *COARSE, "--out", str(out))
        assert done.code == 2
        assert said in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert mine.read_text() == "mine"


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_another_game_has_its_own_sections(tmp_path: Path) -> None:
    assert call("report", "lama/egmont", *COARSE, "--out", str(tmp_path / "out")).code == 0
    page = check_page(tmp_path / "out", slug_of("lama/egmont", 2))
    assert {"thresholds", "thresholds_win", "variants", "deal"} < set(page.ids)


SCRIPT = "<script>alert(1)</script>"
TABLE = Table("t", "title", (Column("a", "text"), Column("b")), ((SCRIPT, 1.5), ("=1+1", None)))
SECTION = Section("one", SCRIPT, "exact", SCRIPT, (SCRIPT,), (), (SCRIPT,), (), (TABLE,), 5)
PLAN = Planned("one", "inputs", 1.0, lambda tell: None)


def report() -> Report:
    game = game_of("dice/amigo")
    ask = Ask(game, game.rules("dice/amigo"), 2, Budget(0.1), 0, 1)
    return Report(ask, SLUG, "lama-odds report", (SECTION,))


def write(path: Path, format_: str = "html") -> Path:
    folder = Folder(path)
    folder.keep(SLUG, PLAN, SECTION)
    return folder.write(report(), format_, ("svg",), parquet=False)


def change(path: Path, **entry: Any) -> None:
    """Change what the manifest says of the report."""
    file = path / "manifest.json"
    plain = json.loads(file.read_text(encoding="utf-8"))
    plain["reports"][SLUG] |= entry
    file.write_text(json.dumps(plain), encoding="utf-8")


def test_what_is_not_made_any_more_is_removed_in_its_own_folder_only(tmp_path: Path) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim.txt"
    write(out)
    victim.write_text("mine")
    for name in ("old.csv", "there"):
        (out / SLUG / name).write_text("old")
    (out / SLUG / "linked.csv").symlink_to(victim)
    change(out, files={f"{SLUG}/old.csv": "", f"{SLUG}/linked.csv": "", f"{SLUG}/gone.csv": ""})
    write(out)
    left = {path.name for path in (out / SLUG).iterdir()}
    assert left == {"t.csv", "there", "linked.csv"}
    assert victim.read_text() == "mine"


@pytest.mark.parametrize(
    "entry",
    [
        {"files": {f"{SLUG}/../../victim.txt": ""}},
        {"files": {f"{SLUG}/x/t.csv": ""}},
        {"files": {"/etc/passwd": ""}},
        {"files": {f"{SLUG}/t.csv": 1}},
        {"files": []},
        {"page": "javascript:alert(1)"},
        {"page": "other.html"},
        {"title": 5},
        {"headlines": [5]},
    ],
    ids=str,
)
def test_a_manifest_that_says_something_else_is_refused(
    tmp_path: Path, entry: dict[str, Any]
) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim.txt"
    write(out)
    victim.write_text("mine")
    change(out, **entry)
    before = (out / "manifest.json").read_bytes()
    with pytest.raises(ReadError, match=r"manifest.json cannot be read .*Nothing was written"):
        Folder(out)
    assert (out / "manifest.json").read_bytes() == before
    assert victim.read_text() == "mine"


def test_a_report_with_a_name_that_is_a_path_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    file = tmp_path / "manifest.json"
    file.write_text(file.read_text().replace(f'"{SLUG}": {{', '"../x-2": {'))
    with pytest.raises(ReadError, match="is not the name of a report"):
        Folder(tmp_path)


def test_a_folder_that_is_a_link_is_not_written_to(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Folder(tmp_path / "out")
    (tmp_path / "out" / SLUG).symlink_to(elsewhere)
    with pytest.raises(ReadError, match="was not made by this program"):
        write(tmp_path / "out")
    assert not list(elsewhere.iterdir())


def test_words_of_others_are_no_markup(tmp_path: Path) -> None:
    page = write(tmp_path)
    for file in (page, tmp_path / "index.html"):
        text = file.read_text(encoding="utf-8")
        assert SCRIPT not in text
        assert "&lt;script&gt;" in text
    entry = {"title": "[x](javascript:y)", "page": "p.md", "players": 2, "headlines": [SCRIPT]}
    text = index_file([entry], "md")
    assert SCRIPT not in text
    assert "[x](javascript:y)" not in text
    assert "'=1+1" in (tmp_path / SLUG / "t.csv").read_text(encoding="utf-8")


def test_a_page_of_markdown_has_its_tables(tmp_path: Path) -> None:
    text = write(tmp_path, "md").read_text(encoding="utf-8")
    (head, line, *rows) = re.findall(r"^\|.*\|$", text, re.M)
    assert (head, len(rows)) == ("| a | b |", len(TABLE.rows))
    assert {each.count("|") for each in (head, line, *rows)} == {3}


def test_a_section_is_read_back_only_as_it_is_written(tmp_path: Path) -> None:
    write(tmp_path)
    folder = Folder(tmp_path)
    assert folder.part(SLUG, PLAN) == SECTION
    file = tmp_path / SECTIONS / SLUG / "one.json"
    whole = json.loads(file.read_text(encoding="utf-8"))

    def damaged(**fields: Any) -> bool:
        plain = {**whole, "section": {**whole["section"], **fields}}
        file.write_text(json.dumps(plain), encoding="utf-8")
        return folder.part(SLUG, PLAN) is None

    (table,) = whole["section"]["tables"]
    assert not damaged()
    for fields in (
        {"title": 5},
        {"games": True},
        {"more": 1},
        {"kind of": "Table"},
        {"kind of": ["Section"]},
        {"name": "../../victim"},
        {"tables": [{**table, "name": "../../victim"}]},
        {"tables": [{**table, "rows": [["short"]]}]},
    ):
        assert damaged(**fields), fields
    file.write_text("[" * 100_000, encoding="utf-8")
    assert folder.part(SLUG, PLAN) is None


def test_figures_whose_parts_do_not_fit_are_refused() -> None:
    line = Line("l", (1.0, 2.0), (1.0, 2.0), (0.0, 1.0), (2.0, 3.0))
    bars = Bars("b", "t", "a", "x", "y", ("1", "2"), (0.5, 0.5))
    for part, wrong in (
        (line, {"x": [1.0]}),
        (line, {"low": [0.0, 3.5]}),
        (bars, {"y": [1.0]}),
        (Estimate.normal(1.0, 0.5, 100, 2.0), {"low": 2.5}),
        (Dot("d", 1.0, 0.0, 2.0), {"high": -1.0}),
    ):
        plain = to_plain(part)
        assert from_plain(plain) == part
        with pytest.raises(ValueError, match="do not fit together"):
            from_plain({**plain, **wrong})
