"""A recorded game looked at again: every decision graded, every result taken apart."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import lama_odds
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
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
    places_of,
    rating,
    references,
    solved_worth,
)
from lama_odds.analysis.coach.kept import KeptReview, KeptReviews
from lama_odds.analysis.coach.kept import Question as KeptQuestion
from lama_odds.analysis.coach.luck import (
    Account,
    Course,
    assumptions,
    course_of,
    score_of,
    stretch_of,
)
from lama_odds.analysis.coach.reasons import Assumed, reasons
from lama_odds.analysis.coach.sums import Spread, lost_by, spread_of
from lama_odds.analysis.coach.turns import Turns, turns_of
from lama_odds.core.errors import NothingToDecideError, ReadError
from lama_odds.core.language import later, say
from lama_odds.core.plain import Plain, plain
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.capabilities import Record
from lama_odds.games.interface.game import AnyGame, Game, P, R
from lama_odds.games.interface.match_equity import AnyEquity, table_for
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.shared.decisions import (
    Decision,
    by_result,
    decisions,
    read_record,
    recorded_of,
    viewer,
)
from lama_odds.games.shared.record import ME, first_record
from lama_odds.jit.deferred import Clock
from lama_odds.statistics.intervals import FEWEST, Z

SEED_BYTES = 6  # JSON has whole numbers up to 2**53


def seed_of(seed: int, line: int, place: int) -> int:
    """Seed of a decision's games: from the review's seed, the line, and the place on that line."""
    key = f"{seed} {line} {place}".encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=SEED_BYTES).digest(), "big")


# Games for each decision, of whole games and of rounds: a game of four players is reviewed in
# 10 s (dice) or half a minute (cards) on two processors.
WHOLE_GAMES = 3_000
ROUNDS = 16_000
# A first look: if it settles the grade, no more is played.
FIRST_LOOK = 8  # divides the games of a decision
# A decision with a doubtful grade is played out again, once, with MORE times the games.
MORE = 4
WORST = 3
BEST_KNOWN = "the best known"
# Why a record has no decisions, by whether it has turns of unknown dice.
NOTHING = {
    False: later("it has no decisions"),
    True: later("it has no decisions, only results of turns"),
}


@dataclass(frozen=True)
class Lost(Plain):
    """All decisions of a player: how many had a choice, and what they cost in total.

    error_low, error_high: 95 % interval of that cost. shown: how many cost something for certain,
    and shown_error what these cost.
    """

    decisions: int
    error: float
    error_low: float
    error_high: float
    shown: int
    shown_error: float
    grades: dict[str, int]

    @property
    def mean_error(self) -> float:
        """What a decision cost on average."""
        return self.per_decision(self.error)

    @property
    def mean_error_low(self) -> float:
        """The lower end of its interval."""
        return self.per_decision(self.error_low)

    @property
    def mean_error_high(self) -> float:
        """The upper end of its interval."""
        return self.per_decision(self.error_high)

    def per_decision(self, loss: float) -> float:
        """Return what a loss of all decisions is on average for one of them."""
        return loss / max(1, self.decisions)


@dataclass(frozen=True)
class SeatReview(Lost):
    """All decisions of a seat.

    shown_low, shown_high: interval of `shown_error`. uncertain: indices of decisions that may have
    cost something. score: of the game, by its own count. spread: how far the parts of the result
    may be off (see `sums`).
    """

    KEYS = (
        "seat policy decisions error error_low error_high mean_error "
        "mean_error_low mean_error_high shown shown_error shown_low shown_high grades worst "
        "uncertain score rating"
    )

    seat: int
    policy: str
    worst: tuple[int, ...]
    spread: Spread
    shown_low: float
    shown_high: float
    uncertain: tuple[int, ...]
    score: float | None = None
    rating: Rating | None = None


@dataclass(frozen=True)
class Review(Plain):
    """The answer: graded decisions in order, and by seat what they come to.

    you: your seat, if one is. worse_than: what decisions must cost to be listed. unseen: seats with
    turns of which only the result is known; yours stays, others are left out.
    names: of the players, if the record has them.
    """

    KEYS = (
        "rules players objective opponents you worse_than unseen borders=border_of "
        "seats=seats_in_full decisions=decisions_in_full luck=course.swings course=course.levels "
        "method games seed seconds assumptions version"
    )

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
    you: int | None = None
    worse_than: float | None = None
    unseen: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    version: str = field(default=lama_odds.__version__)

    @property
    def border_of(self) -> dict[str, float]:
        """The least cost of each grade but the first."""
        return dict(zip(GRADES[1:], self.borders, strict=True))

    @property
    def seats_in_full(self) -> list[dict[str, Any]]:
        """What each seat's decisions come to, with its account and the intervals of that.

        ``worst`` and ``uncertain`` are indices into the decisions.
        """
        return [
            {**seat.to_json(), **account, "intervals": seat.spread.to_json(account)}
            for seat, account in zip(self.seats, plain(self.course.accounts), strict=True)
        ]

    @property
    def decisions_in_full(self) -> list[dict[str, Any]]:
        """Each decision, with what the policy that plays on would do."""
        return [
            {**graded.to_json(), "continuation": worth}
            for graded, worth in zip(self.decisions, self.worths, strict=True)
        ]


@dataclass(frozen=True)
class Grader:
    """What grades each decision of a review; seed: of the review.

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
        return graded(decision, self.advice(decision, games), self.counts.grades)

    def advice(self, decision: Decision, games: int) -> Advice:
        """The advice at a decision, sampled with this number of games, or exact."""
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
        return advice

    def explained(self, graded: Graded) -> Graded:
        """A costly decision, with what makes the best action better than the chosen one."""
        decision = graded.decision
        advice = self.advice(decision, max(FEWEST, min(graded.games, self.games)))
        advice = replace(advice, best=graded.best)  # as it was found with more games
        causes = reasons(
            self.game,
            self.rules,
            decision.position,
            advice,
            against=decision.chosen,
            assumed=Assumed(self.opponents),
            threads=self.threads,
        )
        return replace(graded, reason=" ".join(cause.text for cause in causes))

    def table(self, players: int) -> AnyEquity | None:
        """What values the scores after a round, if there is a table."""
        mine = self.game.best_policy(self.rules, players, self.counts.aim)
        policies = [mine] + [self.opponents or mine] * (players - 1)
        return table_for(self.rules.id, policies) if self.counts.whole_game else None

    def by_turns(self, first: Any) -> Turns | None:
        """What values turns by their ends, if that can be done; first: a position of the record."""
        if not self.counts.whole_game or self.counts.share:
            return None
        games = None if self.learned else self.games
        return turns_of(self.continuation(first), first, games)

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
            fewer=max(FEWEST, self.games // FIRST_LOOK),
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
    worse_than: float | None = None,
    kept: KeptReviews | None = None,
    why: bool = False,
    progress: StageProgress | None = None,
) -> Review:
    """Grade every decision of a record (of one seat if `seat` is given).

    games: for each decision that is sampled; those with a clear grade get fewer, doubtful ones up
    to MORE times as many. Without it, learned values need none. worse_than: list only decisions
    that cost more, all of them. kept: what was reviewed before, and is from now on. why: look for
    the reasons of the costliest decisions, in games of their own. Raises
    ReadError with line and place if the record is damaged, NothingToDecideError if it has no
    decision.
    """
    clock = Clock()
    record = read_record(game, text)
    if seat is not None and not 0 <= seat < record.players:
        last = record.players - 1
        raise ReadError(
            say("seat {seat}: the seats of this record are 0 to {last}", seat=seat, last=last)
        )
    you = your_seat(record, seat)
    if seat is None:
        seat = viewer(record)  # the only one whose cards are known
    unseen = unseen_in(game, text)
    seats = [player for player in range(record.players) if player not in unseen or player == you]
    if seat is not None:
        seats, unseen = [seat], [player for player in unseen if player == seat]
    to_grade = [d for d in decisions(game, rules, text) if d.seat in seats]
    if not to_grade:
        raise NothingToDecideError(say("this record"), [say(NOTHING[bool(unseen)])])
    objective = objective or game.recorded_objective(rules, to_grade[0].position)
    if game.objectives[objective].alone:
        opponents = None  # nobody else acts
    learned, name = games is None, opponents.name if opponents else ""
    question = KeptQuestion(text, objective, name, games, seed)
    games = games or games_for(game, objective)
    grader = Grader(game, rules, objective, opponents, games, threads, seed, learned)
    done, worths = _look_at_all(grader, to_grade, (kept or KeptReviews()).of(question), progress)
    done = _settled(done, game.has_rounds, you)
    as_measured = opponents is None and games == games_for(game, objective)
    rated = references(rules.id, record.players, objective) if as_measured else ()
    course = course_of(game, record, text, worths, objective, grader.table(record.players))
    course = replace(course, accounts=tuple(course.accounts[s] for s in seats))
    reviewed = [
        replace(
            _seat(grader, s, record.policies, done, worths, course, account, rated, worse_than),
            score=score_of(record, s),
        )
        for s, account in zip(seats, course.accounts, strict=True)
    ]
    if why:
        _explain(grader, done, reviewed, progress)
    found_in_all = _review_of(grader, done, worths, reviewed, course)
    found_in_all = replace(found_in_all, unseen=tuple(unseen), names=record.names)
    return replace(found_in_all, seconds=clock.seconds, you=you, worse_than=worse_than)


