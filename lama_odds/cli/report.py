"""``lama-odds report``: strategy reports as pages, with their tables and figures as files."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lama_odds.api.asked import run_folder
from lama_odds.api.options import Option
from lama_odds.cli.asking import asks
from lama_odds.cli.common import check_players, line_out, note, progress_bar, start_kernels
from lama_odds.core.checks import check_one, check_precision
from lama_odds.core.errors import ReadError, extra, near_names
from lama_odds.core.progress import Progress, StageProgress

if TYPE_CHECKING:
    from lama_odds.analysis.strategy_report.document import Ask, Budget, Section
    from lama_odds.analysis.strategy_report.plan import Planned
    from lama_odds.report.figures.draw import Drawing
    from lama_odds.report.pages.pages import Folder

EXAMPLES = """
lama-odds report dice/amigo --quick --out dice

lama-odds report lama/egmont lama/party --players 3 --out cards

lama-odds report --out all --format md

lama-odds report --design lama/amigo @quick.toml +quit_cost=3 --quick --out design
"""

Tell = StageProgress | None


@asks("rules out players precision design vary policy quick format_ threads engine run seed")
def report(
    options: dict[str, Any],
    rules: Annotated[
        list[str] | None,
        Option(
            "Rule sets, or @FILE (default: one of every game).",
            argument=True,
            shown="RULES",
            offers="rule_sets",
        ),
    ] = None,
    out: Annotated[Path | None, Option("Folder: new, or one of reports.", shown="DIR")] = None,
    players: Annotated[int | None, Option("Number of players (default: 4).")] = None,
    precision: Annotated[
        float | None,
        Option(
            "Half-width wanted for thresholds, in points; it sets how much is played "
            "(default: 0.05)."
        ),
    ] = None,
    design: Annotated[
        bool,
        Option(
            "One page for designers: what the other rule sets change against the first, and "
            "what makes each good."
        ),
    ] = False,
    vary: Annotated[
        list[str] | None,
        Option(
            "With --design: sweep an option too, as in sweep; repeatable.",
            shown="OPTION=VALUES",
            offers="varied",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        Option(
            "With --design: everybody's policy (default: best, of the first rule set, or "
            "the strongest that plays by all of them).",
            shown="POLICY",
            offers="policies",
        ),
    ] = None,
    quick: Annotated[bool, Option("Less precise, in under a minute per rule set.")] = False,
    format_: Annotated[
        str, Option("Pages for a browser, or Markdown.", flag="--format", shown="html|md")
    ] = "html",
) -> None:
    """Strategy reports: what to do and why, with figures and tables, each page one file.

    Every table is a CSV file too (Parquet as well with pyarrow), every figure SVG and PNG. A run
    that was stopped resumes: finished sections are not computed again; with --run,
    games of the unfinished section are not played again either.
    """
    if out is None:
        raise ReadError("give --out DIR, the folder to write to")
    start_kernels()
    seed, threads = options["seed"], options.get("threads")
    if design:
        asks = read_design(rules or [], players, policy, vary or [], quick, seed, threads)
    elif vary or policy:
        raise ReadError(f"--{'vary' if vary else 'policy'} is for pages of --design")
    else:
        asks = read_asks(rules, players, precision, quick, seed, threads)

    from lama_odds.report.pages.pages import FORMATS, Folder, has_parquet

    if format_ not in FORMATS:
        raise ReadError(
            f"--format {format_}: expected html or md", hints=near_names(format_, FORMATS)
        )
    folder = Folder(out)
    if not has_parquet():
        note(f"tables as CSV only: Parquet needs pyarrow ({extra('parquet')})")
    from lama_odds.simulation.run import kept_in

    with run_folder(options.get("run"), question_of(asks), several=True) as games, kept_in(games):
        for ask, slug in asks:
            page = publish(folder, ask, slug, format_)
            line_out(str(page))
    line_out(str(folder.path / f"index.{format_}"))


def read_asks(
    rules: list[str] | None,
    players: int | None,
    precision: float | None,
    quick: bool,
    seed: int = 0,
    threads: int | None = None,
) -> list[tuple[Ask, str]]:
    """The subject of each report, with the name of its files; ReadError before anything runs."""
    from lama_odds.analysis.strategy_report.by_game.amounts import DEFAULT_RULES
    from lama_odds.analysis.strategy_report.document import Ask
    from lama_odds.analysis.variants.given import given_rules
    from lama_odds.report.pages.pages import slug_of

    check_one({"--quick": quick or None, "--precision": precision})
    if precision is not None:
        check_precision(precision, "--precision")
    budget = _budget(quick, precision)
    subjects: dict[str, tuple[Ask, str]] = {}
    for text in rules or DEFAULT_RULES:
        given = given_rules(text)
        game, rule_set = given.game, given.rules
        seats = check_players(rule_set, players)
        if rule_set.id in subjects:
            raise ReadError(f"{rule_set.id} is given twice", text)
        ask = Ask(game, rule_set, seats, budget, seed, threads)
        subjects[rule_set.id] = ask, slug_of(rule_set.id, seats)
    return list(subjects.values())


def read_design(
    rules: list[str],
    players: int | None,
    policy: str | None,
    vary: list[str],
    quick: bool,
    seed: int = 0,
    threads: int | None = None,
) -> list[tuple[Ask, str]]:
    """The subject of a designer's page, with the name of its files."""
    from lama_odds.analysis.strategy_report.design.plan import DesignAsk
    from lama_odds.analysis.sweep.answer import read_axes
    from lama_odds.analysis.variants.given import (
        SAME,
        given_rules,
        names_of,
        read_policies,
        read_variants,
    )
    from lama_odds.core.checks import default_players
    from lama_odds.report.pages.pages import slug_of

    if not rules:
        raise ReadError("--design: name a rule set, and its variants after it")
    given = read_variants(rules, players) if len(rules) > 1 else [given_rules(rules[0])]
    game, every = given[0].game, [one.rules for one in given]
    if players is None:
        players = default_players(*every)
    seats = check_players(every[0], players)
    if vary:
        read_axes(game, vary)
    chosen = read_policies(game, every, seats, policy, SAME)[0]
    ask = DesignAsk(
        *(game, every[0], seats, _budget(quick), seed, threads),
        variants=tuple(every[1:]),
        names=names_of(given),
        policy=chosen,
        vary=tuple(vary),
    )
    return [(ask, slug_of(f"design-{ask.rules.id}", seats))]


