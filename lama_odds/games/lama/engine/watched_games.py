"""Whole games of cards that are watched: standings, waiting, chances after each round."""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.score_chances import CHANCE, find_chances, has_table, new_room
from lama_odds.games.interface.tally_layout import EQUITY, WIN, lowest_score
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
from lama_odds.games.lama.engine.kernels import add_penalties, next_starter, play_out
from lama_odds.games.lama.engine.round_loop import ACTIONS, ALL_ACTIONS, AS_POLICY, LAST_ACTOR
from lama_odds.games.lama.engine.starts import begin_game, play_dealt, set_table
from lama_odds.games.lama.engine.table_rows import SCORE, SCRATCH, TABLE_SIZE
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.rules import transition
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# An entry of the log in which a player quits, see `round_loop.log_move`.
MOVES = 0xFF0
QUITS = transition.QUIT - AS_POLICY << 4


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
    actor = result[LAST_ACTOR]
    looks = 0
    total[:] = 0
    while looks_on(total, looks, seats):
        for i in range(SCRATCH):
            branch[i] = before[i]
        result[LAST_ACTOR] = actor
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
        play.playable, play.penalties, play.order, play.values, play.ranks,
        play.equilibrium, play.learned, play.cards, log,
    )  # fmt: skip
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
        begin_game(table, seats)
        begin_watch(watch)
        looked = looks_at(tables, game)
        others = mix(lane_start(key, gamma, game, 0, STUDY))
        result[ALL_ACTIONS] = 0
        starter = 0
        played = 0
        while True:
            log[0] = 0
            play_dealt(rules, logged, key, gamma, game, played, table, seats, starter, result)
            watch_log(watch, log, seats, MOVES, QUITS)
            result[ALL_ACTIONS] += result[ACTIONS]
            played += 1
            for i in range(SCRATCH):
                before[i] = table[i]
            ended = add_penalties(table, seats) >= rules[transition.TARGET]
            note_standing(watch, table, SCORE, seats, 1)
            if ended or played == MAX_ROUNDS:
                break
            following = next_starter(rules, seats, starter, result)
            if looked and has_table(tables.equities):
                find_chances(tables.equities, table, SCORE, seats, following, room)
                note_chances(watch, room[CHANCE], EQUITY, seats)
            elif looked:
                branch_result[LAST_ACTOR] = result[LAST_ACTOR]
                looks = look_ahead(
                    rules, play, others, gamma, before, branch, seats, played, starter,
                    branch_result, wins, total, watch,
                )  # fmt: skip
                note_chances(watch, total, WIN * looks, seats)
            starter = following
        share_wins(table, seats, wins)
        count_watched(tally, watch, wins, result[ALL_ACTIONS], tables, seats, looked, True)
