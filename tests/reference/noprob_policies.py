"""The players of the plain No Prob-Lama: what a player knows, and the policies.

A policy decides three things. `source`: DRAW, TAKE, or on a last turn PASS; there is no such
decision without any card. `place`, for a number or a joker that it got: the cell whose card it
replaces, or PUT_AWAY if it was drawn. `give`, for a special: the seat that gets it. By then the
card is no longer in the pile or among the discards.
"""

from . import luck
from .noprob_cards import CELLS, LINES, NUMBERS, grid_points

DRAW, TAKE, PASS = "draw", "take", "pass"
PUT_AWAY = CELLS  # in place of a cell: the card drawn goes onto the discards


class View:
    """What a player can see and remember in a round."""

    def __init__(self, state, seat, known, coins):
        self.state = state
        self.seat = seat
        self.known = known  # cells looked at before the round, a set of bits
        self.coins = coins  # address of the word for the decisions of the first turn

    @property
    def deck(self):
        """Give the cards of the rule set."""
        return self.state.table.deck

    @property
    def discards(self):
        """List the discards, the top last; not to be changed."""
        return self.state.discards

    @property
    def pile(self):
        """Count the cards in the pile."""
        return len(self.state.pile)

    @property
    def players(self):
        """Count the seats."""
        return len(self.state.grids)

    @property
    def beside(self):
        """List by seat the specials given to it."""
        return [tuple(cards) for cards in self.state.beside]

    @property
    def last_turn(self):
        """Tell whether a player has all cards face up, so that this is the last turn."""
        return self.state.closer is not None

    def coin(self):
        """Look up the word for the decisions of this turn."""
        state = self.state
        return luck.word_at(state.table.stream, self.coins + state.turns // len(state.grids))

    def up(self, seat):
        """Tell by cell whether the card of a seat lies face up."""
        return [bool(self.state.up[seat] >> cell & 1) for cell in range(CELLS)]

    def grid(self, seat):
        """List the cards of a seat, None for those not known to this player."""
        known = self.state.up[seat] | (self.known if seat == self.seat else 0)
        cards = enumerate(self.state.grids[seat])
        return [card if known >> cell & 1 else None for cell, card in cards]


class Random:
    """Choose evenly among what is legal, but never pass."""

    def source(self, view):
        self.word = view.coin()
        if not view.pile:
            return TAKE
        if not view.discards:
            return DRAW
        number, self.word = luck.split(self.word, 2)
        return TAKE if number else DRAW

    def place(self, view, card, source):
        return luck.below(self.word, CELLS + (source == DRAW))

    def give(self, view, card):
        number = luck.below(self.word, view.players - 1)
        return (view.seat + 1 + number) % view.players


def seen_total(view, seat, grid, each):
    """Count a grid as it is seen, and the cards beside it; a card face down counts `each`."""
    deck, nothing = view.deck, NUMBERS  # a negative card is in no line
    hidden = grid.count(None)
    points = grid_points(deck, [nothing if card is None else card for card in grid])
    beside = sum(deck.values[card] for card in view.beside[seat])
    return points - hidden * deck.values[nothing] + each * hidden + beside


def only_down(view):
    """Give the only own card face down, None if there are more, or on a last turn."""
    down = [cell for cell, up in enumerate(view.up(view.seat)) if not up]
    return down[0] if len(down) == 1 and not view.last_turn else None


class LowCards:
    """Keep cards that count at most `most`, as a program for Skyjo does."""

    def __init__(self, most):
        self.most = most

    def total(self, view, seat, grid):
        return seen_total(view, seat, grid, 2)

    def ends_well(self, view, cell, card):
        grid = view.grid(view.seat)
        grid[cell] = card
        others = [seat for seat in range(view.players) if seat != view.seat]
        theirs = [self.total(view, seat, view.grid(seat)) for seat in others]
        return self.total(view, view.seat, grid) <= min(theirs)

    def likes(self, view, card):
        return card <= view.deck.joker and view.deck.values[card] <= self.most

    def source(self, view):
        likes = bool(view.discards) and self.likes(view, view.discards[-1])
        last = only_down(view)
        if likes and last is not None:
            likes = self.ends_well(view, last, view.discards[-1])
        if likes:
            return TAKE
        if view.pile:
            return DRAW
        return PASS if view.last_turn else TAKE

    def place(self, view, card, source):
        values, grid, up = view.deck.values, view.grid(view.seat), view.up(view.seat)
        drawn = source == DRAW
        if drawn and values[card] > self.most:
            return PUT_AWAY

        def highest(cells):
            shown = [cell for cell in cells if up[cell]]
            return max(shown, key=lambda cell: values[grid[cell]]) if shown else None

        top = highest(range(CELLS))
        last = only_down(view)
        if last is not None:
            if self.ends_well(view, last, card):
                return last
            return PUT_AWAY if drawn and values[grid[top]] <= values[card] else top
        for line in LINES if card < NUMBERS else ():
            if any(up[cell] and grid[cell] == card for cell in line):
                cell = highest(cell for cell in line if grid[cell] != card)
                if cell is not None and values[grid[cell]] > values[card]:
                    return cell
        if top is not None and values[grid[top]] - values[card] >= 4:
            return top
        unknown = [cell for cell in range(CELLS) if grid[cell] is None]
        down = [cell for cell in range(CELLS) if not up[cell]]
        return (unknown or down or [top])[0]

    def give(self, view, card):
        order = [(view.seat + step) % view.players for step in range(1, view.players)]
        totals = [self.total(view, seat, view.grid(seat)) for seat in order]
        best = min(totals) if card == view.deck.joker + 1 else max(totals)
        return order[totals.index(best)]


class Card:
    """Rules on a card: habits, then lines; the first line whose conditions hold has the limit."""

    def __init__(self, text):
        pieces = text.split("/")
        self.habits = {piece for piece in pieces if piece in ("up", "pairs")}
        lines = [piece.rpartition(":") for piece in pieces if piece not in self.habits]
        self.lines = [(wanted.split("+") if wanted else [], limit) for wanted, _, limit in lines]

    def hidden(self, view):
        return round(sum(view.deck.values[card] for card in view.deck.pack) / len(view.deck.pack))

    def holds(self, condition, seen):
        name, _, bounds = condition.partition("=")
        low, dots, high = bounds.partition("..")
        return int(low or 0) <= seen[name] <= int((high or 999) if dots else low)

    def ends(self, view, cell, card):
        if view.state.turns >= 50 * view.players:
            return True
        grid = view.grid(view.seat)
        grid[cell] = card
        mine = seen_total(view, view.seat, grid, self.hidden(view))
        others = [(view.seat + step) % view.players for step in range(1, view.players)]
        totals = [seen_total(view, seat, view.grid(seat), self.hidden(view)) for seat in others]
        down = [view.up(seat).count(False) for seat in others]
        lowest = totals.index(min(totals))
        seen = {"down": down[lowest], "fewest": min(down), "total": min(99, max(0, mine))}
        wanted = (limit for line, limit in self.lines if all(self.holds(c, seen) for c in line))
        limit = next(wanted)
        return limit != "never" and totals[lowest] - mine >= int(limit)

    def line_worth(self, view, line, pairs):
        """Tell what a line adds to its cards by itself."""
        deck = view.deck
        numbers = {card for card in line if card is not None and card < NUMBERS}
        jokers = line.count(deck.joker)
        alike = jokers + sum(card in numbers for card in line) == 3 and len(numbers) < 2
        if alike and (numbers or deck.triple_joker):
            kind = max(numbers, default=NUMBERS - 1)
            return -deck.values[kind] - sum(deck.values[card] for card in line)
        worth = 0
        for kind in range(NUMBERS) if pairs else ():
            rest = [card for card in line if card not in (kind, deck.joker)]
            if len(rest) == 1 and (rest[0] is None or deck.values[rest[0]] > 0):
                worth = min(worth, -deck.values[kind])
        return worth

    def worth(self, view, grid, pairs):
        cards = sum(self.hidden(view) if card is None else view.deck.values[card] for card in grid)
        lines = ([grid[cell] for cell in line] for line in LINES)
        return cards + sum(self.line_worth(view, line, pairs) for line in lines)

    def best(self, view, card):
        """Give the best cell and what it saves; infinite if it ends the round."""
        closing = only_down(view)
        if closing is not None and self.ends(view, closing, card):
            return closing, float("inf")
        pairs = "pairs" in self.habits and not view.last_turn
        bonus = 7 if "up" in self.habits and not view.last_turn else 0
        grid, up = view.grid(view.seat), view.up(view.seat)
        before = self.worth(view, grid, pairs)
        saved = {}
        for cell in range(CELLS):
            if cell != closing:
                after = [*grid[:cell], card, *grid[cell + 1 :]]
                saved[cell] = before - self.worth(view, after, pairs) + bonus * (not up[cell])
        cell = max(saved, key=saved.get)
        return cell, saved[cell]

    def source(self, view):
        top = view.discards[-1] if view.discards else None
        takes = 10 if "up" in self.habits else 4
        if top is not None and top <= view.deck.joker and self.best(view, top)[1] >= takes:
            return TAKE
        if view.pile:
            return DRAW
        return PASS if view.last_turn else TAKE

    def place(self, view, card, source):
        cell, saved = self.best(view, card)
        return PUT_AWAY if source == DRAW and saved <= 0 else cell

    def give(self, view, card):
        order = [(view.seat + step) % view.players for step in range(1, view.players)]
        totals = [seen_total(view, seat, view.grid(seat), self.hidden(view)) for seat in order]
        best = min(totals) if card == view.deck.joker + 1 else max(totals)
        return order[totals.index(best)]


def policy_of(name):
    """Make a policy from its name, "random", "low-cards:4" or "card:…"."""
    family, _, number = name.partition(":")
    if family == "card":
        return Card(number)
    if family == "low-cards":
        return LowCards(int(number))
    if name != "random":
        raise ValueError(f"no policy of No Prob-Lama: {name}")
    return Random()
