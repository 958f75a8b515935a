"""A recorded game looked at again: every decision graded, every result taken apart."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import lama_odds
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.grades import (
    GRADES,
    Continuation,
    Graded,
    Rated,
    Rating,
    Worth,
    grade_of,
    graded,
    learned_worth,
    rating,
    references,
    solved_worth,
)
from lama_odds.analysis.coach.luck import Account, Course, Swing, assumptions, course_of, stretch_of
from lama_odds.core.errors import NothingToDecideError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain, plain
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.game import AnyGame, Game, P, R
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.shared.decisions import Decision, decisions, read_record, recorded_of, viewer
from lama_odds.jit.deferred import Clock
from lama_odds.statistics.intervals import FEWEST, Z, at_fixed

# What the decisions of a seat come to, with intervals that hold for the sums.
#
# Each decision is played out on random numbers of its own, so their sampling errors are
# independent. The half-width of a sum is the root of the sum of squares, above and below separately
# (MOVER: Zou & Donner 2008, Statistics in Medicine 27, 1693-1702).
#
# The sum of losses is biased slightly upward: of several actions, a too high estimate tends to look
# best (winner's curse). Many small losses of that kind would carry the whole interval away from the
# truth. So its lower end depends only on what decisions lost for certain: `grades.Margin.floor`,
# whose mean is not above the true loss.
#
# Start, luck and skill are sums of values V and Q (see `luck`), played out on a number of
# games that is fixed beforehand: their intervals are normal. V and Q of one decision come from the
# same games, so their intervals allow for what the two errors have in common.
#
# Learned values have a measured error instead, of a chance and of the difference of two actions.
# The decisions of one turn rest on the same chances, so the errors of such differences add up.
# Those of different turns are assumed to be independent, like the boards on which they were
# measured.

SEED_BYTES = 6  # JSON has whole numbers up to 2**53
Bounds = tuple[float, float]


def seed_of(seed: int, line: int, place: int) -> int:
    """Seed of a decision's games: from the review's seed, the line, and the place on that line."""
    told = f"{seed} {line} {place}".encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=SEED_BYTES).digest(), "big")


def lost_by(decisions: Sequence[Graded]) -> tuple[float, float, float]:
    """What decisions lost in sum, and the bounds of its 95 % interval."""
    lost = sum(graded.error.value for graded in decisions)
    below, above = _spread(_loss_errors(decisions))
    return lost, min(lost, max(0.0, lost - below)), lost + above


@dataclass(frozen=True)
class Spread:
    """Half-widths of the 95 % intervals of the parts of a seat's `luck.Account`."""

    start: float
    rolls: float
    between: float
    skill: float
    result: float
    adjusted: float

    def to_json(self, account: dict[str, Any]) -> dict[str, Any]:
        """Intervals of the parts; account: their values by the same names."""
        values = {**account, **account["luck"]}
        names = ("start", "own_rolls", "between", "skill", "result", "luck_adjusted")
        parts = (self.start, self.rolls, self.between, self.skill, self.result, self.adjusted)
        return {
            name: [values[name] - half, values[name] + half]
            for name, half in zip(names, parts, strict=True)
        }


def spread_of(
    own: Sequence[Worth],
    stretches: Sequence[int],
    swings: Sequence[Swing],
    places: Sequence[int],
    share: bool,
    final: bool,
) -> Spread:
    """How far the parts of a seat's result may be off.

    own: all decisions of the seat in order; stretches: the part of the record that each is in;
    swings: of the seat; places: index of each decision among those of the review. share: whether
    values are chances. final: whether the result is known; else it is the value of the last action.
    """
    n = len(own)
    # How often V and Q of each decision are in a part.
    start, skill, result = ([[0, 0] for _ in own] for _ in range(3))
    luck = {True: [[0, 0] for _ in own], False: [[0, 0] for _ in own]}
    moves = {swing.after: swing.own for swing in swings}
    for i in range(n):
        first = i == 0 or stretches[i] != stretches[i - 1]
        last = i == n - 1 or stretches[i] != stretches[i + 1]
        start[i][0] += first
        skill[i][0] -= 1
        skill[i][1] += 1
        if places[i] in moves:
            part = luck[moves[places[i]]]
            part[i][1] -= 1
            if not last:
                part[i + 1][0] += 1
        elif i == n - 1 and not final:
            result[i][1] += 1
    both = [[s[0] + k[0], s[1] + k[1]] for s, k in zip(start, skill, strict=True)]
    errors = [_Error.of(worth, share) for worth in own]
    parts = (start, luck[True], luck[False], skill, result, both)
    return Spread(*(_half_width(errors, part) for part in parts))


