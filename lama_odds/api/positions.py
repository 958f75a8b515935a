"""Questions about a position, its thresholds, and a recorded game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lama_odds.api.asked import (
    FEWEST_ROLLOUTS,
    asked_of,
    check_games,
    check_playing,
    opponents_of,
    policy_of,
    table_of,
)
from lama_odds.api.run_folders import run_folder
from lama_odds.core.checks import (
    check_flag,
    check_name,
    check_one,
    check_precision,
    check_seconds,
    check_text,
    check_whole,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST
from lama_odds.core.progress import StageProgress, stage
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.advice.rollouts import Limits
    from lama_odds.analysis.coach.review import Review
    from lama_odds.analysis.odds import Odds
    from lama_odds.analysis.thresholds.answer import Thresholds
    from lama_odds.core.policies import Policy
    from lama_odds.core.progress import Progress
    from lama_odds.games.interface.game import Game, P, R
    from lama_odds.simulation.run_folder import RunFolder

DEAL = "deal"  # stands for the first deal in odds, instead of a position
OBJECTIVES = ("points", "win")  # of thresholds
WIDEST_BAND = 1000  # points
SECONDS = 1.0  # of sampling at most, if neither time nor games are given
LONGER = 60.0  # where a precision is


def advise(
    rules: str,
    position: str | None = None,
    *,
    after: str | None = None,
    opponents: str | None = None,
    objective: str | None = None,
    seconds: float | None = None,
    games: int | None = None,
    precision: float | None = None,
    sensitivity: bool = False,
    play_out: bool = False,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Answer[Advice]:
    """Every legal action of a position with its value and the chances behind it, and a verdict.

    after: the text of a record that ends where you decide, instead of a position. seconds, games:
    at most one. Without `games`, sampling ends when the best action is clear and all values are
    within ± `precision` (points, or a share; default: `Objective.precise`). It ends after `seconds`
    at the latest (default: 1, with `precision` 60). play_out: two-player games are played to their
    end instead of looked up in a match equity table. objective: if not given, what counts in the
    game (see `Game.default_objective`). Raises ReadError, ImpossibleError (NothingToDecideError
    if the round or game is over) or LimitError.
    """
    limits = _limits(seconds, games, precision, threads)
    check_playing(threads, seed, progress)
    check_flag(sensitivity, "sensitivity")
    check_flag(play_out, "play_out")
    check_text(position, "position")
    check_text(after, "after")
    game, rule_set = asked_of(rules)
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    asked = _position(game, rule_set, position, after)
    aim = objective or game.default_objective(rule_set, asked)
    notes: list[str] = []
    policy = opponents_of(game, rule_set, opponents, asked.players, aim, notes)

    from lama_odds.analysis.advice.sensitivity import SHARE
    from lama_odds.report.python import frames
    from lama_odds.report.text.advice import advice_text

    found = _advice(
        game,
        rule_set,
        asked,
        objective=objective,
        opponents=policy,
        limits=replace(limits, seconds=SHARE * limits.seconds) if sensitivity else limits,
        sensitivity=sensitivity,
        look_up=not play_out,
        seed=seed,
        progress=progress,
    )
    found = replace(found, assumptions=(*found.assumptions, *notes))
    return Answer.in_short(found, advice_text, frames.advice_frame)


def _limits(
    seconds: float | None, games: int | None, precision: float | None, threads: int | None
) -> Limits:
    """How long to sample."""
    from lama_odds.analysis.advice.rollouts import Limits

    check_one({"games": games, "seconds": seconds})
    check_one({"games": games, "precision": precision})
    check_games(games, FEWEST_ROLLOUTS)
    if precision is not None:
        check_precision(precision)
    if seconds is None:
        seconds = SECONDS if precision is None else LONGER
    check_seconds(seconds)
    return Limits(seconds, games, threads, precision=precision)


def _position(game: Game[R, P], rules: R, position: str | None, after: str | None) -> P:
    """The position to decide: the given one, or the end of a record."""
    if (position is None) == (after is None):
        raise ReadError(
            f'give a position, for example "{game.example}", or a record that ends where '
            "you decide, not both"
        )
    if after is not None:
        return game.position_after(rules, after)
    return game.position(rules, position or "")


def _advice(
    game: Game[R, P],
    rules: R,
    position: P,
    *,
    objective: str | None,
    opponents: Policy | None,
    limits: Limits,
    sensitivity: bool,
    look_up: bool,
    seed: int,
    progress: StageProgress | None,
) -> Advice:
    """The advice; with sensitivity also against other models of the opponents."""
    from lama_odds.analysis.advice.advise import advise
    from lama_odds.analysis.advice.sensitivity import sensitivity as ask_again

    found = advise(
        game,
        rules,
        position,
        objective=objective,
        opponents=opponents,
        limits=limits,
        seed=seed,
        progress=progress,
        look_up=look_up,
    )
    if not sensitivity or found.interrupted:
        return found
    again = ask_again(
        game,
        rules,
        position,
        found,
        opponents=opponents,
        limits=limits,
        seed=seed,
        progress=progress,
        look_up=look_up,
    )
    return replace(found, sensitivity=again, interrupted=again is None)


def odds(rules: str, position: str) -> Answer[Odds]:
    """Exact chances of what comes next; ``deal`` instead of a position asks for the deal."""
    check_text(position, "position", needed=True)
    game, rule_set = asked_of(rules)
    asked = None if position == DEAL else game.position(rule_set, position)

    from lama_odds.analysis import odds as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.odds import odds_text

    found = analysis.odds(game, rule_set, asked)
    return Answer.in_short(found, odds_text, frames.odds_frame)


def thresholds(
    rules: str,
    players: int = 4,
    *,
    policy: str | None = None,
    objective: str = "points",
    precision: float | None = None,
    games: int | None = None,
    band: int = 10,
    threads: int | None = None,
    seed: int = 0,
    run: str | Path | None = None,
    progress: StageProgress | None = None,
) -> Answer[Thresholds]:
    """Quitting against continuing, for each penalty: values, errors, and where to quit.

    objective: ``points`` of a round, or ``win``, the game. To win, the answer is by both scores,
    in classes of `band` points. precision: half-width wanted for each penalty (default: 0.05
    points, 0.01 of the chance to win), instead of games. run: a folder that keeps the games.
    """
    check_one({"games": games, "precision": precision})
    check_games(games)
    check_playing(threads, seed, progress, run)
    check_name(objective, OBJECTIVES, f"objective {objective!r}", needed=True)
    check_whole(band, 1, WIDEST_BAND, "band", needed=True)
    if precision is not None:
        check_precision(precision)
    game, rule_set = table_of(rules, players)
    chosen = policy_of(game, rule_set, BEST if policy is None else policy, players, objective)
    question = {
        "command": "thresholds",
        "rules": rule_set.id,
        "players": players,
        "policy": chosen.name,
        "seed": seed,
        **({} if objective == "points" else {"objective": objective, "band": band}),
    }
    from lama_odds.report.python import frames
    from lama_odds.report.text.by_score import game_thresholds_text
    from lama_odds.report.text.short_thresholds import short_text

    with run_folder(run, question, several=True) as folder:
        found = _thresholds(
            game,
            rule_set,
            chosen,
            players,
            band=None if objective == "points" else band,
            precision=precision,
            games=games,
            threads=threads,
            seed=seed,
            progress=stage(progress, "playing"),
            folder=folder,
        )
    if objective == "win":
        return Answer.in_short(found, game_thresholds_text, frames.thresholds_frame)
    return Answer.in_short(found, short_text, frames.thresholds_frame)


def _thresholds(
    game: Game[R, P],
    rules: R,
    policy: Policy,
    players: int,
    *,
    band: int | None,
    precision: float | None,
    games: int | None,
    threads: int | None,
    seed: int,
    progress: Progress | None,
    folder: RunFolder | None,
) -> Thresholds:
    """When to quit for points (band: None), or to win; precision None: the default one."""
    if band is None:
        from lama_odds.analysis.thresholds import thresholds as by_penalty

        return by_penalty.thresholds(
            game,
            rules,
            players,
            policy=policy,
            precision=by_penalty.PRECISION if precision is None else precision,
            games=games,
            seed=seed,
            threads=threads,
            progress=progress,
            folder=folder,
        )
    from lama_odds.analysis.thresholds import by_score

    return by_score.game_thresholds(
        game,
        rules,
        players,
        policy=policy,
        precision=by_score.PRECISION if precision is None else precision,
        games=games,
        band=band,
        seed=seed,
        threads=threads,
        progress=progress,
        folder=folder,
    )


def review(
    record: str,
    *,
    seat: int | None = None,
    opponents: str | None = None,
    objective: str | None = None,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Answer[Review]:
    """Grade every decision of a recorded game (its text), and separate luck from skill.

    seat: this one only. games: for each decision that is sampled. Raises ReadError for a damaged
    record, NothingToDecideError for one without a decision.
    """
    check_text(record, "record", needed=True)
    check_games(games, FEWEST_ROLLOUTS)
    check_playing(threads, seed, progress)
    from lama_odds.games.shared.decisions import decisions, rules_named
    from lama_odds.games.shared.record import first_record

    record = first_record(record)
    game, rule_set = asked_of(rules_named(record))
    check_whole(seat, 0, rule_set.players[-1] - 1, "seat")
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    notes: list[str] = []
    policy = None
    if opponents is not None:
        for decision in decisions(game, rule_set, record)[:1]:
            asked = decision.position
            aim = objective or game.default_objective(rule_set, asked)
            policy = opponents_of(game, rule_set, opponents, asked.players, aim, notes)

    from lama_odds.analysis.coach import review as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.review import review_text

    found = analysis.review(
        game,
        rule_set,
        record,
        seat=seat,
        objective=objective,
        opponents=policy,
        games=games,
        threads=threads,
        seed=seed,
        progress=progress,
    )
    found = replace(found, assumptions=(*found.assumptions, *notes))
    return Answer.in_short(found, review_text, frames.review_frame)
