"""Tuning: the winner is the best there is, its value comes from games the search never played."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

import lama_odds.analysis.tune.racing as race_module
from lama_odds.analysis.policy_files import named_policy, policy_file
from lama_odds.analysis.tune.games import BLOCK, Field
from lama_odds.analysis.tune.racing import FIRST_BLOCKS, FRESH, LOOKS, OWN, first_of
from lama_odds.analysis.tune.tune import Tried, Tuned, measure, tune
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.registry import game_of
from lama_odds.report.text.tune import tuned_text

LAMA = game_of("lama/egmont")
EGMONT = LAMA.rules("lama/egmont")
THRESHOLD = next(family for family in LAMA.families if family.name == "threshold")


def tuned(**changes: object):
    options = {"objective": "win", "against": LAMA.policy("threshold:8"), "games": 6000, "seed": 3}
    return tune(LAMA, EGMONT, THRESHOLD, 3, **(options | changes))


def test_the_winner_is_the_best_of_all_values():
    found = tuned()
    assert found.policy == f"threshold:{found.numbers['T']}"
    values = {
        threshold: measure(
            LAMA, EGMONT, 3, "win", LAMA.policy("threshold:8"),
            LAMA.policy(f"threshold:{threshold}"), 6000, 3,
        )
        for threshold in range(1, 14)
    }  # fmt: skip
    best = max(values.values(), key=lambda estimate: estimate.value)
    own = values[found.numbers["T"]]
    assert own.value == found.value.value
    assert own.value > best.value - 3 * best.stderr
    assert found.value.low > found.fair


def test_the_report_is_on_games_that_the_search_never_played():
    found = tuned()
    # The same games played by hand, far beyond those of the search.
    job_field = Field(LAMA, EGMONT, 3, "win", LAMA.policy("threshold:8"))
    total = games = 0
    for job, row in job_field.jobs(LAMA.policy(found.policy)):
        n = found.games // 3
        total += job.play(3, FRESH, n)[row, 0]
        games += n
    assert found.value.value == pytest.approx(total / WIN / games)
    assert found.search_games < FRESH


def test_same_seed_same_answer_on_any_number_of_threads():
    one, two = tuned(threads=1).to_json(), tuned(threads=2).to_json()
    for answer in (one, two):
        del answer["threads"], answer["seconds"]
    assert one == two


def test_points_are_the_less_the_better():
    found = tuned(objective="points", against=LAMA.policy("threshold:3"))
    worse = measure(
        LAMA, EGMONT, 3, "points", LAMA.policy("threshold:3"), LAMA.policy("threshold:0"), 6000, 3
    )
    assert found.value.high < worse.low


@pytest.mark.long
def test_a_family_of_several_numbers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(race_module, "FIRST_BLOCKS", 2)
    game = game_of("noprob/starnberger")
    rules = game.rules("noprob/starnberger")
    planner = next(family for family in game.families if family.name == "planner")
    found = tune(game, rules, planner, 2, against=game.policy("greedy"), games=1000, seed=1)
    assert game.policy(found.policy).name == found.policy
    assert found.value.low > 0.6
    assert set(found.numbers) == {"chase", "lead", "deny", "haste"}


def test_a_family_without_numbers_is_refused():
    random = next(family for family in LAMA.families if family.name == "random")
    with pytest.raises(ReadError, match="no parameter"):
        tune(LAMA, EGMONT, random, 3)


@pytest.mark.long
def test_every_race_has_games_of_its_own(monkeypatch: pytest.MonkeyPatch):
    """What one race plays, no other plays again, nor the report."""
    played: list[tuple[int, int]] = []
    real = race_module.run

    def noted(job, seed, games, *, first=0, **more):
        played.append((first, first + games))
        assert job.tables[0] == first or first == FRESH
        return real(job, seed, games, first=first, **more)

    monkeypatch.setattr(race_module, "run", noted)
    game = game_of("dice/amigo")
    meanfield = next(family for family in game.families if family.name == "meanfield")
    options = {"against": game.policy("threshold:6"), "games": 500, "seed": 1}
    near = game.policy("meanfield:out=2")
    found = tune(game, game.rules("dice/amigo"), meanfield, 2, start=near, **options)
    races = {first // OWN for first, _ in played if first < FRESH}
    assert races == set(range(len(found.numbers)))
    spans = sorted(played)
    assert all(stop <= first for (_, stop), (first, _) in pairwise(spans))
    assert spans[-1][0] == FRESH


def test_races_are_as_far_apart_as_any_can_be_long():
    assert BLOCK * (FIRST_BLOCKS << (LOOKS - 1)) <= OWN
    assert first_of(0) == 0
    assert first_of(FRESH // OWN - 1) + OWN == FRESH
    most = max(3 * len(family.searchable) for family in game_of("dice/amigo").families)
    assert most < FRESH // OWN
    with pytest.raises(ValueError, match="set apart"):
        first_of(FRESH // OWN)


@pytest.mark.long
def test_who_plays_alike_is_on_the_plateau():
    game = game_of("dice/amigo")
    meanfield = next(family for family in game.families if family.name == "meanfield")
    options = {"objective": "points", "against": game.policy("meanfield"), "games": 1_000}
    found = tune(game, game.rules("dice/amigo"), meanfield, 2, **options)
    same = [tried for tried in found.tried if tried.value == found.searched]
    assert len(same) > 1
    assert {tried.state for tried in same} == {"stayed", "alike"}
    assert [tried for tried in found.plateau if tried in same] == same
    rows = {row["policy"]: row for row in found.to_json()["tried"]}
    text = text_of(found)
    for tried in same:
        row = rows[tried.policy]
        assert (row["stayed"], row["state"]) == (True, tried.state)
        word = (
            "chosen"
            if tried.policy == found.policy
            else {"stayed": "as good", "alike": "equivalent"}[tried.state]
        )
        assert re.search(rf"^{re.escape(tried.policy)} .* {word} *$", text, re.M)
    assert "equivalent: within 0.005 of one that stayed in the race" in text


def test_who_is_behind_is_dropped():
    found = tuned()
    behind = [tried for tried in found.tried if not tried.stayed]
    assert behind
    assert {tried.state for tried in behind} == {"behind"}
    assert not any(tried in found.plateau for tried in behind)
    assert re.search(rf"^{behind[0].policy} .* worse *$", text_of(found), re.M)
    assert "alike" not in text_of(found)


def text_of(found: Tuned) -> str:
    with (console := Console(width=400, file=io.StringIO())).capture() as captured:
        console.print(tuned_text(found, verbose=True))
    return captured.get()


def seen(searched: float, fresh: float, objective: str = "win", higher: bool = True) -> Tuned:
    """A search that saw one value of its winner, fresh games another, each ± 0.03 or 0.04."""
    saw, value = (
        Estimate(at, half / 2, at - half, at + half, 1_000, "simulation")
        for at, half in ((searched, 0.03), (fresh, 0.04))
    )
    tried = (Tried("threshold:5", {"T": 5}, saw, "stayed"),)
    return Tuned(
        *("lama/egmont", 3, "threshold", objective, higher, "threshold:8", "threshold:5"),
        *({"T": 5}, value, None, saw, tried, 1_000, 1_000, 0, 1, 0.0),
    )


def test_the_luck_of_a_search_has_its_error():
    luck = seen(0.333, 0.326).luck
    assert luck.value == pytest.approx(0.007)
    assert (luck.low, luck.high) == pytest.approx((0.007 - 0.05, 0.007 + 0.05))
    assert luck.stderr == pytest.approx(0.025)
    assert seen(0.333, 0.326).to_json()["luck"] == luck.to_json()
    assert (
        "saw 33.3 ± 3.0 % for its winner, fresh games 0.7 ± 5.0 percentage points less"
        in text_of(seen(0.333, 0.326))
    )
    text = text_of(seen(6.1, 6.16, "points", higher=False))
    assert "fewer is better" in text
    assert "saw 6.10 ± 0.03 for its winner, fresh games 0.06 ± 0.05 more" in text
    assert "worms per game" in text_of(replace(seen(6.1, 6.1, "points"), unit="worms"))


# Policy files


def test_a_file_reads_back_as_its_policy(tmp_path: Path):
    found = tuned(games=2000)
    path = tmp_path / "tuned.json"
    path.write_text(policy_file(found))
    assert named_policy(LAMA, EGMONT, f"@{path}", 3) == LAMA.policy(found.policy)
    assert json.loads(path.read_text())["made"]["games"] == found.games


GOOD = {"kind": "lama-odds policy 1", "rules": "lama/egmont", "policy": "threshold:5"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "policy file"),
        ("no JSON", "cannot be read as JSON"),
        ("[]", "not a policy file"),
        (json.dumps(GOOD | {"kind": "another"}), "not a policy file"),
        (json.dumps(GOOD | {"polcy": "x"}), "unknown key 'polcy'"),
        (json.dumps(GOOD | {"rules": "lama/amigo"}), "for lama/amigo, not for lama/egmont"),
        (json.dumps(GOOD | {"players": "4"}), "players is not of type int"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "policy"}), "policy is missing"),
        (json.dumps(GOOD | {"policy": "treshold:5"}), "unknown policy 'treshold'"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str | None, said: str):
    path = tmp_path / "policy.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ReadError) as refused:
        named_policy(LAMA, EGMONT, f"@{path}", 4)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "rules", ["lama/egmont", "lama/party", "dice/gigamic", "pikomino/egmont", "noprob/starnberger"]
)
def test_best_is_known_for_every_number_of_players(rules: str):
    game = game_of(rules)
    rule_set = game.rules(rules)
    for players in rule_set.players:
        for objective in ("win", "points"):
            best = game.best_policy(rule_set, players, objective)
            assert game.policy(best.name) == best
        assert named_policy(game, rule_set, "best", players) == game.best_policy(rule_set, players)
