"""The advice on many positions at once: as rows in Python, or as rows of a file."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import lama_odds
from lama_odds.analysis.advice.advise import GivenPosition
from lama_odds.api.advising import AMOUNTS, Adviser, Valued, adviser
from lama_odds.api.options import Option, Rules, question
from lama_odds.core.checks import check_text
from lama_odds.core.errors import ReadError, shown
from lama_odds.core.policies import BEST
from lama_odds.core.progress import StageProgress
from lama_odds.core.reading import read_handed
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.jit import load_numba
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Answered, Batch, GivenPosition
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.report.rows import KeptRows, StreamedRows


# Lists of positions, from Python or from a file, each with what is handed through to its row.

POSITION = "position"
MOST_BYTES = 1_000_000_000  # of a file of positions


def key_of(entry: GivenPosition) -> bytes:
    """Return everything that an answer depends on, besides the question."""
    return to_json([entry.position, dict(entry.handed), entry.fault]).encode()


def asked_for(positions: Any) -> list[GivenPosition]:
    """Return positions from texts, from mappings or a frame with a column ``position``, or a file.

    Raises ReadError for anything else.
    """
    if isinstance(positions, Path):
        return read_positions(positions)
    if hasattr(positions, "columns") and hasattr(positions, "to_dict"):
        positions = positions.to_dict("records")
    if isinstance(positions, str | bytes | Mapping) or not isinstance(positions, Iterable):
        raise ReadError(f"positions {positions!r:.60}: expected a list of positions, or a Path")
    return [_asked(given) for given in positions]


def _asked(given: Any) -> GivenPosition:
    if isinstance(given, str):
        return GivenPosition(given)
    if isinstance(given, Mapping) and isinstance(given.get(POSITION), str):
        handed = {str(name): _plain(value) for name, value in given.items() if name != POSITION}
        return GivenPosition(given[POSITION], handed)
    raise ReadError(f"positions: found {given!r:.60}, expected text or a mapping with a position")


def _plain(value: Any) -> Any:
    """Return a value that JSON can express: NaN becomes None, other things become text."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def read_positions(path: Path) -> list[GivenPosition]:
    """Return the positions of a file; ``-`` is stdin.

    A file ``.csv`` has a column ``position``, a file ``.jsonl`` an object with this key in each
    line. Any other has one position a line; blank lines and those that begin with ``#`` are left
    out. Raises ReadError if it cannot be read, or has no positions.
    """
    try:
        text = read_handed(path, MOST_BYTES)
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ReadError(f"cannot read {path}: {error}") from None
    readers = {".csv": _from_csv, ".jsonl": _from_jsonl}
    entries = list(readers.get(path.suffix.lower(), _from_lines)(text, path))
    if not entries:
        raise ReadError(f"{path} has no positions")
    return entries


def _from_lines(text: str, path: Path) -> Iterator[GivenPosition]:
    del path
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            yield GivenPosition(line.strip())


def _from_csv(text: str, path: Path) -> Iterator[GivenPosition]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        heads = [head.strip() for head in next(rows, [])]
        if heads.count(POSITION) != 1 or len(set(heads)) < len(heads):
            raise ReadError(
                f"{path}: expected a first line that names one column {POSITION!r}, and no column "
                f"twice; found {shown(', '.join(heads), 200) or 'nothing'}"
            )
        for cells in rows:
            if not cells:
                continue
            row = dict(zip(heads, [*cells, *[""] * (len(heads) - len(cells))], strict=False))
            position = row.pop(POSITION)
            fault = f"{len(cells)} cells, expected {len(heads)}" if len(cells) > len(heads) else ""
            yield GivenPosition(position.strip(), row, fault)
    except csv.Error as error:
        raise ReadError(f"{path}: line {rows.line_num} is not CSV: {error}") from None


def _from_jsonl(text: str, path: Path) -> Iterator[GivenPosition]:
    del path
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            plain = from_json(line)
        except ValueError as error:
            yield GivenPosition(shown(line, 200), fault=f"line {number} is not JSON: {error}")
            continue
        if not isinstance(plain, dict) or not isinstance(plain.get(POSITION), str):
            lacks = f"line {number}: expected an object with a text {POSITION!r}"
            yield GivenPosition(shown(line, 200), fault=lacks)
            continue
        yield GivenPosition(plain.pop(POSITION).strip(), plain)


MANY = 2_000  # positions from which on loading numba takes less time than it saves


