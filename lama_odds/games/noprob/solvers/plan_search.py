"""Which use of every card that can come is best, found before anything is counted.

To draw or to take is valued with the best use of the card after it. All uses of every card are
played out in the payoff that is asked for, on luck that no answer counts. Games go where most is
still to be gained for what they cost, by the expected opportunity cost of a choice: what the
others may gain on it in the mean, as far as the games played tell (Chick & Inoue 2001, Operations
Research 49, 732-743; its sum over the others: Branke, Chick & Schmidt 2007, Management Science 53,
1916-1932). What is found hangs on the seed and on how many games the answer has, on nothing else.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.objectives import SHARES
from lama_odds.games.interface.tally_layout import WIN, RolloutTally
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.kernels import BY_PLAN, HOLD
from lama_odds.games.noprob.engine.policy_kernels import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cards_to_draw
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.solvers.root_state import (
    NO_PLAN,
    job_of,
    layout_of,
    place_name,
    places_for,
)
from lama_odds.jit.job import Job

OBJECTIVES = ("points", "margin", "round", "win")
PILOT = 1 << 39  # games from here on are for finding the plan: no answer counts them
LEAST = 8_192  # uses played out at least, all cards together
FIRST_LOOK = 24  # games for every use of a card
AT_ONCE = 4  # cards whose uses are played at a time, on any number of threads
# An opportunity cost too small to matter: points, and chance to win.
ENOUGH, ENOUGH_SHARE = 0.005, 0.0005
RIVAL = 0.1  # part of the highest cost of a use, from which on others are played on with it
UNKNOWN = 100.0  # cost of a choice before any game
# What is rare may not have come yet: so many values, that far apart, are taken to have come too.
UNMET, APART = 2, 10.0
SURE = 2.0  # standard deviations
STEPS, FOREMOST = (0.5, 1.0, 1.5), 3  # where `cost_of_all` tries its t: of these, in errors


def budget_for(games: int) -> int:
    """Uses that are played out for an answer of so many games: from one to two a game.

    The least of LEAST, 2 LEAST, … that is no less than the games. With two actions that is half of
    all that is played at most: a plan that falls short harms as much as values that are not sure.
    """
    budget = LEAST
    while budget < games:
        budget *= 2
    return budget


@dataclass
class Contest:
    """The uses of a card got from a source, compared two by two on the games that both played.

    weight: chance of the card if its source is chosen. games: played in all, not by every use.
    both: int64[k, k], games of two uses; apart: int64[objectives, k, k], sums of what the first
    counts less the second; squares: int64[k, k], of that in the objective asked for. best: the use
    that no other is ahead of. promise: what each use may gain on it in the mean. cost, error: what
    choosing it may cost, in the mean and as standard deviation, all others counted together.
    """

    held: Position
    source: int
    kind: int
    weight: float
    places: list[int]
    games: int = 0
    best: int = 0
    both: np.ndarray = field(init=False)
    apart: np.ndarray = field(init=False)
    squares: np.ndarray = field(init=False)
    promise: list[float] = field(init=False)
    cost: float = field(init=False)
    error: float = field(init=False)

    def __post_init__(self) -> None:
        k = len(self.places)
        self.both = np.zeros((k, k), dtype=np.int64)
        self.apart = np.zeros((kernels.OBJECTIVES, k, k), dtype=np.int64)
        self.squares = np.zeros((k, k), dtype=np.int64)
        # Before any game nothing is known of two uses, and all of a single one.
        self.cost = self.error = UNKNOWN if k > 1 else 0.0
        self.promise = [self.cost] * k

    @property
    def place(self) -> int:
        """The use chosen."""
        return self.places[self.best]

    @property
    def rivals(self) -> list[int]:
        """The use chosen and those that the cost is about; all of them before any game."""
        if not self.games:
            return list(range(len(self.places)))
        least = RIVAL * max(self.promise)
        return [i for i, mean in enumerate(self.promise) if i == self.best or mean >= least]

    @property
    def known(self) -> int:
        """Games that are known of the closest rival and the use chosen."""
        closest = max(range(len(self.places)), key=lambda i: self.promise[i])
        return int(self.both[self.best, closest])

    def roots(self) -> list[tuple[int, int, int]]:
        """What is to be played on: the rivals, as the kernel knows them."""
        source = HOLD if self.source == DRAW else TAKE
        return [(source, self.kind, self.places[i]) for i in self.rivals]

    def add(self, tally: np.ndarray, games: int, at: int, unit: float) -> None:
        """Count games of the rivals. at, unit: of the objective asked for."""
        rivals, k = self.rivals, len(self.rivals)
        sums = RolloutTally(layout_of(k), tally).sums
        here, products = np.ix_(rivals, rivals), sums[at, :, 1:]
        own = np.diagonal(products)
        self.both[here] += games
        self.squares[here] += own[:, None] + own[None, :] - 2 * products
        for objective in range(kernels.OBJECTIVES):
            totals = sums[objective, :, 0]
            self.apart[objective][here] += totals[:, None] - totals[None, :]
        self.games += games
        self._choose(at)
        gaps = [self._gap(i, at, unit) for i in range(len(self.places))]
        self.promise = [opportunity_cost(*gap)[0] for gap in gaps]
        self.cost, self.error = cost_of_all([gap for gap in gaps if gap[1]])

    def _choose(self, at: int) -> None:
        """Go to the use that is most ahead of the one chosen, until none is."""
        sign = -1 if OBJECTIVES[at] in SHARES else 1
        order = [(sign, at), (1, OBJECTIVES.index("margin")), (1, OBJECTIVES.index("points"))]
        for _ in self.places:
            both = self.both[:, self.best]
            ahead = [
                tuple(side * self.apart[o, i, self.best] / both[i] for side, o in order)
                for i in range(len(self.places))
            ]
            best = min(range(len(ahead)), key=lambda i: (ahead[i], i != self.best))
            if best == self.best:
                break
            self.best = best

    def _gap(self, other: int, at: int, unit: float) -> tuple[float, float]:
        """By how much the use chosen looks better than another, and the standard error."""
        if other == self.best:
            return 0.0, 0.0
        share = OBJECTIVES[at] in SHARES
        n = int(self.both[self.best, other])
        total = int(self.apart[at, self.best, other])
        variance = unit * unit * (int(self.squares[self.best, other]) - total * total / n) / (n - 1)
        span = 1.0 if share else APART
        ahead = unit * (total if share else -total) / n
        return ahead, math.sqrt((variance + UNMET * span * span / n) / n)


def opportunity_cost(ahead: float, error: float) -> tuple[float, float]:
    """Mean, and mean square, of what another gains on a choice that looks so much ahead of it."""
    if not error:
        return 0.0, 0.0
    z = ahead / error
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    beyond = math.erfc(z / math.sqrt(2)) / 2
    mean = error * density - ahead * beyond
    return max(mean, 0.0), max((ahead**2 + error**2) * beyond - ahead * error * density, 0.0)


def cost_of_all(gaps: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean and standard deviation, at most, of what the best of all others gains on a choice.

    gaps: of each other by how much the choice looks better, and the standard error. The best of
    some gains no more than any t and, of each, what goes beyond t; and varies no more than the
    one that varies most.
    """
    costs = [opportunity_cost(*gap) for gap in gaps]
    foremost = sorted(zip(costs, gaps, strict=True), reverse=True)[:FOREMOST]
    beyond = [0.0, *(step * error for _, (_, error) in foremost for step in STEPS)]
    mean = min(t + sum(opportunity_cost(gap + t, error)[0] for gap, error in gaps) for t in beyond)
    square = sum(square for _, square in costs)
    return mean, math.sqrt(min(square, max((error**2 for _, error in gaps), default=0.0)))


