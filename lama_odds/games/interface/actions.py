"""Actions as a button names them, in the language in force: infinitives, such as „3 spielen“.

English uses the agreed notation itself: ``play 3``, ``quit``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lama_odds.core.language import ENGLISH, language, later, say

# Actions of a verb alone, and with what it is about.
ALONE: Mapping[str, str] = {
    "quit": later("quit"),
    "roll": later("roll"),
    "draw": later("draw"),
    "pass": later("pass"),
    "end": later("end the round"),
    "go on": later("go on"),
    "take": later("take the top discard"),
    "discard": later("discard the card that you drew"),
}
ABOUT: Mapping[str, str] = {
    "play": later("play {cards}"),
    "discard": later("discard {cards}"),
    "take": later("take {cards}"),
    "roll": later("roll {number}"),
    "draw": later("draw {cards}"),
    "keep": later("keep {number}"),
    "stop": later("take tile {number} and stop"),
    "steal": later("steal tile {number} from player {player}"),
    "give": later("give {cards} to player {player}"),
    "replace": later("replace row {row}, column {column}"),
}
# A verb alone for whatever it may be about, where it is not as in ALONE.
KINDS: Mapping[str, str] = {
    "play": later("to play"),
    "take": later("to take"),
    "discard": later("to discard"),
    "keep": later("to keep"),
    "stop": later("to stop"),
    "steal": later("to steal"),
    "give": later("to give"),
    "replace": later("to replace"),
    "go": ALONE["go on"],
}
# Cards and dice that are not numbers, as what an action is about.
THINGS: Mapping[str, str] = {
    "L": later("a llama"),
    "P": later("a pink llama"),
    "D": later("the Drama"),
    "K": later("the Karma"),
    "J": later("a joker"),
}
_EACH = re.compile(r"\d\+|\d+|[A-Z]")
_ONE_DIGIT = re.compile(r"\d\+|[0-9A-Z]")


def action_words(action: str, seat: int = 0, players: int | None = None) -> str:
    """Return an action in the language in force; an unknown one stays unchanged.

    seat: who acts. An action counts the others from there; sentences count all players from 1. If
    another acts, an action that names a player stays as it is where nobody says how many there are.
    """
    if language() == ENGLISH:
        return action
    if action in ALONE:
        return say(ALONE[action])
    verb, *about = action.split()
    if not about:
        return action
    if verb not in ABOUT:
        return action
    if verb == "replace":
        row, _, column = about[0].partition(",")
        return say(ABOUT[verb], row=row, column=column)
    pattern = _ONE_DIGIT if verb == "discard" else _EACH
    if about[0] == "W":
        return say("keep the worms")
    cards = ", ".join(thing(card) for card in pattern.findall(about[0]))
    player: int | str = ""
    if len(about) > 2 and about[2].isdigit():
        if seat and players is None:
            return action
        player = seat + int(about[2])
        player = (player % players if players else player) + 1
    return say(ABOUT[verb], cards=cards, number=about[0], player=player)


def kind_words(verb: str) -> str:
    """Return a verb, for all its actions, in the language in force."""
    if language() == ENGLISH:
        return verb
    return say(KINDS[verb]) if verb in KINDS else action_words(verb)


def thing(card: str) -> str:
    """Return a card or die as what an action is about."""
    if card in THINGS:
        return say(THINGS[card])
    if card.endswith("+"):
        return say("a {number} plus", number=card[:-1])
    return say("a {number}", number=card)
