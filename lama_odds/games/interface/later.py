"""A mapping whose values are found when one of them is needed, and not before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class Later(Mapping[str, V]):
    """Values that are known, then those that `find` returns, which is called at most once.

    Looking a known value up finds nothing; anything else does.
    """

    def __init__(
        self, find: Callable[[], Mapping[str, V]], known: Mapping[str, V] | None = None
    ) -> None:
        self._known = dict(known or {})
        self._find: Callable[[], Mapping[str, V]] | None = find

    def _all(self) -> Mapping[str, V]:
        if self._find is not None:
            self._known |= self._find()
            self._find = None
        return self._known

    def __getitem__(self, name: str) -> V:
        return self._known[name] if name in self._known else self._all()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
