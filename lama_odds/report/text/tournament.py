"""A tournament and a tuned policy as text, and all figures as a CSV or Parquet file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.tournament import PILOT_GAMES, Pair, Standing, Tournament
from lama_odds.analysis.tune.tune import ZONE, Tried, Tuned
from lama_odds.analysis.variants.given import titled
from lama_odds.core import wording
from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal import Fitted, table
from lama_odds.report.text.numbers import csv_text
from lama_odds.statistics.race import ALIKE, BEHIND, STAYED

MOST_COLUMNS = 5  # of the matrix, side by side
MOST_PAIRS = 20
MOST_ROWS = 10  # of the league, without -v


def tournament_text(tournament: Tournament, verbose: bool = False) -> RenderableType:
    """The best policy and its lead, then the league; verbose: also the matrix and the schedule."""
    head = (
        f"{titled(tournament)} · {tournament.players} players · {len(tournament.standings)} "
        "policies · "
        f"{tournament.games:,} games at each of {len(tournament.schedule.seatings):,} tables"
    )
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(verdict(tournament), style="bold"), Text()]
    if verbose:
        return Group(*parts, *_all(tournament))
    heads = ("rank", "policy", "wins", tournament.points_name)
    rows = [
        (rank_text(s), s.policy, wording.brief(s.win, share=True), wording.brief(s.points))
        for s in tournament.standings[:MOST_ROWS]
    ]
    left = len(tournament.standings) - MOST_ROWS
    widest_win = wording.widest([s.win for s in tournament.standings], share=True)
    sure = (
        f"{_separated(tournament)} Wins {widest_win}, {tournament.points_name} "
        f"{wording.widest([s.points for s in tournament.standings])} (95 %, simultaneous). "
        f"Fair: {100 / tournament.players:.4g} %. {f'{left} more: -v' if left > 0 else 'More: -v'}"
    )
    return Group(*parts, Fitted(heads, tuple(rows), left=(0, 1)), Text(), Text(sure, style="dim"))


def verdict(tournament: Tournament) -> str:
    """The best policy, and its lead over the next."""
    first, second = tournament.standings[:2]
    if first.worst == first.rank == 1:
        lead = _difference(tournament, first.policy, second.policy)
        return (
            f"▶ {first.policy} wins most: {wording.brief(first.win, share=True)} of its games, "
            f"{wording.amount(lead, '', share=True)} more than {second.policy}."
        )
    # All that can be first: their ranks overlap.
    alike = [s.policy for s in tournament.standings if s.rank == 1]
    return f"≈ Too close to call: {wording.listed(alike, 'or')} may be the best."


def _difference(tournament: Tournament, first: str, second: str) -> Estimate:
    """By how much one policy wins more than another."""
    return next(p.difference for p in tournament.pairs if {p.first, p.second} == {first, second})


def _separated(tournament: Tournament) -> str:
    """Which policies the games separate."""
    pairs = [pair for pair in tournament.pairs if not pair.separated]
    if not pairs:
        return "All ranks are certain."
    closest = min(pairs, key=lambda pair: pair.games_to_separate or math.inf)
    more = f" ({closest.first} and {closest.second}: {_needed(closest)} games per table would do)"
    note = more * (closest.games_to_separate is not None)
    return f"{len(pairs)} of {len(tournament.pairs)} pairs are not separated{note}."


def _all(tournament: Tournament) -> Iterator[RenderableType]:
    """Standings; pairs that are not separated; the matrix; the schedule."""
    yield table(
        ["policy", "rank", "wins", tournament.points_name],
        [
            [s.policy, rank_text(s), wording.percent(s.win), wording.number(s.points)]
            for s in tournament.standings
        ],
    )
    yield Text()
    yield from _open(tournament)
    yield Text(
        f"Win rate of one player (row) at a table of {tournament.players} "
        "where all others play another policy (column)",
        style="bold",
    )
    yield from _matrix(tournament)
    yield _played(tournament)


def rank_text(standing: Standing) -> str:
    """A rank, or the ranks from the best to the worst that it can be."""
    if standing.rank == standing.worst:
        return str(standing.rank)
    return f"{standing.rank}–{standing.worst}"


def _open(tournament: Tournament) -> list[RenderableType]:
    """The pairs that are not separated, the closest to it first."""
    pairs = [pair for pair in tournament.pairs if not pair.separated]
    if not pairs:
        return [Text("Every pair is separated by its win rates.", style="bold"), Text()]
    pairs.sort(key=lambda pair: pair.games_to_separate or float("inf"))
    rows = [
        [f"{pair.first}, {pair.second}", wording.percent(pair.difference), _needed(pair)]
        for pair in pairs[:MOST_PAIRS]
    ]
    parts: list[RenderableType] = [
        Text("Not separated", style="bold"),
        table(["", "difference", "games per table needed"], rows),
    ]
    if len(pairs) > MOST_PAIRS:
        parts.append(Text(f"and {len(pairs) - MOST_PAIRS} more pairs (--csv has all)"))
    return [*parts, Text()]


def _needed(pair: Pair) -> str:
    if pair.games_to_separate is None:
        return "none"
    return f"about {float(f'{pair.games_to_separate:.2g}'):,.0f}"


def _matrix(tournament: Tournament) -> Iterator[RenderableType]:
    """The matrix, at most `MOST_COLUMNS` columns side by side."""
    names = list(tournament.matrix)
    for at in range(0, len(names), MOST_COLUMNS):
        shown = names[at : at + MOST_COLUMNS]
        yield table(
            ["", *shown],
            [
                [name, *("–" if name == other else wording.percent(row[other]) for other in shown)]
                for name, row in tournament.matrix.items()
            ],
        )
        yield Text()


def _played(tournament: Tournament) -> Text:
    """What was played, and what the numbers mean."""
    better = "higher" if tournament.points_higher else "lower"
    lines = [
        f"wins: win rate in the league, ties shared; {100 / tournament.players:.4g} % if all were "
        "alike",
        f"{tournament.points_name}: mean at the end of a game, {better} is better",
        *_tables(tournament),
        "all tables play the same cards and dice (common random numbers): games "
        f"{PILOT_GAMES:,} to {PILOT_GAMES + tournament.games - 1:,} of seed {tournament.seed}; "
        f"{tournament.games * len(tournament.schedule.seatings):,} in all, "
        f"{tournament.seconds:.1f} s",
        "95 % intervals, simultaneous (family-wise) in each column of the league and in the matrix",
        "ranks by win rate: shared unless the paired difference of two policies separates them "
        "(95 % for all pairs at once); 2–4: the rank is one of these",
    ]
    if any(pair.games_to_separate for pair in tournament.pairs):
        lines.append(
            "games needed: sample size that separates a pair with 80 % power, if the difference "
            "is as estimated"
        )
    if tournament.precision is not None:
        lines.append(
            f"± {100 * tournament.precision:g} % was wanted, ± {100 * tournament.half_width:.3g} "
            "% is the "
            f"widest. The number of games was set by a pilot of games 0 to {PILOT_GAMES - 1}, "
            "which do not count"
        )
    if not tournament.interrupted:
        lines.append(f"--games {tournament.games} repeats this answer")
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def _tables(tournament: Tournament) -> list[str]:
    schedule = tournament.schedule
    k, players = len(tournament.standings), tournament.players
    if k >= players:
        mixes = f"of {players} of the {k} policies" if k > players else "of the policies"
    elif players % k:
        mixes = f"of the {k} policies, each as often as any other or one time more"
    else:
        mixes = f"of the {k} policies, each {players // k} times"
    which = "every seating" if schedule.complete else "a fixed selection of seatings"
    league = (
        f"league: {which} {mixes} ({schedule.league_tables:,} tables); every policy has every "
        "seat equally often"
    )
    duels = f"matrix: the one player in every seat ({len(schedule.matrix) * players:,} tables)"
    return [league, duels]


COLUMNS = (
    *("rules", "players", "seed", "games", "part", "policy", "other", "measure"),
    *("value", "stderr", "low", "high", "n", "method"),
    *("rank", "worst_rank", "separated", "games_to_separate"),
)


def tournament_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """A row for each figure: of the league, the matrix and the differences of pairs."""
    figures: list[tuple[str, str, str | None, str, Estimate, dict[str, Any]]] = []
    for s in tournament.standings:
        ranked = {"rank": s.rank, "worst_rank": s.worst}
        figures.append(("league", s.policy, None, "win", s.win, ranked))
        figures.append(("league", s.policy, None, tournament.points_name, s.points, {}))
    for name, row in tournament.matrix.items():
        figures += [("matrix", name, other, "win", value, {}) for other, value in row.items()]
    for pair in tournament.pairs:
        more = {"separated": pair.separated, "games_to_separate": pair.games_to_separate}
        figures.append(("difference", pair.first, pair.second, "win", pair.difference, more))
    made = (tournament.rules, tournament.players, tournament.seed, tournament.games)
    return [
        dict.fromkeys(COLUMNS)
        | dict(zip(COLUMNS, (*made, *figure), strict=False))
        | value.to_json()
        | more
        for *figure, value, more in figures
    ]


def tournament_csv(tournament: Tournament) -> str:
    """The rows as CSV text; missing values are empty."""
    rows = tournament_rows(tournament)
    return csv_text([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)])


def tournament_parquet(tournament: Tournament) -> bytes:
    """The rows as a Parquet file (needs pyarrow)."""
    import pyarrow
    import pyarrow.parquet

    kinds: Sequence[tuple[Any, Sequence[str]]] = (
        (pyarrow.int64(), ("players", "seed", "games", "n", "rank", "worst_rank")),
        (pyarrow.int64(), ("games_to_separate",)),
        (pyarrow.float64(), ("value", "stderr", "low", "high")),
        (pyarrow.bool_(), ("separated",)),
    )
    kind = {name: of for of, names in kinds for name in names}
    schema = pyarrow.schema([(name, kind.get(name, pyarrow.string())) for name in COLUMNS])
    rows = pyarrow.Table.from_pylist(tournament_rows(tournament), schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(rows, sink)
    return bytes(sink.getvalue().to_pybytes())


# What `tune` found, as text.

MOST_RACERS = 6  # of the last race, without -v


def tuned_text(tuned: Tuned, verbose: bool = False) -> RenderableType:
    """What was found and how good it is on fresh games, and its rivals; verbose: the whole race."""
    share = tuned.objective == "win"
    head = f"{titled(tuned)} · {tuned.players} players · {tuned.family} against {tuned.against}"
    tried = tuned.tried if verbose else _nearest(tuned)
    rows = [(t.policy, wording.number(t.value, share), _state(tuned, t.policy)) for t in tried]
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(line, style="bold") for line in findings(tuned)]
    parts += [Text(), Fitted(("the last race", VALUE[share], ""), tuple(rows), left=(0, 2)), Text()]
    if not verbose:
        left = len(tuned.tried) - len(tried)
        sure = (
            f"{_unit(tuned)}. {tuned.games:,} fresh games, which the search never saw; ± is a 95 % "
            f"interval. {f'{left} more: -v' if left else 'More: -v'}"
        )
        return Group(*parts, Text(sure, style="dim"))
    lines = [
        f"{_unit(tuned)}; {tuned.games:,} fresh games, {tuned.search_games:,} in the search "
        f"({tuned.tried[0].value.n:,} for each of the last race), seed {tuned.seed}, "
        f"{tuned.seconds:.1f} s",
        "as good: not shown to be worse in the last race",
        *_alike(tuned),
        f"the search saw {wording.number(tuned.searched, share)} for its winner, fresh games "
        f"{_apart(tuned, share)}; the best of several candidates looks better than it is "
        "(winner's curse)",
        "every policy takes each seat in turn, all with the same cards and dice",
    ]
    return Group(*parts, Text("\n".join(f"· {line}" for line in lines), style="dim"))


VALUE = {True: "wins", False: "value"}


def findings(tuned: Tuned) -> list[str]:
    """The policy found, its value on fresh games, and whether that beats the others' policy."""
    share = tuned.objective == "win"
    rivals = len(tuned.plateau) - 1
    mark = "≈" if rivals else "▶"
    begin = "One of the best found is" if rivals else "The best found is"
    if share:
        clause = f"it wins {wording.number(tuned.value, share)} of its games"
    else:
        clause = f"{wording.number(tuned.value)} {per_game(tuned)}"
    lines = [f"{mark} {begin} {tuned.policy}: {clause}."]
    if tuned.fair is not None:
        fair = f"an even share would be {100 * tuned.fair:.1f} %"
        beats = tuned.value.low > tuned.fair
        loses = tuned.value.high < tuned.fair
        how = "beats" if beats else "does not beat" if loses else "is level with"
        lines.append(f"  On fresh games it {how} {tuned.against}: {fair}.")
    if rivals:
        lines.append(
            f"  {rivals} other{'s are' if rivals > 1 else ' is'} as good, as far as shown."
        )
    return lines


