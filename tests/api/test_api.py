"""The functions of `lama_odds`: the answers of the commands, and arguments that are refused."""

from __future__ import annotations

import copy
import doctest
import html
import inspect
import itertools
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Group
from rich.table import Table
from rich.text import Text

import lama_odds as lo
from lama_odds.api import batches, positions, tables
from lama_odds.api.advising import LONGER, SECONDS, adviser
from lama_odds.core import checks, errors
from lama_odds.core.errors import ReadError
from lama_odds.games.interface.best import card_entry
from lama_odds.report.frames import as_html
from tests.cli.calls import RECORD, WORK, inside, same, told

CARDS = "hand=3356L top=4 opp=4,q2,6"
SHORT = "dice/amigo+target=12"
TIMING = re.compile(r"[\d.]+ s\b|[\d,]+ (games|rounds) a second")

# Each question as a function and as a command.
QUESTIONS: dict[str, tuple[Callable[[], lo.Answer], str]] = {
    "advise": (
        lambda: lo.advise(
            "lama/egmont", CARDS, games=2000, opponents="random", objective="points", seed=3
        ),
        f"advise lama/egmont '{CARDS}' --games 2000 --opponents random --objective points --seed 3",
    ),
    "reach": (lambda: lo.odds("pikomino/egmont", ""), "odds pikomino/egmont ''"),
    "deal": (lambda: lo.odds("lama/party", "deal"), "odds lama/party deal"),
    "thresholds": (
        lambda: lo.thresholds("lama/egmont", 2, policy="threshold:5", games=3000),
        "thresholds lama/egmont --players 2 --policy threshold:5 --games 3000",
    ),
    "to win": (
        lambda: lo.thresholds(SHORT, 2, objective="win", games=1000, band=5),
        f"thresholds {SHORT} --players 2 --objective win --games 1000 --band 5",
    ),
    "simulate": (
        lambda: lo.simulate("dice/amigo", 2, ["random", "threshold:5"], 500, rounds=True),
        "simulate dice/amigo --players 2 --games 500 --rounds --policy random --policy threshold:5",
    ),
    "equity": (
        lambda: lo.equity(SHORT, policy="threshold:3", rounds=200),
        f"equity {SHORT} --policy threshold:3 --rounds 200",
    ),
    "compare": (
        lambda: lo.compare(
            ["dice/amigo", "dice/egmont"], 2, policy="threshold:6", games=1000,
            delta={None: lo.Delta(0.02, relative=True), "penalty": 0.2},
        ),
        "compare dice/amigo dice/egmont --players 2 --games 1000 --policy threshold:6 "
        "--delta 2% --delta penalty=0.2",
    ),
    "sweep": (
        lambda: lo.sweep(
            "dice/amigo", {"dealt": [5, 6], "twenty": [False, True]}, 2,
            policy="threshold:6", games=400, wishes="seat bias<5%",
        ),
        "sweep dice/amigo --vary dealt=5,6 --vary twenty --players 2 --policy threshold:6 "
        "--games 400 --wish 'seat bias<5%'",
    ),
    "tournament": (
        lambda: lo.tournament("dice/amigo", 2, ["random", "threshold:5"], games=100),
        "tournament dice/amigo --players 2 --games 100 --policies random,threshold:5",
    ),
    "tune": (
        lambda: lo.tune("dice/amigo", "threshold", 2, against="threshold:6", games=1000),
        "tune dice/amigo threshold --players 2 --games 1000 --against threshold:6",
    ),
    "rules": (lambda: lo.rules("lama"), "rules lama"),
    "policies": (lambda: lo.policies(), "policies"),
}  # fmt: skip


@cache
def answer(name: str) -> lo.Answer:
    return QUESTIONS[name][0]()


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_are_those_of_the_commands(name: str) -> None:
    words = shlex.split(QUESTIONS[name][1])
    assert same(answer(name).to_json()) == same(told(*words))
    if name in ("advise", "rules"):  # and printed they are what the command prints
        printed = inside(*words).out.rstrip("\n")
        assert TIMING.sub("…", str(answer(name))) == TIMING.sub("…", printed)


