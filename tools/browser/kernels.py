"""The compiled functions of lama-odds for the browser: ``python -m tools.browser.kernels``.

For each game this makes GAME.wasm and GAME.json. The second says, for each function and the kinds
of its arguments, under which name it is there and what it returns; runtime/kernels.js reads it.
What is needed is listed in needed.json. With ``--check`` questions are answered to see whether the
list is complete, and calls met on the way are made again in Node and compared bit for bit.

It takes numba, and `wasm-ld` of LLVM's linker (Debian: lld).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lama_odds.games.registry import GAMES
from tools.browser.machine import PLAIN
from tools.browser.needed import Pairs, listed

OUT = Path("build/browser")
STACK = 1 << 20  # bytes
PAGE = 1 << 16  # bytes
PROCESSES = 2
# What kernels.js gives to the code: memory that a call leaves behind when it returns.
GIVEN = (
    *("NRT_MemInfo_alloc", "NRT_MemInfo_alloc_safe", "NRT_MemInfo_call_dtor"),
    *("NRT_MemInfo_alloc_aligned", "NRT_MemInfo_alloc_safe_aligned", "NRT_Allocate", "NRT_Free"),
)
COMPILED = "tools.browser.compiled"
MISSING, MAY_BE_MISSING = "n", "?"  # the kind of None, and what stands before kinds beside it


def without_names(kinds: str) -> str:
    """Return kinds whose tuples have no names: elsewhere they are just lists."""
    return re.sub(r"[A-Za-z_]\w*\(", "(", kinds)


def serving(pairs: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Return functions and kinds that serve for all these, in order.

    Arguments lack the tables that a question does not need. Empty ones are handed over instead
    (by `runtime/kernels.js`), so one version of a function, with all tables, is enough. What some
    question lacks has "?" before its kind: nothing else may be missing.
    """
    versions: dict[str, list[str]] = {}
    for function, kinds in sorted({(function, kinds) for function, kinds in pairs}):
        several = versions.setdefault(function, [])
        for at, known in enumerate(several):
            if joined := _joined(known, kinds):
                several[at] = joined
                break
        else:
            several.append(kinds)
    return [(function, kinds) for function, several in versions.items() for kinds in several]


def _joined(one: str, other: str) -> str:
    """Return kinds that have every table that either has; "" if they differ otherwise."""
    here, there = _apart(one), _apart(other)
    if len(here) != len(there):
        return ""
    joined = list(map(_joined_kind, here, there))
    return ",".join(joined) if all(joined) else ""


def _joined_kind(one: str, other: str) -> str:
    if one == other:
        return one
    if MISSING in (one, other):
        table = (other if one == MISSING else one).removeprefix(MAY_BE_MISSING)
        return MAY_BE_MISSING + table if len(table) > 1 else ""
    mark = MAY_BE_MISSING * (MAY_BE_MISSING in (one[0], other[0]))
    one, other = one.removeprefix(MAY_BE_MISSING), other.removeprefix(MAY_BE_MISSING)
    name, _, inside = one.partition("(")
    other_name, _, other_inside = other.partition("(")
    both = _joined(inside[:-1], other_inside[:-1]) if inside and name == other_name else ""
    joined = one if one == other else f"{name}({both})" if both else ""
    return mark + joined if joined else ""


def _apart(kinds: str) -> list[str]:
    """Return the kinds of single arguments."""
    parts, depth = [""], 0
    for letter in kinds:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def build(out: Path, needed: Mapping[str, Iterable[Sequence[str]]]) -> None:
    """Write the module and the manifest of each game.

    needed: functions and kinds of each game. Raises CalledProcessError if something cannot be
    compiled or linked.
    """
    out.mkdir(parents=True, exist_ok=True)

    def one(game: str) -> None:
        _build_one(out, game, serving(needed[game]))

    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(one, needed))


def _build_one(out: Path, game: str, pairs: list[tuple[str, str]]) -> None:
    names = [f"k{number}" for number in range(len(pairs))]
    with tempfile.TemporaryDirectory() as folder:
        tasks = [
            (name, function, kinds.replace(MAY_BE_MISSING, ""))
            for name, (function, kinds) in zip(names, pairs, strict=True)
        ]
        environment = {**os.environ, **PLAIN, "XDG_CACHE_HOME": folder}
        command = [sys.executable, "-m", COMPILED, folder]
        subprocess.run(command, input=json.dumps(tasks), text=True, env=environment, check=True)
        _link(Path(folder), out / f"{game}.wasm", names)
        returns = json.loads((Path(folder) / "returns.json").read_text(encoding="utf-8"))
    functions: dict[str, dict[str, Any]] = {}
    for name, (function, kinds) in zip(names, pairs, strict=True):
        made = functions.setdefault(function, {})
        if without_names(kinds) in made:
            raise ValueError(f"{function}: only the names of tuples tell kinds apart: {kinds}")
        made[without_names(kinds)] = {"export": name, "returns": returns[name]}
    pages = 1 + STACK // PAGE + (out / f"{game}.wasm").stat().st_size // PAGE
    manifest = {"game": game, "pages": pages, "functions": functions}
    (out / f"{game}.json").write_text(json.dumps(manifest, sort_keys=True), encoding="utf-8")


def _link(folder: Path, file: Path, names: list[str]) -> None:
    """Link the object files in a folder into one module."""
    objects = [f"{name}.o" for name in (*names, "support")]
    exports = [f"--export={name}" for name in (*names, "__heap_base", "__stack_pointer")]
    (folder / "options").write_text("\n".join([*exports, *objects]), encoding="utf-8")
    (folder / "given").write_text("\n".join(GIVEN), encoding="utf-8")
    command = ["wasm-ld", "--no-entry", "--strip-all", "--gc-sections", "--import-memory"]
    command += ["--stack-first", "-z", f"stack-size={STACK}", "--allow-undefined-file=given"]
    subprocess.run([*command, "-o", str(file.resolve()), "@options"], cwd=folder, check=True)


def _sizes(out: Path, games: Iterable[str]) -> None:
    for game in games:
        code = (out / f"{game}.wasm").read_bytes()
        text = (out / f"{game}.json").read_bytes()
        packed = [len(gzip.compress(part, mtime=0)) for part in (code, text)]
        print(f"{game}: {len(code):,} bytes, {packed[0]:,} gzipped; manifest {packed[1]:,} gzipped")


def main() -> None:
    """Build, and check if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tools.browser.kernels", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder (default: build/browser)")
    parser.add_argument("--check", action="store_true", help="compare with this machine's results")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    given = parser.parse_args()
    games = tuple(given.games) or GAMES
    needed = {game: listed()[game] for game in games}
    build(given.out, needed)
    _sizes(given.out, games)
    if given.check:
        raise SystemExit(_check(given.out, needed))


def _check(out: Path, needed: Pairs) -> int:
    """Return the exit code: 1 if the list lacks something, or if any result differs."""
    from tools.browser.compared import compared
    from tools.browser.needed import recorded

    calls = recorded(tuple(needed))
    lacking = [
        f"{game}: {function} for {kinds}"
        for game, pairs in calls.items()
        for function, kinds in pairs
        if [function, kinds] not in needed[game]
    ]
    for line in lacking:
        print(f"not in the list: {line}")
    return max(int(bool(lacking)), compared(out, calls))


if __name__ == "__main__":
    main()
