"""Choose where machine code and solved tables are kept: folders that only this user can write to.

What is kept there is run, or believed. So a folder is used only if it belongs to this user, and if
nobody else may write to it or to the folders above it. No file in it may belong to another user.
Otherwise a folder of this user among the temporary files is used, or one that is made for this
process alone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

ROOT_USER = 0  # may do anything anyway


class SharedError(OSError):
    """A folder in which other users can have written."""


@cache
def base() -> Path:
    """Return the first folder that can be used.

    Warn on stderr if others can write to a better one.
    """
    doubts = []
    for folder in (users_folder(), _among_temporary()):
        try:
            _prepare(folder)
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
    """Return a folder for this process alone, if the one in the cache is not safe."""
    return _for_this_process()


def module_folder(name: str) -> Path:
    """Return the folder for the machine code and tables of a module.

    It is made if it does not exist. If that is impossible, or if others have put something into it,
    it is a folder for this process alone.
    """
    kernels = base() / "kernels"
    for folder in (kernels, kernels / name):
        try:
            _prepare(folder, above=False)
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
    found = base()
    if found == users_folder():
        return "kept for next time"
    return f"{_kept_in(found)}: {users_folder()} cannot be used"


def is_ours(path: Path) -> bool:
    """Return whether only this user (or root) can have written a file."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and _is_only_ours(found)


def _kept_in(folder: Path) -> str:
    return f"kept in {folder}" if folder == _among_temporary() else "not kept"


def _prepare(folder: Path, above: bool = True) -> None:
    """Make a folder if it does not exist; raise OSError if it cannot be used.

    above: also check the folders above it. Raises SharedError if others can have put something into
    it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_only_ours(folder.stat(), root=False):
        raise SharedError(f"{folder} belongs to another user, or others can write to it")
    for upper in Path(os.path.realpath(folder)).parents if above else ():
        if not _is_safe_above(upper.stat()):
            raise SharedError(f"{folder} lies in {upper}, which others can write to")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} cannot be written to")


def _is_only_ours(found: os.stat_result, root: bool = True) -> bool:
    """Return whether only this user can have written this. root: or the system's administrator."""
    if not hasattr(os, "getuid"):
        return True
    owners = {os.getuid(), ROOT_USER} if root else {os.getuid()}
    return found.st_uid in owners and not _others_can_write(found)


def _is_safe_above(found: os.stat_result) -> bool:
    """Return whether others cannot replace a folder inside this one by another."""
    if not hasattr(os, "getuid"):
        return True
    # The owner of the uppermost folder may do anything; in a user namespace that is not root.
    if found.st_uid not in (os.getuid(), ROOT_USER, os.stat("/").st_uid):
        return False
    return bool(found.st_mode & stat.S_ISVTX) or not _others_can_write(found)


def _others_can_write(found: os.stat_result) -> bool:
    mode = found.st_mode
    if mode & stat.S_IWOTH:
        return True
    return bool(mode & stat.S_IWGRP) and not _is_private_group(found.st_gid)


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
                    found = entry.stat(follow_symlinks=False)
                    folder_too = stat.S_ISDIR(found.st_mode)
                    if not (folder_too or stat.S_ISREG(found.st_mode)) or not _is_only_ours(found):
                        return Path(entry.path)
                    waiting += [Path(entry.path)] if folder_too else []
    except FileNotFoundError:  # another process has just pruned it
        return None
    except OSError:
        return folder
    return None


def _for_this_process() -> Path:
    made = Path(tempfile.mkdtemp(prefix="lama-odds-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _among_temporary() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"lama-odds-{user}"


@cache
def _tell(text: str) -> None:
    """Print a line on stderr, once."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"lama-odds: {text.encode('unicode_escape').decode()}", file=sys.stderr)
