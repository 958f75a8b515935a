"""Why an action is best in Pikomino: what follows it, and what would turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.core.language import later, later_count, say
from lama_odds.core.wording import with_unit
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

# What a turn does.
WORMS = (
    later_count("brings {n} worm", "brings {n} worms"),
    later_count("costs {n} worm", "costs {n} worms"),
)

REASONS = Reasons(
    (
        Contrast(
            "stop before a bust",
            (Gap("points", MORE, 0.1, WORMS), Gap("bust", LESS, 0.04)),
            later(
                "If you {other}, you go bust {other1} and the turn {other0} on average; {best} "
                "{best0}."
            ),
            of=("stop", "steal"),
            against=("roll",),
        ),
        Contrast(
            "roll for more",
            (Gap("points", MORE, 0.1, WORMS), Gap("bust", MORE, 0.04)),
            later(
                "If you {best}, you go bust {best1}, but the turn {best0} on average; {other} "
                "{other0}."
            ),
            of=("roll",),
            against=("stop", "steal"),
        ),
        Contrast(
            "bust",
            (Gap("bust", LESS, 0.04),),
            later("You go bust {best0} if you {best}, and {other0} if you {other}."),
        ),
        Contrast(
            "worms",
            (Gap("points", MORE, 0.15, WORMS),),
            later("If you {best}, the turn {best0} on average; if you {other}, it {other0}."),
        ),
        Contrast(
            "worms in spite of busts",
            (Gap("points", MORE, 0.15, WORMS), Gap("bust", MORE, 0.04)),
            later(
                "If you {best}, you go bust {best1}, but the turn {best0} on average; if you "
                "{other}, it {other0}."
            ),
        ),
        Contrast(
            "worms at the end",
            (Gap("worms", MORE, 0.2),),
            later(
                "You end the game with {best0} worms on average if you {best}, and {other0} if you "
                "{other}."
            ),
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
        later("the tile that you may lose"): lambda rules, position: nothing_to_lose(
            rules, position
        ),
        later("the others' tiles"): lambda rules, position: no_other_tiles(position),
    },
)


def own_tile(rules: PikominoRules, position: Position, more: bool) -> Iterator[Changed]:
    """Yield positions with another top tile of yours: none, or one with more worms."""
    top = position.tops[0]
    if not more:
        if top is not None:
            yield _with_own(position, None, say("you had no tile to lose"))
        return
    now = 0 if top is None else rules.worms_on(top)
    free = [tile for tile in position.centre if rules.worms_on(tile) > now]
    for worms in sorted({rules.worms_on(tile) for tile in free}):
        tile = next(tile for tile in free if rules.worms_on(tile) == worms)
        shown = with_unit(worms, "worms")
        when = say("your top tile were the {tile} with {worms}", tile=tile, worms=shown)
        yield _with_own(position, tile, when)


def _with_own(position: Position, tile: int | None, when: str) -> Changed:
    """The position with another top tile of yours, taken from the centre."""
    centre = tiles_text(tuple(other for other in position.centre if other != tile))
    shown = "-" if tile is None else str(tile)
    if not position.whole:
        return Changed(when, edited(position, centre=centre, own=shown))
    mine = [*position.stacks[0][:-1], *([] if tile is None else [tile])]
    return Changed(when, edited(position, centre=centre, stacks=_stacks(position, 0, mine)))


def _stacks(position: Position, seat: int, stack: list[int]) -> str:
    """All stacks as text, one of them replaced."""
    stacks = [list(tiles) for tiles in position.stacks]
    stacks[seat] = stack
    return "/".join(".".join(map(str, tiles)) or "-" for tiles in stacks)


def tile_gone(rules: PikominoRules, position: Position) -> Iterator[Changed]:
    """Yield the position without the tile that you could take now."""
    total = rules.total(position.kept)
    tile = max((tile for tile in position.centre if tile <= total), default=None)
    if tile is not None and len(position.centre) > 1:
        centre = tiles_text(tuple(other for other in position.centre if other != tile))
        yield Changed(
            say("the {tile} were not in the centre", tile=tile), edited(position, centre=centre)
        )


def tile_to_steal(rules: PikominoRules, position: Position) -> Iterator[Changed]:
    """Yield positions in which another player's top tile is one that you may still reach."""
    total = rules.total(position.kept)
    for tile in (tile for tile in position.centre if total <= tile <= total + 6):
        centre = tiles_text(tuple(other for other in position.centre if other != tile))
        when = say("the player to your left had the {tile} on top", tile=tile)
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
        yield Changed(
            say("no tile had been turned over"), edited(position, centre=tiles_text(every))
        )


def nothing_to_lose(rules: PikominoRules, position: Position) -> str | None:
    """Return the position as you see it if you do not think of your top tile."""
    return next((changed.position for changed in own_tile(rules, position, False)), None)


def no_other_tiles(position: Position) -> str | None:
    """Return the position as you see it if you do not look at the others' tiles."""
    if not any(position.stacks[1:]):
        return None
    if not position.whole:
        return edited(position, tops=",".join("-" for _ in position.stacks[1:]))
    mine = ".".join(map(str, position.stacks[0])) or "-"
    return edited(position, stacks="/".join([mine, *("-" for _ in position.stacks[1:])]))
