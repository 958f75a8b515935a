"""What a rule changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import (
    MAX_GAMES,
    check_games,
    check_playing,
    check_progress,
    ready,
    several_of,
    tell,
)
from lama_odds.api.run_folders import run_folder
from lama_odds.core.checks import (
    check_above_0,
    check_flag,
    check_one,
    check_precision,
    check_seconds,
    check_text,
    check_whole,
)
from lama_odds.core.delta import Delta
from lama_odds.core.errors import ReadError
from lama_odds.core.progress import StageProgress, stage
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.compare.answer import Comparison
    from lama_odds.analysis.compare.sample_size import Plan
    from lama_odds.core.policies import Policy


def compare(
    rules: Iterable[str],
    players: int,
    *,
    policy: str | None = None,
    policies: str = "same",
    all_pairs: bool = False,
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
    """What a rule changes: every measure of rule sets, with the same cards and dice.

    The baseline is the first rule set. policy: read for the baseline. policies: ``same`` seats one
    in all, ``retuned`` the best known for each. delta: the smallest difference that matters, in all
    measures or by measure (None: in all others).
    games, seconds, precision: at most one; measure: what the precision is of (default: the first).
    run: a folder that keeps the games. planned: called with what will be played, once it is known.
    """
    _check_amount(games, seconds, precision, measure)
    check_playing(threads, seed, progress, run)
    check_progress(planned, "planned")
    check_flag(all_pairs, "all_pairs")
    check_text(policy, "policy")
    check_whole(players, 1, MAX_GAMES, "players", needed=True)
    deltas = _deltas(delta)
    ready()
    from lama_odds.analysis.compare import compare as analysis
    from lama_odds.analysis.compare.variants import RETUNED, read_policies, read_variants
    from lama_odds.report.python import frames
    from lama_odds.report.text.compare import compared_text

    game, variants = read_variants(several_of(rules, "rules"), players)
    chosen = read_policies(game, variants, players, policy, policies, tell)
    question = _question(variants, players, chosen, seed)
    with run_folder(run, question, several=True) as folder:
        found = analysis.compare(
            game,
            variants,
            chosen,
            players,
            retuned=policies == RETUNED,
            amount=analysis.Amount(games, seconds, precision, measure),
            all_pairs=all_pairs,
            deltas=deltas,
            seed=seed,
            threads=threads,
            planned=planned,
            progress=stage(progress, "playing"),
            asking=stage(progress, "asking what each would do"),
            folder=folder,
        )
    return Answer.in_short(found, compared_text, frames.compared_frame)


def _question(
    variants: Sequence[Any], players: int, policies: Sequence[Policy], seed: int
) -> dict[str, Any]:
    """What the games of a run are played for."""
    return {
        "command": "compare",
        "rules": [rules.id for rules in variants],
        "players": players,
        "policies": [policy.name for policy in policies],
        "seed": seed,
    }


def _check_amount(
    games: int | None, seconds: float | None, precision: float | None, measure: str | None
) -> None:
    """ReadError unless the arguments say how much to play."""
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
    """The smallest difference that matters, by measure; None stands for all others."""
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
