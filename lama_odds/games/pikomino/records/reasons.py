"""Why an action is best in Pikomino: what follows it, and what would turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.core.wording import counted
from lama_odds.games.interface.reasons import (
    LESS,
    MORE,
    Change,
    Changed,
    Contrast,
    Gap,
    Reasons,
)
from lama_odds.games.pikomino.rules.position import Position, tiles_text
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.reasons import edited

WORMS = ("brings {} worms", "costs {} worms")  # what a turn does

REASONS = Reasons(
    (
        Contrast(
            "stop before a bust",
            (Gap("points", MORE, 0.1, WORMS), Gap("bust", LESS, 0.04)),
            "If you {other}, you go bust {1.other} and the turn {0.other} on average; {best} "
            "{0.best}.",
            of=("stop", "steal"),
            against=("roll",),
        ),
        Contrast(
            "roll for more",
            (Gap("points", MORE, 0.1, WORMS), Gap("bust", MORE, 0.04)),
            "If you {best}, you go bust {1.best}, but the turn {0.best} on average; {other} "
            "{0.other}.",
            of=("roll",),
            against=("stop", "steal"),
        ),
        Contrast(
            "bust",
            (Gap("bust", LESS, 0.04),),
            "You go bust {0.best} if you {best}, and {0.other} if you {other}.",
        ),
        Contrast(
            "worms",
            (Gap("points", MORE, 0.15, WORMS),),
            "If you {best}, the turn {0.best} on average; if you {other}, it {0.other}.",
        ),
        Contrast(
            "worms in spite of busts",
            (Gap("points", MORE, 0.15, WORMS), Gap("bust", MORE, 0.04)),
            "If you {best}, you go bust {1.best}, but the turn {0.best} on average; if you "
            "{other}, it {0.other}.",
        ),
        Contrast(
            "worms at the end",
            (Gap("worms", MORE, 0.2),),
            "You end the game with {0.best} worms on average if you {best}, and {0.other} if you "
            "{other}.",
        ),
    ),
    (
        Change("nothing to lose", lambda rules, position: own_tile(rules, position, False)),
        Change("more to lose", lambda rules, position: own_tile(rules, position, True)),
        Change("the tile is gone", lambda rules, position: tile_gone(rules, position)),
        Change("a tile to steal", lambda rules, position: tile_to_steal(rules, position)),
        Change("all tiles", lambda rules, position: all_tiles(rules, position)),
    ),
    ("stop", "steal"),
    ignored={
        "the tile that you may lose": lambda rules, position: nothing_to_lose(rules, position),
        "the others' tiles": lambda rules, position: no_other_tiles(position),
    },
)


def own_tile(rules: PikominoRules, position: Position, more: bool) -> Iterator[Changed]:
    """Yield positions with another top tile of yours: none, or one with more worms."""
    top = position.tops[0]
    if not more:
        if top is not None:
            yield _with_own(position, None, "you had no tile to lose")
        return
    now = 0 if top is None else rules.worms_on(top)
    free = [tile for tile in position.centre if rules.worms_on(tile) > now]
    for worms in sorted({rules.worms_on(tile) for tile in free}):
        tile = next(tile for tile in free if rules.worms_on(tile) == worms)
        yield _with_own(position, tile, f"your top tile were the {tile} with {_worms(worms)}")


def _worms(number: int) -> str:
    return counted(number, "worm")


def _with_own(position: Position, tile: int | None, when: str) -> Changed:
    """The position with another top tile of yours, taken from the centre."""
    centre = tiles_text(tuple(each for each in position.centre if each != tile))
    shown = "-" if tile is None else str(tile)
    if not position.whole:
        return Changed(when, edited(position, centre=centre, own=shown))
    mine = [*position.stacks[0][:-1], *([] if tile is None else [tile])]
    return Changed(when, edited(position, centre=centre, stacks=_stacks(position, 0, mine)))


def _stacks(position: Position, seat: int, stack: list[int]) -> str:
    """All stacks as text, one of them replaced."""
    found = [list(each) for each in position.stacks]
    found[seat] = stack
    return "/".join(".".join(map(str, each)) or "-" for each in found)


def tile_gone(rules: PikominoRules, position: Position) -> Iterator[Changed]:
    """Yield the position without the tile that you could take now."""
    total = rules.total(position.kept)
    tile = max((tile for tile in position.centre if tile <= total), default=None)
    if tile is not None and len(position.centre) > 1:
        centre = tiles_text(tuple(each for each in position.centre if each != tile))
        yield Changed(f"the {tile} were not in the centre", edited(position, centre=centre))


def tile_to_steal(rules: PikominoRules, position: Position) -> Iterator[Changed]:
    """Yield positions in which another player's top tile is one that you may still reach."""
    total = rules.total(position.kept)
    for tile in (tile for tile in position.centre if total <= tile <= total + 6):
        centre = tiles_text(tuple(each for each in position.centre if each != tile))
        when = f"the player to your left had the {tile} on top"
        if position.whole:
            theirs = [*position.stacks[1], tile]
            yield Changed(
                when, edited(position, centre=centre, stacks=_stacks(position, 1, theirs))
            )
        else:
            tops = [str(tile), *("-" if top is None else str(top) for top in position.tops[2:])]
            yield Changed(when, edited(position, centre=centre, tops=",".join(tops)))


def all_tiles(rules: PikominoRules, position: Position) -> Iterator[Changed]:
    """Yield the position with all tiles in the centre that no player has."""
    held = {tile for stack in position.stacks for tile in stack}
    every = tuple(tile for tile in rules.numbers if tile not in held)
    if every != position.centre:
        yield Changed("no tile had been turned over", edited(position, centre=tiles_text(every)))


def nothing_to_lose(rules: PikominoRules, position: Position) -> str | None:
    """Return the position as you see it if you do not think of your top tile."""
    return next((found.position for found in own_tile(rules, position, False)), None)


def no_other_tiles(position: Position) -> str | None:
    """Return the position as you see it if you do not look at the others' tiles."""
    if not any(position.stacks[1:]):
        return None
    if not position.whole:
        return edited(position, tops=",".join("-" for _ in position.stacks[1:]))
    mine = ".".join(map(str, position.stacks[0])) or "-"
    return edited(position, stacks="/".join([mine, *("-" for _ in position.stacks[1:])]))
