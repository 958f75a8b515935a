"""A game of Pikomino step by step, for records and replays."""

from __future__ import annotations

from lama_odds.games.pikomino.rules.position import Faces, dice_text
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM
from lama_odds.games.shared.record import Refused


class Table:
    """The state of a game, with the turn of `seat`.

    centre: open tiles, ascending. stacks: by seat, top last. The tiles turned over are counted too.
    A turn has the dice kept, and the dice rolled while a face must still be kept.
    """

    def __init__(self, rules: PikominoRules, players: int) -> None:
        self.rules = rules
        self.centre = list(rules.numbers)
        self.stacks: list[list[int]] = [[] for _ in range(players)]
        self.turned: list[int] = []
        self.seat = 0
        self.kept = [0] * FACES
        self.rolled: Faces | None = None

    @property
    def worms(self) -> list[int]:
        """Return the worms by seat."""
        return [sum(self.rules.worms_on(tile) for tile in stack) for stack in self.stacks]

    @property
    def open_turn(self) -> bool:
        """Whether the turn has begun and is not over."""
        return any(self.kept) or self.rolled is not None

    @property
    def left(self) -> int:
        """The number of dice not kept."""
        return self.rules.dice - sum(self.kept)

    @property
    def must_bust(self) -> bool:
        """Whether the turn can only end in a bust."""
        if self.rolled is not None:
            return not any(self._keepable(face) for face in range(FACES))
        return not self.left and self.stop_tile() is None and self.steal_tile() is None

    def _keepable(self, face: int) -> bool:
        return self.rolled is not None and self.rolled[face] > 0 and not self.kept[face]

    def roll(self, rolled: Faces) -> None:
        """Roll all dice left."""
        self._check_open()
        if self.rolled is not None:
            raise Refused(f"a face of {dice_text(self.rolled)} must be kept first")
        if not self.left:
            raise Refused("all dice are kept")
        if sum(rolled) != self.left:
            raise Refused(f"{sum(rolled)} dice rolled ({dice_text(rolled)}), but {self.left} left")
        self.rolled = rolled

    def keep(self, face: int) -> None:
        """Keep all dice of a face of the roll."""
        if self.rolled is None:
            raise Refused("nothing is rolled")
        if not self._keepable(face):
            reason = "it was kept before" if self.kept[face] else "it was not rolled"
            raise Refused(f"{NAMES[face]} cannot be kept: {reason}")
        self.kept[face] = self.rolled[face]
        self.rolled = None

    def stop_tile(self) -> int | None:
        """The tile of the centre that the dice kept bring."""
        if self.rolled is not None or not self.kept[WORM]:
            return None
        total = self.rules.total(tuple(self.kept))
        return max((tile for tile in self.centre if tile <= total), default=None)

    def steal_tile(self) -> int | None:
        """The tile on top of another stack that the dice kept hit exactly."""
        if self.rolled is not None or not self.kept[WORM] or self.rules.no_steal:
            return None
        total = self.rules.total(tuple(self.kept))
        tops = [s[-1] for seat, s in enumerate(self.stacks) if s and seat != self.seat]
        return total if total in tops else None

    def stop(self) -> int:
        """Take the tile of the centre; return it."""
        tile = self.stop_tile()
        if tile is None:
            raise Refused("no tile of the centre can be taken")
        self.centre.remove(tile)
        self._take(tile)
        return tile

    def steal(self) -> int:
        """Take the tile from the other stack; return it."""
        tile = self.steal_tile()
        if tile is None and self.rules.no_steal:
            raise Refused("no tile can be stolen by these rules")
        if tile is None:
            raise Refused("no other stack has this total on top")
        next(stack for stack in self.stacks if stack and stack[-1] == tile).pop()
        self._take(tile)
        return tile

    def bust(self) -> tuple[int | None, int | None]:
        """Go bust; return (tile put back, tile turned over), None for none."""
        self._check_open()
        if not self.must_bust:
            raise Refused("this turn is not bust: it can continue")
        stack = self.stacks[self.seat]
        back = stack.pop() if stack else None
        if back is not None:
            self.centre = sorted([*self.centre, back])
        flipped = None
        if back is not None or self.rules.flip_without_tile:
            highest = max(self.centre, default=None)
            if highest is not None and (highest != back or self.rules.short):
                flipped = highest
                self.centre.remove(highest)
                self.turned.append(highest)
        self._pass_on()
        return back, flipped

    def _check_open(self) -> None:
        if not self.centre:
            raise Refused("the game is over")

    def _take(self, tile: int) -> None:
        self.stacks[self.seat].append(tile)
        self._pass_on()

    def _pass_on(self) -> None:
        self.seat = (self.seat + 1) % len(self.stacks)
        self.kept = [0] * FACES
        self.rolled = None
