"""Write the golden records with the twin: ``python -m tests.games.pikomino.golden_update``."""

from tests.games.golden import Golden
from tests.games.pikomino.cases import FLIPS, SHORT, id_of, twin_rules
from tests.reference import pikomino as twin

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

if __name__ == "__main__":
    GOLDEN.update()
