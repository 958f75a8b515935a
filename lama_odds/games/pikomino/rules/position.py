"""Positions of Pikomino: from notation to Position, and back.

Example: ``kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-``. The empty text is the
start of a turn with all tiles in the centre and one opponent. ``stacks=24.22/27.30/-`` (yours
first, top last) replaces own and tops if the whole game counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lama_odds.core.errors import ReadError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part, read_names, read_words
from lama_odds.games.pikomino.rules import board
from lama_odds.games.pikomino.rules.ruleset import FACES, NAMES, WORM, PikominoRules
from lama_odds.games.shared.record import Refused

WORDS = {
    "kept": later("dice kept in this turn, for example 444W; - or nothing: none"),
    "rolled": later("the dice as they lie, for example 1245: which face to keep"),
    "centre": later("open tiles in the centre, for example 21-23,25; - means none (default: all)"),
    "own": later("your top tile; - or not given: none"),
    "tops": later(
        "the others' top tiles in turn order, for example 27,-; one without if not given"
    ),
    "stacks": later("all stacks instead, yours first, top last: 24.22/27.30/-"),
}

Faces = tuple[int, ...]
NONE: Faces = (0,) * FACES


@dataclass(frozen=True)
class Position:
    """A turn of seat 0 on a board.

    kept, rolled: dice by face. centre: open tiles, ascending. stacks: by seat, top last. If `whole`
    is False, only the top of each counts, and tiles below are unknown.
    """

    kept: Faces
    rolled: Faces | None
    centre: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    whole: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.stacks)

    @property
    def others_in(self) -> int:
        """The number of other players."""
        return len(self.stacks) - 1

    @property
    def scores(self) -> None:
        """None: worms are on the tiles, and there are no scores."""
        return None

    @property
    def first(self) -> None:
        """None: the starting player does not matter."""
        return None

    @property
    def tops(self) -> tuple[int | None, ...]:
        """The top tile of each seat, yours first."""
        return tuple(stack[-1] if stack else None for stack in self.stacks)

    @property
    def mask(self) -> int:
        """The mask of the faces kept."""
        return sum(1 << face for face in range(FACES) if self.kept[face])

    def format(self) -> str:
        """Return the position as text that reads back as this position."""
        words = []
        if any(self.kept):
            words.append(f"kept={dice_text(self.kept)}")
        if self.rolled is not None:
            words.append(f"rolled={dice_text(self.rolled)}")
        words.append(f"centre={tiles_text(self.centre)}")
        if self.whole:
            words.append("stacks=" + "/".join(".".join(map(str, s)) or "-" for s in self.stacks))
        else:
            tops = ["-" if top is None else str(top) for top in self.tops]
            words += [f"own={tops[0]}", "tops=" + ",".join(tops[1:])]
        return " ".join(words)


def dice_text(counts: Faces) -> str:
    """Return dice sorted, W last; - for none."""
    return "".join(NAMES[face] * counts[face] for face in range(FACES)) or "-"


def wrong_roll(dice: Faces, left: int) -> str:
    """Return that not as many dice were rolled as are left."""
    return say(
        "{rolled} dice rolled ({dice}), but {left} left",
        rolled=sum(dice),
        dice=dice_text(dice),
        left=left,
    )


def tiles_text(tiles: tuple[int, ...]) -> str:
    """Return tiles as ranges, for example 21-23,25; - for none."""
    ranges: list[list[int]] = []
    for tile in sorted(tiles):
        if ranges and tile == ranges[-1][1] + 1:
            ranges[-1][1] = tile
        else:
            ranges.append([tile, tile])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges) or "-"


def read_dice(part: Part, what: str) -> Faces:
    """Return dice written as 444W, or - for none; raise ReadError at the first wrong character."""
    counts = [0] * FACES
    if part.text not in ("-", ""):
        for name, _ in read_names(part, NAMES, say("dice 1-5 or W, or - for none"), what):
            counts[NAMES.index(name)] += 1
    return tuple(counts)


def _read_tiles(part: Part, what: str) -> tuple[int, ...]:
    """Return tiles such as 21-23,25; - for none."""
    if part.text == "-":
        return ()
    tiles: list[int] = []
    for piece in part.listed():
        match = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", piece.text, re.ASCII)
        if not match:
            raise piece.fail(say("tiles such as 21-23,25, or - for none"), what=what)
        low, high = int(match[1]), int(match[2] or match[1])
        if high < low:
            raise piece.fail(say("a range from low to high"), what=what)
        tiles += range(low, high + 1)
    return tuple(sorted(tiles))


def _read_tile(part: Part, what: str) -> tuple[int, ...]:
    """Return a tile as a stack of one; - for none."""
    if part.text == "-":
        return ()
    if not part.text:
        raise part.fail(say("a tile, or - for none"), what=what)
    return (part.integer(what),)


def _read_stack(part: Part) -> tuple[int, ...]:
    if part.text == "-":
        return ()
    return tuple(piece.integer("stacks") for piece in part.split("."))


def read_position(rules: PikominoRules, text: str) -> Position:
    """Return the position as written, whether or not it can occur; defaults as agreed."""
    words = read_words(text, WORDS) if text.strip() else {}
    whole = "stacks" in words
    for name in ("own", "tops"):
        if whole and name in words:
            raise ReadError(
                say("cannot read position: stacks give {name} too, use one of them", name=name),
                text,
                words[name].at - len(name) - 1,
            )
    if whole:
        stacks = tuple(_read_stack(part) for part in words["stacks"].split("/"))
    else:
        own = _read_tile(words["own"], "own") if "own" in words else ()
        others: tuple[tuple[int, ...], ...] = ((),)
        if "tops" in words:
            others = tuple(_read_tile(part, "tops") for part in words["tops"].listed())
        stacks = (own, *others)
    named = {tile for stack in stacks for tile in stack}
    centre = tuple(tile for tile in rules.numbers if tile not in named)
    if "centre" in words:
        centre = _read_tiles(words["centre"], "centre")
    rolled = read_dice(words["rolled"], "rolled") if "rolled" in words else None
    kept = read_dice(words["kept"], "kept") if "kept" in words else NONE
    return Position(kept, rolled, centre, stacks, whole)


# A game of Pikomino step by step, for records and replays.


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

    points = worms

    @property
    def over(self) -> bool:
        """Whether the centre is empty."""
        return not self.centre

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
            raise Refused(say("a face of {dice} must be kept first", dice=dice_text(self.rolled)))
        if not self.left:
            raise Refused(say("all dice are kept"))
        if sum(rolled) != self.left:
            raise Refused(wrong_roll(rolled, self.left))
        self.rolled = rolled

    def keep(self, face: int) -> None:
        """Keep all dice of a face of the roll."""
        if self.rolled is None:
            raise Refused(say("nothing is rolled"))
        if not self._keepable(face):
            if self.kept[face]:
                reason = say("{face} cannot be kept: it was kept before", face=NAMES[face])
            else:
                reason = say("{face} cannot be kept: it was not rolled", face=NAMES[face])
            raise Refused(reason)
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
            raise Refused(say("no tile of the centre can be taken"))
        self._take(tile)
        return tile

    def steal(self) -> int:
        """Take the tile from the other stack; return it."""
        tile = self.steal_tile()
        if tile is None and self.rules.no_steal:
            raise Refused(say("no tile can be stolen by these rules"))
        if tile is None:
            raise Refused(say("no other stack has this total on top"))
        self._take(tile)
        return tile

    def results(self) -> dict[str, int | None]:
        """Return what a turn of unknown dice may come to, such as ``stop 25``.

        A tile that is stolen has the seat of its owner.
        """
        outcomes: dict[str, int | None] = {}
        for total in self.rules.totals:
            tile = max((tile for tile in self.centre if tile <= total), default=None)
            if tile is not None:
                outcomes[f"stop {tile}"] = None
        for seat, stack in enumerate(self.stacks):
            if stack and seat != self.seat and stack[-1] in self.rules.totals:
                outcomes |= {} if self.rules.no_steal else {f"steal {stack[-1]}": seat}
        return dict(sorted(outcomes.items())) | {"bust": None}

    def take(self, verb: str, tile: int) -> None:
        """End a turn of unknown dice with a tile, as `results` allow."""
        if f"{verb} {tile}" not in self.results():
            tiles = [int(name.split()[1]) for name in self.results() if name.startswith(verb)]
            may = say("there is no tile")
            if tiles:
                may = say("only {tiles}", tiles=tiles_text(tuple(tiles)))
            action = f"{verb} {tile}"
            raise Refused(
                say(
                    "no roll makes seat {seat} {action} here: {may}",
                    seat=self.seat,
                    action=action,
                    may=may,
                )
            )
        self._take(tile)

    def bust(self) -> tuple[int | None, int | None]:
        """Go bust; return (tile put back, tile turned over), None for none.

        Before the first roll it is the result of a turn of unknown dice.
        """
        self._check_open()
        if self.open_turn and not self.must_bust:
            raise Refused(say("this turn is not bust: it can continue"))
        stack = self.stacks[self.seat]
        back = stack.pop() if stack else None
        if back is not None:
            self.centre = sorted([*self.centre, back])
        highest = max(self.centre, default=board.NO_TILE)
        known = board.NO_TILE if back is None else back
        flipped = board.turned_over(self.rules.columns, known, highest)
        if flipped != board.NO_TILE:
            self.centre.remove(flipped)
            self.turned.append(flipped)
        self._pass_on()
        return back, None if flipped == board.NO_TILE else flipped

    def _check_open(self) -> None:
        if not self.centre:
            raise Refused(say("the game is over"))

    def _take(self, tile: int) -> None:
        """Move a tile from the centre, or from the stack with it on top."""
        if tile in self.centre:
            self.centre.remove(tile)
        else:
            next(stack for stack in self.stacks if stack and stack[-1] == tile).pop()
        self.stacks[self.seat].append(tile)
        self._pass_on()

    def _pass_on(self) -> None:
        self.seat = (self.seat + 1) % len(self.stacks)
        self.kept = [0] * FACES
        self.rolled = None
