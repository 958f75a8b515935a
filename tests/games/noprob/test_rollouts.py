"""Actions played out: against the twin and all ends in fractions; the best uses; the same bits."""

import math
from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits, roll_out
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.tally_layout import RolloutTally
from lama_odds.games.noprob import jobs
from lama_odds.games.noprob.engine.kernels import deal_unknown
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.records.record import simulated_record
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.transition import KNOWN, UP
from lama_odds.games.noprob.solvers import exact
from lama_odds.games.noprob.solvers.beliefs import nothing_held
from lama_odds.games.noprob.solvers.plan_search import (
    LEAST,
    OBJECTIVES,
    PILOT,
    Pilot,
    budget_for,
    cost_of_all,
    opportunity_cost,
)
from lama_odds.games.shared.decisions import decisions, query_of
from lama_odds.jit.job import Job
from lama_odds.luck.stream import stream_of
from tests.games.cases import product_rules
from tests.games.noprob.cases import STARNBERGER, id_of, twin_rules
from tests.games.noprob.hidden import Case, means_of
from tests.reference import noprob as twin
from tests.reference.noprob_players import grid_points

FEW = {"copies": 3, "dramas": 2, "jokers": 4, "karmas": 2, "negative_copies": (2, 2, 1)}
FOUR_ROUNDS = f"{STARNBERGER}+four_rounds"
HIDDEN = "?,?,?/?,?,?/?,?,?"
SHOWN = "3,3,4/4,5,5/6,6,7"
LOW, HIGH = "-1,-1,-2/-2,-1,-2/-5,-5,-1", "10,9,8/10,9,8/9,10,8"
OPENING = f"grid=(3),(8),?/?,?,?/?,?,? top=4 opp={HIDDEN}"
README = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK"
# To take 3 and win alone is only good in the last cell: elsewhere it is a tie, which loses.
ALONE = "grid=9,4,8/(7),6,5/3,4,10 opp=9,8,7/6,5,4/3,4,4 last=1 llamas=0,2"
MANY = "grid=(9),7,-1/9,3,?/8,(10),? top=4 opp=?,5,5/?,-2,9/3,?,?"
FAR_APART = f"{MANY} drawn=-5"
NAMES = ("points", "margin", "round")
ERRORS = 4.5


def job_for(text, objective="points", effort=None, policy="greedy", rules_id=STARNBERGER):
    rules = product_rules(rules_id)
    position = GAME.position(rules, text)
    policies = [GAME.policy(policy)] * position.players
    more = () if effort is None else (effort,)
    return GAME.rollouts(rules, position, policies, False, objective, *more)


def played(job, objective="points", seed=0, **limits):
    return roll_out(job, GAME.objectives, objective, Limits(**limits), seed, None)


def job_at(case):
    """Play a position out, all seats by chance."""
    return job_for(case.text(), policy="random", rules_id=case.rules.id)


def answer_to(text, objective=None, rules_id=STARNBERGER, seed=0, **limits):
    rules = product_rules(rules_id)
    asked = GAME.position(rules, text)
    limits = Limits(**(limits or {"games": 2_000}))
    return advise(GAME, rules, asked, objective=objective, limits=limits, seed=seed)


def values(answer):
    return {action.action: action.value for action in answer.actions}


def searched(text, objective, budget, seed=0, threads=1):
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, text)
    policies = [GAME.policy("greedy")] * position.players
    found = Pilot(rules, position, policies, legal_actions(rules, position), objective, seed)
    found.processors = threads
    found.grow(budget)
    return found


# What is hidden, and what comes of an action


def ends_of(case, action):
    """My points, margin and chance of the lowest total in the last turn of all, in fractions."""
    ends = []
    for cards in permutations(case.pool, sum(grid.count(None) for grid in case.grids)):
        grids = case.filled(cards)
        if action.startswith("replace"):
            row, column = action.removeprefix("replace ").split(",")
            grids[0][3 * int(row) + int(column) - 4] = case.drawn
        mine, *others = (grid_points(case.deck, grid) for grid in grids)
        if action.startswith("give"):
            others[int(action.split()[-1]) - 1] += case.deck.values[case.drawn]
        ends.append((mine, mine - sum(others) / len(others), mine <= min(others)))
    return np.mean(ends, axis=0)


