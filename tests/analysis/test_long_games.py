"""Long games: the threshold comes from a pilot, whose error is in every interval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lama_odds.analysis.compare.compare import without_fixed
from lama_odds.analysis.compare.long_games import Pilot, covariances, pilot_of
from lama_odds.analysis.compare.measures import Compared
from lama_odds.analysis.compare.paired_differences import difference_of, value_of, with_error
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.simulation.paired_blocks import add_samples
from lama_odds.statistics.equivalence import Difference, games_missing
from lama_odds.statistics.intervals import Z
from tests.cli.calls import inside

LONG_GAMES = Compared("long games", "long games", "of games", "", 1.0, True, False, ())


def test_the_error_of_the_median_is_as_large_as_pilots_differ() -> None:
    luck = np.random.default_rng(3)
    truth = luck.normal([200, 190], 60, (40_000, 2)).T
    shares, errors = [], []
    for _ in range(60):
        common = luck.normal(0, 58, 2_001)
        pilots = [Pilot(mean + common + luck.normal(0, 15, 2_001)) for mean in (200, 190)]
        shares.append([np.mean(truth[at] > pilot.longer) for at, pilot in enumerate(pilots)])
        errors.append(covariances(pilots))
    measure = replace(LONG_GAMES, noise=tuple(map(tuple, np.mean(errors, axis=0).tolist())))
    found = np.array(shares)
    assert measure.error_of({0: 1}) == pytest.approx(found[:, 0].std(), rel=0.3)
    apart = (found[:, 1] - found[:, 0]).std()
    assert measure.error_of({0: -1, 1: 1}) == pytest.approx(apart, rel=0.3)
    assert apart < found[:, 0].std()


def test_intervals_have_the_error_of_the_median() -> None:
    games = np.zeros((1, 2, 400), dtype=np.int64)
    games[0, :, :40] = 1
    games[0, 1, 40:60] = 1
    tally = np.zeros((1, 2, 7), dtype=np.int64)
    add_samples(tally, games)
    noisy = replace(LONG_GAMES, noise=((0.01**2, 0.0), (0.0, 0.01**2)))
    for of, most in ((value_of, 1.0), (difference_of, 0.0)):
        place = 0 if of is value_of else (0, 1)
        plain, wider = (of(each, tally[0], place, 400, 400) for each in (LONG_GAMES, noisy))  # type: ignore[operator]
        error = 0.01 if most else 0.01 * 2**0.5
        assert wider.stderr == pytest.approx(np.hypot(plain.stderr, error))
        expected = with_error(plain, error, Z, most)
        assert (wider.low, wider.high) == pytest.approx((expected.low, expected.high))
        assert wider.low < plain.low < plain.high < wider.high


def test_no_number_of_games_removes_it() -> None:
    found = Estimate.normal(0.002, 0.003, 100_000, 1.96)
    assert games_missing(Difference(found, 10_000, 0.005), 0.05) is not None
    assert games_missing(Difference(found, 10_000, 0.005, fixed=0.0029), 0.05) is None
    assert without_fixed("long games", 0.005, 0.003) == pytest.approx(0.004)
    with pytest.raises(LimitError, match=r"±0.002 of long games: more games do not help below"):
        without_fixed("long games", 0.002, 0.003)


def test_a_pilot_is_the_same_every_time() -> None:
    game = game_of("pikomino/egmont")
    rules, policy = game.rules("pikomino/egmont"), game.policy("first-tile")
    first, second = (pilot_of(game, rules, policy, 2) for _ in range(2))
    assert (first.lengths == second.lengths).all()
    assert len(first.lengths) == 2_001
    assert first.longer == int(1.5 * np.median(first.lengths))


def test_a_plan_knows_what_no_number_of_games_settles() -> None:
    asked = ("compare", "lama/amigo", "+quit_cost=1", "--players", "2", "--policy", "threshold:5")
    said = inside(*asked, "--plan", "--measure", "long games", "--delta", "long games=0.0001")
    assert "the pilot gives no number of games that would settle it" in said.out
    said = inside(*asked, "--plan", "--measure", "choices")
    assert "the wanted measures are not counted in games of a pilot" in said.err
