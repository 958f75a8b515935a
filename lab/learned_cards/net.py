"""Decisions of played games of cards, each played out, and what learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lab.nets import ERRORS, GAIN, SPREAD, add_rows, go_down, go_up
from lama_odds.games.interface.match_equity import CHANCE, Equities, find_chances, new_room
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.lama.engine.policy_kernels import (
    BLOCK,
    FAMILY,
    HAND,
    LEARNED,
    PARAMETER,
    PILE,
    PLACE,
    PLAYED,
    SCORE,
    SCRATCH,
    TOP,
)
from lama_odds.games.lama.engine.round_loop import (
    ACTIONS,
    AS_POLICY,
    LAST_ACTOR,
    OTHERS_IN,
    begin_game,
    begin_round,
    play_dealt,
    play_from,
    play_round,
    set_table,
)
from lama_odds.games.lama.engine.steps import next_starter
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.engine.trained import (
    FIRST,
    MOST_ROWS,
    MOVES,
    SECOND,
    chosen,
    possible_moves,
    write_rows,
)
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.shared.seating import add_penalties
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, STUDY, below, lane_start, mix, stream_of

# Decisions of played games of cards, each played out after every move that is possible.
#
# One of EVERY decisions is chosen by chance. The rest of the round is played after each move with
# the hands that the players really hold, and with the same draws: so what differs comes from the
# move. What a move is worth is the chance to win the game after the round, by a match equity table.

EVERY = 12  # one of this many decisions
UNIT = 10.0  # worths are tenths of a chance to win: sizes that are learned well


class Decisions(NamedTuple):
    """Decisions and what their moves are worth.

    rows: int16[n, most], see `learned_rows`; numbers: int16[n], how many of them count. worths:
    float32[n, MOVES]. possible: int8[n], a bit for each move.
    """

    rows: np.ndarray
    numbers: np.ndarray
    worths: np.ndarray
    possible: np.ndarray


@inlined
def sit(table, policies):
    """Put the policies of the seats on a table."""
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]


@inlined
def write_worths(rules, tables, equities, gamma, table, branch, seats, starter, result, room, into):
    """Play a paused round out after each possible move; write what it is worth to its player.

    table: the round before the decision. result: of the pause. Returns the moves, a bit each.
    """
    seat, others = result[LAST_ACTOR], result[OTHERS_IN]
    top = table[PLACE + TOP]
    cards = table[HAND + seat] & tables.playable[top]
    can_draw = table[PLACE + PILE] > 0
    possible = possible_moves(cards, top, can_draw)
    if possible & (possible - 1) == 0:
        return 0
    for move in range(MOVES):
        if possible >> move & 1:
            begin = chosen(move, cards, top, can_draw)
            play_from(rules, tables, gamma, table, branch, seats, others, seat, begin, result)
            add_penalties(branch, seats)
            following = next_starter(rules, seats, starter, result)
            find_chances(equities, branch, SCORE, seats, following, room)
            into[move] = np.float32(room[CHANCE, seat] / EQUITY * UNIT)
    return possible


@inlined
def teaches(table, seat, decides):
    """Return whether decisions of a seat count; of `learned`, only those of the first network."""
    family = table[FAMILY + seat]
    return family == decides and (family != LEARNED or table[PARAMETER + seat] == 0)


@compiled
def collect(rules, lineups, tables, equities, seed, decides, into):
    """Play games and fill `into` with decisions (see `Decisions`); return the number of games.

    lineups: int64[lineups, seats, 3], rows of policies; each plays a game in turn. decides: the
    family whose decisions count.
    """
    seats = lineups.shape[1]
    size = into.possible.size
    table, result = set_table(lineups[0])
    before, _ = set_table(lineups[0])
    paused, pause = set_table(lineups[0])
    branch, _ = set_table(lineups[0])
    room = new_room()
    key, gamma = stream_of(seed)
    filled = 0
    game = 0
    while True:
        sit(table, lineups[game % lineups.shape[0]])
        begin_game(table, seats)
        starter = 0
        for round_ in range(MAX_ROUNDS):
            for i in range(SCRATCH):
                before[i] = table[i]
            play_dealt(rules, tables, key, gamma, game, round_, table, seats, starter, result)
            word = lane_start(key, gamma, game, round_, STUDY)
            count = (result[ACTIONS] + below(mix(word), EVERY)) // EVERY
            word += gamma
            for _ in range(count):
                action = 1 + below(mix(word), result[ACTIONS])
                word += gamma
                for i in range(SCRATCH):
                    paused[i] = before[i]
                begin_round(rules, paused, seats, key, gamma, game, round_)
                play_round(
                    rules, tables, gamma, paused, seats, seats - 1, starter, AS_POLICY, -action,
                    pause,
                )  # fmt: skip
                seat, others = pause[LAST_ACTOR], pause[OTHERS_IN]
                if others == 0 or not teaches(paused, seat, decides):
                    continue
                number = write_rows(
                    rules, tables.penalties, paused, seats, seat, paused[HAND + seat],
                    paused[PLACE + TOP], others, paused[PLACE + PLAYED], paused,
                )  # fmt: skip
                for i in range(number):
                    into.rows[filled, i] = paused[SCRATCH + i]
                into.numbers[filled] = number
                into.possible[filled] = write_worths(
                    rules, tables, equities, gamma, paused, branch, seats, starter, pause, room,
                    into.worths[filled],
                )  # fmt: skip
                filled += into.possible[filled] != 0
                if filled == size:
                    return game + 1
            if add_penalties(table, seats) >= rules[transition.TARGET]:
                break
            starter = next_starter(rules, seats, starter, result)
        game += 1


def decisions(
    rules: LamaRules,
    lineups: Sequence[np.ndarray],
    tables: PlayTables,
    equities: Equities,
    seed: int,
    decides: int,
    size: int,
) -> Decisions:
    """Return this many decisions; see `collect`."""
    collected = Decisions(
        np.zeros((size, MOST_ROWS), np.int16),
        np.zeros(size, np.int16),
        np.zeros((size, MOVES), np.float32),
        np.zeros(size, np.int8),
    )
    collect(rules.columns, np.array(lineups), tables, equities, seed, decides, collected)
    return collected


# Teach the network of `learned`, which plays cards: what a move is worth beside the others.
#
# Only differences count: of each decision the mean of the possible moves is taken away, from what
# was seen and from what the network says. What is gained is beside any of them.

SIZES = (FIRST, SECOND, MOVES)


@inlined
def pull(results, worths, possible, pulls, stats):
    """Write by how much each result is too high; add up `stats`."""
    moves = np.float32(0)
    mean = np.float32(0)
    mean_worth = np.float32(0)
    for move in range(MOVES):
        if possible >> move & 1:
            moves += 1
            mean += results[move]
            mean_worth += worths[move]
    mean /= moves
    mean_worth /= moves
    best = -1
    for move in range(MOVES):
        pulls[move] = 0
        if possible >> move & 1:
            differs = worths[move] - mean_worth
            pulls[move] = results[move] - mean - differs
            stats[ERRORS] += pulls[move] * pulls[move]
            stats[SPREAD] += differs * differs
            if best < 0 or results[move] > results[best]:
                best = move
    stats[GAIN] += worths[best] - mean_worth


@compiled
def teach(net, slopes, seen, chosen, learns, stats):
    """Add up what decisions teach, and how well they are foretold.

    net, slopes: `Learned`. seen: `Decisions`. chosen: int64, the numbers of the decisions. learns:
    whether slopes are wanted.
    """
    first, second = np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32)
    results, pulls = np.zeros(MOVES, np.float32), np.zeros(MOVES, np.float32)
    back = np.zeros(FIRST, np.float32)
    for n in chosen:
        rows, number = seen.rows[n], seen.numbers[n]
        add_rows(net, FIRST, rows, number, first)
        go_up(net, SIZES, first, second, results)
        pull(results, seen.worths[n], seen.possible[n], pulls, stats)
        if learns:
            go_down(net, slopes, SIZES, first, second, pulls, back)
            for i in range(number):
                at = rows[i]
                for x in range(FIRST):
                    slopes.rows[at, x] += back[x]
