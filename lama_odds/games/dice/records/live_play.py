"""What `play` needs of Lama Dice."""

from __future__ import annotations

from lama_odds.games.dice.records import live_turn
from lama_odds.games.dice.records.entries import DiceEntries
from lama_odds.games.dice.records.on_screen import ON_SCREEN
from lama_odds.games.dice.records.practice import practice
from lama_odds.games.interface.capabilities import LivePlay, LiveRounds

LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=LiveRounds(live_turn.opening, live_turn.dealt, live_turn.next_first),
    entries=DiceEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    implied={"roll": "blown"},
)
