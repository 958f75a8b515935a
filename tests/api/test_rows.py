"""Rows: of many positions, with the numbers of one by one, and of simulated games."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.analysis.advice.advise import GivenPosition
from lama_odds.api.batches import key_of, read_positions
from lama_odds.games.registry import game_of
from lama_odds.report import rows as report_rows

# Of each game: solved and sampled positions, and with scores.
GAMES = {
    "lama/egmont": ["hand=3356L top=4 opp=4,q2,6", "hand=35 top=4 opp=4,5 scores=12,3,20"],
    "dice/amigo": [
        "hand=25L row=1346L opp=13,6LL",
        "hand=25L row=1346L opp=q13,q6LL",
        "hand=25L row=1346L opp=13",
        "hand=25L row=1346L opp=13 rolled=13L",
        "hand=5L row=1346L opp=13",
    ],
    "pikomino/egmont": ["kept=444W rolled=1245 own=24 tops=27", "kept=44W5 stacks=24.22/27"],
}
BAD = {"hand=9": 2, "hand=" + 60 * "1" + " opp=1": 3, "hand=1 opp=q1 rolled=LLL": 3}
DICE = GAMES["dice/amigo"][1:5]


def plain(advice: Any) -> dict[str, Any]:
    return {name: value for name, value in advice.to_json().items() if name != "seconds"}


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_positions_have_the_numbers_of_one_by_one(rules: str) -> None:
    options: dict[str, Any] = {"games": 1_000, "seed": 3, "threads": 2}
    whole = lo.advise_many(rules, GAMES[rules], details=True, **options).answers
    brief = lo.advise_many(rules, GAMES[rules], **options).answers
    for position, full, short in zip(GAMES[rules], whole, brief, strict=True):
        alone = lo.advise(rules, position, **options)
        assert plain(full.advice) == plain(alone)
        for name in ("position", "objective", "verdict", "best", "method"):
            assert getattr(short.advice, name) == getattr(alone, name)
        known = [(a.action, a.value, a.regret) for a in alone.actions]
        assert [(a.action, a.value, a.regret) for a in short.advice.actions] == known
        assert short.games == (0 if alone.method == "exact" else alone.games)


def test_options_apply_to_each_position() -> None:
    options: dict[str, Any] = {"opponents": "random", "objective": "points", "games": 1_000}
    found = lo.advise_many("dice/amigo", DICE[:1], **options).answers[0]
    alone = lo.advise("dice/amigo", DICE[0], **options)
    assert found.advice.actions[0].value == alone.actions[0].value
    options = {"games": 1_000, "seed": 2, "sensitivity": True, "play_out": True, "threads": 1}
    text = GAMES["dice/amigo"][0]
    found = lo.advise_many("dice/amigo", [text], **options).answers[0]
    assert plain(found.advice) == plain(lo.advise("dice/amigo", text, **options))
    with pytest.raises(lo.LamaOddsError, match="unknown policy"):
        lo.advise_many("dice/amigo", DICE, opponents="nobody")
    with pytest.raises(lo.LamaOddsError, match="unknown objective"):
        lo.advise_many("dice/amigo", DICE, objective="worms")


def test_an_error_is_in_its_row_and_the_rest_goes_on() -> None:
    found = lo.advise_many("dice/amigo", [*BAD, DICE[0]])
    assert [answered.code for answered in found.answers] == [*BAD.values(), 0]
    assert "opp is missing" in found.answers[0].error
    assert "\n" not in found.answers[1].error
    assert found.exit_code == 2
    assert found.errors == {2: 1, 3: 2}
    assert lo.advise_many("dice/amigo", list(BAD)[1:]).exit_code == 3
    frame = found.to_frame()
    assert list(frame["verdict"].isna()) == [True, True, True, False]
    assert "roll" in str(found)
    assert "opp is missing" in str(found)


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_what_goes_with_a_position_is_handed_through(tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text(f'name,position,n\r\n"a ""b""\nc","{DICE[0]}",1\r\n=x,hand=9,2\r\nz\r\n')
    found = lo.advise_many("dice/amigo", given, out=tmp_path / "out.csv")
    rows = csv_rows(tmp_path / "out.csv")
    assert [row["name"] for row in rows] == ['a "b"\nc', "'=x", "z"]
    assert [row["n"] for row in rows] == ["1", "2", ""]
    assert found.answers == ()
    assert found.errors == {2: 2}
    lines = tmp_path / "given.jsonl"
    lines.write_text(json.dumps({"n": [1], "position": DICE[0]}) + "\n{}\nno\n\n")
    lo.advise_many("dice/amigo", lines, out=tmp_path / "out.jsonl")
    first, *rest = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    alone = lo.advise("dice/amigo", DICE[0]).to_json()
    assert {**first, "seconds": 0} == {**alone, "n": [1], "seconds": 0}
    assert ["line 2" in rest[0]["error"], "line 3" in rest[1]["error"]] == [True, True]
    for name, ending in (("best", "csv"), ("at_most", "jsonl"), ("actions", "jsonl")):
        taken = [{"position": DICE[0], name: 1}]
        with pytest.raises(lo.LamaOddsError, match=f"'{name}' too, rename yours"):
            lo.advise_many("dice/amigo", taken, out=tmp_path / f"other.{ending}")


def stopped_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Ctrl-C comes when this many rows were added."""
    add = report_rows.KeptRows.add

    def stop(self: report_rows.KeptRows, *given: Any) -> None:
        if self.done == count:
            raise KeyboardInterrupt
        add(self, *given)

    monkeypatch.setattr(report_rows.KeptRows, "add", stop)