@pytest.mark.parametrize("drawn", [False, True])
def test_redrawn_cards_are_as_likely_as_they_are(drawn):
    """A last turn without luck to come: only what lies hidden, of five cards not known."""
    luck = Random(8 + drawn)
    for _ in range(6):
        case = Case(FEW, luck, (1, 0, 2), pile=1, last=1, drawn=drawn, lost=1)
        found = played(job_at(case), seed=3, games=4_000)
        for action in found.actions if drawn else ("pass",):
            estimates, _ = found.of(action)
            for name, value in zip(NAMES, ends_of(case, action), strict=True):
                off = abs(estimates[name].value - value)
                assert off <= ERRORS * estimates[name].stderr + 1e-3, (case.text(), action, name)


CASES = (
    ({}, {"hidden": (2, 3), "pile": 20}),
    (FEW, {"hidden": (3, 2, 4), "pile": 4, "lost": 2}),
    (FEW | {"refill": False}, {"hidden": (3, 2), "pile": 3, "lost": 3}),
    (FEW | {"copies": 6, "special": 9, "low": 1}, {"hidden": (2, 4, 3, 0), "pile": 9, "last": 3}),
    (FEW, {"hidden": (2, 3), "pile": 0, "lost": 3}),
    # With the last card in hand the turn is still to be played, and then the round is over.
    (FEW | {"refill": False}, {"hidden": (2, 3), "pile": 0, "drawn": True}),
    (FEW | {"peeks": 9}, {"hidden": (4, 2, 3), "pile": 1, "drawn": True}),
)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("options", "told"), CASES, ids=str)
def test_actions_are_worth_what_the_twin_gets(options, told):
    case = Case(options, Random(str(told)), **told)
    job = job_at(case)
    found = played(job, seed=3, games=4_000)
    plan = dict(zip((twin.DRAW, twin.TAKE), job.job.tables.plan.tolist(), strict=True))
    for action in found.actions[:: 4 if case.drawn is not None else 1]:
        means, errors = means_of(case, action, plan, 400, seed=5)
        for name, mean, error in zip(NAMES, means, errors, strict=True):
            estimate = found.of(action)[0][name]
            off = abs(estimate.value - mean)
            assert off <= ERRORS * math.hypot(error, estimate.stderr) + 0.01, (action, name)


def test_a_special_taken_lays_the_next_discard_open():
    """What the next player can take then is the first of those seen, not the last."""
    theirs = f"10,9,8/9,8,10/8,10,?;{SHOWN}"
    text = f"grid=3,4,5/3,4,5/6,7,? top=K pile=30 opp={theirs} last=2 seen="
    low, high = (
        played(job_for(text + seen), games=1_000, threads=1).of("take")[0]["margin"].value
        for seen in ("-5,9,10", "10,9,-5")
    )
    assert low > high + 2


def test_who_ends_a_round_is_counted():
    mine = "grid=3,4,5/3,4,5/6,7,? top=10 pile=30"
    ending = played(job_for(f"{mine} opp={HIDDEN} drawn=9"), games=1_000)
    ended = played(job_for(f"{mine} opp={HIDDEN};{SHOWN} last=2"), games=1_000)
    for found, action, mine in ((ending, "replace 3,3", 1), (ended, "pass", 0), (ended, "take", 0)):
        chances = found.of(action)[1]
        assert (chances["ends"].value, chances["other ends"].value) == (mine, 1 - mine)
    chances = ending.of("discard")[1]
    assert 0 < chances["other ends"].value <= 1 - chances["ends"].value <= 1


def test_without_a_record_others_may_have_looked_at_any_two_cards():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, "grid=3,?,5/?,?,?/?,?,? top=4 opp=?,?,9/?,8,?/?,?,?")
    root, unknown = exact.root_table(rules, position)
    key, gamma = stream_of(2)
    looked, times = np.zeros(9), 4_000
    for game in range(times):
        table, start = root.copy(), np.uint64((int(key) + 977 * game * int(gamma)) % 2**64)
        deal_unknown(table, nothing_held(2), 2, unknown, rules.peeks, start, np.uint64(gamma))
        known, up = int(table[KNOWN + 1]), int(table[UP + 1])
        assert known & up == up
        assert (known ^ up).bit_count() <= rules.peeks
        looked += [(known ^ up) >> cell & 1 for cell in range(9)]
    share = rules.peeks / 9
    down = np.array([cell not in (2, 4) for cell in range(9)])
    assert abs(looked[down] / times - share).max() < ERRORS * (share * (1 - share) / times) ** 0.5
    assert not looked[~down].any()


