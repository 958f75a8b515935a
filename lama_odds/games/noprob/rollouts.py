"""The job that plays a position of No Prob-Lama out after each legal action.

To draw or to take is valued with the best use of the card after it. Which use that is is found
first, on luck of its own: every use of every card that can come is played out, the better ones
more often. What the answer then counts is the plan so found, on fresh luck.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.noprob import kernels, turn
from lama_odds.games.noprob.kernels import BY_PLAN, HOLD
from lama_odds.games.noprob.named_policies import policy_rows, tables_of
from lama_odds.games.noprob.odds import cards_to_draw, cell_name, legal_actions
from lama_odds.games.noprob.pack import pack_up
from lama_odds.games.noprob.policies import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.position import Position, is_special
from lama_odds.games.noprob.ruleset import CELLS, NoprobRules
from lama_odds.games.protocol import RolloutJob
from lama_odds.games.tallies import WIN
from lama_odds.kernels.job import Job

OBJECTIVES = ("points", "margin", "round", "win")
PILOT = 1 << 39  # games from here on are for finding the plan: no answer counts them
FIRST_LOOK = 48  # games for every use of a card
SECOND_LOOK = 192  # games more for the best
BEST_USES = 3

Root = tuple[int, int, int]


def rollouts(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    objective: str,
    threads: int | None,
) -> RolloutJob:
    """Every legal action on the same redraws and luck; objective: what a plan is to be best for.

    threads: for finding the plan (None: one a processor).
    """
    names = legal_actions(rules, position)
    notes: tuple[str, ...] = ()
    plan = np.full((2, turn.KINDS), PUT_AWAY, dtype=np.int64)
    spent = 0.0
    if position.drawn is None:
        _play(_job(rules, position, policies, [(PASS, 0, BY_PLAN)], plan, False), 0, 0)  # loaded
        began = time.perf_counter()
        plan, notes = _plan(rules, position, policies, names, objective, threads)
        spent = time.perf_counter() - began
    roots = [_root(rules, position, name) for name in names]
    job = _job(rules, position, policies, roots, plan, play_out)
    seats = position.players

    def told(counted: np.ndarray, games: int) -> tuple[str, ...]:
        return notes + _notes(rules, position, play_out, int(counted[0]), games * len(names))

    return RolloutJob(
        job,
        tuple(names),
        OBJECTIVES[: 4 if play_out else 3],
        (1.0, 1 / (seats - 1), 1 / WIN, 1 / WIN),
        kernels.EVENT_NAMES,
        (),
        1,
        told,
        spent,
    )


def _root(rules: NoprobRules, position: Position, name: str) -> Root:
    """An action as the kernel knows it."""
    if position.drawn is not None:
        return HOLD, position.drawn, _place(name)
    source = {"draw": DRAW, "take": TAKE, "pass": PASS}[name]
    return source, 0, BY_PLAN


def _place(name: str) -> int:
    """The place that a use of a card names: cell, PUT_AWAY, or seat."""
    verb, _, rest = name.partition(" ")
    if verb == "discard":
        return PUT_AWAY
    if verb == "give":
        return int(rest.split()[-1])
    row, column = rest.split(",")
    return (int(row) - 1) * 3 + int(column) - 1


def place_name(rules: NoprobRules, kind: int, place: int) -> str:
    """Inverse of `_place`."""
    if is_special(kind):
        return f"give {rules.names[kind]} to {place}"
    return "discard" if place == PUT_AWAY else f"replace {cell_name(place)}"


def _job(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    roots: Sequence[Root],
    plan: np.ndarray,
    play_out: bool,
) -> Job:
    table, unknown = root_table(rules, position)
    starter = -1 if position.first is None else position.first
    # With llamas the number of this round does not matter.
    played = position.round or 1
    place = np.array([unknown, rules.peeks, int(play_out), starter, played], dtype=np.int64)
    actions = np.array(roots, dtype=np.int64)
    tables = (*tables_of(rules, policies), table, actions, plan, place)
    k = len(roots)
    size = kernels.OBJECTIVES * k * (k + 1) + k * kernels.EVENTS + 2
    return Job(kernels.roll_out, rules.columns, policy_rows(policies), tables, (size,))


def root_table(rules: NoprobRules, position: Position) -> tuple[np.ndarray, int]:
    """The table at a position before anything unknown is dealt, and how many discards are."""
    table = np.zeros(turn.TABLE_SIZE, dtype=np.int64)
    pool = position.pool(rules)
    only_mine = [0] * turn.KINDS
    for seat, grid in enumerate(position.grids):
        table[turn.GRID + seat] = sum(kind << 4 * cell for cell, kind in enumerate(grid.cards))
        table[turn.UP + seat] = sum(1 << cell for cell, up in enumerate(grid.up) if up)
        table[turn.KNOWN + seat] = sum(
            1 << cell for cell, kind in enumerate(grid.cards) if kind < turn.KINDS
        )
        table[turn.BESIDE + seat] = sum(rules.points[kind] for kind in grid.beside)
    for kind, up in zip(position.grids[0].cards, position.grids[0].up, strict=True):
        if kind < turn.KINDS and not up:
            only_mine[kind] += 1
    table[turn.PACK : turn.PACK + 2] = pack_up(pool)
    unseen = [n + m for n, m in zip(pool, only_mine, strict=True)]
    table[turn.UNSEEN] = sum(n << 4 * kind for kind, n in enumerate(unseen))
    pile = position.pile_left(rules)
    unknown = sum(pool) - position.unknown_cells() - pile
    discards = [*reversed(position.seen), *([] if position.top is None else [position.top])]
    table[turn.STACK + unknown : turn.STACK + unknown + len(discards)] = discards
    table[turn.HEIGHT] = unknown + len(discards)
    table[turn.PILE] = pile
    table[turn.LAST] = -1 if position.last is None else position.last
    table[turn.CLOSER] = -1 if position.last is None else position.last
    for seat in range(position.players):
        table[turn.LLAMAS + seat] = position.llamas[seat] if position.llamas else 0
        table[turn.SCORE + seat] = position.totals[seat] if position.totals else 0
    target = rules.target_of(position.players)
    table[turn.TARGET_NOW] = target if position.target is None else position.target
    return table, unknown


def _plan(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    names: Sequence[str],
    objective: str,
    threads: int | None,
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The best use of every card that can be drawn or taken: int64[2, KINDS], and in words."""
    tasks: list[tuple[int, int]] = []
    if "draw" in names:
        tasks += [(DRAW, kind) for kind, n in enumerate(cards_to_draw(rules, position)) if n]
    if "take" in names and position.top is not None:
        tasks.append((TAKE, position.top))
    best = partial(_best_use, rules, position, policies, objective)
    with ThreadPoolExecutor(threads) as pool_of_threads:
        found = list(pool_of_threads.map(best, tasks))
    plan = np.full((2, turn.KINDS), PUT_AWAY, dtype=np.int64)
    uses: dict[str, list[str]] = {}
    notes = []
    for (source, kind), place in zip(tasks, found, strict=True):
        plan[source, kind] = place
        if source == TAKE:
            notes.append(f"take: then {place_name(rules, kind, place)}")
        else:
            uses.setdefault(place_name(rules, kind, place), []).append(rules.names[kind])
    if uses:
        listed = "; ".join(f"{' '.join(cards)}: {use}" for use, cards in uses.items())
        notes.append(f"draw: then {listed} (found on luck of its own)")
    return plan, tuple(notes)


