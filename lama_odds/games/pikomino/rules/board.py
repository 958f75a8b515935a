"""Tiles on the table, as compiled functions: what stopping brings, what a bust costs.

A board is one array, int64[BOARD_SIZE]. It has the tiles in the centre as a mask (bit k for the
k-th lowest tile), the number of tiles of each seat, and the stacks themselves, lowest first.

Source: rule book of pikomino/egmont ("Zdobycie płytki", "Podbieranie płytek", "Spalony rzut").
"""

from __future__ import annotations

from lama_odds.jit import inlined, leading_zeros

MAX_SEATS = 7
MAX_TILES = 24

# Places of a board.
CENTRE = 0
HEIGHT = 1  # of each seat's stack
STACK = HEIGHT + MAX_SEATS  # MAX_TILES entries for each seat, top last
OWNER = STACK + MAX_SEATS * MAX_TILES  # of each tile on top of a stack: seat + 1, else 0
BOARD_SIZE = OWNER + MAX_TILES

# Columns of the rules row.
DICE = 0
LOW = 1
TILES = 2
FLIP_WITHOUT_TILE = 3
SHORT = 4
WORM_VALUE = 5
NO_STEAL = 6
RULES_COLUMNS = 7

NO_TILE = -1


@inlined
def top_of(board, seat):
    """Return the tile on top of a stack, or NO_TILE."""
    height = board[HEIGHT + seat]
    return board[STACK + seat * MAX_TILES + height - 1] if height else NO_TILE


@inlined
def push(board, seat, tile):
    """Put a tile on top of a stack."""
    below = top_of(board, seat)
    if below != NO_TILE:
        board[OWNER + below] = 0
    board[STACK + seat * MAX_TILES + board[HEIGHT + seat]] = tile
    board[HEIGHT + seat] += 1
    board[OWNER + tile] = seat + 1


@inlined
def pop(board, seat):
    """Take the top tile off a stack that has one."""
    tile = top_of(board, seat)
    board[HEIGHT + seat] -= 1
    board[OWNER + tile] = 0
    below = top_of(board, seat)
    if below != NO_TILE:
        board[OWNER + below] = seat + 1
    return tile


@inlined
def highest_tile(mask):
    """Return the highest tile of a mask, or NO_TILE."""
    return 63 - leading_zeros(mask) if mask else NO_TILE


@inlined
def centre_tile(board, rules, total):
    """Return the tile of the centre for a total with a worm: its own or the next lower one."""
    at = total - rules[LOW]
    if at < 0:
        return NO_TILE
    return highest_tile(board[CENTRE] & ((2 << min(at, rules[TILES])) - 1))


@inlined
def owner_of(board, rules, total, seat):
    """Return the other seat that can be robbed at this total, its top tile, or −1."""
    tile = total - rules[LOW]
    if tile < 0 or tile >= rules[TILES] or rules[NO_STEAL]:
        return -1
    owner = board[OWNER + tile] - 1
    return owner if owner != seat else -1


@inlined
def take_tile(board, seat, tile):
    """Take a tile from the centre."""
    board[CENTRE] &= ~(1 << tile)
    push(board, seat, tile)


@inlined
def steal_tile(board, seat, other):
    """Take the tile on top of another stack."""
    push(board, seat, pop(board, other))


@inlined
def turned_over(rules, back, highest):
    """Return the tile that a bust turns over, NO_TILE for none.

    back: the tile that is put back, NO_TILE for none. highest: the highest in the centre then.
    """
    if back == NO_TILE and not rules[FLIP_WITHOUT_TILE]:
        return NO_TILE
    if back == highest and not rules[SHORT]:
        return NO_TILE
    return highest


@inlined
def bust_tiles(board, rules, seat):
    """Return what a bust moves: (tile put back, tile turned over), NO_TILE for none."""
    back = top_of(board, seat)
    centre = board[CENTRE] if back == NO_TILE else board[CENTRE] | 1 << back
    return back, turned_over(rules, back, highest_tile(centre))


@inlined
def go_bust(board, rules, seat):
    """Lose the top tile; return the result of `bust_tiles`."""
    back, flipped = bust_tiles(board, rules, seat)
    if back != NO_TILE:
        board[CENTRE] |= 1 << pop(board, seat)
    if flipped != NO_TILE:
        board[CENTRE] &= ~(1 << flipped)
    return back, flipped


@inlined
def worms_of(board, worms, seat):
    """Return the worms on the tiles of a seat."""
    total = 0
    for at in range(board[HEIGHT + seat]):
        total += worms[board[STACK + seat * MAX_TILES + at]]
    return total


@inlined
def best_tile(board, seat):
    """Return the highest tile of a seat, or NO_TILE."""
    best = NO_TILE
    for at in range(board[HEIGHT + seat]):
        best = max(best, board[STACK + seat * MAX_TILES + at])
    return best


@inlined
def winners(board, worms, seats):
    """Return the mask of the winners (most worms, then the highest tile), and their number."""
    best = -1
    mask = 0
    shared = 0
    for seat in range(seats):
        score = worms_of(board, worms, seat) * 64 + best_tile(board, seat) + 1
        if score > best:
            best = score
            mask = 0
            shared = 0
        if score == best:
            mask |= 1 << seat
            shared += 1
    return mask, shared


@inlined
def share_of_win(board, worms, seats, seat):
    """Return what a seat gets of a game that is over."""
    mask, shared = winners(board, worms, seats)
    return (mask >> seat & 1) / shared
