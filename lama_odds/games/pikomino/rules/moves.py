"""The moves of a turn: faces to keep, results of stopping, legal actions."""

from __future__ import annotations

from lama_odds.games.pikomino.rules.position import Faces, Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM


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
    found = {}
    for total in range(rules.tables.number.shape[1]):
        lower = [tile for tile in position.centre if tile <= total]
        owners = [i for i, top in enumerate(position.tops) if i and top == total]
        if rules.no_steal:
            owners = []
        if lower or owners:
            found[total] = (max(lower, default=-1), owners[0] if owners else None)
    return found


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
    found = []
    if position.kept[WORM]:
        tile, owner = stops(rules, position).get(rules.total(position.kept), (-1, None))
        if owner is not None:
            found.append(f"steal {rules.total(position.kept)} from {owner}")
        if tile >= 0:
            found.append(f"stop {tile}")
    if dice_left(rules, position.kept):
        found.append("roll")
    return found
