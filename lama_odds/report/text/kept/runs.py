"""The state of a run as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.core.estimate import Estimate
from lama_odds.report.text.answers import number, percent, table
from lama_odds.simulation.status import DONE, JobStatus, RunStatus

MOST_SHOWN = 60
MOST_JOBS = 12
SHARES = frozenset(("win", "outright", "went out", "blown", "unfinished", "shared", "decisions"))
MOST_FIGURES = 2  # jobs; of more, the last one's


def runs_text(status: RunStatus) -> RenderableType:
    """What was asked, a row for each job, and what has been found so far."""
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
        heads = ["job", "games", "of", "", "a second", "left"]
        named = any(job.stage for job in shown)
        parts.append(table([*heads, ""] if named else heads, [_row(job, named) for job in shown]))
    for job in shown:
        if job.games > job.asked:
            more = f"{job.games:,} games of {job.key} are kept, {job.asked:,} were last asked for"
            parts.append(Text(more, style="dim"))
    if status.settled:
        parts.append(Text(f"Kept: {', '.join(status.settled)}", style="dim"))
    for job in shown if len(status.jobs) <= MOST_FIGURES else shown[-1:]:
        rows = [
            (name, *_value(Estimate.from_json(found), is_share(status.question, name)))
            for name, found in list(job.figures.items())[:MOST_SHOWN]
        ]
        if rows:
            head = Text(f"So far, after {job.figures_games:,} games of {job.key}", style="dim")
            parts += [Text(), head, table(["", "value", "half-width"], rows)]
    if any(job.figures for job in shown):
        parts.append(Text("· 95 % intervals, as after so many games", style="dim"))
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


def _value(found: Estimate, share: bool) -> tuple[str, str]:
    """A value and its half-width, in per cent for shares."""
    half = (found.high - found.low) / 2
    if share:
        return percent(found), f"{100 * half:.2g} %"
    return number(found), f"{half:.2g}"
