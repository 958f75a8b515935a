"""The Polish rule book: Lama 20."""

import pytest

from lama_odds.games.lama.rules.ruleset import parse_rules
from tests.games.lama.checker import seen_in
from tests.games.lama.table import Table

TWENTY = "lama/egmont+twenty"
MIXED = ("threshold:8", "random", "matching:3", "threshold:5")


@pytest.mark.parametrize(
    ("score", "best", "least"),
    [
        (0, 0, 0), (1, 1, 1), (9, 1, 1), (10, 10, 10), (19, 10, 1), (20, 20, 20), (21, 20, 1),
        (29, 20, 1), (30, 20, 10), (39, 20, 1), (40, 20, 20), (50, 20, 10),
    ],
)  # fmt: skip
def test_tokens_of_20_are_held_and_exchanged(score, best, least):
    assert parse_rules(TWENTY).token(score) == best
    assert parse_rules(TWENTY).lowest_token(score) == least
    assert parse_rules("lama/egmont").token(score) == min(best, 10)
    assert parse_rules("lama/egmont").lowest_token(score) == min(least, 10)


@pytest.mark.parametrize(("score", "left"), [(8, 7), (15, 5), (20, 0), (35, 15)])
def test_going_out_gives_a_token_of_20_back(score, left):
    table = Table(TWENTY, "2", "25", scores=[score, 33])
    table.play("2")
    assert table.scores == [left, 33]


@pytest.mark.parametrize("edition", ["egmont", "amigo"])
def test_tokens_of_20_go_back_in_the_compiled_games(edition):
    seen = seen_in(f"lama/{edition}+target=90+twenty", MIXED, games=20)
    assert all(seen[f"returns {token}"] > 5 for token in (0, 1, 10, 20))


def test_the_cards_are_those_of_the_basic_game():
    assert parse_rules(TWENTY).deck == parse_rules("lama/egmont").deck
