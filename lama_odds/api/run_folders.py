"""Run folders: long questions keep their games there and resume from them."""

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
    """How far the run of a folder is, how fast, and what it has found; also while it plays."""
    check_path(folder, "folder", needed=True)
    from lama_odds.report.python import frames
    from lama_odds.report.text.kept.runs import runs_text
    from lama_odds.simulation.status import status_of

    return Answer.in_short(status_of(Path(folder)), runs_text, frames.runs_frame)


@contextmanager
def run_folder(
    folder: str | Path | None, question: Mapping[str, Any], several: bool = False
) -> Iterator[RunFolder | None]:
    """The folder that keeps the games of a question, None without one.

    question: the folder must have been created for it. several: whether several jobs are played.
    LimitError for a folder of another question. The message of an OSError (for example a full
    disk) says what happens to the run.
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
            f"{folder} cannot be written ({error.strerror or error}); what it holds stays: "
            "the same command resumes there"
        ) from error
