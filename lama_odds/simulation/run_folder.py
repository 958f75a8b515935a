"""A run folder keeps games, so that a long run can resume where it stopped.

``run.json`` has the question (command, rule sets, policies, seed) and the version. ``jobs/KEY/``
has each job of the command. In it are ``job.json``, the plan with its hashes (the key is their
hash), ``draw.json``, the results so far, and the tallies (see `span_files`). ``lock`` is held by
the process that plays.

Everything is written whole or not at all, and is on the disk before anything depends on it. So a
power failure costs only the games since the last file. Nothing read from a folder is used as a
path, and links in it are refused.
"""

from __future__ import annotations

import contextlib
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import exact
from lama_odds.core.files import sync_folder, write_whole
from lama_odds.core.plain import Plain
from lama_odds.core.reading import read_json
from lama_odds.core.strict_json import Fields, from_json, to_json
from lama_odds.jit.job import Job
from lama_odds.simulation.run import add
from lama_odds.simulation.span_files import Span, Spans, Tell, inside, listed, plan_of

RUN, JOBS, JOB, FIGURES, LOCK = "run.json", "jobs", "job.json", "figures.json", "lock"
SAVE_SECONDS = 1.0  # of play between two files, or more:
SAVE_SHARE = 0.01  # of the time, at most, is spent on writing
MOST_JOBS = 1_000_000
LOCK_SECONDS = 0.3  # a look at the folder (`status_of`) holds the lock for a moment
_KEY = re.compile(r"[0-9a-f]{16}")

# What is known after a tally and its number of games, for `lama-odds runs`: plain JSON.
Figures = Callable[[np.ndarray, int], Mapping[str, Any]]


