"""The errors that you can meet, each with its exit code on the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Self

from lama_odds.core.language import say, say_count

MOST_SHOWN = 400  # characters of a line of a message
AROUND = 60  # characters of a line that are shown on either side of the caret
LONGEST_NAME = 200  # characters; no known name resembles a longer one
BEHIND = 0.25  # of the similarity of the nearest name: others this far behind it are not named


class LamaOddsError(Exception):
    """The base of all errors that a user can cause. The command line never shows their traceback.

    ``exit_code`` is the exit code of the command line: 2 for ReadError, 3 for ImpossibleError and
    NothingToDecideError, 4 for others. The text has the place and similar names, if there are any.

    >>> import lama_odds as lo
    >>> try:
    ...     lo.odds("dice/amigo", "hand=25L row=1346L opp=9")
    ... except lo.LamaOddsError as error:
    ...     error.exit_code
    2
    """

    exit_code = 4

    def __str__(self) -> str:
        return shown_lines(super().__str__())


class ReadError(LamaOddsError):
    """Input that cannot be read; the message names the place, what was found and what is expected.

    text, at: the line and the place in it that the caret marks. Without a text there is no caret.
    """

    exit_code = 2

    def __init__(
        self, message: str, text: str | None = None, at: int = 0, hints: Iterable[str] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.at = at
        self.hints = tuple(hints)

    def __str__(self) -> str:
        lines = [shown_lines(self.message)]
        if self.text is not None:
            before, after = _around(self.text, self.at)
            lines += [f"  {before}{after}", f"  {' ' * len(before)}^"]
        lines += [shown(hint, MOST_SHOWN) for hint in self.hints]
        return "\n".join(lines)


class Defect(str):
    """A reason why a position cannot occur, or what has happened there, in words.

    field: the word of the notation that it speaks of; empty for none of them alone. seat: the
    player it speaks of, 0 for you.
    """

    field: str
    seat: int

    def __new__(cls, text: str, field: str = "", seat: int = 0) -> Self:
        """Make a defect of its text."""
        made = super().__new__(cls, text)
        made.field, made.seat = field, seat
        return made


class ImpossibleError(LamaOddsError):
    """A position that cannot occur in the game, with all its defects.

    what: the position, in words. defects: every reason why it cannot occur.
    """

    exit_code = 3

    def __init__(self, what: str, defects: Sequence[str]) -> None:
        super().__init__(what)
        self.what = what
        self.defects = tuple(text if isinstance(text, Defect) else Defect(text) for text in defects)

    def __str__(self) -> str:
        first = say("{what} cannot occur:", what=self.what)
        lines = [first, *(f"  - {d}" for d in self.defects)]
        return "\n".join(shown(line, MOST_SHOWN) for line in lines)


class NothingToDecideError(ImpossibleError):
    """A position that can occur but leaves nothing to decide; `defects` say what happens."""

    def __str__(self) -> str:
        first = say("{what} leaves nothing to decide:", what=self.what)
        return "\n".join([first, *(f"  - {d}" for d in self.defects)])


class LimitError(LamaOddsError):
    """A question that cannot be answered within the given limits."""

    exit_code = 4


def extra(name: str) -> str:
    """Return the command that installs an extra; no registry has this package."""
    return say("""pip install ".[{extra}]" in the checkout""", extra=name)


def _alike(name: str, known: str) -> float:
    return difflib.SequenceMatcher(None, known, name).ratio()


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return a hint with the known names most similar to `name`, or with all if none is similar."""
    names = list(known)
    if len(name) > LONGEST_NAME:
        name = ""
    # upper and lower case are the same here; a name for any file resembles other such names only
    alike = [known for known in names if name[:1] == "@" or known[:1] != "@"]
    as_small = {known.casefold(): known for known in alike}
    small = name.casefold()
    close = [small] if small in as_small else difflib.get_close_matches(small, as_small, 3, 0.5)
    close = [near for near in close if _alike(small, near) > _alike(small, close[0]) - BEHIND]
    if close:
        nearest = say(" or ").join(as_small[near] for near in close)
        return ("  " + say("did you mean {names}?", names=nearest),)
    return ("  " + say("known: {names}", names=", ".join(names)),) if names else ()


def shown(text: str, most: int | None = None) -> str:
    r"""Return a text that is safe to show: control characters are escaped (``\x1b``).

    most: the longest text to show, in characters. The middle of a longer one is replaced by its
    length.
    """
    if most is not None and len(text) > most:
        half = most // 2
        return shown(text[:half]) + _left_out(len(text) - 2 * half) + shown(text[-half:])
    return text if text.isprintable() else "".join(map(_shown_character, text))


def _left_out(number: int) -> str:
    from lama_odds.core.wording import thousands  # which imports this module

    characters = say_count("{n} character", "{n} characters", number, n=thousands(number))
    return f" … {characters} … "


def shown_lines(text: str, most: int = MOST_SHOWN) -> str:
    """Return `shown` of each line."""
    return "\n".join(shown(line, most) for line in text.split("\n"))


def _shown_character(character: str) -> str:
    if character.isprintable() or character in _SPACES:
        return character
    return character.encode("unicode_escape").decode()


# spaces that are not printable to Python but harmless
_SPACES = "\u00a0\u202f\u2007\u2009\u2003\u3000"


def _around(text: str, at: int) -> tuple[str, str]:
    """Return the parts of a line before and after a place, as far as they are shown."""
    first, last = max(0, at - AROUND), at + AROUND
    before = ("…" if first else "") + shown(text[first:at])
    return before, shown(text[at:last]) + ("…" if last < len(text) else "")
