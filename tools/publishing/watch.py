"""A target opens no file that it does not name: what depends on what would be wrong otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LamaOddsError
from tools.publishing.target import Target, covers

KEPT = ("data/", "reports/", "docs/", "README.md")  # what the repository keeps


@contextmanager
def watched(target: Target, root: Path, out: Path) -> Iterator[None]:
    """While this lasts, LamaOddsError from reading or writing a kept file that is not named.

    What a target writes it may read. root: the checkout; out: where it writes.
    """
    roots = {os.path.realpath(root), os.path.realpath(out)}
    on = [True]

    def look(event: str, given: tuple[Any, ...]) -> None:
        if not on[0]:
            return
        if event == "open" and isinstance(given[0], str | bytes | os.PathLike):
            changes = any(letter in str(given[1] or "r") for letter in "wax+")
            _check(target, roots, os.fsdecode(given[0]), changes)
        elif event == "os.rename":
            _check(target, roots, os.fsdecode(given[1]), True)

    sys.addaudithook(look)
    try:
        yield
    finally:
        on[0] = False  # a hook cannot be taken away


def _check(target: Target, roots: set[str], path: str, changes: bool) -> None:
    place = os.path.abspath(path)
    for root in roots:
        name = os.path.relpath(place, root).replace(os.sep, "/")
        if not any(covers(kept, name) for kept in KEPT) or "/." in name:
            continue
        patterns = target.writes if changes else (*target.reads, *target.writes)
        if not any(covers(pattern, name) for pattern in patterns):
            verb = "writes" if changes else "reads"
            raise LamaOddsError(
                f"{target.name} {verb} {name}, which its TARGET does not name: add it to `{verb}`"
            )
