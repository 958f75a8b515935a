"""Rounds and games of cards played both ways at decisions, or watched move by move."""

from __future__ import annotations

import numpy as np

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
from lama_odds.games.lama.engine import round_loop
from lama_odds.games.lama.engine.kernels import add_penalties, next_starter, play_out
from lama_odds.games.lama.engine.policy_kernels import (
    HAND,
    MAX_SEATS,
    NEXT,
    PENALTY,
    SCORE,
    SCRATCH,
    TABLE_SIZE,
    fewest_cards,
)
from lama_odds.games.lama.engine.round_loop import (
    ACTIONS,
    ALL_ACTIONS,
    AS_POLICY,
    LAST_ACTOR,
    MOVE,
    OTHERS_IN,
    begin_game,
    begin_round,
    play_dealt,
    play_from,
    play_round,
    set_table,
)
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import DRAW, QUIT, TARGET, count_cards, penalty_of
from lama_odds.games.shared.seating import (
    BAND,
    LOST,
    POINTS,
    lost_share,
    score_cell,
    worth_of_round,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# Decisions to draw or to quit, played out both ways: the data behind thresholds.
#
# Rounds are played with the policies of the seats, first ones or from scores that are drawn. A fork
# is a decision with nothing to play and a card to draw. There the round is completed twice with the
# same cards and random numbers, once after quitting and once after drawing. Then the round
# continues as the policy decides.

MOST_CARDS = 10  # own cards: this many or more
MOST_FEWEST = 6  # cards of the other with the fewest: this many or more
BY_OTHERS = 1 + MOST_CARDS + MOST_FEWEST + MOST_CARDS * MOST_FEWEST
EACH = BY_OTHERS + MAX_SEATS - 1  # cells of a penalty


@compiled
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play rounds with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `forks.ForkRoundTables`.

    Cells of a penalty: all together; by own cards; by fewest cards of another player still in; by
    both; by the number of others still in. After those of all penalties, cells by both scores.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch = np.zeros(TABLE_SIZE, np.int64)
    branch_result = np.zeros(result.size, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    play, chances = tables.play, tables.chances
    penalties = play.penalties
    before = np.zeros(MAX_SEATS, np.int64)
    room = new_room()
    bands = -(-rules[TARGET] // BAND)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        draw_scores(tables.starts, key, gamma, game, before, 0, seats)
        table[SCORE : SCORE + seats] = before[:seats]
        begin_round(rules, table, seats, key, gamma, game, 0)
        seat = 0
        others = seats - 1
        begin = AS_POLICY
        lane = lane_start(key, gamma, game, 0, STUDY)
        number = 0
        while True:
            play_round(rules, play, gamma, table, seats, others, seat, begin, True, result)
            if result[round_loop.ENDED] != round_loop.PAUSED:
                break
            seat = result[LAST_ACTOR]
            others = result[OTHERS_IN]
            begin = result[MOVE]
            hand = table[HAND + seat]
            penalty = penalty_of(rules, penalties, hand)
            number += 1
            if not forks_here(chances, penalty, lane, gamma, number):
                continue
            for action in range(2):
                move = DRAW if action else QUIT
                play_from(
                    rules, play, gamma, table, branch, seats, others, seat, move, branch_result
                )
                starter = next_starter(rules, seats, 0, branch_result)
                worth_of_round(
                    tables.equities, branch, SCORE, PENALTY, seat, seats, starter, before, room,
                    payoffs[action],
                )  # fmt: skip
            own = min(count_cards(hand), MOST_CARDS) - 1
            fewest = min(fewest_cards(table, HAND, NEXT, seat), MOST_FEWEST) - 1
            cell = EACH * penalty
            both = cell + 1 + MOST_CARDS + MOST_FEWEST + own * MOST_FEWEST + fewest
            add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            add_fork(open_cells, touched, cell + 1 + own, payoffs[0], payoffs[1])
            add_fork(open_cells, touched, cell + 1 + MOST_CARDS + fewest, payoffs[0], payoffs[1])
            add_fork(open_cells, touched, both, payoffs[0], payoffs[1])
            # Nobody draws alone, so there is at least one other.
            left = cell + BY_OTHERS + others - 1
            add_fork(open_cells, touched, left, payoffs[0], payoffs[1])
            if tables.by_scores:
                cell = tables.by_scores
                cell += score_cell(penalty, table, SCORE, seat, seats, BAND, bands)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
        close_forks(tally, open_cells, touched)


def cells_of(most_points: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell but those by scores: penalty, own cards, fewest cards, others
    still in (None: any).
    """
    keys: list[dict[str, int | None]] = []
    owns: list[int | None] = [None, *range(1, MOST_CARDS + 1)]
    for penalty in range(most_points + 1):
        pairs: list[tuple[int | None, int | None]] = [(own, None) for own in owns]
        pairs += [(None, fewest) for fewest in range(1, MOST_FEWEST + 1)]
        pairs += [(own, f) for own in owns[1:] for f in range(1, MOST_FEWEST + 1)]
        cells: list[tuple[int | None, ...]] = [(*pair, None) for pair in pairs]
        cells += [(None, None, others) for others in range(1, MAX_SEATS)]
        names = ("cards", "fewest", "others")
        keys += [{"penalty": penalty, **dict(zip(names, cell, strict=True))} for cell in cells]
    return keys


# Decisions to draw or to quit, played out both ways to the end of the game.
#
# Whole games are played with the policies of the seats, with forks like those of
# rounds. From there the round and the rest of the game are played twice, with the same
# cards and random numbers.


@compiled
def fork_games(rules, policies, tables, seed, first, games, tally):
    """Play games with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `forks.ForkGameTables`. Cells: see `score_cell`; the row after them counts branches
    without an end.
    """
    play, chances = tables.play, tables.chances
    penalties = play.penalties
    seats = policies.shape[0]
    table, result = set_table(policies)
    branch = np.zeros(TABLE_SIZE, np.int64)
    branch_result = np.zeros(result.size, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(table, seats)
        starter = 0
        for round_ in range(MAX_ROUNDS):
            begin_round(rules, table, seats, key, gamma, game, round_)
            seat = starter
            others = seats - 1
            begin = AS_POLICY
            lane = lane_start(key, gamma, game, round_, STUDY)
            number = 0
            while True:
                play_round(rules, play, gamma, table, seats, others, seat, begin, True, result)
                if result[round_loop.ENDED] != round_loop.PAUSED:
                    break
                seat = result[LAST_ACTOR]
                others = result[OTHERS_IN]
                begin = result[MOVE]
                penalty = penalty_of(rules, penalties, table[HAND + seat])
                cell = score_cell(penalty, table, SCORE, seat, seats, tables.band, tables.bands)
                number += 1
                if not forks_here(chances, cell, lane, gamma, number):
                    continue
                for action in range(2):
                    move = DRAW if action else QUIT
                    play_from(
                        rules, play, gamma, table, branch, seats, others, seat, move, branch_result
                    )
                    points = branch[PENALTY + seat] + branch[SCORE + seat] - table[SCORE + seat]
                    payoffs[action, POINTS] = points
                    rounds = play_out(
                        rules, play, key, gamma, game, branch, seats, round_ + 1, starter,
                        branch_result,
                    )  # fmt: skip
                    payoffs[action, LOST] = lost_share(branch, SCORE, seat, seats)
                    count_unended(tally, rounds == 0)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = next_starter(rules, seats, starter, result)
        close_forks(tally, open_cells, touched)


# Whole games of cards that are watched: standings, waiting, chances after each round.

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
