"""What `--json` prints is as its schema says, for every command and every kind of answer."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.calls import CARDS, EXACT, FORCED, GAMES, RECORD, ROUNDS, inside
from tools.publishing.reference.json_pages import schema, schema_files
from tools.publishing.schemas.answers import ANSWERS
from tools.publishing.targets.reference import FOLDER, PAGES, pages

ROOT = Path(__file__).resolve().parent.parent.parent
PLANNER = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK"
FEW = ("--games", "1000")
SHORT = [
    EXACT,
    FORCED,
    (*CARDS, *FEW),
    ("advise", "lama/amigo", "hand=34 top=1 opp=2?,2? pile=~10", *FEW),
    ("advise", "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    ("odds", "dice/amigo", "hand=25L row=1346L opp=13"),
    ("odds", "lama/amigo", "deal"),
    ("odds", "pikomino/egmont", "kept=444W"),
    GAMES,
    ROUNDS,
    ("thresholds", "pikomino/egmont"),
    ("equity", "dice/amigo"),
    ("equity", "dice/amigo", "--players", "3"),
    ("cache",),
    ("rules",),
    ("rules", "lama"),
    ("rules", "dice/amigo"),
    ("policies",),
    ("policies", "noprob"),
]
LONG = [
    ("warm", "pikomino/egmont"),
    ("advise", "lama/amigo", "hand=122 top=6 opp=4,4 scores=1,2,30", *FEW, "--sensitivity"),
    ("advise", "dice/amigo", "hand=1256L row=134L opp=1244 rolled=25L"),
    ("advise", "noprob/starnberger", PLANNER, *FEW),
    ("odds", "noprob/starnberger", PLANNER),
    ("thresholds", "lama/amigo", "--games", "4000"),
    ("thresholds", "dice/amigo", "--objective", "points", "--precision", "0.5"),
    ("thresholds", "lama/amigo", "--games", "400", "--objective", "win"),
    ("thresholds", "noprob/starnberger", "--players", "2", "--games", "2000"),
    ("simulate", "pikomino/egmont", "--policy", "first-tile", "--games", "200"),
    ("simulate", "noprob/starnberger", "--policy", "greedy", "--games", "200"),
    ("compare", "dice/amigo", "+target=30", "--policy", "threshold:5", *FEW),
    ("compare", "dice/amigo", "+target=30", "--policy", "threshold:5", "--plan"),
    ("compare", "pikomino/egmont", "+short", "--policy", "first-tile", "--games", "200"),
    (
        *("sweep", "dice/amigo", "--vary", "target=30,40", "--vary", "twenty", *FEW),
        *("--policy", "threshold:5", "--wish", "rounds<9", "--wish", "seat bias<1%"),
    ),
    ("tournament", "dice/amigo", "--players", "2", "--policies", "threshold:5,random", *FEW),
    ("tune", "lama/amigo", "matching", "--against", "matching:4", "--games", "2000"),
]


def check(command: str, answer: Any) -> None:
    jsonschema.Draft202012Validator(schema(command)).validate(answer)


def answered(question: tuple[str, ...]) -> Any:
    said = inside(*question, "--json")
    assert said.code == 0, said.err
    return said.json


@pytest.mark.parametrize("question", SHORT, ids=" ".join)
def test_answers_are_as_their_schema_says(question: tuple[str, ...]) -> None:
    check(question[0], answered(question))


@pytest.mark.long
@pytest.mark.parametrize("question", LONG, ids=" ".join)
def test_other_answers_are_too(question: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    check(question[0], answered(question))


@pytest.mark.long
def test_reviews_are_too(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text(RECORD, encoding="utf-8")
    check("review", answered(("review", str(record), "--objective", "points", *FEW)))
    played = ("simulate", "pikomino/egmont", "--players", "2", "--policy", "first-tile")
    record.write_text(inside(*played, "--games", "1", "--show", "1").out, encoding="utf-8")
    found = answered(("review", str(record), "--objective", "points"))
    assert any(seat["rating"] for seat in found["seats"])
    check("review", found)


def test_variants_in_files_are_too(tmp_path: Path) -> None:
    variant = tmp_path / "quick.toml"
    text = 'name = "quick"\nbase = "lama/amigo"\noptions = { target = 25, llama_each = true }\n'
    variant.write_text(text, encoding="utf-8")
    found = answered(("rules", f"@{variant}"))
    assert found["changes"]
    check("rules", found)


def test_odds_after_a_record_are_too(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    lines = ["lama-odds record 1", "rules lama/amigo", "players 3", "round 0 first 0"]
    lines += ["scores 0 0 0", "deal ? ? 1345LL", "top 4", "0 draw ?", "1 quit"]
    record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = answered(("odds", "lama/amigo", "--after", str(record)))
    assert [("can_play" in other) for other in found["others"]] == [True, False]
    check("odds", found)
    found["others"][0]["more"] = 1
    with pytest.raises(jsonschema.ValidationError):
        check("odds", found)


def test_runs_are_too(tmp_path: Path) -> None:
    assert inside(*GAMES, "--run", str(tmp_path / "run")).code == 0
    found = answered(("runs", str(tmp_path / "run")))
    assert found["jobs"]
    check("runs", found)


def test_all_commands_with_json_have_a_schema() -> None:
    asked = {question[0] for question in (*SHORT, *LONG)} | {"review", "runs"}
    text = (ROOT / FOLDER / "commands.md").read_text(encoding="utf-8")
    sections = text.split("\n## ")[1:]
    with_json = {part.split("\n", 1)[0] for part in sections if "| `--json` |" in part}
    assert with_json == asked == set(ANSWERS)


def test_another_answer_is_refused() -> None:
    found = answered(EXACT)
    broken: list[Any] = [copy.deepcopy(found) for _ in range(3)]
    del broken[0]["verdict"]
    broken[1]["more"] = 1
    broken[2]["actions"][0]["value"]["n"] = "many"
    for answer in broken:
        with pytest.raises(jsonschema.ValidationError):
            check("advise", answer)


def test_schemas_are_schemas() -> None:
    for _, text in schema_files():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_reference_pages_are_those_of_the_code() -> None:
    """Otherwise `tools/publish reference` makes them again."""
    made = dict(pages())
    assert {f"{FOLDER}{name}.md" for name in PAGES} < set(made)
    for name, text in made.items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, name
