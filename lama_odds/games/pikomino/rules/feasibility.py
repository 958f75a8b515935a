"""Find why a position of Pikomino cannot occur, and which moves it has."""

from __future__ import annotations

from collections import Counter

from lama_odds.core.errors import Defect
from lama_odds.core.language import say
from lama_odds.games.interface.defects import check_decision, defects_of_players
from lama_odds.games.pikomino.rules.position import (
    Faces,
    Position,
    Table,
    dice_text,
    read_position,
    wrong_roll,
)
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, WORM, PikominoRules

# The moves of a turn: faces to keep, results of stopping, legal actions.


def keepable(position: Position) -> list[int]:
    """Return the faces of the roll that can be kept."""
    assert position.rolled is not None
    return [face for face in range(FACES) if position.rolled[face] and not position.kept[face]]


def after_keeping(position: Position, face: int) -> Faces:
    """Return the dice kept after keeping this face of the roll too."""
    assert position.rolled is not None
    return tuple(
        held + (position.rolled[at] if at == face else 0) for at, held in enumerate(position.kept)
    )


def dice_left(rules: PikominoRules, kept: Faces) -> int:
    """Return the number of dice that can be rolled."""
    return rules.dice - sum(kept)


def stops(rules: PikominoRules, position: Position) -> dict[int, tuple[int, int | None]]:
    """Return the results of stopping at each total: (tile of the centre or −1, opponent to rob).

    Opponents are numbered from 1 in turn order; None if there is nothing to steal.
    """
    outcomes = {}
    for total in range(rules.tables.number.shape[1]):
        lower = [tile for tile in position.centre if tile <= total]
        owners = [i for i, top in enumerate(position.tops) if i and top == total]
        if rules.no_steal:
            owners = []
        if lower or owners:
            outcomes[total] = (max(lower, default=-1), owners[0] if owners else None)
    return outcomes


def next_bust(rules: PikominoRules, position: Position) -> float:
    """Return the chance that the next roll is bust, whatever is kept of it.

    Such a roll shows only faces kept before; or one other face on all dice, with no tile for the
    total.
    """
    left = dice_left(rules, position.kept)
    kept_before = sum(1 for count in position.kept if count)
    dead_ends = 0
    for face in range(FACES):
        kept = tuple(count + left * (at == face) for at, count in enumerate(position.kept))
        ends = not kept[WORM] or rules.total(kept) not in stops(rules, position)
        dead_ends += not position.kept[face] and ends
    return float((kept_before**left + dead_ends) / FACES**left)


def legal_actions(rules: PikominoRules, position: Position) -> list[str]:
    """Return the names of your legal actions, in the agreed notation."""
    if position.rolled is not None:
        return [f"keep {NAMES[face]}" for face in keepable(position)]
    actions: list[str] = []
    if position.kept[WORM]:
        tile, owner = stops(rules, position).get(rules.total(position.kept), (-1, None))
        if owner is not None:
            actions.append(f"steal {rules.total(position.kept)} from {owner}")
        if tile >= 0:
            actions.append(f"stop {tile}")
    if dice_left(rules, position.kept):
        actions.append("roll")
    return actions


def game_over() -> Defect:
    """Return that no tile is left."""
    return Defect(say("the game is over: no tile is left in the centre"), "centre")


def parse_position(rules: PikominoRules, text: str) -> Position:
    """Read a position with a decision.

    Raises ReadError (with the place), ImpossibleError (with all defects) or NothingToDecideError.
    """
    position = read_position(rules, text)
    check_decision(find_defects(rules, position), find_endings(rules, position))
    return position


def find_defects(rules: PikominoRules, position: Position) -> list[str]:
    """Return every reason why a position with your decision cannot occur; empty if it can."""
    return [
        *defects_of_players(rules, position),
        *_defects_of_tiles(rules, position),
        *_defects_of_dice(rules, position),
    ]


def find_endings(rules: PikominoRules, position: Position) -> list[str]:
    """Return how play has ended at a position, with what happens then."""
    if not position.centre:
        return [game_over()]
    return _busts(rules, position)


