"""The set-up of a checkout: with uv where it is installed, with pip otherwise, and once."""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "make_env.py"

# Each logs how it was called. FAILS names the first argument at which it fails.
LOGS = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
[ "$1" = "$FAILS" ] && {{ echo "no such index" >&2; exit 2; }}
[ "$1" = venv ] && {{ mkdir -p "{env}/bin"; cp "$0" "{env}/bin/python"; cp "$0" "{env}/bin/pip"; }}
exit 0
"""


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script for a checkout among the temporary files; nothing is really installed."""
    spec = importlib.util.spec_from_file_location("make_env", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").touch()
    os.utime(tmp_path / "pyproject.toml", (1, 1))
    (tmp_path / "programs").mkdir()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "ENV", tmp_path / ".venv")
    monkeypatch.setattr(sys, "argv", ["make_env.py", "test"])
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:/usr/bin:/bin")
    monkeypatch.delenv("FAILS", raising=False)

    def make(env: Path, with_pip: bool) -> None:
        assert with_pip
        program(tmp_path, env / "bin" / "python")
        program(tmp_path, env / "bin" / "pip")

    monkeypatch.setattr(module.venv, "create", make)
    return module


def program(root: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LOGS.format(log=root / "log", env=root / ".venv"))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def calls(root: Path) -> list[str]:
    log = root / "log"
    return log.read_text().replace(str(root), "ROOT").splitlines() if log.exists() else []


PIP = (
    "python -m pip install --quiet --disable-pip-version-check --no-compile"
    " --editable ROOT[serve,test]"
)
COMPILE = "python -m compileall -qq -j 0 ROOT/.venv/lib"
BY_PIP = [PIP, COMPILE]
UV = f"uv venv --quiet --seed --allow-existing --python {sys.executable} ROOT/.venv"
UV_INSTALL = "uv pip install --quiet --python ROOT/.venv/bin/python --editable ROOT[serve,test]"


@pytest.mark.parametrize(
    ("uv", "fails", "tried", "code"),
    [
        (False, "", [PIP, COMPILE], 0),
        (True, "", [UV, UV_INSTALL, "python -c NEEDED"], 0),
        (True, "venv", [UV, PIP, COMPILE], 0),
        (True, "pip", [UV, UV_INSTALL, PIP, COMPILE], 0),
        (False, "-m", [PIP], 2),
    ],
)
def test_uv_makes_it_where_it_is_installed_and_pip_otherwise(
    setup: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    uv: bool,
    fails: str,
    tried: list[str],
    code: int,
) -> None:
    if uv:
        program(tmp_path, tmp_path / "programs" / "uv")
    monkeypatch.setattr(setup, "NEEDED", "NEEDED")
    monkeypatch.setenv("FAILS", fails)
    assert setup.main() == code
    assert calls(tmp_path) == tried
    assert (tmp_path / ".venv" / "ready-test").exists() == (code == 0)


def test_it_is_made_once_until_it_needs_something_else(setup: ModuleType, tmp_path: Path) -> None:
    for time, made in ((0, BY_PIP), (0, BY_PIP), (2**31, BY_PIP * 2)):
        if time:
            os.utime(tmp_path / "pyproject.toml", (time, time))  # another dependency, say
        assert setup.main() == 0
        assert calls(tmp_path) == made


def test_an_index_for_pip_is_also_for_uv(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, tmp_path / ".venv" / "bin" / "pip")
    program(tmp_path, tmp_path / ".venv" / "bin" / "python")
    uv = tmp_path / "programs" / "uv"
    uv.write_text(f'#!/bin/sh\necho "$UV_DEFAULT_INDEX" >> "{tmp_path}/log"\n')
    uv.chmod(0o755)
    monkeypatch.setenv("PIP_INDEX_URL", "https://packages.example/simple")
    monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
    assert setup.main() == 0
    assert calls(tmp_path)[0] == "https://packages.example/simple"
