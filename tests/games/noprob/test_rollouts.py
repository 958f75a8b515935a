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
from lama_odds.games.noprob.engine.grids import DRAW
from lama_odds.games.noprob.engine.kernels import deal_unknown
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.rules import odds
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.transition import KNOWN, UP
from lama_odds.games.noprob.solvers import exact
from lama_odds.games.noprob.solvers.beliefs import nothing_held
from lama_odds.games.noprob.solvers.exact import job_of, layout_of, root_of
from lama_odds.games.noprob.solvers.plan_search import (
    LEAST,
    OBJECTIVES,
    Contest,
    Pilot,
    budget_for,
    cost_of_all,
    opportunity_cost,
    units,
)
from lama_odds.luck.stream import stream_of
from tests.games.cases import product_rules
from tests.games.noprob.cases import END, STARNBERGER, id_of, twin_rules
from tests.games.noprob.hidden import Case, means_of, plan_of
from tests.reference import noprob as twin
from tests.reference.noprob_players import grid_points

FEW = {"copies": 3, "dramas": 2, "jokers": 4, "karmas": 2, "negative_copies": (2, 2, 1)}
OPENING = "grid=(3),(8),?/?,?,?/?,?,? top=4 opp=?,?,?/?,?,?/?,?,?"
ERRORS = 4.5


def rolled(case, games, policy="random", seed=3):
    """Play a position out, all seats by one policy."""
    policies = [GAME.policy(policy)] * case.position.players
    job = GAME.rollouts(case.rules, case.position, policies, False, "points")
    return roll_out(job, GAME.objectives, "points", Limits(games=games, threads=1), seed, None)


def chances_of(case, action):
    """My points, margin and chance of the lowest total in the last turn of all, in fractions."""
    points, margins, lowest = [], [], []
    for cards in permutations(case.pool, sum(grid.count(None) for grid in case.grids)):
        grids = case.filled(cards)
        if action.startswith("replace"):
            row, column = action.removeprefix("replace ").split(",")
            grids[0][3 * int(row) + int(column) - 4] = case.drawn
        mine, *others = (grid_points(case.deck, grid) for grid in grids)
        if action.startswith("give"):
            others[int(action.split()[-1]) - 1] += case.deck.values[case.drawn]
        points.append(mine)
        margins.append(mine - sum(others) / len(others))
        lowest.append(mine <= min(others))
    return [sum(found) / len(found) for found in (points, margins, lowest)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("drawn", [False, True])
def test_redrawn_cards_are_as_likely_as_they_are(drawn):
    """A last turn without luck to come: only what lies hidden, of five cards not known."""
    luck = Random(8 + drawn)
    for _ in range(12):
        case = Case(FEW, luck, (1, 0, 2), pile=1, last=1, drawn=drawn, lost=1)
        played = rolled(case, 4_000)
        actions = played.actions if drawn else ("pass",)
        for action in actions:
            found, _ = played.of(action)
            expected = dict(
                zip(("points", "margin", "round"), chances_of(case, action), strict=True)
            )
            for name, value in expected.items():
                off = abs(found[name].value - value)
                assert off <= ERRORS * found[name].stderr + 1e-3, (case.text(), action, name)


CASES = (
    ({}, {"hidden": (2, 3), "pile": 20}),
    (FEW, {"hidden": (3, 2, 4), "pile": 4, "lost": 2}),
    (FEW | {"refill": False}, {"hidden": (3, 2), "pile": 3, "lost": 3}),
    (FEW, {"hidden": (1, 0, 4), "pile": 2, "last": 1}),
    (FEW | {"copies": 6, "special": 9, "low": 1}, {"hidden": (2, 4, 3, 0), "pile": 9, "last": 3}),
    (FEW, {"hidden": (2, 3), "pile": 4, "drawn": True}),
    (FEW, {"hidden": (2, 3), "pile": 0}),
    (FEW, {"hidden": (2, 3), "pile": 0, "lost": 3}),
    (FEW | {"peeks": 9}, {"hidden": (4, 2, 3), "pile": 1, "drawn": True}),
)


@pytest.mark.long
@pytest.mark.parametrize(("options", "told"), CASES, ids=str)
def test_actions_are_worth_what_the_twin_gets(options, told):
    case = Case(options, Random(str(told)), **told)
    games, compared = 400, 0
    played = rolled(case, 4_000)
    plan = plan_of(case, played.notes)
    for action in played.actions[:: 4 if case.drawn is not None else 1]:
        means, errors = means_of(case, action, plan, games, seed=5)
        for name, mean, error in zip(("points", "margin", "round"), means, errors, strict=True):
            found = played.of(action)[0][name]
            off = abs(found.value - mean)
            assert off <= ERRORS * (error**2 + found.stderr**2) ** 0.5 + 0.01, (action, name)
            compared += 1
    assert compared >= 3


def test_drawing_the_last_card_leaves_the_turn_to_be_played():
    """Without refill the round is over after my turn, not before it."""
    for options in (FEW | END, FEW):
        case = Case(options, Random(2), (2, 3), pile=0, drawn=True, lost=0)
        plan, played = {}, rolled(case, 2_000)
        for action in played.actions[::5]:
            means, errors = means_of(case, action, plan, 400, seed=5)
            found = played.of(action)[0]["points"]
            off = abs(found.value - means[0])
            assert off <= ERRORS * (errors[0] ** 2 + found.stderr**2) ** 0.5 + 0.01, action


def test_a_special_taken_lays_the_next_discard_open():
    """What the next player can take then is the first of those seen, not the last."""
    rules = product_rules(STARNBERGER)
    theirs = "10,9,8/9,8,10/8,10,?"
    text = f"grid=3,4,5/3,4,5/6,7,? top=K pile=30 opp={theirs};3,3,4/4,5,5/6,6,7 last=2"
    policies = [GAME.policy("greedy")] * 3
    margins = []
    for seen in ("-5,9,10", "10,9,-5"):
        position = GAME.position(rules, f"{text} seen={seen}")
        job = GAME.rollouts(rules, position, policies, False, "points")
        played = roll_out(job, GAME.objectives, "points", Limits(games=1_000, threads=1), 0, None)
        margins.append(played.of("take")[0]["margin"].value)
    assert margins[0] > margins[1] + 2


@pytest.mark.long
def test_what_is_not_given_is_said():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, OPENING)
    limits = Limits(games=1_000)
    told = " ".join(advise(GAME, rules, position, objective="win", limits=limits).assumptions)
    for words in ("pile not given: assuming 137", "first not given"):
        assert words in told
    assert "assuming the first round" in told
    given = GAME.position(rules, f"{OPENING} pile=137 first=0 llamas=0,0")
    told = " ".join(advise(GAME, rules, given, limits=limits).assumptions)
    assert "not given" not in told
    assert "first round" not in told


