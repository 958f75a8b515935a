"""The job that plays a position of No Prob-Lama out after each legal action.

Drawing and taking are valued with the best use of the card after it. That use is found first, on
separate random games (see `plan_search`). The answer then counts the resulting plan on fresh ones.
How much better a better plan might be is reported, and is part of the interval.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.grids import DRAW, TAKE
from lama_odds.games.noprob.engine.kernels import BY_PLAN
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.solvers.beliefs import Beliefs, beliefs_of, told_of_all
from lama_odds.games.noprob.solvers.exact import best_uses
from lama_odds.games.noprob.solvers.plan_search import (
    LEAST,
    OBJECTIVES,
    PILOT,
    Pilot,
    budget_for,
    units,
)
from lama_odds.games.noprob.solvers.root_state import NO_PLAN, job_of, root_of
from lama_odds.jit.job import Job

TRIED = 128  # games of the answer that are timed, with random numbers that it does not count
PART = 0.9  # share of the available time that planning may take
STEP = 4_096  # from a number of games to the next checkpoint: a quarter of it, and at least this


def rollouts(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    objective: str,
    effort: Effort,
) -> RolloutJob:
    """Return every legal action with common random numbers; objective: the one to plan for.

    If the plan depends on the number of games of the answer, the job is for some numbers only.
    """
    names = list(effort.only) or legal_actions(rules, position)
    if effort.only:
        return _as_policy(rules, position, policies, names, play_out)
    roots = [root_of(position, name) for name in names]
    solved = best_uses(rules, position) if objective == "points" else None
    pilot = Pilot(rules, position, policies, [] if solved else names, objective, effort)
    made = partial(job_of, rules, position, policies, roots, play_out=play_out)
    least, most = _grown(pilot, made, effort) if pilot.contests else (0, None)
    plan, notes = solved or (pilot.plan(), pilot.notes())
    believed = beliefs_of(rules, position, policies)
    short = {DRAW: pilot.short_of(DRAW), TAKE: pilot.short_of(TAKE)}
    short_of = tuple(short.get(source, 0.0) for source, _, _ in roots)

    def told(counted: np.ndarray, games: int) -> tuple[str, ...]:
        rounds = games * len(names)
        return notes + _notes(rules, position, believed, play_out, int(counted[0]), rounds)

    return RolloutJob(
        made(plan=plan),
        tuple(names),
        OBJECTIVES[: 4 if play_out else 3],
        units(position.players),
        kernels.EVENT_NAMES,
        (),
        kernels.COUNTERS,
        told,
        spent=pilot.seconds,
        least=least,
        most=most,
        short_of={objective: short_of} if any(short_of) else {},
        then=pilot.then(),
        inferred=believed is not None,
    )


def _as_policy(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    names: Sequence[str],
    play_out: bool,
) -> RolloutJob:
    """Return some actions with common random numbers; the policy decides what to do with a card."""
    roots = [root_of(position, name) for name in names]
    roots = [(a, b, AS_POLICY if place == BY_PLAN else place) for a, b, place in roots]
    return RolloutJob(
        job_of(rules, position, policies, roots, NO_PLAN, play_out),
        tuple(names),
        OBJECTIVES[: 4 if play_out else 3],
        units(position.players),
        kernels.EVENT_NAMES,
        (),
        1,
        inferred=beliefs_of(rules, position, policies) is not None,
    )


def _grown(pilot: Pilot, made: Callable[..., Job], effort: Effort) -> tuple[int, int | None]:
    """Search as long as the effort allows; return the numbers of games that the plan is for."""
    if effort.games is not None:
        pilot.grow(budget_for(effort.games))
    elif effort.seconds is None:
        pilot.grow(2 * LEAST)
        return 0, None
    else:
        pilot.grow(LEAST)
        each = _seconds_each(pilot, made(plan=pilot.plan()))
        # The next search must leave time for the fewest games that it is for.
        while not pilot.settled:
            fewest = pilot.budget + max(STEP, pilot.budget // 4)
            planned = 2 * pilot.seconds + each * fewest
            if planned > PART * effort.seconds:
                break
            pilot.grow(2 * pilot.budget)
    least = 0 if pilot.budget == LEAST else pilot.budget // 2
    return least, None if pilot.settled else pilot.budget


def _seconds_each(pilot: Pilot, job: Job) -> float:
    """Return about how many seconds a game of the answer takes."""
    began = time.perf_counter()
    job.play(pilot.seed, PILOT, TRIED)
    return (time.perf_counter() - began) / TRIED / pilot.processors


def _notes(
    rules: NoprobRules,
    position: Position,
    believed: Beliefs | None,
    play_out: bool,
    broken_off: int,
    rounds: int,
) -> tuple[str, ...]:
    """What rollouts rest on, in words."""
    found = ["the others' unknown cards and the pile are drawn at random from the unseen cards"]
    if believed is not None:
        found = list(believed.notes)
    elif position.past is not None and not told_of_all(position.past):
        found.append(
            "nothing is inferred from play: the record does not say which cards the others have "
            "looked at (deal *,*,?/?,?,?/?,?,?)"
        )
    if position.pile is None:
        found.append(
            f"pile not given: assuming {position.pile_left(rules)} cards, the maximum; it matters "
            "only if it runs out"
        )
    if broken_off:
        share = 100 * broken_off / rounds
        found.append(f"{share:.2g} % of the rounds were stopped after 1,000 turns and counted")
    if play_out and position.first is None:
        found.append("first not given: averaged over all players who may have started this round")
    if play_out and position.llamas is None and position.totals is None:
        found.append("no standing given: assuming the first round")
    return tuple(found)
