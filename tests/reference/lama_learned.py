"""The player `learned` of the card games in plain Python, from what the product says of it.

It knows the cards 1 to 6 and L only, and they cost more in this order. A card is written as in
records. What a player sees is a list of switches that are on: pairs of a group and a place in it.
Each switch has a row of weights.
"""

from collections import Counter
from dataclasses import dataclass

from . import lama

VALUES = "123456L"
CARD_OF = {name: card for card, name in lama.NAME_OF.items()}
TABLES = 6  # players at the largest table
OWN, UNSEEN = 6, 9  # counts of a value that are told apart: 0 to 5, 0 to 8
SIZES, FEWEST, PILE = 20, 6, 48
# Another player's counts: the largest of each class, the last class is open. Of cards in hand, of
# a value that can be played, of another value.
HANDS = (0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 16)
PLAYABLE = (0, 1, 2, 4, 7)
OTHERWISE = (0, 1, 3, 7)
QUIT = 12  # the class of hands of a player who has quit
SCORES, LEAD = 64, 40
ROWS_AT_ONCE = 4
# The switches, group by group: name and number.
GROUPS = (
    ("own", 7 * 4 * OWN**2), ("unseen", 7 * 4 * UNSEEN**2),
    ("held", (TABLES - 1) * 13 * 6**2), ("shown", (TABLES - 1) * 5**3),
    ("shown last", (TABLES - 1) * 5**2), ("near the end", SIZES * FEWEST * (TABLES - 1)),
    ("values", 2**7), ("score", TABLES * SCORES), ("lead", 2 * LEAD + 1),
    ("after quitting", SCORES), ("highest", SCORES), ("pile", 2 * PILE), ("nothing", 1),
)  # fmt: skip
NEAR = 1e-4  # results that differ by less count as equal


def around(value):
    """List all values as they follow each other, from one on; 1 follows the llama."""
    at = VALUES.index(value)
    return VALUES[at:] + VALUES[:at]


def playable(top):
    """Give the values that can be played on a card: the same one and the next one."""
    return around(top)[:2]


def deck_of(rules):
    return [lama.NAME_OF[card] for card in lama.full_deck(rules)]


def penalty(rules, hand):
    return lama.penalty(rules, [CARD_OF[card] for card in hand])


# --- What is seen ----------------------------------------------------------------------------


@dataclass
class Other:
    """What everybody sees of a player; shown: see `shown`."""

    cards: int
    score: int
    shown: dict
    quit: bool = False


@dataclass
class View:
    """What a player sees that has to decide; the others are in turn order."""

    rules: lama.Rules
    hand: list
    top: str
    unseen: Counter
    score: int
    others: list
    may_draw: bool = True

    @property
    def still_in(self):
        return [other for other in self.others if not other.quit]


def shown(received, past):
    """Count, for each value, the cards received since the player seemed to hold none of it.

    received: cards dealt. past: what the player did, ("draw", the top) or ("play", the card). A
    player who draws seems to hold nothing that can be played. A card that is played no longer
    counts.
    """
    found = dict.fromkeys(VALUES, received)
    for verb, card in past:
        if verb == "draw":
            for value in VALUES:
                found[value] = 1 if value in playable(card) else found[value] + 1
        elif found[card]:
            found[card] -= 1
    return found


class Round:
    """A round with all its cards, followed turn by turn."""

    def __init__(self, rules, scores, hands, top):
        self.rules = rules
        self.scores = list(scores)
        self.hands = [list(hand) for hand in hands]
        self.discards = [top]
        self.pile = len(deck_of(rules)) - 1 - sum(map(len, hands))
        self.quitters = set()
        self.past = [[] for _ in hands]

    def turn(self, seat, verb, card=""):
        """Carry out a turn; card: the one played or drawn."""
        if verb == "quit":
            self.quitters.add(seat)
        elif verb == "draw":
            self.past[seat].append((verb, self.discards[-1]))
            self.hands[seat].append(card)
            self.pile -= 1
        else:
            self.past[seat].append((verb, card))
            self.hands[seat].remove(card)
            self.discards.append(card)

    def other(self, seat, remembers):
        """Give what is seen of a player; without a past, all its cards may be any."""
        cards = len(self.hands[seat])
        seen = shown(self.rules.dealt, self.past[seat]) if remembers else shown(cards, ())
        return Other(cards, self.scores[seat], seen, seat in self.quitters)

    def view(self, seat, remembers=True):
        """Give what a seat sees; remembers: whether it knows what the others did."""
        players, hand = len(self.hands), self.hands[seat]
        unseen = Counter(deck_of(self.rules))
        unseen.subtract(hand)
        unseen.subtract(self.discards)
        others = [self.other((seat + step) % players, remembers) for step in range(1, players)]
        view = View(self.rules, list(hand), self.discards[-1], unseen, self.scores[seat], others)
        view.may_draw = self.pile > 0 and bool(view.still_in)
        return view


# --- What is made of it ----------------------------------------------------------------------


