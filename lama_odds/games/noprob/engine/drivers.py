"""Rounds of No Prob-Lama played both ways at decisions, and games watched by moves."""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
    forks_here,
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
from lama_odds.games.noprob.engine.grids import (
    DRAW,
    PUT_AWAY,
    change_of,
    expected_total,
    last_hidden,
    mean_of,
    seen_grid,
    without_known,
)
from lama_odds.games.noprob.engine.planner import horizon
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY, write_costs
from lama_odds.games.noprob.engine.round_loop import (
    AT_THE_LAST,
    NOWHERE,
    begin_game,
    close_round,
    deal,
    finish_round,
    play_dealt,
    play_on,
    play_out,
    settle,
    share_of,
    use_card,
)
from lama_odds.games.noprob.rules.transition import (
    ABANDONED,
    CELLS,
    ENDED,
    FOUR_ROUNDS,
    HELD,
    HELD_BY,
    HELD_SOURCE,
    LLAMAS,
    PAUSED,
    PENALTY,
    PLAYED,
    SCORE,
    TABLE_SIZE,
    TURNS,
    UP,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, lane_start, mix, stream_of

# Decisions whether to end the round, played out both ways.
#
# A seat has a number or a joker in hand and one own card face down. No other place is better,
# except that turning this card up would end the round. Once it does so. Once it puts the card to
# its best other use (or discards it, if it was drawn). Then all continue by their policies, with
# common random numbers. Cells: how far its expected total, with the card in the last cell, is
# behind the lowest of the others, and the fewest cards that another has face down.

STEP = 5  # points: the width of a step of the lead
MIDDLE = 16  # steps ahead or behind that are separate
LEADS = 2 * MIDDLE + 1
MOST_DOWN = 4  # cards face down of another: this many or more
EACH = 1 + MOST_DOWN
NOBODY = -2
MOST_ROUNDS = 1_200_000  # times seats: a quarter of a minute


@inlined
def lead_of(tables, policies, table, seat, seats, kind, closing):
    """Return the cell of the lead: steps behind the lowest other expected total, 0 to LEADS − 1."""
    points, spread, worth = tables.points, tables.spread, tables.worth
    mean = mean_of(points, without_known(table, seat))
    lowest = np.inf
    for other in range(seats):
        if other != seat:
            total = expected_total(points, spread, worth, table, other, seat, mean)
            lowest = min(lowest, total)
    mine = expected_total(points, spread, worth, table, seat, seat, mean)
    grid = seen_grid(spread, table, seat, seat)
    mine += change_of(points, worth, 0, grid, closing, kind, mean)
    behind = np.int64(np.floor((mine - lowest) / STEP + 0.5))
    return min(max(behind + MIDDLE, 0), LEADS - 1)


@inlined
def best_elsewhere(tables, policies, table, seat, seats, kind, source, closing, costs):
    """Return the best place for a card except the last hidden cell, and whether that cell is
    better by the points expected now.

    The policy's costs choose the place. The last cell is judged by the points expected now. For
    the costs of a policy may hold what ending the round is worth, and that is the question here.
    costs: float64[CELLS + 1], overwritten.
    """
    points, spread, worth = tables.points, tables.spread, tables.worth
    write_costs(tables, policies, table, seat, seats, kind, costs)
    which = horizon(policies, table, seat)
    mean = mean_of(points, without_known(table, seat))
    grid = seen_grid(spread, table, seat, seat)
    least = best = np.inf
    chosen = PUT_AWAY
    if source == DRAW:
        least, best = costs[PUT_AWAY], 0.0
    for cell in range(CELLS):
        if cell == closing:
            continue
        best = min(best, change_of(points, worth, which, grid, cell, kind, mean))
        if costs[cell] < least:
            least = costs[cell]
            chosen = cell
    return chosen, change_of(points, worth, which, grid, closing, kind, mean) <= best


@inlined
def fewest_down(table, seat, seats):
    """Return the fewest cards that another seat has face down, at most MOST_DOWN."""
    fewest = MOST_DOWN
    for other in range(seats):
        if other != seat:
            down = 0
            for cell in range(CELLS):
                down += 1 ^ (table[UP + other] >> cell & 1)
            fewest = min(fewest, down)
    return fewest


@inlined
def finish_turn(rules, tables, policies, table, seat, seats, place, key, gamma, game, pause):
    """Use the card in hand as given, then continue. place: NOBODY: a special is out of the game."""
    table[ENDED] = 0
    kind, source = table[HELD], table[HELD_SOURCE]
    if place != NOBODY:
        use_card(rules, tables, policies, table, seat, seats, kind, source, place, np.uint64(0))
    finish_round(rules, tables, policies, table, seat, seats, key, gamma, game, pause)


@compiled
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play first rounds with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `ForkTables`. No seat plays RANDOM.
    """
    play, chances = tables.play, tables.chances
    scoring = play.scoring
    seats = policies.shape[0]
    table = np.zeros(TABLE_SIZE, np.int64)
    branch = np.zeros(TABLE_SIZE, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoffs = np.zeros((2, FORK_OBJECTIVES), np.int64)
    costs = np.zeros(CELLS + 1)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        deal(rules, table, seats, key, gamma, game, 0)
        play_on(rules, play, policies, table, 0, seats, key, gamma, game, 0, AT_THE_LAST)
        lane = lane_start(key, gamma, game, 0, STUDY)
        number = 0
        while table[ENDED] == PAUSED:
            seat, kind, source = table[HELD_BY], table[HELD], table[HELD_SOURCE]
            closing = last_hidden(table[UP + seat])
            lead = lead_of(play, policies, table, seat, seats, kind, closing)
            number += 1
            elsewhere, fits = best_elsewhere(
                play, policies, table, seat, seats, kind, source, closing, costs
            )
            if fits and forks_here(chances, lead, lane, gamma, number):
                for action in range(2):
                    for i in range(TABLE_SIZE):  # less to compile than copying a slice
                        branch[i] = table[i]
                    place = elsewhere if action else closing
                    finish_turn(
                        rules, play, policies, branch, seat, seats, place, key, gamma, game,
                        NOWHERE,
                    )  # fmt: skip
                    settle(scoring, branch, seats)
                    mine = branch[PENALTY + seat]
                    lower = False
                    for other in range(seats):
                        lower = lower or branch[PENALTY + other] < mine
                    payoffs[action, 0] = mine
                    payoffs[action, 1] = lower
                cell = EACH * lead
                down = fewest_down(table, seat, seats)
                add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
                add_fork(open_cells, touched, cell + down, payoffs[0], payoffs[1])
            finish_turn(
                rules, play, policies, table, seat, seats, AS_POLICY, key, gamma, game, AT_THE_LAST
            )
        close_forks(tally, open_cells, touched)


def cell_keys() -> list[dict[str, int | None]]:
    """Return the meaning of each cell: lead, fewest hidden cards of another (None: any)."""
    downs: list[int | None] = [None, *range(1, MOST_DOWN + 1)]
    return [{"penalty": lead, "down": down} for lead in range(LEADS) for down in downs]


# Whole games of No Prob-Lama that are watched: standings, and chances to win after each round.


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
