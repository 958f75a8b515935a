"""Pikomino: first faces, win rates by worms ahead and tiles left; turns, stops, steals, exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.core.wording import POINTS_OF_CHANCE, listed, with_error
from lama_odds.games.interface.jobs import StandingsJob
from lama_odds.games.interface.objectives import ThresholdTable
from lama_odds.games.interface.tally_layout import ForkCell
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import ratio_of, share_of

KEEP_LIMIT = 1.0  # worms: colours are full from here on
MOST_PLAYED = 5_000  # games of each number of players
FEWEST_TURNS = 60  # cells with fewer are not drawn
FEWEST_WORTH = 30.0  # games that a cell is worth
SAID_AHEAD = 2  # worms: the lead that the short version tells of
FEWEST_LINES = 3  # points of a curve


def first_face_section(
    ask: doc.Ask, faces: ThresholdTable, thumbs: ThresholdTable
) -> doc.Section | None:
    """Which face of a first roll to keep, by number of dice showing it; None of a single die."""
    if all(row["ahead"] is None for row in faces.rows):
        return None
    columns = doc.columns_of(
        "face|text",
        "dice",
        "chance of this number|share",
        "best on|share",
        "keeping it costs",
        "the best other costs",
    )
    rows = tuple(tuple(row.values()) for row in faces.rows)
    thumb_columns = doc.columns_of("keep|text", "best on|share", "costs")
    thumb_rows = tuple(tuple(row.values()) for row in thumbs.rows)
    return doc.Section(
        "first_face",
        "Which face to keep first",
        doc.EXACT,
        f"All rolls of {ask.rules.dice} dice with their chances. All tiles lie in the centre, you "
        "have none, and you play the turn for worms.",
        headlines=tuple(_first_said(faces, thumbs)),
        text=(
            "Each field shows how often it is best to keep a face that this number of dice show. "
            "Its colour shows what it costs to keep the best other face instead.",
        ),
        lead=first_map(faces).title,
        story=("first_face",),
        figures=(first_map(faces),),
        tables=(
            doc.Table(
                "first_rules",
                "Rules of thumb for a first roll",
                thumb_columns,
                thumb_rows,
                note="Of equal faces the higher one counts, and worms before all. The share is "
                "that of rolls on which the rule is best; the cost is in worms per turn.",
            ),
            doc.Table("first_face", "Every face", columns, rows, long=True, note=f"{faces.title}."),
        ),
    )


def first_map(table: ThresholdTable) -> doc.HeatMap:
    """Keep a face or another, by face and number of dice showing it."""
    cells = {(row["face"], row["dice"]): row for row in table.rows}
    faces = list(dict.fromkeys(row["face"] for row in table.rows))
    dice = sorted({row["dice"] for row in table.rows if row["ahead"] is not None})
    lines = [[cells[face, number] for number in dice] for face in faces]
    worms = {dice: row["best on"].value for (face, dice), row in cells.items() if face == "W"}
    text = "; ".join(
        f"{face} {', '.join(per_cent(row['best on']) for row in line)}"
        for face, line in zip(faces, lines, strict=True)
    )
    return doc.HeatMap(
        "first_face",
        titles.of_first_face(worms, "worm") if worms else "No first roll shows a worm.",
        f"A map by face (rows) and number of dice showing it (columns, {dice[0]} to {dice[-1]}): "
        f"share of rolls on which keeping it is best. {text}.",
        "dice showing the face",
        "face",
        tuple(map(str, dice)),
        tuple("worm" if face == "W" else face for face in faces),
        tuple(tuple(row["ahead"].value for row in line) for line in lines),
        tuple(tuple(per_cent(row["best on"]) for row in line) for line in lines),
        "another",
        "this face",
        "what keeping the best other face costs, worms (mean)",
        KEEP_LIMIT,
    )


def per_cent(share: Estimate) -> str:
    """Whole per cent, rounded away from 0 and 100 where it is not quite that."""
    value = 100 * share.value
    if 0 < value < 1:
        return "<1 %"
    return ">99 %" if 99.5 <= value < 100 else f"{value:.0f} %"


def _first_said(faces: ThresholdTable, thumbs: ThresholdTable) -> list[str]:
    """What the best rule of thumb costs; how many worms are worth keeping."""
    least = min(thumbs.rows, key=lambda row: row["costs"].value)
    often, cost = per_cent(least["best on"]), f"{least['costs'].value:.2f} worms"
    sentences = [
        f"A rule of thumb for your first roll: keep {least['keep']}. It is best on {often} of "
        f"rolls and costs {cost} per turn."
    ]
    worms = {row["dice"]: row["best on"] for row in faces.rows if row["face"] == "W"}
    if 2 in worms:
        sentences.append(
            f"Keep a single worm first on only {per_cent(worms[1])} of the rolls that show one, "
            f"but two worms on {per_cent(worms[2])}."
        )
    return sentences


def standings_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """Chances to win by worms ahead and tiles left, from games of the best policy, if known."""
    parts, tables, findings, policies = [], [], [], {}
    games, far, interrupted = 0, 0, False
    tables_of = sorted({2, ask.players})
    number = min(MOST_PLAYED, ask.games)
    for at, players in enumerate(tables_of):
        policy = ask.game.best_policy(ask.rules, players)
        policies[policy.name] = players
        job = ask.game.standings(ask.rules, [policy] * players)
        assert job is not None, "the plan asks only games that have them"
        played = run(
            job.job,
            ask.seed,
            number,
            threads=ask.threads,
            progress=doc.part_of(progress, at, len(tables_of)),
        )
        games += played.games
        interrupted = interrupted or played.interrupted
        far = max(keys["worms ahead"] for keys in job.keys)
        rows = standings_of(job, played.tally)
        parts.append(_standing_curves(rows, players))
        tables.append(_standing_table(rows, players))
        findings += _standing_said(rows, players)
    names = " and ".join(map(str, tables_of))
    return doc.Section(
        "standings",
        "Chances to win, by worms ahead and tiles left",
        doc.SAMPLED,
        f"{number:,} games each of {names} players, in which all play the strongest policy known "
        f"({' or '.join(policies)}). The standing is noted before every turn. Bands are 95 % "
        "intervals that allow for several turns of one game.",
        findings=tuple(findings),
        text=(
            "The player to roll is ahead by its worms minus the most that another has; the "
            f"ends stand for {far} and more. Standings that occurred less than {FEWEST_TURNS} "
            "times are left out.",
        ),
        figures=(_together(parts),),
        tables=tuple(tables),
        games=games,
        interrupted=interrupted,
        story=("standings",),
    )


def standings_of(job: StandingsJob, tally: np.ndarray) -> list[dict[str, Any]]:
    """A row for each standing that occurred often enough: its keys, turns, chance to win."""
    rows = []
    for keys, row in zip(job.keys, tally, strict=False):
        cell = ForkCell(row)
        turns, squares = cell.decisions, cell.decisions_squared
        if turns < FEWEST_TURNS or turns**2 < FEWEST_WORTH * squares:
            continue
        won = ratio_of(*cell.first(0), job.unit)
        rows.append({**keys, "turns": turns, "win": as_share(won, turns**2 / squares)})
    return rows


def as_share(won: Estimate, games: float) -> Estimate:
    """A share with Wilson's interval, on as many games as it is worth (Korn & Graubard 1998).

    games: what it is worth at least: a number of equal groups (Kish 1965).
    """
    p = won.value
    worth = max(games, p * (1 - p) / won.stderr**2 if won.stderr > 0 else 0.0)
    whole = int(worth)
    wilson = share_of(p * whole, whole)
    return won.with_interval(min(p, wilson.low), max(p, wilson.high))


def _standing_curves(rows: Sequence[Mapping[str, Any]], players: int) -> doc.Curves:
    lines = []
    for left in dict.fromkeys(row["tiles left"] for row in rows):
        points = [(float(r["worms ahead"]), r["win"]) for r in rows if r["tiles left"] == left]
        if len(points) >= FEWEST_LINES:
            lines.append(doc.line_of(f"{left} left", points))
    ends = "; ".join(
        f"{line.label}: {100 * line.y[0]:.0f} % at {line.x[0]:g} to {100 * line.y[-1]:.0f} % at "
        f"{line.x[-1]:+g}"
        for line in lines
    )
    return doc.Curves(
        f"standings_{players}",
        f"{players} players",
        f"{players} players: win rate of the player to roll, by worms ahead, a curve for each "
        f"number of tiles left in the centre. {ends}.",
        "worms ahead of the best other player",
        "win rate of the\nplayer to roll",
        tuple(lines),
        share=True,
    )


def _together(parts: Sequence[doc.Curves]) -> doc.Figure:
    lines = [line for line in parts[-1].lines if line.x]
    title = f"With {parts[-1].title} no lead occurred often enough."
    if lines:
        left = lines[-1].label.replace(" left", " tiles left")
        opening = f"With {parts[-1].title} and {left}, the player to roll wins {{at_first}}"
        title = titles.of_ends(lines[-1], opening + " at {first} worms and {at_last} at {last}.")
    if len(parts) == 1:
        return replace(parts[0], name="standings", title=title)
    return doc.Beside("standings", title, " ".join(part.alt for part in parts), tuple(parts))


def _standing_table(rows: Sequence[Mapping[str, Any]], players: int) -> doc.Table:
    columns = doc.columns_of("tiles left|text", "worms ahead", "turns", "win|share")
    cells: tuple[tuple[doc.Cell, ...], ...] = tuple(tuple(row.values()) for row in rows)
    title = f"{players} players: win rate of the player to roll"
    return doc.Table(f"standings_{players}", title, columns, cells, long=True)


def _standing_said(rows: Sequence[Mapping[str, Any]], players: int) -> list[str]:
    """What a lead is worth early and late."""
    at = {row["tiles left"]: row["win"] for row in rows if row["worms ahead"] == SAID_AHEAD}
    if len(at) < 2:
        return []
    *_, early = at
    late = next(iter(at))
    return [
        f"With {players} players, the player to roll wins {with_error(at[early], True)} of games "
        f"when {SAID_AHEAD} worms ahead early ({early} tiles left). Late in the game ({late} tiles "
        f"left), the same lead wins {with_error(at[late], True)}."
    ]


def last_tiles_section(ask: doc.Ask) -> doc.Section | None:
    """The same of two players near the end, solved; None if there is no table of it."""
    tables = {table.name: table for table in ask.game.exact_tables(ask.rules, 2)}
    leads = tables.get("standings")
    if leads is None:
        return None
    columns = doc.columns_of(
        "tiles left",
        "worms ahead",
        "boards",
        "win|share",
        "a quarter below|share",
        "a quarter above|share",
    )
    rows = tuple(tuple(row.values()) for row in leads.rows)
    lines = []
    for left in dict.fromkeys(row["tiles left"] for row in leads.rows):
        here = [row for row in leads.rows if row["tiles left"] == left]
        if len(here) >= FEWEST_LINES:
            name = f"{left} tile{'s' if left > 1 else ''} left"
            band = "quarter below", "quarter above"
            lines.append(doc.banded(name, here, "worms ahead", "win", *band))
    boards = sum(row["boards"] for row in leads.rows)
    findings = _last_said(leads)
    figure = doc.Curves(
        "last_tiles",
        "".join(findings).partition(" Half of")[0] or f"{boards:,} boards are solved.",
        "A small curve for each number of tiles left in the centre: chance to win of the player to "
        "roll, by worms ahead. Mean over all boards; the band holds the middle half of them.",
        "worms ahead",
        "chance to win of the player to roll",
        tuple(lines),
        share=True,
        panels=True,
    )
    return doc.Section(
        "last_tiles",
        "Chances to win with few tiles left",
        doc.EXACT,
        f"Two players and all {boards:,} boards with four tiles in play, with best play on both "
        "sides. Every board counts the same, also those that games hardly ever reach.",
        findings=tuple(findings),
        text=(
            "Here the bands are not errors: they show the middle half of the boards with the same "
            "lead. The rest depends on which tiles lie on top and can be stolen.",
        ),
        figures=(figure,),
        tables=(
            doc.Table("last_tiles", "All leads", columns, rows, long=True, note=f"{leads.title}."),
        ),
    )


def _last_said(table: ThresholdTable) -> list[str]:
    last = {row["worms ahead"]: row for row in table.rows if row["tiles left"] == 1}
    if SAID_AHEAD not in last or -SAID_AHEAD not in last:
        return []
    ahead, behind = last[SAID_AHEAD], last[-SAID_AHEAD]
    return [
        "Two players, four tiles left, one of them in the centre, your roll: "
        f"{SAID_AHEAD} worms ahead you win {100 * ahead['win'].value:.0f} % on average, "
        f"{SAID_AHEAD} behind {100 * behind['win'].value:.0f} %. Half of all boards lie within "
        f"{_half(ahead)} and {_half(behind)}."
    ]


def _half(row: Mapping[str, Any]) -> str:
    low, high = row["quarter below"].value, row["quarter above"].value
    return f"{100 * low:.0f} to {100 * high:.0f} %"


# Sections of Pikomino: chances of a turn, stop or roll on, what a steal is worth. All exact.

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
        doc.line_of(NAMES.get(group, group), [(float(total), e) for total, e in chances.items()])
        for group, chances in groups.items()
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
    reach, exactly = (list(chances.items()) for chances in groups.values())
    half = [int(total) for total, e in reach if e.value >= 0.5]
    rows = tuple(
        (int(total), e, other) for (total, e), (_, other) in zip(reach, exactly, strict=True)
    )
    columns = doc.columns_of("total", "at least|share", "exactly|share")
    sentence = (
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
        findings=(sentence,),
        story=("reach",),
        figures=(replace(figure, title=titles.of_reach(figure.lines[0])),),
        tables=(doc.Table("reach", "Chances at the start of a turn", columns, rows),),
    )


def stop_map(table: ThresholdTable) -> doc.HeatMap:
    """Stop or roll on, as a map by total and dice left."""
    cells: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for row in table.rows:
        cells.setdefault((row["dice"], row["total"]), []).append(row)
    totals = sorted({total for _, total in cells})
    dice = sorted({left for left, _ in cells})
    values = tuple(tuple(_gain(cells.get((left, total))) for left in dice) for total in totals)
    texts = tuple(tuple(_part(cells.get((left, total))) for left in dice) for total in totals)
    return doc.HeatMap(
        "stop_or_roll",
        _stop_said(table).partition(". ")[0].removesuffix(".") + ".",
        "A map by dice left (columns) and total (rows). " + _stop_said(table),
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


def stop_section(table: ThresholdTable) -> doc.Section:
    """Stop or roll on, by total and dice left."""
    columns = doc.columns_of("total", "dice left", "faces kept|text", "stop", "roll", "better|text")
    rows = tuple(tuple(row.values()) for row in table.rows)
    return doc.Section(
        "stop_or_roll",
        "Stop, or roll on",
        doc.EXACT,
        "All tiles lie in the centre and you have none. You play the turn for worms.",
        headlines=(_stop_said(table),),
        text=(
            "It matters, too, which faces you have kept. Where the answer depends on them, a field "
            "shows in how many of the cases rolling on is right: 3/7 means in three of seven.",
        ),
        story=("stop_or_roll",),
        figures=(stop_map(table),),
        tables=(
            doc.Table(
                "stop_or_roll", "Every state", columns, rows, long=True, note=f"{table.title}."
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


def _stop_said(table: ThresholdTable) -> str:
    """With how many dice left to roll on, and with how many to stop."""
    rolls: dict[int, list[bool]] = {}
    for row in table.rows:
        rolls.setdefault(row["dice"], []).append(row["better"] == "roll")
    part = {left: 100 * sum(better) / len(better) for left, better in sorted(rolls.items())}
    by_word: dict[str, list[int]] = {}
    for left, share in part.items():
        by_word.setdefault(_how(share), []).append(left)
    open_ = by_word.pop("", [])
    rules = [f"{how} with {_dice(numbers)} left" for how, numbers in by_word.items()]
    sentences = [f"Once you can take a tile, {'; '.join(rules)}."] if rules else []
    sentences += [
        f"With {_dice([left])} left it depends on your total: rolling on is right in "
        f"{part[left]:.0f} % of cases."
        for left in open_
    ]
    return " ".join(sentences)


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
    findings: list[str] = []
    for table in tables:
        columns = tuple(
            doc.Column(TITLES.get(name, name), KINDS.get(name, "number")) for name in table.rows[0]
        )
        rows = tuple(tuple(row.values()) for row in table.rows)
        title, _, note = table.title.partition(": ")
        shown.append(doc.Table(table.name, title, columns, rows, long=True, note=f"{note}."))
        if table.name == "steals_in_the_game":
            figures.append(_added(table))
            findings.append(_added_said(table))
        else:
            figures.insert(0, _chances(table))
    return doc.Section(
        "steals",
        "What a steal is worth",
        doc.EXACT,
        "Two players. In a turn, the tile is on your opponent's stack and all other tiles lie in "
        "the centre. In the game, all boards with a number of tiles in play, with best play on "
        "both sides.",
        findings=tuple(findings),
        figures=tuple(figures),
        tables=tuple(shown),
    )


def _chances(table: ThresholdTable) -> doc.Curves:
    sizes = sorted({row["board"] for row in table.rows}, reverse=True)[::2] or [0]
    lines = tuple(
        doc.line_of(
            f"{size} tiles in play",
            [(float(r["tile"]), r["steal chance"]) for r in table.rows if r["board"] == size],
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


def _added(table: ThresholdTable) -> doc.Curves:
    sizes = sorted({row["tiles"] for row in table.rows}, reverse=True)[:MOST_SIZES]
    lines = []
    for size in sizes:
        rows = [row for row in table.rows if row["tiles"] == size]
        name = f"{size} tiles in play"
        lines.append(doc.banded(name, rows, "tile", "steal adds", "least", "most"))
    return doc.Curves(
        "steal_adds",
        _added_said(table).partition(". ")[0] + ".",
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


def _added_said(table: ThresholdTable) -> str:
    boards = sum(row["boards"] for row in table.rows)
    mean = sum(row["boards"] * row["steal adds"].value for row in table.rows) / boards
    better = sum(row["boards"] * row["better on"].value for row in table.rows) / boards
    least: Estimate = min((row["least"] for row in table.rows), key=lambda e: e.value)
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
