"""Compiled functions are those of WebAssembly; rules of a few lines are translated."""

from __future__ import annotations

from typing import Any


def small(function: Any) -> Any:
    """Return a rule of a few lines as it stands."""
    return function


for_all = small
