"""What `play` needs of Pikomino."""

from __future__ import annotations

from lama_odds.games.interface.capabilities import Follows, LivePlay
from lama_odds.games.pikomino.records import live_turn
from lama_odds.games.pikomino.records.entries import TileEntries
from lama_odds.games.pikomino.records.on_screen import ON_SCREEN
from lama_odds.games.pikomino.records.practice import practice
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules


def tapped(rules: PikominoRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb."""
    del players
    return {
        "roll": Follows("dice", tuple(NAMES), dice=rules.dice),
        "keep": Follows("face"),
        "stop": Follows("tile"),
        "steal": Follows("tile"),
    }


LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=None,
    entries=TileEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    closing=live_turn.bust_words,
)
