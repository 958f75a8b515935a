"""What is typed in play, in a few keystrokes or in full, as the words that a record writes.

A verb may be its letter, joined to what follows: ``r244 d24`` is ``roll 244 discard 24``. Case does
not matter, cards may have commas between them, and ``llama`` is ``L``. ``#2`` is the second player,
seat 1 of the record. What is typed in one game only is read by its subclass of `Typed`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.core.notation import FULL_NAMES
from lama_odds.games.interface.records import NOTHING
from lama_odds.games.shared.record import FOLLOWS, HIDDEN

_SEAT = re.compile(r"#([1-9][0-9]?)")


def seat_of(word: str) -> int | None:
    """The seat of a player written as ``#2``, counted from 1; None for anything else."""
    found = _SEAT.fullmatch(word)
    return None if found is None else int(found[1]) - 1


class Typed:
    """The entries of a game; see `capabilities.Entries`.

    verbs: of a turn, each with what follows it. letters: of the verbs. card: one card or face.
    several: verbs of several cards or dice. one_hand: whether a deal may tell one hand alone.
    """

    verbs: ClassVar[Mapping[str, str]]
    letters: ClassVar[Mapping[str, str]]
    card: ClassVar[re.Pattern[str]]
    several: ClassVar[Sequence[str]] = ()
    one_hand: ClassVar[bool] = False

    # What a game may read otherwise.

    def takes_cards(self, word: str) -> bool:
        """Whether a card follows a word."""
        return self.verbs.get(word, NOTHING) != NOTHING

    def verb_of(self, word: str) -> str | None:
        """The verb whose letter a word begins with; ReadError for what could be two things."""
        return self.letters.get(word[0].lower())

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """The words that a record would write for an entry of the seat to act.

        state: the round, or the table of a game without rounds. What is no action comes out as it
        is: reading the record with it tells what is wrong. ReadError for what could be two things.
        """
        return self.in_full(entry)

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """The same, written in one way only, so that actions can be told by their words."""
        return self.record_words(state, entry)

    def hands_of(self, words: Sequence[str], players: int, dealt: int) -> list[str]:
        """The hands of a deal; ReadError for another number of hands or of cards."""
        found = [self.cards_of(word) or word for word in words]
        if self.one_hand and HIDDEN not in found and len(found) != players:
            found = ["".join(found)]  # cards of mine with spaces between them
        self._check_deal(players, found, dealt)
        return found

    # What all games share.

    def cards_of(self, word: str) -> str | None:
        """Cards as a record writes them; None for what are none: ``3,3+,l`` is ``33+L``."""
        text = word.lower()
        for long, name in FULL_NAMES.items():
            if self.card.fullmatch(name):
                text = text.replace(long, name)
        pieces = text.upper().split(",")
        found = [self.card.findall(piece) for piece in pieces]
        if any(
            "".join(names) != piece or not piece for names, piece in zip(found, pieces, strict=True)
        ):
            return None
        return "".join("".join(names) for names in found)

    def in_full(self, words: Sequence[str]) -> list[str]:
        """Words with every letter of a verb written out, and what follows it apart; cards as
        records write them. ReadError for what could be two things.
        """
        found: list[str] = []
        for word in words:
            before = found[-1] if found else ""
            cards = self.cards_of(word)
            if cards is not None and self.takes_cards(before):
                found.append(cards)
            elif cards is not None and len(found) > 1 and found[-2] in self.several:
                found[-1] += cards  # dice with spaces between them
            elif word.lower() in self.verbs or word.lower() in FOLLOWS:
                found.append(word.lower())
            else:
                verb = self.verb_of(word)
                rest = [self.cards_of(word[1:]) or word[1:]] if word[1:] else []
                found += [cards or word] if verb is None else [verb, *rest]
        return found

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """The words of a deal: of hidden hands only mine is typed. dealt: cards a player."""
        told = [word for word in words if word.lower() != "deal"]
        found = self.hands_of(told, players, dealt)
        if len(found) == 1:
            found = [HIDDEN] * me + found + [HIDDEN] * (players - 1 - me)
        return ["deal", *found]

    def _check_deal(self, players: int, hands: Sequence[str], dealt: int) -> None:
        text = " ".join(hands)
        if len(hands) != players and not (self.one_hand and len(hands) == 1):
            raise ReadError(
                f"you gave {len(hands)} hands, there are {players} players", text, len(text)
            )
        at = 0
        for hand in hands:
            if hand != HIDDEN and self.cards_of(hand) is not None:
                count = len(self.card.findall(hand))
                if count != dealt:
                    short = at + len(hand) if count < dealt else at
                    raise ReadError(f"you gave {count} cards, {dealt} are dealt", text, short)
            at += len(hand) + 1