@pytest.mark.long
def test_a_game_as_good_as_won_is_won():
    rules = product_rules("noprob/starnberger+four_rounds")
    text = f"{OPENING} scores=-300,300 round=4"
    answer = advise(GAME, rules, GAME.position(rules, text), limits=Limits(games=1_000))
    assert answer.objective == "win"
    assert [action.value.value for action in answer.actions] == [pytest.approx(1)] * 2
    text = f"{OPENING} scores=300,-300 round=4"
    answer = advise(GAME, rules, GAME.position(rules, text), limits=Limits(games=1_000))
    assert {action.value.value for action in answer.actions} == {0.0}
    # With a llama to win, the round is the game but for ties.
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"{OPENING} llamas=2,2 first=0 drawn=D")
    (action,) = advise(GAME, rules, position, limits=Limits(games=1_000)).actions
    values = action.objectives
    assert values["round"].value - 0.05 < values["win"].value <= values["round"].value


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("rules_id", "more"),
    [
        (STARNBERGER, "llamas=1,2"),
        (f"{STARNBERGER}+any_tie", "llamas=2,2 first=1"),
        (f"{STARNBERGER}+four_rounds", "scores=3,9 round=3"),
    ],
)
def test_an_action_wins_as_often_whatever_is_played_beside_it(rules_id, more):
    """Where games stand alike after two actions, the rest of them is played once."""
    rules = product_rules(rules_id)
    position = GAME.position(rules, f"{OPENING} drawn=9 {more}")
    policies = [GAME.policy("greedy")] * 2
    names = odds.legal_actions(rules, position)
    together = [exact.root_of(position, name) for name in names]
    wins = OBJECTIVES.index("win")

    def won(some):
        job = exact.job_of(rules, position, policies, some, exact.NO_PLAN, play_out=True)
        tally = RolloutTally(exact.layout_of(len(some)), job.play(3, 0, 200))
        return tally.sums[wins, :, 0].tolist()

    beside = won(together)
    assert beside == [won([one])[0] for one in together]
    assert len(set(beside)) > 3


