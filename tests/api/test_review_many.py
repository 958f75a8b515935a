"""Many games reviewed together: lines, totals, files that are skipped, what is kept."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.analysis.coach import history as counting
from lama_odds.analysis.coach import review as reviewing
from lama_odds.analysis.coach.kept import ENDING
from lama_odds.core.errors import ReadError
from lama_odds.games.shared.record import records_in
from lama_odds.report.text.history import kind_text
from tests.analysis.test_review import BLUNDER, played
from tests.cli.calls import Said, inside

FAST = {"objective": "points", "games": 1_000}


def game(number: int, mine: bool = True) -> str:
    text = played("dice/amigo+dealt=3", ["threshold:9", "random"], number, rounds=True)
    return text.replace("policies threshold:9", "policies me") if mine else text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("games")
    (made / "c-2026-01-01.txt").write_text(game(0))
    (made / "b-2026-01-02.txt").write_text(game(1))
    (made / "a.txt").write_text(game(2).replace("\nround", "\n# begun 2026-01-03T10:00:00\nround"))
    (made / "notes.md").write_text("# what I think\n")
    (made / "photo.jpg").write_bytes(b"\xff\xd8\x00")
    (made / "damaged.txt").write_text(game(0).replace("0 roll", "0 rool"))
    (made / "empty.txt").write_text("")
    (made / "begun.txt").write_text("\n".join(BLUNDER.splitlines()[:3]) + "\n")
    return made


def test_a_folder_is_a_record_of_its_games(folder: Path) -> None:
    answer = lo.review_many(folder, **FAST)
    (player,) = answer.players
    assert [line.name[:1] for line in answer.games] == ["c", "b", "a"]  # as they were played
    assert {line.player for line in answer.games} == {"you"}
    assert player.games == 3
    alone = [lo.review(folder / line.name, seat=0, **FAST) for line in answer.games]
    assert player.error == pytest.approx(sum(one.seats[0].error for one in alone))
    assert player.shown == sum(one.seats[0].shown for one in alone)
    assert player.error_low <= player.error <= player.error_high
    assert player.luck == pytest.approx(sum(line.luck for line in answer.games))
    # Games are independent: their intervals add up like the sides of a box to its diagonal.
    halves = [(line.luck_high - line.luck_low) / 2 for line in answer.games]
    assert min(halves) > 0
    assert (player.luck_high - player.luck_low) / 2 == pytest.approx(math.hypot(*halves))
    assert player.luck_adjusted == pytest.approx(player.result - player.luck)
    assert sum(kind.error for kind in player.kinds) == pytest.approx(player.shown_error)
    assert sum(kind.decisions for kind in player.kinds) == player.shown


def test_files_that_hold_no_game_are_named(folder: Path) -> None:
    answer = lo.review_many(folder, **FAST)
    told = {one.name: one.foreign for one in answer.skipped}
    assert told == {
        **{"notes.md": True, "photo.jpg": True, "empty.txt": True},
        **{"damaged.txt": False, "begun.txt": False},
    }


def test_games_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        paths.append(tmp_path / str(number) / "game.txt")
        paths[-1].write_text(game(number))
    answer = lo.review_many(paths, **FAST)
    assert [line.name for line in answer.games] == [str(path) for path in paths]
    again = lo.review_many([paths[0], paths[0]], **FAST)
    assert len(again.games) == 1
    assert "the same game" in again.skipped[0].why


def test_several_objectives_have_totals_of_their_own() -> None:
    answer = lo.review_many(
        [game(0), BLUNDER.replace("players 2", "players 2\npolicies me random")]
    )
    assert {player.objective for player in answer.players} == {"win", "points"}


def test_without_your_seat_all_seats_are_reviewed() -> None:
    both = [game(0, mine=False), game(1, mine=False)]
    answer = lo.review_many(both, **FAST)
    assert {player.player for player in answer.players} == {"threshold:9", "random"}
    assert len(answer.games) == 4
    mine = lo.review_many(["".join(both)], seat=1, **FAST)
    assert [line.player for line in mine.games] == ["you", "you"]
    assert [line.name for line in mine.games] == ["record #1", "record #2"]
    assert records_in("".join(both)) == both


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["no record\n"], "no game here"),
        ([], "no game here"),
        ([BLUNDER.replace("stop 25", "stop 99")], "no game here can be reviewed: record: line 4"),
    ],
)
def test_what_cannot_be_used_is_refused(given: list[str], said: str) -> None:
    with pytest.raises(ReadError, match=said):
        lo.review_many(given)


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), "much", True])
def test_a_limit_is_a_number_above_0(wrong: Any) -> None:
    with pytest.raises(ReadError, match="worse_than"):
        lo.review(BLUNDER, worse_than=wrong)


def test_a_limit_of_a_chance_is_in_percentage_points() -> None:
    found = lo.review(BLUNDER, objective="win", worse_than=1.5)
    assert found.worse_than == pytest.approx(0.015)
    assert lo.review(BLUNDER, worse_than=0.5).worse_than == 0.5


def test_finished_reviews_are_reused(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(2)]
    for number, path in enumerate(paths):
        path.write_text(game(number))
    first = lo.review_many(tmp_path, keep=True, **FAST)
    kept = {path: path.with_name(path.name + ENDING).read_bytes() for path in paths}
    again = lo.review_many(tmp_path, keep=True, **FAST)
    assert [line.reused for line in first.games] == [0, 0]
    assert all(line.reused for line in again.games)
    plain = [{**one.to_json(), "games": None} for one in (first, again)]
    assert plain[0] == plain[1]
    assert kept == {path: path.with_name(path.name + ENDING).read_bytes() for path in paths}
    paths[0].write_text(game(2))
    changed = lo.review_many(tmp_path, keep=True, **FAST)
    assert [bool(line.reused) for line in changed.games] == [False, True]
    assert not lo.review_many(tmp_path, **FAST).games[0].reused


def asked(*words: str) -> Said:
    return inside("review", *words, "--objective", "points", "--games", "1000")


def test_a_folder_and_stdin_as_commands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(asked(str(folder), "--json", "--no-keep").json["games"]) == 3
    assert not list(folder.glob(f"*{ENDING}"))
    assert asked(str(folder), "--html", "x.html").code == 2
    assert asked(str(folder), "nowhere.txt").code == 2
    both = game(0) + game(1)
    monkeypatch.setattr("lama_odds.core.reading.read_handed", lambda path: both)
    assert len(asked("-", "--json").json["games"]) == 2


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text(game(number))
    original, left = reviewing.grade_in_stages, [len(lo.review(game(0), seat=0, **FAST).decisions)]

    def stopped(*given: Any) -> Any:
        left[0] -= 1
        if left[0] < -1:
            raise KeyboardInterrupt
        return original(*given)

    with monkeypatch.context() as patched:
        patched.setattr(reviewing, "grade_in_stages", stopped)
        said = asked(str(tmp_path))
    assert (said.code, "is kept" in said.err) == (130, True)
    answer = lo.review_many(tmp_path, keep=True, **FAST)
    assert [line.reused for line in answer.games][1] == 1


def test_a_trend_needs_games_and_holds_their_differences() -> None:
    assert counting._trend([[1.0]] * (counting.FEWEST - 1)) is None
    flat = counting._trend([[1.0, 0.0], [0.0, 1.0]] * 4)
    assert flat is not None
    assert flat.change.low <= 0 <= flat.change.high
    better = counting._trend([[2.0, 1.0], [1.0, 2.0]] * 4 + [[0.1, 0.0], [0.0, 0.1]] * 4)
    assert better is not None
    assert better.change.high < 0
    assert (better.blocks[0].first, better.blocks[0].last) == (1, 4)


def test_kinds_speak_the_words_of_the_actions() -> None:
    assert kind_text(counting.Kind("quit", "draw", 1, 1.0)) == "quit, though draw was best"
    assert kind_text(counting.Kind("keep", "keep", 1, 1.0)).startswith("keep, though another")


def test_games_of_a_day_are_in_the_order_of_their_hours(tmp_path: Path) -> None:
    """By what a record says of its beginning, or else by its name."""
    begun = game(0).replace("\nround", "\n# begun 2026-01-03T10:00:00\nround")
    (tmp_path / "told.txt").write_text(begun)
    for hour, number in (("095900", 1), ("101500", 2)):
        (tmp_path / f"2026-01-03-{hour}-dice.txt").write_text(game(number))
    names = [line.name for line in lo.review_many(tmp_path, **FAST).games]
    assert names == ["2026-01-03-095900-dice.txt", "told.txt", "2026-01-03-101500-dice.txt"]