def joined(*digits):
    """Join digits to a number; each comes with the number of values that it may have."""
    found = 0
    for digit, values in digits:
        assert 0 <= digit < values, digits
        found = values * found + digit
    return found


def of_pairs(name, top, counts, most):
    """Give a switch for each two neighbouring values, from the top on; the last is by itself."""
    order = around(top)
    numbers = [min(counts[value], most - 1) for value in order] + [0]
    for pair in range(4):
        first, second = numbers[2 * pair : 2 * pair + 2]
        place = ((VALUES.index(top), 7), (pair, 4), (first, most), (second, most))
        yield name, joined(*place)


def class_of(count, largest):
    """Give the class of a count: the first whose largest count it does not exceed."""
    return next((at for at, most in enumerate(largest) if count <= most), len(largest))


def of_other(number, other, top):
    """Give the switches of the cards of another player, the number-th in turn order."""
    player = (number, TABLES - 1)
    if other.quit:
        yield "held", joined(player, (QUIT, 13), (0, 6), (0, 6))
        return
    same, following, *rest = (min(other.shown[value], other.cards) for value in around(top))
    counts = ((class_of(count, PLAYABLE), 6) for count in (same, following))
    yield "held", joined(player, (class_of(other.cards, HANDS), 13), *counts)
    places = [(class_of(count, OTHERWISE), 5) for count in rest]
    yield "shown", joined(player, *places[:3])
    yield "shown last", joined(player, *places[3:])


def pile_left(view):
    """Join whether several others are in, and the number of cards left in the pile."""
    left = sum(view.unseen.values()) - sum(other.cards for other in view.others)
    return joined((int(len(view.still_in) > 1), 2), (max(0, min(left, PILE - 1)), PILE))


def near_the_end(view):
    """Join the number of the own cards, the fewest of another player, and the number still in."""
    mine = min(len(view.hand), SIZES - 1)
    fewest = min(FEWEST, *(other.cards for other in view.still_in))
    return joined((mine, SIZES), (fewest - 1, FEWEST), (len(view.still_in) - 1, TABLES - 1))


def score_of(points):
    return min(points, SCORES - 1)


def switches(view):
    """List what is on, in any order, filled up with nothing to full groups of rows."""
    found = [*of_pairs("own", view.top, Counter(view.hand), OWN)]
    found += of_pairs("unseen", view.top, view.unseen, UNSEEN)
    for number, other in enumerate(view.others):
        found += of_other(number, other, view.top)
    scores = [view.score, *(other.score for other in view.others)]
    found += [("score", joined((s, TABLES), (score_of(p), SCORES))) for s, p in enumerate(scores)]
    lead = min(scores[1:]) - view.score
    cost = penalty(view.rules, view.hand)
    found += [
        ("near the end", near_the_end(view)),
        ("values", sum(2 ** VALUES.index(value) for value in set(view.hand))),
        ("lead", LEAD + max(-LEAD, min(LEAD, lead))),
        ("after quitting", score_of(view.score + cost)),
        ("highest", score_of(max(scores[1:]))),
        ("pile", pile_left(view)),
    ]
    return found + [("nothing", 0)] * (-len(found) % ROWS_AT_ONCE)


def rows(view):
    """List the rows of weights of the switches that are on."""
    begins, at = {}, 0
    for name, size in GROUPS:
        begins[name], at = at, at + size
    return [begins[name] + place for name, place in switches(view)]


# --- Decisions -------------------------------------------------------------------------------


def moves(view):
    """Give the actions that are possible, by the number of their result."""
    same, following = playable(view.top)
    found = {}
    if same in view.hand:
        found[0] = f"play {same}"
    if following in view.hand:
        found[1] = f"play {following}"
    if view.may_draw:
        found[2] = "draw"
    return found | {3: "quit"}


class Learned:
    """rows, second, results, constants: arrays of weights, as the product names them."""

    def __init__(self, rows, second, results, constants):
        self.rows, self.second, self.results, self.constants = (
            part.tolist() for part in (rows, second, results, constants)
        )

    def foretold(self, view):
        """List the results of the four moves."""
        seen = [self.rows[row] for row in rows(view)]
        first = [max(0.0, sum(column)) for column in zip(*seen, strict=True)]
        units = len(self.second[0])
        second = self.constants[:units]
        for number, weights in zip(first, self.second, strict=True):
            second = [s + number * weight for s, weight in zip(second, weights, strict=True)]
        second = [max(0.0, number) for number in second]
        return [
            constant + sum(n * weight for n, weight in zip(second, weights, strict=True))
            for constant, weights in zip(self.constants[units:], self.results, strict=True)
        ]

    def choices(self, view):
        """Give the best action, and all that are nearly as good."""
        possible = moves(view)
        if not view.still_in:  # it plays as long as it can, cards like the top first
            return {possible[min(possible)]}
        if len(possible) == 1:
            return set(possible.values())
        results = self.foretold(view)
        best = max(results[move] for move in possible)
        return {action for move, action in possible.items() if results[move] > best - NEAR}
