"""Sums of a review hold the truth, turns are worth their ends, ratings say what decisions tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from lama_odds.analysis.advice.answer import ActionValue, Advice
from lama_odds.analysis.coach import history as past
from lama_odds.analysis.coach import luck, turns
from lama_odds.analysis.coach.grades import (
    NOWHERE,
    Graded,
    Rated,
    Worth,
    graded,
    learned_worth,
    measured,
    rating,
    references,
)
from lama_odds.analysis.coach.kept import KeptReviews
from lama_odds.analysis.coach.luck import Swing
from lama_odds.analysis.coach.review import Grader, _to_the_end, seed_of
from lama_odds.analysis.coach.sums import _Error, _half_width, lost_by, spread_of
from lama_odds.analysis.coach.turns import Ends, weighted
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.objectives import POINTS as COUNTS
from lama_odds.games.interface.objectives import WIN as WHOLE_GAME
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, recorded_of
from lama_odds.statistics.intervals import ALPHA, Moments, half_width
from tests.analysis.test_review import BLUNDER, LAST, adds_up, look, pikomino, played, unnamed

GAMES = 1_000
NAMES = "abcdefgh"


def sampled(
    rng: np.random.Generator,
    means: Sequence[float],
    spread: float = 10.0,
    tuned: int | None = None,
) -> Moments:
    """Actions with these means, each sampled by GAMES games."""
    k = len(means)
    # Sums of as many normal payoffs, in thousandths; what they vary by is that of the population.
    centre = np.array(means) + rng.normal(size=k) * spread / math.sqrt(GAMES)
    products = GAMES * (np.outer(centre, centre) + np.eye(k) * spread**2)
    sums = np.column_stack([GAMES * centre * 1_000, products * 1e6]).astype(np.int64)
    return Moments(sums, GAMES, 0.001, span=20_000.0, tuned=tuned)


def valued(rng: np.random.Generator, means: Sequence[float]) -> Worth:
    """A decision of the first of these actions, where the policy would take the second."""
    moments = sampled(rng, means)
    decision = Decision(1, 0, 0, 0, NAMES[0], "", None)
    return Worth(decision, NAMES[1], moments.mean(1), moments.mean(0), moments.difference(0, 1))


def looked_at(
    rng: np.random.Generator,
    means: Sequence[float],
    spread: float = 10.0,
    tuned: int | None = None,
) -> Graded:
    """A decision of the first of these actions."""
    k, moments = len(means), sampled(rng, means, spread, tuned)
    sums = moments.sums
    best = moments.best(lowest=True)
    actions = [
        ActionValue(
            NAMES[a], moments.mean(a), moments.difference(a, best, ALPHA / max(1, k - 1)), {}, {}
        )
        for a in sorted(range(k), key=lambda a: sums[a, 0])
    ]
    advice = Advice(
        *("", "", "points", actions[0].action, actions[0].action, tuple(actions)),
        *("simulation", GAMES, 0, 0.0, ()),
        counts=COUNTS,
        tuned=tuned,
    )
    return graded(Decision(1, 0, 0, 0, NAMES[0], "", None), advice, COUNTS.grades)


def test_the_lower_end_is_taken_against_the_worst_action_that_may_be_the_best() -> None:
    """b may be as good as a, which looked best; c is clearly worse, d is what was played."""
    costs = {"a": 0.0, "b": 0.2, "c": 3.0, "d": 4.0}
    half = half_width(GAMES * 0.1**2, GAMES, ALPHA / 3)
    actions = tuple(
        ActionValue(
            name,
            Estimate.from_half(10 + cost, 0.1, half, GAMES),
            Estimate.from_half(cost, 0.1, half, GAMES)
            if cost
            else Estimate.from_half(0.0, 0.0, 0.0, GAMES),
            {},
            {},
        )
        for name, cost in costs.items()
    )
    advice = Advice(
        *("", "", "points", "a", "a", actions, "simulation", GAMES, 0, 0.0, ()), counts=COUNTS
    )
    found = graded(Decision(1, 0, 0, 0, "d", "", None), advice, COUNTS.grades)
    assert found.error.value == 4.0
    assert found.margin.floor == pytest.approx(4.0 - 0.2)
    lost, low, high = lost_by([found])
    assert (lost - 0.2 - low, high - lost) == pytest.approx((found.margin.below,) * 2)
    # What may itself be the best is not sure to cost anything.
    close = graded(Decision(1, 0, 0, 0, "b", "", None), advice, COUNTS.grades)
    assert (close.margin.floor, lost_by([close])[1]) == (0.0, 0.0)


def test_parts_of_a_result_hold_the_truth() -> None:
    """Two stretches of three decisions; luck of its own, and between, is what is left."""
    rng = np.random.default_rng(6)
    means = (4.0, 0.0, 0.5)
    runs = 100
    held = dict.fromkeys(("start", "rolls", "between", "skill", "adjusted"), 0)
    swings = [Swing(0, 2 * i, 1, "", 0.0, i % 2 == 0) for i in range(6)]
    for _ in range(runs):
        own = [valued(rng, means) for _ in range(6)]
        spread = spread_of(own, [0, 0, 0, 1, 1, 1], swings, range(0, 12, 2), False, True)
        best = [each.before.value for each in own]
        chosen = [each.after.value for each in own]
        # Ends of both stretches taken as 0; the truth is 0 for the policy, 4 for what was chosen.
        seen = {
            "start": (best[0] + best[3], 0.0),
            "rolls": (best[1] - chosen[0] - chosen[2] + best[5] - chosen[4], -12.0),
            "between": (best[2] - chosen[1] + best[4] - chosen[3] - chosen[5], -12.0),
            "skill": (sum(chosen) - sum(best), 24.0),
            "adjusted": (best[0] + best[3] + sum(chosen) - sum(best), 24.0),
        }
        for name, (value, truth) in seen.items():
            half = getattr(spread, name)
            held[name] += abs(value - truth) <= half
        assert spread.result == 0.0
    # About 95 of 100: not fewer than chance allows, and not all.
    assert all(0.91 * runs <= count <= 0.99 * runs for count in held.values()), held


def test_a_seed_is_the_same_for_ever() -> None:
    assert len({seed_of(s, line, at) for s in (0, 1) for line in (1, 11) for at in (0, 1)}) == 8
    assert [seed_of(0, 12, 1), seed_of(7, 3, 0)] == [242_564_542_965_461, 225_729_723_477_066]


@pytest.mark.parametrize(
    ("counts", "bound", "method", "solved"),
    [
        (COUNTS, 0.01, "exact", True),
        (WHOLE_GAME, 0.0, "exact", True),
        (WHOLE_GAME, 0.01, "exact", False),  # the bound of a table that values later rounds
        (COUNTS, 0.0, "simulation", False),
    ],
)
def test_a_decision_is_solved_to_the_end_where_nothing_later_is_looked_up(
    counts: Objective, bound: float, method: str, solved: bool
) -> None:
    values = {"a": exact(0.5, bound), "b": exact(0.25)}
    decision: Any = SimpleNamespace(method=method, values=values)
    asked: Any = SimpleNamespace(counts=counts)
    assert _to_the_end(asked, decision) is solved


def test_an_exact_value_counts_as_it_is() -> None:
    rng = np.random.default_rng(8)
    found = valued(rng, (4.0, 0.0))
    solved = Worth(found.decision, "b", exact(0.0), exact(4.0), exact(4.0))
    one, other = (spread_of([each], [0], [], [0], False, False) for each in (found, solved))
    assert one.result > 0 == other.result
    assert spread_of([found], [0], [], [0], False, True).result == 0.0
    # Bounds of what was solved are sure, and add up as they are.
    bounded = Worth(found.decision, "b", exact(0.0, 0.1), exact(4.0, 0.1), exact(4.0, 0.15))
    several = spread_of([bounded] * 3, [0] * 3, [], range(3), False, True)
    assert several.skill == pytest.approx(0.45)
    assert several.start == pytest.approx(0.1)


def judged(chosen: str, costs: dict[str, tuple[float, float]], **how: Any) -> Graded:
    """A decision where a is best, and others cost so much, each with its half-width."""
    method, games, turn, by_turn = (
        how.get(name, usual)
        for name, usual in (("method", "simulation"), ("games", 0), ("turn", 0), ("by_turn", False))
    )
    actions = [ActionValue("a", Estimate.from_half(0.5, 0.02, 0.04, 50), exact(0.0), {}, {})]
    for name, (lost, half) in costs.items():
        value = Estimate.from_half(0.5 - lost, 0.02, 0.04, 50)
        regret = Estimate.from_half(lost, half / 2, half, 50)
        actions.append(ActionValue(name, value, regret, {}, {}))
    advice = Advice(
        *("", "", "win", "a", "a", tuple(actions), method, games, 0, 0.0, ()), counts=WHOLE_GAME
    )
    decision = Decision(1, 0, turn, 0, chosen, "", None)
    return graded(decision, advice, (0.005, 0.02, 0.05), by_turn)


def learned(turn: int, lost: float = 0.02) -> Graded:
    """A decision of the second of two actions whose chances were learned."""
    return judged("b", {"b": (lost, 0.015)}, turn=turn)


def test_the_least_that_a_decision_cost_holds_for_all_decisions_together() -> None:
    of_turn = judged("c", {"b": (0.01, 0.004), "c": (0.02, 0.004)}, games=GAMES, by_turn=True)
    for number in (1, 7):
        least = 0.02 - 0.015 * norm.isf(0.025 / number) / norm.isf(0.025)
        assert learned(0).settled(number, NOWHERE).surely == pytest.approx(max(0.0, least))
        least = 0.02 - 0.004 * norm.isf(0.0125 / number) / norm.isf(0.0125)
        assert of_turn.settled(number, NOWHERE).surely == pytest.approx(least)
    solved, hardly = (judged("b", {"b": (lost, 0.02)}, method="exact") for lost in (0.1, 0.01))
    assert (solved.error.low, solved.error.high) == pytest.approx((0.08, 0.12))
    assert astuple(solved.margin) == pytest.approx((0.08, 0.0, 0.02))
    assert [each.settled(9, NOWHERE).surely for each in (solved, hardly)] == [
        pytest.approx(0.08),
        0.0,
    ]
    # What looked best may be worse than another by what the intervals allow.
    best = judged("a", {"b": (0.01, 0.04), "c": (0.05, 0.01)})
    assert (best.error.value, best.error.low, best.error.high) == pytest.approx((0, 0, 0.03))
    assert astuple(best.margin) == pytest.approx((0.0, 0.03, 0.03))


def test_errors_of_learned_chances_add_up_within_a_turn() -> None:
    one = learned(0)
    assert one.learned
    assert (one.error.low, one.error.high) == pytest.approx((0.005, 0.035))
    same, apart = [one, learned(0)], [one, learned(1)]
    assert lost_by(same) == pytest.approx((0.04, 0.01, 0.07))
    half = math.sqrt(2) * 0.015
    assert lost_by(apart) == pytest.approx((0.04, 0.04 - half, 0.04 + half))
    for found, skill in ((same, 0.03), (apart, half)):
        worths = [learned_worth(each) for each in found]
        assert [worth.skill.value for worth in worths] == pytest.approx([-0.02] * 2)
        spread = spread_of(worths, [0, 0], [], [0, 1], True, True)
        assert spread.skill == pytest.approx(skill)
        assert spread.start == pytest.approx(0.04)
    # Nothing is certain about an action that is hardly worse.
    low = lost_by([learned(0, lost=0.01)])[1]
    assert low == 0.0


STRONG = Rated("strong", 0.1, 0.01, 400, 40)
WEAK = Rated("weak", 0.5, 0.02, 400, 40)


def test_the_nearest_and_all_that_fit() -> None:
    few, many = rating(0.2, 4, (STRONG, WEAK)), rating(0.2, 4_000, (STRONG, WEAK))
    assert few is not None
    assert many is not None
    assert (few.nearest, many.nearest) == (STRONG, STRONG)
    # Four decisions of the strong one have a standard error of 0.1, of the weak one of 0.2.
    assert few.fits == (STRONG, WEAK)
    assert many.fits == ()
    assert rating(0.51, 100, (STRONG, WEAK)).fits == (WEAK,)  # type: ignore[union-attr]
    assert rating(0.0, 0, (STRONG,)) is None
    assert rating(0.1, 5, ()) is None
    means = [rated.mean for rated in references("pikomino/egmont", 2, "points")]
    assert len(means) > 2
    assert means == sorted(means)
    assert references("pikomino/egmont+short", 2, "points") == ()
    assert references("pikomino/egmont", 7, "points") == ()


def test_a_rating_is_of_choices_and_of_as_many_games_as_were_measured() -> None:
    """Of three decisions one is forced: all worms are kept, and nothing can be kept later."""
    policies = pikomino("random", 0).seats[1].rating
    assert policies is not None
    assert policies.nearest.policy == "random"
    assert "optimal-turn" not in [rated.policy for rated in policies.fits]
    text = BLUNDER + "1 roll 11111111 keep 1 bust\n"
    seat = look(text).seats[0]
    assert seat.rating is not None
    assert seat.rating.decisions == seat.decisions == 2
    assert seat.rating.mean == pytest.approx(seat.error / 2)
    assert look(text, games=1_000).seats[0].rating is None


def test_who_never_errs_is_like_nobody_else() -> None:
    perfect = Rated("perfect", 0.0, 0.0, 400, 40)
    assert perfect.fits(0.0, 10)
    assert not perfect.fits(0.01, 10)


def test_means_by_games_and_their_error() -> None:
    found = measured("p", [[1.0, 0.0], [], [0.0, 0.0], [2.0, 1.0]])
    assert (found.mean, found.decisions, found.games) == (pytest.approx(4 / 6), 6, 3)
    apart = (1 - 4 / 3) ** 2 + (4 / 3) ** 2 + (3 - 4 / 3) ** 2
    assert found.stderr == pytest.approx(math.sqrt(apart * 3 / 2) / 6)


def test_a_trend_is_of_games_with_decisions_early_and_late() -> None:
    costs = [*[[1.0]] * 4, *[[]] * 6, *[[3.0, 3.0]] * 4]
    found = past._trend(costs)
    assert found is not None
    assert [(block.first, block.last, block.decisions) for block in found.blocks] == [
        *((1, 2, 2), (3, 4, 2), (11, 12, 4), (13, 14, 4)),
    ]
    assert [block.mean_error.value for block in found.blocks] == [1.0, 1.0, 3.0, 3.0]
    assert found.change.value == 2.0
    assert past._trend(costs[:-1]) is None


def test_all_decisions_beyond_a_limit_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "COSTLIEST", 0)
    for limit, listed in ((None, 0), (0.5, 1), (5.0, 0)):
        found = past.history([past.Reviewed("game", look(BLUNDER, worse_than=limit))])
        assert [len(player.worst) for player in found.players] == [listed, 0][: len(found.players)]


def test_what_was_solved_has_no_error() -> None:
    found = looked_at(np.random.default_rng(5), (4.0, 0.0))
    sure = replace(found.margin, below=0, above=0, floor=found.error.value)
    lost, low, high = lost_by([replace(found, method="exact", margin=sure)] * 3)
    assert low == lost == high == pytest.approx(3 * found.error.value)
    assert lost_by([]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("tuned", [None, 10_000])
def test_one_decision_of_two_actions_has_the_normal_error_of_three_looks(tuned: int | None) -> None:
    """Whatever number of games its intervals are made for; five decisions have fifteen looks."""
    found = looked_at(np.random.default_rng(4), (4.0, 0.0), tuned=tuned)
    lost, low, high = lost_by([found])
    half = 2.394 * found.error.stderr
    assert (lost - low, high - lost) == (pytest.approx(half, rel=0.01),) * 2
    for several, z in ((1, 2.394), (5, 2.935)):
        least = lost - z * found.error.stderr
        assert found.settled(several, NOWHERE).surely == pytest.approx(least, rel=0.01)


def test_every_decision_has_games_of_its_own_that_only_the_seed_changes() -> None:
    found, other, seat = (
        look(LAST, objective="points", games=1_000, seed=seed, seat=seat)
        for seed, seat in ((0, None), (1, None), (0, 1))
    )
    seeds = [each.seed for each in found.decisions]
    assert len(set(seeds)) == len(seeds) >= 6
    assert not {each.seed for each in other.decisions} & set(seeds)
    assert max(seeds) < 1 << 53
    alike = [unnamed(each) for each in found.decisions if each.decision.seat == 1]
    assert [unnamed(each) for each in seat.decisions] == alike


def test_a_roll_is_own_luck_only_if_nobody_else_moved() -> None:
    def at(turn: int) -> Any:
        return SimpleNamespace(seat=0, line=turn, chosen="roll", rolled="13L", turn=turn)

    levels: Any = [SimpleNamespace(before=0.5, after=0.5), SimpleNamespace(before=0.3, after=0.3)]
    for later, own in ((7, True), (8, False)):
        first, _ = luck._swings([at(7), at(later)], levels, [0, 1], 0.3, True)
        assert (first.own, first.amount) == (own, pytest.approx(-0.2))
    quiet: Any = SimpleNamespace(seat=0, line=7, chosen="quit", rolled="", turn=7)
    for end, closing, swings in ((0.5, True, 0), (0.5, False, 1), (0.6, True, 1)):
        assert len(luck._swings([quiet], levels, [0], end, closing)) == swings


# Turns that are reviewed by their ends.
FACE = game_of("pikomino/egmont")
RULES = FACE.rules("pikomino/egmont")
LATE = 3  # turns before the end of a game, which is played in no time


def late(policies: list[str]) -> tuple[str, list[Decision]]:
    text = played("pikomino/egmont", policies)
    found = decisions(FACE, RULES, text)
    return text, [each for each in found if each.turn >= found[-1].turn - LATE]


def asked(games: int, threads: int = 1, learned: bool = False) -> Grader:
    return Grader(FACE, RULES, "worms", None, games, threads, 0, learned)


def best(players: int) -> Policy:
    return FACE.best_policy(RULES, players, "win")


def test_the_chances_of_ends_are_complete() -> None:
    _, found = late(["first-tile", "random"])
    plan = recorded_of(FACE).turn_plan(RULES, found[0].position, best(2))
    assert plan is not None
    for decision in (each for each in found if each.turn == found[0].turn):
        chances = plan.chances(decision.position, decision.chosen)
        assert math.fsum(chances.values()) == pytest.approx(1.0)
        assert all(0 < chance <= 1 for chance in chances.values())
    assert recorded_of(FACE).turn_plan(RULES, found[0].position, FACE.policy("random")) is None


def test_values_are_those_of_actions_played_out() -> None:
    """Two ways to sample the same: what they differ by is within both errors."""
    _, found = late(["first-tile", "random"])
    turn = [each for each in found if each.turn == found[0].turn]
    decision = turn[-1]
    going_on = asked(1_000).continuation(decision.position)
    graded, worth = turns.Turns(going_on, 200).review(decision, turn, 5)
    other = asked(1_000).grade(decision, 1_000)
    assert set(graded.values) == set(other.values)
    for action, value in graded.values.items():
        apart = math.hypot(value.stderr, other.values[action].stderr)
        assert abs(value.value - other.values[action].value) <= 4 * apart
    assert worth.usual == going_on.usual(decision)
    assert worth.after == graded.played


def test_rare_ends_of_a_turn_have_fewer_games_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rare is what no decision of the turn makes likely."""
    ways = {"roll": {"a": 0.5, "b": 0.2, "c": 0.3}, "stop": {"a": 0.94, "b": 0.05, "d": 0.01}}
    played: list[tuple[Any, ...]] = []
    monkeypatch.setattr(turns.Turns, "_weights", lambda _, decision: {"x": ways[decision.chosen]})
    monkeypatch.setattr(turns.Turns, "_played", lambda _, first, *asked: played.append(asked))
    nothing: Any = None
    turn = [Decision(1, 0, 0, 0, chosen, "", None) for chosen in ways]
    turns.Turns(nothing, 192)._sample(turn, 5)
    assert played == [(("a", "b", "c"), 192, 5), (("d",), 48, 6)]


