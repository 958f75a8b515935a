"""``lama-odds compare``: what does a rule change, how much, and how sure is that?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lama_odds.api.comparisons import compare as ask
from lama_odds.api.options import Option
from lama_odds.cli import common
from lama_odds.cli.asking import asks
from lama_odds.cli.runs import tell_stopped
from lama_odds.core.checks import Delta, check_one, check_precision, default_players
from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from lama_odds.analysis.compare.compare import Amount, Comparison
    from lama_odds.analysis.compare.design import Plan

EXAMPLES = """
lama-odds compare lama/egmont +llama_each --players 4

lama-odds compare dice/amigo dice/egmont dice/gigamic --players 4 --all-pairs --plot dice.svg

lama-odds compare dice/amigo dice/egmont --players 4 --precision penalty=0.002 --delta 0.5%

lama-odds compare lama/amigo +quit_cost=3 --players 4 --policy threshold:5 --measure good

lama-odds compare lama/egmont +llama_each --players 4 --plan --games 1000000
"""


@asks(
    "rules players policy policies measures all_pairs delta precision games seconds plan csv plot "
    "threads engine run verbose seed as_json",
    ask,
)
def compare(
    options: dict[str, Any],
    csv: Path | None,
    verbose: bool,
    as_json: bool,
    plan: Annotated[
        bool,
        Option(
            "Play a pilot alone, and say how many games each measure needs, and what "
            "--games would show."
        ),
    ] = False,
    plot: Annotated[Path | None, Option("Draw the changes, as .svg or .png.", shown="FILE")] = None,
) -> None:
    """What does a rule change? Compares rule sets game by game, with the same cards and dice.

    Each measure differs, is equivalent within ±δ, or is undecided.
    """
    common.start_kernels()
    from lama_odds.analysis.variants.given import read_variants

    variants = [given.rules for given in read_variants(options["rules"], options.get("players"))]
    options.setdefault("players", default_players(*variants))
    check_retuned(options)
    amount = read_amount(*(options.pop(name, None) for name in ("games", "seconds", "precision")))
    options["delta"] = read_deltas(options.get("delta", []))
    common.check_plot(plot)
    common.check_files(csv, as_json, plot=plot)
    if plan:
        refuse_with_plan(
            seconds=amount.seconds, precision=amount.half_width, plot=plot, run=options.get("run")
        )
        show_plan({**options, "games": amount.games}, csv, verbose, as_json)
        return
    with common.progress_bar("compare") as progress:
        answer = ask(
            **options,
            games=amount.games,
            seconds=amount.seconds,
            precision=amount.half_width,
            measure=amount.measure,
            progress=progress,
            planned=tell_plan,
        )
    comparison = answer.found
    tell_stopped(
        comparison, options, f"stopped early: the answer rests on {comparison.games} games"
    )
    if amount.half_width is not None:
        tell_missed(comparison, amount)
    from lama_odds.report.text.compare import compared_csv

    common.show_answer(answer, as_json, verbose, csv, compared_csv, plot)


def check_retuned(options: dict[str, Any]) -> None:
    """ReadError for a policy of all beside the best of each."""
    from lama_odds.analysis.variants.given import RETUNED

    retuned = options["policies"] if options["policies"] == RETUNED else None
    check_one({"--policy": options.get("policy"), "--policies retuned": retuned})


def refuse_with_plan(**options: object) -> None:
    """ReadError for an option that a plan has no use for."""
    for name, value in options.items():
        if value is not None:
            raise ReadError(f"--plan: only a pilot is played, so --{name} has no meaning with it")


def show_plan(options: dict[str, Any], csv: Path | None, verbose: bool, as_json: bool) -> None:
    """Play a pilot, print the plan, and write its rows to the file that is given."""
    from lama_odds.api.comparisons import plan
    from lama_odds.report.text.compare import planned_csv

    with common.progress_bar("pilot") as progress:
        answer = plan(**options, progress=progress)
    common.show_answer(answer, as_json, verbose, csv, planned_csv)


def read_amount(games: int | None, seconds: float | None, precision: str | None) -> Amount:
    """How much to play."""
    from lama_odds.analysis.compare.compare import Amount

    if precision is None:
        return Amount(games, seconds)
    name, number = split_named(precision)
    half_width = read_number("--precision", precision, number)
    check_precision(half_width, "--precision")
    return Amount(half_width=half_width, measure=name)


def read_deltas(texts: list[str]) -> dict[str | None, Delta]:
    """δ by measure; None is the key of all others."""
    deltas: dict[str | None, Delta] = {}
    for text in texts:
        name, number = split_named(text)
        if name in deltas:
            raise ReadError(f"--delta {text}: {name or 'δ of all measures'} is given twice")
        relative = number.endswith("%")
        value = read_number("--delta", text, number.removesuffix("%"))
        if value <= 0:
            raise ReadError(f"--delta {text}: expected a number above 0")
        deltas[name] = Delta(value / 100 if relative else value, relative)
    return deltas


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
        common.note(
            f"±{reached:.3g} was reached, not ±{amount.half_width:g}: differences vary more "
            f"than expected (--games {games} would do)"
        )


def tell_plan(plan: Plan) -> None:
    """Report on stderr what will be played, if that takes a while."""
    if plan.seconds is not None and plan.seconds > 1:
        common.note(f"{plan.games:,} games of each rule set, about {plan.seconds:.0f} s")
