"""Rounds and games of Lama Dice played both ways at decisions, or watched move by move."""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.kernels import add_penalties, play_dealt, play_out, set_table
from lama_odds.games.dice.engine.round_loop import (
    ACTIONS,
    ALL_ACTIONS,
    AS_POLICY,
    LAST_ACTOR,
    OTHERS_IN,
    QUIT,
    RESUME,
    ROLL,
    ROW_LEFT,
    deal,
    play_round,
    sit_down,
)
from lama_odds.games.dice.engine.tables import (
    HAND,
    MAX_SEATS,
    NEXT,
    PENALTY,
    SCORE,
    TABLE_SIZE,
    PlayTables,
)
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.transition import FULL_ROW, TARGET, kinds_of, quitting_cost
from lama_odds.games.interface.from_scores import draw_scores
from lama_odds.games.interface.match_equity import CHANCE, find_chances, has_table, new_room
from lama_odds.games.interface.tally_layout import (
    EQUITY,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
    count_unended,
    forks_here,
    lowest_score,
)
from lama_odds.games.interface.watched import (
    begin_watch,
    count_watched,
    looks_at,
    looks_on,
    new_watch,
    note_chances,
    note_played,
    note_standing,
    watch_log,
)
from lama_odds.games.shared.seating import (
    BAND,
    LOST,
    POINTS,
    all_in,
    leave,
    lost_share,
    score_cell,
    worth_of_round,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# Decisions to roll or to quit, played out both ways: the data behind thresholds.
#
# Rounds are played with the policies of the seats, first ones or from scores that are drawn. A fork
# is a decision while others are still in. There the round is completed twice with the same dice,
# once after quitting and once after rolling. Then the round continues as the policy decides.

EACH = MAX_SEATS  # cells of a penalty: all together, then by the number of others still in


@compiled
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play rounds with forks at decisions; tally: see `tally_layout.add_fork`.

    tables: see `forks.ForkRoundTables`.

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


# Decisions to roll or to quit, played out both ways to the end of the game.
#
# Whole games are played with the policies of the seats, with forks like those of
# rounds. From there the round and the rest of the game are played twice, with the same
# dice and the same deals.


@compiled
def fork_games(rules, policies, tables, seed, first, games, tally):
    """Play games with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `forks.ForkGameTables`. Cells: see `score_cell`; the row after them counts branches
    without an end.
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
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        table[SCORE : SCORE + seats] = 0
        starter = 0
        for round_ in range(MAX_ROUNDS):
            start = sit_down(rules, rolls, table, seats, key, gamma, game, round_)
            deal(rules, table, seats, start, gamma)
            all_in(table, seats)
            seat = starter
            others = seats - 1
            row = FULL_ROW
            begin = AS_POLICY
            lane = lane_start(key, gamma, game, round_, STUDY)
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
                penalty = points[kinds_of(table[HAND + seat])]
                cell = score_cell(penalty, table, SCORE, seat, seats, tables.band, tables.bands)
                number += 1
                if not forks_here(chances, cell, lane, gamma, number):
                    continue
                for action in range(2):
                    for i in range(TABLE_SIZE):
                        branch[i] = table[i]
                    if action == 0:
                        leave(branch, seat, quitting_cost(rules, penalty))
                    play_round(
                        rules, play, gamma, branch, seats,
                        others if action else others - 1, row,
                        seat if action else table[NEXT + seat],
                        ROLL if action else AS_POLICY, False, False, branch_result,
                    )  # fmt: skip
                    mine = branch[PENALTY + seat] + branch[SCORE + seat] - table[SCORE + seat]
                    payoffs[action, POINTS] = mine
                    rounds = play_out(
                        rules, play, key, gamma, game, branch, seats, round_ + 1,
                        branch_result[LAST_ACTOR], branch_result,
                    )  # fmt: skip
                    payoffs[action, LOST] = lost_share(branch, SCORE, seat, seats)
                    count_unended(tally, rounds == 0)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = result[LAST_ACTOR]
        close_forks(tally, open_cells, touched)


# Whole games of Lama Dice that are watched: standings, waiting, chances after each round.

# An entry of the log in which a player quits, see `round_loop.log_turn`.
EVENTS = 0xF0
QUITS = QUIT << 4


@inlined
def share_wins(table, seats, wins):
    """Write everybody's share of the win of a finished game."""
    lowest, shared = lowest_score(table, SCORE, seats)
    for seat in range(seats):
        wins[seat] = WIN // shared * (table[SCORE + seat] == lowest)


@inlined
def look_ahead(
    rules, tables, key, gamma, before, branch, seats, played, starter, result, wins, total, watch
):  # fmt: skip
    """Play on from the end of a round until the chances are clear; return the games played.

    before: the table with the penalties not added yet. total: filled with the sums of the wins.
    key: of the random numbers.
    """
    looks = 0
    total[:] = 0
    while looks_on(total, looks, seats):
        for i in range(TABLE_SIZE):
            branch[i] = before[i]
        number = played << 10 | looks
        play_out(rules, tables, key, gamma, number, branch, seats, played, starter, result)
        share_wins(branch, seats, wins)
        for seat in range(seats):
            total[seat] += wins[seat]
        looks += 1
        note_played(watch, total, looks, seats)
    return looks


@compiled
def watch_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games; tables: see `WatchTables`. tally: see `watched.measures_of`."""
    play = tables.play
    log = np.zeros(tables.logged.log.size, np.int64)  # of this call: others write theirs meanwhile
    logged = PlayTables(
        play.rolls, play.points, play.values, play.ranks, play.copied, play.cards, play.learned, log
    )
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch, branch_result = set_table(policies)
    before = np.zeros(TABLE_SIZE, np.int64)
    wins = np.zeros(seats, np.int64)
    total = np.zeros(seats, np.int64)
    watch = new_watch()
    room = new_room()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for seat in range(seats):
            table[SCORE + seat] = 0
        begin_watch(watch)
        looked = looks_at(tables, game)
        others = mix(lane_start(key, gamma, game, 0, STUDY))
        result[ALL_ACTIONS] = 0
        starter = 0
        played = 0
        while True:
            log[0] = 0
            play_dealt(rules, logged, key, gamma, game, played, table, seats, starter, result)
            watch_log(watch, log, seats, EVENTS, QUITS)
            result[ALL_ACTIONS] += result[ACTIONS]
            played += 1
            for i in range(TABLE_SIZE):
                before[i] = table[i]
            ended = add_penalties(table, seats) >= rules[transition.TARGET]
            note_standing(watch, table, SCORE, seats, 1)
            if ended or played == MAX_ROUNDS:
                break
            starter = result[LAST_ACTOR]
            if looked and has_table(tables.equities):
                find_chances(tables.equities, table, SCORE, seats, starter, room)
                note_chances(watch, room[CHANCE], EQUITY, seats)
            elif looked:
                looks = look_ahead(
                    rules, play, others, gamma, before, branch, seats, played, starter,
                    branch_result, wins, total, watch,
                )  # fmt: skip
                note_chances(watch, total, WIN * looks, seats)
        share_wins(table, seats, wins)
        count_watched(tally, watch, wins, result[ALL_ACTIONS], tables, seats, looked, True)
