"""The last player's chance to win: exact wherever every score of the round's end is judged."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.games.dice.game import GAME
from lama_odds.games.interface.match_equity import MatchEquity
from tests.cli.calls import inside
from tests.games.dice.small_positions import draw
from tests.games.dice.test_exact_against_fractions import ALONE, near, small, values_of
from tests.reference.dice_last import LastWins, share

AMIGO = ("amigo", {})
# What can be counted on fingers: of 216 rolls so many win, so many share the win.
BY_HAND = (
    (
        small(AMIGO, "236", "345", "1", "35", alone=True, scores=(20, 30, 35)),
        {"quit": Fraction(1, 2), "roll": Fraction(7407, 10000)},
    ),
    (
        small(AMIGO, "335", "246L", "2356", "146", alone=True, scores=(34, 36, 23), shown="356"),
        {"discard 35": Fraction(66 + 8, 216), "discard 3": None, "discard 5": None},
    ),
    (
        small(AMIGO, "456", "12345L", "1L", "344L", alone=True, scores=(37, 24, 30), shown="56L"),
        {"discard 56": Fraction(66 + 8, 216), "discard 5": None, "discard 6": None},
    ),
)


def solved(position, table=None):
    rules, read = position.read()
    found = GAME.solve(rules, read, "win", 2, None, table)
    return None if found is None else {valued.action: valued for valued in found.actions}


def finals(position):
    """What the others have at the end of the round."""
    points = LastWins(position.rules, None).solver
    return [
        score + points.penalty(hand)
        for score, hand in zip(position.held[1:], position.others, strict=True)
    ]


@pytest.mark.parametrize(("position", "chances"), BY_HAND, ids=lambda x: str(x)[:40])
def test_counted_by_hand(position, chances):
    found = values_of(solved(position), "win")
    assert set(found) == set(chances)
    for action, chance in chances.items():
        assert chance is None or found[action] == pytest.approx(float(chance), abs=1e-4)
    best = max(found, key=found.get)
    assert best in ("roll", "discard 35", "discard 56")


def over(number):
    """A position of the last player whose round ends the game, whatever that player does."""
    luck = random.Random(number)
    while True:
        found = draw(luck.randrange(10_000), True, 8)
        target = GAME.rules(found.rules_id).target
        scores = tuple(luck.randrange(target) for _ in range(1 + len(found.others)))
        found = replace(found, scores=scores)
        if max(finals(found)) >= target:
            return found


@pytest.mark.parametrize("position", [over(number) for number in range(24)], ids=str)
def test_when_the_game_ends_with_the_round(position):
    others = finals(position)
    twin = LastWins(position.rules, lambda own: share(own, others))
    expected = twin.actions(position.hand, position.row, position.held[0], position.shown)
    assert values_of(solved(position), "win") == near(expected)


def table_of(target, seed):
    values = np.random.default_rng(seed).integers(0, 1001, (target, target)) / 1000
    return MatchEquity("some policy", values, np.full_like(values, 0.001), 1000, seed)


TWO = [p for p in ALONE if p.scores and len(p.others) == 1]


@pytest.mark.parametrize("position", TWO, ids=str)
def test_with_a_table_of_what_the_scores_are_worth(position):
    target = GAME.rules(position.rules_id).target
    table = table_of(target, len(position.text))
    (other,) = finals(position)

    def worth(own):
        if max(own, other) >= target:
            return share(own, [other])
        return Fraction(float(table.values[own, other]))

    twin = LastWins(position.rules, worth)
    expected = twin.actions(position.hand, position.row, position.held[0], position.shown)
    assert values_of(solved(position, table), "win") == near(expected)


def test_enough_positions_have_a_table():
    assert len(TWO) >= 6


def test_points_are_told_beside_the_chance_to_win():
    # Quitting counts what lies there; where nothing can be won any more, all is as good.
    position = small(AMIGO, "25", "3L", "1", alone=True, scores=(39, 39))
    found = solved(position)
    assert found["quit"].values["points"].value == 7
    assert found["quit"].values["margin"].value == 6
    quits = small(AMIGO, "25", "3L", "1", alone=True, scores=(0, 39))
    rolled = solved(quits)["roll"]
    assert 0 < rolled.values["points"].value < 17
    penalties = {n: c.value for n, c in rolled.chances.items() if n.startswith("penalty ")}
    parts = [int(name.split()[1]) * chance for name, chance in penalties.items()]
    assert sum(parts) == pytest.approx(rolled.values["points"].value)  # no tokens to return


@pytest.mark.long
def test_what_hangs_on_rounds_to_come_is_sampled():
    three = small(AMIGO, "25", "3L", "1", "2", alone=True, scores=(10, 12, 3))
    assert solved(three) is None
    rules, read = three.read()
    assert advise(GAME, rules, read, seed=1).method == "simulation"


def test_the_answer_says_what_it_rests_on():
    ends = inside("advise", "dice/amigo", "hand=236 row=345 opp=q1,q35 scores=20,30,35", "-v")
    assert "Roll." in ends.out
    assert "74.07 %" in ends.out
    assert "the game ends with this round" in ends.out
    by_table = inside("advise", "dice/amigo", "hand=16LL row=123456L opp=q2223 scores=7,9", "-v")
    assert "(exact" in by_table.out
    assert "match equity table" in by_table.out
    out = inside(
        *("advise", "dice/amigo", "hand=16LL row=123456L opp=q2223 scores=7,9"),
        *("--play-out", "--games", "2000"),
    )
    assert "(exact" not in out.out
    assert "match equity table" not in out.out
