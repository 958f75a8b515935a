"""Read position text as ``name=value`` words, with the place of every character for messages.

Input is tolerant where nothing is ambiguous: names and cards in either case, cards with commas or
spaces between them, ``llama`` for ``L``. Output is canonical.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say

_LONGEST = 18  # digits of a number; longer ones are refused before they are converted
# Full names of cards and faces; only games that have the short name read them.
FULL_NAMES: Mapping[str, str] = {
    **{"llamas": "L", "llama": "L", "pink": "P"},
    **{"worms": "W", "worm": "W"},
    **{"joker": "J", "drama": "D", "karma": "K"},
}
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_LETTERS = set("lpwjdkq")  # of cards and faces, and the mark of players who have quit
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Part:
    """A piece of a text, with the place where it begins."""

    whole: str
    text: str
    at: int

    def fail(self, expected: str, offset: int = 0, what: str = "") -> ReadError:
        """Return an error at `offset` of this part: what was found there, and what was expected."""
        rest = self.text[offset:] if offset < len(self.text) else ""
        ends = self.at + offset >= len(self.whole.rstrip())
        if rest:
            shown = say("found {text}", text=_shown(rest))
        else:
            shown = say("it ends here") if ends else say("found nothing")
        if what:
            message = say(
                "cannot read in {what}: {shown}, expected {expected}",
                what=what,
                shown=shown,
                expected=expected,
            )
        else:
            message = say(
                "cannot read: {shown}, expected {expected}", shown=shown, expected=expected
            )
        return ReadError(message, self.whole, self.at + offset)

    def wrong(self, expected: str) -> ReadError:
        """Return an error at this part, which can be read but cannot be right."""
        message = say(
            "found {text}, expected {expected}", text=_shown(self.text), expected=expected
        )
        return ReadError(message, self.whole, self.at)

    def split(self, separator: str) -> list[Part]:
        """Return the pieces between separators, without surrounding spaces."""
        parts, at = [], self.at
        for text in self.text.split(separator):
            parts.append(Part(self.whole, text, at).strip())
            at += len(text) + len(separator)
        return parts

    def strip(self) -> Part:
        """Return the part without surrounding spaces."""
        before = len(self.text) - len(self.text.lstrip()) if self.text.strip() else 0
        return Part(self.whole, self.text.strip(), self.at + before)

    def listed(self) -> list[Part]:
        """Return the pieces between commas, spaces, or a comma with spaces."""
        parts, at = [], 0
        for match in _BETWEEN.finditer(self.text):
            parts.append(Part(self.whole, self.text[at : match.start()], self.at + at))
            at = match.end()
        return [*parts, Part(self.whole, self.text[at:], self.at + at)]

    def without(self, mark: str) -> tuple[Part, bool]:
        """Return the part without a letter at its beginning or end, and whether it was there."""
        if self.text[:1].lower() == mark:
            return Part(self.whole, self.text[1:], self.at + 1).strip(), True
        if len(self.text) > 1 and self.text[-1].lower() == mark:
            return Part(self.whole, self.text[:-1].rstrip(), self.at), True
        return self, False

    def guessed(self) -> tuple[Part, bool]:
        """Return the part without a question mark at its end, and whether it was there."""
        marked = len(self.text) > 1 and self.text.endswith("?")
        return Part(self.whole, self.text[:-1].rstrip(), self.at) if marked else self, marked

    def roughly(self, what: str) -> tuple[int, bool]:
        """Return a whole number, and whether it is only roughly known: ``~10``, or ``10?``."""
        number, rough = self.guessed()
        if number.text.startswith("~"):
            number, rough = Part(self.whole, number.text[1:], self.at + 1).strip(), True
        return number.integer(what), rough

    def integer(self, what: str) -> int:
        """Return a whole number.

        It may be negative: that is reported later as a defect of the position.
        """
        match = re.match(r"-?[0-9]+", self.text, re.ASCII)
        more = Part(self.whole, self.text[match.end() if match else 0 :], self.at)
        if match and more.text.strip() and more.text[0].isspace():
            more = Part(self.whole, more.text, self.at + match.end()).strip()
            raise more.fail(say("one number, or name=value of the next word"), what=what)
        if not match or match.end() < len(self.text):
            raise self.fail(say("a whole number"), what=what)
        if len(self.text) > _LONGEST:
            expected = say("a number of at most {digits} digits", digits=_LONGEST)
            raise self.fail(expected, what=what)
        return int(self.text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "…")


def read_words(text: str, known: Collection[str]) -> dict[str, Part]:
    """Return the ``name=value`` words of a text, by name; a value may contain spaces.

    Raises ReadError for an unknown name (with similar names), a repeated name and an empty value,
    and for a word without ``=`` that cannot belong to the value before it.
    """
    words: dict[str, Part] = {}
    what = say("position")
    last = ""
    for match in re.finditer(r"\S+", text):
        word = Part(text, match.group(), match.start())
        written, equals, value = word.text.partition("=")
        name = written.lower()
        no_name = not equals or (last and not written[-1:].isalpha())
        if no_name and (not last or _is_word(word.text)):
            expected = say("name=value, for example {name}=…", name=next(iter(known)))
            raise word.fail(expected, what=what)
        if no_name or (name not in known and last and name == "q"):  # q=16 after a comma
            begun = words[last].at
            words[last] = Part(text, text[begun : match.end()], begun)
            continue
        if name not in known:
            raise ReadError(
                say("cannot read {what}: unknown word {word}", what=what, word=_shown(written)),
                text,
                word.at,
                near_names(name, known),
            )
        if name in words:
            message = say("cannot read {what}: {name} is given twice", what=what, name=name)
            raise ReadError(message, text, word.at)
        if not value:
            raise word.fail(say("a value"), offset=len(word.text), what=name)
        words[name] = Part(text, value, word.at + len(written) + 1)
        last = name
    return words


def missing_word(name: str, meaning: str, text: str) -> ReadError:
    """Return the error of a position that lacks a word; meaning: of the word, not translated."""
    message = say(
        "cannot read position: {name} is missing ({meaning})", name=name, meaning=say(meaning)
    )
    return ReadError(message, text, len(text))


def _is_word(text: str) -> bool:
    """Return whether a text begins with a word that is not a card, such as the name of a value."""
    begins = _WORD.match(text)
    word = begins.group().lower() if begins else ""
    return word not in FULL_NAMES and not set(word) <= _LETTERS


def read_integers(part: Part, what: str) -> tuple[int, ...]:
    """Return whole numbers that are separated by commas or spaces."""
    return tuple(piece.integer(what) for piece in part.listed())


def read_names(part: Part, names: Sequence[str], expected: str, what: str) -> list[tuple[str, int]]:
    """Return cards or faces, each with its offset: ``33+5L``, ``3,3+,5,l``, ``3 3+ 5 llama``.

    names: canonical names; if several fit, the longest is read. Raises ReadError at the first place
    that fits none, and at a comma that has nothing before or after it.
    """
    pairs, wrong = _names_in(part.text, tuple(names))
    if wrong is not None:
        raise part.fail(expected, offset=wrong, what=what)
    return list(pairs)


@lru_cache(maxsize=4_096)
def _names_in(text: str, names: tuple[str, ...]) -> tuple[tuple[tuple[str, int], ...], int | None]:
    """Return the names in a text with their offsets, and the first place that fits none."""
    pairs: list[tuple[str, int]] = []
    at, end = 0, len(text)
    while at < end or not pairs:
        name, length = _name_at(text, at, names)
        if not name:
            return (), at
        pairs.append((name, at))
        at += length
        between = _BETWEEN.match(text, at)
        if between is not None:
            at = between.end()
            if at == end:
                return (), at
    return tuple(pairs), None


def _name_at(text: str, at: int, names: Sequence[str]) -> tuple[str, int]:
    """Return the name at a place and the length it has there; an empty name if there is none."""
    full = [long for long, name in FULL_NAMES.items() if name in names]
    for long in full:
        if text[at : at + len(long)].lower() == long:
            return FULL_NAMES[long], len(long)
    fits = [name for name in names if text[at : at + len(name)].upper() == name]
    name = max(fits, key=len, default="")
    return name, len(name)
