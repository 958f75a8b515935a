"""How far a run is: read from its folder, also while another process plays into it.

Nothing is written or repaired here, and no tally is read. File names show which games there are,
and the playing process keeps its results beside them.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import exact
from lama_odds.core.strict_json import Fields
from lama_odds.simulation.run_folder import (
    FIGURES,
    JOB,
    LOCK,
    MOST_JOBS,
    RUN,
    Stage,
    job_folders,
    read_object,
)
from lama_odds.simulation.span_files import Span, listed

MOST_GAMES = 1 << 62  # of a count in a file
DONE, PLAYING, STOPPED, UNKNOWN = "done", "playing", "stopped", "unknown"


@dataclass(frozen=True)
class JobStatus:
    """A job: the games that are there and that were requested, from `first` on, and their seconds.

    figures: results after `figures_games` games, by name: JSON of estimates.
    number: in the order in which jobs began. stage: its place in the command, if that has several.
    """

    key: str
    first: int
    games: int
    asked: int
    seconds: float
    figures: dict[str, dict[str, Any]]
    figures_games: int
    number: int = 0
    stage: Stage | None = None

    @property
    def seconds_left(self) -> float | None:
        """The seconds left for this job, and at most for later ones.

        0 if nothing is left; None if something is and the rate is not known.
        """
        later = self.stage.later / self.stage.each if self.stage else 0.0
        games = max(0, self.asked - self.games) + later
        if not games:
            return 0.0
        return games / self.rate if self.rate else None

    @property
    def rate(self) -> float:
        """Games per second; 0 if not known."""
        return self.games / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return one object."""
        return {
            "job": self.key,
            "first_game": self.first,
            "games": self.games,
            "asked": self.asked,
            "seconds": self.seconds,
            "games_per_second": self.rate,
            "stage": self.stage.name if self.stage else "",
            "seconds_left": self.seconds_left,
            "figures": self.figures,
            "figures_games": self.figures_games,
        }


@dataclass(frozen=True)
class RunStatus:
    """A run: the question, its state (one of the four), its jobs in the order in which they began.

    settled: names of decisions and results that are kept.
    """

    question: dict[str, Any]
    state: str
    jobs: tuple[JobStatus, ...]
    version: str
    settled: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return one object."""
        return {
            "question": self.question,
            "state": self.state,
            "games": sum(job.games for job in self.jobs),
            "asked": sum(job.asked for job in self.jobs),
            "jobs": [job.to_json() for job in self.jobs],
            "settled": list(self.settled),
            "version": self.version,
        }


def status_of(path: Path) -> RunStatus:
    """Return the state of a run folder; raise LimitError if it is not one or cannot be read."""
    if not (path / RUN).is_file():
        raise LimitError(f"{path} is not a run folder: it has no {RUN}")
    kept = read_object(path / RUN)
    try:
        run = Fields(kept)
        question, version = run.object("question"), run.text("version")
        last = run.texts("finished") if run.has("finished") else None
        settled = tuple(run.object("settled")) if run.has("settled") else ()
    except ValueError as error:
        raise LimitError(f"{path / RUN} cannot be read ({error})") from error
    jobs = [_job(folder) for folder in job_folders(path) if (folder / JOB).is_file()]
    jobs.sort(key=lambda job: (job.number, job.asked, job.key))
    there = {job.key for job in jobs if job.games >= job.asked}
    state = DONE if last is not None and there.issuperset(last) else _at_work(path)
    return RunStatus(question, state, tuple(jobs), version, settled)


def _job(folder: Path) -> JobStatus:
    plan = read_object(folder / JOB)
    spans = _apart(listed(folder))
    figures, games = {}, 0
    with contextlib.suppress(LimitError, ValueError):  # they will be written again
        found = Fields(read_object(folder / FIGURES))
        games = found.whole("games", 0, MOST_GAMES)
        figures = _figures(found.object("figures"))
    try:
        job = Fields(plan)
        first, asked = (job.whole(name, 0, MOST_GAMES) for name in ("first", "asked"))
        number = job.whole("number", 0, MOST_JOBS) if job.has("number") else 0
        stage = _stage(Fields(job.object("stage"))) if job.has("stage") else None
    except ValueError as error:
        raise LimitError(f"{folder / JOB} cannot be read ({error})") from error
    seconds = sum(span.milliseconds for span in spans) / 1000
    done = sum(span.games for span in spans)
    return JobStatus(folder.name, first, done, asked, seconds, figures, games, number, stage)


def _figures(plain: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return JSON of estimates by name, without those that are missing."""
    return {name: found for name, found in plain.items() if _is_estimate(found)}


def _is_estimate(plain: Any) -> bool:
    if not isinstance(plain, dict) or plain.keys() != exact(0.0).to_json().keys():
        return False
    numbers = [found for name, found in plain.items() if name != "method"]
    return isinstance(plain["method"], str) and all(
        isinstance(found, int | float) and not isinstance(found, bool) for found in numbers
    )


def _stage(plain: Fields) -> Stage:
    each, later = plain.whole("each", 1, MOST_GAMES), plain.whole("later", 0, MOST_GAMES)
    return Stage(plain.text("name"), each, later)


def _apart(spans: list[Span]) -> list[Span]:
    """Return spans without those that were merged into longer ones, whose files will be removed."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: -span.games):
        if not any(span.start < other.stop and other.start < span.stop for other in found):
            found.append(span)
    return found


def _at_work(path: Path) -> str:
    """Return whether a process plays into a folder; unknown if only another user could say."""
    import filelock

    if (path / LOCK).is_symlink() or not (path / LOCK).is_file():
        return STOPPED
    lock = filelock.FileLock(path / LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return PLAYING
    except OSError:
        return UNKNOWN
    lock.release()
    return STOPPED
