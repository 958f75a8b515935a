"""Find the best use of every possible card, before anything is counted.

Drawing and taking are valued with the best use of the card after it. All uses of every card are
played out for the requested objective, with random numbers that no answer counts. Games go where
most can still be gained for their cost. The criterion is the expected opportunity cost of a
choice: what others may gain on it on average, judged by the games so far. It comes from two papers
(Chick & Inoue 2001, Operations Research 49, 732-743; its sum over the others: Branke, Chick &
Schmidt 2007, Management Science 53, 1916-1932). The result depends only on the seed and on the
number of games of the answer.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

import numpy as np

from lama_odds.core.elementary import erfc, exp
from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress, stopper
from lama_odds.core.wording import in_percent, significant
from lama_odds.games.interface.objectives import SHARES, FollowUp, FollowUps, follow_ups_text
from lama_odds.games.interface.rounds_won import RoundsWonEquity
from lama_odds.games.interface.tally_layout import EQUITY, WIN, RolloutTally
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.kernels import BY_PLAN, HOLD
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cards_to_draw
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.solvers.exact import (
    NO_PLAN,
    after_draws,
    job_of,
    layout_of,
    place_name,
    places_for,
)
from lama_odds.jit.job import Job

OBJECTIVES = ("points", "margin", "round", "win")
PILOT = 1 << 39  # games from here on are for finding the plan: no answer counts them
LEAST = 8_192  # the fewest uses played out, all cards together
PIECE = 256  # games of a use that are played without a look whether to stop
FIRST_LOOK = 24  # games for every use of a card
AT_ONCE = 4  # cards whose uses are played at a time, on any number of threads
# An opportunity cost too small to matter: points, and chance to win.
ENOUGH, ENOUGH_SHARE = 0.005, 0.0005
RIVAL = 0.1  # share of the highest cost of a use, from which others are also played
UNKNOWN = 100.0  # cost of a choice before any game
# Rare values may be unseen so far: this many, this far apart, are assumed to have been seen too.
UNMET, APART = 2, 10.0
SURE = 2.0  # standard deviations
# What a search with LEAST uses costs at most against one with 16 times as many, of a chance. Of 56
# on 14 positions from games, 54 cost less. With four times as many uses it was about half of that.
MISSED = 0.02
STEPS, FOREMOST = (0.5, 1.0, 1.5), 3  # where `cost_of_all` tries its t: of these, in errors


def budget_for(games: int) -> int:
    """Return how many uses are played out for an answer: from one to two for each game.

    It is the least of LEAST, 2 LEAST, … that is not below the games. With two actions that is at
    most half of all that is played: a bad plan harms as much as imprecise values.
    """
    budget = LEAST
    while budget < games:
        budget *= 2
    return budget


@dataclass
class Contest:
    """The uses of a card from a source, compared two by two on the games that both played.

    weight: chance of the card if its source is chosen.
    games: number played in all, not by every use.
    both: int64[k, k], games of two uses.
    apart: int64[objectives, k, k], sums of first minus second; squares: int64[k, k], of that in the
    requested objective.
    best: the use that no other is ahead of.
    promise: what each use may gain on it on average.
    cost, error: mean and standard deviation of what choosing it may cost, over all others.
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
        # Before any game, two uses cannot be compared, and a single one needs no comparison.
        self.cost = self.error = UNKNOWN if k > 1 else 0.0
        self.promise = [self.cost] * k

    @property
    def place(self) -> int:
        """The chosen use."""
        return self.places[self.best]

    @property
    def rivals(self) -> list[int]:
        """Return the chosen use and those that the cost is about; all of them before any game."""
        if not self.games:
            return list(range(len(self.places)))
        least = RIVAL * max(self.promise)
        return [i for i, mean in enumerate(self.promise) if i == self.best or mean >= least]

    @property
    def known(self) -> int:
        """Return the games of both the closest rival and the chosen use."""
        closest = max(range(len(self.places)), key=lambda i: self.promise[i])
        return int(self.both[self.best, closest])

    def roots(self) -> list[tuple[int, int, int]]:
        """Return what to play next: the rivals, as the kernel knows them."""
        source = HOLD if self.source == DRAW else TAKE
        return [(source, self.kind, self.places[i]) for i in self.rivals]

    def add(self, tally: np.ndarray, games: int, at: int, unit: float) -> None:
        """Count games of the rivals. at, unit: of the requested objective."""
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
        """Move to the use that is furthest ahead of the chosen one, until none is."""
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
        """Return how much better the chosen use looks than another, and the standard error."""
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
    """Return mean and mean square of what another gains on a choice that looks this far ahead."""
    if not error:
        return 0.0, 0.0
    z = ahead / error
    density = exp(-z * z / 2) / math.sqrt(2 * math.pi)
    beyond = erfc(z / math.sqrt(2)) / 2
    mean = error * density - ahead * beyond
    return max(mean, 0.0), max((ahead**2 + error**2) * beyond - ahead * error * density, 0.0)