class Pilot:
    """The search for the plan of a position; `grow` goes on with it."""

    def __init__(
        self,
        rules: NoprobRules,
        position: Position,
        policies: Sequence[Policy],
        names: Sequence[str],
        objective: str,
        effort: Effort,
    ) -> None:
        """names: legal actions. objective: what a plan is to be best for."""
        self.rules, self.position, self.policies = rules, position, policies
        self.play_out, self.seed = objective == "win", effort.seed
        self.processors = effort.threads or os.cpu_count() or 1
        self.progress = effort.progress
        self.at = OBJECTIVES.index(objective)
        self.unit = units(position.players)[self.at]
        self.contests = list(_contests(rules, position, names))
        self.budget = self.played = 0
        if self.contests:
            self._job(position, [(PASS, 0, BY_PLAN)]).play(0, 0, 0)  # compiled, loaded
        self.began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Time since the search began."""
        return time.perf_counter() - self.began

    @property
    def settled(self) -> bool:
        """Whether more games would hardly find anything better, so that no more are played."""
        return not self._undecided()

    def grow(self, budget: int) -> None:
        """Play more uses out, until so many are in all; the steps are the same ones in any case."""
        while self.budget < budget:
            self.budget = max(LEAST, 2 * self.budget)
            with ThreadPoolExecutor(self.processors) as pool:
                while self.played < self.budget and not self.settled:
                    self._step(pool)
                    if self.progress:
                        self.progress(min(1.0, self.played / budget), "looking for the best uses")

    def _undecided(self) -> list[Contest]:
        enough = ENOUGH_SHARE if OBJECTIVES[self.at] in SHARES else ENOUGH
        return [c for c in self.contests if c.weight * c.cost > enough / len(self.contests)]

    def _step(self, pool: ThreadPoolExecutor) -> None:
        """Play half as many games again of the cards that promise most for a game."""
        undecided = self._undecided()
        chosen = [contest for contest in undecided if not contest.games]
        games = [FIRST_LOOK] * len(chosen)
        if not chosen:
            order = sorted(undecided, key=lambda c: -c.weight * c.cost / (c.known * len(c.rivals)))
            chosen = order[:AT_ONCE]
            room = (self.budget - self.played) // sum(len(c.rivals) for c in chosen) + 1
            games = [min(contest.known // 2, room) for contest in chosen]
        tallies = list(pool.map(self._tally, chosen, games))
        for contest, more, tally in zip(chosen, games, tallies, strict=True):
            self.played += more * len(contest.rivals)
            contest.add(tally, more, self.at, self.unit)

    def _tally(self, contest: Contest, games: int) -> np.ndarray:
        job = self._job(contest.held, contest.roots())
        return job.play(self.seed, PILOT + contest.games, games)

    def _job(self, position: Position, roots: Sequence[tuple[int, int, int]]) -> Job:
        return job_of(self.rules, position, self.policies, roots, NO_PLAN, self.play_out)

    def plan(self) -> np.ndarray:
        """The best use of every card that can come: int64[2, KINDS], drawn and taken."""
        plan = np.full((2, transition.KINDS), PUT_AWAY, dtype=np.int64)
        for contest in self.contests:
            plan[contest.source, contest.kind] = contest.place
        return plan

    def short_of(self, source: int) -> float:
        """By how much a better plan might better the value of drawing or taking, with 95 %."""
        found = [contest for contest in self.contests if contest.source == source]
        mean = sum(c.weight * c.cost for c in found)
        square = sum((c.weight * c.error) ** 2 for c in found)
        return float(mean + SURE * math.sqrt(square))

    def then(self) -> dict[str, str]:
        """What to do with the discard if it is taken, by action; nothing else is said shortly."""
        taken = [contest for contest in self.contests if contest.source == TAKE]
        uses = [place_name(self.rules, contest.kind, contest.place) for contest in taken]
        return {"take": uses[0]} if uses else {}

    def notes(self) -> tuple[str, ...]:
        """The plan in words, and how much better the best one might be."""
        uses: dict[str, list[str]] = {}
        found = []
        for contest in self.contests:
            use = place_name(self.rules, contest.kind, contest.place)
            if contest.source == TAKE:
                found.append(f"take: then {use}{self._doubt(TAKE)}")
            else:
                uses.setdefault(use, []).append(self.rules.names[contest.kind])
        if uses:
            listed = "; ".join(f"{' '.join(cards)}: {use}" for use, cards in uses.items())
            found.append(f"draw: then {listed}{self._doubt(DRAW)}")
        if found:
            found.append(
                "the best use of each card was found on separate random games; the intervals allow "
                "for a better use not found (95 %)"
            )
        return tuple(found)

    def _doubt(self, source: int) -> str:
        short = self.short_of(source)
        if OBJECTIVES[self.at] in SHARES:
            return f" (the best: at most {100 * short:.2g} % better)" if short else ""
        return f" (the best: at most {short:.2g} points better)" if short else ""


def units(seats: int) -> tuple[float, ...]:
    """What one counts in each objective."""
    return 1.0, 1 / (seats - 1), 1 / WIN, 1 / WIN


def _contests(rules: NoprobRules, position: Position, names: Sequence[str]) -> Any:
    """Every card that can come, with its uses."""
    seats = position.players
    if "take" in names and position.top is not None:
        kind = position.top
        yield Contest(position, TAKE, kind, 1.0, places_for(kind, seats, drawn=False))
    if "draw" in names:
        ways = cards_to_draw(rules, position)
        for kind, n in enumerate(ways):
            if n:
                held = replace(position, drawn=kind, **_pile_after(rules, position))
                places = places_for(kind, seats, drawn=True)
                yield Contest(held, DRAW, kind, n / sum(ways), places)


def _pile_after(rules: NoprobRules, position: Position) -> dict[str, Any]:
    """Pile and discards once a card has been drawn.

    If the pile was empty it has been made anew of the discards below the top: what I remember of
    these may then lie hidden, too, as far as the redraw knows.
    """
    if position.pile_left(rules):
        return {"pile": None if position.pile is None else position.pile - 1}
    anew = len(position.seen) + position.unknown_discards(rules)
    return {"pile": anew - 1, "seen": ()}
