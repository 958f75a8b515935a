"""The part of `validity.py` that plays: kernels of the games against values known exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import ttest_1samp

from lab.best_response import Deviator, each_seat
from lama_odds.analysis.search import stages_to
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.registry import game_of
from lama_odds.statistics.intervals import Moments, anytime_mean, mean_of, share_of
from tools.study import validity_rates as v
from tools.study.validity_parts import LAST, Rates, Study
from tools.study.validity_rates import Rate

HIDDEN = "hand=35 top=3 opp=1 pile=0"  # L.A.M.A.: one hidden card and no draw pile, added up
ALONE = "hand=3356L top=3 opp=q4,q2,q6"  # L.A.M.A.: the result is certain


def played(study: Study) -> Rates:
    """The games' own kernels: rollouts of positions whose values are known exactly."""
    yield from last_player(study)
    yield from hidden_card(study)
    yield from alone(study)
    yield from thinking(study)


# A thinking seat, and what its gain is measured by: rules, players, objective, games.
THINKING = (
    ("dice/amigo", 3, "points", 8_000),
    ("lama/egmont", 3, "points", 400),
    ("noprob/starnberger", 2, "round", 400),
)
ROLLOUTS = 32  # of a decision
TOGETHER, MANY = 40, 100  # games of a batch, and batches that say how often it is right


def thinking(study: Study) -> Rates:
    """Gains of a player who thinks ahead, adjusted for what chance did: unbiased, and covering.

    In the same games the gain is what they gave. The two differ by chance alone, 0 on average: so
    an interval of the difference should hold 0, over all games and in batches of 40 of them.
    """
    for rules_id, players, objective, games in THINKING:
        game = game_of(rules_id)
        rules = game.rules(rules_id)
        policies = (game.best_policy(rules, players, objective),) * players
        question = Deviator(game, rules, policies, objective, stages_to(ROLLOUTS), study.seed)
        base = game.simulation(rules, policies, rounds=not question.whole)
        n = study.times(games)
        apart = [question.luck_of(each_seat(question, base, at)) for at in range(n)]
        case = f"{rules_id}, {players} players, {objective}"
        p = float(ttest_1samp(apart, 0).pvalue)
        yield Rate("adjusted gain", "p of t test", case, f"{n}", 0, 0, (0.001, 1.0), p)
        batches = [apart[at : at + TOGETHER] for at in range(0, n - TOGETHER + 1, TOGETHER)]
        if len(batches) >= MANY:
            means = [
                mean_of(sum(some), sum(x * x for x in some), TOGETHER, 1.0) for some in batches
            ]
            held = sum(v.covers(mean, 0.0) for mean in means)
            yield Rate(
                "adjusted gain", "coverage", case, f"{TOGETHER}", held, len(means), v.NOT_LESS
            )


def rollout(rules_id: str, text: str, policy: str) -> RolloutJob:
    """The rollouts of advise."""
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    position = game.position(rules, text)
    policies = [game.policy(policy)] * position.players
    return game.rollouts(rules, position, policies, False, "points")


def tallies(rollouts: RolloutJob, seed: int, repeats: int, n: int) -> Iterator[np.ndarray]:
    """Tallies of samples of n games each, all of other games."""
    job = rollouts.job
    for at in range(repeats):
        yield job.play(seed, at * n, n)


def moments(rollouts: RolloutJob, tally: np.ndarray, objective: str, n: int) -> Moments:
    """Sums of an objective."""
    unit = rollouts.units[rollouts.objectives.index(objective)]
    return Moments(rollouts.sums(tally, objective), n, unit)


def happened(rollouts: RolloutJob, tally: np.ndarray, action: str, event: str) -> int:
    """In how many games an event came, after an action."""
    events = rollouts.read(tally).events
    return int(events[rollouts.actions.index(action), rollouts.events.index(event)])


