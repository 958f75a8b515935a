"""Rule sets and policies that the tests play, for the product and the twin alike; golden games."""

from dataclasses import replace
from unittest import mock

from tests.games.cases import product_rules, with_options
from tests.games.golden import Golden
from tests.reference import noprob as twin
from tests.reference.noprob_players import PUT_AWAY

STARNBERGER = "noprob/starnberger"

FOUR = {"four_rounds": True}
END = {"refill": False}
# 25 cards: two grids, one on the discards, six in the pile.
TINY = {"copies": 2, "dramas": 2, "jokers": 2, "karmas": 2, "negative_copies": (1, 1, 1)}
# With nothing but specials to draw, no card may be left to take or draw.
STUCK = {"copies": 2, "dramas": 0, "jokers": 0, "karmas": 6, "negative_copies": (1, 1, 0)}
SMALL = {"copies": 4, "dramas": 3, "jokers": 3, "karmas": 3, "negative_copies": (3, 2, 1)}
# All cards count little, so that equal totals are common.
TIES = {"low": 1, "copies": 1, "negatives": (1, 2, 3), "negative_copies": (15, 0, 0)}
TIES |= {"jokers": 15, "special": 0, "target": 2, "triple_joker": False}

MANY = {name: 15 for name in ("copies", "dramas", "jokers", "karmas")}

CASES = (
    {},
    {"any_tie": True, "target": 1, "peeks": 9},
    FOUR | {"rounds": 7, "peeks": 0} | END,
    END | {"copies": 6},
    {"jokers": 15, "copies": 6},
    {"jokers": 15, "copies": 6, "triple_joker": False} | FOUR,
    {"low": 90, "special": 20, "negatives": (99, 1, 50), "negative_copies": (15, 1, 0)},
    {"dramas": 0, "karmas": 0, "jokers": 0, "target": 1, "target_many": 1},
    {"target": 5, "target_many": 4, "any_tie": True} | SMALL,
    MANY | {"negative_copies": (15, 15, 15), "special": 11},
    TINY | {"any_tie": True, "special": 0},
    TINY | END,
    STUCK,
    SMALL | END | {"low": 2, "negatives": (3, 2, 1), "special": 6, "triple_joker": False},
)


def id_of(options):
    """Write an id, switches as bare names where they are on."""
    return with_options(STARNBERGER, options)


def twin_rules(options):
    """Give the twin's rule set."""
    return replace(twin.edition("starnberger"), **options)


def players_of(options):
    """Give the numbers of players that the cards suffice for."""
    return product_rules(id_of(options)).players


def twin_record(options, policies, seed, game, rounds=False):
    """Let the twin write the same record."""
    return twin.record(twin_rules(options), id_of(options), policies, seed, game, not rounds)


class Follower:
    """A policy of the twin that does what a record says, by round and turn."""

    def __init__(self, turns):
        self.turns = turns

    def words(self, view):
        return self.turns[view.state.number, view.state.turns]

    def source(self, view):
        return self.words(view)[1]

    def place(self, view, card, source):
        words = self.words(view)
        if words[3] == "discard":
            return PUT_AWAY
        row, column = words[4].split(",")
        return 3 * int(row) + int(column) - 4

    def give(self, view, card):
        return int(self.words(view)[4])


def turns_of(record):
    """Give the turns of a record as words, by round and number of the turn."""
    found, number, at = {}, 0, 0
    for line in record.splitlines():
        words = line.split()
        if words[0] == "round":
            number, at = int(words[1]), 0
        elif words[0].isdigit():
            found[number, at] = words
            at += 1
    return found


def followed(options, record, seed, game, rounds=False):
    """Let the twin play what a record says, on its own cards and luck, and write its record."""
    names = next(line for line in record.splitlines() if line.startswith("policies")).split()[1:]
    follower = Follower(turns_of(record))
    with mock.patch.object(twin, "policy_of", return_value=follower):
        return twin_record(options, names, seed, game, rounds)


# The golden records: `python -m tests.games.golden` writes them with the twin.

SEED = 1

JOKERS = {"copies": 6, "jokers": 15}
DESIGNER = SMALL | END | {"low": 2, "negatives": (3, 2, 1), "special": 6}

# Options, players and a game of `random` that shows what the name says.
GAMES = {
    "starnberger": ({}, 2, 84),
    "starnberger_raised": ({}, 2, 25),
    "starnberger_six_seats": ({}, 6, 43),
    "starnberger_four_rounds": (FOUR, 3, 112),
    "starnberger_first_llama": ({"target_many": 1}, 5, 44),
    "starnberger_any_tie": (TIES | {"any_tie": True}, 3, 102),
    "starnberger_refill": (TINY, 2, 104),
    "starnberger_no_refill": (TINY | END, 2, 90),
    "starnberger_jokers": (JOKERS, 2, 24),
    "starnberger_no_triple_joker": (JOKERS | FOUR | {"rounds": 2, "triple_joker": False}, 2, 4),
    "starnberger_dear": ({"low": 90, "special": 20, "target": 1}, 3, 0),
    "starnberger_designer": (DESIGNER, 4, 134),
}


def record(name, *without):
    """Let the twin write a golden game, some of its options left out."""
    own, players, game = GAMES[name]
    options = {option: value for option, value in own.items() if option not in without}
    return twin_record(options, ("random",) * players, SEED, game)


GOLDEN = Golden(__file__, GAMES, record)
