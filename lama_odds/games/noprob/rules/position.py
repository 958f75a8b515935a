"""Positions of No Prob-Lama: from notation to Position, and back.

Example: ``grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 opp=?,?,?/?,?,9/?,?,?:DK``. Your values
come first, then the others' in turn order. A position is what one player knows. The grid ``?``
stands for nine unknown cards, which is a guess: some may be face up. ``pile=~60`` is roughly known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lama_odds.core.language import later, say
from lama_odds.core.notation import FULL_NAMES, Part, read_integers, read_names, read_words
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, UNKNOWN

WORDS = {
    "grid": later(
        "your cards row by row: ? face down, (7) face down but known to you, else face up"
    ),
    "mine": later("specials beside your grid, for example DK; - or not given: none"),
    "top": later("the top discard, for example 4 or D; - if there is none"),
    "pile": later("cards left in the pile, ~60 if roughly known; the maximum if not given"),
    "seen": later("discards remembered below the top, from the top down, for example 3,J,-1"),
    "opp": later(
        "the others' grids in turn order, ; between them, specials after a colon; ? is a grid "
        "of which you have said nothing"
    ),
    "drawn": later("the card that you have drawn: what to do with it"),
    "taken": later("the card that you have taken from the discards: which of yours it replaces"),
    "last": later("last turns left, yours included, once a player has all cards face up"),
    "llamas": later("llamas won so far, yours first"),
    "target": later("llamas that win, if ties have raised it"),
    "scores": later("sums of the rounds before, yours first (four_rounds)"),
    "round": later("number of this round, from 1 (four_rounds)"),
    "first": later("the player who started this round, counted from you (0)"),
}

LOOKED = "*"  # a card face down that another player has looked at


@dataclass(frozen=True)
class Grid:
    """A player's cards: kind by cell (UNKNOWN if you do not know it), face up or not, specials.

    cards, up: nine each. beside: kinds of the specials, Drama before Karma. guess: whether it was
    not entered, so that it is a guess that all lie face down.
    """

    cards: tuple[int, ...]
    up: tuple[bool, ...]
    beside: tuple[int, ...] = ()
    guess: bool = False

    @property
    def hidden(self) -> int:
        """The number of cards that you do not know."""
        return self.cards.count(UNKNOWN)

    @property
    def down(self) -> int:
        """The number of cards face down."""
        return self.up.count(False)


class Past(NamedTuple):
    """A round so far, as everybody has seen it; seats as in its record.

    seat: the one that has to decide now. top: the opening card.
    looked: by seat, mask of the cells that it has looked at; 0 if a record does not say, or if it
    is the one to decide. turns: see `round_loop.log_turn`.
    closed: cards of each kind that were never open.
    """

    seat: int
    top: int
    looked: tuple[int, ...]
    turns: tuple[int, ...]
    closed: tuple[int, ...]


@dataclass(frozen=True)
class Position:
    """What one player (seat 0, to decide) knows of a round.

    names: of the kinds of cards. grids: yours first.
    top: a kind, None for no discard. pile: None if not known.
    seen: discards below the top, from the top down.
    drawn: the card in your hand; taken: whether it was taken from the discards.
    last: last turns left. totals: sums of the rounds before. rough: whether the pile is only
    roughly known.
    past: how the round came here, if a record shows it.
    """

    names: tuple[str, ...]
    grids: tuple[Grid, ...]
    top: int | None
    pile: int | None = None
    seen: tuple[int, ...] = ()
    drawn: int | None = None
    taken: bool = False
    last: int | None = None
    llamas: tuple[int, ...] | None = None
    target: int | None = None
    totals: tuple[int, ...] | None = None
    round: int | None = None
    first: int | None = None
    past: Past | None = field(default=None, compare=False, repr=False)
    rough: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.grids)

    @property
    def others_in(self) -> int:
        """The number of other players."""
        return len(self.grids) - 1

    @property
    def scores(self) -> None:
        """None: sums may be negative, and are in `totals`."""
        return None

    def known_cards(self) -> list[int]:
        """Return every card that you know."""
        cards = [kind for grid in self.grids for kind in grid.cards if kind != UNKNOWN]
        cards += [kind for grid in self.grids for kind in grid.beside]
        cards += [kind for kind in (self.top, self.drawn) if kind is not None]
        return cards + list(self.seen)

    def pool(self, rules: NoprobRules) -> tuple[int, ...]:
        """Return the cards that you do not know, by kind."""
        known = self.known_cards()
        return tuple(there - known.count(kind) for kind, there in enumerate(rules.deck))

    def unknown_cells(self) -> int:
        """Return the number of cards in grids that you do not know."""
        return sum(grid.hidden for grid in self.grids)

    def pile_left(self, rules: NoprobRules) -> int:
        """Return the cards in the pile; the maximum if it is not known."""
        if self.pile is not None:
            return self.pile
        return sum(self.pool(rules)) - self.unknown_cells()

    def unknown_discards(self, rules: NoprobRules) -> int:
        """Return the number of discards that you do not remember.

        These are all cards that are neither known nor in grids or pile.
        """
        return sum(self.pool(rules)) - self.unknown_cells() - self.pile_left(rules)

    def format(self) -> str:
        """Return the position as text that reads back as this position."""
        names = self.names
        words = [f"grid={grid_text(names, self.grids[0])}"]
        if self.grids[0].beside:
            words.append(f"mine={_specials(names, self.grids[0])}")
        words.append(f"top={'-' if self.top is None else names[self.top]}")
        if self.pile is not None:
            words.append(f"pile={'~' if self.rough else ''}{self.pile}")
        if self.seen:
            words.append(f"seen={','.join(names[kind] for kind in self.seen)}")
        others = [
            grid_text(names, grid) + f":{_specials(names, grid)}" * bool(grid.beside)
            for grid in self.grids[1:]
        ]
        words.append(f"opp={';'.join(others)}")
        if self.drawn is not None:
            words.append(f"{'taken' if self.taken else 'drawn'}={names[self.drawn]}")
        for name, values in (("llamas", self.llamas), ("scores", self.totals)):
            if values is not None:
                words.append(f"{name}={','.join(map(str, values))}")
        for name in ("last", "target", "round", "first"):
            if getattr(self, name) is not None:
                words.append(f"{name}={getattr(self, name)}")
        return " ".join(words)


def _specials(names: tuple[str, ...], grid: Grid) -> str:
    return "".join(names[kind] for kind in grid.beside)


def grid_text(names: tuple[str, ...], grid: Grid) -> str:
    """Return a grid, with slashes between rows."""
    if grid.guess:
        return "?"
    cells = []
    for kind, up in zip(grid.cards, grid.up, strict=True):
        if kind == UNKNOWN:
            cells.append("?")
        else:
            cells.append(names[kind] if up else f"({names[kind]})")
    return "/".join(",".join(cells[at : at + 3]) for at in range(0, CELLS, 3))


def read_card(rules: NoprobRules, part: Part, what: str) -> int:
    """Return a card; ReadError names the possible cards."""
    expected = say("a card: {cards}", cards=", ".join(rules.names))
    (name, _), *more = read_names(part, rules.names, expected, what)
    if more:
        raise part.fail(expected, what=what)
    return rules.names.index(name)


def read_grid(rules: NoprobRules, part: Part, what: str, bracketed: bool = True) -> Grid:
    """Return a grid of three rows of three; bracketed: whether (7) may be written.

    Commas between cards may be left out, and slashes between rows if all are.
    """
    rows = part.split("/")
    if len(rows) == 1:
        return _grid_of(rules, _cells(rules, rows[0], what, 9), what, bracketed)
    if len(rows) != 3:
        expected = say("three rows between slashes (here {rows})", rows=len(rows))
        raise part.fail(expected, what=what)
    cells = [cell for row in rows for cell in _cells(rules, row, what, 3)]
    return _grid_of(rules, cells, what, bracketed)


def _cells(rules: NoprobRules, row: Part, what: str, expected: int) -> list[Part]:
    """Return the cells of a row, with commas, spaces or nothing between them."""
    apart = row.listed()
    cells = [cell for piece in apart for cell in _together(rules, piece)]
    if len(cells) != expected or len(apart) not in (1, expected):
        if expected == 3:
            wanted = say("three cards in a row (here {cards})", cards=len(cells))
        else:
            wanted = say("three rows between slashes, or 9 cards (here {cards})", cards=len(cells))
        raise row.fail(wanted, what=what)
    return cells


def _together(rules: NoprobRules, piece: Part) -> list[Part]:
    """Return the cells of a piece without separators; a wrong one is left whole, to be refused."""
    cells: list[Part] = []
    at = 0
    names = "|".join(map(re.escape, sorted((*rules.names, *FULL_NAMES), key=len, reverse=True)))
    card = re.compile(rf"\?|\((?:{names})\)|(?:{names})", re.IGNORECASE)
    while at < len(piece.text):
        match = card.match(piece.text, at)
        if match is None:
            return [*cells, Part(piece.whole, piece.text[at:], piece.at + at)]
        cells.append(Part(piece.whole, match.group(), piece.at + at))
        at = match.end()
    return cells or [piece]


def _grid_of(rules: NoprobRules, cells: list[Part], what: str, bracketed: bool) -> Grid:
    cards, up = [], []
    for cell in cells:
        if cell.text == "?":
            cards.append(UNKNOWN)
            up.append(False)
        elif bracketed and cell.text.startswith("(") and cell.text.endswith(")"):
            cards.append(read_card(rules, Part(cell.whole, cell.text[1:-1], cell.at + 1), what))
            up.append(False)
        else:
            cards.append(read_card(rules, cell, what))
            up.append(True)
    return Grid(tuple(cards), tuple(up))


def read_specials(rules: NoprobRules, part: Part, what: str) -> tuple[int, ...]:
    """Return specials such as DK; - or nothing for none."""
    if part.text in ("", "-"):
        return ()
    read = read_names(part, ("D", "K"), say("D or K, or - for none"), what)
    return tuple(sorted(rules.names.index(name) for name, _ in read))


def _read_opponent(rules: NoprobRules, part: Part) -> Grid:
    cells, *rest = part.split(":")
    if len(rest) > 1:
        raise rest[1].fail(say("one colon, then the specials"), what="opp")
    specials = read_specials(rules, rest[0], "opp") if rest else ()
    if cells.text == "?":
        return Grid((UNKNOWN,) * CELLS, (False,) * CELLS, specials, guess=True)
    grid = read_grid(rules, cells, "opp", bracketed=False)
    return Grid(grid.cards, grid.up, specials)


def _seen(rules: NoprobRules, part: Part) -> list[Part]:
    """Return cards with commas, spaces or nothing between them."""
    return [card for piece in part.listed() for card in _together(rules, piece)]


def read_position(rules: NoprobRules, text: str) -> Position:
    """Return the position as written, whether or not it can occur."""
    words = read_words(text, WORDS)
    for name in ("grid", "top", "opp"):
        if name not in words:
            missing = Part(text, "", len(text))
            raise missing.fail(f"{name}=…: {say(WORDS[name])}", what=say("position"))
    mine = read_grid(rules, words["grid"], "grid")
    specials = read_specials(rules, words["mine"], "mine") if "mine" in words else ()
    others = [_read_opponent(rules, part) for part in words["opp"].split(";")]
    top = None if words["top"].text == "-" else read_card(rules, words["top"], "top")
    seen: tuple[int, ...] = ()
    if "seen" in words and words["seen"].text != "-":
        seen = tuple(read_card(rules, part, "seen") for part in _seen(rules, words["seen"]))
    numbers: dict[str, Any] = {
        name: words[name].integer(name)
        for name in ("last", "target", "round", "first")
        if name in words
    }
    if "pile" in words:
        numbers["pile"], numbers["rough"] = words["pile"].roughly("pile")
    lists = {
        name: read_integers(words[name], name) for name in ("llamas", "scores") if name in words
    }
    held = [name for name in ("drawn", "taken") if name in words]
    if len(held) > 1:
        raise words["taken"].fail(say("drawn=… or taken=…, not both: one card is in hand"))
    return Position(
        names=rules.names,
        grids=(Grid(mine.cards, mine.up, specials), *others),
        top=top,
        seen=seen,
        drawn=read_card(rules, words[held[0]], held[0]) if held else None,
        taken=held == ["taken"],
        llamas=lists.get("llamas"),
        totals=lists.get("scores"),
        **numbers,
    )


def is_special(kind: int) -> bool:
    """Return whether a card is given away."""
    return kind >= DRAMA


def read_cell(part: Part) -> int:
    """Return a cell written as ROW,COLUMN."""
    pieces = [piece.text for piece in part.split(",")]
    if len(pieces) != 2 or not all(piece in ("1", "2", "3") for piece in pieces):
        raise part.fail(say("ROW,COLUMN, each 1 to 3"), what=say("cell"))
    return (int(pieces[0]) - 1) * 3 + int(pieces[1]) - 1


def read_looked(rules: NoprobRules, part: Part) -> int:
    """Return the mask of the cells that another player has looked at; 0 if it is not shown."""
    if LOOKED not in part.text:
        return 0
    cells = [cell.text for row in part.split("/") for cell in row.split(",")]
    if len(cells) != CELLS or not {*cells} <= {LOOKED, "?"}:
        expected = say("nine cells, {mark} if the player has looked at it, else ?", mark=LOOKED)
        raise part.fail(expected, what="deal")
    if cells.count(LOOKED) > rules.peeks:
        expected = say("at most {cards} cards looked at: {mark}", cards=rules.peeks, mark=LOOKED)
        raise part.fail(expected, what="deal")
    return sum(1 << at for at, cell in enumerate(cells) if cell == LOOKED)
