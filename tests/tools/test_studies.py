"""What the studies say: sentences that must follow the intervals, rates that must be counted."""

from __future__ import annotations

import contextlib
import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.registry import game_of
from lama_odds.statistics.intervals import share_of
from tools.publishing.child import ROOT
from tools.publishing.studies import (
    editions,
    editions_words,
    hand_size,
    hand_size_found,
    hand_size_words,
    stealing,
    stealing_found,
    stealing_words,
)
from tools.publishing.studies.editions_pairs import (
    DIFFERENCES,
    PERHAPS,
    SURELY,
    SURELY_NOT,
    Changed,
    Pair,
)
from tools.publishing.studies.stealing_found import PLAYERS, Compared, Skill, Steals
from tools.publishing.studies.telling_apart import Needed, Spread, named_right, needed
from tools.publishing.studies.wide import wide
from tools.publishing.studies.wording import at, by, either, names, table
from tools.publishing.target import Making
from tools.study import validity as validity
from tools.study import validity_rates as v
from tools.study.validity_parts import Study, pair_chances, turn_truth
from tools.study.validity_played import hidden_values
from tools.study.validity_rates import Rate, Truth


def of(value: float, half: float = 0.1, n: int = 100) -> Estimate:
    return Estimate.from_half(value, half / 2, half, n)


# Wording


@pytest.mark.parametrize(("value", "word"), [(1.0, "more"), (-1.0, "less"), (0.05, "unclear")])
def test_words_follow_the_interval(value: float, word: str) -> None:
    assert either(of(value), "more", "less", "unclear") == word


def test_numbers_in_sentences() -> None:
    assert by(of(-1.234, 0.04), "rounds") == "1.23 ± 0.04 rounds"
    assert by(of(0.0282, 0.001), share=True) == "2.8 ± 0.1 percentage points"
    assert at(of(0.558, 0.004), True) == "55.8 ± 0.4 %"
    assert names([]) == "none"
    assert names("abc") == "a, b and c"
    assert table(("a", "b"), [("1", "2")]) == ["| a | b |", "|---|---:|", "| 1 | 2 |", ""]


def test_differences_that_rest_on_few_games_are_wider() -> None:
    found = of(0.01, 0.002, 10_000)
    usual = wide(found, 100, 1_000, 1_000, 1.0)
    rare = wide(found, 100, 60, 1_000, 1.0)
    assert found.high < usual.high < rare.high
    unseen = wide(Estimate.from_half(0.0, 0.0, 0.001, 10_000), 100, 0, 1_000, 1.0)
    assert 0.001 < unseen.high < 0.01
    assert wide(exact(0.0), 100, 0, 1_000, 1.0) == exact(0.0)


# Telling editions apart


def test_notes_that_are_needed() -> None:
    found = needed(of(1.0, 0.5), Spread(2.0, 2.0))
    assert found.value == pytest.approx((1.645 * 4) ** 2, rel=1e-3)
    assert found.low == pytest.approx(found.value / 1.5**2)
    assert found.high == pytest.approx(found.value / 0.5**2)
    assert needed(of(0.1, 0.2), Spread(1.0, 1.0)).high is None
    assert needed(exact(0.0), Spread(1.0, 1.0)) == Needed(None, None, None)
    assert needed(of(9.0), Spread(0.1, 0.1)).value == 1.0


def test_that_many_notes_are_right_in_95_percent() -> None:
    spread = Spread(2.0, 3.0)
    notes = needed(of(0.4), spread).value
    assert notes is not None
    assert named_right(0.4, spread, notes) == pytest.approx(0.95)
    assert named_right(0.0, spread, 1e9) == 0.5
    assert named_right(1.0, Spread(0.0, 0.0), 1) == 1.0


def pair(difference: Estimate, differing: int = 100, decisions: Estimate | None = None) -> Pair:
    """Rounds per game, and a seat whose wins do not change."""
    spread = Spread(2.0, 2.0)
    rounds = Changed(
        "rounds", "rounds per game", of(5.0), of(5.0), difference, spread, False, differing, "same"
    )
    seat = replace(rounds, measure="win seat 0", unit="of games", difference=exact(0.0))
    return Pair(DIFFERENCES[0], "p", 100, (rounds, seat), decisions)


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [(of(1.0), SURELY), (of(0.4, 0.2), PERHAPS), (of(0.05, 0.05), SURELY_NOT)],
)
def test_verdicts_of_noticing(difference: Estimate, verdict: str) -> None:
    assert pair(difference).verdict() == verdict


def test_identical_editions_are_never_noticed() -> None:
    found = pair(exact(0.0), 0)
    assert found.identical
    assert found.evenings == Needed(None, None, None)
    assert found.verdict() == SURELY_NOT
    assert editions_words.evenings(found.evenings) == "never"
    assert editions_words.difference_of(found.first) == "0"


