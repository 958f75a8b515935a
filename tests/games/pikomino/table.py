"""Tables set up for the rule-book tests, and turns played on them."""

from lama_odds.games.pikomino.rules.table import Table
from tests.games.cases import product_rules

FACES = "12345W"
EGMONT = "pikomino/egmont"


def dice(text):
    return tuple(text.count(face) for face in FACES)


def table(centre=None, stacks=((), ()), options=""):
    """A table with these tiles, seat 0 to roll."""
    found = Table(product_rules(EGMONT + options), len(stacks))
    found.stacks = [list(stack) for stack in stacks]
    held = {tile for stack in stacks for tile in stack}
    found.centre = [t for t in found.centre if t not in held] if centre is None else list(centre)
    return found


def keep(found, *steps):
    """Roll and keep: "1245W keep W" and so on."""
    for step in steps:
        rolled, _, face = step.partition(" ")
        found.roll(dice(rolled))
        if face:
            found.keep(FACES.index(face))


def total(found):
    return found.rules.total(tuple(found.kept))


def lose(found):
    """Go bust at once: eight ones."""
    keep(found, "1" * found.left + " 1")
    return found.bust()
