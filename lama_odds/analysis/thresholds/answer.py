"""What thresholds answer: rows of two actions by penalty and what else is seen, and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.policy_files import PublishedCard
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.wording import capital, with_unit
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.jobs import PENALTY, ForkTable, ForkTables, KeyWords, Scale
from lama_odds.games.interface.objectives import ThresholdTable, is_share, zone_of
from lama_odds.games.interface.tally_layout import (
    ForkCell,
)
from lama_odds.simulation.run import Play
from lama_odds.statistics.intervals import ratio_of

# Tables beside thresholds: other decisions of self-play, on common random numbers.

FEWEST_FORKS = 200  # cells with fewer are left out


def tables_beside(
    forks: ForkTables,
    games: int | None,
    play: Play,
) -> tuple[list[ThresholdTable], bool]:
    """Play the rounds; returns the tables, and whether that was interrupted.

    games: rounds, if fewer than the job's own number are to be played.
    """
    rounds = forks.rounds if games is None else min(games, forks.rounds)
    played = play.run(forks.job, rounds)
    tables = [_table(shown, played.tally, played.games) for shown in forks.tables]
    return [table for table in tables if table.rows], played.interrupted


def _table(shown: ForkTable, tally: np.ndarray, rounds: int) -> ThresholdTable:
    rows = tuple(_rows(shown, tally))
    made = f"{shown.made}; {rounds:,} rounds, 95 % intervals"
    return ThresholdTable(shown.name, say(shown.title), rows, made, shown.across)


def _rows(shown: ForkTable, tally: np.ndarray) -> Iterator[dict[str, Any]]:
    """A row for each cell that occurred often enough."""
    for at, keys in enumerate(shown.keys):
        cell = ForkCell(tally[shown.first + at])
        if not keys or cell.decisions < FEWEST_FORKS:
            continue
        row: dict[str, Any] = {**keys, "n": cell.decisions}
        for objective, (name, unit) in enumerate(shown.objectives):
            row[name] = ratio_of(*cell.difference(objective), unit)
        yield row


TOSS_UP, NOT_KNOWN = later("toss-up"), later("not known")
ALMOST = 1.2  # times the wanted half-width: sampling error of the pilot may widen it this far


@dataclass(frozen=True)
class Row:
    """A cell: keys (None: any), how often it occurs in a round, values by objective.

    values: of each objective the first action, the second, and what the second costs against the
    first (above 0: the first, quitting, is better). often: `met` with its error, which is between
    games; None where it was not sampled.
    """

    keys: Mapping[str, int | None]
    met: float
    n: int
    values: Mapping[str, tuple[Estimate, Estimate, Estimate]]
    often: Estimate | None = None

    @property
    def penalty(self) -> int:
        """The first key."""
        return self.keys["penalty"] or 0

    @property
    def others(self) -> dict[str, int]:
        """Keys given besides the penalty."""
        return {k: v for k, v in self.keys.items() if k != "penalty" and v is not None}

    def better(self, objective: str, actions: tuple[str, str]) -> str:
        """Which action is better, or that it is too close to call."""
        difference = self.values[objective][2]
        if difference.low > 0:
            return actions[0]
        return actions[1] if difference.high < 0 else "close"

    def verdict(self, objective: str, actions: tuple[str, str]) -> str:
        """The better action; else TOSS_UP, if it is shown that none is by enough, or NOT_KNOWN."""
        better, difference = self.better(objective, actions), self.values[objective][2]
        if better in actions:
            return better
        zone = zone_of(objective)
        return TOSS_UP if -zone <= difference.low and difference.high <= zone else NOT_KNOWN

    def to_json(self, actions: tuple[str, str]) -> dict[str, Any]:
        """Keys, then values by objective."""
        return {**self.keys, **self.values_json(actions)}

    def values_json(self, actions: tuple[str, str]) -> dict[str, Any]:
        """How often it occurs, and values by objective."""
        names = (*actions, "difference")
        values = {
            objective: {
                **{name: e.to_json() for name, e in zip(names, estimates, strict=True)},
                "better": self.better(objective, actions),
            }
            for objective, estimates in self.values.items()
        }
        often = {} if self.often is None else {"met_estimate": self.often.to_json()}
        return {"met": self.met, **often, "n": self.n, **values}


@dataclass(frozen=True)
class Limit:
    """Up to which penalty the first action, quitting, is better; −1: at none.

    keys: of the rows, without the penalty.
    at: the turning point by all rows together, of each objective.
    certain: the last penalty up to it at which the first action is clearly better.
    perhaps: the last penalty before the second action is clearly better.
    near: the last row up to `at` and the first beyond, in the first objective.
    met: how often such decisions occur in a game.
    """

    keys: Mapping[str, int | None]
    at: tuple[int, ...]
    certain: tuple[int, ...]
    perhaps: tuple[int, ...]
    near: tuple[Row, ...]
    met: float

    def to_json(self, objectives: Sequence[str], actions: tuple[str, str]) -> dict[str, Any]:
        """Keys, then the limits by objective."""
        limits = {
            objective: {
                "at": self.at[at],
                "certain": self.certain[at],
                "perhaps": self.perhaps[at],
                "decided": self.certain[at] == self.perhaps[at],
            }
            for at, objective in enumerate(objectives)
        }
        near = [row.to_json(actions) for row in self.near]
        return {**self.keys, "met": self.met, **limits, "near": near}


@dataclass(frozen=True)
class Precision:
    """Half-widths: the wanted one, and the widest of the rows that it is wanted for."""

    asked: float
    reached: float

    @property
    def met(self) -> bool:
        """Whether it was reached, apart from sampling error of the pilot."""
        return self.reached <= ALMOST * self.asked


@dataclass(frozen=True)
class Thresholds:
    """The answer: rows with fewer keys first, and exact decisions of the last player, if any.

    precision: None if the number of games was given.
    """

    rules: str
    players: int
    policy: str = ""
    actions: tuple[str, str] = ("", "")
    decisions: str = ""
    scale: Scale = field(default_factory=Scale)
    objectives: tuple[str, str] = ("", "")
    rows: tuple[Row, ...] = ()
    tables: tuple[ThresholdTable, ...] = ()
    games: int = 0
    seed: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    precision: Precision | None = None
    # Where rows are told apart by scores: points that are one class of them, and what follows.
    band: int | None = None
    limits: tuple[Limit, ...] = ()
    words: Mapping[str, KeyWords] = field(default_factory=dict)  # of the keys besides the first
    card: PublishedCard | None = None  # to win: the rule that was played
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def played(self) -> str:
        """What `games` counts."""
        return "rounds" if self.band is None else "games"

    @property
    def main(self) -> str:
        """The objective of a short answer: a chance goes before points, which only lead to it."""
        return next(filter(is_share, self.objectives), *self.objectives[:1])

    def shown(self, penalty: int | None) -> int | None:
        """The first key as it is shown."""
        return None if penalty is None else self.scale.value(penalty)

    @property
    def label(self) -> str:
        """What the first key is; not translated, see `core.language`."""
        return self.scale.label

    @property
    def told(self) -> tuple[str, str]:
        """The actions in the language in force."""
        first, second = self.actions
        return action_words(first), action_words(second)

    def keys_shown(self, row: Row) -> dict[str, int | None]:
        """The keys of a row, the first under its name."""
        return {
            **{self.label: self.shown(row.keys["penalty"])},
            **{name: value for name, value in row.keys.items() if name != "penalty"},
        }

    def to_json(self) -> dict[str, Any]:
        """One object; seconds are left out: the rest depends on the arguments alone."""
        return {
            "rules": self.rules,
            "players": self.players,
            "policy": self.policy,
            "actions": list(self.actions),
            "decisions": self.decisions and say(self.decisions),
            "games": self.games,
            "seed": self.seed,
            **({"precision": asdict(self.precision)} if self.precision else {}),
            **({"card": self.card.to_json()} if self.card else {}),
            "rows": [
                {**self.keys_shown(row), **row.values_json(self.actions)} for row in self.rows
            ],
            **{table.name: table.to_json() for table in self.tables},
            **{f"{table.name}_rule": table.rule for table in self.tables if table.rule},
            **self._by_score(),
            "version": self.version,
        }

    def _by_score(self) -> dict[str, Any]:
        """What an answer by scores has besides."""
        if self.band is None:
            return {}
        limits = [limit.to_json(self.objectives, self.actions) for limit in self.limits]
        return {"objective": self.objectives[0], "band": self.band, "limits": limits}


def reached_by(
    rows: Sequence[Row], objectives: Sequence[str], wanted: float, slack: float = 0.0
) -> Precision | None:
    """The widest half-width of these rows; None if there are none.

    slack: rows whose half-width is no more than this part of their difference count as precise.
    """
    widest = 0.0
    for row in rows:
        for objective in objectives:
            difference = row.values[objective][2]
            half = (difference.high - difference.low) / 2
            if half > slack * abs(difference.value):
                widest = max(widest, half)
    return Precision(wanted, widest) if rows else None


# Up to where quitting is better, by the rows of thresholds, and the words for it.

NEVER, BELOW, ABOVE, ONE, AT_MOST, AT_LEAST, BETWEEN = range(7)
LIMITS = {
    NEVER: later("Never"),  # alone in a cell; in a sentence as `small` has it
    BELOW: later("less than {value}"),
    ABOVE: later("more than {value}"),
    ONE: "{value}",
    AT_MOST: later("at most {value}"),
    AT_LEAST: later("at least {value}"),
    BETWEEN: later("{low} to {high}"),
}
OPEN = (AT_MOST, AT_LEAST)  # nowhere is it certain
PERHAPS = later("perhaps {value}")


def threshold(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> tuple[int, int]:
    """Penalties (certain, perhaps): quitting is better at all up to the first; not clearly worse
    up to the second. −1: at none."""
    certain = perhaps = -1
    sure = open_ = True
    for row in sorted(rows, key=lambda row: row.penalty):
        better = row.better(objective, thresholds.actions)
        sure = sure and better == thresholds.actions[0]
        open_ = open_ and better != thresholds.actions[1]
        penalty = row.penalty
        certain = penalty if sure else certain
        perhaps = penalty if open_ else perhaps
    return certain, perhaps


def _limit(
    thresholds: Thresholds, rows: Iterable[Row], objective: str
) -> tuple[int, dict[str, int]]:
    """A key of LIMITS, with the numbers of its template."""
    rows = list(rows)
    certain, perhaps = threshold(thresholds, rows, objective)
    scale = thresholds.scale
    if perhaps < 0:
        first = min((row.penalty for row in rows), default=0)
        if first <= 1:
            return NEVER, {}
        return (BELOW if scale.step > 0 else ABOVE), {"value": scale.value(first)}
    last = scale.value(perhaps)
    if certain == perhaps:
        return ONE, {"value": last}
    if certain < 0:
        return (AT_MOST if scale.step > 0 else AT_LEAST), {"value": last}
    low, high = sorted((scale.value(certain), last))
    return BETWEEN, {"low": low, "high": high}


def limit_text(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """``6``; ``5 to 6`` where it is not settled; ``at most 5`` if it is nowhere certain; ``never``.

    ``less than 3``: below the first row, where such decisions were too rare to tell; ``more than``
    where rows go downwards.
    """
    kind, numbers = _limit(thresholds, rows, objective)
    return small(say(LIMITS[kind], **numbers))


def limit_in_table(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit under a head that says which way: ``perhaps 24`` if it is nowhere certain."""
    kind, numbers = _limit(thresholds, rows, objective)
    return small(say(PERHAPS if kind in OPEN else LIMITS[kind], **numbers))


