"""What a terminal can show: its columns, and what stands for a character that it lacks.

±, where it cannot be shown, is ``+/-``, not a question mark; `REPLACED` is the only table of it.
Streams of this program are opened with the error handler `PLAIN`, so nothing that is printed can
end with a UnicodeEncodeError; `spelt` is for what must know its width before it is printed
(tables). Files are UTF-8 and keep their characters.
"""

from __future__ import annotations

import codecs
from collections.abc import MutableMapping

NARROWEST, WIDEST = 20, 1_000  # columns that are heeded
SIZES = ("COLUMNS", "LINES", "TERMINAL_WIDTH")
PLAIN = "lama_odds.plain"
REPLACED = {
    "±": "+/-",
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "-",
    "•": "-",
    "…": "...",
    "×": "x",
    "δ": "delta",
    "Σ": "sum",
    "√": "sqrt",
    "∝": "~",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "←": "<-",
    "↑": "^",
    "↓": "v",
    "▶": ">",
    "▷": ">",
    "◂": "<",
    "█": "#",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "ł": "l",
    "Ł": "L",
    "ß": "ss",
    "\u00a0": " ",
    "\u202f": " ",
}


def plain(character: str) -> str:
    """ASCII for one character: from the table, else without its accents, else ``?``."""
    if character in REPLACED:
        return REPLACED[character]
    import unicodedata  # hardly ever needed

    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if part.isascii()) or "?"


def spelt(text: str, encoding: str) -> str:
    """A text in characters that an encoding has; as it is where all can be shown."""
    try:
        return text.encode(encoding, PLAIN).decode(encoding)
    except LookupError:  # an encoding that Python does not know
        return "".join(c if c.isascii() else plain(c) for c in text)


def columns(text: str) -> int | None:
    """The columns that a variable of the environment asks for, within bounds; None if none."""
    if not (text.isascii() and text.isdigit()) or not int(text[:9]):
        return None
    return min(max(int(text[:9]), NARROWEST), WIDEST)


def tidy_sizes(environ: MutableMapping[str, str]) -> None:
    """Let no size in the environment be one that libraries stumble over."""
    for name in SIZES:
        found = columns(environ.get(name, ""))
        if found is not None:
            environ[name] = str(found)
        else:
            environ.pop(name, None)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


codecs.register_error(PLAIN, _replace)
