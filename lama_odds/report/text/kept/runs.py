"""The state of a run as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.core.estimate import Estimate
from lama_odds.report.text.answers import number, percent, table
from lama_odds.simulation.status import DONE, STOPPED, JobStatus, RunStatus

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
    figures = {name: Estimate.from_json(found) for name, found in job.figures.items()}
    seats, others = _by_seat(figures)
    if seats:
        heads = list(seats[0])
        rows = [
            (f"player {seat + 1}", *(_value(each[name], _share(status, name)) for name in heads))
            for seat, each in seats.items()
            if list(each) == heads
        ]
        parts += [Text(), table(["", *(name.replace("_", " ") for name in heads)], rows)]
    rest = [
        (name.replace("_", " "), _value(found, _share(status, name)))
        for name, found in others.items()
        if name != UNFINISHED or found.value
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
    for name, found in figures.items():
        measure, of, seat = name.partition(" seat ")
        if of and seat.isdigit():
            seats.setdefault(int(seat), {})[measure] = found
        else:
            others[name] = found
    return seats, others


def _share(status: RunStatus, name: str) -> bool:
    return is_share(status.question, name)


def _all(status: RunStatus) -> RenderableType:
    """The question, a row for each job, and the results so far."""
    asked = dict(status.question)
    command = asked.pop("command", "")
    words = [f"{name}: {_shown(value)}" for name, value in asked.items()]
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
            (name, _value(Estimate.from_json(found), is_share(status.question, name)))
            for name, found in list(job.figures.items())[:MOST_SHOWN]
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


def _value(found: Estimate, share: bool) -> str:
    """A value with its half-width, in per cent for shares."""
    return percent(found) if share else number(found)
