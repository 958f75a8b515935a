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
DRAWS_AT = 5 * COLUMNS  # where its lane of draws is read next (a uint64, as bits)
COINS_AT = 6 * COLUMNS  # the same for its coins
FAMILY = 7 * COLUMNS
PARAMETER = 8 * COLUMNS
BLOCK = 9 * COLUMNS
PLACE = 10 * COLUMNS  # what is on the table: see below
# What a player has shown of its hand by what it did, see `shown`.
SHOWN = 12 * COLUMNS
# What a policy writes down while it decides. Copies of a table end before it.
SCRATCH = 13 * COLUMNS
SCRATCH_SIZE = 9 * COLUMNS
TABLE_SIZE = SCRATCH + SCRATCH_SIZE

# What is on the table: table[PLACE + …].
TOP = 0  # place of the card on top
LEFT = 1  # cards that nobody is known to hold and that have not been played
PILE = 2  # those of them that can be drawn
POT = 3  # sum of the tokens on the drama pot
POT_TOKENS = 4  # their number
RUNNING = 5  # whether the drama runs
PLAYED = 6  # cards played or turned over, packed like a hand
PLAIN_PACK = 8  # the plain cards among LEFT (see `transition.take_card`)
SPECIAL_PACK = 9  # the special cards among LEFT
