"""What `play` needs of the card games."""

from __future__ import annotations

from lama_odds.games.interface.capabilities import Follows, LivePlay, LiveRounds
from lama_odds.games.lama.records import live_turn
from lama_odds.games.lama.records.entries import CardEntries
from lama_odds.games.lama.records.on_screen import ON_SCREEN
from lama_odds.games.lama.records.practice import practice
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules


def tapped(rules: LamaRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards of the rule set."""
    del players
    copies = {name: there for name, there in zip(NAMES, rules.deck, strict=True) if there}
    card = Follows("card", tuple(copies))
    deal = Follows("cards", tuple(copies), dealt=rules.dealt, copies=copies)
    return {"deal": deal, "top": card, "draw": card, "play": card}


LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=LiveRounds(live_turn.opening, live_turn.dealt, live_turn.next_first),
    entries=CardEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    seen_by=live_turn.seen_by,
)
