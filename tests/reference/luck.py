"""The random numbers of a game, which can be looked up in any order.

Every random number has an address (game, round, lane, index), and the word at an address depends on
the seed and the address alone. Two programs that agree on the addresses play the same games. All
arithmetic is modulo 2**64.

Lanes: 0 is the deal, 1 + s the dice of seat s, 8 + s the coins of seat s.
"""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
ALTERNATING = 0xAAAAAAAAAAAAAAAA
FEWEST_CHANGES = 24

DEAL = 0
DICE = 1
COINS = 8


def mix(z):
    """Scramble a number below 2**64, one to one."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def stream_of(seed):
    """Give the two numbers (key, gamma) that turn addresses into words under this seed."""
    z = mix((seed + GOLDEN) & MASK)
    key = mix((z + GOLDEN) & MASK)
    gamma = mix((key + GOLDEN) & MASK) | 1
    # Long runs of equal bits would make the words of neighbouring addresses alike.
    if (gamma ^ gamma >> 1).bit_count() < FEWEST_CHANGES:
        gamma ^= ALTERNATING
    return key, gamma


def address_of(game, round_index, lane, index=0):
    """Number the place of a word; the words of a lane lie side by side."""
    return game << 24 | (round_index & 1023) << 14 | lane << 10 | index


def word_at(stream, address):
    """Look up the 64-bit word at an address."""
    key, gamma = stream
    z = (key + gamma * address) & MASK
    # mix() repeated here, because it is called for every roll
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def below(word, n):
    """Turn a word into a number below n."""
    return word * n >> 64


def split(word, n):
    """Turn a word into a number below n and a new word for the next number."""
    scaled = word * n
    return scaled >> 64, scaled & MASK
