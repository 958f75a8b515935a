"""CSV, and measures and rule sets by name, as sentences and tables say them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from rich.text import Text

from lama_odds.analysis.compare import decisions, design
from lama_odds.analysis.compare.answer import DECISIONS, Compared, Comparison
from lama_odds.analysis.variants.given import named
from lama_odds.core.errors import shown
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import listed
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


FIELDS = ("value", "stderr", "low", "high")  # of an estimate, in a row


def cells(estimate: Estimate) -> list[float]:
    """The cells of an estimate in a row, see FIELDS."""
    return [estimate.value, estimate.stderr, estimate.low, estimate.high]


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


# Measures of rule sets, and rule sets by name, as sentences and tables say them.

# Differences as one would say them: of a measure that is higher, and of one that is lower.
CLAUSES = {
    "penalty": ("a round costs {} {}", "more", "less"),
    "rounds": ("a game is {} rounds {}", "longer", "shorter"),
    "worms": ("a player ends with {} {} worms", "more", "fewer"),
    "turns": ("{} {} turns are played", "more", "fewer"),
    "busts": ("{} {} turns are bust", "more", "fewer"),
    "steals": ("{} {} tiles are stolen", "more", "fewer"),
    "went_out": ("going out is {} {} likely", "more", "less"),
    "blown": ("blowing it is {} {} likely", "more", "less"),
    "spread": ("final scores lie {} {}", "further apart", "closer together"),
    "shared": ("a shared win is {} {} likely", "more", "less"),
    "win": ("{who} wins {} {} often", "more", "less"),
    "actions": ("a round has {} {} actions", "more", "fewer"),
    "length": ("a game has {} {} actions", "more", "fewer"),
    "long games": ("a long game is {} {} likely", "more", "less"),
    "longest wait": ("the longest wait is {} {}", "longer", "shorter"),
    "sat out": ("a player watches {} {} after quitting", "more", "less"),
    "lead changes": ("the lead changes {} times {}", "more often", "less often"),
    "comebacks": ("a comeback is {} {} likely", "more", "less"),
    "decided": ("the winner is settled {} {}", "later", "earlier"),
    "drama": ("the later winner is behind by {} {}", "more", "less"),
    "choices": ("a game has {} {} decisions", "more", "fewer"),
    "matter": ("a decision matters {} {} often", "more", "less"),
    "skill": ("the best player beats casual ones {} {} often", "more", "less"),
    "bold wins": ("bold play beats cautious play {} {} often", "more", "less"),
}
ORDER = (*CLAUSES, DECISIONS)
UNNAMED: Mapping[str, str] = MappingProxyType({})
UNITS = {
    "penalty": "points",
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


def called(answer: Named) -> list[Text]:
    """What the names of variants stand for, a line each."""
    return [
        Text(f"{answer.names[rules]}: {rules}", style="dim")
        for rules in answer.rules
        if rules in answer.names
    ]


def measure_name(measure: Compared) -> str:
    """A measure as it is called in an answer."""
    if measure.key == "win":
        return f"wins of player {player_of(measure)}"
    return measure.name.replace("_", " ")


def measure_title(measure: Compared) -> str:
    """A measure with its unit, unless this says the same, or it is a chance."""
    name, unit = measure_name(measure), measure.unit
    return name if measure.share else unit if unit.startswith(name) else f"{name}, {unit}"


def player_of(measure: Compared) -> int:
    """Whose wins a measure counts, from 1."""
    return int(measure.name.split()[-1]) + 1


def skill_lines(comparison: Comparison) -> list[str]:
    """After how many games skill shows under each rule set; empty if that is not measured."""
    sure, unsure = [], []
    for rules, needed in comparison.skill_shows.items():
        added = rules.removeprefix(comparison.rules[0])
        name = added if added.startswith("+") and rules not in comparison.names else rules
        name = named(rules, comparison.names) if name == rules else name
        if needed.games is None or needed.high is None:
            unsure.append(name)
            continue
        games = f"{needed.games} game{'s' * (needed.games != 1)}"
        spread = f" ({needed.low} to {needed.high})" if needed.low != needed.high else ""
        sure.append(f"after {games}{spread} with {name}")
    lines = []
    if sure:
        above = "what the best player wins is then more than 95 % of equal players win"
        lines.append(f"Skill shows {listed(sure)}: {above}.")
    if unsure:
        lines.append(f"Whether skill shows at all is not sure with {listed(unsure)}.")
    return lines


def meanings(comparison: Comparison) -> dict[str, str]:
    """The meanings of measures whose names do not explain them."""
    keys = {"length", "spread", "shared", "went_out", "blown", "worms", "penalty"}
    keys |= {*design.NEW, *(measure.key for measure in decisions.MEASURES)}
    measures = {row.measure.key: row.measure for row in comparison.rows}
    return {
        key.replace("_", " "): measure.meaning for key, measure in measures.items() if key in keys
    }


def looked_lines(comparison: Comparison) -> list[str]:
    """How precise the measures are that need chances to win, or decisions played out."""
    rows = {row.measure.key: row for row in comparison.rows}
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
