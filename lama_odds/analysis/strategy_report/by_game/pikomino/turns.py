"""Sections of Pikomino: chances of a turn, stop or roll on, what a steal is worth. All exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import POINTS_OF_CHANCE, listed
from lama_odds.games.interface.objectives import ThresholdTable

STOP_LIMIT = 2.0  # worms: colours are full from here on
MOST_SIZES = 4
RARE, OFTEN = 10, 80  # per cent of cases: hardly ever, mostly
# Columns of steals: in the game they are about the chance to win.
TITLES = {"steal adds": f"not stealing costs, {POINTS_OF_CHANCE}"}
KINDS = {"steal chance": "share", "better on": "share"}
KINDS |= dict.fromkeys(("steal adds", "least", "most"), "change")
NAMES = {"reach": "at least", "exact": "exactly"}


def reach_curves(groups: Mapping[str, Mapping[str, Estimate]]) -> doc.Curves:
    """Chances to reach and to hit each total, as curves."""
    lines = tuple(
        doc.line_of(NAMES.get(group, group), [(float(total), e) for total, e in found.items()])
        for group, found in groups.items()
    )
    ends = "; ".join(f"{x.label} {100 * x.y[0]:.0f} % to {100 * x.y[-1]:.1f} %" for x in lines)
    return doc.Curves(
        "reach",
        "What the dice can reach",
        f"Curves of the chances from total {lines[0].x[0]:g} to {lines[0].x[-1]:g}: {ends}.",
        "total aimed at (with a worm)",
        "chance",
        lines,
        share=True,
    )


def reach_section(ask: doc.Ask) -> doc.Section:
    """Chances to reach and to hit each total from the start of a turn."""
    groups = ask.game.odds_groups(ask.rules, ask.game.position(ask.rules, ""))
    figure = reach_curves(groups)
    reach, exactly = (list(found.items()) for found in groups.values())
    half = [int(total) for total, e in reach if e.value >= 0.5]
    rows = tuple(
        (int(total), e, other) for (total, e), (_, other) in zip(reach, exactly, strict=True)
    )
    columns = doc.columns_of("total", "at least|share", "exactly|share")
    said = (
        f"If you play a turn only to reach a total, you reach {max(half)} or more at least every "
        f"other time. You hit exactly {exactly[0][0]} in {100 * exactly[0][1].value:.0f} % of "
        "turns."
        if half
        else "You reach no total every other time."
    )
    return doc.Section(
        "reach",
        "What a turn can reach",
        doc.EXACT,
        "Every roll of the turn. Each total is the only aim; tiles are ignored.",
        findings=(said,),
        story=("reach",),
        figures=(replace(figure, title=titles.of_reach(figure.lines[0])),),
        tables=(doc.Table("reach", "Chances at the start of a turn", columns, rows),),
    )


def stop_map(found: ThresholdTable) -> doc.HeatMap:
    """Stop or roll on, as a map by total and dice left."""
    cells: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for row in found.rows:
        cells.setdefault((row["dice"], row["total"]), []).append(row)
    totals = sorted({total for _, total in cells})
    dice = sorted({left for left, _ in cells})
    values = tuple(tuple(_gain(cells.get((left, total))) for left in dice) for total in totals)
    texts = tuple(tuple(_part(cells.get((left, total))) for left in dice) for total in totals)
    return doc.HeatMap(
        "stop_or_roll",
        _stop_said(found).partition(". ")[0].removesuffix(".") + ".",
        "A map by dice left (columns) and total (rows). " + _stop_said(found),
        "dice left",
        "your total (with a worm)",
        tuple(map(str, dice)),
        tuple(map(str, totals)),
        values,
        texts,
        "roll",
        "stop",
        "what rolling on costs, worms (mean over the faces kept)",
        STOP_LIMIT,
    )


def stop_section(found: ThresholdTable) -> doc.Section:
    """Stop or roll on, by total and dice left."""
    columns = doc.columns_of("total", "dice left", "faces kept|text", "stop", "roll", "better|text")
    rows = tuple(tuple(row.values()) for row in found.rows)
    return doc.Section(
        "stop_or_roll",
        "Stop, or roll on",
        doc.EXACT,
        "All tiles lie in the centre and you have none. You play the turn for worms.",
        headlines=(_stop_said(found),),
        text=(
            "It matters, too, which faces you have kept. Where the answer depends on them, a field "
            "shows in how many of the cases rolling on is right: 3/7 means in three of seven.",
        ),
        story=("stop_or_roll",),
        figures=(stop_map(found),),
        tables=(
            doc.Table(
                "stop_or_roll", "Every state", columns, rows, long=True, note=f"{found.title}."
            ),
        ),
    )


def _gain(rows: Sequence[Mapping[str, Any]] | None) -> float | None:
    if not rows:
        return None
    return float(sum(row["stop"].value - row["roll"].value for row in rows) / len(rows))


def _part(rows: Sequence[Mapping[str, Any]] | None) -> str:
    """In how many of the cases rolling is better, where that differs."""
    if not rows:
        return ""
    rolls = sum(row["better"] == "roll" for row in rows)
    return f"{rolls}/{len(rows)}" if 0 < rolls < len(rows) else ""


def _stop_said(found: ThresholdTable) -> str:
    """With how many dice left to roll on, and with how many to stop."""
    rolls: dict[int, list[bool]] = {}
    for row in found.rows:
        rolls.setdefault(row["dice"], []).append(row["better"] == "roll")
    part = {left: 100 * sum(better) / len(better) for left, better in sorted(rolls.items())}
    by_word: dict[str, list[int]] = {}
    for left, share in part.items():
        by_word.setdefault(_how(share), []).append(left)
    open_ = by_word.pop("", [])
    rules = [f"{how} with {_dice(numbers)} left" for how, numbers in by_word.items()]
    said = [f"Once you can take a tile, {'; '.join(rules)}."] if rules else []
    said += [
        f"With {_dice([left])} left it depends on your total: rolling on is right in "
        f"{part[left]:.0f} % of cases."
        for left in open_
    ]
    return " ".join(said)


def _how(share: float) -> str:
    """What to do where rolling is right in this percentage of cases; empty if it depends."""
    if share in (0, 100):
        return "roll on" if share else "stop"
    return "hardly ever roll on" if share < RARE else "mostly roll on" if share > OFTEN else ""


def _dice(numbers: Sequence[int]) -> str:
    """``one die``, ``two or three dice``."""
    words = listed([doc.SMALL[n] if n < len(doc.SMALL) else str(n) for n in numbers], "or")
    return f"{words} {'die' if list(numbers) == [1] else 'dice'}"


def steals_section(ask: doc.Ask) -> doc.Section | None:
    """What a steal is worth: in the turn, and in the two-player game; None if tiles are too few."""
    found_tables = ask.game.exact_tables(ask.rules, 2)
    tables = [t for t in found_tables if t.name.startswith("steals") and t.rows]
    if not tables:
        return None
    figures: list[doc.Figure] = []
    shown = []
    said: list[str] = []
    for found in tables:
        columns = tuple(
            doc.Column(TITLES.get(name, name), KINDS.get(name, "number")) for name in found.rows[0]
        )
        rows = tuple(tuple(row.values()) for row in found.rows)
        title, _, note = found.title.partition(": ")
        shown.append(doc.Table(found.name, title, columns, rows, long=True, note=f"{note}."))
        if found.name == "steals_in_the_game":
            figures.append(_added(found))
            said.append(_added_said(found))
        else:
            figures.insert(0, _chances(found))
    return doc.Section(
        "steals",
        "What a steal is worth",
        doc.EXACT,
        "Two players. In a turn, the tile is on your opponent's stack and all other tiles lie in "
        "the centre. In the game, all boards with a number of tiles in play, with best play on "
        "both sides.",
        findings=tuple(said),
        figures=tuple(figures),
        tables=tuple(shown),
    )


def _chances(found: ThresholdTable) -> doc.Curves:
    sizes = sorted({row["board"] for row in found.rows}, reverse=True)[::2] or [0]
    lines = tuple(
        doc.line_of(
            f"{size} tiles in play",
            [(float(r["tile"]), r["steal chance"]) for r in found.rows if r["board"] == size],
        )
        for size in sizes
    )
    return doc.Curves(
        "steal_chance",
        titles.of_ends(
            lines[0],
            "Aiming at tile {first}, a turn ends with the steal in {at_first} of cases; at {last}, "
            "in {at_last}.",
        )
        if lines[0].x
        else "",
        "A curve for each size of the board: chance that the best turn for worms ends with the "
        "steal, by number of the tile.",
        "tile on the opponent's stack",
        "chance of the steal",
        lines,
        share=True,
    )


def _added(found: ThresholdTable) -> doc.Curves:
    sizes = sorted({row["tiles"] for row in found.rows}, reverse=True)[:MOST_SIZES]
    lines = []
    for size in sizes:
        rows = [row for row in found.rows if row["tiles"] == size]
        name = f"{size} tiles in play"
        lines.append(doc.banded(name, rows, "tile", "steal adds", "least", "most"))
    return doc.Curves(
        "steal_adds",
        _added_said(found).partition(". ")[0] + ".",
        "A small curve for each number of tiles in play: what it costs of the chance to win to "
        "take the next lower tile instead of the steal. Mean over all boards, the band from the "
        "lowest to the highest.",
        "tile on the opponent's stack",
        POINTS_OF_CHANCE,
        tuple(lines),
        share=True,
        zero=("don't steal", "steal"),
        panels=True,
    )


def _added_said(found: ThresholdTable) -> str:
    boards = sum(row["boards"] for row in found.rows)
    mean = sum(row["boards"] * row["steal adds"].value for row in found.rows) / boards
    better = sum(row["boards"] * row["better on"].value for row in found.rows) / boards
    least: Estimate = min((row["least"] for row in found.rows), key=lambda e: e.value)
    worse = (
        f" On the worst board, stealing costs {-100 * least.value:.0f} {POINTS_OF_CHANCE}."
        if least.value < 0
        else ""
    )
    return (
        f"Near the end of a two-player game, passing up a steal costs {100 * mean:.0f} "
        f"{POINTS_OF_CHANCE} of winning chance on average. Stealing is right on "
        f"{100 * better:.1f} % of {boards:,} boards.{worse}"
    )
