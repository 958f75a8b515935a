"""Lessons of networks: what teaches them, slopes of the error, and runs that are stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from lab import exploiters, lessons, nets
from lab.copy import solved_decisions
from lab.copy.fit import alone_decisions
from lab.copy.net import taught
from lab.learned_cards import fit as card_fit
from lab.learned_cards import net as card_net
from lab.learned_dice import fit as dice_fit
from lab.learned_dice import net as dice_net
from lab.learned_noprob import trials as tried
from lab.learned_pikomino import fit as tile_fit
from lab.learned_pikomino import learning as tile_learning
from lama_odds.games.dice.engine.trained import SHAPES as DICE_SHAPES
from lama_odds.games.dice.engine.trained import Net as DiceNet
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies import outlook, shapes, worths
from lama_odds.games.dice.rules.position import Opponent, Position, pack_hand, unpack_hand
from lama_odds.games.dice.rules.ruleset import EVEN
from lama_odds.games.dice.solvers.solve import solve
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.games.lama.engine.trained import (
    MOST_FEWEST,
    MOST_IN,
    MOVES,
    NEAR_OUT,
    VALUES_HELD,
    Learned,
)
from lama_odds.games.lama.game import GAME as LAMA
from lama_odds.games.lama.policies.learned import SHAPES as CARD_SHAPES
from lama_odds.games.noprob.engine.planner import STAGES, line_kinds
from lama_odds.games.noprob.policies import Weights
from lama_odds.games.registry import game_of
from tools.publishing.target import Making

# --- `copy`: decisions of solved rounds ------------------------------------------------------


RULES = GAME.rules("dice/amigo")


def table() -> MatchEquity:
    found = best_play(RULES.id)
    assert found is not None
    return found


@cache
def players_alone() -> tuple[solved_decisions.Decisions, np.ndarray]:
    random = np.random.default_rng(1)
    hands = ["25L", "1136", "4", "LL6", "2345"]
    starts = [
        [pack_hand(tuple(hand.count(name) for name in "123456L")), 0b1000110, score, final]
        for hand, score, final in zip(
            hands, random.integers(0, 40, 5), random.integers(1, 60, 5), strict=True
        )
    ]
    return alone_decisions(RULES, table(), np.array(starts), 3)


def solved_wins(seen: solved_decisions.Decisions, n: int, other: Opponent, theirs: int) -> Any:
    hand, scores = unpack_hand(int(seen.hands[n])), (int(seen.scores[n, 0]), int(theirs))
    position = Position(hand, int(seen.rows[n]), (other,), scores=scores)
    actions = solve(RULES, position, "win", 1, table=table()).actions
    return {each.action: EVEN - each.values["win"].value for each in actions}


def test_players_alone_have_the_values_of_the_solver() -> None:
    seen, starts = players_alone()
    assert set(starts) == set(range(5))
    compared = 0
    for n in range(0, len(starts), 3):
        mine, final = seen.scores[n].tolist()
        if not 11 <= final <= 39 or mine > 9:  # one level of tokens at the most matters little
            continue
        found = solved_wins(seen, n, Opponent(None, True, 10), final - 10)
        assert seen.quitting[n] == pytest.approx(found["quit"], abs=1e-9)
        assert seen.rolling[n] == pytest.approx(found["roll"], abs=2e-3)
        compared += 1
    assert compared > 1
    there = np.argwhere(np.isfinite(seen.left))
    assert len(there) > 0
    for n, option in there:  # what is left is a hand with less cards
        left = np.array(unpack_hand(int(seen.left_hands[n, option])))
        held = np.array(unpack_hand(int(seen.hands[n])))
        assert (left <= held).all()
        assert left.sum() < held.sum()


@pytest.mark.long
def test_decisions_of_a_round_have_the_values_of_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solved_decisions, "EASY", 3_000)
    monkeypatch.setattr(solved_decisions, "DEALS", 0.0)
    found, again = (solved_decisions.decisions(RULES, table(), 5, 0, 1) for _ in range(2))
    assert found is not None
    assert again is not None
    assert all(np.array_equal(a, b) for a, b in zip(found.seen, again.seen, strict=True))
    seen = found.seen
    for n in range(0, len(seen.hands), max(1, len(seen.hands) // 5)):
        other = Opponent(unpack_hand(int(seen.others[n])))
        worth = solved_wins(seen, n, other, seen.scores[n, 1])
        for action, cost in (("quit", seen.quitting[n]), ("roll", seen.rolling[n])):
            assert cost == pytest.approx(worth[action], abs=0.011)
    assert found.alone.shape[1] == 4


@pytest.mark.long
def test_the_network_learns_what_it_is_shown() -> None:
    seen, _ = players_alone()
    many = solved_decisions.Decisions(*(np.concatenate([part] * 40) for part in seen))
    stakes = worths(RULES, table(), True)
    told: list[float] = []
    taught_rows = np.arange(len(many.hands)) % 10 > 0

    def tell(_epoch: int, stats: np.ndarray, _rest: np.ndarray) -> None:
        told.append(stats[3] / stats[0])

    args = shapes(True), outlook(stakes, True), stakes, RULES.penalties, many, taught_rows, True
    one, two = (taught(*args, epochs=150, seed=4, told=tell) for _ in range(2))
    assert told[149] < told[0] / 4
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


# --- `learned` of dice and cards: decisions of games -----------------------------------------

OPTIONS = {
    **{"scores": 300, "rounds": 2, "first": 3_000, "decisions": 2_000},
    **{"steps": 3, "seed": 5},
}


@pytest.fixture(scope="module")
def taught_games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """By what is learned: a network, its decisions, these once more, and what teaches it."""
    making = Making("learned", tmp_path_factory.mktemp("out"), OPTIONS, Path("work"), "", 1)
    cards = card_fit.Table(making, LAMA.rules(card_fit.RULES), 3)
    dice = dice_fit.Table(making, RULES, 3)
    found = {
        "cards": (
            Learned(*nets.begun(np.random.default_rng(1), CARD_SHAPES)),
            *(cards.lesson(None, 7, 400) for _ in range(2)),
            card_net.teach,
        )
    }
    both = zip(*(dice.lesson(None, 7, (400, 400)) for _ in range(2)), strict=True)
    for name, (seen, again) in zip(("rolling", "choosing"), both, strict=True):
        net = DiceNet(*nets.begun(np.random.default_rng(1), DICE_SHAPES[:4]))
        found[name] = net, seen, again, dice_net.teach
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", ["cards", "rolling", "choosing"])
def test_decisions_of_games_teach_a_network(taught_games: dict[str, Any], name: str) -> None:
    """They are the same each time; slopes are those of the error; what is shown is learned."""
    net, seen, again, teach = taught_games[name]
    assert all(np.array_equal(a, b) for a, b in zip(seen, again, strict=True))
    check_slopes(net, seen, teach)
    many = type(seen)(*(np.concatenate([part[:397]] * 30) for part in seen))
    told: list[nets.Report] = []
    nets.taught(net, many, teach, 60, 5e-3, np.random.default_rng(2), told.append)
    assert told[-1].explained > 0.6
    assert told[-1].gain >= told[0].gain


@pytest.mark.long
def test_what_decisions_of_games_are_worth(taught_games: dict[str, Any]) -> None:
    cards = taught_games["cards"][1]
    possible = (cards.possible[:, None] >> np.arange(MOVES) & 1).astype(bool)
    assert (possible.sum(axis=1) >= 2).all()
    assert (cards.worths[~possible] == 0).all()
    assert 0 <= cards.worths.min() <= cards.worths.max() <= card_net.UNIT
    # Quitting, the last move, is always possible, and worth less than the best on average.
    assert possible[:, -1].all()
    assert cards.worths.max(axis=1).mean() > cards.worths[:, -1].mean()
    rolling, choosing = (taught_games[name][1] for name in ("rolling", "choosing"))
    assert np.abs(rolling.worths).max() <= dice_net.UNIT
    assert rolling.worths.mean() > 0  # with many cards it is better to roll
    assert abs(choosing.worths.mean()) < 0.5  # two choices in any order
    one, other = choosing.rows[:, 0], choosing.rows[:, 1]
    assert (one != other).any(axis=1).all()


STEP = 2e-3


def check_slopes(net: Any, seen: Any, teach: Callable[..., None]) -> None:
    """The error changes with each weight as its slope says."""
    chosen = np.arange(40)
    slopes = type(net)(*(np.zeros_like(part) for part in net))
    teach(net, slopes, seen, chosen, True, np.zeros(nets.STATS))

    def error() -> float:
        stats = np.zeros(nets.STATS)
        teach(net, slopes, seen, chosen, False, stats)
        return float(stats[nets.ERRORS]) / 2

    for part, slope in zip(net, slopes, strict=True):
        for at in np.argsort(-np.abs(slope.ravel()))[:4]:
            before = part.flat[at]
            part.flat[at] = before + STEP
            above = error()
            part.flat[at] = before - STEP
            below = error()
            part.flat[at] = before
            assert (above - below) / (2 * STEP) == pytest.approx(slope.flat[at], rel=0.05, abs=0.05)


# --- Networks that learn nothing but to beat `learned` ----------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("rules_id", list(exploiters.SCHOOLS))
def test_each_player_has_its_own_network(tmp_path: Path, rules_id: str) -> None:
    """Equal ones win their share of every block; one that knows nothing quits, and loses."""
    making = Making("x", tmp_path, OPTIONS, tmp_path, "", 1)
    game: Any = game_of(rules_id)
    school = exploiters.SCHOOLS[rules_id](making, game.rules(rules_id), 3)
    seated = exploiters.lineups(school, 3)
    job = game.simulation(game.rules(rules_id), [game.policy("learned")] * 3, rounds=False)
    knows_nothing, errs = (
        [type(net)(*(sign * part for part in net)) for net in school.shipped] for sign in (0, -1)
    )
    both = school.joined(errs)
    parts = tuple(both) if isinstance(both, Learned) else (both,)
    other = [np.roll(part, len(part) // 2, 0) for part in parts]
    swapped = Learned(*other) if isinstance(both, Learned) else other[0]
    numbered = seated[1].copy()
    numbered[:, 1] = 1 - numbered[:, 1]
    one = replace(job, policies=seated[1]).with_tables(learned=both).play(1, 0, 50)
    assert np.array_equal(
        one, replace(job, policies=numbered).with_tables(learned=swapped).play(1, 0, 50)
    )
    won = [
        exploiters.won_by_one(job.with_tables(learned=school.joined(nets)), seated, 200, 1, 1)
        for nets in (school.shipped, knows_nothing)
    ]
    assert (won[0].value, won[0].stderr) == (pytest.approx(1 / 3, abs=1e-12), 0)
    assert won[1].value < 0.15
    if rules_id == card_fit.RULES:  # it decides once a round, with the cards that were dealt
        seen = school.lesson(school.joined(knows_nothing), seated, 2)[0]
        held = seen.rows[(seen.rows >= NEAR_OUT) & (seen.rows < VALUES_HELD)] - NEAR_OUT
        assert len(held) == len(seen.numbers)
        assert (held // (MOST_FEWEST * MOST_IN) == 6).all()


# --- `learned` of No Prob-Lama ---------------------------------------------------------------


KINDS = line_kinds()
KNOWN = np.flatnonzero(((np.arange(4096)[:, None] >> (0, 4, 8) & 15) < 15).all(axis=1))


def plain_odds(weights, views, numbers, seats):
    """The logarithm of the odds to win after turns, written once more with arrays."""
    views = views[..., : 7 * seats].reshape(*views.shape[:-1], seats, 7)
    stage, lines = views[..., 0], KINDS[views[..., 1:]]
    unknown, rest, above = numbers[..., :seats], numbers[..., 6 : 6 + seats], numbers[..., 12]
    own, theirs = weights.own[stage[..., 0, None], lines[..., 0, :]].sum(-1), []
    mine = rest[..., 0] + weights.share[0][stage[..., 0]] * unknown[..., 0] + own
    units = weights.net[stage[..., 0] // 10] + above[..., None] * weights.net[-2]
    of_next = weights.net[-12 + np.maximum(stage[..., 1] // 10, 0)]
    units = units + numbers[..., 13, None] / 10 * of_next  # what it is offered
    for at in range(1, seats):
        more = weights.theirs[stage[..., at, None], lines[..., at, :]].sum(-1)
        more = more + weights.share[1][stage[..., at]] * unknown[..., at]
        plays = stage[..., at] >= 0
        theirs.append(rest[..., at] + np.where(plays, more, 0) - mine)
        rows = weights.net[12 * at - 2 :][:12]
        units = units + rows[np.where(plays, stage[..., at] // 10, 10)]
        units = units + theirs[-1][..., None] / 10 * rows[11]
    slope, height = np.moveaxis(weights.chance[stage[..., 0]], -1, 0)
    return slope * np.min(theirs, 0) + height + (np.maximum(units, 0) * weights.net[-1]).sum(-1)


def any_weights(random, seats):
    """Weights of the size of learned ones."""
    lines = (STAGES, KINDS.max() + 1)
    parts = [random.normal(scale=0.3, size=shape) for shape in (lines, lines, (2, STAGES))]
    chance = np.stack([np.full(STAGES, 0.3), random.normal(scale=0.3, size=STAGES)], axis=1)
    net = random.normal(scale=0.3, size=tried.first_net(seats).shape)
    return Weights(*(part.astype(np.float32) for part in (*parts, chance, net)))


def any_trials(random, seats, size):
    """Views of turns in a few stages, with any lines."""
    views = np.zeros((size, 2, tried.COLUMNS), np.int16)
    for at in range(seats):
        views[:, :, 7 * at] = random.choice((-1, 33) if at else (33,), size=(size, 2))
        views[:, :, 7 * at + 1 : 7 * at + 7] = random.choice(KNOWN, size=(size, 2, 6))
    numbers = random.normal(size=(size, 2, tried.NUMBERS)).astype(np.float32)
    return tried.Trials(views, numbers, np.zeros((size, 2), np.float32))


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
def test_slopes_of_trials_are_those_of_their_errors(seats):
    random, level = np.random.default_rng(4), 0.3
    trials, weights = any_trials(random, seats, 30), any_weights(random, seats)
    trials = trials._replace(won=random.choice(2, size=(30, 2)).astype(np.float32))
    slopes = Weights(*(np.zeros_like(part) for part in weights))
    order = np.arange(30)
    tried.slopes_of(weights, slopes, KINDS, trials, seats, order, np.float32(level))

    def error(shifted: Weights) -> float:
        odds = plain_odds(shifted, trials.views, trials.numbers, seats)
        chances = 1 / (1 + np.exp(-odds))
        off = chances - trials.won
        log_loss = np.log1p(np.exp(np.where(trials.won > 0, -odds, odds)))
        return float(((off[:, 0] - off[:, 1]) ** 2).sum() / 2 + level * log_loss.sum())

    wide = Weights(*(part.astype(float) for part in weights))
    for name, part in slopes._asdict().items():
        moved = np.argwhere(part)
        for at in map(tuple, random.permutation(moved)[:12]):
            sides = []
            for shift in (-1e-4, 1e-4):
                other = wide._replace(**{name: getattr(wide, name).copy()})
                getattr(other, name)[at] += shift
                sides.append(error(other))
            slope = (sides[1] - sides[0]) / 2e-4
            assert part[at] == pytest.approx(slope, rel=0.02, abs=2e-3), (name, at)


@pytest.mark.long
def test_weights_learn_which_way_wins_more():
    random, size, seats = np.random.default_rng(3), 60_000, 3
    truth, trials = any_weights(random, seats), any_trials(random, seats, size)
    chances = 1 / (1 + np.exp(-plain_odds(truth, *trials[:2], seats)))
    won = (random.random(chances.shape) < chances).astype(np.float32)
    trials = trials._replace(won=won)
    found = Weights(*(np.zeros_like(part) for part in truth))
    found.chance[:, 0] = 0.3
    found.net[:] = tried.first_net(seats)
    memory, number = tried.Memory.empty(found), 0
    for _ in range(6):
        number, error = tried.learn(
            found, memory, trials, seats, np.array([*tried.RATES, 0.003]), number, random
        )
    learned = 1 / (1 + np.exp(-plain_odds(found, *trials[:2], seats)))
    gained, true = (each - each[:, ::-1] for each in (learned, chances))
    assert np.corrcoef(gained.ravel(), true.ravel())[0, 1] > 0.85
    assert np.abs(learned - chances).mean() < 0.08
    assert error == pytest.approx(np.mean((gained - won + won[:, ::-1]) ** 2), rel=0.1)


# --- `learned` of Pikomino -------------------------------------------------------------------


def test_steps_go_towards_what_teaches() -> None:
    """Two boards, told apart by one switch, are worth 0.2 and 0.9."""
    rows = np.zeros((2, tile_learning.ROW), np.int16)
    rows[:, 0], rows[:, 1], rows[0, 2], rows[1, 2] = 2, 7, 3, 4
    targets = np.array([0.2, 0.9], np.float32)
    network = tile_fit.begin(1)
    order = np.arange(2)
    first = tile_learning.learn(rows, targets, order, *network, 0.1)
    for _ in range(500):
        last = tile_learning.learn(rows, targets, order, *network, 0.1)
    assert last < 1e-6 < first


# --- Runs that are stopped -------------------------------------------------------------------


SHAPES = ((3, 2), (2, 2), (1, 2), (3,))


class Net(NamedTuple):
    rows: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


class Shown(NamedTuple):
    numbers: np.ndarray
    worths: np.ndarray


def teach(net: Net, slopes: Net, seen: Shown, chosen: np.ndarray, learns: bool, stats: Any) -> None:
    """Each decision pulls all rows towards its worth."""
    for worth in seen.worths[chosen]:
        stats[nets.ERRORS] += ((net.rows - worth) ** 2).sum()
        stats[nets.SPREAD] += worth**2
        if learns:
            slopes.rows[:] += net.rows - worth


class StopError(Exception):
    pass


def nets_after(folder: Path, stop: int | None = None) -> Sequence[Net]:
    """Two networks after five steps; stop: the step in which the run is stopped."""
    making = Making("x", folder, {"steps": 5, "seed": 1}, folder, "")
    begin = [Net(*nets.begun(np.random.default_rng(k), SHAPES)) for k in (1, 2)]

    def lesson(known: Sequence[Net] | None, step: int) -> list[Shown]:
        if step == stop:
            raise StopError
        tops = [0.0, 0.0] if known is None else [float(net.rows[0, 0]) for net in known]
        return [Shown(np.arange(40), np.linspace(top + 1, top + step + 2, 40)) for top in tops]

    return lessons.learned_in_steps(making, 3, begin, lesson, teach, (2, 1))


@pytest.mark.parametrize("stop", [0, 2, 4])
def test_a_stopped_run_goes_on_as_if_nothing_had_happened(tmp_path: Path, stop: int) -> None:
    whole = nets_after(tmp_path / "whole")
    with pytest.raises(StopError):
        nets_after(tmp_path / "stopped", stop)
    again = nets_after(tmp_path / "stopped")
    for net, same in zip(whole, again, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(net, same, strict=True))
    assert not np.array_equal(whole[0].rows, whole[1].rows)
