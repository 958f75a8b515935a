"""The cards and the players of No Prob-Lama in plain Python.

Sources: the German rules of Starnberger Spiele (seed 004). Where they do not say, `rules.md` does.
`Learned` does what the product says of its policy.

A card is the number of its kind in the sorted pack: the numbers ascending, the negatives, the
joker, Drama, Karma. As text it is "3" to "10", "-1", "-2", "-5", "J", "D", "K". A grid is a list of
nine cards, row by row.

A policy decides three things. `source`: DRAW, TAKE, or on a last turn PASS; there is no such
decision without any card. `place`, for a number or a joker that it got: the cell whose card it
replaces, or PUT_AWAY if it was drawn. `give`, for a special: the seat that gets it. By then the
card is no longer in the pile or among the discards.
"""

import functools
import math
from dataclasses import dataclass
from itertools import product

from . import luck

CELLS = 9
NUMBERS = 8
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))


@dataclass
class Rules:
    """A rule set: its options and all its numbers; the defaults are those of Starnberger."""

    any_tie: bool = False
    copies: int = 14
    dramas: int = 6
    four_rounds: bool = False
    jokers: int = 5
    karmas: int = 8
    low: int = 3
    negatives: tuple = (1, 2, 5)
    negative_copies: tuple = (10, 10, 5)
    peeks: int = 2
    refill: bool = True
    rounds: int = 4
    special: int = 3
    target: int = 3
    target_many: int = 2
    triple_joker: bool = True


def edition(name):
    """Give the rules of a rule book."""
    if name != "starnberger":
        raise ValueError(f"no edition of No Prob-Lama: {name}")
    return Rules()


class Deck:
    """The kinds of cards: their texts, what they count outside lines, and the sorted pack."""

    def __init__(self, rules):
        points = [rules.low + at for at in range(NUMBERS)] + [-n for n in rules.negatives]
        self.joker = len(points)
        self.texts = [*map(str, points), "J", "D", "K"]
        self.values = [*points, 0, rules.special, -rules.special]
        copies = [rules.copies] * NUMBERS + [*rules.negative_copies]
        copies += [rules.jokers, rules.dramas, rules.karmas]
        self.pack = [kind for kind, count in enumerate(copies) for _ in range(count)]
        self.triple_joker = rules.triple_joker


def points_as(deck, grid, filled):
    """Count a grid whose jokers stand for the cards in `filled` ("Drillinge sammeln").

    A line costs minus its value in place of the cards in it; only numbers form lines.
    """
    values = deck.values
    points = sum([values[card] for card in grid])
    lined = set()
    for line in LINES:
        a, b, c = line
        card = filled[a]
        if card == filled[b] == filled[c] and card < NUMBERS:
            if not deck.triple_joker and grid[a] == grid[b] == grid[c] == deck.joker:
                continue
            points -= values[card]
            lined.update(line)
    return points - sum([values[grid[cell]] for cell in lined]) if lined else points


def best_points(deck, grid, choices):
    """Count a grid whose jokers take the best of the choices each ("Joker einsetzen")."""
    jokers = [cell for cell, card in enumerate(grid) if card == deck.joker]
    filled = list(grid)
    best = None
    for cards in product(choices, repeat=len(jokers)):
        for cell, card in zip(jokers, cards, strict=True):
            filled[cell] = card
        points = points_as(deck, grid, filled)
        best = points if best is None else min(best, points)
    return best


def score(rules, grid):
    """Count nine cards, given as texts: each joker is tried as every number and as nothing."""
    deck = Deck(rules)
    cards = [deck.texts.index(text) for text in grid]
    return best_points(deck, cards, [*range(NUMBERS), deck.joker])


def grid_points(deck, grid):
    """Count a grid as `score` does, but try only the values that lines with a joker can have.

    A line of jokers alone has the value of a line that crosses it, or else the highest.
    """
    joker = deck.joker
    if joker not in grid:
        return points_as(deck, grid, grid)
    choices = {joker}
    for a, b, c in LINES:
        cards = {grid[a], grid[b], grid[c]}
        if cards == {joker}:
            choices.add(NUMBERS - 1)
        elif joker in cards and len(cards) == 2:
            choices |= {card for card in cards if card < NUMBERS}
    return best_points(deck, grid, choices) if len(choices) > 1 else points_as(deck, grid, grid)


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


TIE = 1e-5  # differences that do not count, see `Learned`
OF_OTHER = CELLS + 3  # rows of the network for another: cards face down, no turn, its total


