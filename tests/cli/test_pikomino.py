"""Pikomino on the command line: keys, exit codes, and positions mutated at random."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.cli.calls import inside, mutated, read_aloud
from tests.games.cases import product_record

RULES = "pikomino/egmont"
MID_TURN = "kept=444W centre=21-23,25,30-36 own=24 tops=27,-"
ROLLED = f"{MID_TURN} rolled=1245"
PLAY = ("--players", "2", "--policy", "random", "--games", "5")
FEW_DICE = f"{RULES}+dice=4+low=9"
WHOLE = "kept=5WW centre=9,14 stacks=10/15"
ESTIMATE = {"value", "stderr", "low", "high", "n", "method"}
ADVICE = {
    *("rules", "position", "objective", "verdict", "best", "actions", "method", "games"),
    *("seed", "seconds", "assumptions", "version"),
}


def told(*args: str) -> dict:
    said = inside(*args, "--json")
    assert said.code == 0, said.err
    return said.json


def names(answer: dict) -> set[str]:
    return {action["action"] for action in answer["actions"]}


@pytest.mark.parametrize(
    ("position", "actions"),
    [
        ("", {"roll"}),
        ("kept=444WW", {"stop 22", "roll"}),
        ("kept=444WWW tops=-,27", {"stop 26", "steal 27 from 2", "roll"}),
        (ROLLED, {"keep 1", "keep 2", "keep 5"}),
        ("kept=4444WWWW", {"stop 36"}),
    ],
)
def test_advise_tells_all_actions_exactly(position: str, actions: set[str]) -> None:
    answer = told("advise", RULES, position)
    assert answer.keys() >= ADVICE
    assert (answer["rules"], answer["objective"], answer["method"]) == (RULES, "points", "exact")
    assert names(answer) == actions
    assert answer["best"] == answer["actions"][0]["action"]
    assert answer["actions"][0]["regret"]["value"] == 0
    for action in answer["actions"]:
        assert action["value"].keys() == action["points"].keys() == ESTIMATE
        shares = {k: v["value"] for k, v in action["chances"].items() if k != "next bust"}
        assert sum(shares.values()) == pytest.approx(1)
    assert told("advise", RULES, answer["position"])["actions"] == answer["actions"]


def test_the_short_answer_says_that_a_steal_costs_its_victim() -> None:
    said = inside("advise", RULES, "kept=444WWW tops=27").out
    assert "minus the mean of the others', who lose a stolen tile, exact." in said


def test_advise_by_the_whole_game_is_exact_for_few_tiles() -> None:
    answer = told("advise", FEW_DICE, WHOLE, "--objective", "win")
    assert (answer["objective"], answer["method"], answer["games"]) == ("win", "exact", 0)
    assert names(answer) == {"steal 15 from 1", "stop 14", "roll"}
    for action in answer["actions"]:
        assert action["value"] == action["win"]
        assert 0 <= action["value"]["value"] <= 1
        assert action["points"]["method"] == "exact"
    asked = ("--objective", "win", "--opponents", "random", "--games", "1000")
    sampled = told("advise", FEW_DICE, WHOLE, *asked)
    assert (sampled["method"], sampled["games"]) == ("simulation", 1000)
    assert names(sampled) == names(answer)


@pytest.mark.parametrize("position", ["", MID_TURN, ROLLED])
def test_odds_tell_reach_and_exact_of_every_tile(position: str) -> None:
    answer = told("odds", RULES, position)
    assert answer.keys() >= {"rules", "position", "events", "reach", "exact"}
    assert ("bust" in answer["events"]) == (position != ROLLED)
    assert "turn bust" in answer["events"]
    for group in ("reach", "exact"):
        assert list(answer[group]) == [str(tile) for tile in range(21, 37)]
        assert all(estimate.keys() == ESTIMATE for estimate in answer[group].values())
    for tile in answer["reach"]:
        assert answer["reach"][tile]["value"] >= answer["exact"][tile]["value"] - 1e-12


def test_simulate_and_thresholds_have_the_agreed_keys() -> None:
    play = ("--players", "3", "--policy", "first-tile", "--games", "50")
    answer = told("simulate", RULES, *play)
    assert answer.keys() >= {"rules", "players", "games", "seats", "turns", "busts", "steals"}
    assert [seat["seat"] for seat in answer["seats"]] == [0, 1, 2]
    for seat in answer["seats"]:
        assert seat.keys() == {"seat", "policy", "win", "outright", "worms"}
    assert sum(seat["win"]["value"] for seat in answer["seats"]) == pytest.approx(1)
    assert not {"penalty", "score"} & answer["seats"][0].keys()
    tables = told("thresholds", RULES, "--players", "2")
    assert tables["stop_or_roll"][0].keys() == {"total", "dice", "faces", "stop", "roll", "better"}
    assert {row["tile"] for row in tables["steals"] if row["board"] == 16} == set(range(21, 37))


def test_advise_after_a_record(tmp_path) -> None:
    text = product_record(RULES, ("first-tile", "random"), 0, 155)
    file = tmp_path / "game.txt"
    lines = text.splitlines()
    file.write_text("\n".join([*lines[:5], "0 roll 1122444W keep 4"]), encoding="utf-8")
    answer = told("advise", RULES, "--after", str(file))
    assert answer["position"] == "kept=444 centre=21-36 stacks=-/-"
    file.write_text(text, encoding="utf-8")
    assert inside("advise", RULES, "--after", str(file)).code == 3


@pytest.mark.parametrize(
    ("code", "args"),
    [
        (2, ("advise", RULES)),
        (2, ("odds", RULES, "deal")),
        (2, ("advise", "pikomino", "")),
        (2, ("advise", RULES, "", "--objective", "margin")),
        (2, ("advise", RULES, "", "--opponents", "threshold:5")),
        (2, ("advise", RULES, "own=24 stacks=21/22")),
        (2, ("advise", RULES, "kept=4X")),
        (2, ("simulate", RULES, "--players", "8", "--policy", "random", "--games", "5")),
        (
            2,
            ("simulate", RULES, "--players", "2", "--policy", "random", "--games", "5", "--rounds"),
        ),
        (3, ("advise", RULES, "own=37")),
        (3, ("odds", RULES, "kept=44445555")),
        (3, ("advise", RULES, "kept=44 rolled=444444")),
        (4, ("advise", RULES, "", "--objective", "win")),
        (4, ("advise", RULES, MID_TURN, "--objective", "win")),
        (0, ("rules", RULES)),
        (0, ("policies", "pikomino")),
    ],
)
def test_exit_codes(code: int, args: tuple[str, ...]) -> None:
    said = inside(*args)
    assert said.code == code, said.err
    assert "Traceback" not in said.err
    assert bool(said.err.strip()) == (code != 0)


def test_objections_name_what_is_wrong() -> None:
    assert inside("simulate", RULES, *PLAY).code == 0
    rounds = inside("simulate", RULES, *PLAY, "--rounds")
    assert rounds.code == 2
    assert "no rounds" in rounds.err
    assert "margin" in inside("advise", RULES, "", "--objective", "margin").err
    assert "stacks" in inside("advise", RULES, "", "--objective", "win").err


MUTATED = (MID_TURN, ROLLED, "stacks=24.22/27", "kept=55WWW", "tops=21,22", "centre=33 own=21")
CHARACTERS = "0123456789W-=,./ xkr²"


def test_mutated_positions_are_answered_or_refused() -> None:
    luck = Random(11)
    seen: Counter[int] = Counter()
    for number in range(300):
        text = mutated(luck, MUTATED, CHARACTERS)
        said = inside(("odds", "advise")[number % 2], RULES, text, "--json")
        seen[read_aloud(said, text)] += 1
    assert min(seen[code] for code in (0, 2, 3)) > 20


def test_no_dice_rolled_with_all_dice_kept_is_refused() -> None:
    assert inside("advise", RULES, "kept=4444444W rolled=-").code == 3


def test_a_turn_does_not_hang_on_the_others_policy() -> None:
    plain = inside("advise", "pikomino/egmont", "stacks=-/-", "--json").json
    named = inside(
        "advise", "pikomino/egmont", "stacks=-/-", "--opponents", "random", "--json"
    ).json
    assert named["actions"] == plain["actions"]
    assert named["method"] == "exact"
