"""Whole games in which some players think at each decision (`search:GAMES`), as a job.

All players think of each other as `best`; what others play instead is unknown to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from lama_odds.analysis.search.choice import MOST_DECISIONS, Thinker, stages_to, thinks_no_more
from lama_odds.core.errors import LimitError
from lama_odds.core.policies import SEARCH, Policy
from lama_odds.games.interface.best import WIN
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.records import SteppedGame
from lama_odds.games.registry import built_in, game_of
from lama_odds.games.shared.stepper import line_of
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_GAMES


def thinks(policies: Sequence[Policy]) -> bool:
    """Return whether any of these policies is `search`."""
    return any(policy.family is SEARCH for policy in policies)


def thinker_of(game: AnyGame, rules: Any, players: int, policy: Policy, seed: int) -> Thinker:
    """Return the player of a policy `search:GAMES`, who thinks of all others as `best`.

    Raises LimitError for a game that it cannot play.
    """
    if not game.searched:
        able = ", ".join(each.title for each in built_in() if each.searched)
        raise LimitError(
            f"{policy.name} cannot play {game.title}: a game cannot be followed from decision to "
            f"decision; it plays {able}"
        )
    best = game.best_policy(rules, players, WIN)
    stages = stages_to(policy.parameter)
    objective = game.searched_for(rules)
    return Thinker(game, rules, (best,) * players, objective, stages, seed, recalls=True)


def games_of(game: AnyGame, rules: Any, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return the job of `Game.simulation`, also if some policies are `search`.

    Raises LimitError for first rounds, and for a game whose play cannot be followed.
    """
    if not thinks(policies):
        return game.simulation(rules, policies, rounds)
    if rounds:
        raise LimitError("search plays to win whole games: leave out rounds")
    thinking = [seat for seat, policy in enumerate(policies) if policy.family is SEARCH]
    thinker = thinker_of(game, rules, len(policies), policies[thinking[0]], 0)
    plain = [thinker.policies[0] if policy.family is SEARCH else policy for policy in policies]
    like = game.simulation(rules, plain, False)
    # What is not playable is refused here, and what has to be compiled or solved is.
    line = line_of(game, rules, plain, 0, 0, thinking[0], True, thinking[1:])
    thinker.pick(line.position(), line.usual, 0, line.only)
    names = tuple(policy.name for policy in policies)
    measures = like.measures[: line.counted]
    # The job beside the names says what else the games depend on.
    tables = (rules.id, names, like)
    return Job(play_thinking, like.rules, like.policies, tables, (len(measures), 2), measures)


def play_thinking(
    rules: np.ndarray, policies: np.ndarray, tables: Any, seed: int, first: int, count: int,
    tally: np.ndarray,
) -> None:  # fmt: skip
    """Play whole games: the kernel of `games_of`, in plain Python. tables: as there."""
    del rules, policies
    text, names, _ = tables
    game, rule_set, seats = _seated(text, names)
    for number in range(first, first + count):
        _game(game, rule_set, seats, seed, number).count(tally)


@lru_cache(maxsize=32)
def _seated(text: str, names: tuple[str, ...]) -> tuple[AnyGame, Any, tuple[Policy, ...]]:
    """Return the game, the rule set and the policies of their names."""
    game = game_of(text)
    return game, game.rules(text), tuple(game.policy(name) for name in names)


def _game(
    game: AnyGame, rules: Any, policies: Sequence[Policy], seed: int, number: int
) -> SteppedGame:
    """Play a game; return it when it is over."""
    players = len(policies)
    thinkers = {
        seat: thinker_of(game, rules, players, policy, seed)
        for seat, policy in enumerate(policies)
        if policy.family is SEARCH
    }
    best = game.best_policy(rules, players, WIN)
    plain = [best if seat in thinkers else policy for seat, policy in enumerate(policies)]
    one, *others = thinkers
    line = line_of(game, rules, plain, seed, number, one, True, others)
    line.recalls = True
    decided = dict.fromkeys(thinkers, 0)
    while not line.over:
        seat = line.seat
        first = thinkers[seat].first(number, seat, decided[seat])
        if first + thinkers[seat].words > MAX_GAMES:
            most = MAX_GAMES // (thinkers[seat].words * MOST_DECISIONS * players)
            raise LimitError(f"game {number}: {policies[seat].name} can play {most:,} games")
        decided[seat] += 1
        if thinks_no_more(line.turns, players):
            line.act(line.usual)
        else:
            line.act(thinkers[seat].pick(line.position(), line.usual, first, line.only).action)
    return line