@question(*AMOUNTS)
def advise_many(
    rules: Rules,
    positions: Annotated[
        Iterable[str | Mapping[str, Any]] | Path,
        Option(
            python='A list of texts, or of mappings with a key "position"; a frame with such a '
            "column; or the `Path` of a file (text, .csv or .jsonl). Other keys and columns are "
            "handed through to the answers."
        ),
    ],
    *,
    out: Annotated[
        str | Path | None,
        Option(
            python="A file for the answers, one row each. The same call resumes it where it was "
            "stopped."
        ),
    ] = None,
    format: Annotated[
        str | None, Option(python="Of that file: csv, jsonl or parquet; default: by its suffix.")
    ] = None,
    details: Annotated[
        bool,
        Option(
            python="Also chances, other objectives, and whether a guess at hidden cards matters, "
            "as `advise` has them. Without, only verdict, values and costs are computed, which is "
            "much faster. The format jsonl always has details."
        ),
    ] = False,
    **how: Unpack[Valued],
) -> Answer[Batch]:
    """The advice on many positions: for each the same numbers that `advise` gives for it alone.

    The answer's ``answers`` are in the order of the positions. Each has ``position``, ``handed``
    and either ``advice`` (see `advise`) or ``error``, a message, with its exit code ``code``.
    ``errors`` counts these by code. With `out`, ``answers`` is empty.

    Raises ReadError for arguments that cannot be used, and LimitError for a file that is not a
    stopped one of the same question. A position that cannot be answered raises nothing.

    >>> import lama_odds as lo
    >>> found = lo.advise_many("pikomino/egmont", ["kept=444W", "kept=W own=24 tops=27", "kept=9"])
    >>> [answered.advice.best if answered.advice else answered.code for answered in found.answers]
    ['roll', 'roll', 2]
    """
    valued, progress = adviser(rules, **how), how["progress"]
    from lama_odds.analysis.advice.advise import Batch
    from lama_odds.report.frames import batch_frame
    from lama_odds.report.rows import batch_text

    if out is not None:
        batch = batch_to(valued, positions, Path(out), format, progress)
    else:
        if format is not None:
            raise ReadError(f"format {format!r}: only with out, a file")
        _name_of_opponents(valued)
        entries = asked_for(positions)
        answers = tuple(_answered(valued, entries, details or valued.sensitivity, progress))
        errors = Counter(answered.code for answered in answers if answered.code)
        batch = Batch(valued.rules.id, answers, len(answers), errors)
    return Answer.in_short(batch, batch_text, batch_frame)


def batch_to(
    how: Adviser,
    positions: Any,
    out: Path | None,
    format_: str | None,
    progress: StageProgress | None,
) -> Batch:
    """Write the rows of all positions that are not in a file yet, or of all to stdout (None).

    Raises KeyboardInterrupt where it is stopped, after the rows so far are written.
    """
    from lama_odds.report.rows import JSONL, columns_for, format_for, kept_rows, streamed_rows

    format_ = format_for(format_, out)
    if how.sensitivity and format_ != JSONL:
        raise ReadError(f"sensitivity: {format_} has no place for it, expected the format jsonl")
    others = _name_of_opponents(how)
    entries = asked_for(positions)
    columns = columns_for(format_, (one.handed for one in entries))
    if out is None:
        with streamed_rows(sys.stdout, format_, columns) as rows:
            return _add(rows, how, entries, format_, progress)
    question = {
        "command": "advise",
        **how.question,
        "opponents": others,
        "format": format_,
        "columns": [column.name for column in columns],
        "version": lama_odds.__version__,
    }
    with kept_rows(out, format_, columns, question) as kept:
        kept.skip(map(key_of, entries), f"{len(entries):,} positions are given")
        return _add(kept, how, entries, format_, progress, str(out))


def _add(
    rows: KeptRows | StreamedRows,
    how: Adviser,
    entries: Sequence[GivenPosition],
    format_: str,
    progress: StageProgress | None,
    file: str = "",
) -> Batch:
    """Add the rows of all positions after the first ones, which are there already."""
    from lama_odds.analysis.advice.advise import Batch
    from lama_odds.report.rows import JSONL, row_of

    first = rows.done
    answers = _answered(how, entries, format_ == JSONL, progress, first)
    for one, answered in zip(islice(entries, first, None), answers, strict=True):
        counted = (str(answered.code),) if answered.code else ()
        rows.add([row_of(format_, answered)], key_of(one), *counted)
    rows.write()
    errors = {int(code): count for code, count in rows.counts.items()}
    return Batch(how.rules.id, (), rows.done, errors, file)


def _answered(
    how: Adviser,
    entries: Sequence[GivenPosition],
    details: bool,
    progress: StageProgress | None,
    first: int = 0,
) -> Iterator[Answered]:
    """Yield the answers to positions from the first one on, counted from 0."""
    from lama_odds.analysis.advice.advise import advise_each

    def answer(text: str) -> Advice:
        position = how.game.position(how.rules, text)
        return how.advice(position, brief=not details, why=details)

    if len(entries) - first >= MANY:
        load_numba()  # it calls machine code faster than we do without it
    left = islice(entries, first, None)
    return advise_each(left, answer, how.limits.threads, progress, first, len(entries))


def _name_of_opponents(how: Adviser) -> str | None:
    """Return the policy of the others; ReadError, before any position, if it cannot be read."""
    from lama_odds.analysis.policy_files import named_policy

    check_text(how.opponents, "policy")
    if how.opponents is None or how.opponents == BEST:
        return None
    aim = next(iter(how.game.objectives))
    return named_policy(how.game, how.rules, how.opponents, how.rules.players[0], aim).name
