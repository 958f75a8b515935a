"""Simulated measures: what they count, and that the better policy comes out as better."""

from __future__ import annotations

import pytest

from lama_odds.analysis.simulate import Simulated, simulate
from lama_odds.core.errors import LimitError
from lama_odds.games.registry import game_of

GAME = game_of("dice/amigo")


def played(rules: str, *policies: str, games: int = 20_000, rounds: bool = False) -> Simulated:
    named = [GAME.policy(name) for name in policies]
    return simulate(GAME, GAME.rules(rules), named, games, rounds=rounds, seed=4)


def test_win_shares_add_up_to_one() -> None:
    done = played("dice/amigo", "random", "threshold:5", "meanfield")
    assert sum(seat["win"].value for seat in done.seats) == pytest.approx(1.0)
    outright = sum(seat["outright"].value for seat in done.seats)
    assert outright < 1.0
    for seat in done.seats:
        assert seat["outright"].value <= seat["win"].value
        assert seat["win"].low <= seat["win"].value <= seat["win"].high


@pytest.mark.parametrize("players", [2, 4])
def test_meanfield_loses_less_than_any_threshold(players: int) -> None:
    for threshold in (3, 5, 7, 9):
        others = [f"threshold:{threshold}"] * (players - 1)
        done = played("dice/amigo", "meanfield", *others, games=50_000, rounds=True)
        mine, *rest = (seat["penalty"] for seat in done.seats)
        assert all(mine.high < other.low for other in rest)


@pytest.mark.parametrize("rounds", [True, False])
def test_gigamic_is_amigo(rounds: bool) -> None:
    amigo = played("dice/amigo", "random", "meanfield", games=3_000, rounds=rounds)
    gigamic = played("dice/gigamic", "random", "meanfield", games=3_000, rounds=rounds)
    assert (amigo.seats, amigo.table) == (gigamic.seats, gigamic.table)


def test_an_empty_row_ends_the_round_only_where_it_says_so() -> None:
    ends = played("dice/amigo", *["random"] * 6, rounds=True)
    goes_on = played("dice/egmont", *["random"] * 6, rounds=True)
    assert ends.table["actions"].value <= goes_on.table["actions"].value


def test_games_without_an_end_are_refused() -> None:
    rules = "dice/amigo+dealt=1+llama_points=1+points=1.1.1.1.1.1+target=1000"
    with pytest.raises(LimitError, match="did not end"):
        played(rules, "threshold:0", "threshold:0", games=20)
