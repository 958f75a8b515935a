"""The commands as a user runs them: what they print, exit codes, repeatability, interruptions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import (
    CARDS,
    EXACT,
    FORCED,
    GAMES,
    LAST_CARDS,
    PLAY,
    ROUNDS,
    SAMPLED,
    answered,
    inside,
    process,
    same,
)

COMMANDS = ("advise", "odds", "thresholds", "simulate", "rules", "policies")

ESTIMATE = ["value", "stderr", "low", "high", "n", "method"]
ADVICE = {
    *("rules", "position", "objective", "verdict", "best", "actions", "method", "games", "seed"),
    *("seconds", "assumptions", "version"),
}
# Not agreed, but there: in a sentence, what would change the verdict.
ALSO = {"why"}
SIMULATED = {
    *("rules", "players", "games", "seed", "threads", "seconds", "games_per_second", "version"),
    "seats",
}


def estimates(answer: Any) -> list[dict[str, Any]]:
    """All estimates in an answer: the objects with a value that is a number."""
    if isinstance(answer, list):
        return [found for part in answer for found in estimates(part)]
    if not isinstance(answer, dict):
        return []
    if isinstance(answer.get("value"), float):
        return [answer]
    return [found for part in answer.values() for found in estimates(part)]


# advise


ADVISED = [
    EXACT,
    FORCED,
    (*SAMPLED, "--games", "2000"),
    (*CARDS, "--games", "2000"),
    (*CARDS, "--objective", "points", "--games", "2000"),
    (*LAST_CARDS, "--games", "1000"),
]


@pytest.mark.long
@pytest.mark.parametrize("question", ADVISED)
def test_advise_has_the_agreed_keys(question: tuple[str, ...]) -> None:
    answer = inside(*question, "--json").json
    assumed = {"assumed", "caution"}  # where scores are unknown, or hidden hands a guess
    assert set(answer) - assumed == ADVICE | ALSO
    assert answer["best"] == answer["actions"][0]["action"]
    assert answer["verdict"] in (answer["best"], "too close to call")
    for action in answer["actions"]:
        assert {"action", "value", "regret", "chances"} <= set(action)
        assert set(action) <= {"action", "value", "regret", "chances", "points", "margin", "win"}
        assert action["value"] == action[answer["objective"]]


@pytest.mark.parametrize("question", [EXACT, *ADVISED[2:], GAMES, ROUNDS])
def test_an_estimate_has_the_agreed_keys(question: tuple[str, ...]) -> None:
    found = estimates(inside(*question, "--json").json)
    assert len(found) >= 6
    for estimate in found:
        assert list(estimate) == ESTIMATE
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
        if estimate["method"] == "exact":
            assert (estimate["stderr"], estimate["n"]) == (0, 0)
        else:
            assert estimate["method"] == "simulation"
            assert estimate["n"] > 0


@pytest.mark.long
def test_advise_exact() -> None:
    answer = answered(*EXACT, "--objective", "margin")
    assert (answer["method"], answer["games"], answer["objective"]) == ("exact", 0, "margin")
    assert [action["action"] for action in answer["actions"]] == ["roll", "quit"]
    assert {estimate["method"] for estimate in estimates(answer)} == {"exact"}
    # Quitting fixes 17, the other has 4 and cannot do worse than quit.
    assert answer["actions"][1]["value"]["value"] >= 17 - 4


@pytest.mark.long
def test_advise_sampled() -> None:
    answer = answered(*SAMPLED, "--objective", "points", "--games", "20000")
    assert (answer["method"], answer["games"], answer["objective"]) == (
        "simulation",
        20000,
        "points",
    )
    by_name = {action["action"]: action for action in answer["actions"]}
    assert (by_name["roll"]["value"]["n"], by_name["roll"]["value"]["stderr"] > 0) == (20000, True)
    # What quitting costs is known; what the others get by it is not.
    points, margin = by_name["quit"]["points"], by_name["quit"]["margin"]
    assert (points["value"], points["method"], points["n"]) == (17, "exact", 0)
    assert (margin["method"], margin["n"]) == ("simulation", 20000)


def test_advise_lists_a_single_action() -> None:
    answer = inside(*FORCED, "--json").json
    assert [action["action"] for action in answer["actions"]] == ["discard L"]
    assert answer["position"] == "hand=25L row=1346L opp=13 rolled=13L"
    assert "Discard L: nothing else is allowed" in inside(*FORCED).out


@pytest.mark.long
def test_advise_as_text_names_verdict_and_assumption() -> None:
    said = process(*SAMPLED, "--games", "20000", "-v")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].split() == ["dice/amigo", *SAMPLED[2].split()]
    assert lines[2].startswith("▶ Roll.  Clear: quit costs about ")
    assert "--games 20000 repeats this answer" in said.out
    assert "20,000 games" in said.out


@pytest.mark.parametrize(
    ("objective", "position"),
    [
        ("win", "hand=25 opp=q6LL scores=12,30"),
        ("win", "hand=25L opp=1,2"),
        ("win", "hand=25L opp=q=4"),
    ],
)
def test_objective_if_none_is_given(objective: str, position: str) -> None:
    said = inside("advise", "dice/egmont", position, "--games", "1000", "--json")
    assert said.json["objective"] == objective


@pytest.mark.long
def test_sampled_advice_is_repeated_by_the_games_it_names() -> None:
    answer = answered(*SAMPLED, "--seconds", "0.2", "--seed", "3")
    games = str(answer["games"])
    assert any(f"--games {games} " in line for line in answer["assumptions"])
    again = inside(*SAMPLED, "--games", games, "--seed", "3", "--threads", "1", "--json")
    assert same(again.json) == same(answer)


@pytest.mark.long
def test_advice_after_a_record(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    lines = process(*PLAY, "--games", "1", "--show", "1", "--rounds").out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("deal ")) + 1
    record.write_text("\n".join(lines[: first + 1]) + "\n", encoding="utf-8")
    more = ("--objective", "points", "--games", "2000", "--json")
    after = inside("advise", "dice/amigo", "--after", str(record), *more).json
    by_position = inside("advise", "dice/amigo", after["position"], *more).json
    assert same(after) == same(by_position)
    # Seat 1 decides, seat 0 acted before: the last of the others.
    dealt = lines[first - 1].split()[2]
    assert after["position"].split()[0] == f"hand={dealt}"
    assert "first=2" in after["position"]


def test_advice_after_a_finished_round_is_3(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    said = process(*PLAY, "--games", "1", "--show", "1", "--rounds")
    record.write_text(said.out.partition("\n\n")[0] + "\n", encoding="utf-8")
    refused = inside("advise", "dice/amigo", "--after", str(record))
    assert refused.code == 3
    assert "its last round is over" in refused.err
    assert inside("advise", "dice/gigamic", "--after", str(record)).code == 2


# odds


@pytest.mark.long
def test_odds_of_a_roll() -> None:
    answer = answered("odds", *SAMPLED[1:])
    assert set(answer) == {"rules", "position", "events", "version"}
    chances = {name: estimate["value"] for name, estimate in answer["events"].items()}
    cases = ("three llamas", "match", "miss", "blown")
    assert sum(chances[case] for case in cases) == pytest.approx(1, abs=1e-12)
    assert chances["three llamas"] == pytest.approx(1 / 27, abs=1e-12)
    assert {"out", "discard 25L", "take 1"} <= set(chances)
    assert {tuple(estimate) for estimate in answer["events"].values()} == {tuple(ESTIMATE)}


@pytest.mark.long
def test_odds_as_text() -> None:
    said = process("odds", *SAMPLED[1:])
    assert said.code == 0
    assert re.search(r"^three llamas: you return a token +4 %$", said.out, re.MULTILINE)
    assert "Exact." in said.out
    assert re.search(r"^three llamas +3\.70 %$", process("odds", *SAMPLED[1:], "-v").out, re.M)


@pytest.mark.parametrize(
    ("rules", "mean"),
    # Six of 36 cards, six of them llamas; of 55 cards with seven.
    [("dice/amigo", 1), ("lama/egmont", 6 * 7 / 55), ("lama/party", 6 * 8 / 56)],
)
def test_odds_of_the_deal(rules: str, mean: float) -> None:
    answer = inside("odds", rules, "deal", "--json").json
    assert answer["position"] == "deal"
    means = {}
    for what in ("penalty", "kinds", "llamas", *(["run"] if "lama/" in rules else [])):
        shares = {
            int(name.split()[1]): estimate["value"]
            for name, estimate in answer["events"].items()
            if name.startswith(f"{what} ")
        }
        assert sum(shares.values()) == pytest.approx(1, abs=1e-12)
        means[what] = sum(value * share for value, share in shares.items())
        assert answer["events"][f"mean {what}"]["value"] == pytest.approx(means[what], abs=1e-12)
    assert means["llamas"] == pytest.approx(mean, abs=1e-12)


# rules and policies


@pytest.mark.long
def test_rules_lists_every_edition() -> None:
    answer = answered("rules")
    assert set(answer["rules"]) >= {"dice/amigo", "dice/egmont", "dice/gigamic"}
    assert set(answer["rules"]) >= {"lama/amigo", "lama/egmont", "lama/party"}
    text = process("rules").out
    assert all(name in text for name in answer["rules"])


def test_rules_of_a_game_explains_options_with_sources() -> None:
    answer = inside("rules", "dice", "--json").json
    assert {"faces", "twenty", "target"} <= set(answer["options"])
    assert any("assumption" in line for line in answer["notes"])
    text = inside("rules", "dice").out
    assert all(option in text for option in answer["options"])


def test_dice_that_are_not_those_of_the_game_have_a_note_of_their_own() -> None:
    for faces in ("1234LL.3456LL.1256LL", "1234LL.1256LL.3456LL", "1235LL.1346LL.2456LL"):
        assert "Each die has two llama faces" in inside("rules", f"dice/amigo+faces={faces}").out
    said = inside("rules", "dice/amigo+faces=123456.123456.LLLLLL").out
    assert "Each die has" not in said
    assert "These are not the dice of the game." in said


def test_rules_of_a_rule_set() -> None:
    answer = inside("rules", "dice/egmont+twenty+target=50", "--json").json
    assert answer["rules"] == "dice/egmont+target=50+twenty"
    assert answer["players"] == [2, 6]
    assert (answer["options"]["target"], answer["options"]["twenty"]) == (50, True)
    assert "target=50" in inside("rules", "dice/egmont+twenty+target=50").out


@pytest.mark.long
def test_policies_lists_families() -> None:
    found = answered("policies", "dice")["policies"]
    assert {"random", "threshold:T"} <= set(found)
    text = process("policies", "dice").out
    assert all(name in text for name in found)
    assert all(found.values())


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("dice/egmont+twenty+empty_row_ends", "dice/egmont+empty_row_ends+twenty"),
        ("dice/egmont+empty_row_ends+twenty", "dice/egmont+empty_row_ends+twenty"),
        ("dice/amigo+empty_row_ends", "dice/amigo"),
        ("dice/amigo+target=40+faces=1256LL.1234LL.3456LL", "dice/amigo"),
    ],
)
def test_every_command_names_the_canonical_id(given: str, canonical: str) -> None:
    play = ("--players", "2", "--policy", "random", "--games", "10")
    for question in (
        ("advise", given, "hand=2 opp=q3"),
        ("odds", given, "deal"),
        ("simulate", given, *play),
        ("rules", given),
    ):
        assert inside(*question, "--json").json["rules"] == canonical
