"""What plays rounds and games of a game of rounds with penalties, written once for all of them.

``driver(rules, policies, tables, seed, first, games, tally)`` plays the games with indices first to
first + games − 1 and adds to the integer tally. rules: int64 row of the rule set. policies:
int64[seats, 3]. tables: what the policies read, or a named tuple with that as its `play`.

These are templates: each game has machine code of its own, made of this text (see `jit.stamped`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lama_odds.games.interface.from_scores import draw_scores, note_scores, take_scores
from lama_odds.games.interface.match_equity import CHANCE, find_chances, has_table, new_room
from lama_odds.games.interface.tally_layout import (
    EQUITY,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
    count,
    count_details,
    count_game,
    count_payoffs,
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
from lama_odds.games.shared import seating
from lama_odds.games.shared.seating import (
    BAND,
    HAND,
    MAX_SEATS,
    PENALTY,
    SCORE,
    add_penalties,
    lost_share,
    score_cell,
    worth_of_round,
)
from lama_odds.jit import compiled, inlined, of_each_game
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# The game's own modules: how a round is played, and what its rules and cards mean for a driver.
loop: Any = None  # `engine/round_loop`
steps: Any = None  # `engine/steps`

# First rounds, and whole games.


@of_each_game(compiled)
def play_first_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds. Measures: penalty of each seat; actions; went out; blown."""
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        loop.play_dealt(rules, tables, key, gamma, game, 0, table, seats, 0, result)
        for seat in range(seats):
            count(tally, seat, table[PENALTY + seat])
        count(tally, seats, result[loop.ACTIONS])
        count(tally, seats + 1, np.int64(result[loop.ENDED] == loop.WENT_OUT))
        count(tally, seats + 2, np.int64(result[loop.ENDED] == loop.BLEW))


@of_each_game(compiled)
def play_out(rules, tables, key, gamma, game, table, seats, played, starter, result):
    """Add the penalties of the last round and play rounds until the game ends.

    played: rounds played before this point. starter: of the next round. Returns the rounds of the
    game, or 0 if it does not end within MAX_ROUNDS.
    """
    while True:
        if add_penalties(table, seats) >= rules[steps.TARGET]:
            return played
        if played == MAX_ROUNDS:
            return 0
        loop.play_dealt(rules, tables, key, gamma, game, played, table, seats, starter, result)
        starter = steps.next_starter(rules, seats, starter, result)
        result[loop.ALL_ACTIONS] += result[loop.ACTIONS]
        played += 1


