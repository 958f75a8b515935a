"""The arguments of functions: each is explained, and refused if it is of a wrong type."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.api import batches, positions, tables
from lama_odds.core import checks, errors
from tests.cli.calls import RECORD

CARDS = "hand=3356L top=4 opp=4,q2,6"
TWO = {"rules": "dice/amigo", "players": 2}
# What each function can be asked; wrong values take the place of one argument.
ASKED: dict[str, dict[str, Any]] = {
    "advise": {"rules": "lama/egmont", "position": CARDS, "games": 1000},
    "advise_many": {"rules": "lama/egmont", "positions": [CARDS], "games": 1000},
    "odds": {"rules": "lama/egmont", "position": CARDS},
    "thresholds": {**TWO, "games": 100},
    "review": {"record": RECORD, "games": 1000},
    "review_many": {"records": [RECORD], "games": 1000},
    "simulate": {**TWO, "policy": "threshold:5", "games": 10},
    "simulate_rows": {**TWO, "policy": "threshold:5", "games": 10},
    "equity": {"rules": "dice/amigo", "policy": "threshold:3", "rounds": 100},
    "compare": {"rules": ["dice/amigo", "dice/egmont"], "players": 2, "games": 100},
    "plan": {"rules": ["dice/amigo", "dice/egmont"], "players": 2, "games": 100},
    "sweep": {**TWO, "vary": ["target=30,40"], "games": 100},
    "tournament": {**TWO, "policies": ["random", "threshold:5"], "games": 30},
    "tune": {**TWO, "family": "threshold", "games": 1000},
    "rules": {"name": "lama"},
    "runs": {"folder": "run"},
    "policies": {"name": "lama"},
}
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
