"""Best responses: lines of play on the luck of a game, and what a player who thinks ahead gains."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lab import best_response as research
from lab.best_response import Deviator, Response, best_response, told_apart
from lama_odds.analysis import search as module
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.games.dice import jobs as dice_simulation
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.objectives import POINTS
from lama_odds.games.interface.tally_layout import EQUITY, PARTS, WIN
from lama_odds.games.lama import jobs as lama_simulation
from lama_odds.games.lama.rules.position import pile_left
from lama_odds.games.noprob.engine.kernels import deal_unknown
from lama_odds.games.noprob.rules.transition import GRID, KNOWN, unpacked
from lama_odds.games.noprob.solvers.beliefs import all_known
from lama_odds.games.noprob.solvers.exact import root_table
from lama_odds.games.registry import game_of
from lama_odds.games.shared.stepper import Line, line_of
from lama_odds.luck.stream import stream_of
from tools.publishing.targets import best_response as script

ROOT = Path(__file__).resolve().parent.parent.parent


def asked(rules_id: str, names: tuple[str, ...]) -> tuple[Any, Any, list[Any]]:
    game = game_of(rules_id)
    return game, game.rules(rules_id), [game.policy(name) for name in names]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules_id", "names", "whole"),
    [
        ("lama/party+drama", ("meanfield", "matching:2", "threshold:9"), True),
        ("lama/party+drama", ("meanfield", "matching:2", "threshold:9"), False),
        ("dice/amigo", ("meanfield", "threshold:5", "meanfield:out=4"), True),
        ("noprob/starnberger", ("planner", "greedy"), True),
    ],
)
def test_who_does_the_usual_plays_the_game_that_is_simulated(
    rules_id: str, names: tuple[str, ...], whole: bool
) -> None:
    game, rules, policies = asked(rules_id, names)
    job = game.simulation(rules, policies, rounds=not whole)

    def as_planned(line: Line) -> str:
        if line.number % 8 == 0:
            effort = Effort(only=line.only)  # as the player who thinks asks
            rollouts = game.rollouts(rules, line.position(), policies, False, effort=effort)
            assert line.usual in rollouts.actions
        return line.usual

    def unplanned(line: Line) -> str:
        # Carried out as an action that nobody has planned.
        action, line.usual = line.usual, ""
        return action

    tally = job.play(6, 1, 1)
    for seat in range(len(policies)):
        for choose in (as_planned, unplanned)[: 1 if seat else 2]:
            line = line_of(game, rules, policies, 6, 1, seat, whole)
            while not line.over:
                line.act(choose(line))
            assert line.result() == tally[seat, 0]


@pytest.mark.parametrize("rules_id", ["lama/party+drama", "dice/amigo"])
def test_another_action_leaves_the_others_their_luck(rules_id: str) -> None:
    game, rules, policies = asked(rules_id, ("threshold:0",) * 2)
    quitter, same = (line_of(game, rules, policies, 6, 3, 0, True) for _ in range(2))
    assert quitter.position() == same.position()
    quitter.act("quit")
    # Who has quit is not asked again in that round; the next one is dealt as ever.
    assert quitter.number == 1
    made = {"dice": dice_simulation, "lama": lama_simulation}[game.name]
    hands = made.deal_of(rules, 2, 6, 3, 1)
    same._begin_round(0)
    assert same.state.hands == list(hands[0] if game.name == "lama" else hands)


def at(position: Any, usual: str) -> Any:
    """A game that has stopped at a position, in which nothing is hidden."""
    return SimpleNamespace(position=lambda: position, usual=usual, only=(), hidden=lambda: ())


def test_a_clear_mistake_is_left_for_the_best_action() -> None:
    game, rules, policies = asked("dice/amigo", ("meanfield",) * 3)
    deviator = Deviator(game, rules, tuple(policies), "points", (64, 512), 0)
    position = game.position(rules, "hand=25L row=1346L opp=13,6LL")
    action, gain, games = deviator.choose(at(position, "quit"), 0)
    assert (action, games) == ("roll", 64)
    assert 11 < gain / 512 / PARTS < 13
    assert deviator.choose(at(position, "roll"), 0) == ("roll", 0, 64)
    # Other words of luck, another sample: 512 games that had no part in the choice.
    assert deviator.choose(at(position, "quit"), 64)[1] != gain
    rollouts = deviator.rollouts(position)
    tally = np.zeros(rollouts.job.shape, dtype=np.int64)
    deviator.play(rollouts.job, 512, 512, tally)
    quits, rolls = rollouts.sums(tally, "points")[:, 0]
    assert gain == quits - rolls


def test_only_what_is_surely_better_is_done() -> None:
    game, rules, policies = asked("lama/egmont", ("meanfield",) * 2)
    deviator = Deviator(game, rules, tuple(policies), "points", (64,), 0)
    # Nothing to choose: a card less to pay for, or none at all.
    position = game.position(rules, "hand=1 top=4 opp=q5")
    assert deviator.choose(at(position, "quit"), 0) == ("quit", 0, 0)
    rollouts = deviator.rollouts(game.position(rules, "hand=34 top=3 opp=5"))
    tally = np.zeros(rollouts.job.shape, dtype=np.int64)
    sums = rollouts.sums(tally, "points")
    points = np.random.default_rng(1).integers(0, 9, (len(rollouts.actions), 100))
    points[0] -= 3
    sums[:, 0] = points.sum(axis=1)
    sums[:, 1:] = points @ points.T
    best, gain, error = module._best(rollouts, tally, POINTS, 1, 100)
    less = points[1] - points[0]
    assert (best, gain) == (0, pytest.approx(less.mean()))
    assert error == pytest.approx(less.std(ddof=1) / 10)
    # Of those that are worse the least bad one is named.
    assert module._best(rollouts, tally, POINTS, 0, 100)[1] < 0
    # The chance to leave for a worse one is the same for one other action and for any of nine.
    assert module._sure(1) == module.SURE == 2
    assert module._sure(9) == pytest.approx(NormalDist().inv_cdf(1 - 0.02275 / 9), abs=1e-3)


def test_no_game_of_rollouts_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages go on where the one before ended; the gain is measured in games after all of them."""
    game, rules, policies = asked("lama/egmont", ("meanfield",) * 3)
    played: list[tuple[int, int]] = []
    play = Deviator.play

    def noted(deviator: Deviator, job: Any, first: int, games: int, tally: np.ndarray) -> None:
        played.append((first, games))
        play(deviator, job, first, games, tally)

    monkeypatch.setattr(Deviator, "play", noted)
    deviator = Deviator(game, rules, tuple(policies), "points", (16, 64, 256), 2)
    found = deviator.choose(at(game.position(rules, "hand=1256 top=1 opp=4,4"), "draw"), 1_000)
    assert (found[0], found[2]) == ("play 2", 256)
    assert played == [(1_000, 16), (1_016, 48), (1_064, 192), (1_256, 256)]