@dataclass(frozen=True)
class _Error:
    """Half-widths of V, of Q and of their difference; solved: whether they are sure bounds.

    learned: the turn of a decision whose values were learned, otherwise None.
    """

    before: float
    after: float
    apart: float
    solved: bool
    learned: int | None = None

    @classmethod
    def of(cls, worth: Worth, share: bool) -> _Error:
        """Those of a decision, for a number of games fixed beforehand."""
        if worth.learned:
            value, other, apart = map(_bound, (worth.before, worth.after, worth.skill))
            return cls(value, other, apart, False, worth.decision.turn)
        before, after = _half_of(worth.before, share), _half_of(worth.after, share)
        return cls(before, after, _half_of(worth.skill, False), not worth.games)

    def times(self, before: int, after: int) -> float:
        """The half-width of the sum of V and Q, each counted as often as given."""
        if self.solved:
            if before == -after:
                return abs(after) * self.apart
            return abs(before) * self.before + abs(after) * self.after
        common = self.before**2 + self.after**2 - self.apart**2
        square = (before * self.before) ** 2 + (after * self.after) ** 2 + before * after * common
        return math.sqrt(max(0.0, square))


def _half_width(errors: Sequence[_Error], part: Sequence[Sequence[int]]) -> float:
    """The half-width of a sum; part: how often V and Q of each decision are in it."""
    sure, chance = 0.0, [0.0]
    turns: dict[int, float] = {}
    for error, (before, after) in zip(errors, part, strict=True):
        half = error.times(before, after)
        if error.solved:  # bounds of what was solved have no chance in them
            sure += half
        elif error.learned is not None and before == -after:
            turns[error.learned] = turns.get(error.learned, 0.0) + half
        else:
            chance.append(half)
    return sure + math.hypot(*chance, *turns.values())


def _bound(value: Estimate) -> float:
    """Half of an interval, unchanged."""
    return (value.high - value.low) / 2


def _half_of(value: Estimate, share: bool) -> float:
    """Half of the interval of a value; share: it is one."""
    if not value.n:
        return _bound(value)
    if not share:
        fixed = at_fixed(value)
        return (fixed.high - fixed.low) / 2
    # About Wilson's, with the error of shares that may be parts.
    return math.sqrt((Z * value.stderr) ** 2 + (Z * Z / (2 * value.n)) ** 2)


def _spread(errors: Sequence[tuple[float, float, float, float]]) -> Bounds:
    """How far a sum may be off, below and above.

    errors: of each part, what adds up as it is below and above, and what adds up in squares.
    """
    sure_below, sure_above, below, above = zip(*errors, strict=True) if errors else ((),) * 4
    return sum(sure_below) + math.hypot(*below), sum(sure_above) + math.hypot(*above)


def _loss_errors(decisions: Sequence[Graded]) -> list[tuple[float, float, float, float]]:
    """The errors of losses, as `_spread` takes them; those that are learned by turn."""
    found = [_loss_error(each) for each in decisions if not each.learned]
    turns: dict[int, list[tuple[float, float, float, float]]] = {}
    for each in decisions:
        if each.learned:
            turns.setdefault(each.decision.turn, []).append(_loss_error(each))
    sums = ([sum(parts) for parts in zip(*errors, strict=True)] for errors in turns.values())
    return [*found, *((a, b, c, d) for a, b, c, d in sums)]


def _loss_error(graded: Graded) -> tuple[float, float, float, float]:
    """The error of a loss, as `_spread` takes it."""
    margin, lost = graded.margin, graded.error.value
    if graded.method == "exact":  # bounds of what was solved have no chance in them
        return lost - margin.floor, margin.above, 0.0, 0.0
    return lost - margin.floor, 0.0, margin.below, margin.above


# Games for each decision, of whole games and of rounds: a game of four players is reviewed in
# 10 s (dice) or half a minute (cards) on two processors.
GAMES = {"win": 3_000}
ROUNDS = 16_000
# A first look: if it settles the grade, no more is played.
FIRST = 8  # of that many games one
# A decision with a doubtful grade is played out again, once, with MORE times the games.
MORE = 4
WORST = 3
BEST_KNOWN = "the best known"


@dataclass(frozen=True)
class SeatReview(Plain):
    """All decisions of a seat: how many had a choice, and what they cost in total.

    error_low, error_high: 95 % interval of that cost. spread: how far the parts of the result may
    be off (see `intervals`).
    """

    KEYS = (
        "seat policy decisions error error_low error_high mean_error=mean "
        "mean_error_low mean_error_high grades worst rating"
    )

    seat: int
    policy: str
    decisions: int
    error: float
    error_low: float
    error_high: float
    grades: dict[str, int]
    worst: tuple[int, ...]
    spread: Spread
    rating: Rating | None = None

    @property
    def mean(self) -> float:
        """What a decision cost on average."""
        return self.each(self.error)

    @property
    def mean_error_low(self) -> float:
        """The lower end of its interval."""
        return self.each(self.error_low)

    @property
    def mean_error_high(self) -> float:
        """The upper end of its interval."""
        return self.each(self.error_high)

    def each(self, lost: float) -> float:
        """A loss by decision."""
        return lost / self.decisions if self.decisions else 0.0


