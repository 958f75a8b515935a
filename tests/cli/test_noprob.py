"""No Prob-Lama on the command line: keys, exit codes, and positions mutated at random."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.cli.calls import answered, caret, inside, mutated, process, read_aloud, same
from tests.games.cases import product_record
from tests.games.noprob.cases import TIES, id_of

RULES = "noprob/starnberger"
HIDDEN = "?,?,?/?,?,?/?,?,?"
POSITION = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 opp=?,?,?/?,?,9/?,?,?:DK"
LAST = "grid=6,6,6/3,4,5/7,8,? top=10 opp=3,3,4/4,5,5/6,6,7 last=1"
FEW = ("--games", "1000", "--opponents", "greedy")
PLAY = ("--players", "3", "--policy", "random", "--games", "200")
ESTIMATE = {"value", "stderr", "low", "high", "n", "method"}
ADVICE = {
    *("rules", "position", "objective", "verdict", "best", "actions", "method", "games"),
    *("seed", "seconds", "assumptions", "version"),
}
SIMULATED = {
    *("rules", "players", "games", "seed", "threads", "seconds", "games_per_second", "version"),
    "seats",
}


def told(*args: str) -> dict:
    said = inside(*args, "--json")
    assert said.code == 0, said.err
    return said.json


def names(answer: dict) -> set[str]:
    return {action["action"] for action in answer["actions"]}


@pytest.mark.long
def test_advise_as_a_process() -> None:
    answer = answered("advise", RULES, POSITION, *FEW)
    assert answer.keys() >= ADVICE
    assert (answer["rules"], answer["objective"], answer["games"]) == (RULES, "round", 1000)
    assert (answer["method"], names(answer)) == ("simulation", {"draw", "take"})
    for action in answer["actions"]:
        assert action["value"].keys() == action["regret"].keys() == ESTIMATE
        assert action["value"] == action["round"]
        assert action["margin"].keys() == action["points"].keys() == ESTIMATE
        assert {"ends", "other ends"} <= action["chances"].keys()
    assert answer["actions"][0]["regret"]["value"] == 0
    assert same(told("advise", RULES, answer["position"], *FEW)) == same(answer)
    said = process("advise", RULES, POSITION, *FEW, "-v")
    assert said.code == 0
    assert re.search(r"^(draw|take) +-?\d", said.out, re.MULTILINE)
    assert "take: then " in said.out
    assert "--games 1000 repeats this answer" in said.out


@pytest.mark.long
@pytest.mark.parametrize(
    ("more", "objective", "actions"),
    [
        ("drawn=9", "round", {*(f"replace {r},{c}" for r in "123" for c in "123"), "discard"}),
        ("drawn=D", "round", {"give D to 1"}),
        (f";{HIDDEN} drawn=K", "round", {"give K to 1", "give K to 2"}),
        ("llamas=1,2", "win", {"draw", "take"}),
        ("llamas=1,2 first=1 drawn=K", "win", {"give K to 1"}),
    ],
)
def test_advise_tells_every_action(more: str, objective: str, actions: set[str]) -> None:
    answer = told("advise", RULES, f"{POSITION}{'' if more[0] == ';' else ' '}{more}", *FEW)
    assert (answer["objective"], names(answer)) == (objective, actions)
    for action in answer["actions"]:
        assert action["value"] == action[objective]
    if objective == "win":
        assert 0 <= answer["actions"][0]["value"]["value"] <= 1


@pytest.mark.long
def test_advise_on_the_last_turn_is_exact() -> None:
    answer = told("advise", RULES, LAST, "--objective", "points")
    assert (answer["method"], names(answer)) == ("exact", {"draw", "take", "pass"})
    assert {action["value"]["method"] for action in answer["actions"]} == {"exact"}
    assert answer["verdict"] == answer["best"] == answer["actions"][0]["action"]
    assert "exact" in inside("advise", RULES, LAST, "--objective", "points").out
    sampled = told("advise", RULES, LAST, "--objective", "margin", "--games", "1000")
    assert (sampled["method"], sampled["objective"]) == ("simulation", "margin")


def test_advise_for_four_rounds() -> None:
    text = f"{POSITION} scores=10,20 round=4"
    answer = told("advise", f"{RULES}+four_rounds", text, *FEW)
    assert answer["objective"] == "win"
    assert inside("advise", RULES, text, *FEW).code == 3
    assert told("advise", f"{RULES}+four_rounds", POSITION, *FEW)["objective"] == "points"


@pytest.mark.long
def test_advise_after_a_record(tmp_path: Path) -> None:
    lines = product_record(RULES, ("random", "greedy", "random"), 0, 5).splitlines()
    file = tmp_path / "game.txt"
    turns = [at for at, line in enumerate(lines) if line[0].isdigit()]
    file.write_text("\n".join(lines[: turns[9]]), encoding="utf-8")
    after = told("advise", RULES, "--after", str(file), *FEW)
    assert after["objective"] == "win"
    assert {word.split("=")[0] for word in after["position"].split()} >= {
        *("grid", "top", "pile", "seen", "opp", "llamas", "target", "first"),
    }
    bare = told("advise", RULES, after["position"], *FEW)
    assert bare["position"] == after["position"]
    actions = [{action["action"] for action in answer["actions"]} for answer in (bare, after)]
    assert actions[0] == actions[1]
    # Only the record shows what the others did.
    assert [any("what they did" in a for a in x["assumptions"]) for x in (bare, after)] == [
        False,
        True,
    ]
    assert inside("advise", f"{RULES}+refill=off", "--after", str(file)).code == 2
    file.write_text("\n".join(lines), encoding="utf-8")
    assert inside("advise", RULES, "--after", str(file)).code == 3


@pytest.mark.long
def test_odds_as_a_process() -> None:
    answer = answered("odds", RULES, POSITION)
    assert answer.keys() >= {"rules", "position", "events", "version"}
    events = {name: estimate["value"] for name, estimate in answer["events"].items()}
    assert {"improves", "completes a line", "draw a special", "draw 3", "draw J"} <= events.keys()
    kinds = ("3", "4", "5", "6", "7", "8", "9", "10", "-1", "-2", "-5", "J", "D", "K")
    assert sum(events[f"draw {kind}"] for kind in kinds) == pytest.approx(1)
    # Five jokers, one of them in sight among the ten cards that I know.
    assert events["draw J"] == pytest.approx(4 / 147)
    for group in ("my hidden cards", "hidden cards of 1"):
        assert all(estimate.keys() == ESTIMATE for estimate in answer[group].values())
        assert sum(estimate["value"] for estimate in answer[group].values()) == pytest.approx(1)
    said = process("odds", RULES, POSITION, "-v")
    assert re.search(r"^draw J +2\.72 %$", said.out, re.MULTILINE)


def test_odds_of_the_deal() -> None:
    events = told("odds", RULES, "deal")["events"]
    assert events["J"]["value"] == pytest.approx(5 / 156)
    assert events["J"]["method"] == "exact"


def test_odds_of_the_deal_name_the_cards() -> None:
    for verbose in ((), ("-v",)):
        said = inside("odds", RULES, "deal", *verbose).out
        assert "▶ A card counts 4.3 points on average. It is a joker (J) with 3 %, a Drama" in said
    rows = inside("odds", RULES, "deal").out.splitlines()
    assert [row.split()[-2] for row in rows if row.startswith(("3 to", "-5", "Karma"))] == [
        *("72", "3", "5")
    ]
    without = inside("odds", f"{RULES}+jokers=0", "deal").out
    assert "joker (J)" not in without


@pytest.mark.long
def test_simulate_as_a_process() -> None:
    answer = answered("simulate", RULES, *PLAY)
    assert answer.keys() >= SIMULATED | {"rounds"}
    assert [seat["seat"] for seat in answer["seats"]] == [0, 1, 2]
    for seat in answer["seats"]:
        assert seat.keys() >= {"seat", "policy", "win", "outright", "score"}
    assert sum(seat["win"]["value"] for seat in answer["seats"]) == pytest.approx(1)
    assert answer["rounds"]["value"] >= 3
    rounds = answered("simulate", RULES, *PLAY, "--rounds")
    assert rounds.keys() >= SIMULATED | {"turns"}
    assert not {"went_out", "blown", "actions"} & rounds.keys()
    for seat in rounds["seats"]:
        assert seat.keys() >= {"seat", "policy", "penalty"}
        assert "win" not in seat
    for more in ((), ("--rounds",)):
        assert same(told("simulate", RULES, *PLAY, *more, "--threads", "1")) == same(
            told("simulate", RULES, *PLAY, *more, "--threads", "2")
        )
    said = process("simulate", RULES, *PLAY, "--rounds")
    assert "random" in said.out
    assert said.code == 0


@pytest.mark.parametrize("rounds", [True, False])
def test_simulate_shows_the_records_of_its_games(rounds: bool) -> None:
    more = ("--rounds",) if rounds else ()
    policies = ("--policy", "greedy", "--policy", "random")
    said = inside("simulate", RULES, "--players", "2", *policies, "--games", "50", "--show", "2",
                  *more, "--seed", "4", "--json")  # fmt: skip
    assert said.code == 0
    for game in range(2):
        assert product_record(RULES, ("greedy", "random"), 4, game, rounds) in said.err
    assert said.err.count("lama-odds record 1") == 2
    assert {seat["policy"] for seat in said.json["seats"]} == {"greedy", "random"}


def test_rules_and_policies() -> None:
    assert RULES in process("rules").out
    options = told("rules", RULES)
    assert "triple_joker" in str(options)
    assert inside("rules", f"{RULES}+refill=off").code == 0
    said = process("policies", "noprob")
    for name in ("random", "greedy", "planner"):
        assert name in said.out
    assert "random" in str(told("policies", "noprob"))


@pytest.mark.parametrize(
    ("code", "args"),
    [
        (2, ("advise", RULES)),
        (2, ("advise", "noprob", POSITION)),
        (2, ("advise", "noprob/egmont", POSITION)),
        (2, ("advise", RULES, "")),
        (2, ("advise", RULES, POSITION, "--opponents", "threshold:5")),
        (2, ("advise", RULES, POSITION, "--opponents", "planner:chase=101")),
        (2, ("advise", RULES, POSITION, "--opponents", "planner:chase=4,chase=5")),
        (2, ("advise", RULES, POSITION, "--objective", "worms")),
        (2, ("advise", RULES, POSITION, "--threads", "0")),
        (2, ("advise", RULES, f"{POSITION} top=5")),
        (2, ("advise", f"{RULES}+negatives=1.1.2", POSITION)),
        (2, ("advise", f"{RULES}+copies=16", POSITION)),
        (2, ("advise", f"{RULES}+rounds=4", POSITION)),
        (2, ("advise", f"{RULES}+four_rounds+target=4", POSITION)),
        (2, ("rules", f"{RULES}+copies=1+dramas=0+jokers=0+karmas=0+negative_copies=0.0.0")),
        (2, ("simulate", RULES, "--players", "7", "--policy", "random", "--games", "5")),
        (2, ("simulate", f"{RULES}+copies=1", *PLAY[2:], "--players", "6")),
        (3, ("advise", RULES, f"{POSITION} last=1")),
        (3, ("advise", RULES, POSITION.replace("pile=60", "pile=150"))),
        (3, ("odds", RULES, POSITION.replace("3,?,5", "3,D,5"))),
        (3, ("advise", RULES, f"{POSITION} llamas=3,0")),
        (2, ("advise", RULES, POSITION, "--games", "10")),
        (0, ("rules", RULES)),
        (0, ("policies", "noprob")),
    ],
)
def test_exit_codes(code: int, args: tuple[str, ...]) -> None:
    said = inside(*args)
    assert said.code == code, said.err
    assert "Traceback" not in said.err
    assert bool(said.err.strip()) == (code != 0)


def test_a_caret_marks_what_cannot_be_read() -> None:
    text = POSITION.replace("J,?,?", "X,?,?")
    assert caret(inside("advise", RULES, text)) == (text, text.index("X"))
    rules = f"{RULES}+low=91"
    assert caret(inside("rules", rules)) == (rules, rules.index("91"))
    assert "did you mean starnberger" in inside("rules", "noprob/starnberg").err


def test_all_defects_are_told() -> None:
    said = inside("advise", RULES, POSITION.replace("3,?,5", "3,D,5") + " last=2 llamas=5,0")
    assert said.code == 3
    assert said.err.count("\n  - ") == 3


MUTATED = (POSITION, LAST, f"{POSITION} llamas=1,2 target=3 first=0 drawn=4")
CHARACTERS = "0123456789JDK?-=,./ ():;x²"


def test_mutated_positions_are_answered_or_refused() -> None:
    luck = Random(11)
    seen: Counter[int] = Counter()
    for _ in range(150):
        text = mutated(luck, MUTATED, CHARACTERS)
        seen[read_aloud(inside("odds", RULES, text, "--json"), text)] += 1
    assert min(seen[code] for code in (0, 2, 3)) > 0


def test_a_designers_rules() -> None:
    rules = id_of(TIES)
    answer = told("simulate", rules, "--players", "4", "--policy", "random", "--games", "100")
    assert answer["rules"] == rules
    assert sum(seat["win"]["value"] for seat in answer["seats"]) == pytest.approx(1)
