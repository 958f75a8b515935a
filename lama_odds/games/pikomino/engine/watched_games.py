"""Whole games of Pikomino that are watched: standings after each turn, chances after each lap."""

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
from lama_odds.games.pikomino.engine.kernels import play_on, scratch_of
from lama_odds.games.pikomino.engine.round_loop import (
    EVENT_SIZE,
    MAX_TURNS,
    begin_game,
    play_turn,
    winners,
)
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS, worms_of
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import STUDY, lane_start, mix, stream_of


@inlined
def share_wins(board, worms, seats, wins):
    """Write everybody's share of the win of a finished game."""
    found, shared = winners(board, worms, seats)
    for seat in range(seats):
        wins[seat] = WIN // shared * (found >> seat & 1)


@inlined
def look_ahead(
    rules, tables, policies, key, gamma, board, turns, lap, branch, again, done, scratch, event,
    wins, total, watch,
):  # fmt: skip
    """Play on from the end of a lap until the chances are clear; return the games played.

    total: filled with the sums of the wins. key: of the random numbers.
    """
    seats = policies.shape[0]
    looks = 0
    total[:] = 0
    while looks_on(total, looks, seats):
        for i in range(BOARD_SIZE):
            branch[i] = board[i]
        for seat in range(MAX_SEATS):
            again[seat] = turns[seat]
        done[:] = 0
        number = lap << 10 | looks
        play_on(rules, tables, policies, branch, 0, again, key, gamma, number, scratch, event, done)
        share_wins(branch, tables.worms, seats, wins)
        for seat in range(seats):
            total[seat] += wins[seat]
        looks += 1
        note_played(watch, total, looks, seats)
    return looks


@compiled
def watch_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games; tables: see `WatchTables`. tally: see `watched.measures_of`."""
    play, worms = tables.play, tables.play.worms
    seats = policies.shape[0]
    start = play.turn.mask.size - 1
    board = np.zeros(BOARD_SIZE, np.int64)
    branch = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    again = np.zeros(MAX_SEATS, np.int64)
    held = np.zeros(MAX_SEATS, np.int64)
    done = np.zeros(3, np.int64)
    wins = np.zeros(seats, np.int64)
    total = np.zeros(seats, np.int64)
    scratch = scratch_of(play.turn)
    watch = new_watch()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, board)
        begin_watch(watch)
        turns[:] = 0
        looked = looks_at(tables, game)
        others = mix(lane_start(key, gamma, game, 0, STUDY))
        played = 0
        seat = 0
        while board[CENTRE] and played < MAX_TURNS:
            play_turn(
                rules, play, policies, board, seat, key, gamma, game, turns[seat], start, False,
                scratch, event,
            )  # fmt: skip
            turns[seat] += 1
            played += 1
            for other in range(seats):
                held[other] = worms_of(board, worms, other)
            note_standing(watch, held, 0, seats, -1)
            seat = seat + 1 if seat + 1 < seats else 0
            if looked and seat == 0 and board[CENTRE]:
                looks = look_ahead(
                    rules, play, policies, others, gamma, board, turns, played // seats, branch,
                    again, done, scratch, event, wins, total, watch,
                )  # fmt: skip
                note_chances(watch, total, WIN * looks, seats)
        share_wins(board, worms, seats, wins)
        count_watched(tally, watch, wins, played, tables, seats, looked, False)