@of_each_game(compiled)
def play_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games.

    Measures: see `tally_layout.count_game`, then `tally_layout.count_details`.
    """
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        for seat in range(seats):
            table[PENALTY + seat] = 0
        result[loop.ALL_ACTIONS] = 0
        played = play_out(rules, tables, key, gamma, game, table, seats, 0, 0, result)
        count_game(tally, table, SCORE, seats, played)
        count_details(tally, 3 * seats + 2, result[loop.ALL_ACTIONS], table, SCORE, seats)


@of_each_game(compiled)
def play_from_scores(rules, policies, tables, seed, first, games, tally):
    """Play rounds from given scores, for match equity tables; seat 0 starts the first one.

    tables: see `from_scores.FromScoresTables`. tally: see `from_scores.note_scores`.
    """
    play = tables.play
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        take_scores(tables.starts, game, table, SCORE, seats)
        starter = 0
        played = 0
        while played < tables.most:
            loop.play_dealt(rules, play, key, gamma, game, played, table, seats, starter, result)
            starter = steps.next_starter(rules, seats, starter, result)
            played += 1
            if add_penalties(table, seats) >= rules[steps.TARGET]:
                break
        note_scores(tally, game, table, SCORE, seats, starter)


# Positions that are played out after each action, with common random numbers.

# Objectives of rollouts.
POINTS = 0
MARGIN = 1
WINS = 2
OBJECTIVES = 3


@of_each_game(compiled)
def roll_out(rules, policies, tables, seed, first, games, tally):
    """Play the round of a position out after each root action, see `steps.play_after` of the game.

    tables: see `RolloutTables`. tally: see `RolloutLayout`; results are the penalty of seat 0.
    Random numbers are common to all actions.
    """
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    root, _ = loop.set_table(policies)
    for i in range(loop.FAMILY):  # in a function of its own this makes a round slower
        root[i] = tables.root[i]
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    room = new_room()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        steps.lay_position(rules, tables, key, gamma, game, seats, root)
        for a in range(payoff.shape[1]):
            steps.play_after(
                rules, tables, key, gamma, game, a, seats, root, table, payoff, result, tally
            )
            if has_table(tables.equities):
                add_penalties(table, seats)
                starter = steps.starter_of(tables, game, seats)
                starter = steps.next_starter(rules, seats, starter, result)
                find_chances(tables.equities, table, SCORE, seats, starter, room)
                payoff[WINS, a] = room[CHANCE, 0]
        count_payoffs(tally, payoff)


@of_each_game(compiled)
def roll_out_games(rules, policies, tables, seed, first, games, tally):
    """Do what `roll_out` does, and play each game to its end; tables, tally: as there."""
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    root, _ = loop.set_table(policies)
    for i in range(loop.FAMILY):  # in a function of its own this makes a round slower
        root[i] = tables.root[i]
    payoff = np.zeros((OBJECTIVES, tables.actions.shape[0]), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        steps.lay_position(rules, tables, key, gamma, game, seats, root)
        for a in range(payoff.shape[1]):
            steps.play_after(
                rules, tables, key, gamma, game, a, seats, root, table, payoff, result, tally
            )
            starter = steps.starter_of(tables, game, seats)
            starter = steps.next_starter(rules, seats, starter, result)
            rounds = play_out(
                rules, tables.play, key, gamma, game, table, seats, 1, starter, result
            )
            lowest, shared = lowest_score(table, SCORE, seats)
            tally[tables.layout.unended] += rounds == 0
            payoff[WINS, a] = WIN // shared * (table[SCORE + 0] == lowest)
        count_payoffs(tally, payoff)


# Decisions played out both ways: the data behind thresholds.
#
# Rounds are played with the policies of the seats, first ones or from scores that are drawn, or
# whole games. A fork is a decision to quit or to continue, see `steps.play_to_fork` of the game.
# There the round (or the game) is completed twice with the same cards, dice and random numbers,
# once after quitting and once after the other action. Then the round continues as the policy
# decides.


@of_each_game(compiled)
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play rounds with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `jobs.ForkRoundTables`. Cells: those of `steps.add_forks`, then by both scores.
    """
    play, chances = tables.play, tables.chances
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    branch, branch_result = loop.set_table(policies)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    before = np.zeros(MAX_SEATS, np.int64)
    room = new_room()
    bands = -(-rules[steps.TARGET] // BAND)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        draw_scores(tables.starts, key, gamma, game, before, 0, seats)
        table[SCORE : SCORE + seats] = before[:seats]
        steps.begin_forks(rules, play, table, seats, key, gamma, game, 0, 0, result)
        lane = lane_start(key, gamma, game, 0, STUDY)
        number = 0
        while True:  # Python has the condition of a loop twice, and with it the round
            if not steps.play_to_fork(rules, play, gamma, table, seats, result):
                break
            seat = result[loop.LAST_ACTOR]
            penalty = steps.cost_of(rules, play, table[HAND + seat])
            number += 1
            if not forks_here(chances, penalty, lane, gamma, number):
                continue
            for action in range(2):
                steps.play_fork(
                    rules, play, gamma, table, seats, action, result, branch, branch_result
                )
                starter = steps.next_starter(rules, seats, 0, branch_result)
                worth_of_round(
                    tables.equities, branch, SCORE, PENALTY, seat, seats, starter, before, room,
                    payoffs[action],
                )  # fmt: skip
            steps.add_forks(open_cells, touched, table, penalty, result, payoffs)
            if tables.by_scores:
                cell = tables.by_scores
                cell += score_cell(penalty, table, SCORE, seat, seats, BAND, bands)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
        close_forks(tally, open_cells, touched)


@of_each_game(compiled)
def fork_games(rules, policies, tables, seed, first, games, tally):
    """Play games with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `jobs.ForkGameTables`. Cells: see `score_cell`; the row after them counts branches
    without an end.
    """
    play, chances = tables.play, tables.chances
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    branch, branch_result = loop.set_table(policies)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        starter = 0
        for round_ in range(MAX_ROUNDS):
            steps.begin_forks(rules, play, table, seats, key, gamma, game, round_, starter, result)
            lane = lane_start(key, gamma, game, round_, STUDY)
            number = 0
            while True:  # Python has the condition of a loop twice, and with it the round
                if not steps.play_to_fork(rules, play, gamma, table, seats, result):
                    break
                seat = result[loop.LAST_ACTOR]
                penalty = steps.cost_of(rules, play, table[HAND + seat])
                cell = score_cell(penalty, table, SCORE, seat, seats, tables.band, tables.bands)
                number += 1
                if not forks_here(chances, cell, lane, gamma, number):
                    continue
                for action in range(2):
                    steps.play_fork(
                        rules, play, gamma, table, seats, action, result, branch, branch_result
                    )
                    points = branch[PENALTY + seat] + branch[SCORE + seat] - table[SCORE + seat]
                    payoffs[action, seating.POINTS] = points
                    following = steps.next_starter(rules, seats, starter, branch_result)
                    rounds = play_out(
                        rules, play, key, gamma, game, branch, seats, round_ + 1, following,
                        branch_result,
                    )  # fmt: skip
                    payoffs[action, seating.LOST] = lost_share(branch, SCORE, seat, seats)
                    count_unended(tally, rounds == 0)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            if add_penalties(table, seats) >= rules[steps.TARGET]:
                break
            starter = steps.next_starter(rules, seats, starter, result)
        close_forks(tally, open_cells, touched)


# Whole games that are watched: standings, waiting, chances after each round.


@of_each_game(inlined)
def share_wins(table, seats, wins):
    """Write everybody's share of the win of a finished game."""
    lowest, shared = lowest_score(table, SCORE, seats)
    for seat in range(seats):
        wins[seat] = WIN // shared * (table[SCORE + seat] == lowest)


@of_each_game(inlined)
def look_ahead(
    rules, tables, key, gamma, before, branch, seats, played, starter, result, wins, total, watch
):  # fmt: skip
    """Play on from the end of a round until the chances are clear; return the games played.

    before: the table with the penalties not added yet. total: filled with the sums of the wins.
    starter: of the next round. key: of the random numbers.
    """
    looks = 0
    total[:] = 0
    while looks_on(total, looks, seats):
        loop.copy_table(before, branch)
        number = played << 10 | looks
        play_out(rules, tables, key, gamma, number, branch, seats, played, starter, result)
        share_wins(branch, seats, wins)
        for seat in range(seats):
            total[seat] += wins[seat]
        looks += 1
        note_played(watch, total, looks, seats)
    return looks


@of_each_game(compiled)
def watch_games(rules, policies, tables, seed, first, games, tally):
    """Play whole games; tables: see `WatchTables`. tally: see `watched.measures_of`."""
    play = tables.play
    log = np.zeros(tables.logged.log.size, np.int64)  # of this call: others write theirs meanwhile
    logged = steps.with_log(play, log)
    seats = policies.shape[0]
    table, result = loop.set_table(policies)
    branch, branch_result = loop.set_table(policies)
    before, _ = loop.set_table(policies)
    wins = np.zeros(seats, np.int64)
    total = np.zeros(seats, np.int64)
    watch = new_watch()
    room = new_room()
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        loop.begin_game(table, seats)
        begin_watch(watch)
        looked = looks_at(tables, game)
        others = mix(lane_start(key, gamma, game, 0, STUDY))
        result[loop.ALL_ACTIONS] = 0
        starter = 0
        played = 0
        while True:
            log[0] = 0
            loop.play_dealt(rules, logged, key, gamma, game, played, table, seats, starter, result)
            watch_log(watch, log, seats, steps.LOGGED_ACTION, steps.LOGGED_QUIT)
            result[loop.ALL_ACTIONS] += result[loop.ACTIONS]
            played += 1
            loop.copy_table(table, before)
            ended = add_penalties(table, seats) >= rules[steps.TARGET]
            note_standing(watch, table, SCORE, seats, 1)
            if ended or played == MAX_ROUNDS:
                break
            starter = steps.next_starter(rules, seats, starter, result)
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
        count_watched(tally, watch, wins, result[loop.ALL_ACTIONS], tables, seats, looked, True)
