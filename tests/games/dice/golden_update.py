"""Write the golden records with the twin: ``python -m tests.games.dice.golden_update``."""

from tests.games.dice.cases import FACES, id_of, twin_rules
from tests.games.golden import Golden
from tests.reference import dice as twin

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

if __name__ == "__main__":
    GOLDEN.update()
