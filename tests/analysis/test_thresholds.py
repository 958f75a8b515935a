"""Thresholds: how many rounds, what a row says, where quitting stops to be better, tables."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.thresholds import thresholds as module
from lama_odds.analysis.thresholds.answer import (
    FEWEST_FORKS,
    NOT_KNOWN,
    TOSS_UP,
    Row,
    Thresholds,
    by_what_it_is_worth,
    limit_text,
    reached_by,
    rule_part,
    tables_beside,
    threshold,
)
from lama_odds.analysis.thresholds.thresholds import PILOT_GAMES, plan, thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import plain
from lama_odds.games.interface.jobs import ForkJob, ForkTable, ForkTables, Scale
from lama_odds.games.interface.match_equity import rounds_to_win
from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    DIFFERENCE,
    DIFFERENCE_FORKS,
    DIFFERENCE_SQUARED,
    FORKS,
    FORKS_SQUARED,
    decisions_of,
)
from lama_odds.games.lama.jobs import FORK_KEYS
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.report.text.thresholds import thresholds_csv
from lama_odds.simulation.run import Play, run
from tests.games.cases import counted

GAME = game_of("lama/egmont")
RULES = GAME.rules("lama/egmont")
Z = NormalDist().inv_cdf(0.975)
ACTIONS = ("quit", "draw")


def forks_of(seed: int, games: int) -> list[tuple[int, int, int, int]]:
    """Made-up decisions of one cell: (first and second payoff) in points and in margin."""
    rng = np.random.default_rng(seed)
    return [tuple(int(x) for x in rng.integers(-5, 20, 4)) for _ in range(games)]


def cell_of(games: list[list[tuple[int, int, int, int]]]) -> np.ndarray:
    """The tally of one cell from its decisions, game by game."""
    made = [[(["x"], (f, fm), (s, sm)) for f, s, fm, sm in forks] for forks in games]
    return np.array(counted(made)["x"])


def pilot_of(cells: dict[tuple[int, int | None], np.ndarray], unit: float = 0.5) -> Any:
    """A pilot and its tally with these cells, by (penalty, cards)."""
    keys = [{"penalty": p, "cards": cards} for p in range(10) for cards in (None, 1)]
    tally = np.array([cells.get((k["penalty"], k["cards"]), np.zeros(16, np.int64)) for k in keys])
    return ForkJob(None, keys, ACTIONS, unit, ""), tally


@pytest.mark.long
def test_rounds_are_planned_for_the_rarest_penalty_and_common_ones_are_thinned_out() -> None:
    common, rare = forks_of(1, 9_000), forks_of(2, 40)
    often, once = (cell_of([[fork] for fork in forks]) for forks in (common, rare))
    asked = pilot_of({(3, None): often, (5, None): once, (5, 1): often, (7, 1): once})
    games, chances = plan(*asked, PILOT_GAMES, 0.2, None)
    some, most = ((Z * np.std([s - f for f, s, *_ in x]) / 0.18) ** 2 for x in (common, rare))
    assert games == pytest.approx(most / (40 / PILOT_GAMES), rel=1e-6)
    # What is met often is thinned out, but not below its least share; the rest is taken whole.
    assert chances.tolist() == [CERTAIN] * 3 + [math.ceil(0.05 * CERTAIN)] + [CERTAIN] * 6
    fewer = round(some / (0.3 * 9_000 / PILOT_GAMES))
    assert plan(*asked, PILOT_GAMES, 0.2, fewer)[1][3] == pytest.approx(0.3 * CERTAIN, rel=0.01)


def test_plans_have_a_least_and_a_most() -> None:
    cell = cell_of([[fork] for fork in forks_of(4, 2_000)])
    pilot, tally = pilot_of({(2, None): cell})
    assert plan(pilot, tally, PILOT_GAMES, 100.0, None)[0] == PILOT_GAMES
    assert plan(pilot, tally, PILOT_GAMES, 1e-6, None)[0] == module.MOST_GAMES
    # Penalties met less often than this decide nothing, whatever they vary.
    assert plan(pilot, tally, PILOT_GAMES, 1e-6, None, rare=1.0)[0] == PILOT_GAMES
    assert plan(*pilot_of({}), PILOT_GAMES, 0.1, None)[0] == PILOT_GAMES
    # The precision is wanted of both objectives, but of chances alone where points stand beside.
    for objectives, places in ((("points", "margin"), (0, 1)), (("win", "points"), (0,))):
        job = replace(pilot, objectives=objectives, margin_unit=2.0)
        worst = max(module.estimates_of(job, cell, at)[2].stderr for at in places)
        games = PILOT_GAMES * (Z * worst / (0.9 * 0.1)) ** 2
        assert plan(job, tally, PILOT_GAMES, 0.1, None)[0] == pytest.approx(games, rel=1e-3)


def test_errors_allow_for_decisions_of_the_same_round() -> None:
    rng = np.random.default_rng(6)
    games = [forks_of(100 + game, int(rng.integers(0, 5))) for game in range(400)]
    games = [
        [tuple(x + 7 * (g % 3) for x in fork) for fork in forks] for g, forks in enumerate(games)
    ]
    job, _ = pilot_of({})
    cell = cell_of([forks for forks in games if forks])
    n = np.array([len(forks) for forks in games])
    for objective, unit in ((0, 1.0), (1, 0.5)):
        first, second, difference = module.estimates_of(job, cell, objective)
        at = 2 * objective
        f = np.array([sum(fork[at] for fork in forks) for forks in games])
        s = np.array([sum(fork[at + 1] for fork in forks) for forks in games])
        for estimate, sums in ((first, f), (second, s), (difference, s - f)):
            mean = sums.sum() / n.sum()
            error = math.sqrt(((sums - mean * n) ** 2).sum()) / n.sum()
            assert estimate.value == pytest.approx(unit * mean, rel=1e-12)
            assert estimate.stderr == pytest.approx(unit * error, rel=1e-9)
            assert estimate.high - estimate.value == pytest.approx(Z * unit * error, rel=1e-9)
            assert estimate.n == n.sum()


def ask(games: int | None, seed: int = 0, threads: int | None = None, **options: Any) -> Thresholds:
    play, policy = Play(seed, threads), GAME.policy("threshold:6")
    return thresholds(GAME, RULES, 3, policy=policy, games=games, play=play, **options)


def test_rows_are_the_cells_of_the_rounds_after_the_pilot() -> None:
    found = ask(30_000, seed=5, precision=0.3)
    policies = [GAME.policy("threshold:6")] * 3
    always = np.full(GAME.most_points(RULES) + 1, CERTAIN, dtype=np.int64)
    pilot = GAME.forks(RULES, policies, always)
    tally = run(pilot.job, 5, PILOT_GAMES).tally
    _, chances = plan(pilot, tally, PILOT_GAMES, 0.3, 30_000)
    assert min(chances) < CERTAIN / 3
    job = GAME.forks(RULES, policies, chances)
    tally = run(job.job, 5, 30_000, first=PILOT_GAMES).tally
    cells = {tuple(keys.values()): cell for keys, cell in zip(job.keys, tally, strict=True)}
    given = [sum(value is not None for value in row.keys.values()) for row in found.rows]
    assert given == sorted(given)
    assert {tuple(row.keys.values()) for row in found.rows} == {
        keys for keys, cell in cells.items() if decisions_of(cell) >= 200
    }
    for row in found.rows:
        cell = cells[tuple(row.keys.values())]
        n, share = decisions_of(cell), chances[row.keys["penalty"] or 0] / CERTAIN
        assert row.n == n
        assert row.met == pytest.approx(n / share / 30_000, rel=1e-12)
        quit_, draw, difference = row.values["points"]
        assert quit_.value == row.keys["penalty"]
        assert difference.value == pytest.approx(cell[5] / n, rel=1e-12)
        assert draw.value - quit_.value == pytest.approx(difference.value, abs=1e-9)
        margins = [estimate.value for estimate in row.values["margin"]]
        assert margins[2] == pytest.approx(cell[12] / n / 2, rel=1e-12)
        assert margins[1] - margins[0] == pytest.approx(margins[2], abs=1e-9)


DICE = game_of("dice/amigo")
AMIGO = DICE.rules("dice/amigo")


@pytest.mark.long
def test_dice_show_the_last_player_exactly() -> None:
    (table,) = (table for table in DICE.exact_tables(AMIGO, 2) if table.name == "last_player")
    rows = [plain(row) for row in table.rows]
    assert len(rows) == len({row["cards"] for row in rows}) == 127
    for row in rows[:-1:9]:
        position = DICE.position(AMIGO, f"hand={row['cards']} opp=q=1")
        solved = {a.action: a for a in DICE.solve(AMIGO, position, "points", 1).actions}
        values = {name: action.values["points"] for name, action in solved.items()}
        assert {name: row[name] for name in values} == {n: e.to_json() for n, e in values.items()}
        assert row["quit"]["value"] == row["penalty"]
        assert row["better"] == min(values, key=lambda name: values[name].value)
        assert row["out"] == solved["roll"].chances["out"].to_json()


# What is said of rows.
def row_of(penalty: int, low: float, high: float, cards: int | None = None) -> Row:
    middle = (low + high) / 2
    difference = Estimate(middle, 0.1, low, high, 500, "simulation")
    values = (Estimate(1.0), Estimate(1.0 + middle), difference)
    keys = {"penalty": penalty, "cards": cards}
    return Row(keys, 0.25, 500, {"points": values, "margin": values})


def answer_of(*rows: Row) -> Thresholds:
    shown = Scale(), ("points", "margin")
    made = (*shown, rows, (), 9, 0, 1.0)
    return Thresholds("lama/egmont", 3, "x", ACTIONS, "here", *made, words=FORK_KEYS)


def rows_of(signs: str, first: int = 1) -> list[Row]:
    """Rows in which quitting is better (+), worse (-), or neither is known (0)."""
    bounds = {"+": (0.5, 1.0), "-": (-1.0, -0.5), "0": (-0.2, 0.4)}
    return [row_of(penalty, *bounds[sign]) for penalty, sign in enumerate(signs, first)]


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ("++++", (4, 4)),
        ("++--", (2, 2)),
        ("+0--", (1, 2)),
        ("+0+-", (1, 3)),
        ("0---", (-1, 1)),
        ("----", (-1, -1)),
        ("-+++", (-1, -1)),
        ("+-+0", (1, 1)),
        ("", (-1, -1)),
    ],
)
def test_the_last_penalty_to_quit_with_for_certain_and_perhaps(
    signs: str, expected: tuple[int, int]
) -> None:
    assert threshold(answer_of(), rows_of(signs)[::-1], "points") == expected


@pytest.mark.parametrize(
    ("low", "high", "verdict", "said"),
    [
        (-0.02, 0.04, TOSS_UP, "2 is a toss-up"),
        (-0.02, 0.06, NOT_KNOWN, "2 is not known yet"),
        (-0.06, 0.02, NOT_KNOWN, ""),
        (0.01, 0.02, "quit", ""),
    ],
)
def test_a_toss_up_is_shown_to_be_one(low: float, high: float, verdict: str, said: str) -> None:
    row = row_of(2, low, high)
    assert row.verdict("points", ACTIONS) == verdict
    rows = [row_of(1, 0.5, 1.0), row, row_of(3, -1.0, -0.5)]
    assert rule_part(answer_of(*rows), rows, "points").partition("; ")[2] == said or not said
    # A chance is as good as equal within half a percentage point.
    as_chance = replace(row, values={"win": row.values["points"]})
    assert as_chance.verdict("win", ACTIONS) == (verdict if low > 0 else NOT_KNOWN)


def test_a_short_answer_is_about_winning_where_that_was_counted() -> None:
    assert answer_of().main == "points"
    assert replace(answer_of(), objectives=("points", "round lost")).main == "round lost"


def test_what_is_seen_matters_by_what_one_limit_for_all_of_it_costs() -> None:
    """Limits 1 and 3 by cards; limits 1 and 3 by others too, which differ more but hardly occur."""

    def rows_by(key: str, met: float, costs: float) -> list[Row]:
        return [
            replace(
                row_of(penalty, *((costs, costs) if penalty <= limit else (-costs, -costs))),
                keys={"penalty": penalty, "cards": None, "others": None, key: value},
                met=met,
            )
            for value, limit in ((1, 1), (2, 3))
            for penalty in range(1, 5)
        ]

    alone = replace(row_of(1, 9.0, 9.0), keys={"penalty": 1, "cards": None, "others": None})
    found = answer_of(alone, *rows_by("cards", 1.0, 0.5), *rows_by("others", 0.01, 5.0))
    assert by_what_it_is_worth(found, ["others", "cards"], "points") == ["cards", "others"]
    often = answer_of(*rows_by("cards", 1.0, 0.5), *rows_by("others", 0.2, 5.0))
    assert by_what_it_is_worth(often, ["cards", "others"], "points") == ["others", "cards"]


LEAD = Scale("lead", 24, -3, 16, "points ahead")


@pytest.mark.parametrize(
    ("scale", "first", "signs", "limit"),
    [
        (Scale(), 1, "++--", "2"),
        (Scale(), 1, "+00-", "1 to 3"),
        (Scale(), 1, "00--", "at most 2"),
        (Scale(), 1, "----", "never"),
        (Scale(), 4, "----", "less than 4"),
        # Nowhere certain is not certain in the first row.
        (LEAD, 0, "0---", "at least 24"),
        (LEAD, 0, "+---", "24"),
        (LEAD, 0, "++0-", "18 to 21"),
        (LEAD, 0, "----", "never"),
        (LEAD, 4, "----", f"more than {LEAD.value(4)}"),
    ],
)
def test_limits_are_said_as_they_are_known(
    scale: Scale, first: int, signs: str, limit: str
) -> None:
    rows = rows_of(signs, first)
    assert limit_text(replace(answer_of(*rows), scale=scale), rows, "points") == limit


def test_the_widest_row_is_what_was_reached() -> None:
    rows = [row_of(1, 0.5, 1.0), row_of(2, 2.0, 4.0)]
    found = reached_by(rows, ("points",), 0.1)
    assert found is not None
    assert found.reached == 1.0
    clear = reached_by(rows, ("points",), 0.1, 0.5)  # both are half their half-widths off 0
    assert clear is not None
    assert clear.reached == 0.0
    assert reached_by([], ("points",), 0.1) is None


def counting(rules, policies, tables, seed, first, games, tally):
    """Make up a fork each game: second − first is 1, or 3 in every second game."""
    for game in range(first, first + games):
        d = 1 + 2 * (game % 2)
        tally[1, [FORKS, FORKS_SQUARED]] += 1
        tally[1, [DIFFERENCE, DIFFERENCE_FORKS]] += d
        tally[1, DIFFERENCE_SQUARED] += d * d


def test_a_row_is_the_mean_of_the_differences_and_few_are_left_out():
    job = Job(counting, np.zeros(1), np.zeros(1), (), (2, 16))
    units = (("points", 1.0), ("round", 0.5))
    shown = ForkTable("made", "Made up", 0, [{"card": "a"}, {"card": "b"}], units, "so")
    empty = ForkTable("none", "None", 0, [{"card": "a"}, {}], units, "so")
    tables, interrupted = tables_beside(ForkTables(job, 400, (shown, empty)), None, Play(threads=1))
    assert not interrupted
    assert [table.name for table in tables] == ["made"]
    (row,) = tables[0].rows
    assert (row["card"], row["n"]) == ("b", 400)
    assert row["points"].value == 2
    assert row["points"].stderr == pytest.approx(1 / 20, rel=0.01)
    assert "400 rounds" in tables[0].made
    few, _ = tables_beside(ForkTables(job, 400, (shown,)), FEWEST_FORKS - 1, Play(threads=1))
    assert few == []
    answer = replace(answer_of(row_of(2, 0.5, 1.0)), tables=tuple(tables))
    assert answer.to_json()["made"][0]["points"] == row["points"].to_json()
    parts = thresholds_csv(answer).split("\n\n")
    (line,) = csv.DictReader(io.StringIO(parts[1]))
    assert (line["table"], line["card"]) == ("made", "b")
    assert float(line["points high"]) == row["points"].high


def test_a_precision_of_chances_is_reached_by_chances_alone() -> None:
    policy = DICE.best_policy(AMIGO, 2, "win")
    worth = rounds_to_win(AMIGO.id, [policy] * 2)
    found = thresholds(DICE, AMIGO, 2, policy=policy, worth=worth, precision=0.05)
    common = [
        row.values["win"][2] for row in found.rows if not row.others and row.met >= module.WIN_RARE
    ]
    assert found.precision is not None
    assert found.precision.reached == max((each.high - each.low) / 2 for each in common)
    assert found.precision.met
