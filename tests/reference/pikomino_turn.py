"""A turn of Pikomino solved in exact fractions, by recursion over the rules of the plain twin.

A turn is described between two rolls. Some faces are kept (a set of "1" to "5" and "W", given as
any text or set of them), the dice kept have a total, some dice are left. The value of a turn is a
payoff: it depends only on the total with which the player stops, or it is a bust. So one solver
computes the worms won as well as the chance to reach a total. A roll is text, for example "1124W".

Below it is the chance of a seat to win a board, by the shipped network. A board is a position: the
tiles of the centre, and the stacks by seat, top last.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import exp, factorial, prod

from .pikomino import FACES, Game, tile_worms

WORM = "W"
BUST = "bust"
NOTHING = frozenset()


def value_of(rules, face):
    """Give what a die showing this face adds to the total."""
    return rules.worm_value if face == WORM else int(face)


def highest_total(rules):
    """Give the most that all dice can add up to."""
    return rules.dice * max(value_of(rules, face) for face in FACES)


@cache
def all_rolls(dice):
    """List the rolls of this many dice: ({face: dice showing it}, chance), faces ascending."""
    found = []
    for shown in combinations_with_replacement(FACES, dice):
        counts = Counter(shown)
        ways = factorial(dice) // prod(factorial(count) for count in counts.values())
        found.append((dict(counts), Fraction(ways, 6**dice)))
    return found


class Turn:
    """A turn played to get the most on average.

    payoff: what stopping is worth by total, with a worm kept; a total it lacks earns no tile.
    bust: what a bust is worth. Of equal values stopping goes before rolling, the lower face first.
    """

    def __init__(self, rules, payoff, bust=0):
        self.rules = rules
        self.payoff = {total: Fraction(value) for total, value in payoff.items()}
        self.bust = Fraction(bust)
        self._roll = cache(self._roll)
        self._results = cache(self._results)

    def begin(self):
        """Give the state before the first roll."""
        return NOTHING, 0, self.rules.dice

    def stop(self, kept, total):
        """Value stopping; None where it is not allowed."""
        return self.payoff.get(total) if WORM in kept else None

    def roll(self, kept, total, left):
        """Value rolling the dice left; None if there are none."""
        return self._roll(frozenset(kept), total, left) if left else None

    def _roll(self, kept, total, left):
        return sum(
            (chance * self._after(kept, total, left, roll) for roll, chance in all_rolls(left)),
            Fraction(0),
        )

    def decisions(self, kept, total, left):
        """Value what can be done after keeping: {"stop": value, "roll": value}; empty: a bust."""
        values = {"stop": self.stop(kept, total), "roll": self.roll(kept, total, left)}
        return {action: value for action, value in values.items() if value is not None}

    def value(self, kept, total, left):
        """Value a state between two rolls under best play."""
        return max(self.decisions(kept, total, left).values(), default=self.bust)

    def state_after(self, kept, total, left, face, dice):
        """Give the state after keeping `dice` dice of a face."""
        gained = dice * value_of(self.rules, face)
        return frozenset(kept) | {face}, total + gained, left - dice

    def keeps(self, kept, total, left, roll):
        """Value every face of a roll that can be kept; none: a bust."""
        return self._keeps(frozenset(kept), total, left, Counter(sorted(roll)))

    def _keeps(self, kept, total, left, counts):
        return {
            face: self.value(*self.state_after(kept, total, left, face, dice))
            for face, dice in counts.items()
            if face not in kept
        }

    def after_roll(self, kept, total, left, roll):
        """Value the state after a roll, before anything of it is kept."""
        return self._after(frozenset(kept), total, left, Counter(sorted(roll)))

    def _after(self, kept, total, left, counts):
        return max(self._keeps(kept, total, left, counts).values(), default=self.bust)

    # --- Where best play leads ---------------------------------------------------------------

    def results(self, kept, total, left):
        """Give the chance of every result under best play: totals stopped with, and BUST."""
        return dict(self._results(frozenset(kept), total, left))

    def _results(self, kept, total, left):
        values = self.decisions(kept, total, left)
        if not values:
            return {BUST: Fraction(1)}
        if max(values, key=values.get) == "stop":
            return {total: Fraction(1)}
        return self.roll_results(kept, total, left)

    def roll_results(self, kept, total, left):
        """Give the chances of the results if the dice left are rolled now."""
        found = Counter()
        for roll, chance in all_rolls(left):
            for result, share in self._results_after(frozenset(kept), total, left, roll).items():
                found[result] += chance * share
        return dict(found)

    def _results_after(self, kept, total, left, counts):
        values = self._keeps(kept, total, left, counts)
        if not values:
            return {BUST: Fraction(1)}
        face = max(values, key=values.get)
        return self._results(*self.state_after(kept, total, left, face, counts[face]))

    # --- The next roll -----------------------------------------------------------------------

    def lost(self, kept, total, left, counts):
        """Tell whether a roll is a bust whatever one does.

        Either no face can be kept, or each that can takes the last dice and earns no tile.
        """
        return not any(
            self.decisions(*self.state_after(kept, total, left, face, dice))
            for face, dice in counts.items()
            if face not in kept
        )

    def next_bust(self, kept, total, left):
        """Give the chance that the next roll is a bust whatever one does."""
        rolls = all_rolls(left)
        return sum((p for roll, p in rolls if self.lost(kept, total, left, roll)), Fraction(0))


# --- Payoffs ---------------------------------------------------------------------------------


def tiles_at(rules, centre, tops, total):
    """List what a total earns: ("take" or "steal", tile).

    centre: the open tiles; tops: the tile on top of each other stack, None if it is empty.
    """
    lower = [tile for tile in centre if tile <= total]
    found = [("take", max(lower))] if lower else []
    if rules.no_steal:
        return found
    return found + [("steal", tile) for tile in tops if tile == total]


def points_by_tile(rules, centre, tops, total, lam=None):
    """Value what a total earns in worms: {("take" or "steal", tile): worms}.

    A steal counts the worms won and, weighed with `lam`, those that the victim loses. By default
    that weight is 1 divided by the number of other players.
    """
    if lam is None:
        lam = Fraction(1, len(tops)) if tops else Fraction(0)
    return {
        (how, tile): tile_worms(rules, tile) * (1 + lam if how == "steal" else Fraction(1))
        for how, tile in tiles_at(rules, centre, tops, total)
    }


def points(rules, centre, own, tops, lam=None):
    """Give the payoff of a board in worms, as a turn to be solved.

    own: the tile on top of the own stack, or None: a bust loses its worms. The tile that a bust
    turns over counts for nobody.
    """
    payoff = {}
    for total in range(highest_total(rules) + 1):
        found = points_by_tile(rules, centre, tops, total, lam)
        if found:
            payoff[total] = max(found.values())
    return Turn(rules, payoff, 0 if own is None else -tile_worms(rules, own))


def all_tiles(rules):
    """List the tiles as they lie at the start."""
    return list(range(rules.low, rules.low + rules.tiles))


def moved(rules, centre, stacks, seat, action, tile=None):
    """Move the tiles at the end of a turn; give the centre and the stacks."""
    game = Game(rules, len(stacks))
    game.open = sum(1 << tile - rules.low for tile in centre)
    game.stacks = [list(stack) for stack in stacks]
    game.settle(seat, action, tile)
    return game.centre, game.stacks


def reach(rules, least):
    """Give the turn whose values are the best chances to end with at least a total and a worm."""
    return Turn(rules, {total: 1 for total in range(least, highest_total(rules) + 1)})


def exact_hit(rules, aim):
    """Give the turn whose values are the best chances to end with exactly a total and a worm."""
    return Turn(rules, {aim: 1})


SOLD = 16  # tiles of the game as sold
# The switches, group by group: name and size.
GROUPS = (
    ("open", SOLD), ("mine", SOLD + 1), ("below", SOLD + 1), ("exposed", SOLD),
    ("rival", SOLD + 1), ("rival below", SOLD + 1), ("lead", 41), ("second", 41), ("left", 41),
    ("count", SOLD + 1), ("breaks", 2), ("wait", 7), ("rival waits", 7), ("cross", 7 * 17),
    ("ending", 9 * 17), ("lowest", SOLD), ("highest", SOLD),
)  # fmt: skip
FROM_WORMS = (0, 1, 3, 5, 9, 13, 21)


def clipped(number, most):
    """Shift a number so that the lowest that is told apart is 0."""
    return most + max(-most, min(most, number))


def switches(rules, centre, stacks, seat, mover):
    """Name what is on: pairs of a group and a place in it."""
    seats = len(stacks)

    def as_sold(tile):
        return min((tile - rules.low) * SOLD // rules.tiles, SOLD - 1)

    def or_none(stack, depth):
        return 1 + as_sold(stack[-depth]) if len(stack) >= depth else 0

    worms = [sum(rules.worms_on(tile) for tile in stack) for stack in stacks]
    best = [max(stack, default=0) for stack in stacks]
    others = [(mover + step) % seats for step in range(seats) if (mover + step) % seats != seat]
    rival = max(others, key=lambda other: (worms[other], best[other]))
    lead = worms[seat] - worms[rival]
    left = sum(rules.worms_on(tile) for tile in centre)
    found = [("open", as_sold(tile)) for tile in centre]
    found += [("exposed", as_sold(stacks[other][-1])) for other in others if stacks[other]]
    found += [
        ("mine", or_none(stacks[seat], 1)),
        ("below", or_none(stacks[seat], 2)),
        ("rival", or_none(stacks[rival], 1)),
        ("rival below", or_none(stacks[rival], 2)),
        ("lead", clipped(lead, 20)),
        ("left", min(left, 40)),
        ("count", min(len(centre), SOLD)),
        ("breaks", int(best[seat] > best[rival])),
        ("wait", (seat - mover) % seats),
        ("rival waits", (rival - mover) % seats),
        ("cross", 17 * sum(left >= least for least in FROM_WORMS[1:]) + clipped(lead, 8)),
        ("ending", 17 * min(len(centre), 8) + clipped(lead, 8)),
        ("lowest", as_sold(min(centre))),
        ("highest", as_sold(max(centre))),
    ]
    if seats > 2:
        second = sorted(worms[other] for other in others)[-2]
        found.append(("second", clipped(worms[seat] - second, 20)))
    return found


def chance(rules, centre, stacks, seat, mover, weights, out):
    """Give the chance of a seat to win, another being about to roll."""
    seats = len(stacks)
    if not centre:
        ranks = [(sum(map(rules.worms_on, stack)), max(stack, default=0)) for stack in stacks]
        return (ranks[seat] == max(ranks)) / ranks.count(max(ranks))
    if seats == 2 and seat == mover:
        return 1 - chance(rules, centre, stacks, 1 - seat, mover, weights, out)
    begins, at = {}, 0
    for name, size in GROUPS:
        begins[name], at = at, at + size
    rows = [begins[name] + place for name, place in switches(rules, centre, stacks, seat, mover)]
    hidden = [sum(float(weights[row][unit]) for row in rows) for unit in range(len(out) - 1)]
    odds = float(out[-1]) + sum(max(0.0, h) * float(o) for h, o in zip(hidden, out, strict=False))
    return 1 / (1 + exp(-odds))
