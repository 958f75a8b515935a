"""``simulate`` as a user runs it: keys, repeatability, records."""

from __future__ import annotations

import re

import pytest

from lama_odds.games.dice.records.record import read_record
from tests.cli.calls import EXACT, GAMES, PLAY, ROUNDS, SAMPLED, answered, inside, process, same

SIMULATED = {
    *("rules", "players", "games", "seed", "threads", "seconds", "games_per_second", "version"),
    "seats",
}


@pytest.mark.long
def test_simulate_games_has_the_agreed_keys() -> None:
    answer = answered(*GAMES)
    assert set(answer) == SIMULATED | {"rounds"}
    assert (answer["players"], answer["games"], answer["seed"]) == (3, 5000, 0)
    for number, seat in enumerate(answer["seats"]):
        assert list(seat) == ["seat", "policy", "win", "outright", "score"]
        assert (seat["seat"], seat["policy"]) == (number, "threshold:5")
    assert sum(seat["win"]["value"] for seat in answer["seats"]) == pytest.approx(1, abs=1e-9)


def test_simulate_rounds_has_the_agreed_keys() -> None:
    answer = answered(*ROUNDS)
    assert set(answer) == SIMULATED | {"actions", "went_out", "blown"}
    assert [list(seat) for seat in answer["seats"]] == [["seat", "policy", "penalty"]] * 3
    for name in ("went_out", "blown"):
        assert 0 < answer[name]["value"] < 1
        assert answer[name]["n"] == 5000


@pytest.mark.long
def test_games_per_second_is_games_by_seconds() -> None:
    answer = answered(*GAMES)
    assert answer["games_per_second"] == pytest.approx(answer["games"] / answer["seconds"])


@pytest.mark.long
def test_simulate_as_text() -> None:
    said = process(*GAMES)
    assert said.code == 0
    assert "3 players · 5,000 games" in said.out
    assert len(re.findall(r"^player \d +threshold:5 ", said.out, re.MULTILINE)) == 3
    full = process(*GAMES, "-v").out
    assert "3 players, 5,000 games, seed 0" in full
    assert len(re.findall(r"^seat \d +threshold:5 ", full, re.MULTILINE)) == 3


@pytest.mark.parametrize("question", [GAMES, ROUNDS, EXACT, (*SAMPLED, "--games", "20000")])
def test_threads_change_nothing(question: tuple[str, ...]) -> None:
    threads = ("1", "2", "3")
    answers = [inside(*question, "--json", "--threads", number).json for number in threads]
    if question[0] == "simulate":
        assert [answer["threads"] for answer in answers] == [1, 2, 3]
    assert len({same(answer) for answer in answers}) == 1


def test_seeds_repeat_and_differ() -> None:
    question = (*GAMES, "--json", "--seed")
    assert same(inside(*question, "0").json) == same(answered(*GAMES))
    values = {inside(*question, str(seed)).json["seats"][0]["win"]["value"] for seed in range(4)}
    assert len(values) > 1


def test_a_policy_for_each_seat() -> None:
    more = ("--policy", "random", "--policy", "meanfield", "--games", "100", "--json")
    answer = inside(*PLAY, *more).json
    assert [seat["policy"] for seat in answer["seats"]] == ["threshold:5", "random", "meanfield"]


@pytest.mark.parametrize("rounds", [(), ("--rounds",)])
def test_show_prints_the_first_records(rounds: tuple[str, ...]) -> None:
    question = (*PLAY, "--games", "3", "--show", "2", "--seed", "7", *rounds)
    said = inside(*question)
    records = ["lama-odds record 1\n" + text for text in said.out.split("lama-odds record 1\n")[1:]]
    last, _, table = records[1].partition("\n\n")
    assert "3 players · 3 " in table
    found = [read_record(records[0]), read_record(last)]
    assert [record.luck for record in found] == [(7, 0), (7, 1)]
    assert [record.final is not None for record in found] == [not rounds] * 2
    with_json = inside(*question, "--json")
    assert with_json.json["games"] == 3
    assert "\n".join(with_json.err.split()) == "\n".join((records[0] + last).split())
