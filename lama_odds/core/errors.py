"""What can go wrong, each with the exit code the command line answers with."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class LamaOddsError(Exception):
    """Base of all errors that a user can cause; never shown as a traceback."""

    exit_code = 4


class ReadError(LamaOddsError):
    """Input that cannot be read: names the place, what was found and what is expected.

    text, at: the line and the place in it that the caret marks (no caret without them).
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
        lines = [self.message]
        if self.text is not None:
            # One character each, so that the caret stands where the eye sees the place.
            shown = "".join(c if c.isprintable() else " " for c in self.text)
            lines += [f"  {shown}", f"  {' ' * self.at}^"]
        lines += self.hints
        return "\n".join(lines)


class ImpossibleError(LamaOddsError):
    """A position that cannot occur in the game, with all its defects: nothing is asked there."""

    exit_code = 3

    def __init__(self, what: str, defects: Sequence[str]) -> None:
        super().__init__(what)
        self.what = what
        self.defects = tuple(defects)

    def __str__(self) -> str:
        return "\n".join([f"{self.what} cannot occur:", *(f"  - {d}" for d in self.defects)])


class NothingToDecideError(ImpossibleError):
    """What can occur in the game, but leaves nothing to decide, with what happens instead."""

    def __str__(self) -> str:
        return "\n".join(
            [f"{self.what} leaves nothing to decide:", *(f"  - {d}" for d in self.defects)]
        )


class LimitError(LamaOddsError):
    """A question that cannot be answered within the limits given."""

    exit_code = 4


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """A hint line naming the known names most like `name`, or all if none is near."""
    names = list(known)
    as_small = {known.casefold(): known for known in names}  # case tells no names apart
    small = name.casefold()
    close = [small] if small in as_small else difflib.get_close_matches(small, as_small, 3, 0.5)
    if close:
        return (f"  did you mean {' or '.join(as_small[found] for found in close)}?",)
    return (f"  known: {', '.join(names)}",) if names else ()
