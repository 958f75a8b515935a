"""Install what was built into a new environment, far from any checkout, and use it.

    python tools/try_wheel.py dist

It tries the wheel and, with --sdist, the source archive, with the newest versions of other packages
that are allowed, or with the lowest ones (--lowest, which needs uv). It checks version, help, an
exact and a sampled answer, and a second one from the kernel cache. It also checks an answer in
German, a refusal with its exit code, a chart, a table and the page for the phone. A wheel that has
machine code must answer the first question of each game fast, and without numba. It needs no shell,
so it runs on Linux, macOS and Windows alike. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from pathlib import Path

EXACT = ["advise", "pikomino/egmont", "kept=444W", "--json"]
SAMPLED = ["advise", "lama/amigo", "hand=3356L top=4 opp=4,5", "--games", "2000", "--json"]
# A first question of each game.
FIRST = (
    ["advise", "lama/amigo", "hand=3356L top=4 opp=4,q2,6", "--games", "2000"],
    ["advise", "dice/amigo", "hand=25L row=1346L opp=13", "--games", "2000"],
    ["advise", "pikomino/egmont", "kept=34444W tops=24"],
    [
        *("advise", "noprob/starnberger", "grid=3,?,5/?,7,?/9,?,? top=4 opp=?,?,?/?,?,9/?,?,?"),
        *("--games", "1000"),
    ],
)
FAST = 1.5  # seconds of processor time
IN_GERMAN = ["advise", "pikomino/egmont", "kept=444W", "--language", "de"]
REFUSED = ["advise", "dice/amigos", "hand=25L opp=13"]
CHART = ["thresholds", "lama/amigo", "--players", "4", "--games", "2000", "--plot", "chart.svg"]
# A command, and after what it prints, whether numba was loaded.
WATCHED = """
import sys
from lama_odds.cli.main import main
try:
    main()
finally:
    print("numba" in sys.modules)
"""
# What neither these commands nor Python before them has loaded.
LOADED = """
import lama_odds as lo
from lama_odds.web.app import STATIC
from lama_odds.web.connections import Connection
from lama_odds.web.server import drawn
print(len(lo.advise("pikomino/egmont", "kept=444W").to_frame()))
drawn("page", print)
assert (STATIC / "index.html").is_file()
"""


def main() -> int:
    """Try each archive; returns an exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the built archives lie")
    parser.add_argument("--sdist", action="store_true", help="try the source archive too")
    parser.add_argument("--lowest", action="store_true", help="with the lowest versions allowed")
    given = parser.parse_args()
    archives = sorted(given.folder.glob("lama_odds-*.whl"))
    archives += sorted(given.folder.glob("lama_odds-*.tar.gz")) if given.sdist else []
    if not archives:
        print(f"nothing built lies in {given.folder}: run python -m build first", file=sys.stderr)
        return 2
    for archive in archives:
        with tempfile.TemporaryDirectory(prefix="lama-odds-wheel-") as folder:
            try_archive(archive.resolve(), Path(folder), given.lowest)
    return 0


def try_archive(archive: Path, folder: Path, lowest: bool) -> None:
    """Install an archive into a new environment in a folder, and use its command there."""
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    ending = ".exe" if os.name == "nt" else ""
    python = str(scripts / f"python{ending}")
    install = [python, "-m", "pip", "install"]
    if lowest:
        install = ["uv", "pip", "install", "--python", python, "--resolution", "lowest-direct"]
    began = time.perf_counter()
    call([*install, "--quiet", f"lama-odds[serve] @ {archive.as_uri()}"], folder)
    print(f"{archive.name}: installed in {time.perf_counter() - began:.0f} s")
    command = str(scripts / f"lama-odds{ending}")
    version = call([command, "--version"], folder).strip()
    assert version.split()[-1] in archive.name, f"{version} is not the version of {archive.name}"
    assert "advise" in call([command, "--help"], folder)
    if not lowest and has_machine_code(archive):
        try_first_answers(python, folder)
    exact = json.loads(call([command, *EXACT], folder))
    assert exact["method"] == "exact", exact["method"]
    first = json.loads(call([command, *SAMPLED], folder))
    began = time.perf_counter()
    again = json.loads(call([command, *SAMPLED], folder))
    print(f"{archive.name}: a sampled answer again in {time.perf_counter() - began:.1f} s")
    for answer in (first, again):
        answer.pop("seconds")
    assert first == again, "the same command gave two answers"
    assert "beiseite" in call([command, *IN_GERMAN], folder), "no answer in German"
    call([command, *REFUSED], folder, code=2)
    call([command, *CHART], folder)
    call([python, "-c", LOADED], folder)
    print(f"{archive.name}: works")


def has_machine_code(archive: Path) -> bool:
    """Whether this is a wheel with machine code for this machine."""
    if archive.suffix != ".whl" or sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    with zipfile.ZipFile(archive) as wheel:
        return any(name.endswith(".native") for name in wheel.namelist())


def try_first_answers(python: str, folder: Path) -> None:
    """Ask the first question of each game with an empty cache: fast, and without numba."""
    for at, question in enumerate(FIRST):
        began, used = time.perf_counter(), processor_time()
        printed = call([python, "-c", WATCHED, *question], folder, cache=f"empty-{at}")
        seconds, used = time.perf_counter() - began, processor_time() - used
        print(f"  first {question[1]}: {seconds:.1f} s, processor {used:.1f} s")
        assert printed.split()[-1] == "False", f"{question}: numba was loaded"
        assert used <= FAST, f"{question}: more than {FAST} s"


def processor_time() -> float:
    """Return the seconds of processor time that finished child processes have used."""
    used = os.times()
    return used.children_user + used.children_system


def call(words: list[str], folder: Path, code: int = 0, cache: str = "cache") -> str:
    """What a command prints; it runs in a folder without a checkout, with a cache of its own."""
    away = ("PYTHONPATH", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if name not in away}
    env["XDG_CACHE_HOME"] = str(folder / cache)
    env["PYTHONIOENCODING"] = "utf-8"
    done = subprocess.run(
        words, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != code:
        raise SystemExit(
            f"{' '.join(words)}\ngave {done.returncode}, not {code}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
