"""Rounds and games as jobs, and the deals of simulated games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import from_scores
from lama_odds.games.interface.match_equity import table_for
from lama_odds.games.interface.score_chances import PLAYED_ON
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.lama.engine import kernels, table_rows, watched_games
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.ruleset import Counts, LamaRules
from lama_odds.games.shared.measures import DETAILS, game_measures, round_measures
from lama_odds.jit.job import Job

MOST_ACTIONS = 4_096  # of a round that is watched
Deal = tuple[Sequence[Counts], int]  # hands by seat, and the opening card


def simulation(rules: LamaRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return first rounds or whole games of these policies, one for each seat."""
    seats = len(policies)
    most = rules.most_points
    ends = rules.target + most
    measures = round_measures(seats, most, False) if rounds else game_measures(seats, ends)
    return Job(
        kernels.play_first_rounds if rounds else kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, tokens=not rounds),
        (len(measures), 2),
        measures,
        () if rounds else DETAILS,
    )


def watched(rules: LamaRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies, tokens=True)
    table = table_for(rules.id, policies)
    equities = PLAYED_ON if table is None else table.counted
    measures = measures_of(len(policies), True)
    log = np.zeros(MOST_ACTIONS, dtype=np.int64)
    tables = WatchTables(play, play._replace(log=log), longer, equities, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(
        watched_games.watch_games, rules.columns, policy_rows(policies), tables, shape, measures
    )


def rounds_from(rules: LamaRules, policies: Sequence[Policy], starts: np.ndarray, most: int) -> Job:
    """Return rounds from given scores, see `from_scores.from_scores`."""
    return from_scores(
        kernels.play_from_scores,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, tokens=True),
        starts,
        most,
    )


def deal_of(rules: LamaRules, seats: int, seed: int, game: int, number: int) -> Deal:
    """Return the hands and the opening card of a round of a simulated game."""
    table = np.zeros(table_rows.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, table, seats, seed, game, number)
    hands = [rules.unpack(int(table[table_rows.HAND + seat])) for seat in range(seats)]
    opened = int(table[table_rows.PLACE + table_rows.PLAYED])
    return hands, rules.shifts.index(int(transition.dearest(opened)))
