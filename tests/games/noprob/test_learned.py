"""`learned`: its twin plays the same rounds, it beats the planner, and its weights can be made."""

from unittest import mock

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.games.noprob.engine.foretelling import STAGES, apart, by_card, line_kinds
from lama_odds.games.noprob.engine.planner import PATIENCE
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.learned import joined, learned, split
from tests.games.cases import product_record
from tests.games.noprob.cases import id_of, twin_record
from tests.reference import noprob as twin
from tests.reference.noprob_learned import Learned

PLANNER = "planner:chase=40,lead=6,deny=18,haste=6"


def plain(players):
    """The twin's player with the product's weights for a number of players."""
    known = learned(GAME.rules(id_of({})), players)
    fitted = (known.own, known.theirs, known.share, known.chance)
    return Learned(*(part.tolist() for part in fitted))


def plain_round(players, game):
    with mock.patch.object(twin, "policy_of", side_effect=lambda _: plain(players)):
        return twin_record({}, ("learned",) * players, 5, game, rounds=True)


@pytest.mark.long
@pytest.mark.parametrize(("players", "rounds"), [(2, 6), (3, 3), (4, 2), (6, 1)])
def test_rounds_are_those_of_the_twin(players, rounds):
    policies = ("learned",) * players
    for game in range(rounds):
        assert product_record(id_of({}), policies, 5, game, rounds=True) == plain_round(
            players, game
        )


@pytest.mark.long
def test_the_twin_hurries_as_much_in_a_long_round():
    policies, game = ("learned",) * 6, 42
    found = product_record(id_of({}), policies, 5, game, rounds=True)
    assert len(found.splitlines()) > 6 * (PATIENCE + 20)
    assert found == plain_round(6, game)


@pytest.mark.long
@pytest.mark.parametrize(("players", "least"), [(2, 0.58), (4, 0.32)])
def test_it_wins_against_the_planner(players, least):
    shares = []
    for seat in range(players):
        seats = [PLANNER] * players
        seats[seat] = "learned"
        found = lo.simulate("noprob/starnberger", players, seats, games=1_200).to_json()
        shares.append(found["seats"][seat]["win"]["value"])
    assert np.mean(shares) > least


def test_weights_read_back_as_they_are_shipped():
    kinds = line_kinds().max() + 1
    rows = np.random.default_rng(1).normal(size=(STAGES, 2 * kinds + 4)).astype(np.float32)
    assert np.array_equal(joined(split(rows)), rows)


def test_a_line_is_known_by_its_cards_in_any_order():
    kinds = line_kinds()
    assert kinds[0x321] == kinds[0x123] == kinds[0x213] != kinds[0x322]
    assert len(set(kinds.tolist())) == 680  # three of fifteen, with repetition


def test_what_each_card_adds_to_a_line_stands_side_by_side():
    lines = np.arange(16**3)
    orders = by_card(np.stack([lines, lines + 5000]))
    assert orders.shape == (3, 2, 16**3)
    for line in (0x321, 0xF0A, 0x07E):
        for at in range(3):
            index = apart(line, at)
            assert index & 15 == line >> 4 * at & 15
            others = line & ~(15 << 4 * at)
            for card in range(16):
                there = orders[at, :, (index & ~15) + card]
                assert there.tolist() == [others | card << 4 * at, 5000 + (others | card << 4 * at)]


@pytest.mark.parametrize("players", [4, 6])
def test_rounds_end_even_if_nobody_wants_to_end_them(players):
    found = lo.simulate("noprob/starnberger", players, ["learned"] * players, games=400).to_json()
    wins = [seat["win"]["value"] for seat in found["seats"]]
    assert sum(wins) == pytest.approx(1.0)