def test_a_record_is_reviewed_and_advised_after(tmp_path: Path) -> None:
    file, how = tmp_path / "game.txt", ("--objective", "points", "--games", "1000")
    file.write_text(RECORD)
    found = lo.review(RECORD, objective="points", games=1000)
    assert same(found.to_json()) == same(told("review", str(file), *how))
    frame = found.to_frame()
    assert len(frame) == len(found.decisions)
    assert set(frame["grade"]) <= {"fine", "inaccuracy", "mistake", "blunder"}
    after = lo.advise("dice/amigo", after=file, objective="points", games=1000)
    assert same(after.to_json()) == same(told("advise", "dice/amigo", "--after", str(file), *how))


COLUMNS = {
    "advise": {"action", "value", "value low", "regret", "margin", "go out"},
    "deal": {"group", "event", "chance"},
    "simulate": {"seat", "policy", "penalty", "penalty low", "went_out"},
    "tournament": {"part", "policy", "value", "rank"},
    "equity": {"mine", "other", "win", "stderr"},
    "compare": {"measure", "difference value", "verdict"},
    "sweep": {"rules", "dealt", "twenty", "measure", "value", "low", "verdict"},
    "tune": {"policy", "value", "stayed"},
    "policies": {"name", "meaning"},
}


@pytest.mark.parametrize("name", COLUMNS)
def test_frames_have_named_columns(name: str) -> None:
    frame = answer(name).to_frame()
    assert len(frame) >= 3
    assert COLUMNS[name] <= set(frame.columns)


def test_frames_hold_the_numbers_of_the_answer() -> None:
    found = answer("advise")
    frame = found.to_frame()
    assert frame["action"].tolist() == [action.action for action in found.actions]
    assert frame["value high"].tolist() == [action.value.high for action in found.actions]
    groups = answer("reach").to_frame()
    reach = groups[groups["group"] == "reach"].set_index("event")["chance"]
    assert reach["21"] == answer("reach").groups["reach"]["21"].value


def test_notebooks_show_tables_and_no_markup_of_others() -> None:
    for name in ("advise", "reach", "simulate", "tournament", "rules"):
        shown, found = answer(name)._repr_html_(), answer(name).to_json()
        assert shown.startswith("<div")
        assert "<table" in shown
        assert "verdict" not in found or found["verdict"].capitalize() in shown
    made = Table("<i>", "a & b")
    made.add_row("<script>x</script>", "[bold]1[/bold]")
    shown = as_html(Group(Text("<b>", style="bold"), "<u>&amp;", Text(" "), made))
    tags = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(re.findall(r"<(\w+)", shown)) == set(re.findall(r"</(\w+)>", shown)) == tags
    words = html.unescape(re.sub("<[^>]*>", "", shown))
    assert words == "<b><u>&amp;<i>a & b<script>x</script>[bold]1[/bold]"


def test_an_answer_has_the_parts_of_its_object() -> None:
    found = answer("advise")
    assert found.best == found.found.best
    assert copy.copy(found).verdict == found.verdict
    for missing in ("nothing", "_ipython_display_", "_repr_png_"):
        assert not hasattr(found, missing)


@pytest.mark.long
def test_answers_are_drawn_or_it_is_said_that_they_cannot_be(tmp_path: Path) -> None:
    for name in ("advise", "reach", "thresholds", "to win", "compare", "sweep", "tournament"):
        answer(name).plot(tmp_path / f"{name}.svg")
        assert b"<svg" in (tmp_path / f"{name}.svg").read_bytes()
    answer("reach").plot(str(tmp_path / "figure.png"))
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(lo.LamaOddsError, match="no figure of such an answer"):
        answer("simulate").plot(tmp_path / "none.svg")
    with pytest.raises(lo.LamaOddsError, match=r"expected \.svg or \.png"):
        answer("advise").plot(tmp_path / "none.pdf")
    assert not list(tmp_path.glob("none.*"))


