"""``lama-odds compare``: what does a rule change, how much, and how sure is that?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import (
    MAX_GAMES,
    AsJson,
    Players,
    Seed,
    Threads,
    check_players,
    check_precision,
    check_seconds,
    note,
    progress_bar,
    show,
    start_kernels,
)
from lama_odds.cli.runs import RunDir, run_folder, tell_kept
from lama_odds.core.errors import ReadError, near_names

if TYPE_CHECKING:
    from lama_odds.analysis.compare import Amount, Comparison, Delta
    from lama_odds.analysis.planning import Plan
    from lama_odds.core.policies import Policy
    from lama_odds.games.protocol import Game

EXAMPLES = """[bold]Examples[/bold]

lama-odds compare lama/egmont lama/egmont+llama_each --players 4

lama-odds compare dice/amigo dice/egmont dice/gigamic --players 4 --all-pairs --plot dice.svg

lama-odds compare lama/egmont lama/egmont+target=30 lama/egmont+target=50 --players 3 --csv t.csv

lama-odds compare dice/amigo dice/egmont --players 4 --precision penalty=0.002 --delta 0.5%

lama-odds compare pikomino/egmont pikomino/egmont+short --players 2 --policy first-tile
"""

SAME, RETUNED = "same", "retuned"


def compare(
    rules: Annotated[
        list[str],
        typer.Argument(metavar="RULES_A RULES_B...", help="Rule sets of one game, baseline first."),
    ],
    players: Players,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="POLICY", help="Everybody's policy (default: the best)."),
    ] = None,
    policies: Annotated[
        str,
        typer.Option(
            "--policies", help="same: one policy in all; retuned: the best known for each."
        ),
    ] = SAME,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare all pairs, not only with the first.")
    ] = False,
    delta: Annotated[
        list[str] | None,
        typer.Option(
            "--delta",
            metavar="[MEASURE=]δ",
            help="A difference that nobody minds: 0.05, or 2% of the baseline's value; repeatable "
            "(default: 1% of means, 0.005 of shares).",
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
        float | None, typer.Option("--seconds", help="Games for so many seconds.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write all rows to a CSV file.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the changes, as .svg or .png."),
    ] = None,
    threads: Threads = None,
    run: RunDir = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What a rule changes: every measure of all rule sets, on the same luck, with a verdict each.

    A verdict says that a measure differs, that it is the same within ±δ, or what would settle it.
    """
    start_kernels()
    game, variants = read_variants(rules, players)
    amount = read_amount(games, seconds, precision)
    deltas = read_deltas(delta or [])
    if plot is not None:
        from lama_odds.report.plots import check_format

        format_ = check_format(plot)
    for file in (csv, plot):
        # Known before hours of play, not after them.
        if file is not None and not file.parent.is_dir():
            raise FileNotFoundError(f"{file}: there is no folder {file.parent}")
    chosen = read_policies(game, variants, players, policy, policies)

    from lama_odds.analysis.compare import compare as compare_all
    from lama_odds.report.compare import compared_csv, compared_text

    question = {
        "command": "compare",
        "rules": [rule_set.id for rule_set in variants],
        "players": players,
        "policies": [each.name for each in chosen],
        "seed": seed,
    }
    with run_folder(run, question, several=True) as folder, progress_bar("compare") as progress:
        tell = (lambda done, of: progress(done / of, "playing")) if progress else None
        answer = compare_all(
            game,
            variants,
            chosen,
            players,
            retuned=policies == RETUNED,
            amount=amount,
            all_pairs=all_pairs,
            deltas=deltas,
            seed=seed,
            threads=threads,
            planned=tell_plan,
            progress=tell,
            folder=folder,
        )
    if answer.interrupted:
        note(f"stopped early: the answer rests on {answer.games} games")
        tell_kept(run)
    if amount.half_width is not None:
        tell_missed(answer, amount)
    if csv is not None:
        from lama_odds.core.files import write_whole

        write_whole(csv, compared_csv(answer))
    if plot is not None:
        from lama_odds.core.files import write_whole_bytes
        from lama_odds.report.plots import forest_plot

        write_whole_bytes(plot, forest_plot(answer, format_))
    show(as_json, answer, lambda: compared_text(answer))


def read_variants(texts: list[str], players: int) -> tuple[Game, list[Any]]:
    """The game, and its rule sets; ReadError for fewer than two, other games, twice the same."""
    from lama_odds.games.registry import game_of

    if len(texts) < 2:
        raise ReadError("found one rule set, expected at least two: the baseline and another")
    game = game_of(texts[0])
    variants: dict[str, tuple[str, Any]] = {}
    for text in texts:
        other = game_of(text)
        if other.name != game.name:
            raise ReadError(
                f"{texts[0]} is {game.title}, {text} is {other.title}: "
                "expected rule sets of one game",
                text,
            )
        rules = game.rules(text)
        if rules.id in variants:
            before = variants[rules.id][0]
            again = f"both are {rules.id}" if text != before else "given twice"
            raise ReadError(f"the same rule set twice: {before} and {text} ({again})", text)
        check_players(rules, players)
        variants[rules.id] = (text, rules)
    return game, [rules for _, rules in variants.values()]


def read_policies(
    game: Game, variants: list[Any], players: int, policy: str | None, policies: str
) -> list[Policy]:
    """The policy of each rule set: one for all, or the best known for each."""
    if policies not in (SAME, RETUNED):
        raise ReadError(
            f"--policies {policies}: expected {SAME} or {RETUNED}",
            hints=near_names(policies, (SAME, RETUNED)),
        )
    if policies == RETUNED:
        if policy is not None:
            raise ReadError("--policy seats one policy, --policies retuned the best of each")
        return [game.best_policy(rules, players) for rules in variants]
    best = game.policy(policy) if policy is not None else game.best_policy(variants[0], players)
    return [best] * len(variants)


def read_amount(games: int | None, seconds: float | None, precision: str | None) -> Amount:
    """How much to play; at most one of the three may be given."""
    from lama_odds.analysis.compare import Amount

    if sum(given is not None for given in (games, seconds, precision)) > 1:
        raise ReadError("expected one of --games, --seconds and --precision")
    if seconds is not None:
        check_seconds(seconds)
    if precision is None:
        return Amount(games, seconds)
    name, number = split_named(precision)
    half_width = read_number("--precision", precision, number)
    check_precision(half_width)
    return Amount(half_width=half_width, measure=name)


def read_deltas(texts: list[str]) -> dict[str | None, Delta]:
    """δ by measure, None standing for all others."""
    from lama_odds.analysis.compare import Delta

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
    """Say so if the half-width asked for was not reached, and how many games would do it."""
    assert amount.half_width is not None
    name = amount.measure or answer.rows[0].measure.name
    rows = [row for row in answer.rows if name in (row.measure.name, row.measure.key)]
    reached = max((row.difference.high - row.difference.low) / 2 for row in rows)
    if reached > amount.half_width:
        games = math.ceil(answer.games * (reached / amount.half_width) ** 2 / 1000) * 1000
        note(
            f"±{reached:.3g} was reached, not ±{amount.half_width:g}: it varies more than it "
            f"seemed to (--games {games} would do)"
        )


def tell_plan(plan: Plan) -> None:
    """Say on stderr what will be played, if that takes a while."""
    if plan.seconds is not None and plan.seconds > 1:
        note(f"{plan.games:,} games of each rule set, about {plan.seconds:.0f} s")
