"""Make the environment of a checkout: .venv with lama-odds, its page and, if named, its extras.

    python3 scripts/make_env.py [test] [lint]

It is made with uv if that is installed, in some ten seconds. Otherwise, or if uv fails, it is made
with pip, which takes about a minute. Two at once wait for each other. Standard library only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENV = ROOT / ".venv"
ALWAYS = ("serve",)  # extras that every checkout has
# With pip the sources of all packages are compiled, with uv only these: every command needs them.
NEEDED = "import numba.np.arraymath, lama_odds.cli.commands"


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


def run(command: Sequence[object], env: dict[str, str] | None = None) -> int:
    """Run a command, its output on stderr; return its exit code."""
    return subprocess.run(
        [str(word) for word in command], stdout=sys.stderr, env=env, check=False
    ).returncode


def say(text: str) -> None:
    """Print a line on stderr."""
    print(f"lama-odds: {text}", file=sys.stderr, flush=True)


def install_with_uv(target: str) -> bool:
    """Install with uv; return False if there is no uv, or if it fails."""
    uv = shutil.which("uv")
    if uv is None:
        return False
    say("setting up its environment (.venv) with uv, some ten seconds")
    env = dict(os.environ)
    for theirs, ours in (("UV_DEFAULT_INDEX", "PIP_INDEX_URL"), ("SSL_CERT_FILE", "PIP_CERT")):
        if ours in env:  # what is set for pip is meant for uv as well
            env.setdefault(theirs, env[ours])
    python = ENV / "bin" / "python"
    # With pip in it (seed), so that the environment is like one that pip has made.
    made = (ENV / "bin" / "pip").exists() or not run(
        [uv, "venv", "--quiet", "--seed", "--allow-existing", "--python", sys.executable, ENV], env
    )
    install = [uv, "pip", "install", "--quiet", "--python", python, "--editable", target]
    if made and not run(install, env):
        run([python, "-c", NEEDED])
        return True
    say("uv cannot set it up, the lines above say why; pip may")
    return False


def install_with_pip(target: str) -> int:
    """Install with pip; return its exit code."""
    say("setting up its environment (.venv) with pip, about a minute")
    if not (ENV / "bin" / "pip").exists():
        venv.create(ENV, with_pip=True)
    python = ENV / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    code = run([*install, "--no-compile", "--editable", target])
    if not code:  # pip would do so on one processor
        run([python, "-m", "compileall", "-qq", "-j", "0", ENV / "lib"])
    return code


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
        target = f"{ROOT}[{','.join((*ALWAYS, *extras))}]"
        code = 0 if install_with_uv(target) else install_with_pip(target)
        if code:
            say("the set-up failed; the lines above say why")
            return code
        for mark in marks:
            mark.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
