"""The games that other packages bring, by the entry points that they declare; none is imported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

GROUP = "lama_odds.games"


@cache
def offered() -> Mapping[str, tuple[EntryPoint, ...]]:
    """The games that other packages bring, in alphabetical order."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, package(point))):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def package(point: EntryPoint) -> str:
    """Name of the package with an entry point, as it is installed."""
    return point.dist.name if point.dist else point.value


def imported_names() -> set[str]:
    """What these packages are called where they are imported."""
    return {point.module.partition(".")[0] for points in offered().values() for point in points}