FOUR_ROUNDS = f"{STARNBERGER}+four_rounds"
THEIRS = "-1,-1,-2/-2,-1,-2/-5,-5,-1"
HIDDEN = "?,?,?/?,?,?/?,?,?"
README = "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK"
# To take 3 and win alone is only good in the last cell: elsewhere it is a tie, which loses.
ALONE = "grid=9,4,8/(7),6,5/3,4,10 opp=9,8,7/6,5,4/3,4,4 last=1 llamas=0,2"
FEW_GAMES = Limits(games=2_000)


def answer_to(rules_id, text, objective=None, limits=FEW_GAMES, seed=0):
    rules = product_rules(rules_id)
    position = GAME.position(rules, text)
    return advise(GAME, rules, position, objective=objective, limits=limits, seed=seed)


def values(answer):
    return {action.action: action.value for action in answer.actions}


def searched(rules_id, text, objective, budget, seed=0, threads=1):
    rules = product_rules(rules_id)
    position = GAME.position(rules, text)
    policies = [GAME.policy("greedy")] * position.players
    names = legal_actions(rules, position)
    found = Pilot(rules, position, policies, names, objective, seed)
    found.processors = threads
    found.grow(budget)
    return found


# For what is asked


@pytest.mark.long
def test_taking_is_as_good_as_its_best_use_where_a_tie_does_not_win():
    found = values(answer_to(STARNBERGER, f"{ALONE} top=3"))
    after = values(answer_to(STARNBERGER, f"{ALONE} top=- taken=3"))
    best = max(after, key=lambda name: after[name].value)
    assert best == "replace 3,3"
    assert found["take"].value == pytest.approx(after[best].value, abs=0.04)
    assert found["take"].value > 0.2 > found["draw"].value + 0.05


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("grid", "scores", "least"),
    [
        ("10,9,8/(7),9,6/8,4,9 top=9", "-20,58", 0.05),
        ("10,9,8/(7),7,6/3,4,10 top=9", "-20,60", 0.5),
    ],
)
def test_in_the_last_of_four_rounds_sums_decide(grid, scores, least):
    text = f"grid={grid} opp={THEIRS} last=1 scores={scores} round=4"
    found = answer_to(FOUR_ROUNDS, text)
    rules = product_rules(FOUR_ROUNDS)
    position = GAME.position(rules, text)
    # By hand: what every card that can come is worth where it does most for the sum.
    uses, pool = 0.0, position.pool(rules)
    for kind, n in enumerate(pool):
        if n:
            held = replace(position, drawn=kind)
            after = advise(GAME, rules, held, limits=Limits(games=1_000))
            uses += n / sum(pool) * max(action.value.value for action in after.actions)
    assert uses > least
    draw = values(found)["draw"]
    assert draw.value == pytest.approx(uses, abs=4 * draw.stderr + 1e-3)
    assert draw.low <= uses <= draw.high


@pytest.mark.long
def test_a_gift_goes_to_who_would_win_by_it():
    grids = f"3,?,-2/-2,-1,-2/-5,-5,-1;{THEIRS[:-2]}3"
    text = f"grid=10,9,8/(7),9,6/8,4,9 opp={grids} llamas=0,0,2 last=2"
    found = answer_to(STARNBERGER, f"{text} top=D", limits=Limits(games=8_000))
    after = values(answer_to(STARNBERGER, f"{text} top=- taken=D", limits=Limits(games=8_000)))
    best = max(after.values(), key=lambda value: value.value)
    take = values(found)["take"]
    assert take.value >= best.value - 3 * (take.stderr + best.stderr)
    assert "take: then give D to 2" in " ".join(found.assumptions)


