"""Numbers in a short answer: as many digits as the error deserves, chances in whole per cent."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from rich.text import Text

from lama_odds.analysis.compare import decisions, design
from lama_odds.analysis.compare.answer import DECISIONS, Compared, Comparison
from lama_odds.analysis.variants.given import named
from lama_odds.core.errors import shown
from lama_odds.core.estimate import Estimate, with_unit
from lama_odds.games.interface.watched import DECIDED, FEWEST, MOST, ONE_IN

# The one writer of CSV; no text in it becomes a formula in a spreadsheet.

# A cell that begins so is computed by spreadsheets, and can reach out of them.
_FORMULA = ("=", "+", "-", "@")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV text; None is an empty cell, and numbers are never changed.

    Text that begins with ``=``, ``+``, ``-`` or ``@`` gets an apostrophe before it, unless it is a
    number. Invisible characters (tabs and returns too) are written as escapes.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    seen = "\n".join(map(shown, value.split("\n")))
    return f"'{seen}" if seen.startswith(_FORMULA) and not _is_number(seen) else seen


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


DIGITS = 3  # after the point at most
EXACT_DIGITS = 2
ROUNDED_UP = 0.4  # half-widths from 0.25 down have a digit after the point, from 0.025 down two
POINTS_OF_CHANCE = "percentage points"


def rounded(value: float, digits: int) -> str:
    """A number with `digits` decimals; never a negative zero."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def signed(value: float, digits: int) -> str:
    """A number with its sign and `digits` decimals; zero has a plus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0 else text


def digits_of(estimate: Estimate, scale: float = 1.0) -> int:
    """Digits after the point that an estimate deserves: the last one is about its half-width."""
    half = scale * (estimate.high - estimate.low) / 2
    if half == 0 or not math.isfinite(half):
        return EXACT_DIGITS
    most = DIGITS if estimate.stderr else EXACT_DIGITS
    return min(most, max(0, math.floor(ROUNDED_UP - math.log10(half))))


def first_digit(value: float) -> int:
    """Digits after the point up to the first that is not 0."""
    return min(DIGITS, max(0, math.ceil(-math.log10(abs(value))))) if value else 0


def brief(estimate: Estimate, share: bool = False) -> str:
    """A value without its error, with as many digits as `error` has; of a share in per cent."""
    scale = 100 if share else 1
    half = scale * (estimate.high - estimate.low) / 2
    digits = first_digit(half) if half else EXACT_DIGITS if estimate.value else 0
    return rounded(scale * estimate.value, digits) + " %" * share


def size(estimate: Estimate, share: bool = False) -> str:
    """How large a difference is, without its sign: at least its first digit that is not 0."""
    scale = 100 if share else 1
    value = scale * abs(estimate.value)
    half = scale * (estimate.high - estimate.low) / 2
    return rounded(value, max(first_digit(half) if half else EXACT_DIGITS, first_digit(value)))


def amount(estimate: Estimate, unit: str, share: bool = False) -> str:
    """How large a difference is, with its unit: percentage points of a share."""
    return with_unit(size(estimate, share), POINTS_OF_CHANCE if share else unit)


def error(estimate: Estimate, share: bool = False) -> str:
    """The half-width of an interval, with one digit that is not 0; of a share in per cent."""
    half = (100 if share else 1) * (estimate.high - estimate.low) / 2
    return f"± {rounded(half, first_digit(half))}{' %' * share}"


def widest(estimates: list[Estimate], share: bool = False) -> str:
    """The half-width of the widest of several intervals."""
    return error(max(estimates, key=lambda estimate: estimate.high - estimate.low), share)


def share_text(estimate: Estimate) -> str:
    """A chance in whole per cent."""
    percent = 100 * estimate.value
    if estimate.value > 0 and percent < 0.5:
        return "<1 %" if estimate.high > 0.0005 else "0 %"
    if percent > 99.5 and estimate.value < 1:
        return ">99 %" if estimate.low < 0.9995 else "100 %"
    return f"{percent:.0f} %"


def listed(names: list[str], last: str = "and") -> str:
    """Names in a sentence: a, b and c."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} {last} {names[-1]}"


# Measures of rule sets, and rule sets by name, as sentences and tables say them.

