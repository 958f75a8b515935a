"""Figures of sweeps over many values: their names do not overlap."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import lama_odds as lo
from lama_odds.report.figures.sweeps import GAP, LETTER, labelled, sweep_figure


def test_names_along_a_line_have_room() -> None:
    for places, expected in (
        ([10, 20, 30], [0, 1, 2]),
        ([10, 11, 12, 20, 100], [0, 3, 4]),
        (list(range(10, 101)), None),
    ):
        names = [str(place) for place in places]
        found = labelled(places, names, 2.5)
        assert expected in (None, found)
        for one, two in pairwise(found):
            room = (places[two] - places[one]) * 2.5 / (places[-1] - places[0])
            assert room >= (len(names[one]) + len(names[two])) / 2 * LETTER + GAP
        assert found[0] == 0
        assert len(found) > 2


@pytest.mark.parametrize(
    ("vary", "turned", "told"),
    [
        (["target=30,40"], False, None),
        (["points=1.2.3.4.5.6,1.1.1.1.1.1,2.2.2.2.2.2,3.3.3.3.3.3"], True, None),
        (["target=10..30", "dealt=5,6"], False, None),
        (["dealt=5,6", "target=10..40"], True, None),
        (["target=10..40"], False, 11),
    ],
)
def test_names_are_turned_or_thinned(vary: list[str], turned: bool, told: int | None) -> None:
    found = lo.sweep("lama/amigo", vary, 2, policy="random", games=104, measures="rounds").found
    drawn = sweep_figure(found, "svg").decode()
    # A name of an axis may be turned, a value is not.
    assert bool(re.search(r"rotate\(-90\)[^>]*>[\d.]+<", drawn)) == turned
    if told:
        assert len(re.findall(r">[1-4]\d<", drawn)) == told
