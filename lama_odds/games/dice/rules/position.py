"""Positions of Lama Dice: from notation to Position, and back.

Example: ``hand=25L row=1346L opp=13,q6LL rolled=13L scores=12,3,20``. Your values come first, then
the others' in turn order. ``q`` marks players who have quit, known by cards (``q6LL``) or by
penalty (``q=16``). ``-`` means no card. Without a row it is full. A hand, a penalty or a row that
is a guess ends in ``?``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part, missing_word, read_integers, read_names, read_words
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.dice.rules.transition import KINDS

WORDS = {
    "hand": later("your cards, for example 25L"),
    "opp": later("the others' cards in turn order, for example 13,q6LL,q=16; 13? is a guess"),
    "row": later(
        "the llama row, for example 1346L, or 1346L? for a guess; - is empty, full if not given"
    ),
    "rolled": later("the dice you rolled, for example 13L: what to discard or take"),
    "scores": later("points in tokens before this round's penalties, yours first"),
    "first": later("the player who started this round, counted from you (0)"),
}

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Opponent:
    """Another player: cards by kind, or only a penalty for a player who has quit.

    guess: whether these are a guess.
    """

    cards: Counts | None
    quit: bool = False
    penalty: int | None = None
    guess: bool = False


@dataclass(frozen=True)
class Position:
    """What is on the table, as the player to decide (seat 0) sees it.

    row_guess: whether the row is a guess.
    """

    hand: Counts
    row: int
    opponents: tuple[Opponent, ...]
    rolled: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    first: int | None = None
    row_guess: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.opponents) + 1

    @property
    def others_in(self) -> int:
        """The number of other players who have not quit."""
        return sum(not opponent.quit for opponent in self.opponents)

    def format(self) -> str:
        """Return the position as text that reads back as this position."""
        row = card_text(mask_counts(self.row)) + "?" * self.row_guess
        words = [f"hand={card_text(self.hand)}", f"row={row}"]
        words.append("opp=" + ",".join(_opponent_text(o) for o in self.opponents))
        if self.rolled is not None:
            words.append("rolled=" + "".join(NAMES[k] for k in self.rolled))
        if self.scores is not None:
            words.append("scores=" + ",".join(map(str, self.scores)))
        if self.first is not None:
            words.append(f"first={self.first}")
        return " ".join(words)


@lru_cache(maxsize=4_096)
def card_text(counts: Counts) -> str:
    """Return cards sorted, L last; - for none."""
    return "".join(NAMES[k] * counts[k] for k in range(KINDS)) or "-"


@lru_cache(maxsize=4_096)
def mask_counts(mask: int) -> Counts:
    """Return one card of each kind in a mask."""
    return tuple(mask >> k & 1 for k in range(KINDS))


@lru_cache(maxsize=4_096)
def counts_mask(counts: Counts) -> int:
    """Return the mask of the kinds held."""
    return sum(1 << k for k in range(KINDS) if counts[k])


@lru_cache(maxsize=4_096)
def pack_hand(counts: Counts) -> int:
    """Return cards as the compiled functions use them: four bits for each kind."""
    return sum(count << 4 * kind for kind, count in enumerate(counts))


def unpack_hand(packed: int) -> Counts:
    """Return the inverse of `pack_hand`."""
    return tuple(packed >> 4 * kind & 15 for kind in range(KINDS))


def _opponent_text(opponent: Opponent) -> str:
    mark, end = "q" if opponent.quit else "", "?" if opponent.guess else ""
    if opponent.cards is None:
        return f"{mark}={opponent.penalty}{end}"
    return mark + card_text(opponent.cards) + end


def read_cards(part: Part, what: str) -> Counts:
    """Return cards written as 25L, or - for none; raise ReadError at the first wrong character."""
    counts = [0] * KINDS
    if part.text != "-":
        for name, _ in read_names(part, NAMES, say("cards 1-6 or L, or - for none"), what):
            counts[NAMES.index(name)] += 1
    return tuple(counts)


def _read_opponent(part: Part) -> Opponent:
    apart = re.search(r"\s", part.text.rstrip())
    if apart:  # ambiguous: cards of one player, or the next one's
        expected = say("a comma between players, and nothing between cards")
        raise part.fail(expected, apart.end(), what="opp")
    part, guess = part.guessed()
    rest, has_quit = part.without("q")
    if not has_quit:
        return Opponent(read_cards(part, "opp"), guess=guess)
    if rest.text.startswith("="):
        penalty = Part(part.whole, rest.text[1:], rest.at + 1).integer("opp")
        return Opponent(None, True, penalty, guess)
    if not rest.text:
        raise rest.fail(say("a quitter's cards or penalty: q6LL or q=16"), what="opp")
    return Opponent(read_cards(rest, "opp"), True, guess=guess)


def read_position(text: str) -> Position:
    """Return the position as written, whether or not it can occur."""
    words = read_words(text, WORDS)
    for needed in ("hand", "opp"):
        if needed not in words:
            raise missing_word(needed, WORDS[needed], text)
    row, row_guess = _read_row(words["row"]) if "row" in words else ((1,) * KINDS, False)
    rolled = None
    if "rolled" in words:
        counts = read_cards(words["rolled"], "rolled")
        rolled = tuple(k for k in range(KINDS) for _ in range(counts[k]))
    first = words["first"].integer("first") if "first" in words else None
    return Position(
        hand=read_cards(words["hand"], "hand"),
        row=counts_mask(row),
        opponents=tuple(_read_opponent(part) for part in words["opp"].split(",")),
        rolled=rolled,
        scores=read_integers(words["scores"], "scores") if "scores" in words else None,
        first=first,
        row_guess=row_guess,
    )


def _read_row(part: Part) -> tuple[Counts, bool]:
    """Return the cards of the row, and whether they are a guess."""
    part, guess = part.guessed()
    row = read_cards(part, "row")
    if any(count > 1 for count in row):
        read = read_names(part, NAMES, "", "row")
        kinds = [name for name, _ in read]
        again = next(at for i, (name, at) in enumerate(read) if name in kinds[:i])
        raise part.fail(say("each kind at most once"), offset=again, what="row")
    return row, guess


def roll_case(rules: DiceRules, position: Position, rolled: tuple[int, ...]) -> int:
    """Return `transition.LLAMAS`, MATCH, MISS or BLOWN for your roll (kinds in any order)."""
    return int(
        transition.roll_case(
            rules.columns,
            counts_mask(position.hand),
            position.row,
            transition.pack_roll(rolled),
            position.others_in == 0,
        )
    )