def _defects_of_tiles(rules: PikominoRules, position: Position) -> list[str]:
    defects: list[str] = []
    places = [(say("the centre"), position.centre)]
    others = range(1, position.players)
    names = [say("your stack"), *(say("the stack of opponent {seat}", seat=i) for i in others)]
    places += list(zip(names, position.stacks, strict=True))
    numbers = rules.numbers
    wrong_anywhere = False
    for seat, (name, tiles) in enumerate(places, -1):
        wrong = sorted({tile for tile in tiles if tile not in numbers})
        if wrong:
            wrong_anywhere = True
            listed = ", ".join(map(str, wrong))
            text = say(
                "{tiles} in {place}: the tiles are {low} to {high}",
                tiles=listed,
                place=name,
                low=numbers[0],
                high=numbers[-1],
            )
            defects.append(_defect_of_place(text, seat))
    held = Counter(tile for _, tiles in places for tile in tiles)
    for tile in sorted(tile for tile, times in held.items() if times > 1 and tile in numbers):
        where = [name for name, tiles in places if tile in tiles]
        last = max(at for at, (_, tiles) in enumerate(places, -1) if tile in tiles)
        text = say(
            "tile {tile} {times} times, in {places}",
            tile=tile,
            times=held[tile],
            places=say(" and ").join(where),
        )
        defects.append(_defect_of_place(text, last))
    if not position.centre:
        defects.append(game_over())
    elif not wrong_anywhere and numbers[0] not in held and not _may_be_buried(position):
        text = say(
            "{tile} is nowhere: the lowest tile is turned over only at the end of the game",
            tile=numbers[0],
        )
        defects.append(Defect(text, "centre"))
    return defects


def _defect_of_place(text: str, seat: int) -> Defect:
    """Return a defect of the stack of a seat, or of the centre (-1)."""
    return Defect(text, ("centre", "own", "tops")[min(seat, 1) + 1], max(seat, 0))


def _may_be_buried(position: Position) -> bool:
    """Return whether a missing tile can be in a stack: there are some, and only tops are known."""
    return not position.whole and any(position.stacks)


def _defects_of_dice(rules: PikominoRules, position: Position) -> list[str]:
    defects: list[str] = []
    kept = sum(position.kept)
    left = rules.dice - kept
    if left < 0:
        text = say(
            "{kept} dice kept ({dice}), but only {there} exist",
            kept=kept,
            dice=dice_text(position.kept),
            there=rules.dice,
        )
        defects.append(Defect(text, "kept"))
    if position.rolled is not None:
        defects += _defects_of_roll(position.rolled, left)
    return defects + _busts(rules, position)


def _busts(rules: PikominoRules, position: Position) -> list[str]:
    """Return why the turn is bust, and what that costs; empty if it is not."""
    if position.rolled is None:
        if sum(position.kept) != rules.dice or can_stop(rules, position):
            return []
        total = rules.total(position.kept)
        lost = _lost(rules, position)
        if position.kept[WORM]:
            text = say(
                "the turn is over, bust: all dice are kept, no tile for {total}; {lost}",
                total=total,
                lost=lost,
            )
        else:
            text = say(
                "the turn is over, bust: all dice are kept, no worm is kept; {lost}", lost=lost
            )
        return [Defect(text, "kept")]
    rolled = [face for face in range(FACES) if position.rolled[face]]
    if not rolled or not all(position.kept[face] for face in rolled):
        return []
    shown = "".join(NAMES[face] for face in rolled)
    text = say(
        "the turn is over, bust: {faces} kept before, no other face rolled; {lost}",
        faces=shown,
        lost=_lost(rules, position),
    )
    return [Defect(text, "rolled")]


def _lost(rules: PikominoRules, position: Position) -> str:
    """Return what a bust moves, in words."""
    if not position.centre:
        return say("the game is over")
    table = Table(rules, position.players)
    table.centre = sorted(position.centre)
    table.stacks = [list(stack) for stack in position.stacks]
    table.kept, table.rolled = list(position.kept), position.rolled
    back, turned = table.bust()
    if back is None and turned is None:
        return say("you have no tile to lose")
    if back is None:
        return say("you have no tile to lose, and {turned} is turned over", turned=turned)
    if turned is None:
        return say("your {tile} goes back", tile=back)
    return say("your {tile} goes back, and {turned} is turned over", tile=back, turned=turned)


def _defects_of_roll(dice: Faces, left: int) -> list[str]:
    rolled = sum(dice)
    defects: list[str] = []
    if not rolled and left <= 0:
        defects.append(Defect(say("nothing to roll: all dice are kept"), "rolled"))
    if rolled != max(left, 0):
        defects.append(Defect(wrong_roll(dice, max(left, 0)), "rolled"))
    return defects


def can_stop(rules: PikominoRules, position: Position) -> bool:
    """Return whether the dice kept bring a tile."""
    return bool(position.kept[WORM]) and rules.total(position.kept) in stops(rules, position)
