"""Which positions of Pikomino can occur: all defects of one that cannot."""

from __future__ import annotations

from collections import Counter

from lama_odds.core.errors import ImpossibleError
from lama_odds.games.pikomino.position import Position, dice_text, read_position
from lama_odds.games.pikomino.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.turn import FACES, WORM
from lama_odds.games.table import defects_of_players


def parse_position(rules: PikominoRules, text: str) -> Position:
    """Read a position; ReadError (with the place) or ImpossibleError (with all defects)."""
    position = read_position(rules, text)
    defects = find_defects(rules, position)
    if defects:
        raise ImpossibleError("this position", defects)
    return position


def find_defects(rules: PikominoRules, position: Position) -> list[str]:
    """Everything that keeps a position from occurring with me to decide; empty if it can."""
    return [
        *defects_of_players(rules, position),
        *_defects_of_tiles(rules, position),
        *_defects_of_dice(rules, position),
    ]


def _defects_of_tiles(rules: PikominoRules, position: Position) -> list[str]:
    found = []
    places = [("the centre", position.centre)]
    names = ["my stack", *(f"the stack of opponent {i}" for i in range(1, position.players))]
    places += list(zip(names, position.stacks, strict=True))
    numbers = rules.numbers
    wrong_anywhere = False
    for name, tiles in places:
        wrong = sorted({tile for tile in tiles if tile not in numbers})
        if wrong:
            wrong_anywhere = True
            listed = ", ".join(map(str, wrong))
            found.append(f"{listed} in {name}: the tiles are {numbers[0]} to {numbers[-1]}")
    held = Counter(tile for _, tiles in places for tile in tiles)
    for tile in sorted(tile for tile, times in held.items() if times > 1 and tile in numbers):
        where = [name for name, tiles in places if tile in tiles]
        found.append(f"tile {tile} {held[tile]} times, in {' and '.join(where)}")
    if not position.centre:
        found.append("the game is over: no tile is left in the centre")
    elif not wrong_anywhere and numbers[0] not in held and not _may_be_buried(position):
        found.append(
            f"{numbers[0]} is nowhere: the lowest tile is never turned over while the game goes on"
        )
    return found


def _may_be_buried(position: Position) -> bool:
    """Whether a tile named nowhere can lie in a stack: there are some, and only tops are told."""
    return not position.whole and any(position.stacks)


def _defects_of_dice(rules: PikominoRules, position: Position) -> list[str]:
    found = []
    kept = sum(position.kept)
    left = rules.dice - kept
    if left < 0:
        found.append(f"{kept} dice kept ({dice_text(position.kept)}), there are {rules.dice}")
    if position.rolled is not None:
        return found + _defects_of_roll(position, left)
    if left == 0 and not can_stop(rules, position):
        why = (
            f"no tile for {rules.total(position.kept)}"
            if position.kept[WORM]
            else "no worm is kept"
        )
        found.append(f"the turn is over, bust: all dice are kept, {why}")
    return found


def _defects_of_roll(position: Position, left: int) -> list[str]:
    assert position.rolled is not None
    rolled = sum(position.rolled)
    found = []
    if not rolled and left <= 0:
        found.append("nothing to roll: all dice are kept")
    if rolled != max(left, 0):
        found.append(
            f"{rolled} dice rolled ({dice_text(position.rolled)}), {max(left, 0)} are left"
        )
    free = [face for face in range(FACES) if position.rolled[face] and not position.kept[face]]
    if rolled and not free:
        shown = "".join(NAMES[face] for face in range(FACES) if position.rolled[face])
        found.append(f"the turn is over, bust: {shown} kept before, no other face rolled")
    return found


def can_stop(rules: PikominoRules, position: Position) -> bool:
    """Whether the dice kept bring a tile."""
    if not position.kept[WORM]:
        return False
    total = rules.total(position.kept)
    lower = any(tile <= total for tile in position.centre)
    return lower or total in [top for top in position.tops[1:] if top is not None]
