"""A round of Lama Dice, step by step; records are replayed on it.

`transition` makes every decision about the rules. This module keeps the cards in readable form and
refuses what cannot happen.
"""

from __future__ import annotations

from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import discards
from lama_odds.games.dice.rules.position import Counts, card_text, counts_mask
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.shared.record import Refused

ENDS = ("quit", "out", "blown", "row")


class Round:
    """The state of a round; seats in turn order, `seat` to act.

    hands: cards by seat. row: a mask. out_of_round: seats that have quit.
    pending: dice that must still be used, or None.
    ended: one of ENDS when the round is over; `penalties` then has the round's penalties.
    """

    def __init__(
        self, rules: DiceRules, hands: list[Counts], scores: list[int], first: int
    ) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.scores = list(scores)
        self.row = FULL_ROW
        self.quit_seats: set[int] = set()
        self.seat = first
        self.first = first
        self.pending: tuple[int, ...] | None = None
        self.ended: str | None = None
        self.last_actor = first

    @property
    def penalties(self) -> list[int]:
        """Return the penalty of each seat if the round ended now."""
        costs = [int(self.rules.penalties[counts_mask(hand)]) for hand in self.hands]
        for seat in self.quit_seats:
            costs[seat] = int(transition.quitting_cost(self.rules.columns, costs[seat]))
        return costs

    @property
    def alone(self) -> bool:
        """Whether all others have quit."""
        return len(self.quit_seats) == len(self.hands) - 1

    def quit(self) -> None:
        """Let the seat to act quit."""
        self._begin_turn()
        self.quit_seats.add(self.seat)
        if len(self.quit_seats) == len(self.hands):
            self.ended = "quit"
        else:
            self._pass_on()

    def roll(self, rolled: tuple[int, ...]) -> str:
        """Let the seat to act roll; return ``llamas``, ``match``, ``miss`` or ``blown``."""
        self._begin_turn()
        as_it_lies = self.rules.faces_assumed and len(rolled) == self.rules.dice
        if rolled not in self.rules.sorted_rolls and not as_it_lies:
            raise Refused(self.rules.cannot_show(rolled))
        hand = self.hands[self.seat]
        case = transition.roll_case(
            self.rules.columns,
            counts_mask(hand),
            self.row,
            transition.pack_roll(rolled),
            self.alone,
        )
        if case == transition.LLAMAS:
            self.scores[self.seat] -= self.rules.token(self.scores[self.seat])
            self._pass_on()
            return "llamas"
        if case == transition.BLOWN:
            taken = [held + (self.row >> kind & 1) for kind, held in enumerate(hand)]
            self.hands[self.seat] = tuple(taken)
            self.ended = "blown"
            return "blown"
        self.pending = rolled
        return "match" if case == transition.MATCH else "miss"

    def discard(self, cards: Counts) -> None:
        """Use the pending roll to discard cards."""
        rolled, hand = self._pending_roll(), self.hands[self.seat]
        legal = discards(hand, rolled) if self._matches() else []
        if cards not in legal:
            raise Refused(
                f"{_names(rolled)} does not allow you to discard {card_text(cards)}" + self._may()
            )
        self.hands[self.seat] = tuple(held - less for held, less in zip(hand, cards, strict=True))
        self.pending = None
        if not any(self.hands[self.seat]):
            self.scores[self.seat] -= self.rules.token_out(
                self.scores[self.seat], counts_mask(cards)
            )
            self.ended = "out"
        else:
            self._pass_on()

    def take(self, kind: int) -> None:
        """Use the pending roll to take a card of the row."""
        rolled = self._pending_roll()
        if self._matches() or kind not in rolled or not self.row >> kind & 1:
            raise Refused(
                f"{_names(rolled)} does not allow you to take {NAMES[kind]}" + self._may()
            )
        hand = self.hands[self.seat]
        self.hands[self.seat] = tuple(held + (k == kind) for k, held in enumerate(hand))
        self.row &= ~(1 << kind)
        self.pending = None
        if transition.row_ends_round(self.rules.columns, self.row):
            self.ended = "row"
        else:
            self._pass_on()

    def _may(self) -> str:
        rolled, hand = self._pending_roll(), self.hands[self.seat]
        if self._matches():
            options = [f"discard {card_text(c)}" for c in discards(hand, rolled)]
        else:
            options = [
                f"take {NAMES[k]}" for k in range(KINDS) if k in rolled and self.row >> k & 1
            ]
        return f" (it allows: {', '.join(options)})"

    def _matches(self) -> bool:
        return bool(
            counts_mask(self.hands[self.seat]) & sum(1 << k for k in set(self._pending_roll()))
        )

    def _pending_roll(self) -> tuple[int, ...]:
        if self.pending is None:
            raise Refused("no roll is waiting to be used")
        return self.pending

    def _begin_turn(self) -> None:
        if self.ended:
            raise Refused(f"the round is over ({self.ended})")
        if self.pending is not None:
            raise Refused(f"seat {self.seat} has yet to use {_names(self.pending)}")
        self.last_actor = self.seat

    def _pass_on(self) -> None:
        seats = len(self.hands)
        self.seat = next(
            (self.seat + step) % seats
            for step in range(1, seats + 1)
            if (self.seat + step) % seats not in self.quit_seats
        )


def _names(rolled: tuple[int, ...]) -> str:
    return "".join(NAMES[kind] for kind in rolled)
