"""What `tune` found, as text."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.tune import Tuned
from lama_odds.report.text import number, table


def tuned_text(found: Tuned) -> RenderableType:
    """The policy, its value on fresh games, the plateau, and the luck of the search."""
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
    what = "share of the win" if share else "points a round, or worms a game"
    plateau = ", ".join(tried.policy for tried in found.plateau)
    lines = [
        f"{what}; {found.games:,} fresh games, {found.search_games:,} in the search, "
        f"seed {found.seed}, {found.seconds:.1f} s",
        f"plateau, not shown to be worse in the last race: {plateau}",
        f"the search itself saw {number(found.searched, share)}: "
        f"{'luck' if found.luck else 'no luck'} of {_difference(found, share)}",
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
    if policy == found.policy:
        return "chosen"
    return "plateau" if any(t.policy == policy for t in found.plateau) else "dropped"


def _difference(found: Tuned, share: bool) -> str:
    return f"{100 * found.luck:+.2f} %" if share else f"{found.luck:+.3f}"