def last_player(study: Study) -> Rates:
    """Lama Dice, the last player: points of rolling, and chances, against the solved values."""
    rollouts = rollout("dice/amigo", LAST, "meanfield")
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    solution = game.solve(rules, game.position(rules, LAST), "points", 1)
    assert solution is not None
    roll = next(action for action in solution.actions if action.action == "roll")
    n, repeats = 1_000, study.times(20_000)
    true, gain = roll.values["points"].value, roll.values["points"].value - 17
    at, quit_at = rollouts.actions.index("roll"), rollouts.actions.index("quit")
    held = {"points": 0, "difference": 0, "out": 0, "blown": 0}
    for tally in tallies(rollouts, study.seed, repeats, n):
        measured = moments(rollouts, tally, "points", n)
        total, squares = int(measured.sums[at, 0]), int(measured.sums[at, at + 1])
        held["points"] += v.covers(mean_of(total, squares, n, measured.unit), true)
        held["difference"] += v.covers(measured.difference(at, quit_at), gain)
        for name in ("out", "blown"):
            share = share_of(happened(rollouts, tally, "roll", name), n)
            held[name] += v.covers(share, roll.chances[name].value)
    case = "played: dice, last player, "
    for method, name, aim in (
        ("mean, normal", "points", v.FIXED),
        ("paired difference, anytime", "difference", v.AT_LEAST),
        ("share, Wilson", "out", v.FIXED),
        ("share, Wilson", "blown", v.FIXED),
    ):
        yield Rate(method, "coverage", case + name, f"{n}", held[name], repeats, aim)
    yield stay_in_play(rollouts, "roll", "points", true, "dice, last player", study)


def stay_in_play(
    rollouts: RolloutJob, action: str, objective: str, true: float, name: str, study: Study
) -> Rate:
    """How often the anytime interval of a played value holds it at all looks up to 65,536."""
    looks = v.checkpoints(65_536)
    repeats, held = study.times(300), 0
    at = rollouts.actions.index(action)
    for run in range(repeats):
        sums = np.zeros(rollouts.job.shape, dtype=np.int64)
        inside = True
        for before, n in zip([0, *looks], looks, strict=False):
            job, first = rollouts.job, (1 << 32) + run * looks[-1] + before
            job.play(study.seed, first, n - before, sums)
            measured = moments(rollouts, sums, objective, n)
            total, squares = int(measured.sums[at, 0]), int(measured.sums[at, at + 1])
            inside = inside and v.covers(anytime_mean(total, squares, n, measured.unit), true)
        held += inside
    n_text = f"{looks[0]} to {looks[-1]}, {len(looks)} looks"
    case = f"played: {name}, {action}"
    return Rate("mean, anytime", "never left", case, n_text, held, repeats, v.AT_LEAST)


def hidden_values() -> dict[str, float]:
    """Margins of HIDDEN, added up over the hidden card by hand.

    I hold 3 and 5 on a 3, the other one card, and nothing can be drawn. Play 3: the other goes out
    with a 3 or a 4; else he must quit, and so must I. Quit: the same with 8 points for me.
    """
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    unseen = game.position(rules, HIDDEN).unseen(rules)
    costs = [
        (kind, rules.penalty(tuple(int(k == kind) for k in range(len(unseen)))))
        for kind in range(len(unseen))
    ]
    total = sum(unseen)
    # He holds what does not fit: its points are his. Kinds are numbered by value, plain even.
    fits = [(0 if kind // 2 in (2, 3) else cost) for kind, cost in costs]
    mean = sum(count * cost for count, cost in zip(unseen, fits, strict=True)) / total
    return {"play 3": 5 - mean, "quit": 8 - mean}


def hidden_card(study: Study) -> Rates:
    """L.A.M.A. with one hidden card: redrawn in rollouts, added up by hand."""
    rollouts = rollout("lama/egmont", HIDDEN, "matching:0")
    true = hidden_values()
    n, repeats = 1_000, study.times(10_000)
    held = dict.fromkeys(true, 0)
    for tally in tallies(rollouts, study.seed, repeats, n):
        measured = moments(rollouts, tally, "margin", n)
        for action in true:
            at = rollouts.actions.index(action)
            total, squares = int(measured.sums[at, 0]), int(measured.sums[at, at + 1])
            held[action] += v.covers(mean_of(total, squares, n, measured.unit), true[action])
    for action in true:
        case = f"played: L.A.M.A., one hidden card, {action}"
        yield Rate("mean, normal", "coverage", case, f"{n}", held[action], repeats, v.FIXED)
    yield stay_in_play(rollouts, "quit", "margin", true["quit"], "L.A.M.A., hidden card", study)


def alone(study: Study) -> Rates:
    """L.A.M.A., all others have quit: rollouts must be the solved values to the point."""
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    solution = game.solve(rules, game.position(rules, ALONE), "points", 1)
    assert solution is not None
    rollouts = rollout("lama/egmont", ALONE, "meanfield")
    repeats, n = study.times(1_000), 100
    held = 0
    for tally in tallies(rollouts, study.seed, repeats, n):
        measured = moments(rollouts, tally, "points", n)
        held += all(
            measured.sums[rollouts.actions.index(action.action), 0]
            == n * action.values["points"].value
            for action in solution.actions
        )
    case = "played: L.A.M.A., all others have quit"
    yield Rate("mean of what is certain", "equal", case, f"{n}", held, repeats, (1.0, 1.0))
