"""Rounds and games as jobs, and the deals of simulated games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.score_chances import PLAYED_ON
from lama_odds.games.interface.tally_layout import WIN as WHOLE_WIN
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.noprob.engine import kernels, watched_games
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.scoring import unpacked
from lama_odds.games.shared.measures import DETAILS
from lama_odds.jit.job import Job, Measure

Deal = tuple[Sequence[tuple[int, ...]], int]  # grids by seat, and the opening card
LOWEST = -100.0  # hardly any round or game has a lower total


def simulation(rules: NoprobRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return first rounds or whole games of these policies, one for each seat."""
    seats = range(len(policies))
    if rounds:
        measures = tuple(Measure("penalty", seat, least=LOWEST) for seat in seats)
        measures += (Measure("turns"), Measure("unfinished", share=True))
    else:
        measures = (
            *(Measure("win", seat, 1 / WHOLE_WIN, share=True) for seat in seats),
            *(Measure("outright", seat, share=True) for seat in seats),
            *(Measure("score", seat, least=LOWEST) for seat in seats),
            *(Measure("llamas", seat) for seat in seats),
            Measure("rounds"),
            Measure("unfinished", share=True),
        )
    return Job(
        kernels.play_first_rounds if rounds else kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies),
        (len(measures), 2),
        measures,
        () if rounds else DETAILS,
    )


def watched(rules: NoprobRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies)
    measures = measures_of(len(policies), False)
    tables = WatchTables(play, play, longer, PLAYED_ON, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(
        watched_games.watch_games, rules.columns, policy_rows(policies), tables, shape, measures
    )


def deal_of(rules: NoprobRules, seats: int, seed: int, game: int, number: int) -> Deal:
    """Return the grids and the opening card of a round of a simulated game."""
    table = np.zeros(transition.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, table, seats, seed, game, number)
    grids = [unpacked(int(table[transition.GRID + seat])) for seat in range(seats)]
    return grids, int(table[transition.STACK])
