"""Decisions to draw or to quit, played out both ways: the data behind thresholds.

Rounds are played with the policies of the seats, first ones or from scores that are drawn. A fork
is a decision with nothing to play and a card to draw. There the round is completed twice with the
same cards and random numbers, once after quitting and once after drawing. Then the round continues
as the policy decides.
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.interface.from_scores import draw_scores
from lama_odds.games.interface.score_chances import new_room
from lama_odds.games.interface.tally_layout import (
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    add_fork,
    close_forks,
    forks_here,
)
from lama_odds.games.lama.engine import round_loop
from lama_odds.games.lama.engine.kernels import next_starter
from lama_odds.games.lama.engine.policy_kernels import fewest_cards
from lama_odds.games.lama.engine.round_loop import (
    AS_POLICY,
    LAST_ACTOR,
    MOVE,
    OTHERS_IN,
    play_round,
)
from lama_odds.games.lama.engine.starts import begin_game, begin_round, play_from, set_table
from lama_odds.games.lama.engine.table_rows import HAND, MAX_SEATS, NEXT, PENALTY, SCORE, TABLE_SIZE
from lama_odds.games.lama.rules.transition import DRAW, QUIT, TARGET, count_cards, penalty_of
from lama_odds.games.shared.score_bands import BAND, score_cell, worth_of_round
from lama_odds.jit import compiled
from lama_odds.luck.stream import STUDY, lane_start, stream_of

MOST_CARDS = 10  # own cards: this many or more
MOST_FEWEST = 6  # cards of the other with the fewest: this many or more
BY_OTHERS = 1 + MOST_CARDS + MOST_FEWEST + MOST_CARDS * MOST_FEWEST
EACH = BY_OTHERS + MAX_SEATS - 1  # cells of a penalty


@compiled
def fork_rounds(rules, policies, tables, seed, first, games, tally):
    """Play rounds with forks at such decisions; tally: see `tally_layout.add_fork`.

    tables: see `ForkRoundTables`.

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
