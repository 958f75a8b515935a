"""Remove old machine code and solved tables, and temporary folders of processes that were killed.

Each folder of a module's cache has a stamp of the day it was last used. It shows which folders
belong to an old version or to another checkout: those go that nobody has used for a month. A folder
that a process is writing to is never removed, no link is followed, and only folders with this
program's names are touched.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from functools import cache
from pathlib import Path

DAY = 86_400.0
UNUSED_DAYS = 30  # after which a folder is removed
VERSIONS = 4  # of a module that are kept for more than a day without use, the latest ones
STAMP, PRUNED = "used", "pruned"
OURS = re.compile(r"([a-z][\w.]*)-[0-9a-f]{16}")
GONE = ".gone-"  # the name of a folder while it is being removed
PROCESS, HELD = "lama-odds-process-", "held"  # a temporary folder, and the file it locks


def used(folder: Path) -> Path:
    """Stamp a folder as used today and return it; once a day, remove old folders beside it."""
    with contextlib.suppress(OSError):
        if folder.is_dir() and _stamp(folder / STAMP):
            _prune_once(folder.parent)
    return folder


def last_used(folder: Path) -> float:
    """Return when a folder was last used, in seconds since the epoch, exact to a day."""
    for path in (folder / STAMP, folder):
        with contextlib.suppress(OSError):
            return path.lstat().st_mtime
    return 0.0


def folders_in(kernels: Path) -> list[Path]:
    """Return the folders of modules in a cache, by name: only this user's, and no links."""
    try:
        if not is_own(kernels):
            return []
        with os.scandir(kernels) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return []
    found = (kernels / name for name in names if OURS.fullmatch(name))
    return sorted(path for path in found if is_own(path))


def is_own(path: Path) -> bool:
    """Return whether this is a folder of this user, and not a link to one."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (
        not hasattr(os, "getuid") or found.st_uid == os.getuid()
    )


def remove(folder: Path) -> bool:
    """Remove the folder of a module.

    Return False if a process is writing to it or it cannot be removed.
    """
    import filelock

    lock = folder / "lock"
    if lock.exists():
        if lock.is_symlink():
            return False
        held = filelock.FileLock(lock)
        try:
            held.acquire(timeout=0)
        except (OSError, filelock.Timeout):
            return False
        held.release()
    gone = folder.with_name(f"{GONE}{os.getpid()}-{folder.name}")
    try:
        os.rename(folder, gone)  # all of it at once: no process finds one half
    except OSError:
        return False
    shutil.rmtree(gone, ignore_errors=True)
    return True


def prune(kernels: Path, now: float) -> list[Path]:
    """Remove old folders from a cache and return them.

    A folder is old if it was not used for UNUSED_DAYS. If a module has more than VERSIONS folders,
    those not used for a day are old too, except the latest.
    """
    folders: dict[str, list[Path]] = {}
    for path in folders_in(kernels):
        folders.setdefault(path.name.rpartition("-")[0], []).append(path)
    went = []
    for paths in folders.values():
        paths.sort(key=last_used, reverse=True)
        for at, path in enumerate(paths):
            unused = now - last_used(path)
            if unused > (UNUSED_DAYS if at < VERSIONS else 1) * DAY and remove(path):
                went.append(path)
    sweep(kernels)
    return went


def sweep(kernels: Path) -> None:
    """Remove what a process left behind that was killed while it removed a folder."""
    if is_own(kernels):
        for left in kernels.glob(f"{GONE}*"):
            if is_own(left):
                shutil.rmtree(left, ignore_errors=True)


def process_folder() -> Path:
    """Return a temporary folder for this process alone, which is removed when it ends.

    Those of processes that were killed are removed now. Raises OSError if none can be made.
    """
    made = Path(tempfile.mkdtemp(prefix=PROCESS))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    with contextlib.suppress(ImportError, OSError):
        import fcntl

        handle = os.open(made / "new", os.O_CREAT | os.O_WRONLY, 0o600)  # closed by the system
        fcntl.flock(handle, fcntl.LOCK_EX)
        os.rename(made / "new", made / HELD)  # under this name it has always been locked
    sweep_killed()
    return made


def sweep_killed() -> None:
    """Remove the temporary folders of processes that were killed: nobody holds their locks."""
    with contextlib.suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob(f"{PROCESS}*"):
            if is_own(folder) and not _is_held(folder / HELD):
                shutil.rmtree(folder, ignore_errors=True)


def _is_held(lock: Path) -> bool:
    """Return whether a process holds a lock; also where that cannot be known."""
    try:
        import fcntl

        handle = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (ImportError, OSError):
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _stamp(path: Path) -> bool:
    """Set a stamp to now unless it is from today; return whether it was set."""
    with contextlib.suppress(FileNotFoundError):
        if abs(time.time() - path.lstat().st_mtime) < DAY:
            return False
        path.unlink()  # whatever it is: a link is not followed
    with contextlib.suppress(FileExistsError):  # another process has just done so
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return True


@cache
def _prune_once(kernels: Path) -> None:
    if is_own(kernels) and _stamp(kernels / PRUNED):
        prune(kernels, time.time())
        sweep_killed()
