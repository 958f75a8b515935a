"""What is published is what its data and the code say: figures, cards, sheets, schemas."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from lama_odds.analysis.tune.card_search import neighbours_of
from lama_odds.core.errors import ReadError
from lama_odds.core.language import LANGUAGES, say, speaking
from lama_odds.core.reading import data_json
from lama_odds.games.interface.best import CARDS
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import card_in, language_of
from lama_odds.report.sheets import printed, sheets
from tests.cli.calls import EXACT, RECORD, inside
from tests.cli.calls import GAMES as GAMES_ASKED
from tests.cli.calls import ROUNDS as ROUNDS_ASKED
from tools.publishing.cards_page import page as cards_page
from tools.publishing.child import ROOT
from tools.publishing.reference.json_pages import schema, schema_files
from tools.publishing.schemas.answers import ANSWERS
from tools.publishing.stories.tables import TABLES, with_tables
from tools.publishing.targets import equity, league
from tools.publishing.targets.beside_the_table import SPOKEN, markdown, printed_name
from tools.publishing.targets.cards import ALIKE
from tools.publishing.targets.cards import PAGE as CARDS_PAGE
from tools.publishing.targets.claims import CLAIMS, FILE, MARK, filled, published, shown
from tools.publishing.targets.pages import PAGES
from tools.publishing.targets.reference import FOLDER, pages
from tools.publishing.targets.reference import PAGES as REFERENCE_PAGES
from tools.publishing.terminal_picture import COLUMN, MARGIN, picture
from tools.study import validity

# Figures that pages state


def marks() -> Iterator[re.Match[str]]:
    for page in PAGES:
        yield from MARK.finditer((ROOT / page).read_text(encoding="utf-8"))


def test_each_key_has_one_value_from_a_published_table() -> None:
    kept = json.loads((ROOT / FILE).read_text(encoding="utf-8"))["claims"]
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    assert kept == sorted((claim.to_json() for claim in CLAIMS), key=lambda each: each["key"])


def test_pages_state_all_claims_and_no_others() -> None:
    values = published()
    assert {mark["key"] for mark in marks()} == values.keys() == {claim.key for claim in CLAIMS}
    assert not [mark["key"] for mark in marks() if mark["text"] != values[mark["key"]]]
    for page in PAGES:  # a mark that is not closed would not be filled in
        text = (ROOT / page).read_text(encoding="utf-8")
        assert text.count("<!-- claim:") == text.count("<!-- /claim -->")


@pytest.mark.parametrize("made", [equity, league, validity])
def test_published_pages_are_those_of_their_tables(made: ModuleType) -> None:
    name = made.TABLE.removesuffix(".csv")
    text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
    assert text == made.page(
        (ROOT / made.TABLE).read_text(encoding="utf-8"),
        text.rpartition("Made by ")[2].removesuffix(".\n"),
    )


def test_pages_show_every_table_as_it_is() -> None:
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    assert [with_tables(text) for text in texts] == texts
    shown = re.findall(r"<!-- table: (\w+) -->", "".join(texts))
    assert sorted(shown) == sorted(TABLES)
    with pytest.raises(ReadError, match="no table 'lucky'\n  did you mean luck"):
        with_tables("<!-- table: lucky -->\n<!-- /table -->")


def test_marks_are_filled_in() -> None:
    page = "It wins <!-- claim: a 2 win b: wins -->1 %<!-- /claim -->.\n"
    assert filled(page, {"a 2 win b: wins": "2 ± 1 %"}) == page.replace("1 %", "2 ± 1 %")
    with pytest.raises(ReadError, match="no claim 'a 2 win b: wins'"):
        filled(page, {"a 2 win b: win": "2 %"})


def test_figures_have_the_digits_that_their_errors_deserve() -> None:
    assert (shown(1.04, 1.6), shown(0.188, 0.15), shown(59.2)) == ("1.0 ± 1.6", "0.19 ± 0.15", "59")
    assert (shown(1243515), shown(3e-08)) == ("1,243,515", "3e-8")


# Cards of rules


PUBLISHED = data_json(CARDS)
ENTRIES = [
    pytest.param(f"{game}/{edition}", int(players), entry, id=f"{game}/{edition}-{players}")
    for game, editions in PUBLISHED["cards"].items()
    for edition, by_players in editions.items()
    for players, entry in by_players.items()
]


@pytest.mark.parametrize(("rules", "players", "entry"), ENTRIES)
def test_no_neighbour_beats_a_card_and_it_beats_plainer_ones(
    rules: str, players: int, entry: dict[str, Any]
) -> None:
    game: Any = game_of(rules)
    policy = game.policy(entry["policy"])
    assert policy.name == entry["policy"]
    assert players in game.rules(rules).players
    language, card = card_in(policy)
    near = [
        f"card:{language.write(language.pack(other))}" for _, other in neighbours_of(language, card)
    ]
    assert [each["policy"] for each in entry["neighbours"]] == near
    for each in entry["neighbours"]:
        for company in ("best", "itself"):
            assert each[f"more than the card among {company}"]["low"] <= 0, each["policy"]
    won = entry["among best"]["low"]
    for name in ("former", "never"):
        assert entry[name]["policy"] == entry["policy"] or won > entry[name]["among best"]["value"]


def test_editions_that_play_alike_have_the_same_cards() -> None:
    for rules, other in ALIKE.items():
        game, _, edition = rules.partition("/")
        found = PUBLISHED["cards"].get(game, {})
        assert found.get(edition) == found.get(other)


def test_the_page_is_that_of_the_data() -> None:
    assert (ROOT / CARDS_PAGE).read_text(encoding="utf-8") == cards_page(PUBLISHED)


# Sheets beside the table, and pictures of answers


SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_has_every_word_in_its_column() -> None:
    text = "$ lama-odds advise\n\n▶ Play 5.  Clear & sure\nplay 5   4.1  ██   <best>\n"
    root = ElementTree.fromstring(picture(text))
    words = {each.text: float(each.attrib["x"]) for each in root.iter(f"{SVG}text")}
    assert set(words) == {
        *("$ lama-odds advise", "▶ Play 5.", "Clear & sure"),
        *("play 5", "4.1", "<best>"),
    }
    assert words["4.1"] == pytest.approx(MARGIN + 9 * COLUMN, abs=0.1)
    (bar,) = (each for each in root.iter(f"{SVG}rect") if each.attrib["class"] == "bar")
    assert float(bar.attrib["width"]) == pytest.approx(2 * COLUMN, abs=0.1)
    assert "http" not in picture(text).replace("http://www.w3.org/2000/svg", "")


SHEETS = sheets()
SHEET = pytest.mark.parametrize("name", SHEETS)


@SHEET
def test_published_sheets_say_what_the_cards_say(name: str) -> None:
    sheet = SHEETS[name]
    text = (ROOT / f"docs/table/{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {sheet.title}\n")
    for part in markdown(sheet):
        assert part in text
    for language in SPOKEN:
        assert f"]({printed_name(name, language)})" in text


@SHEET
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_sheets_to_print_are_in_their_language(name: str, spoken: str) -> None:
    sheet = SHEETS[name]
    page = (ROOT / f"docs/table/{printed_name(name, spoken)}").read_text(encoding="utf-8")
    with speaking(spoken):
        assert page == printed(sheet)
        assert f'<html lang="{spoken}">' in page
        edition = sheet.printed.get(spoken, next(iter(sheet.editions)))
        assert page.count(f"<h1>{escape(say(sheet.editions[edition]))}</h1>") == len(SIDES[edition])
        for entry in SIDES[edition].values():
            language, card = card_in(game_of(edition).policy(entry["policy"]))
            assert all(escape(line) in page for line in language.in_words(card))


SIDES = {
    f"{game}/{edition}": entries
    for game, editions in PUBLISHED["cards"].items()
    for edition, entries in editions.items()
}


@SHEET
def test_a_sheet_speaks_of_what_cards_speak_of(name: str) -> None:
    sheet = SHEETS[name]
    language = next(filter(None, map(language_of, game_of(name).families)))
    features = {feature.name for feature in language.features}
    assert set(sheet.why) <= features
    assert set(sheet.drawn) <= features | set(language.habits)
    assert set(sheet.printed.values()) <= set(sheet.editions)


# What `--json` prints, and its schemas

PLANNER = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK"
FEW = ("--games", "1000")
# Of each command, answers that have all parts that there are.
SHORT = [
    EXACT,
    ("advise", "lama/amigo", "hand=34 top=1 opp=2?,2? pile=~10", *FEW),
    ("advise", "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    ("odds", "dice/amigo", "hand=25L row=1346L opp=13"),
    ("odds", "lama/amigo", "deal"),
    GAMES_ASKED,
    ROUNDS_ASKED,
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
    ("advise", "noprob/starnberger", PLANNER, *FEW),
    ("odds", "noprob/starnberger", PLANNER),
    ("thresholds", "lama/amigo", "--games", "400", "--objective", "win"),
    ("thresholds", "noprob/starnberger", "--players", "2", "--games", "2000"),
    ("compare", "dice/amigo", "+target=30", "--policy", "threshold:5", *FEW),
    ("compare", "dice/amigo", "+target=30", "--policy", "threshold:5", "--plan"),
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


@pytest.mark.parametrize(
    "question",
    [*SHORT, *(pytest.param(each, marks=pytest.mark.long) for each in LONG)],
    ids=" ".join,
)
def test_answers_are_as_their_schema_says(
    question: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_runs_are_too(tmp_path: Path) -> None:
    assert inside(*GAMES_ASKED, "--run", str(tmp_path / "run")).code == 0
    found = answered(("runs", str(tmp_path / "run")))
    assert found["jobs"]
    check("runs", found)


def test_all_commands_with_json_have_a_schema() -> None:
    asked = {question[0] for question in (*SHORT, *LONG)} | {"review", "runs"}
    text = (ROOT / FOLDER / "commands.md").read_text(encoding="utf-8")
    sections = text.split("\n## ")[1:]
    with_json = {part.split("\n", 1)[0] for part in sections if "| `--json` |" in part}
    assert with_json == asked == set(ANSWERS)


def test_schemas_are_schemas_and_refuse_another_answer() -> None:
    for _, text in schema_files():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
    found = answered(EXACT)
    broken: list[Any] = [copy.deepcopy(found) for _ in range(3)]
    del broken[0]["verdict"]
    broken[1]["more"] = 1
    broken[2]["actions"][0]["value"]["n"] = "many"
    for answer in broken:
        with pytest.raises(jsonschema.ValidationError):
            check("advise", answer)


@pytest.mark.long
def test_reference_pages_are_those_of_the_code() -> None:
    """Otherwise `tools/publish reference` makes them again."""
    made = dict(pages())
    assert {f"{FOLDER}{name}.md" for name in REFERENCE_PAGES} < set(made)
    for name, text in made.items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, name
