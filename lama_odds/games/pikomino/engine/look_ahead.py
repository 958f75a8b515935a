"""What a turn leads to, one turn ahead of `learned`: the next player's turn is solved too."""

from __future__ import annotations

import numpy as np

from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import (
    board_value,
    put_back,
    set_learned_payoffs,
    share_of_win,
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


@inlined
def chance_ahead(rules, play, board, seats, mover, scratch, mass, results):
    """Return the chance of seat 0 to win once the turn of another has been played."""
    if board[CENTRE] == 0:
        return share_of_win(board, play.worms, seats, 0)
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
        chance += results[total] * board_value(
            rules, worms, learned, board, seats, 0, after, scratch.on, scratch.sums
        )
        if total == size:
            put_back(board, mover, centre, tile)
        elif owner >= 0:
            steal_tile(board, owner, mover)
        else:
            pop(board, mover)
            board[CENTRE] = centre
    return chance


@compiled
def payoffs_ahead(rules, play, board, seats, stop, steals, takes, robs):
    """Set the payoffs of a turn of seat 0, see `policy_kernels.set_payoffs`; return that of a bust.

    takes, robs: float64[totals], to fill: what taking a tile of the centre and stealing one is
    worth, where that is possible.
    """
    scratch = scratch_of(play.turn)
    mass = np.zeros(play.turn.mask.size)
    results = np.zeros(stop.size + 1)
    last = NO_TILE
    value = 0.0
    for total in range(stop.size):
        stop[total] = -np.inf
        steals[total] = False
        tile = centre_tile(board, rules, total)
        centre = board[CENTRE]
        if tile != NO_TILE:
            if tile != last:
                take_tile(board, 0, tile)
                value = chance_ahead(rules, play, board, seats, 1, scratch, mass, results)
                pop(board, 0)
                board[CENTRE] = centre
                last = tile
            stop[total] = value
            takes[total] = value
        owner = owner_of(board, rules, total, 0)
        if owner >= 0:
            steal_tile(board, 0, owner)
            robs[total] = chance_ahead(rules, play, board, seats, 1, scratch, mass, results)
            steal_tile(board, owner, 0)
            if robs[total] > stop[total]:
                stop[total] = robs[total]
                steals[total] = True
    centre = board[CENTRE]
    back, _ = go_bust(board, rules, 0)
    bust = chance_ahead(rules, play, board, seats, 1, scratch, mass, results)
    put_back(board, 0, centre, back)
    return bust
