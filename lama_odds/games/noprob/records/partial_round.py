"""A round of No Prob-Lama as one player sees it: open cards, and those looked at."""

from __future__ import annotations

from lama_odds.games.noprob.records.round import Round
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import NUMBERS, UNKNOWN
from lama_odds.games.shared.partial_view import Told
from lama_odds.games.shared.record import Refused

LINES = 6


class SeenRound(Told, Round):
    """A `Round` in which hidden cards are UNKNOWN, except those that the viewer looked at."""

    def __init__(
        self,
        viewer: int,
        rules: NoprobRules,
        grids: list[tuple[int, ...]],
        top: int,
        first: int,
        looked: tuple[int, ...] = (),
    ) -> None:
        self.viewer = viewer
        self.looked = looked
        self.pile_left = rules.cards - CELLS * len(grids) - 1
        super().__init__(rules, grids, top, first)

    @property
    def pile_size(self) -> int:
        """The number of cards left to draw."""
        return self.pile_left

    def knows(self, seat: int, cell: int) -> bool:
        """Return whether a seat knows its card in a cell, as far as the viewer can tell."""
        return self.hands[seat][cell] != UNKNOWN

    def looked_at(self, seat: int) -> int:
        """Return the mask of the cells that a seat has looked at before the round; 0: not known."""
        return self.looked[seat] if self.looked else 0

    def in_sight(self, kind: int) -> int:
        """Return how many cards of a kind the viewer knows: they cannot be elsewhere."""
        cards = [held for seat in (*self.hands, *self.beside) for held in seat]
        in_hand = self.pending is not None and self.pending[1] == kind
        return cards.count(kind) + self.discards.count(kind) + in_hand

    def turn_up(self, cell: int, kind: int | None) -> None:
        """Show the card that the seat to act is about to replace.

        Raises Refused if the card is neither given nor known, or if it cannot be that card.
        """
        if self.hands[self.seat][cell] != UNKNOWN:
            return
        if kind is None:
            raise Refused("name the card that is turned up too: turns CARD")
        self._check_left(kind)
        self.hands[self.seat][cell] = kind

    def _check_left(self, kind: int) -> None:
        if self.in_sight(kind) >= self.rules.deck[kind]:
            name = self.rules.names[kind]
            raise Refused(f"all {self.rules.deck[kind]} cards {name} are in sight")

    def _take_from_pile(self, kind: int) -> None:
        if not self.pile_left:
            raise Refused("the pile is empty")
        self._check_left(kind)
        self.pile_left -= 1

    def _refill(self, below: list[int]) -> None:
        self.pile_left = len(below)

    def possible(self, seat: int) -> tuple[int, int]:
        """Return the least and the most points that a seat's cards can count."""
        if UNKNOWN not in self.hands[seat]:
            total = self.total(seat)
            return total, total
        points = self.rules.points
        cards = [kind for kind in self.hands[seat] if kind != UNKNOWN]
        beside = sum(points[kind] for kind in self.beside[seat])
        hidden = CELLS - len(cards)
        most = sum(points[kind] for kind in cards) + hidden * max(points)
        # Every line may count minus the highest number, and every card at most its value.
        least = sum(min(points[kind], 0) for kind in cards) + hidden * min(*points, 0)
        return least - LINES * points[NUMBERS - 1] + beside, most + beside
