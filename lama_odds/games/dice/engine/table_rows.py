"""What lies on the table of a round, in one array: ``table``, int64[TABLE_SIZE].

It has a row of eight columns for each property of a seat: the entry of a seat is table[ROW + seat].
So a round needs few arguments and no other memory.
"""

from __future__ import annotations

from lama_odds.games.shared import seating

MAX_SEATS = 6
COLUMNS = seating.COLUMNS

HAND = 0 * COLUMNS  # packed cards
PENALTY = seating.PENALTY
SCORE = 2 * COLUMNS  # points in tokens
NEXT = seating.NEXT
BEFORE = seating.BEFORE
AHEAD = 5 * COLUMNS  # the roll that this seat makes next, packed
DICE_AT = 6 * COLUMNS  # where its dice lane is read next (a uint64, as bits)
COINS_AT = 7 * COLUMNS  # the same for its coins
FAMILY = 8 * COLUMNS
PARAMETER = 9 * COLUMNS
BLOCK = 10 * COLUMNS
# Kinds and points of the hand, noted by `round_loop.hold` while a round is played.
KINDS_HELD = 11 * COLUMNS
COST = 12 * COLUMNS
# What a policy writes down while it decides.
SCRATCH = 13 * COLUMNS
SCRATCH_SIZE = 8 * COLUMNS
TABLE_SIZE = SCRATCH + SCRATCH_SIZE
