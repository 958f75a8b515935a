"""A round of cards step by step, with every card known, for records and replays."""

from __future__ import annotations

from dataclasses import dataclass

from lama_odds.games.lama.rules.position import Turn, can_play, card_text
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.lama.rules.transition import DRAW, QUIT
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

    # the only seat whose cards are known; None: all are, see `partial_round`
    viewer: int | None = None

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
            raise Refused(f"{NAMES[kind]} cannot be played on {NAMES[self.top]}")
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
            raise Refused("the last player does not draw")
        if not self.pile_size:
            raise Refused("the draw pile is empty")
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
            raise Refused(f"seat {self.seat} has no {NAMES[kind]} (it has {card_text(hand)})")

    def _gain(self, kind: int) -> None:
        if not self.pack[kind]:
            raise Refused(f"no {NAMES[kind]} is left to draw")
        self.pack[kind] -= 1
        hand = list(self.hands[self.seat])
        hand[kind] += 1
        self.hands[self.seat] = tuple(hand)

    def _check_open(self) -> None:
        if self.ended:
            raise Refused(f"the round is over ({self.ended})")
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
