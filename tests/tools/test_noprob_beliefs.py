"""The study of what turns of No Prob-Lama tell: its counting, on turns made up."""

import math

import numpy as np
import pytest

from lama_odds.games.noprob.game import GAME
from tools.study import noprob_beliefs as study
from tools.study import noprob_beliefs_page as page

EVEN = np.array([0.25, 0.25, 0.5])


def scored(chances, kinds, expected=(4.0, 2.0), ended=3.0, among=1):
    """Make up a turn at which cards have been told."""
    told = [(EVEN, np.array(c), kind) for c, kind in zip(chances, kinds, strict=True)]
    both = {"points": expected, "round": (0.0, 0.0)}
    table = next(iter(study.TABLES))
    return study.Scored(2, table, 5, among, (ended, 0.0), 0.0, {study.KNOWN: told}, both)


def test_log_losses_are_by_card():
    found = [
        scored([[0.5, 0.5, 0.0]], [0]),
        scored([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0, 2]),
    ]
    even, past, saved = page.losses(found, study.KNOWN)
    assert even[0] == pytest.approx((2 * math.log(4) + math.log(2)) / 3)
    assert past[0] == pytest.approx(math.log(2) / 3)
    assert saved[0] == pytest.approx(even[0] - past[0])
    assert study.loss(0.0) == -math.log(study.LEAST)


def test_rounds_count_with_their_turns():
    found = [scored([EVEN], [0], among=1), scored([EVEN], [0], (10.0, 3.0), 4.0, among=3)]
    row = next(line for line in page.expected_table(found).splitlines() if "points" in line)
    at_random, from_play = (cell.split()[0] for cell in row.split("|")[4:6])
    assert float(at_random) == pytest.approx((1 * 1 + 3 * 6) / 4)
    assert float(from_play) == pytest.approx((-1 * 1 - 3 * 1) / 4)


def test_calibration_counts_every_kind_of_card():
    table = page.calibration([scored([[0.7, 0.3, 0.0]], [0])])
    rows = [[cell.strip() for cell in line.split("|")[2:5]] for line in table.splitlines()[2:]]
    assert rows == [["0.0 %", "0.0 %", "1"], ["30.0 %", "0.0 %", "1"], ["70.0 %", "100.0 %", "1"]]


def test_a_turn_is_looked_at_with_the_cards_as_they_are():
    rules = GAME.rules(study.RULES)
    table = "all play learned"
    looked = (study.look(rules, study.seated(table, 2, game), 3, game) for game in range(1, 9))
    turns = ((seen, study.score(rules, seen, 2, table)) for seen in looked if seen is not None)
    seen, found = next((seen, found) for seen, found in turns if found is not None)
    other = 1 - seen.state.seat
    down = [kind for kind, up in zip(seen.state.hands[other], seen.state.up[other], strict=True)
            if not up]  # fmt: skip
    told = [kind for cards in found.told.values() for _, _, kind in cards]
    assert sorted(told) == sorted(down)
    for _, chances, _ in (one for cards in found.told.values() for one in cards):
        assert chances.sum() == pytest.approx(1)


def test_seats_move_on_from_game_to_game():
    names = [policy.name for policy in study.seated("mixed", 3, 1)]
    assert names == ["greedy", "random", "low-cards:3"]
