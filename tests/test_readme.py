"""README.md and the pages of docs/ show what their commands and code print and draw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tools.publishing import shown
from tools.publishing.targets.pages import PAGES, PICTURES

ROOT = Path(__file__).resolve().parent.parent
# What differs from run to run: seconds, threads, speed.
TIMING = re.compile(r"[\d.]+ s\b|on \d+ threads|[\d,]+ (games|rounds) a second")
README_LINES = 150
# Commands of pages that play for minutes, and what is run of them: few games of few players.
FEWER = {
    "thresholds noprob/starnberger --players 4 --games 20000": (
        "thresholds noprob/starnberger --players 2 --games 6000"
    ),
    "compare pikomino/egmont +no_steal --players 4 --games 2000": (
        "compare pikomino/egmont +no_steal --players 4 --games 200"
    ),
}


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def same(text: str) -> str:
    return TIMING.sub("…", text)


def shape(text: str) -> list[str]:
    """The first line of each paragraph, a title or the head of a table, without figures."""
    first = [paragraph.splitlines()[0] for paragraph in re.split(r"\n\n+", text.strip())]
    plain = [re.sub(r"\d[\d,.]*( +\d+)*", "#", " ".join(line.split())) for line in first]
    return ["▶" if line.startswith("▶") else line for line in plain]


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_pages_show_what_comes_out(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each block shows is what comes out, but for the blocks of FEWER.

    Those would take minutes. Here fewer games and players do, and what comes out has the same
    titles and heads of tables. Their figures are made by `tools/publish pages`, and
    `tools/publish --list` says when they are out of date.
    """
    names: dict[str, Any] = {}
    with shown.empty_folder() as folder:
        for block in shown.BLOCK.finditer(text_of(page)):
            fewer = FEWER.get(block["arguments"] or "")
            if fewer is not None:
                with monkeypatch.context() as patch:
                    patch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
                    short = shown.Command.of(fewer).shown()
                assert shape(short) == shape(shown.shown(block)), block[0][:80]
                continue
            made = shown.made(block, names)
            assert same(made) == same(shown.shown(block)), block[0][:80]
            if block["picture"]:
                kept = text_of(PICTURES + block["picture"])
                drawn = (folder / block["picture"]).read_text(encoding="utf-8")
                assert same(drawn) == same(kept), block[0]


def test_what_is_run_shorter_is_on_a_page() -> None:
    asked = {block["arguments"] for page in PAGES for block in shown.BLOCK.finditer(text_of(page))}
    assert asked >= FEWER.keys()
    assert not any(name in text_of("README.md") for name in FEWER)


def test_the_shape_of_an_answer_has_its_heads_and_not_its_figures() -> None:
    said = "$ lama-odds x --games 20\n\n▶ Quit.\n\nlead  costs 1  2\n3  4.0\n\n20 rounds, ± 95 %\n"
    assert shape(said) == ["$ lama-odds x --games #", "▶", "lead costs #", "# rounds, ± # %"]
    assert shape(said.replace("costs", "cost")) != shape(said)


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= README_LINES


@pytest.mark.parametrize("page", PAGES)
def test_all_code_of_a_page_is_run(page: str) -> None:
    """Blocks that the script does not know of would never be checked."""
    left = shown.BLOCK.sub("", text_of(page))
    assert "```python" not in left
    assert not re.search("<!-- (output|picture|file):", left)


def test_commands_are_read_as_a_shell_reads_them(tmp_path: Path) -> None:
    read = shown.Command.of("play dice/amigo --players 3 < entries.txt | head -12 > out.txt")
    assert (read.arguments, read.source, read.lines, read.kept) == (
        "play dice/amigo --players 3",
        "entries.txt",
        12,
        "out.txt",
    )
    with shown.empty_folder() as folder:
        assert shown.Command.of("rules dice | head -1").shown() == (
            "$ lama-odds rules dice | head -1\n\n"
            + shown.Command.of("rules dice").shown().splitlines()[2]
            + "\n"
        )
        assert shown.Command.of("rules dice > rules.txt").shown().count("\n") == 1
        assert "dice/amigo" in (folder / "rules.txt").read_text(encoding="utf-8")
        assert "cannot read" in shown.Command.of('odds dice/amigo "hand=2X"').shown()
