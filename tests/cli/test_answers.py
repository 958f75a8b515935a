"""What answers hold: exact ones, records, policies, rule sets of files. Words are in `golden`."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lama_odds.analysis.compare.compare import Amount
from lama_odds.analysis.tournament import FEWEST_GAMES, MOST_GAMES, PRECISION
from lama_odds.analysis.variants.given import read_variants, with_options
from lama_odds.api import options, tables
from lama_odds.cli.compare import tell_missed
from lama_odds.cli.tournament import MOST_POLICIES
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.statistics.intervals import FEWEST
from tests.cli.calls import (
    CARDS,
    CARDS_RECORD,
    EXACT,
    RECORD,
    SAMPLED,
    inside,
    same,
    told,
)
from tests.games.cases import product_record

TWO = ("--players", "2")
FEW = ("--games", "1000")
NOPROB, PIKOMINO = "noprob/starnberger", "pikomino/egmont"
GRID = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 opp=?,?,?/?,?,9/?,?,?:DK"
DRAWN = f"{GRID};?,?,?/?,?,?/?,?,? drawn=K"
MID_TURN = "kept=444W centre=21-23,25,30-36 own=24 tops=27,- rolled=1245"
GREEDY = (*FEW, "--opponents", "greedy")


def estimates(answer: Any) -> list[dict[str, Any]]:
    """All estimates in an answer: the objects with a value that is a number."""
    if isinstance(answer, list):
        return [found for part in answer for found in estimates(part)]
    if not isinstance(answer, dict):
        return []
    if isinstance(answer.get("value"), float):
        return [answer]
    return [found for part in answer.values() for found in estimates(part)]


def sum_of(chances: dict[str, Any], *names: str) -> float:
    return float(sum(chances[name]["value"] for name in names or chances))


# advise


@pytest.mark.parametrize(
    ("asked", "objective", "method", "actions"),
    [
        ((*EXACT, "--objective", "margin"), "margin", "exact", "roll|quit"),
        ((*CARDS, *FEW), "win", "simulation", "play 5|play P|draw|quit"),
        (("advise", PIKOMINO, MID_TURN), "points", "exact", "keep 1|keep 2|keep 5"),
        (("advise", NOPROB, DRAWN, *GREEDY), "round", "simulation", "give K to 1|give K to 2"),
    ],
)
def test_every_legal_action_has_its_value_best_first(
    asked: tuple[str, ...], objective: str, method: str, actions: str
) -> None:
    answer = told(*asked)
    assert (answer["objective"], answer["method"]) == (objective, method)
    assert {action["action"] for action in answer["actions"]} == set(actions.split("|"))
    assert answer["best"] == answer["actions"][0]["action"]
    assert answer["verdict"] in (answer["best"], "too close to call", "toss-up")
    assert all(action["value"] == action[objective] for action in answer["actions"])
    regrets = [action["regret"]["value"] for action in answer["actions"]]
    assert regrets[0] == 0
    assert regrets == sorted(regrets)
    for estimate in estimates(answer):
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
        exact = estimate["method"] == "exact"
        assert (estimate["stderr"] == 0, estimate["n"] == 0) == (exact, exact) or not exact
    # What it says of the position is the position.
    again = told(*asked[:2], answer["position"], *asked[3:])
    assert again["actions"] == answer["actions"]


def test_fewer_games_than_can_say_anything_are_refused_at_once() -> None:
    assert options.FEWEST_ROLLOUTS == FEWEST
    assert inside(*SAMPLED, "--games", str(FEWEST - 1)).code == 2
    for words in (("--games", str(FEWEST)), ("--games", "1,000"), ("--games=1e3",)):
        assert told(*SAMPLED, *words)["games"] == 1000


# records


def test_advice_after_a_record_is_that_on_its_position(tmp_path: Path) -> None:
    file = tmp_path / "cards.txt"
    file.write_text(CARDS_RECORD, encoding="utf-8")
    more = ("--objective", "points", *FEW)
    after = told("advise", "lama/party+drama", "--after", str(file), *more)
    known = "hand=225LL top=1 opp=7,4 pile=36 seen=6LL pot=1,1,10,10 scores=3,0,0 first=2"
    assert set(after["position"].split()) == set(known.split())
    bare = told("advise", "lama/party+drama", after["position"], *more)
    assert set(bare) == set(after)
    for command in ("advise", "odds"):
        assert inside(command, "lama/party", "--after", str(file)).code == 2


@pytest.mark.long
def test_a_record_shows_what_the_others_did_and_hides_what_they_hold(tmp_path: Path) -> None:
    file = tmp_path / "cards.txt"
    file.write_text(CARDS_RECORD, encoding="utf-8")
    advise = ("advise", "lama/party+drama", "--after", str(file), "--objective", "points", *FEW)
    odds = ("odds", "lama/party+drama", "--after", str(file))
    after, answer = told(*advise), told(*odds)
    bare = told("odds", "lama/party+drama", answer["position"])
    assert set(answer) == set(bare) | {"others", "others_made"}
    assert answer["events"] == bare["events"]
    for other, number, cards in zip(answer["others"], (1, 2), (7, 4), strict=True):
        assert (other["opponent"], other["cards"], len(other["holds"])) == (number, cards, 14)
        assert sum(other["models"].values()) == pytest.approx(1)
    # What others hold and draw is not known.
    hidden = CARDS_RECORD.replace("344456", "333456").replace("draw 3+", "draw 4")
    file.write_text(hidden, encoding="utf-8")
    assert same(told(*advise)) == same(after)
    assert told(*odds) == answer
    unlike = told(*odds, "--opponents", "random")
    assert next(iter(unlike["others"][0]["models"])) == "random"
    assert inside(*odds[:2], answer["position"], "--opponents", "random").code == 2
    assert inside(*odds[:2], "deal", *odds[2:]).code == 2


def test_nothing_is_left_to_advise_after_the_end(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(product_record(PIKOMINO, ("first-tile", "random"), 0, 155), encoding="utf-8")
    said = inside("advise", PIKOMINO, "--after", str(file))
    assert (said.code, said.out) == (3, "")


# odds


@pytest.mark.parametrize(
    ("asked", "parts", "known"),
    [
        (
            SAMPLED[1:],
            ("three llamas", "match", "miss", "blown"),
            {"three llamas": 1 / 27},
        ),
        (
            ("lama/egmont", "hand=3356L top=4 opp=4,q2,1"),
            tuple(f"draw {card}" for card in "123456L"),
            # 49 cards are unseen, among them seven 4s and seven 5s.
            {"playable": 14 / 49, "opponent 3 out": 14 / 49, "new kind": 23 / 49},
        ),
        (
            (NOPROB, GRID),
            tuple(f"draw {kind}" for kind in (*map(str, range(3, 11)), *"JDK", "-1", "-2", "-5")),
            {"draw J": 4 / 147},  # five jokers, one of them among the ten cards in sight
        ),
        # Six of 36 cards, six of them llamas; of 55 cards with seven.
        (("dice/amigo", "deal"), tuple(f"llamas {n}" for n in range(7)), {"mean llamas": 1}),
        (
            ("lama/egmont", "deal"),
            tuple(f"kinds {n}" for n in range(1, 7)),
            {"mean llamas": 6 * 7 / 55},
        ),
    ],
)
def test_odds_are_exact_and_add_up(
    asked: tuple[str, ...], parts: tuple[str, ...], known: dict[str, float]
) -> None:
    answer = told("odds", *asked)
    events = answer["events"]
    assert sum_of(events, *parts) == pytest.approx(1, abs=1e-12)
    for name, value in known.items():
        assert events[name]["value"] == pytest.approx(value, abs=1e-12)
    assert {estimate["method"] for estimate in events.values()} == {"exact"}
    for group in ("my hidden cards", "hidden cards of 1"):
        assert group not in answer or sum_of(answer[group]) == pytest.approx(1)


# simulate


def test_one_game_does_not_make_a_mean_certain() -> None:
    play = ("simulate", PIKOMINO, *TWO, "--policy", "first-tile")
    one, many = told(*play, "--games", "1"), told(*play, "--games", "200")
    for seat, usual in zip(one["seats"], many["seats"], strict=True):
        assert seat["worms"]["stderr"] > 0
        for name in ("worms", "win"):
            assert seat[name]["low"] <= usual[name]["value"] <= seat[name]["high"]
            assert seat[name]["low"] < seat[name]["high"]
    for name, usual in many.items():
        if isinstance(usual, dict):
            assert one[name]["low"] <= usual["value"] <= one[name]["high"]
            assert one[name]["low"] < one[name]["high"]


# compare


def test_a_precision_that_was_missed_is_told_with_the_games_that_would_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Twice as wide as wanted: four times as many games, in thousands."""
    named = [SimpleNamespace(name=name, key=name) for name in ("rounds", "score")]
    halves = zip(named, (0.2, 0.5), strict=True)
    found: Any = SimpleNamespace(
        games=1_100,
        rows=[
            SimpleNamespace(measure=measure, difference=Estimate.from_half(0.0, 0.1, half, 1_100))
            for measure, half in halves
        ],
    )
    for name, wanted, games in ((None, 0.1, "5000"), ("score", 0.25, "5000"), (None, 0.2, "")):
        tell_missed(found, Amount(half_width=wanted, measure=name))
        said = capsys.readouterr().err
        assert (f"--games {games} would do" in said) == bool(said) == bool(games)


