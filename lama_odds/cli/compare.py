"""``lama-odds compare``: what does a rule change, how much, and how sure is that?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli import completion
from lama_odds.cli.common import (
    MAX_GAMES,
    NAMED_SO,
    AsJson,
    Csv,
    Players,
    Seed,
    Threads,
    Verbose,
    check_files,
    check_plot,
    check_precision,
    check_seconds,
    note,
    progress_bar,
    show,
    start_kernels,
    write_csv,
)
from lama_odds.cli.runs import RunDir, tell_kept
from lama_odds.core.checks import Delta, check_one, default_players
from lama_odds.core.errors import ReadError
from lama_odds.core.files import write_output

if TYPE_CHECKING:
    from lama_odds.analysis.compare.compare import Amount, Comparison
    from lama_odds.analysis.compare.design import Plan

EXAMPLES = """[bold]Examples[/bold]

lama-odds compare lama/egmont +llama_each --players 4

lama-odds compare dice/amigo dice/egmont dice/gigamic --players 4 --all-pairs --plot dice.svg

lama-odds compare lama/egmont lama/egmont+target=30 lama/egmont+target=50 --players 3 --csv t.csv

lama-odds compare dice/amigo dice/egmont --players 4 --precision penalty=0.002 --delta 0.5%

lama-odds compare pikomino/egmont pikomino/egmont+short --players 2 --policy first-tile

lama-odds compare lama/amigo +quit_cost=3 --players 4 --policy threshold:5 --measure good

lama-odds compare lama/egmont +llama_each --players 4 --plan --games 1000000
"""


def compare(
    rules: Annotated[
        list[str],
        typer.Argument(
            metavar="RULES_A RULES_B...",
            autocompletion=completion.rule_sets,
            help="Rule sets of one game, the baseline first. After it +OPTION alone stands for "
            "the baseline with that option. @FILE is a variant in a file.",
        ),
    ],
    players: Players = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            autocompletion=completion.policies,
            help=f"Everybody's policy in all rule sets ({NAMED_SO}; default: best, of RULES_A).",
        ),
    ] = None,
    policies: Annotated[
        str,
        typer.Option(
            "--policies",
            metavar="same|retuned",
            autocompletion=completion.one_of("same", "retuned"),
            help="same: one policy in all rule sets; retuned: the best of each.",
        ),
    ] = "same",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="What to measure: a name, or a group: duration, fairness, tension, "
            "decisions, skill, good (all five); repeatable (default: what is usual).",
        ),
    ] = None,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare all pairs, not only with the first.")
    ] = False,
    delta: Annotated[
        list[str] | None,
        typer.Option(
            "--delta",
            metavar="[MEASURE=]δ",
            help="The smallest difference that matters: 0.05, or 2% of the baseline's value; "
            "repeatable (default: 1% of means, 0.005 of shares).",
        ),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision",
            metavar="[MEASURE=]P",
            help="Half-width wanted of the difference, in the first measure unless one is named.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=1, max=MAX_GAMES, help="Games (default: 200,000, or two minutes' worth)."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Play games for this many seconds.")
    ] = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan",
            help="Play a pilot alone, and say how many games each measure needs, and what "
            "--games would show.",
        ),
    ] = False,
    csv: Csv = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the changes, as .svg or .png."),
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    verbose: Verbose = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What does a rule change? Compares rule sets game by game, with the same cards and dice.

    Each measure differs, is equivalent within ±δ, or is undecided.
    """
    start_kernels()
    from lama_odds.analysis.variants.given import RETUNED, read_variants

    variants = [given.rules for given in read_variants(rules, players)]
    if players is None:
        players = default_players(*variants)
    check_one({"--policy": policy, "--policies retuned": policies if policies == RETUNED else None})
    amount = read_amount(games, seconds, precision)
    deltas = read_deltas(delta or [])
    check_plot(plot)
    check_files(csv, as_json, plot=plot)
    asked: dict[str, Any] = {
        "policy": policy,
        "policies": policies,
        "all_pairs": all_pairs,
        "measures": measure or (),
        "delta": deltas,
        "games": amount.games,
        "threads": threads,
        "seed": seed,
    }
    if plan:
        refuse_with_plan(seconds=seconds, precision=precision, plot=plot, run=run)
        show_plan(rules, players, asked, csv, verbose, as_json)
        return
    from lama_odds.api.comparisons import compare as ask

    with progress_bar("compare") as progress:
        answer = ask(
            rules,
            players,
            **asked,
            seconds=amount.seconds,
            precision=amount.half_width,
            measure=amount.measure,
            run=run,
            progress=progress,
            planned=tell_plan,
        )
    found = answer.found
    if found.interrupted:
        note(f"stopped early: the answer rests on {found.games} games")
        tell_kept(run)
    if amount.half_width is not None:
        tell_missed(found, amount)
    show(
        as_json,
        found,
        lambda: answer.shown(verbose),
        lambda: write_files(found, csv, plot),
        csv=csv,
    )


