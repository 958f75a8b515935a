"""Rule sets and policies that the tests play, named for the product and for the twin alike."""

from dataclasses import replace

from tests.games.cases import with_options
from tests.reference import lama as twin

# Options that every edition has, with values that no edition has of itself.
COMMON = (
    {},
    {"drama": True},
    {"drama": True, "drama_tokens": 1},
    {"drama": True, "drama_tokens": 2, "dealt": 3},
    {"drama": True, "drama_tokens": 20, "target": 200},
    {"black": 4, "drama": True, "drama_tokens": 3, "llamas": 12},
    {"black": 17, "drama": True},
    *({"dealt": cards} for cards in (1, 2, 9, 12)),
    *({"copies": cards} for cards in (3, 12)),
    {"copies": 1, "dealt": 2, "llamas": 1},
    *({"llamas": cards} for cards in (0, 1, 12)),
    {"llamas": 0, "copies": 2, "dealt": 3, "drama": True},
    {"points": (6, 5, 4, 3, 2, 1)},
    {"points": (1, 1, 2, 40, 7, 1)},
    {"points": (3, 3, 3, 3, 3, 3), "llama_points": 3},
    {"llama_points": 1},
    {"llama_points": 15},
    {"target": 1},
    {"target": 90},
    {"plus": 2},
    {"dealt": 5, "drama": True, "llamas": 10, "plus": 4, "target": 60},
    {"out_token": "never"},
    {"llamas": 12, "out_token": "llama"},
    {"drama": True, "out_token": "llama", "pink_llamas": 3, "plus": 2, "quit_cost": 3},
    {"quit_cost": 7},
)

# The base game: 20-point tokens, and cards of the party game added one by one.
BASE = (
    {"twenty": True},
    {"drama": True, "twenty": True},
    {"drama": True, "drama_tokens": 1, "target": 150, "twenty": True},
    {"black": 3, "drama": True, "pink": 4, "twenty": True},
    {"black": 7, "drama": True, "drama_tokens": 2, "pink": 30, "target": 120, "twenty": True},
    {"llama_each": True},
    {"llama_each": True, "llama_points": 4, "plus": 1},
    {"drama": True, "llama_each": True, "target": 100, "twenty": True},
    {"pink_llamas": 1},
    {"pink_llamas": 4, "pink_points": 7},
    {"pink_adds": True, "pink_llamas": 2},
    {"drama": True, "drama_tokens": 2, "pink_llamas": 2},
    {"drama": True, "drama_tokens": 2, "pink_drama": False, "pink_llamas": 2},
    {"dealt": 3, "llama_points": 3, "pink_llamas": 2, "plus": 2, "points": (6, 5, 4, 3, 2, 1)},
)

PARTY = (
    {"twenty": False},
    {"drama": True, "twenty": False},
    {"plus": 0},
    {"plus": 4},
    {"pink_llamas": 0},
    {"drama": True, "pink_llamas": 0},
    {"pink_llamas": 4},
    {"pink_adds": True},
    {"pink_adds": True, "pink_points": 35, "llamas": 9},
    {"pink_points": 1},
    {"pink_points": 80},
    {"drama": True, "pink_drama": False},
    {"drama": True, "drama_tokens": 2, "pink_drama": False, "pink_llamas": 4},
    {"drama": True, "drama_tokens": 1, "llamas": 12, "pink_drama": False, "pink_llamas": 4},
    {"drama": True, "drama_tokens": 1, "pink_llamas": 4, "plus": 3},
    {"drama": True, "drama_tokens": 3, "pink_adds": True, "target": 130},
    {"black": 6, "drama": True, "drama_tokens": 2, "pink": 9, "pink_llamas": 3},
    {"copies": 1, "dealt": 3, "drama": True, "llamas": 2, "plus": 2},
)


def clean(edition, options):
    """Leave out what the edition has of itself: an id is written without it."""
    own = vars(twin.edition(edition))
    return {name: value for name, value in options.items() if value != own[name]}


CASES = (
    *((edition, clean(edition, o)) for edition in ("egmont", "party") for o in COMMON),
    *(("egmont", options) for options in BASE),
    *(("party", options) for options in PARTY),
    *(("amigo", options) for options in (*COMMON[:4], *BASE[:4], BASE[5], BASE[12])),
    ("amigo", {"starter": "rotate"}),
    ("egmont", {"starter": "last_actor"}),
    ("party", {"starter": "last_actor"}),
    ("egmont", {"drama": True, "starter": "last_actor", "twenty": True}),
    ("party", {"drama": True, "drama_tokens": 3, "starter": "last_actor"}),
)

MIXES = (
    ("random",),
    ("threshold:0",),
    ("threshold:5", "random"),
    ("matching:14", "threshold:3", "random"),
    ("threshold:0", "matching:21", "threshold:8", "matching:0"),
    (
        "card:hold/alone/plus/fewest=1:6/cards=3..+pile=..5:never/score=20..:3/2",
        "card:same/plus/others=..1+values=2..4:9/second=1..+doubles=..1:never/ahead=1..:12/6",
        "card:alone/cards=..2:4/never",
    ),
)


def id_of(edition, options):
    """Write an id, switches as bare names where they are on."""
    return with_options(f"lama/{edition}", options)


def twin_rules(edition, options):
    """Give the twin's rule set."""
    return replace(twin.edition(edition), **options)


def most_players(edition, options):
    """Count for how many players the deck suffices, with one card to open; at most six."""
    rules = twin_rules(edition, options)
    return min(6, (len(twin.full_deck(rules)) - 1) // rules.dealt)
