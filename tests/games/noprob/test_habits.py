"""Habits of a turn played out both ways: which questions come up, and what must come out."""

from collections import Counter

import numpy as np
import pytest

from lama_odds.games.interface.tally_layout import CERTAIN, ForkCell, decisions_of
from lama_odds.games.noprob.engine import habits as engine
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.jobs.habits import habit_keys, habits
from lama_odds.simulation.run import run

RULES = GAME.rules("noprob/starnberger")
KEYS = habit_keys(RULES)
CLASS_OF = {card: name for name, cards in {
    "3 to 5": "345", "6 to 8": "678", "9": "9", "J": "J"}.items() for card in cards
} | {"10": "10", "-1": "-1 or -2", "-2": "-1 or -2", "-5": "-5"}  # fmt: skip


def tally_of(policy, players, first, games, asked=CERTAIN, threads=1):
    job = habits(RULES, [GAME.policy(policy)] * players, asked)
    return run(job, 3, games, first=first, threads=threads, chunk=16).tally


def cells(tally, question, down="any"):
    """Give the cells of a question by card."""
    return {
        key[1]: ForkCell(row)
        for key, row in zip(KEYS, tally, strict=True)
        if key[0] == question and key[2] == down
    }


def turns_of(policy, players, game):
    """List the turns of a round: seat, words, own cells face up before, whether others wait."""
    names = [GAME.policy(policy)] * players
    lines = GAME.record(RULES, names, 3, game, True).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("top")) + 1
    up = [set() for _ in range(players)]
    for line in lines[start:-2]:
        seat, *words = line.split()
        mine = up[int(seat)]
        if all(len(others) < 9 for others in up):
            yield words, frozenset(mine), lines[-1].split()[1:]
        if "replace" in words:
            mine.add(words[words.index("replace") + 1])


@pytest.mark.long
@pytest.mark.parametrize(("policy", "players"), [("learned", 2), ("learned", 3)])
def test_every_card_drawn_is_asked_about_while_cells_are_unknown(policy, players):
    known = {"1,1", "1,2"}  # what everybody has looked at
    every = {f"{row},{column}" for row in range(1, 4) for column in range(1, 4)}
    expected, groups = Counter(), Counter()
    for game in range(8):
        for words, up, _ in turns_of(policy, players, game):
            down = every - up
            if words[0] == "draw" and words[1] not in "DK" and down - known and len(down) > 1:
                expected[CLASS_OF[words[1]]] += 1
                groups[(len(down) - 1) // 3] += 1
    tally = tally_of(policy, players, 0, 8)
    assert {card: cell.decisions for card, cell in cells(tally, "hidden").items()} == expected
    for at, down in enumerate(("1 to 3", "4 to 6", "7 to 9")):
        found = cells(tally, "hidden", down).values()
        assert sum(cell.decisions for cell in found) == groups[at]
    assert sum(cell.decisions for cell in cells(tally, "pair").values()) > 0
    assert sum(cell.decisions for cell in cells(tally, "taken").values()) > 0


@pytest.mark.long
def test_a_draw_instead_of_taking_is_the_round_as_it_was():
    alone = same = 0
    for game in range(1_000):
        tally = tally_of("learned", 2, game, 1, CERTAIN // 40)
        taken = [cell for cell in cells(tally, "taken").values() if cell.decisions]
        others = [cells(tally, "hidden"), cells(tally, "pair")]
        if len(taken) == 1 and taken[0].decisions == 1:
            if any(cell.decisions for found in others for cell in found.values()):
                continue  # learned drew
            alone += 1
            ends = next(turns_of("learned", 2, game))[2]
            both = taken[0].first(0).total, taken[0].second(0).total
            same += any(str(total) in ends for total in both)
    assert alone >= 20
    assert same >= 0.8 * alone  # otherwise learned took it for another cell


def test_the_same_tally_on_any_number_of_threads():
    one = tally_of("learned", 2, 0, 32, CERTAIN // 4)
    assert (tally_of("learned", 2, 0, 32, CERTAIN // 4, threads=2) == one).all()
    assert decisions_of(one).sum() > 100


GRID = "7 8 ? 3 -1 K ? J 10"


@pytest.mark.parametrize(
    ("cell", "card", "expected"),
    [
        (2, "7", 1),  # 7 8 7
        (2, "5", 0),
        (2, "10", 1),  # with the 10 below
        (6, "7", 1),  # with the 7 above; the row has J 10
        (6, "3", 1),
        (6, "10", 2),  # 10 J 10
        (6, "4", 1),  # with the joker
        (4, "8", 2),  # 8 8 J
        (0, "8", 1),
        (1, "8", 0),  # it is there already
        (7, "8", 0),  # instead of a joker
        (2, "-1", 0),
        (6, "J", 2),  # J J 10
    ],
)
def test_what_a_number_does_in_a_cell(cell, card, expected):
    kinds = [14 if word == "?" else RULES.names.index(word) for word in GRID.split()]
    grid = sum(kind << 4 * at for at, kind in enumerate(kinds))
    kind = RULES.names.index(card)
    assert engine.use_of(RULES.tables.lines, grid, cell, kind) == expected


def test_keys_name_every_row():
    assert len(KEYS) == engine.ROWS
    assert np.unique([" ".join(key) for key in KEYS]).size == len(KEYS)
    assert [key[1] for key in KEYS[:: engine.GROUPS]][: engine.CLASSES] == [
        "3 to 5", "6 to 8", "9", "10", "-1 or -2", "-5", "J",
    ]  # fmt: skip