def _pile_after(rules: NoprobRules, position: Position) -> dict[str, Any]:
    """Pile and discards once a card has been drawn.

    If the pile was empty it has been made anew of the discards below the top: what I remember of
    these may then lie hidden, too, as far as the redraw knows.
    """
    if position.pile_left(rules):
        return {"pile": None if position.pile is None else position.pile - 1}
    anew = len(position.seen) + position.unknown_discards(rules)
    return {"pile": anew - 1, "seen": ()}


def _best_use(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    objective: str,
    task: tuple[int, int],
) -> int:
    """The place for a card got from a source that is best in rollouts."""
    source, kind = task
    seats = position.players
    if is_special(kind):
        places = list(range(1, seats))
    else:
        places = list(range(CELLS)) + [PUT_AWAY] * (source == DRAW)
    if source == DRAW:
        held = replace(position, drawn=kind, **_pile_after(rules, position))
        roots = [(HOLD, kind, place) for place in places]
    else:
        held = position
        roots = [(TAKE, kind, place) for place in places]
    at = OBJECTIVES.index("round" if objective == "win" else objective)
    sign = -1 if OBJECTIVES[at] == "round" else 1
    values = np.zeros(len(roots))
    chosen = np.arange(len(roots))
    first = PILOT
    for games in (FIRST_LOOK, SECOND_LOOK):
        some = [roots[i] for i in chosen]
        job = _job(rules, held, policies, some, np.zeros((2, turn.KINDS), np.int64), False)
        tally = _play(job, first, games)
        k = len(some)
        sums = tally[at * k * (k + 1) : (at + 1) * k * (k + 1)].reshape(k, k + 1)[:, 0]
        values[chosen] += sign * sums
        # Uses played twice are compared by all their games.
        order = chosen[np.argsort(values[chosen], kind="stable")]
        chosen = np.sort(order[:BEST_USES])
        best = int(order[0])
        first += games
    return places[best]


def _play(job: Job, first: int, games: int) -> np.ndarray:
    """The tally of some games of a job, with seed 0."""
    tally = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, 0, first, games, tally)
    return tally


def _notes(
    rules: NoprobRules, position: Position, play_out: bool, broken_off: int, rounds: int
) -> tuple[str, ...]:
    """What rollouts rest on, in words."""
    found = ["the others' unknown cards and the pile are redrawn from all cards that I do not know"]
    if position.pile is None:
        found.append(
            f"the pile is not given: taken as {position.pile_left(rules)} cards, the most that "
            "can be; it matters only if it runs out"
        )
    if broken_off:
        share = 100 * broken_off / rounds
        found.append(f"{share:.2g} % of the rounds were broken off after 1,000 turns and counted")
    if play_out and position.first is None:
        found.append("who started this round is not given: averaged over all players")
    if play_out and position.llamas is None and position.totals is None:
        found.append("no standing is given: this is taken as the first round")
    return tuple(found)
