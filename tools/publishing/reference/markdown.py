"""Tables and texts as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MADE = "<!-- Made by `tools/publish {}`: change the code, not this page. -->"


def cell(text: str) -> str:
    """A text in a table."""
    return " ".join(text.replace("|", "\\|").split())


def code(text: str) -> str:
    """A text in a table, as code."""
    return f"`{cell(text)}`"


def table(head: Sequence[str], rows: Iterable[Iterable[str]], align: str = "") -> str:
    """A table; align: ``l`` or ``r`` for each column, to the left or the right (default: left)."""
    rules = ["--:" if side == "r" else "---" for side in align or "l" * len(head)]
    lines = [head, rules, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!")) else text + "."


def page(title: str, *parts: str, target: str = "reference") -> str:
    """A page of parts, an empty line between them; target: what makes it."""
    texts = [
        f"# {title}",
        MADE.format(target),
        *(part.strip("\n") for part in parts if part.strip()),
    ]
    return "\n\n".join(texts) + "\n"
