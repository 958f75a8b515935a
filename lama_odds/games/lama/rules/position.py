"""Positions of the card games: from notation and back; what can still be drawn.

Example: ``hand=33+5LP top=4 opp=4,q2,6 pile=20 seen=1123 scores=12,3,20,0``. Your values come
first, then the others' in turn order. A position is what one player knows: of the others only the
number of their cards; ``q`` marks players who have quit. A number of cards that is a guess ends in
``?``, a lone ``?`` stands for as many as you hold, and ``pile=~10`` is roughly known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part, missing_word, read_integers, read_names, read_words
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, PINK_KIND, VALUES, Counts, LamaRules

WORDS = {
    "hand": later("your cards, for example 33+5LP"),
    "top": later("the card on top of the discard pile, for example 4"),
    "opp": later(
        "how many cards the others hold, in turn order, for example 4,q2,6; 4? is a guess, ? "
        "alone as many as you hold"
    ),
    "pile": later("cards left in the draw pile, ~10 if roughly known; the maximum if not given"),
    "seen": later("discards remembered below the top card, for example 1123"),
    "pot": later("tokens on the drama pot, for example 1,1,10; ! at the end while the drama runs"),
    "scores": later("points in tokens before this round's penalties, yours first"),
    "first": later("the player who started this round, counted from you (0)"),
}
NO_CARDS: Counts = (0,) * KINDS


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
        the end of this module.
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
        for name, _ in read_names(
            part, NAMES, say("cards 1-6, 1+-6+, L or P, or - for none"), what
        ):
            counts[NAMES.index(name)] += 1
    return tuple(counts)


def read_card(part: Part, what: str) -> int:
    """Return one card."""
    expected = say("one card: 1-6, 1+-6+, L or P")
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
        raise count.fail(say("the number of cards: 4, or q4 for a player who has quit"), what="opp")
    return Opponent(count.integer("opp"), has_quit, guess or again)


def _read_pot(part: Part) -> tuple[tuple[int, ...], bool]:
    running = part.text.endswith("!")
    tokens = Part(part.whole, part.text.removesuffix("!").rstrip(), part.at)
    if tokens.text == "-":
        return (), running
    if not tokens.text:
        raise part.fail(say("tokens such as 1,1,10, or - for none"), what="pot")
    return tuple(sorted(read_integers(tokens, "pot"))), running


def read_position(text: str) -> Position:
    """Return the position as written, whether or not it can occur."""
    words = read_words(text, WORDS)
    for needed in ("hand", "top", "opp"):
        if needed not in words:
            raise missing_word(needed, WORDS[needed], text)
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


# How many turns each player can have had, and so how many cards can have been drawn.
#
# A player still in has acted once in each lap: as often as you, or one turn more if the seat comes
# before yours in this lap. Each turn played or drew a card, except a quitter's last one. That
# limits how many cards each player has drawn. A plus card is played without using up the turn. Once
# all others have quit, you can have played further cards, but not drawn any.


class Shape(NamedTuple):
    """What the orders of turns depend on.

    deck, dealt: cards in the game, and of each hand at first. sizes, quits: of every seat, yours
    first.
    """

    deck: int
    dealt: int
    sizes: tuple[int, ...]
    quits: tuple[bool, ...]
    first: int | None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.sizes)

    @property
    def there(self) -> int:
        """The number of cards that can be drawn."""
        return self.deck - self.players * self.dealt - 1

    @property
    def grown(self) -> list[int]:
        """How many cards each hand has more than were dealt."""
        return [size - self.dealt for size in self.sizes]


def possible_draws(rules: LamaRules, position: Position) -> list[tuple[int, int]]:
    """Return the fewest and most cards drawn by all together, for each possible starter and lap.

    The bounds come from the hand sizes, quitters, remembered discards and the starter, not from the
    pile. There are none if no order of turns leads to the position. Plus cards, which are played
    without a turn, are bounded by their number. So not every number of draws in between is
    possible.
    """
    fewest, most = _bounds(rules, position)
    return list(zip(fewest.tolist(), most.tolist(), strict=True))


def _bounds(rules: LamaRules, position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of `possible_draws`."""
    pluses = sum(
        count - held
        for name, count, held in zip(NAMES, rules.deck, position.hand, strict=True)
        if name.endswith("+")
    )
    sizes = (sum(position.hand), *(opponent.cards for opponent in position.opponents))
    quits = (False, *(opponent.quit for opponent in position.opponents))
    shape = Shape(sum(rules.deck), rules.dealt, sizes, quits, position.first)
    # Every remembered discard has left a hand, or was the opening card.
    needed = sum(shape.grown) + sum(position.seen)
    low, high, extra = _orders(shape)
    fewest = np.maximum(low, needed)
    most = np.minimum(high + (pluses - extra), shape.there)
    # Each plus card is a play without a turn.
    fits = (extra <= pluses) & (fewest <= most)
    return fewest[fits], most[fits]


