"""Training: what comes back when, the file that remembers, shipped positions, the test of skill."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.coach import drills, training
from lama_odds.analysis.coach.drills import Choice, Drill, collection, stored_why
from lama_odds.analysis.coach.training import HEADER, read_log
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import ENGLISH, LANGUAGES, speaking
from lama_odds.games.registry import GAMES, game_of, names
from lama_odds.games.shared.decisions import query_of, recorded_of
from lama_odds.web.training import answer_in, answer_with, next_of, next_with

DAY = date(2026, 3, 1)
DRILL = Drill(
    "dice/amigo",
    "hand=25L row=1346L opp=13,6LL",
    "win",
    (Choice("roll", 0.0, 0.0, 0.0), Choice("quit", 0.2, 0.19, 0.21)),
    32_768,
)


def answer(chosen: str, days: int = 0, drill: Drill = DRILL) -> training.Answered:
    """An answer to a drill, this many days after the first."""
    choice = drill.choice(chosen)
    where = drill.rules, drill.objective, drill.position
    costs = choice.cost, choice.low, choice.high
    return training.Answered(DAY + timedelta(days), *where, chosen, drill.best, *costs)


def due_in(*chosen: str) -> int | None:
    """The days after the last of these answers, all of one day, until the position comes back."""
    found = training.standings([answer(each) for each in chosen])[DRILL.id]
    return None if found.due is None else (found.due - DAY).days


def test_what_was_missed_comes_back_at_once_then_after_3_and_10_days() -> None:
    assert due_in("quit") == 0
    assert due_in("quit", "roll") == 3
    assert due_in("quit", "roll", "roll") == 10
    assert due_in("quit", "roll", "roll", "roll") is None  # retired
    assert due_in("quit", "roll", "roll", "quit", "roll") == 3  # a miss begins again
    assert due_in("roll") is None  # never missed


def test_only_what_is_due_is_asked_the_longest_due_first() -> None:
    other = Drill(DRILL.rules, "hand=12 opp=13", "win", DRILL.choices, 0)
    answers = [answer("quit"), answer("quit", 1, other), answer("roll", 2)]
    today = DAY + timedelta(days=2)
    assert [each.position for each in training.due_now(answers, "dice", today)] == [other.position]
    later = training.due_now(answers, "dice/amigo", DAY + timedelta(days=5))
    assert [each.position for each in later] == [other.position, DRILL.position]
    assert training.due_now(answers, "lama", today) == []


def test_the_file_remembers_every_answer(tmp_path: Path) -> None:
    path = tmp_path / "new" / "training.txt"
    log = training.read_log(path)
    assert (log.answers, log.notes) == ([], ())
    for chosen in ("quit", "roll"):
        log.add(answer(chosen))
    again = training.read_log(path)
    assert again.answers == log.answers
    assert path.read_text().splitlines()[0] == training.HEADER
    assert "chose quit | best roll | cost 0.2 (0.19 to 0.21)" in path.read_text()


def test_a_damaged_line_is_kept_aside_and_the_others_count(tmp_path: Path) -> None:
    path = tmp_path / "training.txt"
    training.read_log(path).add(answer("quit"))
    whole = path.read_text()
    path.write_text(
        f"{whole}2026-03-02 | dice/amigo | w\n2026-03-02 | none/x | win | a | chose b\n"
    )
    log = training.read_log(path)
    assert [each.chosen for each in log.answers] == ["quit"]
    assert "lines 3, 4" in log.notes[0]
    aside = tmp_path / "training-aside-1.txt"
    assert aside.read_text().startswith(whole)
    assert str(aside) in log.notes[0]
    assert training.read_log(path).notes == ()


def test_a_file_of_another_version_is_kept_and_a_new_one_begins(tmp_path: Path) -> None:
    for number, first in enumerate(("lama-odds training 9", "something else", ""), 1):
        path = tmp_path / "training.txt"
        path.write_text(f"{first}\nmore\n")
        log = training.read_log(path)
        assert (log.answers, len(log.notes)) == ([], 1)
        aside = tmp_path / f"training-aside-{number}.txt"
        assert aside.read_text() == f"{first}\nmore\n"
        log.add(answer("roll"))
        assert training.read_log(path).answers == [answer("roll")]
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReadError, match="cannot read"):
        training.read_log(path)
    assert path.read_bytes() == b"\xff\xfe\x00"


def test_harder_ones_come_after_right_answers() -> None:
    levels = [drill.level for drill in training.fresh([], "pikomino", "")]
    assert levels == sorted(levels, key=("easy", "medium", "hard").index)
    right = [answer("roll")] * 5
    assert training.fresh(right, "dice", "dice")[0].level == "medium"
    # Four of five are enough, and three wrong ones lead back.
    enough = [*right[:2], answer("quit"), *right[:2]]
    assert training.fresh(enough, "dice", "dice")[0].level == "medium"
    assert training.fresh(enough[:4], "dice", "dice")[0].level == "easy"
    assert training.fresh([*enough, *[answer("quit")] * 3], "dice", "dice")[0].level == "easy"
    known = training.fresh([], "dice", "")[0]
    told = answer(known.best, 0, known)
    assert known not in training.fresh([told], "dice", "")
    no_choice = replace(answer("roll"), chosen=training.NO_CHOICE)
    assert (no_choice.right, answer("quit").right, answer("roll").right) == (False, False, True)


@pytest.mark.parametrize("name", GAMES)
def test_shipped_positions_are_clear_and_can_be_played(name: str) -> None:
    game = game_of(name)
    found = drills.collection(name)
    assert len(found) >= 150
    assert len({drill.id for drill in found}) == len(found)
    verdicts = Counter(drill.best.split()[0] for drill in found)
    assert max(verdicts.values()) < 0.8 * len(found)
    assert {drill.level for drill in found} == set(drills.LEVELS)
    for drill in found[::10]:
        rules = game.rules(drill.rules)
        position = game.position(rules, drill.position)
        actions = query_of(game).legal_actions(rules, position)
        assert sorted(actions) == sorted(choice.action for choice in drill.choices)
    for drill in found:
        zone = game.objectives[drill.objective].zone
        assert drill.choices[0].cost == 0
        assert all(choice.cost >= zone and choice.low > 0 for choice in drill.choices[1:])


def test_a_position_without_a_clear_answer_makes_no_drill() -> None:
    game = game_of("pikomino")
    rules = game.rules("pikomino/egmont")
    position = game.position(rules, "kept=4455W centre=22,24-29,31-32,34-36 stacks=33/21")
    assert drills.drill_of(game, rules, position, "win") is None
    clear = game.position(rules, "kept=224444W centre=24 stacks=21.31.26/27.25/29/22.23.28")
    found = drills.drill_of(game, rules, clear, "win")
    assert found is not None
    assert found.best == "stop 24"
    assert found.choice("steal 25 from 1").cost > 0.2


# The test of skill.


def taken(*player: float, seed: int = 1) -> training.SkillTest:
    """A test answered by a simulated player of Lama Dice: precision, caution, what it ignores."""
    made = training.SkillTest(game_of("dice"), draws=2_000)
    return training.simulated(made, player, seed)


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next question is chosen by fewer players: it takes most of the time."""
    monkeypatch.setattr(training, "LOOKED_AT", 60)


