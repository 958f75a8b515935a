"""Training `equilibrium`: regrets vanish where all can be enumerated; stopped runs; classes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.games.lama.engine.equilibrium import HANDS, MOST_OTHER, hand_rank
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import joined, rank_table, unpacked
from tests.reference.lama_two import Tiny, moves_of
from tools.fit.equilibrium import fit_equilibrium
from tools.fit.equilibrium.score_classes import clustered, score_classes, worth_of
from tools.fit.equilibrium.self_play import Trained, alone_table, nothing_yet, rounds_of, train_part
from tools.publishing.target import Making

SLOTS = {"draw": 2, "quit": 3}


def trained(dealt: int, parts: int) -> tuple[Trained, object]:
    """What is trained on a deck of one card of each value, and its rule set."""
    rules = GAME.rules(f"lama/egmont+copies=1+dealt={dealt}+llamas=1")
    worth = fit_equilibrium.worth_of_points(80)
    rounds = rounds_of(rules, worth, np.zeros((1, 2), dtype=np.int64), np.ones(1))
    found = nothing_yet(1)
    for part in range(parts):
        found = train_part(rounds, found, 1, 7, part, 20_000)
    return found, rules


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
@pytest.mark.parametrize(("dealt", "parts", "most"), [(1, 10, 0.001), (2, 20, 0.01)])
def test_nobody_gains_much_against_the_average_strategy_of_a_tiny_deck(dealt, parts, most):
    """Points per round, by exact best responses that know everything the player has seen."""
    tiny = Tiny(dealt)
    strategy = strategy_of(*trained(dealt, parts))
    gains = -sum(tiny.best_response(strategy, seat) for seat in (0, 1)) / 2
    assert 0 <= gains < most
    untrained = strategy_of(nothing_yet(1), GAME.rules("lama/egmont"))
    assert -sum(tiny.best_response(untrained, seat) for seat in (0, 1)) / 2 > 1


def test_a_player_alone_plays_as_long_as_possible():
    table = alone_table(GAME.rules("lama/egmont"))
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
    fit_equilibrium.make(making)
    kept = sorted((tmp_path / "work" / "lama-egmont").glob("*.np?"))
    assert len(kept) == 5  # all scores together, points, two classes and one
    for path in kept[1:3]:
        path.unlink()
    fit_equilibrium.make(replace(making, out=tmp_path / "two"))
    fit_equilibrium.make(replace(making, out=tmp_path / "three", work=tmp_path / "w", threads=2))
    one, two, three = (
        (tmp_path / name / "data/equilibrium/lama-egmont.npy").read_bytes()
        for name in ("one", "two", "three")
    )
    assert one == two == three


def test_moves_are_packed_and_unpacked():
    moves = np.random.default_rng(1).integers(0, 4, (2, 7, MOST_OTHER, HANDS)).astype(np.uint8)
    classes = np.arange(1600, dtype=np.int64).reshape(40, 40) % 7
    content = joined(moves, classes)
    assert content.dtype == np.uint8
    assert np.array_equal(content[:1600].reshape(40, 40), classes)
    assert np.array_equal(unpacked(content[1600:]), moves)


def test_points_close_together_are_one_class():
    points = np.array([[0.0, 0], [0.1, 0], [5, 5], [5, 5.1], [9, 0]])
    found = clustered(points, np.array([1.0, 1, 1, 1, 0.5]), 3)
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert len(set(found.tolist())) == 3


def test_every_two_scores_have_a_class_and_equal_ones_have_their_own():
    rules = GAME.rules("lama/egmont+target=9")
    equities = 0.5 + 0.05 * (np.arange(9) - np.arange(9)[:, None])
    worth = worth_of(equities, 9 + rules.most_points + 1)
    results = np.ones((9, 9), dtype=np.int64)
    found = score_classes(rules, worth, np.ones((9, 9)), results, 3, 2)
    pairs = np.concatenate([class_.pairs for class_ in found]).tolist()
    assert sorted(pairs) == [[mine, other] for mine in range(9) for other in range(mine + 1)]
    for class_ in found:
        equal = class_.pairs[:, 0] == class_.pairs[:, 1]
        assert equal.all() if class_.sides == 1 else not equal.any()
