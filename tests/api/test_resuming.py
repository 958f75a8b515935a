"""Resume: what was played is kept, and only the same question of the same program continues it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.core.errors import LimitError
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.simulation import run_folder as folders
from lama_odds.simulation.run import Part, play_chunk, using
from tests.cli.calls import same

DICE = "dice/amigo"
EGMONT = "dice/egmont"
PAIR = [DICE, EGMONT]
FEW = {"rules": DICE, "players": 2}
POSITION = "hand=25L row=1346L opp=13"


# run folders: games


@dataclass
class OneByOne:
    """An engine that plays a chunk when its result is wanted, and fails at one of them.

    played: the games of each chunk that was played.
    """

    fails_at: int = -1
    failure: BaseException = field(default_factory=RuntimeError)
    chunk_seconds: float = 0.0
    ahead: int = 1
    slots: int = 1
    played: list[int] = field(default_factory=list)

    @contextmanager
    def open(self, job: Job, seed: int) -> Iterator[OneByOne]:
        self.job, self.seed = job, seed
        yield self

    def submit(self, first: int, count: int) -> OneChunk:
        return OneChunk(self, first, count)


@dataclass
class OneChunk:
    engine: OneByOne
    first: int
    count: int
    soon: bool = False

    def result(self) -> Part:
        if len(self.engine.played) == self.engine.fails_at:
            raise self.engine.failure
        self.engine.played.append(self.count)
        return play_chunk(self.engine.job, self.engine.seed, self.first, self.count)


def games_played(run: Path | None, games: int, engine: OneByOne) -> lo.Answer:
    with using(engine):
        return lo.simulate(DICE, 2, "random", games, rounds=True, run=run)


@pytest.mark.parametrize("failure", [LimitError("no worker"), SystemExit(1)])
def test_games_that_were_played_before_an_engine_failed_are_not_played_again(
    tmp_path: Path, failure: BaseException
) -> None:
    run, broken, sound = tmp_path / "run", OneByOne(3, failure), OneByOne()
    with pytest.raises(type(failure)):
        games_played(run, 3000, broken)
    kept = lo.runs(run)
    assert (kept.state, kept.to_json()["games"]) == ("stopped", sum(broken.played))
    found = games_played(run, 3000, sound)
    assert sum(broken.played) + sum(sound.played) == 3000
    assert same(found.to_json()) == same(games_played(None, 3000, OneByOne()).to_json())
    assert lo.runs(run).state == "done"


# Questions that play for long; for each argument that its games depend on, by what the message
# calls it, another value.
LONG: dict[str, tuple[Callable[..., lo.Answer], dict[str, Any], dict[str, Any]]] = {
    "simulate": (
        lo.simulate,
        {"rules": DICE, "players": 2, "policy": "random", "games": 40, "rounds": True},
        {"rules": EGMONT, "players": 3, "policies": {"policy": "threshold:5"}, "rounds": False},
    ),
    "thresholds": (
        lo.thresholds,
        {"rules": DICE, "players": 2, "policy": "threshold:5", "games": 2000},
        {"rules": "lama/egmont", "players": 3, "policy": "threshold:6", "objective": "win"},
    ),
    "compare": (
        lo.compare,
        {"rules": PAIR, "players": 2, "policy": "threshold:6", "games": 100},
        {"rules": PAIR[::-1], "players": 3, "policies": {"policy": "threshold:5"}},
    ),
    "sweep": (
        lo.sweep,
        {**FEW, "vary": ["target=30,40"], "policy": "threshold:6", "games": 100},
        {
            **{"rules": EGMONT, "vary": ["target=30,50"], "players": 3},
            "policies": {"policy": "threshold:5"},
        },
    ),
    "tournament": (
        lo.tournament,
        {**FEW, "policies": ["random", "threshold:5"], "games": 30},
        {"rules": EGMONT, "players": 3, "policies": ["random", "threshold:6"]},
    ),
    "tune": (
        lo.tune,
        {**FEW, "family": "threshold", "against": "threshold:6", "games": 1000},
        {
            **{"rules": EGMONT, "players": 3, "objective": "points", "games": 2000},
            **{"against": "threshold:5", "family": "meanfield"},
        },
    ),
}


@pytest.mark.parametrize("command", LONG)
def test_a_run_is_continued_by_the_same_question_only(tmp_path: Path, command: str) -> None:
    ask, how, others = LONG[command]
    run = tmp_path / "run"
    # What the folder keeps is written before anything is played, so nothing need be played.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders.RunFolder, "job", _not_now)
        with pytest.raises(NotNowError):
            ask(**how, run=run)
    kept = (run / "run.json").read_bytes()
    for name, other in {**others, "seed": 1}.items():
        changed = other if isinstance(other, dict) else {name: other}
        with pytest.raises(lo.LamaOddsError, match=f"\n  {name}: found .*, expected ") as refused:
            ask(**{**how, **changed}, run=run)
        assert refused.value.exit_code == 4
    other_command = next(name for name in LONG if name != command)
    ask_other, how_other, _ = LONG[other_command]
    said = f'command: found "{command}", expected "{other_command}"'
    with pytest.raises(lo.LamaOddsError, match=said):
        ask_other(**how_other, run=run)
    assert (run / "run.json").read_bytes() == kept


def test_a_comparison_is_continued_only_with_the_policy_of_each_rule_set(tmp_path: Path) -> None:
    game, pair = game_of("lama"), ["lama/party", "lama/egmont"]
    first, second = (game.best_policy(game.rules(text), 3).name for text in pair)
    assert first != second
    run = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders.RunFolder, "job", _not_now)
        with pytest.raises(NotNowError):
            lo.compare(pair, players=3, policies="retuned", games=100, run=run)
    with pytest.raises(lo.LamaOddsError, match="\n  policies: found "):
        lo.compare(pair, players=3, policy=first, games=100, run=run)


class NotNowError(Exception):
    """What would be played, were it not enough to begin."""


def _not_now(*_: object, **__: object) -> None:
    raise NotNowError


# files of rows


ADVICE = {"positions": [POSITION], "games": 1000}
ROWS = {"players": 2, "policy": "threshold:5", "games": 1}


def advice_into(out: Path, **more: Any) -> lo.Answer:
    return lo.advise_many(**{"rules": DICE, **ADVICE, "out": out, **more})


def rows_into(out: Path, **more: Any) -> lo.Answer:
    return lo.simulate_rows(**{"rules": DICE, **ROWS, "out": out, **more})


def test_what_another_version_of_the_program_began_is_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, files = tmp_path / "run", {advice_into: tmp_path / "a.csv", rows_into: tmp_path / "r.csv"}
    for written, out in files.items():
        written(out)
    games_played(run, 10, OneByOne())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr(lo, "__version__", "9.9")
    for written, out in files.items():
        with pytest.raises(lo.LamaOddsError, match=r"another question \(version .*, not 9\.9\)"):
            written(out)
    with pytest.raises(lo.LamaOddsError, match=r"was begun by lama-odds .*, this is 9\.9"):
        games_played(run, 20, OneByOne())
    assert {path: path.read_bytes() for path in before} == before
    assert lo.runs(run).to_json()["games"] == 10  # it can still be looked at


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_file_with_other_columns_is_not_continued(tmp_path: Path, suffix: str) -> None:
    """The positions that are in it are the same, but those to come have a column more."""
    out = tmp_path / f"rows.{suffix}"
    advice_into(out)
    content = out.read_bytes()
    later = "hand=5L row=1346L opp=13"
    with pytest.raises(lo.LamaOddsError, match=r"answers another question .columns .*name"):
        advice_into(out, positions=[POSITION, {"position": later, "name": "second"}])
    assert out.read_bytes() == content
    advice_into(out, positions=[POSITION, later])
    assert out.read_bytes().startswith(content)


@pytest.mark.parametrize(
    ("written", "others"),
    [
        (
            advice_into,
            {
                **{"rules": "dice/egmont", "objective": "points", "opponents": "random"},
                **{"seed": 1, "play_out": True, "games": 2000, "format": "jsonl"},
                "everybody": {"opponents": "all:random"},
                "seconds": {"games": None, "seconds": 0.5},
                "precision": {"games": None, "precision": 0.5},
                "sensitivity": {"sensitivity": True, "format": "jsonl"},
            },
        ),
        (
            rows_into,
            {
                **{"rules": "dice/egmont", "seed": 1, "rows": "rounds", "format": "jsonl"},
                "policies": {"policy": ["threshold:5", "random"]},
                "rounds": {"rounds": True, "rows": "rounds"},
            },
        ),
    ],
)
def test_a_file_is_continued_by_the_same_question_only(
    tmp_path: Path, written: Callable[..., lo.Answer], others: dict[str, Any]
) -> None:
    out = tmp_path / "rows.csv"
    written(out)
    content = out.read_bytes()
    for name, other in others.items():
        changed = other if isinstance(other, dict) else {name: other}
        said = f"another question .*{name.replace('_', ' ')} .*, not "
        with pytest.raises(lo.LamaOddsError, match=said) as refused:
            written(out, **changed)
        assert refused.value.exit_code == 4
    assert out.read_bytes() == content
    written(out, threads=1)  # which the numbers do not depend on
    if written is advice_into:
        written(out, opponents="best")  # who the others are if nobody is named


def test_rows_that_were_found_before_an_error_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, whole = tmp_path / "rows.csv", tmp_path / "whole.csv"
    rows_into(whole, games=4)

    def fails(done: float, doing: str) -> None:
        if done == 0.5:
            raise RuntimeError(doing)

    with pytest.raises(RuntimeError):
        rows_into(out, games=4, progress=fails)
    assert out.read_bytes() == b"".join(whole.read_bytes().splitlines(keepends=True)[:5])
    made: list[float] = []
    rows_into(out, games=4, progress=lambda done, doing: made.append(done))
    assert made == [0.75, 1.0]
    assert out.read_bytes() == whole.read_bytes()


def test_best_opponents_are_answered_exactly_where_two_players_are_solved() -> None:
    """`best` is what the others play if nothing is said, so the answer is the same."""
    how: dict[str, Any] = {"objective": "margin", "games": 1000}
    found, named, other = (
        lo.advise(DICE, POSITION, opponents=name, **how) for name in (None, "best", "threshold:5")
    )
    assert (named.method, other.method) == ("exact", "simulation")
    assert {**named.to_json(), "seconds": 0} == {**found.to_json(), "seconds": 0}