def by_what_it_is_worth(thresholds: Thresholds, keys: Sequence[str], objective: str) -> list[str]:
    """Things that are seen, by what one limit for all of them costs: the costliest first."""
    return sorted(keys, key=lambda key: -_cost_of_ignoring(thresholds, key, objective))


def _cost_of_ignoring(thresholds: Thresholds, key: str, objective: str) -> float:
    """What the best single limit costs per round against the best limit at each value of a key."""
    costs: dict[int, dict[int, float]] = {}  # by value and penalty: continuing minus quitting
    for row in thresholds.rows:
        seen = {name: value for name, value in row.keys.items() if value is not None}
        if set(seen) == {"penalty", key}:
            saved = row.met * row.values[objective][2].value
            costs.setdefault(seen[key], {})[seen["penalty"]] = saved
    if not costs:
        return 0.0
    last = max(max(savings) for savings in costs.values())
    limits = range(-1, last + 1)

    def saved_by(of_value: dict[int, float], limit: int) -> float:
        return sum(saved for penalty, saved in of_value.items() if penalty <= limit)

    single = max(sum(saved_by(savings, limit) for savings in costs.values()) for limit in limits)
    apart = sum(max(saved_by(savings, limit) for limit in limits) for savings in costs.values())
    return apart - single


def rule_text(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as a rule: ``Quit at penalty 5 to 6 or less``."""
    first, second = thresholds.told
    label, onward = say(thresholds.label), thresholds.scale.onward
    kind, numbers = _limit(thresholds, rows, objective)
    if kind == NEVER:
        rule = say(
            "hardly ever {first}: {second} at every {label}",
            first=first,
            second=second,
            label=label,
        )
    elif kind in (BELOW, ABOVE):
        rule = say(
            "{action} at every {label} that occurred often enough", action=second, label=label
        )
    elif kind in OPEN:
        rule = say(
            "{action} at {label} {limit} {onward}, if at all",
            action=first,
            label=label,
            limit=numbers["value"],
            onward=onward,
        )
    else:
        limit = say(LIMITS[kind], **numbers)
        rule = say(
            "{action} at {label} {limit} {onward}",
            action=first,
            label=label,
            limit=limit,
            onward=onward,
        )
    return capital(rule)


def rule_sentence(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as one would say it: what to do below, above, and between."""
    rule = rule_part(thresholds, rows, objective)
    return say("With {players} players, {rule}.", players=thresholds.players, rule=rule)


def rule_part(thresholds: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as a part of a sentence."""
    first, second = thresholds.told
    rows = list(rows)
    sure, perhaps = threshold(thresholds, rows, objective)
    keys = sorted(row.penalty for row in rows)
    above = [key for key in keys if key > perhaps]
    scale = thresholds.scale
    between = _open(thresholds, [r for r in rows if sure < r.penalty <= perhaps], objective)
    if not above and sure < 0 <= perhaps:
        return say(
            "no {label} is settled ({open}, and other values did not occur often enough)",
            label=say(thresholds.label),
            open=between,
        )
    if not above or perhaps < 0:
        return small(rule_text(thresholds, rows, objective))
    rule = _at(thresholds, second, scale.value(above[0]), scale.backward, sure < 0)
    if sure >= 0:
        begin = _at(thresholds, first, scale.value(sure), scale.onward, True)
        rule = say("{begin} and {end}", begin=begin, end=rule)
    return f"{rule}; {between}" if between else rule


def _at(thresholds: Thresholds, action: str, value: int, onward: str, named: bool) -> str:
    """What to do with which hand, or at which lead; named: say that a hand's value is points."""
    if thresholds.label == PENALTY:
        shown = with_unit(value) if named else str(value)
        return say("{action} with {amount} {onward}", action=action, amount=shown, onward=onward)
    return say(
        "{action} at a {label} of {value} {onward}",
        action=action,
        label=say(thresholds.label),
        value=value,
        onward=onward,
    )


def _open(thresholds: Thresholds, rows: Sequence[Row], objective: str) -> str:
    """What lies between the two: as good as equal, or neither is known to be better."""
    verdicts = {row.verdict(objective, thresholds.actions) for row in rows}
    equal = verdicts == {TOSS_UP}
    if not rows:
        return ""
    if len(rows) == 1:
        value = thresholds.scale.text(rows[0].penalty, either=True)
        if equal:
            return say("{value} is a toss-up", value=value)
        return say("{value} is not known yet", value=value)
    low, high = sorted(thresholds.scale.value(f(row.penalty for row in rows)) for f in (min, max))
    if equal:
        return say("{low} to {high} are toss-ups", low=low, high=high)
    return say("{low} to {high} are not known yet", low=low, high=high)


def small(text: str) -> str:
    """A text as it is written inside a sentence."""
    return text[:1].lower() + text[1:]


def scores_text(low: int, band: int) -> str:
    """A band of scores by its lowest."""
    return f"{low}–{low + band - 1}" if band > 1 else str(low)
