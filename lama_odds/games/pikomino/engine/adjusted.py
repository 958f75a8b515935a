"""Turns of `learned` with their luck: what the end of a turn is worth, minus what was expected.

A result minus the luck of all turns is right on average, and varies far less than the result.
"""

from __future__ import annotations

from lama_odds.games.pikomino.engine.learned import board_value, set_learned_payoffs
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.engine.round_loop import (
    BUSTED,
    HOW,
    STOLE,
    STOPPED,
    choose_face,
    roll_dice,
)
from lama_odds.games.pikomino.engine.turn_solver import NOTHING, solve_turn
from lama_odds.games.pikomino.rules.board import (
    centre_tile,
    go_bust,
    owner_of,
    steal_tile,
    take_tile,
)
from lama_odds.games.pikomino.rules.turn_tables import WORM_KEPT
from lama_odds.jit import compiled, for_all, inlined
from lama_odds.luck.stream import mix

LEAST_REST = 1e-6


@inlined
def set_values(rules, play, board, seats, mover, scratch, values):
    """Fill in the chance of each seat to win a board: values[seat]."""
    for who in range(seats):
        values[who] = board_value(
            rules, play.worms, play.learned, board, seats, who, mover, scratch.on, scratch.sums
        )


@inlined
def luck_share(values, seats, mover, who):
    """Return how much of a turn's luck a seat has: 1 if it plays the turn.

    The others lose it, each by its share of what they have together. values: of the board before.
    """
    if who == mover:
        return 1.0
    rest = LEAST_REST
    for other in range(seats):
        if other != mover:
            rest += values[other]
    return -(values[who] + LEAST_REST / (seats - 1)) / rest


@inlined
def play_solved(rules, play, board, seat, state, decides, dice, gamma, scratch, event):
    """Play a turn that is solved from one of its states; return the total, or −1 for a bust.

    decides: whether the seat still has to decide in that state to stop or to roll; otherwise it
    rolls. dice: where the seat's dice begin. event: how the turn ended, see `round_loop`.
    """
    tables = play.turn
    kept = tables.mask[state]
    total = tables.total[state]
    left = tables.left[state]
    while True:
        face = 0
        if not decides:
            counts = roll_dice(play.rolls, mix(dice), left)
            dice += gamma
            face = choose_face(tables, LEARNED, scratch.worth, kept, total, left, counts, dice)
            if face >= 0:
                n = counts >> 4 * face & 15
                kept |= 1 << face
                total += n * tables.values[face]
                left -= n
        decides = False
        value = scratch.stop[total] if face >= 0 and kept & WORM_KEPT else NOTHING
        if value > NOTHING and value >= scratch.rolling[tables.number[kept, total, left]]:
            event[HOW] = STOPPED
            if scratch.steals[total]:
                event[HOW] = STOLE
                steal_tile(board, seat, owner_of(board, rules, total, seat))
            else:
                take_tile(board, seat, centre_tile(board, rules, total))
            return total
        if face < 0 or left == 0:
            event[HOW] = BUSTED
            go_bust(board, rules, seat)
            return -1


@compiled
@for_all
def adjusted_turn(
    rules, play, board, seats, seat, state, decides, dice, gamma, scratch, event
):  # fmt: skip
    """Play a turn of `learned` from one of its states, and return its luck; see `play_solved`."""
    tables = play.turn
    start = tables.mask.size - 1
    bust = set_learned_payoffs(board, rules, play.worms, seats, seat, play.learned, scratch)
    scratch.needed[:] = True
    solve_turn(
        tables, scratch.stop, bust, scratch.worth, scratch.rolling, state == start, scratch.needed
    )
    expected = scratch.worth[state] if decides else scratch.rolling[state]
    total = play_solved(rules, play, board, seat, state, decides, dice, gamma, scratch, event)
    return (bust if total < 0 else scratch.stop[total]) - expected