def test_every_decision_has_random_numbers_of_its_own() -> None:
    """And of another seed than the game: rollouts see nothing of what is to come."""
    game, rules, policies = asked("lama/egmont", ("meanfield",) * 3)
    deviator = Deviator(game, rules, tuple(policies), "points", (16, 64), 2)
    firsts = [deviator.first(*at) for at in product(range(4), range(3), range(40))]
    assert min(np.diff(sorted(firsts))) >= 2 * 64  # to choose, and to measure what that gains
    played: list[tuple[int, int, int]] = []
    job: Any = SimpleNamespace(play=lambda *at: played.append(at[:3]))
    deviator.play(job, 128, 64, np.zeros(1))
    ((seed, *games),) = played
    assert seed != 2
    assert games == [128, 64]


def test_seats_gain_what_the_sums_say() -> None:
    game, rules, _ = asked("dice/amigo", ("meanfield",))
    policy = game.best_policy(rules, 2, "win")
    deviator = Deviator(game, rules, (policy, policy), "win", (64,), 5)
    seats = [
        [research.Seat(420, 0, 10, 2, 300, 640, 500), research.Seat(0, 420, 8, 0, 0, 512, 0)],
        [research.Seat(-210, 420, 12, 1, 100, 768, 0), research.Seat(210, 0, 10, 1, 200, 640, 100)],
    ]
    found: Response = research._response(deviator, seats, 64, True)
    assert found.gain.value == pytest.approx(420 / WIN / 4)
    assert found.by_seat[0].value == pytest.approx(210 / WIN / 2)
    assert found.base.value == pytest.approx(0.5)
    # Of games: 420 and 0 in sum over two seats.
    assert found.gain.stderr == pytest.approx(((1 / 2 - 1 / 4) ** 2 * 2 / 1 / 2) ** 0.5)
    assert (found.decisions, found.departed) == (10.0, 4 / 40)
    assert found.promised.value == pytest.approx(600 / 4 / EQUITY / 64)
    assert found.promised.stderr == 0
    assert found.played == 64
    assert found.adjusted is not None
    assert found.known == found.adjusted
    assert found.adjusted.value == pytest.approx(600 / 4 / EQUITY / 64)
    assert found.adjusted.stderr == pytest.approx(100 / 2 / EQUITY / 64 * 2)
    assert found.saved == pytest.approx((found.gain.stderr / found.adjusted.stderr) ** 2)
    games_alone = research._response(deviator, seats, 64, False)
    assert (games_alone.adjusted, games_alone.known) == (None, found.gain)