@pytest.mark.usefixtures("fewer_draws")
def test_a_test_asks_nothing_twice_and_every_number_has_its_interval() -> None:
    test, again = (taken(3.0, 0.0, 0.5, 0.5) for _ in range(2))
    asked = [drill.id for drill, _ in test.asked]
    assert training.LEAST <= len(asked) == len(set(asked)) <= training.MOST
    result = test.result()
    assert result == again.result()
    for value in (result.cost, *(trait.value for trait in result.traits)):
        assert value.low < value.value < value.high
    chances = test.chances(test.pool[0])
    assert np.allclose(chances.sum(axis=1), 1)
    assert chances.min() > 0


def test_an_answer_tells_what_players_would_not_answer_alike() -> None:
    """Two players: of one kind; of two kinds that are known by their answers, mostly or surely."""
    for first, other, told in (
        *((0.5, 0.5, 0.0), (0.9, 0.9, 0.0), (1 - 1e-12, 1e-12, np.log(2))),
        (0.9, 0.1, np.log(2) + 0.9 * np.log(0.9) + 0.1 * np.log(0.1)),
    ):
        chances = np.array([[first, 1 - first], [other, 1 - other]])
        assert training._information(chances) == pytest.approx(told, abs=1e-9)


@pytest.mark.usefixtures("fewer_draws")
def test_players_are_told_apart() -> None:
    careful = taken(1.0, 6.0, 0.0, 0.0).result().traits[0]
    bold = taken(1.0, -6.0, 0.0, 0.0).result().traits[0]
    assert (careful.id, careful.shown, bold.shown) == ("caution", 1, -1)
    strong, weak = taken(40.0, 0.0, 0.0, 0.0).cost(), taken(0.5, 0.0, 0.5, 0.5).cost()
    assert strong.high < weak.low


