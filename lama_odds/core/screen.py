"""What a terminal can show: its columns, and substitutes for characters that it lacks.

Where ± cannot be shown, it becomes ``+/-``, not a question mark. `REPLACED` is the only table of
substitutes. This program opens its streams with the error handler `PLAIN`, so that printing never
raises UnicodeEncodeError. Tables use `spelt`, because they need to know widths before they print.
Files are UTF-8 and keep their characters.
"""

from __future__ import annotations

import codecs
from collections.abc import MutableMapping

NARROWEST, WIDEST = 20, 1_000  # numbers of columns that are respected
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
    "∞": "inf",
    "×": "x",
    "δ": "delta",
    "Σ": "sum",
    "√": "sqrt",
    "∝": "~",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "✓": "+",
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
    """Return ASCII for one character: from the table, else without accents, else ``?``."""
    if character in REPLACED:
        return REPLACED[character]
    import unicodedata  # rarely needed

    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if part.isascii()) or "?"


def spelt(text: str, encoding: str) -> str:
    """Return a text with substitutes for the characters that an encoding lacks."""
    try:
        return text.encode(encoding, PLAIN).decode(encoding)
    except LookupError:  # an encoding that Python does not know
        return "".join(c if c.isascii() else plain(c) for c in text)


def columns(text: str) -> int | None:
    """Return the columns that an environment variable sets, within bounds; None if it sets none."""
    if not (text.isascii() and text.isdigit()) or not int(text[:9]):
        return None
    return min(max(int(text[:9]), NARROWEST), WIDEST)


def tidy_sizes(environ: MutableMapping[str, str]) -> None:
    """Bound sizes in the environment, and remove those that libraries cannot read."""
    for name in SIZES:
        size = columns(environ.get(name, ""))
        if size is not None:
            environ[name] = str(size)
        else:
            environ.pop(name, None)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


codecs.register_error(PLAIN, _replace)