@pytest.mark.parametrize("objective", ["round", "win"])
def test_of_uses_that_win_alike_the_one_with_the_better_margin_is_taken(objective):
    """All uses win for certain, or none does: then points tell them apart, not the cell."""
    theirs = {
        "won": "10,9,8/10,9,8/9,10,8",
        "lost": THEIRS,
    }
    for opp in theirs.values():
        text = f"grid=-2,-1,-1/-1,-2,-2/-2,(9),-1 top=3 opp={opp} last=1 llamas=0,0"
        text = text if opp != THEIRS else text.replace("-2,-1,-1/-1,-2,-2", "10,9,8/10,9,8")
        found = searched(STARNBERGER, text, objective, LEAST)
        uses = {contest.kind: contest.place for contest in found.contests}
        assert found.notes()[0].startswith("take: then replace ")
        rules = product_rules(STARNBERGER)
        points = searched(STARNBERGER, text, "margin", LEAST)
        for contest in points.contests:
            if contest.kind < 12 and rules.names[contest.kind] not in ("9", "8"):
                assert uses[contest.kind] == contest.place, (opp, contest.kind)


def test_of_actions_that_win_alike_the_one_with_the_better_margin_is_advised():
    for opp in ("10,9,8/10,9,8/9,10,8", THEIRS):
        text = f"grid=9,3,10/4,8,(10)/9,7,6 top=3 drawn=5 opp={opp} last=1"
        text = text if opp == THEIRS else text.replace("9,3,10", "-1,-1,3").replace("9,7", "-2,-2")
        found = answer_to(STARNBERGER, text, "round", Limits(games=1_000))
        best, *rest = found.actions
        same = [a for a in rest if a.value.value == best.value.value]
        assert len(same) > 3
        margins = [action.objectives["margin"].value for action in (best, *same)]
        assert margins == sorted(margins)
        assert best.action != "replace 1,1"


@pytest.mark.long
def test_a_long_search_tells_how_far_it_is():
    told = []
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, README)
    effort = Effort(games=10_000, progress=lambda part, what: told.append((part, what)))
    GAME.rollouts(rules, position, [GAME.policy("greedy")] * 2, False, "points", effort)
    parts = [part for part, _ in told]
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert {what for _, what in told} == {"looking for the best uses"}


def test_a_search_that_was_stopped_is_finished_by_the_next_answer():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, README)

    def stop(part, what):
        raise KeyboardInterrupt

    def asked(seed, progress=None):
        effort = Effort(games=1_000, seed=seed, threads=1, progress=progress)
        policies = [GAME.policy("greedy")] * 2
        return GAME.rollouts(rules, position, policies, False, "points", effort).job.tables.plan

    with pytest.raises(KeyboardInterrupt):
        asked(5, stop)
    after = asked(5)
    jobs._kept_pilot.cache_clear()
    assert (asked(5) == after).all()
    assert (asked(5) == after).all()


# More games, less that is left to gain


@pytest.mark.long
def test_what_a_plan_may_lose_shrinks_and_covers_what_it_loses():
    """Against the plan of a longer search, on the same fresh luck."""
    text = f"grid=3,?,5/6,(7),4/J,?,9 top=4 opp={HIDDEN};3,3,4/4,5,5/6,6,7 last=2"
    best = searched(STARNBERGER, text, "points", 1 << 17, seed=9)

    def value(plan):
        rules = best.rules
        names = legal_actions(rules, best.position)
        roots = [root_of(best.position, name) for name in names]
        job = job_of(rules, best.position, best.policies, roots, plan, False)
        k = len(roots)
        return RolloutTally(layout_of(k), job.play(77, 0, 20_000)).sums[0, :, 0] / 20_000

    least = value(best.plan())
    for seed in range(3):
        found = searched(STARNBERGER, text, "points", LEAST, seed)
        first = found.short_of(0), found.short_of(1)
        lost = value(found.plan()) - least
        for at in (0, 1):
            assert lost[at] <= first[at] + 0.05
        found.grow(4 * LEAST)
        assert found.short_of(0) < first[0]
    assert best.short_of(0) < first[0] / 2