def cost_of_all(gaps: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return upper bounds for mean and standard deviation of what the best other use gains.

    gaps: for each other use, how much better the choice looks, and the standard error. The best of
    several gains at most any t plus, for each, what exceeds t. It varies no more than the one that
    varies most.
    """
    costs = [opportunity_cost(*gap) for gap in gaps]
    foremost = sorted(zip(costs, gaps, strict=True), reverse=True)[:FOREMOST]
    beyond = [0.0, *(step * error for _, (_, error) in foremost for step in STEPS)]
    mean = min(t + sum(opportunity_cost(gap + t, error)[0] for gap, error in gaps) for t in beyond)
    square = sum(square for _, square in costs)
    return mean, math.sqrt(min(square, max((error**2 for _, error in gaps), default=0.0)))


class Pilot:
    """The search for the plan of a position; `grow` continues it."""

    def __init__(
        self,
        rules: NoprobRules,
        position: Position,
        policies: Sequence[Policy],
        names: Sequence[str],
        objective: str,
        seed: int,
        table: RoundsWonEquity | None = None,
    ) -> None:
        """Begin a search. names: legal actions. objective: what the plan should be best for.

        table: what values the standing after the round. The number of processors, and whom to
        report progress to, may be set at any time.
        """
        self.rules, self.position, self.policies = rules, position, policies
        self.play_out, self.seed = objective == "win", seed
        self.processors = 1
        self.progress: StageProgress | None = None
        self.at = OBJECTIVES.index(objective)
        self.table = table if self.play_out else None
        self.unit = 1 / EQUITY if self.table else units(position.players)[self.at]
        self.contests = list(_contests(rules, position, names))
        self.budget = self.played = 0
        self._lock = threading.Lock()
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
        """Play more uses out, until there are `budget` in all.

        The steps do not depend on the calls, nor on where one was stopped. Any number of threads
        may call.
        """
        with self._lock, ThreadPoolExecutor(self.processors) as pool:
            while True:
                while self.played < self.budget and not self.settled:
                    self._step(pool)
                    if self.progress:
                        self.progress(min(1.0, self.played / budget), "looking for the best uses")
                if self.budget >= budget:
                    return
                self.budget = max(LEAST, 2 * self.budget)

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
        stop = stopper()
        tallies = list(pool.map(self._tally, chosen, games, repeat(stop)))
        for contest, more, tally in zip(chosen, games, tallies, strict=True):
            self.played += more * len(contest.rivals)
            contest.add(tally, more, self.at, self.unit)

    def _tally(self, contest: Contest, games: int, stop: Callable[[], None]) -> np.ndarray:
        job = self._job(contest.held, contest.roots())
        tally = np.zeros(job.shape, dtype=np.int64)
        for done in range(0, games, PIECE):
            stop()
            tally += job.play(self.seed, PILOT + contest.games + done, min(PIECE, games - done))
        return tally

    def _job(self, position: Position, roots: Sequence[tuple[int, int, int]]) -> Job:
        how = NO_PLAN, self.play_out, self.table
        return job_of(self.rules, position, self.policies, roots, *how)

    def plan(self) -> np.ndarray:
        """Return the best use of every possible card: int64[2, KINDS], drawn and taken."""
        plan = np.full((2, transition.KINDS), PUT_AWAY, dtype=np.int64)
        for contest in self.contests:
            plan[contest.source, contest.kind] = contest.place
        return plan

    def short_of(self, source: int) -> float:
        """Return how much a better plan might improve drawing or taking, with 95 %.

        What is not known of rare uses would add up to far more than searches were found to miss.
        """
        contests = [contest for contest in self.contests if contest.source == source]
        mean = sum(c.weight * c.cost for c in contests)
        square = sum((c.weight * c.error) ** 2 for c in contests)
        bound = float(mean + SURE * math.sqrt(square))
        if OBJECTIVES[self.at] in SHARES:
            return min(bound, MISSED * math.sqrt(LEAST / max(self.budget, LEAST)))
        return bound

    def then(self) -> FollowUps:
        """Return the plan: what to do with the discard, and with each card that may be drawn."""
        uses: dict[str, list[int]] = {}
        follow_ups: dict[str, tuple[FollowUp, ...]] = {}
        for contest in self.contests:
            use = place_name(self.rules, contest.kind, contest.place)
            if contest.source == TAKE:
                follow_ups["take"] = (FollowUp(use),)
            else:
                uses.setdefault(use, []).append(contest.kind)
        if uses:
            follow_ups["draw"] = after_draws(self.rules, uses)
        return follow_ups

    def notes(self) -> tuple[str, ...]:
        """Return the plan in words, and how much better the best one might be."""
        sources = {"take": TAKE, "draw": DRAW}
        sentences = [
            self._doubted(follow_ups_text(name, uses), sources[name])
            for name, uses in self.then().items()
        ]
        if sentences:
            sentences.append(
                say(
                    "the best use of each card was found on separate random games; the intervals "
                    "allow for a better use not found (95 %)"
                )
            )
        return tuple(sentences)

    def _doubted(self, use: str, source: int) -> str:
        short = self.short_of(source)
        if not short:
            return use
        if OBJECTIVES[self.at] in SHARES:
            better = in_percent(significant(100 * short))
            return say("{use} (the best: at most {share} better)", use=use, share=better)
        return say(
            "{use} (the best: at most {points} points better)", use=use, points=significant(short)
        )


def units(seats: int) -> tuple[float, ...]:
    """Return what one count is worth in each objective."""
    return 1.0, 1 / (seats - 1), 1 / WIN, 1 / WIN


def _contests(rules: NoprobRules, position: Position, names: Sequence[str]) -> Any:
    """Return every possible card, with its uses."""
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
    """Return pile and discards after a card was drawn.

    If the pile was empty, it was made again of the discards below the top. The redraw then treats
    the remembered ones as possibly hidden, too.
    """
    if position.pile_left(rules):
        return {"pile": None if position.pile is None else position.pile - 1}
    anew = len(position.seen) + position.unknown_discards(rules)
    return {"pile": anew - 1, "seen": ()}
