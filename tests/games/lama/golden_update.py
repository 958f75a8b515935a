"""Write the golden records with the twin: ``python -m tests.games.lama.golden_update``."""

from tests.games.golden import Golden
from tests.games.lama.cases import id_of, twin_rules
from tests.reference import lama as twin

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

if __name__ == "__main__":
    GOLDEN.update()
