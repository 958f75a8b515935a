"""What an answer can count: a record for each objective; what exact solutions return."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.language import later, say
from lama_odds.core.plain import Plain
from lama_odds.games.interface.actions import action_words

# What a result of an objective completes: the decisions up to it belong together.
TURN, ROUND_SPAN, GAME_SPAN = "turn", "round", "game"
# What policies are tuned for.
FOR_POINTS, FOR_WINNING = "points", "win"

# Costs that make a decision an inaccuracy, a mistake, a blunder.
GRADES_OF_POINTS = (0.3, 1.0, 3.0)
GRADES_OF_CHANCES = (0.005, 0.02, 0.05)


@dataclass(frozen=True)
class Objective:
    """What an answer counts, and how. Texts are templates, see `core.language.later`.

    name: as users write it; head: the title of its column; unit: the unit of a difference.
    meaning: in a sentence; brief: what is counted, in a few words; aims_at: what a player with this
    objective plays for.
    share: whether it is a chance (otherwise points). higher: whether more is better.
    zone: a difference too small to matter.
    close: a larger one that is worth telling where games are too few for the zone; 0: none is.
    precise: the half-width of the intervals at which a clear answer stops.
    rough: the largest standard error with which a question stops that only needs the best action.
    span: what a result completes: a turn, a round or the game.
    aim: what the best policy is tuned for.
    grades: the costs that make a decision an inaccuracy, a mistake, a blunder.
    alone: whether the others' policies do not matter.
    relative: whether the mean of the others' points is subtracted, so that results vary twice as
    much.
    result: a seat's result from everybody's points after a round (None: points do not give it).
    """

    name: str
    unit: str
    meaning: str
    head: str
    brief: str
    aims_at: str
    share: bool = False
    higher: bool = False
    zone: float = 0.05
    close: float = 0.0
    precise: float = 0.05
    rough: float = 0.15
    span: str = ROUND_SPAN
    aim: str = FOR_POINTS
    grades: tuple[float, float, float] = GRADES_OF_POINTS
    alone: bool = False
    relative: bool = False
    result: Callable[[Sequence[float], int], float] | None = None

    @property
    def whole_game(self) -> bool:
        """Whether it counts the whole game, so that rollouts continue to its end."""
        return self.span == GAME_SPAN

    @property
    def cost_unit(self) -> str:
        """The unit of a cost, chances being compared in percentage points."""
        if not self.share:
            return self.unit
        return f"percentage points of {'winning chance' if self.whole_game else self.brief}"


def chance(
    name: str,
    meaning: str,
    head: str,
    brief: str,
    aims_at: str,
    span: str,
    result: Callable[[Sequence[float], int], float] | None = None,
) -> Objective:
    """Return an objective that is a chance to win something (more is better)."""
    return Objective(
        name,
        "of the chance to win" if span == GAME_SPAN else f"of the {brief}",
        meaning,
        head,
        brief,
        aims_at,
        share=True,
        higher=True,
        zone=0.005,
        precise=0.005,
        rough=0.01,
        span=span,
        aim=FOR_WINNING,
        grades=GRADES_OF_CHANCES,
        result=result,
    )


def own(points: Sequence[float], seat: int) -> float:
    """The points of a seat."""
    return points[seat]


def vs_others(points: Sequence[float], seat: int) -> float:
    """The points of a seat minus the mean of the others'."""
    others = [p for s, p in enumerate(points) if s != seat]
    return points[seat] - sum(others) / len(others)


def lowest(points: Sequence[float], seat: int) -> float:
    """1 if nobody has fewer points than a seat, else 0."""
    return float(points[seat] == min(points))


WIN = chance(
    "win",
    later("win: chance to win the game, ties shared; higher is better"),
    later("game won"),
    later("chance to win the game"),
    later("winning the game"),
    GAME_SPAN,
)
ROUND = chance(
    "round",
    later("round: chance of the lowest total of the round, alone or with others; higher is better"),
    later("round won"),
    later("chance to win the round"),
    later("winning the round"),
    ROUND_SPAN,
    lowest,
)
POINTS = Objective(
    "points",
    "points",
    later("points: expected change of your score to the end of the round; lower is better"),
    later("points"),
    later("points this round"),
    later("points"),
    result=own,
)
MARGIN = Objective(
    "margin",
    "points vs. others",
    later("margin: your points minus the mean of the others'; lower is better"),
    later("vs. others"),
    later("your points minus the mean of the others'"),
    later("points vs. others"),
    relative=True,
    result=vs_others,
)


