"""The commands on the card game, and `thresholds`: what they print, what they ask of records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.calls import CARDS, CARDS_RECORD, LAST_CARDS, answered, inside, same
from tests.cli.test_commands import ESTIMATE, SIMULATED

SHORT = ("--players", "3", "--policy", "threshold:5", "--games", "3000")
THRESHOLDS = {
    *("rules", "players", "policy", "actions", "decisions", "games", "seed", "rows"),
    "version",
}


@pytest.mark.long
def test_advise_cards() -> None:
    answer = answered(*CARDS, "--games", "2000")
    assert (answer["method"], answer["objective"]) == ("simulation", "win")
    names = {action["action"] for action in answer["actions"]}
    assert names == {"play 5", "play P", "draw", "quit"}
    values = [action["value"]["value"] for action in answer["actions"]]
    assert values == sorted(values, reverse=True)
    by_name = {action["action"]: action for action in answer["actions"]}
    assert by_name["quit"]["points"]["value"] == 3 + 5 + 20
    assert {"playable", "new kind", "llama", "raises"} <= set(by_name["draw"]["chances"])
    assert {"out", "last", "other out"} <= set(by_name["play P"]["chances"])
    assert "the same hidden cards" in " ".join(answer["assumptions"])
    alone = answered(*LAST_CARDS, "--games", "1000", "--objective", "points")
    assert (alone["method"], alone["verdict"]) == ("exact", "play 5")
    assert [action["value"]["value"] for action in alone["actions"]] == [3, 24]


def test_advice_after_a_record_of_cards(tmp_path: Path) -> None:
    record = tmp_path / "cards.txt"
    record.write_text(CARDS_RECORD, encoding="utf-8")
    more = ("--objective", "points", "--games", "1000", "--json")
    after = inside("advise", "lama/party+drama", "--after", str(record), *more).json
    words = dict(word.split("=") for word in after["position"].split())
    assert words == {
        **{"hand": "225LL", "top": "1", "opp": "7,4", "pile": "36", "seen": "6LL"},
        **{"pot": "1,1,10,10", "scores": "3,0,0", "first": "2"},
    }
    by_position = inside("advise", "lama/party+drama", after["position"], *more).json
    # A record shows what the others did, and their cards are drawn by that.
    assert set(after) == set(by_position)
    assert after["position"] == by_position["position"]
    told = "hidden hands are drawn by what the others did this round"
    assert any(line.startswith(told) for line in after["assumptions"])
    assert not any(line.startswith(told) for line in by_position["assumptions"])
    at_random = "hidden cards are drawn at random from the unseen cards in every game"
    assert at_random in by_position["assumptions"]
    assert at_random not in after["assumptions"]
    assert "no inference from play" in str(by_position["assumptions"])
    assert "no inference from play" not in str(after["assumptions"])
    # What others hold and draw is not known.
    hidden = CARDS_RECORD.replace("344456", "333456").replace("draw 3+", "draw 4")
    record.write_text(hidden, encoding="utf-8")
    assert same(inside("advise", "lama/party+drama", "--after", str(record), *more).json) == same(
        after
    )
    assert inside("advise", "lama/party", "--after", str(record)).code == 2


def test_odds_after_a_record_show_what_the_others_hold(tmp_path: Path) -> None:
    record = tmp_path / "cards.txt"
    record.write_text(CARDS_RECORD, encoding="utf-8")
    answer = inside("odds", "lama/party+drama", "--after", str(record), "--json").json
    bare = inside("odds", "lama/party+drama", answer["position"], "--json").json
    assert set(answer) == set(bare) | {"others", "others_made"}
    assert answer["events"] == bare["events"]
    assert [other["opponent"] for other in answer["others"]] == [1, 2]
    for other, cards in zip(answer["others"], (7, 4), strict=True):
        assert set(other) == {"opponent", "cards", "quit", "can_play", "holds", "models"}
        assert other["cards"] == cards
        assert len(other["holds"]) == 14
        assert all(0 <= e["low"] <= e["value"] <= e["high"] <= 1 for e in other["holds"].values())
        assert sum(other["models"].values()) == pytest.approx(1)
    # What others hold and draw is not known.
    hidden = CARDS_RECORD.replace("344456", "333456").replace("draw 3+", "draw 4")
    record.write_text(hidden, encoding="utf-8")
    assert inside("odds", "lama/party+drama", "--after", str(record), "--json").json == answer
    said = inside("odds", "lama/party+drama", "--after", str(record)).out
    assert re.search(
        r"^▶ The player to your left can play now with >?\d+ % \(\d+ % at random\)", said, re.M
    )
    assert re.search(r"^The 2nd player to your left +4 cards +>?\d+ %", said, re.MULTILINE)
    assert "plays like: " in inside("odds", "lama/party+drama", "--after", str(record), "-v").out
    unlike = ("--opponents", "random", "--json")
    assumed = inside("odds", "lama/party+drama", "--after", str(record), *unlike).json
    assert next(iter(assumed["others"][0]["models"])) == "random"
    assert inside("odds", "lama/party+drama", answer["position"], *unlike).code == 2
    assert inside("odds", "lama/party+drama", "deal", "--after", str(record)).code == 2


@pytest.mark.long
def test_odds_of_a_draw() -> None:
    answer = answered("odds", "lama/egmont", "hand=3356L top=4 opp=4,q2,1")
    assert set(answer) == {"rules", "position", "events", "assumptions", "version"}
    assumed = (
        "for what happens next, all unseen cards are equally likely; what quitting tells about a "
        "hand is not used"
    )
    assert answer["assumptions"] == [assumed]
    chances = {name: estimate["value"] for name, estimate in answer["events"].items()}
    # 49 cards are unseen, among them seven 4s and seven 5s.
    assert chances["playable"] == pytest.approx(14 / 49, abs=1e-12)
    assert chances["opponent 3 out"] == pytest.approx(14 / 49, abs=1e-12)
    assert sum(chances[f"draw {card}"] for card in "123456L") == pytest.approx(1, abs=1e-12)
    assert chances["new kind"] == chances["raises"] == pytest.approx(23 / 49, abs=1e-12)
    assert "opponent 2 playable" not in chances
    said = inside("odds", "lama/egmont", "hand=3356L top=4 opp=4,q2,1", "-v")
    assert re.search(r"^playable +28\.57 %$", said.out, re.MULTILINE)
    assert said.out.splitlines()[-1] == f"· {assumed}"
    nobody = inside("odds", "lama/egmont", "hand=3356L top=4 opp=4,2,1", "--json").json
    assert "assumptions" not in nobody


def test_simulate_cards() -> None:
    play = ("simulate", "lama/amigo", "--players", "2", "--policy", "matching:5", "--policy")
    answer = inside(*play, "random", "--games", "500", "--json").json
    assert set(answer) == SIMULATED | {"rounds"}
    assert [seat["policy"] for seat in answer["seats"]] == ["matching:5", "random"]
    assert answer["seats"][0]["win"]["value"] > 0.6
    rounds = inside(*play, "random", "--games", "500", "--rounds", "--json").json
    assert set(rounds) == SIMULATED | {"actions", "went_out", "blown"}
    assert rounds["blown"]["value"] == 0
    assert "blown" not in inside(*play, "random", "--games", "500", "--rounds").out
    shown = inside(*play, "random", "--games", "2", "--show", "1", "--json").err
    assert shown.startswith("lama-odds record 1\nrules lama/amigo\nplayers 2\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "actions", "keys"),
    [
        ("lama/egmont", ["quit", "draw"], ["penalty", "cards", "fewest", "others"]),
        ("dice/amigo", ["quit", "roll"], ["penalty", "others"]),
    ],
)
def test_thresholds_has_its_keys(rules: str, actions: list[str], keys: list[str]) -> None:
    answer = inside("thresholds", rules, *SHORT, "--json").json
    assert set(answer) - {"last_player"} == THRESHOLDS
    assert (answer["actions"], answer["policy"], answer["games"]) == (actions, "threshold:5", 3000)
    for row in answer["rows"]:
        assert list(row) == [*keys, "met", "met_estimate", "n", "points", "margin"]
        for objective in ("points", "margin"):
            assert list(row[objective]) == [*actions, "difference", "better"]
            assert list(row[objective]["difference"]) == ESTIMATE
    assert len(answer.get("last_player", [])) == (127 if rules == "dice/amigo" else 0)
    again = inside("thresholds", rules, *SHORT, "--threads", "1", "--json")
    assert again.json == answer


def test_thresholds_as_text_and_file(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    said = inside("thresholds", "lama/egmont", *SHORT, "--csv", str(file))
    assert said.code == 0
    rule = r"^▶ With \d players(, quit with \d+ points or less and |: quit at )"
    assert re.search(rule, said.out, re.MULTILINE)
    rows = inside("thresholds", "lama/egmont", *SHORT, "--json").json["rows"]
    assert len(file.read_text(encoding="utf-8").splitlines()) == 1 + len(rows)
    assert inside("thresholds", "lama/egmont", *SHORT, "--csv", str(tmp_path)).code == 4
