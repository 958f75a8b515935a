"""Rule sets and policies that the tests play, for the product and the twin alike; golden games."""

from dataclasses import replace

from tests.games.cases import with_options
from tests.games.golden import Golden
from tests.reference import dice as twin

# Faces in the canonical order: the order of the outcomes is part of the luck.
FACES = (
    "1235LL.1346LL.2456LL",
    "123LL.456LL",
    "1234LL.1256LL.13LL.3456LL",
    "123456L",
    "1234.1256.3456",
    "1L.23L.34L.45L.56L",
    "11LL.2345LLL.6LLLLLLLL",
)

OPTIONS = (
    {},
    {"twenty": True},
    {"faces": FACES[6], "llama_safe_alone": False, "llamas": 3},
    {"dealt": 7, "faces": FACES[2], "llama_safe_alone": False, "target": 60, "twenty": True},
    {"dealt": 3, "out_token": "llama", "target": 60},
    {"dealt": 4, "out_token": "llama", "quit_cost": 1, "twenty": True},
    {"llama_safe_alone": False},
    *({"faces": faces} for faces in FACES),
    *({"dealt": cards} for cards in (1, 8, 12)),
    {"copies": 12, "llamas": 12},
    {"copies": 1, "dealt": 3},
    {"llama_points": 1, "points": (6, 5, 4, 3, 2, 1)},
    {"llama_points": 15, "points": (1, 1, 2, 40, 7, 1)},
    {"llamas": 1, "target": 1},
    {"black": 17},
    {"black": 3, "pink": 4, "twenty": True},
    {"out_token": "never"},
    {"quit_cost": 4},
)

# What is not the edition's own way with an empty row, and with the last player's llamas too.
OTHER_ROW = (
    ("amigo", {"empty_row_ends": False}),
    ("egmont", {"empty_row_ends": True}),
    ("gigamic", {"empty_row_ends": False, "llama_safe_alone": False}),
    ("egmont", {"dealt": 2, "empty_row_ends": True}),
    ("egmont", {"copies": 2, "dealt": 1, "llama_safe_alone": False}),
)

CASES = (
    *(("amigo", options) for options in OPTIONS),
    *(("egmont", options) for options in OPTIONS[:7]),
    *(("gigamic", options) for options in OPTIONS[:2]),
    *OTHER_ROW,
)

MIXES = (
    ("random",),
    ("threshold:0",),
    ("threshold:5", "random"),
    ("threshold:14", "threshold:3", "random"),
    ("threshold:0", "threshold:21", "threshold:8", "threshold:10"),
    (
        "card:llama4/settle/fewest=..2+row=3..:4/cards=3..+kinds=2..4:13/others=0:9/cards=1:never/6",
        "card:llama/ahead=3..:12/behind=5..+total=25..39:never/leads=4..:20/trails=..9:7/never",
        "card:settle/score=10..:8/trails=0:never/5",
    ),
)


def id_of(edition, options):
    """Write an id, switches as bare names where they are on."""
    return with_options(f"dice/{edition}", options)


def twin_rules(edition, options):
    """Give the twin's rule set."""
    return replace(twin.edition(edition), **options)


def most_players(edition, options):
    """Count for how many players the pack suffices, at most six."""
    rules = twin_rules(edition, options)
    return min(6, len(twin.full_pack(rules)) // rules.dealt)


# The golden records: `python -m tests.games.golden` writes them with the twin.

SEED = 1

# Edition, options, policies and a game that shows what the name says.
GAMES = {
    "amigo": ("amigo", {}, "threshold:5 random", 4410),
    "amigo_empty_row": ("amigo", {}, "threshold:0 threshold:1 threshold:0", 2521),
    "amigo_empty_row_stays": (
        "amigo", {"empty_row_ends": False}, "threshold:0 threshold:2", 6593,
    ),
    "amigo_last_llamas_blown": (
        "amigo", {"llama_safe_alone": False}, "random threshold:3", 8819,
    ),
    "amigo_twenty": ("amigo", {"twenty": True}, "threshold:3 random", 1384),
    "amigo_four_dice": ("amigo", {"faces": FACES[2]}, "threshold:6 random", 431),
    "amigo_house_rules": (
        "amigo", {"dealt": 3, "out_token": "llama", "quit_cost": 2}, "threshold:5 random", 0,
    ),
    "egmont_empty_row": ("egmont", {}, "threshold:0 random threshold:0", 8208),
    "egmont_twenty": ("egmont", {"twenty": True}, "threshold:9 threshold:2 random", 9437),
    "egmont_tokens": (
        "egmont", {"black": 5, "pink": 12, "twenty": True}, "threshold:8 random", 6530,
    ),
    "gigamic_empty_row": ("gigamic", {}, "threshold:0 random threshold:0", 13058),
}  # fmt: skip


def record(name, options=None):
    """Let the twin write a golden game, with other options if given."""
    edition, own, policies, game = GAMES[name]
    rules = twin_rules(edition, own if options is None else options)
    return twin.game_record(rules, id_of(edition, own), policies.split(), SEED, game)


GOLDEN = Golden(__file__, GAMES, record)
