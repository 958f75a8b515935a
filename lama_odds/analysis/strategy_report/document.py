"""What a strategy report is made of, as data: sections of sentences, tables and figures.

A section is what can be computed, kept and read back on its own; how it looks is for the report
layer. Everything in it is plain: estimates, texts and numbers, so that its JSON reads back as it.
Nothing here knows a game, so that a process which only draws loads none.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from lama_odds.analysis.strategy_report.by_game.amounts import MOST_GAMES, amounts_of
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame

Cell = Estimate | str | int | float | None

EXACT = "exact"
SAMPLED = "sampled"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    kind: ``text``, ``number``, ``share`` (shown in per cent), or ``change`` of a share, which is
    shown in percentage points without a sign.
    """

    name: str
    kind: str = "number"


def columns_of(*heads: str) -> tuple[Column, ...]:
    """Columns by their heads; a kind other than a number follows a bar: ``better|text``."""
    return tuple(Column(*head.split("|")) for head in heads)


@dataclass(frozen=True)
class Table:
    """Rows of cells. name: of its files; long: shown folded, being for looking things up.

    note: what the columns mean, below the title.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    long: bool = False
    note: str = ""


@dataclass(frozen=True)
class Titled:
    """What every figure has: the name of its files, its title, and what it shows, in words."""

    name: str
    title: str
    alt: str


@dataclass(frozen=True)
class HeatMap(Titled):
    """Values by row and column (None: no such cell), a text in each.

    low, high: what is better where values are below and above 0; both empty: no value is below 0.
    limit: colours are full from here on. border: with a line between neighbours of which one is
    below 0, one above.
    """

    x_label: str
    y_label: str
    x_names: tuple[str, ...]
    y_names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    low: str
    high: str
    unit: str
    limit: float
    border: bool = True


@dataclass(frozen=True)
class Line:
    """Points of a curve with their intervals."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Curves(Titled):
    """Curves with bands. share: y is a chance; zero: words below and above the line at 0.

    panels: a small figure for each line, the first line behind all of them unless they are
    separate. noted: at which x the value of the first line is written out.
    """

    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    share: bool = False
    zero: tuple[str, str] | None = None
    panels: bool = False
    separate: bool = False
    noted: float | None = None


@dataclass(frozen=True)
class Dot:
    """A value with its interval; group: what it is drawn under."""

    label: str
    value: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class Dots(Titled):
    """Values beside their names. reference: a line to compare with, and its name.

    bars: drawn as bars from 0 to 1 (of a share). noted: label and group of the dot whose value is
    written out, or stands out where all are.
    """

    x_label: str
    dots: tuple[Dot, ...]
    share: bool = False
    reference: float | None = None
    reference_name: str = ""
    bars: bool = False
    noted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spot:
    """A named point with the interval of its height; group: what it is coloured by."""

    label: str
    x: float
    y: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class Spots(Titled):
    """Named points in a plane; key: what the groups are."""

    x_label: str
    y_label: str
    spots: tuple[Spot, ...]
    key: str = ""


@dataclass(frozen=True)
class Bars(Titled):
    """Chances of values in order."""

    x_label: str
    y_label: str
    x: tuple[str, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Beside(Titled):
    """Figures side by side in one: all curves, or dots of the same names."""

    parts: tuple[Curves | Dots, ...]


Figure = HeatMap | Curves | Dots | Spots | Bars | Beside


@dataclass(frozen=True)
class Section:
    """A part of a report. basis: what it rests on.

    headlines: what to do, findings: what else came out. lead: the finding as a title of the page.
    story: its figures that the page shows first, by name.
    """

    name: str
    title: str
    method: str
    basis: str
    headlines: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    games: int = 0
    interrupted: bool = False
    lead: str = ""
    story: tuple[str, ...] = ()


READ_FIRST = HOOK, RULE, PLAYED = "hook", "rule", "played"  # sections

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Section, Table, Column, HeatMap, Curves, Line, Dots, Dot, Spots, Spot, Bars, Beside),
        Estimate,
    )
}


