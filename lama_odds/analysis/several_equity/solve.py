"""A match equity table of three to six players: played, and fitted to what was played.

First a network is fitted to the winners of whole games from random scores. Then a single round is
played many times from such scores, and the network says what it leaves. That varies far less, so it
is fitted again to the means of these chances, a few times over (fitted value iteration).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.analysis.score_rounds import PointsGame, job_from, noted_blocks
from lama_odds.analysis.several_equity.network import Network
from lama_odds.analysis.several_equity.whole_games import random_scores, won_from
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import ONE_ROUND, add_worth
from lama_odds.games.interface.several_equity import SeveralEquity
from lama_odds.games.interface.tally_layout import EQUITY


@dataclass(frozen=True)
class Effort:
    """How much is played and fitted.

    scores: random ones, for every player. games, rounds: whole games and single rounds from each.
    units: of the network. first: epochs of the fit to games; then: of those to rounds.
    """

    scores: int
    games: int
    rounds: int
    units: int
    first: int
    then: tuple[int, ...]


def solved_table(
    game: PointsGame,
    rules: Any,
    policy: Policy,
    players: int,
    effort: Effort,
    seed: int,
    threads: int | None = None,
) -> SeveralEquity:
    """The table, without its error. Raises LimitError for games without an end."""
    target = rules.target
    starts = random_scores(target, players, effort.scores, seed)
    network = Network(players, target, effort.units, seed)
    won = won_from(game, rules, policy, starts, effort.games, seed, threads)
    network.fit(starts, won.won, effort.first)
    rounds = effort.scores * effort.rounds
    job = job_from(game, rules, [policy] * players, starts, ONE_ROUND)
    noted = np.concatenate(list(noted_blocks(job, seed + 1, 0, rounds, threads)))
    by_scores = np.ascontiguousarray(noted.reshape(effort.rounds, effort.scores).T)
    for epochs in effort.then:
        table = network.rounded(policy.name, rounds, seed)
        worth = np.zeros(starts.shape)
        add_worth(table.counted, by_scores, worth)
        network.fit(starts, worth / (EQUITY * effort.rounds), epochs)
    return network.rounded(policy.name, rounds, seed)
