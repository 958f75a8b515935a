"""A round of cards laid out by hand and followed, for the tests that follow the rule book."""

import re

from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules.position import card_text
from lama_odds.games.lama.rules.ruleset import NAMES, parse_rules


def cards_of(cards):
    """Split cards written as 33+5LP."""
    found = re.findall(r"[1-6]\+?|[LP]", cards)
    assert "".join(found) == cards
    return found


def counts(cards):
    """Count cards by kind."""
    found = cards_of(cards)
    return tuple(found.count(name) for name in NAMES)


class Table:
    """A round under a rule set; a script has the cards played, `draw:` with a card, or `quit`."""

    def __init__(self, rules_id, hands, top="1", scores=None, first=0, pot=()):
        held = [counts(hand) for hand in hands.split()]
        start = list(scores or [0] * len(held))[: len(held)]
        self.moved = None
        self.round = Round(parse_rules(rules_id), held, NAMES.index(top), start, first, list(pot))

    def follow(self, script):
        """Do what a script says, each word by the seat to act."""
        for word in script.split():
            if word == "quit":
                moved = self.round.quit()
            elif word.startswith("draw:"):
                moved = self.round.draw(NAMES.index(word[5:]))
            else:
                moved = self.round.play(NAMES.index(word))
            self.moved = moved.paid, moved.taken
        return self

    @property
    def hands(self):
        return " ".join(card_text(hand) for hand in self.round.hands)

    @property
    def pile(self):
        return sum(self.round.pack)

    def __getattr__(self, name):
        """Give seat, scores, pot, running, ended and penalties of the round."""
        return getattr(self.round, name)
