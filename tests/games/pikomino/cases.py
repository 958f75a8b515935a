"""Rule sets and policies that the tests play, named for the product and for the twin alike."""

from dataclasses import replace

from tests.games.cases import with_options
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
