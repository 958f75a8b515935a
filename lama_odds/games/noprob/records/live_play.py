"""What `play` needs of No Prob-Lama."""

from __future__ import annotations

from lama_odds.games.interface.capabilities import Follows, LivePlay, LiveRounds
from lama_odds.games.noprob.records import live_turn
from lama_odds.games.noprob.records.entries import GridEntries
from lama_odds.games.noprob.records.on_screen import ON_SCREEN
from lama_odds.games.noprob.records.practice import practice
from lama_odds.games.noprob.rules.ruleset import NoprobRules

PLACES = tuple(f"{row},{column}" for row in (1, 2, 3) for column in (1, 2, 3))


def tapped(rules: NoprobRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards of the rule set, places, and players."""
    copies = {name: there for name, there in zip(rules.names, rules.deck, strict=True) if there}
    card = Follows("card", tuple(copies))
    peeked = [place.replace(",", "") for place in PLACES]
    return {
        "deal": Follows("places", tuple(copies), dealt=rules.peeks, copies=copies, places=peeked),
        "top": card,
        "draw": card,
        "replace": Follows("place", PLACES, then=card),
        "give": Follows("player", tuple(f"#{seat + 1}" for seat in range(players))),
    }


LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=LiveRounds(live_turn.opening, live_turn.dealt, live_turn.next_first),
    entries=GridEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    seen_by=live_turn.seen_by,
)
