"""An answer in Python: the object, and all the ways to look at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    import pandas
    from rich.console import RenderableType


class Found(Protocol):
    """A result of `analysis`: a record that can be written as JSON."""

    def to_json(self) -> dict[str, Any]:
        """Plain values, with the agreed keys."""


F = TypeVar("F", bound=Found)


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Generic[F]):
    """An answer: `found` is the object, whose attributes it has too; the rest shows it.

    Printed, it is what the command prints; notebooks show it as tables. full: the text with all
    details, if `text` leaves some out.
    """

    found: F
    text: Callable[[F], RenderableType]
    frame: Callable[[F], pandas.DataFrame]
    full: Callable[[F], RenderableType] | None = None

    @classmethod
    def in_short(
        cls, answer: F, text: Callable[..., RenderableType], frame: Callable[[F], pandas.DataFrame]
    ) -> Answer[F]:
        """An answer whose text leaves out what it shows with ``verbose=True``."""
        return cls(answer, text, frame, partial(text, verbose=True))

    def shown(self, verbose: bool = False) -> RenderableType:
        """What the command prints; verbose: with ``-v``."""
        return (self.full if verbose and self.full is not None else self.text)(self.found)

    def details(self) -> str:
        """All figures, assumptions and methods: what the command prints with ``-v``."""
        from lama_odds.report.terminal import printed

        return printed(self.shown(verbose=True), plain=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "found":  # not there while it is being copied
            raise AttributeError(name)
        return getattr(self.found, name)

    def to_json(self) -> dict[str, Any]:
        """Plain values: what ``--json`` prints."""
        return self.found.to_json()

    def to_frame(self) -> pandas.DataFrame:
        """A row for each action, event, seat, policy or measure; sampled ones with intervals."""
        return self.frame(self.found)

    def plot(self, file: str | Path) -> None:
        """Draw it into a file, ``.svg`` or ``.png``; LimitError if there is no figure of it."""
        from lama_odds.core.files import check_output, write_output
        from lama_odds.report.figures.style import check_format

        format_ = check_format(Path(file))
        check_output("file", Path(file))
        write_output(Path(file), drawn(self.found, format_))

    def __str__(self) -> str:
        from lama_odds.report.terminal import printed

        return printed(self.text(self.found), plain=True)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from lama_odds.report.frames import as_html

        return as_html(self.text(self.found))


def drawn(answer: Any, format_: str) -> bytes:
    """Return the picture of what was found; LimitError if there is no figure of it."""
    from lama_odds.analysis.compare.compare import Comparison
    from lama_odds.analysis.strategy_report.sections.answers import figure_of
    from lama_odds.analysis.sweep.answer import Sweep
    from lama_odds.report.figures.draw import draw
    from lama_odds.report.figures.sweeps import forest_plot, sweep_figure

    if isinstance(answer, Comparison):
        return forest_plot(answer, format_)
    if isinstance(answer, Sweep):
        return sweep_figure(answer, format_)
    return draw(figure_of(answer), format_, titled=True)