def test_a_command_goes_on_with_the_games_of_a_function(tmp_path: Path) -> None:
    run = tmp_path / "run"
    found = lo.compare(["dice/amigo", "dice/egmont"], 2, policy="threshold:6", games=500, run=run)
    asked = ("compare", "dice/amigo", "dice/egmont", "--players", "2", "--policy", "threshold:6")
    assert same(told(*asked, "--games", "500", "--run", str(run))) == same(found.to_json())


def test_simulated_games_have_records() -> None:
    found = lo.simulate("dice/amigo", 2, "threshold:5", 3, records=2, seed=7)
    assert len(found.records) == 2
    asked = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5", "--seed", "7")
    said = inside(*asked, "--games", "3", "--show", "2").out
    assert said.startswith("".join(f"{text}\n" for text in found.records))
    assert "records" not in found.to_json()


def test_everybody_goes_on_with_one_policy() -> None:
    board = "kept=444W stacks=24.22/27.30/-"
    answer = lo.advise(
        "pikomino/egmont", board, objective="win", games=1000, opponents="all:first-tile"
    )
    assert answer.assumptions[0].startswith("after this action you play first-tile, the others fir")
    assert answer.others == "first-tile"
    with pytest.raises(ReadError, match="the others alone"):
        lo.advise("lama/amigo", CARDS, opponents="all:random", sensitivity=True)


