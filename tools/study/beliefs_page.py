"""The page and the rows of `tools.study.beliefs`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lab.best_response import Response
from lama_odds.games.lama.solvers import beliefs
from tools.study.beliefs import (
    EPSILONS,
    EVEN,
    HOLDS,
    LEAST,
    LEFT,
    PAST,
    PLAYS,
    RULES,
    SHARES,
    TABLES,
    Scored,
    calibration,
    groups,
    losses,
    mean_of,
    off,
)

Fitted = Mapping[tuple[float, float], Sequence[float]]


def rows_of(found: Sequence[Scored]) -> Iterator[Sequence[object]]:
    """The rows of the CSV file, its head first."""
    names = ["at_random", "from_play", "saved"]
    yield [
        *("table", "players", "stage", "statement", "decisions"),
        *(f"{name}{end}" for name in names for end in ("", "_stderr")),
    ]
    for table, players, stage, here in groups(found):
        for what in (HOLDS, LEFT, PLAYS):
            if sum((what, PAST) in scored.told for scored in here) > 1:
                numbers = [number for pair in losses(here, what) for number in pair]
                yield [table, players, stage, what, len(here), *numbers]


def shown(pair: tuple[float, float]) -> str:
    """A mean and its standard error."""
    return f"{pair[0]:.4f} ± {pair[1]:.4f}"


def table_of(found: Sequence[Scored], table: str, what: str) -> str:
    """The log losses of one kind of statement at one kind of table."""
    lines = [
        "| players | stage | decisions | at random | from play | saved |",
        "|---|---|---|---|---|---|",
    ]
    for name, players, stage, here in groups(found):
        count = sum((what, PAST) in scored.told for scored in here)
        if name == table and count > 1:
            cells = [shown(pair) for pair in losses(here, what)]
            lines.append(f"| {players} | {stage} | {count:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def calibrated(found: Sequence[Scored], table: str) -> str:
    """What was stated of one table, and what came true, by tenths."""
    here = [scored for scored in found if scored.table == table]
    lines = ["| statement | how | stated | came true | statements |", "|---|---|---|---|---|"]
    for what in (PLAYS, HOLDS, LEFT):
        for n, stated, true in calibration(here, what, PAST):
            lines.append(f"| {what} | {PAST} | {100 * stated:.1f} % | {100 * true:.1f} % | {n:,} |")
    distances = "; ".join(
        f"{what}: {100 * off(calibration(here, what, PAST)):.1f} points {PAST}, "
        f"{100 * off(calibration(here, what, EVEN)):.1f} points {EVEN}"
        for what in (PLAYS, HOLDS, LEFT)
    )
    lines += ["", f"Mean distance in percentage points, by tenths: {distances}.", ""]
    high = "; ".join(f"{what}: {100 * too_high(here, what):+.1f}" for what in (PLAYS, HOLDS, LEFT))
    return "\n".join(lines) + f"From play, stated minus came true in all: {high} points."


def too_high(found: Sequence[Scored], what: str) -> float:
    """By how much chances from play are too high on average."""
    rows = calibration(found, what, PAST)
    return sum(n * (stated - true) for n, stated, true in rows) / sum(n for n, _, _ in rows)


def fitted_table(fitted: Fitted) -> str:
    """Log loss of the true hand by epsilon and share."""
    heads = "".join(f" share {share:g} |" for share in SHARES)
    lines = [f"| epsilon |{heads}", "|---|" + "---|" * len(SHARES)]
    for epsilon in EPSILONS:
        cells = [f"{mean_of(fitted[epsilon, share])[0]:.4f}" for share in SHARES]
        lines.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def against_best(fitted: Fitted) -> str:
    """The least log loss of the grid, and what the constants cost against it."""
    best = min(fitted, key=lambda pair: float(np.mean(fitted[pair])))
    used = min(
        fitted,
        key=lambda pair: abs(pair[0] - beliefs.EPSILON) + abs(pair[1] - beliefs.SHARE),
    )
    more = np.array(fitted[used]) - np.array(fitted[best])
    return (
        f"The least log loss is at epsilon {best[0]:g} and share {best[1]:g}. lama-odds uses "
        f"epsilon {beliefs.EPSILON:g} and share {beliefs.SHARE:g}, which costs "
        f"{shown(mean_of(more.tolist()))} more ({len(more):,} hands)."
    )


def gained(responses: Mapping[str, Response]) -> str:
    """What a player gains who thinks a step ahead, and what rollouts promised."""
    one = next(iter(responses.values()))
    lines = [
        "| hidden cards are drawn | gain | promised | promised minus gain | other actions |",
        "|---|---|---|---|---|",
    ]
    for how, found in responses.items():
        cells = [
            f"{value.value:+.2f} ± {(value.high - value.low) / 2:.2f}"
            for value in (found.gain, found.promised, found.apart)
        ]
        lines.append(f"| {how} | " + " | ".join(cells) + f" | {100 * found.departed:.1f} % |")
    head = GAINED.format(rules=one.rules, players=one.players, games=f"{one.games:,}")
    return f"{head}\n\n" + "\n".join(lines)


def page_of(
    found: Sequence[Scored], fitted: Fitted, responses: Mapping[str, Response], made_by: str
) -> str:
    """The page."""
    parts = [
        TEXT.format(
            rules=RULES,
            epsilon=100 * beliefs.EPSILON,
            share=100 * beliefs.SHARE,
            others=", ".join(f"`{name}`" for name in beliefs.PLAYERS),
            particles=f"{beliefs.PARTICLES:,}",
            least=LEAST,
            most=1 - LEAST,
        )
    ]
    for table, names in TABLES.items():
        seats = ", ".join(f"`{name}`" for name in names)
        parts.append(f"## Tables: {table}\n\nSeats play {seats}, in turn.\n")
        for what in (PLAYS, HOLDS, LEFT):
            parts.append(f"Log loss of statements that another player {what}:\n")
            parts.append(table_of(found, table, what) + "\n")
        parts.append(calibrated(found, table) + "\n")
    parts.append(f"## What it gains in play\n\n{gained(responses)}\n")
    parts.append(f"## The constants\n\n{FIT}\n\n{fitted_table(fitted)}\n\n{against_best(fitted)}\n")
    parts.append(f"Made by {made_by}.\n")
    return "\n".join(parts)


TEXT = """# What the others' play tells of their cards

