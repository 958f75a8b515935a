"""Simulated games: winner and length of a game in a sentence, then a row per player."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.simulate import Simulated
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import brief, listed, number, percent, widest
from lama_odds.report.terminal import Fitted, table

BLOWN = "blown"
SHARES = ("win", "outright", "went_out", BLOWN)
HEADS = {"win": "wins", "score": "final score", "penalty": "points", "worms": "worms"}
WIN = "win"
# Measures of the whole table as a part of a sentence.
LENGTHS = {
    "rounds": "a game takes {} rounds",
    "turns": "{} turns are played",
    "actions": "a round has {} actions",
    "went_out": "somebody goes out in {} of the rounds",
    BLOWN: "{} of the rounds are blown",
    "busts": "{} turns are bust",
    "steals": "{} tiles are stolen",
}


def simulated_text(done: Simulated, verbose: bool = False) -> RenderableType:
    """What happened, then a row per player; verbose: every measure with its interval."""
    if verbose:
        return _all(done)
    what = "rounds" if done.rounds else "games"
    played = what if done.games != 1 else what.removesuffix("s")
    head = f"{titled(done)} · {done.players} players · {done.games:,} {played}"
    lines = [f"▶ {_who_wins(done)}", f"  On average {_listed(done)}."]
    names = [name for name in done.seats[0] if name in HEADS]
    rows = _rows(done, names, lambda name, value: brief(value, name in SHARES))
    errors = ", ".join(
        f"{HEADS[name]} {widest([seat[name] for seat in done.seats], name in SHARES)}"
        for name in names
    )
    return Group(
        Text(head, style="dim"),
        Text(),
        *(Text(line, style="bold") for line in lines),
        Text(),
        Fitted(("", "policy", *(HEADS[name] for name in names)), rows, left=(0, 1)),
        Text(),
        Text(f"95 % intervals: {errors}. Seed {done.seed}. More: -v", style="dim"),
    )


def _rows(
    done: Simulated, names: list[str], shown: Callable[[str, Estimate], str]
) -> tuple[tuple[str, ...], ...]:
    """A row per player: its policy, and these measures."""
    return tuple(
        (f"player {seat + 1}", done.policies[seat], *(shown(n, measures[n]) for n in names))
        for seat, measures in enumerate(done.seats)
    )


def _who_wins(done: Simulated) -> str:
    """Whether the players differ, and which of them is ahead."""
    by = WIN if WIN in done.seats[0] else "penalty"
    values = [seat[by] for seat in done.seats]
    share = by in SHARES
    best = (max if share else min)(values, key=lambda value: value.value)
    seat = values.index(best)
    certain = all(
        (best.low > value.high) if share else (best.high < value.low)
        for value in values
        if value is not best
    )
    name = f"Player {seat + 1} ({done.policies[seat]})"
    if certain and share:
        return f"{name} wins most: {brief(best, share)} of the games."
    if certain:
        return f"{name} loses the fewest points: {brief(best)} per round."
    if len(set(done.policies)) == 1:
        return f"All play {done.policies[0]}; no player is clearly the best."
    return "Too close to call: no player is shown to be ahead of all others."


def _listed(done: Simulated) -> str:
    """Measures of the whole table, in a sentence."""
    clauses = [
        LENGTHS[name].format(brief(value, name in SHARES))
        for name, value in _counted(done)
        if name in LENGTHS
    ]
    clauses += [
        f"{name.replace('_', ' ')} is {brief(value, name in SHARES)}"
        for name, value in _counted(done)
        if name not in LENGTHS
    ]
    return listed(clauses)


def _counted(done: Simulated) -> list[tuple[str, Estimate]]:
    """Measures of the whole table; no round of cards is blown."""
    return [(name, value) for name, value in done.table.items() if name != BLOWN or value.value]


def _all(done: Simulated) -> RenderableType:
    """A row per player, then the measures of the whole table."""
    names = list(done.seats[0])
    rest = [(name.replace("_", " "), _measure(name, value)) for name, value in _counted(done)]
    what = "rounds" if done.rounds else "games"
    speed = f", {done.games_per_second:,.0f} {what} per second" if done.seconds else ""
    return Group(
        Text(
            f"{titled(done)}   {done.players} players, {done.games:,} {what}, seed {done.seed}",
            style="dim",
        ),
        Text(),
        Text(f"▶ {_who_wins(done)}", style="bold"),
        Text(),
        table(["", "policy", *(n.replace("_", " ") for n in names)], _rows(done, names, _measure)),
        Text(),
        table(["", f"per {what[:-1]}"], rest),
        Text(
            f"· 95 % intervals, each on its own; {done.seconds:.2f} s on {done.threads} "
            f"threads{speed}\n· players in the order of their seats; ties share a win, outright is "
            "a win that is not shared",
            style="dim",
        ),
    )


def _measure(name: str, estimate: Estimate) -> str:
    return percent(estimate) if name in SHARES else number(estimate)
