"""Whole games of No Prob-Lama that are watched: standings, and chances to win after each round."""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.interface.watched import (
    begin_watch,
    count_watched,
    looks_at,
    looks_on,
    new_watch,
    note_chances,
    note_played,
    note_standing,
)
from lama_odds.games.noprob.engine.round_loop import (
    begin_game,
    close_round,
    play_dealt,
    play_out,
    share_of,
)
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    ENDED,
    FOUR_ROUNDS,
    LLAMAS,
    PLAYED,
    SCORE,
    TABLE_SIZE,
    TURNS,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of


@inlined
def share_wins(rules, table, seats, wins):
    """Write everybody's share of the win of a finished game."""
    for seat in range(seats):
        won, shared = share_of(rules, table, seat, seats)
        wins[seat] = WIN // shared * won


@inlined
def look_ahead(
    rules, tables, policies, key, gamma, table, branch, seats, played, starter, wins, total, watch
):  # fmt: skip
    """Play on from the end of a round until the chances are clear; return the games played.

    starter: of the next round. total: filled with the sums of the wins. key: of the random numbers.
    """
    looks = 0
    total[:] = 0
    while looks_on(total, looks, seats):
        for i in range(TABLE_SIZE):
            branch[i] = table[i]
        number = played << 10 | looks
        play_out(rules, tables, policies, branch, seats, key, gamma, number, played, starter)
        share_wins(rules, branch, seats, wins)
        for seat in range(seats):
            total[seat] += wins[seat]
        looks += 1
        note_played(watch, total, looks, seats)
    return looks


@compiled
def watch_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games; tables: see `WatchTables`. tally: see `watched.measures_of`."""
    play = tables.play
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    branch = np.zeros(TABLE_SIZE, np.int64)
    wins = np.zeros(seats, np.int64)
    total = np.zeros(seats, np.int64)
    watch = new_watch()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, table, seats)
        begin_watch(watch)
        looked = looks_at(tables, game)
        others = mix(lane_start(key, gamma, game, 0, STUDY))
        starter = 0
        played = 0
        ended = False
        while not ended and played < MAX_ROUNDS - 1:
            play_dealt(rules, play, policies, table, seats, key, gamma, game, played, starter)
            table[PLAYED] += table[TURNS]
            if table[ENDED] == ABANDONED:
                break
            played += 1
            ended = close_round(rules, table, seats, played)
            if rules[FOUR_ROUNDS]:
                note_standing(watch, table, SCORE, seats, 1)
            else:
                note_standing(watch, table, LLAMAS, seats, -1)
            starter = starter + 1 if starter + 1 < seats else 0
            if looked and not ended:
                looks = look_ahead(
                    rules, play, policies, others, gamma, table, branch, seats, played, starter,
                    wins, total, watch,
                )  # fmt: skip
                note_chances(watch, total, WIN * looks, seats)
        share_wins(rules, table, seats, wins)
        count_watched(tally, watch, wins, table[PLAYED], tables, seats, looked, False)