def to_plain(value: Any) -> Any:
    """A section, or a part of it, as JSON has it: objects name their kind."""
    if dataclasses.is_dataclass(value):
        fields = {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"kind of": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(value: Any) -> Any:
    """Inverse of `to_plain`; ValueError for anything else, parts of a wrong type included."""
    if isinstance(value, dict):
        kind = _KINDS.get(str(value.get("kind of")))
        parts = {name: from_plain(item) for name, item in value.items() if name != "kind of"}
        types = {} if kind is None else _types_of(kind)
        if kind is None or parts.keys() != types.keys():
            raise ValueError("it is not a part of a section")
        for name, part in parts.items():
            if not _is_a(part, types[name]):
                raise ValueError(f"{name} of a {kind.__name__} is of the wrong type")
        made = kind(**parts)
        if not _fits(made):
            raise ValueError(f"the parts of a {kind.__name__} do not fit together")
        return made
    if isinstance(value, list):
        return tuple(from_plain(item) for item in value)
    return value


def _fits(part: Any) -> bool:
    """Whether rows are as long as they have columns, and curves have a y for every x.

    No interval ends below where it begins.
    """
    if isinstance(part, Table):
        return all(len(row) == len(part.columns) for row in part.rows)
    if isinstance(part, HeatMap):
        wide = [len(part.x_names)] * len(part.y_names)
        return all([len(row) for row in grid] == wide for grid in (part.values, part.texts))
    if isinstance(part, Line):
        sizes = {len(numbers) for numbers in (part.x, part.y, part.low, part.high)}
        ends = zip(part.low, part.high, strict=False)
        return len(sizes) == 1 and all(low <= high for low, high in ends)
    if isinstance(part, Estimate):
        return part.low <= part.high and min(part.stderr, part.n) >= 0
    if isinstance(part, (Dot, Spot)):
        return part.low <= part.high
    if isinstance(part, Bars):
        return len(part.x) == len(part.y)
    return True


@cache
def _types_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _is_a(value: Any, kind: Any) -> bool:
    """Whether a value has a type as the classes above write it."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return any(_is_a(value, one) for one in inner)
    if get_origin(kind) is tuple:
        if not isinstance(value, tuple):
            return False
        if inner[-1] is Ellipsis:
            return all(_is_a(item, inner[0]) for item in value)
        return len(value) == len(inner) and all(map(_is_a, value, inner))
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    return isinstance(value, (float, int) if kind is float else kind)


def line_of(label: str, points: Sequence[tuple[float, Estimate]], scale: float = 1.0) -> Line:
    """A curve through estimates at places."""
    return Line(
        label,
        tuple(float(x) for x, _ in points),
        tuple(scale * e.value for _, e in points),
        tuple(scale * e.low for _, e in points),
        tuple(scale * e.high for _, e in points),
    )


def banded(
    label: str, rows: Sequence[Mapping[str, Any]], x: str, y: str, low: str, high: str
) -> Line:
    """A curve through columns of a table, with a band between two other columns."""
    return Line(
        label,
        tuple(float(row[x]) for row in rows),
        tuple(row[y].value for row in rows),
        tuple(row[low].value for row in rows),
        tuple(row[high].value for row in rows),
    )


def dot_of(label: str, estimate: Estimate, group: str = "") -> Dot:
    """An estimate beside its name."""
    return Dot(label, estimate.value, estimate.low, estimate.high, group)


# What a strategy report is about, how much is played for it, and how its sections put numbers.

# How many games are played for what, from the wanted half-width in points.
DEFAULT_PRECISION = 0.05
QUICK_PRECISION = 0.25
GAMES_AT_DEFAULT = 400_000
FEWEST_GAMES = 400
COMPARED_PART = 0.4  # of the games, for each rule set compared
LEAGUE_PART = 0.75  # of the games, for all tables of the league
SHOWN_PART = 40_000  # games at most whose single results are kept


@dataclass(frozen=True)
class Budget:
    """How much is played. precision: half-width in points, from which the games follow."""

    precision: float

    def games(self, game: str) -> int:
        """Games or rounds of a simulation of a game."""
        part = amounts_of(game).part
        games = part * GAMES_AT_DEFAULT * (DEFAULT_PRECISION / self.precision) ** 2
        return min(MOST_GAMES, max(FEWEST_GAMES, round(games / FEWEST_GAMES) * FEWEST_GAMES))


@dataclass(frozen=True)
class Ask:
    """What a report is about, and with how much it is answered."""

    game: AnyGame
    rules: Any
    players: int
    budget: Budget
    seed: int = 0
    threads: int | None = None

    @property
    def words(self) -> list[str]:
        """The words of a command that name it."""
        return [str(self.rules.id)]

    @property
    def question(self) -> dict[str, Any]:
        """What the games of a run depend on besides rules, players, precision and seed."""
        return {}

    @property
    def intro(self) -> str:
        """What the numbers of the page are about."""
        return f"All numbers are for {self.rules.id} and {self.players} players."

    @property
    def games(self) -> int:
        """Games or rounds of a simulation."""
        return self.budget.games(self.game.name)

    @property
    def precision(self) -> float:
        """Half-width in points of thresholds, coarser where there are fewer games."""
        return self.budget.precision / math.sqrt(amounts_of(self.game.name).part)


def part_of(progress: Progress | None, at: int, of: int) -> Progress | None:
    """Progress of one of several simulations."""
    if progress is None:
        return None
    return lambda done, games: progress(at * games + done, of * games)


# How sections put things: policies by what they are, numbers and their errors in sentences.

STRONG, TOSS_UP = "strong", "toss-up"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def named(ask: Ask, policies: Sequence[Policy]) -> dict[str, str]:
    """What policies are called, by their exact names: the best for winning is the strong one."""
    best = ask.game.best_policy(ask.rules, ask.players).name
    briefs = {p.name: STRONG if p.name == best else p.brief for p in policies}
    twice = {brief for brief in briefs.values() if list(briefs.values()).count(brief) > 1}
    return {name: name if brief in twice else brief for name, brief in briefs.items()}


def who_is_who(names: Mapping[str, str]) -> str:
    """Which policy is which, in a sentence; empty if all go by their exact names."""
    known = [f"“{brief}” is {name}" for name, brief in names.items() if brief != name]
    return f"The exact names of the policies: {', '.join(known)}." if known else ""


def all_play(ask: Ask, objective: str = "win") -> str:
    """How all players play, with the exact name of the policy."""
    policy = ask.game.best_policy(ask.rules, ask.players, objective)
    aim = "" if objective == "win" else " for points"
    return f"all players play the strongest policy known{aim} ({policy.name})"


def going(action: str) -> str:
    """``rolling``, ``drawing``, ``quitting``, ``going on``."""
    verb, _, rest = action.partition(" ")
    doubled = verb + verb[-1] if verb.endswith("it") else verb
    return f"{doubled}ing" + (f" {rest}" if rest else "")