@dataclass(frozen=True)
class Review:
    """The answer: graded decisions in order, and by seat what they come to."""

    rules: str
    players: int
    objective: str
    counts: Objective
    opponents: str
    borders: tuple[float, ...]
    decisions: tuple[Graded, ...]
    worths: tuple[Worth, ...]  # of each decision
    seats: tuple[SeatReview, ...]
    course: Course
    method: str
    games: int
    seed: int
    seconds: float
    assumptions: tuple[str, ...]
    version: str = field(default=lama_odds.__version__)

    def to_json(self) -> dict[str, Any]:
        """One object; `worst` are indices into `decisions`."""
        by_seat = dict(zip([s.seat for s in self.seats], self.course.accounts, strict=True))
        return {
            "rules": self.rules,
            "players": self.players,
            "objective": self.objective,
            "opponents": self.opponents,
            "borders": dict(zip(GRADES[1:], self.borders, strict=True)),
            "seats": [
                {
                    **s.to_json(),
                    **by_seat[s.seat].to_json(),
                    "intervals": s.spread.to_json(by_seat[s.seat].to_json()),
                }
                for s in self.seats
            ],
            "decisions": [
                {**graded.to_json(), "continuation": worth.to_json()}
                for graded, worth in zip(self.decisions, self.worths, strict=True)
            ],
            **plain({"luck": self.course.swings, "course": self.course.levels}),
            "method": self.method,
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "assumptions": list(self.assumptions),
            "version": self.version,
        }