# review


def test_the_page_of_a_review_stands_alone(tmp_path: Path) -> None:
    """Of a game as simulate prints it, its summary included."""
    file, page = tmp_path / "game.txt", tmp_path / "page.html"
    play = ("simulate", PIKOMINO, *TWO, "--policy", "first-tile", "--games", "1", "--show", "1")
    record = inside(*play).out
    for text in (record, record.replace("first-tile", "<script>x</script>", 1)):
        file.write_text(text, encoding="utf-8")
        assert inside("review", str(file), "--html", str(page)).code == 0
        shown = page.read_text(encoding="utf-8")
        assert not re.search("<(script|link|img|iframe)|(src|href)=", shown)
        assert shown.count("<polyline") == len(re.findall(r"^[01] roll", record, re.M))
        assert "nan" not in re.findall(r'points="([^"]*)"', shown)[0]
    assert "&lt;script&gt;" in shown


# bounds and policies


THRESHOLD = ("--policy", "threshold:6")
LEAGUE = ("tournament", "lama/egmont", "--players", "3", "--policies", "threshold:5,random")


def test_bounds_are_those_of_the_analysis() -> None:
    assert tables.PRECISION == PRECISION
    codes = {FEWEST_GAMES - 1: 2, FEWEST_GAMES: 0, MOST_GAMES + 1: 2}
    assert {games: inside(*LEAGUE, "--games", str(games)).code for games in codes} == codes
    many = ",".join(f"threshold:{t}" for t in range(MOST_POLICIES + 1))
    assert inside(*LEAGUE[:-1], many).code == 2


