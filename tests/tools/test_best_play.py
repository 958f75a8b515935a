"""The table of best play: rounds are worth what their solutions say, whatever values their ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.core.data import data_json
from lama_odds.games.dice.game import GAME
from lama_odds.games.interface.match_equity import BEST_PLAY, MatchEquity, best_play, shipped
from tools.fit import solve_best_play
from tools.fit.solve_best_play import smoothed
from tools.fit.solved_pairs import Kept, dealt, scores_of, solved_rounds, starters_chance, tuned
from tools.publishing.target import Making

SMALL = "dice/amigo+dealt=2"


def base_of(rules_id: str) -> MatchEquity:
    best = tuned(GAME.rules(rules_id))
    found = shipped(rules_id, [best, best])
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rounds():
    rules = GAME.rules(SMALL)
    base = base_of("dice/amigo")
    return [solved_rounds(rules, number, (base, base), 1, 1_000, 2) for number in range(6)]


def test_scores_cover_the_square_with_more_late_ones():
    scores = np.array([scores_of(number, 40) for number in range(400)])
    cells = np.zeros((4, 4), dtype=int)
    np.add.at(cells, tuple(scores.T // 10), 1)
    assert cells.min() >= 5
    assert 1.5 < cells[3, 3] / 25 < 2.2
    assert np.abs(cells - cells.T).max() <= 5


def test_hands_are_dealt_from_the_pack_without_the_row():
    rules = GAME.rules("dice/amigo")
    deals = np.array([dealt(rules, 1, number) for number in range(4_000)])
    assert (deals.sum(axis=2) == rules.dealt).all()
    pack = np.array(rules.dealt_from)
    assert (deals.sum(axis=1) <= pack).all()
    share = deals.mean(axis=(0, 1)) / rules.dealt
    assert share == pytest.approx(pack / pack.sum(), abs=0.006)


@pytest.mark.long
def test_what_play_leaves_is_worth_what_was_solved(rounds):
    rules, base = GAME.rules(SMALL), base_of("dice/amigo")
    for of_deal in rounds:
        for round_ in of_deal:
            ends = starters_chance(rules, round_.finals, base.values)
            mean = round_.weights @ ends
            error = (round_.weights @ (ends - mean) ** 2 / 2_000) ** 0.5
            assert abs(mean - round_.win) <= 4 * error + 1e-12
            assert round_.worth(rules, base.values) == (round_.win, 0)


@pytest.mark.long
def test_the_second_round_is_that_of_the_other_player(rounds):
    for first, second in rounds:
        assert second.scores == first.scores[::-1]
        if first.scores[0] == first.scores[1]:
            assert first.win == second.win


@pytest.mark.long
def test_another_table_moves_a_round_as_solving_it_again_does(rounds):
    rules, base = GAME.rules(SMALL), base_of("dice/amigo")
    mine, other = np.indices(base.values.shape)
    table = replace(base, values=base.values + 0.0005 * np.sin(mine / 5) * np.cos(other / 7))
    for number, of_deal in enumerate(rounds[:3]):
        again = solved_rounds(rules, number, (base, table), 1, 10, 2)
        for before, after in zip(of_deal, again, strict=True):
            moved, far = before.worth(rules, table.values)
            assert far > 0
            assert abs(moved - after.win) < 0.1 * far + 2e-5


@pytest.mark.long
def test_rounds_are_kept(rounds, tmp_path: Path):
    kept, table = Kept(tmp_path), base_of("dice/amigo").values
    assert kept.read(3, table) is None
    kept.write(3, rounds[3])
    for before, after in zip(rounds[3], kept.read(3, table) or (), strict=True):
        assert before.scores == after.scores
        assert (before.win, before.control) == (after.win, after.control)
        assert np.array_equal(before.finals, after.finals)
        assert np.array_equal(before.weights, after.weights)


@pytest.mark.long
def test_the_table_agrees_with_its_rounds(rounds):
    rules, base = GAME.rules(SMALL), base_of("dice/amigo").values
    added, table = smoothed(rules, rounds, len(rounds), base)
    assert np.allclose(table, base + added.values)
    assert np.array_equal(added.ahead.values, -added.ahead.values.T)
    assert np.array_equal(added.starting.values, added.starting.values.T)
    assert not added.ahead.errors.diagonal().any()
    seen = [round_ for of_deal in rounds for round_ in of_deal]
    worth = np.array([round_.worth(rules, table)[0] for round_ in seen])
    at = tuple(np.array([round_.scores for round_ in seen]).T)
    noise = sum(part.parameters[4] for part in (added.ahead, added.starting))
    assert np.abs(worth - table[at]).max() < 4 * (noise + added.errors.max())


@pytest.mark.long
def test_a_stopped_run_goes_on(monkeypatch, tmp_path: Path):
    """A run that is stopped gives the same table when it is begun again."""
    monkeypatch.setattr(solve_best_play, "RULES", SMALL)
    monkeypatch.setattr(solve_best_play, "BESIDE", "dice/egmont+dealt=2")
    monkeypatch.setattr(solve_best_play, "shipped", lambda *_: base_of("dice/amigo"))
    monkeypatch.setattr(solve_best_play, "ALIKE", {})
    options = {"rounds": 2, "batches": 2, "beside": 1, "walks": 20, "seed": 1}

    def making(name: str) -> Making:
        return Making("best-play", tmp_path / name, options, tmp_path / f"{name}-work", "x", 1)

    solve_best_play.make(making("whole"))
    calls = []
    solve = solve_best_play.solved_rounds

    def stops(*args):
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return solve(*args)

    monkeypatch.setattr(solve_best_play, "solved_rounds", stops)
    with pytest.raises(KeyboardInterrupt):
        solve_best_play.make(making("parts"))
    solve_best_play.make(making("parts"))
    assert len(calls) == 9  # three, the one that was stopped, the three left, two for the other
    folder = solve_best_play.FOLDER
    first, second = (tmp_path / name / folder / "manifest.json" for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()
    assert json.loads(first.read_bytes())["tables"][SMALL]["solved"] == 12


@pytest.mark.parametrize("rules_id", sorted(data_json(BEST_PLAY)["tables"]))
def test_shipped_tables_are_close_to_those_of_best(rules_id):
    table, base = best_play(rules_id), base_of(rules_id)
    assert table is not None
    assert table.solved
    assert ((table.values > 0) & (table.values < 1)).all()
    assert np.abs(table.values - base.values).max() < 0.1
    start = np.diag(table.values)
    assert ((start > 0.5) & (start < 0.6)).all()


def test_the_editions_differ_by_what_the_same_deals_show():
    amigo, egmont = best_play("dice/amigo"), best_play("dice/egmont")
    assert 1e-5 < np.abs(amigo.values - egmont.values).max() < 0.001
    assert (egmont.stderr >= amigo.stderr).all()


def test_other_rules_have_none():
    assert best_play("lama/egmont") is None
    assert best_play("dice/amigo+target=30") is None
