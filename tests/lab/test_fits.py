"""What makes the shipped tables: values are those of solvers, a stopped run changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab import tune_best
from lab.best_play import solve as best_play_solve
from lab.best_play.pairs import dealt, scores_of, solved_rounds, starters_chance, tuned
from lab.best_play.solve import AHEAD, STARTING, Seen, fitted, likeliest
from lab.equilibrium import fit as equilibrium_fit
from lab.equilibrium.fit import score_classes, worth_of
from lab.equilibrium.self_play import Trained, alone_table, nothing_yet, rounds_of, train_part
from lama_odds.games.dice.game import GAME as DICE
from lama_odds.games.interface.match_equity import MatchEquity, shipped
from lama_odds.games.lama.engine.trained import HANDS, MOST_OTHER, hand_rank
from lama_odds.games.lama.game import GAME as LAMA
from lama_odds.games.lama.policies.equilibrium import rank_table
from lama_odds.games.registry import game_of
from tests.reference.lama_two import Tiny, moves_of
from tools.publishing.target import Making

# --- The table of best play ------------------------------------------------------------------


SMALL = "dice/amigo+dealt=2"


def base_of(rules_id: str) -> MatchEquity:
    best = tuned(DICE.rules(rules_id))
    found = shipped(rules_id, [best, best])
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rounds():
    rules = DICE.rules(SMALL)
    base = base_of("dice/amigo")
    return [solved_rounds(rules, number, (base, base), 1, 1_000, 2) for number in range(4)]


def test_scores_cover_the_square_and_hands_are_dealt_from_the_pack_without_the_row():
    scores = np.array([scores_of(number, 40) for number in range(400)])
    cells = np.zeros((4, 4), dtype=int)
    np.add.at(cells, tuple(scores.T // 10), 1)
    assert cells.min() >= 5
    assert 1.5 < cells[3, 3] / 25 < 2.2  # more late ones
    rules = DICE.rules("dice/amigo")
    deals = np.array([dealt(rules, 1, number) for number in range(4_000)])
    assert (deals.sum(axis=2) == rules.dealt).all()
    pack = np.array(rules.dealt_from)
    assert (deals.sum(axis=1) <= pack).all()
    share = deals.mean(axis=(0, 1)) / rules.dealt
    assert share == pytest.approx(pack / pack.sum(), abs=0.006)


@pytest.mark.long
def test_what_play_leaves_is_worth_what_was_solved(rounds):
    rules, base = DICE.rules(SMALL), base_of("dice/amigo")
    for first, second in rounds:
        assert second.scores == first.scores[::-1]  # that of the other player
        for round_ in (first, second):
            ends = starters_chance(rules, round_.finals, base.values)
            mean = round_.weights @ ends
            error = (round_.weights @ (ends - mean) ** 2 / 2_000) ** 0.5
            assert abs(mean - round_.win) <= 4 * error + 1e-12
            assert round_.worth(rules, base.values) == (round_.win, 0)


@pytest.mark.long
def test_a_stopped_run_goes_on(monkeypatch, tmp_path: Path):
    """A run that is stopped gives the same table when it is begun again."""
    monkeypatch.setattr(best_play_solve, "RULES", SMALL)
    monkeypatch.setattr(best_play_solve, "BESIDE", "dice/egmont+dealt=2")
    monkeypatch.setattr(best_play_solve, "shipped", lambda *_: base_of("dice/amigo"))
    monkeypatch.setattr(best_play_solve, "ALIKE", {})
    options = {"rounds": 1, "batches": 2, "beside": 1, "walks": 20, "seed": 1}

    def making(name: str) -> Making:
        return Making("best-play", tmp_path / name, options, tmp_path / f"{name}-work", "x", 1)

    best_play_solve.make(making("whole"))
    calls = []
    solve = best_play_solve.solved_rounds

    def stops(*args):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return solve(*args)

    monkeypatch.setattr(best_play_solve, "solved_rounds", stops)
    with pytest.raises(KeyboardInterrupt):
        best_play_solve.make(making("parts"))
    best_play_solve.make(making("parts"))
    assert len(calls) == 6  # one, the one that was stopped, the two left, two for the other
    folder = best_play_solve.FOLDER
    first, second = (tmp_path / name / folder / "manifest.json" for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()
    assert json.loads(first.read_bytes())["tables"][SMALL]["solved"] == 6


# --- Surfaces over scores --------------------------------------------------------------------


TARGET = 20
NOISE, GROWTH, CONTROLLED = 0.006, 3.0, 0.5


@pytest.mark.long
@pytest.mark.parametrize("symmetry", [AHEAD, STARTING])
def test_the_surface_its_noise_and_its_controls_are_found(symmetry):
    """A smooth surface with a step at ten, and noisy observations of it with controls."""
    mine, other = np.indices((TARGET, TARGET))
    true = 0.03 * np.sin(mine / 8) * np.cos(other / 11) + 0.01 * (mine >= 10)
    true = true + symmetry * true.T
    random = np.random.default_rng(1)
    scores = random.integers(0, TARGET, (160, 2))
    noise = NOISE * GROWTH ** (scores.sum(axis=1) / (2 * TARGET))
    controls = 2 * random.normal(0, noise)
    values = true[scores[:, 0], scores[:, 1]] + CONTROLLED * controls
    seen = Seen(scores, values + random.normal(0, noise), controls, TARGET, symmetry)
    surface = fitted(seen, likeliest(seen))
    known = surface.errors > 0  # nobody is ahead at the same score
    off = (surface.values - true)[known] / surface.errors[known]
    assert 0.5 < off.std() < 1.5
    assert np.abs(surface.values - true).max() < 2 * NOISE
    assert surface.parameters[4] == pytest.approx(NOISE, rel=0.2)
    assert surface.parameters[5] == pytest.approx(GROWTH, rel=0.3)
    assert surface.residuals.std() == pytest.approx(1, abs=0.1)
    assert surface.controlled == pytest.approx(CONTROLLED, abs=0.1)
    assert np.array_equal(surface.values, symmetry * surface.values.T)


# --- `equilibrium` of L.A.M.A. ---------------------------------------------------------------


SLOTS = {"draw": 2, "quit": 3}


def strategy_of(found: Trained, rules):
    """The average strategy, as a function for `Tiny`."""

    def strategy(seat, hand, top, other, can_draw):
        packed = sum(1 << 8 * rules.places[value - 1] + 4 for value in hand)
        row = rules.places[top - 1] * MOST_OTHER + min(other, MOST_OTHER) - 1
        row = row * HANDS + int(hand_rank(packed, rank_table()))
        moves = moves_of(hand, top, can_draw)
        weights = [float(found.totals[row, SLOTS.get(move, int(move != top))]) for move in moves]
        total = sum(weights)
        return {
            move: weight / total if total else 1 / len(moves)
            for move, weight in zip(moves, weights, strict=True)
        }

    return strategy


@pytest.mark.long
def test_nobody_gains_much_against_the_average_strategy_of_a_tiny_deck():
    """Points per round, by exact best responses that know everything the player has seen."""
    tiny, rules = Tiny(2), LAMA.rules("lama/egmont+copies=1+dealt=2+llamas=1")
    worth = equilibrium_fit.worth_of_points(80)
    rounds = rounds_of(rules, worth, np.zeros((1, 2), dtype=np.int64), np.ones(1))
    found = nothing_yet(1)
    for part in range(20):
        found = train_part(rounds, found, 1, 7, part, 20_000)
    strategy = strategy_of(found, rules)
    assert 0 <= -sum(tiny.best_response(strategy, seat) for seat in (0, 1)) / 2 < 0.01
    untrained = strategy_of(nothing_yet(1), LAMA.rules("lama/egmont"))
    assert -sum(tiny.best_response(untrained, seat) for seat in (0, 1)) / 2 > 1


def test_a_player_alone_plays_as_long_as_possible():
    table = alone_table(LAMA.rules("lama/egmont"))
    for top, held in ((0, 0b0000110), (0, 0b0000111), (6, 0b1000011)):
        assert table[top, held] == 0  # one value follows the other
    assert table[0, 0b0101000] == 4 + 6  # neither 1 nor 2
    assert table[5, 0b1000100] == 3  # a 6 on top: the llama goes, the 3 stays


@pytest.mark.long
def test_a_stopped_run_and_other_threads_give_the_same_bytes(tmp_path: Path) -> None:
    options = {
        "games": 50, "first_games": 50, "parts": 2, "equity_rounds": 2, "unequal": 2, "equal": 1,
        "seed": 5,
    }  # fmt: skip
    making = Making("equilibrium", tmp_path / "one", options, tmp_path / "work", "", 1)
    equilibrium_fit.make(making)
    kept = sorted((tmp_path / "work" / "lama-egmont").glob("*.np?"))
    assert len(kept) == 5  # all scores together, points, two classes and one
    for path in kept[1:3]:
        path.unlink()
    equilibrium_fit.make(replace(making, out=tmp_path / "two"))
    equilibrium_fit.make(replace(making, out=tmp_path / "three", work=tmp_path / "w", threads=2))
    one, two, three = (
        (tmp_path / name / "data/equilibrium/lama-egmont.npy").read_bytes()
        for name in ("one", "two", "three")
    )
    assert one == two == three


def test_every_two_scores_have_a_class_and_equal_ones_have_their_own():
    rules = LAMA.rules("lama/egmont+target=9")
    equities = 0.5 + 0.05 * (np.arange(9) - np.arange(9)[:, None])
    worth = worth_of(equities, 9 + rules.most_points + 1)
    results = np.ones((9, 9), dtype=np.int64)
    found = score_classes(rules, worth, np.ones((9, 9)), results, 3, 2)
    pairs = np.concatenate([class_.pairs for class_ in found]).tolist()
    assert sorted(pairs) == [[mine, other] for mine in range(9) for other in range(mine + 1)]
    for class_ in found:
        equal = class_.pairs[:, 0] == class_.pairs[:, 1]
        assert equal.all() if class_.sides == 1 else not equal.any()


# --- The strongest policy known --------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("candidate", "known", "taken"),
    [("first-tile", "optimal-turn", "optimal-turn"), ("optimal-turn", "random", "optimal-turn")],
)
def test_a_policy_is_best_only_if_it_surely_wins_more_than_its_share(
    candidate: str, known: str, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Any = game_of("pikomino/egmont")
    rules = game.rules("pikomino/egmont")
    monkeypatch.setitem(tune_best.INSTEAD, "pikomino", known)
    monkeypatch.setitem(tune_best.PLAIN, "pikomino", "random")
    found = tune_best.best_of(game, rules, 2, 128, 5, (candidate, known), 1)
    assert found["policy"] == taken
    assert (found["among"]["policy"], found["among"]["of"]) == (known, candidate)
    assert (found["among"]["value"] > 0.5) == (taken == candidate)
    assert found["best answer"]["policy"] == ({candidate, known} - {taken}).pop()