# Differences as one would say them: of a measure that is higher, and of one that is lower.
CLAUSES = {
    "penalty": ("a round costs {} {}", "more", "less"),
    "rounds": ("a game is {} rounds {}", "longer", "shorter"),
    "worms": ("a player ends with {} {}", "more", "less"),
    "turns": ("{} turns {} are played", "more", "fewer"),
    "busts": ("{} turns {} are bust", "more", "fewer"),
    "steals": ("{} tiles {} are stolen", "more", "fewer"),
    "went_out": ("going out is {} {} likely", "more", "less"),
    "blown": ("blowing it is {} {} likely", "more", "less"),
    "spread": ("final scores lie {} {}", "further apart", "closer together"),
    "shared": ("a shared win is {} {} likely", "more", "less"),
    "win": ("{who} wins {} {} often", "more", "less"),
    "actions": ("a round has {} actions {}", "more", "fewer"),
    "length": ("a game has {} actions {}", "more", "fewer"),
    "long games": ("a long game is {} {} likely", "more", "less"),
    "longest wait": ("the longest wait is {} {}", "longer", "shorter"),
    "sat out": ("a player watches {} {} after quitting", "more", "less"),
    "lead changes": ("the lead changes {} times {}", "more often", "less often"),
    "comebacks": ("a comeback is {} {} likely", "more", "less"),
    "decided": ("the winner is settled {} {}", "later", "earlier"),
    "drama": ("the later winner is behind by {} {}", "more", "less"),
    "choices": ("a game has {} decisions {}", "more", "fewer"),
    "matter": ("a decision matters {} {} often", "more", "less"),
    "skill": ("the best player beats casual ones {} {} often", "more", "less"),
    "bold wins": ("bold play beats cautious play {} {} often", "more", "less"),
}
ORDER = (*CLAUSES, DECISIONS)
UNNAMED: Mapping[str, str] = MappingProxyType({})
UNITS = {
    "penalty": "points",
    "worms": "worms",
    "spread": "points",
    "longest wait": "actions",
    "sat out": "% of a game",
    "decided": "% of the game",
    "drama": "percentage points",
}


class Named(Protocol):
    """An answer about several rule sets. names: those that files of variants give them, by id."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids."""

    @property
    def names(self) -> Mapping[str, str]:
        """Names by id."""


def called(found: Named) -> list[Text]:
    """What the names of variants stand for, a line each."""
    return [
        Text(f"{found.names[rules]}: {rules}", style="dim")
        for rules in found.rules
        if rules in found.names
    ]


def measure_title(measure: Compared) -> str:
    """A measure with its unit, unless this says the same, or it is a chance."""
    if measure.key == "win":
        return f"wins of player {player_of(measure)}"
    name, unit = measure.name.replace("_", " "), measure.unit
    return name if measure.share else unit if unit.startswith(name) else f"{name}, {unit}"


def player_of(measure: Compared) -> int:
    """Whose wins a measure counts, from 1."""
    return int(measure.name.split()[-1]) + 1


def skill_lines(found: Comparison) -> list[str]:
    """After how many games skill shows under each rule set; empty if that is not measured."""
    told, unsure = [], []
    for rules, needed in found.skill_shows.items():
        added = rules.removeprefix(found.rules[0])
        name = added if added.startswith("+") and rules not in found.names else rules
        name = named(rules, found.names) if name == rules else name
        if needed.games is None or needed.high is None:
            unsure.append(name)
            continue
        games = f"{needed.games} game{'s' * (needed.games != 1)}"
        spread = f" ({needed.low} to {needed.high})" if needed.low != needed.high else ""
        told.append(f"after {games}{spread} with {name}")
    lines = []
    if told:
        above = "what the best player wins is then more than 95 % of equal players win"
        lines.append(f"Skill shows {listed(told)}: {above}.")
    if unsure:
        lines.append(f"Whether skill shows at all is not sure with {listed(unsure)}.")
    return lines


def meanings(found: Comparison) -> dict[str, str]:
    """The meanings of measures whose names do not explain them."""
    told = {"length", "spread", "shared", "went_out", "blown", "worms", "penalty"}
    told |= {*design.NEW, *(measure.key for measure in decisions.MEASURES)}
    measures = {row.measure.key: row.measure for row in found.rows}
    return {
        key.replace("_", " "): measure.meaning for key, measure in measures.items() if key in told
    }


def looked_lines(found: Comparison) -> list[str]:
    """How precise the measures are that need chances to win, or decisions played out."""
    rows = {row.measure.key: row for row in found.rows}
    lines = []
    if not rows.keys().isdisjoint(design.LOOKED_AT):
        lines.append(
            f"decided, drama: of one game in {ONE_IN}. A chance to win is looked up in the match "
            f"equity table of players who play its policy. Otherwise {FEWEST} to {MOST} games "
            "are played on from there (standard error at most 9 to 3 percentage points), until it "
            f"is clear whether it is above {DECIDED} %"
        )
    tried = [rows[m.key] for m in decisions.MEASURES if m.key in rows]
    if tried:
        lines.append(
            f"choices, matter: of {tried[0].samples} of these games; of each, "
            f"{decisions.TRIED} decisions are played out, {decisions.PLAYS:,} times for "
            "every action"
        )
    return lines
