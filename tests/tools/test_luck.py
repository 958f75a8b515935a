"""The page on luck: its table is read as it was written, and chance is judged rightly."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from tools.publishing.targets import luck

ROOT = Path(__file__).resolve().parents[2]


def published() -> str:
    return (ROOT / luck.TABLE).read_text(encoding="utf-8")


def test_the_table_is_read_as_it_was_written() -> None:
    rows = luck.rows_from(published())
    assert luck.csv_of(rows) == published()
    assert len({row.case for row in rows}) == len(luck.CASES)


@pytest.mark.parametrize(
    ("most", "rows", "chance"),
    [(1.959964, 1, 0.05), (1.959964, 2, 1 - 0.95**2), (0.0, 3, 1.0), (inf, 3, 0.0)],
)
def test_how_far_chance_takes_the_farthest_of_some_rows(
    most: float, rows: int, chance: float
) -> None:
    assert luck.any_as_far(most, rows) == pytest.approx(chance, abs=1e-6)


def test_only_a_row_that_chance_does_not_explain_is_named() -> None:
    first, *others = [row for row in luck.rows_from(published()) if not row.case.control]
    near = replace(first, means={**first.means, "luck": (0.0, 0.01)})
    far = replace(first, means={**first.means, "luck": (-0.05, 0.01)})
    usual = [replace(row, means={**row.means, "luck": (0.01, 0.01)}) for row in others]
    assert luck.told_apart([near, *usual]) == ""
    assert luck.told_apart([far, *usual]).count("`") == 4  # a rule set and a policy
    assert "(-5.0 ± 1.0 %)" in luck.told_apart([far, *usual])


def test_rounds_in_which_all_play_alike_take_the_mean_result_of_other_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(luck, "MANY", 20_000)
    for row in luck.rows_from(published()):
        found = luck.sharpened(row)
        if row.seat == luck.ANY or row.case.objective != "points":
            assert found is row
            continue
        start, error = row.means["adjusted"]
        value, stderr = found.means["luck"]
        assert stderr > error
        result, spread = row.means["result"]
        assert value + start == pytest.approx(result, abs=4 * (spread + stderr))