def named(*objectives: Objective) -> Mapping[str, Objective]:
    """Return the objectives by name."""
    return {objective.name: objective for objective in objectives}


# Those that games of several kinds share, in the order in which answers list them.
SHARED = named(POINTS, MARGIN, ROUND, WIN)
# Names of those that are chances, for tables that have only names.
SHARES = tuple(name for name, objective in SHARED.items() if objective.share)


def zone_of(name: str) -> float:
    """Return the largest difference that does not matter."""
    return SHARED.get(name, ROUND).zone


def is_share(name: str) -> bool:
    """Return whether an objective is a chance; a name of none is that of losing a round."""
    return SHARED.get(name, ROUND).share


# What games with penalties count.
OF_PENALTIES = named(POINTS, MARGIN, WIN)


# Exact answers of games: values of actions, and tables beside thresholds.


@dataclass(frozen=True)
class ThresholdTable:
    """Figures to show beside thresholds: rows of plain values and estimates, by column.

    made: how, in words.
    across: a column whose values become columns of a text (see `ForkTable`).
    shares: columns of chances.
    rule: the table as a rule of thumb, in sentences.
    terms: what its words mean, a line each.
    """

    name: str
    title: str
    rows: tuple[Mapping[str, Any], ...]
    made: str = EXACT
    across: str = ""
    shares: Sequence[str] = SHARES
    rule: str = ""
    terms: tuple[str, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the rows."""
        return [
            {k: v.to_json() if isinstance(v, Estimate) else v for k, v in row.items()}
            for row in self.rows
        ]


@dataclass(frozen=True)
class Valued:
    """An action with its exact value in every known objective, and its chances.

    What takes long, and is not the value in the objective of the question, may be a `later.Later`.
    """

    action: str
    values: Mapping[str, Estimate]
    chances: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class FollowUp(Plain):
    """What is best to do after an action; cards: those drawn with which that is so, if any."""

    KEYS = "cards? action"

    action: str
    cards: tuple[str, ...] = ()


FollowUps = Mapping[str, tuple[FollowUp, ...]]  # by the action before


def follow_ups_text(name: str, follow_ups: Sequence[FollowUp]) -> str:
    """Return the follow-ups of an action as a note lists them."""
    uses = [
        f"{' '.join(follow_up.cards)}: {action_words(follow_up.action)}"
        if follow_up.cards
        else action_words(follow_up.action)
        for follow_up in follow_ups
    ]
    return say("{action}: then {uses}", action=action_words(name), uses="; ".join(uses))


@dataclass(frozen=True)
class Solution:
    """What could be solved: all actions, and the assumptions behind their values.

    complete: whether other objectives and chances are solved too; otherwise they are sampled.
    then: by action, the best follow-ups.
    apart: None if the values are exact. Otherwise they were learned, and their differences are
    correct within this; their own intervals say what is known of them.
    """

    actions: tuple[Valued, ...]
    assumptions: tuple[str, ...]
    complete: bool = True
    then: FollowUps = field(default_factory=dict)
    apart: float | None = None


@dataclass(frozen=True)
class ChanceWords:
    """The names of chances that answers show, and what these are called.

    titles: of the columns beside actions, in order. next: what comes next, apart from the rest of
    the round.
    alike: pairs that say the same wherever they are equal: only the second is shown.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    next: Sequence[str] = ()
    alike: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class OddsInWords:
    """What happens next as one would say it, with the rows that support it.

    finding, lines: sentences. heads: of columns. rows: texts, and chances as numbers.
    """

    finding: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str | float, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held(Plain):
    """What another player probably holds, by what everybody did in the round.

    opponent: 1 is next in turn order. holds: the chance of at least one card of each kind.
    can_play: the chance of a card that can be played now; None for a player who has quit. models:
    by name of a policy, how likely the player is like it. cells: in a game of grids, the chances of
    each kind by cell that is face down and known to the player; `cards` counts these cells.
    """

    KEYS = "opponent cards quit can_play? holds cells? models"

    opponent: int
    cards: int
    quit: bool
    holds: Mapping[str, Estimate]
    can_play: Estimate | None
    models: Mapping[str, float]
    cells: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)


@dataclass(frozen=True)
class HeldByOthers:
    """What all others probably hold; made: how that is found, in words, a sentence each."""

    players: tuple[Held, ...]
    made: tuple[str, ...]
