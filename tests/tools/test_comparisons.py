"""The published comparisons: a question played, and files that belong to their manifest."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from lama_odds.games.registry import game_of
from tools.publishing.targets import comparisons as script

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "reports" / "comparisons"
EDITIONS = script.QUESTIONS[0]


@pytest.mark.long
def test_editions_that_must_come_out_the_same() -> None:
    found = script.answer(EDITIONS, 0, 0.001, seed=3)
    assert found.games == script.FEWEST
    assert len(found.pairs) == 3
    lines = "\n".join(script.section(EDITIONS, [found], ["dice_editions.csv"]))
    assert "**`dice/gigamic` against `dice/amigo`**: all games came out the same" in lines
    assert "--policy threshold:5 --games 800 --seed 3 --all-pairs" in lines
    other = script.Question("x", "x", EDITIONS.rules, 4, (), (), equal=EDITIONS.rules[:2])
    with pytest.raises(ValueError, match="dice/egmont and dice/amigo differ"):
        script.check_equal(other, found)


def test_all_questions_can_be_asked() -> None:
    keys = [asked.key for asked in script.QUESTIONS]
    assert len(set(keys)) == len(keys)
    for asked in script.QUESTIONS:
        assert len(asked.policies) == len(asked.games)
        game = game_of(asked.rules[0])
        ids = [game.rules(text).id for text in asked.rules]
        assert len(set(ids)) == len(ids)
        for policy in asked.policies:
            assert policy == script.BEST or game.policy(policy).name == policy


def test_the_files_are_those_of_the_manifest() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    page = (FOLDER / "comparisons.md").read_text(encoding="utf-8")
    files = {entry["file"] for entry in manifest["comparisons"]}
    assert files == {path.name for path in FOLDER.glob("*.csv")}
    assert len(files) == sum(len(asked.policies) for asked in script.QUESTIONS)
    for entry in manifest["comparisons"]:
        rows = list(
            csv.DictReader((FOLDER / entry["file"]).read_text(encoding="utf-8").splitlines())
        )
        assert {row["seed"] for row in rows} == {str(manifest["seed"])}
        assert f"--games {rows[0]['games']} " in entry["command"]
        assert entry["command"] in page


def test_gigamic_was_published_as_the_same() -> None:
    for file in ("dice_editions.csv", "dice_editions_best.csv"):
        rows = list(csv.DictReader((FOLDER / file).read_text(encoding="utf-8").splitlines()))
        same = [r for r in rows if (r["against"], r["rules"]) == ("dice/amigo", "dice/gigamic")]
        assert same
        assert all(float(r["difference value"]) == 0 and r["verdict"] == "same" for r in same)
