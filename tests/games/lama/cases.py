"""Rule sets and policies that the tests play, for the product and the twin alike; golden games."""

import re
from dataclasses import replace

from tests.games.cases import with_options
from tests.games.golden import Golden
from tests.reference import lama as twin

EGMONT = (
    {},
    {"drama": True},
    {"drama": True, "drama_tokens": 1},
    {"dealt": 3, "drama": True, "drama_tokens": 2},
    {"drama": True, "drama_tokens": 20, "target": 200},
    {"black": 4, "drama": True, "drama_tokens": 3, "llamas": 12},
    {"dealt": 1, "llama_points": 1},
    {"copies": 12, "dealt": 12},
    {"copies": 1, "dealt": 2, "llamas": 1},
    {"copies": 2, "dealt": 3, "drama": True, "llamas": 0},
    {"llama_points": 15, "points": (1, 1, 2, 40, 7, 1), "target": 90},
    {"llama_points": 3, "points": (3, 3, 3, 3, 3, 3), "target": 1},
    {"dealt": 5, "drama": True, "llamas": 10, "plus": 4, "target": 60},
    {"out_token": "never", "quit_cost": 7},
    {"llamas": 12, "out_token": "llama"},
    {"drama": True, "out_token": "llama", "pink_llamas": 3, "plus": 2, "quit_cost": 3},
    {"twenty": True},
    {"drama": True, "drama_tokens": 1, "target": 150, "twenty": True},
    {"black": 3, "drama": True, "pink": 4, "twenty": True},
    {"llama_each": True},
    {"drama": True, "llama_each": True, "llama_points": 4, "plus": 1, "twenty": True},
    {"pink_adds": True, "pink_llamas": 2},
    {"drama": True, "drama_tokens": 2, "pink_drama": False, "pink_llamas": 2},
    {"dealt": 3, "llama_points": 3, "pink_llamas": 2, "plus": 2, "points": (6, 5, 4, 3, 2, 1)},
    {"drama": True, "starter": "last_actor", "twenty": True},
)
AMIGO = ({}, {"drama": True, "drama_tokens": 2, "dealt": 3}, {"starter": "rotate"})
PARTY = (
    {},
    {"drama": True},
    {"black": 17, "drama": True, "twenty": False},
    {"plus": 4, "starter": "last_actor"},
    {"drama": True, "pink_llamas": 0},
    {"llamas": 9, "pink_adds": True, "pink_points": 35},
    {"pink_points": 1, "points": (6, 5, 4, 3, 2, 1)},
    {"drama": True, "drama_tokens": 1, "llamas": 12, "pink_drama": False, "pink_llamas": 4},
    {"drama": True, "drama_tokens": 1, "pink_llamas": 4, "plus": 3},
    {"drama": True, "drama_tokens": 3, "pink_adds": True, "target": 130},
    {"black": 6, "drama": True, "drama_tokens": 2, "pink": 9, "pink_llamas": 3},
    {"copies": 1, "dealt": 3, "drama": True, "llamas": 2, "plus": 2},
)
CASES = (
    *(("egmont", options) for options in EGMONT),
    *(("amigo", options) for options in AMIGO),
    *(("party", options) for options in PARTY),
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


def cards_of(cards):
    """Split cards written as 33+5LP."""
    found = re.findall(r"[1-6]\+?|[LP]", cards)
    assert "".join(found) == cards
    return found


# The golden records: `python -m tests.games.golden` writes them with the twin.

SEED = 1

DRAMA = {"drama": True}
TWO_TOKENS = {"drama": True, "drama_tokens": 2}
TOKENS = {"black": 4, "drama": True, "drama_tokens": 3, "pink": 12, "twenty": True}
DESIGNER = {
    "dealt": 3, "llama_points": 3, "pink_llamas": 2, "plus": 2, "points": (6, 5, 4, 3, 2, 1),
}  # fmt: skip
SIX = "threshold:3 random matching:2 random threshold:9 matching:0"

# Edition, options, policies and a game that shows what the name says.
GAMES = {
    "egmont": ("egmont", {}, "threshold:4 matching:6 random", 20),
    "egmont_alone": ("egmont", {}, "threshold:8 threshold:0", 2),
    "egmont_each": ("egmont", {"llama_each": True}, "random threshold:3 matching:0", 4),
    "egmont_pile_runs_out": ("egmont", {"copies": 2, "llamas": 2}, "threshold:0 threshold:0", 0),
    "egmont_no_pile": ("egmont", {"dealt": 9}, SIX, 0),
    "egmont_designer": ("egmont", DESIGNER, "threshold:2 matching:4 random", 0),
    "egmont_drama_passed": (
        "egmont", DRAMA, "matching:5 threshold:5 matching:6 matching:0", 5,
    ),
    "egmont_drama_carried": (
        "egmont", DRAMA, "matching:5 threshold:3 random threshold:2", 217,
    ),
    "egmont_drama_alone": ("egmont", TWO_TOKENS, "threshold:5 threshold:2", 338),
    "egmont_drama_taken_and_out": ("egmont", DRAMA, "matching:5 threshold:3 threshold:9", 16),
    "egmont_drama_tokens": ("egmont", TOKENS, "matching:5 threshold:3 random threshold:8", 24),
    "egmont_house_rules": (
        "egmont", {"out_token": "llama", "quit_cost": 2}, "threshold:5 random matching:3", 0,
    ),
    "amigo": ("amigo", {}, "threshold:5 random matching:3", 0),
    "amigo_rotate": ("amigo", {"starter": "rotate"}, "threshold:5 random matching:3", 0),
    "party": ("party", {}, "threshold:5 matching:3 random", 92),
    "party_plus_out": (
        "party", {}, "threshold:4 random threshold:6 matching:3 matching:9", 0,
    ),
    "party_pink_adds": ("party", {"pink_adds": True}, "threshold:8 random matching:3", 23),
    "party_drama_chain": (
        "party", TWO_TOKENS, "threshold:5 random matching:6 threshold:2", 2396,
    ),
    "party_drama_pink_off": (
        "party", TWO_TOKENS | {"pink_drama": False}, "random threshold:5 matching:6", 5,
    ),
}  # fmt: skip


def record(name):
    """Let the twin write a golden game."""
    edition, options, policies, game = GAMES[name]
    rules = twin_rules(edition, options)
    return twin.game_record(rules, id_of(edition, options), policies.split(), SEED, game)


GOLDEN = Golden(__file__, GAMES, record)
