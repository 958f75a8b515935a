"""Positions of the card games: from notation to Position, and back.

Example: ``hand=33+5LP top=4 opp=4,q2,6 pile=20 seen=1123 scores=12,3,20,0``. Your values come
first, then the others' in turn order. A position is what one player knows: of the others only the
number of their cards; ``q`` marks players who have quit. A number of cards that is a guess ends in
``?``, a lone ``?`` stands for as many as you hold, and ``pile=~10`` is roughly known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lama_odds.core.errors import ReadError
from lama_odds.core.notation import Part, read_integers, read_names, read_words
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, PINK_KIND, VALUES, Counts, LamaRules

WORDS = {
    "hand": "your cards, for example 33+5LP",
    "top": "the card on top of the discard pile, for example 4",
    "opp": "how many cards the others hold, in turn order, for example 4,q2,6; "
    "4? is a guess, ? alone as many as you hold",
    "pile": "cards left in the draw pile, ~10 if roughly known; the maximum if not given",
    "seen": "discards remembered below the top card, for example 1123",
    "pot": "tokens on the drama pot, for example 1,1,10; ! at the end while the drama runs",
    "scores": "points in tokens before this round's penalties, yours first",
    "first": "the player who started this round, counted from you (0)",
}
NO_CARDS: Counts = (0,) * KINDS
CARDS = "cards 1-6, 1+-6+, L or P"


@dataclass(frozen=True)
class Opponent:
    """Another player: the number of cards, whether the player has quit, and if it is a guess."""

    cards: int
    quit: bool = False
    guess: bool = False

    def format(self) -> str:
        """Return the player as text, such as ``q4?``."""
        return f"{'q' if self.quit else ''}{self.cards}{'?' if self.guess else ''}"


class Turn(NamedTuple):
    """An action of a round, and what everybody saw before it.

    move: the kind played, DRAW or QUIT (see `transition`); nobody else sees the card drawn. cards,
    scores: by seat. quitters: seats that had quit. The rest is as in `Position`.
    """

    seat: int
    move: int
    top: int
    seen: Counts
    cards: tuple[int, ...]
    quitters: tuple[int, ...]
    pile: int
    pot: tuple[int, ...]
    running: bool
    scores: tuple[int, ...]


class Past(NamedTuple):
    """A round so far, as everybody has seen it. seat: the one that has to decide now."""

    seat: int
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Position:
    """What one player (seat 0, to decide) knows of a round.

    hand, seen: cards by kind in the order of NAMES. top: a kind. pot: its tokens. pile: None if not
    known. rough: whether it is only roughly known. running: whether the drama runs. past: how the
    round came here, if a record shows it.
    """

    hand: Counts
    top: int
    opponents: tuple[Opponent, ...]
    pile: int | None = None
    seen: Counts = NO_CARDS
    pot: tuple[int, ...] | None = None
    running: bool = False
    scores: tuple[int, ...] | None = None
    first: int | None = None
    past: Past | None = field(default=None, compare=False, repr=False)
    rough: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.opponents) + 1

    @property
    def others_in(self) -> int:
        """The number of other players who have not quit."""
        return sum(not opponent.quit for opponent in self.opponents)

    @property
    def held(self) -> int:
        """The number of cards in all hands, including those of quitters."""
        return sum(self.hand) + sum(opponent.cards for opponent in self.opponents)

    def format(self) -> str:
        """Return the position as text that reads back as this position."""
        words = [f"hand={card_text(self.hand)}", f"top={NAMES[self.top]}"]
        words.append("opp=" + ",".join(opponent.format() for opponent in self.opponents))
        if self.pile is not None:
            words.append(f"pile={'~' if self.rough else ''}{self.pile}")
        if any(self.seen):
            words.append(f"seen={card_text(self.seen)}")
        if self.pot is not None:
            tokens = ",".join(map(str, self.pot)) or "-"
            words.append(f"pot={tokens}{'!' if self.running else ''}")
        if self.scores is not None:
            words.append("scores=" + ",".join(map(str, self.scores)))
        if self.first is not None:
            words.append(f"first={self.first}")
        return " ".join(words)

    def most_in_pile(self, rules: LamaRules) -> int:
        """Return the most cards that the draw pile can have, by the hand sizes.

        As few cards as possible have been drawn: hands that have grown must have drawn, and every
        remembered discard has left a hand or was the opening card. Turns are not counted: see
        `draw_bounds`.
        """
        dealt = self.players * rules.dealt
        grown = max(0, sum(self.hand) - rules.dealt)
        grown += sum(max(0, opponent.cards - rules.dealt) for opponent in self.opponents)
        drawn = max(grown, self.held - dealt + sum(self.seen))
        return sum(rules.deck) - dealt - 1 - drawn

    def unseen(self, rules: LamaRules) -> Counts:
        """Return the unseen cards of each kind: in other hands, in the pile, or forgotten."""
        counts = [
            deck - mine - seen
            for deck, mine, seen in zip(rules.deck, self.hand, self.seen, strict=True)
        ]
        counts[self.top] -= 1
        return tuple(counts)


def card_text(counts: Counts) -> str:
    """Return cards sorted, L and P last; - for none."""
    return "".join(name * count for name, count in zip(NAMES, counts, strict=True)) or "-"


def read_cards(part: Part, what: str) -> Counts:
    """Return cards written as 33+5LP, or - for none; raise ReadError at the first wrong place."""
    counts = [0] * KINDS
    if part.text != "-":
        for name, _ in read_names(part, NAMES, f"{CARDS}, or - for none", what):
            counts[NAMES.index(name)] += 1
    return tuple(counts)


def read_card(part: Part, what: str) -> int:
    """Return one card."""
    expected = "one card: 1-6, 1+-6+, L or P"
    (name, _), *more = read_names(part, NAMES, expected, what)
    if more:
        raise part.fail(expected, what=what)
    return NAMES.index(name)


def _read_opponent(part: Part, unknown: int) -> Opponent:
    """Return another player; unknown: the number of cards that a lone ? stands for."""
    sure, guess = part.guessed()
    count, has_quit = sure.without("q")
    count, again = count.guessed()
    if count.text == "?" or (guess and not count.text):
        return Opponent(unknown, has_quit, True)
    if not count.text:
        raise count.fail("the number of cards: 4, or q4 for a player who has quit", what="opp")
    return Opponent(count.integer("opp"), has_quit, guess or again)


def _read_pot(part: Part) -> tuple[tuple[int, ...], bool]:
    running = part.text.endswith("!")
    tokens = Part(part.whole, part.text.removesuffix("!").rstrip(), part.at)
    if tokens.text == "-":
        return (), running
    if not tokens.text:
        raise part.fail("tokens such as 1,1,10, or - for none", what="pot")
    return tuple(sorted(read_integers(tokens, "pot"))), running


def read_position(text: str) -> Position:
    """Return the position as written, whether or not it can occur."""
    words = read_words(text, WORDS)
    for needed in ("hand", "top", "opp"):
        if needed not in words:
            raise ReadError(
                f"cannot read position: {needed} is missing ({WORDS[needed]})", text, len(text)
            )
    pot, running = _read_pot(words["pot"]) if "pot" in words else (None, False)
    pile, rough = words["pile"].roughly("pile") if "pile" in words else (None, False)
    hand = read_cards(words["hand"], "hand")
    as_many = max(1, sum(hand))
    return Position(
        hand=hand,
        top=read_card(words["top"], "top"),
        opponents=tuple(_read_opponent(part, as_many) for part in words["opp"].listed()),
        pile=pile,
        rough=rough,
        seen=read_cards(words["seen"], "seen") if "seen" in words else NO_CARDS,
        pot=pot,
        running=running,
        scores=read_integers(words["scores"], "scores") if "scores" in words else None,
        first=words["first"].integer("first") if "first" in words else None,
    )


def can_play(kind: int, top: int) -> bool:
    """Return whether a card can be played on another: same value, next value, always the pink
    llama.
    """
    steps = (kind // 2 - top // 2) % VALUES
    return steps in (0, 1) or kind == PINK_KIND