def test_the_interval_has_what_the_plan_may_lose():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, README)
    policies = [GAME.policy("greedy")] * 2
    job = GAME.rollouts(rules, position, policies, False, "points", Effort(games=2_000))
    short = job.short_of["points"]
    assert all(one > 0.05 for one in short)
    bare = replace(job, short_of={})
    wide, narrow = (
        roll_out(one, GAME.objectives, "points", Limits(games=2_000), 0, None)
        for one in (job, bare)
    )
    for at, action in enumerate(job.actions):
        first, second = wide.of(action)[0], narrow.of(action)[0]
        low = math.hypot(second["points"].value - second["points"].low, short[at])
        assert first["points"].low == pytest.approx(first["points"].value - low)
        assert first["points"].high == second["points"].high
        assert first["margin"] == second["margin"]
    best = narrow.moments["points"].best(True)
    lost, bare_lost = (one.loses("points", 1 - best, best, True, 0.05) for one in (wide, narrow))
    low = math.hypot(bare_lost.value - bare_lost.low, short[1 - best])
    high = math.hypot(bare_lost.high - bare_lost.value, short[best])
    assert (lost.low, lost.high) == pytest.approx((lost.value - low, lost.value + high))
    assert wide.loses("points", best, best, True, 0.05).high == 0
    told = " ".join(job.notes(wide.moments["points"].sums[:1, 0], 2_000))
    assert f"(the best: at most {short[0]:.2g} points better)" in told


def test_no_card_is_left_to_choose_for_once_it_is_held():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"{README} drawn=9")
    job = GAME.rollouts(rules, position, [GAME.policy("greedy")] * 2, False, "points")
    assert (job.short_of, job.least, job.most) == ({}, 0, None)


def test_opportunity_costs_are_those_of_the_normal_distribution():
    luck = Random(4)
    for ahead, error in ((0.0, 1.0), (1.0, 2.0), (-0.5, 0.7), (3.0, 1.0)):
        drawn = [max(luck.gauss(-ahead, error), 0.0) for _ in range(40_000)]
        mean, square = opportunity_cost(ahead, error)
        assert mean == pytest.approx(sum(drawn) / len(drawn), abs=0.02 * error)
        assert square == pytest.approx(sum(x * x for x in drawn) / len(drawn), abs=0.05 * error**2)
    assert opportunity_cost(0.0, 0.0) == (0.0, 0.0)


def test_the_best_of_all_others_is_bounded():
    luck = Random(5)
    for gaps in ([(0.0, 1.0)] * 7, [(0.2, 1.0), (1.0, 0.5), (4.0, 2.0)], [(2.0, 0.5)], []):
        gained = [
            max([0.0, *(luck.gauss(-ahead, error) for ahead, error in gaps)]) for _ in range(20_000)
        ]
        mean, error = cost_of_all(gaps)
        true = sum(gained) / len(gained)
        assert true - 0.02 <= mean <= 1.3 * true + 0.02
        assert error >= math.sqrt(sum((x - true) ** 2 for x in gained) / len(gained)) - 0.02