def per_game(tuned: Tuned) -> str:
    """The unit of a value for points."""
    return f"{tuned.unit} per game" if tuned.higher else "points per round"


def _nearest(tuned: Tuned) -> list[Tried]:
    """The candidates closest to the one that was chosen, in their order."""
    sign = -1 if tuned.higher else 1
    ordered = sorted(
        tuned.tried, key=lambda t: (t.policy != tuned.policy, not t.stayed, sign * t.value.value)
    )[:MOST_RACERS]
    return [tried for tried in tuned.tried if tried in ordered]


def _state(tuned: Tuned, policy: str) -> str:
    """The fate of a candidate, in a word."""
    if policy == tuned.policy:
        return "chosen"
    state = next(tried.state for tried in tuned.tried if tried.policy == policy)
    return {STAYED: "as good", ALIKE: "equivalent", BEHIND: "worse"}[state]


def _unit(tuned: Tuned) -> str:
    """What values count, and which are good."""
    if tuned.objective == "win":
        return "Win rate, ties shared"
    better = "more" if tuned.higher else "fewer"
    return f"{wording.capital(per_game(tuned))}: {better} is better"


def _alike(tuned: Tuned) -> list[str]:
    """The meaning of *alike*, if any candidate is."""
    if all(tried.state != ALIKE for tried in tuned.tried):
        return []
    zone = ZONE[tuned.objective]
    limit = f"{100 * zone:g} percentage points" if tuned.objective == "win" else f"{zone:g}"
    return [f"equivalent: within {limit} of one that stayed in the race; it left the race"]


def _apart(tuned: Tuned, share: bool) -> str:
    """How much less or more fresh games give than the search saw, with the error of that."""
    luck = tuned.luck
    if luck.value == 0:
        return "the same"
    if luck.value > 0:
        return f"{_gain(luck, share)} less"
    more = replace(luck, value=-luck.value, low=-luck.high, high=-luck.low)
    return f"{_gain(more, share)} more"


def _gain(estimate: Estimate, share: bool) -> str:
    """A difference with its error; of shares in percentage points."""
    return wording.number(estimate, share).replace("%", wording.POINTS_OF_CHANCE)
