"""Parts of fitting: slopes, surfaces, decisions that teach, and which policy is called best."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from lab import tune_best
from lab.best_play.solve import (
    AHEAD,
    BOUNDS,
    START,
    STARTING,
    Seen,
    covariance,
    fitted,
    likeliest,
)
from lab.copy import solved_decisions
from lab.copy.fit import alone_decisions
from lab.copy.net import backward, begun, forward, no_net, taught
from lab.copy.solved_decisions import OPTIONS, Decisions, decisions
from lab.learned_noprob.trials import (
    CODES,
    COLUMNS,
    LAST_RATE,
    LEVEL,
    NUMBERS,
    OTHER_CODES,
    OTHER_STAGE,
    RATE,
    STAGE,
    Memory,
    Trials,
    learn,
    rate_at,
    slopes_of,
)
from lama_odds.games.dice.engine.policy_kernels import ENDS, FIRST, PARTS, RESULTS, SECOND, laid_out
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies import outlook, shapes, worths
from lama_odds.games.dice.rules.position import pack_hand, unpack_hand
from lama_odds.games.dice.rules.ruleset import EVEN
from lama_odds.games.dice.rules.transition import kinds_of
from lama_odds.games.dice.solvers.solve import solve
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.games.noprob.engine.planner import STAGES, line_kinds
from lama_odds.games.noprob.policies import Weights
from lama_odds.games.registry import game_of
from lama_odds.jit import compiled

# What teaches `copy`


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
    taught_rows = np.arange(len(many.hands)) % 10 > 0

    def tell(_epoch: int, stats: np.ndarray, _rest: np.ndarray) -> None:
        told.append(stats[3] / stats[0])

    args = shapes(True), outlook(stakes, True), stakes, RULES.penalties, many, taught_rows, True
    one, two = (taught(*args, epochs=150, seed=4, told=tell) for _ in range(2))
    assert told[149] < told[0] / 4
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


# Surfaces over scores


TARGET = 20
NOISE, GROWTH, CONTROLLED = 0.006, 3.0, 0.5


def drawn(seed: int, observations: int, symmetry: int = STARTING) -> tuple[np.ndarray, Seen]:
    """A smooth surface with a step at ten, and noisy observations of it with controls."""
    mine, other = np.indices((TARGET, TARGET))
    true = 0.03 * np.sin(mine / 8) * np.cos(other / 11) + 0.01 * (mine >= 10)
    true = true + symmetry * true.T
    random = np.random.default_rng(seed)
    scores = random.integers(0, TARGET, (observations, 2))
    noise = NOISE * GROWTH ** (scores.sum(axis=1) / (2 * TARGET))
    controls = 2 * random.normal(0, noise)
    values = true[scores[:, 0], scores[:, 1]] + CONTROLLED * controls
    return true, Seen(scores, values + random.normal(0, noise), controls, TARGET, symmetry)


@pytest.fixture(scope="module", params=[AHEAD, STARTING])
def found(request):
    true, seen = drawn(1, 160, request.param)
    return true, seen, fitted(seen, likeliest(seen))


@pytest.mark.long
def test_the_surface_is_found_within_its_errors(found):
    true, _, surface = found
    known = surface.errors > 0  # nobody is ahead at the same score
    off = (surface.values - true)[known] / surface.errors[known]
    assert 0.5 < off.std() < 1.5
    assert np.abs(surface.values - true).max() < 2 * NOISE
    assert surface.errors.max() < 2 * NOISE


@pytest.mark.long
def test_the_noise_and_its_growth_are_found(found):
    surface = found[2]
    assert surface.parameters[4] == pytest.approx(NOISE, rel=0.2)
    assert surface.parameters[5] == pytest.approx(GROWTH, rel=0.3)
    assert surface.residuals.std() == pytest.approx(1, abs=0.1)
    for value, (low, high) in zip(surface.parameters, BOUNDS, strict=True):
        assert low - 1e-9 <= value <= high + 1e-9


@pytest.mark.long
def test_a_control_counts_as_much_as_it_explains(found):
    _, seen, surface = found
    assert surface.controlled == pytest.approx(CONTROLLED, abs=0.1)
    plain = Seen(seen.scores, seen.values, 0 * seen.controls, TARGET, seen.symmetry)
    assert fitted(plain, likeliest(plain)).errors.mean() > 1.2 * surface.errors.mean()


def test_residuals_are_those_of_leaving_one_out(found):
    _, seen, surface = found
    parameters = surface.parameters
    for left_out in (0, 7):
        rest = np.arange(len(seen.values)) != left_out
        part = Seen(
            seen.scores[rest], seen.values[rest], seen.controls[rest], TARGET, seen.symmetry
        )
        without = fitted(part, parameters)
        at = tuple(seen.scores[left_out])
        explained = without.controlled * seen.controls[left_out]
        error = np.hypot(without.errors[at], seen.noise(parameters)[left_out])
        expected = (seen.values[left_out] - explained - without.values[at]) / error
        assert surface.residuals[left_out] == pytest.approx(expected, rel=0.01, abs=0.002)


def test_more_observations_give_smaller_errors():
    few, many = (drawn(2, number)[1] for number in (50, 400))
    parameters = np.array(START)
    errors = [fitted(seen, parameters).errors.mean() for seen in (few, many)]
    assert errors[1] < 0.6 * errors[0]


def test_scores_the_other_way_round_are_the_same_or_the_opposite(found):
    _, seen, surface = found
    assert np.array_equal(surface.values, seen.symmetry * surface.values.T)
    assert surface.errors == pytest.approx(surface.errors.T, rel=1e-6)
    assert not surface.errors.diagonal().any() or seen.symmetry == STARTING


@pytest.mark.parametrize("symmetry", [AHEAD, STARTING])
def test_covariance_has_the_symmetry(symmetry):
    scores = np.array([[1, 0], [5, 0], [9, 0], [0, 19], [19, 5]])
    matrix = covariance(scores[:, None], scores, np.array(START), symmetry)
    assert np.array_equal(matrix, matrix.T)
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    turned = covariance(scores[:, None], scores[:, ::-1], np.array(START), symmetry)
    assert np.array_equal(turned, symmetry * matrix)


def test_covariance_falls_with_distance():
    scores = np.array([[0, 0], [5, 0], [9, 0], [19, 0], [19, 5]])
    assert (np.diff(covariance(scores[0], scores, np.array(START), STARTING)) < 0).all()


# Steps that learn from trials


KINDS = line_kinds()
KNOWN = np.flatnonzero(((np.arange(4096)[:, None] >> (0, 4, 8) & 15) < 15).all(axis=1))


def some_weights(random, size=0.3):
    lines = (STAGES, KINDS.max() + 1)
    parts = [random.normal(scale=size, size=shape) for shape in (lines, lines, (2, STAGES))]
    chance = np.stack([np.full(STAGES, 0.5), random.normal(scale=size, size=STAGES)], axis=1)
    return Weights(*(part.astype(np.float32) for part in (*parts, chance)))


def some_trials(random, size, stages=(33, 34)):
    views = np.zeros((size, 2, COLUMNS), np.int16)
    views[:, :, STAGE] = random.choice(stages, size=(size, 2))
    views[:, :, OTHER_STAGE] = random.choice((-1, *stages), size=(size, 2))
    for first in (CODES, OTHER_CODES):
        views[:, :, first : first + 6] = random.choice(KNOWN, size=(size, 2, 6))
    numbers = random.normal(size=(size, 2, NUMBERS)).astype(np.float32)
    won = random.choice((0.0, 0.5, 1.0), size=(size, 2)).astype(np.float32)
    return Trials(views, numbers, won)


def plain_chances(weights, trials):
    """The chances to win after both ways, written once more with arrays."""
    own, theirs = (KINDS[trials.views[:, :, at : at + 6]] for at in (CODES, OTHER_CODES))
    stage, other = trials.views[:, :, STAGE], trials.views[:, :, OTHER_STAGE]
    unknown, of_other, rest = np.moveaxis(trials.numbers, 2, 0)
    lead = rest - weights.share[0][stage] * unknown - weights.own[stage[..., None], own].sum(2)
    more = weights.share[1][other] * of_other + weights.theirs[other[..., None], theirs].sum(2)
    lead = lead + np.where(other >= 0, more, 0)
    slope, height = np.moveaxis(weights.chance[stage], 2, 0)
    return 1 / (1 + np.exp(-slope * lead - height))


def plain_loss(weights, trials):
    chances, won = plain_chances(weights, trials), trials.won.astype(float)
    off = (chances - won)[:, 0] - (chances - won)[:, 1]
    level = -(won * np.log(chances) + (1 - won) * np.log(1 - chances)).sum()
    return (off**2).sum() / 2 + LEVEL * level


def test_slopes_are_differences_of_the_loss():
    random = np.random.default_rng(2)
    weights, trials = some_weights(random), some_trials(random, 300)
    slopes = Weights(*(np.zeros_like(part) for part in weights))
    squares = slopes_of(weights, slopes, KINDS, trials, np.arange(300), LEVEL)
    off = plain_chances(weights, trials) - trials.won
    assert squares == pytest.approx(((off[:, 0] - off[:, 1]) ** 2).sum(), rel=1e-4)
    for number, part in enumerate(slopes):
        for at in np.argsort(-np.abs(part), axis=None)[:4]:
            ends = []
            for move in (1e-4, -1e-4):
                moved = [p.astype(float) for p in weights]
                moved[number].flat[at] += move
                ends.append(plain_loss(Weights(*moved), trials))
            assert part.flat[at] == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=2e-3)


@pytest.mark.long
def test_weights_learn_which_way_wins_more():
    random = np.random.default_rng(3)
    truth, trials = some_weights(random), some_trials(random, 60_000, (33,))
    chances = plain_chances(truth, trials)
    trials = trials._replace(won=(random.random(chances.shape) < chances).astype(np.float32))
    found = Weights(*(np.zeros_like(part) for part in truth))
    found.chance[:, 0] = 0.5
    before = plain_loss(truth, trials)
    memory, number = Memory.empty(found), 0
    start = plain_loss(found, trials)
    for _ in range(6):
        number, error = learn(found, memory, trials, 1.0, number, random)
    assert number == 6 * (60_000 // 4_096)
    assert plain_loss(found, trials) < before + 0.2 * (start - before)
    gained = plain_chances(found, trials) - plain_chances(found, trials)[:, ::-1]
    true = chances - chances[:, ::-1]
    assert np.corrcoef(gained.ravel(), true.ravel())[0, 1] > 0.9
    assert error == pytest.approx(
        np.mean((gained - trials.won + trials.won[:, ::-1]) ** 2), rel=0.1
    )


def test_steps_become_smaller():
    rates = [rate_at(done, 10) for done in range(10)]
    assert rates[0] == pytest.approx(RATE + LAST_RATE)
    assert rates == sorted(rates, reverse=True)
    assert LAST_RATE < rates[-1] < 0.2 * RATE


# The strongest policy known


CASES = [("first-tile", "optimal-turn", "optimal-turn"), ("optimal-turn", "random", "optimal-turn")]


@pytest.mark.long
@pytest.mark.parametrize(("candidate", "known", "taken"), CASES)
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
