"""The console for answers: text from files cannot control the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from lama_odds.core.errors import shown


class Screen(Console):
    """A console that escapes control characters, except line ends and its own styles.

    Answers repeat words from files: records, run folders, names. Everything is printed through this
    console, so other modules need not know which words come from a file.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of what is printed."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                lines = (shown(line) for line in segment.text.split("\n"))
                yield Segment("\n".join(lines), segment.style)
