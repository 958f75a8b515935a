"""A grid of rule sets: what grows with what, and where a wish is fulfilled."""

from __future__ import annotations

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
    tell,
)
from lama_odds.api.run_folders import run_folder
from lama_odds.core.checks import check_text, check_whole
from lama_odds.core.progress import StageProgress, stage
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.compare.sample_size import Plan
    from lama_odds.analysis.sweep.answer import Sweep
    from lama_odds.analysis.sweep.grid import Axis
    from lama_odds.core.policies import Policy


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
    from lama_odds.analysis.compare.variants import RETUNED, read_policies
    from lama_odds.analysis.sweep import sweep as analysis
    from lama_odds.analysis.sweep.grid import grid_of, read_axes
    from lama_odds.analysis.sweep.wishes import name_in
    from lama_odds.report.python import frames
    from lama_odds.report.text.sweep.answer import sweep_text

    axes = read_axes(given.game, vary)
    grid = grid_of(given.game, given.rules, axes, players)
    every = [given.rules, *grid.rules]  # the policy is read for the first
    _, *chosen = read_policies(given.game, every, players, policy, policies, tell)
    named, wished = names_of(measures, "measures"), names_of(wishes, "wishes")
    more = asked(given.game, [*named, *map(name_in, wished)])
    question = _question(given.rules, axes, players, chosen, seed, more)
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


def _question(
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
