"""Position text as ``name=value`` words, with the place of every character for messages."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from lama_odds.core.errors import ReadError, near_names

_LONGEST = 18  # digits of a number; more is refused before it is converted


@dataclass(frozen=True)
class Part:
    """A piece of a text, with where it begins."""

    whole: str
    text: str
    at: int

    def fail(self, expected: str, offset: int = 0, what: str = "") -> ReadError:
        """An error at `offset` of this part: what was found there, what was expected."""
        found = self.text[offset:] if offset < len(self.text) else ""
        ends = self.at + offset >= len(self.whole.rstrip())
        shown = f"found {_shown(found)}" if found else "it ends here" if ends else "found nothing"
        place = f" in {what}" if what else ""
        return ReadError(
            f"cannot read{place}: {shown}, expected {expected}", self.whole, self.at + offset
        )

    def split(self, separator: str) -> list[Part]:
        """The pieces between separators."""
        parts, at = [], self.at
        for text in self.text.split(separator):
            parts.append(Part(self.whole, text, at))
            at += len(text) + len(separator)
        return parts

    def integer(self, what: str) -> int:
        """A whole number, negative allowed (a defect of the position is found later)."""
        if not re.fullmatch(r"-?[0-9]+", self.text, re.ASCII):
            raise self.fail("a whole number", what=what)
        if len(self.text) > _LONGEST:
            raise self.fail(f"a number of at most {_LONGEST} digits", what=what)
        return int(self.text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "…")


def read_words(text: str, known: Collection[str], what: str = "position") -> dict[str, Part]:
    """The ``name=value`` words of a text, by name.

    Raises ReadError for a word without ``=``, an unknown name (near names are
    offered), a name given twice and an empty value.
    """
    found: dict[str, Part] = {}
    for match in re.finditer(r"\S+", text):
        word = Part(text, match.group(), match.start())
        name, equals, value = word.text.partition("=")
        if not equals:
            raise word.fail("name=value, for example " + next(iter(known)) + "=…", what=what)
        if name not in known:
            raise ReadError(
                f"cannot read {what}: unknown word {_shown(name)}",
                text,
                word.at,
                near_names(name, known),
            )
        if name in found:
            raise ReadError(f"cannot read {what}: {name} is given twice", text, word.at)
        if not value:
            raise word.fail("a value", offset=len(word.text), what=name)
        found[name] = Part(text, value, word.at + len(name) + 1)
    return found


def read_integers(part: Part, what: str) -> tuple[int, ...]:
    """Whole numbers separated by commas."""
    return tuple(piece.integer(what) for piece in part.split(","))