# best and @FILE as a policy


DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
WIN, POINTS = (DICE.best_policy(AMIGO, 2, aim).name for aim in ("win", "points"))
DECIDE = "hand=25L row=1346L opp=13,6LL"
QUICK = 'name = "quick"\nbase = "dice/amigo"\nabout = "Ends at 20 points."\noptions.target = 20\n'


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record, a policy, and rule sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    (tmp_path / "game.txt").write_text(RECORD, encoding="utf-8")
    (tmp_path / "quick.toml").write_text(QUICK, encoding="utf-8")
    tuned("dice/amigo")
    return tmp_path


def tuned(rules: str, **more: Any) -> None:
    """Write policy.json."""
    content = {"kind": "lama-odds policy 1", "rules": rules, "policy": "threshold:7", **more}
    Path("policy.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.long
def test_best_is_best_for_the_objective() -> None:
    assert WIN != POINTS
    tune = ("tune", "dice/amigo", "threshold", *TWO, "--games", "1000")
    assert told(*tune, "--against", "best")["against"] == WIN
    assert told(*tune, "--objective", "points")["against"] == POINTS
    play = ("simulate", "dice/amigo", *TWO, "--policy", "best", "--games", "50")
    assert told(*play)["seats"][0]["policy"] == WIN
    assert told(*play, "--rounds")["seats"][0]["policy"] == POINTS


def test_a_tournament_names_who_best_is_and_reads_several_numbers() -> None:
    args = ("tournament", "dice/amigo", *TWO, "--games", "64", "--policies")
    names = {row["policy"] for row in told(*args, "best,@policy.json")["policies"]}
    assert names == {WIN, "threshold:7"}
    said = inside(*args, "threshold:7,@policy.json")
    assert (said.code, "threshold:7 is named twice" in said.err) == (2, True)
    args = ("tournament", "lama/egmont", *TWO, "--games", "30", "--policies")
    found = told(*args, "threshold:5,meanfield:out=2, even=1,matching:3")
    names = {row["policy"] for row in found["policies"]}
    assert names == {"threshold:5", "meanfield:out=2,even=1", "matching:3"}


def test_a_game_is_played_against_best_and_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    args = ("play", "dice/amigo", "--players", "3", "--file", "played.txt")
    said = inside(*args, "--against", "best", "--against", "@policy.json")
    assert said.code == 0, said.err
    best = DICE.best_policy(AMIGO, 3).name
    lines = Path("played.txt").read_text(encoding="utf-8").splitlines()
    assert f"policies me {best} threshold:7" in lines


def test_what_a_file_was_tuned_for_is_noted() -> None:
    tuned("dice/amigo", players=2, objective="win")
    note = "was tuned for 2 players, not for 3"
    play = ("--policy", "@policy.json", "--games", "20")
    assert note in inside("simulate", "dice/amigo", "--players", "3", *play).err
    assert inside("simulate", "dice/amigo", *TWO, *play).err == ""
    asked = ("--opponents", "@policy.json", "--games", "1000")
    assert note in told("advise", "dice/amigo", DECIDE, *asked)["assumptions"][-1]
    found = told("review", "game.txt", *asked, "--objective", "points")
    assert "for win, not for points" in found["assumptions"][-1]


# variants in files


RULES = "dice/amigo+target=20"
FEW_OF_TWO = (*TWO, "--games", "400", *THRESHOLD)


def test_a_run_folder_and_a_record_have_the_id(in_a_folder: Path) -> None:
    assert inside("simulate", "@quick.toml", *FEW_OF_TWO, "--run", "long").code == 0
    shown = inside("simulate", "@quick.toml", *FEW_OF_TWO, "--show", "1").out
    assert f"rules {RULES}" in shown.splitlines()
    (in_a_folder / "quick.toml").unlink()
    assert told("simulate", RULES, *FEW_OF_TWO, "--run", "long")["rules"] == RULES
    for path in (in_a_folder / "long").rglob("*"):
        assert path.is_dir() or b"quick" not in path.read_bytes()


def test_an_option_alone_is_the_baseline_with_it() -> None:
    assert with_options("lama/egmont+target=30+twenty", "+target=50") == (
        "lama/egmont+twenty+target=50"
    )
    asked = ("lama/egmont+twenty", "+target=30", "+twenty=off", "lama/party")
    found = read_variants(asked, 3)
    assert [each.rules.id for each in found] == [
        game_of(text).rules(text).id
        for text in ("lama/egmont+twenty", "lama/egmont+twenty+target=30", "lama/egmont", asked[3])
    ]


@pytest.mark.parametrize(
    "asked",
    [
        ("+target=30", "lama/egmont"),
        ("lama/egmont", "+nothing"),
        ("lama/egmont", "+"),
        ("lama/egmont", "+target=30+target=40"),
        ("lama/egmont", "+target=40"),
    ],
)
def test_options_alone_that_cannot_be_read(asked: tuple[str, ...]) -> None:
    with pytest.raises(ReadError) as refused:
        read_variants(asked, 3)
    assert refused.value.text is not None