def test_evenings_in_words() -> None:
    assert editions_words.evenings(Needed(17.2, 15.4, 18.3)) == "17 (15 to 18)"
    assert editions_words.evenings(Needed(35_123.0, 7_312.0, None)) == "35,000 (7,300 or more)"
    assert editions_words.whole(0.3) == "1"


def test_sentences_about_editions_follow_the_verdicts() -> None:
    found = editions.study()
    assert len(found.best) == len(DIFFERENCES)
    text = "\n".join(editions_words.noticed(found))
    for one in found.best:
        line = next(s for s in text.split("\n- ") if one.difference.name in s)
        assert line
    same = found.named("dice, French")
    assert same.identical
    assert "All games came out the same for dice, French" in text
    plain = tuple(reversed(found.plain))
    assert (
        "turns round for" in "".join(editions_words.notes(replace(found, plain=plain)))
        or plain == found.plain
    )
    sure = [p for p in found.best if p.verdict() == SURELY]
    assert f"notices {len(sure)} of {len(DIFFERENCES)} differences" in text
    assert "no such" not in text


def test_seats_that_change_are_named() -> None:
    found = editions.study()
    seat = found.best[0].of("win seat 0")
    moved = replace(seat, difference=of(0.05, 0.01))
    changes = [moved if one is seat else one for one in found.best[0].changes]
    other = replace(found, best=(found.best[0].with_changes(changes), *found.best[1:]))
    assert "surely changes with L.A.M.A. of Amigo" in editions_words.fair(other)
    assert "6.0 percentage points" in editions_words.fair(other)


# Hand sizes


def test_wishes_can_be_read_and_variants_named() -> None:
    assert hand_size_words.in_words([(6, 40), (5, 30), (4, 30)]) == "4 and 5 cards to 30 and 6 " + (
        "cards to 40"
    )
    assert hand_size_words.in_words([]) == "no variant"
    assert game_of(hand_size.RULES).rules(hand_size.RULES + hand_size_found.BOX).dealt == 6
    assert {wish for wanted in hand_size_found.WANTED for wish in wanted.wishes}


@pytest.fixture(scope="module")
def small() -> hand_size_found.Study:
    """The study of few games of few variants, all played by a plain policy."""
    from lama_odds.analysis.sweep.answer import grid_of, read_axes

    game = game_of(hand_size.RULES)
    base = game.rules(hand_size.RULES)
    grid = grid_of(game, base, read_axes(game, ("dealt=5..6", "target=30,40")), 4)
    policies = [game.policy("threshold:5")] * len(grid.cells)
    options = {f"{part}_games": 160 for part in hand_size.MEASURES}
    options |= {"seed": 1}
    making = Making("x", ROOT, options, ROOT, "tools/publish x", 1)
    sweeps = {part: hand_size.played(making, grid, part, policies) for part in hand_size.MEASURES}
    rival = hand_size_found.Rival(6, 40, "meanfield", of(0.3, 0.01))
    return hand_size_found.Study(**sweeps, rivals=(rival,))


@pytest.mark.long
def test_the_page_on_hand_sizes(small: hand_size_found.Study) -> None:
    text = hand_size_words.page(small, "threshold:8", "a test")
    assert "| 6, 40 (box) |" in text
    assert "**Quick.** Surely all wishes:" in text
    assert "surely more than a fair share, so this policy is not the best there" in text
    weak = replace(small, rivals=(replace(small.rivals[0], wins=of(0.2, 0.01)),))
    assert "surely less than a fair share" in "".join(hand_size_words.others(weak))
    even = replace(small, rivals=(replace(small.rivals[0], wins=of(0.25, 0.01)),))
    assert "not surely more than a fair share" in "".join(hand_size_words.others(even))


