"""A position as the kernel of rollouts needs it: the table, the actions, the uses of a card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.tally_layout import RolloutLayout, rollout_layout
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.kernels import BY_PLAN, HOLD
from lama_odds.games.noprob.engine.tables import RolloutTables
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cell_name
from lama_odds.games.noprob.rules.pile import pack_up
from lama_odds.games.noprob.rules.position import Position, is_special
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.solvers.beliefs import beliefs_of, nothing_held
from lama_odds.jit.job import Job

Root = tuple[int, int, int]
NO_PLAN = np.full((2, transition.KINDS), PUT_AWAY, dtype=np.int64)


def root_of(position: Position, name: str) -> Root:
    """Return an action's code in the kernel."""
    if position.drawn is not None:
        return HOLD, position.drawn, place_of(name)
    source = {"draw": DRAW, "take": TAKE, "pass": PASS}[name]
    return source, 0, BY_PLAN


def place_of(name: str) -> int:
    """Return the place in the name of a use: cell, PUT_AWAY, or seat."""
    verb, _, rest = name.partition(" ")
    if verb == "discard":
        return PUT_AWAY
    if verb == "give":
        return int(rest.split()[-1])
    row, column = rest.split(",")
    return (int(row) - 1) * 3 + int(column) - 1


def places_for(kind: int, seats: int, drawn: bool) -> list[int]:
    """Return all uses of a card: cells, PUT_AWAY for one that was drawn, seats for a special."""
    if is_special(kind):
        return list(range(1, seats))
    return [*range(CELLS), *([PUT_AWAY] if drawn else [])]


def place_name(rules: NoprobRules, kind: int, place: int) -> str:
    """Return the inverse of `place_of`."""
    if is_special(kind):
        return f"give {rules.names[kind]} to {place}"
    return "discard" if place == PUT_AWAY else f"replace {cell_name(place)}"


def job_of(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    roots: Sequence[Root],
    plan: np.ndarray,
    play_out: bool,
) -> Job:
    """Return the job of some root actions. plan: int64[2, KINDS]; play_out: the whole game."""
    believed = beliefs_of(rules, position, policies)
    table, unknown = root_table(rules, position)
    starter = -1 if position.first is None else position.first
    # With llamas the number of this round does not matter.
    played = position.round or 1
    layout = layout_of(len(roots))
    tables = RolloutTables(
        play=tables_of(rules, policies),
        root=table,
        actions=np.array(roots, dtype=np.int64),
        plan=plan,
        unknown=unknown,
        peeks=rules.peeks,
        starter=starter,
        played=played,
        layout=layout,
        held=nothing_held(position.players) if believed is None else believed.tables,
    )
    kernel = kernels.roll_out_games if play_out else kernels.roll_out
    return Job(kernel, rules.columns, policy_rows(policies), tables, layout.shape)


def layout_of(actions: int) -> RolloutLayout:
    """Return the layout of the tally for these root actions."""
    return rollout_layout(kernels.OBJECTIVES, actions, kernels.EVENTS, counters=kernels.COUNTERS)


def root_table(rules: NoprobRules, position: Position) -> tuple[np.ndarray, int]:
    """Return the table before anything unknown is dealt, and the number of unknown discards."""
    table = np.zeros(transition.TABLE_SIZE, dtype=np.int64)
    pool = position.pool(rules)
    only_mine = [0] * transition.KINDS
    for seat, grid in enumerate(position.grids):
        table[transition.GRID + seat] = sum(
            kind << 4 * cell for cell, kind in enumerate(grid.cards)
        )
        table[transition.UP + seat] = sum(1 << cell for cell, up in enumerate(grid.up) if up)
        table[transition.KNOWN + seat] = sum(
            1 << cell for cell, kind in enumerate(grid.cards) if kind < transition.KINDS
        )
        table[transition.BESIDE + seat] = sum(rules.points[kind] for kind in grid.beside)
    for kind, up in zip(position.grids[0].cards, position.grids[0].up, strict=True):
        if kind < transition.KINDS and not up:
            only_mine[kind] += 1
    table[transition.PACK : transition.PACK + 2] = pack_up(pool)
    unseen = [n + m for n, m in zip(pool, only_mine, strict=True)]
    table[transition.UNSEEN] = sum(n << 4 * kind for kind, n in enumerate(unseen))
    pile = position.pile_left(rules)
    unknown = sum(pool) - position.unknown_cells() - pile
    discards = [*reversed(position.seen), *([] if position.top is None else [position.top])]
    table[transition.STACK + unknown : transition.STACK + unknown + len(discards)] = discards
    table[transition.HEIGHT] = unknown + len(discards)
    table[transition.PILE] = pile
    table[transition.LAST] = -1 if position.last is None else position.last
    table[transition.CLOSER] = -1 if position.last is None else position.last
    for seat in range(position.players):
        table[transition.LLAMAS + seat] = position.llamas[seat] if position.llamas else 0
        table[transition.SCORE + seat] = position.totals[seat] if position.totals else 0
    target = rules.target_of(position.players)
    table[transition.TARGET_NOW] = target if position.target is None else position.target
    return table, unknown
