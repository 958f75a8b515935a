"""Positions and policies of No Prob-Lama as jobs: rollouts, games, choices for studies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import later, say, say_count
from lama_odds.core.policies import Policy
from lama_odds.core.wording import in_percent, significant, thousands
from lama_odds.games.interface.jobs import Effort, ForkJob, ForkTable, KeyWords, RolloutJob, Scale
from lama_odds.games.interface.jobs import ForkTables as TablesBeside
from lama_odds.games.interface.match_equity import PLAYED_ON
from lama_odds.games.interface.rounds_won import rounds_won
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS
from lama_odds.games.interface.tally_layout import WIN as WHOLE_WIN
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.noprob.engine import drivers, kernels
from lama_odds.games.noprob.engine.grids import DRAW, TAKE
from lama_odds.games.noprob.engine.kernels import BY_PLAN
from lama_odds.games.noprob.engine.learned import ForkTables
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY, WITHOUT_COSTS
from lama_odds.games.noprob.engine.studies import GIFTS, ROWS, study_rounds
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, MAX_SEATS, unpacked
from lama_odds.games.noprob.solvers.beliefs import Beliefs, beliefs_of, told_of_all
from lama_odds.games.noprob.solvers.exact import NO_PLAN, best_uses, job_of, root_of
from lama_odds.games.noprob.solvers.plan_search import (
    LEAST,
    OBJECTIVES,
    PILOT,
    Pilot,
    budget_for,
    units,
)
from lama_odds.games.shared.measures import DETAILS
from lama_odds.jit.job import Job, Measure

# Rounds and games as jobs, and the deals of simulated games.

Deal = tuple[Sequence[tuple[int, ...]], int]  # grids by seat, and the opening card
LOWEST = -100.0  # hardly any round or game has a lower total


def simulation(rules: NoprobRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return first rounds or whole games of these policies, one for each seat."""
    seats = range(len(policies))
    if rounds:
        measures = tuple(Measure("penalty", seat, least=LOWEST) for seat in seats)
        measures += (Measure("turns"), Measure("unfinished", share=True))
    else:
        measures = (
            *(Measure("win", seat, 1 / WHOLE_WIN, share=True) for seat in seats),
            *(Measure("outright", seat, share=True) for seat in seats),
            *(Measure("score", seat, least=LOWEST) for seat in seats),
            *(Measure("llamas", seat) for seat in seats),
            Measure("rounds"),
            Measure("unfinished", share=True),
        )
    return Job(
        kernels.play_first_rounds if rounds else kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies),
        (len(measures), 2),
        measures,
        () if rounds else DETAILS,
    )