@pytest.mark.long
def test_evenings_follow_the_intervals(small: hand_size_found.Study) -> None:
    """With all wishes fulfilled by exact values, and with one that is not."""
    good = {
        "rounds": exact(4.2), "length": exact(100), "sat out": exact(5), "decided": exact(99),
        "lead changes": exact(3), "comebacks": exact(0.2), "skill": exact(0.7),
        "seat bias": exact(0.001),
    }  # fmt: skip

    def changed(**more: Estimate) -> hand_size_found.Study:
        values = {**good, **{name.replace("_", " "): found for name, found in more.items()}}
        sweeps = [
            replace(
                one,
                variants=tuple(
                    replace(
                        v,
                        measures={
                            **v.measures,
                            **{k: values[k] for k in values.keys() & v.measures.keys()},
                        },
                    )
                    for v in one.variants
                ),
            )
            for one in (small.played, small.seats, small.casual)
        ]
        return hand_size_found.Study(*sweeps, small.rivals)

    for line in hand_size_words.evenings(changed()):
        assert "The box surely does." in line
    quick = hand_size_words.evenings(changed(length=exact(500)))[0]
    assert "no variant" in quick
    assert "The box surely does not: `length<150`." in quick
    maybe = hand_size_words.evenings(changed(seat_bias=of(0.01, 0.005)))[0]
    assert "The box perhaps does." in maybe
    assert "So nothing here is shorter" in hand_size_words.shorter(changed())
    assert hand_size_words.beaten(changed()).startswith("No variant is surely both longer")
    good_one = small.played.variants[0]
    better = {"skill": exact(0.9), "length": exact(50)}
    found = changed()
    first = replace(good_one, measures={**found.played.variants[0].measures, **better})
    played = replace(found.played, variants=(first, *found.played.variants[1:]))
    assert "3 variants are surely beaten" in hand_size_words.beaten(replace(found, played=played))


# Stealing


@pytest.mark.parametrize(
    ("values", "clause"),
    [
        ((1, 1, 1, 1, 1, 1), "surely more at every number of players"),
        ((0, 0, 0, 0, 0, 0), "not surely more or fewer at any number of players"),
        (
            (-1, -1, 0, 0, 1, 1),
            "surely fewer with 2 and 3 players and surely more with 6 and 7 players, but not "
            "surely with 4 and 5 players",
        ),
        ((0, 1, 1, 1, 0, 1), "surely more with 3 to 5 and 7 players, but not surely with 2 and 6 "),
    ],
)
def test_changes_over_tables(values: tuple[int, ...], clause: str) -> None:
    changes = {n: of(float(v)) for n, v in zip(PLAYERS, values, strict=True)}
    assert stealing_words.over(changes, "more", "fewer").startswith(clause)


def stolen(change: float) -> stealing_found.Study:
    """Every measure changes by this much."""
    one = Compared(True, of(0.5), of(0.5 + change), of(change))
    names_of = (*stealing.USUAL[:-1], *stealing.ALONG, "win seat 0", "win seat 1")
    part = {n: dict.fromkeys(names_of, one) for n in PLAYERS}
    skill = Skill(of(0.5), of(0.5 + change), of(0.6), {"learned": of(0.5), "optimal-turn": of(0.1)})
    worth = Steals(of(0.05), of(0.3), 3)
    return stealing_found.Study(
        part, part, {4: part[4]}, dict.fromkeys(PLAYERS, skill), dict.fromkeys(PLAYERS, worth),
        100, stealing.GAMES, 1, stealing_found.STRONG,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "so"),
    [
        (-0.4, "So the game needs it at every table."),
        (0.0, "So the game plays as well without it"),
        (0.4, "So the game plays as well without it"),
    ],
)
def test_the_verdict_on_stealing(change: float, so: str) -> None:
    found = stolen(change)
    assert so in stealing_words.verdict(found)
    page = stealing_words.page(found, "a test")
    assert "which plays both rule sets here" in page
    other = replace(found, best="learned")
    assert "played by another policy" in stealing_words.page(other, "a test")


def test_some_measures_or_tables_alone() -> None:
    fewer = stolen(-0.4)
    same = stolen(0.0)
    mixed = replace(fewer, skill=same.skill)
    assert "surely needs it for at every table is lead changes and comebacks" in (
        stealing_words.verdict(mixed)
    )
    few = {n: fewer.casual[n] if n < 4 else same.casual[n] for n in PLAYERS}
    some = replace(same, casual=few)
    assert "So it helps at some tables only." in stealing_words.verdict(some)


@pytest.mark.long
def test_a_steal_is_compared_with_the_best_other_action() -> None:
    game = game_of(stealing.WITH)
    rules = game.rules(stealing.WITH)
    text = game.record(rules, [game.policy("learned")] * 2, 1, 0, False)
    gains = stealing.gains_of(text)
    assert 0 < len(gains) <= text.count(" steal ")
    assert all(-1 < gain < 1 for gain in gains)
    assert math.fsum(gains) > 0  # `learned` steals where that is better


def test_without_stealing_no_policy_plays_what_was_fitted_with_it() -> None:
    game = game_of(stealing.WITHOUT)
    for players in PLAYERS:
        assert game.best_policy(game.rules(stealing.WITHOUT), players).name == stealing.STRONG


