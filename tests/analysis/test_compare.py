"""Comparisons: measures against simulations, pairing, plans, verdicts, what is zero."""

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
from lama_odds.analysis.compare import sample_size
from lama_odds.analysis.compare.compare import Amount, Comparison, Row, compare
from lama_odds.analysis.compare.measures import compared_by, jobs_of
from lama_odds.analysis.simulate import simulate
from lama_odds.core.delta import Delta
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import exact
from lama_odds.games.registry import game_of
from lama_odds.report.figures.forest_plot import forest_plot
from lama_odds.report.text.compare import change, compared_csv, compared_text, two_digits, verdict
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import share_of
from tests.reference import dice as twin

AT = ("penalty", "actions", "went_out", "blown", "rounds", "length", "spread", "shared")
OF_CARDS = tuple(name for name in AT if name != "blown")  # no card blows a round
GAMES = Amount(games=4_000)


def compared(*ids: str, policy: str = "threshold:6", players: int = 3, **more: Any) -> Comparison:
    game = game_of(ids[0])
    variants = [game.rules(text) for text in ids]
    more.setdefault("amount", GAMES)
    return compare(game, variants, [game.policy(policy)] * len(ids), players, **more)


@cache
def editions() -> Comparison:
    return compared("dice/amigo", "dice/egmont", seed=3)


def row_of(found: Comparison, name: str, rules: str | None = None) -> Row:
    return next(r for r in found.rows if r.measure.name == name and rules in (None, r.rules))


@pytest.mark.long
@pytest.mark.parametrize("rules", ["dice/amigo", "lama/party+drama"])
def test_values_are_those_of_simulate(rules: str) -> None:
    game = game_of(rules)
    other = f"{rules}+target=30"
    found = compared(rules, other, seed=4, amount=Amount(games=1_000))
    for text in (rules, other):
        play = (game, game.rules(text), [game.policy("threshold:6")] * 3, 1_000)
        of_rounds = simulate(*play, rounds=True, seed=4)
        of_games = simulate(*play, seed=4)
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
    found = compared("dice/amigo", "dice/egmont", amount=Amount(games=120), seed=9)
    for edition in ("amigo", "egmont"):
        turns = spread = 0
        for game in range(120):
            rules = twin.edition(edition)
            record = twin.game_record(rules, "", ("threshold:6",) * 3, 9, game).splitlines()
            turns += sum(line.split()[0].isdigit() for line in record)
            final = [int(word) for word in record[-1].split()[1:]]
            spread += max(final) - min(final)
        assert value(found, "length", f"dice/{edition}") == pytest.approx(turns / 120)
        assert value(found, "spread", f"dice/{edition}") == pytest.approx(spread / 120)


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
    found = compared("dice/amigo", "dice/gigamic", policy="meanfield", players=4)
    names = [*AT, *(f"win seat {s}" for s in range(4)), "decisions"]
    assert [row.measure.name for row in found.rows] == names
    for row in found.rows:
        assert row.identical
        assert row.difference == exact(0.0)
        assert (row.judged.verdict, row.judged.p, row.saving) == ("same", 1, None)
        assert verdict(row) == "no difference at all"


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
    found = compared("lama/egmont", "lama/egmont+llama_each", policy="threshold:5", players=4)
    row = row_of(found, "actions")
    assert (row.identical, row.proven, row.judged.verdict) == (True, False, "same")
    assert verdict(row) == f"equivalent within ±{row.delta:.3g}, none differed"
    spread = row.baseline.stderr * math.sqrt(4_000)
    high = (row.baseline.value + 3 * spread) * share_of(0, 4_000).high
    assert row.difference.high == -row.difference.low == pytest.approx(high)


@pytest.mark.long
def test_games_said_to_be_missing_are_never_a_handful() -> None:
    ids = ("dice/amigo", "dice/amigo+llama_safe_alone=off")
    for games in (152, 208, 304):
        found = compared(*ids, policy="threshold:5", players=4, amount=Amount(games=games))
        undecided = [row for row in found.rows if row.judged.verdict == "undecided"]
        assert len(undecided) > 8
        for row in undecided:
            if row.judged.more is None:
                assert 0 < row.differing < 10
                assert verdict(row) == "undecided: few games differ"
            else:
                assert row.judged.more >= 0.3 * games


def test_as_many_games_more_as_said_settle_it() -> None:
    ids = ("dice/amigo", "dice/amigo+llama_safe_alone=off")
    found = compared(*ids, policy="threshold:5", players=4, amount=Amount(games=304))
    row = row_of(found, "length")
    assert row.judged.more is not None
    settled = 0
    for seed in range(12):
        games = 304 + row.judged.more
        later = compared(*ids, policy="threshold:5", players=4, amount=Amount(games), seed=seed)
        settled += row_of(later, "length").judged.verdict != "undecided"
    assert settled >= 8


