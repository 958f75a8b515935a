"""Machine code that a wheel brings along: ``python -m tools.machine_code``.

Without it, the first question on a machine waits until its functions are compiled. With it, what
`advise` and `odds` call (tools/browser/needed.json) is there, as object files for Linux on
processors of x86-64 with AVX2. They lie in lama_odds/machine_code, and
``python -m build --sdist --wheel`` puts them into the wheel; a checkout does without. A file is
used if the source that its module can reach is the same, and numba is of the same version; else
numba compiles as ever.

With ``--try TRIPLE`` the functions are made for another machine, only to see whether that works:
what calls them (`lama_odds.jit.native`) has been tried on Linux alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.browser import compiled  # first: it changes how functions of games are compiled
from tools.browser.machine import PLAIN, Machine

from lama_odds.jit.deferred import MADE_AHEAD  # isort: skip
from lama_odds.jit.native import (  # isort: skip
    AHEAD,
    OtherError,
    file_of,
    header_of,
    made_ahead_by,
)
from lama_odds.jit.sources import folder_name  # isort: skip

NEEDED = Path(__file__).parent / "browser" / "needed.json"
PROCESSES = 2
LINUX = "x86_64-unknown-linux-gnu"
# As numba has code made that is linked in memory.
IN_MEMORY = {"reloc": "static", "codemodel": "jitdefault", "jit": True}
FEATURES = {LINUX: ",".join(f"+{each}" for each in AHEAD.split(","))}


def make(out: Path, triple: str = LINUX) -> None:
    """Write the object files of all games into a folder, which is emptied first.

    Raises CalledProcessError if something cannot be compiled.
    """
    shutil.rmtree(out, ignore_errors=True)

    def one(game: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **PLAIN, "XDG_CACHE_HOME": folder}
            command = [sys.executable, "-m", "tools.machine_code", "--game", game]
            command += ["--out", str(out), "--try", triple]
            subprocess.run(command, env=environment, check=True)

    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(one, _needed()))


def _needed() -> dict[str, list[list[str]]]:
    """Return functions with the kinds of their arguments, by game."""
    by_game: dict[str, list[list[str]]] = json.loads(NEEDED.read_text(encoding="utf-8"))
    return by_game


def _make_one(out: Path, triple: str, pairs: list[list[str]]) -> None:
    """Write the object files of a game: this is a process of its own."""
    compiled.begin()
    more: dict[str, Any] = (
        IN_MEMORY if triple == LINUX else {"reloc": "pic", "codemodel": "default"}
    )
    machine = Machine(triple, FEATURES.get(triple, ""), **more)
    compiled.load_all(function for function, _ in pairs)
    for function, kinds in pairs:
        kernel = compiled.compiled(function, kinds)
        module, _, name = function.rpartition(".")
        symbol = f"lama_odds_{name}"
        whole = machine.alone(kernel.library._final_module, kernel.fndesc.llvm_func_name, symbol)
        code = machine.made(whole)
        try:
            header = header_of(kernel, whole, made_ahead_by(), symbol)
        except OtherError:
            continue  # what it returns only numba can hand over
        file = file_of(out / folder_name(module), name, kinds)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(f"{json.dumps(header)}\n".encode() + code)


def main() -> None:
    """Make the files, and print how many there are."""
    parser = argparse.ArgumentParser(prog="python -m tools.machine_code", description=__doc__)
    parser.add_argument("--out", type=Path, default=MADE_AHEAD, help="the folder; it is emptied")
    tried = "another machine (LLVM's name), only to see whether that works"
    parser.add_argument("--try", dest="triple", default=LINUX, metavar="TRIPLE", help=tried)
    parser.add_argument("--game", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.game:
        _make_one(given.out, given.triple, _needed()[given.game])
        return
    make(given.out, given.triple)
    files = list(given.out.rglob("*.native"))
    print(f"{len(files)} functions, {sum(file.stat().st_size for file in files):,} bytes")


if __name__ == "__main__":
    main()
