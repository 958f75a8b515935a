"""A page has the built-in games alone."""

from __future__ import annotations


def offered() -> dict[str, tuple[str, ...]]:
    """Return nothing: no package is installed in a page."""
    return {}


def package(point: str) -> str:
    """Return a package's name."""
    return point
