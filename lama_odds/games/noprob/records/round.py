"""A round of No Prob-Lama step by step, with every card known, for records and replays."""

from __future__ import annotations

from lama_odds.core.language import say
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.round_loop import NO_PLACE, packed_turn
from lama_odds.games.noprob.rules.position import Grid, Position
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, NUMBERS, UNKNOWN, score
from lama_odds.games.shared.decisions import Told
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

    # the only seat whose cards are known; None: all are, see `SeenRound`
    viewer: int | None = None
    stood = False  # whether a position has replaced the state, so that turns before do not count

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
        extra = sum(self.rules.points[kind] for kind in self.beside[seat])
        return int(score(self.rules.tables, packed)) + extra

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
            raise Refused(say("no {card} is left to draw", card=self.rules.names[kind]))
        self.pile[kind] -= 1

    def take(self, kind: int) -> None:
        """Let the seat to act take the top discard, which must be this card."""
        self._check_open()
        if not self.discards:
            raise Refused(say("there is no discard to take"))
        if self.discards[-1] != kind:
            raise Refused(
                say("the top discard is {card}", card=self.rules.names[self.discards[-1]])
            )
        self.discards.pop()
        self.pending = TAKEN, kind

    def replace(self, kind: int, cell: int) -> int:
        """Put the card in hand into a cell; return the card it replaces."""
        if kind >= DRAMA:
            raise Refused(
                say("{card} must be given to another player", card=self.rules.names[kind])
            )
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
            raise Refused(
                say("{card} must be given to another player", card=self.rules.names[kind])
            )
        self.discards.append(kind)
        self._end_turn(PUT_AWAY)

    def give(self, kind: int, seat: int) -> None:
        """Give a special to another seat."""
        if kind < DRAMA:
            raise Refused(say("{card} is not given away", card=self.rules.names[kind]))
        if not 0 <= seat < self.players or seat == self.seat:
            raise Refused(say("a special goes to another player"))
        self.beside[seat].append(kind)
        self._end_turn(seat)

    def skip(self) -> None:
        """Pass: a last turn, or one without any card to get."""
        self._check_open()
        if self.last is None and (self.pile_size or self.discards):
            raise Refused(say("only a last turn may be passed"))
        self._end_turn()

    def _check_open(self) -> None:
        if self.pending is not None:
            raise Refused(
                say(
                    "seat {seat} has yet to use {card}",
                    seat=self.seat,
                    card=self.rules.names[self.pending[1]],
                )
            )

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


# A round of No Prob-Lama as one player sees it: open cards, and those looked at.

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
            raise Refused(say("name the card that is turned up too: turns CARD"))
        self._check_left(kind)
        self.hands[self.seat][cell] = kind

    def _check_left(self, kind: int) -> None:
        if self.in_sight(kind) >= self.rules.deck[kind]:
            name = self.rules.names[kind]
            raise Refused(
                say("all {cards} cards {card} are in sight", cards=self.rules.deck[kind], card=name)
            )

    def _take_from_pile(self, kind: int) -> None:
        if not self.pile_left:
            raise Refused(say("the pile is empty"))
        self._check_left(kind)
        self.pile_left -= 1

    def _refill(self, below: list[int]) -> None:
        self.pile_left = len(below)

    def stand(self, seat: int, position: Position, grids: list[Grid]) -> None:
        """Let the round be as a position says; grids: by seat. How it came here is not known."""
        rules = self.rules
        if position.drawn is not None:
            raise Refused(say("stands is for a turn that has not begun: without drawn"))
        self.hands = [list(grid.cards) for grid in grids]
        self.up = [list(grid.up) for grid in grids]
        self.beside = [list(grid.beside) for grid in grids]
        known = [*reversed(position.seen), *([] if position.top is None else [position.top])]
        self.discards = [UNKNOWN] * position.unknown_discards(rules) + known
        self.pile_left, self.last = position.pile_left(rules), position.last
        self.seat, self.pending, self.log, self.stood = seat, None, [], True
        if position.first is not None:
            self.first = (seat + position.first) % self.players

    def possible(self, seat: int) -> tuple[int, int]:
        """Return the least and the most points that a seat's cards can count."""
        if UNKNOWN not in self.hands[seat]:
            total = self.total(seat)
            return total, total
        points = self.rules.points
        cards = [kind for kind in self.hands[seat] if kind != UNKNOWN]
        extra = sum(points[kind] for kind in self.beside[seat])
        hidden = CELLS - len(cards)
        most = sum(points[kind] for kind in cards) + hidden * max(points)
        # Every line may count minus the highest number, and every card at most its value.
        least = sum(min(points[kind], 0) for kind in cards) + hidden * min(*points, 0)
        return least - LINES * points[NUMBERS - 1] + extra, most + extra
