"""Translate what you type in `play`, in short or in full, into the words of a record.

A verb may be its letter, joined to what follows: ``r244 d24`` is ``roll 244 discard 24``. Upper
and lower case are equal, cards may have commas between them, and ``llama`` is ``L``. ``#2`` is
the second player, seat 1 of the record. Subclasses of `Typed` read what only one game has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.notation import FULL_NAMES
from lama_odds.games.interface.capabilities import NOTHING
from lama_odds.games.shared.record import DEAL, HIDDEN

_SEAT = re.compile(r"#([1-9][0-9]?)")


def seat_of(word: str) -> int | None:
    """Return the seat of a player written as ``#2``, counted from 1; None for other words."""
    match = _SEAT.fullmatch(word)
    return None if match is None else int(match[1]) - 1


class Typed:
    """The entries of a game; see `capabilities.Entries`.

    verbs: of a turn, each with what follows it. letters: of the verbs.
    card: a pattern for one card or face.
    several: verbs with several cards or dice.
    follows: other words of a turn.
    one_hand: whether a deal may contain one hand alone.
    """

    verbs: ClassVar[Mapping[str, str]]
    letters: ClassVar[Mapping[str, str]]
    card: ClassVar[re.Pattern[str]]
    several: ClassVar[Sequence[str]] = ()
    follows: ClassVar[Sequence[str]] = ()
    one_hand: ClassVar[bool] = False

    # What a game may read differently.

    def takes_cards(self, word: str) -> bool:
        """Return whether a card follows a word."""
        return self.verbs.get(word, NOTHING) != NOTHING

    def verb_of(self, word: str) -> str | None:
        """Return the verb whose letter a word begins with; raise ReadError if it is ambiguous."""
        return self.letters.get(word[0].lower())

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of a record for an entry of the seat to act.

        state: the round, or the table of a game without rounds. Text that is not an action is
        returned unchanged; reading the record with it then gives the error. Raises ReadError for an
        ambiguous entry.
        """
        return self.in_full(entry)

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return these words in a single form, so that equal actions have equal words."""
        return self.record_words(state, entry)

    def hands_of(self, words: Sequence[str], players: int, dealt: int) -> list[str]:
        """Return the hands of a deal; raise ReadError for a wrong number of hands or cards."""
        hands = [self.cards_of(word) or word for word in words]
        if self.one_hand and HIDDEN not in hands and len(hands) != players:
            hands = ["".join(hands)]  # your cards, with spaces between them
        self._check_deal(players, hands, dealt)
        return hands

    # What all games share.

    def cards_of(self, word: str) -> str | None:
        """Return cards in a record's notation: ``3,3+,l`` is ``33+L``.

        None for text that is not cards.
        """
        text = word.lower()
        for long, name in FULL_NAMES.items():
            if self.card.fullmatch(name):
                text = text.replace(long, name)
        pieces = text.upper().split(",")
        cards = [self.card.findall(piece) for piece in pieces]
        if any(
            "".join(names) != piece or not piece for names, piece in zip(cards, pieces, strict=True)
        ):
            return None
        return "".join("".join(names) for names in cards)

    def in_full(self, words: Sequence[str]) -> list[str]:
        """Return words with verbs written out and separate from what follows them.

        Cards are in a record's notation. Raises ReadError for an ambiguous entry.
        """
        written: list[str] = []
        for word in words:
            before = written[-1] if written else ""
            cards = self.cards_of(word)
            if cards is not None and self.takes_cards(before):
                written.append(cards)
            elif cards is not None and len(written) > 1 and written[-2] in self.several:
                written[-1] += cards  # dice, with spaces between them
            elif word.lower() in (*self.verbs, *self.follows):
                written.append(word.lower())
            else:
                rest = word[1:] and (self.cards_of(word[1:]) or word[1:])
                verb = None if rest.isalpha() and rest.islower() else self.verb_of(word)
                written += [cards or word] if verb is None else [verb, *([rest] if rest else [])]
        return written

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """Return the words of a deal; of hidden hands you type only yours.

        dealt: cards for each player.
        """
        typed = [word for word in words if word.lower() != DEAL]
        hands = self.hands_of(typed, players, dealt)
        if len(hands) == 1:
            hands = [HIDDEN] * me + hands + [HIDDEN] * (players - 1 - me)
        return [DEAL, *hands]

    def _check_deal(self, players: int, hands: Sequence[str], dealt: int) -> None:
        text = " ".join(hands)
        if len(hands) != players and not (self.one_hand and len(hands) == 1):
            raise ReadError(
                say(
                    "you gave {hands} hands, but there are {players} players",
                    hands=len(hands),
                    players=players,
                ),
                text,
                len(text),
            )
        at = 0
        for hand in hands:
            if hand != HIDDEN and self.cards_of(hand) is not None:
                count = len(self.card.findall(hand))
                if count != dealt:
                    short = at + len(hand) if count < dealt else at
                    message = say(
                        "you gave {cards} cards, but {dealt} are dealt", cards=count, dealt=dealt
                    )
                    raise ReadError(message, text, short)
            at += len(hand) + 1