# To the end of the game


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("rules_id", "more"),
    [(f"{STARNBERGER}+any_tie", "llamas=2,2 first=1"), (FOUR_ROUNDS, "scores=3,9 round=3")],
)
def test_an_action_wins_as_often_whatever_is_played_beside_it(rules_id, more):
    """Where games stand alike after two actions, the rest of them is played once."""
    rules = product_rules(rules_id)
    position = GAME.position(rules, f"{OPENING} drawn=9 {more}")
    policies = [GAME.policy("greedy")] * 2
    together = [exact.root_of(position, name) for name in legal_actions(rules, position)]

    def won(some):
        job = exact.job_of(rules, position, policies, some, exact.NO_PLAN, play_out=True)
        tally = RolloutTally(exact.layout_of(len(some)), job.play(3, 0, 200))
        return tally.sums[OBJECTIVES.index("win"), :, 0].tolist()

    beside = won(together)
    assert beside == [won([one])[0] for one in together]
    assert len(set(beside)) > 3


@pytest.mark.parametrize("first", range(3))
def test_the_next_round_is_started_by_the_player_after_who_started_this_one(first):
    """In play to the end of the game, round by round as the twin plays them."""
    options, games = {"four_rounds": True, "rounds": 3}, 25
    rules = product_rules(id_of(options))
    text = f"grid=7,8,9/10,9,8/7,8,(10) top=10 opp={SHOWN};{SHOWN} last=1 scores=-30,4,9 round=2"
    position = GAME.position(rules, f"{text} first={first}")
    roots, policies = [exact.root_of(position, "pass")], [GAME.policy("random")] * 3
    job = exact.job_of(rules, position, policies, roots, exact.NO_PLAN, play_out=True)
    found = RolloutTally(exact.layout_of(1), job.play(3, 0, games))
    table = twin.Table(twin_rules(options), ("random",) * 3, 3)
    expected = []
    for game in range(games):
        state = twin.Round(table, game, 2)
        state.first = (first + 1) % 3
        state.play()
        totals = [a + b for a, b in zip((46, 47, 52), state.penalties(), strict=True)]
        expected.append(twin.WIN // totals.count(min(totals)) * (totals[0] == min(totals)))
    squares = sum(won * won for won in expected)
    assert found.sums[OBJECTIVES.index("win"), 0].tolist() == [sum(expected), squares]
    assert 0 < sum(expected) < games * twin.WIN


# The best uses of cards, for what is asked


def test_in_the_last_of_four_rounds_sums_decide():
    text = f"grid=10,9,8/(7),9,6/8,4,9 top=9 opp={LOW} last=1 scores=-20,58 round=4"
    rules = product_rules(FOUR_ROUNDS)
    position = GAME.position(rules, text)
    # By hand: what every card that can come is worth where it does most for the sum.
    uses, pool = 0.0, position.pool(rules)
    for kind, n in enumerate(pool):
        if n:
            after = advise(GAME, rules, replace(position, drawn=kind), limits=Limits(games=1_000))
            uses += n / sum(pool) * max(action.value.value for action in after.actions)
    draw = values(answer_to(text, rules_id=FOUR_ROUNDS))["draw"]
    assert draw.low <= uses <= draw.high
    assert uses > 0.05


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "discard", "use"),
    [
        (ALONE, "3", "replace 3,3"),
        # A Drama goes to the player who would win.
        (
            f"grid=10,9,8/(7),9,6/8,4,9 opp=3,?,{LOW[6:]};{LOW[:-2]}3 llamas=0,0,2 last=2",
            "D",
            "give D to 2",
        ),
    ],
)
def test_taking_is_as_good_as_its_best_use(text, discard, use):
    found = answer_to(f"{text} top={discard}", games=8_000)
    after = values(answer_to(f"{text} top=- taken={discard}", games=8_000))
    best = max(after, key=lambda name: after[name].value)
    take = values(found)["take"]
    off = ERRORS * math.hypot(take.stderr, after[best].stderr)
    assert take.value == pytest.approx(after[best].value, abs=off)
    assert f"take: then {use}" in " ".join(found.assumptions)


