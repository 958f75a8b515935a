"""Endgames of two players by plain value iteration, in floats, over the turns of the twin.

A board: the tiles of the centre, the stack of who moves, the other's (top last).
"""

from functools import cache
from itertools import permutations

from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import tile_worms


def boards_of(tiles):
    """Every way that tiles lie in the centre, in two stacks, or turned over."""
    found = set()
    for order in permutations(tiles):
        for a in range(len(tiles) + 1):
            for b in range(a, len(tiles) + 1):
                for c in range(b, len(tiles) + 1):
                    found.add((tuple(sorted(order[:a])), order[a:b], order[b:c]))
    return found


def after_bust(rules, centre, mine):
    """What a bust leaves: centre and own stack."""
    if not mine and not rules.flip_without_tile:
        return centre, mine
    back, mine = mine[-1:], mine[:-1]
    centre = tuple(sorted(centre + back))
    if back == centre[-1:] and not rules.short:
        return centre, mine
    return centre[:-1], mine


def after_taking(board, how, tile):
    """The board, the other to move, once I have a tile."""
    centre, mine, other = board
    if how == "take":
        return tuple(t for t in centre if t != tile), other, (*mine, tile)
    return centre, other[:-1], (*mine, tile)


def turn_on(rules, board, win):
    """The turn of a board for the chances at hand: a twin's turn in floats, and what it leads to.

    Gives {total: (value, how, tile)}, and the board after a bust.
    """
    centre, mine, other = board
    found = {}
    for total in range(twin.highest_total(rules) + 1):
        for how, tile in twin.tiles_at(rules, centre, other[-1:], total):
            value = 1 - win[after_taking(board, how, tile)]
            if total not in found or value > found[total][0]:
                found[total] = value, how, tile
    left, kept = after_bust(rules, centre, mine)
    return found, (left, other, kept)


def share_of(rules, board):
    """What an ended game gives who would move next."""
    ranks = [(sum(tile_worms(rules, t) for t in s), max(s, default=0)) for s in board[1:]]
    return (1 + (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])) / 2


class FloatTurn(twin.Turn):
    """The twin's turn in floats."""

    def __init__(self, rules, payoff, bust):
        super().__init__(rules, {}, 0)
        self.payoff, self.bust = payoff, bust

    def _roll(self, kept, total, left):
        return sum(
            chance * self._after(kept, total, left, roll) for roll, chance in float_rolls(left)
        )


@cache
def float_rolls(dice):
    return [(roll, float(chance)) for roll, chance in twin.all_rolls(dice)]


def plain_values(rules, tiles):
    """Chances to win of who moves, on every board, by iteration until nothing moves."""
    win = {board: 0.5 if board[0] else share_of(rules, board) for board in boards_of(tiles)}
    moved = 1.0
    while moved > 1e-10:
        moved = 0.0
        for board in win:
            if not board[0]:
                continue
            stops, lost = turn_on(rules, board, win)
            turn = FloatTurn(rules, {t: found[0] for t, found in stops.items()}, 1 - win[lost])
            value = turn.value(*turn.begin())
            moved = max(moved, abs(value - win[board]))
            win[board] = value
    return win
