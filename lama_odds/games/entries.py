"""What is typed in play, in a few keystrokes or in full, as the words that a record writes.

A verb may be its letter, joined to what follows: ``r244 d24`` is ``roll 244 discard 24``. Of cards
``5`` is ``play 5``; of No Prob-Lama ``d5 12 7`` is ``draw 5 replace 1,2 turns 7`` and ``t 12 7``
takes the top discard, whose name goes without saying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lama_odds.games.record import HIDDEN

LETTERS: dict[str, dict[str, str]] = {
    "dice": {"r": "roll", "d": "discard", "t": "take", "q": "quit"},
    "lama": {"p": "play", "d": "draw", "q": "quit"},
    "pikomino": {"r": "roll", "k": "keep", "s": "stop", "t": "steal"},
    "noprob": {
        **{"d": "draw", "t": "take", "p": "pass"},
        **{"r": "replace", "x": "discard", "g": "give"},
    },
}
_CELL = re.compile(r"([1-3]),?([1-3])")


def letters_text(game: str) -> str:
    """The letters of a game, for a prompt."""
    return ", ".join(f"{letter} {verb}" for letter, verb in LETTERS[game].items())


def in_full(game: str, words: Sequence[str]) -> list[str]:
    """Words with every letter of a verb written out, and what follows it apart."""
    found = []
    for word in words:
        verb = LETTERS[game].get(word[0])
        if verb is None or word[1:2].islower():
            found.append(word)
        else:
            found += [verb, word[1:]] if word[1:] else [verb]
    return found


def record_words(game: str, state: Any, entry: Sequence[str]) -> list[str]:
    """The words that a record would write for an entry of the seat to act.

    state: the round, or of Pikomino the table. What is no action comes out as it is: reading the
    record with it tells what is wrong.
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
        if len(words) == 4 and words[2] == "to" and words[3].isdigit():
            return ["give", str((state.seat + int(words[3])) % state.players)]
        return words
    cell = _CELL.fullmatch(words[0]) if words else None
    if cell is None:
        return words
    turned = words[1:] if len(words) != 2 else ["turns", words[1]]
    return ["replace", ",".join(cell.groups()), *turned]


def deal_words(game: str, me: int, players: int, words: Sequence[str]) -> list[str]:
    """The words of a deal: of hidden hands only mine is typed.

    Of No Prob-Lama the cells I looked at, each with its card: ``11=3 12=7``, or nothing.
    """
    found = [word for word in words if word != "deal"]
    if game == "noprob" and not any("/" in word for word in found):
        found = [_grid(found)]
    if len(found) == 1:
        found = [HIDDEN] * me + found + [HIDDEN] * (players - 1 - me)
    return ["deal", *found]


def _grid(told: Sequence[str]) -> str:
    """A grid face down with some cells known: ``11=3`` in each word."""
    cells = ["?"] * 9
    for word in told:
        place, _, card = word.partition("=")
        cell = _CELL.fullmatch(place)
        if cell is None or not card:
            return word  # reading the deal tells what is wrong
        row, column = map(int, cell.groups())
        cells[3 * row + column - 4] = f"({card})"
    return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))
