"""Make the environment of a checkout: .venv with lama-odds and, if named, its extras.

    python3 scripts/make_env.py [test] [lint]

Two at once wait for each other. Standard library only.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENV = ROOT / ".venv"


@contextlib.contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold a lock file for as long as the set-up takes."""
    with open(path, "w", encoding="utf-8") as lock:
        try:
            import fcntl
        except ImportError:  # no such lock on this system: set up without it
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_ready(mark: Path) -> bool:
    """Whether the environment was made after pyproject.toml was last changed."""
    return mark.is_file() and mark.stat().st_mtime > (ROOT / "pyproject.toml").stat().st_mtime


def main() -> int:
    """Make the environment; returns an exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 (whatever python3 is may run this)
        print(
            f"lama-odds needs Python 3.11 or later, this is {sys.version.split()[0]}",
            file=sys.stderr,
        )
        return 1
    extras = sys.argv[1:]
    marks = [ENV / "ready", *(ENV / f"ready-{extra}" for extra in extras)]
    ENV.mkdir(exist_ok=True)
    with only_one(ENV / "lock"):
        if all(is_ready(mark) for mark in marks):
            return 0
        print("lama-odds: setting up its environment (.venv), about a minute", file=sys.stderr)
        if not (ENV / "bin" / "pip").exists():
            venv.create(ENV, with_pip=True)
        target = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
        install = [
            str(ENV / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--editable",
            target,
        ]
        install += ["--disable-pip-version-check"]
        done = subprocess.run(install, stdout=sys.stderr, check=False)
        if done.returncode:
            print("lama-odds: the set-up failed; the lines above say why", file=sys.stderr)
            return done.returncode
        for mark in marks:
            mark.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
