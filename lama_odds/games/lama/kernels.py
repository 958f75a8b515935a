"""What `simulation` runs: kernels of its one signature, filling integer tallies.

``kernel(rules, policies, tables, seed, first, count, tally)`` plays the games
with indices first to first + count − 1 and adds to the tally. rules: int64 row
of the rule set; policies: int64[seats, 3]; tables: see `named_policies.tables_of`.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama import play, turn
from lama_odds.games.lama.play import (
    ACTIONS,
    AS_POLICY,
    BLOCK,
    ENDED,
    FAMILY,
    LAST_ACTOR,
    PARAMETER,
    PENALTY,
    PLACE,
    RESULT_SIZE,
    SCORE,
    TABLE_SIZE,
    WENT_OUT,
    all_in,
    deal,
    play_round,
    sit_down,
)
from lama_odds.games.tallies import count, count_game
from lama_odds.kernels import compiled, inlined
from lama_odds.luck.stream import MAX_ROUNDS, stream_of


@inlined
def set_table(policies):
    """An empty table with the policies of the seats on it, and a result to fill."""
    table = np.zeros(TABLE_SIZE, np.int64)
    for seat in range(policies.shape[0]):
        table[FAMILY + seat] = policies[seat, 0]
        table[PARAMETER + seat] = policies[seat, 1]
        table[BLOCK + seat] = policies[seat, 2]
    return table, np.zeros(RESULT_SIZE, np.int64)


@inlined
def play_dealt(rules, tables, key, gamma, game, round_, table, seats, first, log, result):
    """Deal a round and play it."""
    start = sit_down(table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)
    all_in(table, seats)
    play_round(rules, tables, gamma, table, seats, seats - 1, first, AS_POLICY, log, result)


@compiled
def play_first_rounds(rules, policies, tables, seed, first, games, tally):
    """First rounds. Measures: penalty of each seat; actions; went out; blown (never)."""
    log = tables[5]
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for seat in range(seats):
            table[SCORE + seat] = 0
        table[PLACE + play.POT] = 0
        table[PLACE + play.POT_TOKENS] = 0
        play_dealt(rules, tables, key, gamma, game, 0, table, seats, 0, log, result)
        for seat in range(seats):
            count(tally, seat, table[PENALTY + seat])
        count(tally, seats, result[ACTIONS])
        count(tally, seats + 1, np.int64(result[ENDED] == WENT_OUT))
        count(tally, seats + 2, 0)


@compiled
def deal_round(rules, table, seats, seed, game, round_):
    """The deal of a round, as hands and a top card on the table."""
    key, gamma = stream_of(seed)
    start = sit_down(table, seats, key, gamma, game, round_)
    deal(rules, table, seats, start, gamma)


@compiled
def play_out(rules, tables, key, gamma, game, table, seats, played, starter, log, result):
    """Add the penalties of a round just ended and play rounds until the game ends.

    played: rounds played before this point. starter: of the round just ended. Returns the
    rounds of the game; 0 if it does not end within MAX_ROUNDS.
    """
    while True:
        highest = 0
        for seat in range(seats):
            table[SCORE + seat] += table[PENALTY + seat]
            highest = max(highest, table[SCORE + seat])
        if highest >= rules[turn.TARGET]:
            return played
        if played == MAX_ROUNDS:
            return 0
        starter = (starter + 1) % seats if rules[turn.ROTATE] else result[LAST_ACTOR]
        play_dealt(rules, tables, key, gamma, game, played, table, seats, starter, log, result)
        played += 1


@compiled
def play_games(rules, policies, tables, seed, first, games, tally):
    """Whole games; measures: see `tallies.count_game`."""
    log = tables[5]
    seats = policies.shape[0]
    table, result = set_table(policies)
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        for seat in range(seats):
            table[SCORE + seat] = 0
            table[PENALTY + seat] = 0
        table[PLACE + play.POT] = 0
        table[PLACE + play.POT_TOKENS] = 0
        result[LAST_ACTOR] = 0
        played = play_out(rules, tables, key, gamma, game, table, seats, 0, seats - 1, log, result)
        count_game(tally, table, SCORE, seats, played)