Where a record shows the round so far, lama-odds infers what the others hold from what they \
played, drew and did not play. This page compares that with unseen cards drawn at random, the \
treatment of a position without a past. In first rounds of `{rules}` one decision is picked at \
random. What its player can infer is held against the cards that the others really had.

- The others are assumed to play `best` with a chance of {share:.0f} % at first, and otherwise \
one of {others}. What a player does shifts these chances. Of all actions, {epsilon:g} % are \
taken at random.
- All hands of each player are listed with their chances. They are combined exactly where they \
are few. Otherwise {particles} deals of all hands together are sampled.
- Log loss is minus the logarithm of the chance given to what was the case; less is better. \
Chances below {least:g} or above {most:g} count as these. What \
is saved is found decision by decision. Errors after ± are standard errors over decisions.
"""
GAINED = (
    "One seat plays as `advise` would, against `best` in all other seats: see "
    "[best responses](best_response.md). Here are points of a round of `{rules}` with {players} "
    "players, {games} rounds in each seat, with 95 % intervals. More points gained are better. If "
    "rollouts draw hidden cards right, they promise what is gained."
)
FIT = (
    "Log loss of the whole hand of one other player, by the chance of an action at random "
    "(epsilon) and the chance of `best` at first (share). It is the mean over all three kinds of "
    "tables, in other games than those above."
)
