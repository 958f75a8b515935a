"""Text: tables that fit any screen, CSV without formulas, nothing that steers a terminal."""

from __future__ import annotations

import csv
import io

import pytest
from rich.text import Text

from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.answers import listing, printed, table
from lama_odds.report.text.csv_text import csv_text

HEADS = ("", "points", "loses", "margin", "win")


ROWS = (
    ("roll", "5.08 ± 0.04", "–", "−1.20 ± 0.05", "61.2 ± 0.3 %"),
    ("discard 123", "17", "11.95 ± 0.03", "11.48 ± 0.02", "0.0 ± 0.3 %"),
)


def lines_at(width: int) -> list[str]:
    return printed(table(HEADS, ROWS), width, plain=True).splitlines()


def test_what_fits_is_one_table() -> None:
    found = lines_at(66)
    assert len(found) == 3
    assert found[1].split("  ")[0] == "roll"
    assert max(map(len, found)) == 66


def test_what_is_too_wide_is_shown_in_parts_with_the_first_column_in_each() -> None:
    found = lines_at(65)
    assert [line.split("  ")[0] for line in found] == [
        *("", "roll", "discard 123", ""),
        *("", "roll", "discard 123"),
    ]
    assert found[4].split() == ["win"]
    assert found[6].endswith(" 0.0 ± 0.3 %")


@pytest.mark.parametrize("width", range(14, 80))
def test_every_cell_is_whole_at_any_width_it_can_stand_in(width: int) -> None:
    text = "\n".join(lines_at(width))
    assert "…" not in text
    if width >= 11 + 2 + 12:  # the widest action beside the widest number
        assert all(cell in text for row in ROWS for cell in row)
        assert max(map(len, text.splitlines())) <= width


def test_all_columns_that_tell_what_a_row_is_about_are_in_each_part() -> None:
    rows = [("0–9", "10–19", "1.00 ± 0.10", "2.00 ± 0.10", "3.00 ± 0.10")]
    heads = ("mine", "leader's", "a", "b", "c")
    found = printed(table(heads, rows, keys=2), 30, plain=True).splitlines()
    assert [line.split()[:2] for line in found if "±" in line] == [["0–9", "10–19"]] * 3


def test_a_long_text_is_folded_beside_a_number() -> None:
    rows = [("line 12, seat 3: draws a six and has to play it at once", "+1.25"), ("other", "-2")]
    found = printed(table(("Largest luck", "points"), rows), 40, plain=True).splitlines()
    assert max(map(len, found)) <= 40
    assert [line.split("  ")[0] for line in found[1:3]] == [
        "line 12, seat 3: draws a six and",
        "has to play it at once",
    ]
    assert found[1].endswith("+1.25")


def test_what_looks_like_a_style_is_text() -> None:
    found = printed(table(("[bold]", "b"), [("meanfield[/bold]", ":cake:")]), 80, plain=True)
    assert "[bold]" in found
    assert "meanfield[/bold]" in found
    assert ":cake:" in found


def test_meanings_stand_below_names_that_leave_no_room() -> None:
    rows = [("meanfield:" + "x" * 40, "quits when it is better, by one table"), ("a", "b")]
    beside = printed(listing(rows, ("policy", "what it does")), 100, plain=True).splitlines()
    assert beside[1].startswith(rows[0][0] + "  quits")
    below = printed(listing(rows, ("policy", "what it does")), 60, plain=True).splitlines()
    assert below[:4] == ["policy", "    what it does", rows[0][0], f"    {rows[0][1]}"]


def test_text_that_a_spreadsheet_would_compute_is_kept_from_that() -> None:
    odd = ["=1+1", "+x", "-x", "@x", "=cmd|' /C calc'!A0", "-1 %", "- "]
    kept = ["x", "1-2", "", " =x", "\u2013", "a,b", 'say "x"', "two\nlines"]
    unseen = {"\t=1": "\\t=1", "\r=1": "\\r=1", "\x00": "\\x00", "\ud800": "\\ud800"}
    numbers = [-1, -1.5, 0, True, -0.0, "-1", "-1.5", "+2", "-1e-9"]
    text = csv_text([odd, kept, numbers, unseen, [None], []])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == [f"'{cell}" for cell in odd]
    assert rows[1] == kept
    assert rows[2] == [str(number) for number in numbers]
    assert rows[3] == list(unseen.values())
    assert text.endswith('""\n\n')


def test_what_is_printed_does_not_steer_the_terminal() -> None:
    hostile = "\x1b[31mred\x07\x9b2J\u202e\ud800"
    for answer in (Text(hostile), Fitted((hostile, "b"), ((hostile, "c"),), 1)):
        said = printed(answer, width=200)
        assert said.replace("\n", "").isprintable()
        assert "\\x1b[31mre" in said
    assert printed(Text(hostile)) == "\\x1b[31mred\\x9b2J\\u202e\\ud800"
    assert printed(Text("a\nb · – ± ▶ 1\u202f000")) == "a\nb · – ± ▶ 1\u202f000"
