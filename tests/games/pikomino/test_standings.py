"""Wins by the standing of the game, against the records of the same games."""

import pytest

from lama_odds.games.interface.tally_layout import FIRST, FORKS
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import is_turn, read_record, shares

GAME = game_of("pikomino/egmont")
RULES = GAME.rules("pikomino/egmont")
GAMES, SEED = 40, 11


@pytest.mark.parametrize("policies", [("first-tile",) * 2, ("lead:50", "first-tile", "random")])
def test_turns_and_wins_are_those_of_the_records(policies: tuple[str, ...]) -> None:
    seats = [GAME.policy(name) for name in policies]
    found = GAME.standings(RULES, seats)
    assert found is not None
    tally = found.job.play(SEED, 0, GAMES)
    turns, wins = 0, 0.0
    for number in range(GAMES):
        text = GAME.record(RULES, seats, SEED, number, False)
        won = shares(GAME, read_record(GAME, text))
        assert won is not None
        movers = [int(line.split()[0]) for line in text.splitlines() if is_turn(line)]
        turns += len(movers)
        wins += sum(won[seat] for seat in movers)
    assert tally[-1, FORKS] == 0  # all games end
    assert tally[:, FORKS].sum() == turns
    assert tally[:, FIRST].sum() * found.unit == pytest.approx(wins, abs=1e-9)
    # Every game begins with all tiles in the centre, and nobody ahead.
    even = [row for row, key in enumerate(found.keys) if key["worms ahead"] == 0]
    assert tally[even[-1], FORKS] >= GAMES
