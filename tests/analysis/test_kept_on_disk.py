"""What is kept on disk: compiled ahead, shown, removed on request and once nobody uses it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import filelock
import pytest

from lama_odds.analysis import kept_on_disk
from lama_odds.analysis import warm as warm_module
from lama_odds.analysis.warm import (
    ADVISE,
    AFTER,
    ODDS,
    SIMULATE,
    TWO,
    WIN,
    Question,
    Warmed,
    built_in_rules,
    typical_questions,
)
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.jit import places as jit_places
from lama_odds.jit import sources
from tests.cli.calls import inside

NOW = time.time()


def folder(cache: Path, module: str, number: int, days: float, code: int = 7) -> Path:
    """The folder of a version of a module, last used so many days ago."""
    made = cache / f"{module}-{number:016x}"
    (made / "turn_0").mkdir(parents=True)
    (made / "turn_0" / "turn.roll.py311.1.nbc").write_bytes(b"c" * code)
    (made / "table-12.npy").write_bytes(b"t" * 100)
    (made / jit_places.STAMP).touch()
    os.utime(made / jit_places.STAMP, (NOW - days * jit_places.DAY,) * 2)
    return made


def test_what_nobody_uses_goes(tmp_path: Path) -> None:
    kept = [folder(tmp_path, "games.dice.turn", at, days) for at, days in enumerate((0, 3, 29))]
    old = folder(tmp_path, "games.dice.turn", 8, 31)
    assert jit_places.prune(tmp_path, NOW) == [old]
    assert jit_places.folders_in(tmp_path) == kept
    many = [folder(tmp_path, "luck.stream", at, at / 2) for at in range(8)]
    went = jit_places.prune(tmp_path, NOW)
    # The latest four, and what was used within a day.
    assert sorted(went) == many[jit_places.VERSIONS :]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_nothing_goes_that_is_written_to_or_is_not_ours(tmp_path: Path) -> None:
    cache, outside = tmp_path / "kernels", tmp_path / "outside"
    busy = folder(cache, "games.dice.turn", 1, 99)
    (busy / "lock").touch()
    outside.mkdir()
    (outside / "victim").write_text("mine")
    (cache / f"luck.stream-{2:016x}").symlink_to(outside)
    (cache / "notes").mkdir()
    linked = folder(cache, "luck.stream", 3, 99)
    (linked / "there").symlink_to(outside)
    with filelock.FileLock(busy / "lock"):
        assert jit_places.prune(cache, NOW) == [linked]
    assert jit_places.prune(cache, NOW) == [busy]
    assert (outside / "victim").read_text() == "mine"
    assert (cache / "notes").is_dir()
    (tmp_path / "link").symlink_to(cache)
    assert jit_places.folders_in(tmp_path / "link") == []


def test_a_folder_is_stamped_once_a_day_and_prunes_once(tmp_path: Path) -> None:
    assert not jit_places.used(tmp_path / "none").exists()
    mine = folder(tmp_path, "luck.stream", 1, 0)
    old = folder(tmp_path, "luck.stream", 2, 99)
    jit_places.used(mine)
    assert old.exists()  # its stamp is of today: nothing is looked for
    (mine / jit_places.STAMP).unlink()
    (mine / jit_places.STAMP).symlink_to(old / "table-12.npy")  # is replaced, not followed
    os.utime(mine / jit_places.STAMP, (1.0, 1.0), follow_symlinks=False)
    jit_places.used(mine)
    assert not (mine / jit_places.STAMP).is_symlink()
    assert mine.exists()
    assert not old.exists()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, with a folder of this version and one of another."""
    cache = tmp_path / "lama-odds" / "kernels"
    name = sources.folder_name("lama_odds.luck.stream")
    folder(cache, "luck.stream", 1, 1, code=50).rename(cache / name)
    folder(cache, "games.dice.turn", 1, 1, code=7)
    monkeypatch.setattr(kept_on_disk, "places", lambda: (cache,))
    return cache


def test_sizes_are_shown_by_kind_and_version(places: Path) -> None:
    found = kept_on_disk.look()
    assert found.total(kept_on_disk.CODE, True) == (1, 1, 50)
    assert found.total(kept_on_disk.CODE, False) == (1, 1, 7)
    assert found.total(kept_on_disk.TABLES, False) == (1, 1, 100)
    assert found.size == 257
    told = inside("cache").out
    assert str(places) in told
    assert "machine code, this version" in told
    assert "257 bytes" in told
    plain = inside("cache", "--json").json
    assert (plain["bytes"], plain["cleared"]) == (257, None)
    assert [each["current"] for each in plain["folders"]] == [False, True]


