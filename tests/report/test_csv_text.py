"""CSV: numbers stay numbers, and no text is a formula."""

from __future__ import annotations

import csv
import io

from rich.text import Text

from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.answers import printed
from lama_odds.report.text.csv_text import csv_text


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