@pytest.mark.long
def test_same_bits_on_any_number_of_threads() -> None:
    again = compared("dice/amigo", "dice/egmont", seed=3, threads=1)
    assert again.to_json() == editions().to_json()
    assert compared("dice/amigo", "dice/egmont", seed=4).to_json() != editions().to_json()


@pytest.mark.long
def test_llamas_that_cost_each_make_penalties_higher_and_pairing_saves() -> None:
    found = compared("lama/egmont", "lama/egmont+llama_each", policy="threshold:5", players=4)
    row = row_of(found, "penalty")
    assert (row.judged.verdict, verdict(row)) == ("differs", "differs: higher")
    assert row.saving > 10
    # A threshold counts llamas once: it plays the same rounds.
    assert row_of(found, "actions").identical
    assert row.relative == pytest.approx(row.difference.value / row.baseline.value)
    assert replace(row, baseline=exact(0.0)).relative is None


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
    amount = Amount(games=400)
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
    plans: list[sample_size.Plan] = []
    five = ("dice/amigo", "dice/amigo+dealt=5")
    found = compared(*five, amount=Amount(half_width=0.04), seed=5, planned=plans.append)
    half = (row_of(found, "penalty").difference.high - row_of(found, "penalty").difference.low) / 2
    assert 0.03 < half <= 0.04
    assert [plan.games for plan in plans] == [found.games]
    assert found.games > sample_size.PILOT_GAMES
    again = compared(*five, amount=Amount(games=found.games), seed=5)
    assert again.to_json() == found.to_json()
    named = compared("dice/amigo", "dice/egmont", amount=Amount(half_width=0.01, measure="win"))
    assert named.games == sample_size.PILOT_GAMES
    for seat in range(3):
        assert row_of(named, f"win seat {seat}").difference.stderr * 1.96 <= 0.01
    monkeypatch.setattr(sample_size, "MOST_GAMES", 10_000)
    with pytest.raises(LimitError, match="choose a wider interval"):
        compared("dice/amigo", "dice/egmont", amount=Amount(half_width=0.0001))


@pytest.mark.long
def test_games_are_planned_for_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_size, "SPEED_SECONDS", 0.001)
    found = compared("dice/amigo", "dice/egmont", amount=Amount(seconds=0.3))
    assert found.games >= sample_size.SPEED_GAMES
    assert bin(found.games).rstrip("0").count("1") <= 3
    monkeypatch.setattr(module, "DEFAULT_GAMES", 1_000)
    assert compared("dice/amigo", "dice/egmont", amount=Amount()).games == 1_000


def test_too_few_games_and_games_without_an_end() -> None:
    with pytest.raises(LimitError, match="too few games"):
        compared("dice/amigo", "dice/egmont", amount=Amount(games=99))
    endless = "dice/amigo+dealt=1+llama_points=1+points=1.1.1.1.1.1+target=1000"
    with pytest.raises(LimitError, match="did not end"):
        compared("dice/amigo", endless, policy="threshold:0", players=2, amount=Amount(games=104))


@pytest.mark.long
def test_intervals_of_differences_cover() -> None:
    """Intervals of 60 seeds against a long run: 95 % of them hold what is true."""
    five = ("dice/amigo", "dice/amigo+dealt=5")
    long = compared(*five, amount=Amount(games=160_000), seed=1_000)
    held = {name: 0 for name in ("penalty", "actions", "blown", "length")}
    for seed in range(60):
        found = compared(*five, amount=Amount(games=800), seed=seed)
        for name in held:
            true = row_of(long, name).difference.value
            interval = row_of(found, name).difference
            held[name] += interval.low <= true <= interval.high
    assert all(count >= 50 for count in held.values())
    assert sum(held.values()) >= 240 * 0.95 - 3 * math.sqrt(240 * 0.05 * 0.95)


def test_pikomino_and_its_measures() -> None:
    found = compared(
        *("pikomino/egmont", "pikomino/egmont+short"),
        policy="first-tile",
        amount=Amount(games=800),
    )
    names = ["turns", "busts", "steals", "worms", "shared", *(f"win seat {s}" for s in range(3))]
    assert [row.measure.name for row in found.rows] == [*names, "decisions"]
    game = game_of("pikomino/egmont")
    policies = [game.policy("first-tile")] * 3
    played = simulate(game, game.rules("pikomino/egmont"), policies, 800)
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
    assert forest_plot(editions(), "png").startswith(b"\x89PNG")


def test_half_widths_are_of_95_per_cent() -> None:
    row = row_of(editions(), "penalty")
    half = (row.difference.high - row.difference.low) / 2
    # 500 blocks, few of which differ.
    z = NormalDist().inv_cdf(0.975)
    wider = math.sqrt(1 + 2 * z * z * (1 / row.differing - 1 / 500))
    assert wider > 1.1
    errors = stats.t.isf(0.025, row.differing - 1)
    assert half == pytest.approx(errors * wider * row.difference.stderr)
