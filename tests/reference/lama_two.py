"""Two players of a tiny deck of cards, every deal enumerated: values and best responses.

Values are 1 to 6, and 7 for the llama. A strategy is a function of seat, hand, top, the number of
the other's cards, and whether there is a card to draw. It returns chances of moves: a value to
play, "draw" or "quit". The best response knows everything that its player has seen.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

LLAMA = 7


def following(value):
    return value % LLAMA + 1


def penalty(hand):
    return sum(10 if value == LLAMA else value for value in set(hand))


def moves_of(hand, top, can_draw):
    plays = [value for value in (top, following(top)) if value in hand]
    return [*plays, *(["draw"] if can_draw else []), "quit"]


def alone(hand, top):
    """The penalty of a player who plays alone as long as possible."""
    hand = list(hand)
    while True:
        value = next((v for v in (top, following(top)) if v in hand), None)
        if value is None:
            return penalty(hand)
        hand.remove(value)
        top = value


class Tiny:
    """All rounds of a deck of one card of each value; margin of seat 0 (lower is better)."""

    def __init__(self, dealt, values=range(1, LLAMA + 1)):
        self.dealt = dealt
        self.decks = list(permutations(values))

    def start(self, deck):
        cut = self.dealt
        hands = (deck[:cut], deck[cut : 2 * cut])
        return hands, deck[2 * cut], deck[2 * cut + 1 :]

    def after(self, state, seat, move):
        """The state after a move, or the penalties at the end of the round."""
        hands, top, pile = state
        mine, other = list(hands[seat]), hands[1 - seat]
        if move == "quit":
            ends = {seat: penalty(mine), 1 - seat: alone(other, top)}
            return None, (ends[0], ends[1])
        if move == "draw":
            mine.append(pile[0])
            pile = pile[1:]
        else:
            mine.remove(move)
            top = move
            if not mine:
                ends = {seat: 0, 1 - seat: penalty(other)}
                return None, (ends[0], ends[1])
        both = (tuple(mine), other) if seat == 0 else (other, tuple(mine))
        return (both, top, pile), None

    def value(self, strategy, first=0):
        """The expected margin of seat 0 if both play a strategy."""
        total = 0.0
        for deck in self.decks:
            total += self._value(strategy, self.start(deck), first)
        return total / len(self.decks)

    def _value(self, strategy, state, seat):
        hands, top, pile = state
        found = 0.0
        chances = strategy(seat, hands[seat], top, len(hands[1 - seat]), bool(pile))
        for move, chance in chances.items():
            if chance:
                following_state, ends = self.after(state, seat, move)
                if ends:
                    found += chance * (ends[0] - ends[1])
                else:
                    found += chance * self._value(strategy, following_state, 1 - seat)
        return found

    def best_response(self, strategy, me, first=0):
        """The lowest expected margin of a seat against a strategy, by everything it has seen."""
        worlds = [(1.0, self.start(deck)) for deck in self.decks]
        total = 0.0
        for seen in self._by_sight(worlds, me):
            total += self._respond(strategy, seen, first, me)
        return total / len(self.decks)

    def _by_sight(self, worlds, me):
        """Worlds that a seat can tell apart by its hand and the top."""
        found = defaultdict(list)
        for chance, state in worlds:
            found[tuple(sorted(state[0][me])), state[1]].append((chance, state))
        return found.values()

    def _respond(self, strategy, worlds, seat, me):
        """The sum over worlds that the seat cannot tell apart."""
        sign = 1 if me == 0 else -1
        outcomes = defaultdict(list)
        ended = defaultdict(float)
        for chance, state in worlds:
            hands, top, pile = state
            if seat == me:
                moves = dict.fromkeys(moves_of(hands[seat], top, bool(pile)), 1.0)
            else:
                moves = strategy(seat, hands[seat], top, len(hands[me]), bool(pile))
            for move, share in moves.items():
                if not share:
                    continue
                after, ends = self.after(state, seat, move)
                if ends:
                    ended[move] += chance * share * sign * (ends[0] - ends[1])
                else:
                    outcomes[move].append((chance * share, after))
        totals = {
            move: ended[move]
            + sum(
                self._respond(strategy, seen, 1 - seat, me)
                for seen in self._by_sight(outcomes[move], me)
            )
            for move in {*outcomes, *ended}
        }
        return min(totals.values()) if seat == me else sum(totals.values())
