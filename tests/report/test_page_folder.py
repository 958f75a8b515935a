"""A folder of reports of somebody else: nothing outside is touched, no link leads out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.strategy_report.document import (
    Bars,
    Column,
    Dot,
    HeatMap,
    Line,
    Section,
    Table,
    from_plain,
    to_plain,
)
from lama_odds.analysis.strategy_report.plan import Planned
from lama_odds.analysis.strategy_report.report import Ask, Budget
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.report.pages.page_folder import SECTIONS, Folder
from lama_odds.report.pages.pages import Report, index_file

SLUG = "dice-amigo-2"
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
        {"files": {f"{SLUG}-2/../victim.txt": ""}},
        {"files": {f"{SLUG}/x/t.csv": ""}},
        {"files": {"/etc/passwd": ""}},
        {"files": {f"{SLUG}/.csv": ""}},
        {"files": {f"{SLUG}/t.csv": 1}},
        {"files": []},
        {"page": "javascript:alert(1)"},
        {"page": "other.html"},
        {"page": None},
        {"title": 5},
        {"players": "2"},
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

    tables = whole["section"]["tables"]
    assert not damaged()
    assert damaged(title=5)
    assert damaged(games="5")
    assert damaged(games=True)
    assert damaged(tables="t")
    assert damaged(more=1)
    assert damaged(**{"kind of": "Table"})
    assert damaged(**{"kind of": ["Section"]})
    assert damaged(name="../../victim")
    assert damaged(tables=[{**tables[0], "name": "../../victim"}])
    assert damaged(tables=[{**tables[0], "rows": [["short"]]}])
    file.write_text("[" * 100_000, encoding="utf-8")
    assert folder.part(SLUG, PLAN) is None


def test_figures_whose_parts_do_not_fit_are_refused() -> None:
    line = Line("l", (1.0, 2.0), (1.0, 2.0), (0.0, 1.0), (2.0, 3.0))
    bars = Bars("b", "t", "a", "x", "y", ("1", "2"), (0.5, 0.5), (1,))
    heat = HeatMap(
        *("h", "t", "a", "x", "y"), ("1",), ("1", "2"), ((1.0,), (None,)), (("",), ("",)),
        *("", "", "u", 1.0),
    )  # fmt: skip
    for part, wrong in (
        (line, {"x": [1.0]}),
        (bars, {"y": [1.0]}),
        (bars, {"marked": [2]}),
        (heat, {"values": [[1.0]]}),
        (heat, {"texts": [[""], []]}),
        (line, {"low": [0.0, 3.5]}),
        (Estimate.normal(1.0, 0.5, 100, 2.0), {"low": 2.5}),
        (Dot("d", 1.0, 0.0, 2.0), {"high": -1.0}),
    ):
        plain = to_plain(part)
        assert from_plain(plain) == part
        with pytest.raises(ValueError, match="do not fit together"):
            from_plain({**plain, **wrong})
