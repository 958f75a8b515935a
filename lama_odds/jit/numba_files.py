"""Machine code in files: written by one process after the other, read only as it was written."""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lama_odds.jit import deferred, native
from lama_odds.jit.places import opened, read_ours, sealed
from lama_odds.jit.sources import about_to_compile

# Make processes take turns: one compiles a function, the others wait and read the result.

PATIENCE = 120.0  # seconds; after it a process compiles for itself, in case another one is stuck


class OneAtATime:
    """The turns of processes that compile one function; a file beside its machine code is locked.

    While a function has its turn, it also compiles the functions that it calls. No process waits
    for itself, and no two wait for each other, because calls are never circular.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.mine = threading.local()

    def take(self) -> None:
        """Wait for a turn and take it; it ends with the call of `ended_by`.

        After that, look again for what another process may have compiled meanwhile.
        """
        if getattr(self.mine, "turn", None) is None:
            return
        import filelock  # needed only to compile

        with contextlib.suppress(OSError):  # also filelock.Timeout, after waiting too long
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.mine.turn.enter_context(filelock.FileLock(self.file).acquire(timeout=PATIENCE))

    def ended_by(self, compiling: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a function that compiles like `compiling` and then ends the turn."""

        def compiled_once(signature: Any) -> Any:
            before = getattr(self.mine, "turn", None)
            with contextlib.ExitStack() as turn:
                self.mine.turn = turn
                try:
                    return compiling(signature)
                finally:
                    self.mine.turn = before

        return compiled_once


def keep_whole(made: Any, folder: Path, counted: bool, called: bool) -> None:
    """Let machine code be written one after the other, and be read only as it was written.

    called: Python calls it, so that it is also kept for use without numba.

    numba reads a function's index, picks a free file name and writes both. Two processes doing so
    at once could file one signature's code under the other's name. A cache that cannot be written
    (a full disk, for example) is not used.

    Raises TypeError for a function that returns an array although its references are not counted.
    """
    kept = made._cache
    load, save = kept.load_overload, kept.save_overload
    once = OneAtATime(folder / f"{made.__name__}.turn")

    def checked(signature: Any, context: Any) -> Any:
        try:
            loaded = load(signature, context)
            if loaded is None and kept._enabled:
                once.take()
                loaded = load(signature, context)  # another process may have compiled it meanwhile
        except Exception:  # whatever a damaged file makes of unpickling: it is compiled again
            with contextlib.suppress(OSError):
                kept.flush()
            loaded = None
        if loaded is None:
            about_to_compile()
        return loaded

    def locked(signature: Any, code: Any) -> None:
        if not counted and "array" in str(code.signature.return_type):
            raise TypeError(f"{made.__name__} returns an array: it is `allocating`, not `inlined`")
        import filelock  # needed only to compile

        with contextlib.suppress(OSError, ValueError):  # also an index that was damaged meanwhile
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(folder / "lock"):
                save(signature, code)
                if called and kept._enabled:
                    native.keep(folder, made.__name__, code)

    compiling = made.compile
    made.compile = deferred.compiling(once.ended_by(compiling))
    kept.load_overload, kept.save_overload = checked, locked
    _seal(kept._cache_file)


def _seal(files: Any) -> None:
    """Let files of machine code be read only as this user has written them."""
    plain = files._dump

    def dump(thing: Any) -> bytes:
        return sealed(plain(thing))

    def load(name: str) -> Any:
        return pickle.loads(opened(read_ours(Path(files._data_path(name)))))

    def index() -> Any:
        """Return the files by what they were compiled for; none from another version of numba."""
        version = pickle.dumps(files._version, protocol=-1)
        try:
            content = read_ours(Path(files._index_path))
        except FileNotFoundError:
            return {}
        if not content.startswith(version):
            return {}
        stamp, overloads = pickle.loads(opened(content.removeprefix(version)))
        return overloads if stamp == files._source_stamp else {}

    files._dump, files._load_data, files._load_index = dump, load, index
