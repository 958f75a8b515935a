"""Comparisons: exact against simulations and twins, pairing, verdicts, decisions, files."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from lama_odds.analysis import simulate as simulate_module
from lama_odds.analysis.compare import compare as module
from lama_odds.analysis.compare import decisions as compare_decisions
from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.answer import Compared, delta_of
from lama_odds.analysis.compare.compare import Amount, CommonGames, Comparison, Row, compare
from lama_odds.analysis.compare.decisions import Side, share_apart
from lama_odds.analysis.simulate import simulate
from lama_odds.core.checks import Delta
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions, words_of
from lama_odds.jit.job import Measure
from lama_odds.report.text.compare import change, compared_csv
from lama_odds.simulation.run import Play, run
from lama_odds.statistics.equivalence import GroupedShare
from lama_odds.statistics.intervals import share_of
from tests.reference import dice as twin

GAMES = 1_600
EDITIONS = ("dice/amigo", "dice/egmont")


def compared(
    *ids: str, policy: str = "threshold:6", players: int = 3, games: int = 400, **more: Any
) -> Comparison:
    game = game_of(ids[0])
    variants = [game.rules(text) for text in ids]
    more = {"amount": Amount(games=games), "play": Play(3), **more}
    return compare(game, variants, [game.policy(policy)] * len(ids), players, **more)


@cache
def editions() -> Comparison:
    return compared(*EDITIONS, games=GAMES)


def row_of(found: Comparison, name: str, rules: str | None = None) -> Row:
    return next(r for r in found.rows if r.measure.name == name and rules in (None, r.rules))


def value(found: Comparison, name: str, rules: str) -> float:
    row = row_of(found, name)
    return (row.baseline if rules == row.against else row.other).value


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "of_rounds", "of_games", "of_seats"),
    [
        ("dice/amigo", ("actions", "went_out", "blown"), ("rounds",), "penalty"),
        ("lama/party+drama", ("actions", "went_out"), ("rounds",), "penalty"),
        ("pikomino/egmont", (), ("turns", "busts", "steals"), "worms"),
    ],
)
def test_values_are_those_of_simulate(
    rules: str, of_rounds: tuple[str, ...], of_games: tuple[str, ...], of_seats: str
) -> None:
    game = game_of(rules)
    policy, option = ("threshold:6", "target=30") if of_rounds else ("first-tile", "short")
    found = compared(rules, f"{rules}+{option}", policy=policy, games=304)
    for text in (rules, f"{rules}+{option}"):
        play = (game, game.rules(text), [game.policy(policy)] * 3, 304)
        games = simulate(*play, play=Play(3))
        rounds = simulate(*play, rounds=True, play=Play(3)) if of_rounds else games
        for name in (*of_rounds, *of_games):
            table = (rounds if name in of_rounds else games).table
            assert value(found, name, text) == pytest.approx(table[name].value)
        each = [seat[of_seats].value for seat in rounds.seats]
        assert value(found, of_seats, text) == pytest.approx(sum(each) / 3)
        wins = [seat["win"].value for seat in games.seats]
        assert [value(found, f"win seat {s}", text) for s in range(3)] == pytest.approx(wins)
        outright = sum(seat["outright"].value for seat in games.seats)
        assert value(found, "shared", text) == pytest.approx(1 - outright, abs=1e-12)


def test_differences_are_paired_block_by_block() -> None:
    game = game_of("dice/amigo")
    blocks = []
    for text in EDITIONS:
        job = game.simulation(game.rules(text), [game.policy("threshold:6")] * 3, True)
        sums = [run(job, 3, 8, first=first, threads=1).tally for first in range(0, GAMES, 8)]
        blocks.append(np.array([tally[:3, 0].sum() / 24 for tally in sums]))
    change, samples = blocks[1] - blocks[0], GAMES // 8
    row = row_of(editions(), "penalty")
    assert row.difference.value == pytest.approx(change.mean(), abs=1e-12)
    assert row.difference.stderr == pytest.approx(change.std(ddof=1) / samples**0.5, rel=1e-9)
    assert row.difference.n == GAMES
    apart = (blocks[0].var(ddof=1) + blocks[1].var(ddof=1)) / change.var(ddof=1)
    assert row.saving == pytest.approx(apart, rel=1e-9)
    assert row.relative == pytest.approx(row.difference.value / row.baseline.value)
    assert [replace(row, differing=blocks).rare for blocks in (0, 9, 60)] == [False, True, False]
    # The interval is one of 95 %, wider where few blocks differ.
    z = NormalDist().inv_cdf(0.975)
    wider = math.sqrt(1 + 2 * z * z * (1 / row.differing - 1 / samples))
    assert wider > 1.1
    half = stats.t.isf(0.025, row.differing - 1) * wider * row.difference.stderr
    assert (row.difference.high - row.difference.low) / 2 == pytest.approx(half)


def test_a_difference_is_the_second_of_a_pair_minus_the_first() -> None:
    ids = ("dice/amigo", "dice/amigo+target=50", "dice/amigo+target=30")
    found = compared(*ids, all_pairs=True)
    assert list(found.pairs) == [(ids[0], ids[1]), (ids[0], ids[2]), (ids[1], ids[2])]
    rows = [row for row in found.rows if row.measure.key != "decisions"]
    for row in rows:
        change = row.other.value - row.baseline.value
        assert row.difference.value == pytest.approx(change, abs=1e-12)
        for text, seen in ((row.against, row.baseline), (row.rules, row.other)):
            assert seen.value == value(compared(text, *(set(ids) - {text})), row.measure.name, text)
    assert sum(abs(row.difference.value) > 0.001 for row in rows) > 4


def test_rule_sets_are_alike_in_a_measure_only_if_all_that_it_counts_is() -> None:
    weights = (("rounds", "penalty", 0, 1), ("games", "win", 0, 1))
    measure = Compared("x", "x", "", "", 1.0, False, False, weights)
    nothing: Any = None
    hashes = tuple({"rounds": "a", "games": games} for games in "bcb")
    common = CommonGames(nothing, (), 2, (measure,), (), hashes, Play(0, 1))
    assert not common.alike(measure, (0, 1))
    assert not common.alike(measure, (0, 1, 2))
    assert common.alike(measure, (0, 2))
    assert common.alike(replace(measure, weights=weights[:1]), (0, 1, 2))


@pytest.mark.parametrize(
    ("low", "value", "high", "shown"),
    [
        (0.0002, 0.0017, 0.0180, "+0.17 (+0.02 to +1.80)"),
        (0.0050, 0.0100, 0.0150, "+1.00 ± 0.50"),
        (-0.0040, 0.0010, 0.0060, "+0.10 ± 0.50"),
        (-0.0180, -0.0017, -0.0002, "-0.17 (-1.80 to -0.02)"),
    ],
)
def test_no_change_that_is_shown_reaches_0(
    low: float, value: float, high: float, shown: str
) -> None:
    estimate = Estimate.from_interval(value, 0.001, low, high, 999)
    row: Any = SimpleNamespace(difference=estimate, proven=False, identical=False)
    row.measure = SimpleNamespace(share=True)
    assert change(row) == shown


def test_deltas() -> None:
    found = editions()
    assert row_of(found, "penalty").delta == 0.01 * row_of(found, "penalty").baseline.value
    for name in ("blown", "win seat 1", "decisions"):
        assert row_of(found, name).delta == 0.005
    deltas = {None: Delta(0.02, True), "win": Delta(0.1), "win seat 2": Delta(0.2)}
    found = compared(*EDITIONS, deltas=deltas)
    assert row_of(found, "blown").delta == 0.02 * row_of(found, "blown").baseline.value
    assert [row_of(found, f"win seat {s}").delta for s in range(3)] == [0.1, 0.1, 0.2]
    points = row_of(found, "penalty").measure
    assert delta_of(points, -10.0, deltas) == 0.2  # no less where a baseline is below 0
    assert row_of(found, "decisions").delta == 0.005  # of a baseline of 0 there is no part
    with pytest.raises(ReadError, match="no measure 'penalties'"):
        compared(*EDITIONS, deltas={"penalties": Delta(1)})


@pytest.mark.parametrize(
    ("amount", "most", "seconds"), [(Amount(seconds=7), 0, 7.0), (Amount(), 200_000, 100.0)]
)
def test_games_are_planned_for_seconds(
    amount: Amount, most: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an amount some seconds for each of the two rule sets, and no more than that many."""
    asked: list[tuple[float, int]] = []

    def planned(job: Any, wanted: float, play: Play, most: int = 0) -> design.Plan:
        asked.append((wanted, most))
        return design.Plan(104)

    monkeypatch.setattr(module, "for_seconds", planned)
    assert compared(*EDITIONS, amount=amount).games == 104
    assert asked == [(seconds, most)]