def unseen_in(game: AnyGame, text: str) -> list[int]:
    """The seats with turns of which a record has only the result."""
    recorded = recorded_of(game)
    lines = first_record(text).splitlines()
    return sorted({int(line.split()[0]) for line in lines if by_result(recorded, line)})


def _explain(
    grader: Grader,
    done: list[Graded],
    seats: Sequence[SeatReview],
    progress: StageProgress | None,
) -> None:
    """Give the costliest decisions of each player their reasons, in place."""
    costly = [index for seat in seats for index in seat.worst[:WORST]]
    for number, index in enumerate(costly):
        if progress:
            progress(number / len(costly), "finding the reason")
        if not done[index].by_turn:
            done[index] = grader.explained(done[index])


def _review_of(
    grader: Grader,
    done: Sequence[Graded],
    worths: Sequence[Worth],
    seats: Sequence[SeatReview],
    course: Course,
) -> Review:
    """The answer, except for the time it took."""
    game, games, opponents = grader.game, grader.games, grader.opponents
    if done[0].by_turn:
        games = done[0].games
    exact = all(g.method == "exact" for g in done)
    sampled = any(g.games for g in done)
    return Review(
        rules=grader.rules.id,
        players=done[0].decision.position.players,
        objective=grader.objective,
        counts=grader.counts,
        opponents=opponents.name if opponents else BEST_KNOWN,
        borders=grader.counts.grades,
        decisions=tuple(done),
        worths=tuple(worths),
        seats=tuple(seats),
        course=course,
        method="exact" if exact else "simulation",
        games=games if sampled else 0,
        seed=grader.seed,
        seconds=0.0,
        assumptions=assumptions(
            game, grader.objective, games, MORE * games, grader.seed, done, course, worths
        ),
    )