def test_a_stopped_file_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = tmp_path / "whole.csv", tmp_path / "out.csv"
    lo.advise_many("dice/amigo", DICE, out=whole)
    for count in (0, 2):
        with monkeypatch.context() as patch:
            stopped_after(patch, count)
            with pytest.raises(KeyboardInterrupt):
                lo.advise_many("dice/amigo", DICE, out=out)
        assert out.read_text().count("\n") == count + 1
    # As if the process had been killed while it wrote.
    note = out.with_name("out.csv" + report_rows.NOTE)
    note.write_text(note.read_text().replace('"closed": true', '"closed": false'))
    with out.open("a") as file:
        file.write("hand=25L,half a li")
    assert lo.advise_many("dice/amigo", DICE, out=out).positions == 4
    assert out.read_bytes() == whole.read_bytes()
    lo.advise_many("dice/amigo", DICE, out=out)  # complete
    assert out.read_bytes() == whole.read_bytes()
    lo.advise_many("dice/amigo", [*DICE, "hand=9"], out=out)  # with more
    assert out.read_text().count("\n") == 6


def test_nothing_that_is_not_its_own_is_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine\n")
    with pytest.raises(lo.LamaOddsError, match="exists, and no stopped command has left it"):
        lo.advise_many("dice/amigo", DICE, out=out)
    assert out.read_text() == "mine\n"
    out.unlink()
    lo.advise_many("dice/amigo", DICE, out=out)
    content = out.read_bytes()
    for wrong in (DICE[::-1], DICE[:2]):  # who else may continue is in test_resuming
        with pytest.raises(lo.LamaOddsError, match=f"others .{len(wrong)} positions are given"):
            lo.advise_many("dice/amigo", wrong, out=out)
        assert out.read_bytes() == content
    lo.advise_many("dice/amigo", DICE, out=out)  # its note is as it was
    with out.open("a") as file:
        file.write("mine\n")
    with pytest.raises(lo.LamaOddsError, match="was changed after"):
        lo.advise_many("dice/amigo", DICE, out=out)
    assert out.read_bytes() == content + b"mine\n"
    note = tmp_path / "new.csv.run.json"
    note.write_text("{}")
    with pytest.raises(lo.LamaOddsError, match="not a note of lama-odds"):
        lo.advise_many("dice/amigo", DICE, out=tmp_path / "new.csv")


def test_a_note_that_was_changed_is_refused(tmp_path: Path) -> None:
    """Whatever its fields are changed to: never a traceback."""
    out = tmp_path / "out.csv"
    question = {"command": "advise"}
    with report_rows.kept_rows(out, "csv", (), question) as rows:
        rows.skip(iter([b"a"]))
        rows.add((), b"a", "failed")
    note = tmp_path / "out.csv.run.json"
    plain = json.loads(note.read_text())
    content = out.read_bytes()
    for name, wrong in itertools.product(plain, (None, "", -1, 0.5, 1 << 63, [], {"a": None})):
        note.write_text(json.dumps({**plain, name: wrong}))
        with (
            pytest.raises(lo.LamaOddsError),
            report_rows.kept_rows(out, "csv", (), question) as rows,
        ):
            rows.skip(iter([b"a"]))
        assert out.read_bytes() == content


def test_two_processes_do_not_write_to_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    out = tmp_path / "out.csv"
    question = {"command": "advise"}
    with report_rows.kept_rows(out, "csv", (), question) as rows:
        rows.skip(iter(()))
        with pytest.raises(lo.LamaOddsError, match="another process writes"):
            report_rows.KeptRows(out, "csv", (), question).open()


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    given = [{"position": position, "n": n} for n, position in enumerate([*DICE, "hand=9"])]
    lo.advise_many("dice/amigo", given, out=out)
    rows = pyarrow.read_table(out).to_pylist()
    alone = lo.advise("dice/amigo", DICE[0])
    assert rows[0]["value"] == alone.actions[0].value.value
    assert [row["n"] for row in rows] == ["0", "1", "2", "3", "4"]
    assert rows[-1]["value"] is None
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out.parquet",
        "out.parquet.run.json",
    ]
    with pytest.raises(lo.LamaOddsError, match="cannot be continued"):
        lo.advise_many("dice/amigo", [*given, DICE[0]], out=out)


def test_parquet_needs_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(lo.LamaOddsError, match=r'pip install "\.\[parquet\]"'):
        lo.advise_many("dice/amigo", DICE, out=tmp_path / "out.parquet")
    with pytest.raises(lo.LamaOddsError, match="a name that ends with"):
        lo.advise_many("dice/amigo", DICE, out=tmp_path / "out.xls")
    assert not list(tmp_path.iterdir())


