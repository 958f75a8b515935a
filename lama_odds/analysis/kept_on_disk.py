"""What is kept on disk: machine code and solved tables, of this version and of others."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds import jit
from lama_odds.core.errors import LimitError
from lama_odds.core.plain import plain
from lama_odds.jit import places as jit_places
from lama_odds.jit import sources
from lama_odds.jit.places import resolved, users_folder

CODE, TABLES, OTHER = "machine code", "solved tables", "other files"
KINDS = {CODE: "code", TABLES: "tables", OTHER: "other"}  # with their keys in JSON
THIS, OTHERS = "this version", "other versions"


@dataclass(frozen=True)
class Entry:
    """The folder of a module: whether it is of this version, and files and bytes by kind."""

    path: Path
    module: str
    current: bool
    files: dict[str, int]
    sizes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """One object."""
        kinds = {
            key: {"files": self.files[kind], "bytes": self.sizes[kind]}
            for kind, key in KINDS.items()
        }
        return {"path": str(self.path), "module": self.module, "current": self.current, **kinds}


@dataclass(frozen=True)
class Cache:
    """All that is kept. places: the folders it lies in. cleared: bytes that were removed, None
    if nothing was to be removed. left: what was not removed, with the reason."""

    places: tuple[Path, ...]
    entries: tuple[Entry, ...]
    cleared: int | None = None
    left: tuple[tuple[Path, str], ...] = ()

    def total(self, kind: str, current: bool) -> tuple[int, int, int]:
        """Folders, files and bytes of a kind, of this version or of others."""
        entries = [e for e in self.entries if e.current == current and e.files[kind]]
        return (
            len(entries),
            sum(entry.files[kind] for entry in entries),
            sum(entry.sizes[kind] for entry in entries),
        )

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(sum(entry.sizes.values()) for entry in self.entries)

    def to_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "places": [str(place) for place in self.places],
            "bytes": self.size,
            "folders": plain(self.entries),
            "unused_days": jit_places.UNUSED_DAYS,
            "cleared": self.cleared,
            "left": [{"path": str(path), "reason": reason} for path, reason in self.left],
        }


def places() -> tuple[Path, ...]:
    """The folders in which something is kept, or would be: the user's cache first."""
    users = users_folder() / "kernels"
    used = jit.cache_folder("lama_odds.luck.stream").parent
    return (users,) if resolved(users) == used else (users, used)


def look() -> Cache:
    """What is kept; LimitError if its folder is a link."""
    roots = places()
    for path in (path for place in roots for path in (place.parent, place)):
        if path.is_symlink():
            raise LimitError(f"{path} is a link: nothing behind it is looked at or removed")
    folders = [path for place in roots for path in jit_places.folders_in(place)]
    return Cache(roots, tuple(map(_entry, folders)))


def clear() -> Cache:
    """Remove all that is kept, and look again; LimitError, before anything goes, for links."""
    before = look()
    left = []
    for entry in before.entries:
        if not jit_places.remove(entry.path):
            left.append((entry.path, "another process is writing to it, or it cannot be removed"))
    for place in before.places:
        jit_places.sweep(place)
        left += [(path, "it is not a folder of this program") for path in _strange(place)]
    after = look()
    return Cache(after.places, after.entries, before.size - after.size, tuple(left))


def _strange(place: Path) -> Iterator[Path]:
    """What lies in a cache that this program has not put there, links above all."""
    known = {path.name for path in jit_places.folders_in(place)} | {jit_places.PRUNED}
    if jit_places.is_own(place):
        yield from (path for path in sorted(place.iterdir()) if path.name not in known)


def _entry(path: Path) -> Entry:
    module = path.name.rpartition("-")[0]
    files, sizes = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    for kind, size in _files(path):
        files[kind] += 1
        sizes[kind] += size
    source = f"{sources.PACKAGE}.{module}"
    current = bool(sources.reachable_sources(source)) and path.name == sources.folder_name(source)
    return Entry(path, module, current, files, sizes)


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    """Kind and size of every file, links not followed."""
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                status = (Path(where) / name).lstat()
            except OSError:  # removed meanwhile
                continue
            if stat.S_ISREG(status.st_mode):
                code = name.endswith((".nbi", ".nbc"))
                table = name.startswith("table-") and name.endswith(".npy")
                yield (CODE if code else TABLES if table else OTHER), status.st_size
