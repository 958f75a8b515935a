"""Every statement of certainty is as often wrong as known; several of an answer share its rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t

from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, losses, other_choices
from lama_odds.analysis.advice.rollouts import Race
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.objectives import POINTS, Objective
from lama_odds.statistics.equivalence import UNDECIDED, grouped_share, judge
from lama_odds.statistics.intervals import Moments, half_width
from lama_odds.statistics.race import is_clear, survivors
from tests.calibration import advice, comparisons, standings
from tests.calibration.playing import Statement, advice_of, check, check_noticed, rollouts

STATEMENTS = [*advice.STATEMENTS, *comparisons.STATEMENTS, *standings.STATEMENTS]

GAMES = 8_192
SQUARES = 4 * GAMES  # of each rival's payoffs; the best action always gets 0


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.long] * (each.name == "sweep"))
        for each in STATEMENTS
    ],
)
def test_as_often_wrong_as_known(statement: Statement) -> None:
    check(statement)


@pytest.mark.long
@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.name)
def test_half_as_often_again_would_be_noticed(
    statement: Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_noticed(statement, monkeypatch)


# Several statements of one answer share its error rate: where each flips, to a thousandth.


def moments(rivals: int, total: int) -> Moments:
    """An action that costs nothing, and others that cost this in sum, all with one variance."""
    sums = np.zeros((rivals + 1, rivals + 2), dtype=np.int64)
    sums[1:, 0] = total
    sums[np.arange(1, rivals + 1), np.arange(2, rivals + 2)] = SQUARES
    return Moments(sums, GAMES, span=0.0)


def spread(total: int) -> float:
    """The standard error of a rival's mean cost, in sums of GAMES games."""
    return math.sqrt((SQUARES - total**2 / GAMES) * GAMES / (GAMES - 1))


def errors_at_flip(stated: Callable[[int], bool]) -> float:
    """The smallest cost of each rival, in standard errors, at which a statement is made."""
    low, high = 0, GAMES
    assert stated(high) and not stated(low)  # noqa: PT018
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if stated(middle) else (middle, high)
    return high / spread(high)


def at_any_look(alpha: float) -> float:
    """The anytime-valid half-width at this error rate, in standard errors."""
    return half_width(1.0, GAMES, alpha) * math.sqrt(GAMES)


@pytest.mark.parametrize("rivals", [1, 2, 5])
def test_rivals_share_the_error_rate_of_a_race(rivals: int) -> None:
    found = errors_at_flip(lambda total: is_clear(moments(rivals, total), lowest=True))
    assert found == pytest.approx(at_any_look(0.05 / rivals), rel=2e-3)


@pytest.mark.parametrize("rivals", [1, 2, 5])
def test_rivals_share_the_error_rate_at_which_they_are_dropped(rivals: int) -> None:
    nothing: Any = None
    names = tuple("abcdef"[: rivals + 1])

    def dropped(total: int) -> bool:
        sums = moments(rivals, total).sums
        tally = np.append(sums, np.zeros(2 * len(names) + 1, dtype=np.int64))
        made = (nothing, names, ("points",), (1.0,), (), ("0", "1"))
        race = Race(RolloutJob(*made, among=lambda _: nothing), tally, GAMES)
        race.drop(POINTS, ())
        return sorted(race.dropped) == list(range(1, rivals + 1))

    assert errors_at_flip(dropped) == pytest.approx(at_any_look(0.05 / rivals), rel=2e-3)


@pytest.mark.parametrize("rivals", [1, 2, 5])
def test_rivals_share_the_error_rate_of_advice(rivals: int) -> None:
    counts = replace(POINTS, zone=0.0)
    found = errors_at_flip(lambda total: advice_of(moments(rivals, total), counts).verdict == "a")
    assert found == pytest.approx(at_any_look(0.05 / rivals), rel=2e-3)
    # A toss-up leaves just as much room to the zone.
    wide = at_any_look(0.05 / rivals) * spread(100) / GAMES + 100 / GAMES
    for zone, verdict in ((wide * 0.999, TOO_CLOSE), (wide * 1.001, TOSS_UP)):
        assert advice_of(moments(rivals, 100), replace(POINTS, zone=zone)).verdict == verdict


