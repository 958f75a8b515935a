"""Sweeps: the numbers of compare, wishes with three answers, trends and steps of known cases."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import lama_odds as lo
from lama_odds.analysis.compare.answer import Compared
from lama_odds.analysis.sweep.answer import (
    FALLS,
    GROWS,
    MAYBE,
    NOT_MONOTONE,
    SURELY,
    SURELY_NOT,
    UNCLEAR,
    Grid,
    Step,
    Sweep,
    Trend,
    grid_of,
    judged,
    read_axes,
    read_wishes,
)
from lama_odds.analysis.sweep.sweep import (
    SEAT_BIAS,
    Sums,
    _intervals,
    fits_of,
    from_mean,
    seat_bias,
    trends_of,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.registry import game_of
from lama_odds.report.text.sweep import findings, shown_measures
from lama_odds.statistics.ranking import Contrast, coefficient

POLICY = "threshold:6"
POINTS = Compared("x", "rounds", "rounds per game", "", 1.0, False, False, ())

MEASURES = {
    name: Compared(name, "win" if "win" in name else name, unit, "", 1.0, share, False, ())
    for name, unit, share in (
        ("rounds", "rounds per game", False),
        ("seat bias", "of games", True),
        ("win seat 0", "of games", True),
        ("win seat 1", "of games", True),
        ("went_out", "of rounds", True),
        ("decided", "% of the game", False),
    )
}

GAME = game_of("dice/amigo")


@cache
def small() -> Sweep:
    wishes = ("rounds=2..4", "seat bias<30%", "win seat 0>90%")
    vary = {"dealt": [5, 6], "target": [20, 30, 40]}
    found = lo.sweep("dice/amigo", vary, 2, policy=POLICY, games=800, wishes=wishes)
    return found.found


def interval(low: float, high: float) -> Estimate:
    return Estimate.from_interval((low + high) / 2, (high - low) / 8, low, high, 100)


def grid(*vary: str, rules: str = "dice/amigo", players: int = 2) -> Any:
    game = game_of(rules)
    return grid_of(game, game.rules(rules), read_axes(game, vary), players)


def test_values_are_written_in_many_ways() -> None:
    for text, values in (
        ("target=30,40,50", (30, 40, 50)),
        ("target=50,30", (30, 50)),
        ("target=4..7", (4, 5, 6, 7)),
        ("target=20..60..20", (20, 40, 60)),
        ("target=20..55..20,100", (20, 40, 100)),
        ("target = 3 .. 5", (3, 4, 5)),
        ("twenty", (False, True)),
        ("points=1.2.3.4.5.6,1.1.1.1.1.1", ("1.2.3.4.5.6", "1.1.1.1.1.1")),
    ):
        assert read_axes(GAME, [text])[0].values == values, text
    points = [[1, 2, 3, 4, 5, 6], (6,) * 6]
    lists = {"target": range(3, 6), "twenty": [True, False], "points": points}
    expected = [(3, 4, 5), (False, True), ("1.2.3.4.5.6", "6.6.6.6.6.6")]
    assert [axis.values for axis in read_axes(GAME, lists)] == expected


def test_what_cannot_be_varied_has_its_place() -> None:
    for texts, at in (
        (["target=3,3"], 9),
        (["target=3..1001"], 10),
        (["target=9..3"], 10),
        (["target=3..9..0"], 13),
        (["target=3,x"], 9),
        (["target"], 6),
        (["twenty=on,maybe"], 10),
        (["points=1.2.3.4.5.6,1.2"], 19),
        (["target=3,4", "target=5,6"], 0),
    ):
        with pytest.raises(ReadError) as refused:
            read_axes(GAME, texts)
        assert refused.value.at == at, texts


def test_variants_that_cannot_be_played_are_left_out_and_have_no_steps() -> None:
    found = grid("dealt=8..10", rules="lama/amigo", players=6)
    assert [cell.rules.dealt for cell in found.cells] == [8, 9]
    (left,) = found.left_out
    assert (left.values, "2 to 5 players" in left.reason) == ({"dealt": 10}, True)
    (fit,) = fits_of(found)
    assert fit.steps == ()
    with pytest.raises(ReadError, match="only one of 2 variants"):
        grid("pink=20,30", rules="lama/amigo")


@pytest.mark.parametrize(
    ("text", "low", "high", "verdict"),
    [
        ("rounds=4..6", 4.0, 6.0, SURELY),
        ("rounds=4..6", 3.9, 5, MAYBE),
        ("rounds=4..6", 3, 7, MAYBE),
        ("rounds=4..6", 6.1, 7, SURELY_NOT),
        ("rounds=4..6", 3, 4, MAYBE),
        ("Rounds >= 4", 4, 9, SURELY),
        ("rounds>4", 4, 9, MAYBE),
        ("rounds<4", 4, 4, SURELY_NOT),
        ("rounds<=4", 4, 4, SURELY),
        ("seat_bias < 0.01", 0.009, 0.02, MAYBE),
        ("seat bias<1 %", 0.01, 0.02, SURELY_NOT),
        ("win seat 0=24..26%", 0.245, 0.255, SURELY),
        ("went out=24%..26%", 0.27, 0.3, SURELY_NOT),
        ("decided<95%", 90, 94, SURELY),
        ("decided<95", 90, 96, MAYBE),
    ],
)
def test_a_wish_has_three_answers(text: str, low: float, high: float, verdict: str) -> None:
    (wish,) = read_wishes([text], MEASURES)
    assert wish.verdict(interval(low, high)) == verdict


@pytest.mark.parametrize(
    "text",
    [
        *("rond<4", "rounds", "<4", "rounds=4", "rounds=6..4", "rounds<4%", "rounds<1e999"),
        *("rounds<nan", "seat bias<1.5", "win seat 0=20..30", "seat bias<-1", "win<30%"),
        *("matter>10%", "worms>3"),
    ],
)
def test_wishes_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ReadError) as refused:
        read_wishes([text], MEASURES, "Lama Dice")
    assert refused.value.text == text


def test_wishes_together() -> None:
    with pytest.raises(ReadError, match="given twice"):
        read_wishes(["rounds<4", "rounds<4"], MEASURES)
    wishes = read_wishes(["rounds=4..6", "seat bias<1%"], MEASURES)
    inside, over, off = interval(4.5, 5), interval(5, 7), interval(7, 8)
    fair, open_ = interval(0, 0.005), interval(0, 0.02)
    measures = {
        "both": {"rounds": inside, "seat bias": fair},
        "one open": {"rounds": inside, "seat bias": open_},
        "two open": {"rounds": over, "seat bias": open_},
        "one not": {"rounds": off, "seat bias": fair},
        "one not, one open": {"rounds": off, "seat bias": open_},
    }
    each, together = judged(wishes, measures)
    assert each[0].by_verdict == {
        SURELY: ("both", "one open"),
        MAYBE: ("two open",),
        SURELY_NOT: ("one not", "one not, one open"),
    }
    assert together is not None
    assert together.by_verdict == {
        SURELY: ("both",),
        MAYBE: ("one open", "two open"),
        SURELY_NOT: ("one not", "one not, one open"),
    }
    assert judged(wishes[:1], measures)[1] is None


@pytest.mark.parametrize(
    ("names", "intervals"),
    [
        ("rounds", 2 * 4 + 3),  # a measure and its distance from the mean, by variant; a trend
        ("win seat 0,win seat 1", 2 * (2 * 4 + 3)),
        ("rounds,seat bias", (2 + 3) * 4 + 3),  # the rates of three seats
        ("win seat 0,win seat 1,seat bias", (2 + 3) * 4 + 2 * 3),
    ],
)
def test_all_intervals_of_an_answer_are_counted(names: str, intervals: int) -> None:
    shown = [SEAT_BIAS if name == "seat bias" else MEASURES[name] for name in names.split(",")]
    fit: Any = SimpleNamespace(intervals=3)
    assert _intervals(shown, 3, 4, [fit]) == intervals


def test_the_seat_bias_is_the_largest_distance() -> None:
    found = seat_bias([interval(0.2, 0.3), interval(0.3, 0.34), interval(0.1, 0.28)])
    assert found.value == pytest.approx(1 / 3 - 0.19)
    assert (found.low, found.high) == pytest.approx((1 / 3 - 0.28, 1 / 3 - 0.1))
    assert seat_bias([interval(0.4, 0.6), interval(0.4, 0.6)]).low == 0


def tallied(samples: np.ndarray) -> Sums:
    """Samples int64[variants, blocks] as a tally keeps them; a block is a game."""
    k = len(samples)
    more = samples[:, None] - samples[None]
    parts = [samples.sum(axis=1, keepdims=True), samples @ samples.T, (more != 0).sum(axis=2)]
    sums = np.concatenate([*parts, np.zeros((k, k), dtype=np.int64)], axis=1)
    return Sums(POINTS, sums, samples.shape[1], samples.shape[1], False)


def test_the_trends_of_a_known_case() -> None:
    luck = np.random.default_rng(3)
    found = grid("dealt=4..6", "target=30,50", players=2)
    games = luck.poisson(30, 4_000)
    rows = []
    for cell in found.cells:
        dealt, target = found.values(cell).values()
        rows.append(games + 5 * int(dealt) - int(target) // 10 + luck.poisson(2, 4_000))
    by_dealt, by_target = trends_of(fits_of(found), [tallied(np.array(rows))], 20)
    for trend, slope in ((by_dealt, 5), (by_target, -0.1)):
        assert trend.slope.low < slope < trend.slope.high
        assert trend.slope.high - trend.slope.low < abs(slope) / 2
    assert (by_dealt.verdict, by_dealt.throughout) == (GROWS, True)
    assert [(step.before, step.after) for step in by_dealt.steps] == [(4, 5), (5, 6)]
    assert (by_target.verdict, by_target.steps) == (FALLS, ())


def test_options_are_told_apart_where_variants_are_missing() -> None:
    found = grid("dealt=8..10", "target=30,50", rules="lama/amigo", players=6)
    every = grid("dealt=4..6", "target=30,50", rules="lama/amigo")
    some = type(every)(every.game, every.base, every.axes, every.cells[:-1])
    assert len(found.cells) == 4
    for one in (found, some):
        rows = []
        for cell in one.cells:
            dealt, target = one.values(cell).values()
            rows.append(np.full(200, 7 * int(dealt) + 2 * int(target)))
        by_dealt, by_target = trends_of(fits_of(one), [tallied(np.array(rows))], 1)
        assert (by_dealt.slope.value, by_target.slope.value) == (7, 2)
        assert by_dealt.slope.low < 7 < by_dealt.slope.high


def test_what_has_no_trend() -> None:
    found = grid("points=1.2.3.4.5.6,1.1.1.1.1.1,2.2.2.2.2.2", "twenty")
    assert [fit.axis.option for fit in fits_of(found)] == ["twenty"]
    alike = tallied(np.ones((6, 200), dtype=np.int64))
    (trend,) = trends_of(fits_of(found), [alike], 1)
    assert (trend.verdict, trend.identical) == (UNCLEAR, True)
    assert trend.slope.low < 0 < trend.slope.high
    proven = Sums(POINTS, alike.sums, 200, 200, True)
    (trend,) = trends_of(fits_of(found), [proven], 1)
    assert (trend.slope, trend.identical) == (exact(0.0), False)


def test_what_no_game_showed_is_open_by_what_a_game_can_change_at_most() -> None:
    """A switch may change a whole game; each of ten points of the target a tenth of it."""
    alike = tallied(np.ones((2, 200), dtype=np.int64))
    (switch,), (target,) = (
        trends_of(fits_of(grid(vary)), [alike], 1) for vary in ("twenty", "target=30,40")
    )
    assert 0.005 < switch.slope.high < 0.05
    assert target.slope.high == pytest.approx(switch.slope.high / 10)


def test_a_slope_that_some_games_make_is_wider_than_one_that_all_make() -> None:
    rows = np.zeros((2, 4_000), dtype=np.int64)
    rows[1, :40] = 10
    (trend,) = trends_of(fits_of(grid("target=30,40")), [tallied(rows)], 1)
    z = NormalDist().inv_cdf(0.975)
    wider = (1 + 2 * z * z * (1 / 40 - 1 / 4_000)) ** 0.5
    for found in (trend.slope, from_mean(tallied(rows), 1, 1)):
        half = (found.high - found.low) / 2
        assert half == pytest.approx(stats.t.isf(0.025, 39) * wider * found.stderr)
    assert wider > 1.08


def test_a_trend_rests_on_the_pair_that_differs_most_often() -> None:
    """The first step changes a few games, the second one nearly all."""
    rows = np.zeros((3, 4_000), dtype=np.int64)
    rows[1, :8] = 3
    rows[2] = 10 + np.random.default_rng(6).poisson(9, 4_000)
    played = tallied(rows)
    (trend,) = trends_of(fits_of(grid("target=20,30,40")), [played], 1)
    assert (trend.rare, trend.verdict) == (False, GROWS)
    # No wider than the normal interval of the same slope: nothing is rare in it.
    half = (trend.slope.high - trend.slope.low) / 2
    assert half == pytest.approx(1.96 * trend.slope.stderr, rel=0.01)


def test_an_option_that_rarely_matters_is_seen_beside_one_that_often_does() -> None:
    rare = np.zeros(4_000, dtype=np.int64)
    rare[:8] = 1_000
    often = np.random.default_rng(5).poisson(9, 4_000)
    rows = np.array([0 * often, rare, often, often + rare])
    by_dealt, by_target = trends_of(fits_of(grid("dealt=5,6", "target=30,40")), [tallied(rows)], 1)
    assert (by_dealt.rare, by_dealt.verdict) == (False, GROWS)
    assert (by_target.rare, by_target.verdict) == (True, UNCLEAR)


def test_shapes() -> None:
    up, down, open_ = interval(1, 2), interval(-2, -1), interval(-1, 1)

    def trend(slope: Estimate, *steps: Estimate) -> Trend:
        return Trend("o", POINTS, slope, tuple(Step(0, 1, step) for step in steps))

    assert (trend(up, up, up).shape, trend(up, up, up).throughout) == (GROWS, True)
    assert (trend(up, up, open_).shape, trend(up, up, open_).throughout) == (GROWS, False)
    assert trend(up, up, down).shape == trend(open_, up, down).shape == NOT_MONOTONE
    assert trend(down, down).shape == FALLS
    assert trend(open_, open_).shape == UNCLEAR
    assert replace(trend(up, up, down), rare=True).shape == UNCLEAR  # it rests on few games


def test_distances_from_the_mean_of_all_variants() -> None:
    luck = np.random.default_rng(4)
    samples = luck.integers(0, 9, (5, 300))
    apart = [from_mean(tallied(samples), at, 10) for at in range(5)]
    means = samples.mean(axis=1)
    assert [found.value for found in apart] == pytest.approx((means - means.mean()).tolist())
    each = samples - samples.mean(axis=0)
    errors = each.std(axis=1, ddof=1) / 300**0.5
    assert [found.stderr for found in apart] == pytest.approx(errors.tolist())


def test_values_and_differences_are_those_of_compare() -> None:
    """Bit for bit: the same rule sets, policy, seed and games are the same tally."""
    swept = lo.sweep("dice/amigo", ["dealt=4..6"], 2, policy=POLICY, games=800, seed=7)
    rules = [f"dice/amigo+dealt={dealt}" for dealt in (4, 5)] + ["dice/amigo"]
    compared = lo.compare(rules, 2, policy=POLICY, games=800, seed=7, all_pairs=True)
    assert [variant.rules for variant in swept.variants] == rules
    by_rules = {variant.rules: variant.measures for variant in swept.variants}
    checked = 0
    for row in compared.rows:
        if row.measure.name == "decisions":
            continue
        for id_, found in ((row.against, row.baseline), (row.rules, row.other)):
            other = by_rules[id_][row.measure.name]
            assert (found.value, found.stderr, found.n) == (other.value, other.stderr, other.n)
            checked += 1
    steps = {trend.measure.name: trend.steps[0].difference for trend in swept.trends}
    for row in compared.rows[:11]:
        if row.measure.name in steps and row.rules == rules[1]:
            step = steps[row.measure.name]
            assert (step.value, step.stderr) == pytest.approx(
                (row.difference.value, row.difference.stderr), rel=1e-12
            )
            assert step.high - step.low >= row.difference.high - row.difference.low
            checked += 1
    assert checked > 40


def test_the_answer_has_every_variant() -> None:
    found = small()
    assert [variant.values for variant in found.variants] == [
        {"dealt": dealt, "target": target} for dealt in (5, 6) for target in (20, 30, 40)
    ]
    assert found.variants[-1].rules == "dice/amigo"
    names = {measure.name for measure in found.measures}
    assert {"rounds", "win seat 1", "seat bias"} <= names
    for variant in found.variants:
        assert variant.measures.keys() == names
        assert variant.apart.keys() == names - {"seat bias"}
    counted = len(names) - 1
    # 6 variants; a slope of dealt, a slope and two steps of target.
    assert found.intervals == 6 * 2 * counted + counted * 4
    rounds = [trend for trend in found.trends if trend.measure.name == "rounds"]
    assert [(t.option, t.verdict) for t in rounds if t.option == "target"] == [("target", GROWS)]


def test_wishes_are_decided_from_the_intervals() -> None:
    for judged_, name in zip(small().wishes, ("rounds", "seat bias", "win seat 0"), strict=True):
        assert sum(map(len, judged_.by_verdict.values())) == 6
        assert judged_.wish is not None
        for variant in small().variants:
            verdict = judged_.wish.verdict(variant.measures[name])
            assert variant.rules in judged_.by_verdict[verdict]


def solved(of: Grid, axis: int) -> list[Contrast | None]:
    """Each step as the coefficient of a column, the others' values having levels of their own."""
    numbers = [len(each.values) for each in of.axes]
    columns = [[int(cell.at[axis] >= at) for cell in of.cells] for at in range(1, numbers[axis])]
    columns.append([1] * len(of.cells))
    for other in range(len(of.axes)):
        there = sorted({cell.at[other] for cell in of.cells})[1:] if other != axis else []
        columns += [[int(cell.at[other] == at) for cell in of.cells] for at in there]
    return [coefficient(columns, at) for at in range(numbers[axis] - 1)]


