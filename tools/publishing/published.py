"""What was published and from what: reports/published.json, and what has changed since.

It has hashes of options, code and files that a target reads, and of the files it wrote. There is no
clock, host or path in it, so the same inputs make the same file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lama_odds.core.errors import ReadError
from lama_odds.core.files import write_whole
from lama_odds.core.reading import read_json
from tools.publishing.sources import LENGTH, Sources
from tools.publishing.target import Target

FILE = "reports/published.json"
KIND = "lama-odds published 1"
ABSENT = ""


@dataclass(frozen=True)
class Inputs:
    """All that a target depends on: options; code, by part of the tree; files, by name."""

    options: Mapping[str, Any]
    code: Mapping[str, str]
    files: Mapping[str, str]

    @property
    def key(self) -> str:
        """One hash of all."""
        return _hash(json.dumps(asdict(self), sort_keys=True).encode())


@dataclass(frozen=True)
class Made:
    """A target as it was published."""

    inputs: Inputs
    outputs: Mapping[str, str]


def inputs_of(target: Target, options: Mapping[str, Any], root: Path, sources: Sources) -> Inputs:
    """What a target would be made from now. root: the checkout."""
    files = {
        name: _hash_of(root, name, target.asks)
        for pattern in target.reads
        for name in files_of(root, pattern)
    }
    return Inputs(options, sources.hashes(target.module), files)


def outputs_of(target: Target, out: Path) -> dict[str, str]:
    """A hash of all files of each of `writes`; ABSENT where there is none."""
    digests = {}
    for pattern in target.writes:
        names = list(files_of(out, pattern))
        whole = "\n".join(f"{name} {_hash_of(out, name, target.shows)}" for name in names)
        there = any((out / name).is_file() for name in names)
        digests[pattern] = _hash(whole.encode()) if there else ABSENT
    return digests


def files_of(root: Path, pattern: str) -> Iterator[str]:
    """The files that a pattern names, there or not; of a folder those that are, but hidden ones."""
    if not pattern.endswith("/"):
        yield pattern
        return
    for path in sorted((root / pattern).rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not any(piece.startswith(".") for piece in name.split("/")):
            yield name


def why(made: Made | None, now: Inputs, outputs: Mapping[str, str]) -> list[str]:
    """Return reasons to make a target again; none if it is up to date."""
    absent = [f"{name} is missing" for name, found in outputs.items() if found == ABSENT]
    if absent:
        return absent
    if made is None:
        return ["it was never made by tools/publish"]
    before = made.inputs
    found = [
        f"{name} {_shown(before.options.get(name))} → {_shown(now.options.get(name))}"
        for name in _differing(before.options, now.options)
    ]
    code = _differing(before.code, now.code)
    found += [f"code: {', '.join(code)}"] if code else []
    files = _differing(before.files, now.files)
    found += [f"changed: {', '.join(files)}"] if files else []
    found += [f"{name} is not as it was written" for name in _differing(made.outputs, outputs)]
    return found


def read_published(out: Path) -> dict[str, Made]:
    """Return what was published, by name of the target; raise ReadError for any other file."""
    path = out / FILE
    if not path.exists():
        return {}
    try:
        published = read_json(path)
        if published["kind"] != KIND:
            raise ValueError("of another kind")
        return {
            name: Made(
                Inputs(*(dict(entry[part]) for part in ("options", "code", "files"))),
                dict(entry["outputs"]),
            )
            for name, entry in published["targets"].items()
        }
    except (ValueError, KeyError, TypeError) as error:
        raise ReadError(
            f"{path} is not what tools/publish writes ({error}): take it from the repository again"
        ) from None


def write_published(out: Path, published: Mapping[str, Made]) -> None:
    """Write the file."""
    targets = {
        name: {**asdict(published[name].inputs), "outputs": dict(published[name].outputs)}
        for name in sorted(published)
    }
    path = out / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": KIND, "targets": targets}
    write_whole(path, json.dumps(content, indent=1, sort_keys=True) + "\n")


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def _shown(value: Any) -> str:
    return "none" if value in (None, "") else str(value)


def _hash_of(root: Path, name: str, part: Callable[[str, bytes], bytes] | None) -> str:
    if not (root / name).is_file():
        return ABSENT
    content = (root / name).read_bytes()
    return _hash(content if part is None else part(name, content))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:LENGTH]