@pytest.mark.long
def test_who_thinks_ahead_gains_on_the_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    # Blind to the end of the game, that is: it does not see that quitting would win.
    game, rules, blind = asked("dice/amigo+target=10", ("meanfield:even=2,ahead=4,behind=5",))
    monkeypatch.setattr(type(game), "best_policy", lambda *_: blind[0])
    asked_for = {"games": 24, "most": 64, "seed": 4}
    one = best_response(game, rules, 2, "win", threads=2, **asked_for)
    assert one.gain.low > 0
    assert one.departed > 0.02
    assert one.promised.low > 0
    assert abs(one.promised.value - one.gain.value) < 2 * one.gain.stderr
    # Nothing is hidden: the promise is the gain without luck, and is tested against the games.
    assert one.adjusted == one.promised
    assert one.apart.value == pytest.approx(one.promised.value - one.gain.value)
    # Without rollouts nobody leaves `best`, and nothing is gained.
    monkeypatch.setattr(module, "_sure", lambda others: float("inf"))
    none = best_response(game, rules, 2, "win", **asked_for)
    assert (none.gain.value, none.gain.stderr, none.departed) == (0, 0, 0)
    assert none.base == one.base


def test_same_answer_on_any_threads_and_another_for_another_seed() -> None:
    game, rules, _ = asked("lama/egmont", ("meanfield",))

    def ask(seed: int, threads: int) -> Response:
        return best_response(game, rules, 2, "points", games=6, most=64, seed=seed, threads=threads)

    assert ask(1, 1) == ask(1, 2) != ask(2, 1)
    with pytest.raises(LimitError, match="at least 2"):
        best_response(game, rules, 2, "points", games=1)
    with pytest.raises(LimitError, match="random policies"):
        line_of(game, rules, [game.policy("random")] * 2, 0, 0, 0, True)


def test_where_nothing_is_drawn_all_cards_say_how_the_round_ends() -> None:
    game, rules, policies = asked("lama/egmont", ("threshold:0",) * 5)
    deviator = Deviator(game, rules, tuple(policies), "points", (64,), 0)
    met = 0
    for index in range(40):
        line = line_of(game, rules, policies, 6, index, 0, False)
        ends = []
        while not line.over:
            position, hidden = line.position_with_past(), line.hidden()
            assert hidden is not None
            held = [sum(rules.unpack(hand)) for hand in hidden]
            assert held == [other.cards for other in position.opponents]
            if pile_left(rules, position) == 0:
                rollouts = deviator.rollouts(position, (line.usual,), hidden)
                tally = np.zeros(rollouts.job.shape, dtype=np.int64)
                deviator.play(rollouts.job, 0, 64, tally)
                ends.append(rollouts.sums(tally, "points")[0, 0] / 64)
            line.act(line.usual)
        assert ends == [line.penalties[0]] * len(ends)
        met += len(ends)
    assert met > 20


def test_what_others_have_looked_at_is_dealt_as_it_lies() -> None:
    game, rules, policies = asked("noprob/starnberger", ("greedy",) * 3)
    key, gamma = stream_of(5)
    for seat in range(3):
        line = line_of(game, rules, policies, 6, 0, seat, True)
        for number in range(12):
            root, unknown = root_table(rules, line.position_with_past())
            start = np.uint64((int(key) + 977 * number * int(gamma)) % 2**64)
            held = all_known(line.hidden())
            deal_unknown(root, held, 3, unknown, rules.peeks, start, np.uint64(gamma))
            for step in range(1, 3):
                other = (line.seat + step) % 3
                knows = [line.state.knows(other, cell) for cell in range(9)]
                assert [bool(root[KNOWN + step] >> cell & 1) for cell in range(9)] == knows
                dealt, held_by = unpacked(int(root[GRID + step])), line.state.hands[other]
                assert all(
                    a == b for a, b, known in zip(dealt, held_by, knows, strict=True) if known
                )
            line.act(line.usual)


