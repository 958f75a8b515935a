"""Rows that go to a stream, such as stdout, while they are found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from lama_odds.report.rows.formats import Column, Row, head_of, lines_of

PAUSE = 0.5  # seconds between two times that rows are written


class StreamedRows:
    """Rows on their way to a stream. counts: of what the caller counts."""

    def __init__(self, stream: TextIO, format_: str, columns: Sequence[Column]) -> None:
        self.stream, self.format, self.columns = stream, format_, columns
        self.counts: Counter[str] = Counter()
        self.done = 0
        self.rows = 0
        self._waiting = [head_of(format_, columns)]
        self._written = time.monotonic()

    def add(self, rows: Sequence[Row], item: bytes = b"", *counted: str) -> None:
        """Add the rows of one item. counted: what it adds one to, in `counts`."""
        del item
        self._waiting.append(lines_of(self.format, self.columns, rows))
        self.counts.update(counted)
        self.done += 1
        self.rows += len(rows)
        if time.monotonic() - self._written >= PAUSE:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        text = "".join(self._waiting)
        self._waiting.clear()
        self.stream.write(text)
        self.stream.flush()
        self._written = time.monotonic()


@contextmanager
def streamed_rows(
    stream: TextIO, format_: str, columns: Sequence[Column]
) -> Iterator[StreamedRows]:
    """Yield rows on their way to a stream; those that were added before an error are written."""
    rows = StreamedRows(stream, format_, columns)
    try:
        yield rows
    except KeyboardInterrupt:
        rows.write()
        raise
    rows.write()
