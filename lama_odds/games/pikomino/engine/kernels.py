"""Kernels that `simulation` runs: whole games of Pikomino, and positions played out.

``kernel(rules, policies, tables, seed, first, count, tally)``. rules: int64 row of the rule set.
policies: int64[seats, POLICY_COLUMNS]. tables: see `tables.PlayTables`.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
    count,
    count_payoffs,
    count_unended,
    event_of,
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
)
from lama_odds.games.pikomino.engine.learned import HIDDEN, MOST_ON, Scratch
from lama_odds.games.pikomino.engine.policy_kernels import SEEN
from lama_odds.games.pikomino.engine.round_loop import (
    BUSTED,
    EVENT_SIZE,
    HOW,
    MAX_TURNS,
    STOLE,
    STOPPED,
    begin_game,
    log_end,
    play_turn,
)
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    MAX_SEATS,
    go_bust,
    steal_tile,
    take_tile,
    winners,
    worms_of,
)
from lama_odds.jit import allocating, compiled, inlined
from lama_odds.luck.stream import STUDY, lane_start, mix, stream_of


@allocating
def scratch_of(turn):
    """Return arrays that the turns of a game overwrite."""
    totals = turn.number.shape[1]
    states = turn.mask.size
    return Scratch(
        np.zeros(totals), np.zeros(states), np.zeros(states), np.zeros(totals, np.bool_),
        np.zeros(states, np.bool_), np.zeros(MOST_ON, np.int64), np.zeros(HIDDEN, np.float32),
        np.zeros(MAX_SEATS), np.zeros(SEEN, np.int64),
    )  # fmt: skip


@inlined
def play_on(
    rules, tables, policies, board, seat, turns, key, gamma, game, scratch, event, done
):  # fmt: skip
    """Play turns until the centre is empty, `seat` first; turns: played by each seat before.

    done: int64[3], increased by: turns, busts, steals. Returns whether the game ended.
    """
    seats = policies.shape[0]
    start = tables.turn.mask.size - 1
    while board[CENTRE]:
        if done[0] == MAX_TURNS:
            return False
        play_turn(
            rules, tables, policies, board, seat, key, gamma, game, turns[seat], start, False,
            scratch, event,
        )  # fmt: skip
        if tables.log.size:
            log_end(tables.log, seat, event)
        done[0] += 1
        done[1] += event[HOW] == BUSTED
        done[2] += event[HOW] == STOLE
        turns[seat] += 1
        seat = seat + 1 if seat + 1 < seats else 0
    return True


@compiled
def play_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games.

    Measures: win, outright, worms of each seat; turns; busts; steals; no end.
    """
    worms = tables.worms
    seats = policies.shape[0]
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    done = np.zeros(3, np.int64)
    scratch = scratch_of(tables.turn)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        done[:] = 0
        ended = play_on(
            rules, tables, policies, board, 0, turns, key, gamma, game, scratch, event, done
        )
        mask, shared = winners(board, worms, seats)
        for seat in range(seats):
            won = ended and mask >> seat & 1
            count(tally, seat, WIN // shared * won)
            count(tally, seats + seat, np.int64(won and shared == 1))
            count(tally, 2 * seats + seat, worms_of(board, worms, seat))
        for i in range(3):
            count(tally, 3 * seats + i, done[i])
        count(tally, 3 * seats + 3, np.int64(not ended))


# Root actions of rollouts: [code, state, tile or seat].
DO_KEEP = 0
DO_ROLL = 1
DO_STOP = 2
DO_STEAL = 3
DO_BUST = 4
WINS = 0
WORMS = 1
OBJECTIVES = 2
I_BUST = 0
EVENTS = 1
EVENT_NAMES = ("bust",)


@inlined
def finish_turn(
    rules, tables, policies, board, code, what, key, gamma, game, scratch, event
):  # fmt: skip
    """Carry out a root action of seat 0, and complete its turn."""
    event[HOW] = STOPPED
    if code == DO_STOP:
        take_tile(board, 0, what)
    elif code == DO_STEAL:
        event[HOW] = STOLE
        steal_tile(board, 0, what)
    elif code == DO_BUST:
        event[HOW] = BUSTED
        go_bust(board, rules, 0)
    else:
        play_turn(
            rules, tables, policies, board, 0, key, gamma, game, 0, what, code == DO_KEEP,
            scratch, event,
        )  # fmt: skip


@compiled
def roll_out(rules, policies, tables, seed, first, games, tally):
    """Play a game out after each root action, with the same dice.

    tables: see `RolloutTables`. This turn is number 0 of seat 0. tally: see `RolloutLayout`; a win
    counts WIN. `adjusted_lanes.roll_out_learned` is for seats that all play `learned`.
    """
    play, root, actions, layout = tables.play, tables.root, tables.actions, tables.layout
    worms = play.worms
    seats = policies.shape[0]
    k = actions.shape[0]
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    done = np.zeros(3, np.int64)
    payoff = np.zeros((OBJECTIVES, k), np.int64)
    scratch = scratch_of(play.turn)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for a in range(k):
            board[:] = root
            turns[:] = 0
            turns[0] = 1
            done[:] = 0
            finish_turn(
                rules, play, policies, board, actions[a, 0], actions[a, 1], key, gamma, game,
                scratch, event,
            )  # fmt: skip
            tally[event_of(layout, a, I_BUST)] += event[HOW] == BUSTED
            ended = play_on(
                rules, play, policies, board, 1, turns, key, gamma, game, scratch, event, done
            )
            tally[layout.unended] += not ended
            mask, shared = winners(board, worms, seats)
            payoff[WINS, a] = WIN // shared * (mask & 1)
            payoff[WORMS, a] = worms_of(board, worms, 0)
        count_payoffs(tally, payoff)


# Whole games of Pikomino that are watched: standings after each turn, chances after each lap.


@inlined
def share_wins(board, worms, seats, wins):
    """Write everybody's share of the win of a finished game."""
    mask, shared = winners(board, worms, seats)
    for seat in range(seats):
        wins[seat] = WIN // shared * (mask >> seat & 1)


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


# The chance to win by worms ahead and tiles left: boards solved, and games played.
#
# Worms ahead are the worms of the player to roll minus the most that another has. Exact values: all
# two-player boards with four tiles in play. Sampled ones: `play_standings` notes the player's lead
# and the tiles in the centre before each turn of a game, and then the winner.

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
    tiles = 0
    while mask:
        mask &= mask - 1
        tiles += 1
    return tiles


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
        mask, shared = winners(board, worms, seats)
        for at in range(played):
            payoff[0] = WIN // shared * (mask >> at % seats & 1)
            add_fork(open_cells, touched, cells[at], payoff, payoff)
        close_forks(tally, open_cells, touched)
