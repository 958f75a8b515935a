"""What a rule changes: comparisons and sweeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import (
    MAX_GAMES,
    check_games,
    check_playing,
    check_progress,
    given_of,
    names_of,
    ready,
    run_folder,
    several_of,
    tell,
)
from lama_odds.core.checks import (
    Delta,
    check_above_0,
    check_flag,
    check_one,
    check_precision,
    check_seconds,
    check_text,
    check_whole,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.progress import StageProgress, stage
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.compare.answer import Comparison
    from lama_odds.analysis.compare.design import Plan
    from lama_odds.analysis.compare.planning import ComparisonPlan
    from lama_odds.analysis.sweep.answer import Axis, Sweep
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame


def compare(
    rules: Iterable[str],
    players: int,
    *,
    policy: str | None = None,
    policies: str = "same",
    all_pairs: bool = False,
    measures: str | Iterable[str] = (),
    delta: Mapping[str | None, float | Delta] | float | Delta | None = None,
    games: int | None = None,
    seconds: float | None = None,
    precision: float | None = None,
    measure: str | None = None,
    threads: int | None = None,
    seed: int = 0,
    run: str | Path | None = None,
    progress: StageProgress | None = None,
    planned: Callable[[Plan], None] | None = None,
) -> Answer[Comparison]:
    """What a rule changes: every measure of several rule sets, with common random numbers.

    rules: ids of rule sets of one game, the baseline first; ``+option`` means the baseline with
    that option, ``@FILE`` a variant in a file.
    players: number of players.
    policy: of all players, read for the baseline; default: the best known.
    policies: ``"same"``: all rule sets use that policy; ``"retuned"``: the best known for each.
    all_pairs: whether to compare every two rule sets, not only each with the baseline.
    measures: names of measures, or of groups: ``"duration"``, ``"fairness"``,
    ``"tension"``, ``"decisions"``, ``"skill"``, or ``"good"`` for all of these; default: the usual
    ones.
    delta: the smallest difference that matters (equivalence margin), as a number or a `Delta`. A
    mapping gives it by measure; None as a key means all others.
    games, seconds, precision: how much to play, at most one of these. precision is the half-width
    wanted of differences.
    measure: the measure that the precision is for; default: the first.
    threads: default: one for each processor. The numbers do not depend on it.
    seed: of the random numbers, 0 or more. The same seed gives the same numbers.
    run: a folder that keeps the games, so that the same call resumes there.
    progress: called with the share done, 0 to 1, and what is being done.
    planned: called with the plan before games are played.

    The answer's ``rows`` have for each pair and measure the estimates ``baseline``, ``other`` and
    ``difference`` (other − baseline). ``judged`` has the verdict: ``differs``, ``same``
    (equivalent) or ``undecided``. ``left_out`` has measures that cannot be compared, each with the
    reason.

    Raises ReadError for arguments that cannot be used, LimitError for a folder of another run::

        lo.compare(["lama/amigo", "+llama_each"], 4, games=20_000, delta=0.1)
    """
    _check_amount(games, seconds, precision, measure)
    check_playing(threads, seed, progress, run)
    check_progress(planned, "planned")
    check_flag(all_pairs, "all_pairs")
    check_text(policy, "policy")
    check_whole(players, 1, MAX_GAMES, "players", needed=True)
    deltas = _deltas(delta)
    named = names_of(measures, "measures")
    ready()
    from lama_odds.analysis.compare import compare as analysis
    from lama_odds.analysis.compare import design
    from lama_odds.analysis.variants.given import RETUNED
    from lama_odds.report import frames
    from lama_odds.report.text.compare import compared_text

    game, variants, chosen, names = _read(rules, players, policy, policies)
    more = design.asked(game, named)
    question = _question(variants, players, chosen, seed, more)
    with run_folder(run, question, several=True) as folder:
        found = analysis.compare(
            game,
            variants,
            chosen,
            players,
            retuned=policies == RETUNED,
            amount=analysis.Amount(games, seconds, precision, measure),
            all_pairs=all_pairs,
            measures=named,
            deltas=deltas,
            seed=seed,
            threads=threads,
            planned=planned,
            progress=stage(progress, "playing"),
            asking=stage(progress, "asking what each would do"),
            folder=folder,
        )
    found = replace(found, names=names)
    return Answer.in_short(found, compared_text, frames.compared_frame)


def plan(
    rules: Iterable[str],
    players: int,
    *,
    policy: str | None = None,
    policies: str = "same",
    all_pairs: bool = False,
    measures: str | Iterable[str] = (),
    delta: Mapping[str | None, float | Delta] | float | Delta | None = None,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Answer[ComparisonPlan]:
    """How many games `compare` needs, and what a number of games would show, from a pilot.

    rules, players, policy, policies, all_pairs, measures, threads, seed, progress: as in
    `compare`.
    delta: the change to be found or ruled out, as in `compare`.
    games: the budget, default 200,000.

    The answer's ``rows`` have for each pair and measure the numbers of games ``to_show`` a change
    of ``delta`` and ``to_rule_out`` one. ``detectable`` is the smallest change that the budget
    shows. All of these with a chance of 80 %, among all measures together.

    Raises ReadError for arguments that cannot be used::

        lo.plan(["lama/amigo", "+llama_each"], 4, delta={"rounds": 0.05}, games=1_000_000)
    """
    check_games(games)
    check_playing(threads, seed, progress, None)
    check_flag(all_pairs, "all_pairs")
    check_text(policy, "policy")
    check_whole(players, 1, MAX_GAMES, "players", needed=True)
    deltas = _deltas(delta)
    named = names_of(measures, "measures")
    ready()
    from lama_odds.analysis.compare.compare import asked_of
    from lama_odds.analysis.compare.planning import plan_comparison
    from lama_odds.analysis.variants.given import RETUNED
    from lama_odds.report import frames
    from lama_odds.report.text.compare import planned_text

    game, variants, chosen, names = _read(rules, players, policy, policies)
    found = plan_comparison(
        asked_of(game, variants, chosen, players, all_pairs, seed, threads, named),
        retuned=policies == RETUNED,
        games=games,
        deltas=deltas,
        progress=stage(progress, "playing a pilot"),
    )
    return Answer.in_short(replace(found, names=names), planned_text, frames.planned_frame)


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
    variants: Sequence[Any],
    players: int,
    policies: Sequence[Policy],
    seed: int,
    more: Sequence[str],
) -> dict[str, Any]:
    """Return everything that determines the games of a run; more: measures besides the usual."""
    counted = {"measures": list(more)} if more else {}
    return {
        **counted,
        "command": "compare",
        "rules": [rules.id for rules in variants],
        "players": players,
        "policies": [policy.name for policy in policies],
        "seed": seed,
    }


def _check_amount(
    games: int | None, seconds: float | None, precision: float | None, measure: str | None
) -> None:
    """Raise ReadError unless at most one of these says how much to play."""
    check_one({"games": games, "seconds": seconds, "precision": precision})
    check_games(games)
    if seconds is not None:
        check_seconds(seconds)
    if precision is not None:
        check_precision(precision)
    check_text(measure, "measure")
    if measure is not None and precision is None:
        raise ReadError(f"measure {measure!r}: only with a precision, and none is given")


def _deltas(
    given: Mapping[str | None, float | Delta] | float | Delta | None,
) -> dict[str | None, Delta]:
    """Return the smallest difference that matters, by measure; None stands for all others."""
    if given is None:
        return {}
    found: dict[str | None, Delta] = {}
    for name, value in (given if isinstance(given, Mapping) else {None: given}).items():
        check_text(name, "measure")
        if isinstance(value, Delta):
            check_above_0(value.value, math.inf, "delta")
            check_flag(value.relative, "relative")
            found[name] = value
        else:
            check_precision(value, "delta")
            found[name] = Delta(value)
    return found


# A grid of rule sets: what grows with what, and where a wish is fulfilled.


def sweep(
    rules: str,
    vary: Iterable[str] | Mapping[str, Any],
    players: int = 4,
    *,
    policy: str | None = None,
    policies: str = "same",
    measures: str | Iterable[str] = (),
    wishes: str | Iterable[str] = (),
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    run: str | Path | None = None,
    progress: StageProgress | None = None,
    planned: Callable[[Plan], None] | None = None,
) -> Answer[Sweep]:
    """Every combination of some options' values, played on the same cards and dice.

    rules: id of a rule set, or ``"@FILE"`` for a variant in a file.
    vary: options with their values: texts such as ``"target=30..50..10"``, or a mapping such as
    ``{"target": [30, 40, 50], "twenty": [False, True]}``.
    players: number of players. Variants that do not allow it are left out.
    policy: of all players, read for `rules`; default: the best known.
    policies: ``"same"``: all variants use that policy; ``"retuned"``: the best known for each.
    measures: names of measures or groups as in `compare`, or ``"seat bias"``; default: the usual.
    wishes: such as ``"rounds=4..6"`` or ``"seat bias<1%"``.
    games: number of games of each variant; default: about 20 seconds' worth, at most 200,000.
    threads: default: one for each processor. The numbers do not depend on it.
    seed: of the random numbers, 0 or more. The same seed gives the same numbers.
    run: a folder that keeps the games, so that the same call resumes there.
    progress: called with the share done, 0 to 1, and what is being done.
    planned: called with the plan before games are played.

    The answer's ``variants`` have ``rules``, ``values`` and ``measures`` by name. ``trends`` have
    the ``slope`` of each measure along each option, ``wishes`` the variants that fulfil a wish
    surely, perhaps and surely not. All intervals hold together with 95 %.

    Raises ReadError for arguments that cannot be used, LimitError for too many variants and for a
    folder of another run::

        lo.sweep("lama/amigo", {"target": [20, 30, 40]}, 3, games=20_000, wishes="rounds=3..5")
    """
    check_games(games)
    check_playing(threads, seed, progress, run)
    check_progress(planned, "planned")
    check_text(policy, "policy")
    check_whole(players, 1, MAX_GAMES, "players", needed=True)
    given = given_of(rules)
    from lama_odds.analysis.compare.design import asked
    from lama_odds.analysis.sweep import sweep as analysis
    from lama_odds.analysis.sweep.answer import grid_of, name_in, read_axes
    from lama_odds.analysis.variants.given import RETUNED, read_policies
    from lama_odds.report import frames
    from lama_odds.report.text.sweep import sweep_text

    axes = read_axes(given.game, vary)
    grid = grid_of(given.game, given.rules, axes, players)
    every = [given.rules, *grid.rules]  # the policy is read for the first
    _, *chosen = read_policies(given.game, every, players, policy, policies, tell)
    named, wished = names_of(measures, "measures"), names_of(wishes, "wishes")
    more = asked(given.game, [*named, *map(name_in, wished)])
    question = _sweep_question(given.rules, axes, players, chosen, seed, more)
    with run_folder(run, question, True) as folder:
        found = analysis.sweep(
            grid,
            chosen,
            players,
            retuned=policies == RETUNED,
            measures=named,
            wishes=wished,
            games=games,
            seed=seed,
            threads=threads,
            planned=planned,
            progress=stage(progress, "playing"),
            folder=folder,
        )
    found = replace(found, variant=given.name)
    return Answer.in_short(found, sweep_text, frames.sweep_frame)


def _sweep_question(
    rules: Any,
    axes: Sequence[Axis],
    players: int,
    policies: Sequence[Policy],
    seed: int,
    more: Sequence[str],
) -> dict[str, Any]:
    """Return everything that determines the games of a run; more: measures besides the usual."""
    counted = {"measures": list(more)} if more else {}
    return {
        **counted,
        "command": "sweep",
        "rules": rules.id,
        "vary": [f"{axis.option}={','.join(axis.written)}" for axis in axes],
        "players": players,
        "policies": [policy.name for policy in policies],
        "seed": seed,
    }
