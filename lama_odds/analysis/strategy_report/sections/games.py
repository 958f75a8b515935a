"""Sections on whole games: win rates by seat, the league, other rule sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.analysis.simulate import Simulated, simulate
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.tournament import Tournament, schedule_of, tournament
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import listed, with_error, with_minus, with_unit
from lama_odds.jit.job import Job
from lama_odds.simulation.run import BLOCK, Play, warm_up
from lama_odds.statistics.intervals import share_of
from lama_odds.statistics.ranking import simultaneous_share

MOST_POLICIES = 4  # tables grow with them much faster
SHARES = ("win", "outright")
TITLES = {"win": "win rate", "outright": "wins alone"}
FEWEST_AT_A_TABLE = 96


def policies_of(ask: doc.Ask) -> list[Policy]:
    """The best known for winning, then the simple ones, each once."""
    policies = [ask.game.best_policy(ask.rules, ask.players)]
    for name in ask.game.league:
        policy = ask.game.policy(name)
        if policy not in policies and len(policies) < MOST_POLICIES:
            policies.append(policy)
    return policies


def seats_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section:
    """Win rates by seat if all play the best policy, and how long games last."""
    best = ask.game.best_policy(ask.rules, ask.players)
    sample = simulate(
        ask.game,
        ask.rules,
        [best] * ask.players,
        ask.games,
        play=Play(ask.seed, ask.threads, progress),
    )
    dots = tuple(doc.dot_of(_seat(at), seat["win"]) for at, seat in enumerate(sample.seats))
    fair = 1 / ask.players
    figure = doc.Dots(
        "win_by_seat",
        seats_said([seat["win"] for seat in sample.seats], fair),
        "Win rate of each seat: "
        + ", ".join(f"{d.label} {100 * d.value:.1f} %" for d in dots)
        + f"; {100 * fair:.1f} % each would be equal.",
        "win rate (ties shared)",
        dots,
        share=True,
        reference=fair,
        reference_name="equal",
    )
    names = list(sample.seats[0])
    columns = [doc.Column("seat", "text")]
    columns += [
        doc.Column(TITLES.get(name, name), "share" if name in SHARES else "number")
        for name in names
    ]
    rows: list[tuple[doc.Cell, ...]] = [
        (_seat(at), *(seat[name] for name in names)) for at, seat in enumerate(sample.seats)
    ]
    table_rows = tuple(
        (f"{name.replace('_', ' ')} per game", e) for name, e in sample.table.items()
    )
    return doc.Section(
        "seats",
        "Win rate by seat, and how long games last",
        doc.SAMPLED,
        f"{sample.games:,} games of {sample.players} players, in which {doc.all_play(ask)}.",
        findings=tuple(_length(sample)),
        figures=(figure,),
        tables=(
            doc.Table("seats", "By seat", tuple(columns), tuple(rows)),
            doc.Table("game", "A game", doc.columns_of("|text", "mean"), table_rows),
        ),
        games=sample.games,
        interrupted=sample.interrupted,
    )


def _seat(at: int) -> str:
    return f"player {at + 1}" + (" (starts)" if at == 0 else "")


def seats_said(wins: Sequence[Estimate], fair: float) -> str:
    """Whether seats differ, of the chance of each to win; right for all at once in 95 %."""
    # Each seat for itself would be wrong too often: intervals that hold for all at once.
    sure = [simultaneous_share(w, len(wins), w.n) for w in wins]
    if all(w.low <= fair <= w.high for w in sure):
        apart = max(max(w.high - fair, fair - w.low) for w in sure)
        return (
            "No seat is known to be better than another: each wins "
            f"{100 * fair:.1f} % of games, within {100 * apart:.1f} percentage points."
        )
    ranked = sorted(range(len(wins)), key=lambda at: -wins[at].value)
    return (
        f"The seats are not equal: {_seat(ranked[0])} wins {with_error(sure[ranked[0]], True)} of "
        f"games, {_seat(ranked[-1])} {with_error(sure[ranked[-1]], True)}. Equal would be "
        f"{100 * fair:.1f} % each."
    )


def _length(simulated: Simulated) -> list[str]:
    return [
        f"A game takes {with_error(simulated.table[name])} {name} on average."
        for name in ("rounds", "turns")
        if name in simulated.table
    ][:1]


def league_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section:
    """The policies against each other, in every seat and mix."""
    policies = policies_of(ask)
    tables = len(schedule_of(len(policies), ask.players).seatings)
    games = max(FEWEST_AT_A_TABLE, BLOCK * round(doc.LEAGUE_PART * ask.games / tables / BLOCK))
    league = tournament(
        ask.game,
        ask.rules,
        policies,
        ask.players,
        games=games,
        play=Play(ask.seed, ask.threads, progress),
    )
    called = doc.named(ask, policies)
    return doc.Section(
        "league",
        "The league of policies",
        doc.SAMPLED,
        f"{league.games:,} games in each of {len(league.schedule.seatings)} line-ups of "
        f"{league.players} players, all with the same cards and dice. The 95 % intervals are "
        f"simultaneous. {doc.who_is_who(called)}".strip(),
        text=(
            "Policies share a rank if the games do not separate them. In the last table, one "
            "player of the row's policy sits among others who all play the column's.",
        ),
        figures=(league_dots(league, called=called),),
        tables=_league_tables(league, called),
        games=league.games * len(league.schedule.seatings),
        interrupted=league.interrupted,
        story=("league",),
    )


def _league_tables(
    tournament: Tournament, called: Mapping[str, str]
) -> tuple[doc.Table, doc.Table]:
    """The standings, and each policy alone among others. called: what policies are called."""
    standings: tuple[tuple[doc.Cell, ...], ...] = tuple(
        (called[s.policy], s.rank, s.win, s.points, s.policy) for s in tournament.standings
    )
    names = [s.policy for s in tournament.standings]
    matrix: tuple[tuple[doc.Cell, ...], ...] = tuple(
        (called[name], *(tournament.matrix[name][other] for other in names)) for name in names
    )
    points = (
        f"{tournament.points_name} ({'more' if tournament.points_higher else 'fewer'} is better)"
    )
    columns = doc.columns_of("plays|text", "rank", "win rate|share", points, "policy|text")
    others = (doc.Column(f"others: {called[name]}", "share") for name in names)
    title = "One player against a table of others who play another way: win rate"
    return (
        doc.Table("league", "Standings", columns, standings),
        doc.Table("league_matrix", title, (doc.Column("one plays", "text"), *others), matrix),
    )


def league_dots(
    tournament: Tournament, title: str = "", called: Mapping[str, str] | None = None
) -> doc.Dots:
    """The win rates of all policies, against equal ones.

    title: empty for its finding, in a sentence. called: what the policies are called.
    """
    names = called or {}
    dots = tuple(doc.dot_of(names.get(s.policy, s.policy), s.win) for s in tournament.standings)
    return doc.Dots(
        "league",
        title or _best(tournament, names),
        "Win rates: " + ", ".join(f"{d.label} {100 * d.value:.1f} %" for d in dots) + ".",
        "win rate over all seats and line-ups",
        dots,
        share=True,
        reference=1 / tournament.players,
        reference_name="equal",
    )


def _best(tournament: Tournament, called: Mapping[str, str]) -> str:
    """The policy that wins most at mixed tables, and how often."""
    first = [s for s in tournament.standings if s.rank == 1]
    names = listed([f"“{called.get(s.policy, s.policy)}”" for s in first])
    even = f"an even share is {100 / tournament.players:.0f} %"
    rate = with_error(first[0].win, True)
    if len(first) == 1:
        return f"At mixed tables, {names} wins most: {rate}; {even}."
    return f"At mixed tables, {names} win most, up to {rate}, and are level; {even}."


# What a round costs, by policy: means and distributions.

BIN = 5  # points: of totals that spread widely
WIDE = 60
COST_TITLES = {"went_out": "somebody goes out", "blown": "blown"}


def costs_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """What a first round costs, by policy: means and distributions; None if there are no rounds."""
    policies = policies_of(ask)
    try:
        ask.game.simulation(ask.rules, policies[:1] * ask.players, True)
    except ReadError:  # how a game says that it has no rounds
        return None
    names = doc.named(ask, policies)
    dots: list[doc.Dot] = []
    means: list[Estimate] = []
    tables: list[Mapping[str, Estimate]] = []
    lines: list[doc.Line] = []
    played, interrupted = 0, False
    for at, policy in enumerate(policies):
        seats = [policy] * ask.players
        sample = simulate(
            ask.game,
            ask.rules,
            seats,
            ask.games,
            rounds=True,
            play=Play(ask.seed, ask.threads, doc.part_of(progress, at, len(policies))),
        )
        played += sample.games
        interrupted = interrupted or sample.interrupted
        mean = Estimate.mean([seat["penalty"] for seat in sample.seats])
        dots.append(doc.dot_of(names[policy.name], mean))
        tables.append(sample.table)
        means.append(mean)
        job = ask.game.simulation(ask.rules, seats, True)
        lines.append(
            _distribution(names[policy.name], job, ask.seed, min(doc.SHOWN_PART, ask.games))
        )
    return doc.Section(
        "costs",
        "What a round costs",
        doc.SAMPLED,
        f"First rounds of {ask.players} players who all play the same way, {ask.games:,} for each "
        "policy. The distributions are those of the starting player. "
        f"{doc.who_is_who(names)}".strip(),
        figures=(
            _mean_figure(dots, _said(means, list(names.values()))),
            _distribution_figure(lines),
        ),
        tables=(
            _table(names, means, tables),
            _distribution_table(lines),
        ),
        games=played,
        interrupted=interrupted,
        story=("cost_by_policy",),
    )


def _said(means: Sequence[Estimate], names: Sequence[str]) -> str:
    """What a round costs when all play the first policy, and with which one it costs least."""
    first = means[0]
    cost = f"{'ends with' if first.value < 0 else 'costs'} {with_unit(with_error(first))}"
    least = min(range(len(means)), key=lambda at: means[at].value)
    how = "play to win the game" if names[0] == doc.STRONG else f"play “{names[0]}”"
    text = f"A round {cost} per player when all {how}."
    if least:
        text += f" It costs {with_unit(with_error(means[least]))} when all play “{names[least]}”."
    return text


def _table(
    names: Mapping[str, str], means: Sequence[Estimate], tables: Sequence[Mapping[str, Estimate]]
) -> doc.Table:
    """A row for each policy: what a round costs, and what happens at the whole table."""
    # What never happens in a game has no column.
    measures = [name for name in tables[0] if any(table[name].value for table in tables)]
    rows: list[tuple[doc.Cell, ...]] = [
        (brief, mean, *(table[name] for name in measures), policy)
        for (policy, brief), mean, table in zip(names.items(), means, tables, strict=True)
    ]
    columns = [doc.Column("all play", "text"), doc.Column("points per player")]
    columns += [
        doc.Column(COST_TITLES.get(n, n), "share" if n in ("went_out", "blown") else "number")
        for n in measures
    ]
    columns.append(doc.Column("policy", "text"))
    return doc.Table("costs", "A first round, by policy", tuple(columns), tuple(rows))


def _mean_figure(dots: Sequence[doc.Dot], title: str) -> doc.Dots:
    return doc.Dots(
        "cost_by_policy",
        title,
        "Mean points of a round: "
        + ", ".join(f"{d.label} {d.value:.1f}" for d in dots)
        + " points.",
        "points per round and player (fewer is better)",
        tuple(dots),
    )


def _distribution(label: str, job: Job, seed: int, rounds: int) -> doc.Line:
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
    return doc.Line(
        label,
        tuple(float(at * step) for at in bins),
        tuple(e.value for e in shares),
        tuple(e.low for e in shares),
        tuple(e.high for e in shares),
    )


def _distribution_figure(lines: Sequence[doc.Line]) -> doc.Curves:
    best = lines[0]
    top = max(range(len(best.x)), key=lambda at: best.y[at])
    step = best.x[1] - best.x[0] if len(best.x) > 1 else 1
    wide = f", in steps of {step:g}" if step > 1 else ""
    return doc.Curves(
        "cost_distribution",
        titles.of_mode(
            best,
            "Most often a round costs the starting player {value} points: {share} % of rounds "
            f"with “{best.label}”.",
        ),
        f"A small curve for each policy: shares of rounds by what they cost the starting player. "
        f"With “{best.label}”, {with_minus(best.x[top], 0)} is the most frequent "
        f"({100 * best.y[top]:.0f} %).",
        f"points of the round{wide}",
        "share of rounds",
        tuple(lines),
        share=True,
        panels=True,
    )


def _distribution_table(lines: Sequence[doc.Line]) -> doc.Table:
    rows: list[tuple[doc.Cell, ...]] = []
    for line in lines:
        for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True):
            rows.append((line.label, x, Estimate.from_interval(y, 0.0, low, high, 1)))
    columns = doc.columns_of("all play|text", "points from", "share|share")
    title = "What a round costs the starting player"
    return doc.Table("cost_distribution", title, columns, tuple(rows), long=True)
