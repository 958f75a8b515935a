"""The state of a run as text."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.core.estimate import Estimate
from lama_odds.report.text import number, table
from lama_odds.simulation.status import DONE, JobStatus, RunStatus

MOST_SHOWN = 60


def runs_text(status: RunStatus) -> RenderableType:
    """What was asked, a row for each job, and what has been found so far."""
    asked = dict(status.question)
    command = asked.pop("command", "")
    words = [f"{name}: {_shown(value)}" for name, value in asked.items()]
    parts: list[RenderableType] = [
        Text(f"{command}   {', '.join(words)}", style="dim"),
        Text(_state(status), style="bold"),
        Text(),
        table(["job", "games", "of", "", "a second", "left"], [_row(job) for job in status.jobs]),
    ]
    for job in status.jobs:
        rows = [
            (name, number(Estimate(**found)), f"{_half(found):.2g}")
            for name, found in list(job.figures.items())[:MOST_SHOWN]
        ]
        if rows:
            head = Text(f"So far, after {job.figures_games:,} games of {job.key}", style="dim")
            parts += [Text(), head, table(["", "value", "half-width"], rows)]
    return Group(*parts, Text("· 95 % intervals, as after so many games", style="dim"))


def _state(status: RunStatus) -> str:
    if status.state == DONE or not status.jobs:
        return status.state.capitalize()
    last = status.jobs[-1]
    return f"{status.state.capitalize()} at {last.games:,} of {last.asked:,} games"


def _row(job: JobStatus) -> tuple[str, ...]:
    left = max(0, job.asked - job.games) / job.rate if job.rate else None
    return (
        job.key,
        f"{job.games:,}",
        f"{job.asked:,}",
        f"{100 * job.games / job.asked:.0f} %" if job.asked else "",
        f"{job.rate:,.0f}",
        "" if left is None else f"{left:,.0f} s" if left < 7200 else f"{left / 3600:,.1f} h",
    )


def _shown(value: Any) -> str:
    return " ".join(str(item) for item in value) if isinstance(value, list) else str(value)


def _half(found: dict[str, Any]) -> float:
    return (float(found["high"]) - float(found["low"])) / 2