def watched(rules: NoprobRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies)
    measures = measures_of(len(policies), False)
    tables = WatchTables(play, play, longer, PLAYED_ON, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(drivers.watch_games, rules.columns, policy_rows(policies), tables, shape, measures)


def deal_of(rules: NoprobRules, seats: int, seed: int, game: int, number: int) -> Deal:
    """Return the grids and the opening card of a round of a simulated game."""
    table = np.zeros(transition.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, table, seats, seed, game, number)
    grids = [unpacked(int(table[transition.GRID + seat])) for seat in range(seats)]
    return grids, int(table[transition.STACK])


# Tables of replacements and of specials given, beside thresholds.

# How many of CERTAIN cards drawn are studied: further ones of a round add little.
STUDIED = CERTAIN // 4


MOST_ROUNDS = 180_000  # times seats: half a minute


def replacement_keys(rules: NoprobRules) -> list[dict[str, str]]:
    """Return the meaning of each row of the tally up to GIFTS."""
    replaced = [
        "face down",
        *rules.names[:DRAMA],
        *(f"({name})" for name in rules.names),
        "completes a line",
        "breaks a line",
    ]
    return [{"card": card, "replaces": old} for card in rules.names[:DRAMA] for old in replaced]


def gift_keys(rules: NoprobRules, seats: int) -> list[dict[str, str]]:
    """Return the meaning of each row from GIFTS; empty for seats that do not exist."""
    others = seats - 1
    ranks = [f"{nth(at)} lowest total" for at in range(1, others + 1)]
    ranks[0], ranks[-1] = "lowest total", "highest total" if others > 1 else ""
    steps = [f"{nth(at)} in turn" for at in range(1, others + 1)]
    steps[0] = "next in turn"
    blank = [""] * (MAX_SEATS - 1 - others)
    return [
        {"card": card, "to": to, "against": against} if to else {}
        for card in rules.names[DRAMA:]
        for to in (*ranks, *blank, *steps, *blank)
        for against in ("nobody", "whom the policy gives it")
    ]


def tables_beside(rules: NoprobRules, policies: Sequence[Policy]) -> TablesBeside:
    """Return the tables of these decisions, for `thresholds`."""
    chances = np.array([STUDIED, STUDIED], dtype=np.int64)
    tables = ForkTables(tables_of(rules, policies), chances)
    job = Job(study_rounds, rules.columns, policy_rows(policies), tables, (ROWS, FORK_COLUMNS))
    replacements = ForkTable(
        "replacements",
        later(
            "What putting a card drawn there adds to your total, compared with its best other use"
        ),
        0,
        replacement_keys(rules),
        (("points", 1.0), ("round", 1.0)),
        later(
            "below 0 is better; (7) is face down but known; without last turns and ends of "
            "the round"
        ),
        "card",
    )
    gifts = ForkTable(
        "gifts",
        later(
            "What a Drama or a Karma for another adds to your points vs. others, and to your "
            "chance of the round"
        ),
        GIFTS,
        gift_keys(rules, len(policies)),
        (("margin", 1 / (len(policies) - 1)), ("round", 1.0)),
        later("totals as the giver expects them"),
    )
    return TablesBeside(job, MOST_ROUNDS // len(policies), (replacements, gifts))


def nth(number: int) -> str:
    """Return an ordinal number."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


# Decisions played out both ways, as jobs for thresholds.

LEAD = Scale(
    later("lead"),
    drivers.STEP * drivers.MIDDLE,
    -drivers.STEP,
    drivers.LEADS - 1,
    later(
        "points by which your expected total, with the card in the last cell, is below the lowest "
        "of the others', in steps of {step}"
    ),
    "Your lead is how far your expected total is below the lowest of the others.",
)
FORK_KEYS = {
    "down": KeyWords(
        later("fewest cards face down of another"), "your cards face down", "{} face down"
    )
}


def forks(rules: NoprobRules, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob | None:
    """Return decisions with one card face down, to end the round or not, played out both ways."""
    for policy in policies:
        if policy.family.code in WITHOUT_COSTS:
            raise ReadError(
                say(
                    "thresholds are for policies that value their cards, not {policy}",
                    policy=policy.family.name,
                )
            )
    keys = drivers.cell_keys()
    job = Job(
        drivers.fork_rounds,
        rules.columns,
        policy_rows(policies),
        ForkTables(tables_of(rules, policies), chances),
        (len(keys), FORK_COLUMNS),
    )
    return ForkJob(
        job,
        keys,
        ("end", "go on"),
        1.0,
        later("with one own card face down and a card that fits best there"),
        LEAD,
        ("points", "round lost"),
        most=drivers.MOST_ROUNDS // len(policies),
        words=FORK_KEYS,
        beside=tables_beside(rules, policies),
    )


# The job that plays a position of No Prob-Lama out after each legal action.
#
# Drawing and taking are valued with the best use of the card after it. That use is found first, on
# separate random games (see `plan_search`). The answer then counts the resulting plan on fresh
# ones. How much better a better plan might be is reported, and is part of the interval.

TRIED = 128  # games of the answer that are timed, with random numbers that it does not count
PART = 0.9  # share of the available time that planning may take
TUNED_FOR = 10_000  # games: rounds are long, so that answers have few
KEPT = 4  # searches
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
        return _as_policy(rules, position, policies, names, play_out, effort.hidden)
    roots = [root_of(position, name) for name in names]
    solved = best_uses(rules, position) if objective == "points" else None
    searched = () if solved else tuple(names)
    made = partial(job_of, rules, position, policies, roots, play_out=play_out)
    pilot = _pilot(rules, position, tuple(policies), searched, objective, effort)
    least, most = _grown(pilot, made, effort) if pilot.contests else (0, None)
    plan, notes = solved or (pilot.plan(), pilot.notes())
    believed = beliefs_of(rules, position, policies)
    short = {DRAW: pilot.short_of(DRAW), TAKE: pilot.short_of(TAKE)}
    short_of = tuple(short.get(source, 0.0) for source, _, _ in roots)

    def told(counted: np.ndarray, games: int) -> tuple[str, ...]:
        rounds = games * len(names)
        return notes + _notes(rules, position, believed, play_out, int(counted[0]), rounds)

    def among(actions: Sequence[int]) -> Job:
        return job_of(
            rules, position, policies, [roots[a] for a in actions], plan, play_out=play_out
        )

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
        among=among,
        tuned=TUNED_FOR,
        of_round=kernels.roll_out_games,
    )


def _pilot(
    rules: NoprobRules,
    position: Position,
    policies: tuple[Policy, ...],
    names: tuple[str, ...],
    objective: str,
    effort: Effort,
) -> Pilot:
    """Return the search of a plan for an answer; that for a number of games is kept for the next.

    A review asks about a decision several times, with more and more games.
    """
    budget = None if effort.games is None else budget_for(effort.games)
    begin = _begun_pilot if budget is None else _kept_pilot
    pilot: Pilot = begin(rules, position, policies, names, objective, effort.seed, budget)
    pilot.began = time.perf_counter()
    pilot.progress, pilot.processors = effort.progress, effort.threads or os.cpu_count() or 1
    return pilot


def _begun_pilot(
    rules: NoprobRules,
    position: Position,
    policies: tuple[Policy, ...],
    names: tuple[str, ...],
    objective: str,
    seed: int,
    budget: int | None,
) -> Pilot:
    """Return a search that has not begun. budget: for which it is; None: for a time."""
    del budget
    everybody = {policy.name for policy in policies}
    table = rounds_won(rules.id, len(policies), *everybody) if len(everybody) == 1 else None
    return Pilot(rules, position, policies, names, objective, seed, table)


_kept_pilot = lru_cache(maxsize=KEPT)(_begun_pilot)


def _as_policy(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    names: Sequence[str],
    play_out: bool,
    hidden: Sequence[int],
) -> RolloutJob:
    """Return some actions with common random numbers; the policy decides what to do with a card.

    hidden: see `Effort`.
    """
    roots = [root_of(position, name) for name in names]
    roots = [(a, b, AS_POLICY if place == BY_PLAN else place) for a, b, place in roots]
    return RolloutJob(
        job_of(rules, position, policies, roots, NO_PLAN, play_out, hidden=hidden),
        tuple(names),
        OBJECTIVES[: 4 if play_out else 3],
        units(position.players),
        kernels.EVENT_NAMES,
        (),
        1,
        inferred=beliefs_of(rules, position, policies) is not None,
        of_round=kernels.roll_out_games,
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
        per_game = _seconds_each(pilot, made(plan=pilot.plan()))
        # The next search must leave time for the fewest games that it is for.
        wanted = (effort.precision or 0.0) / 2
        while not pilot.settled and max(pilot.short_of(DRAW), pilot.short_of(TAKE)) > wanted:
            fewest = pilot.budget + max(STEP, pilot.budget // 4)
            planned = 2 * pilot.seconds + per_game * fewest
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
    notes = [
        say("the others' unknown cards and the pile are drawn at random from the unseen cards")
    ]
    if believed is not None:
        notes = list(believed.notes)
    elif position.past is not None and not told_of_all(position.past):
        notes.append(
            say(
                "nothing is inferred from play: the record does not say which cards the others "
                "have looked at (deal *,*,?/?,?,?/?,?,?)"
            )
        )
    if position.pile is None:
        notes.append(
            say_count(
                "pile not given: assuming {n} cards, the maximum; it matters only if it runs out",
                "pile not given: assuming {n} cards, the maximum; it matters only if it runs out",
                position.pile_left(rules),
            )
        )
    if broken_off:
        share = in_percent(significant(100 * broken_off / rounds))
        stopped = say(
            "{share} of the rounds were stopped after {turns} turns and counted",
            share=share,
            turns=thousands(1_000),
        )
        notes.append(stopped)
    if play_out and position.first is None:
        notes.append(
            say("first not given: averaged over all players who may have started this round")
        )
    if play_out and position.llamas is None and position.totals is None:
        notes.append(say("no standing given: assuming the first round"))
    return tuple(notes)
