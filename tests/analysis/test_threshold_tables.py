"""Sampled tables beside thresholds: the same figures as text, JSON and CSV."""

import csv
import io
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from lama_odds.analysis.thresholds import thresholds as module
from lama_odds.analysis.thresholds.tables import FEWEST_FORKS, tables_beside
from lama_odds.analysis.thresholds.thresholds import thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.jobs import ForkTable, ForkTables
from lama_odds.games.interface.tally_layout import (
    DIFFERENCE,
    DIFFERENCE_FORKS,
    DIFFERENCE_SQUARED,
    FORKS,
    FORKS_SQUARED,
)
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.report.text.answers import number, percent, printed
from lama_odds.report.text.thresholds import thresholds_csv, thresholds_text

GAME = game_of("noprob/starnberger")
RULES = GAME.rules("noprob/starnberger")


@cache
def found():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PILOT_GAMES", 500)
        return thresholds(GAME, RULES, 3, policy=GAME.policy("greedy"), games=3_000)


def table_of(name):
    return next(table for table in found().tables if table.name == name)


@pytest.mark.long
def test_both_tables_have_estimates_with_errors():
    for name, values in (("replacements", ("points", "round")), ("gifts", ("margin", "round"))):
        table = table_of(name)
        assert len(table.rows) > 10
        assert "3,000 rounds" in table.made
        for row in table.rows:
            assert row["n"] >= FEWEST_FORKS
            for value in values:
                assert isinstance(row[value], Estimate)
                assert row[value].n == row["n"]
        assert sum(row[values[0]].stderr > 0 for row in table.rows) > 10


@pytest.mark.long
def test_what_any_player_knows():
    """A good card is not covered; a Drama costs who gets it about its three."""
    rows = {(row["card"], row["replaces"]): row for row in table_of("replacements").rows}
    assert rows["3", "-5"]["points"].low > 0
    assert rows["10", "-5"]["points"].value > rows["10", "face down"]["points"].value + 1
    gifts = {(row["card"], row["to"], row["against"]): row for row in table_of("gifts").rows}
    drama = gifts["D", "next in turn", "nobody"]["margin"]
    assert -1.6 < drama.value < -0.8  # its three, half of it: what comes later goes elsewhere
    assert gifts["K", "next in turn", "nobody"]["round"].value < 0


@pytest.mark.long
def test_json_and_csv_have_every_figure():
    told = found().to_json()
    text = thresholds_csv(found())
    rows, *tables = [list(csv.DictReader(io.StringIO(part))) for part in text.split("\n\n")]
    assert len(rows) == len(found().rows)
    assert [table[0]["table"] for table in tables] == ["replacements", "gifts"]
    for table in tables:
        name = table[0]["table"]
        shown = table_of(name).rows
        assert len(table) == len(shown) == len(told[name])
        for line, row, as_json in zip(table, shown, told[name], strict=True):
            assert line["policy"] == "greedy"
            for key, value in row.items():
                if isinstance(value, Estimate):
                    assert as_json[key] == value.to_json()
                    for part in ("value", "stderr", "low", "high"):
                        assert float(line[f"{key} {part}"]) == getattr(value, part)
                else:
                    assert as_json[key] == value
                    assert line[key] == str(value)
    assert len(thresholds_csv(found(), beside=False).splitlines()) == len(rows) + 1


@pytest.mark.long
def test_the_text_shows_them_all():
    text = printed(thresholds_text(found()))
    for table in found().tables:
        assert table.title in text
    lines = defaultdict(str)
    for line in text.splitlines():
        lines[line.split("  ")[0]] += line
    for row in table_of("replacements").rows:
        assert number(row["points"]) in lines[row["replaces"]]
    for row in table_of("gifts").rows:
        assert percent(row["round"]) in text
        assert number(row["margin"]) in text


def counting(rules, policies, tables, seed, first, games, tally):
    """Make up a fork each game: second − first is 1, or 3 in every second game."""
    for game in range(first, first + games):
        d = 1 + 2 * (game % 2)
        tally[1, [FORKS, FORKS_SQUARED]] += 1
        tally[1, [DIFFERENCE, DIFFERENCE_FORKS]] += d
        tally[1, DIFFERENCE_SQUARED] += d * d


def test_a_row_is_the_mean_of_the_differences_and_few_are_left_out():
    job = Job(counting, np.zeros(1), np.zeros(1), (), (2, 16))
    units = (("points", 1.0), ("round", 0.5))
    shown = ForkTable("made", "Made up", 0, [{"card": "a"}, {"card": "b"}], units, "so")
    empty = ForkTable("none", "None", 0, [{"card": "a"}, {}], units, "so")
    tables, interrupted = tables_beside(
        ForkTables(job, 400, (shown, empty)), 0, None, 1, None, None
    )
    assert not interrupted
    assert [table.name for table in tables] == ["made"]
    (row,) = tables[0].rows
    assert (row["card"], row["n"]) == ("b", 400)
    assert row["points"].value == 2
    assert row["points"].stderr == pytest.approx(1 / 20, rel=0.01)
    assert "400 rounds" in tables[0].made
    few, _ = tables_beside(ForkTables(job, 400, (shown,)), 0, FEWEST_FORKS - 1, 1, None, None)
    assert few == []
