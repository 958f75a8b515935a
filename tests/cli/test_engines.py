"""``--engine`` and what belongs to it: the same answers, and what is refused."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from lama_odds.cli import engines
from lama_odds.simulation import dask_engine
from tests.cli.calls import answered, inside, same

PLAY = ("simulate", "dice/amigo", "--players", "2", "--policy", "threshold:5", "--games", "3000")
DASK = (*PLAY, "--engine", "dask")
TLS = ("--tls-ca", "ca.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
SOMEWHERE = "tls://10.0.0.1:8786"


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="no dask")
def test_worker_processes_of_its_own_give_the_same_answer() -> None:
    found = answered(*DASK, "--threads", "2")
    assert found["threads"] == 2
    assert same(found) == same(inside(*PLAY, "--json").json)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--engine", "dasc"), "--engine dasc: expected threads or dask"),
        (("--scheduler", "tcp://a:1"), "--scheduler tcp://a:1 is for --engine dask"),
        (TLS[:2], "--tls-ca ca.pem is for --engine dask"),
        (("--engine", "dask", "--scheduler", "a:1"), "expected tcp://HOST:PORT or tls://HOST:PORT"),
        (("--engine", "dask", "--scheduler", "tcp://a:70000"), "expected tcp://HOST:PORT"),
        (("--engine", "dask", "--scheduler", "tcp://a:1", *TLS), "is for --scheduler tls://"),
        (("--engine", "dask", *TLS), "is for --scheduler tls://"),
        (("--engine", "dask", "--scheduler", SOMEWHERE, *TLS[:4]), "--tls-key is missing"),
        (("--engine", "dask", "--scheduler", SOMEWHERE, *TLS), "ca.pem: there is no such file"),
        (("--engine", "dask", "--scheduler", SOMEWHERE, "--threads", "2"), "--threads is for this"),
    ],
)
def test_what_does_not_go_together_is_refused(more: tuple[str, ...], said: str) -> None:
    found = inside(*PLAY, *more)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


@pytest.mark.parametrize(
    "command", ["simulate", "tournament", "compare", "sweep", "thresholds", "tune"]
)
def test_without_the_extra_it_says_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {
        "simulate": PLAY[1:],
        "tournament": ("dice/amigo", "--players", "2", "--policies", "random,threshold:5"),
        "compare": ("dice/amigo", "dice/egmont", "--players", "2"),
        "sweep": ("dice/amigo", "--vary", "target=30,40"),
        "thresholds": ("dice/amigo", "--players", "2"),
        "tune": ("dice/amigo", "threshold", "--players", "2"),
    }
    monkeypatch.setattr(dask_engine.importlib.util, "find_spec", lambda name: None)
    found = inside(command, *others[command], "--engine", "dask")
    assert found.code == 4
    assert 'pip install ".[cluster]"' in found.err


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="no dask")
def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 0.3)
    found = inside(*DASK, "--scheduler", "tcp://127.0.0.1:9")
    assert found.code == 4
    assert "no dask scheduler answers at tcp://127.0.0.1:9 within 0.3 s" in found.err
    # Wrong questions are refused before anybody is looked for.
    found = inside(*DASK, "--scheduler", "tcp://127.0.0.1:9", "--policy", "treshold:5")
    assert (found.code, "unknown policy" in found.err) == (2, True)


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="no dask")
def test_keys_that_are_missing_or_none(tmp_path: Path) -> None:
    found = inside(*DASK, "--scheduler", SOMEWHERE)
    assert found.code == 4
    assert f"{SOMEWHERE} needs keys and certificates" in found.err
    files = [tmp_path / name for name in ("ca", "cert", "key")]
    for file in files:
        file.write_text("no key", encoding="utf-8")
    options = [str(x) for pair in zip(TLS[::2], files, strict=True) for x in pair]
    found = inside(*DASK, "--scheduler", SOMEWHERE, *options)
    assert found.code == 4
    assert f"keys and certificates for {SOMEWHERE} cannot be used" in found.err


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("[::1]", True), ("localhost", True), ("10.0.0.1", False), ("pc", False)],
)
def test_only_this_machine_needs_no_tls(
    host: str, here: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    none = dict.fromkeys(("--tls-ca", "--tls-cert", "--tls-key"))
    engines.check_scheduler(f"tcp://{host}:8786", none, None)
    assert ("nothing is encrypted" in capsys.readouterr().err) is not here
    engines.check_scheduler(f"tls://{host}:8786", none, None)
    assert capsys.readouterr().err == ""


def test_files_of_keys_are_taken(tmp_path: Path) -> None:
    files = {f"--tls-{name}": tmp_path / name for name in ("ca", "cert", "key")}
    for file in files.values():
        file.touch()
    engines.check_scheduler(SOMEWHERE, dict(files), None)
