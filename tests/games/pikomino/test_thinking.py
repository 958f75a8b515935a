"""A seat that looks a turn further than `learned`: its chances, its games, what is refused."""

import numpy as np
import pytest

from lama_odds.analysis.research.best_response import best_response
from lama_odds.core.errors import LimitError
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.pikomino.engine.look_ahead import payoffs_ahead
from lama_odds.games.pikomino.engine.plan_costs import COLUMNS, judge_games
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.solvers.exact import board_of
from tests.games.cases import product_rules

EGMONT = product_rules("pikomino/egmont")
LEARNED = GAME.policy("learned")
TABLES = tables_of(EGMONT, [LEARNED])


def room() -> list[np.ndarray]:
    """Arrays for the payoffs of a turn."""
    size = EGMONT.tables.number.shape[1]
    return [np.zeros(size), np.zeros(size, np.bool_), np.zeros(size), np.zeros(size)]


@pytest.mark.long
def test_every_seat_sees_what_it_would_see_as_the_first() -> None:
    stacks = ["24.22", "27.30", "31"]
    first = GAME.position(EGMONT, f"stacks={'/'.join(stacks)}")
    found = room()
    bust = payoffs_ahead(EGMONT.columns, TABLES, board_of(EGMONT, first), 3, 0, *found)
    for seat in (1, 2):
        turned = GAME.position(EGMONT, f"stacks={'/'.join(stacks[-seat:] + stacks[:-seat])}")
        other = room()
        board = board_of(EGMONT, turned)
        lost = payoffs_ahead(EGMONT.columns, TABLES, board, 3, seat, *other)
        assert lost == pytest.approx(bust, abs=1e-6)
        assert other[0] == pytest.approx(found[0], abs=1e-6)
        assert np.array_equal(other[1], found[1])


@pytest.mark.long
def test_games_are_those_of_learned_but_for_the_seat_that_looks_ahead() -> None:
    games, policies = 6, [LEARNED] * 2
    jobs = [GAME.thinking(EGMONT, policies, seat) for seat in range(2)]
    tallies = [one.job.play(4, 0, games) for one in jobs]
    rows, results = np.zeros((games * 120, COLUMNS)), np.zeros((games, 4))
    judge_games(EGMONT.columns, policy_rows(policies), TABLES, 4, 0, games, rows, results)
    for seat, (one, tally) in enumerate(zip(jobs, tallies, strict=True)):
        adjusted = np.rint(EQUITY * results[:, 2 + seat]).sum()
        assert tally[one.usual, 0] == pytest.approx(adjusted, abs=1)
        assert tally[one.unfinished, 0] == 0
        assert 0 < tally[one.departed, 0] < tally[one.decisions, 0]
        # No plan is worth less than that of `learned`, by what the seat looks at.
        assert tally[one.promised, 0] > 0
        halves = one.job.play(4, 3, 3, one.job.play(4, 0, 3))
        assert np.array_equal(halves, tally)
    both = sum(tally[one.usual, 0] for one, tally in zip(jobs, tallies, strict=True))
    assert both == pytest.approx(EQUITY * games, abs=games)


@pytest.mark.long
def test_what_a_seat_gains_is_counted_game_by_game() -> None:
    asked = {"games": 3, "seed": 4, "policy": LEARNED}
    one = best_response(GAME, EGMONT, 2, "win", threads=1, **asked)
    assert one == best_response(GAME, EGMONT, 2, "win", threads=2, **asked)
    tallies = [GAME.thinking(EGMONT, [LEARNED] * 2, seat).job.play(4, 0, 3) for seat in range(2)]
    gains = [(tally[0, 0] - tally[1, 0]) / EQUITY / 3 for tally in tallies]
    assert [seat.value for seat in one.by_seat] == pytest.approx(gains)
    assert one.gain.value == pytest.approx(np.mean(gains))
    assert one.promised.value == pytest.approx(sum(t[2, 0] for t in tallies) / EQUITY / 6)
    assert one.base.value == pytest.approx(0.5, abs=1e-4)
    assert (one.most, one.played) == (0, 0)


def test_only_a_player_of_learned_looks_a_turn_further() -> None:
    with pytest.raises(LimitError, match="only a player of learned"):
        GAME.thinking(EGMONT, [GAME.policy("lead:50")] * 2, 0)
    # Under an option `best` is not `learned`.
    with pytest.raises(LimitError, match="only a player of learned"):
        best_response(GAME, product_rules("pikomino/egmont+short"), 2, "win", games=2)
