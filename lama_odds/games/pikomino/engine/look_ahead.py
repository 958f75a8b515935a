"""What a turn leads to, one turn ahead of `learned`: the next player's turn is solved too.

The next player plays as `learned` does. With three and more players the chances behind this turn
are shares of everybody's, so chances add up to 1 (see `learned.shared_value`).
"""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import (
    put_back,
    set_learned_payoffs,
    share_of_win,
    shared_value,
)
from lama_odds.games.pikomino.engine.turn_solver import solve_turn, turn_results
from lama_odds.games.pikomino.rules.board import (
    CENTRE,
    NO_TILE,
    centre_tile,
    go_bust,
    owner_of,
    pop,
    steal_tile,
    take_tile,
)
from lama_odds.jit import compiled, inlined


@compiled
def chance_ahead(rules, play, board, seats, seat, mover, scratch, mass, results):
    """Return the chance of a seat to win once the turn of another, the next, has been played."""
    if board[CENTRE] == 0:
        return share_of_win(board, play.worms, seats, seat)
    turn, worms, learned = play.turn, play.worms, play.learned
    size = scratch.stop.size
    start = turn.mask.size - 1
    bust = set_learned_payoffs(board, rules, worms, seats, mover, learned, scratch)
    scratch.needed[:] = True
    solve_turn(turn, scratch.stop, bust, scratch.worth, scratch.rolling, True, scratch.needed)
    if seats == 2:
        return 1.0 - scratch.worth[start]
    turn_results(turn, scratch.stop, scratch.worth, scratch.rolling, start, mass, results)
    after = mover + 1 if mover + 1 < seats else 0
    chance = 0.0
    for total in range(size + 1):
        if results[total] == 0.0:
            continue
        centre = board[CENTRE]
        tile = NO_TILE
        owner = -1
        if total == size:
            tile, _ = go_bust(board, rules, mover)
        elif scratch.steals[total]:
            owner = owner_of(board, rules, total, mover)
            steal_tile(board, mover, owner)
        else:
            take_tile(board, mover, centre_tile(board, rules, total))
        chance += results[total] * shared_value(
            rules, worms, learned, board, seats, seat, after, scratch.on, scratch.sums
        )
        if total == size:
            put_back(board, mover, centre, tile)
        elif owner >= 0:
            steal_tile(board, owner, mover)
        else:
            pop(board, mover)
            board[CENTRE] = centre
    return chance


@inlined
def set_payoffs_ahead(
    rules, play, board, seats, seat, stop, steals, takes, robs, scratch, mass, results
):  # fmt: skip
    """Set the payoffs of a turn, see `policy_kernels.set_payoffs`; return that of a bust.

    takes, robs: float64[totals], to fill: what taking a tile of the centre and stealing one is
    worth, where that is possible. scratch, mass, results: for the turns of the next player.
    """
    mover = seat + 1 if seat + 1 < seats else 0
    last = NO_TILE
    value = 0.0
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        tile = centre_tile(board, rules, total)
        centre = board[CENTRE]
        if tile != NO_TILE:
            if tile != last:
                take_tile(board, seat, tile)
                value = chance_ahead(
                    rules, play, board, seats, seat, mover, scratch, mass, results
                )  # fmt: skip
                pop(board, seat)
                board[CENTRE] = centre
                last = tile
            stop[total] = value
            takes[total] = value
        owner = owner_of(board, rules, total, seat)
        if owner >= 0:
            steal_tile(board, seat, owner)
            robs[total] = chance_ahead(
                rules, play, board, seats, seat, mover, scratch, mass, results
            )  # fmt: skip
            steal_tile(board, owner, seat)
            if robs[total] > stop[total]:
                stop[total] = robs[total]
                steals[total] = True
    centre = board[CENTRE]
    back, _ = go_bust(board, rules, seat)
    bust = chance_ahead(rules, play, board, seats, seat, mover, scratch, mass, results)
    put_back(board, seat, centre, back)
    return bust


@compiled
def payoffs_ahead(rules, play, board, seats, seat, stop, steals, takes, robs):
    """Call `set_payoffs_ahead` from Python."""
    scratch = scratch_of(play.turn)
    mass = np.zeros(play.turn.mask.size)
    results = np.zeros(stop.size + 1)
    return set_payoffs_ahead(
        rules, play, board, seats, seat, stop, steals, takes, robs, scratch, mass, results
    )  # fmt: skip
