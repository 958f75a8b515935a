"""How much can be gained against `best`? A lower bound, by a player who thinks one step ahead.

One seat plays as `advise` would. At each of its decisions, every action is played out many times,
with `best` in all seats from then on and hidden cards drawn at random from the unseen ones. The
seat leaves the usual action of `best` only for one that has proved better. All others play `best`.
The same game is also played with `best` in that seat, with the same cards and dice; the difference
is the gain. A player who exploits `best` fully gains that or more.

Rollouts use another seed than the game, and other random numbers for each decision, so they see
nothing of the game to come. Each decision promises what it gains to leave `best` once and to follow
it from then on. If rollouts are right, the sum of these promises is the gain, apart from sampling
error. They are right where nothing is hidden. Hidden cards are drawn at random from the unseen
ones, without inference from what the others have played and drawn (unless `recalls` is set). There
the promise can be wrong, and `Response.apart` measures by how much.

The gain is known much better without the luck of the games. What the seat gains is, on average,
the sum over its decisions of what the action gains over the usual one, if all play `best` from then
on (the performance difference lemma of Kakade and Langford 2002). So an action that leaves `best`
is played out from where all cards of the game lie, and so is the usual one. These rollouts had no
part in the choice, and cards still to be drawn are drawn again. `Response.adjusted` sums that up.
Like AIVAT (Burch et al. 2018) it is unbiased, whatever the seat believes of hidden cards. Where
rollouts look up the end of a round in an equity table, it has the error of that table.

A seat that sees all cards (`sees`) shows what they are worth, one step ahead. Inference gains no
more at a single decision, and mostly less: what the others did says less than their cards. It is no
upper bound of what a player gains who plans several steps.

A game may let a seat think without rollouts (`Game.thinking`). Then its own job plays the games,
and what the seat looks at promises the gain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

import lama_odds
from lama_odds.analysis.search import STAGES, Thinker, gains_of, stages_to
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.best import WIN as WINNING
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import RolloutJob, ThinkingJob
from lama_odds.games.interface.tally_layout import EQUITY, PARTS, WIN
from lama_odds.games.shared.stepper import Line, line_of
from lama_odds.jit.job import Job
from lama_odds.simulation.run import default_threads, warm_up
from lama_odds.statistics.intervals import ALPHA, Z, holm, mean_of


@dataclass(frozen=True)
class Response:
    """What a seat gained, games in which it sat in each seat in turn.

    gain: against `best` in its place: points of a round (fewer), or more of the chance to have the
    lowest total of a round or to win a game.
    base: what `best` gets there.
    decisions: of the seat in a game where there was a choice.
    departed: share of them with another action than the usual one.
    promised: the gain of these actions by rollouts that had no part in choosing them. It is more
    precise than the gain. The two differ by sampling error, and by hidden cards that rollouts draw
    at random from the unseen ones.
    played: games of rollouts for a decision, to choose. most: at most; 0 if it thinks without.
    recalls: whether the seat infers hidden cards from the round so far. sees: whether it sees them.
    adjusted: the gain without the luck of the games, as rollouts from where all cards lay have it.
    It has the same expectation (see the top). None: the game cannot be played on from there.
    """

    rules: str
    players: int
    objective: str
    policy: str
    gain: Estimate
    base: Estimate
    by_seat: tuple[Estimate, ...]
    decisions: float
    departed: float
    promised: Estimate
    played: float
    games: int
    most: int
    seed: int
    recalls: bool = False
    sees: bool = False
    adjusted: Estimate | None = None
    version: str = field(default=lama_odds.__version__)

    @property
    def known(self) -> Estimate:
        """The gain, as well as it is known."""
        return self.gain if self.adjusted is None else self.adjusted

    @property
    def saved(self) -> float:
        """How many times as many games the gain itself would need to be known as well."""
        error = self.known.stderr
        return (self.gain.stderr / error) ** 2 if error else math.inf

    @property
    def apart(self) -> Estimate:
        """How much more rollouts promise than was gained in the games.

        Not than `known`: where nothing is hidden, that is the promise itself. The error is that of
        independent values. If rollouts are right, the promise is the expected gain, game by game,
        and the true error is smaller. So a test with this error rejects right rollouts no more
        often than stated.
        """
        value = self.promised.value - self.gain.value
        stderr = math.hypot(self.gain.stderr, self.promised.stderr)
        return Estimate.normal(value, stderr, self.games, Z)


@dataclass(frozen=True)
class Seat:
    """A seat of a game: gain and base in whole units; what its rollouts promised and played.

    adjusted: what the same actions gain in rollouts from where all cards lay.
    """

    gain: int
    base: int
    decisions: int
    departed: int
    promised: int
    played: int
    adjusted: int


@dataclass(frozen=True)
class Deviator(Thinker):
    """The question: a player who thinks, and what that gains. sees: whether it sees all cards."""

    sees: bool = False

    def choose(self, line: Line, first: int) -> tuple[str, int, int]:
        """The action to take in a game, what it gains, and the games played to choose it.

        The gain is measured in games that had no part in the choice, as many as the last of
        `stages`, and added up in whole units of `_unit`. first: index of the first game. ValueError
        if the usual action is not legal.
        """
        usual = line.usual
        hidden = line.hidden() if self.sees else None
        position = line.position_with_past() if hidden else line.position()
        picked = self.pick(position, usual, first, line.only, hidden or ())
        if not picked.better:
            return usual, 0, picked.played
        more = self._gain(picked.rollouts, usual, picked.action, first)
        return picked.action, more, picked.played

    def from_all_cards(self, line: Line, action: str, gain: int, first: int) -> int:
        """What an action gains from where all cards of a game lie; see `choose`.

        gain: what it gains from what the seat knows. That is the same where nothing is hidden.
        """
        hidden = None if self.sees or action == line.usual else line.hidden()
        if not hidden:
            return gain
        rollouts = self.rollouts(line.position_with_past(), (line.usual, action), hidden)
        return self._gain(rollouts, line.usual, action, first)

    def _gain(self, rollouts: RolloutJob, usual: str, action: str, first: int) -> int:
        """What an action gains in games that had no part in the choice, see `choose`."""
        mine, best = rollouts.actions.index(usual), rollouts.actions.index(action)
        fresh = np.zeros(rollouts.job.shape, dtype=np.int64)
        self.play(rollouts.job, first + self.stages[-1], self.stages[-1], fresh)
        unit = rollouts.units[rollouts.objectives.index(self.objective)]
        more = gains_of(rollouts, fresh, self.counts, mine)[best]
        return more * round(unit / self._unit)

    def result(self, penalties: Sequence[int], seat: int) -> int:
        """What counts of a round with these penalties."""
        result = self.counts.result
        assert result is not None  # only of whole games and of turns there is none
        return int(result(penalties, seat))

    def luck_of(self, seats: Sequence[Seat]) -> int:
        """What a game gave its thinking seats beside `Seat.adjusted`: 0 on average."""
        unit = 1 / WIN if self.whole else 1.0
        counts = round(unit / self._unit) * self.stages[-1]
        return sum(counts * seat.gain - seat.adjusted for seat in seats)

    @property
    def _unit(self) -> float:
        """What promised gains are counted in: all rollouts count in multiples of it."""
        if self.whole:
            return 1 / EQUITY
        return 1 / (WIN if self.counts.share else PARTS)


def best_response(
    game: Game[R, P],
    rules: R,
    players: int,
    objective: str,
    *,
    games: int,
    most: int = STAGES[-1],
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    recalls: bool = False,
    sees: bool = False,
    policy: Policy | None = None,
) -> Response:
    """What one seat gains against `best`, playing each of `games` games in every seat.

    objective: points (first rounds, fewer are better), round (the lowest total of first rounds) or
    win (whole games). most: games of rollouts for a decision at most. recalls: whether that seat
    infers hidden cards from the round so far, where the game can (it takes some four times as
    long). sees: whether it sees them. policy: another than `best`. The error is over games, the
    seats of one counted together.
    Raises LimitError for a game whose play cannot be followed, or without any game.
    """
    if games < 2:
        raise LimitError(f"too few games: {games}, at least 2 are needed")
    policy = policy or game.best_policy(rules, players, objective)
    policies = (policy,) * players
    stages = stages_to(most)
    deviator = Deviator(game, rules, policies, objective, stages, seed, recalls, sees)
    if objective == WINNING and game.has("thinking"):
        return _without_rollouts(deviator, games, threads, progress)
    base = game.simulation(rules, policies, rounds=not deviator.whole)
    warm_up(base, seed)
    # What has to be compiled or solved is, before threads do so at once.
    line = line_of(game, rules, policies, seed, 0, 0, deviator.whole)
    if not line.over:
        deviator.choose(line, 0)
    adjusts = line.hidden() is not None
    by_game: list[list[Seat]] = []
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        for seats in pool.map(partial(each_seat, deviator, base), range(games)):
            by_game.append(seats)
            if progress:
                progress(len(by_game), games)
    return _response(deviator, by_game, most, adjusts)


def _without_rollouts(
    deviator: Deviator, games: int, threads: int | None, progress: Progress | None
) -> Response:
    """The same where a seat thinks without rollouts; games of its own are played for that."""
    deviator = replace(deviator, stages=(1,))  # a promise is counted once
    seats_of = range(len(deviator.policies))
    jobs = [deviator.game.thinking(deviator.rules, deviator.policies, seat) for seat in seats_of]
    every = [job for job in jobs if job is not None]
    by_game: list[list[Seat]] = []
    warm_up(every[0].job, deviator.seed)
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        for seats in pool.map(partial(_thought, every, deviator.seed), range(games)):
            by_game.append(seats)
            if progress:
                progress(len(by_game), games)
    return _response(deviator, by_game, 0, False, 1 / EQUITY)


def _thought(jobs: Sequence[ThinkingJob], seed: int, game: int) -> list[Seat]:
    """A game with each seat in turn thinking, without rollouts."""
    seats = []
    for one in jobs:
        sums = one.job.play(seed, game, 1)[:, 0]
        if sums[one.unfinished]:
            raise LimitError(f"game {game} of seed {seed} did not end")
        gain = int(sums[one.thought] - sums[one.usual])
        decisions, departed = int(sums[one.decisions]), int(sums[one.departed])
        promised, base = int(sums[one.promised]), int(sums[one.usual])
        seats.append(Seat(gain, base, decisions, departed, promised, 0, 0))
    return seats


def told_apart(responses: Sequence[Response], alpha: float = ALPHA) -> list[bool]:
    """Of which of these the promise is not the gain: t tests over games, Holm's correction.

    A wrong one is among them with a chance of at most alpha.
    """
    from scipy.stats import t

    p = [
        2 * t.sf(abs(one.apart.value) / one.apart.stderr, one.games - 1) if one.apart.stderr else 1
        for one in responses
    ]
    return [corrected <= alpha for corrected in holm(p)]


def each_seat(deviator: Deviator, base: Job, game: int) -> list[Seat]:
    """A game with each seat in turn thinking ahead; base: the job in which nobody does."""
    seats = range(len(deviator.policies))
    tally = base.play(deviator.seed, game, 1)
    results = [int(tally[seat, 0]) for seat in seats]
    if not deviator.whole:
        results = [deviator.result(results, seat) for seat in seats]
    return [_seat(deviator, game, seat, results[seat]) for seat in seats]


def _seat(deviator: Deviator, game: int, seat: int, base: int) -> Seat:
    """A game with one seat thinking ahead; base: what `best` gets there."""
    line = line_of(
        deviator.game, deviator.rules, deviator.policies, deviator.seed, game, seat, deviator.whole
    )
    line.recalls = deviator.recalls
    decisions = departed = promised = adjusted = played = number = 0
    while not line.over:
        first = deviator.first(game, seat, number)
        action, gain, more = deviator.choose(line, first)
        number += 1
        promised += gain
        adjusted += deviator.from_all_cards(line, action, gain, first)
        decisions += more > 0
        departed += action != line.usual
        played += more
        line.act(action)
    result = line.result() if deviator.whole else deviator.result(line.penalties, seat)
    sign = 1 if deviator.counts.higher else -1
    return Seat(sign * (result - base), base, decisions, departed, promised, played, adjusted)


def _response(
    deviator: Deviator,
    by_game: Sequence[Sequence[Seat]],
    most: int,
    adjusts: bool,
    unit: float = 0.0,
) -> Response:
    """All games together. unit: what results are counted in, if not as usual."""
    players, games = len(deviator.policies), len(by_game)
    unit = unit or (1 / WIN if deviator.whole else 1.0)
    every = [seat for seats in by_game for seat in seats]
    decisions = max(1, sum(seat.decisions for seat in every))
    per_game = deviator._unit / players / deviator.stages[-1]

    def mean(values: Sequence[int], scale: float) -> Estimate:
        return mean_of(sum(values), sum(v * v for v in values), len(values), scale)

    adjusted = mean([sum(s.adjusted for s in seats) for seats in by_game], per_game)
    return Response(
        rules=deviator.rules.id,
        players=players,
        objective=deviator.objective,
        policy=deviator.policies[0].name,
        gain=mean([sum(s.gain for s in seats) for seats in by_game], unit / players),
        base=mean([sum(s.base for s in seats) for seats in by_game], unit / players),
        by_seat=tuple(mean([seats[s].gain for seats in by_game], unit) for s in range(players)),
        decisions=decisions / len(every),
        departed=sum(seat.departed for seat in every) / decisions,
        promised=mean([sum(s.promised for s in seats) for seats in by_game], per_game),
        played=sum(seat.played for seat in every) / decisions,
        games=games,
        most=most,
        seed=deviator.seed,
        recalls=deviator.recalls,
        sees=deviator.sees,
        adjusted=adjusted if adjusts else None,
    )
