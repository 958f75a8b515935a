"""Thresholds for points or for winning, each with its usual precision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lama_odds.analysis.thresholds.answer import Thresholds
    from lama_odds.core.policies import Policy
    from lama_odds.core.progress import Progress
    from lama_odds.games.interface.game import Game, P, R
    from lama_odds.games.interface.match_equity import RoundsToWin
    from lama_odds.simulation.run_folder import RunFolder


def thresholds_for(
    game: Game[R, P],
    rules: R,
    policy: Policy,
    players: int,
    *,
    worth: RoundsToWin | None,
    band: int | None,
    precision: float | None,
    games: int | None,
    threads: int | None,
    seed: int,
    progress: Progress | None,
    folder: RunFolder | None,
) -> Thresholds:
    """Return thresholds; default: the usual precision.

    band: of scores, where games are played to their ends. Otherwise rounds are played: to win the
    game if it is known what they are worth, else for points.
    """
    if band is None:
        from lama_odds.analysis.published_card import published_card
        from lama_odds.analysis.thresholds import thresholds as by_penalty

        found = by_penalty.thresholds(
            game,
            rules,
            players,
            policy=policy,
            worth=worth,
            precision=precision,
            games=games,
            seed=seed,
            threads=threads,
            progress=progress,
            folder=folder,
        )
        if worth is None or policy != game.best_policy(rules, players):
            return found
        return replace(found, card=published_card(game, rules, players))
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