def test_shared_wins_vary_less_than_whole_ones() -> None:
    """A hundred games, all of them shared by two: nothing has varied."""
    job: Any = SimpleNamespace(measures=(Measure("win", 0, 1 / WIN, share=True),))
    ((_, found),) = simulate_module._estimates(
        job, np.array([[50 * WIN, 100 * (WIN // 2) ** 2]]), 100
    )
    assert (found.value, found.stderr) == (pytest.approx(0.5), 0.0)
    whole = share_of(50, 100)
    assert (found.low, found.high) == pytest.approx((whole.low, whole.high))


def test_games_without_an_end_are_refused() -> None:
    endless = "dice/amigo+dealt=1+llama_points=1+points=1.1.1.1.1.1+target=1000"
    with pytest.raises(LimitError, match="did not end"):
        compared("dice/amigo", endless, policy="threshold:0", players=2, games=104)


def asked_apart(a: str, b: str, policy: str, other: str | None = None) -> GroupedShare | str:
    game = game_of(a)
    sides = [
        Side(game.rules(rules), game.policy(name))
        for rules, name in ((a, policy), (b, other or policy))
    ]
    return share_apart(game, *sides, 3, 100, 3, 0.005)


def counted(a: str, low: int, high: int, games: int, seed: int) -> tuple[int, int]:
    """Of dice with a threshold: quits that another threshold would not have made, and decisions.

    Told by the records alone: who has low < points ≤ high quits with one of them only.
    """
    game = game_of(a)
    rules, policy = game.rules(a), game.policy(f"threshold:{low}")
    apart = total = 0
    for at in range(games):
        text = game.record(rules, [policy] * 3, seed, at, False)
        wanted = words_of(seed, at, 1 << 14)[0]
        for number, decision in enumerate(decisions(game, rules, text)):
            if int(wanted[number]) >> 32 & 3:
                continue
            position = decision.position
            if position.rolled is None:
                total += 1
                mask = sum(1 << kind for kind, n in enumerate(position.hand) if n)
                apart += low < int(rules.penalties[mask]) <= high
            else:
                query = compare_decisions.query_of(game_of("dice"))
                total += len(query.legal_actions(rules, position)) > 1
    return apart, total


def test_the_share_is_what_records_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_decisions, "FEWEST_GAMES", 4)
    found = asked_apart("dice/amigo", "dice/amigo", "threshold:4", "threshold:9")
    assert isinstance(found, GroupedShare)
    apart, total = counted("dice/amigo", 4, 9, 4, 3)
    assert (found.found, found.estimate.n) == (apart, total)
    assert found.estimate.value == apart / total > 0.02
    assert found.estimate.low < found.estimate.value < found.estimate.high


@pytest.mark.parametrize(
    ("games", "each", "looked_at"),
    [(100, 50, 20), (5_000, 50, 100), (100_000, 50, 200), (100_000, 1_000, 20)],
)
def test_as_many_games_are_looked_at_as_give_decisions_enough(
    games: int, each: int, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in fifty of those played, as far as these give 10,000 decisions; at least twenty."""
    monkeypatch.setattr(compare_decisions, "_ask", lambda *_: (0, each))
    game = game_of("dice/amigo")
    sides = [Side(game.rules("dice/amigo"), game.policy(f"threshold:{at}")) for at in (4, 9)]
    found = share_apart(game, *sides, 3, games, 3, 0.005)
    assert isinstance(found, GroupedShare)
    assert found.estimate.n == looked_at * each


def test_what_is_played_by_the_same_numbers_never_differs() -> None:
    found = asked_apart("dice/amigo", "dice/egmont", "random")
    assert isinstance(found, GroupedShare)
    assert (found.estimate, found.found, found.p, found.p_same) == (exact(0.0), 0, 1.0, 0.0)
    alike = compared("dice/amigo", "dice/gigamic", policy="meanfield", players=4)
    for row in alike.rows:
        assert (row.identical, row.difference, row.saving) == (True, exact(0.0), None)
        assert (row.judged.verdict, row.judged.p) == ("same", 1)


@pytest.mark.long
def test_a_comparison_has_the_decisions_or_says_why_not() -> None:
    found = compared("lama/egmont", "lama/egmont+llama_each", "lama/party", policy="meanfield")
    row = row_of(found, "decisions")
    assert row.other == row.difference
    assert (row.baseline.value, row.baseline.method) == (0.0, "exact")
    assert (row.relative, row.saving, row.delta, row.rare) == (None, None, 0.005, False)
    assert row.differing == round(row.difference.value * row.difference.n) > 0
    (left,) = found.left_out
    assert (left.rules, left.against) == ("lama/party", "lama/egmont")
    assert "under lama/party: " in left.reason
    assert "cards 1+" in left.reason
    assert found.to_json()["left_out"] == [left.to_json()]
    last = compared_csv(found).splitlines()[-1]
    assert ",lama/party," in last
    assert ",left out: the decisions cannot be tried" in last


def test_interrupted_while_asking_what_was_played_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compare_decisions, "_ask", stop)
    found = compared("dice/amigo", "dice/amigo+llama_points=5", "dice/egmont")
    assert [left.reason for left in found.left_out] == ["stopped early"] * 2
    assert not found.interrupted
    assert row_of(found, "penalty").difference.n == 400


@pytest.mark.long
def test_length_and_spread_are_those_of_the_twin() -> None:
    found = compared(*EDITIONS, games=104)
    for edition in ("amigo", "egmont"):
        turns = spread = 0
        for game in range(104):
            rules = twin.edition(edition)
            record = twin.game_record(rules, "", ("threshold:6",) * 3, 3, game).splitlines()
            turns += sum(line.split()[0].isdigit() for line in record)
            final = [int(word) for word in record[-1].split()[1:]]
            spread += max(final) - min(final)
        assert value(found, "length", f"dice/{edition}") == pytest.approx(turns / 104)
        assert value(found, "spread", f"dice/{edition}") == pytest.approx(spread / 104)


@pytest.mark.long
def test_games_are_planned_for_a_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[design.Plan] = []
    monkeypatch.setattr(design, "PILOT_GAMES", 512)
    five = ("dice/amigo", "dice/amigo+dealt=5")
    found = compared(*five, amount=Amount(half_width=0.12), planned=plans.append)
    difference = row_of(found, "penalty").difference
    assert 0.09 < (difference.high - difference.low) / 2 <= 0.12
    assert [plan.games for plan in plans] == [found.games]
    assert found.games > design.PILOT_GAMES
    assert compared(*five, games=found.games).to_json() == found.to_json()
    named = compared(*EDITIONS, amount=Amount(half_width=0.03, measure="win"))
    for seat in range(3):
        assert row_of(named, f"win seat {seat}").difference.stderr * 1.96 <= 0.03
    monkeypatch.setattr(design, "MOST_GAMES_PLANNED", 10_000)
    with pytest.raises(LimitError, match="choose a wider interval"):
        compared(*EDITIONS, amount=Amount(half_width=0.0001))
