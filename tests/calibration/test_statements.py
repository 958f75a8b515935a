"""Every statement of certainty, played many times on outcomes whose truth is known."""

from __future__ import annotations

import pytest

from tests.calibration import advice, comparisons, standings
from tests.calibration.playing import Statement, check, check_noticed

STATEMENTS = [*advice.STATEMENTS, *comparisons.STATEMENTS, *standings.STATEMENTS]


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.long] * (each.name == "sweep"))
        for each in STATEMENTS
    ],
)
def test_as_often_wrong_as_known(statement: Statement) -> None:
    check(statement)


@pytest.mark.long
@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.name)
def test_half_as_often_again_would_be_noticed(
    statement: Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_noticed(statement, monkeypatch)
