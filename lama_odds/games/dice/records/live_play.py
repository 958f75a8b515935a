"""What `play` needs of Lama Dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

from lama_odds.games.dice.records import live_turn
from lama_odds.games.dice.records.entries import DiceEntries
from lama_odds.games.dice.records.on_screen import ON_SCREEN
from lama_odds.games.dice.records.practice import practice
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.interface.capabilities import Follows, LivePlay, LiveRounds


def tapped(rules: DiceRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards and the rolls of the rule set."""
    copies = dict(zip(NAMES, rules.dealt_from, strict=True))
    known: Iterable[tuple[int, ...]] = rules.sorted_rolls
    if rules.faces_assumed:
        known = combinations_with_replacement(range(len(NAMES)), rules.dice)
    rolls = ["".join(NAMES[kind] for kind in roll) for roll in sorted(known)]
    faces = tuple(name for name in NAMES if name in rules.faces)
    return {
        "deal": Follows("cards", tuple(NAMES), dealt=rules.dealt, hands=players, copies=copies),
        "roll": Follows("dice", faces, dice=rules.dice, rolls=rolls),
        "discard": Follows("cards"),
        "take": Follows("card"),
    }


def doubt(rules: DiceRules, words: Sequence[str]) -> str:
    """Return that the faces assumed cannot show the dice of a turn, which are used as they lie."""
    shown = words[2] if words[1:2] == ["roll"] else ""
    rolled = tuple(NAMES.index(name) for name in shown)
    return "" if not shown or rolled in rules.sorted_rolls else rules.cannot_show(rolled)


LIVE_PLAY = LivePlay(
    legal_actions=live_turn.legal_actions,
    policy_turn=live_turn.policy_turn,
    luck_of=live_turn.luck_of,
    final_of=live_turn.final_of,
    rounds=LiveRounds(live_turn.opening, live_turn.dealt, live_turn.next_first),
    entries=DiceEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    implied={"roll": "blown"},
    doubt=doubt,
)