@pytest.mark.parametrize("objective", ["round", "win"])
def test_of_uses_that_win_alike_the_one_with_the_better_margin_is_taken(objective):
    """All uses win for certain, or none does: then points tell them apart, not the cell."""
    names = product_rules(STARNBERGER).names
    for mine, opp in (("-2,-1,-1/-1,-2,-2", HIGH), ("10,9,8/10,9,8", LOW)):
        text = f"grid={mine}/-2,(9),-1 top=3 opp={opp} last=1 llamas=0,0"
        uses = {one.kind: one.place for one in searched(text, objective, LEAST).contests}
        for contest in searched(text, "margin", LEAST).contests:
            if contest.kind < 12 and names[contest.kind] not in ("9", "8"):
                assert uses[contest.kind] == contest.place, (opp, contest.kind)


def test_of_actions_that_win_alike_the_one_with_the_better_margin_is_advised():
    for grid, opp in (("-1,-1,3/4,8,(10)/-2,-2,6", HIGH), ("9,3,10/4,8,(10)/9,7,6", LOW)):
        found = answer_to(f"grid={grid} top=3 drawn=5 opp={opp} last=1", "round", games=1_000)
        best, *rest = found.actions
        same = [best, *(a for a in rest if a.value.value == best.value.value)]
        margins = [action.objectives["margin"].value for action in same]
        assert margins == sorted(margins)
        assert len(set(margins)) > 2


def test_a_card_is_drawn_from_the_pile_or_from_discards_that_are_made_into_one():
    rules = product_rules(STARNBERGER)
    for pile in (60, 0):
        position = GAME.position(rules, f"{OPENING} pile={pile} seen=3,J")
        unknown, policies = position.unknown_discards(rules), [GAME.policy("greedy")] * 2
        contests = Pilot(rules, position, policies, ["draw"], "points", 0).contests
        assert sum(contest.weight for contest in contests) == pytest.approx(1)
        for held, kind in ((contest.held, contest.kind) for contest in contests):
            assert (held.drawn, held.pile) == (kind, pile - 1 if pile else unknown + 2 - 1)
            assert held.seen == (position.seen if pile else ())
            assert held.unknown_discards(rules) == (unknown if pile else 0)


def test_a_search_that_was_stopped_is_finished_by_the_next_answer():
    def stop(part, what):
        raise KeyboardInterrupt

    def plan(progress=None):
        effort = Effort(games=1_000, seed=5, threads=1, progress=progress)
        return job_for(README, effort=effort).job.tables.plan

    with pytest.raises(KeyboardInterrupt):
        plan(stop)
    after, told = plan(), []
    jobs._kept_pilot.cache_clear()
    assert (plan(lambda part, what: told.append(part)) == after).all()
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.long
def test_a_search_is_the_same_in_steps_and_on_threads_and_other_with_another_seed():
    once = searched(README, "round", 2 * LEAST)
    steps = searched(README, "round", LEAST, threads=3)
    assert steps.notes() != once.notes()
    steps.grow(2 * LEAST)
    assert steps.notes() == once.notes()
    assert (steps.plan() == once.plan()).all()
    assert searched(README, "round", 2 * LEAST, seed=1).notes() != once.notes()
    assert [budget_for(n) for n in (1, LEAST, LEAST + 1, 400_000)] == [
        *(LEAST, LEAST, 2 * LEAST, 1 << 19)
    ]


def test_the_luck_of_the_plan_is_none_of_the_answer(monkeypatch):
    """Games of the search are beyond all games that an answer can have."""
    games, usual = [], Job.play

    def play(job, seed, first, count, *more):
        games.extend([first] * bool(count))
        return usual(job, seed, first, count, *more)

    monkeypatch.setattr(Job, "play", play)
    searched(README, "points", LEAST)
    assert min(games) >= PILOT > 10**11