@pytest.mark.parametrize("first", range(3))
def test_the_next_round_is_started_by_the_player_after_who_started_this_one(first):
    """In play to the end of the game, round by round as the twin plays them."""
    options = {"four_rounds": True, "rounds": 3}
    rules, seats, games = product_rules(id_of(options)), 3, 25
    up = "3,3,4/4,5,5/6,6,7"
    text = f"grid=7,8,9/10,9,8/7,8,? top=10 opp={up};{up} last=1 scores=-30,4,9 round=2"
    position = GAME.position(rules, f"{text} first={first}".replace("8,?", "8,(10)"))
    policies = [GAME.policy("random")] * seats
    roots = [exact.root_of(position, "pass")]
    job = exact.job_of(rules, position, policies, roots, exact.NO_PLAN, play_out=True)
    found = RolloutTally(exact.layout_of(1), job.play(3, 0, games))
    table = twin.Table(twin_rules(options), ("random",) * seats, 3)
    expected = []
    for game in range(games):
        state = twin.Round(table, game, 2)
        state.first = (first + 1) % seats
        state.play()
        totals = [-30 + 76, 4 + 43, 9 + 43]
        totals = [a + b for a, b in zip(totals, state.penalties(), strict=True)]
        expected.append(twin.WIN // totals.count(min(totals)) * (totals[0] == min(totals)))
    assert found.sums[OBJECTIVES.index("win"), 0].tolist() == [
        sum(expected), sum(won * won for won in expected),
    ]  # fmt: skip
    assert 0 < sum(expected) < games * twin.WIN


def test_who_ends_a_round_is_counted():
    rules, theirs = product_rules(STARNBERGER), "3,3,4/4,5,5/6,6,7"
    mine = "grid=3,4,5/3,4,5/6,7,? top=10 pile=30"
    for more, actions in (
        (f"opp={HIDDEN} drawn=9", {"replace 3,3": (1, 0), "discard": (None, None)}),
        (f"opp={HIDDEN};{theirs} last=2", {"pass": (0, 1), "take": (0, 1)}),
    ):
        position = GAME.position(rules, f"{mine} {more}")
        policies = [GAME.policy("greedy")] * position.players
        job = GAME.rollouts(rules, position, policies, False, "points")
        played = roll_out(job, GAME.objectives, "points", Limits(games=1_000, threads=1), 0, None)
        for action, expected in actions.items():
            chances = played.of(action)[1]
            found = chances["ends"].value, chances["other ends"].value
            if expected[0] is None:
                assert 0 < found[1] <= sum(found) <= 1
            else:
                assert found == expected


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
        assert 0 <= (known ^ up).bit_count() <= rules.peeks
        looked += [(known ^ up) >> cell & 1 for cell in range(9)]
    down = [0, 1, 3, 5, 6, 7, 8]
    share = rules.peeks / 9
    assert abs(looked[down] / times - share).max() < 4.5 * (share * (1 - share) / times) ** 0.5
    assert looked[[2, 4]].tolist() == [0, 0]


# The same again


def test_the_budget_hangs_on_the_games():
    assert [budget_for(n) for n in (1, LEAST, LEAST + 1, 400_000)] == [
        *(LEAST, LEAST, 2 * LEAST, 1 << 19)
    ]


@pytest.mark.long
def test_a_search_is_the_same_in_steps_and_on_threads_and_other_with_another_seed():
    once = searched(STARNBERGER, README, "round", 2 * LEAST)
    steps = searched(STARNBERGER, README, "round", LEAST, threads=3)
    assert steps.notes() != once.notes()
    steps.grow(2 * LEAST)
    assert steps.notes() == once.notes()
    assert (steps.plan() == once.plan()).all()
    other = searched(STARNBERGER, README, "round", 2 * LEAST, seed=1)
    assert other.notes() != once.notes()


def test_the_luck_of_the_plan_is_none_of_the_answer():
    """Games of the search are beyond all games that an answer can have."""
    found = searched(STARNBERGER, README, "points", LEAST)
    assert found.played >= LEAST
    contest = found.contests[0]
    assert contest.games > 24
    k = len(contest.rivals)
    job = job_of(found.rules, contest.held, found.policies, contest.roots(), found.plan(), False)
    at = OBJECTIVES.index("points")
    tallies = [RolloutTally(layout_of(k), job.play(0, first, 50)) for first in (0, 1 << 39)]
    mine, theirs = (tally.sums[at, 0, 0] for tally in tallies)
    assert mine != theirs
    assert units(3)[:2] == (1.0, 0.5)


@pytest.mark.long
def test_answers_in_time_are_for_the_games_that_they_name():
    """However long was searched, those games alone search as long again."""
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, ALONE + " top=3")
    first = advise(GAME, rules, position, limits=Limits(seconds=0.6))
    again = advise(GAME, rules, position, limits=Limits(games=first.games))
    assert replace(first, seconds=0.0) == replace(again, seconds=0.0)
    policies = [GAME.policy("greedy")] * 2
    job = GAME.rollouts(rules, position, policies, False, "points", Effort(games=20_000))
    assert (job.least, job.most) in ((16_384, 32_768), (16_384, None), (0, None))
    # What is left of the time counts for nothing below the fewest games that a plan is for.
    fixed = replace(job, least=16_384, most=32_768, spent=60.0)
    played = roll_out(fixed, GAME.objectives, "points", Limits(seconds=59.0), 0, None)
    assert 16_384 < played.games <= 32_768
    assert played.repeated
    few = roll_out(fixed, GAME.objectives, "points", Limits(games=2_000), 0, None)
    assert not few.repeated


def test_of_equal_uses_the_chosen_one_stays() -> None:
    """Nothing speaks for a change, however often the uses are compared."""
    held = GAME.position(product_rules(STARNBERGER), README)
    for chosen in range(3):
        contest = Contest(held, DRAW, 0, 1.0, [0, 1, 2])
        contest.both[:] = 10
        contest.best = chosen
        contest._choose(0)
        assert contest.best == chosen
    contest.apart[0, 2, :2] = -5  # of the third use: fewer points than the others
    contest.apart[0, :2, 2] = 5
    contest._choose(0)
    assert contest.best == 2


