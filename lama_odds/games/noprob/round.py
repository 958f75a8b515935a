"""A round of No Prob-Lama step by step, with every card in sight: for records and replaying."""

from __future__ import annotations

from lama_odds.games.noprob.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.scoring import score
from lama_odds.games.noprob.turn import DRAMA, kind_at
from lama_odds.games.record import Refused

ENDS = ("done", "empty")


class Round:
    """State of a round; seats in turn order, `seat` to act.

    grids: kinds by seat and cell. up: face up or not. beside: specials by seat. pile: cards left
    to draw, by kind. discards: the top last. recycled: whether the pile was made of discards.
    ended: one of ENDS when the round is over. drawn: the card in hand of the seat to act, and
    whether it came from the pile.
    """

    def __init__(
        self, rules: NoprobRules, grids: list[tuple[int, ...]], top: int, first: int
    ) -> None:
        self.rules = rules
        self.hands = [list(grid) for grid in grids]
        self.up = [[False] * CELLS for _ in grids]
        self.beside: list[list[int]] = [[] for _ in grids]
        self.discards = [top]
        dealt = [kind for grid in grids for kind in grid] + [top]
        self.pile = [there - dealt.count(kind) for kind, there in enumerate(rules.deck)]
        self.first = first
        self.seat = first
        self.last: int | None = None
        self.ended: str | None = None
        self.begin_turn()

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def penalties(self) -> list[int]:
        """Points of each seat as the cards lie now."""
        found = []
        for grid, beside in zip(self.hands, self.beside, strict=True):
            packed = sum(kind << 4 * cell for cell, kind in enumerate(grid))
            found.append(int(score(self.rules.tables, packed)))
            found[-1] += sum(self.rules.points[kind] for kind in beside)
        return found

    def begin_turn(self) -> None:
        """Refill an empty pile, or end the round for want of one."""
        if sum(self.pile) or self.ended:
            return
        if not self.rules.refill:
            self.ended = "empty"
            return
        below = self.discards[:-1]
        self.pile = [below.count(kind) for kind in range(len(self.rules.deck))]
        self.discards = self.discards[-1:]

    def draw(self, kind: int) -> None:
        """The seat to act draws this card."""
        if not self.pile[kind]:
            raise Refused(f"no {self.rules.names[kind]} is left to draw")
        self.pile[kind] -= 1

    def take(self, kind: int) -> None:
        """The seat to act takes the top discard, which must be this card."""
        if not self.discards:
            raise Refused("there is no discard to take")
        if self.discards[-1] != kind:
            raise Refused(f"the top discard is {self.rules.names[self.discards[-1]]}")
        self.discards.pop()

    def replace(self, kind: int, cell: int) -> int:
        """Put a card got into a cell; returns the card it replaces."""
        if kind >= DRAMA:
            raise Refused(f"{self.rules.names[kind]} must be given to another player")
        replaced = self.hands[self.seat][cell]
        self.hands[self.seat][cell] = kind
        self.up[self.seat][cell] = True
        self.discards.append(replaced)
        self._end_turn()
        return replaced

    def put_away(self, kind: int) -> None:
        """Discard a card drawn."""
        if kind >= DRAMA:
            raise Refused(f"{self.rules.names[kind]} must be given to another player")
        self.discards.append(kind)
        self._end_turn()

    def give(self, kind: int, seat: int) -> None:
        """Give a special to another seat."""
        if kind < DRAMA:
            raise Refused(f"{self.rules.names[kind]} is not given away")
        if not 0 <= seat < self.players or seat == self.seat:
            raise Refused("a special goes to another player")
        self.beside[seat].append(kind)
        self._end_turn()

    def skip(self) -> None:
        """Pass: a last turn, or one without any card to get."""
        if self.last is None and (any(self.pile) or self.discards):
            raise Refused("only a last turn may be passed")
        self._end_turn()

    def _end_turn(self) -> None:
        if self.last is not None:
            self.last -= 1
        elif all(self.up[self.seat]):
            self.last = self.players - 1
        if self.last == 0:
            self.ended = "done"
        self.seat = (self.seat + 1) % self.players
        self.begin_turn()


def unpacked(grid: int) -> tuple[int, ...]:
    """Kinds by cell of a packed grid."""
    return tuple(int(kind_at(grid, cell)) for cell in range(CELLS))