@pytest.mark.parametrize(
    ("vary", "players"),
    [
        (("target=10,20,40,70",), 2),
        (("target=10..13", "dealt=4..6", "twenty"), 2),
        (("target=10,20,30", "twenty", "pink=20,30"), 2),  # pink=30 needs twenty
    ],
)
def test_steps_are_coefficients_of_the_fit(vary: tuple[str, ...], players: int) -> None:
    found = grid(*vary, rules="lama/amigo", players=players)
    for fit in fits_of(found):
        if len(fit.axis.values) > 2:
            steps = [step for _, step in fit.steps]
            assert steps == solved(found, found.axes.index(fit.axis))


def test_a_hundred_values_take_no_time() -> None:
    (fit,) = fits_of(grid("target=10..109"))
    assert len(fit.steps) == 99
    assert fit.steps[7][1].weights[6:10] == (0, -1, 1, 0)


def test_values_without_an_order_are_told_apart() -> None:
    vary = {"out_token": ["always", "llama", "never"]}
    found = lo.sweep("lama/amigo", vary, 4, policy="threshold:5", games=2_000).found
    (line,) = findings(found)
    assert line.startswith("▶ The values of out_token differ in spread, points")
    assert "went_out" not in [measure.name for measure in shown_measures(found, 4)]  # all alike


@pytest.mark.long
def test_each_variant_can_have_its_own_policy() -> None:
    game = game_of("lama/egmont")
    found = lo.sweep("lama/egmont", ["llama_each"], 2, policies="retuned", games=100)
    best = game.best_for_each([game.rules(variant.rules) for variant in found.variants], 2)
    assert list(found.policies) == [policy.name for policy in best]
    assert found.retuned
