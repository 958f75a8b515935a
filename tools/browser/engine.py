"""Builds what answers without a server: ``python -m tools.browser.engine``.

The folder it writes has the translated modules, their runtime, the compiled functions of each game
and all tables, packed. ``files.js`` lists these with their hashes. Two builds of the same sources
are the same byte for byte.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lama_odds
from lama_odds.games.registry import GAMES
from tools import languages
from tools.browser import kernels
from tools.browser.needed import listed
from tools.browser.translator.modules import script, translated

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
BUILT = ROOT / "build" / "browser"
ENGINE = BUILT / "engine"
RUNTIME = HERE / "runtime"
STAND_INS = HERE / "stand_ins"
# Where translation begins; games are imported by name.
ROOTS = (
    ("lama_odds.web.answering", "answer"),
    ("lama_odds.core.elementary", "exp"),
    ("lama_odds.core.elementary", "log"),
    *((f"lama_odds.games.{game}.game", "GAME") for game in GAMES),
)
DATA = (".json", ".npy")
SHORT = 100_000  # bytes of a list that is loaded with all others
LEFT_OUT = ("cards.json", "ratings.json")  # no answer reads them


def write_engine(out: Path, compiled: Path) -> None:
    """Write the engine into a folder, which is emptied first.

    compiled: the folder with the compiled functions of all games, see `kernels.build`. Raises
    ValueError if a sentence is missing in a language.
    """
    if out.exists():
        shutil.rmtree(out)
    (out / "tables").mkdir(parents=True)
    for path in sorted(RUNTIME.glob("*.js")):
        shutil.copyfile(path, out / path.name)
    modules = script(translated(ROOT, STAND_INS, ROOTS))
    (out / "modules.js").write_text(modules, encoding="utf-8")
    code = {
        game: {
            "code": _packed(out, f"{game}.wasm", (compiled / f"{game}.wasm").read_bytes()),
            "list": _packed(out, f"{game}.json", (compiled / f"{game}.json").read_bytes()),
        }
        for game in GAMES
    }
    short, large = _tables()
    lists = {name: path.read_text(encoding="utf-8") for name, path in sorted(short.items())}
    tables = {
        name: _packed(out, f"tables/{name.replace('/', '-')}", content)
        for name, content in sorted({**_contents(large), **_sentences()}.items())
    }
    listed_too = {
        "LISTS": _packed(out, "lists.json", json.dumps(lists, sort_keys=True).encode()),
        "BUILD": hashlib.sha256(modules.encode() + json.dumps(code).encode()).hexdigest()[:16],
    }
    (out / "files.js").write_text(_list(code, tables, listed_too), encoding="utf-8")


def _tables() -> tuple[Mapping[str, Path], Mapping[str, Path]]:
    """Return the short lists, which are loaded at once, and all other tables, by name."""
    data = ROOT / "data"
    files = ((path.relative_to(data).as_posix(), path) for path in data.rglob("*"))
    tables = {name: path for name, path in files if path.suffix in DATA and name not in LEFT_OUT}
    short = {
        name: path
        for name, path in tables.items()
        if path.suffix == ".json" and path.stat().st_size < SHORT
    }
    return short, {name: path for name, path in tables.items() if name not in short}


def _contents(tables: Mapping[str, Path]) -> Mapping[str, bytes]:
    return {name: path.read_bytes() for name, path in tables.items()}


def _sentences() -> Mapping[str, bytes]:
    """The translations of each language, a table for `stand_ins/lama_odds/core/language.py`."""
    keys = languages.wanted()
    faults = [fault for name in languages.OTHERS for fault in languages.faults(name, keys)]
    if faults:
        raise ValueError("\n".join(faults))
    return {
        f"languages/{name}.json": json.dumps(languages.packed(name), ensure_ascii=False).encode()
        for name in languages.OTHERS
    }


def _packed(out: Path, name: str, content: bytes) -> dict[str, str]:
    """Write a file packed; return its place and its hash."""
    packed = gzip.compress(content, mtime=0)
    (out / f"{name}.gz").write_bytes(packed)
    return {"file": f"{name}.gz", "sha256": hashlib.sha256(packed).hexdigest()}


def _list(code: Any, tables: Any, more: Mapping[str, Any]) -> str:
    given = {"CODE": code, "TABLES": tables, "VERSION": lama_odds.__version__, **more}
    lines = [f"export const {name} = {json.dumps(value)};" for name, value in given.items()]
    return "\n".join(["// Made by tools/browser/engine.py.", *lines, ""])


def sizes(out: Path) -> dict[str, int]:
    """Return the bytes that are fetched of the scripts, and of what is packed, by file."""
    lengths = {}
    for path in sorted(out.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            packed = path.suffix == ".gz"
            lengths[path.relative_to(out).as_posix()] = (
                len(content) if packed else len(gzip.compress(content, mtime=0))
            )
    return lengths


def main() -> None:
    """Build the engine and print its sizes."""
    parser = argparse.ArgumentParser(prog="python -m tools.browser.engine", description=__doc__)
    parser.add_argument("--out", type=Path, default=ENGINE, help="the folder; it is emptied first")
    parser.add_argument("--kernels", type=Path, help="compiled functions that are already there")
    given = parser.parse_args()
    compiled = given.kernels or BUILT / "kernels"
    if given.kernels is None:
        kernels.build(compiled, {game: listed()[game] for game in GAMES})
    write_engine(given.out, compiled)
    for name, size in sizes(given.out).items():
        print(f"{size:>10,} {name}")


if __name__ == "__main__":
    main()
