"""A round of cards as one player sees it: own cards, numbers of the others' cards, played cards."""

from __future__ import annotations

from lama_odds.games.lama.records.round import Round, Tokens
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.shared.partial_view import Told
from lama_odds.games.shared.record import Refused


class SeenRound(Told, Round):
    """A `Round` in which only the viewer's hand is known.

    hands: empty except the viewer's. held: the number of cards of each seat. pack: cards that the
    viewer has not seen, by kind; they are in the pile or in another hand.
    """

    def __init__(
        self,
        viewer: int,
        rules: LamaRules,
        hands: list[Counts],
        top: int,
        scores: list[int],
        first: int,
        pot: list[int],
    ) -> None:
        self.viewer = viewer
        super().__init__(rules, hands, top, scores, first, pot)
        self.held = [rules.dealt] * len(hands)
        self.pile_left = sum(rules.deck) - sum(self.held) - 1

    @property
    def pile_size(self) -> int:
        """The number of cards left to draw."""
        return self.pile_left

    def cards_of(self, seat: int) -> int:
        """Return the number of cards that a seat holds or has quit with."""
        return self.held[seat]

    def draw_unseen(self) -> Tokens:
        """Let another seat draw a card that the viewer does not see."""
        if self.seat == self.viewer:
            raise Refused("name the card too: draw CARD")
        return self.draw(-1)

    def _check_held(self, kind: int) -> None:
        if self.seat == self.viewer:
            super()._check_held(kind)
        elif not self.pack[kind]:
            raise Refused(f"all {self.rules.deck[kind]} cards {NAMES[kind]} have been seen")

    def _gain(self, kind: int) -> None:
        if self.seat == self.viewer:
            super()._gain(kind)
        elif kind >= 0:
            raise Refused(f"seat {self.viewer} does not see what seat {self.seat} draws: draw ?")
        self.held[self.seat] += 1
        self.pile_left -= 1

    def _lose(self, kind: int) -> None:
        if self.seat == self.viewer:
            super()._lose(kind)
        else:
            self.pack[kind] -= 1
        self.held[self.seat] -= 1

    def possible(self, seat: int) -> tuple[int, int]:
        """Return the least and the most points that the round can cost a seat."""
        more = self.rules.quit_cost if seat in self.quit_seats else 0
        if seat == self.viewer:
            penalty = self.rules.penalty(self.hands[seat]) + more
            return penalty, penalty
        if not self.held[seat]:
            return 0, 0
        return self._cheapest() + more, self._dearest(self.held[seat]) + more

    def _cheapest(self) -> int:
        """Return the points of the cheapest unseen card: all cards of a hand may be of its kind."""
        left = [kind for kind in range(KINDS) if self.pack[kind]]
        return min(self.rules.penalty(_hand([kind])) for kind in left)

    def _dearest(self, cards: int) -> int:
        """Return the highest cost of a number of unseen cards, adding the most costly card each
        time.
        """
        chosen: list[int] = []
        for _ in range(cards):
            left = [k for k in range(KINDS) if self.pack[k] > chosen.count(k)]
            costs = {k: self.rules.penalty(_hand([*chosen, k])) for k in left}
            chosen.append(max(costs, key=lambda k: costs[k]))
        return self.rules.penalty(_hand(chosen))


def _hand(cards: list[int]) -> Counts:
    return tuple(cards.count(kind) for kind in range(KINDS))
