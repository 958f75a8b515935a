"""What a round costs, by policy: means and distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.strategy_report.document import (
    SAMPLED,
    Cell,
    Column,
    Curves,
    Dot,
    Dots,
    Line,
    Section,
    Table,
    dot_of,
)
from lama_odds.analysis.strategy_report.report import SHOWN_PART, Ask
from lama_odds.analysis.strategy_report.sections.games import policies_of
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.jit.job import Job
from lama_odds.simulation.run import warm_up
from lama_odds.statistics.intervals import share_of

BIN = 5  # points: of totals that spread widely
WIDE = 60


def costs_section(ask: Ask, progress: Progress | None = None) -> Section | None:
    """What a first round costs, by policy: means and distributions; None if there are no rounds."""
    policies = policies_of(ask)
    try:
        ask.game.simulation(ask.rules, policies[:1] * ask.players, True)
    except ReadError:  # how a game says that it has no rounds
        return None
    dots: list[Dot] = []
    means: list[Estimate] = []
    tables: list[Mapping[str, Estimate]] = []
    lines: list[Line] = []
    played, interrupted = 0, False
    for at, policy in enumerate(policies):
        seats = [policy] * ask.players
        found = simulate(
            ask.game,
            ask.rules,
            seats,
            ask.games,
            rounds=True,
            seed=ask.seed,
            threads=ask.threads,
            progress=_part(progress, at, len(policies)),
        )
        played += found.games
        interrupted = interrupted or found.interrupted
        mean = Estimate.mean([seat["penalty"] for seat in found.seats])
        dots.append(dot_of(policy.name, mean))
        tables.append(found.table)
        means.append(mean)
        job = ask.game.simulation(ask.rules, seats, True)
        lines.append(_distribution(policy.name, job, ask.seed, min(SHOWN_PART, ask.games)))
    best = dots[0]
    return Section(
        "costs",
        "What a round costs",
        SAMPLED,
        f"First rounds of {ask.players} players who all play the same policy: {ask.games:,} "
        "each for the means; for the distributions single rounds one after another.",
        findings=(
            f"A round costs {best.value:.2f} ± {(best.high - best.low) / 2:.2f} points a player "
            f"when all play {best.label}.",
        ),
        figures=(_mean_figure(dots), _distribution_figure(lines)),
        tables=(
            _table([policy.name for policy in policies], means, tables),
            _distribution_table(lines),
        ),
        games=played,
        interrupted=interrupted,
    )


def _table(
    policies: Sequence[str], means: Sequence[Estimate], tables: Sequence[Mapping[str, Estimate]]
) -> Table:
    """A row for each policy: the penalty of a seat, and what happens at the whole table."""
    # What never happens in a game is no column.
    names = [name for name in tables[0] if any(table[name].value for table in tables)]
    rows: list[tuple[Cell, ...]] = [
        (policy, mean, *(table[name] for name in names))
        for policy, mean, table in zip(policies, means, tables, strict=True)
    ]
    columns = [Column("everybody plays", "text"), Column("penalty of a seat")]
    columns += [
        Column(n.replace("_", " "), "share" if n in ("went_out", "blown") else "number")
        for n in names
    ]
    return Table("costs", "A first round, by policy", tuple(columns), tuple(rows))


def _part(progress: Progress | None, at: int, of: int) -> Progress | None:
    """Progress of one of so many simulations."""
    if progress is None:
        return None
    return lambda done, games: progress(at * games + done, of * games)


def _mean_figure(dots: Sequence[Dot]) -> Dots:
    return Dots(
        "cost_by_policy",
        "What a round costs a player, by everybody's policy",
        "Mean penalty of a round: "
        + ", ".join(f"{d.label} {d.value:.1f}" for d in dots)
        + " points.",
        "points a round and player; lower is better",
        tuple(dots),
    )


def _distribution(label: str, job: Job, seed: int, rounds: int) -> Line:
    """Shares of the penalties of seat 0, round by round, with Wilson intervals.

    One seat only, so that the samples are independent.
    """
    rows = [at for at, m in enumerate(job.measures) if m.name == "penalty" and m.seat == 0]
    warm_up(job, seed)
    tally = np.zeros(job.shape, dtype=np.int64)
    counts: dict[int, int] = {}
    for game in range(rounds):
        tally[:] = 0
        job.play(seed, game, 1, tally)
        cost = int(tally[rows[0], 0])
        counts[cost] = counts.get(cost, 0) + 1
    first, last = min(counts), max(counts)
    step = BIN if last - first > WIDE else 1
    bins = range(first // step, last // step + 1)
    shares = [
        share_of(sum(counts.get(at * step + i, 0) for i in range(step)), rounds) for at in bins
    ]
    return Line(
        label,
        tuple(float(at * step) for at in bins),
        tuple(e.value for e in shares),
        tuple(e.low for e in shares),
        tuple(e.high for e in shares),
    )


def _distribution_figure(lines: Sequence[Line]) -> Curves:
    best = lines[0]
    top = max(range(len(best.x)), key=lambda at: best.y[at])
    shown_lines = tuple(lines[:1]) + tuple(lines[1:])
    return Curves(
        "cost_distribution",
        "How a round ends for one player, by everybody's policy",
        f"A small curve for each policy: shares of rounds by penalty of seat 0; with {best.label} "
        f"{best.x[top]:g} is the most frequent ({100 * best.y[top]:.0f} %).",
        "penalty of the round",
        "share of rounds",
        shown_lines,
        share=True,
        panels=True,
    )


def _distribution_table(lines: Sequence[Line]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True):
            rows.append((line.label, x, Estimate.from_interval(y, 0.0, low, high, 1)))
    columns = (Column("everybody plays", "text"), Column("penalty from"), Column("share", "share"))
    return Table("cost_distribution", "Penalties of seat 0", columns, tuple(rows), long=True)