def your_seat(record: Record, seat: int | None) -> int | None:
    """The seat that is yours: the one that was named, or that of the record's own player."""
    if seat is not None:
        return seat
    return record.policies.index(ME) if ME in record.policies else viewer(record)


def _settled(done: Sequence[Graded], rounds: bool, you: int | None) -> list[Graded]:
    """Decisions with the grades that hold for all of a player together, and their places."""
    free = [not graded.forced for graded in done]
    counts = Counter(g.decision.seat for g, one in zip(done, free, strict=True) if one)
    places = places_of([graded.decision for graded in done], free, rounds, you)
    return [g.settled(counts[g.decision.seat], at) for g, at in zip(done, places, strict=True)]


def games_for(game: AnyGame, objective: str) -> int:
    """Games for each decision that is sampled, by default."""
    whole = game.objectives[objective].whole_game
    return (WHOLE_GAMES if whole else ROUNDS) // recorded_of(game).fewer


def _look_at_all(
    grader: Grader,
    decisions: Sequence[Decision],
    kept: KeptReview,
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
    going_on: Continuation | None = None
    turns = grader.by_turns(decisions[0].position)
    for number, decision in enumerate(decisions):
        if progress:
            progress(number / len(decisions), "grading")
        place = before[decision.line]
        before[decision.line] += 1
        stretch = decision.seat, stretch_of(grader.counts, decision)
        first = stretch not in solved
        known = kept.known(decision, place, grader.counts.grades)
        if known is not None:
            graded, worth = known
            solved.setdefault(stretch, graded.learned or _to_the_end(grader, graded))
        elif turns is not None:
            of_turn = [d for d in decisions if d.turn == decision.turn]
            seed = seed_of(grader.seed, of_turn[0].line, 0)
            graded, worth = turns.review(decision, of_turn, seed)
            kept.keep(decision, place, (graded, worth))
        else:
            seed = seed_of(grader.seed, decision.line, place)
            graded = grade_in_stages(replace(grader, seed=seed), decision)
            if solved.setdefault(stretch, graded.learned or _to_the_end(grader, graded)):
                worth = (learned_worth if graded.learned else solved_worth)(graded)
            else:
                going_on = going_on or grader.continuation(decisions[0].position)
                worth = going_on.worth(decision, seed, first)
            kept.keep(decision, place, (graded, worth))
        done.append(graded)
        worths.append(worth)
    return done, worths


def _to_the_end(grader: Grader, graded: Graded) -> bool:
    """Whether a decision is solved, and with it all to the end of its stretch.

    The bounds of a whole game are those of a table that values later rounds: these are not solved.
    """
    sure = all(value.low == value.high for value in graded.values.values())
    return graded.method == "exact" and (sure or not grader.counts.whole_game)


def grade_in_stages(grader: Grader, decision: Decision) -> Graded:
    """Grade a decision: by a first look, then all its games, then more if that can settle it."""
    first = min(grader.games, max(FEWEST, grader.games // FIRST_LOOK))
    graded = grader.grade(decision, first)
    if graded.learned:
        return graded
    if first < grader.games and worth_more(graded, last=False):
        graded = grader.grade(decision, grader.games)
    if graded.games == grader.games and worth_more(graded, last=True):
        graded = grader.grade(decision, MORE * grader.games)
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
    grader: Grader,
    seat: int,
    policies: Sequence[str],
    done: Sequence[Graded],
    worths: Sequence[Worth],
    course: Course,
    account: Account,
    rated: Sequence[Rated],
    worse_than: float | None,
) -> SeatReview:
    places = [i for i, g in enumerate(done) if g.decision.seat == seat]
    every = [worths[i] for i in places]
    own = [i for i, g in enumerate(done) if g.decision.seat == seat and not g.forced]
    cost = sorted((i for i in own if done[i].shown), key=lambda i: -done[i].error.value)
    listed = cost[:WORST]
    if worse_than is not None:
        listed = [i for i in cost if done[i].error.value > worse_than]
    grades = Counter(done[i].grade for i in own)
    lost, low, high = lost_by([done[i] for i in own])
    shown, shown_low, shown_high = lost_by([done[i] for i in cost])
    spread = spread_of(
        every,
        [stretch_of(grader.counts, worth.decision) for worth in every],
        [swing for swing in course.swings if swing.seat == seat],
        places,
        grader.counts.share,
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
        worst=tuple(listed),
        shown=len(cost),
        shown_error=shown,
        shown_low=shown_low,
        shown_high=shown_high,
        uncertain=tuple(i for i in own if done[i].may_have_cost),
        spread=replace(spread, result=spread.result + Z * course.error),
        rating=rating(lost / max(1, len(own)), len(own), rated),
    )
