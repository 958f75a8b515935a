"""A round of No Prob-Lama step by step, with every card known, for records and replays."""

from __future__ import annotations

from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.round_loop import NO_PLACE, packed_turn
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.scoring import score
from lama_odds.games.noprob.rules.transition import DRAMA
from lama_odds.games.shared.record import Refused

ENDS = ("done", "empty")
DRAWN, TAKEN = "draw", "take"


class Round:
    """The state of a round; seats in turn order, `seat` to act.

    hands: kinds by seat and cell. up: face up or not. beside: specials by seat.
    pile: cards left to draw, by kind. discards: the top last.
    unseen: cards of each kind that were never open.
    recycled: whether the pile was made of discards. turns_played: their number.
    last: last turns left, None before a player has all cards face up.
    ended: one of ENDS when the round is over.
    pending: the card in hand of the seat to act, after DRAWN or TAKEN.
    opening: the first discard. log: the turns played, see `round_loop.log_turn`.
    """

    # the only seat whose cards are known; None: all are, see `partial_round`
    viewer: int | None = None

    def __init__(
        self, rules: NoprobRules, grids: list[tuple[int, ...]], top: int, first: int
    ) -> None:
        self.rules = rules
        self.hands = [list(grid) for grid in grids]
        self.up = [[False] * CELLS for _ in grids]
        self.beside: list[list[int]] = [[] for _ in grids]
        self.opening = top
        self.log: list[int] = []
        self.discards = [top]
        dealt = [kind for grid in grids for kind in grid] + [top]
        self.pile = [there - dealt.count(kind) for kind, there in enumerate(rules.deck)]
        self.unseen = [there - (kind == top) for kind, there in enumerate(rules.deck)]
        self.recycled = False
        self.turns_played = 0
        self.first = first
        self.seat = first
        self.last: int | None = None
        self.ended: str | None = None
        self.pending: tuple[str, int] | None = None
        self.begin_turn()

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def pile_size(self) -> int:
        """The number of cards left to draw."""
        return sum(self.pile)

    @property
    def penalties(self) -> list[int]:
        """Return the points of each seat if the round ended now."""
        return [self.total(seat) for seat in range(self.players)]

    def total(self, seat: int) -> int:
        """Return the points of a seat if the round ended now."""
        packed = sum(kind << 4 * cell for cell, kind in enumerate(self.hands[seat]))
        beside = sum(self.rules.points[kind] for kind in self.beside[seat])
        return int(score(self.rules.tables, packed)) + beside

    def knows(self, seat: int, cell: int) -> bool:
        """Return whether a seat knows its card in a cell: face up, or looked at before the
        round.
        """
        return self.up[seat][cell] or cell < self.rules.peeks

    def looked_at(self, seat: int) -> int:
        """Return the mask of the cells that a seat has looked at before the round; 0: not known."""
        return (1 << self.rules.peeks) - 1

    def begin_turn(self) -> None:
        """Refill an empty pile, or end the round without cards."""
        if self.pile_size or self.ended:
            return
        if not self.rules.refill:
            self.ended = "empty"
            return
        self._refill(self.discards[:-1])
        self.recycled = self.recycled or bool(self.pile_size)
        self.discards = self.discards[-1:]

    def _refill(self, below: list[int]) -> None:
        """Make the pile of these discards."""
        self.pile = [below.count(kind) for kind in range(len(self.rules.deck))]

    def draw(self, kind: int) -> None:
        """Let the seat to act draw this card."""
        self._check_open()
        self._take_from_pile(kind)
        if not self.recycled:
            self.unseen[kind] -= 1
        self.pending = DRAWN, kind

    def _take_from_pile(self, kind: int) -> None:
        if not self.pile[kind]:
            raise Refused(f"no {self.rules.names[kind]} is left to draw")
        self.pile[kind] -= 1

    def take(self, kind: int) -> None:
        """Let the seat to act take the top discard, which must be this card."""
        self._check_open()
        if not self.discards:
            raise Refused("there is no discard to take")
        if self.discards[-1] != kind:
            raise Refused(f"the top discard is {self.rules.names[self.discards[-1]]}")
        self.discards.pop()
        self.pending = TAKEN, kind

    def replace(self, kind: int, cell: int) -> int:
        """Put the card in hand into a cell; return the card it replaces."""
        if kind >= DRAMA:
            raise Refused(f"{self.rules.names[kind]} must be given to another player")
        replaced = self.hands[self.seat][cell]
        if not self.up[self.seat][cell]:
            self.unseen[replaced] -= 1
        self.hands[self.seat][cell] = kind
        self.up[self.seat][cell] = True
        self.discards.append(replaced)
        self._end_turn(cell, replaced)
        return replaced

    def put_away(self, kind: int) -> None:
        """Discard a card that was drawn."""
        if kind >= DRAMA:
            raise Refused(f"{self.rules.names[kind]} must be given to another player")
        self.discards.append(kind)
        self._end_turn(PUT_AWAY)

    def give(self, kind: int, seat: int) -> None:
        """Give a special to another seat."""
        if kind < DRAMA:
            raise Refused(f"{self.rules.names[kind]} is not given away")
        if not 0 <= seat < self.players or seat == self.seat:
            raise Refused("a special goes to another player")
        self.beside[seat].append(kind)
        self._end_turn(seat)

    def skip(self) -> None:
        """Pass: a last turn, or one without any card to get."""
        self._check_open()
        if self.last is None and (self.pile_size or self.discards):
            raise Refused("only a last turn may be passed")
        self._end_turn()

    def _check_open(self) -> None:
        if self.pending is not None:
            raise Refused(f"seat {self.seat} has yet to use {self.rules.names[self.pending[1]]}")

    def _end_turn(self, place: int = NO_PLACE, replaced: int = NO_PLACE) -> None:
        if self.pending is None:
            self.log.append(packed_turn(self.seat, PASS, NO_PLACE, NO_PLACE, NO_PLACE))
        else:
            source = TAKE if self.pending[0] == TAKEN else DRAW
            self.log.append(packed_turn(self.seat, source, self.pending[1], place, replaced))
        self.pending = None
        self.turns_played += 1
        if self.last is not None:
            self.last -= 1
        elif all(self.up[self.seat]):
            self.last = self.players - 1
        if self.last == 0:
            self.ended = "done"
        self.seat = (self.seat + 1) % self.players
        self.begin_turn()
