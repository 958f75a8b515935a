"""Many reviewed games as one record: what decisions cost, luck, kinds of mistakes, the trend."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace

import lama_odds
from lama_odds.analysis.coach.grades import GRADES, Graded, Where, measured
from lama_odds.analysis.coach.luck import Account
from lama_odds.analysis.coach.review import Lost, Review, SeatReview
from lama_odds.analysis.coach.sums import lost_by
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain
from lama_odds.statistics.intervals import Z

COSTLIEST = 10
BLOCKS = 4  # parts of a trend
FEWEST = 8  # games of a trend
YOU = "you"


@dataclass(frozen=True)
class Reviewed:
    """A game with its review. name: of its file. reused: decisions that were kept from before."""

    name: str
    review: Review
    reused: int = 0


@dataclass(frozen=True)
class Skipped(Plain):
    """A file without a game that can be reviewed. foreign: whether it does not hold a record."""

    KEYS = "name why foreign"

    name: str
    why: str
    foreign: bool = False


@dataclass(frozen=True)
class GameOfPlayer(Lost):
    """A game of one player: the decisions, the result and luck, as in a review of the game."""

    KEYS = (
        "name player seat rules players objective decisions shown shown_error uncertain error "
        "error_low error_high mean_error grades score result luck luck_low luck_high "
        "luck_adjusted final reused"
    )

    name: str
    player: str
    seat: int
    rules: str
    players: int
    objective: str
    uncertain: int
    score: float | None
    result: float
    luck: float
    luck_low: float
    luck_high: float
    luck_adjusted: float
    final: bool
    reused: int


@dataclass(frozen=True)
class Costly(Plain):
    """A decision with a shown cost, and the game that it is from."""

    KEYS = "name rules seat where played best error at_least grade position"

    name: str
    rules: str
    seat: int
    where: Where
    played: str
    best: str
    error: Estimate
    at_least: float
    grade: str
    position: str


@dataclass(frozen=True)
class Kind(Plain):
    """Decisions with a shown cost, by the verbs of the chosen and the best action."""

    KEYS = "played best decisions error"

    played: str
    best: str
    decisions: int
    error: float


@dataclass(frozen=True)
class Block(Plain):
    """Games one after the other: first and last from 1, and what a decision cost on average."""

    KEYS = "first last decisions mean_error"

    first: int
    last: int
    decisions: int
    mean_error: Estimate


@dataclass(frozen=True)
class Trend(Plain):
    """The cost of a decision over time, and its change from the first half to the second.

    Intervals hold the differences between games.
    """

    KEYS = "blocks change"

    blocks: tuple[Block, ...]
    change: Estimate


@dataclass(frozen=True)
class Player(Lost):
    """All games of a player with one objective.

    player: you, a policy or a seat. worst: the costliest decisions, or all beyond a limit.
    """

    KEYS = (
        "player objective unit games decisions shown shown_error uncertain error error_low "
        "error_high mean_error mean_error_low mean_error_high grades result luck luck_low "
        "luck_high luck_adjusted worst kinds trend"
    )

    player: str
    objective: str
    unit: str
    share: bool
    higher: bool
    games: int
    uncertain: int
    result: float
    luck: float
    luck_low: float
    luck_high: float
    worst: tuple[Costly, ...]
    kinds: tuple[Kind, ...]
    trend: Trend | None

    @property
    def luck_adjusted(self) -> float:
        """All results without their luck."""
        return self.result - self.luck


@dataclass(frozen=True)
class History(Plain):
    """The answer: a line for each game, totals for each player and objective, what was skipped."""

    KEYS = "games players skipped worse_than seed version"

    games: tuple[GameOfPlayer, ...]
    players: tuple[Player, ...]
    skipped: tuple[Skipped, ...]
    worse_than: float | None
    seed: int
    version: str = field(default=lama_odds.__version__)


@dataclass(frozen=True)
class _Seat:
    """A seat of a reviewed game."""

    game: Reviewed
    seat: SeatReview
    account: Account

    @property
    def player(self) -> str:
        """The player there: you, a policy, or a seat."""
        if self.seat.seat == self.game.review.you:
            return YOU
        return self.seat.policy or f"player {self.seat.seat + 1}"

    @property
    def own(self) -> list[Graded]:
        """The decisions with a choice."""
        all_ = self.game.review.decisions
        return [g for g in all_ if g.decision.seat == self.seat.seat and not g.forced]

    @property
    def luck(self) -> float:
        """Luck of both kinds."""
        return self.account.rolls + self.account.between

    @property
    def luck_half(self) -> float:
        """Half of its interval."""
        spread = self.seat.spread
        return math.hypot(spread.adjusted, spread.result)


def history(
    games: Sequence[Reviewed],
    skipped: Iterable[Skipped] = (),
    worse_than: float | None = None,
    seed: int = 0,
) -> History:
    """The history of reviewed games, which are in the order in which they were played.

    worse_than: as it was given: percentage points of a chance.
    """
    seats = [
        _Seat(game, seat, account)
        for game in games
        for seat, account in zip(game.review.seats, game.review.course.accounts, strict=True)
    ]
    by_player: dict[tuple[str, str, str], list[_Seat]] = {}
    for entry in seats:
        review = entry.game.review
        key = entry.player, review.objective, review.counts.unit
        by_player.setdefault(key, []).append(entry)
    return History(
        games=tuple(map(_line, seats)),
        players=tuple(_player(name, of) for (name, *_), of in by_player.items()),
        skipped=tuple(skipped),
        worse_than=worse_than,
        seed=seed,
    )


def _line(entry: _Seat) -> GameOfPlayer:
    review, seat, account = entry.game.review, entry.seat, entry.account
    return GameOfPlayer(
        name=entry.game.name,
        player=entry.player,
        seat=seat.seat,
        rules=review.rules,
        players=review.players,
        objective=review.objective,
        uncertain=len(seat.uncertain),
        **{of.name: getattr(seat, of.name) for of in fields(Lost)},
        score=seat.score,
        result=account.result,
        luck=entry.luck,
        luck_low=entry.luck - entry.luck_half,
        luck_high=entry.luck + entry.luck_half,
        luck_adjusted=account.adjusted,
        final=account.final,
        reused=entry.game.reused,
    )


def _player(name: str, seats: Sequence[_Seat]) -> Player:
    """The totals of a player."""
    first = seats[0].game.review
    counts, limit = first.counts, first.worse_than
    lost, low, high = lost_by(*(entry.own for entry in seats))
    luck = sum(entry.luck for entry in seats)
    half = math.hypot(*(entry.luck_half for entry in seats))
    grades = sum((Counter(entry.seat.grades) for entry in seats), Counter())
    costly = [_costly(entry, g) for entry in seats for g in entry.own if g.shown]
    costly.sort(key=lambda one: -one.error.value)
    listed = costly[:COSTLIEST]
    if limit is not None:
        listed = [one for one in costly if one.error.value > limit]
    return Player(
        player=name,
        objective=counts.name,
        unit=counts.unit,
        share=counts.share,
        higher=counts.higher,
        games=len(seats),
        decisions=sum(entry.seat.decisions for entry in seats),
        shown=len(costly),
        shown_error=sum(one.error.value for one in costly),
        uncertain=sum(len(entry.seat.uncertain) for entry in seats),
        error=lost,
        error_low=low,
        error_high=high,
        grades={grade: grades[grade] for grade in GRADES},
        result=sum(entry.account.result for entry in seats),
        luck=luck,
        luck_low=luck - half,
        luck_high=luck + half,
        worst=tuple(listed),
        kinds=_kinds(costly),
        trend=_trend([[g.error.value for g in entry.own] for entry in seats]),
    )


def _costly(entry: _Seat, graded: Graded) -> Costly:
    review = entry.game.review
    return Costly(
        *(entry.game.name, review.rules, entry.seat.seat, graded.where, graded.decision.chosen),
        *(graded.best, graded.error, graded.surely, graded.grade, graded.position),
    )


def _kinds(costly: Sequence[Costly]) -> tuple[Kind, ...]:
    """Kinds of costly decisions by their first words, the costliest kind first."""
    kinds: dict[tuple[str, str], Kind] = {}
    for one in costly:
        key = one.played.split()[0], one.best.split()[0]
        kind = kinds.get(key, Kind(*key, 0, 0.0))
        kinds[key] = replace(kind, decisions=kind.decisions + 1, error=kind.error + one.error.value)
    return tuple(sorted(kinds.values(), key=lambda kind: -kind.error))


def _trend(costs: Sequence[Sequence[float]]) -> Trend | None:
    """The trend of costs, by game; None for fewer games than FEWEST."""
    places = [at for at, lost in enumerate(costs) if lost]
    if len(places) < FEWEST:
        return None
    blocks = []
    for number in range(BLOCKS):
        first, last = (len(places) * at // BLOCKS for at in (number, number + 1))
        of = places[first:last]
        lost = [costs[at] for at in of]
        blocks.append(Block(of[0] + 1, of[-1] + 1, sum(map(len, lost)), _mean(lost)))
    half = len(places) // 2
    early, late = (_mean([costs[at] for at in of]) for of in (places[:half], places[half:]))
    return Trend(tuple(blocks), Estimate.difference(late, early))


def _mean(costs: Sequence[Sequence[float]]) -> Estimate:
    """The mean cost of a decision, with the error of games that differ."""
    rated = measured("", costs)
    return Estimate.normal(rated.mean, rated.stderr, rated.decisions, Z)
