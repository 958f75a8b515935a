"""Run folders keep the games of long questions, so that they can resume."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import tell
from lama_odds.core.checks import check_path
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder
    from lama_odds.simulation.status import RunStatus


def runs(folder: str | Path) -> Answer[RunStatus]:
    """How far the run of a folder is, how fast, and its results; also while it plays.

    folder: the run folder that another function or command has got as ``run``.

    The answer's ``state`` says whether the run is done. ``question`` has its arguments; ``jobs``
    have games, rates, seconds left and figures so far.

    Raises LimitError if the folder is not a run folder or cannot be read::

        lo.runs("my_run").jobs
    """
    check_path(folder, "folder", needed=True)
    from lama_odds.report.python import frames
    from lama_odds.report.text.kept.runs import runs_text
    from lama_odds.simulation.status import status_of

    return Answer.in_short(status_of(Path(folder)), runs_text, frames.runs_frame)


@contextmanager
def run_folder(
    folder: str | Path | None, question: Mapping[str, Any], several: bool = False
) -> Iterator[RunFolder | None]:
    """Yield the folder that keeps the games of a question; None without one.

    question: what determines its games. several: whether several jobs are played. Raises LimitError
    for a folder of another question. OSError (a full disk, for example) says what happens to the
    run.
    """
    if folder is None:
        yield None
        return
    from lama_odds.simulation.run_folder import open_folder

    try:
        with open_folder(Path(folder), question, several, tell) as opened:
            yield opened
    except OSError as error:
        raise OSError(
            f"{folder} cannot be written ({error.strerror or error}); its games stay: "
            "the same command resumes there"
        ) from error
