"""Odds: what happens next in a sentence, then a few chances; all of them with -v.

After a record: what the others probably hold, in a sentence and a row for each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.odds import Odds
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.interface.solution import OddsInWords
from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.answers import number, percent, table
from lama_odds.report.text.numbers import share_text
from lama_odds.report.text.played_along.held import others_text

WITHOUT_PAST = "What happens next, unseen cards being as likely as any others:"
NO_LUCK = "Nothing here is left to chance: there is no draw or roll to come."
# Chances that say the same wherever they are equal: only the second is shown.
ALIKE = (("new kind", "raises"),)


def odds_text(odds: Odds, verbose: bool = False) -> RenderableType:
    """What happens next, and the chances it is made of; verbose: every chance, and groups.

    After a record: what the others hold; verbose: and what happens next.
    """
    if odds.others is not None:
        held = others_text(odds, verbose)
        return Group(held, Text(), Text(WITHOUT_PAST), _all(odds)) if verbose else held
    told = odds.in_words
    head = Text(odds.about or f"{titled(odds)}   {odds.position or 'deal'}", style="dim")
    if verbose or told is None:
        return _all(odds)
    parts: list[RenderableType] = [head, Text(), Text(f"▶ {_filled(odds, told.finding)}", "bold")]
    if told.rows:
        parts += [Text(), _rows(told)]
    parts += [Text(), *(Text(_filled(odds, line)) for line in told.lines)]
    return Group(*parts, Text("Exact. More: -v", style="dim"))


def _filled(odds: Odds, line: str) -> str:
    """A sentence with the chances that it names."""
    return line.format_map({name: share_text(chance) for name, chance in odds.events.items()})


def _rows(told: OddsInWords) -> Fitted:
    rows = (
        tuple(cell if isinstance(cell, str) else share_text(exact(cell)) for cell in row)
        for row in told.rows
    )
    return Fitted(told.heads, tuple(rows))


def _all(odds: Odds) -> RenderableType:
    """Every chance by name, means first."""
    rows = [
        (name, number(chance) if name.startswith("mean ") else percent(chance))
        for name, chance in without_alike(odds.events)
    ]
    parts: list[RenderableType] = [Text(f"{titled(odds)}   {odds.position or 'deal'}", style="dim")]
    if not rows:
        return Group(*parts, Text(NO_LUCK))
    if odds.in_words is not None:
        parts += [Text(), Text(f"▶ {_filled(odds, odds.in_words.finding)}", "bold"), Text()]
    parts.append(table(["", "chance"], rows))
    if odds.groups:
        names = list(next(iter(odds.groups.values())))
        groups = (
            [name, *(percent(group[name]) for group in odds.groups.values())] for name in names
        )
        parts += [Text(), table(["", *odds.groups], groups)]
    notes = ("exact", *odds.assumptions)
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def without_alike(chances: Mapping[str, Estimate]) -> Iterator[tuple[str, Estimate]]:
    """Chances without duplicates under another name."""
    left_out = {
        first
        for first, second in ALIKE
        if first in chances and second in chances and chances[first] == chances[second]
    }
    yield from ((name, chance) for name, chance in chances.items() if name not in left_out)
