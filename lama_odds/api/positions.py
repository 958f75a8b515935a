"""Questions about a position, its thresholds, and a recorded game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import (
    FEWEST_ROLLOUTS,
    asked_of,
    check_games,
    check_numbers,
    check_progress,
    opponents_of,
    policy_of,
    table_of,
)
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
from lama_odds.core.progress import StageProgress
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    pass

WIDEST_BAND = 1000  # points
SECONDS = 1.0  # of sampling, if neither time nor games are given


def advise(
    rules: str,
    position: str | None = None,
    *,
    after: str | None = None,
    opponents: str | None = None,
    objective: str | None = None,
    seconds: float | None = None,
    games: int | None = None,
    sensitivity: bool = False,
    play_out: bool = False,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Answer:
    """Every legal action of a position with its value and the chances behind it, and a verdict.

    after: the text of a record that ends where I decide, instead of a position. seconds, games: at
    most one; neither is a second. play_out: games of two are played to their end instead of looked
    up in a match equity table. objective: if not given, what counts in the game (see
    `Game.default_objective`). Raises ReadError, ImpossibleError (NothingToDecideError where all is
    over) or LimitError.
    """
    check_one({"games": games, "seconds": seconds})
    check_games(games, FEWEST_ROLLOUTS)
    check_numbers(threads, seed)
    check_progress(progress)
    check_flag(sensitivity, "sensitivity")
    check_flag(play_out, "play_out")
    check_text(position, "position")
    check_text(after, "after")
    seconds = SECONDS if seconds is None else seconds
    check_seconds(seconds)
    game, rule_set = asked_of(rules)
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    if (position is None) == (after is None):
        raise ReadError(
            f'give a position, for example "{game.example}", or a record that ends where I '
            "decide, not both"
        )
    if after is not None:
        asked = game.position_after(rule_set, after)
    else:
        asked = game.position(rule_set, position or "")
    aim = objective or game.default_objective(rule_set, asked)
    notes: list[str] = []
    policy = opponents_of(game, rule_set, opponents, asked.players, aim, notes)

    from lama_odds.analysis.advice import advise as analysis
    from lama_odds.analysis.advice.rollouts import Limits
    from lama_odds.report.python import frames
    from lama_odds.report.text.answers import advice_text

    limits = Limits(seconds, games, threads)
    how: Any = {"opponents": policy, "seed": seed, "progress": progress, "look_up": not play_out}
    if sensitivity:
        from lama_odds.analysis.advice.sensitivity import SHARE
        from lama_odds.analysis.advice.sensitivity import sensitivity as ask_again

        limits = replace(limits, seconds=SHARE * seconds)
    found = analysis.advise(game, rule_set, asked, objective=objective, limits=limits, **how)
    if sensitivity and not found.interrupted:
        again = ask_again(game, rule_set, asked, found, limits=limits, **how)
        found = replace(found, sensitivity=again, interrupted=again is None)
    found = replace(found, assumptions=(*found.assumptions, *notes))
    return Answer(found, advice_text, frames.advice_frame)


def odds(rules: str, position: str) -> Answer:
    """Exact chances of what comes next; ``deal`` instead of a position asks for the deal."""
    check_text(position, "position", needed=True)
    game, rule_set = asked_of(rules)
    asked = None if position == "deal" else game.position(rule_set, position)

    from lama_odds.analysis import odds as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.answers import odds_text

    return Answer(analysis.odds(game, rule_set, asked), odds_text, frames.odds_frame)


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
) -> Answer:
    """Quitting against going on, for each penalty: values, errors, and where to quit.

    objective: ``points`` of a round, or ``win``, the game: then by both scores,
    in classes of `band` points. precision: half-width wanted for each penalty (default: 0.05
    points, 0.01 of the chance to win), instead of games.
    """
    check_one({"games": games, "precision": precision})
    check_games(games)
    check_numbers(threads, seed)
    check_name(objective, ("points", "win"), f"objective {objective!r}", needed=True)
    check_whole(band, 1, WIDEST_BAND, "band", needed=True)
    if precision is not None:
        check_precision(precision)
    game, rule_set = table_of(rules, players)
    named = BEST if policy is None else policy
    chosen = policy_of(game, rule_set, named, players, objective)
    how: Any = {"policy": chosen, "games": games, "seed": seed, "threads": threads}
    if precision is not None:
        how["precision"] = precision
    from lama_odds.report.python import frames

    if objective == "win":
        from lama_odds.analysis.thresholds.by_score import game_thresholds
        from lama_odds.report.text.by_score import game_thresholds_text

        found = game_thresholds(game, rule_set, players, band=band, **how)
        return Answer(found, game_thresholds_text, frames.thresholds_frame)
    from lama_odds.analysis.thresholds import thresholds as analysis
    from lama_odds.report.text.thresholds import thresholds_text

    found = analysis.thresholds(game, rule_set, players, **how)
    return Answer(found, thresholds_text, frames.thresholds_frame)


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
) -> Answer:
    """Grade every decision of a recorded game (its text), and tell its luck apart.

    seat: this one only. games: for each decision that is sampled. Raises ReadError for a damaged
    record, NothingToDecideError for one without a decision.
    """
    check_text(record, "record", needed=True)
    check_games(games, FEWEST_ROLLOUTS)
    check_numbers(threads, seed)
    check_progress(progress)
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
    return Answer(found, review_text, frames.review_frame)
