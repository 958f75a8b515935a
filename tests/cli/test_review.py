"""The command `review`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.calls import caret, inside, same

KEYS = {
    *("rules", "players", "objective", "opponents", "borders", "seats", "decisions", "luck"),
    *("course", "method", "games", "seed", "seconds", "assumptions", "version"),
}
SIMULATE = ("--games", "1", "--show", "1")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of Pikomino as simulate prints it, its summary included."""
    said = inside(
        *("simulate", "pikomino/egmont", "--players", "2", "--policy", "first-tile", *SIMULATE)
    )
    file = tmp_path / "game.txt"
    file.write_text(said.out, encoding="utf-8")
    return file


def test_json_has_its_keys_and_adds_up(game: Path) -> None:
    answer = inside("review", str(game), "--json").json
    assert set(answer) == KEYS
    assert (answer["method"], answer["games"], answer["objective"]) == ("exact", 0, "points")
    assert list(answer["borders"]) == ["inaccuracy", "mistake", "blunder"]
    for seat in answer["seats"]:
        own = [d for d in answer["decisions"] if d["seat"] == seat["seat"] and not d["forced"]]
        assert len(own) == seat["decisions"] == sum(seat["grades"].values())
        assert seat["error"] == pytest.approx(sum(d["error"]["value"] for d in own))
        assert seat["mean_error"] == pytest.approx(seat["error"] / len(own))
        luck = seat["luck"]["own_rolls"] + seat["luck"]["between"]
        assert seat["start"] + luck + seat["skill"] == pytest.approx(seat["result"])
        assert seat["luck_adjusted"] == pytest.approx(seat["result"] - luck)
        worst = [answer["decisions"][i]["error"]["value"] for i in seat["worst"]]
        assert worst == sorted(worst, reverse=True)
        assert worst[0] == max(d["error"]["value"] for d in own)


def test_the_position_of_a_worst_decision_can_be_asked_about(game: Path) -> None:
    answer = inside("review", str(game), "--json").json
    worst = answer["decisions"][answer["seats"][0]["worst"][0]]
    advice = inside("advise", answer["rules"], worst["position"], "--json").json
    by_name = {action["action"]: action["regret"]["value"] for action in advice["actions"]}
    assert advice["best"] == worst["best"]
    assert by_name[worst["played"]] == pytest.approx(worst["error"]["value"])
    text = inside("review", str(game), "-v").out
    assert f'"{worst["position"]}"' in text
    assert re.search(
        r"^Grades by cost in worms: fine below 0\.10, inaccuracy from", text, re.MULTILINE
    )


