"""Cards of rules in L.A.M.A.: as thresholds, and at single decisions."""

import pytest

from lama_odds.games.interface.records import Situation
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.policy_query import Player
from lama_odds.games.shared.decisions import decisions
from tests.games.cases import tally_of
from tests.games.lama.cases import MIXES

AMIGO = GAME.rules("lama/amigo")


@pytest.mark.parametrize("rules_id", ["lama/egmont", "lama/party+drama"])
@pytest.mark.parametrize("rounds", [True, False])
def test_a_limit_alone_plays_as_a_threshold(rules_id, rounds):
    limits = 4, 9, 0
    cards, thresholds = (
        tuple(f"{name}:{limit}" for limit in limits) for name in ("card", "threshold")
    )
    played = [tally_of(rules_id, names, rounds, 3, 0, 300) for names in (cards, thresholds)]
    assert played[0] == played[1]


def test_same_plays_as_matching():
    names = ("card:same/5", "card:same/0"), ("matching:5", "matching:0")
    played = [tally_of("lama/amigo", seats, False, 3, 0, 300) for seats in names]
    assert played[0] == played[1]


def test_single_decisions_are_those_of_its_games():
    seats = [GAME.policy(name) for name in MIXES[-1]]
    players = [Player(AMIGO, policy, len(seats)) for policy in seats]
    seen = set()
    for game in range(20):
        for each in decisions(GAME, AMIGO, GAME.record(AMIGO, seats, 8, game, False)):
            assert players[each.seat].decides(Situation(0, each.position), 0) == each.chosen
            seen.add(each.chosen.split()[0])
    assert seen == {"quit", "draw", "play"}
    assert len({str(player.basis) for player in players}) == len(players)
