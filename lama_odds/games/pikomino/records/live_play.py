"""What `play` needs of Pikomino."""

from __future__ import annotations

from lama_odds.games.interface.capabilities import LivePlay
from lama_odds.games.pikomino.records import live_turn
from lama_odds.games.pikomino.records.entries import TileEntries
from lama_odds.games.pikomino.records.on_screen import ON_SCREEN
from lama_odds.games.pikomino.records.practice import practice

LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=None,
    entries=TileEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    closing=live_turn.bust_words,
)
