"""Find the games of other packages by the entry points that they declare; nothing is imported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "lama_odds.games"


@cache
def offered() -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return the entry points of games in other packages, in alphabetical order of the games."""
    from importlib.metadata import entry_points

    points: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, package(point))):
        points[point.name] = (*points.get(point.name, ()), point)
    return points


def package(point: EntryPoint) -> str:
    """Return the name of the installed package that has an entry point."""
    return point.dist.name if point.dist else point.value


def imported_names() -> set[str]:
    """Return the names under which these packages are imported."""
    return {point.module.partition(".")[0] for points in offered().values() for point in points}