def test_a_rule_set_without_positions_has_no_test() -> None:
    with pytest.raises(LimitError, match="too few positions"):
        training.SkillTest(game_of("dice"), "dice/amigo+dealt=3")


# Where the page keeps the answers: the same positions and verdicts as with the file.


CARRIED = "2026-11-29"
TODAY = date.fromisoformat(CARRIED)
LATER = "2026-12-05"


def test_carried_answers_lead_where_those_in_the_file_lead(tmp_path: Path) -> None:
    file = tmp_path / "training.txt"
    log = ""
    for turn in range(6):
        there = next_of(read_log(file), "dice", TODAY)
        here = next_with("dice", log, CARRIED)
        assert here == there
        action = "" if turn == 2 else here["choices"][turn % len(here["choices"])]["action"]
        told = answer_in(read_log(file), "dice", here["id"], action, TODAY)
        found = answer_with("dice", log, CARRIED, here["id"], action)
        line = found.pop("line")
        assert found == told
        log = f"{log or HEADER}\n{line}".strip()
        assert f"{log}\n" == file.read_text(encoding="utf-8")
    assert next_with("dice", log, LATER)["due"] > 0


def test_a_line_that_cannot_be_read_is_left_out_and_said() -> None:
    assert next_with("lama", f"{HEADER}\n\n", CARRIED)["notes"] == []
    found = next_with("lama", f"{HEADER}\nnonsense\n", CARRIED)
    assert found["notes"] == ["1 line of your earlier answers cannot be read, and is left out"]


def test_what_cannot_be_answered_is_refused() -> None:
    first = next_with("lama", "", CARRIED)
    with pytest.raises(ReadError, match="cannot be done here"):
        answer_with("lama", "", CARRIED, first["id"], "fly")
    with pytest.raises(ReadError, match="is not a position"):
        answer_with("lama", "", CARRIED, "nonsense", "draw")
    with pytest.raises(ReadError, match="unknown game"):
        next_with("chess", "", CARRIED)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != ENGLISH])
def test_all_stored_reasons_are_in_the_language_in_force(language: str) -> None:
    for game in names():
        for drill in collection(game):
            with speaking(language):
                told = stored_why(drill)
            assert len(told) == len(drill.why)
            assert not set(told) & set(drill.why), drill.id
            assert stored_why(drill) == drill.why


@pytest.mark.parametrize(
    ("name", "low", "high", "shown"),
    [
        ("ignored", 0.51, 0.9, 1),
        ("ignored", 0.1, 0.9, 0),  # more or less ignored: neither is known
        ("ignored", 0.1, 0.49, -1),
        ("caution", 0.1, 0.9, 1),
        ("caution", -0.1, 0.9, 0),
        ("caution", -0.9, -0.1, -1),
    ],
)
def test_a_trait_is_shown_where_its_interval_is_on_one_side(
    name: str, low: float, high: float, shown: int
) -> None:
    value = Estimate.from_interval((low + high) / 2, 0.1, low, high, 30)
    assert training.Trait(name, value).shown == shown


def test_an_answer_that_may_become_clear_gets_more_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, asked = game_of("noprob"), list[int]()
    few = recorded_of(game).fewer
    assert few > 1

    def advised(*where: Any, **how: Any) -> Any:
        asked.append(how["limits"].games)
        return SimpleNamespace(actions=())

    monkeypatch.setattr(drills, "advise", advised)
    monkeypatch.setattr(drills, "clear_at_99", lambda advice: False)
    monkeypatch.setattr(drills, "may_be_clear", lambda advice: len(asked) > 1)
    rules = game.rules("noprob/starnberger")
    position = game.position(rules, game.example)
    assert drills.drill_of(game, rules, position, "round") is None
    assert len(asked) == 1
    assert drills.drill_of(game, rules, position, "round") is None
    assert asked[1:] == [drills.GAMES // few, drills.MORE * drills.GAMES // few]
