"""Counts what this process has made because the cache did not hold it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple


class Made(NamedTuple):
    """How many functions this process has compiled, and how many tables it has solved."""

    functions: int
    tables: int


_made_so_far = Made(0, 0)
_counting = threading.Lock()
_waiting: list[Callable[[], None]] = []


def made_so_far() -> Made:
    """Return what this process has made because the cache did not hold it."""
    return _made_so_far


def count_made(functions: int = 0, tables: int = 0) -> None:
    """Count what was made."""
    global _made_so_far
    with _counting:
        _made_so_far = Made(_made_so_far.functions + functions, _made_so_far.tables + tables)


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` once, when something has to be compiled because the cache does not hold it."""
    _waiting.append(tell)


def about_to_compile() -> None:
    """Count a function, and tell who waits for the first."""
    count_made(functions=1)
    while _waiting:
        _waiting.pop(0)()
