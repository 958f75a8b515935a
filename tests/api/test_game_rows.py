"""Simulated games as rows: what the records say, and what `simulate` counts."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.games.registry import game_of

TABLES = {
    "lama/party+drama": (3, ["random", "threshold:6", "matching:5"]),
    "dice/amigo": (2, ["threshold:5", "random"]),
    "pikomino/egmont": (3, ["first-tile"]),
    "noprob/starnberger": (2, ["best"]),
    "noprob/starnberger+four_rounds": (2, ["best"]),
}
GAMES = 6


def rows_of(rules: str, kind: str, **more: Any) -> list[dict[str, Any]]:
    players, policies = TABLES[rules]
    names = policies * (players // len(policies))
    return list(lo.simulate_rows(rules, players, names, GAMES, rows=kind, seed=4, **more).rows)


def mean(rows: list[dict[str, Any]], seat: int, name: str) -> float:
    found = [row[name] for row in rows if row["seat"] == seat]
    assert len(found) == GAMES
    return float(sum(found) / GAMES)


@pytest.mark.long
@pytest.mark.parametrize("rules", TABLES)
def test_games_are_those_that_simulate_counts(rules: str) -> None:
    players, policies = TABLES[rules]
    found = lo.simulate(rules, players, policies * (players // len(policies)), GAMES, seed=4)
    rows = rows_of(rules, "games")
    assert len(rows) == GAMES * players
    for seat, measures in enumerate(found.seats):
        assert mean(rows, seat, "win") == pytest.approx(measures["win"].value)
        names = ("worms", "score") if "four_rounds" in rules else ("llamas", "worms", "score")
        final = next(name for name in names if name in measures)
        assert mean(rows, seat, "score") == pytest.approx(measures[final].value)
        if final == "llamas":  # the points of all rounds, which win nothing
            assert mean(rows, seat, "penalty") == pytest.approx(measures["score"].value)
    if "rounds" in found.table:
        assert mean(rows, 0, "rounds") == pytest.approx(found.table["rounds"].value)
    if "turns" in found.table:
        assert mean(rows, 0, "turns") == pytest.approx(found.table["turns"].value)


@pytest.mark.long
@pytest.mark.parametrize("rules", [rules for rules in TABLES if "pikomino" not in rules])
def test_rounds_add_up_to_games(rules: str) -> None:
    games, rounds = rows_of(rules, "games"), rows_of(rules, "rounds")
    for row in games:
        mine = [r for r in rounds if (r["game"], r["seat"]) == (row["game"], row["seat"])]
        assert [r["round"] for r in mine] == list(range(row["rounds"]))
        assert sum(r["penalty"] for r in mine) == row["penalty"]
        assert mine[-1]["score"] == row["score"]
    starters = [r for r in rounds if r["starts"]]
    assert len(starters) == sum(row["rounds"] for row in games if row["seat"] == 0)


@pytest.mark.parametrize("rules", ["lama/party+drama", "dice/amigo"])
def test_first_rounds_cost_what_simulate_counts(rules: str) -> None:
    players, policies = TABLES[rules]
    found = lo.simulate(rules, players, policies, GAMES, rounds=True, seed=4)
    rows = rows_of(rules, "rounds", rounds=True)
    for seat, measures in enumerate(found.seats):
        assert mean(rows, seat, "penalty") == pytest.approx(measures["penalty"].value)
    ended = [row["ended"] for row in rows if row["seat"] == 0]
    assert ended.count("out") == pytest.approx(GAMES * found.table["went_out"].value)


@pytest.mark.long
@pytest.mark.parametrize("rules", TABLES)
def test_decisions_can_be_advised(rules: str) -> None:
    players, policies = TABLES[rules]
    rows = rows_of(rules, "decisions", rounds=game_of(rules).has_rounds)
    game = game_of(rules)
    rule_set = game.rules(rules)
    names = policies * (players // len(policies))
    legal = game.live_play().legal_actions
    for row in rows:
        position = game.position(rule_set, row["position"])
        assert row["action"] in legal(rule_set, position)
        best = row["policy"] if names[0] == "best" else names[row["seat"]]
        assert row["policy"] == game.policy(best).name
    assert {row["seat"] for row in rows} == set(range(players))


def test_a_file_is_resumed_and_grows(tmp_path: Path) -> None:
    def written(name: str, games: int, **more: Any) -> bytes:
        out = tmp_path / name
        found = lo.simulate_rows("dice/amigo", 2, "threshold:5", games, out=out, **more)
        with out.open() as file:
            assert found.written == len(list(csv.DictReader(file)))
        return out.read_bytes()

    few, many = written("a.csv", 3), written("b.csv", 8, threads=2)
    assert many.startswith(few)
    assert written("a.csv", 8, threads=1) == many
    with pytest.raises(lo.LamaOddsError, match="rows games, not decisions"):
        written("a.csv", 8, rows="decisions")
    with pytest.raises(lo.LamaOddsError, match="policies"):
        lo.simulate_rows("dice/amigo", 2, "random", 8, out=tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == many


def test_frames_have_the_columns_of_files(tmp_path: Path) -> None:
    for kind in ("games", "rounds", "decisions"):
        found = lo.simulate_rows("dice/amigo", 2, "threshold:5", 2, rows=kind)
        lo.simulate_rows("dice/amigo", 2, "threshold:5", 2, rows=kind, out=tmp_path / f"{kind}.csv")
        with (tmp_path / f"{kind}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == list(found.to_frame().columns) == list(found.rows[0])
        assert [row["game"] for row in rows] == [str(row["game"]) for row in found.rows]


def test_rows_that_a_game_has_not() -> None:
    with pytest.raises(lo.LamaOddsError, match="pikomino has no rounds"):
        lo.simulate_rows("pikomino/egmont", 2, "first-tile", 1, rows="rounds")
    with pytest.raises(lo.LamaOddsError, match="first rounds are not games"):
        lo.simulate_rows("dice/amigo", 2, "random", 1, rounds=True)
    with pytest.raises(lo.LamaOddsError, match="unknown rows 'turns'"):
        lo.simulate_rows("dice/amigo", 2, "random", 1, rows="turns")
