"""Sections on whole games: who wins by seat, the league, other rule sets."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.simulate import Simulated, simulate
from lama_odds.analysis.strategy_report.document import (
    SAMPLED,
    Cell,
    Column,
    Dots,
    Section,
    Table,
    dot_of,
)
from lama_odds.analysis.strategy_report.report import LEAGUE_PART, Ask, shown
from lama_odds.analysis.tournament.seatings import schedule_of
from lama_odds.analysis.tournament.tournament import Tournament, tournament
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.simulation.paired_blocks import BLOCK
from lama_odds.statistics.ranking import simultaneous_share

# Policies of the league beside the best known, by game; those that a game does not know are left
# out, so that a new game needs no entry.
LEAGUE = (
    *("meanfield", "matching:5", "threshold:5", "threshold:8"),
    *("optimal-turn", "first-tile", "greedy", "random"),
)
MOST_POLICIES = 4  # tables grow with them much faster
SHARES = ("win", "outright")
FEWEST_AT_A_TABLE = 96


def policies_of(ask: Ask) -> list[Policy]:
    """The best known for winning, then the simple ones, each once."""
    found = [ask.game.best_policy(ask.rules, ask.players)]
    for name in LEAGUE:
        try:
            policy = ask.game.policy(name)
        except ReadError:
            continue
        if policy not in found and len(found) < MOST_POLICIES:
            found.append(policy)
    return found


def seats_section(ask: Ask, progress: Progress | None = None) -> Section:
    """Who wins by seat when all play the best policy, and how long it takes."""
    best = ask.game.best_policy(ask.rules, ask.players)
    found = simulate(
        ask.game,
        ask.rules,
        [best] * ask.players,
        ask.games,
        seed=ask.seed,
        threads=ask.threads,
        progress=progress,
    )
    dots = tuple(dot_of(_seat(at), seat["win"]) for at, seat in enumerate(found.seats))
    fair = 1 / ask.players
    figure = Dots(
        "win_by_seat",
        "Who wins, by seat",
        "Chance to win of each seat: "
        + ", ".join(f"{d.label} {100 * d.value:.1f} %" for d in dots)
        + f"; fair would be {100 * fair:.1f} %.",
        "chance to win",
        dots,
        share=True,
        reference=fair,
        reference_name="fair",
    )
    names = list(found.seats[0])
    columns = [Column("seat", "text")]
    columns += [Column(name, "share" if name in SHARES else "number") for name in names]
    rows: list[tuple[Cell, ...]] = [
        (_seat(at), *(seat[name] for name in names)) for at, seat in enumerate(found.seats)
    ]
    table_rows = tuple((name.replace("_", " "), e) for name, e in found.table.items())
    return Section(
        "seats",
        "Who wins, and how long it takes",
        SAMPLED,
        f"{found.games:,} games of {found.players} players, everybody plays {best.name}.",
        findings=(seats_said([seat["win"] for seat in found.seats], fair), *_length(found)),
        figures=(figure,),
        tables=(
            Table("seats", "By seat", tuple(columns), tuple(rows)),
            Table("game", "A game", (Column("what", "text"), Column("mean")), table_rows),
        ),
        games=found.games,
        interrupted=found.interrupted,
    )


def _seat(at: int) -> str:
    return f"seat {at}" + (" (starts)" if at == 0 else "")


def seats_said(wins: Sequence[Estimate], fair: float) -> str:
    """Whether seats differ, of the chance of each to win; right for all at once in 95 %."""
    # Each seat for itself would be wrong too often: intervals that hold for all at once.
    sure = [simultaneous_share(w, len(wins), w.n) for w in wins]
    if all(w.low <= fair <= w.high for w in sure):
        apart = max(max(w.high - fair, fair - w.low) for w in sure)
        return (
            f"No seat is known to be better than another: each wins {100 * fair:.1f} % within "
            f"{100 * apart:.1f} percentage points."
        )
    ranked = sorted(range(len(wins)), key=lambda at: -wins[at].value)
    return (
        f"The seats are not equal: {_seat(ranked[0])} wins {shown(sure[ranked[0]], True)}, "
        f"{_seat(ranked[-1])} {shown(sure[ranked[-1]], True)} (fair: {100 * fair:.1f} %)."
    )


def _length(found: Simulated) -> list[str]:
    return [
        f"A game takes {shown(found.table[name])} {name}."
        for name in ("rounds", "turns")
        if name in found.table
    ][:1]


def league_section(ask: Ask, progress: Progress | None = None) -> Section:
    """The policies against each other, in every seat and mix."""
    policies = policies_of(ask)
    tables = len(schedule_of(len(policies), ask.players).seatings)
    games = max(FEWEST_AT_A_TABLE, BLOCK * round(LEAGUE_PART * ask.games / tables / BLOCK))
    found = tournament(
        ask.game,
        ask.rules,
        policies,
        ask.players,
        games=games,
        seed=ask.seed,
        threads=ask.threads,
        progress=progress,
    )
    standings: tuple[tuple[Cell, ...], ...] = tuple(
        (s.policy, s.rank, s.win, s.points) for s in found.standings
    )
    names = [s.policy for s in found.standings]
    matrix: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(found.matrix[name][other] for other in names)) for name in names
    )
    points = f"{found.points_name} ({'higher' if found.points_higher else 'lower'} is better)"
    return Section(
        "league",
        "The league of policies",
        SAMPLED,
        f"{found.games:,} games at each of {len(found.schedule.seatings)} tables of "
        f"{found.players} players, all on the same deals; 95 % intervals for all at once.",
        findings=(_best(found),),
        text=(
            "Ranks are shared by policies that the games do not tell apart. In the matrix one "
            "player of the row's policy sits among others who all play the column's.",
        ),
        figures=(league_dots(found),),
        tables=(
            Table(
                "league",
                "Standings",
                (Column("policy", "text"), Column("rank"), Column("win", "share"), Column(points)),
                standings,
            ),
            Table(
                "league_matrix",
                "One against a table of another: chance to win",
                (Column("one plays", "text"), *(Column(f"others {n}", "share") for n in names)),
                matrix,
            ),
        ),
        games=found.games * len(found.schedule.seatings),
        interrupted=found.interrupted,
    )


def league_dots(
    found: Tournament, title: str = "The league: chance to win at mixed tables"
) -> Dots:
    """The win shares of all policies, against what would be fair."""
    dots = tuple(dot_of(s.policy, s.win) for s in found.standings)
    return Dots(
        "league",
        title,
        "Chance to win: " + ", ".join(f"{d.label} {100 * d.value:.1f} %" for d in dots) + ".",
        "chance to win; all policies in every seat and mix",
        dots,
        share=True,
        reference=1 / found.players,
        reference_name="fair",
    )


def _best(found: Tournament) -> str:
    first = [s for s in found.standings if s.rank == 1]
    names = " and ".join(s.policy for s in first)
    verb = "wins most" if len(first) == 1 else "win most, not told apart"
    return (
        f"{names} {verb} at mixed tables: {shown(first[0].win, True)} of games "
        f"(fair: {100 / found.players:.1f} %)."
    )
