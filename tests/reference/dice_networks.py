"""The policies `copy` and `learned` of Lama Dice in plain Python: what they see, and networks.

Both see the own cards, the row, the own score and the other players in turn order. They roll if
its number is above 0, and do what has the highest number.
"""

from itertools import product
from typing import NamedTuple

KINDS = "123456L"
POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}


class Other(NamedTuple):
    """Another player. penalty: of one who has quit; None: still in."""

    cards: str
    score: int
    penalty: int | None = None

    @property
    def points(self):
        return points(self.cards) if self.penalty is None else self.penalty


def points(cards):
    """Each value held costs its points once, the llamas together ten."""
    return sum(POINTS[card] for card in set(cards))


def set_of(cards):
    """The set of kinds as a number."""
    return sum(1 << at for at, kind in enumerate(KINDS) if kind in cards)


def twice(cards):
    return [kind for kind in KINDS if cards.count(kind) > 1]


def token(score):
    """What a player with this score returns."""
    return 10 if score >= 10 else min(score, 1)


def without(cards, gone):
    for card in gone:
        cards = cards.replace(card, "", 1)
    return cards


class Network:
    """What follows from `gain` and `left`, which a policy defines."""

    def discards(self, matches, cards, row, score, others):
        """How good each discard is; matches: the cards that the dice show."""
        chosen = product(*[range(matches.count(kind) + 1) for kind in KINDS])
        gone = ["".join(map(str.__mul__, KINDS, numbers)) for numbers in chosen]
        return {some: self.left(without(cards, some), row, score, others) for some in gone if some}

    def takes(self, takeable, cards, row, score, others):
        """How good it is to take each card."""
        return {
            card: self.left(cards + card, row.replace(card, ""), score, others) for card in takeable
        }


# --- `learned` -------------------------------------------------------------------------------

LEARNED_FIRST, LEARNED_SECOND, LEARNED_ROWS = 32, 16, 3716
# Rows of a kind: how many cases it has, in the order of the rows.
OWN = {
    **{"kinds": 7 * 8, "held": 128, "twice": 128, "row": 128, "near": 14 * 7 * 6},
    **{"score": 80, "total": 80, "highest": 80, "margin": 81, "lead": 81, "end": 5 * 41},
    "nothing": 1,
}
OTHER = {"cards": 128 + 32, "number": 14, "score": 80, "lead": 81, "total": 81}
CLEAR = 13


def between(number, farthest):
    return min(max(number, -farthest), farthest) + farthest


def seen(cards, row, score, others):
    """What is seen, as pairs of a kind of rows and a case."""
    total = score + points(cards)
    still_in = [other for other in others if other.penalty is None]
    totals = [other.score + other.points for other in others]
    fewest = min([len(other.cards) for other in still_in], default=6)
    near = sum(max([total, *totals]) >= high for high in (28, 32, 36, 40))
    for at, kind in enumerate(KINDS):
        yield "kinds", 8 * at + 2 * min(cards.count(kind), 3) + (kind in row)
    yield "held", set_of(cards)
    yield "twice", set_of(twice(cards))
    yield "row", set_of(row)
    yield "near", (min(len(cards), 13) * 7 + min(fewest, 6)) * 6 + len(still_in)
    yield "score", min(score, 79)
    yield "total", min(total, 79)
    yield "highest", min(max(totals), 79)
    yield "margin", between(min(totals) - total, 40)
    yield "lead", between(min(other.score for other in others) - score, 40)
    yield "end", 41 * near + between(min(totals) - total, 20)


def seen_of(other, score, total):
    """The same of another player; score, total: the own ones."""
    quit_ = other.penalty is not None
    yield "cards", 128 + min(other.penalty, 31) if quit_ else set_of(other.cards)
    yield "number", 0 if quit_ else min(len(other.cards), 13)
    yield "score", min(other.score, 79)
    yield "lead", between(other.score - score, 40)
    yield "total", between(other.score + other.points - total, 40)


def learned_rows(cards, row, score, others):
    """The rows of the first layer that a situation adds, sorted, without those of nothing."""
    at, found = 0, []
    parts = [(OWN, seen(cards, row, score, others))]
    parts += [(OTHER, seen_of(other, score, score + points(cards))) for other in others]
    for sizes, cases in parts:
        begins = {}
        for name, size in sizes.items():
            begins[name] = at
            at += size
        found += [begins[name] + case for name, case in cases]
    return sorted(found)


class Learned(Network):
    """nets: whether to roll, and what to leave; lists of rows, second layer, result, constants."""

    def __init__(self, nets):
        self.nets = nets

    def result(self, which, *situation):
        rows, second_layer, results, constants = self.nets[which]
        used = learned_rows(*situation)
        used += [sum(OWN.values()) - 1] * (-len(used) % 4)
        first = [sum(numbers) for numbers in zip(*(rows[at] for at in used), strict=True)]
        second = constants[:LEARNED_SECOND]
        for value, weights in zip(first, second_layer, strict=True):
            second = [total + max(value, 0) * w for total, w in zip(second, weights, strict=True)]
        seen = zip(second, results[0], strict=True)
        return constants[LEARNED_SECOND] + sum(max(value, 0) * weight for value, weight in seen)

    def gain(self, cards, row, score, others):
        if points(cards) >= CLEAR and any(other.penalty is None for other in others):
            return 1.0
        return self.result(0, cards, row, score, others)

    def left(self, *situation):
        return self.result(1, *situation)


# --- `copy` ----------------------------------------------------------------------------------

