"""Thresholds by score as text: up to which penalty to quit, where winning the game counts."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.thresholds.answer import Limit, Row, Thresholds
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate, with_unit
from lama_odds.games.shared.score_bands import OTHER, OWN
from lama_odds.report.text.answers import table
from lama_odds.report.text.thresholds import precision_text

PAST = 3  # penalties shown after the last at which anything is open
CORNER = "your score, best other's →"


def game_thresholds_text(found: Thresholds, verbose: bool = False) -> RenderableType:
    """Where it turns by both scores, and what it is for points; verbose: all differences."""
    if verbose:
        return _all(found)
    first = found.actions[0]
    head = f"{titled(found)} · {found.players} players · {found.decisions}"
    grid = f"To win the game, {first} at this {found.label} or less (in brackets: not settled)"
    sure = (
        f"{precision_text(found)}{found.games:,} games, everybody plays {found.policy}; brackets "
        "are 95 % intervals. More: -v"
    )
    return Group(
        Text(head, style="dim"),
        Text(),
        Text(f"▶ {finding(found)}", style="bold"),
        Text(),
        Text(grid),
        _grid(found, 0),
        Text(),
        Text(sure, style="dim"),
    )


def finding(found: Thresholds) -> str:
    """The limit at the scores that occur most often, to win and for points."""
    first = found.actions[0]
    limit = max(found.limits, key=lambda each: each.met)
    band = found.band or 1
    own, other = (scores_text(limit.keys[key] or 0, band) for key in (OWN, OTHER))
    told = []
    for objective in (0, 1):
        at = limit.at[objective]
        told.append(f"never {first}" if at < 0 else f"{first} with {found.shown(at)} or less")
    against = f"at {with_unit(own)} against {other} of the best other player"
    if told[0] == told[1]:
        return f"To win the game, {told[0]} {against}: the same as for points."
    return f"To win the game, {told[0]} {against}. For points against the same players, {told[1]}."


def _all(found: Thresholds) -> RenderableType:
    """Where it turns by both scores, how sure that is, differences, how it was made."""
    first, second = found.actions
    last = found.shown(max(limit.perhaps[0] for limit in found.limits) + PAST) or 0
    parts: list[RenderableType] = [
        Text(f"{titled(found)}   {found.players} players, all {found.policy}", style="dim"),
        Text(f"Decisions {found.decisions}: {first} or {second}?", style="bold"),
    ]
    titles = (
        f"To win the game: {first} at this {found.label} or less (in brackets: not "
        "settled between)",
        f"For the fewest points per round, at the same decisions: {first} at this or less",
    )
    for at, title in enumerate(titles):
        parts += [Text(), Text(title, style="bold"), _grid(found, at)]
    parts += [Text(), Text("Around the turning point, to win", style="bold"), _near(found)]
    parts += [Text(), Text(f"{first.capitalize()} − {second}, chance to win in %", style="bold")]
    for own in _lows(found, OWN):
        parts += [_differences(found, own, last), Text()]
    return Group(*parts, _made(found))


def scores_text(low: int, band: int) -> str:
    """A band of scores by its lowest."""
    return f"{low}–{low + band - 1}" if band > 1 else str(low)


def _lows(found: Thresholds, key: str) -> list[int]:
    return sorted({limit.keys[key] or 0 for limit in found.limits})


def _grid(found: Thresholds, objective: int) -> RenderableType:
    """Own score down, the best other's score across."""
    band = found.band or 1
    by_scores = {(limit.keys[OWN], limit.keys[OTHER]): limit for limit in found.limits}
    others = _lows(found, OTHER)
    lines = []
    for own in _lows(found, OWN):
        cells = [by_scores.get((own, other)) for other in others]
        lines.append([scores_text(own, band), *(_limit(found, cell, objective) for cell in cells)])
    return table([CORNER, *(scores_text(other, band) for other in others)], lines)


def _limit(found: Thresholds, limit: Limit | None, objective: int) -> str:
    """The penalty, and its possible range if it is uncertain."""
    if limit is None:
        return ""
    at = limit.at[objective]
    shown = "never" if at < 0 else str(found.shown(at))
    certain, perhaps = limit.certain[objective], limit.perhaps[objective]
    if certain == perhaps:
        return shown
    return f"{shown} ({max(certain, 0)}–{max(perhaps, 0)})"


def _near(found: Thresholds) -> RenderableType:
    """For each two scores the differences on both sides of the turning point."""
    band = found.band or 1
    first, second = found.actions
    lines = []
    for limit in found.limits:
        sides = {row.keys["penalty"]: _at(found, row) for row in limit.near}
        before = [text for at, text in sides.items() if (at or 0) <= limit.at[0]]
        after = [text for at, text in sides.items() if (at or 0) > limit.at[0]]
        lines.append(
            [
                scores_text(limit.keys[OWN] or 0, band),
                scores_text(limit.keys[OTHER] or 0, band),
                f"{limit.met:.3f}",
                _limit(found, limit, 0),
                *(before or ["–"]),
                *(after or ["–"]),
                "yes" if limit.certain[0] == limit.perhaps[0] else "undecided",
            ]
        )
    columns = ["your score", "best other's", "per game", f"{first} at"]
    columns += [f"{first} − {second} there", "and at the next", "decided"]
    return table(columns, lines, keys=2)


def _at(found: Thresholds, row: Row) -> str:
    return f"{found.shown(row.keys['penalty'])}: {_percent(row.values['win'][2])} %"


def _percent(difference: Estimate) -> str:
    half = 50 * (difference.high - difference.low)
    return f"{100 * difference.value:+.2f} ± {half:.2f}"


def _differences(found: Thresholds, own: int, last: int) -> RenderableType:
    """Penalties down, scores of the best other across, for one own score."""
    band = found.band or 1
    others = _lows(found, OTHER)
    cells: dict[tuple[int, int], str] = {}
    for row in found.rows:
        shown = found.shown(row.keys["penalty"]) or 0
        if row.keys[OWN] == own and shown <= last:
            cells[shown, row.keys[OTHER] or 0] = _percent(row.values["win"][2])
    lines = [
        [str(penalty), *(cells.get((penalty, other), "") for other in others)]
        for penalty in sorted({penalty for penalty, _ in cells})
    ]
    head = f"your score {scores_text(own, band)}, {found.label}"
    return table([head, *(f"best other {scores_text(other, band)}" for other in others)], lines)


def _made(found: Thresholds) -> Text:
    first, second = found.actions
    return Text(
        f"{precision_text(found)}"
        f"· {first} − {second}: above 0, {first} is better; 95 % intervals, each on its own\n"
        f"· in brackets: clearly better to {first} at the first, clearly better to {second} after "
        "the second; the number itself is where that gains the most in all\n"
        "· scores: points in tokens at the decision; best other's: the lowest of all others; per "
        "game: how often such a decision arises\n"
        f"· {found.games:,} games, seed {found.seed}, {found.seconds:.1f} s; both actions with "
        "the same cards and dice to the end of the game\n"
        f"· everybody plays {found.policy} before and after\n"
        f"· --csv FILE has all {len(found.rows)} rows, with chances to win and points",
        style="dim",
    )
