"""The policy `learned` of Lama Dice in plain Python: what it sees, and its networks."""

from typing import NamedTuple

KINDS = "123456L"
POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}
FIRST, SECOND = 32, 16
ROWS = 3716
# Rows of a kind: how many cases it has, in the order of the rows.
OWN = {
    **{"kinds": 7 * 8, "held": 128, "twice": 128, "row": 128, "near": 14 * 7 * 6},
    **{"score": 80, "total": 80, "highest": 80, "margin": 81, "lead": 81, "end": 5 * 41},
    "nothing": 1,
}
OTHER = {"cards": 128 + 32, "number": 14, "score": 80, "lead": 81, "total": 81}
CLEAR = 13


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


def between(number, farthest):
    return min(max(number, -farthest), farthest) + farthest


def seen(cards, row, score, others):
    """What is seen, as pairs of a kind of rows and a case. others: in turn order."""
    total = score + points(cards)
    still_in = [other for other in others if other.penalty is None]
    totals = [other.score + other.points for other in others]
    fewest = min([len(other.cards) for other in still_in], default=6)
    near = sum(max([total, *totals]) >= high for high in (28, 32, 36, 40))
    for at, kind in enumerate(KINDS):
        yield "kinds", 8 * at + 2 * min(cards.count(kind), 3) + (kind in row)
    yield "held", set_of(cards)
    yield "twice", set_of([kind for kind in KINDS if cards.count(kind) > 1])
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


def rows(cards, row, score, others):
    """The rows of the first layer that a situation adds, sorted, without those of nothing."""
    begins, at = {}, 0
    for name, size in OWN.items():
        begins[name] = at
        at += size
    found = [begins[name] + case for name, case in seen(cards, row, score, others)]
    for other in others:
        begin = {}
        for name, size in OTHER.items():
            begin[name] = at
            at += size
        total = score + points(cards)
        found += [begin[name] + case for name, case in seen_of(other, score, total)]
    return sorted(found)


def result(net, cards, row, score, others):
    """The result of a network: lists of rows, second layer, result and constants."""
    first = [0.0] * FIRST
    nothing = sum(OWN.values()) - 1
    used = rows(cards, row, score, others)
    used += [nothing] * (-len(used) % 4)
    for at in used:
        first = [a + b for a, b in zip(first, net[0][at], strict=True)]
    second = net[3][:SECOND]
    for value, weights in zip(first, net[1], strict=True):
        second = [total + max(value, 0) * w for total, w in zip(second, weights, strict=True)]
    return net[3][SECOND] + sum(max(a, 0) * w for a, w in zip(second, net[2][0], strict=True))


def rolls(nets, cards, row, score, others):
    """Above 0 if it rolls."""
    if points(cards) >= CLEAR and any(other.penalty is None for other in others):
        return 1.0
    return result(nets[0], cards, row, score, others)


def without(cards, gone):
    for card in gone:
        cards = cards.replace(card, "", 1)
    return cards


def discards(nets, matches, cards, row, score, others):
    """How good each discard is; matches: the cards that the dice show."""
    found = {}
    for chosen in range(1, 1 << len(matches)):
        gone = "".join(card for at, card in enumerate(matches) if chosen >> at & 1)
        left = without(cards, gone)
        found["".join(sorted(gone))] = result(nets[1], left, row, score, others)
    return found


def takes(nets, takeable, cards, row, score, others):
    """How good it is to take each card."""
    return {
        card: result(nets[1], cards + card, row.replace(card, ""), score, others)
        for card in takeable
    }
