"""Choose where machine code and solved tables are kept: folders that only this user can write to.

What is kept there is run, or believed. So a folder is used only if it belongs to this user, and if
nobody else may write to it or to the folders above it. No file in it may belong to another user.
Otherwise a folder of this user among the temporary files is used, or one that is made for this
process alone. Links are resolved first: what is checked is what is used, wherever they lead later.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import platformdirs

from lama_odds.core.errors import LimitError
from lama_odds.core.language import say
from lama_odds.core.reading import read_bytes

# Content with a hash at its end: it is used only if it is as it was written.

SIZE = hashlib.sha256().digest_size


def sealed(content: bytes, key: bytes = b"") -> bytes:
    """Return content with its seal. key: what else must be the same when it is read."""
    return content + _seal(key, content)


def opened(whole: bytes, key: bytes = b"") -> bytes:
    """Return the content of `sealed`; ValueError if it is damaged or belongs to another key."""
    content = whole[:-SIZE]
    if _seal(key, content) != whole[-SIZE:]:
        raise ValueError("damaged")
    return content


def _seal(key: bytes, content: bytes) -> bytes:
    digest = hashlib.sha256(key)
    digest.update(content)
    return digest.digest()


# Remove old machine code and solved tables, and temporary folders of processes that were killed.
#
# Each folder of a module's cache has a stamp of the day it was last used. It shows which folders
# belong to an old version or to another checkout: those go that nobody has used for a month. A
# folder that a process is writing to is never removed, no link is followed, and only folders with
# this program's names are touched.

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
    folders = (kernels / name for name in names if OURS.fullmatch(name))
    return sorted(path for path in folders if is_own(path))


def is_own(path: Path) -> bool:
    """Return whether this is a folder of this user, and not a link to one."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and (
        not hasattr(os, "getuid") or status.st_uid == os.getuid()
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


ROOT_USER = 0  # may do anything anyway
MOST_BYTES = 1 << 30  # of a file


class SharedError(OSError):
    """A folder in which other users can have written."""


@cache
def base() -> Path:
    """Return the first folder that can be used, without links in its path.

    Warn on stderr if others can write to a better one.
    """
    doubts = []
    for candidate in (users_folder(), _among_temporary()):
        try:
            folder = _prepare(candidate)
        except SharedError as error:
            doubts.append(str(error))
        except OSError:  # reported when something is compiled, see `keeping`
            continue
        else:
            break
    else:
        folder = fallback()
    if doubts:
        _tell(f"{doubts[0]}: it is not used, machine code is {_kept_in(folder)}")
    return folder


@cache
def fallback() -> Path:
    """Return a folder for this process alone, if the one in the cache is not safe.

    Raises LimitError if there is no place for one.
    """
    try:
        folder = resolved(process_folder())
        _check_above(folder, tuple(folder.parents))
    except OSError as error:
        raise LimitError(
            f"machine code can be kept nowhere ({error}): set TMPDIR to a folder that only you "
            "can write to"
        ) from None
    return folder


def module_folder(name: str) -> Path:
    """Return the folder for the machine code and tables of a module.

    It is made if it does not exist. If that is impossible, or if others have put something into it,
    it is a folder for this process alone.
    """
    kernels = base() / "kernels"
    for folder in (kernels, kernels / name):
        try:
            _prepare_inside(folder)
        except OSError as error:
            if isinstance(error, SharedError):
                _tell(f"{error}: it is not used, machine code is not kept")
            return fallback() / "kernels" / name
    other = _others_file(kernels / name)
    if other:
        _tell(f"others can have written {other}: its folder is not used")
        return fallback() / "kernels" / name
    return kernels / name


def users_folder() -> Path:
    """Return the place for machine code in the user's cache folder."""
    return Path(platformdirs.user_cache_dir("lama-odds"))


def keeping() -> str:
    """Return, in words, where machine code that is made now will be kept."""
    folder = base()
    if folder == resolved(users_folder()):
        return say("kept for next time")
    return say("{kept}: {folder} cannot be used", kept=_kept_in(folder), folder=users_folder())


