"""The player `learned` of the plain No Prob-Lama, from what the product says of it.

A stage is the number of own cards face down, and the fewest of anybody else. In each stage weights
of the six lines of a grid foretell a player's total at the end of the round. A logistic curve turns
the lead over the lowest of the others into the chance to win. It does what makes that chance
highest after its turn.
"""

import functools
import math

from .noprob_cards import CELLS, LINES, NUMBERS
from .noprob_policies import DRAW, PASS, PUT_AWAY, TAKE

UNKNOWN = 14
PATIENCE, URGENCY = 50, 0.002  # turns, and how much turning up counts after them, by the square
OFFER = 0.18  # how much of what the next player saves by a discard is lost


def once(method):
    """Count something once in a decision, in which nothing changes."""

    @functools.wraps(method)
    def found(self, view, *asked):
        key = (method.__name__, *asked)
        if key not in self.found:
            self.found[key] = method(self, view, *asked)
        return self.found[key]

    return found


class Learned:
    """own, theirs: weights by stage and code of a line; share, chance: by stage, see `Learned`."""

    def __init__(self, own, theirs, share, chance):
        self.own, self.theirs, self.share, self.chance = own, theirs, share, chance
        self.hand, self.drawn = None, False
        self.found = {}

    # What is seen.

    def down(self, view, seat):
        return CELLS - sum(view.up(seat))

    def fewest(self, view, seats):
        return min((self.down(view, seat) for seat in seats), default=CELLS)

    def unseen(self, view):
        """List the cards that this player has never seen, in any order."""
        state, cards = view.state, []
        for seat in range(view.players):
            pairs = zip(state.grids[seat], view.grid(seat), strict=True)
            cards += [card for card, seen in pairs if seen is None]
        return cards if self.refilled(view) else cards + state.pile

    def refilled(self, view):
        state = view.state
        dealt = len(view.deck.pack) - CELLS * view.players - 1
        draws = sum(turn[1] == DRAW for turn in state.history)
        return dealt - draws - (self.hand is not None and self.drawn) != len(state.pile)

    @once
    def mean(self, view):
        cards = self.unseen(view)
        return sum(view.deck.values[card] for card in cards) / len(cards) if cards else 0.0

    def deck_mean(self, view):
        return sum(view.deck.values[card] for card in view.deck.pack) / len(view.deck.pack)

    def to_come(self, view):
        """Count the seats that have a turn after this one."""
        state = view.state
        if state.closer is None:
            return view.players - 1
        return view.players - 1 - (state.turns - state.closer) - 1

    # What is foretold.

    def lines(self, weights, grid):
        cards = [UNKNOWN if card is None else card for card in grid]
        sums = [weights[sum(cards[c] << 4 * i for i, c in enumerate(line))] for line in LINES]
        total = 0.0
        for row, column in zip(sums[:3], sums[3:], strict=True):
            total += row + column
        return total

    def points(self, view, seat):
        return sum(view.deck.values[card] for card in view.beside[seat])

    def total(self, view, seat, side, stage, grid):
        above = self.mean(view) - self.deck_mean(view)
        weights = (self.own, self.theirs)[side][stage]
        unknown = grid.count(None)
        return self.lines(weights, grid) + self.share[side][stage] * above * unknown

    def counted(self, view, grid):
        """Count the cards of a grid, mean cards for those unknown, without those of full lines."""
        values, joker = view.deck.values, view.deck.joker
        total = 0.0
        for line in LINES:
            cards = [grid[cell] for cell in line]
            if None not in cards and max(cards) <= joker:
                numbers = {card for card in cards if card != joker}
                cost = sum(values[card] for card in cards)
                if len(numbers) == 1 and min(numbers) < NUMBERS:
                    total -= values[min(numbers)] + cost
                elif not numbers and view.deck.triple_joker:
                    total -= values[NUMBERS - 1] + cost
        mean = self.mean(view)
        return total + sum(mean if card is None else values[card] for card in grid)

    @once
    def other(self, view, seat, down):
        """Foretell another's total if this player has `down` cards face down after the turn."""
        if (seat - view.seat) % view.players > self.to_come(view):
            return self.points(view, seat) + self.counted(view, view.grid(seat))
        rest = [other for other in range(view.players) if other not in (seat, view.seat)]
        stage = 10 * self.down(view, seat) + min(down, self.fewest(view, rest))
        return self.points(view, seat) + self.total(view, seat, 1, stage, view.grid(seat))

    def odds(self, view, grid, down, offered=0.0):
        """Give the logarithm of the odds to win after the turn, with a grid."""
        others = [seat for seat in range(view.players) if seat != view.seat]
        stage = 10 * down + self.fewest(view, others)
        lowest = min(self.other(view, seat, down) for seat in others)
        mine = self.total(view, view.seat, 0, stage, grid) + self.points(view, view.seat)
        slope, height = self.chance[stage]
        return slope * (lowest - mine - offered) + height

    def with_card(self, view, cell, card, offered=0.0):
        """Give the odds with a card in a cell."""
        grid, turned = view.grid(view.seat), not view.up(view.seat)[cell]
        grid[cell] = card
        late = max(view.state.turns // view.players - PATIENCE, 0) if not view.last_turn else 0
        down = self.down(view, view.seat) - turned
        return self.odds(view, grid, down, offered) + URGENCY * late**2 * turned

    # What it does.

    def source(self, view):
        self.hand, self.found = None, {}
        found = self.chosen_source(view)
        self.drawn = found == DRAW
        return found

    def chosen_source(self, view):
        grid, down = view.grid(view.seat), self.down(view, view.seat)
        as_it_is = self.odds(view, grid, down)
        top = view.discards[-1] if view.discards else None
        usable = top is not None and top <= view.deck.joker
        take = max(self.with_card(view, c, top) for c in range(CELLS)) if usable else None
        if not view.pile:
            if not view.discards or (view.last_turn and (take is None or take <= as_it_is)):
                return PASS
            return TAKE
        if take is None:
            return DRAW
        cards = view.state.pile if self.refilled(view) else self.unseen(view)
        stage = 10 * down + self.fewest(view, set(range(view.players)) - {view.seat})
        slope, _ = self.chance[stage]
        special = as_it_is + slope * view.deck.values[view.deck.joker + 1] / (view.players - 1)
        worth = {card: special for card in set(cards)}
        for card in set(cards):
            if card <= view.deck.joker:
                found = max(self.with_card(view, cell, card) for cell in range(CELLS))
                worth[card] = max(found, as_it_is)
        drawing = sum(1 / (1 + math.exp(-worth[card])) for card in cards)
        return TAKE if len(cards) / (1 + math.exp(-take)) > drawing + 1e-9 else DRAW

    def place(self, view, card, source):
        self.hand, self.found = card, {}
        grid, down = view.grid(view.seat), self.down(view, view.seat)
        best, chosen = -math.inf, None
        if source == DRAW:
            best, chosen = self.odds(view, grid, down, self.offered(view, card)), PUT_AWAY
        for cell, old in enumerate(grid):
            odds = self.with_card(view, cell, card, self.offered(view, old))
            if odds > best + 1e-9:
                best, chosen = odds, cell
        return chosen

    def offered(self, view, card):
        """Give the points lost by leaving a card to the next player: lines by themselves."""
        if card is None or card > view.deck.joker or self.to_come(view) == 0:
            return 0.0
        follower = (view.seat + 1) % view.players
        grid = view.grid(follower)
        now = self.counted(view, grid)
        best = min(
            self.counted(view, [*grid[:cell], card, *grid[cell + 1 :]]) for cell in range(CELLS)
        )
        return OFFER * max(now - best, 0.0)

    def give(self, view, card):
        self.hand, self.found = card, {}
        down = self.down(view, view.seat)
        sign = 1 if card == view.deck.joker + 1 else -1
        others = [(view.seat + step) % view.players for step in range(1, view.players)]
        totals = [sign * self.other(view, seat, down) for seat in others]
        return next(
            seat for seat, total in zip(others, totals, strict=True) if total < min(totals) + 1e-9
        )