@dataclass(frozen=True)
class Stage:
    """The place of a job in a command. each: games played for each game index of the job.

    later: the largest number of games in jobs that come after it.
    """

    name: str
    each: int = 1
    later: int = 0


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a file; raise LimitError if it contains anything else."""
    try:
        content = read_json(inside(path), links=False)
    except ValueError as error:
        raise LimitError(f"{path} cannot be read ({error})") from error
    except OSError as error:
        raise LimitError(f"{path} cannot be read ({error.strerror})") from error
    if not isinstance(content, dict):
        raise LimitError(f"{path} cannot be read (found no object)")
    return content


def job_folders(folder: Path) -> list[Path]:
    """Return the folders of jobs, in order of their keys."""
    jobs = inside(folder / JOBS)
    if not jobs.is_dir():
        return []
    return sorted(inside(path) for path in jobs.iterdir() if _KEY.fullmatch(path.name))


class JobFolder:
    """The kept part of one job. tally, games, seconds: of those requested games that are there."""

    def __init__(self, spans: Spans, games: int, figures: Figures | None) -> None:
        self.spans = spans
        self.asked = games
        self.figures = figures
        self.pause = SAVE_SECONDS
        spans.load()
        total = None
        while total is None:  # again, if a file turns out to be damaged
            counted = [span for span in spans.kept if span.stop <= games]
            total = spans.total(counted)
        self.tally = total
        self.games = sum(span.games for span in counted)
        self.seconds = sum(span.milliseconds for span in counted) / 1000
        self.gaps = spans.gaps(games)

    def add(self, start: int, stop: int, seconds: float, tally: np.ndarray, keep: bool) -> None:
        """Count games played; keep: write them too. Raises OSError if they cannot be written."""
        began = time.perf_counter()
        if keep:
            self.spans.write(start, stop, round(1000 * seconds), tally)
        add(self.tally, tally)
        self.games += stop - start
        self.seconds += seconds
        if keep and self.figures:
            content = {"games": self.games, "figures": self._known()}
            write_whole(self.spans.folder / FIGURES, to_json(content))
        self.pause = max(SAVE_SECONDS, (time.perf_counter() - began) / SAVE_SHARE)

    def _known(self) -> dict[str, Any]:
        """Return the figures that are numbers already: after a few games some are not."""
        figures = self.figures(self.tally, self.games) if self.figures else {}
        return {name: plain for name, plain in figures.items() if _has_json(plain)}

    def before_first_gap(self) -> tuple[np.ndarray, int]:
        """Return the tally of the games kept from the first one without a gap, and their number."""
        chain, at = [], 0
        for span in self.spans.kept:
            if span.start == at and span.stop <= self.asked:
                chain.append(span)
                at = span.stop
        total = self.spans.total(chain)
        return (np.zeros(self.spans.shape, dtype=np.int64), 0) if total is None else (total, at)


class RunFolder:
    """A run folder that this process plays into, made by `open_folder`."""

    def __init__(self, path: Path, kept: dict[str, Any], several: bool, tell: Tell) -> None:
        self.path = path
        self.kept = kept
        self.several = several
        self.tell = tell
        self.jobs: list[JobFolder] = []

    def job(
        self,
        job: Job,
        seed: int,
        first: int,
        games: int,
        figures: Figures | None = None,
        stage: Stage | None = None,
    ) -> JobFolder:
        """Return the place of a job's games.

        Raises LimitError if the folder has games of another plan.
        """
        plan = plan_of(job, seed, first)
        key = plan["hash"]
        others = [other for other in job_folders(self.path) if (other / JOB).exists()]
        for other in others:
            self._check(plan, read_object(other / JOB), other.name)
        folder = inside(self.path / JOBS) / key
        inside(folder).mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".*"):  # of a process that was killed while it wrote
            left.unlink()
        file = folder / JOB
        before = read_object(file) if file.exists() else {"number": len(others)}
        if before.get("asked") != games:
            if self.kept.pop("finished", None) is not None:
                self._write()
            content = {**plan, "asked": games, "number": _number(file, before)}
            content["stage"] = asdict(stage) if stage else None
            write_whole(file, to_json(content, indent=1), durable=True)
            for above in (self.path / JOBS, self.path, self.path.parent):
                sync_folder(above)
        self.jobs.append(JobFolder(Spans(folder, key, job.shape, self.tell), games, figures))
        return self.jobs[-1]

    def _check(self, plan: dict[str, Any], other: dict[str, Any], key: str) -> None:
        """Raise LimitError if a job here was played by other code, or must not be in this
        folder.
        """
        sources = other.get("sources")
        for module, now in plan["sources"].items():
            before = sources.get(module, now) if isinstance(sources, dict) else now
            if before != now:
                raise LimitError(
                    f"{self.path} holds games of other code: {module} has changed since "
                    f"(found {before}, now {now}); use another folder"
                )
        if not self.several and key != plan["hash"]:
            differ = [
                name
                for name in plan
                if name not in ("hash", "sources") and other.get(name) != plan[name]
            ]
            raise LimitError(
                f"{self.path} holds games of another plan: {', '.join(differ)} "
                f"{'is' if len(differ) == 1 else 'are'} not the same; use another folder"
            )

    def settled(self, name: str, decide: Callable[[], Any], read: Callable[[Any], Any]) -> Any:
        """Return a decision that depends on the clock, kept so that the same command repeats it.

        It is made when it is first needed, and must be plain JSON. read: converts it to the wanted
        value, and raises ValueError (a LimitError here) if it is something else.
        """
        settled = self.kept.setdefault("settled", {})
        if name not in settled:
            settled[name] = decide()
            self._write()
        try:
            return read(settled[name])
        except ValueError as error:
            raise LimitError(f"{self.path / RUN} cannot be read (settled: {error})") from error

    def finish(self) -> None:
        """Mark the run as finished by the jobs of this process, if all their games are there."""
        keys = [job.spans.key for job in self.jobs]
        done = all(job.games == job.asked for job in self.jobs)
        if done and self.kept.get("finished") != keys:
            self.kept["finished"] = keys
            self._write()

    def _write(self) -> None:
        write_whole(self.path / RUN, to_json(self.kept, indent=1), durable=True)


@contextmanager
def open_folder(
    path: Path, question: Mapping[str, Any], several: bool, tell: Tell
) -> Iterator[RunFolder]:
    """Yield a new or resumed run folder, for this process alone while it is open.

    question: everything that determines the games; plain JSON.
    several: whether the command plays several jobs.
    tell: receives messages about damaged files.

    Raises LimitError if another process uses the folder, or if it has another run; OSError if it
    cannot be written.
    """
    import filelock

    if path.exists() and not path.is_dir():
        raise LimitError(f"{path} is a file, expected a run folder or a new name")
    path.mkdir(parents=True, exist_ok=True)
    others = [
        file.name
        for file in path.iterdir()
        if file.name not in (RUN, LOCK) and not file.name.startswith(f".{RUN}.")
    ]
    if others and not (path / RUN).exists():
        raise LimitError(
            f"{path} is not empty, but not a run folder either (it contains {min(others)}): "
            "give a new or empty one"
        )
    lock = filelock.FileLock(_lock_file(path))
    try:
        lock.acquire(timeout=LOCK_SECONDS, poll_interval=0.05)
    except filelock.Timeout:
        raise LimitError(
            f"another process plays into {path}: wait for it, or give another folder "
            f"(lama-odds runs {path} shows how far it is)"
        ) from None
    try:
        folder = RunFolder(path, _run_of(path, question), several, tell)
        yield folder
        folder.finish()
    finally:
        with contextlib.suppress(OSError):
            lock.release()


def _lock_file(path: Path) -> Path:
    """Return the file to lock.

    Raises LimitError if it belongs to something else: locking empties it.
    """
    file = inside(path / LOCK)
    with contextlib.suppress(FileNotFoundError):
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_size:
            raise LimitError(f"{file} is not the lock of a run folder: remove it if nobody plays")
    return file


def _has_json(plain: Any) -> bool:
    try:
        to_json(plain)
    except (ValueError, TypeError):
        return False
    return True


def _number(file: Path, plan: dict[str, Any]) -> int:
    """Return the number of this job in its folder; raise LimitError if its plan does not say."""
    try:
        return Fields(plan).whole("number", 0, MOST_JOBS)
    except ValueError as error:
        raise LimitError(f"{file} cannot be read ({error})") from error


def _run_of(path: Path, question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of run.json, written if missing; raise LimitError for another run."""
    wanted = from_json(to_json({**question}))
    for left in path.glob(f".{RUN}.*"):
        left.unlink()
    file = path / RUN
    if not file.exists():
        made = {"version": lama_odds.__version__, "question": wanted}
        write_whole(file, to_json(made, indent=1), durable=True)
        return made
    kept = read_object(file)
    stored = kept.get("question")
    if not isinstance(stored, dict) or not isinstance(kept.get("settled", {}), dict):
        raise LimitError(f"{file} cannot be read (the question is missing)")
    if kept.get("version") != lama_odds.__version__:
        raise LimitError(
            f"{path} was begun by lama-odds {kept.get('version')}, this is "
            f"{lama_odds.__version__}: finish it with that version, or use another folder"
        )
    differ = [
        f"  {name}: found {to_json(stored.get(name))}, expected {to_json(wanted.get(name))}"
        for name in dict.fromkeys([*wanted, *stored])
        if stored.get(name) != wanted.get(name)
    ]
    if differ:
        raise LimitError("\n".join([f"{path} holds another run; use another folder", *differ]))
    return kept