def resolved(folder: Path) -> Path:
    """Return the path without links."""
    return Path(os.path.realpath(folder))


def read_ours(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file that only this user (or root) can have written.

    The file that was opened is what is checked, and a link is not followed. Raises OSError and
    ValueError like `read_bytes`.
    """
    return read_bytes(path, most, links=False, trusted=_is_only_ours)


def _kept_in(folder: Path) -> str:
    return f"kept in {folder}" if folder == resolved(_among_temporary()) else "not kept"


def _prepare(wanted: Path) -> Path:
    """Return a folder without links in its path; it is made if it does not exist.

    Raises OSError if it cannot be used, SharedError if others can have put something into it.
    Nothing is made where it would not be used.
    """
    for path in (wanted, *wanted.parents):
        if _is_others_link(path):
            raise SharedError(f"{path} is a link that others made")
    folder = resolved(wanted)
    there = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    _check_above(folder, (*reversed(there.parents), *([] if there == folder else [there])))
    folder.parent.mkdir(parents=True, exist_ok=True)
    _prepare_inside(folder)
    _check_above(folder, tuple(reversed(folder.parents)))
    return folder


def _prepare_inside(folder: Path) -> None:
    """Make a folder where nobody else can put one; raise OSError like `_prepare`."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not _is_only_ours(status, root=False):
        raise SharedError(f"{folder} belongs to another user, is a link, or others can write to it")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} cannot be written to")


def _check_above(folder: Path, above: tuple[Path, ...]) -> None:
    for upper in above:
        if not stat.S_ISDIR(os.lstat(upper).st_mode):
            raise NotADirectoryError(f"{upper} is not a folder")
        if not _is_safe_above(os.lstat(upper)):
            raise SharedError(f"{folder} lies in {upper}, which others can write to")


def _is_others_link(path: Path) -> bool:
    """Return whether another user has made a link here, who can let it lead elsewhere."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    owners = (os.getuid(), ROOT_USER) if hasattr(os, "getuid") else (status.st_uid,)
    return stat.S_ISLNK(status.st_mode) and status.st_uid not in owners


def _is_only_ours(status: os.stat_result, root: bool = True) -> bool:
    """Return whether only this user can have written this. root: or the system's administrator."""
    if not hasattr(os, "getuid"):
        return True
    owners = {os.getuid(), ROOT_USER} if root else {os.getuid()}
    return status.st_uid in owners and not _others_can_write(status)


def _is_safe_above(status: os.stat_result) -> bool:
    """Return whether others cannot replace a folder inside this one by another."""
    if not hasattr(os, "getuid"):
        return True
    # The owner of the uppermost folder may do anything; in a user namespace that is not root.
    if status.st_uid not in (os.getuid(), ROOT_USER, os.stat("/").st_uid):
        return False
    return bool(status.st_mode & stat.S_ISVTX) or not _others_can_write(status)


def _others_can_write(status: os.stat_result) -> bool:
    mode = status.st_mode
    if mode & stat.S_IWOTH:
        return True
    return bool(mode & stat.S_IWGRP) and not _is_private_group(status.st_gid)


@cache
def _is_private_group(number: int) -> bool:
    """Return whether a group belongs to this user alone; many systems give each user one."""
    try:
        import grp
        import pwd

        me, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except (ImportError, KeyError):
        return False
    return me.pw_gid == number and group.gr_name == me.pw_name and not group.gr_mem


def _others_file(folder: Path) -> Path | None:
    """Return a file in here that others can have written, or a link; None if there is none."""
    waiting = [folder]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    state = entry.stat(follow_symlinks=False)
                    folder_too = stat.S_ISDIR(state.st_mode)
                    if not (folder_too or stat.S_ISREG(state.st_mode)) or not _is_only_ours(state):
                        return Path(entry.path)
                    waiting += [Path(entry.path)] if folder_too else []
    except FileNotFoundError:  # another process has just pruned it
        return None
    except OSError:
        return folder
    return None


def _among_temporary() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"lama-odds-{user}"


@cache
def _tell(text: str) -> None:
    """Print a line on stderr, once."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"lama-odds: {text.encode('unicode_escape').decode()}", file=sys.stderr)
