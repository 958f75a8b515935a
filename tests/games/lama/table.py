"""A round of cards laid out by hand, for the tests that follow the rule book."""

import copy
import re

from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules.position import card_text
from lama_odds.games.lama.rules.ruleset import NAMES, parse_rules
from lama_odds.games.shared.record import Refused

ORDER = "123456L"


def cards_of(cards):
    """Split cards written as 33+5LP."""
    found = re.findall(r"[1-6]\+?|[LP]", cards)
    assert "".join(found) == cards
    return found


def fits(card, top):
    """Say whether a card goes on another: same value, next one, the pink llama anywhere."""
    here = "L" if top == "P" else top[0]
    return card == "P" or card[0] in (here, (ORDER + "1")[ORDER.index(here) + 1])


def purse(rules, score):
    """List the tokens of a player, the best first."""
    tokens = []
    for worth in ([rules.pink] if rules.twenty else []) + [rules.black, 1]:
        while score >= worth:
            tokens.append(worth)
            score -= worth
    return tokens


def cost(rules, hand):
    """Add up what a hand costs: each kind once."""
    total = sum(rules.points[int(value) - 1] for value in {card[0] for card in hand} - {"L", "P"})
    llamas = hand.count("L")
    if "P" in hand:
        return total + rules.pink_points + rules.llama_points * (rules.pink_adds and llamas > 0)
    return total + rules.llama_points * (llamas if rules.llama_each else min(llamas, 1))


def counts(cards):
    """Count cards by kind."""
    found = cards_of(cards)
    return tuple(found.count(name) for name in NAMES)


class Table:
    """A round under a rule set, spoken to in the names of cards."""

    def __init__(self, rules_id, *hands, top="1", scores=None, first=0, pot=()):
        self.rules = parse_rules(rules_id)
        start = list(scores) if scores else [0] * len(hands)
        held = [counts(hand) for hand in hands]
        self.round = Round(self.rules, held, NAMES.index(top), start, first, list(pot))

    def play(self, *cards):
        """Play cards, each by the seat to act; give the tokens (paid, taken) of the last."""
        for card in cards:
            moved = self.round.play(NAMES.index(card))
        return moved.paid, moved.taken

    def draw(self, card):
        """Draw this card; give the tokens paid and taken."""
        moved = self.round.draw(NAMES.index(card))
        return moved.paid, moved.taken

    def quit(self, times=1):
        """Let one seat after another quit; give the tokens of the last."""
        for _ in range(times):
            moved = self.round.quit()
        return moved.paid, moved.taken

    def can(self, action, *args):
        """Tell whether the seat to act may do this, without doing it."""
        there = copy.deepcopy(self)
        try:
            getattr(there, action)(*args)
        except Refused:
            return False
        return True

    def playable(self):
        """Join the cards that the seat to act may play."""
        return "".join(name for name in NAMES if self.can("play", name))

    @property
    def hands(self):
        """The cards of everybody."""
        return [card_text(hand) for hand in self.round.hands]

    @property
    def pile(self):
        """The number of cards in the draw pile."""
        return sum(self.round.pack)

    @property
    def drama(self):
        """The tokens on the pot, and whether the drama runs."""
        return self.round.pot, self.round.running

    def __getattr__(self, name):
        """Give seat, scores, ended and penalties of the round."""
        if name not in ("seat", "scores", "ended", "penalties"):
            raise AttributeError(name)
        return getattr(self.round, name)
