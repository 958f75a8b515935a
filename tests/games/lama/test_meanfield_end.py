"""`meanfield` and the end of the game: what it makes of scores and of cards it cannot see."""

from __future__ import annotations

import pytest

from lama_odds.games.interface.records import Situation
from lama_odds.games.lama.engine.round_loop import A_CARD, all_leeway
from lama_odds.games.lama.engine.table_rows import PARAMETER
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.policy_query import Player
from lama_odds.games.lama.solvers.root_state import root_table

RULES = GAME.rules("lama/egmont")
COSTLY = GAME.rules("lama/egmont+quit_cost=4")


def leeway_at(policy, text, rules=RULES):
    """Give the points by which `meanfield` values drawing more at a position."""
    position = GAME.position(rules, text)
    table = root_table(rules, position)
    table[PARAMETER] = GAME.policy(policy).parameter
    hand = rules.pack(position.hand)
    return all_leeway(rules.columns, rules.penalties, table, position.players, 0, hand)


@pytest.mark.parametrize(
    ("scores", "expected", "costly"),
    [
        ((10, 20, 40 - 5 * A_CARD - 1), 0, 0),
        ((10, 20, 40 - 5 * A_CARD), 7, 7),  # five cards bring the last one to 40
        ((20 + 2 * A_CARD - 3, 20, 30), 7, -9),  # shared with the one who holds two
        ((20 + 2 * A_CARD - 2, 20, 30), -9, -9),
        ((37, 30, 20), -9, -9),  # ends the game itself
        ((36, 33, 20), 0, -9),
        ((33, 33, 20), 0, -9),  # by what quitting costs besides the cards
        ((32, 33, 20), 0, 0),
    ],
)
def test_the_end_of_the_game_by_the_number_of_cards(scores, expected, costly):
    text = f"hand=12 top=4 opp=2,q5 scores={','.join(map(str, scores))} first=0"
    assert leeway_at("meanfield:win=7,lose=9", text) == expected
    assert leeway_at("meanfield:win=7,lose=9", text, COSTLY) == costly


@pytest.mark.parametrize(("cards", "expected"), [(13, 0), (14, 7), (40, 7)])
def test_many_hidden_cards_keep_their_number(cards, expected):
    assert leeway_at("meanfield:win=7", f"hand=12 top=4 opp={cards}") == expected


@pytest.mark.parametrize(
    ("hand", "ahead", "plain"),
    [("16", "play 1", "play 1"), ("36", "quit", "draw")],  # to play 1 is no risk
)
def test_who_is_ahead_shuns_drawing_but_plays(hand, ahead, plain):
    situation = Situation(0, GAME.position(RULES, f"hand={hand} top=1 opp=6 scores=0,30 first=0"))
    for policy, decision in (("meanfield:ahead=99", ahead), ("meanfield", plain)):
        assert Player(RULES, GAME.policy(policy), 2).decides(situation, 1) == decision
