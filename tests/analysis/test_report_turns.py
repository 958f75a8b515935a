"""Sections of Pikomino against the plain twins, of No Prob-Lama against sums over blocks."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.strategy_report.by_game import noprob, pikomino
from lama_odds.analysis.strategy_report.by_game.noprob import NO_GROUP, pooled_job
from lama_odds.analysis.strategy_report.document import SAMPLED, Ask, Budget, HeatMap
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import ThresholdTable
from lama_odds.games.interface.tally_layout import (
    DIFFERENCE,
    DIFFERENCE_FORKS,
    DIFFERENCE_SQUARED,
    FIRST,
    FIRST_FORKS,
    FIRST_SQUARED,
    FORKS,
    FORKS_SQUARED,
    PER_OBJECTIVE,
    SECOND_SQUARED,
    ForkCell,
)
from lama_odds.games.noprob.game import GAME as NOPROB
from lama_odds.games.noprob.jobs import tables_beside
from lama_odds.games.pikomino import jobs
from lama_odds.games.pikomino.engine.kernels import FAR
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.jobs import BANDS
from lama_odds.games.pikomino.solvers.endgame import result_of, shipped
from lama_odds.simulation.run import BLOCK, run
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of, twin_rules
from tests.reference import pikomino as twin
from tests.reference import pikomino_turn as twin_turn

pytestmark = pytest.mark.long  # pages and sections are made once a module
SMALL = {"dice": 5, "low": 11, "tiles": 10}
EGMONT = GAME.rules("pikomino/egmont")
PAIR = ("first-tile", "random")
COARSE = Budget(2.0)  # 400 games


def ask_of(rules: Any = EGMONT, players: int = 2) -> Ask:
    return Ask(GAME, rules, players, COARSE, 0, 1)


def tables_of(rules: Any, players: int = 3) -> dict[str, Any]:
    return {table.name: table for table in GAME.exact_tables(rules, players)}


# The first face


@pytest.fixture(scope="module")
def first_rolls() -> list[tuple[dict[str, int], Fraction, dict[str, Fraction]]]:
    """All first rolls of the twin: dice by face, chance, what keeping each face is worth."""
    rules = twin_rules(SMALL)
    turn = twin_turn.points(rules, twin_turn.all_tiles(rules), None, [None, None])
    start = turn.begin()
    found = []
    for counts, chance in twin_turn.all_rolls(rules.dice):
        roll = "".join(face * dice for face, dice in counts.items())
        found.append((counts, chance, turn.keeps(*start, roll)))
    return found


def test_every_face_by_number_of_dice_is_the_twins(first_rolls: Any) -> None:
    rows = tables_of(product_rules(id_of(SMALL)))["first_face"].rows
    assert [(row["face"], row["dice"]) for row in rows] == [
        (face, dice) for face in "W54321" for dice in range(1, 6)
    ]
    for row in rows:
        face = row["face"]
        here = [(p, values) for counts, p, values in first_rolls if counts.get(face) == row["dice"]]
        chance = sum(p for p, _ in here)
        best = sum(p for p, values in here if values[face] == max(values.values()))
        cost = sum(p * (max(values.values()) - values[face]) for p, values in here)
        assert row["shown"].value == pytest.approx(float(chance))
        assert row["best on"].value == pytest.approx(float(best / chance))
        assert row["costs"].value == pytest.approx(float(cost / chance))
        if row["dice"] == 5:
            assert row["ahead"] is None
            continue
        ahead = sum(
            p * (values[face] - max(v for f, v in values.items() if f != face))
            for p, values in here
        )
        assert row["ahead"].value == pytest.approx(float(ahead / chance))


def points_first(counts: dict[str, int], face: str) -> Any:
    return counts[face] * twin_turn.value_of(twin_rules(SMALL), face), face == "W", face


THUMBS = {
    "the most points": points_first,
    "the most points in 4s, 5s or worms, if any": lambda counts, face: (
        face in "45W",
        *points_first(counts, face),
    ),
    "worms, else the most points": lambda counts, face: (
        face == "W",
        *points_first(counts, face),
    ),
    "the highest face": lambda counts, face: (face == "W", face),
    "the most dice": lambda counts, face: (counts[face], face == "W", face),
}


def test_rules_of_thumb_cost_what_they_cost_the_twin(first_rolls: Any) -> None:
    rows = {row["keep"]: row for row in tables_of(product_rules(id_of(SMALL)))["first_rules"].rows}
    assert rows.keys() == THUMBS.keys()
    for name, prefer in THUMBS.items():
        best, cost = Fraction(0), Fraction(0)
        for counts, chance, values in first_rolls:
            kept = values[max(counts, key=lambda face: prefer(counts, face))]
            best += chance * (kept == max(values.values()))
            cost += chance * (max(values.values()) - kept)
        assert rows[name]["best on"].value == pytest.approx(float(best)), name
        assert rows[name]["costs"].value == pytest.approx(float(cost)), name


def test_the_section_says_what_its_tables_hold() -> None:
    tables = tables_of(EGMONT, 4)
    faces, thumbs = tables["first_face"], tables["first_rules"]
    section = pikomino.first_face_section(ask_of(players=4), faces, thumbs)
    assert section is not None
    least = min(row["costs"].value for row in thumbs.rows)
    assert f"costs {least:.2f} worms per turn" in section.headlines[0]
    assert "two worms on 90 %" in section.headlines[1]
    single = GAME.rules("pikomino/egmont+dice=1+low=5+tiles=1")
    faces, thumbs = (tables_of(single, 2)[name] for name in ("first_face", "first_rules"))
    assert pikomino.first_face_section(ask_of(single), faces, thumbs) is None
    assert pikomino.steals_section(ask_of(single)) is None


# Few tiles left, solved


@pytest.mark.parametrize(("left", "lead"), [(1, 6), (3, 0), (4, 0)])
def test_solved_standings_are_means_over_all_boards(left: int, lead: int) -> None:
    known = shipped(EGMONT)
    worms = EGMONT.worms_on
    chances = []
    for tiles in ((21, *others) for others in combinations(range(22, 37), 3)):
        for centre in combinations(tiles, left):
            rest = [tile for tile in tiles if tile not in centre]
            for order in permutations(rest):
                for mine in range(len(order) + 1):
                    board = centre, order[:mine], order[mine:]
                    if sum(map(worms, board[1])) - sum(map(worms, board[2])) == lead:
                        found = known(board)
                        chances.append(result_of(EGMONT, board) if found is None else found)
    rows = tables_of(EGMONT, 2)["standings"].rows
    found = [r for r in rows if (r["tiles left"], r["worms ahead"]) == (left, lead)]
    if len(chances) < jobs.FEWEST_BOARDS:
        assert found == []
        return
    (row,) = found
    assert row["boards"] == len(chances)
    assert row["win"].value == pytest.approx(np.mean(chances))
    low, high = np.quantile(chances, (0.25, 0.75))
    assert (row["quarter below"].value, row["quarter above"].value) == pytest.approx((low, high))


def test_only_the_shipped_rule_set_has_solved_standings() -> None:
    assert "standings" not in tables_of(product_rules(id_of(SMALL)), 2)
    assert "standings" not in tables_of(EGMONT, 3)
    assert pikomino.last_tiles_section(ask_of(product_rules(id_of(SMALL)))) is None
    section = pikomino.last_tiles_section(ask_of())
    assert section is not None
    assert [len(figure.lines) for figure in section.figures] == [3]
    assert "2 worms ahead you win 81 % on average" in section.findings[0]


# Games played


def standings_of_twin(
    options: dict[str, Any], policies: tuple[str, ...], seed: int, games: int
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """By tiles left and worms ahead: of each game, turns and win shares of who was to roll."""
    rules = twin_rules(options)
    table = twin.Table(rules, policies, seed)
    seats = len(policies)
    found: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for game in range(games):
        before = twin.Game(rules, seats)
        met = []
        left, worms, seat = rules.tiles, [0] * seats, 0
        for state, _ in twin.play_game(table, game):
            most = max(worms[:seat] + worms[seat + 1 :])
            met.append((seat, left, max(-FAR, min(FAR, worms[seat] - most))))
            left, worms, seat = len(state.centre), list(state.worms), (seat + 1) % seats
            before = state
        if not before.ended:
            continue
        turns: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for seat, tiles, lead in met:
            cell = turns[band_of(rules.tiles, tiles), lead]
            cell[0] += 1
            cell[1] += before.shares()[seat]
        for key, (n, won) in turns.items():
            found[key].append((n, won))
    return found


def band_of(tiles: int, left: int) -> int:
    firsts = sorted({max(1, at * tiles // 16) for at in BANDS})
    return sum(first <= left for first in firsts) - 1


@pytest.mark.parametrize(
    ("options", "policies"),
    [({}, PAIR), ({"tiles": 6, "short": True}, ("first-tile",) * 3)],
)
def test_standings_are_the_twins(options: dict[str, Any], policies: tuple[str, ...]) -> None:
    rules = product_rules(id_of(options))
    job = GAME.standings(rules, [GAME.policy(name) for name in policies])
    tally = run(job.job, 5, 24, threads=2, chunk=16).tally
    assert tally.sum() == run(job.job, 5, 24, threads=1).tally.sum()
    expected = standings_of_twin(options, policies, 5, 24)
    leads = 2 * FAR + 1
    for at, row in enumerate(tally[:-1]):
        cell = ForkCell(row)
        games = expected.get((at // leads, at % leads - FAR), [])
        assert cell.decisions == sum(n for n, _ in games)
        assert cell.decisions_squared == sum(n * n for n, _ in games)
        total, squares, products, *_ = cell.first(0)
        assert total == sum(won for _, won in games)
        assert squares == sum(won * won for _, won in games)
        assert products == sum(n * won for n, won in games)
    assert sum(map(len, expected.values())) > 100


def test_shares_of_all_and_nothing_keep_an_interval() -> None:
    sure = pikomino.as_share(Estimate(1.0, 0.0, 1.0, 1.0, 90, "simulation"), 40.0)
    assert sure.high == 1.0
    assert 0.9 < sure.low < 0.95
    half = pikomino.as_share(Estimate(0.5, 0.05, 0.4, 0.6, 400, "simulation"), 80.0)
    assert half.low == pytest.approx(0.404, abs=0.002)
    assert half.high == pytest.approx(0.596, abs=0.002)


# No Prob-Lama: cards drawn and lines.

STARNBERGER = NOPROB.rules("noprob/starnberger")
POINTS = dict(zip(STARNBERGER.names, STARNBERGER.points, strict=True))


def ask_noprob(rules: Any = STARNBERGER) -> Ask:
    return Ask(NOPROB, rules, 2, COARSE, 0, 1)


def test_kinds_of_places() -> None:
    for card, replaces, place in (
        ("7", "face down", "face down"),
        ("7", "completes a line", "completes a line"),
        ("7", "10", "saves some"),
        ("7", "(9)", "saves little"),
        ("4", "10", "saves much"),
        ("7", "7", "equal"),
        ("3", "(D)", "equal"),
        ("7", "(3)", "cheaper"),
        ("7", "(K)", "negative"),
        ("-2", "-5", "negative"),
        ("J", "-2", "negative"),
        ("J", "(J)", "joker"),
        ("-5", "-2", "saves some"),
    ):
        assert noprob.place_of(POINTS[card], replaces, POINTS) == place, (card, replaces)


def test_every_replacement_has_one_kind_of_place() -> None:
    studied = tables_beside(STARNBERGER, [NOPROB.best_policy(STARNBERGER, 3)] * 3)
    beside = noprob.with_places(studied, STARNBERGER)
    by_name = {table.name: table for table in beside.tables}
    groups, replacements = beside.job.tables[1], by_name["replacements"].keys
    assert (groups[:, by_name["gifts"].first :] == NO_GROUP).all()
    for at, keys in enumerate(replacements):
        mine = by_name["places_by_card"].keys[groups[0, at]]
        everyones = by_name["places"].keys[groups[1, at] - len(by_name["places_by_card"].keys)]
        assert mine["card"] == keys["card"]
        assert mine["on"] == everyones["on"]
    assert by_name["places"].first + len(by_name["places"].keys) == beside.job.shape[0]


def test_pooled_cells_are_sums_over_blocks() -> None:
    studied = tables_beside(STARNBERGER, [NOPROB.policy("greedy")] * 2).job
    cells = studied.shape[0]
    groups = np.full((2, cells), NO_GROUP, dtype=np.int64)
    groups[0] = np.arange(cells) % 3
    groups[1, : cells // 2] = 3
    job = pooled_job(studied, groups)
    assert job.shape == (cells + 4, studied.shape[1])
    tally = run(job, 7, 48, threads=2, chunk=16).tally
    direct = run(studied, 7, 48, threads=1).tally
    assert (tally[:cells] == direct).all()
    expected = np.zeros((4, studied.shape[1]), dtype=np.int64)
    for start in range(0, 48, BLOCK):
        block = run(studied, 7, BLOCK, first=start, threads=1).tally
        for group in range(4):
            here = (groups == group).any(axis=0)
            n = int(block[here, FORKS].sum())
            expected[group, [FORKS, FORKS_SQUARED]] += [n, n * n]
            for at in (0, PER_OBJECTIVE):
                f, d = (int(block[here, column + at].sum()) for column in (FIRST, DIFFERENCE))
                expected[group, FIRST + at] += f
                expected[group, FIRST_SQUARED + at] += f * f
                expected[group, FIRST_FORKS + at] += f * n
                expected[group, DIFFERENCE + at] += d
                expected[group, DIFFERENCE_SQUARED + at] += d * d
                expected[group, DIFFERENCE_FORKS + at] += d * n
                expected[group, SECOND_SQUARED + at] += (f + d) ** 2
    assert (tally[cells:] == expected).all()
    assert expected[:, FORKS].min() > 20
    assert (run(job, 7, 48, threads=1, chunk=48).tally == tally).all()


def test_cards_drawn() -> None:
    drawn = noprob.drawn_section(ask_noprob())
    assert drawn is not None
    assert drawn.method == SAMPLED
    assert drawn.games % BLOCK == 0

    places, _ = drawn.figures  # with two players there is nobody else to give a special to
    points, chances = (part.dots for part in places.parts)
    assert [dot.value for dot in points] == sorted(dot.value for dot in points)
    assert [dot.label for dot in points] == [dot.label for dot in chances]
    (places_table,) = (table for table in drawn.tables if table.name == "places")
    broken = {row[0]: row for row in places_table.rows}["a line is broken"]
    assert broken[1] == broken[2].n
    assert min(broken[2].low, broken[3].low) > 0  # nobody should
    won = {dot.label: dot.value for dot in chances}["a line is broken"]
    assert won == pytest.approx(100 * broken[3].value)
    assert not any("Drama" in line for line in drawn.headlines)


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, 500, "simulation")


def test_only_what_is_clear_is_written_into_the_map() -> None:
    rows = tuple(
        {"card": card, "on": on, "n": 500, "points": estimate(value, half)}
        for card, on, value, half in (
            ("3", "a card face down", -1.0, 0.4),
            ("10", "a card face down", 0.5, 0.6),
            ("-2", "a line is broken", 2.0, 0.4),
            ("J", "a line is broken", 3.0, 0.4),
        )
    )
    found = noprob.place_map(ThresholdTable("places_by_card", "t", rows), STARNBERGER.names)
    assert isinstance(found, HeatMap)
    assert found.y_names == ("joker", "−2", "3", "10")
    assert found.texts == (("", "+3.0"), ("", "+2.0"), ("−1.0", ""), ("", ""))
    assert [line[0] for line in found.values] == [None, None, -1.0, 0.5]


def test_lines_are_worth_what_the_rules_say() -> None:
    section = noprob.lines_section(ask_noprob())
    assert section is not None
    (table,) = section.tables
    assert [row[0] for row in table.rows] == [str(n) for n in range(3, 11)]
    name, loose, line, saved, third = table.rows[-1]
    assert (name, loose, line, saved) == ("10", 30, -10, 40)
    assert third.value == pytest.approx((14 - 2 + 5) / 154)
    fewer = noprob.lines_section(
        ask_noprob(rules=NOPROB.rules("noprob/starnberger+copies=10+jokers=2+low=5"))
    )
    assert fewer is not None
    assert (
        noprob.lines_section(ask_noprob(rules=NOPROB.rules("noprob/starnberger+copies=1"))) is None
    )
    assert fewer.tables[0].rows[0][:4] == ("5", 15, -5, 20)
    assert fewer.tables[0].rows[0][4].value == pytest.approx((10 - 2 + 2) / (156 - 32 - 3 - 2))
