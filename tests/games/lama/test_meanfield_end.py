"""`meanfield` and the end of the game: what it makes of scores and of cards it cannot see."""

from __future__ import annotations

import pytest

from lama_odds.games.interface.records import Situation
from lama_odds.games.lama.engine.round_loop import A_CARD, all_leeway
from lama_odds.games.lama.engine.table_rows import PARAMETER
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.policy_query import Player
from lama_odds.games.lama.solvers.root_state import root_table
from lama_odds.jit import compiled

RULES = GAME.rules("lama/egmont")


@compiled
def all_leeway_of(rules, penalties, table, seats, seat, hand):
    return all_leeway(rules, penalties, table, seats, seat, hand)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((10, 20, 40 - 5 * A_CARD - 1), 0.0),
        ((10, 20, 40 - 5 * A_CARD), 7.0),  # five cards bring the last one to 40
        ((20 + 2 * A_CARD - 3, 20, 30), 7.0),  # shared with the one who holds two
        ((20 + 2 * A_CARD - 2, 20, 30), -9.0),
        ((37, 30, 20), -9.0),  # ends the game itself
    ],
)
def test_the_end_of_the_game_by_the_number_of_cards(
    scores: tuple[int, ...], expected: float
) -> None:
    position = GAME.position(
        RULES, f"hand=12 top=4 opp=2,q5 scores={','.join(map(str, scores))} first=0"
    )
    table = root_table(RULES, position)
    table[PARAMETER] = GAME.policy("meanfield:win=7,lose=9").parameter
    found = all_leeway_of(RULES.columns, RULES.penalties, table, 3, 0, RULES.pack(position.hand))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(("cards", "expected"), [(13, 0.0), (14, 7.0), (40, 7.0)])
def test_many_hidden_cards_keep_their_number(cards: int, expected: float) -> None:
    position = GAME.position(RULES, f"hand=12 top=4 opp={cards}")
    table = root_table(RULES, position)
    table[PARAMETER] = GAME.policy("meanfield:win=7").parameter
    found = all_leeway_of(RULES.columns, RULES.penalties, table, 2, 0, RULES.pack(position.hand))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("position", "decision"),
    [
        ("hand=16 top=1 opp=6 scores=0,30 first=0", "play 1"),  # no risk, the hand gets cheaper
        ("hand=36 top=1 opp=6 scores=0,30 first=0", "quit"),  # `meanfield` draws
    ],
)
def test_who_is_ahead_shuns_drawing_but_plays(position: str, decision: str) -> None:
    situation = Situation(0, GAME.position(RULES, position))
    assert Player(RULES, GAME.policy("meanfield:ahead=99"), 2).decides(situation, 1) == decision
    plain = Player(RULES, GAME.policy("meanfield"), 2).decides(situation, 1)
    assert plain == ("play 1" if decision == "play 1" else "draw")