@dataclass(frozen=True)
class Asked:
    """The question that a review puts at each decision; seed: of the review.

    learned: whether learned values will do.
    """

    game: AnyGame
    rules: Any
    objective: str
    opponents: Policy | None
    games: int
    threads: int | None
    seed: int
    learned: bool = False

    @property
    def counts(self) -> Objective:
        """What is counted."""
        return self.game.objectives[self.objective]

    def grade(self, decision: Decision, games: int) -> Graded:
        """The grade of a decision, sampled with this number of games, or exact."""
        advice = advise(
            self.game,
            self.rules,
            decision.position,
            objective=self.objective,
            opponents=self.opponents,
            limits=Limits(
                games=games, threads=self.threads, learned=self.learned, keep=(decision.chosen,)
            ),
            seed=self.seed,
            thorough=False,
        )
        if advice.interrupted:
            raise KeyboardInterrupt
        return graded(decision, advice, self.counts.grades, self.game.chances)

    def continuation(self, first: Any) -> Continuation:
        """What plays on after each decision; first: a position of the record."""
        return Continuation(
            self.game,
            self.rules,
            first,
            self.objective,
            self.opponents,
            max(FEWEST, self.games),
            self.threads,
            fewer=max(FEWEST, self.games // FIRST),
        )


def review(
    game: Game[R, P],
    rules: R,
    text: str,
    *,
    seat: int | None = None,
    objective: str | None = None,
    opponents: Policy | None = None,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Review:
    """Grade every decision of a record (of one seat if `seat` is given).

    games: for each decision that is sampled; those with a clear grade get fewer, doubtful ones up
    to MORE times as many. Without it, learned values need none. Raises ReadError with line and
    place if the record is damaged, NothingToDecideError if it has no decision.
    """
    clock = Clock()
    record = read_record(game, text)
    if seat is not None and not 0 <= seat < record.players:
        raise ReadError(f"seat {seat}: the seats of this record are 0 to {record.players - 1}")
    if seat is None:
        seat = viewer(record)  # the only one whose cards are known
    found = [d for d in decisions(game, rules, text) if seat is None or d.seat == seat]
    if not found:
        raise NothingToDecideError("this record", ["it has no decisions"])
    objective = objective or game.recorded_objective(rules, found[0].position)
    learned = games is None
    games = games or games_for(game, objective)
    if game.objectives[objective].alone:
        opponents = None  # nobody else acts
    asked = Asked(game, rules, objective, opponents, games, threads, seed, learned)
    going_on = asked.continuation(found[0].position)
    done, worths = _look_at_all(asked, found, going_on, progress)
    as_measured = opponents is None and games == games_for(game, objective)
    rated = references(rules.id, record.players, objective) if as_measured else ()
    seats = [seat] if seat is not None else list(range(record.players))
    course = course_of(game, record, text, worths, objective, going_on.table)
    course = replace(course, accounts=tuple(course.accounts[s] for s in seats))
    exact = all(g.method == "exact" for g in done)
    sampled = any(g.games for g in done)
    return Review(
        rules=rules.id,
        players=record.players,
        objective=objective,
        counts=game.objectives[objective],
        opponents=opponents.name if opponents else BEST_KNOWN,
        borders=asked.counts.grades,
        decisions=tuple(done),
        worths=tuple(worths),
        seats=tuple(
            _seat(asked, s, record.policies, done, worths, course, account, rated)
            for s, account in zip(seats, course.accounts, strict=True)
        ),
        course=course,
        method="exact" if exact else "simulation",
        games=games if sampled else 0,
        seed=seed,
        seconds=clock.seconds,
        assumptions=assumptions(game, objective, games, MORE * games, seed, done, course, worths),
    )


def games_for(game: AnyGame, objective: str) -> int:
    """Games for each decision that is sampled, by default."""
    return GAMES.get(objective, ROUNDS) // recorded_of(game).fewer


def _look_at_all(
    asked: Asked,
    found: Sequence[Decision],
    going_on: Continuation,
    progress: StageProgress | None,
) -> tuple[list[Graded], list[Worth]]:
    """All decisions graded and valued, in order, each on random numbers of its own.

    A stretch of a seat is valued as solved if its first decision is solved to the end: then all
    that follow are too. If it is learned, the others are learned or solved.
    """
    done: list[Graded] = []
    worths: list[Worth] = []
    solved: dict[tuple[int, int], bool] = {}
    before: Counter[int] = Counter()  # decisions of each line; all of a line are of one seat
    for number, decision in enumerate(found):
        if progress:
            progress(number / len(found), "grading")
        seed = seed_of(asked.seed, decision.line, before[decision.line])
        before[decision.line] += 1
        graded = grade_in_stages(replace(asked, seed=seed), decision)
        stretch = decision.seat, stretch_of(asked.counts, decision)
        first = stretch not in solved
        known = solved.setdefault(stretch, graded.learned or _to_the_end(asked, graded))
        done.append(graded)
        if not known:
            worths.append(going_on.worth(decision, seed, first))
        else:
            worths.append((learned_worth if graded.learned else solved_worth)(graded))
    return done, worths


def _to_the_end(asked: Asked, graded: Graded) -> bool:
    """Whether a decision is solved, and with it all to the end of its stretch.

    The bounds of a whole game are those of a table that values later rounds: these are not solved.
    """
    sure = all(value.low == value.high for value in graded.values.values())
    return graded.method == "exact" and (sure or not asked.counts.whole_game)


def grade_in_stages(asked: Asked, decision: Decision) -> Graded:
    """Grade a decision: by a first look, then all its games, then more if that can settle it."""
    first = min(asked.games, max(FEWEST, asked.games // FIRST))
    graded = asked.grade(decision, first)
    if graded.learned:
        return graded
    if first < asked.games and worth_more(graded, last=False):
        graded = asked.grade(decision, asked.games)
    if graded.games == asked.games and worth_more(graded, last=True):
        graded = asked.grade(decision, MORE * asked.games)
    return graded


def worth_more(graded: Graded, last: bool) -> bool:
    """Whether more games may settle a grade.

    A forced action is not worth any. last: whether the next try is the last one. It has MORE times
    the games, which about halves the interval (MORE is 4). If the grade would still be doubtful
    then, these games are saved.
    """
    if not graded.doubtful or graded.forced:
        return False
    error = graded.error
    half = [error.value + (bound - error.value) / 2 for bound in (error.low, error.high)]
    return not last or grade_of(half[0], graded.borders) == grade_of(half[1], graded.borders)


def _seat(
    asked: Asked,
    seat: int,
    policies: Sequence[str],
    done: Sequence[Graded],
    worths: Sequence[Worth],
    course: Course,
    account: Account,
    rated: Sequence[Rated],
) -> SeatReview:
    places = [i for i, g in enumerate(done) if g.decision.seat == seat]
    every = [worths[i] for i in places]
    own = [i for i, g in enumerate(done) if g.decision.seat == seat and not g.forced]
    worst = sorted((i for i in own if done[i].error.value > 0), key=lambda i: -done[i].error.value)
    grades = Counter(done[i].grade for i in own)
    lost, low, high = lost_by([done[i] for i in own])
    spread = spread_of(
        every,
        [stretch_of(asked.counts, worth.decision) for worth in every],
        [swing for swing in course.swings if swing.seat == seat],
        places,
        asked.counts.share,
        account.final or bool(course.by),
    )
    return SeatReview(
        seat=seat,
        policy=policies[seat] if policies else "",
        decisions=len(own),
        error=lost,
        error_low=low,
        error_high=high,
        grades={name: grades[name] for name in GRADES},
        worst=tuple(worst[:WORST]),
        spread=replace(spread, result=spread.result + Z * course.error),
        rating=rating(lost / max(1, len(own)), len(own), rated),
    )