@pytest.mark.long
def test_who_sees_all_cards_gains_more() -> None:
    game, rules, _ = asked("lama/egmont", ("meanfield",))
    blind, sees = (
        best_response(game, rules, 2, "points", games=40, most=64, seed=8, sees=sees)
        for sees in (False, True)
    )
    assert (blind.sees, sees.sees) == (False, True)
    assert sees.adjusted == sees.promised
    assert sees.known.low > blind.known.high


@pytest.mark.long
def test_without_its_luck_the_gain_is_that_of_the_games() -> None:
    game, rules, _ = asked("lama/egmont", ("meanfield",))
    found = best_response(game, rules, 2, "points", games=150, most=64, seed=8)
    assert found.adjusted is not None
    assert found.adjusted != found.promised
    assert found.saved > 1.2
    error = np.hypot(found.adjusted.stderr, found.gain.stderr)
    assert abs(found.adjusted.value - found.gain.value) < 3.5 * error


def response(rules: str, gain: float, promised: float, players: int = 2) -> Response:
    """A row of the page in which the standard errors are 0.03 and 0.04."""

    def mean(value: float, stderr: float) -> Estimate:
        half = 1.96 * stderr
        return Estimate(value, stderr, value - half, value + half, 2_000, "simulation")

    return Response(
        *(rules, players, "points", "meanfield", mean(gain, 0.03), mean(5.0, 0.1)),
        *((mean(gain, 0.05),) * players, 7.0, 0.03, mean(promised, 0.04), 100.0, 2_000, 64, 11),
    )


def test_what_rollouts_promise_is_tested_against_the_gain() -> None:
    one = response("lama/egmont", 0.2, 0.4).apart
    assert (one.value, one.stderr) == (pytest.approx(0.2), pytest.approx(0.05))
    assert (one.low, one.high) == pytest.approx((0.102, 0.298), abs=1e-3)
    # 2.2 standard errors: 2.8 %, too much for one of three rows, not for one alone.
    some, none = response("lama/egmont", 0.2, 0.31), response("dice/amigo", 0.2, 0.2)
    far = response("noprob/starnberger", 0.2, 0.5)
    assert told_apart([some]) == [True]
    assert told_apart([some, none, none, far]) == [False, False, False, True]
    sure = replace(none, gain=Estimate(0.0), promised=Estimate(0.0))
    assert told_apart([sure]) == [False]


@pytest.mark.parametrize(
    ("errors", "played", "better"),
    [
        ([4.1], 16, True),
        ([3.9, 3.9], 64, True),
        ([0.5, 2.1], 64, True),
        ([0.5, 1.9], 64, False),
        ([-0.4, -0.4], 64, False),
        ([-0.6], 16, False),
    ],
)
def test_more_is_played_until_an_action_is_clearly_better_or_hopeless(
    monkeypatch: pytest.MonkeyPatch, errors: list[float], played: int, better: bool
) -> None:
    """errors: what the other action gains after each stage, in standard errors."""
    game: Any = game_of("dice")
    thinker = Deviator(game, game.rules("dice/amigo"), (), "win", (16, 64), 0)
    job = SimpleNamespace(actions=["usual", "other"], job=SimpleNamespace(shape=(1,)))
    monkeypatch.setattr(module.Thinker, "rollouts", lambda *_: job)
    monkeypatch.setattr(module.Thinker, "play", lambda *_: None)
    gains = iter(errors)
    monkeypatch.setattr(module, "_best", lambda *_: (1, next(gains), 1.0))
    picked = thinker.pick(None, "usual", 0)
    assert (picked.played, picked.better) == (played, better)
    assert picked.action == ("other" if better else "usual")
    assert not list(gains)


def test_the_published_page_is_that_of_its_table() -> None:
    folder = ROOT / "reports"
    table = (folder / "best_response.csv").read_text(encoding="utf-8")
    found = script.read_rows(table)
    assert script.rows_of(found) == table
    learned = (folder / "exploiters.csv").read_text(encoding="utf-8")
    assert script.page(found, learned) == (folder / "best_response.md").read_text(encoding="utf-8")
    assert len(found) == len(script.PLAYED)
    assert all(len(one.by_seat) == one.players for one in found)
