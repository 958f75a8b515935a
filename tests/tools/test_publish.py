"""The command: the list, trials, options, refusals; a target made from end to end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lama_odds.core.files import write_whole
from tools.publishing import child, command
from tools.publishing.chain import Chain
from tools.publishing.child import ROOT
from tools.publishing.published import FILE
from tools.publishing.registry import MODULES, targets
from tools.publishing.sources import Sources
from tools.publishing.target import Making, Target
from tools.publishing.targets import example_games

NAMES = [target.name for target in targets()]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work and times of the tests stay away from those of the checkout."""
    monkeypatch.setattr(command, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)
    return tmp_path / "kept"


def test_targets_are_named_once_and_read_what_is_there() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(MODULES)
    written = {name for target in targets() for name in target.writes}
    for target in targets():
        assert set(target.quick) <= set(target.options)
        assert all((ROOT / name).exists() for name in (*target.reads, *target.writes))
    for path in (*(ROOT / "data").rglob("*.*"), *(ROOT / "reports").glob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if name != "reports/published.json":
            assert any(name.startswith(pattern) for pattern in written), f"who makes {name}?"


MODELS = (
    *("meanfield-dice", "meanfield-lama", "endgames"),
    *("learned-pikomino", "learned-pikomino-errors"),
)


def test_what_comes_before_what() -> None:
    chain = Chain(targets(), ROOT, ROOT, Sources(ROOT))
    order = [target.name for target in chain.named(["all"])]
    before = {name: {t.name for t in chain.before(chain.of(name))} for name in NAMES}
    assert before["policies"] == {*MODELS, "equilibrium", "learned", "learned-lama"}
    assert {"policies", "equity-tables"} <= before["equity"]
    assert {"policies", "copy"} <= before["league"]
    assert "fitted-equity" not in before["league"]
    assert before["equilibrium"] == before["learned-lama"] == {"meanfield-lama"}
    assert before["dice-pairings"] == {"meanfield-dice"}
    assert "ratings" in before["pages"]
    assert all(order.index(b) < order.index(name) for name in NAMES for b in before[name])


@pytest.mark.long
def test_the_list_names_every_target(capsys: pytest.CaptureFixture[str], kept: Path) -> None:
    kept.mkdir()
    write_whole(kept / "times.json", json.dumps({"league": 720.0}))
    assert command.main(["--list"]) == 0
    out = capsys.readouterr().out
    for target in targets():
        assert f"\n{target.name} " in out
        assert target.what in out
    (league,) = (line for line in out.splitlines() if line.startswith("league "))
    assert "12 min" in league
    assert "\n    after meanfield-dice, meanfield-lama, endgames, learned-pikomino, " in out
    assert "    writes reports/league.csv\n" in out


def test_a_dry_run_does_nothing(
    capsys: pytest.CaptureFixture[str], kept: Path, tmp_path: Path
) -> None:
    call = ["dice-pairings", "--set", "games=3", "--out", str(tmp_path / "trial"), "--dry-run"]
    assert command.main(call) == 0
    out = capsys.readouterr().out
    assert "make dice-pairings: reports/dice_pairings.md is missing" in out
    assert "1 of 1 would be made; nothing was done" in out
    assert not kept.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["leauge"], "unknown target 'leauge'\n  did you mean league"),
        (["league", "--set", "gams=3"], "--set gams=3: expected NAME=VALUE with an option"),
        (["league", "--set", "games=many"], "expected a value like 1000"),
        (["league", "--set", "positions=3"], "known: games, seed"),
        (["league", "--again", "--quick"], "league keeps no tables that its pages"),
    ],
)
def test_refusals(arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) in (2, 4)
    assert said in capfd.readouterr().err


def test_nothing_named_shows_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([])
    assert ended.value.code == 2
    assert "tools/publish league --quick" in capsys.readouterr().out


@pytest.mark.long
def test_a_target_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process: one of its own would load everything again."""

    def made(target: Target, making: Making, again: bool) -> None:
        child.make(target, making, again)

    monkeypatch.setattr(command, "spawn", made)
    short = replace(example_games.EXAMPLES[0], games=1_000)
    monkeypatch.setattr(example_games, "EXAMPLES", (short,))
    call = ["example-games", "--out", str(tmp_path / "trial")]
    assert command.main(call) == 0
    page = (tmp_path / "trial" / example_games.PAGE).read_text(encoding="utf-8")
    assert "## Lama Dice" in page
    said = capsys.readouterr().err
    assert "example-games: docs/results/example_games.md is missing" in said
    assert "example-games: made in" in said
    assert command.main(call) == 0
    assert "example-games: up to date" in capsys.readouterr().err
    kept = json.loads((tmp_path / "trial" / FILE).read_text(encoding="utf-8"))
    assert "data/ratings.json" in kept["targets"]["example-games"]["files"]


def test_pages_say_what_makes_them(tmp_path: Path) -> None:
    call = "tools/publish league --set games=3"
    making = Making("league", tmp_path, {"games": 3, "seed": 5, "only": ""}, tmp_path, call)
    assert making.made_by.startswith(f"`{call}` (games 3, seed 5), lama-odds ")


def test_two_at_once_are_refused(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept.mkdir()
    with command.filelock.FileLock(kept / "lock"):
        assert command.main(["league", "--quick"]) == 4
    assert "another tools/publish of this checkout is at work" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "said"), [(None, "–"), (5.2, "5 s"), (720, "12 min"), (9000, "2.5 h")]
)
def test_durations(seconds: float | None, said: str) -> None:
    assert command.duration(seconds) == said
