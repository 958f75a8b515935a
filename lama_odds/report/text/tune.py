"""What `tune` found, as text."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.tune.tune import ZONE, Tuned
from lama_odds.report.text.answers import number, table
from lama_odds.statistics.survivors import ALIKE, BEHIND, STAYED


def tuned_text(found: Tuned) -> RenderableType:
    """The policy, its value on fresh games, the plateau, and what fresh games made of its value."""
    share = found.objective == "win"
    head = Text(
        f"{found.rules}   {found.players} players, {found.family} against {found.against}",
        style="dim",
    )
    fair = f" (fair: {100 * found.fair:.1f} %)" if found.fair is not None else ""
    verdict = f"{found.policy}: {number(found.value, share)}{fair}, on fresh games"
    rows = [
        (t.policy, number(t.value, share), f"{t.value.n:,}", _state(found, t.policy))
        for t in found.tried
    ]
    plateau = ", ".join(tried.policy for tried in found.plateau)
    lines = [
        f"{_unit(found)}; {found.games:,} fresh games, {found.search_games:,} in the search, "
        f"seed {found.seed}, {found.seconds:.1f} s",
        f"plateau, not shown to be worse in the last race: {plateau}",
        *_alike(found),
        f"the search itself saw {number(found.searched, share)} of its winner, "
        f"fresh games {_apart(found, share)}",
        "every policy in each seat in turn, all on the same deals",
    ]
    return Group(
        head,
        Text(verdict, style="bold"),
        Text(),
        Text("The last race", style="bold"),
        table(["", "value", "games", ""], rows),
        Text(),
        Text("\n".join(f"· {line}" for line in lines), style="dim"),
    )


def _state(found: Tuned, policy: str) -> str:
    """What became of a candidate, in a word."""
    if policy == found.policy:
        return "chosen"
    state = next(tried.state for tried in found.tried if tried.policy == policy)
    return {STAYED: "plateau", ALIKE: "alike", BEHIND: "dropped"}[state]


def _unit(found: Tuned) -> str:
    """What values count, and which are good."""
    if found.objective == "win":
        return "share of the win"
    return f"{found.unit} a game" if found.higher else "points a round, the fewer the better"


def _alike(found: Tuned) -> list[str]:
    """What alike means, if any candidate is."""
    if all(tried.state != ALIKE for tried in found.tried):
        return []
    zone = ZONE[found.objective]
    limit = f"{100 * zone:g} %" if found.objective == "win" else f"{zone:g}"
    return [f"alike: as good as one that stayed, within {limit}; not played on"]


def _apart(found: Tuned, share: bool) -> str:
    """How much less or more fresh games give than the search saw, with the error of that."""
    luck = found.luck
    if luck.value == 0:
        return "the same"
    if luck.value > 0:
        return f"{number(luck, share)} less"
    more = replace(luck, value=-luck.value, low=-luck.high, high=-luck.low)
    return f"{number(more, share)} more"
