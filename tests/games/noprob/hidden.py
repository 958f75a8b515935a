"""Positions with little hidden: all there can be, in fractions, and rounds of the twin on."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np

from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.solvers.exact import place_of
from tests.games.cases import product_rules
from tests.games.noprob.cases import id_of, twin_rules
from tests.reference import noprob as twin
from tests.reference.noprob_players import CELLS, DRAW, Deck, grid_points

HIDDEN = "?"


class Case:
    """A position, and what the twin needs to know of it; cards are the twin's numbers.

    grids: by seat, None for a card that I do not know. up: by seat and cell. pool: the cards
    that I do not know, `pile` of them to draw; the rest lies in the grids.
    """

    def __init__(self, options, luck, hidden, pile, last=None, drawn=False, lost=0):
        self.rules, self.options = product_rules(id_of(options)), options
        self.deck = Deck(twin_rules(options))
        self.last, self.pile = last, pile
        pack = list(self.deck.pack)
        luck.shuffle(pack)
        self.drawn = pack.pop() if drawn else None
        plain = [card for card in pack if card <= self.deck.joker]
        self.grids, self.up, self.pool = [], [], []
        for seat, cells in enumerate(hidden):
            down = set(luck.sample(range(CELLS), cells))
            self.grids.append([None if cell in down else plain.pop() for cell in range(CELLS)])
            # One of mine lies face down that I know, or is another that I do not.
            known = luck.randrange(CELLS) if seat == 0 else None
            self.up.append([cell not in down and cell != known for cell in range(CELLS)])
        left = list((Counter(pack) - self.counted()).elements())
        luck.shuffle(left)
        size = sum(hidden) + pile + lost
        self.pool, self.seen = left[:size], left[size:]
        self.top = self.seen.pop()
        self.position = GAME.position(self.rules, self.text())

    def counted(self):
        return Counter(card for grid in self.grids for card in grid if card is not None)

    def grid_text(self, seat):
        cells = []
        for card, up in zip(self.grids[seat], self.up[seat], strict=True):
            text = HIDDEN if card is None else self.deck.texts[card]
            cells.append(text if up or card is None else f"({text})")
        return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))

    def text(self):
        texts = self.deck.texts
        words = [f"grid={self.grid_text(0)}", f"top={texts[self.top]}", f"pile={self.pile}"]
        words.append("opp=" + ";".join(self.grid_text(s) for s in range(1, len(self.grids))))
        if self.seen:
            words.append("seen=" + ",".join(texts[card] for card in reversed(self.seen)))
        if self.drawn is not None:
            words.append(f"drawn={texts[self.drawn]}")
        return " ".join([*words, f"last={self.last}"] if self.last else words)

    def filled(self, cards, grids=None):
        """The grids with these cards in place of those I do not know."""
        rest = iter(cards)
        grids = self.grids if grids is None else grids
        return [[next(rest) if card is None else card for card in grid] for grid in grids]

    def mean(self, grid, pool):
        """My mean points over all ordered cards of a pool that may lie hidden."""
        ways = list(permutations(pool, grid.count(None)))
        points = [grid_points(self.deck, self.filled(way, [grid])[0]) for way in ways]
        return Fraction(sum(points), len(points))

    def uses(self, card, pool, drawn):
        """By place the mean points with a card put there, PUT_AWAY if it was drawn."""
        grid = self.grids[0]
        if card > self.deck.joker:
            return {None: self.mean(grid, pool)}
        found = {
            cell: self.mean([*grid[:cell], card, *grid[cell + 1 :]], pool) for cell in range(CELLS)
        }
        return found | ({CELLS: self.mean(grid, pool)} if drawn else {})

    def last_turn(self):
        """The best mean points of each action of the last turn."""
        if self.drawn is not None:
            uses = self.uses(self.drawn, self.pool, drawn=True)
            if None in uses:
                name = f"give {self.deck.texts[self.drawn]} to "
                return {name + str(seat): uses[None] for seat in range(1, len(self.grids))}
            names = [f"replace {r},{c}" for r in "123" for c in "123"] + ["discard"]
            return {name: uses[place] for place, name in enumerate(names)}
        drawing = Fraction(0)
        for card, ways in Counter(self.pool).items():
            rest = list(self.pool)
            rest.remove(card)
            best = min(self.uses(card, rest, drawn=True).values())
            drawing += Fraction(ways, len(self.pool)) * best
        taking = min(self.uses(self.top, self.pool, drawn=False).values())
        return {"draw": drawing, "take": taking, "pass": self.mean(self.grids[0], self.pool)}


def cases(number, seed, **changes):
    """Give so many cases of a last turn, of two players, of rule sets in turn."""
    luck = Random(seed)
    few = {"copies": 3, "jokers": 6, "negative_copies": (2, 2, 1)}
    sets = (few, few | {"triple_joker": False}, few | {"low": 1, "negatives": (4, 2, 9)}, {})
    for at in range(number):
        hidden = luck.choice((0, 1, 1, 2, 3))
        told = {"hidden": (hidden, 0), "pile": luck.randint(1, 3), "last": 1} | changes
        yield Case(sets[at % len(sets)], luck, **told)


class First:
    """A policy that does what it is told at its first turn, and then plays as another."""

    def __init__(self, then, source, plan):
        self.then, self.told, self.plan = then, source, plan

    def source(self, view):
        if view.state.turns:
            return self.then.source(view)
        return self.told

    def place(self, view, card, source):
        return self.then.place(view, card, source) if view.state.turns else self.plan[source][card]

    def give(self, view, card):
        return self.then.give(view, card) if view.state.turns else self.plan[self.told][card]


def begun(case, table, game, luck):
    """A round of the twin at the position, with what is hidden dealt again."""
    state = twin.Round(table, game, 0)
    pool = list(case.pool)
    luck.shuffle(pool)
    unknown = sum(grid.count(None) for grid in case.grids)
    state.grids = case.filled(pool[:unknown])
    state.pile = sorted(pool[unknown : unknown + case.pile])
    state.discards = [*pool[unknown + case.pile :], *case.seen, case.top]
    state.up = [sum(1 << cell for cell in range(CELLS) if up[cell]) for up in case.up]
    if case.last:
        state.closer = case.last - len(case.grids) + 1
    return state


def finished(case, state, action, plan):
    """Play a round to its end after an action; my points, and those less the mean of the others.

    plan: by source the place of each card.
    """
    first = state.table.policies[0]
    if case.drawn is not None:
        # The card in my hand is the only one that I can draw.
        pile, state.pile = state.pile, [case.drawn]
        use = {DRAW: {case.drawn: place_of(action)}}
        state.table.policies[0] = First(first, DRAW, use)
        state.play_turn(0)
        state.pile = pile
        state.turns = 1
        up = state.up[0] == twin.ALL_UP
        if state.closer is None and up:
            state.closer = 1
        state.table.policies[0] = first
        if case.last != 1:
            state.play()
    else:
        state.table.policies[0] = First(first, action, plan)
        state.play()
        state.table.policies[0] = first
    mine, *others = state.penalties()
    return mine, mine - sum(others) / len(others), float(mine <= min(others))


def means_of(case, action, plan, games, seed):
    """Mean and standard error of points, margin and share of lowest totals after an action."""
    luck = Random(seed)
    table = twin.Table(twin_rules(case.options), ("random",) * len(case.grids), seed)
    found = [finished(case, begun(case, table, game, luck), action, plan) for game in range(games)]
    return np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / games**0.5
