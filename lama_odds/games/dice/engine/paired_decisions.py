"""Decisions to roll or to quit, played out both ways: the data behind thresholds.

Rounds are played with the policies of the seats, first ones or from scores that are drawn. A fork
is a decision while others are still in. There the round is completed twice with the same dice, once
after quitting and once after rolling. Then the round continues as the policy decides.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.kernels import set_table
from lama_odds.games.dice.engine.round_loop import (
    AS_POLICY,
    LAST_ACTOR,
    OTHERS_IN,
    RESUME,
    ROLL,
    ROW_LEFT,
    deal,
    play_round,
    sit_down,
)
from lama_odds.games.dice.engine.table_rows import HAND, MAX_SEATS, NEXT, PENALTY, SCORE, TABLE_SIZE
from lama_odds.games.dice.rules.transition import FULL_ROW, TARGET, kinds_of, quitting_cost
from lama_odds.games.interface.from_scores import draw_scores
from lama_odds.games.interface.score_chances import new_room
from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    forks_here,
)
from lama_odds.games.shared.score_bands import BAND, score_cell, worth_of_round
from lama_odds.games.shared.seating import all_in, leave
from lama_odds.jit import compiled
from lama_odds.luck.stream import STUDY, lane_start, stream_of

EACH = MAX_SEATS  # cells of a penalty: all together, then by the number of others still in


@compiled
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play rounds with forks at decisions; tally: see `tally_layout.add_fork`.

    tables: see `ForkRoundTables`.

    Cells of a penalty: all together; by the number of others still in; by both scores.
    """
    play, chances = tables.play, tables.chances
    rolls, points = play.rolls, play.points
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch = np.zeros(TABLE_SIZE, np.int64)
    branch_result = np.zeros(result.size, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    before = np.zeros(MAX_SEATS, np.int64)
    room = new_room()
    bands = -(-rules[TARGET] // BAND)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        draw_scores(tables.starts, key, gamma, game, before, 0, seats)
        table[SCORE : SCORE + seats] = before[:seats]
        start = sit_down(rules, rolls, table, seats, key, gamma, game, 0)
        deal(rules, table, seats, start, gamma)
        all_in(table, seats)
        seat = 0
        others = seats - 1
        row = FULL_ROW
        begin = AS_POLICY
        lane = lane_start(key, gamma, game, 0, STUDY)
        number = 0
        while True:
            play_round(
                rules, play, gamma, table, seats, others, row, seat, begin, True, False, result
            )
            if result[round_loop.ENDED] != round_loop.PAUSED:
                break
            begin = RESUME
            seat = result[LAST_ACTOR]
            others = result[OTHERS_IN]
            row = result[ROW_LEFT]
            number += 1
            penalty = points[kinds_of(table[HAND + seat])]
            if not forks_here(chances, penalty, lane, gamma, number):
                continue
            for action in range(2):
                for i in range(TABLE_SIZE):
                    branch[i] = table[i]
                if action == 0:
                    leave(branch, seat, quitting_cost(rules, penalty))
                play_round(
                    rules, play, gamma, branch, seats,
                    others if action else others - 1, row, seat if action else table[NEXT + seat],
                    ROLL if action else AS_POLICY, False, False, branch_result,
                )  # fmt: skip
                worth_of_round(
                    tables.equities, branch, SCORE, PENALTY, seat, seats,
                    branch_result[LAST_ACTOR], before, room, payoffs[action],
                )  # fmt: skip
            cell = EACH * penalty
            add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            add_fork(open_cells, touched, cell + others, payoffs[0], payoffs[1])
            if tables.by_scores:
                cell = tables.by_scores
                cell += score_cell(penalty, table, SCORE, seat, seats, BAND, bands)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
        close_forks(tally, open_cells, touched)


def cells_of(most_points: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell but those by scores: penalty, others still in (None: any)."""
    return [
        {"penalty": penalty, "others": others or None}
        for penalty in range(most_points + 1)
        for others in range(EACH)
    ]