TARGET = 40
FIRST, SECOND = 64, 16
ROWS = 892  # 7 kinds of 32, five sets of 128, two numbers of cards of 14
STEPS = (-1, 0, 7, 14, 25)
STEPS_ALONE = (-1, 1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25, 31)


def copy_rows(mine, theirs, row):
    """The rows of the first layer that cards and the row add."""
    found = [
        32 * at + 8 * min(mine.count(kind), 3) + 2 * min(theirs.count(kind), 3) + (kind in row)
        for at, kind in enumerate(KINDS)
    ]
    sets = map(set_of, (mine, theirs, row, twice(mine), twice(theirs)))
    found += [224 + 128 * at + which for at, which in enumerate(sets)]
    return [*found, 864 + min(len(mine), 13), 878 + min(len(theirs), 13)]


class Net:
    """One network. numbers: all weights, taken from the front. table: of best play."""

    def __init__(self, numbers, table, alone):
        self.table, self.alone = table, alone
        outlook = len(STEPS_ALONE) if alone else len(STEPS) ** 2
        shapes = [(ROWS, FIRST), (40, FIRST), (72, FIRST), (outlook + 1, FIRST), (5, FIRST)]
        shapes += [(FIRST, SECOND), (2, SECOND), (1, SECOND + 2)]
        parts = []
        for height, width in shapes:
            parts.append([numbers[width * at : width * (at + 1)] for at in range(height)])
            numbers = numbers[height * width :]
        self.rest = numbers
        self.cards, self.own, self.other, self.outlook, self.ends = parts[:5]
        self.second, self.results, (self.constants,) = parts[5:]

    def cost(self, mine, other, i_end):
        """What the end of a round costs, in chances to win, by final scores."""
        if not (self.alone or i_end):
            return -self.cost(other, mine, True)
        if max(mine, other) >= TARGET:
            return 0.5 - (1.0 if mine < other else 0.5 if mine == other else 0.0)
        return 0.5 - self.table[mine][other]

    def mean(self, mine, other):
        """The cost if either player may end the round."""
        return (self.cost(mine, other, True) + self.cost(mine, other, False)) / 2

    def slope(self, mine, other):
        """What a point changes."""
        if self.alone:
            back = token(mine)
            costs = [self.cost(at, other, True) for at in (mine + 20, mine - back)]
            return max((costs[0] - costs[1]) / (20 + back), 0.002)
        low, high = (max(0, min(39, mine + by)) for by in (-5, 5))
        own = (self.table[low][other] - self.table[high][other]) / (high - low)
        low, high = (max(0, min(39, other + by)) for by in (-5, 5))
        others = (self.table[mine][high] - self.table[mine][low]) / (high - low)
        return max((own + others) / 2, 0.004)

    def seen(self, mine, other):
        """What scores are worth some points from here."""
        slope, now = self.slope(mine, other), self.mean(mine, other)
        steps = [(step, 0) for step in STEPS_ALONE] if self.alone else product(STEPS, STEPS)
        found = []
        for first, second in steps:
            after = mine - token(mine) if first < 0 else mine + first
            others = other - token(other) if second < 0 else other + second
            found.append((self.mean(after, others) - now) / slope * 0.1)
        return [*found, (slope - 0.012) / (slope + 0.012)]

    def ways(self, mine, theirs, row, my_score, their_score):
        """What ending now costs, and what the ways to end now cost beside it."""
        final, others = my_score + points(mine), their_score + points(theirs)
        now = self.mean(final, others)
        ways = [
            now - self.mean(my_score, their_score),
            self.cost(my_score + points(mine + row), others, True) - now,
            self.cost(final, their_score + points(theirs + row), False) - now,
            self.cost(my_score - token(my_score), others, True) - now,
            self.cost(final, their_score - token(their_score), False) - now,
        ]
        return now, [way / self.slope(my_score, their_score) * 0.1 for way in ways]

    def result(self, which, mine, theirs, row, my_score, their_score):
        """What ending now costs, and a result in points: 0 the cost, 1 the gain of rolling."""
        now, ways = self.ways(mine, theirs, row, my_score, their_score)
        added = [(1.0, self.cards[at]) for at in copy_rows(mine, theirs, row)]
        added += [(1.0, self.own[my_score]), (1.0, self.other[their_score])]
        added += zip(self.seen(my_score, their_score), self.outlook, strict=True)
        added += zip(ways, self.ends, strict=True)
        first = [max(sum(by * part[at] for by, part in added), 0.0) for at in range(FIRST)]
        total = self.constants[SECOND + which]
        for at in range(SECOND):
            number = self.constants[at] + sum(
                seen * part[at] for seen, part in zip(first, self.second, strict=True)
            )
            total += max(number, 0.0) * self.results[which][at]
        return now, total


class Copy(Network):
    """numbers: all weights as shipped. table: of best play, by scores."""

    def __init__(self, numbers, table):
        self.together = Net(numbers, table, alone=False)
        self.single = Net(self.together.rest, table, alone=True)
        assert not self.single.rest

    def gain(self, cards, row, score, others):
        (other,) = others
        if other.penalty is None:
            return self.together.result(1, cards, other.cards, row, score, other.score)[1]
        return self.single.result(1, cards, "", row, score, other.score + other.penalty)[1]

    def left(self, cards, row, score, others):
        (other,) = others
        if other.penalty is None:  # what it costs the other, who is to decide
            scores = other.score, score
            now, cost = self.together.result(0, other.cards, cards, row, *scores)
            return now + self.together.slope(*scores) * cost
        scores = score, other.score + other.penalty
        now, cost = self.single.result(0, cards, "", row, *scores)
        return -(now + self.single.slope(*scores) * cost)