@pytest.mark.long
def test_answers_in_time_are_for_the_games_that_they_name():
    """However long was searched, those games alone search as long again."""
    text = f"{ALONE} top=3"
    first = answer_to(text, seconds=0.6)
    assert replace(first, seconds=0.0) == replace(answer_to(text, games=first.games), seconds=0.0)
    # What is left of the time counts for nothing below the fewest games that a plan is for.
    job = replace(job_for(text, effort=Effort(games=20_000)), least=16_384, most=32_768, spent=60.0)
    found = played(job, seconds=59.0)
    assert 16_384 < found.games <= 32_768
    assert found.repeated
    assert not played(job, games=2_000).repeated


# What a better plan might gain


def test_opportunity_costs_are_those_of_the_normal_distribution():
    drawn = np.random.default_rng(4).normal(size=(40_000, 7))
    for ahead, error in ((0.0, 1.0), (1.0, 2.0), (-0.5, 0.7), (3.0, 1.0)):
        gained = np.maximum(error * drawn[:, 0] - ahead, 0)
        mean, square = opportunity_cost(ahead, error)
        assert mean == pytest.approx(gained.mean(), abs=0.02 * error)
        assert square == pytest.approx((gained**2).mean(), abs=0.05 * error**2)
    assert opportunity_cost(0.0, 0.0) == (0.0, 0.0)
    # The best of several.
    for gaps in ([(0.0, 1.0)] * 7, [(0.2, 1.0), (1.0, 0.5), (4.0, 2.0)], [(2.0, 0.5)], []):
        each = [error * drawn[:, i] - ahead for i, (ahead, error) in enumerate(gaps)]
        gained = np.max([np.zeros(len(drawn)), *each], axis=0)
        mean, error = cost_of_all(gaps)
        assert gained.mean() - 0.02 <= mean <= 1.3 * gained.mean() + 0.02
        assert error >= gained.std() - 0.02


@pytest.mark.long
def test_what_a_plan_may_lose_shrinks_and_covers_what_it_loses():
    """Against the plan of a longer search, on the same fresh luck."""
    text = f"grid=3,?,5/6,(7),4/J,?,9 top=4 opp={HIDDEN};{SHOWN} last=2"
    best = searched(text, "points", 1 << 17, seed=9)
    roots = [exact.root_of(best.position, n) for n in legal_actions(best.rules, best.position)]

    def value(plan):
        job = exact.job_of(best.rules, best.position, best.policies, roots, plan, False)
        tally = RolloutTally(exact.layout_of(len(roots)), job.play(77, 0, 20_000))
        return tally.sums[0, :, 0] / 20_000

    least = value(best.plan())
    for seed in range(2):
        found = searched(text, "points", LEAST, seed)
        first = found.short_of(0), found.short_of(1)
        lost = value(found.plan()) - least
        assert all(lost[at] <= first[at] + 0.05 for at in (0, 1))
        found.grow(4 * LEAST)
        assert found.short_of(0) < first[0]
    assert best.short_of(0) < first[0] / 2


def test_the_interval_has_what_the_plan_may_lose():
    job = job_for(README, effort=Effort(games=2_000))
    short = job.short_of["points"]
    assert all(one > 0.05 for one in short)
    wide, narrow = (played(one, games=2_000) for one in (job, replace(job, short_of={})))
    for at, action in enumerate(job.actions):
        first, second = wide.of(action)[0], narrow.of(action)[0]
        low = math.hypot(second["points"].value - second["points"].low, short[at])
        assert first["points"].low == pytest.approx(first["points"].value - low)
        assert first["points"].high == second["points"].high
        assert first["margin"] == second["margin"]
    best = narrow.moments["points"].best(True)
    lost, bare = (one.loses("points", 1 - best, best, True, 0.05) for one in (wide, narrow))
    low = math.hypot(bare.value - bare.low, short[1 - best])
    high = math.hypot(bare.high - bare.value, short[best])
    assert (lost.low, lost.high) == pytest.approx((lost.value - low, lost.value + high))
    assert wide.loses("points", best, best, True, 0.05).high == 0
    # Once a card is held, none is left to choose for.
    held = job_for(f"{README} drawn=9")
    assert (held.short_of, held.least, held.most) == ({}, 0, None)


