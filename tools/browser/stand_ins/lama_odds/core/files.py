"""A page writes no files: what training keeps comes and goes with each question."""

from __future__ import annotations

from typing import Any, NoReturn

from lama_odds.core.errors import LimitError


def write_whole(*words: Any, **more: Any) -> NoReturn:
    """Raise LimitError: there are no files."""
    del words, more
    raise LimitError("a page writes no files")


GrowingFile = sync_folder = write_whole
