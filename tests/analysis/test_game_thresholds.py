"""Thresholds for winning: how decisions are thinned out, what rows and limits say."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from lama_odds.analysis.strategy_report.sections.answers import figure_of_thresholds
from lama_odds.analysis.thresholds import thresholds as module
from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.analysis.thresholds.thresholds import (
    PILOT_WHOLE_GAMES,
    game_thresholds,
    limits_of,
    plan_whole_games,
)
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.jobs import ForkJob, Scale
from lama_odds.games.interface.tally_layout import CERTAIN, FORKS, WIN, ForkCell, decisions_of
from lama_odds.games.registry import game_of
from lama_odds.report.text.thresholds_by_score import game_thresholds_text
from lama_odds.simulation import run as run_module
from lama_odds.simulation.run import Play, Played, run
from lama_odds.statistics.intervals import ratio_of
from tests.games.cases import counted

GAME = game_of("dice/amigo")
RULES = GAME.rules("dice/amigo")
POLICY = GAME.policy("threshold:6")
Z = 1.959963984540054


@cache
def answer() -> Thresholds:
    return game_thresholds(GAME, RULES, 3, policy=POLICY, games=4_000, play=Play(3))


def cell_of(lost: float, forks: int, seed: int = 0) -> np.ndarray:
    """Made-up decisions, one a game: rolling loses so much more of the win than quitting."""
    rng = np.random.default_rng(seed)
    games = []
    for _ in range(forks):
        quits, rolls = (int(WIN * (rng.random() < 0.5 + shift)) for shift in (0.0, lost))
        games.append([(["x"], (quits, 5), (rolls, 6))])
    return np.array(counted(games)["x"])


def pilot_of(*cells: np.ndarray) -> Any:
    keys = [{"penalty": at, "own": 0, "other": 0} for at in range(len(cells))]
    job = ForkJob(None, keys, ("quit", "roll"), 1.0, "", Scale(), ("win", "points"), 1 / WIN)
    return job, np.array([*cells, np.zeros(16, np.int64)])


def test_cells_get_as_many_decisions_as_their_precision_takes() -> None:
    undecided, clear = cell_of(0.0, 3_000, 1), cell_of(0.4, 3_000, 2)
    pilot, tally = pilot_of(undecided, clear)
    games, chances = plan_whole_games(pilot, tally, PILOT_WHOLE_GAMES, 0.02, 20_000)
    assert games == 20_000
    wanted = []
    for cell in (undecided, clear):
        mean, square = cell[5] / 3_000 / WIN, cell[6] / 3_000 / WIN**2
        error = math.sqrt((square - mean**2) / 3_000)
        half = max(0.02, (abs(mean) - Z * error) / 2)
        wanted.append(max(400.0, 3_000 * (Z * error / (0.9 * half)) ** 2))
    met = 3_000 / PILOT_WHOLE_GAMES
    for chance, forks in zip(chances, wanted, strict=True):
        assert chance == pytest.approx(CERTAIN * forks / (20_000 * met), abs=1.5)
    assert wanted[1] == 400.0 < wanted[0]


def test_games_are_planned_for_the_rarest_cell_that_counts() -> None:
    common, rare = cell_of(0.0, 3_000, 1), cell_of(0.0, 45, 3)
    pilot, tally = pilot_of(common, rare)
    games, chances = plan_whole_games(pilot, tally, PILOT_WHOLE_GAMES, 0.05, None)
    assert module.FEWEST_GAMES < games < module.MOST_WHOLE_GAMES
    assert chances[1] == pytest.approx(CERTAIN, rel=0.001)
    assert chances[0] < CERTAIN / 10
    few = cell_of(0.0, 14, 4)
    assert 14 / PILOT_WHOLE_GAMES < module.RARE_IN_A_GAME
    pilot, tally = pilot_of(common, few)
    assert plan_whole_games(pilot, tally, PILOT_WHOLE_GAMES, 0.05, None)[0] == module.FEWEST_GAMES
    games, chances = plan_whole_games(pilot, tally, PILOT_WHOLE_GAMES, 1e-5, None)
    assert games == module.MOST_WHOLE_GAMES
    taken = chances / CERTAIN * decisions_of(tally[:-1]) / PILOT_WHOLE_GAMES * games
    assert taken.sum() <= module.MOST_FORKS * 1.01


@pytest.mark.long
def test_rows_are_the_cells_of_the_games_after_the_pilot() -> None:
    found = answer()
    pilot = GAME.game_forks(RULES, [POLICY] * 3, None, 10)
    _, chances = plan_whole_games(
        pilot, run(pilot.job, 3, PILOT_WHOLE_GAMES).tally, PILOT_WHOLE_GAMES, 0.01, 4_000
    )
    job = GAME.game_forks(RULES, [POLICY] * 3, chances, 10)
    tally = run(job.job, 3, 4_000, first=PILOT_WHOLE_GAMES).tally
    cells = {tuple(keys.values()): at for at, keys in enumerate(job.keys)}
    assert len(found.rows) == (decisions_of(tally[:-1]) >= 200).sum() > 40
    for row in found.rows:
        at = cells[tuple(row.keys.values())]
        cell = ForkCell(tally[at])
        n = cell.decisions
        quits, rolls, difference = row.values["win"]
        assert row.n == n
        assert row.met == pytest.approx(n / (chances[at] / CERTAIN) / 4_000)
        assert 0 <= quits.low <= quits.value <= quits.high <= 1
        # Of the win what is not lost; quitting is better where rolling loses more of it.
        assert quits.value == pytest.approx(1 - cell.first(0).total / n / WIN)
        assert difference.value == pytest.approx(cell.difference(0).total / n / WIN)
        assert quits.value - rolls.value == pytest.approx(difference.value)
        points = row.values["points"]
        assert points[0].value == pytest.approx(row.keys["penalty"])
        assert points[1].value - points[0].value == pytest.approx(points[2].value)


def test_same_answer_on_any_threads_and_another_for_another_seed() -> None:
    def ask(seed: int, threads: int) -> dict[str, Any]:
        play = Play(seed, threads)
        found = game_thresholds(GAME, RULES, 2, policy=POLICY, games=300, band=40, play=play)
        return found.to_json()

    assert ask(1, 1) == ask(1, 2) != ask(2, 1)
    found = ask(1, 1)
    assert (found["objective"], found["band"], len(found["limits"])) == ("win", 40, 1)
    assert "seconds" not in found


def row_of(penalty: int, low: float, high: float, met: float = 1.0, **keys: int) -> Row:
    """A row with these bounds of what rolling loses against quitting, in both objectives."""
    middle = (low + high) / 2
    three = (Estimate(0.5), Estimate(0.5), Estimate(middle, 0.1, low, high, 100, "simulation"))
    values = {"win": three, "points": three}
    return Row({"penalty": penalty, "own": 0, "other": 10, **keys}, met, 100, values)


def found_of(*rows: Row) -> Thresholds:
    found = replace(answer(), rows=rows)
    return replace(found, limits=tuple(limits_of(found)))


def test_limits_say_where_it_turns_and_how_far_that_is_open() -> None:
    rows = [
        row_of(1, 0.02, 0.04),
        row_of(2, -0.03, 0.01, met=0.1),  # rarely met, and likely luck
        row_of(3, 0.01, 0.03),
        row_of(4, -0.01, 0.02),
        row_of(5, -0.02, 0.01),
        row_of(6, -0.04, -0.01),
        row_of(7, -0.02, 0.03),
    ]
    (limit,) = found_of(*rows).limits
    assert limit.keys == {"own": 0, "other": 10}
    assert (limit.at[0], limit.certain[0], limit.perhaps[0]) == (4, 3, 5)
    assert [row.keys["penalty"] for row in limit.near] == [4, 5]
    told = limit.to_json(("win", "points"), ("quit", "roll"))
    assert told["win"] == {"at": 4, "certain": 3, "perhaps": 5, "decided": False}
    assert told["met"] == pytest.approx(6.1)
    # A rare row before the turning point leaves nothing open after it.
    clear = [row_of(2, -0.03, -0.01, met=0.1), row_of(4, -0.04, -0.01)]
    (turn,) = found_of(rows[0], clear[0], rows[2], clear[1]).limits
    assert (turn.at[0], turn.certain[0], turn.perhaps[0]) == (3, 3, 3)
    never = [row_of(1, -0.03, -0.01), row_of(2, -0.05, -0.02)]
    always = [row_of(8, 0.01, 0.03), row_of(9, 0.02, 0.05)]
    for each, end in ((never, -1), (always, 9)):
        (limit,) = found_of(*each).limits
        assert (limit.at[0], limit.certain[0], limit.perhaps[0]) == (end, end, end)


def test_the_turning_point_counts_each_row_as_often_as_it_occurs() -> None:
    """In sum the first row gains 0.02, the second loses 0.03 and the third gains 0.01."""
    rows = [
        row_of(1, 0.01, 0.03),
        row_of(2, -0.02, 0.0, met=3.0),
        row_of(3, 0.01, 0.03, met=0.5),
    ]
    assert module.turning_point(rows, "win") == 1
    often = [replace(row, met=1.0) for row in rows]
    assert module.turning_point(often, "win") == 3
    # A gain that only makes good what was lost before moves nothing.
    even = [row_of(1, 0.0, 0.0), row_of(2, -0.02, -0.02), row_of(3, 0.02, 0.02)]
    assert module.turning_point(even, "win") == -1


def test_rows_occur_as_often_as_before_they_were_thinned_out() -> None:
    """Two cells with the same decisions taken: all of the first, a tenth of the second."""
    cell = cell_of(0.1, 400)
    job, tally = pilot_of(cell, cell)
    chances = np.array([CERTAIN, CERTAIN // 10])
    first, second = module.rows_of(job, tally, chances, 800)
    assert (first.n, second.n) == (400, 400)
    assert (first.met, second.met) == pytest.approx((0.5, 5.0), rel=1e-3)
    assert first.often is not None
    assert second.often is not None
    assert first.often.stderr == pytest.approx(math.sqrt(0.5 * 0.5 / 800), rel=0.01)
    assert second.often.stderr == pytest.approx(10 * first.often.stderr, rel=1e-3)
    # Of the win what is not lost, with the ends of its interval.
    lost = ratio_of(*ForkCell(cell).first(0), 1 / WIN)
    won = first.values["win"][0]
    assert (won.value, won.low, won.high) == pytest.approx(
        (1 - lost.value, 1 - lost.high, 1 - lost.low)
    )
    assert won.low < won.value < won.high


def test_text_and_figure_show_limits_by_both_scores() -> None:
    found = found_of(
        row_of(3, 0.01, 0.03),
        row_of(4, -0.01, 0.03),
        row_of(5, -0.05, -0.03),
        row_of(1, -0.05, -0.03, own=30),
        row_of(2, -0.05, -0.03, own=30),
    )
    console = Console(width=160)
    with console.capture() as captured:
        console.print(game_thresholds_text(found, verbose=True))
    said = captured.get()
    lines = [line.split() for line in said.splitlines()]
    assert ["0–9", "4", "(3–4)"] in lines
    assert ["30–39", "never"] in lines
    assert "4: +1.00 ± 2.00 %" in said
    drawn: Any = figure_of_thresholds(found)
    assert len(drawn.parts) == 2
    assert drawn.parts[0].lines[0].y == pytest.approx((0.02, 0.01, -0.04))
    assert "best other 10–19: 4" in drawn.alt


def test_too_few_games_and_games_without_an_end_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(LimitError, match="too few games: in 1 no decision"):
        game_thresholds(GAME, RULES, 2, policy=POLICY, games=1)

    def endless(job: Any, *args: Any, **options: Any) -> Played:
        tally = np.zeros(job.shape, dtype=np.int64)
        tally[-1, FORKS] = 7
        return Played(tally, 10, 0.0)

    monkeypatch.setattr(run_module, "run", endless)
    with pytest.raises(LimitError, match="7 games did not end"):
        game_thresholds(GAME, RULES, 2, policy=POLICY, games=10)


def test_a_pilot_is_played_first_and_its_games_are_not_counted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[float] = []
    played: list[tuple[int, int]] = []

    def noted(job: Any, seed: int, games: int, *, first: int = 0, **more: Any) -> Played:
        played.append((first, games))
        return run(job, seed, games, first=first, **more)

    monkeypatch.setattr(run_module, "run", noted)
    monkeypatch.setattr(module, "PILOT_WHOLE_GAMES", 200)

    def tell(done: int, of: int) -> None:
        told.append(done / of)

    found = game_thresholds(
        GAME, RULES, 2, policy=POLICY, games=300, band=40, play=Play(progress=tell)
    )
    assert played == [(0, 200), (200, 300)]
    assert found.games == 300
    assert told == sorted(told)
    assert told[0] <= module.PILOT_SHARE
    assert told[-1] == 1
