"""A round of cards step by step, with every card known, for records and replays."""

from __future__ import annotations

from dataclasses import dataclass

from lama_odds.core.language import say
from lama_odds.games.lama.rules.position import (
    NO_CARDS,
    Position,
    Turn,
    can_play,
    card_text,
    pile_left,
)
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.lama.rules.transition import DRAW, QUIT
from lama_odds.games.shared.decisions import Told
from lama_odds.games.shared.record import Refused

ENDS = ("quit", "out")


@dataclass(frozen=True)
class Tokens:
    """What an action moved: the token paid to the drama pot, the sum taken from it."""

    paid: int = 0
    taken: int = 0


class Round:
    """The state of a round; seats in turn order, `seat` to act.

    hands: cards by seat. pack: cards left to draw, by kind. seen: discards below the `top`. pot:
    its tokens. ended: one of ENDS when the round is over. turns: what everybody saw so far.
    """

    # the only seat whose cards are known; None: all are, see `SeenRound`
    viewer: int | None = None
    stood = False  # whether a position replaced it

    def __init__(
        self,
        rules: LamaRules,
        hands: list[Counts],
        top: int,
        scores: list[int],
        first: int,
        pot: list[int],
    ) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.top = top
        self.seen = [0] * KINDS
        self.pack = [
            there - sum(hand[kind] for hand in hands) - (kind == top)
            for kind, there in enumerate(rules.deck)
        ]
        self.scores = list(scores)
        self.pot = sorted(pot)
        self.running = False
        self.quit_seats: set[int] = set()
        self.seat = first
        self.first = first
        self.ended: str | None = None
        self.last_actor = first
        self.turns: list[Turn] = []

    @property
    def penalties(self) -> list[int]:
        """Return the penalty of each seat if the round ended now."""
        return [
            self.rules.quitting(hand) if seat in self.quit_seats else self.rules.penalty(hand)
            for seat, hand in enumerate(self.hands)
        ]

    @property
    def alone(self) -> bool:
        """Whether all others have quit."""
        return len(self.quit_seats) == len(self.hands) - 1

    @property
    def pile_size(self) -> int:
        """The number of cards left to draw."""
        return sum(self.pack)

    def cards_of(self, seat: int) -> int:
        """Return the number of cards that a seat holds or has quit with."""
        return sum(self.hands[seat])

    def play(self, kind: int) -> Tokens:
        """Let the seat to act play a card."""
        self._check_open()
        self._check_held(kind)
        if not can_play(kind, self.top):
            raise Refused(
                say("{card} cannot be played on {top}", card=NAMES[kind], top=NAMES[self.top])
            )
        self.turns.append(self._seen_before(kind))
        pays = self.rules.pays(kind)
        taken = self._face_drama(passes=pays)
        self._lose(kind)
        self.seen[self.top] += 1
        self.top = kind
        paid = self._pay() if pays else 0
        if not self.cards_of(self.seat):
            self.scores[self.seat] -= self.rules.token(self.scores[self.seat], kind)
            self.ended = "out"
        elif not NAMES[kind].endswith("+"):
            self._pass_on()
        return Tokens(paid, taken)

    def draw(self, kind: int) -> Tokens:
        """Let the seat to act draw this card."""
        self._check_open()
        if self.alone:
            raise Refused(say("the last player does not draw"))
        if not self.pile_size:
            raise Refused(say("the draw pile is empty"))
        turn = self._seen_before(DRAW)
        self._gain(kind)
        self.turns.append(turn)
        taken = self._face_drama()
        self._pass_on()
        return Tokens(taken=taken)

    def quit(self) -> Tokens:
        """Let the seat to act quit."""
        self._check_open()
        self.turns.append(self._seen_before(QUIT))
        taken = self._face_drama()
        self.quit_seats.add(self.seat)
        if len(self.quit_seats) == len(self.hands):
            self.ended = "quit"
        else:
            self._pass_on()
        return Tokens(taken=taken)

    def _seen_before(self, move: int) -> Turn:
        """Return what everybody sees of the action that follows, and before it."""
        return Turn(
            self.seat,
            move,
            self.top,
            tuple(self.seen),
            tuple(self.cards_of(seat) for seat in range(len(self.hands))),
            tuple(sorted(self.quit_seats)),
            self.pile_size,
            tuple(self.pot),
            self.running,
            tuple(self.scores),
        )

    def _check_held(self, kind: int) -> None:
        hand = self.hands[self.seat]
        if not hand[kind]:
            raise Refused(
                say(
                    "seat {seat} has no {card}, only {hand}",
                    seat=self.seat,
                    card=NAMES[kind],
                    hand=card_text(hand),
                )
            )

    def _gain(self, kind: int) -> None:
        if not self.pack[kind]:
            raise Refused(say("no {card} is left to draw", card=NAMES[kind]))
        self.pack[kind] -= 1
        hand = list(self.hands[self.seat])
        hand[kind] += 1
        self.hands[self.seat] = tuple(hand)

    def _check_open(self) -> None:
        if self.ended:
            raise Refused(say("the round is over ({ended})", ended=self.ended))
        self.last_actor = self.seat

    def _face_drama(self, passes: bool = False) -> int:
        """Take the pot if the drama runs and this is not a llama; return the sum taken."""
        if not self.running or (passes and not self.alone):
            return 0
        self.running = False
        if self.alone:
            return 0
        taken = sum(self.pot)
        self.scores[self.seat] += taken
        self.pot = []
        return taken

    def _pay(self) -> int:
        """Put the least token on the pot; return its value."""
        token = self.rules.lowest_token(self.scores[self.seat])
        if token:
            self.scores[self.seat] -= token
            self.pot = sorted([*self.pot, token])
        if len(self.pot) >= self.rules.drama_tokens:
            self.running = True
        return token

    def _lose(self, kind: int) -> None:
        hand = list(self.hands[self.seat])
        hand[kind] -= 1
        self.hands[self.seat] = tuple(hand)

    def _pass_on(self) -> None:
        seats = len(self.hands)
        self.seat = next(
            (self.seat + step) % seats
            for step in range(1, seats + 1)
            if (self.seat + step) % seats not in self.quit_seats
        )


