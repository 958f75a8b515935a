"""What situations played on with other hands show: differences in points, from their tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.hand_tally import (
    HandTally,
)
from lama_odds.games.interface.jobs import HandStudies, OtherHands
from lama_odds.statistics.intervals import mean_of

FEWEST = 30  # situations of an estimate
FEW = 4  # cards in hand, at most: few


@dataclass(frozen=True)
class Studied:
    """A tally of `HandStudies` with what it holds."""

    studies: HandStudies
    tally: np.ndarray

    def row(self, *keys: Mapping[str, Any]) -> Estimate | None:
        """The mean of the rows with just these keys, taken together; None if there are too few."""
        n = total = squares = 0
        for at, row in enumerate(self.studies.rows):
            if row and row in keys:
                more = HandTally(self.tally).row(at).tolist()
                n, total, squares = n + more[0], total + more[1], squares + more[2]
        return mean_of(total, squares, n) if n >= FEWEST else None

    @property
    def cards(self) -> list[str]:
        """The cards of the deck, in order."""
        found = [row["card"] for row in self.studies.rows if set(row) == {"card"}]
        return sorted(found, key=lambda card: ("123456LP".index(card[0]), card))

    def situations(self, hands: OtherHands) -> int:
        """In how many situations these hands were played."""
        return HandTally(self.tally).situations(hands.at)

    def contrast(self, hands: OtherHands, weights: list[int], unit: float = 1.0) -> Estimate | None:
        """The mean of a weighted sum of the points of hands, times `unit`."""
        n = self.situations(hands)
        if n < FEWEST:
            return None
        sums = HandTally(self.tally).sums(hands.at, len(hands.names))
        used = [at for at, weight in enumerate(weights) if weight]
        total = sum(weights[i] * int(sums[i, 0]) for i in used)
        squares = sum(weights[i] * weights[j] * int(sums[i, 1 + j]) for i in used for j in used)
        return mean_of(total, squares, n, unit)

    def points(self, hands: OtherHands, at: int) -> Estimate | None:
        """The mean points of one of the hands."""
        return self.contrast(hands, [int(i == at) for i in range(len(hands.names))])


def size_of(hands: OtherHands) -> int:
    """How many cards each of the hands has."""
    return len(hands.names[0])


def _alike(hands: OtherHands) -> list[list[int]]:
    """Hands of the same penalty that can be played on different numbers of values."""
    by_penalty: dict[int, list[int]] = {}
    for at, penalty in enumerate(hands.penalties):
        by_penalty.setdefault(penalty, []).append(at)
    groups = [by_penalty[penalty] for penalty in sorted(by_penalty)]
    return [group for group in groups if len({hands.tops[at] for at in group}) > 1]


@dataclass(frozen=True)
class Pair:
    """Hands of the same penalty: those playable on the fewest values against the most."""

    narrow: tuple[str, ...]
    wide: tuple[str, ...]
    penalty: int
    more: Estimate
    tops: int


def pairs_of(found: Studied, hands: OtherHands) -> list[Pair]:
    """What the hands that can be played on the fewest values cost more than those on the most."""
    pairs = []
    for group in _alike(hands):
        tops = sorted({hands.tops[at] for at in group})
        narrow, wide = ([at for at in group if hands.tops[at] == t] for t in (tops[0], tops[-1]))
        whole = lcm(len(narrow), len(wide))
        weights = [0] * len(hands.names)
        for at in group:
            weights[at] = whole // len(narrow) * (at in narrow) - whole // len(wide) * (at in wide)
        more = found.contrast(hands, weights, 1 / whole)
        if more is not None:
            names = [tuple(hands.names[at] for at in side) for side in (narrow, wide)]
            penalty = hands.penalties[group[0]]
            pairs.append(Pair(names[0], names[1], penalty, more, tops[-1] - tops[0]))
    return pairs


def saved_by_top(found: Studied, hands: OtherHands) -> Estimate | None:
    """What one more of the values that a hand can be played on saves, at the same penalty.

    The slope of the points on the number of values, within the groups of `_alike`.
    """
    groups = _alike(hands)
    if not groups:
        return None
    whole = lcm(*(len(group) for group in groups))
    weights = [0] * len(hands.names)
    for group in groups:
        part = whole // len(group)
        total = sum(hands.tops[at] for at in group)
        for at in group:
            weights[at] = part * (total - len(group) * hands.tops[at])
    spread = -sum(weight * tops for weight, tops in zip(weights, hands.tops, strict=True))
    return found.contrast(hands, weights, 1 / spread)


def tops_of(found: Studied) -> list[tuple[str, str]]:
    """The tops and what is next to them."""
    rows = [row for row in found.studies.rows if set(row) == {"top", "next"}]
    pairs = [(row["top"], row["next"]) for row in rows]
    return sorted(pairs, key=lambda pair: "123456L".index(pair[0]))


def next_first(found: Studied, top: str, after: str, few: bool) -> Estimate | None:
    """What playing the next value first costs more, with few or with many cards in hand."""
    keys = {"top": top, "next": after}
    counts = {row.get("cards", 0) for row in found.studies.rows} - {0}
    chosen = [{**keys, "cards": n} for n in counts if (n <= FEW) == few]
    return found.row(*chosen)
