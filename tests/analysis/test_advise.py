"""Advice: which method answers, what the verdict says, that it can be repeated and stopped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lama_odds.analysis.advice.advise as advising
import lama_odds.analysis.advice.rollouts as rollouts
from lama_odds.analysis.advice.advise import GivenPosition, advise, advise_each
from lama_odds.analysis.advice.answer import TOSS_UP, Advice
from lama_odds.analysis.advice.rollouts import Limits, StoppedEarlyError, roll_out
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import may_stop, stopped_by
from lama_odds.games.dice.rules.ruleset import chance_to_win
from lama_odds.games.dice.solvers import pair_cache, solve
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.match_equity import best_play, starting_scores
from lama_odds.games.interface.objectives import MARGIN, POINTS, WIN, Solution
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.statistics.intervals import Z
from lama_odds.statistics.race import FIRST_CHECK

GAME = game_of("dice/amigo")
RULES = GAME.rules("dice/amigo")
THREE = "hand=25L row=1346L opp=13,6LL"
TILES = "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"


def ask(text: str, games: int | None = 5_000, **options: Any) -> Advice:
    limits = Limits(games=games, seconds=0.2)
    return advise(GAME, RULES, GAME.position(RULES, text), limits=limits, **options)


@pytest.mark.parametrize(
    ("text", "objective", "method"),
    [
        (THREE, "win", "simulation"),
        ("hand=25L row=1346L opp=13 scores=5,9", "win", "exact"),
        ("hand=25L row=1346L opp=q13,q=16", "win", "simulation"),
        ("hand=25L row=1346L opp=q13,6", "win", "simulation"),
        ("+target=30 hand=25L row=1346L opp=13,6LL", "points", "simulation"),
        ("+target=30 hand=25L row=1346L opp=13", "margin", "exact"),
        ("+target=30 hand=25L row=1346L opp=q13,q=16", "points", "exact"),
    ],
)
def test_default_objective_and_method(text: str, objective: str, method: str) -> None:
    option, _, position = text.partition(" ") if text.startswith("+") else ("", "", text)
    rules = GAME.rules(f"dice/amigo{option}")
    limits = Limits(games=1_000)
    answer = advise(GAME, rules, GAME.position(rules, position), limits=limits)
    assert (answer.objective, answer.method) == (objective, method)
    # What quitting costs is known, however the rest is found.
    known = {"quit"} if objective == "points" else set()
    assert all(a.value.method == method for a in answer.actions if a.action not in known)
    assert all(a.value.method == "exact" for a in answer.actions if a.action in known)
    assert all(a.objectives[objective] == a.value for a in answer.actions)
    if method == "simulation":  # with the exact chances of what comes next
        following = GAME.next_chances(rules, GAME.position(rules, position))
        assert all(a.chances.items() >= following.get(a.action, {}).items() for a in answer.actions)
        assert following["roll"]
    # The chance to win is solved; what stands beside it, such as the points, is sampled.
    assert answer.games == (0 if method == "exact" and objective != "win" else 1_000)


def test_what_a_solver_does_not_count_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solve.solve

    def without_points(*args: Any) -> Solution | None:
        found = solved(*args)
        assert found is not None
        left = [replace(a, values={"margin": a.values["margin"]}) for a in found.actions]
        return replace(found, actions=tuple(left))

    monkeypatch.setattr(solve, "solve", without_points)
    text = "hand=25L row=1346L opp=q13,q=16"
    sampled = ask(text, objective="points")
    assert (sampled.method, sampled.games) == ("simulation", 5_000)
    assert ask(text, objective="margin").method == "exact"


def test_named_opponents_are_played_against_where_they_still_act() -> None:
    quitter = GAME.policy("threshold:31")
    answer = ask("hand=25L row=1346L opp=13", opponents=quitter, objective="margin")
    assert answer.method == "simulation"
    assert "threshold:31" in answer.assumptions[0]
    quit_ = next(action for action in answer.actions if action.action == "quit")
    # The other quits at once with 1 and 3: 17 points against 4.
    assert quit_.objectives["margin"].value == 13.0
    assert quit_.objectives["margin"].stderr == 0.0
    assert ask("hand=25L row=1346L opp=q13", opponents=quitter, objective="margin").games == 0
    found = asked(*TILES, opponents=game_of("pikomino").policy("random"), objective="points")
    assert found.method == "exact"  # a turn is yours alone


def test_learned_values_have_the_error_of_their_differences() -> None:
    found = asked("pikomino/egmont", "kept=4455W centre=22,24-29,36 stacks=33/21", objective="win")
    lost = found.actions[1].regret
    assert (found.method, found.games) == ("simulation", 0)
    assert lost.high - lost.value == pytest.approx(lost.value - lost.low)
    assert 0 < lost.high - lost.value == pytest.approx(Z * lost.stderr)


def test_what_is_too_large_to_solve_is_sampled_and_says_so(monkeypatch: Any) -> None:
    text = "hand=25L row=1346L opp=13"
    position = GAME.position(RULES, text)
    situations = pair_situations(position.hand, position.opponents[0].cards or (), position.row)
    monkeypatch.setattr(solve, "MOST_STATES", situations)
    solved = ask(text, objective="margin")
    assert solved.method == "exact"
    assert not any("not solved" in told for told in solved.assumptions)
    monkeypatch.setattr(solve, "MOST_STATES", situations - 1)
    sampled = ask(text, objective="margin")
    assert sampled.method == "simulation"
    (told,) = (told for told in sampled.assumptions if "not solved" in told)
    assert f"{situations:,} situations" in told
    assert f"up to {situations - 1:,}" in told
    # Where something else is asked, that is not the reason.
    others = ask(text, games=1_000, opponents=GAME.policy("random"))
    three = ask(THREE, games=1_000, objective="margin")
    assert not any("not solved" in told for told in (*others.assumptions, *three.assumptions))


@pytest.mark.parametrize(
    ("objective", "text", "sign"),
    [
        ("points", THREE, 1),
        ("win", f"{THREE} scores=10,20,30", -1),
        ("points", "hand=25L row=1346L opp=q13,q=16", 1),  # solved, as is the next one
        ("win", "hand=25L row=1346L opp=13 scores=5,9", -1),
    ],
)
def test_best_first_and_regret_against_the_best(objective: str, text: str, sign: int) -> None:
    answer = ask(text, objective=objective)
    best, other = answer.actions
    assert answer.best == answer.verdict == best.action
    regret = best.regret
    assert (regret.value, regret.stderr, regret.low, regret.high) == (0, 0, 0, 0)
    assert other.regret.value == pytest.approx(sign * (other.value.value - best.value.value))
    assert other.regret.low > 0


def test_intervals_are_said_to_be_of_luck_only_where_cards_are_hidden() -> None:
    hidden = asked("lama/egmont", "hand=34 top=6 opp=4,3", limits=Limits(games=1_000))
    for answer, times in ((hidden, 1), (ask(THREE, games=1_000), 0)):
        told = [said for said in answer.assumptions if "sampling error only" in said]
        assert len(told) == times


def test_unknown_scores_are_averaged_over_those_that_occur() -> None:
    starting = starting_scores(RULES.id, 3)
    assert starting is not None
    found, games = ask(THREE, games=8_000), 1_000
    of_scores: dict[str, list[float]] = {"roll": [], "quit": []}
    rng = np.random.default_rng(5)
    for row in rng.choice(starting.rows, 20, replace=False).tolist():
        for action in ask(f"{THREE} scores={','.join(map(str, row))}", games=games).actions:
            of_scores[action.action].append(action.value.value)
    for action in found.actions:
        mean, several = action.value.value, np.array(of_scores[action.action])
        assert abs(several.mean() - mean) < 4 * (several.std() / 20**0.5 + action.value.stderr)
        assert action.objectives["points"].value < 20
    assert starting.averaged in found.assumptions
    assert [each["id"] for each in found.to_json()["assumed"]] == ["scores unknown", "repeats"]
    given = ask(f"{THREE} scores=1,2,3", games=games).to_json()
    assert [each["id"] for each in given["assumed"]] == ["repeats"]


def test_a_round_is_solved_for_unknown_scores_as_it_is_for_each() -> None:
    starting = starting_scores(RULES.id, 2)
    assert starting is not None
    # Quitting is the same with any scores known: its mean over all of them.
    answer = ask("hand=12L row=36 opp=q4L", games=1_000)
    (quit_,) = (a for a in answer.actions if a.action == "quit")
    assert quit_.value.method == "exact"
    mine, other = starting.rows[:, 0] + 13, starting.rows[:, 1] + 14
    mean = chance_to_win(RULES, mine, other, best_play(RULES.id)).mean()
    assert quit_.value.value == pytest.approx(mean, abs=1e-9)
    assert quit_.value.low < mean < quit_.value.high


def test_exact_answers_have_the_same_bits_on_any_number_of_threads() -> None:
    def on(count: int) -> Advice:
        position = GAME.position(RULES, "hand=12 row=34L opp=56 scores=11,7")
        return advise(GAME, RULES, position, objective="margin", limits=Limits(threads=count))

    pair_cache.forget()  # another test may have solved it
    one = on(1)
    pair_cache.forget()
    assert replace(one, seconds=0.0) == replace(on(2), seconds=0.0)


CLEAR = "hand=1356LL row=1346L opp=13,6LL"  # rolling on is better by far


def test_a_clear_answer_stops_early_and_its_games_repeat_it() -> None:
    def ask_up_to(text: str, clear: bool, most: int = 20_000) -> Advice:
        limits = Limits(clear=clear, most=most, seconds=1e-9)  # of a clock there is nothing in it
        return advise(GAME, RULES, GAME.position(RULES, text), limits=limits)

    early, precise = ask_up_to(CLEAR, True), ask_up_to(CLEAR, False)
    assert early.verdict == precise.verdict == "roll"
    assert early.games < precise.games
    fixed = ask(CLEAR, games=early.games)
    assert fixed.actions == early.actions
    assert f"--games {early.games} repeats this answer" in early.assumptions
    # The limit is kept to the game, below the first checkpoint too.
    assert ask_up_to(CLEAR, False, 12_345).games == 12_345
    assert ask_up_to(CLEAR, True, 1_000).games == 1_000


def test_by_the_clock_the_first_look_at_which_an_answer_stops_is_the_usual_one() -> None:
    """Its interval allows for no earlier one, however clear and precise the answer is there."""
    position = GAME.position(RULES, CLEAR)
    found = advise(GAME, RULES, position, limits=Limits(seconds=60, precision=1.0))
    assert (found.verdict, found.games) == ("roll", FIRST_CHECK)


def test_results_against_the_others_may_be_twice_as_far_apart_as_points() -> None:
    """Even where all games came out alike: that much may be met yet."""
    position = GAME.position(RULES, "hand=1 row=123456L opp=q1")
    job = GAME.rollouts(RULES, position, [GAME.policy("threshold:0")] * 2, False)
    tally = job.job.play(1, 0, 1_000)
    points, margin = (
        rollouts._moments(job, tally, 1_000, GAME.objectives[name]) for name in ("points", "margin")
    )
    unit = dict(zip(job.objectives, job.units, strict=False))
    assert margin.span * unit["margin"] == 2 * points.span * unit["points"]


@pytest.mark.long
def test_games_that_never_end_are_refused() -> None:
    # Everybody takes the penalty of one point at once, far from a target of 1,000.
    rules = GAME.rules("dice/amigo+llama_points=1+points=1.1.1.1.1.1+target=1000+dealt=1")
    position = GAME.position(rules, "hand=1 opp=2 scores=0,0")
    with pytest.raises(LimitError, match="did not end"):
        advise(GAME, rules, position, limits=Limits(games=2_000))


def test_equal_actions_are_a_toss_up_and_a_single_one_has_its_value() -> None:
    # 1 and 2 are on the same two dice, and cost the same here: nothing tells them apart.
    rules = GAME.rules("dice/amigo+points=2.2.3.4.5.6")
    position = GAME.position(rules, "hand=345 row=12 opp=33 rolled=12L")
    answer = advise(GAME, rules, position)
    assert {action.action for action in answer.actions} == {"take 1", "take 2"}
    assert answer.actions[1].regret.value == pytest.approx(0.0, abs=1e-9)
    assert answer.verdict == TOSS_UP
    assert answer.best in ("take 1", "take 2")
    alone = ask("hand=11 row=6L opp=q2 rolled=1LL")
    assert [action.action for action in alone.actions] == [alone.verdict] == ["discard 1"]


def test_a_stop_ends_the_list_and_a_limit_does_not() -> None:
    def answer(text: str) -> Any:
        raise (StoppedEarlyError if text == "stop" else LimitError)("too few games")

    each = advise_each(
        [GivenPosition("limit"), GivenPosition("stop"), GivenPosition("limit")], answer, 1
    )
    first = next(each)
    assert (first.code, first.error) == (4, "too few games")
    with pytest.raises(KeyboardInterrupt):
        next(each)


CARDS = "lama/amigo", "hand=3356L top=4 opp=4,q2,6"
PAIR = "dice/amigo", "hand=25L row=1346L opp=13"


def asked(rules: str, position: str, **options: Any) -> Advice:
    game = game_of(rules)
    rule_set = game.rules(rules)
    return advise(game, rule_set, game.position(rule_set, position), **options)


def plain(advice: Advice) -> dict[str, Any]:
    return {key: value for key, value in advice.to_json().items() if key != "seconds"}


def test_who_is_told_on_the_way_hears_what_so_many_games_say() -> None:
    told: list[Advice] = []
    limits = Limits(games=9_000, threads=2)
    found = asked(*CARDS, limits=limits, interim=told.append)
    assert plain(found) == plain(asked(*CARDS, limits=limits))
    assert [early.games for early in told] == sorted({early.games for early in told})
    assert len(told) > 3
    early = told[0]
    assert early.games < found.games == 9_000
    alone = asked(*CARDS, limits=Limits(games=early.games, threads=1))
    assert {action.action: (action.value, action.regret) for action in early.actions} == {
        action.action: (action.value, action.regret) for action in alone.actions
    }
    told.clear()
    found = asked("lama/amigo", "hand=334 top=4 opp=q4", objective="points", interim=told.append)
    assert found.method == "exact"
    assert told == []


PAYOFFS = np.random.default_rng(3).integers(0, 9, (3, 3_000))
PAYOFFS[1] = PAYOFFS[0] + np.tile((4, -3, 3, -3, 3, -3), 500)
PAYOFFS[2] += 4


def play_made_up(_: Any, actions: Any, __: Any, seed: int, first: int, n: int, tally: Any) -> None:
    """Games with known payoffs; the round ends in each second one, counted from the action on."""
    del seed
    paid = PAYOFFS[actions, first : first + n]
    ends = (np.arange(first, first + n) + actions[:, None]) % 2
    sums = np.column_stack((paid.sum(axis=1), paid @ paid.T))
    tally += [*sums.ravel(), *ends.sum(axis=1), n * len(actions), 0]


def test_an_action_that_is_shown_to_be_worse_counts_its_own_games_alone() -> None:
    """Of 3,000 games the third action plays the 1,024 after which it is looked at first."""
    nothing, told = np.zeros(0, dtype=np.int64), list[tuple[int, int]]()

    def among(actions: Sequence[int]) -> Job:
        k = len(actions)
        return Job(play_made_up, nothing, np.array(actions), (), (k * (k + 1) + k + 2,))

    def notes(counters: np.ndarray, games: int) -> tuple[str, ...]:
        told.append((int(counters[0]), games))
        return ()

    job = RolloutJob(
        among(range(3)), tuple("abc"), ("points",), (1.0,), ("end",), (), 1, notes, among=among
    )
    found = roll_out(job, {"points": POINTS}, "points", Limits(games=3_000, threads=2), 0, None)
    assert (found.games, found.worse_than) == (3_000, {2: 0})
    means = [PAYOFFS[0].mean(), PAYOFFS[1].mean(), PAYOFFS[2, :1_024].mean()]
    values = [found.value("points", action) for action in range(3)]
    assert [(each.value, each.n) for each in values] == [
        (pytest.approx(mean), n) for mean, n in zip(means, (3_000, 3_000, 1_024), strict=True)
    ]
    ends = [each["end"] for each in found.events]
    assert [(end.value, end.n) for end in ends] == [(0.5, 3_000), (0.5, 3_000), (0.5, 1_024)]
    assert told == [(7_024, 7_024 // 3)]
    lost = found.loses("points", 1, 0, True, 0.05)
    assert (lost.value, lost.n) == (pytest.approx(1 / 6), 3_000)
    # What was dropped costs no less than it did then, whichever is the best one now.
    least, now, alone = (
        each.loses("points", 2, best, True, 0.05)
        for each, best in ((found, 0), (found, 1), (replace(found, worse_than={}), 1))
    )
    assert alone.low < least.low == now.low < now.value == alone.value
    assert now.high == alone.high
    kept = Limits(games=3_000, threads=1, keep=("c",))
    assert roll_out(job, {"points": POINTS}, "points", kept, 0, None).worse_than == {}
    for least, most, repeated in ((2_999, 3_000, True), (3_000, None, False), (0, 2_999, False)):
        prepared = replace(job, least=least, most=most)
        found = roll_out(prepared, {"points": POINTS}, "points", kept, 0, None)
        assert found.repeated is repeated


def test_unknown_scores_are_valued_by_the_best_policy_whoever_plays() -> None:
    """They occur in its games; known scores have the table of those who play, if there is one."""
    best, other = GAME.best_policy(RULES, 3, "win"), GAME.policy("threshold:9")
    for scores in ("", " scores=1,2,3"):
        position = GAME.position(RULES, THREE + scores)
        found = advising.question_of(GAME, RULES, position, objective="win", opponents=other)
        assert found.policies == (best, other, other)
        assert (found.table is None) == bool(scores)
    all_ = advising.question_of(GAME, RULES, position, opponents=other, everybody=True)
    assert all_.policies == (other,) * 3


def test_what_wins_as_often_is_ordered_by_the_margin_and_then_by_the_points() -> None:
    totals = {"win": [5, 5, 5, 6], "margin": [3, 2, 2, 9], "points": [1, 4, 2, 9]}
    moments = {name: SimpleNamespace(totals=each) for name, each in totals.items()}
    objectives = {"win": WIN, "margin": MARGIN, "points": POINTS}
    question: Any = SimpleNamespace(objective="win", game=SimpleNamespace(objectives=objectives))
    played: Any = SimpleNamespace(actions="abcd", moments=moments)
    assert advising._best_first(question, played) == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("limits", "zone", "half", "stderr"),
    [
        (Limits(), 0.05, 0.1, math.inf),
        (Limits(precision=0.01), 0.05, 0.01, math.inf),
        (Limits(precision=0.15), 0.15, 0.15, math.inf),
        (Limits(precision=1.0), 0.2, 1.0, math.inf),  # what is close stays open
        (Limits(clear=True), 0.05, math.inf, 0.08),
    ],
)
def test_values_are_precise_enough_to_stop(
    limits: Limits, zone: float, half: float, stderr: float
) -> None:
    counts: Any = SimpleNamespace(zone=0.05, close=0.2, precise=0.1, rough=0.08)
    assert limits.zone(counts) == zone
    sure = Estimate.from_half(0.0, 0.0, 0.0, 100)
    for times in (0.99, 1.01):
        widest = Estimate.from_half(0.0, min(times * stderr, 9.0), min(times * half, 9.0), 100)
        assert limits.precise([widest, sure], counts) is (times < 1)


@pytest.mark.parametrize(
    ("close", "second", "limits", "more"),
    [
        (0.0, 0, Limits(), {"needed": 2_000, "more": 10.0}),
        (0.1, 5_000, Limits(), {"needed": 5_000, "more": 40.0}),  # any of them may be dropped
        (0.1, 0, Limits(), {"needed": 0}),  # no number settles one of them
        (0.1, 500, Limits(games=1_000), {"needed": 2_000}),
    ],
)
def test_all_that_may_be_best_have_to_be_settled_where_actions_are_dropped(
    close: float, second: int, limits: Limits, more: dict[str, float]
) -> None:
    question: Any = SimpleNamespace(counts=SimpleNamespace(close=close), limits=limits)
    each = {2: 2_000, 1: second, 3: 9_000}  # the last one was dropped
    played: Any = SimpleNamespace(
        worse_than={3: 0}, games=1_000, each=0.01, games_needed=lambda _, rival, *of: each[rival]
    )
    found = advising._more_games(question, played, [0, 2, 1, 3], 0.05)
    assert found == pytest.approx(more)


class Enough(Exception):
    """What stops the work."""


@pytest.mark.parametrize(("rules", "position"), [CARDS, PAIR], ids=["rollouts", "solver"])
def test_work_can_be_stopped_between_its_parts(rules: str, position: str) -> None:
    pair_cache.forget()  # another test may have solved it
    calls: list[int] = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise Enough

    with stopped_by(check), pytest.raises(Enough):
        asked(rules, position, limits=Limits(games=1 << 30, threads=1))
    assert len(calls) == 3
    may_stop()  # nobody wants to stop any more


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("quick", "slow", "games"),
    [
        (1, 1, 5_120),  # 256 games a second
        (1, 10, 4_096),  # the machine slows down on the way to the next checkpoint
        (10, 10, 1_024),  # 4,096 games take too long
    ],
)
def test_games_that_cannot_be_finished_in_time_are_dropped(
    quick: int, slow: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, play = [0.0], rollouts.run

    def run(job: Any, seed: int, games: int, *, first: int, progress: Any, threads: int) -> Any:
        for done in range(256, games + 1, 256):
            now[0] += quick if first < 4_096 else slow
            progress(done, games)
        return play(job, seed, games, first=first, threads=threads)

    monkeypatch.setattr(rollouts, "run", run)
    monkeypatch.setattr(rollouts, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    known = CARDS[0], f"{CARDS[1]} pile=24"  # nothing is a guess that has games of its own
    found = asked(*known, limits=Limits(seconds=20, precision=1e-6, threads=1))
    assert found.games == games
    repeated = asked(*known, limits=Limits(games=games, threads=1))
    assert found.actions == repeated.actions


@pytest.mark.parametrize(
    ("learned", "games", "used"),
    [(True, 1_000, True), (True, None, True), (False, 1_000, False), (False, None, True)],
)
def test_learned_values_do_where_games_are_not_asked_for(
    learned: bool, games: int | None, used: bool
) -> None:
    action: Any = SimpleNamespace(values={"win": exact(0.5)})
    solution = Solution((action,), (), apart=0.01)
    game = SimpleNamespace(objectives={"win": WIN}, solve=lambda *asked: solution)
    limits, nothing = Limits(games=games, learned=learned), None
    asked: Any = SimpleNamespace(
        game=game, rules=nothing, position=nothing, solved_by=nothing, limits=limits
    )
    assert (advising.Question.solved(asked, "win") is not None) == used


def test_with_drawn_scores_only_what_is_the_same_with_all_of_them_is_sure() -> None:
    known, same = {"win": exact(0.25), "points": exact(3.0)}, Estimate(3.0, 0.0, 3.0, 3.0, 100)
    sampled = {"win": Estimate(0.5, 0.01, 0.48, 0.52, 100), "points": same}
    drawn: Any = SimpleNamespace(starting=object())
    given: Any = SimpleNamespace(starting=None)
    assert advising._sure(drawn, known, sampled) == {"points": exact(3.0)}
    assert advising._sure(given, known, sampled) == known
