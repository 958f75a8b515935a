"""Whole games of Lama Dice that are watched: standings, waiting, chances after each round."""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine.kernels import add_penalties, play_dealt, play_out, set_table
from lama_odds.games.dice.engine.round_loop import ACTIONS, ALL_ACTIONS, LAST_ACTOR, QUIT
from lama_odds.games.dice.engine.table_rows import SCORE, TABLE_SIZE
from lama_odds.games.dice.engine.tables import PlayTables
from lama_odds.games.dice.rules import transition
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
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

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
        play.rolls, play.points, play.values, play.ranks, play.copied, play.cards, log
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
