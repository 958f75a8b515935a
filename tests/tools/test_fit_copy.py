"""Decisions that teach `copy` have the values of the solvers; it learns what it is shown."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lama_odds.games.dice.engine.copied import ENDS, FIRST, PARTS, RESULTS, SECOND, laid_out
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies.copy import outlook, shapes, worths
from lama_odds.games.dice.rules.position import pack_hand, unpack_hand
from lama_odds.games.dice.rules.transition import kinds_of
from lama_odds.games.dice.rules.winning import EVEN
from lama_odds.games.dice.solvers.solve import solve
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.jit import compiled
from tools.fit import solved_decisions
from tools.fit.alone_decisions import alone_decisions
from tools.fit.copy_net import backward, begun, forward, no_net, taught
from tools.fit.solved_decisions import OPTIONS, Decisions, decisions

RULES = GAME.rules("dice/amigo")
NAMES = "123456L"


def table() -> MatchEquity:
    found = best_play(RULES.id)
    assert found is not None
    return found


def text_of(cards: int) -> str:
    return "".join(name * n for name, n in zip(NAMES, unpack_hand(cards), strict=True))


def row_of(row: int) -> str:
    return "".join(name for kind, name in enumerate(NAMES) if row >> kind & 1) or "-"


@cache
def players_alone() -> tuple[Decisions, np.ndarray]:
    random = np.random.default_rng(1)
    hands = ["25L", "1136", "4", "LL6", "2345"]
    starts = [
        [pack_hand(tuple(hand.count(name) for name in NAMES)), 0b1000110, score, final]
        for hand, score, final in zip(
            hands, random.integers(0, 40, 5), random.integers(1, 60, 5), strict=True
        )
    ]
    return alone_decisions(RULES, table(), np.array(starts), 3)


def test_players_alone_have_the_values_of_the_solver() -> None:
    seen, starts = players_alone()
    assert set(starts) == set(range(5))
    compared = 0
    for n in range(0, len(starts), 3):
        mine, final = seen.scores[n].tolist()
        if not 11 <= final <= 39 or mine > 9:  # one level of tokens at the most matters little
            continue
        text = (
            f"hand={text_of(int(seen.hands[n]))} row={row_of(int(seen.rows[n]))} opp=qL "
            f"scores={mine},{final - 10}"
        )
        solution = solve(RULES, GAME.position(RULES, text), "win", 1, table=table())
        assert solution is not None
        found = {each.action: EVEN - each.values["win"].value for each in solution.actions}
        assert seen.quitting[n] == pytest.approx(found["quit"], abs=1e-9)
        assert seen.rolling[n] == pytest.approx(found["roll"], abs=2e-3)
        compared += 1
    assert compared > 1


def test_what_is_left_is_a_hand_with_less_cards() -> None:
    seen, _ = players_alone()
    there = np.isfinite(seen.left)
    assert there.any()
    for n, option in np.argwhere(there):
        left = unpack_hand(int(seen.left_hands[n, option]))
        held = unpack_hand(int(seen.hands[n]))
        assert all(a <= b for a, b in zip(left, held, strict=True))
        assert sum(left) < sum(held)
    assert there.sum(axis=1).max() <= OPTIONS
    assert (there.sum(axis=1) != 1).all()


@pytest.mark.long
def test_decisions_of_a_round_have_the_values_of_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solved_decisions, "EASY", 3_000)
    monkeypatch.setattr(solved_decisions, "DEALS", 0.0)
    found = decisions(RULES, table(), 5, 0, 1)
    again = decisions(RULES, table(), 5, 0, 1)
    assert found is not None
    assert again is not None
    assert all(np.array_equal(a, b) for a, b in zip(found.seen, again.seen, strict=True))
    seen = found.seen
    for n in range(0, len(seen.hands), max(1, len(seen.hands) // 5)):
        mine, other = seen.scores[n].tolist()
        text = (
            f"hand={text_of(int(seen.hands[n]))} row={row_of(int(seen.rows[n]))} "
            f"opp={text_of(int(seen.others[n]))} scores={mine},{other}"
        )
        solution = solve(RULES, GAME.position(RULES, text), "win", 1, table=table())
        assert solution is not None
        worth = {each.action: each.values["win"] for each in solution.actions}
        for action, cost in (("quit", seen.quitting[n]), ("roll", seen.rolling[n])):
            assert EVEN - cost == pytest.approx(worth[action].value, abs=0.011)
    assert found.alone.shape[1] == 4
    penalties = RULES.penalties[[kinds_of(int(hand)) for hand in found.alone[:, 0]]]
    assert (penalties > 0).all()


@compiled
def passed(weights, slopes, outlook, stakes, points, situation, pulls):
    """Return both results times `pulls`; write how it changes with each weight."""
    rows, ends = np.zeros(PARTS, np.int64), np.zeros(ENDS, np.float32)
    first, second = np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32)
    results, back = np.zeros(RESULTS, np.float32), np.zeros(FIRST, np.float32)
    forward(weights, outlook, stakes, points, situation, rows, ends, first, second, results)
    total = 0.0
    for result in range(RESULTS):
        total += pulls[result] * results[result]
    backward(weights, slopes, outlook, situation, rows, ends, first, second, pulls, back)
    return total


def test_the_gradient_is_that_of_the_results() -> None:
    stakes = worths(RULES, table(), False)
    random = np.random.default_rng(2)
    weights = begun(shapes(False), random)
    seen = outlook(stakes, False).astype(np.float32)
    pulls = np.array([0.7, -0.4], np.float32)
    given = seen, laid_out(no_net(), stakes), RULES.penalties, (0x1000210, 0x0010101, 70, 12, 31)
    empty = type(weights)(*(np.zeros_like(part) for part in weights))
    slopes = type(weights)(*(np.zeros_like(part) for part in weights))
    passed(weights, slopes, *given, pulls)
    step = np.float32(1e-3)
    for part, slope in zip(weights, slopes, strict=True):
        used = np.flatnonzero(slope.ravel())
        assert used.size
        for at in random.choice(used, 5):
            apart = 0.0
            for way in (1, -1):
                kept = part.flat[at]
                part.flat[at] = kept + way * step
                apart += way * passed(weights, empty, *given, pulls)
                part.flat[at] = kept
            assert apart / (2 * step) == pytest.approx(slope.flat[at], abs=2e-2, rel=2e-2)


@pytest.mark.long
def test_the_network_learns_what_it_is_shown() -> None:
    seen, _ = players_alone()
    many = Decisions(*(np.concatenate([part] * 40) for part in seen))
    stakes = worths(RULES, table(), True)
    told: list[float] = []
    learned = np.arange(len(many.hands)) % 10 > 0

    def tell(_epoch: int, stats: np.ndarray, _rest: np.ndarray) -> None:
        told.append(stats[3] / stats[0])

    args = shapes(True), outlook(stakes, True), stakes, RULES.penalties, many, learned, True
    one, two = (taught(*args, epochs=150, seed=4, told=tell) for _ in range(2))
    assert told[149] < told[0] / 4
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
