"""docs/results/example_games.md says what the commands in it say."""

from __future__ import annotations

from pathlib import Path

from tools.publishing.targets import example_games as script

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_first_example_is_current() -> None:
    page = (ROOT / script.PAGE).read_text(encoding="utf-8")
    assert script.section(script.EXAMPLES[0]) in page


def test_every_family_has_an_example() -> None:
    page = (ROOT / script.PAGE).read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert titles == [example.title for example in script.EXAMPLES]
    games = {example.rules.split("/")[0] for example in script.EXAMPLES}
    assert games == {"dice", "lama", "pikomino", "noprob"}
    assert page.count("▶ Player") >= 7
