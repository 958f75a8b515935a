"""What is kept on disk as text: runs, machine code, what was made ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.kept_on_disk import KINDS, OTHERS, THIS, Cache
from lama_odds.analysis.warm import Warmed
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import number, percent
from lama_odds.jit.places import UNUSED_DAYS, VERSIONS
from lama_odds.report.terminal import table
from lama_odds.simulation.run_folder import DONE, STOPPED, JobStatus, RunStatus

# What is kept on disk as text.


def cache_text(cache: Cache) -> RenderableType:
    """Its place, its size by kind and version, and when it is removed."""
    parts: list[RenderableType] = [Text(f"{place}", no_wrap=True) for place in cache.places]
    if cache.cleared is not None:
        parts.append(Text(f"Removed {size_text(cache.cleared)}.", style="bold"))
    rows = []
    for kind in KINDS:
        for version, current in ((THIS, True), (OTHERS, False)):
            folders, files, size = cache.total(kind, current)
            if files:
                rows.append((f"{kind}, {version}", f"{folders:,}", f"{files:,}", size_text(size)))
    if rows:
        rows.append(("in all", f"{len(cache.entries):,}", "", size_text(cache.size)))
        heads = ("kept", "folders", "files", "size")
        parts += [Text(), table(heads, rows), Text()]
    else:
        parts.append(Text("Nothing is kept."))
    parts += [Text(f"Not removed: {path} ({reason})") for path, reason in cache.left]
    notes = (
        f"A folder is removed when it was not used for {UNUSED_DAYS} days. If a module has more "
        f"than {VERSIONS} versions, the oldest are removed after a day without use.",
        "cache --clear removes everything. The next command compiles again what it needs.",
    )
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def size_text(size: int) -> str:
    """Bytes in units that are easy to read."""
    if size < 1_000:
        return f"{size} bytes"
    if size < 1_000_000:
        return f"{size / 1_000:.0f} kB"
    return f"{size / 1_000_000:,.1f} MB"


# The state of a run as text.

MOST_SHOWN = 60
MOST_JOBS = 12
MOST_OTHERS = 8  # figures that are of no seat, without -v
UNFINISHED = "unfinished"
SHARES = frozenset(("win", "outright", "went out", "blown", "unfinished", "shared", "decisions"))
MOST_FIGURES = 2  # jobs; of more, the last one's


def runs_text(status: RunStatus, verbose: bool = False) -> RenderableType:
    """How far a run is, and what its last job has found so far; verbose: all jobs."""
    if verbose:
        return _all(status)
    job = status.jobs[-1] if status.jobs else None
    parts: list[RenderableType] = [Text(_asked(status.question), style="dim"), Text()]
    parts.append(Text(f"▶ {_progress(status)}", style="bold"))
    if job is None or not job.figures:
        return Group(*parts, Text(), Text("More: -v", style="dim"))
    figures = {name: Estimate.from_json(figure) for name, figure in job.figures.items()}
    seats, others = _by_seat(figures)
    if seats:
        heads = list(seats[0])
        rows = [
            (
                f"player {seat + 1}",
                *(_value(estimates[name], is_share(status.question, name)) for name in heads),
            )
            for seat, estimates in seats.items()
            if list(estimates) == heads
        ]
        parts += [Text(), table(["", *(name.replace("_", " ") for name in heads)], rows)]
    rest = [
        (name.replace("_", " "), _value(figure, is_share(status.question, name)))
        for name, figure in others.items()
        if name != UNFINISHED or figure.value
    ]
    if rest:
        parts += [Text(), table(["", "value"], rest[:MOST_OTHERS])]
    left = len(rest) - MOST_OTHERS
    more = f"{left} more: -v" if left > 0 else "More: -v"
    sure = f"After {job.figures_games:,} games; ± is a 95 % interval. {more}"
    return Group(*parts, Text(), Text(sure, style="dim"))


def _asked(question: Mapping[str, Any]) -> str:
    """The question of a run in a line."""
    parts = [str(question.get("command", "")), _shown(question.get("rules", ""))]
    if "players" in question:
        parts.append(f"{question['players']} players")
    named = question.get("policies") or question.get("policy")
    if named:
        parts.append(_shown(list(dict.fromkeys(named)) if isinstance(named, list) else named))
    return " · ".join(part for part in parts if part)


def _progress(status: RunStatus) -> str:
    """How far it is, in a sentence."""
    games = sum(min(job.games, job.asked) for job in status.jobs)
    if status.state == DONE or not status.jobs:
        return f"{status.state.capitalize()}: {games:,} games."
    resumes = " The same command resumes." if status.state == STOPPED else ""
    return f"{_state(status)}.{resumes}"


def _by_seat(
    figures: Mapping[str, Estimate],
) -> tuple[dict[int, dict[str, Estimate]], dict[str, Estimate]]:
    """Figures of each seat by measure, and all others."""
    seats: dict[int, dict[str, Estimate]] = {}
    others = {}
    for name, figure in figures.items():
        measure, of, seat = name.partition(" seat ")
        if of and seat.isdigit():
            seats.setdefault(int(seat), {})[measure] = figure
        else:
            others[name] = figure
    return seats, others


def _all(status: RunStatus) -> RenderableType:
    """The question, a row for each job, and the results so far."""
    question = dict(status.question)
    command = question.pop("command", "")
    words = [f"{name}: {_shown(value)}" for name, value in question.items()]
    parts: list[RenderableType] = [
        Text(f"{command}   {', '.join(words)}", style="dim"),
        Text(_state(status), style="bold"),
        Text(),
    ]
    shown = status.jobs[-MOST_JOBS:]
    if len(shown) < len(status.jobs):
        parts.append(Text(f"{len(status.jobs) - len(shown)} earlier jobs are done", style="dim"))
    if shown:
        heads = ["job", "games", "of", "", "per second", "left"]
        named = any(job.stage for job in shown)
        parts.append(table([*heads, ""] if named else heads, [_row(job, named) for job in shown]))
    for job in shown:
        if job.games > job.asked:
            more = (
                f"{job.games:,} games of {job.key} are kept; the last command wanted {job.asked:,}"
            )
            parts.append(Text(more, style="dim"))
    if status.settled:
        parts.append(Text(f"Kept: {', '.join(status.settled)}", style="dim"))
    for job in shown if len(status.jobs) <= MOST_FIGURES else shown[-1:]:
        rows = [
            (name, _value(Estimate.from_json(figure), is_share(status.question, name)))
            for name, figure in list(job.figures.items())[:MOST_SHOWN]
        ]
        if rows:
            head = Text(f"So far, after {job.figures_games:,} games of {job.key}", style="dim")
            parts += [Text(), head, table(["", "value"], rows)]
    if any(job.figures for job in shown):
        parts.append(
            Text("· 95 % intervals, as if exactly these games had been planned", style="dim")
        )
    return Group(*parts)


def _state(status: RunStatus) -> str:
    if status.state == DONE or not status.jobs:
        return status.state.capitalize()
    last = status.jobs[-1]
    text = f"{status.state.capitalize()} at {min(last.games, last.asked):,} of {last.asked:,} games"
    if last.stage is None:
        return text
    left = last.seconds_left
    return f"{text}, {last.stage.name}" + ("" if left is None else f"; at most {_time(left)} left")


def _row(job: JobStatus, named: bool) -> tuple[str, ...]:
    left = max(0, job.asked - job.games) / job.rate if job.rate else None
    cells = (
        job.key,
        f"{min(job.games, job.asked):,}",
        f"{job.asked:,}",
        f"{100 * min(job.games, job.asked) / job.asked:.0f} %" if job.asked else "",
        f"{job.rate:,.0f}",
        "" if left is None else _time(left),
    )
    return (*cells, job.stage.name if job.stage else "") if named else cells


def _time(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def _shown(value: Any) -> str:
    return " ".join(str(item) for item in value) if isinstance(value, list) else str(value)


def is_share(question: Mapping[str, Any], name: str) -> bool:
    """Whether a figure that a command keeps under a name is a share, shown in per cent."""
    if question.get("command") == "tune":  # its figures are named after policies
        return question.get("objective") == "win"
    measure = name.partition(":")[0].partition(" seat ")[0].replace("_", " ")
    return measure in SHARES or (question.get("command") == "tournament" and name[:4] == "win ")


def _value(estimate: Estimate, share: bool) -> str:
    """A value with its half-width, in per cent for shares."""
    return percent(estimate) if share else number(estimate)


# What was compiled ahead, as text.

MOST_NAMED = 3  # rule sets


def warm_text(warmed: Warmed, keeping: str) -> RenderableType:
    """What was done, how long it took, and what follows; keeping: where machine code is kept."""
    rules = warmed.rules if len(warmed.rules) <= MOST_NAMED else (f"{len(warmed.rules)} rule sets",)
    about = ", ".join(rules)
    if warmed.nothing:
        first = f"Nothing to compile for {about}: all of it is there."
    else:
        made = [
            f"{count:,} {what}{'' if count == 1 else 's'}"
            for count, what in ((warmed.functions, "function"), (warmed.tables, "table"))
            if count
        ]
        first = f"Made {' and '.join(made)} for {about} in {warmed.seconds:.0f} s; {keeping}."
    lines = [Text(first, style="bold"), Text("Questions about them are now answered at once.")]
    lines += [Text(f"Left out: {what} ({why})", style="dim") for what, why in warmed.left_out]
    return Group(*lines)