def _budget(quick: bool, precision: float | None = None) -> Budget:
    """How precise a report is to be."""
    from lama_odds.analysis.strategy_report.document import (
        DEFAULT_PRECISION,
        QUICK_PRECISION,
        Budget,
    )

    return Budget(precision or (QUICK_PRECISION if quick else DEFAULT_PRECISION))


def question_of(asks: list[tuple[Ask, str]]) -> dict[str, Any]:
    """What the games of a run are played for."""
    ask = asks[0][0]
    return {
        "command": "report",
        **ask.question,
        "rules": [subject.rules.id for subject, _ in asks],
        "players": [subject.players for subject, _ in asks],
        "precision": ask.budget.precision,
        "seed": ask.seed,
    }


def command_of(ask: Ask, format_: str) -> str:
    """The command that makes a report again."""
    from lama_odds.analysis.strategy_report.document import DEFAULT_PRECISION, QUICK_PRECISION

    words = ["lama-odds", "report", *ask.words, "--players", str(ask.players)]
    precision = ask.budget.precision
    if precision != DEFAULT_PRECISION or "--design" not in ask.words:
        quick = precision == QUICK_PRECISION
        words += ["--quick"] if quick else ["--precision", f"{precision:g}"]
    words += ["--seed", str(ask.seed)] if ask.seed else []
    words += ["--format", format_] if format_ != "html" else []
    return shlex.join([*words, "--out", "DIR"])


def publish(
    folder: Folder,
    ask: Ask,
    slug: str,
    format_: str = "html",
    images: tuple[str, ...] = ("svg", "png"),
    parquet: bool = True,
) -> Path:
    """Make the missing parts of a report and write it; Ctrl-C keeps the finished sections."""
    from lama_odds.report.figures.draw import Drawing
    from lama_odds.report.pages.pages import IMAGES, Report
    from lama_odds.simulation.run import default_threads

    processors = ask.threads or default_threads()
    needed = [image for image in IMAGES if image == "svg" or image in images]  # a page has SVG
    with progress_bar(ask.rules.id) as tell, Drawing(needed, processors) as drawing:
        if tell:
            tell(0.0, f"{ask.rules.id}: starting")
        plans = plans_of(ask)
        sections = sections_of(folder, slug, plans, drawing, tell)
        if tell:
            tell(0.99, f"{ask.rules.id}: figures and pages")
        made = Report(ask, slug, command_of(ask, format_), sections)
        return folder.write(made, format_, images, parquet, drawing)


def plans_of(ask: Ask) -> list[Planned]:
    """The sections of a report, or of a designer's page."""
    from lama_odds.analysis.strategy_report import plan
    from lama_odds.analysis.strategy_report.design import plan as design

    return design.planned(ask) if isinstance(ask, design.DesignAsk) else plan.planned(ask)


def sections_of(
    folder: Folder, slug: str, plans: list[Planned], drawing: Drawing, tell: Tell
) -> tuple[Section, ...]:
    """The sections: finished ones are read from the folder, the others are made and kept.

    Drawing the figures begins as soon as a section is finished.
    """
    whole = sum(plan.weight for plan in plans) * 1.1
    done = 0.0
    sections = []
    for at, plan in enumerate(plans, 1):
        what = f"{slug}: {plan.name} ({at} of {len(plans)})"
        section = folder.part(slug, plan)
        if section is None:
            section = plan.make(_within(tell, what, done / whole, plan.weight / whole))
            if section is not None and section.interrupted:
                note("finished sections are kept: the same command resumes there")
                raise KeyboardInterrupt
            if section is not None:
                folder.keep(slug, plan, section)
        if section is not None:
            drawing.begin(section)
            sections.append(section)
        done += plan.weight
    return tuple(sections)


def _within(tell: Tell, what: str, begin: float, part: float) -> Progress | None:
    """Progress of a section as a part of the whole."""
    if tell is None:
        return None
    tell(begin, what)
    return lambda done, of: tell(begin + part * done / max(1, of), what)
