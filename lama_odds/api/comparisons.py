"""What a rule changes: comparisons and sweeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from lama_odds.api.asked import names_of, playing, read_rules, ready, several_of, tell
from lama_odds.api.options import (
    MAX_GAMES,
    NAMED_SO,
    OnProgress,
    Option,
    Players,
    Playing,
    Rules,
    Seed,
    Threads,
    question,
)
from lama_odds.core import checks
from lama_odds.core.errors import ReadError
from lama_odds.core.progress import stage
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.compare.answer import Comparison
    from lama_odds.analysis.compare.planning import ComparisonPlan
    from lama_odds.analysis.sweep.answer import Sweep
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame


VariantRules = Annotated[
    Iterable[str],
    Option(
        "Rule sets of one game, the baseline first. After it +OPTION alone stands for the baseline "
        "with that option. @FILE is a variant in a file.",
        argument=True,
        shown="RULES_A RULES_B...",
        offers="rule_sets",
    ),
]
SharedPolicy = Annotated[
    str | None,
    Option(
        f"Everybody's policy in all rule sets ({NAMED_SO}; default: best, of the first, or the "
        "strongest that plays by all of them).",
        shown="POLICY",
        offers="policies",
    ),
]
Policies = Annotated[
    str,
    Option(
        "same: one policy in all rule sets; retuned: the best of each.",
        choices=("same", "retuned"),
        shown="same|retuned",
    ),
]
AllPairs = Annotated[bool, Option("Compare all pairs, not only with the first.")]
Measures = Annotated[
    str | Iterable[str],
    Option(
        "What to measure: a name, or a group: duration, fairness, tension, decisions, skill, good "
        "(all five); repeatable (default: what is usual).",
        flag="--measure",
        shown="NAME",
    ),
]
Margins = Annotated[
    Mapping[str | None, float | checks.Delta] | float | checks.Delta | None,
    Option(
        "The smallest difference that matters: 0.05, or 2% of the baseline's value; repeatable "
        "(default: 1% of means, 0.005 of shares).",
        "A mapping gives it by measure, None as a key for all others; a share of the baseline's "
        "value is a `Delta`.",
        shown="[MEASURE=]δ",
        typed=list[str],
    ),
]


class Planning(Playing, total=False):
    """How games are played whose number is planned first."""

    planned: Annotated[
        Callable[[Any], None] | None, Option(python="Called with the plan before games are played.")
    ]


@question(("games", "seconds", "precision"))
def compare(
    rules: VariantRules,
    players: Players,
    *,
    policy: SharedPolicy = None,
    policies: Policies = "same",
    all_pairs: AllPairs = False,
    measures: Measures = (),
    delta: Margins = None,
    games: Annotated[
        int | None,
        Option("Games (default: 200,000, or two minutes' worth).", least=1, most=MAX_GAMES),
    ] = None,
    seconds: Annotated[
        float | None, Option("Play games for this many seconds.", most=checks.MAX_SECONDS)
    ] = None,
    precision: Annotated[
        float | None,
        Option(
            "Half-width wanted of the difference, in the first measure unless one is named.",
            shown="[MEASURE=]P",
            typed=str,
        ),
    ] = None,
    measure: Annotated[
        str | None, Option(python="The measure that the precision is for; default: the first.")
    ] = None,
    **how: Unpack[Planning],
) -> Answer[Comparison]:
    """What a rule changes: every measure of several rule sets, with common random numbers.

    The answer's ``rows`` have for each pair and measure the estimates ``baseline``, ``other`` and
    ``difference`` (other − baseline). ``judged`` has the verdict: ``differs``, ``same``
    (equivalent) or ``undecided``. ``left_out`` has measures that cannot be compared, each with the
    reason.

    Raises ReadError for arguments that cannot be used, LimitError for a folder of another run::

        lo.compare(["lama/amigo", "+llama_each"], 4, games=20_000, delta=0.1)
    """
    if measure is not None and precision is None:
        raise ReadError(f"measure {measure!r}: only with a precision, and none is given")
    checks.check_whole(players, 1, MAX_GAMES, "players", needed=True)
    deltas = _deltas(delta)
    named = names_of(measures, "measures")
    ready()
    from lama_odds.analysis.compare import compare as analysis
    from lama_odds.analysis.compare import design
    from lama_odds.analysis.variants.given import RETUNED
    from lama_odds.report import frames
    from lama_odds.report.text.compare import compared_csv, compared_text

    game, variants, chosen, names = _read(rules, players, policy, policies)
    more = design.asked(game, named)
    every_rules = {"command": "compare", "rules": [one.id for one in variants]}
    question = _question(every_rules, players, chosen, how["seed"], more)
    with playing(question, how) as play:
        comparison = analysis.compare(
            game,
            variants,
            chosen,
            players,
            retuned=policies == RETUNED,
            amount=analysis.Amount(games, seconds, precision, measure),
            all_pairs=all_pairs,
            measures=named,
            deltas=deltas,
            play=play,
            planned=how["planned"],
            asking=stage(how["progress"], "asking what each would do"),
        )
    comparison = replace(comparison, names=names)
    return Answer.in_short(comparison, compared_text, partial(frames.from_csv, compared_csv))


@question()
def plan(
    rules: VariantRules,
    players: Players,
    *,
    policy: SharedPolicy = None,
    policies: Policies = "same",
    all_pairs: AllPairs = False,
    measures: Measures = (),
    delta: Margins = None,
    games: Annotated[
        int | None, Option(python="The budget; default: 200,000.", least=1, most=MAX_GAMES)
    ] = None,
    threads: Threads = None,
    seed: Seed = 0,
    progress: OnProgress = None,
) -> Answer[ComparisonPlan]:
    """How many games `compare` needs, and what a number of games would show, from a pilot.

    The answer's ``rows`` have for each pair and measure the numbers of games ``to_show`` a change
    of ``delta`` and ``to_rule_out`` one. ``detectable`` is the smallest change that the budget
    shows. All of these with a chance of 80 %, among all measures together.

    Raises ReadError for arguments that cannot be used::

        lo.plan(["lama/amigo", "+llama_each"], 4, delta={"rounds": 0.05}, games=1_000_000)
    """
    checks.check_whole(players, 1, MAX_GAMES, "players", needed=True)
    deltas = _deltas(delta)
    named = names_of(measures, "measures")
    ready()
    from lama_odds.analysis.compare.compare import asked_of
    from lama_odds.analysis.compare.planning import plan_comparison
    from lama_odds.analysis.variants.given import RETUNED
    from lama_odds.report import frames
    from lama_odds.report.text.compare import planned_csv, planned_text

    game, variants, chosen, names = _read(rules, players, policy, policies)
    from lama_odds.simulation.run import Play

    play = Play(seed, threads, stage(progress, "playing a pilot"))
    answer = plan_comparison(
        asked_of(game, variants, chosen, players, all_pairs, play, named),
        retuned=policies == RETUNED,
        games=games,
        deltas=deltas,
    )
    answer = replace(answer, names=names)
    return Answer.in_short(answer, planned_text, partial(frames.from_csv, planned_csv))


def _read(
    rules: Iterable[str], players: int, policy: str | None, policies: str
) -> tuple[AnyGame, list[Any], list[Policy], Mapping[str, str]]:
    """Return the game, its rule sets with the policy of each, and names of those from files."""
    from lama_odds.analysis.variants.given import names_of as names_in
    from lama_odds.analysis.variants.given import read_policies, read_variants

    given = read_variants(several_of(rules, "rules"), players)
    game, variants = given[0].game, [one.rules for one in given]
    chosen = read_policies(game, variants, players, policy, policies, tell)
    return game, variants, list(chosen), names_in(given)


def _question(
    command: Mapping[str, Any],
    players: int,
    policies: Sequence[Policy],
    seed: int,
    more: Sequence[str],
) -> dict[str, Any]:
    """Return everything that determines the games of a run; more: measures besides the usual.

    command: the command and the rule sets that it plays.
    """
    counted = {"measures": list(more)} if more else {}
    return {
        **counted,
        **command,
        "players": players,
        "policies": [policy.name for policy in policies],
        "seed": seed,
    }


def _deltas(
    given: Mapping[str | None, float | checks.Delta] | float | checks.Delta | None,
) -> dict[str | None, checks.Delta]:
    """Return the smallest difference that matters, by measure; None stands for all others."""
    if given is None:
        return {}
    deltas: dict[str | None, checks.Delta] = {}
    for name, value in (given if isinstance(given, Mapping) else {None: given}).items():
        checks.check_text(name, "measure")
        if isinstance(value, checks.Delta):
            checks.check_above_0(value.value, math.inf, "delta")
            checks.check_flag(value.relative, "relative")
            deltas[name] = value
        else:
            checks.check_precision(value, "delta")
            deltas[name] = checks.Delta(value)
    return deltas


# A grid of rule sets: what grows with what, and where a wish is fulfilled.


@question()
def sweep(
    rules: Rules,
    vary: Annotated[
        Iterable[str] | Mapping[str, Any],
        Option(
            "Values of an option: 4..8, 20..60..10, 30,40, off,on, or a switch alone; repeatable, "
            "for every combination.",
            'Texts such as "target=20..60..10", or a mapping such as {"target": [30, 40, 50], '
            '"twenty": [False, True]}.',
            shown="OPTION=VALUES",
            offers="varied",
            typed=list[str],
        ),
    ],
    players: Players = 4,
    *,
    policy: SharedPolicy = None,
    policies: Policies = "same",
    measures: Annotated[
        str | Iterable[str],
        Option(
            "What to show, as in compare, or seat bias; repeatable (default: what is usual). "
            "Fewer measures have narrower intervals.",
            flag="--measure",
            shown="NAME",
        ),
    ] = (),
    wishes: Annotated[
        str | Iterable[str],
        Option(
            'Where a measure should be: "rounds=4..6", "seat bias<1%"; repeatable.',
            flag="--wish",
            shown="MEASURE=A..B",
        ),
    ] = (),
    games: Annotated[
        int | None,
        Option(
            "Games of each variant (default: 200,000, or 20 seconds' worth of all).",
            least=1,
            most=MAX_GAMES,
        ),
    ] = None,
    **how: Unpack[Planning],
) -> Answer[Sweep]:
    """Every combination of some options' values, played on the same cards and dice.

    Variants that do not allow the number of players are left out. The answer's ``variants`` have
    ``rules``, ``values`` and ``measures`` by name. ``trends`` have the ``slope`` of each measure
    along each option, ``wishes`` the variants that fulfil a wish surely, perhaps and surely not.
    All intervals hold together with 95 %.

    Raises ReadError for arguments that cannot be used, LimitError for too many variants and for a
    folder of another run::

        lo.sweep("lama/amigo", {"target": [20, 30, 40]}, 3, games=20_000, wishes="rounds=3..5")
    """
    checks.check_whole(players, 1, MAX_GAMES, "players", needed=True)
    given = read_rules(rules)
    from lama_odds.analysis.compare.design import asked
    from lama_odds.analysis.sweep import sweep as analysis
    from lama_odds.analysis.sweep.answer import grid_of, name_in, read_axes
    from lama_odds.analysis.variants.given import RETUNED, read_policies
    from lama_odds.report import frames
    from lama_odds.report.text.sweep import sweep_csv, sweep_text

    axes = read_axes(given.game, vary)
    grid = grid_of(given.game, given.rules, axes, players)
    every = [given.rules, *grid.rules]  # the policy is read for the first
    _, *chosen = read_policies(given.game, every, players, policy, policies, tell)
    named, wished = names_of(measures, "measures"), names_of(wishes, "wishes")
    more = asked(given.game, [*named, *map(name_in, wished)])
    varied = [f"{axis.option}={','.join(axis.written)}" for axis in axes]
    every_rules = {"command": "sweep", "rules": given.rules.id, "vary": varied}
    question = _question(every_rules, players, chosen, how["seed"], more)
    with playing(question, how) as play:
        answer = analysis.sweep(
            grid,
            chosen,
            players,
            retuned=policies == RETUNED,
            measures=named,
            wishes=wished,
            games=games,
            play=play,
            planned=how["planned"],
        )
    answer = replace(answer, variant=given.name)
    return Answer.in_short(answer, sweep_text, partial(frames.from_csv, sweep_csv))
