"""Plans: how many games, by pilots that no answer counts, and the error that a pilot leaves."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import lama_odds as lo
from lama_odds.analysis.compare import compare as compare_module
from lama_odds.analysis.compare import design, planning
from lama_odds.analysis.compare.answer import (
    Compared,
    difference_of,
    fixed_error,
    value_of,
    with_error,
)
from lama_odds.analysis.compare.compare import without_fixed
from lama_odds.analysis.compare.design import (
    MOST_GAMES_PLANNED,
    PILOT_GAMES,
    Pilot,
    covariances,
    pilot_of,
)
from lama_odds.analysis.compare.planning import ComparisonPlan
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.luck.stream import MAX_GAMES
from lama_odds.simulation import run as run_module
from lama_odds.simulation.run import BLOCK, Play, Played, add_samples, block_of
from lama_odds.statistics.equivalence import ALPHA, POWER, Difference
from lama_odds.statistics.intervals import Z, share_of
from tests.cli.calls import inside

RULES = ("dice/amigo", "dice/amigo+target=30")
POLICY = "threshold:5"


def planned(*rules: str, **more: Any) -> ComparisonPlan:
    found = lo.plan(rules, 3, policy=POLICY, games=100_000, **more).found
    assert isinstance(found, ComparisonPlan)
    return found


def test_deviations_are_those_of_a_comparison_of_other_games() -> None:
    compared = lo.compare(RULES, 3, policy=POLICY, games=20_000, seed=5).found
    rows = {row.measure.name: row for row in compared.rows}
    for row in planned(*RULES).rows:
        other = rows[row.measure.name].difference
        if row.measure.rounds:  # these do not change with the target
            assert other.value == 0
            assert not row.deviation
            assert row.to_show is row.to_rule_out is row.detectable is None
        else:
            assert row.deviation == pytest.approx(other.stderr * other.n**0.5, rel=0.09)


@pytest.mark.parametrize("others", [1, 2])
def test_numbers_of_games_have_the_power_of_the_test_that_holm_begins_with(
    others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A two-sided test for a change; two one-sided ones for no change, either of which may fail."""
    monkeypatch.setattr(planning, "PILOT", 2_048)
    rules = (*RULES, "dice/amigo+target=50")[: 1 + others]
    plan = planned(*rules)
    normal, level = NormalDist(), ALPHA / len(plan.rows)
    show = normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)
    rule_out = normal.inv_cdf(1 - level) + normal.inv_cdf(1 - (1 - POWER) / 2)
    known: Any = [row for row in plan.rows if row.deviation]
    assert len(known) > 4 * others
    assert plan.uncertainty == pytest.approx(Z * (2 / (2_048 // block_of(2_048) - 1)) ** 0.5)
    for row in known:
        assert row.to_show == pytest.approx((show * row.deviation / row.delta) ** 2, abs=16)
        assert row.to_rule_out == pytest.approx((rule_out * row.deviation / row.delta) ** 2, abs=16)
        assert row.detectable == pytest.approx(show * row.deviation / 100_000**0.5)
    assert planned(*rules, threads=1).to_json() == plan.to_json()
    assert planned(*rules, seed=1).to_json() != plan.to_json()


@pytest.mark.long
def test_a_plan_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "PILOT", 2_048)
    file = tmp_path / "plan.csv"
    asked = ("compare", *RULES, "--players", "3", "--policy", POLICY, "--plan", "--games", "50000")
    said = inside(*asked, "--csv", str(file))
    assert (said.code, said.err) == (0, "")
    assert "50,000 games show" in said.out
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    answer = inside(*asked, "--json").json
    assert answer["pilot"] == 2_048
    for row, told in zip(rows, answer["measures"], strict=True):
        assert row["measure"] == told["name"]
        assert row["games to show"] == str(told["games_to_show"] or "")
    alike = inside("compare", "dice/amigo", "dice/gigamic", "--plan").out
    assert "dice/gigamic plays exactly as dice/amigo: there is nothing to plan." in alike


EACH = 0.001  # seconds a game, of games that are not really played


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[range]:
    """The games of pilots, none of which is really played."""
    found: list[range] = []

    def run(job: Any, seed: int, games: int, *, first: int = 0, **more: Any) -> Played:
        found.append(range(first, first + games))
        return Played(np.zeros((1, 1), np.int64), games, EACH * games)

    monkeypatch.setattr(run_module, "run", run)
    return found


def test_a_pilot_for_a_precision_plays_games_that_no_answer_counts(tried: list[range]) -> None:
    job: Any = None
    planned = design.for_precision(job, 0.02, lambda tally, games: 0.05, Play(3, 1))
    # A standard error falls with the root of the games; a tenth is to spare.
    half = Z * 0.05 * math.sqrt(PILOT_GAMES / planned.games)
    assert 0.0175 < half <= 0.018
    assert planned.seconds == pytest.approx(EACH * planned.games)
    assert [len(games) for games in tried] == [PILOT_GAMES]
    assert all(MOST_GAMES_PLANNED <= games.start < games.stop <= MAX_GAMES for games in tried)
    least = design.for_precision(job, 10.0, lambda tally, games: 0.05, Play(3, 1))
    assert least.games == PILOT_GAMES


def test_a_pilot_for_a_time_is_in_that_time_and_is_not_counted(tried: list[range]) -> None:
    job: Any = None
    planned = design.for_seconds(job, 100.0, Play(3, 1))
    spent = sum(EACH * len(games) for games in tried)
    assert 0.75 * 100 < planned.seconds + spent <= 100
    assert bin(planned.games).rstrip("0").count("1") <= 3
    assert all(MOST_GAMES_PLANNED <= games.start < games.stop <= MAX_GAMES for games in tried)
    assert design.for_seconds(job, 100.0, Play(3, 1), most=1_000).games == 1_000


def test_the_precision_of_all_pairs_leaves_room_for_the_largest_error_of_a_pilot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two pairs; one has an error of 0.01 that games do not reduce, the other one of 0.03."""
    asked: list[Any] = []
    monkeypatch.setattr(compare_module, "for_precision", lambda *given: asked.append(given))
    noise = ((0.0, 0.0, 0.0), (0.0, 0.01**2, 0.0), (0.0, 0.0, 0.03**2))
    measure = replace(LONG_GAMES, noise=noise)
    question: Any = SimpleNamespace(
        job=lambda games: None, measures=(measure,), pairs=((0, 1), (0, 2)), play=Play(3, 1)
    )
    amount = compare_module.Amount(half_width=0.1, measure="long games")
    compare_module._plan(question, amount)
    (_, half, worst, play), *_ = asked
    assert (play, half) == (Play(3, 1), pytest.approx(math.sqrt(0.1**2 - (Z * 0.03) ** 2)))
    blocks = 400 // block_of(400)
    games = np.zeros((1, 3, blocks), dtype=np.int64)
    games[0, 1, :5] = games[0, 2, :20] = 1
    tally = np.zeros((1, 3, 10), dtype=np.int64)
    add_samples(tally, games)
    errors = [
        difference_of(LONG_GAMES, tally[0], pair, blocks, 400).stderr for pair in ((0, 1), (0, 2))
    ]
    assert worst(tally, 400) == max(errors) > min(errors)


def test_lengths_of_games_come_from_games_that_no_answer_counts() -> None:
    played: list[range] = []

    def play(seed: int, first: int, games: int) -> np.ndarray:
        played.append(range(first, first + games))
        return np.array([[0, 0], [first % 10, 0]])

    measures = [SimpleNamespace(name=name) for name in ("rounds", "length")]
    job = SimpleNamespace(play=play, measures=measures)
    job.detailed = lambda: job
    game: Any = SimpleNamespace(pilot=5, simulation=lambda *asked: job)
    found = pilot_of(game, None, None, 2)  # type: ignore[arg-type]
    assert found.lengths.tolist() == [(MAX_GAMES - 5 + at) % 10 for at in range(5)]
    assert all(MOST_GAMES_PLANNED <= games.start < games.stop <= MAX_GAMES for games in played)
    assert found.longer == int(1.5 * np.median(found.lengths))


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
        halves = (np.hypot(plain.value - end, Z * error) for end in (plain.low, plain.high))
        below, above = halves
        assert (wider.low, wider.high) == pytest.approx((plain.value - below, plain.value + above))
        assert wider.low < plain.low < plain.high < wider.high


def test_a_share_with_another_error_is_still_one() -> None:
    for value in (0.01, 0.99):
        found = with_error(Estimate.from_half(value, 0.001, 0.002, 400), 0.02, Z, 1.0)
        assert (found.low == 0.0, found.high == 1.0) == (value < 0.5, value > 0.5)


def test_no_number_of_games_finds_what_the_fixed_error_hides() -> None:
    """A change of 1 that has to be 3 errors; a game has a deviation of 5."""
    for fixed, variance in ((0.0, 1 / 9), (0.1, 1 / 9 - 0.01)):
        blocks = math.ceil(25 / variance / BLOCK)
        assert planning._games(5.0, fixed, 1.0, 3.0) == BLOCK * blocks
    assert planning._games(5.0, 0.4, 1.0, 3.0) is planning._games(None, 0.0, 1.0, 3.0) is None


def test_a_change_that_no_game_showed_may_come_as_often_as_it_can_be_missed() -> None:
    """Of a share by 1; of a count by its mean and three deviations of a game."""
    counts = np.tile(np.array([0, 1]), 200)
    tally = np.zeros((1, 2, 7), dtype=np.int64)
    add_samples(tally, np.stack((counts, counts))[None])
    length = Compared("length", "length", "", "", 4.0, False, False, ())
    most = 4 * (0.5 + 3 * counts.std(ddof=1))
    for measure, largest in ((LONG_GAMES, 1.0), (length, most)):
        found = difference_of(measure, tally[0], (0, 1), 400, 400)
        assert (found.value, found.stderr) == (0, 0)
        assert found.high == -found.low == pytest.approx(largest * share_of(0, 400).high)


def test_games_come_in_whole_parts_where_one_of_each_part_is_looked_at() -> None:
    for games, measure, played in (
        *((393, "drama", 400), (400, "decided", 400), (393, "rounds", 393)),
        (None, "drama", None),
    ):
        assert compare_module.whole_games(games, [measure]) == played
    with pytest.raises(LimitError, match="at least 100"):
        compare_module.whole_games(99, ["drama"])


def test_games_do_not_settle_what_the_pilots_left_open() -> None:
    games = np.zeros((1, 2, 400), dtype=np.int64)
    games[0, 1, :100] = 1
    tally = np.zeros((1, 2, 7), dtype=np.int64)
    add_samples(tally, games)
    noisy = replace(LONG_GAMES, noise=((1.0, 0.0), (0.0, 1.0)))
    asked: Any = SimpleNamespace(pairs=((0, 1),), ids="ab", alike=lambda measure, pair: False)
    for measure, error in ((LONG_GAMES, 0.0), (noisy, 2**0.5)):
        (found,) = compare_module._measured(asked, [(0, measure)], tally[0:1], 400, 400, {})
        assert isinstance(found.tested, Difference)
        assert found.tested.fixed == pytest.approx(error)
        assert (found.tested.differing, found.tested.largest) == (100, 1.0)
        assert found.tested.skewness == pytest.approx(stats.skew([1] * 100 + [0] * 300))
        assert (found.tested.missing(0.05) is None) == bool(error)


def test_what_both_pilots_have_in_common_is_no_error_of_a_difference() -> None:
    shared = 0.02**2
    measure = replace(LONG_GAMES, noise=((shared, shared), (shared, shared + 0.01**2)))
    assert fixed_error(measure, (0, 1)) == pytest.approx(0.01)
    assert measure.error_of({0: 1}) == pytest.approx(0.02)
    assert fixed_error(LONG_GAMES, (0, 1)) == 0


def test_no_number_of_games_removes_it() -> None:
    assert without_fixed("long games", 0.005, 0.003) == pytest.approx(0.004)
    with pytest.raises(LimitError, match=r"±0.002 of long games: more games do not help below"):
        without_fixed("long games", 0.002, 0.003)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--precision", "rounds=0.5", "--measure", "decisions"), "not among the wanted ones"),
        (("--precision", "matter=1", "--measure", "matter"), "at most 64 games are looked at"),
        (("--precision", "decisions=0.1"), "about 10,000 of them are tried at most"),
        (("--delta", "went_out=1.5"), "so δ must be below 1, such as 0.05\n"),
        (("--delta", "went out=0.1", "--delta", "Went_Out=0.2"), "δ of went_out is given twice"),
        (("--measure", "seat bias"), "seat bias is for sweep"),
        (("--measure", "worms"), "worms is not counted in Lama Dice"),
        (("--plan", "--delta", "round=1"), "did you mean rounds"),
        (("--plan", "--seconds=1"), "--plan: only a pilot is played"),
        (("--plan", "--run=x"), "--plan: only a pilot is played"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_a_game_is_played(
    args: tuple[str, ...], said: str
) -> None:
    answer = inside("compare", *RULES, "--players", "2", "--policy", POLICY, *args)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_groups_name_their_measures_and_no_name_the_usual_ones() -> None:
    names = {"lead changes": "lead changes", "win seat 0": "win", "rounds": "rounds"}
    there = [replace(LONG_GAMES, name=name, key=key) for name, key in names.items()]
    for asked, found in (
        ([], {"win seat 0", "rounds"}),
        (["tension"], {"lead changes"}),
        (["Fairness", "rounds"], {"win seat 0", "rounds"}),
        (["good"], set(names)),
    ):
        assert design.wanted(there, asked) == found


def test_displayed_names_are_read_everywhere() -> None:
    names = {"measures": ["went out"], "measure": "Went out", "precision": 0.5}
    delta = {"went out": 0.3, "Win seat 1": 0.2}
    answer = lo.compare(RULES, 2, policy=POLICY, delta=delta, **names).found  # type: ignore[arg-type]
    assert [(row.measure.name, row.delta) for row in answer.rows] == [("went_out", 0.3)]
    with pytest.raises(ReadError, match="no measure 'win seat 7'"):
        lo.compare(RULES, 2, policy=POLICY, games=800, delta={"win seat 7": 0.1})
