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
from lama_odds.analysis.strategy_report.words import (
    STRONG,
    named,
    plain,
    shown,
    who_is_who,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, with_unit
from lama_odds.core.progress import Progress
from lama_odds.jit.job import Job
from lama_odds.simulation.run import warm_up
from lama_odds.statistics.intervals import share_of

BIN = 5  # points: of totals that spread widely
WIDE = 60
TITLES = {"went_out": "somebody goes out", "blown": "blown"}


def costs_section(ask: Ask, progress: Progress | None = None) -> Section | None:
    """What a first round costs, by policy: means and distributions; None if there are no rounds."""
    policies = policies_of(ask)
    try:
        ask.game.simulation(ask.rules, policies[:1] * ask.players, True)
    except ReadError:  # how a game says that it has no rounds
        return None
    names = named(ask, policies)
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
        dots.append(dot_of(names[policy.name], mean))
        tables.append(found.table)
        means.append(mean)
        job = ask.game.simulation(ask.rules, seats, True)
        lines.append(_distribution(names[policy.name], job, ask.seed, min(SHOWN_PART, ask.games)))
    return Section(
        "costs",
        "What a round costs",
        SAMPLED,
        f"First rounds of {ask.players} players who all play the same way, {ask.games:,} for each "
        f"policy. The distributions are those of the starting player. {who_is_who(names)}".strip(),
        findings=(_said(means, list(names.values())),),
        figures=(_mean_figure(dots), _distribution_figure(lines)),
        tables=(
            _table(names, means, tables),
            _distribution_table(lines),
        ),
        games=played,
        interrupted=interrupted,
    )


def _said(means: Sequence[Estimate], names: Sequence[str]) -> str:
    """What a round costs when all play the first policy, and with which one it costs least."""
    first = means[0]
    said = f"{'ends with' if first.value < 0 else 'costs'} {with_unit(shown(first))}"
    least = min(range(len(means)), key=lambda at: means[at].value)
    how = "play to win the game" if names[0] == STRONG else f"play “{names[0]}”"
    text = f"A round {said} per player when all {how}."
    if least:
        text += f" It costs {with_unit(shown(means[least]))} when all play “{names[least]}”."
    return text


def _table(
    names: Mapping[str, str], means: Sequence[Estimate], tables: Sequence[Mapping[str, Estimate]]
) -> Table:
    """A row for each policy: what a round costs, and what happens at the whole table."""
    # What never happens in a game has no column.
    found = [name for name in tables[0] if any(table[name].value for table in tables)]
    rows: list[tuple[Cell, ...]] = [
        (brief, mean, *(table[name] for name in found), policy)
        for (policy, brief), mean, table in zip(names.items(), means, tables, strict=True)
    ]
    columns = [Column("all play", "text"), Column("points per player")]
    columns += [
        Column(TITLES.get(n, n), "share" if n in ("went_out", "blown") else "number") for n in found
    ]
    columns.append(Column("policy", "text"))
    return Table("costs", "A first round, by policy", tuple(columns), tuple(rows))


def _part(progress: Progress | None, at: int, of: int) -> Progress | None:
    """Progress of one of several simulations."""
    if progress is None:
        return None
    return lambda done, games: progress(at * games + done, of * games)


def _mean_figure(dots: Sequence[Dot]) -> Dots:
    return Dots(
        "cost_by_policy",
        "What a round costs each player when all play the same way",
        "Mean points of a round: "
        + ", ".join(f"{d.label} {d.value:.1f}" for d in dots)
        + " points.",
        "points per round and player (fewer is better)",
        tuple(dots),
    )


def _distribution(label: str, job: Job, seed: int, rounds: int) -> Line:
    """Shares of the results of the starting player, round by round, with Wilson intervals.

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
    step = best.x[1] - best.x[0] if len(best.x) > 1 else 1
    wide = f", in steps of {step:g}" if step > 1 else ""
    return Curves(
        "cost_distribution",
        "What a round costs the starting player, and how often",
        f"A small curve for each policy: shares of rounds by what they cost the starting player. "
        f"With “{best.label}”, {plain(best.x[top], 0)} is the most frequent "
        f"({100 * best.y[top]:.0f} %).",
        f"points of the round{wide}",
        "share of rounds",
        tuple(lines),
        share=True,
        panels=True,
    )


def _distribution_table(lines: Sequence[Line]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True):
            rows.append((line.label, x, Estimate.from_interval(y, 0.0, low, high, 1)))
    columns = (Column("all play", "text"), Column("points from"), Column("share", "share"))
    title = "What a round costs the starting player"
    return Table("cost_distribution", title, columns, tuple(rows), long=True)