# Games go where they decide


MANY = "grid=(9),7,-1/9,3,?/8,(10),? top=4 opp=?,5,5/?,-2,9/3,?,?"
FAR_APART = f"{MANY} drawn=-5"


def raced(games, threads=1, seed=0, limits=None):
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, FAR_APART)
    policies = [GAME.policy("greedy")] * 2
    job = GAME.rollouts(rules, position, policies, False, "round")
    how = limits or Limits(games=games, threads=threads)
    return roll_out(job, GAME.objectives, "round", how, seed, None)


def test_what_is_shown_to_be_worse_plays_no_more():
    found, first = raced(4_096), raced(1_024)
    assert found.worse_than
    moments, then = found.moments["round"], first.moments["round"]
    best = moments.best(False)
    for action in range(len(found.actions)):
        n = found.value("round", action).n
        assert (n == 4_096) == (action not in found.worse_than)
        if n == 1_024:
            assert moments.mean(action) == then.mean(action)
            assert found.of(found.actions[action])[1] == first.of(found.actions[action])[1]
        if action in found.worse_than:
            assert found.loses("round", action, best, False, 0.01).low > 0
    # The others have played all games, as if they had been alone.
    names = [found.actions[a] for a in range(len(found.actions)) if a not in found.worse_than]
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, FAR_APART)
    policies = [GAME.policy("greedy")] * 2
    alone = GAME.rollouts(rules, position, policies, False, "round", Effort(only=tuple(names)))
    tally = alone.read(alone.job.play(0, 0, 4_096))
    for at, name in enumerate(names):
        value = found.value("round", found.actions.index(name)).value
        assert value == pytest.approx(tally.sums[2, at, 0] / 420 / 4_096)


def test_dropping_depends_on_games_alone():
    """Not on threads, and not on whether a clock or a number stopped them."""
    once = raced(2_048)
    again = raced(2_048, threads=3)
    most = raced(0, limits=Limits(most=2_048, threads=2, precision=1e-9))
    for other in (again, most):
        assert other.worse_than == once.worse_than
        for action in range(len(once.actions)):
            assert other.value("round", action) == once.value("round", action)


def test_what_is_kept_plays_all_games():
    worse = raced(1_024)
    assert worse.worse_than
    kept = worse.actions[min(worse.worse_than)]
    found = raced(0, limits=Limits(games=2_048, keep=(kept,)))
    assert found.value("round", found.actions.index(kept)).n == 2_048
    assert found.actions.index(kept) not in found.worse_than


def test_a_better_follow_up_not_found_counts_like_an_independent_error():
    found = replace(raced(1_024), short_of={"round": (0.03,) * 10})
    bare = replace(found, short_of={})
    best = found.moments["round"].best(False)
    rival = 1 if best == 0 else 0
    wide, narrow = (one.loses("round", rival, best, False, 0.05) for one in (found, bare))
    assert wide.value - wide.low == pytest.approx(math.hypot(narrow.value - narrow.low, 0.03))
    assert wide.high - wide.value == pytest.approx(math.hypot(narrow.high - narrow.value, 0.03))


def test_the_policy_says_what_it_expects():
    rules = product_rules(STARNBERGER)
    player = GAME.policy_query().player(rules, GAME.policy("learned"), 2)
    for text, action in ((MANY, "draw"), (MANY, "take"), (FAR_APART, "discard")):
        situation = Situation(0, GAME.position(rules, text))
        objective, value = player.expects(situation, action)
        assert objective == "round"
        assert 0 < value < 1
    held = Situation(0, GAME.position(rules, FAR_APART))
    chosen = player.decides(held, 0)
    values = [player.expects(held, name)[1] for name in legal_actions(rules, held.position)]
    assert player.expects(held, chosen)[1] >= max(values) - 0.02
    others = GAME.policy_query().player(rules, GAME.policy("greedy"), 2)
    assert others.expects(held, chosen) is None


def test_a_search_ends_once_it_is_as_good_as_the_answer_has_to_be():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, README)
    policies = [GAME.policy("greedy")] * 2
    effort = Effort(seconds=30.0, precision=0.05)
    job = GAME.rollouts(rules, position, policies, False, "round", effort)
    assert job.most == LEAST
    assert 0 < max(job.short_of["round"]) <= 0.02
