"""Cards of rules in Lama Dice: as thresholds, at single decisions, and where they settle a game."""

import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.policy_query import Player
from lama_odds.games.interface.records import Situation
from lama_odds.games.shared.decisions import decisions
from tests.games.cases import tally_of
from tests.games.dice.cases import MIXES

AMIGO = GAME.rules("dice/amigo")


@pytest.mark.parametrize("rounds", [True, False])
def test_a_limit_alone_plays_as_a_threshold(rounds):
    limits = 4, 9, 0
    cards, thresholds = (
        tuple(f"{name}:{limit}" for limit in limits) for name in ("card", "threshold")
    )
    played = [tally_of("dice/egmont", names, rounds, 3, 0, 300) for names in (cards, thresholds)]
    assert played[0] == played[1]


def test_single_decisions_are_those_of_its_games():
    seats = [GAME.policy(name) for name in MIXES[-1]]
    players = [Player(AMIGO, policy, len(seats)) for policy in seats]
    seen = set()
    for game in range(20):
        for each in decisions(GAME, AMIGO, GAME.record(AMIGO, seats, 8, game, False)):
            assert players[each.seat].decides(Situation(0, each.position), 0) == each.chosen
            seen.add(each.chosen.split()[0])
    assert seen == {"quit", "roll", "discard", "take"}
    assert len({str(player.basis) for player in players}) == len(players)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hand=6 opp=q=20 scores=20,20", ("quit", "quit")),  # 26 against 40: surely won
        ("hand=6 opp=q=12 scores=39,12", ("roll", "roll")),  # 45 against 24: surely lost
        ("hand=6 opp=q=14 scores=34,26", ("roll", "quit")),  # 40 all
        ("hand=6 opp=q=9 scores=20,30", ("roll", "quit")),  # the game goes on
    ],
)
def test_the_last_player_settles_the_game(text, expected):
    position = GAME.position(AMIGO, text)
    cards = "card:settle/never", "card:settle/31"
    players = [Player(AMIGO, GAME.policy(card), 2) for card in cards]
    assert tuple(each.decides(Situation(0, position), 0) for each in players) == expected
