"""The cards of No Prob-Lama and what they count: the rule set, the sorted pack, the points.

Sources: the German rules of Starnberger Spiele (seed 004). Where they do not say, `rules.md` does.

A card is the number of its kind in the sorted pack: the numbers ascending, the negatives, the
joker, Drama, Karma. As text it is "3" to "10", "-1", "-2", "-5", "J", "D", "K". A grid is a list of
nine cards, row by row.
"""

from dataclasses import dataclass
from itertools import product

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
