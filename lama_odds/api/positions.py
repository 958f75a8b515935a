"""Questions about a position, its thresholds, and a recorded game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import asked_of, check_numbers, policy_of, ready
from lama_odds.core.checks import check_name, check_precision, check_seconds, check_whole
from lama_odds.core.errors import ReadError
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.rollouts import Progress

WIDEST_BAND = 1000  # points


def advise(
    rules: str,
    position: str | None = None,
    *,
    after: str | None = None,
    opponents: str | None = None,
    objective: str | None = None,
    seconds: float = 1.0,
    games: int | None = None,
    sensitivity: bool = False,
    play_out: bool = False,
    threads: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Answer:
    """Every legal action of a position with its value and the chances behind it, and a verdict.

    after: the text of a record that ends where I decide, instead of a position. play_out: games of
    two are played to their end instead of looked up in a match equity table.
    """
    check_numbers(games, threads, seed)
    check_seconds(seconds)
    game, rule_set = asked_of(rules)
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    if (position is None) == (after is None):
        raise ReadError(
            f'give a position, for example "{game.example}", or a record with --after (not both)'
        )
    if after is not None:
        asked = game.position_after(rule_set, after)
    else:
        asked = game.position(rule_set, position or "")
    policy = None
    if opponents is not None:
        policy = policy_of(game, rule_set, opponents, asked.players)

    from lama_odds.analysis import advise as analysis
    from lama_odds.analysis.rollouts import Limits
    from lama_odds.report import frames
    from lama_odds.report.text import advice_text

    limits = Limits(seconds, games, threads)
    how: Any = {"limits": limits, "seed": seed, "progress": progress}
    found = analysis.advise(
        game,
        rule_set,
        asked,
        objective=objective,
        opponents=policy,
        look_up=not play_out,
        **how,
    )
    if sensitivity:
        from lama_odds.analysis.sensitivity import sensitivity as ask_again

        found = replace(found, sensitivity=ask_again(game, rule_set, asked, found, **how))
    return Answer(found, advice_text, frames.advice_frame)


def odds(rules: str, position: str) -> Answer:
    """Exact chances of what comes next; ``deal`` instead of a position asks for the deal."""
    game, rule_set = asked_of(rules)
    asked = None if position == "deal" else game.position(rule_set, position)

    from lama_odds.analysis import odds as analysis
    from lama_odds.report import frames
    from lama_odds.report.text import odds_text

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

    objective: ``points`` of a round, or ``win``, the game: then by the own score and the leader's,
    in classes of `band` points. precision: half-width wanted for each penalty (default: 0.05
    points, 0.01 of the chance to win).
    """
    check_numbers(games, threads, seed)
    check_name(objective, ("points", "win"), f"objective {objective!r}")
    check_whole(band, 1, WIDEST_BAND, "band")
    if precision is not None:
        check_precision(precision)
    game, rule_set = asked_of(rules, players)
    how: Any = {"games": games, "seed": seed, "threads": threads}
    if policy is not None:
        how["policy"] = policy_of(game, rule_set, policy, players)
    if precision is not None:
        how["precision"] = precision
    from lama_odds.report import frames

    if objective == "win":
        from lama_odds.analysis.game_thresholds import game_thresholds
        from lama_odds.report.game_thresholds import game_thresholds_text

        found = game_thresholds(game, rule_set, players, band=band, **how)
        return Answer(found, game_thresholds_text, frames.thresholds_frame)
    from lama_odds.analysis import thresholds as analysis
    from lama_odds.report.thresholds import thresholds_text

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
) -> Answer:
    """Grade every decision of a recorded game (its text), and tell its luck apart."""
    check_numbers(games, threads, seed)
    ready()
    from lama_odds.analysis import review as analysis
    from lama_odds.games.decisions import rules_named
    from lama_odds.report import frames
    from lama_odds.report.review import review_text

    game, rule_set = asked_of(rules_named(record))
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    found = analysis.review(
        game,
        rule_set,
        record,
        seat=seat,
        objective=objective,
        opponents=None if opponents is None else game.policy(opponents),
        games=games,
        threads=threads,
        seed=seed,
    )
    return Answer(found, review_text, frames.review_frame)
