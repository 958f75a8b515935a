"""What is typed in play, in a few keystrokes or in full, as the words that a record writes.

A verb may be its letter, joined to what follows: ``r244 d24`` is ``roll 244 discard 24``. Of cards
``5`` is ``play 5``; of No Prob-Lama ``d5 12 7`` is ``draw 5 replace 1,2 turns 7`` and ``t 12 7``
takes the top discard, whose name goes without saying. Case does not matter, cards may have commas
between them, and ``llama`` is ``L``. ``#2`` is the second player, seat 1 of the record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lama_odds.core.errors import ReadError
from lama_odds.core.notation import FULL_NAMES
from lama_odds.games.shared.record import HIDDEN
from lama_odds.games.shared.verbs import NOTHING, VERBS

LETTERS: dict[str, dict[str, str]] = {
    "dice": {"r": "roll", "d": "discard", "t": "take", "q": "quit"},
    "lama": {"p": "play", "d": "draw", "q": "quit"},
    "pikomino": {"r": "roll", "k": "keep", "s": "stop", "t": "steal"},
    "noprob": {
        **{"d": "draw", "t": "take", "p": "pass"},
        **{"r": "replace", "x": "discard", "g": "give"},
    },
}
# One card or face of each game, and words of a record that follow from what is done.
CARDS = {
    "dice": re.compile(r"[1-6L]"),
    "lama": re.compile(r"[1-6]\+?|[LP]"),
    "pikomino": re.compile(r"[1-5W]"),
    "noprob": re.compile(r"10|-[125]|[3-9JDK]"),
}
FOLLOWS = ("blown", "bust", "returns", "flips", "turns", "pays", "takes", "from", "to")
SEVERAL = {"dice": ("roll", "discard"), "pikomino": ("roll",)}  # verbs of several cards or dice
_CELL = re.compile(r"([1-3]),?([1-3])")
_SEAT = re.compile(r"#([1-9][0-9]?)")


def cards_of(game: str, word: str) -> str | None:
    """Cards as a record writes them; None for what are none: ``3,3+,l`` is ``33+L``."""
    text = word.lower()
    for long, name in FULL_NAMES.items():
        if CARDS[game].fullmatch(name):
            text = text.replace(long, name)
    pieces = text.upper().split(",")
    found = [CARDS[game].findall(piece) for piece in pieces]
    if any(
        "".join(names) != piece or not piece for names, piece in zip(found, pieces, strict=True)
    ):
        return None
    return "".join("".join(names) for names in found)


def seat_of(word: str) -> int | None:
    """The seat of a player written as ``#2``, counted from 1; None for anything else."""
    found = _SEAT.fullmatch(word)
    return None if found is None else int(found[1]) - 1


def in_full(game: str, words: Sequence[str]) -> list[str]:
    """Words with every letter of a verb written out, and what follows it apart; cards as records
    write them. ReadError for what could be two things.
    """
    found: list[str] = []
    for word in words:
        before = found[-1] if found else ""
        cards = cards_of(game, word)
        if cards is not None and _takes_cards(game, before):
            found.append(cards)
        elif cards is not None and len(found) > 1 and found[-2] in SEVERAL.get(game, ()):
            found[-1] += cards  # dice with spaces between them
        elif word.lower() in VERBS[game] or word.lower() in FOLLOWS:
            found.append(word.lower())
        elif word == "p" and game == "lama":
            raise ReadError("play which card? p5 plays a 5, P (or pp) the pink llama", word)
        else:
            verb = None if (game, word) == ("lama", "P") else LETTERS[game].get(word[0].lower())
            rest = [cards_of(game, word[1:]) or word[1:]] if word[1:] else []
            found += [cards or word] if verb is None else [verb, *rest]
    return found


def _takes_cards(game: str, word: str) -> bool:
    """Whether a card follows a word: a verb that names one, or a cell whose card is turned up."""
    if game == "noprob" and (word in ("draw", "take", "turns") or _CELL.fullmatch(word)):
        return True
    return game != "noprob" and VERBS[game].get(word, NOTHING) != NOTHING


