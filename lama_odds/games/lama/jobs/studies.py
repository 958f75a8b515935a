"""The job that continues situations with other hands (see `hands`), and its tally."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.hand_tally import (
    hands_size,
)
from lama_odds.games.interface.jobs import HandStudies, OtherHands
from lama_odds.games.interface.tally_layout import (
    DIFFERENCE_COLUMNS,
)
from lama_odds.games.lama.engine.hands import (
    MOST_CARDS,
    MOST_COPIES,
    OF_A_CARD,
    study_hands,
)
from lama_odds.games.lama.engine.tables import StudyTables
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.rules.ruleset import KINDS, LLAMA, LLAMA_KIND, NAMES, VALUES, LamaRules
from lama_odds.jit.job import Job

LLAMA_FIRST = (LLAMA_KIND, *(kind for kind in range(KINDS) if kind != LLAMA_KIND))
SIZES = (3, 4)  # cards of the other hands


def studies_of(rules: LamaRules, policies: Sequence[Policy]) -> HandStudies:
    """Return the job of these studies, and the meaning of its tally.

    Rows of differences come first: OF_A_CARD for each kind of the deck, OF_A_TOP for each place.
    Then come the sums of each size of other hands, see `play_sets`.
    """
    kinds = [kind for kind in LLAMA_FIRST if rules.deck[kind]]
    tops = len(kinds) * OF_A_CARD
    rows = [row for kind in kinds for row in _card_rows(NAMES[kind], rules.llamas > 0)]
    plays = [_top_rows(rules.places.index(place)) for place in range(VALUES)]
    rows += [row for top in plays for row in top]
    hands: list[OtherHands] = []
    sets: list[int] = []
    sizes = []
    at = DIFFERENCE_COLUMNS * len(rows)
    plain = sorted(kind // 2 for kind in kinds if kind % 2 == 0)
    for cards in SIZES:
        found = list(combinations(plain, cards))
        sizes.append((cards, len(sets), len(found), at))
        hands.append(_other_hands(rules, found, at))
        sets += [sum(1 << rules.shifts[2 * value] for value in values) for values in found]
        at += hands_size(len(found))
    following = np.zeros(VALUES, dtype=np.int64)
    for value, place in enumerate(rules.places):
        following[place] = rules.places[(value + 1) % VALUES]
    tables = StudyTables(
        play=tables_of(rules, policies, tokens=rules.drama),
        kinds=np.array([rules.shifts[kind] for kind in kinds], dtype=np.int64),
        following=following,
        sets=np.array(sets, dtype=np.int64),
        sizes=np.array(sizes, dtype=np.int64),
        tops=tops,
    )
    job = Job(study_hands, rules.columns, policy_rows(policies), tables, (at,))
    return HandStudies(job, tuple(rows), tuple(hands))


def _card_rows(card: str, llamas: bool) -> list[dict[str, Any]]:
    """Return the meaning of the rows for an additional card; a missing key matches everything."""
    rows: list[dict[str, Any]] = [{"card": card}]
    rows += [{"card": card, "copies": copies} for copies in range(MOST_COPIES + 1)]
    for first in (True, False):
        rows += [{"card": card, "first": first, "cards": 1 + at} for at in range(MOST_CARDS)]
    return [*rows, {"instead of": card} if llamas else {}]


def _top_rows(value: int) -> list[dict[str, Any]]:
    """Return the meaning of the rows of a top."""
    top = {"top": NAMES[2 * value], "next": NAMES[2 * ((value + 1) % VALUES)]}
    rows: list[dict[str, Any]] = [top]
    rows += [{**top, "copies": 1 + at} for at in range(MOST_COPIES)]
    rows += [{**top, "cards": 1 + at} for at in range(MOST_CARDS)]
    return rows


def _other_hands(rules: LamaRules, found: Sequence[tuple[int, ...]], at: int) -> OtherHands:
    """Return hands of one card of each of these values."""
    counts = [tuple(int(k % 2 == 0 and k // 2 in values) for k in range(KINDS)) for values in found]
    tops = [sum(rules.pack(hand) & on > 0 for on in rules.playable.tolist()) for hand in counts]
    names = tuple(map(_in_turn, found))
    return OtherHands(names, tuple(map(rules.penalty, counts)), tuple(tops), at)


def _in_turn(values: tuple[int, ...]) -> str:
    """Return cards in the order in which they are played.

    A chain over the llama begins before it.
    """
    first = 0
    if LLAMA in values and 0 in values:
        first = next(v for v in range(LLAMA, -1, -1) if (v - 1) % VALUES not in values or v == 0)
    order = sorted(values, key=lambda value: (value - first) % VALUES)
    return "".join(NAMES[2 * value] for value in order)