# A round of cards as one player sees it: own cards, numbers of the others' cards, played cards.


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

    def stand(self, seat: int, position: Position, held: list[int], quits: list[bool]) -> None:
        """Let the round be as a position says; held, quits: by seat.

        What the position leaves out of pot, scores and starter stays. How the round came here is
        not known any more.
        """
        rules, self.seat, self.top, self.held = self.rules, seat, position.top, held
        self.hands = [position.hand if s == seat else NO_CARDS for s in range(len(held))]
        self.seen, self.pack = list(position.seen), list(position.unseen(rules))
        self.pile_left = pile_left(rules, position)
        self.quit_seats = {s for s, has_quit in enumerate(quits) if has_quit}
        self.stood, self.turns = True, []
        if position.pot is not None:
            self.pot, self.running = sorted(position.pot), position.running
        order = [(s - seat) % len(held) for s in range(len(held))]
        if position.scores is not None:
            self.scores = [position.scores[at] for at in order]
        if position.first is not None:
            self.first = (seat + position.first) % len(held)

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
            raise Refused(say("name the card too: draw CARD"))
        return self.draw(-1)

    def _check_held(self, kind: int) -> None:
        if self.seat == self.viewer:
            super()._check_held(kind)
        elif not self.pack[kind]:
            raise Refused(
                say(
                    "all {cards} cards {card} have been seen",
                    cards=self.rules.deck[kind],
                    card=NAMES[kind],
                )
            )

    def _gain(self, kind: int) -> None:
        if self.seat == self.viewer:
            super()._gain(kind)
        elif kind >= 0:
            raise Refused(
                say(
                    "seat {mine} does not see what seat {seat} draws: draw ?",
                    mine=self.viewer,
                    seat=self.seat,
                )
            )
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
