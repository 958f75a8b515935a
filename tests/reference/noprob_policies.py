"""The players of the plain No Prob-Lama: what a player knows, and the policies.

A policy decides three things. `source`: DRAW, TAKE, or on a last turn PASS; there is no such
decision without any card. `place`, for a number or a joker that it got: the cell whose card it
replaces, or PUT_AWAY if it was drawn. `give`, for a special: the seat that gets it. By then the
card is no longer in the pile or among the discards.
"""

from . import luck
from .noprob_cards import CELLS

DRAW, TAKE, PASS = "draw", "take", "pass"
PUT_AWAY = CELLS  # in place of a cell: the card drawn goes onto the discards


class View:
    """What a player can see and remember in a round."""

    def __init__(self, state, seat, known, coins):
        self.state = state
        self.seat = seat
        self.known = known  # cells looked at before the round, a set of bits
        self.coins = coins  # address of the word for the decisions of the first turn

    @property
    def deck(self):
        """Give the cards of the rule set."""
        return self.state.table.deck

    @property
    def discards(self):
        """List the discards, the top last; not to be changed."""
        return self.state.discards

    @property
    def pile(self):
        """Count the cards in the pile."""
        return len(self.state.pile)

    @property
    def players(self):
        """Count the seats."""
        return len(self.state.grids)

    @property
    def beside(self):
        """List by seat the specials given to it."""
        return [tuple(cards) for cards in self.state.beside]

    @property
    def last_turn(self):
        """Tell whether a player has all cards face up, so that this is the last turn."""
        return self.state.closer is not None

    def coin(self):
        """Look up the word for the decisions of this turn."""
        state = self.state
        return luck.word_at(state.table.stream, self.coins + state.turns // len(state.grids))

    def up(self, seat):
        """Tell by cell whether the card of a seat lies face up."""
        return [bool(self.state.up[seat] >> cell & 1) for cell in range(CELLS)]

    def grid(self, seat):
        """List the cards of a seat, None for those not known to this player."""
        known = self.state.up[seat] | (self.known if seat == self.seat else 0)
        cards = enumerate(self.state.grids[seat])
        return [card if known >> cell & 1 else None for cell, card in cards]


class Random:
    """Choose evenly among what is legal, but never pass."""

    def source(self, view):
        self.word = view.coin()
        if not view.pile:
            return TAKE
        if not view.discards:
            return DRAW
        number, self.word = luck.split(self.word, 2)
        return TAKE if number else DRAW

    def place(self, view, card, source):
        return luck.below(self.word, CELLS + (source == DRAW))

    def give(self, view, card):
        number = luck.below(self.word, view.players - 1)
        return (view.seat + 1 + number) % view.players


def policy_of(name):
    """Make a policy from its name, "random"."""
    if name != "random":
        raise ValueError(f"no policy of No Prob-Lama: {name}")
    return Random()
