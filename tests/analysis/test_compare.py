"""Comparisons: exact against simulations and twins, pairing, verdicts, decisions, names."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from scipy import stats

from lama_odds.analysis.compare import compare as module
from lama_odds.analysis.compare import decisions as compare_decisions
from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.answer import Compared, compared_by, jobs_of
from lama_odds.analysis.compare.compare import Amount, CommonGames, Comparison, Row, compare
from lama_odds.analysis.compare.decisions import Side, share_apart
from lama_odds.analysis.simulate import simulate
from lama_odds.core.checks import Delta
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import exact
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions, words_of
from lama_odds.report.figures.sweeps import forest_plot
from lama_odds.report.text.compare import (
    change,
    compared_csv,
    compared_text,
    decisions_lines,
    two_digits,
    verdict,
)
from lama_odds.simulation.run import Play, run
from lama_odds.statistics.equivalence import GroupedShare
from lama_odds.statistics.intervals import share_of
from tests.reference import dice as twin

AT = ("penalty", "actions", "went_out", "blown", "rounds", "length", "spread", "shared")


OF_CARDS = tuple(name for name in AT if name != "blown")  # no card blows a round


GAMES = Amount(games=4_000)


FEW = Amount(games=400)


def compared(
    *ids: str,
    policy: str = "threshold:6",
    players: int = 3,
    seed: int = 0,
    threads: int | None = None,
    **more: Any,
) -> Comparison:
    game = game_of(ids[0])
    variants = [game.rules(text) for text in ids]
    more = {"amount": GAMES, "play": Play(seed, threads), **more}
    return compare(game, variants, [game.policy(policy)] * len(ids), players, **more)


@cache
def editions() -> Comparison:
    return compared("dice/amigo", "dice/egmont", seed=3)


@cache
def each_llama() -> Comparison:
    ids = ("lama/egmont", "lama/egmont+llama_each")
    return compared(*ids, policy="threshold:5", players=4)


def row_of(found: Comparison, name: str, rules: str | None = None) -> Row:
    return next(r for r in found.rows if r.measure.name == name and rules in (None, r.rules))


@pytest.mark.long
@pytest.mark.parametrize("rules", ["dice/amigo", "lama/party+drama"])
def test_values_are_those_of_simulate(rules: str) -> None:
    game = game_of(rules)
    other = f"{rules}+target=30"
    found = compared(rules, other, seed=4, amount=Amount(games=304))
    for text in (rules, other):
        play = (game, game.rules(text), [game.policy("threshold:6")] * 3, 304)
        of_rounds = simulate(*play, rounds=True, play=Play(4))
        of_games = simulate(*play, play=Play(4))
        measured = AT if game.name == "dice" else OF_CARDS
        for name in measured[1 : measured.index("length")]:
            part = of_games if name == "rounds" else of_rounds
            assert value(found, name, text) == pytest.approx(part.table[name].value, abs=1e-12)
        penalties = [seat["penalty"].value for seat in of_rounds.seats]
        assert value(found, "penalty", text) == pytest.approx(sum(penalties) / 3, abs=1e-12)
        wins = [seat["win"].value for seat in of_games.seats]
        assert [value(found, f"win seat {s}", text) for s in range(3)] == pytest.approx(wins)
        outright = sum(seat["outright"].value for seat in of_games.seats)
        assert value(found, "shared", text) == pytest.approx(1 - outright, abs=1e-12)


def value(found: Comparison, name: str, rules: str) -> float:
    row = row_of(found, name)
    return (row.baseline if rules == row.against else row.other).value


@pytest.mark.long
def test_length_and_spread_are_those_of_the_twin() -> None:
    found = compared("dice/amigo", "dice/egmont", amount=Amount(games=104), seed=9)
    for edition in ("amigo", "egmont"):
        turns = spread = 0
        for game in range(104):
            rules = twin.edition(edition)
            record = twin.game_record(rules, "", ("threshold:6",) * 3, 9, game).splitlines()
            turns += sum(line.split()[0].isdigit() for line in record)
            final = [int(word) for word in record[-1].split()[1:]]
            spread += max(final) - min(final)
        assert value(found, "length", f"dice/{edition}") == pytest.approx(turns / 104)
        assert value(found, "spread", f"dice/{edition}") == pytest.approx(spread / 104)


@pytest.mark.long
def test_differences_are_paired_block_by_block() -> None:
    found = editions()
    game = game_of("dice/amigo")
    blocks = []
    for text in ("dice/amigo", "dice/egmont"):
        job = game.simulation(game.rules(text), [game.policy("threshold:6")] * 3, True)
        sums = [run(job, 3, 8, first=first, threads=1).tally for first in range(0, 4_000, 8)]
        blocks.append(np.array([tally[:3, 0].sum() / 24 for tally in sums]))
    change = blocks[1] - blocks[0]
    row = row_of(found, "penalty")
    assert row.difference.value == pytest.approx(change.mean(), abs=1e-12)
    assert row.difference.stderr == pytest.approx(change.std(ddof=1) / math.sqrt(500), rel=1e-9)
    assert row.difference.n == 4_000
    apart = (blocks[0].var(ddof=1) + blocks[1].var(ddof=1)) / change.var(ddof=1)
    assert row.saving == pytest.approx(apart, rel=1e-9)
    assert row.saving > 3


@pytest.mark.long
def test_the_same_odds_are_exactly_the_same() -> None:
    found = compared("dice/amigo", "dice/gigamic", policy="meanfield", players=4, amount=FEW)
    names = [*AT, *(f"win seat {s}" for s in range(4)), "decisions"]
    assert [row.measure.name for row in found.rows] == names
    for row in found.rows:
        assert row.identical
        assert row.difference == exact(0.0)
        assert (row.judged.verdict, row.judged.p, row.saving) == ("same", 1, None)
        assert verdict(row) == "no difference at all"


def test_rule_sets_are_alike_in_a_measure_only_if_all_that_it_counts_is() -> None:
    weights = (("rounds", "penalty", 0, 1), ("games", "win", 0, 1))
    measure = Compared("x", "x", "", "", 1.0, False, False, weights)
    rounds = replace(measure, weights=weights[:1])
    nothing: Any = None
    hashes = (
        {"rounds": "a", "games": "b"},
        {"rounds": "a", "games": "c"},
        {"rounds": "a", "games": "b"},
    )
    common = CommonGames(nothing, (), 2, (measure,), (), hashes, Play(0, 1))
    assert [common.alike(measure, pair) for pair in ((0, 1), (0, 2), (0, 1, 2))] == [
        False,
        True,
        False,
    ]
    assert common.alike(rounds, (0, 1, 2))


def no_tie(games: int, seed: int) -> Comparison:
    """Ties that raise the target of No Prob-Lama, too rare to be met in some hundred games."""
    return compared(
        *("noprob/starnberger", "noprob/starnberger+any_tie"),
        policy="greedy",
        players=2,
        amount=Amount(games=games),
        seed=seed,
    )


def test_no_difference_in_few_games_is_not_the_same() -> None:
    found = no_tie(104, seed=3)
    for name in ("rounds", "length", "win seat 0"):
        row = row_of(found, name)
        assert row.identical
        assert not row.proven
        assert (row.judged.verdict, row.judged.p) == ("undecided", 1)
        assert row.judged.more > 104
        assert row.difference.method == "simulation"
        assert verdict(row) == f"undecided: about {two_digits(row.judged.more):,} games more"
        assert change(row).startswith("+0.00 ± ")
    # The long run: +0.064 ± 0.008 rounds, δ being 0.04.
    rounds = row_of(found, "rounds").difference
    assert rounds.low < -0.06 < 0.064 < rounds.high
    assert row_of(found, "win seat 0").difference.high == share_of(0, 104).high
    assert "no game showed a difference" in text_of(found)
    assert "certain" not in text_of(found)


@pytest.mark.long
def test_no_difference_in_many_games_is_the_same_within_delta() -> None:
    row = row_of(each_llama(), "actions")
    assert (row.identical, row.proven, row.judged.verdict) == (True, False, "same")
    assert verdict(row) == f"equivalent within ±{row.delta:.3g}, none differed"
    spread = row.baseline.stderr * math.sqrt(4_000)
    high = (row.baseline.value + 3 * spread) * share_of(0, 4_000).high
    assert row.difference.high == -row.difference.low == pytest.approx(high)


@pytest.mark.long
def test_games_said_to_be_missing_are_never_a_handful() -> None:
    ids = ("dice/amigo", "dice/amigo+llama_safe_alone=off")
    found = compared(*ids, policy="threshold:5", players=4, amount=Amount(games=152))
    undecided = [row for row in found.rows if row.judged.verdict == "undecided"]
    assert len(undecided) > 8
    for row in undecided:
        if row.judged.more is None:
            assert 0 < row.differing < 10
            assert verdict(row) == "undecided: few games differ"
        else:
            assert row.judged.more >= 0.3 * 152


@pytest.mark.long
def test_same_bits_on_any_number_of_threads() -> None:
    again = compared("dice/amigo", "dice/egmont", seed=3, threads=1)
    assert again.to_json() == editions().to_json()
    assert compared("dice/amigo", "dice/egmont", seed=4).to_json() != editions().to_json()


@pytest.mark.long
def test_llamas_that_cost_each_make_penalties_higher_and_pairing_saves() -> None:
    row = row_of(each_llama(), "penalty")
    assert (row.judged.verdict, verdict(row)) == ("differs", "differs: higher")
    assert row.saving > 10
    # A threshold counts llamas once: it plays the same rounds.
    assert row_of(each_llama(), "actions").identical
    assert row.relative == pytest.approx(row.difference.value / row.baseline.value)
    assert replace(row, baseline=exact(0.0)).relative is None


@pytest.mark.long
def test_differences_that_few_games_make_are_marked() -> None:
    found = compared("dice/amigo", "dice/egmont", amount=Amount(games=800))
    row = row_of(found, "blown")
    assert 0 < row.differing < 20
    assert row.rare
    assert not row_of(editions(), "length").rare
    assert "blown" in next(line for line in text_of(found).splitlines() if "few games made" in line)


@pytest.mark.long
def test_all_pairs() -> None:
    ids = ("dice/amigo", "dice/amigo+target=50", "dice/amigo+target=30")
    amount = FEW
    assert list(compared(*ids, amount=amount).pairs) == [(ids[0], ids[1]), (ids[0], ids[2])]
    found = compared(*ids, amount=amount, all_pairs=True)
    assert list(found.pairs) == [(ids[0], ids[1]), (ids[0], ids[2]), (ids[1], ids[2])]
    last = found.pairs[ids[1], ids[2]]
    assert next(r for r in last if r.measure.name == "rounds").difference.value == pytest.approx(
        value(found, "rounds", ids[0])
        + row_of(found, "rounds", ids[2]).difference.value
        - row_of(found, "rounds", ids[1]).baseline.value
        - row_of(found, "rounds", ids[1]).difference.value
    )


def test_deltas() -> None:
    found = editions()
    assert row_of(found, "penalty").delta == 0.01 * row_of(found, "penalty").baseline.value
    assert row_of(found, "blown").delta == row_of(found, "win seat 1").delta == 0.005
    deltas = {None: Delta(0.02, True), "win": Delta(0.1), "win seat 2": Delta(0.2)}
    found = compared("dice/amigo", "dice/egmont", seed=3, deltas=deltas)
    assert row_of(found, "blown").delta == 0.02 * row_of(found, "blown").baseline.value
    assert [row_of(found, f"win seat {s}").delta for s in range(3)] == [0.1, 0.1, 0.2]
    with pytest.raises(ReadError, match="no measure 'penalties'"):
        compared("dice/amigo", "dice/egmont", deltas={"penalties": Delta(1)})


@pytest.mark.long
def test_games_are_planned_for_a_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[design.Plan] = []
    monkeypatch.setattr(design, "PILOT_GAMES", 512)
    five = ("dice/amigo", "dice/amigo+dealt=5")
    found = compared(*five, amount=Amount(half_width=0.12), seed=5, planned=plans.append)
    half = (row_of(found, "penalty").difference.high - row_of(found, "penalty").difference.low) / 2
    assert 0.09 < half <= 0.12
    assert [plan.games for plan in plans] == [found.games]
    assert found.games > design.PILOT_GAMES
    again = compared(*five, amount=Amount(games=found.games), seed=5)
    assert again.to_json() == found.to_json()
    named = compared("dice/amigo", "dice/egmont", amount=Amount(half_width=0.03, measure="win"))
    assert named.games == design.PILOT_GAMES
    for seat in range(3):
        assert row_of(named, f"win seat {seat}").difference.stderr * 1.96 <= 0.03
    monkeypatch.setattr(design, "MOST_GAMES_PLANNED", 10_000)
    with pytest.raises(LimitError, match="choose a wider interval"):
        compared("dice/amigo", "dice/egmont", amount=Amount(half_width=0.0001))


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
    assert compared("dice/amigo", "dice/egmont", amount=amount).games == 104
    assert asked == [(seconds, most)]


def test_too_few_games_and_games_without_an_end() -> None:
    with pytest.raises(LimitError, match="too few games"):
        compared("dice/amigo", "dice/egmont", amount=Amount(games=99))
    endless = "dice/amigo+dealt=1+llama_points=1+points=1.1.1.1.1.1+target=1000"
    with pytest.raises(LimitError, match="did not end"):
        compared("dice/amigo", endless, policy="threshold:0", players=2, amount=Amount(games=104))


def test_pikomino_and_its_measures() -> None:
    found = compared(
        *("pikomino/egmont", "pikomino/egmont+short"),
        policy="first-tile",
        amount=FEW,
    )
    names = ["turns", "busts", "steals", "worms", "shared", *(f"win seat {s}" for s in range(3))]
    assert [row.measure.name for row in found.rows] == [*names, "decisions"]
    game = game_of("pikomino/egmont")
    policies = [game.policy("first-tile")] * 3
    played = simulate(game, game.rules("pikomino/egmont"), policies, 400)
    assert value(found, "busts", "pikomino/egmont") == pytest.approx(played.table["busts"].value)
    worms = [seat["worms"].value for seat in played.seats]
    assert value(found, "worms", "pikomino/egmont") == pytest.approx(sum(worms) / 3)
    assert row_of(found, "turns").judged.verdict == "differs"


def test_measures_say_what_they_are() -> None:
    game = game_of("lama/egmont")
    jobs = jobs_of(game, game.rules("lama/egmont"), [game.policy("random")] * 2)
    measures = compared_by(jobs, game.actions)
    assert [m.key for m in measures] == [*OF_CARDS, "win", "win", "unfinished"]
    assert all(m.unit and m.meaning for m in measures[:-1])


def text_of(found: Comparison) -> str:
    with (console := Console(width=400, file=io.StringIO())).capture() as captured:
        console.print(compared_text(found, verbose=True))
    return captured.get()


def test_texts_and_files_have_every_row() -> None:
    found = editions()
    rows = list(csv.DictReader(io.StringIO(compared_csv(found))))
    assert [row["measure"] for row in rows] == [row.measure.name for row in found.rows]
    for line, row in zip(rows, found.rows, strict=True):
        assert float(line["difference value"]) == row.difference.value
        assert (line["verdict"], line["rules"]) == (row.judged.verdict, "dice/egmont")
    text = text_of(found)
    for needed in ("went out", "dice/egmont against dice/amigo", "--games 4000 repeats", "Holm"):
        assert needed in text
    assert [two_digits(n) for n in (1, 99, 101, 12_345)] == [1, 99, 110, 13_000]


@pytest.mark.long
def test_figures_are_the_same_for_the_same_answer() -> None:
    svg = forest_plot(editions(), "svg")
    assert svg == forest_plot(editions(), "svg")
    assert b"dice/egmont against dice/amigo" in svg
    assert svg.count(b"win seat") == 3


def test_a_difference_is_the_other_rule_set_minus_the_baseline() -> None:
    rows = [row for row in editions().rows if row.measure.key != "decisions"]
    for row in rows:
        change = row.other.value - row.baseline.value
        assert row.difference.value == pytest.approx(change, abs=1e-12)
    assert sum(abs(row.difference.value) > 0.001 for row in rows) > 4


def test_half_widths_are_of_95_per_cent() -> None:
    row = row_of(editions(), "penalty")
    half = (row.difference.high - row.difference.low) / 2
    # 500 blocks, few of which differ.
    z = NormalDist().inv_cdf(0.975)
    wider = math.sqrt(1 + 2 * z * z * (1 / row.differing - 1 / 500))
    assert wider > 1.1
    errors = stats.t.isf(0.025, row.differing - 1)
    assert half == pytest.approx(errors * wider * row.difference.stderr)


def side(rules: str, policy: str) -> Side:
    game = game_of(rules)
    return Side(game.rules(rules), game.policy(policy))


def asked_apart(
    a: str, b: str, policy: str, other: str | None = None, games: int = 1_000, seed: int = 3
) -> GroupedShare | str:
    sides = side(a, policy), side(b, other or policy)
    return share_apart(game_of(a), *sides, 3, games, seed, 0.005)


def few_compared(*ids: str, **more: Any) -> Comparison:
    return compared(*ids, amount=FEW, **more)


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
    found = asked_apart("dice/amigo", "dice/amigo", "threshold:4", "threshold:9", games=100)
    assert isinstance(found, GroupedShare)
    apart, total = counted("dice/amigo", 4, 9, 4, 3)
    assert (found.found, found.estimate.n) == (apart, total)
    assert found.estimate.value == apart / total > 0.02
    assert found.estimate.low < found.estimate.value < found.estimate.high


def test_players_who_decide_by_the_same_numbers_never_differ() -> None:
    for pair in (
        ("dice/amigo", "dice/gigamic", "meanfield"),
        ("dice/amigo", "dice/egmont", "random"),
    ):
        found = asked_apart(*pair)
        assert isinstance(found, GroupedShare)
        assert (found.estimate.value, found.estimate.method, found.found) == (0.0, "exact", 0)
        assert (found.p, found.p_same) == (1.0, 0.0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("a", "b", "policy"),
    [
        ("lama/egmont", "lama/egmont+llama_each", "meanfield"),
        ("noprob/starnberger", "noprob/starnberger+special=9", "planner:chase=30"),
        ("pikomino/egmont", "pikomino/egmont+worms=1.1.1.9", "optimal-turn"),
    ],
)
def test_other_games(a: str, b: str, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_decisions, "FEWEST_GAMES", 5)
    found = asked_apart(a, b, policy, games=100)
    assert isinstance(found, GroupedShare)
    assert 0 < found.estimate.value < 0.5
    assert found == asked_apart(a, b, policy, games=100)


def test_who_plays_by_chance_is_told_the_same_word() -> None:
    found = asked_apart("dice/amigo", "dice/amigo", "random", "threshold:6")
    assert isinstance(found, GroupedShare)
    assert 0.2 < found.estimate.value < 0.8


@pytest.mark.long
def test_a_comparison_has_the_measure_or_says_why_not() -> None:
    found = few_compared("lama/egmont", "lama/egmont+llama_each", "lama/party", policy="meanfield")
    row = row_of(found, "decisions")
    assert row.other == row.difference
    assert (row.baseline.value, row.baseline.method) == (0.0, "exact")
    assert (row.relative, row.saving, row.delta, row.rare) == (None, None, 0.005, False)
    assert row.differing == round(row.difference.value * row.difference.n) > 0
    assert verdict(row) in ("differs", "equivalent within ±0.5 %, but not 0")
    assert change(row).startswith("+")
    (left,) = found.left_out
    assert (left.rules, left.against) == ("lama/party", "lama/egmont")
    assert "cards 1+" in left.reason
    assert found.to_json()["left_out"] == [left.to_json()]
    text = text_of(found)
    assert "decisions of lama/party against lama/egmont: the decisions cannot be tried" in text
    assert "were compared" in text
    rows = list(csv.DictReader(io.StringIO(compared_csv(found))))
    assert [line["rules"] for line in rows if line["measure"] == "decisions"] == [
        "lama/egmont+llama_each",
        "lama/party",
    ]
    assert rows[-1]["verdict"].startswith("left out: the decisions cannot be tried")
    assert rows[-1]["difference value"] == ""


def test_exactly_the_same_is_said() -> None:
    found = few_compared("dice/amigo", "dice/gigamic", policy="threshold:5")
    row = row_of(found, "decisions")
    assert (row.judged.verdict, change(row)) == ("same", "0")
    assert verdict(row) == "no difference at all"
    assert any("exactly 0" in line for line in decisions_lines(found))


@pytest.mark.long
def test_delta_of_decisions() -> None:
    pair = ("dice/amigo", "dice/amigo+llama_points=5")
    found = few_compared(*pair, policy="threshold:6", deltas={"decisions": Delta(0.9)})
    assert row_of(found, "decisions").judged.verdict == "same"
    found = few_compared(*pair, policy="threshold:6", deltas={None: Delta(0.5, True)})
    assert row_of(found, "decisions").delta == 0.005
    assert row_of(found, "decisions").judged.verdict == "differs"


def test_interrupted_while_asking_what_was_played_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compare_decisions, "_ask", stop)
    found = few_compared(
        "dice/amigo", "dice/amigo+llama_points=5", "dice/egmont", policy="threshold:6"
    )
    assert [left.reason for left in found.left_out] == ["stopped early"] * 2
    assert not found.interrupted
    assert row_of(found, "penalty").difference.n == 400
