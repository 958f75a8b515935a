"""Whole games as jobs."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Policy
from lama_odds.games.interface.score_chances import PLAYED_ON
from lama_odds.games.interface.tally_layout import WIN as WHOLE_WIN
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.pikomino.engine import kernels, watched_games
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.jit.job import Job, Measure


def simulation(rules: PikominoRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return whole games of these policies, one for each seat."""
    if rounds:
        raise ReadError("pikomino has no rounds, only whole games")
    seats = len(policies)
    measures = (
        *(Measure("win", seat, 1 / WHOLE_WIN, share=True) for seat in range(seats)),
        *(Measure("outright", seat, share=True) for seat in range(seats)),
        *(Measure("worms", seat, most=int(rules.worm_table.sum())) for seat in range(seats)),
        *(Measure(name) for name in ("turns", "busts", "steals")),
        Measure("unfinished", share=True),
    )
    return Job(
        kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies),
        (len(measures), 2),
        measures,
    )


def watched(rules: PikominoRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies)
    measures = measures_of(len(policies), False)
    tables = WatchTables(play, play, longer, PLAYED_ON, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(
        watched_games.watch_games, rules.columns, policy_rows(policies), tables, shape, measures
    )
