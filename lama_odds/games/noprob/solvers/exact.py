"""The exact last turn of the last player: every possible hidden card is tried.

The unknown cards of the own grid are enumerated, drawn without replacement from all unknown cards.
A card that is drawn is put to its best use. Only the own total is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.core.language import language, later, say
from lama_odds.core.policies import Policy
from lama_odds.games.interface.objectives import (
    FollowUp,
    Solution,
    Valued,
    follow_ups_text,
)
from lama_odds.games.interface.rounds_won import RoundsWonEquity
from lama_odds.games.interface.tally_layout import RolloutLayout, rollout_layout
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.kernels import BY_PLAN, HOLD
from lama_odds.games.noprob.engine.learned import RolloutTables
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cell_name, legal_actions, packed_view
from lama_odds.games.noprob.rules.position import Position, is_special
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import (
    KINDS,
    UNKNOWN,
    kind_at,
    pack_up,
    score,
    with_card,
)
from lama_odds.games.noprob.solvers.beliefs import held_tables
from lama_odds.jit import allocating, compiled
from lama_odds.jit.job import Job

# A position as the kernel of rollouts needs it: the table, the actions, the uses of a card.

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


PLAYED_ON = np.zeros((0, 0, 0), dtype=np.int64)  # no table: games are played out


def job_of(
    rules: NoprobRules,
    position: Position,
    policies: Sequence[Policy],
    roots: Sequence[Root],
    plan: np.ndarray,
    play_out: bool,
    table: RoundsWonEquity | None = None,
    hidden: Sequence[int] = (),
) -> Job:
    """Return the job of some root actions. plan: int64[2, KINDS]; play_out: the whole game.

    table: what values the standing after this round instead. hidden: see `Effort`.
    """
    root, unknown = root_table(rules, position)
    starter = -1 if position.first is None else position.first
    # With llamas the number of this round does not matter.
    played = position.round or 1
    layout = layout_of(len(roots))
    tables = RolloutTables(
        play=tables_of(rules, policies),
        root=root,
        actions=np.array(roots, dtype=np.int64),
        plan=plan,
        unknown=unknown,
        peeks=rules.peeks,
        starter=starter,
        played=played,
        layout=layout,
        held=held_tables(rules, position, policies, hidden),
        equities=PLAYED_ON if table is None else table.counted,
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


PAST_LEFT_OUT = later(
    "what the others did is left out: unseen cards are as likely in their grids as in the pile"
)
MOST_HIDDEN = 4  # 14 to this power grids for every use of every card


@compiled
def mean_score(tables, grid, pool):
    """Return the mean points of a grid whose unknown cards come from a pool (int64[14],
    unchanged).
    """
    cells = np.zeros(CELLS, np.int64)
    unknown = 0
    for cell in range(CELLS):
        if kind_at(grid, cell) == UNKNOWN:
            cells[unknown] = cell
            unknown += 1
    if unknown == 0:
        return float(score(tables, grid))
    return _sum_over(tables, grid, pool, cells, unknown)


@allocating
def _sum_over(tables, grid, pool, cells, unknown):
    """Return the mean over all ordered ways to fill the unknown cells, counting up like an
    odometer.
    """
    cards = pool.sum()
    chosen = np.zeros(unknown, np.int64)
    total = 0.0
    while True:
        ways = 1.0
        filled = grid
        for at in range(unknown):
            kind = chosen[at]
            ways *= pool[kind] / (cards - at)
            pool[kind] -= 1
            filled = with_card(filled, cells[at], kind)
        for at in range(unknown):
            pool[chosen[at]] += 1
        if ways > 0.0:
            total += ways * score(tables, filled)
        at = 0
        while at < unknown:
            chosen[at] += 1
            if chosen[at] < KINDS:
                break
            chosen[at] = 0
            at += 1
        if at == unknown:
            return total


def solve_last(rules: NoprobRules, position: Position) -> Solution | None:
    """Return the expected total of every action of the round's last turn; None for other turns.

    It is also None if too much is hidden for enumeration (see `too_large`).
    """
    if position.last != 1 or too_large(position):
        return None
    solution = _solved(rules, position, language())[0]
    if position.past is None or not any(position.past.looked):
        return solution
    return replace(solution, assumptions=(*solution.assumptions, say(PAST_LEFT_OUT)))


def best_uses(rules: NoprobRules, position: Position) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """Return the best use of every possible card, for the total: int64[2, KINDS], and in words.

    It is None if `solve_last` is None.
    """
    if position.last != 1 or too_large(position):
        return None
    solution, plan = _solved(rules, position, language())
    return plan, solution.assumptions[:-1]


@lru_cache(maxsize=4)
def _solved(rules: NoprobRules, position: Position, spoken: str) -> tuple[Solution, np.ndarray]:
    """Return the solved last turn, and the best use of every possible card.

    The player who gets a special does not matter for the own total: it is the next one. spoken: the
    language in force, which the assumptions are in.
    """
    del spoken
    mine = _Mine(rules, position)
    best = np.full((2, KINDS), PUT_AWAY, dtype=np.int64)
    actions, then = [], {}
    for name in legal_actions(rules, position):
        if name == "draw":
            value, plan = mine.drawing()
            uses: dict[str, list[int]] = {}
            for kind, planned in plan.items():
                place = 1 if is_special(kind) else planned
                best[DRAW, kind] = place
                uses.setdefault(place_name(rules, kind, place), []).append(kind)
            then[name] = after_draws(rules, uses)
        elif name == "take":
            assert position.top is not None
            value, place = mine.using(position.top, mine.pool, drawn=False)
            place = 1 if is_special(position.top) else place
            best[TAKE, position.top] = place
            then[name] = (FollowUp(place_name(rules, position.top, place)),)
        elif name == "pass" or name.startswith(("give", "discard")):
            value = mine.value(mine.grid, mine.pool)
        else:
            row, column = name.removeprefix("replace ").split(",")
            assert position.drawn is not None
            cell = (int(row) - 1) * 3 + int(column) - 1
            value = mine.value(with_card(mine.grid, cell, position.drawn), mine.pool)
        actions.append(Valued(name, {"points": exact(value)}))
    notes = [follow_ups_text(name, uses) for name, uses in then.items()]
    notes.append(say("yours is the last turn of the round: every possible hidden card is counted"))
    return Solution(tuple(actions), tuple(notes), complete=False, then=then), best


def after_draws(rules: NoprobRules, uses: Mapping[str, Sequence[int]]) -> tuple[FollowUp, ...]:
    """Return what to do after a draw; uses: by action, the kinds with which it is the best."""
    return tuple(
        FollowUp(use, tuple(rules.names[kind] for kind in kinds)) for use, kinds in uses.items()
    )


def too_large(position: Position) -> str:
    """Return why the last turn of a round is not solved, in words; empty for other reasons."""
    hidden = position.grids[0].hidden
    if position.last != 1 or hidden <= MOST_HIDDEN:
        return ""
    return say(
        "the last turn is solved with up to {most} unknown cards of yours, not {hidden}",
        most=MOST_HIDDEN,
        hidden=hidden,
    )


class _Mine:
    """The own grid with what is known of it, and its expected totals."""

    def __init__(self, rules: NoprobRules, position: Position) -> None:
        self.rules, self.position = rules, position
        self.grid = packed_view(position.grids[0])
        self.pool = position.pool(rules)
        self.beside = sum(rules.points[kind] for kind in position.grids[0].beside)
        self.value = cache(self._value)

    def _value(self, grid: int, pool: tuple[int, ...]) -> float:
        counts = np.array(pool, dtype=np.int64)
        return float(mean_score(self.rules.tables, grid, counts)) + self.beside

    def using(self, kind: int, pool: tuple[int, ...], drawn: bool) -> tuple[float, int]:
        """Return the least expected total with a card in hand, and the place for it."""
        values = {place: self.after(kind, place, pool) for place in self.places(kind, drawn)}
        place = min(values, key=lambda at: values[at])
        return values[place], place

    @staticmethod
    def places(kind: int, drawn: bool) -> list[int]:
        """Return where a card can go; a special leaves the grid, to anybody."""
        if is_special(kind):
            return [PUT_AWAY]
        return [*range(CELLS), *([PUT_AWAY] if drawn else [])]

    def after(self, kind: int, place: int, pool: tuple[int, ...]) -> float:
        """Return the expected total with a card in a place; unknown cards come from a pool."""
        grid = self.grid if place == PUT_AWAY else with_card(self.grid, place, kind)
        return self.value(grid, pool)

    def drawing(self) -> tuple[float, dict[int, int]]:
        """Return the expected total of drawing, and the place for each card drawn.

        An empty pile is made again of the discards: of cards that are remembered, which can be
        nowhere else, and of others.
        """
        pile = self.position.pile_left(self.rules)
        known = () if pile else self.position.seen
        others = 1 if pile else self.position.unknown_discards(self.rules)
        cards, total, plan = sum(self.pool), 0.0, {}
        for kind, n in enumerate(self.pool):
            remembered = known.count(kind)
            unknown = n * others / max(cards, 1)
            if not remembered + unknown:
                continue
            rest = tuple(m - (k == kind) for k, m in enumerate(self.pool))
            values = {
                place: (remembered * self.after(kind, place, self.pool) if remembered else 0.0)
                + (unknown * self.after(kind, place, rest) if unknown else 0.0)
                for place in self.places(kind, drawn=True)
            }
            place = min(values, key=lambda at: values[at])
            total += values[place] / (len(known) + others)
            plan[kind] = place
        return total, plan