# simulated games


TABLE_OF = {
    "lama/party+drama": (3, ["random", "threshold:6", "matching:5"]),
    "dice/amigo": (2, ["threshold:5", "random"]),
    "pikomino/egmont": (3, ["first-tile"]),
    "noprob/starnberger": (2, ["random"]),
}
PLAYED = 6


def played_rows(rules: str, kind: str, **more: Any) -> list[dict[str, Any]]:
    players, policies = TABLE_OF[rules]
    names = policies * (players // len(policies))
    return list(lo.simulate_rows(rules, players, names, PLAYED, rows=kind, seed=4, **more).rows)


def mean(rows: list[dict[str, Any]], seat: int, name: str) -> float:
    found = [row[name] for row in rows if row["seat"] == seat]
    assert len(found) == PLAYED
    return float(sum(found) / PLAYED)


@pytest.mark.long
@pytest.mark.parametrize("rules", TABLE_OF)
def test_games_are_those_that_simulate_counts_and_rounds_add_up_to_them(rules: str) -> None:
    players, policies = TABLE_OF[rules]
    found = lo.simulate(rules, players, policies * (players // len(policies)), PLAYED, seed=4)
    games = played_rows(rules, "games")
    assert len(games) == PLAYED * players
    for seat, measures in enumerate(found.seats):
        assert mean(games, seat, "win") == pytest.approx(measures["win"].value)
        final = next(name for name in ("llamas", "worms", "score") if name in measures)
        assert mean(games, seat, "score") == pytest.approx(measures[final].value)
        if final == "llamas":  # the points of all rounds, which win nothing
            assert mean(games, seat, "penalty") == pytest.approx(measures["score"].value)
    for length in {"rounds", "turns"} & set(found.table):
        assert mean(games, 0, length) == pytest.approx(found.table[length].value)
    if not game_of(rules).has_rounds:
        return
    rounds = played_rows(rules, "rounds")
    for row in games:
        mine = [r for r in rounds if (r["game"], r["seat"]) == (row["game"], row["seat"])]
        assert [r["round"] for r in mine] == list(range(row["rounds"]))
        assert sum(r["penalty"] for r in mine) == row["penalty"]
        assert mine[-1]["score"] == row["score"]
    starters = [r for r in rounds if r["starts"]]
    assert len(starters) == sum(row["rounds"] for row in games if row["seat"] == 0)


@pytest.mark.parametrize("rules", ["dice/amigo", "pikomino/egmont"])
def test_decisions_can_be_advised(rules: str) -> None:
    players, policies = TABLE_OF[rules]
    game = game_of(rules)
    rule_set, legal = game.rules(rules), game.policy_query().legal_actions
    names = policies * (players // len(policies))
    rows = played_rows(rules, "decisions", rounds=game.has_rounds)
    for row in rows:
        position = game.position(rule_set, row["position"])
        assert row["action"] in legal(rule_set, position)
        assert row["policy"] == game.policy(names[row["seat"]]).name
    assert {row["seat"] for row in rows} == set(range(players))


def test_a_file_grows(tmp_path: Path) -> None:
    out, whole = tmp_path / "a.csv", tmp_path / "b.csv"
    for file, games in ((out, 3), (whole, 8), (out, 8)):
        found = lo.simulate_rows("dice/amigo", 2, "threshold:5", games, out=file)
        assert found.written == len(csv_rows(file))
    assert out.read_bytes() == whole.read_bytes()


def test_rows_that_a_game_has_not() -> None:
    with pytest.raises(lo.LamaOddsError, match="pikomino has no rounds"):
        lo.simulate_rows("pikomino/egmont", 2, "first-tile", 1, rows="rounds")
    with pytest.raises(lo.LamaOddsError, match="first rounds are not games"):
        lo.simulate_rows("dice/amigo", 2, "random", 1, rounds=True)
    with pytest.raises(lo.LamaOddsError, match="unknown rows 'turns'"):
        lo.simulate_rows("dice/amigo", 2, "random", 1, rows="turns")


def test_of_two_columns_of_one_name_none_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "positions.csv"
    file.write_text("position,name,name\nhand=3,a,b\n")
    with pytest.raises(lo.LamaOddsError, match="no column twice"):
        read_positions(file)


def test_a_row_is_known_by_all_that_was_given_with_it() -> None:
    given = [
        GivenPosition("hand=3"),
        GivenPosition("hand=4"),
        GivenPosition("hand=3", {"name": "a"}),
    ]
    given += [GivenPosition("hand=3", {"name": "b"}), GivenPosition("hand=3", {}, "a fault")]
    assert len({key_of(asked) for asked in given}) == len(given)


def test_comments_and_empty_lines_are_no_positions(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("# mine\n\n  # further in\n hand=25L row=1346L opp=13 \n", encoding="utf-8")
    assert [each.position for each in read_positions(file)] == ["hand=25L row=1346L opp=13"]