def test_games_that_settle_a_toss_up_keep_it_from_both_edges_of_the_zone() -> None:
    """With a chance of 80 % that it is within both, where nothing tells the two apart."""
    played = rollouts({"points": moments(1, 0)})
    games = played.games_needed(replace(POINTS, zone=0.05), 1, 0, 0.05)

    def room(n: float) -> float:
        return half_width(4.0, int(n), 0.05) + float(norm.isf(0.1)) * 2 / math.sqrt(n)

    assert room(1.02 * games) < 0.05 < room(games / 1.15)


@pytest.mark.parametrize("higher", [False, True])
@pytest.mark.parametrize(("candidates", "looks"), [(2, 1), (2, 8), (6, 1), (6, 8)])
def test_candidates_and_looks_share_the_error_rate_of_a_tuning_race(
    candidates: int, looks: int, higher: bool
) -> None:
    blocks = 16
    noise = np.array([1.0, -1.0] * (blocks // 2))
    sign = 1 if higher else -1

    def left(thousandths: int) -> tuple[int, ...]:
        """Who is behind, if all but one are this far behind."""
        samples = np.tile(noise, (candidates, 1))
        samples[0] = sign * thousandths / 1_000
        samples[1:] -= samples[1:].mean()
        return survivors(samples, np.arange(candidates), looks, higher, 0.0).behind

    bound = t.isf(0.05 / (looks * (candidates - 1)), blocks - 1) * noise.std(ddof=1) / 4
    assert left(math.floor(999 * bound)) == ()
    assert left(math.ceil(1_001 * bound)) == tuple(range(1, candidates))


def objectives(number: int) -> dict[str, Objective]:
    """Some objectives without a zone, after the one that is asked for."""
    names = ("asked", *"pqrstu"[:number])
    return {name: replace(POINTS, name=name, zone=0.0) for name in names}


@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("rivals", [1, 3])
def test_other_objectives_and_actions_share_the_error_rate(number: int, rivals: int) -> None:
    known = objectives(number)
    names = list(known)[1:]

    def chosen(total: int) -> list[str]:
        """The objectives that would choose another action than b, which is asked about."""
        played = rollouts({name: moments(rivals, total) for name in names})
        actions = [(action, {}) for action in ("b", *played.actions)]
        return [choice.objective for choice in other_choices(known, "asked", actions, played)]

    found = errors_at_flip(lambda total: chosen(total) == names)
    assert found == pytest.approx(at_any_look(0.05 / number / rivals), rel=2e-3)
    assert errors_at_flip(lambda total: chosen(total) != []) == found


@pytest.mark.parametrize("rivals", [1, 3])
def test_actions_share_the_error_rate_of_a_fixed_number_of_games(rivals: int) -> None:
    def lost(total: int) -> bool:
        played = rollouts({"points": moments(rivals, total)})
        _, loses = losses("points", POINTS, played, 0.04, fixed=True)
        return all(each.low > 0 for each in loses.values())

    assert errors_at_flip(lost) == pytest.approx(norm.isf(0.02 / rivals), rel=2e-3)


def test_missing_games_are_those_of_the_level_that_each_of_several_has() -> None:
    class Open:
        p = p_same = 0.9

        def missing(self, alpha: float) -> int:
            return round(1 / alpha)

    for number in (1, 3, 40):
        judged = judge([Open()] * number)
        assert {(each.verdict, each.more) for each in judged} == {(UNDECIDED, 20 * number)}
    assert judge([Open()] * 3, alpha=0.1)[0].more == 30


def test_clumps_of_few_groups_may_be_twice_as_large_as_those_seen() -> None:
    """Three groups with four values that count: clumps of eight, so 2,000 values are worth 250."""
    counts, found = np.full(100, 20), np.zeros(100, dtype=int)
    found[[3, 50, 70]] = 4
    share = grouped_share(found, counts, 0.02)
    assert share.worth == pytest.approx(2_000 / 8)
    assert share.p_same == pytest.approx(norm.cdf((0.006 - 0.02) / math.sqrt(0.02 * 0.98 / 250)))
    # A group is never worth less than one value: here each is one clump.
    assert grouped_share(counts * (found > 0), counts, 0.02).worth == 100