def test_clearing_removes_our_own_folders_only(places: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").touch()
    (places / "luck.stream-0123456789abcdef").symlink_to(victim)
    (places / ".gone-1-luck.stream-0000000000000001").mkdir()
    told = inside("cache", "--clear", "--json").json
    assert (told["bytes"], told["cleared"]) == (0, 257)
    assert [Path(left["path"]).name for left in told["left"]] == ["luck.stream-0123456789abcdef"]
    assert (victim / "file").exists()
    assert [path.name for path in places.iterdir()] == ["luck.stream-0123456789abcdef"]


def test_a_cache_that_is_a_link_is_refused(places: Path, tmp_path: Path) -> None:
    real = places.rename(tmp_path / "real")
    places.symlink_to(real)
    refused = inside("cache", "--clear")
    assert (refused.code, refused.out) == (4, "")
    assert "is a link" in refused.err
    assert len(jit_places.folders_in(real)) == 2
    with pytest.raises(LimitError):
        kept_on_disk.look()


def test_all_built_in_rule_sets_are_asked_about_and_every_position_can_occur() -> None:
    rules = built_in_rules()
    assert len(rules) == len(set(rules)) >= 8
    questions = typical_questions(rules)
    assert {question.rules for question in questions} == set(rules)
    assert len(questions) == len(set(questions))
    for name in rules:
        of_two = [
            q for q in questions if q.rules == name and (q.command, q.text) == (SIMULATE, TWO)
        ]
        to_win = [q for q in questions if q.rules == name and (q.command, q.aim) == (ADVISE, WIN)]
        assert len(of_two) == 1
        assert len(to_win) == game_of(name).has_rounds
    for question in questions:
        game = game_of(question.rules)
        if question.text == AFTER:
            assert game.has("held_by_others")
        elif question.command in (ADVISE, ODDS):
            assert game.position(game.rules(question.rules), question.text).players >= 2


def test_a_rule_set_that_there_is_not_is_refused_before_anything_is_compiled() -> None:
    with pytest.raises(ReadError, match="did you mean"):
        typical_questions(["dice/amigo", "dice/amig"])
    refused = inside("warm", "dice/amigo+dealt=nothing")
    assert refused.code == 2
    assert "dealt" in refused.err


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((1, 0), "Made 1 function for lama/amigo in 12 s; kept"),
        ((70, 2), "Made 70 functions and 2 tables for lama/amigo in 12 s; kept"),
        ((0, 0), "Nothing to compile for lama/amigo: all of it is there."),
    ],
)
def test_what_was_made_is_told_in_words(
    counts: tuple[int, int], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Warmed(("lama/amigo",), 12, *counts, seconds=12.3)
    monkeypatch.setattr("lama_odds.analysis.warm.warm", lambda *_: found)
    assert inside("warm", "lama/amigo").out.startswith(told)


@pytest.mark.long
def test_ctrl_c_ends_all_processes_and_what_is_there_is_not_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    children: list[subprocess.Popen[str]] = []
    start = warm_module._start

    def begin() -> subprocess.Popen[str]:
        children.append(start())
        return children[-1]

    def stop(done: float, what: str) -> None:
        raise KeyboardInterrupt

    positions = ("kept=44 rolled=12335W", "kept=44 rolled=12345W", "kept=4 rolled=123355W")
    asked = [Question(ODDS, "pikomino/egmont", text) for text in positions]
    monkeypatch.setattr(warm_module, "typical_questions", lambda rules: asked)
    monkeypatch.setattr(warm_module, "default_threads", lambda: 2)
    monkeypatch.setattr(warm_module, "_start", begin)
    warm_module.warm(["pikomino/egmont"])
    with pytest.raises(KeyboardInterrupt):
        warm_module.warm(["pikomino/egmont"], stop)
    assert len(children) == 4
    assert all(child.poll() is not None for child in children)
    again = warm_module.warm(["pikomino/egmont"])
    assert (again.nothing, again.questions, again.left_out) == (True, 3, ())
