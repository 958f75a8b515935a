"""Rule sets and policies that the tests play, for the product and the twin alike; golden games."""

from dataclasses import replace

from tests.games.cases import with_options
from tests.games.golden import Golden
from tests.reference import pikomino as twin

SEATS = range(2, 8)

FLIPS = {"flip_without_tile": True}
SHORT = {"short": True}
NO_STEAL = {"no_steal": True}

CASES = (
    {},
    FLIPS,
    SHORT,
    {"tiles": 8} | NO_STEAL | SHORT,
    {"dice": 6, "low": 13},
    {"dice": 5} | FLIPS,
    {"tiles": 4},
    {"low": 18, "tiles": 20},
    {"worms": (1, 2, 3, 4, 5, 6, 7, 8)},
    {"worm_value": 4},
    {"dice": 7, "low": 19, "tiles": 12, "worm_value": 6, "worms": (1, 2, 3)} | FLIPS | SHORT,
)

MIXES = (
    ("random",),
    ("first-tile",),
    ("first-tile", "random"),
    ("random", "first-tile", "early-worm"),
    (
        "card:net/stop/worm/steal=1..:0/tiles=1+behind=1..:never/short=..1+own=0:never/short=0:30/0",
        "card:worms=3..+ahead=2..:24/dice=2..4:never/tiles=9..:27/steal=0:0/never",
        "card:stop/dice=1:never/ahead=0:26/behind=..4:22/23",
        "card:0",
    ),
)


def id_of(options):
    """Write an id, switches as bare names where they are on."""
    return with_options("pikomino/egmont", options)


def twin_rules(options):
    """Give the twin's rule set."""
    return replace(twin.edition("egmont"), **options)


# The golden records: `python -m tests.games.golden` writes them with the twin.

SEED = 1

DESIGNER = {"dice": 7, "low": 19, "tiles": 12, "worm_value": 6, "worms": (1, 2, 3)}

# Options, policies and a game that shows what the name says.
GAMES = {
    "egmont": ({}, "first-tile random", 1931),
    "egmont_highest_returned": ({}, "first-tile random first-tile", 1296),
    "egmont_tie": ({}, "first-tile random first-tile", 290),
    "egmont_centre_for_steal": ({}, "random random", 1660),
    "egmont_seven_seats": (
        {}, "first-tile random first-tile random first-tile first-tile random", 43,
    ),
    "egmont_flips_without_tile": (FLIPS, "random first-tile random", 873),
    "egmont_nobody": ({"dice": 5} | FLIPS, "first-tile random", 3),
    "egmont_early_worm": ({}, "early-worm first-tile", 12),
    "egmont_designer": (
        DESIGNER | FLIPS | SHORT, "first-tile random first-tile random", 349,
    ),
}  # fmt: skip


def record(name, options=None):
    """Let the twin write a golden game, with other options if given."""
    own, policies, game = GAMES[name]
    rules = twin_rules(own if options is None else options)
    return twin.game_record(rules, id_of(own), policies.split(), SEED, game)


GOLDEN = Golden(__file__, GAMES, record)
