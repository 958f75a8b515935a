"""Rounds of the twin that are set up and scripted, for the tests of its rules."""

from dataclasses import replace

from tests.reference.noprob import Round, Table, edition, score
from tests.reference.noprob_cards import CELLS, Deck
from tests.reference.noprob_policies import PASS

RULES = edition("starnberger")
DECK = Deck(RULES)
OTHERS = 3 + 4 + 5 + 7 + 8 + 10  # points of six cards that form no line


def cards(text):
    return [DECK.texts.index(word) for word in text.split()]


def texts(found):
    return [DECK.texts[card] for card in found]


def points(text, **options):
    return score(replace(RULES, **options), text.split())


class Script:
    """Plays the turns given: (source, what is done with the card); passes when none is left."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.seen = []

    def source(self, view):
        self.seen.append((view.grid(view.seat), view.last_turn))
        source, self.use = self.turns.pop(0) if self.turns else (PASS, None)
        return source

    def place(self, view, card, source):
        return self.use

    def give(self, view, card):
        return self.use


def round_of(*scripts, top="10", pile="10 10 10", up=None, **options):
    """Set up a round: every card hidden is a 9, those of `up`, by seat, lie face up."""
    table = Table(replace(RULES, **options), ["random"] * len(scripts), 0)
    table.policies = [Script(*turns) for turns in scripts]
    state = Round(table, 0, 0)
    state.grids = [cards("9 " * CELLS) for _ in scripts]
    for seat, number in (up or {}).items():
        state.up[seat] = (1 << number) - 1
    state.pile, state.discards = sorted(cards(pile)), cards(top)
    return state


def only_turn(turn, **options):
    """Play one turn of seat 0 and give the round."""
    state = round_of([turn], [], **options)
    state.history.append(state.play_turn(0))
    state.turns = 1
    return state
