"""Compiled functions are those of WebAssembly; rules of a few lines are translated."""

from __future__ import annotations

from typing import Any


def small(function: Any) -> Any:
    """Return a rule of a few lines as it stands."""
    return function


for_all = small


def leading_zeros(word: int) -> int:
    """Return the number of zeros before the first one of an integer of 64 bits."""
    return 64 - word.bit_length()