@pytest.mark.long
def test_the_page_on_editions_is_made(tmp_path: Path) -> None:
    editions.make(Making("study-editions", tmp_path, {}, tmp_path, "tools/publish study-editions"))
    page = (tmp_path / editions.PAGE).read_text(encoding="utf-8")
    assert "## What it says" in page
    assert "| dice, French: the same rules | – | never | surely not | never |" in page
    rows = (tmp_path / editions.ROWS).read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("against,rules,policy,measure")
    assert b"<svg" in (tmp_path / editions.CHART).read_bytes()


# How often intervals are right


@pytest.mark.long
def test_a_part_of_the_study_is_made() -> None:
    """The others: `python -m tools.study.validity PART --quick`."""
    rates = validity.study_part("rankings", Study(seed=2, quick=True))
    assert rates
    assert not [rate for rate in rates if rate.verdict == v.MISSES]


def test_wilson_coverage_added_up() -> None:
    # n = 2: counts 0, 1, 2 by hand.
    intervals = [share_of(count, 2) for count in range(3)]
    p = 0.2
    chances = [0.64, 0.32, 0.04]
    held = sum(c for c, i in zip(chances, intervals, strict=True) if i.low <= p <= i.high)
    assert v.share_coverage(2, p) == pytest.approx(held, abs=1e-12)
    # Brown, Cai & DasGupta (2001, Statistical Science 16, 101-133): near 0 it dips far below.
    assert min(v.share_coverage(50, q) for q in np.linspace(0.001, 0.02, 200)) < 0.9
    assert v.share_coverage(1_000, 0.3) == pytest.approx(0.95, abs=0.003)


def test_sums_are_of_the_distribution() -> None:
    truth = Truth("a die less 2", np.arange(-1, 5), np.ones(6), 0.5)
    assert truth.mean == pytest.approx(0.75)
    eight = truth.added(8)
    assert eight.mean == pytest.approx(6)
    assert eight.chances.sum() == pytest.approx(1)
    assert (eight.values.min(), eight.values.max()) == (-8, 32)
    total, squares, differing, cubes = truth.sums(np.random.default_rng(1), 60_000, 1)[0]
    assert total / 60_000 == pytest.approx(1.5, abs=0.05)
    assert squares / 60_000 == pytest.approx(31 / 6, abs=0.1)
    assert differing / 60_000 == pytest.approx(5 / 6, abs=0.01)
    assert cubes / 60_000 == pytest.approx(16.5, abs=0.5)


@pytest.mark.long
def test_exact_values_are_those_of_the_games() -> None:
    assert turn_truth().chances.sum() == pytest.approx(1)
    assert all(0 < chance < 1 for chance in pair_chances())
    values = hidden_values()
    assert values["quit"] - values["play 3"] == pytest.approx(3)


@pytest.mark.parametrize(
    ("count", "aim", "verdict"),
    [
        (950, v.FIXED, v.HOLDS),
        (942, v.FIXED, v.UNCLEAR),
        (900, v.FIXED, v.MISSES),
        (900, v.ANY, v.SHOWN),
        (40, v.AT_MOST, v.HOLDS),
        (90, v.AT_MOST, v.MISSES),
        (1_000, v.AT_LEAST, v.HOLDS),
    ],
)
def test_verdicts_of_rates(count: int, aim: tuple[float, float], verdict: str) -> None:
    assert Rate("", "", "", "", count, 1_000, aim).verdict == verdict


def test_pages_have_every_rate() -> None:
    rates = {"rankings": [Rate("a", "coverage", "b", "100", 900, 1_000, v.FIXED)]}
    page = validity.page(rates, "the command")
    assert "1 miss" in page
    assert page.count("| a | coverage | b | 100 | 1,000 | 90.00 ± 1.86 % | 94.5 to 95.5 % |") == 2
    (line,) = csv.DictReader(validity.csv_text(rates).splitlines())
    assert (line["part"], line["rate"], line["verdict"]) == ("rankings", "0.9", "misses")


def test_finished_parts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def study_part(name: str, study: Study) -> list[Rate]:
        made.append(name)
        if name == "races" and len(made) == 2:
            raise KeyboardInterrupt
        return [Rate("mean", "coverage", name, "8", np.int64(study.seed), 9, v.FIXED, None)]

    monkeypatch.setattr(validity, "study_part", study_part)
    folder = tmp_path / "run"
    with (
        contextlib.suppress(KeyboardInterrupt),
        validity.kept_parts(folder, Study(1, True)) as part,
    ):
        rates = part("means")
        part("races")
    with validity.kept_parts(folder, Study(1, True)) as part:
        assert part("means") == rates == [Rate("mean", "coverage", "means", "8", 1, 9, v.FIXED)]
        assert part("races")[0].case == "races"
    assert made == ["means", "races", "races"]
    with (
        pytest.raises(LimitError, match="seed: found 1, expected 2"),
        validity.kept_parts(folder, Study(2, True)),
    ):
        pass
