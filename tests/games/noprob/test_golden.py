"""The records kept in ``golden`` are what the product writes and reads, to the letter."""

import re

import pytest

from lama_odds.games.noprob.records.record import position_after, read_record
from tests.games.cases import product_record
from tests.games.noprob.cases import id_of, twin_rules
from tests.games.noprob.golden_update import GAMES, GOLDEN, SEED, record
from tests.games.noprob.test_twin import events_of
from tests.reference.noprob import score

golden = GOLDEN.read


def lines_of(name, word):
    """Give the rest of the lines of a golden record that begin with a word."""
    lines = [line.split() for line in golden(name).splitlines()]
    return [words[1:] for words in lines if words[0] == word]


def ends_of(name):
    """Give the grids of each round at its end, with the specials beside them."""
    grids, beside = [], []
    for line in golden(name).splitlines():
        words = line.split()
        if words[0] == "deal":
            grids = [row.replace("/", ",").split(",") for row in words[1:]]
            beside = [[] for _ in grids]
        elif words[0] == "penalties":
            yield grids, beside, [int(word) for word in words[1:]]
        elif words[3:4] == ["give"]:
            beside[int(words[4])].append(words[2])
        elif words[3:4] == ["replace"]:
            row, column = words[4].split(",")
            grids[int(words[0])][3 * int(row) + int(column) - 4] = words[2]


def test_every_golden_game_has_its_file():
    assert GOLDEN.files() == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_product_writes_the_golden_record(name):
    options, players, game = GAMES[name]
    assert product_record(id_of(options), ("random",) * players, SEED, game) == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_twin_writes_the_golden_record(name):
    assert record(name) == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_reading_replays_to_the_same_points(name):
    options, players, game = GAMES[name]
    found = read_record(golden(name))
    assert (found.rules.id, found.players) == (id_of(options), players)
    assert found.policies == ("random",) * players
    assert found.luck == (SEED, game)
    assert [str(number) for number in found.final] == lines_of(name, "final")[0]
    ends = list(ends_of(name))
    assert len(found.rounds) == len(ends)
    for round_, (grids, beside, penalties) in zip(found.rounds, ends, strict=True):
        names = found.rules.names
        assert [[names[kind] for kind in hand] for hand in round_.hands] == grids
        assert [[names[kind] for kind in cards] for cards in round_.beside] == beside
        assert round_.penalties == penalties


@pytest.mark.parametrize("name", GAMES)
def test_points_are_those_of_the_brute_force(name):
    rules = twin_rules(GAMES[name][0])
    for grids, beside, penalties in ends_of(name):
        for grid, cards, points in zip(grids, beside, penalties, strict=True):
            if grid.count("J") <= 4:
                more = rules.special * (cards.count("D") - cards.count("K"))
                assert score(rules, grid) + more == points, grid


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_record_may_stop_after_any_turn(name):
    lines = golden(name).splitlines()
    for end in range(8, len(lines), 7):
        found = read_record("\n".join(lines[:end]))
        assert found.final is None
        if lines[end][0].isdigit():
            assert found.rounds[-1].seat == int(lines[end].split()[0])
            assert position_after(found).players == found.players


@pytest.mark.parametrize(
    ("name", "option"),
    [
        (name, option)
        for name in ("starnberger_no_triple_joker", "starnberger_designer", "starnberger_dear")
        for option in GAMES[name][0]
    ]
    + [("starnberger_any_tie", "any_tie"), ("starnberger_no_refill", "refill")],
)
def test_every_option_changes_the_golden_game(name, option):
    rules, *changed = record(name, option).splitlines()[1:]
    assert rules != golden(name).splitlines()[1]
    assert changed != golden(name).splitlines()[2:]


SHOWN = {
    "starnberger": (r"^\d take [DK] give \d$", r" turns [DK]$", r"^end done$"),
    "starnberger_raised": (r"^target 4$",),
    "starnberger_six_seats": (r"^target 2$", r"^5 take [DK] give"),
    "starnberger_four_rounds": (r"^scores 0 0 0$", r"^round 3 first 0$"),
    "starnberger_first_llama": (r"^target 1$",),
    "starnberger_any_tie": (r"^target 3$",),
    "starnberger_no_refill": (r"^end empty$", r"^target 4$"),
    "starnberger_dear": (r" draw 97 ", r" draw 90 "),
    "starnberger_designer": (r"^end empty$", r" draw -3 "),
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_golden_game_shows_what_it_is_for(name):
    found = [re.search(pattern, golden(name), re.MULTILINE) for pattern in SHOWN[name]]
    assert all(found), SHOWN[name]


def test_the_golden_refill_draws_more_cards_than_there_were_in_the_pile():
    rounds = re.split(r"^round ", golden("starnberger_refill"), flags=re.MULTILINE)[1:]
    drawn = [len(re.findall(r"^\d draw ", text, re.MULTILINE)) for text in rounds]
    assert max(drawn) > 25 - 19


def test_ties_and_hidden_specials_are_there():
    for name in ("starnberger_raised", "starnberger_any_tie", "starnberger_no_refill"):
        assert events_of(golden(name))["tie"]
    hidden = [name for name in GAMES if events_of(golden(name))["special hidden at the end"]]
    assert len(hidden) > 5


def test_lines_cross_in_a_joker():
    for name in ("starnberger", "starnberger_jokers"):
        crossing = 0
        for grids, _, _ in ends_of(name):
            for grid in grids:
                for cell in [cell for cell, card in enumerate(grid) if card == "J"]:
                    row = {grid[c] for c in range(9) if c // 3 == cell // 3} - {"J"}
                    column = {grid[c] for c in range(9) if c % 3 == cell % 3} - {"J"}
                    crossing += row == column and len(row) == 1 and int(*row) > 0
        assert crossing
    three = [grid for grids, _, _ in ends_of("starnberger_jokers") for grid in grids]
    assert any(grid[at : at + 3] == ["J"] * 3 for grid in three for at in (0, 3, 6)) or any(
        grid[at::3] == ["J"] * 3 for grid in three for at in range(3)
    )
