"""Write the golden records with the twin: ``python -m tests.games.noprob.golden_update``."""

from tests.games.golden import Golden
from tests.games.noprob.cases import END, FOUR, SMALL, TIES, TINY, twin_record

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

if __name__ == "__main__":
    GOLDEN.update()
