"""The policy `copy` in plain Python: its networks, number by number."""

from itertools import product

KINDS = "123456L"
POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}
TARGET = 40
FIRST, SECOND = 64, 16
ROWS = 892  # 7 kinds of 32, five sets of 128, two numbers of cards of 14
STEPS = (-1, 0, 7, 14, 25)
STEPS_ALONE = (-1, 1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25, 31)


def penalty(cards):
    """Each value held costs its points once, the llamas together ten."""
    return sum(POINTS[card] for card in set(cards))


def kinds(cards):
    """The set of kinds as a number."""
    return sum(1 << at for at, kind in enumerate(KINDS) if kind in cards)


def token(score):
    """What a player with this score returns."""
    return 10 if score >= 10 else min(score, 1)


def rows(mine, theirs, row):
    """The rows of the first layer that cards and the row add."""
    found = [
        32 * at + 8 * min(mine.count(kind), 3) + 2 * min(theirs.count(kind), 3) + (kind in row)
        for at, kind in enumerate(KINDS)
    ]
    twice = ["".join(k for k in KINDS if cards.count(k) > 1) for cards in (mine, theirs)]
    sets = [kinds(cards) for cards in (mine, theirs, row, *twice)]
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
        self.left = numbers
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
        final, others = my_score + penalty(mine), their_score + penalty(theirs)
        now = self.mean(final, others)
        ways = [
            now - self.mean(my_score, their_score),
            self.cost(my_score + penalty(mine + row), others, True) - now,
            self.cost(final, their_score + penalty(theirs + row), False) - now,
            self.cost(my_score - token(my_score), others, True) - now,
            self.cost(final, their_score - token(their_score), False) - now,
        ]
        return now, [way / self.slope(my_score, their_score) * 0.1 for way in ways]

    def result(self, which, mine, theirs, row, my_score, their_score):
        """What ending now costs, and a result in points: 0 the cost, 1 the gain of rolling."""
        now, ways = self.ways(mine, theirs, row, my_score, their_score)
        added = [(1.0, self.cards[at]) for at in rows(mine, theirs, row)]
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


class Copy:
    """Decisions of one side. numbers: all weights as shipped. table: of best play, by scores."""

    def __init__(self, numbers, table):
        self.together = Net(numbers, table, alone=False)
        self.single = Net(self.together.left, table, alone=True)
        assert not self.single.left

    def gain(self, mine, theirs, row, my_score, their_score):
        """How many points better rolling seems than quitting; the policy rolls if more than 0."""
        return self.together.result(1, mine, theirs, row, my_score, their_score)[1]

    def gain_alone(self, mine, row, my_score, final):
        """The same for a player alone; final: score of the other."""
        return self.single.result(1, mine, "", row, my_score, final)[1]

    def after(self, mine, theirs, row, my_score, their_score):
        """What leaving these cards and this row seems to cost, in chances to win."""
        now, cost = self.together.result(0, theirs, mine, row, their_score, my_score)
        return -(now + self.together.slope(their_score, my_score) * cost)

    def after_alone(self, mine, row, my_score, final):
        """The same for a player alone."""
        now, cost = self.single.result(0, mine, "", row, my_score, final)
        return now + self.single.slope(my_score, final) * cost

    def discards(self, matches, mine, others):
        """Worth of each discard within `matches`, all by cards.

        others: theirs, row, both scores; for a player alone without theirs.
        """
        after = self.after_alone if len(others) == 3 else self.after
        counts = [range(matches.count(kind) + 1) for kind in KINDS]
        found = {}
        for gone in product(*counts):
            cards = "".join(kind * count for kind, count in zip(KINDS, gone, strict=True))
            if not cards:
                continue
            left = mine
            for card in cards:
                left = left.replace(card, "", 1)
            found[cards] = after(left, *others)
        return found

    def takes(self, takeable, mine, theirs, row, my_score, their_score):
        """Worth of each card that can be taken."""
        return {
            card: self.after(mine + card, theirs, row.replace(card, ""), my_score, their_score)
            for card in takeable
        }