def refuse_with_plan(**options: object) -> None:
    """ReadError for an option that a plan has no use for."""
    for name, value in options.items():
        if value is not None:
            raise ReadError(f"--plan: only a pilot is played, so --{name} has no meaning with it")


def show_plan(
    rules: list[str],
    players: int,
    asked: dict[str, Any],
    csv: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Play a pilot, print the plan, and write its rows to the file that is given."""
    from lama_odds.api.comparisons import plan
    from lama_odds.report.text.compare import planned_csv

    with progress_bar("pilot") as progress:
        answer = plan(rules, players, **asked, progress=progress)
    show(
        as_json,
        answer.found,
        lambda: answer.shown(verbose),
        lambda: write_csv(csv, lambda: planned_csv(answer.found)),
        csv=csv,
    )


def write_files(answer: Comparison, csv: Path | None, plot: Path | None) -> None:
    """Write the rows and the figure to the files that are given."""
    from lama_odds.report.text.compare import compared_csv

    write_csv(csv, lambda: compared_csv(answer))
    if plot is not None:
        from lama_odds.report.figures.style import check_format
        from lama_odds.report.figures.sweeps import forest_plot

        write_output(plot, forest_plot(answer, check_format(plot)))


def read_amount(games: int | None, seconds: float | None, precision: str | None) -> Amount:
    """How much to play; at most one of the three may be given."""
    from lama_odds.analysis.compare.compare import Amount

    check_one({"--games": games, "--seconds": seconds, "--precision": precision})
    if seconds is not None:
        check_seconds(seconds)
    if precision is None:
        return Amount(games, seconds)
    name, number = split_named(precision)
    half_width = read_number("--precision", precision, number)
    check_precision(half_width)
    return Amount(half_width=half_width, measure=name)


def read_deltas(texts: list[str]) -> dict[str | None, Delta]:
    """δ by measure; None is the key of all others."""
    found: dict[str | None, Delta] = {}
    for text in texts:
        name, number = split_named(text)
        if name in found:
            raise ReadError(f"--delta {text}: {name or 'δ of all measures'} is given twice")
        relative = number.endswith("%")
        value = read_number("--delta", text, number.removesuffix("%"))
        if value <= 0:
            raise ReadError(f"--delta {text}: expected a number above 0")
        found[name] = Delta(value / 100 if relative else value, relative)
    return found


def split_named(text: str) -> tuple[str | None, str]:
    """``name=number`` or ``number``."""
    name, equals, number = text.rpartition("=")
    return (name.strip() if equals else None), number.strip()


def read_number(option: str, text: str, number: str) -> float:
    """A finite number; ReadError for anything else."""
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ReadError(f"{option} {text}: found {number!r}, expected a number")
    return value


def tell_missed(answer: Comparison, amount: Amount) -> None:
    """Say so if the requested half-width was not reached, and how many games would do."""
    from lama_odds.analysis.compare.design import matching

    assert amount.half_width is not None
    name = amount.measure or answer.rows[0].measure.name
    named = matching(name, [row.measure for row in answer.rows])
    rows = [row for row in answer.rows if row.measure in named]
    reached = max((row.difference.high - row.difference.low) / 2 for row in rows)
    if reached > amount.half_width:
        games = math.ceil(answer.games * (reached / amount.half_width) ** 2 / 1000) * 1000
        note(
            f"±{reached:.3g} was reached, not ±{amount.half_width:g}: differences vary more "
            f"than expected (--games {games} would do)"
        )


def tell_plan(plan: Plan) -> None:
    """Report on stderr what will be played, if that takes a while."""
    if plan.seconds is not None and plan.seconds > 1:
        note(f"{plan.games:,} games of each rule set, about {plan.seconds:.0f} s")