def test_importing_is_cheap_and_names_are_known() -> None:
    code = (
        "import json, sys, lama_odds as lo\n"
        "heavy = ('numba', 'numpy', 'pandas', 'matplotlib', 'rich', 'scipy', 'typer')\n"
        "loaded = [m for m in heavy if m in sys.modules]\n"
        "print(json.dumps([loaded, dir(lo), hasattr(lo, 'advice')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, names, unknown = json.loads(done.stdout)
    assert (loaded, unknown) == ([], False)
    assert set(lo.__all__) <= set(names)
    assert all(hasattr(lo, name) for name in lo.__all__)
    assert Path(lo.__file__).with_name("py.typed").is_file()


def test_thresholds_begin_with_the_card_that_was_played() -> None:
    found = lo.thresholds("pikomino/egmont", 7)
    entry = card_entry("pikomino", "egmont", 7)
    assert found.found.card.policy == entry["policy"]
    assert found.found.card.wins.value == entry["among best"]["value"]
    assert f"▶ {found.found.card.lines[0]}" in str(found)
    assert lo.thresholds("pikomino/egmont", 7, objective="points").found.card is None
    assert answer("thresholds").found.card is None  # another policy is played


def test_a_precision_has_more_time_than_an_answer_at_once() -> None:
    times = {"sensitivity": 2 * SECONDS, "precision": LONGER}
    for wanted, seconds in ((None, SECONDS), *times.items()):
        how: dict[str, Any] = {wanted: wanted == "sensitivity" or 0.1} if wanted else {}
        assert adviser("lama/amigo", **how).limits.seconds == seconds
        assert adviser("lama/amigo", **how, seconds=3.0).limits.seconds == 3


# arguments


OF_TWO = {"rules": "dice/amigo", "players": 2}
# What each function can be asked; wrong values take the place of one argument.
ASKED: dict[str, dict[str, Any]] = {
    "advise": {"rules": "lama/egmont", "position": CARDS, "games": 1000},
    "advise_many": {"rules": "lama/egmont", "positions": [CARDS], "games": 1000},
    "odds": {"rules": "lama/egmont", "position": CARDS},
    "thresholds": {**OF_TWO, "games": 100},
    "review": {"record": RECORD, "games": 1000},
    "review_many": {"records": [RECORD], "games": 1000},
    "simulate": {**OF_TWO, "policy": "threshold:5", "games": 10},
    "simulate_rows": {**OF_TWO, "policy": "threshold:5", "games": 10},
    "equity": {"rules": "dice/amigo", "policy": "threshold:3", "rounds": 100},
    "compare": {"rules": ["dice/amigo", "dice/egmont"], "players": 2, "games": 100},
    "plan": {"rules": ["dice/amigo", "dice/egmont"], "players": 2, "games": 100},
    "sweep": {**OF_TWO, "vary": ["target=30,40"], "games": 100},
    "tournament": {**OF_TWO, "policies": ["random", "threshold:5"], "games": 30},
    "tune": {**OF_TWO, "family": "threshold", "games": 1000},
    "rules": {"name": "lama"},
    "runs": {"folder": "run"},
    "policies": {"name": "lama"},
}
# Another value of each argument that what answers has to know.
ANYWHERE = {"seed": 5, "threads": 3, "progress": print, "planned": print, "games": 2000}
ANYWHERE |= {"players": 3, "seconds": 0.5, "precision": 0.1, "opponents": "random"}
REVIEWED = {"seat": 1, "objective": "points", "worse_than": 0.5}
COMPARED = {"policy": "threshold:6", "policies": "retuned", "measures": "rounds"}
OTHERWISE: dict[str, dict[str, Any]] = {
    "advise": {"rules": "lama/amigo", "position": "hand=1 top=4 opp=4", "objective": "win"},
    "odds": {"rules": "lama/amigo", "position": "hand=1 top=4 opp=4"},
    "thresholds": {"rules": "dice/egmont", "policy": "random", "objective": "points", "band": 5},
    "review": {"record": RECORD.replace("25", "24"), **REVIEWED},
    "review_many": {"records": [RECORD.replace("25", "24")], **REVIEWED},
    "simulate": {"rules": "dice/egmont", "policy": "random", "rounds": True},
    "simulate_rows": {"rules": "dice/egmont", "policy": "random", "rows": "rounds"},
    "equity": {"rules": "dice/egmont", "policy": "random", "rounds": 200, "best_play": True},
    "compare": {"rules": ["dice/egmont", "dice/amigo"], "all_pairs": True, "delta": 0.1},
    "plan": {"rules": ["dice/egmont", "dice/amigo"], "all_pairs": True, "delta": 0.1},
    "sweep": {"rules": "dice/egmont", "vary": ["target=30,50"], "wishes": "rounds<5"},
    "tournament": {"rules": "dice/egmont", "policies": ["random", "threshold:6"]},
    "tune": {"rules": "dice/egmont", "family": "meanfield", "against": "random"},
}
OTHERWISE["tune"]["objective"] = "points"
OTHERWISE["equity"]["scores"] = [3, 12]
OTHERWISE["compare"]["measure"] = "rounds"
for _name in ("compare", "plan", "sweep"):
    OTHERWISE[_name] |= COMPARED
# Beside another value: what it does not go with is left out, and what it needs is there.
OF_BEST = {"policy": "best", "rounds": None}
BESIDE: dict[str, dict[str, Any]] = {
    **{name: {"games": None} for name in ("seconds", "precision")},
    "measure": {"games": None, "precision": 0.1},
    **{name: OF_BEST for name in ("equity players", "best_play", "scores")},
    "all_pairs": {"rules": ["dice/amigo", "dice/egmont", "dice/gigamic"]},
}
# What is done with an answer, or with a position before.
OWN = {"after", "sensitivity", "records", "keep", "out", "format"}
OF_ROWS = {"games", "threads", "progress", "rounds"}


class Asked(Exception):
    """What answers was called; its words say how."""


def asked(name: str, **given: Any) -> str:
    with pytest.raises(Asked) as found:
        getattr(lo, name)(**{**ASKED[name], **given})
    return re.sub("0x[0-9a-f]+", "", str(found.value))


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What answers raises how it was called."""

    def called(place: str, *given: Any, **named: Any) -> None:
        raise Asked(repr((place, given, named)))

    for place in itertools.chain(*WORK.values()):
        monkeypatch.setattr(f"lama_odds.analysis.{place}", partial(called, place))
    monkeypatch.setattr("lama_odds.analysis.compare.compare.asked_of", lambda *given: given)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("name", WORK)
def test_every_argument_reaches_what_answers(name: str, tmp_path: Path) -> None:
    """With another value, something else is asked for."""
    others = {"play_out": True, "run": tmp_path / "run", **ANYWHERE, **OTHERWISE[name]}
    for argument in inspect.signature(getattr(lo, name)).parameters:
        own = OWN | OF_ROWS if name == "simulate_rows" else OWN
        if argument not in own or argument in OTHERWISE[name]:
            beside = BESIDE.get(f"{name} {argument}", BESIDE.get(argument, {}))
            usual = asked(name, **beside)
            assert usual == asked(name, **beside)
            assert usual != asked(name, **{**beside, argument: others[argument]}), argument


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("more", "place", "valued"),
    [
        ({}, "thresholds", True),
        ({"objective": "win"}, "thresholds", True),
        ({"objective": "points"}, "thresholds", False),
        ({"rules": SHORT}, "thresholds", False),  # nothing says what a score is worth there
        ({"rules": SHORT, "objective": "win"}, "game_thresholds", False),
        ({"band": 5}, "game_thresholds", False),
    ],
)
def test_games_are_played_to_their_ends_where_nothing_values_a_round(
    more: dict[str, Any], place: str, valued: bool
) -> None:
    found = asked("thresholds", **more)
    assert found.startswith(f"('thresholds.thresholds.{place}'")
    assert ("RoundsToWin" in found) == valued


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("name", WORK)
def test_best_is_played_if_nothing_is_said_and_a_file_can_be_named(
    name: str, tmp_path: Path
) -> None:
    rules = ASKED[name].get("rules", "dice/amigo")
    content = {"kind": "lama-odds policy 1", "rules": rules, "policy": "threshold:7"}
    content["rules"] = rules if isinstance(rules, str) else rules[0]
    (tmp_path / "policy.json").write_text(json.dumps(content), encoding="utf-8")
    for argument, declared in inspect.signature(getattr(lo, name)).parameters.items():
        if argument in ("policy", "opponents", "against"):
            said = ("best", "threshold:7", f"@{tmp_path / 'policy.json'}")
            best, named, file = (asked(name, **{argument: each}) for each in said)
            assert best != named == file
            if declared.default is not inspect.Parameter.empty:
                assert asked(name, **{argument: declared.default}) == best


OF_NAMES = (5, None, True, [5], ["random", None], {"random": 1}, b"random")
# By what an argument is, as it is declared.
WRONG: dict[str, tuple[Any, ...]] = {
    "str": (5, None, True, 1.5, b"lama", ["random"], {}),
    "str | None": (5, True, 1.5, b"lama", ["random"], {}),
    "int": ("a", "5", None, True, 1.5, float("nan"), [5], {}),
    "int | None": ("a", "5", True, 1.5, float("nan"), [5], {}),
    "float | None": ("a", "1", True, float("nan"), float("inf"), [1.0], {}, 0, -1),
    "bool": (None, 0, 1, "yes", []),
    "str | Iterable[str]": OF_NAMES,
    "Iterable[str]": (*OF_NAMES, "random,threshold:5", "random"),
    "Iterable[str | Mapping[str, Any]] | Path": (5, None, True, CARDS, {"position": CARDS}, [5]),
    "Mapping[str | None, float | Delta] | float | Delta | None": (
        *("a", True, [1], {"penalty": "a"}, {5: 1.0}, 0),
        *(lo.Delta(0), lo.Delta("a"), lo.Delta(0.1, 1), {"penalty": lo.Delta(float("inf"))}),
    ),
    "Iterable[str] | Mapping[str, Any]": (
        *(5, None, True, "target=30,40", b"target", [], {}, [5], ["target"], ["target=30"]),
        *({"target": 5}, {"target": [30, 1.5]}, {"target": [True, False]}, {5: [30, 40]}),
    ),
    "Iterable[int] | None": (5, True, "1,2", b"12", ["a"], [1.5], [True], {}),
    "str | Path | Iterable[str | Path]": (5, None, True, b"a", [5], [None], {"a": "b"}),
    "str | Path": (5, None, True, 1.5, b"run", ["run"], {}),
    "str | Path | None": (5, True, 1.5, b"run", ["run"], {}),
    "Callable[[float, str], None] | None": (5, "a", True, []),
    "Callable[[Any], None] | None": (5, "a", True, []),
}
FUNCTIONS = [name for name in lo.__all__ if inspect.isfunction(getattr(lo, name))]
CASES = [
    (name, argument)
    for name in FUNCTIONS
    for argument in inspect.signature(getattr(lo, name)).parameters.values()
]


@pytest.mark.parametrize(("name", "argument"), CASES, ids=str)
def test_a_wrong_type_is_refused(name: str, argument: inspect.Parameter) -> None:
    declared = re.sub(r"\w+\.", "", inspect.formatannotation(argument.annotation))
    for wrong in WRONG[declared]:
        given = ASKED[name] | {argument.name: wrong}
        if argument.name in ("seconds", "precision"):  # or games, not both
            given["games"] = None
        if argument.name == "after":
            given["position"] = None
        with pytest.raises(lo.LamaOddsError) as refused:
            getattr(lo, name)(**given)
        assert refused.value.exit_code == 2, wrong
        assert "--" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("thresholds", {"players": None}, "players None: dice/amigo is for 2 to 6"),
        ("advise", {"games": None, "seconds": "a"}, "seconds 'a': expected a number above 0"),
        ("advise", {"opponents": ["random"]}, r"opponents \['random'\]: expected text"),
        ("odds", {"rules": "lama/egmont", "position": None}, "give a position, for example"),
        ("compare", {"rules": "dice/amigo"}, "rules 'dice/amigo': expected a list of names"),
        ("advise", {"seconds": 1.0}, "expected one of games and seconds"),
        ("tournament", {"precision": 0.1}, "expected one of games and precision"),
        ("compare", {"seconds": 1.0}, "expected one of games, seconds and precision"),
        ("advise", {"games": 999}, "games 999: expected a whole number, 1,000 to"),
        ("review", {"games": 999}, "games 999: expected a whole number, 1,000 to"),
        ("advise", {"after": RECORD}, "or a record that ends with your decision, not both"),
        ("review", {"record": "none.txt"}, "the text of a record, or its file: No such file"),
        ("review", {"seat": 2}, "seat 2: expected a whole number, 0 to 1"),
        ("tournament", {"games": None, "precision": 0.6}, "precision 0.6: a share"),
        ("simulate", {"records": 11}, "records 11: only 10 games are played"),
        ("compare", {"measure": "penalty"}, "measure 'penalty': only with a precision"),
    ],
)
def test_what_is_wrong_is_named(name: str, more: dict[str, Any], said: str) -> None:
    with pytest.raises(lo.LamaOddsError, match=said):
        getattr(lo, name)(**ASKED[name] | more)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_argument_is_explained(name: str) -> None:
    function = getattr(lo, name)
    text = inspect.getdoc(function) or ""
    labels = re.findall(r"^(\w+(?:, \w+)*): ", text, re.MULTILINE)
    assert name in ASKED
    explained = {each for label in labels for each in label.split(", ")}
    assert explained == set(inspect.signature(function).parameters)
    assert "answer's" in text or "attribute" in text
    assert "Raises" in text


@pytest.mark.parametrize("module", [batches, positions, tables, checks, errors])
def test_examples_work(module: object) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed


def test_the_reference_lists_all() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md").read_text(
        encoding="utf-8"
    )
    listed = re.findall(r"^        - (\w+)$", page, re.MULTILINE)
    assert set(listed) == set(lo.__all__) - {"__version__"}
