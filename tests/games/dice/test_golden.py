"""The records kept in ``golden`` are what the product writes and reads, to the letter."""

import pytest

from lama_odds.games.dice.records.record import read_record
from tests.games.cases import product_record, rounds_of
from tests.games.dice.cases import id_of
from tests.games.dice.golden_update import GAMES, GOLDEN, SEED, record

golden = GOLDEN.read


def numbers(words):
    return [int(word) for word in words[1:]]


def test_every_golden_game_has_its_file():
    assert GOLDEN.files() == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_product_writes_the_golden_record(name):
    edition, options, policies, game = GAMES[name]
    found = product_record(id_of(edition, options), policies.split(), SEED, game, rounds=False)
    assert found == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_twin_writes_the_golden_record(name):
    assert record(name) == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_reading_replays_to_the_same_scores(name):
    edition, options, policies, game = GAMES[name]
    text = golden(name)
    found = read_record(text)
    assert found.rules.id == id_of(edition, options)
    assert found.policies == tuple(policies.split())
    assert found.luck == (SEED, game)
    for state, lines in zip(found.rounds, rounds_of(text), strict=True):
        words = {line[0]: line for line in lines}
        assert state.first == int(words["round"][3])
        assert state.ended == words["end"][1]
        assert state.penalties == numbers(words["penalties"])
    assert list(found.final) == numbers(text.splitlines()[-1].split())


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name][1]])
def test_the_options_change_the_golden_game(name):
    assert record(name, options={}) != golden(name)


SHOWN = {
    "amigo_empty_row": "end row",
    "gigamic_empty_row": "end row",
    "amigo": "end out",
    "egmont": "end out",
    "gigamic": "roll LLL\n",
    "amigo_last_llamas_blown": "roll LLL blown",
    "amigo_four_dice": "end blown",
}


@pytest.mark.parametrize(("name", "line"), SHOWN.items())
def test_the_golden_game_shows_what_it_is_for(name, line):
    assert line in golden(name)


@pytest.mark.parametrize("name", ["amigo_empty_row_stays", "egmont_empty_row"])
def test_a_blow_with_an_empty_row_is_in_the_golden_game(name):
    taken = []
    for lines in rounds_of(golden(name)):
        takes = [line[4] for line in lines if line[3:4] == ["take"]]
        if ["end", "blown"] in lines:
            taken.append(len(takes))
    assert 7 in taken


@pytest.mark.parametrize(
    ("name", "values"),
    # Rounds in which two tokens are returned: a pink and a black one, a pink and a white one.
    [("egmont", {0, 10}), ("egmont_twenty", {0, 20 + 10}), ("egmont_tokens", {0, 12, 12 + 1})],
)
def test_tokens_are_returned_in_the_golden_game(name, values):
    text, returned = golden(name), set()
    for state, lines in zip(read_record(text).rounds, rounds_of(text), strict=True):
        returned |= {a - b for a, b in zip(numbers(lines[1]), state.scores, strict=True)}
    assert returned == values