def record_words(game: str, state: Any, entry: Sequence[str]) -> list[str]:
    """The words that a record would write for an entry of the seat to act.

    state: the round, or of Pikomino the table. What is no action comes out as it is: reading the
    record with it tells what is wrong. ReadError for what could be two things.
    """
    words = in_full(game, entry)
    if game == "dice" and len(words) == 1 and state.pending is None and _shows_dice(words[0]):
        return ["roll", *words]
    if game == "lama":
        return _of_cards(state, words)
    if game == "noprob":
        return _of_grids(state, words)
    if words[0] == "steal" and len(words) == 4 and words[2] == "from":
        return words[:2]  # who a tile is stolen from goes without saying
    return words


def _shows_dice(word: str) -> bool:
    return len(word) > 1 and set(word) <= set("123456L")


def _of_cards(state: Any, words: list[str]) -> list[str]:
    if len(words) == 1 and not words[0].islower():
        return ["play", *words]
    if words == ["draw"] and state.viewer not in (None, state.seat):
        return ["draw", HIDDEN]
    return words


def _of_grids(state: Any, words: list[str]) -> list[str]:
    begun: list[str] = []
    if state.pending is None:
        if words[0] not in ("draw", "take"):
            return words
        begun, words = [words[0]], words[1:]
        top = state.rules.names[state.discards[-1]] if state.discards else HIDDEN
        if begun == ["take"] and words[:1] != [top]:
            begun.append(top)
        else:
            begun, words = begun + words[:1], words[1:]
    return [*begun, *_use(state, words)]


def _use(state: Any, words: list[str]) -> list[str]:
    """What is done with a card: a cell is replaced, a special given to a seat."""
    if words[:1] == ["replace"]:
        words = words[1:]
    elif words[:1] == ["give"]:
        seat = seat_of(words[-1])
        if seat is not None:
            return ["give", str(seat)]
        if len(words) == 4 and words[2] == "to" and words[3].isdigit():
            return ["give", str((state.seat + int(words[3])) % state.players)]
        return words
    cell = _CELL.fullmatch(words[0]) if words else None
    if cell is None:
        return words
    turned = words[1:] if len(words) != 2 else ["turns", words[1]]
    return ["replace", ",".join(cell.groups()), *turned]


def deal_words(game: str, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
    """The words of a deal: of hidden hands only mine is typed.

    dealt: cards a player. Of No Prob-Lama the cells I looked at, each with its card:
    ``11=3 12=7``, or nothing. ReadError for another number of hands or of cards.
    """
    found = [word for word in words if word.lower() != "deal"]
    if game == "noprob":
        if not any("/" in word for word in found):
            found = [_grid(found)]
    else:
        found = [cards_of(game, word) or word for word in found]
        if game == "lama" and HIDDEN not in found and len(found) != players:
            found = ["".join(found)]  # cards of mine with spaces between them
        _check_deal(game, players, found, dealt)
    if len(found) == 1:
        found = [HIDDEN] * me + found + [HIDDEN] * (players - 1 - me)
    return ["deal", *found]


def _check_deal(game: str, players: int, hands: Sequence[str], dealt: int) -> None:
    text = " ".join(hands)
    if len(hands) != players and not (game == "lama" and len(hands) == 1):
        raise ReadError(
            f"you gave {len(hands)} hands, there are {players} players", text, len(text)
        )
    at = 0
    for hand in hands:
        if hand != HIDDEN and cards_of(game, hand) is not None:
            count = len(CARDS[game].findall(hand))
            if count != dealt:
                short = at + len(hand) if count < dealt else at
                raise ReadError(f"you gave {count} cards, {dealt} are dealt", text, short)
        at += len(hand) + 1


def _grid(told: Sequence[str]) -> str:
    """A grid face down with some cells known: ``11=3`` in each word."""
    cells = ["?"] * 9
    for word in told:
        place, _, card = word.partition("=")
        cell = _CELL.fullmatch(place)
        if cell is None or not card:
            expected = "a cell and its card, such as 12=7: row 1, column 2"
            raise ReadError(f"found {word!r}, expected {expected}", word)
        row, column = map(int, cell.groups())
        cells[3 * row + column - 4] = f"({cards_of('noprob', card) or card})"
    return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))
