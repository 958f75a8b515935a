"""``lama-odds tournament``: which policy is best against which?"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lama_odds.api.asked import asked_of, policy_of
from lama_odds.api.tables import FEWEST_AT_A_TABLE, LONGEST
from lama_odds.cli import completion
from lama_odds.cli.common import (
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Csv,
    Players,
    Plot,
    Rules,
    Seed,
    Threads,
    Verbose,
    check_files,
    check_players,
    check_plot,
    check_precision,
    note,
    progress_bar,
    show,
    start_kernels,
    write_csv,
    write_plot,
)
from lama_odds.cli.runs import RunDir, tell_kept
from lama_odds.core.checks import check_one
from lama_odds.core.errors import LimitError, ReadError, extra
from lama_odds.core.files import write_output
from lama_odds.core.policies import EVERYWHERE, Policy

if TYPE_CHECKING:
    from lama_odds.analysis.tournament import Tournament
    from lama_odds.games.interface.game import Game, P, R

FURTHER_NUMBER = re.compile(r"\s*\w+=")  # of the policy before, not another policy

EXAMPLES = """[bold]Examples[/bold]

lama-odds tournament lama/egmont --players 4 --policies random,threshold:5,matching:5,meanfield

lama-odds tournament dice/amigo --players 2 --policies threshold:5,threshold:6 --precision 0.002

lama-odds tournament noprob/starnberger --policies best,planner:chase=40,lead=6 --games 200

lama-odds tournament pikomino/egmont --players 3 --policies first-tile,optimal-turn,lead:50 \
--games 1000 --csv all.csv --plot league.svg
"""

MOST_POLICIES = 40


def tournament(
    rules: Rules,
    policies: Annotated[
        str,
        typer.Option(
            "--policies",
            metavar="A,B,…",
            help=f"Two policies or more, with commas ({NAMED_SO}).",
            autocompletion=completion.several_policies,
        ),
    ],
    players: Players = None,
    precision: Annotated[
        float | None,
        typer.Option("--precision", help="Half-width wanted for every win rate (default: 0.01)."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=FEWEST_AT_A_TABLE,
            max=MAX_GAMES >> 4,
            help="Games at each table, instead of as many as the precision takes.",
        ),
    ] = None,
    csv: Csv = None,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="FILE", help="The same to a Parquet file (pyarrow)."),
    ] = None,
    plot: Plot = None,
    threads: Threads = None,
    run: RunDir = None,
    seed: Seed = 0,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Which policy is best? Policies play each other: win rates, points and ranks.

    All seatings of every balanced line-up are played, with the same cards and dice. Policies that
    are not separated share a rank.
    """
    start_kernels()
    check_one({"--games": games, "--precision": precision})
    if precision is not None:
        check_precision(precision)
        if precision > LONGEST:
            raise ReadError(f"--precision {precision:g}: a share, so at most {LONGEST}")
    format_ = check_plot(plot)
    game, rule_set = asked_of(rules)
    players = check_players(rule_set, players)
    chosen = read_policies(game, rule_set, players, policies)
    if parquet is not None and importlib.util.find_spec("pyarrow") is None:
        raise LimitError(f"--parquet needs pyarrow: {extra('parquet')}, or use --csv")
    check_files(csv, as_json, parquet=parquet, plot=plot)

    from lama_odds.api.tables import tournament as ask

    with progress_bar("tournament") as progress:
        answer = ask(
            rules,
            players,
            [policy.name for policy in chosen],
            precision=precision,
            games=games,
            threads=threads,
            seed=seed,
            run=run,
            progress=progress,
        )
    found = answer.found
    _tell(found, run)

    def write() -> None:
        _write_tables(found, csv, parquet)
        if plot is not None:
            from lama_odds.analysis.strategy_report.sections.answers import figure_of

            write_plot(plot, figure_of(found), format_)

    show(as_json, found, lambda: answer.shown(verbose), write, csv=csv)


def _tell(answer: Tournament, run: Path | None) -> None:
    """Say if it was stopped, or is less precise than requested."""
    if answer.interrupted:
        note(f"stopped early: the answer rests on {answer.games} games at each table")
        tell_kept(run)
    elif answer.precision is not None and answer.half_width > answer.precision:
        note(f"the widest interval is ± {answer.half_width:.3g}, a little more than requested")


def _write_tables(answer: Tournament, csv: Path | None, parquet: Path | None) -> None:
    """Write all figures to the files that are given."""
    from lama_odds.report.text.tournament import tournament_csv, tournament_parquet

    write_csv(csv, lambda: tournament_csv(answer))
    if parquet is not None:
        write_output(parquet, tournament_parquet(answer))


def read_policies(game: Game[R, P], rules: R, players: int, text: str) -> list[Policy]:
    """The policies of a list with commas; ReadError at the place of an unknown one."""
    found: list[Policy] = []
    for at, part in _parts_of(text):
        name = part.strip()
        place = at + len(part) - len(part.lstrip())
        if not name:
            raise ReadError("--policies: a policy is missing", text, at)
        try:
            policy = policy_of(game, rules, name, players)
        except ReadError as error:
            within = error.at if error.text == name else 0
            raise ReadError(error.message, text, place + within, error.hints) from error
        if policy in found:
            raise ReadError(f"--policies: {policy.name} is named twice", text, place)
        found.append(policy)
    if len(found) < 2:
        known = ", ".join([*(family.usage for family in game.families), *EVERYWHERE])
        raise ReadError(
            "--policies: one policy, expected two or more", text, len(text), (f"  known: {known}",)
        )
    if len(found) > MOST_POLICIES:
        raise ReadError(f"--policies: {len(found)} policies, expected at most {MOST_POLICIES}")
    return found


def _parts_of(text: str) -> list[tuple[int, str]]:
    """The parts of a list with commas and their places: numbers of a policy stay with it."""
    parts: list[tuple[int, str]] = []
    at = 0
    for part in text.split(","):
        if parts and ":" in parts[-1][1] and FURTHER_NUMBER.match(part):
            begun, policy = parts.pop()
            parts.append((begun, f"{policy},{part}"))
        else:
            parts.append((at, part))
        at += len(part) + 1
    return parts
