"""A second process that compiles parts of what this one has begun to compile.

numba compiles one function at a time. What a function calls is compiled first, once its types are
known. So a file lists, for the first function that a question compiles, what comes last among all
that the question needs, with the types. Another process compiles that meanwhile and leaves it in
the cache, where this one finds it. `turns` sees to it that nothing is compiled twice.

A list that is out of date costs some time of the other processor, no more.
`tools/publish compiled-ahead` makes it.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from lama_odds.core.data import data_json
from lama_odds.core.errors import LamaOddsError
from lama_odds.jit.ahead.plain_types import OtherTypeError, plain_of, type_of

FILE = "compiled_ahead.json"

_running: list[int] = []  # the process of this one's that is compiling, or was
_off: list[bool] = []


def off() -> None:
    """Let this process compile alone: others have the processors."""
    _off.append(True)


def begin(function: Callable[..., Any], signature: Any) -> None:
    """Start the other process, if this function is the first of a question that is listed.

    Nothing happens where there is one processor, where this process has threads (it could not be
    copied then), or where processes cannot be copied.
    """
    if _off or _running or threading.active_count() > 1 or not _has_two_processors():
        return
    with contextlib.suppress(LamaOddsError, OSError, LookupError, OtherTypeError):
        listed = needed_by(function, signature)
        if listed:
            _start(listed)


def needed_by(function: Callable[..., Any], signature: Any) -> list[Any]:
    """Return what the file lists for a function that is compiled for these arguments.

    Each has a module, a name, whether it is a part of callers, and types as plain data.
    """
    found = data_json(FILE)["questions"].get(name_of(function), ())
    if not found:
        return []
    types = found["types"]
    arguments = signature if isinstance(signature, tuple) else signature.args
    plain = [plain_of(each) for each in arguments]
    for question in found["needs"]:
        if [types[at] for at in question["first"]] == plain:
            return [
                (module, name, part, [types[at] for at in given])
                for module, name, part, given in question["then"]
            ]
    return []


def name_of(function: Callable[..., Any]) -> str:
    """The name under which the file has it."""
    return f"{function.__module__}:{function.__name__}"


def _has_two_processors() -> bool:
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    return len(os.sched_getaffinity(0)) > 1


def _start(listed: list[Any]) -> None:
    """Copy this process; the copy compiles what is listed, and ends."""
    parent = os.getpid()
    process = os.fork()
    if process:
        _running.append(process)
        atexit.register(_end, process)
        return
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _running.append(0)
        for each in listed:
            if os.getppid() != parent:
                break
            compile_one(*each)
    except BaseException:
        pass
    finally:
        os._exit(0)


def compile_one(module: str, name: str, part: bool, given: list[Any]) -> None:
    """Compile a function for arguments of these types, or load it from the cache."""
    function = getattr(importlib.import_module(module), name)
    function = function.chosen or function
    made = function.made_inside() if part else function.made()
    made.compile(tuple(type_of(each) for each in given))


def _end(process: int) -> None:
    """End the other process if it still compiles: nobody waits for it any more."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