def test_sums_of_ends_hold_the_truth() -> None:
    rng = np.random.default_rng(4)
    truth, names, n, runs, held = np.array([1.0, 2.0, 4.0]), ("a", "b", "c"), 100, 300, 0
    weights = {"a": 0.5, "b": -0.2, "c": -0.3}
    aim = 0.5 * 1 - 0.2 * 2 - 0.3 * 4
    for _ in range(runs):
        payoffs = rng.poisson(truth, size=(n, 3))
        sums = np.column_stack([payoffs.sum(axis=0), payoffs.T @ payoffs]).astype(np.int64)
        ends = Ends(names[:2], sums[:2, [0, 1, 2]], n, 1.0, 4.0)
        alone = Ends(names[2:], sums[2:, [0, 3]], n, 1.0, 4.0)
        found = weighted([ends, alone], weights)
        held += found.low <= aim <= found.high
    assert 0.93 * runs <= held
    # Where no game varied, two that are a whole span off may still come.
    same = Ends(names[:2], np.array([[300, 900, 600], [200, 600, 400]]), n, 0.5, 4.0)
    assert same.mean({"a": 1.0, "b": -1.0}) == pytest.approx((0.5, 0.0, 2 * 4.0**2 / n**2))


def test_a_game_for_worms_is_reviewed_by_turns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(turns, "GAMES", 32)
    kept = KeptReviews.beside(tmp_path / "game.txt")
    found = look(BLUNDER, objective="worms", kept=kept, threads=2)
    kept.close()
    assert all(each.by_turn for each in found.decisions)
    assert (found.method, found.games) == ("simulation", 32)
    assert adds_up(found)
    worst = found.decisions[-1]
    assert (worst.decision.chosen, worst.best) == ("stop 25", "roll")
    again = look(BLUNDER, objective="worms", kept=KeptReviews.beside(tmp_path / "game.txt"))
    threads = look(BLUNDER, objective="worms", threads=1)
    plain = [replace(each, seconds=0.0).to_json() for each in (found, again, threads)]
    assert plain[0] == plain[1] == plain[2]


def test_bounds_add_up_and_errors_by_chance_are_independent() -> None:
    """Bounds of 1 and 2, errors of 3 and 4; errors of learned chances in one turn add up."""
    first, second = ([1, 0], [0, 1])
    bounds = [_Error(1.0, 9.0, 9.0, True), _Error(9.0, 2.0, 9.0, True)]
    chance = [_Error(3.0, 9.0, 9.0, False), _Error(9.0, 4.0, 9.0, False)]
    assert _half_width(bounds + chance, [first, second] * 2) == pytest.approx(1 + 2 + 5)
    turn = [_Error(9.0, 9.0, apart, False, 7) for apart in (1.0, 2.0)]
    assert _half_width([*turn, chance[1]], [[-1, 1], [-1, 1], second]) == pytest.approx(5)


def test_a_rating_allows_for_the_error_of_what_was_measured() -> None:
    assert STRONG.spread(4) == pytest.approx(0.01 * math.sqrt(1 + 400 / 4))
    # However many decisions a seat had, those of the policy were only 400.
    assert STRONG.spread(4_000_000) == pytest.approx(0.01, rel=1e-3)
    assert STRONG.fits(0.1 + 0.019, 4_000_000)
