"""What a board of Pikomino is worth to a seat by the shipped network, read off in plain Python.

A board is a position: the tiles of the centre, and the stacks by seat, top last.
"""

from math import exp

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