# How far a run is: read from its folder, also while another process plays into it.
#
# Nothing is written or repaired here, and no tally is read. File names show which games there are,
# and the playing process keeps its results beside them.

MOST_GAMES = 1 << 62  # of a count in a file
DONE, PLAYING, STOPPED, UNKNOWN = "done", "playing", "stopped", "unknown"


@dataclass(frozen=True)
class JobStatus(Plain):
    """A job: the games that are there and that were requested, from `first` on, and their seconds.

    figures: results after `figures_games` games, by name: JSON of estimates.
    number: in the order in which jobs began. stage: its place in the command, if that has several.
    """

    KEYS = (
        "job=key first_game=first games asked seconds games_per_second=rate "
        "stage=stage_name seconds_left figures figures_games"
    )

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

    @property
    def stage_name(self) -> str:
        """Where in the command the job stands."""
        return self.stage.name if self.stage else ""


@dataclass(frozen=True)
class RunStatus(Plain):
    """A run: the question, its state (one of the four), its jobs in the order in which they began.

    settled: names of decisions and results that are kept.
    """

    KEYS = "question state games asked jobs settled version"

    question: dict[str, Any]
    state: str
    jobs: tuple[JobStatus, ...]
    version: str
    settled: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """Games of all jobs."""
        return sum(job.games for job in self.jobs)

    @property
    def asked(self) -> int:
        """Games wanted of all jobs."""
        return sum(job.asked for job in self.jobs)


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
    figures: dict[str, dict[str, Any]] = {}
    games = 0
    with contextlib.suppress(LimitError, ValueError):  # they will be written again
        fields = Fields(read_object(folder / FIGURES))
        games = fields.whole("games", 0, MOST_GAMES)
        figures = {
            name: plain for name, plain in fields.object("figures").items() if _is_estimate(plain)
        }
    try:
        job = Fields(plan)
        first, wanted = (job.whole(name, 0, MOST_GAMES) for name in ("first", "asked"))
        number = job.whole("number", 0, MOST_JOBS) if job.has("number") else 0
        stage = None
        if job.has("stage"):
            plain = Fields(job.object("stage"))
            factor, later = plain.whole("each", 1, MOST_GAMES), plain.whole("later", 0, MOST_GAMES)
            stage = Stage(plain.text("name"), factor, later)
    except ValueError as error:
        raise LimitError(f"{folder / JOB} cannot be read ({error})") from error
    seconds = sum(span.milliseconds for span in spans) / 1000
    done = sum(span.games for span in spans)
    return JobStatus(folder.name, first, done, wanted, seconds, figures, games, number, stage)


def _is_estimate(plain: Any) -> bool:
    if not isinstance(plain, dict) or plain.keys() != exact(0.0).to_json().keys():
        return False
    numbers = [value for name, value in plain.items() if name != "method"]
    return isinstance(plain["method"], str) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in numbers
    )


def _apart(spans: list[Span]) -> list[Span]:
    """Return spans without those that were merged into longer ones, whose files will be removed."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: -span.games):
        if not any(span.start < other.stop and other.start < span.stop for other in kept):
            kept.append(span)
    return kept


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