class Learned:
    """own, theirs: weights by stage and code of a line; share, chance: by stage, see `Learned`.

    net: rows of a network that corrects the logarithm of the odds.
    """

    def __init__(self, own, theirs, share, chance, net):
        self.own, self.theirs, self.share, self.chance = own, theirs, share, chance
        self.by_down = net[: CELLS + 1]
        others, self.by_offer = net[CELLS + 1 : -CELLS - 3], net[-CELLS - 3 : -2]
        self.of_others = [others[at : at + OF_OTHER] for at in range(0, len(others), OF_OTHER)]
        self.by_mean, self.out = net[-2:]
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

    def mine(self, view, grid, down):
        """Foretell the own total with a grid."""
        others = [seat for seat in range(view.players) if seat != view.seat]
        stage = 10 * down + self.fewest(view, others)
        return self.total(view, view.seat, 0, stage, grid) + self.points(view, view.seat)

    def odds(self, view, mine, down, offered=0.0):
        """Give the logarithm of the odds to win with an own foretold total after the turn.

        offered: what the card on the discards costs, which the total has in it.
        """
        others = [(view.seat + step) % view.players for step in range(1, view.players)]
        slope, height = self.chance[10 * down + self.fewest(view, others)]
        leads = [self.other(view, seat, down) - mine for seat in others]
        units = list(self.by_down[down])
        above = self.mean(view) - self.deck_mean(view)
        for step, (seat, lead) in enumerate(zip(others, leads, strict=True)):
            rows = self.of_others[step]
            by_other = rows[10 if step + 1 > self.to_come(view) else self.down(view, seat)]
            units = [
                unit + one + lead / 10 * other
                for unit, one, other in zip(units, by_other, rows[11], strict=True)
            ]
        by_offer = self.by_offer[self.down(view, others[0])]
        units = [
            unit + above * one + offered / 10 * other
            for unit, one, other in zip(units, self.by_mean, by_offer, strict=True)
        ]
        corrected = sum(max(unit, 0) * out for unit, out in zip(units, self.out, strict=True))
        return slope * min(leads) + height + corrected

    def placed(self, view, card):
        """Yield each cell, whether it is face down, and the own total with a card there."""
        grid, up = view.grid(view.seat), view.up(view.seat)
        for cell in range(CELLS):
            down = self.down(view, view.seat) - (not up[cell])
            with_card = [*grid[:cell], card, *grid[cell + 1 :]]
            yield cell, not up[cell], self.mine(view, with_card, down)

    def urgency(self, view):
        """Give what turning a card up is worth by itself."""
        late = max(view.state.turns // view.players - PATIENCE, 0)
        return 0.0 if view.last_turn else URGENCY * late**2

    def best(self, view, card):
        """Give the odds with a card in the best cell: the least total face up, or face down."""
        found = []
        for turned in (False, True):
            down = self.down(view, view.seat) - turned
            totals = [total for _, turns, total in self.placed(view, card) if turns == turned]
            if totals:
                found.append(self.odds(view, min(totals), down) + self.urgency(view) * turned)
        return max(found)

    # What it does.

    def source(self, view):
        self.hand, self.found = None, {}
        found = self.chosen_source(view)
        self.drawn = found == DRAW
        return found

    def chosen_source(self, view):
        grid, down = view.grid(view.seat), self.down(view, view.seat)
        mine = self.mine(view, grid, down)
        as_it_is = self.odds(view, mine, down)
        top = view.discards[-1] if view.discards else None
        usable = top is not None and top <= view.deck.joker
        take = self.best(view, top) if usable else None
        if not view.pile:
            if not view.discards or (view.last_turn and (take is None or take <= as_it_is)):
                return PASS
            return TAKE
        if take is None:
            return DRAW
        cards = view.state.pile if self.refilled(view) else self.unseen(view)
        given = view.deck.values[view.deck.joker + 1] / (view.players - 1)
        special = self.odds(view, mine - given, down)
        worth = {card: special for card in set(cards)}
        for card in set(cards):
            if card <= view.deck.joker:
                worth[card] = max(self.best(view, card), as_it_is)
        drawing = sum(1 / (1 + math.exp(-worth[card])) for card in cards)
        return TAKE if len(cards) / (1 + math.exp(-take)) > drawing + TIE else DRAW

    def place(self, view, card, source):
        self.hand, self.found = card, {}
        grid, down = view.grid(view.seat), self.down(view, view.seat)
        best, chosen = -math.inf, None
        if source == DRAW:
            offered = self.offered(view, card)
            mine = self.mine(view, grid, down) + offered
            best, chosen = self.odds(view, mine, down, offered), PUT_AWAY
        for cell, turned, total in self.placed(view, card):
            offered = self.offered(view, grid[cell])
            odds = self.odds(view, total + offered, down - turned, offered)
            odds += self.urgency(view) * turned
            if odds > best + TIE:
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
            seat for seat, total in zip(others, totals, strict=True) if total < min(totals) + TIE
        )
