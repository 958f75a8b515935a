"""The policy `copy` in plain Python: sums of the shipped weights, feature by feature."""

from itertools import product

KINDS = "123456L"
POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}
SIZES = [32] * 7 + [32, 32, 32, 14, 14, 40, 40, 40, 64, 16, 1]


def penalty(cards):
    """Each value held costs its points once, the llamas together ten."""
    return sum(POINTS[card] for card in set(cards))


def digits(mine, theirs, row, my_score, their_score):
    """All numbers that describe a situation, in the order of the manifest."""
    found = [
        8 * min(mine.count(kind), 3) + 2 * min(theirs.count(kind), 3) + (kind in row)
        for kind in KINDS
    ]
    found += [min(penalty(cards), 31) for cards in (mine, theirs, row)]
    found += [min(len(cards), 13) for cards in (mine, theirs)]
    found += [my_score, their_score, min(max(my_score - their_score + 20, 0), 39)]
    found += [8 * (my_score // 5) + their_score // 5, min(penalty(theirs), 31) // 2, 0]
    return found


class Copy:
    """Decisions of one side; weights: those of the two nets, one after the other."""

    def __init__(self, features, weights):
        self.nets = {}
        start = 0
        for net in ("rolling", "deciding"):
            self.nets[net] = []
            for parts in features[net]:
                self.nets[net].append((parts, start))
                size = 1
                for part in parts:
                    size *= SIZES[part]
                start += size
        assert start == len(weights)
        self.weights = weights

    def total(self, net, *situation):
        """Sum of the weights of one net."""
        found = digits(*situation)
        total = 0.0
        for parts, start in self.nets[net]:
            at = 0
            for part in parts:
                at = at * SIZES[part] + found[part]
            total += float(self.weights[start + at])
        return total

    def gain(self, mine, theirs, row, my_score, their_score):
        """How much better rolling seems than quitting; the policy rolls if it is more than 0."""
        return self.total("rolling", mine, theirs, row, my_score, their_score)

    def after(self, mine, theirs, row, my_score, their_score):
        """What the other player then seems to lose by having to decide."""
        return self.total("deciding", theirs, mine, row, their_score, my_score)

    def discards(self, matches, mine, theirs, row, my_score, their_score):
        """Worth of each discard within `matches`, all by cards."""
        counts = [range(matches.count(kind) + 1) for kind in KINDS]
        found = {}
        for gone in product(*counts):
            cards = "".join(kind * count for kind, count in zip(KINDS, gone, strict=True))
            if not cards:
                continue
            left = mine
            for card in cards:
                left = left.replace(card, "", 1)
            found[cards] = self.after(left, theirs, row, my_score, their_score)
        return found

    def takes(self, takeable, mine, theirs, row, my_score, their_score):
        """Worth of each card that can be taken."""
        return {
            card: self.after(mine + card, theirs, row.replace(card, ""), my_score, their_score)
            for card in takeable
        }