class _Page(HTMLParser):
    """What a page is made of, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [name for name, value in attrs if name in ("src", "href") and value]


def test_the_page_stands_alone(game: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert inside("review", str(game), "--html", str(file)).code == 0
    text = file.read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    assert not page.loads
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert page.tags.count("polyline") == len(
        re.findall(r"^[01] roll", game.read_text("utf-8"), re.M)
    )
    assert "prefers-color-scheme: dark" in text
    assert "nan" not in re.findall(r'points="([^"]*)"', text)[0]
    answer = inside("review", str(game), "--json").json
    marked = sum(d["grade"] != "fine" for d in answer["decisions"])
    assert page.tags.count("circle") == marked > 0


def test_names_in_a_record_cannot_become_markup(game: Path, tmp_path: Path) -> None:
    text = game.read_text(encoding="utf-8")
    game.write_text(text.replace("policies first-tile", "policies <script>x"), encoding="utf-8")
    file = tmp_path / "page.html"
    assert inside("review", str(game), "--html", str(file)).code == 0
    assert "<script>" not in file.read_text(encoding="utf-8")


def test_decisions_are_counted_in_one_way(game: Path) -> None:
    text = inside("review", str(game)).out
    total, *each = map(int, re.findall(r"(\d+) decisions?\b", text))
    answer = inside("review", str(game), "--json").json
    assert total == sum(each) < len(answer["decisions"])


@pytest.mark.long
def test_games_and_seed_repeat_it(tmp_path: Path) -> None:
    policy = ("--policy", "threshold:5")
    said = inside("simulate", "dice/amigo", "--players", "3", *policy, *SIMULATE, "--rounds")
    file = tmp_path / "round.txt"
    file.write_text(said.out, encoding="utf-8")
    asked = ("review", str(file), "--objective", "points", "--seat", "1", "--json", "--games")
    first, again = (inside(*asked, "1000", "--threads", n).json for n in ("1", "2"))
    assert same(first) == same(again)
    assert any("--games 1000" in line for line in first["assumptions"])
    other = inside(*asked, "1000", "--opponents", "random").json
    assert other["opponents"] == "random"
    assert same(other) != same(first)


def test_two_intervals_of_one_cost_are_explained(game: Path, tmp_path: Path) -> None:
    sampled = tmp_path / "round.txt"
    play = ("--policy", "threshold:9", "--policy", "random", "--rounds")
    said = inside("simulate", "dice/amigo", "--players", "2", *play, *SIMULATE)
    sampled.write_text(said.out, encoding="utf-8")
    asked = ("--objective", "points", "--games", "1000")
    said = inside("review", str(sampled), *asked, "-v").out
    assert "at least" in said
    assert "the interval of a single decision is wider" in said
    assert "of a single decision" not in inside("review", str(sampled), *asked).out
    assert "of a single decision" not in inside("review", str(game), "-v").out  # exact


@pytest.mark.parametrize(
    ("damage", "code", "at"),
    [
        (("stop 23", "stop 27"), 2, "27"),
        (("policies", "polices"), 2, "polices"),
        (("keep 4", "keep 9"), 2, "9"),
    ],
)
def test_damaged_records(game: Path, damage: tuple[str, str], code: int, at: str) -> None:
    text = game.read_text(encoding="utf-8")
    assert damage[0] in text
    game.write_text(text.replace(*damage, 1), encoding="utf-8")
    said = inside("review", str(game))
    assert (said.code, said.out) == (code, "")
    assert re.search(r"line \d+: ", said.err)
    line, place = caret(said)
    assert line[place:].startswith(at)


def test_what_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    assert inside("review", str(file)).code == 2
    for text in ("", "hello\n", "lama-odds record 1\n", "lama-odds record 1\nrules dice\n"):
        file.write_text(text, encoding="utf-8")
        assert inside("review", str(file)).code == 2
    file.write_bytes(b"\xff\xfe\x00")
    assert inside("review", str(file)).code == 2
    file.write_text("lama-odds record 1\nrules dice/amigo\nplayers 2\n", encoding="utf-8")
    assert inside("review", str(file)).code == 3


def test_options_are_checked(game: Path) -> None:
    said = inside("review", str(game), "--seat", "2")
    assert said.code == 2
    assert "seat 2: expected a whole number, 0 to 1" in said.err
    assert inside("review", str(game), "--objective", "margin").code == 2
    assert inside("review", str(game), "--opponents", "nobody").code == 2
    assert inside("review", str(game), "--html", str(game.parent / "none" / "x.html")).code == 4


def test_who_the_others_are_does_not_matter_for_a_turn(game: Path) -> None:
    plain, named = (
        inside("review", str(game), *more, "--json").json
        for more in ((), ("--opponents", "random"))
    )
    assert same(plain) == same(named)


def test_seats_are_rated_against_policies(game: Path) -> None:
    seats = inside("review", str(game), "--json").json["seats"]
    text = inside("review", str(game), "-v").out
    for seat in seats:
        rating = seat["rating"]
        by_name = {rated["policy"]: rated["mean_error"] for rated in rating["policies"]}
        nearest = min(by_name, key=lambda name: abs(by_name[name] - seat["mean_error"]))
        assert rating["nearest"] == nearest
        assert set(rating["fits"]) <= set(by_name)
        assert f"seat {seat['seat']} (first-tile) plays like {nearest}: " in text
