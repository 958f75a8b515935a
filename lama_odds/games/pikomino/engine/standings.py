"""The chance to win by worms ahead and tiles left: boards solved, and games played.

Worms ahead are the worms of the player to roll minus the most that another has. Exact values: all
two-player boards with four tiles in play. Sampled ones: `play_standings` notes the player's lead
and the tiles in the centre before each turn of a game, and then the winner.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
    count_unended,
)
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.round_loop import (
    EVENT_SIZE,
    MAX_TURNS,
    begin_game,
    play_turn,
    winners,
)
from lama_odds.games.pikomino.rules.board import BOARD_SIZE, CENTRE, MAX_SEATS, worms_of
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import stream_of

FAR = 10  # worms ahead or behind: this many or more
LEADS = 2 * FAR + 1


@inlined
def lead_of(board, worms, seat, seats):
    """Return the lead of a seat in worms over the best other; at most FAR either way."""
    most = 0
    for other in range(seats):
        if other != seat:
            most = max(most, worms_of(board, worms, other))
    return min(max(worms_of(board, worms, seat) - most, -FAR), FAR)


@inlined
def tiles_in(mask):
    """Return how many tiles a mask has."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@compiled
def play_standings(rules, policies, tables, seed, first, games, tally):
    """Play whole games; tally: for each band of tiles left and each lead, wins (see `add_fork`).

    tables: see `StandingTables`. The row after the cells counts games without an end, whose turns
    are not counted.
    """
    play, bands = tables.play, tables.bands
    turn, worms = play.turn, play.worms
    seats = policies.shape[0]
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    cells = np.zeros(MAX_TURNS, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoff = np.zeros(FORK_OBJECTIVES, np.int64)
    scratch = scratch_of(turn)
    start = turn.mask.size - 1
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        played = 0
        seat = 0
        while board[CENTRE] and played < MAX_TURNS:
            lead = lead_of(board, worms, seat, seats)
            cells[played] = bands[tiles_in(board[CENTRE])] * LEADS + lead + FAR
            play_turn(
                rules, play, policies, board, seat, key, gamma, game, turns[seat], start, False,
                scratch, event,
            )  # fmt: skip
            played += 1
            turns[seat] += 1
            seat = seat + 1 if seat + 1 < seats else 0
        if board[CENTRE]:
            count_unended(tally, 1)
            continue
        found, shared = winners(board, worms, seats)
        for at in range(played):
            payoff[0] = WIN // shared * (found >> at % seats & 1)
            add_fork(open_cells, touched, cells[at], payoff, payoff)
        close_forks(tally, open_cells, touched)