@lru_cache(maxsize=4_096)
def _orders(shape: Shape) -> np.ndarray:
    """Return int64[3, n]: what `_draws` returns for all starters and laps, each once."""
    grown = shape.grown
    starters = range(shape.players) if shape.first is None else [shape.first]
    # You have drawn at least half of what your turns and your hand add up to.
    laps = range(min(2 * shape.deck, 2 * shape.there - grown[0] + 2))
    draws = (
        _draws(shape, grown, turns, closed)
        for first in starters
        for lap in laps
        for turns, closed in _turns(shape, first, lap)
    )
    distinct = dict.fromkeys(bounds for bounds in draws if bounds is not None)
    return np.array(list(distinct), dtype=np.int64).reshape(-1, 3).T


def _grown(rules: LamaRules, position: Position) -> list[int]:
    """Return how many cards each hand has more than were dealt."""
    sizes = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    return [size - rules.dealt for size in sizes]


def is_ordered(rules: LamaRules, position: Position) -> bool:
    """Return whether an order of turns leads to the position, with its pile if one is given."""
    fewest, most = _bounds(rules, position)
    if position.pile is None:
        return bool(fewest.size)
    drawn = sum(rules.deck) - position.players * rules.dealt - 1 - position.pile
    return bool(((fewest <= drawn) & (drawn <= most)).any())


def _before_me(seat: int, first: int, seats: int) -> bool:
    """Return whether a seat comes before seat 0 in a lap that seat `first` begins."""
    return (seat - first) % seats < -first % seats


def _draws(
    shape: Shape, grown: list[int], turns: list[int], closed: int | None
) -> tuple[int, int, int] | None:
    """Return the fewest and most cards drawn with these turns, and the plays without a turn needed.

    It is None if they are impossible. Each further play without a turn can add a card to the most.

    turns: of each seat, in which it played or drew; of a quitter the most of them.
    closed: the last seat to quit, if all others have quit; it has used all of its turns.
    """
    fewest = most = extra = 0
    for seat, (more, used) in enumerate(zip(grown, turns, strict=True)):
        if used < 0 or more > used:
            return None
        if not seat and closed is not None:  # these turns, and then any number of plays
            low, high, missing = max(0, -(-(used + more) // 2)), used, 0
        elif shape.quits[seat] and seat != closed:
            low, high = max(0, more), max(0, more, (used + more) // 2)
            missing = max(0, abs(more) - used)
        else:
            missing = max((used + more) % 2, -more - used)
            low = high = (used + missing + more) // 2
        fewest, most, extra = fewest + low, most + high, extra + missing
    return fewest, most, extra


def _turns(shape: Shape, first: int, laps: int) -> Iterator[tuple[list[int], int | None]]:
    """Yield the turns in which each seat played or drew, after `laps` turns of seat 0 with others
    in.

    They come with the last seat to quit, if all have. Every seat after that one in a lap has quit
    at least a lap earlier.
    """
    seats = shape.players
    acted = [laps + _before_me(seat, first, seats) for seat in range(seats)]
    if not all(shape.quits[1:]):
        yield [n - gone for n, gone in zip(acted, shape.quits, strict=True)], None
        return
    for closed in range(1, seats):
        after = [(seat - first) % seats > (closed - first) % seats for seat in range(seats)]
        turns = [acted[closed] - 1 - later for later in after]
        yield [laps, *turns[1:]], closed


def pile_left(rules: LamaRules, position: Position) -> int:
    """Return the cards in the draw pile: as given, otherwise the maximum.

    If no order of turns leads to the position, the bound comes from the hand sizes alone.
    """
    if position.pile is not None:
        return position.pile
    there = sum(rules.deck) - position.players * rules.dealt - 1
    grown = _grown(rules, position)
    by_size = max(sum(grown) + sum(position.seen), sum(max(0, more) for more in grown))
    fewest = min((low for low, _ in possible_draws(rules, position)), default=by_size)
    return max(0, there - fewest)