def test_a_search_ends_once_it_is_as_good_as_the_answer_has_to_be():
    job = job_for(README, "round", Effort(seconds=30.0, precision=0.05))
    assert job.most == LEAST
    assert 0 < max(job.short_of["round"]) <= 0.02


# Games go where they decide


def raced(**limits):
    return played(job_for(FAR_APART, "round"), "round", **limits)


def test_what_is_shown_to_be_worse_plays_no_more():
    found, first = raced(games=4_096), raced(games=1_024)
    moments, then = found.moments["round"], first.moments["round"]
    best = moments.best(False)
    left = [a for a in range(len(found.actions)) if a not in found.worse_than]
    assert 0 < len(left) < len(found.actions)
    for action, name in enumerate(found.actions):
        n = found.value("round", action).n
        assert (n == 4_096) == (action in left)
        if n == 1_024:
            assert moments.mean(action) == then.mean(action)
            assert found.of(name)[1] == first.of(name)[1]
        if action not in left:
            assert found.loses("round", action, best, False, 0.01).low > 0
    # The others have played all games, as if they had been alone.
    alone = job_for(FAR_APART, "round", Effort(only=tuple(found.actions[a] for a in left)))
    wins = alone.read(alone.job.play(0, 0, 4_096)).sums[OBJECTIVES.index("round"), :, 0]
    shares = [found.value("round", action).value for action in left]
    assert shares == pytest.approx(wins / twin.WIN / 4_096)


def test_dropping_depends_on_games_alone():
    """Not on threads, and not on whether a clock or a number stopped them."""
    once = raced(games=2_048)
    for other in (raced(games=2_048, threads=3), raced(most=2_048, threads=2, precision=1e-9)):
        assert other.worse_than == once.worse_than
        for action in range(len(once.actions)):
            assert other.value("round", action) == once.value("round", action)


def test_what_is_kept_plays_all_games():
    worse = raced(games=1_024)
    at = min(worse.worse_than)
    found = raced(games=2_048, keep=(worse.actions[at],))
    assert found.value("round", at).n == 2_048
    assert at not in found.worse_than


def test_the_policy_says_what_it_expects():
    rules = product_rules(STARNBERGER)
    learned, greedy = (
        GAME.policy_query().player(rules, GAME.policy(name), 2) for name in ("learned", "greedy")
    )
    open_turn, held = (Situation(0, GAME.position(rules, text)) for text in (MANY, FAR_APART))
    for situation in (open_turn, held):
        names = legal_actions(rules, situation.position)
        found = {name: learned.expects(situation, name) for name in names}
        assert {objective for objective, _ in found.values()} == {"round"}
        assert all(0 < value < 1 for _, value in found.values())
        best = max(value for _, value in found.values())
        assert found[learned.decides(situation, 0)][1] >= best - 0.02
    assert greedy.expects(held, "discard") is None


def test_what_strong_players_expect_of_each_other_is_what_they_win():
    """Of two alike, each wins half; what is expected after every card says so, round by round."""
    rules = product_rules(STARNBERGER)
    policies = [GAME.policy("learned")] * 2
    player = GAME.policy_query().player(rules, policies[0], 2)
    means = []
    for game in range(60):
        record = simulated_record(rules, policies, 5, game, True)
        here = [one for one in decisions(GAME, rules, record) if one.position.drawn is not None]
        found = [player.expects(Situation(one.turn, one.position), one.chosen) for one in here]
        means.append(np.mean([expected[1] for expected in found if expected is not None]))
    error = np.std(means, ddof=1) / len(means) ** 0.5
    assert np.mean(means) == pytest.approx(0.5, abs=3 * error)
    assert error < 0.008


@pytest.mark.parametrize("name", ["greedy", "learned"])
def test_who_is_asked_knows_how_long_the_round_lasts(name: str) -> None:
    """After fifty turns of its own it wants to end the round, more urgently every turn."""
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"grid=3,3,4/4,5,5/6,6,? top=4 opp={HIDDEN} drawn=10")
    player = query_of(GAME).player(rules, GAME.policy(name), 2)
    early, late = (player.decides(Situation(0, position, turns), 0) for turns in (99, 400))
    assert early != late == "replace 3,3"
