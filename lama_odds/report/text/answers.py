"""Answers as text that a player likes to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.odds import Odds
from lama_odds.analysis.simulate import Simulated
from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal.console import Screen
from lama_odds.report.terminal.fitted import Fitted, Meanings

WIDTH = 160  # of text that goes to a file or another program


def printed(answer: RenderableType, width: int | None = WIDTH, plain: bool = False) -> str:
    """An answer as it is printed; width None: that of the terminal; plain: without any style."""
    terminal = False if plain else None
    console = Screen(
        width=width, highlight=False, force_terminal=terminal, force_jupyter=False, no_color=plain
    )
    with console.capture() as captured:
        # What must stay on one line (a position to be copied) may be wider than the screen.
        console.print(answer, crop=False)
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def sentence(text: str) -> str:
    """A text with a capital."""
    return text[:1].upper() + text[1:]


def number(estimate: Estimate, share: bool = False) -> str:
    """A value with its half-width, as many digits as it deserves."""
    if share:
        return percent(estimate)
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return (
            f"{estimate.value:.4f}".rstrip("0").rstrip(".")
            if estimate.n == 0
            else f"{estimate.value:.3f}"
        )
    digits = 4 if half < 0.001 else 3 if half < 0.01 else 2
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def percent(estimate: Estimate) -> str:
    """A share in per cent with its half-width."""
    half = 50 * (estimate.high - estimate.low)
    if half == 0:
        return f"{100 * estimate.value:.2f} %"
    digits = 2 if half < 0.1 else 1
    return f"{100 * estimate.value:.{digits}f} ± {half:.{digits}f} %"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], keys: int = 1) -> Fitted:
    """A table without ruling lines; the first column to the left, the others to the right.

    keys: how many columns tell what a row is about: where all is too wide for the screen, it is
    shown in parts that each have them.
    """
    return Fitted(tuple(columns), tuple(map(tuple, rows)), keys)


def odds_text(odds: Odds) -> RenderableType:
    """Chances by name; means first."""
    rows = []
    for name, estimate in odds.events.items():
        mean = name.startswith("mean ")
        rows.append((name, number(estimate) if mean else percent(estimate)))
    title = Text(f"{odds.rules}   {odds.position or 'deal'}", style="dim")
    if not rows:
        return Group(
            title, Text("Nothing here is left to chance: there is no draw or roll to come.")
        )
    parts: list[RenderableType] = [title, table(["", "chance"], rows)]
    if odds.groups:
        names = list(next(iter(odds.groups.values())))
        shown = (
            [name, *(percent(group[name]) for group in odds.groups.values())] for name in names
        )
        parts += [Text(), table(["", *odds.groups], shown)]
    notes = ("exact", *odds.assumptions)
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def simulated_text(done: Simulated) -> RenderableType:
    """A row a seat, then the measures of the whole table."""
    names = list(done.seats[0])
    rows = [
        (f"seat {seat}", done.policies[seat], *(_measure(name, measures[name]) for name in names))
        for seat, measures in enumerate(done.seats)
    ]
    rest = [(name.replace("_", " "), _measure(name, value)) for name, value in done.table.items()]
    what = "rounds" if done.rounds else "games"
    speed = f"{done.games / done.seconds:,.0f} {what} a second" if done.seconds else ""
    return Group(
        Text(
            f"{done.rules}   {done.players} players, {done.games:,} {what}, seed {done.seed}",
            style="dim",
        ),
        table(["", "policy", *names], rows),
        Text(),
        table(["", f"per {what[:-1]}"], rest),
        Text(
            f"· 95 % intervals; {done.seconds:.2f} s on {done.threads} threads, {speed}",
            style="dim",
        ),
    )


def _measure(name: str, estimate: Estimate) -> str:
    return (
        percent(estimate) if name in ("win", "outright", "went_out", "blown") else number(estimate)
    )


def listing(rows: Iterable[tuple[str, str]], columns: tuple[str, str]) -> Meanings:
    """Names with their meanings, wrapped."""
    return Meanings(columns, tuple(rows))
