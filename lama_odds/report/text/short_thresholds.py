"""When to quit: a rule to keep in mind, the rows around the limit, other limits."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.analysis.thresholds.limits import (
    by_what_it_is_worth,
    limit_in_table,
    limit_text,
    rule_part,
    rule_sentence,
    small,
    threshold,
)
from lama_odds.analysis.variants.given import titled
from lama_odds.games.interface.objectives import MARGIN, ROUND, SHARES
from lama_odds.games.shared.score_bands import BAND, OTHER, OWN
from lama_odds.report.text.answers import number, table
from lama_odds.report.text.by_score import scores_text
from lama_odds.report.text.thresholds import KEYS, alone, others_of, precision_text, thresholds_text

AROUND, AROUND_BRIEF = 4, 2  # rows on either side of the limit
TOSS_UP = "toss-up"
AIMS = {MARGIN.name: MARGIN.aims_at, "round lost": ROUND.aims_at}  # of second objectives
SCORES = "your score, best other's →"


def short_text(found: Thresholds, verbose: bool = False) -> RenderableType:
    """The rule, what the other choice costs around the limit, and limits by what else is known.

    Where there is a card, that is the answer: of the rest, only what is worth most follows.
    verbose: all rows, objectives and tables.
    """
    if verbose:
        return thresholds_text(found)
    if not found.rows:
        return _solved(found)
    objective = found.objectives[0]
    head = f"{titled(found)} · {found.players} players · {found.decisions}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += _rule(found, objective)
    if found.card is None:
        parts += _another(found)
    if found.scale.about:
        parts.append(Text(f"{found.label}: {found.scale.about}", style="dim"))
    parts += [Text(each.rule, style="bold") for each in found.tables if each.rule]
    parts += [Text(), _around(found, objective), *_by_keys(found, objective)]
    parts += [*_by_scores(found, objective), Text()]
    return Group(*parts, Text(f"{precision_text(found)}{_how_sure(found)}", style="dim"))


def _rule(found: Thresholds, objective: str) -> list[Text]:
    """The card that was played as a rule, if there is one; then what single decisions say."""
    by_decisions = rule_sentence(found, alone(found), objective)
    if found.card is None:
        return [_bold(f"▶ {by_decisions}")]
    first, *others = found.card.lines
    return [
        _bold(f"▶ {first}"),
        *(_bold(f"  {line}") for line in others),
        Text(found.card.said),
        Text(f"Among strong players, by single decisions: {small(by_decisions)}"),
    ]


def _solved(found: Thresholds) -> RenderableType:
    """The rules of what is solved, and which tables there are."""
    parts: list[RenderableType] = [
        Text(f"{titled(found)} · {found.players} players", style="dim"),
        *(line for each in found.tables if each.rule for line in (Text(), _bold(f"▶ {each.rule}"))),
        Text(),
    ]
    if not any(each.rule for each in found.tables):
        return thresholds_text(found)
    count = len(found.tables)
    tables = f"{count} tables: {', '.join(each.name for each in found.tables)}"
    return Group(*parts, Text(f"Exact. More: -v ({tables.replace('_', ' ')})", style="dim"))


def _bold(text: str) -> Text:
    return Text(text, style="bold")


def _key(row: Row) -> int:
    return row.keys["penalty"] or 0


def _another(found: Thresholds) -> list[Text]:
    """The limit in the other objective, if it is another one."""
    first, *others = found.objectives
    rows = alone(found)
    limits = {name: limit_text(found, rows, name) for name in found.objectives}
    return [
        Text(f"For {AIMS.get(name, name)}: {rule_part(found, rows, name)}.")
        for name in others
        if limits[name] != limits[first]
    ]


def _around(found: Thresholds, objective: str) -> RenderableType:
    """The better action and what the other one costs, near the limit."""
    rows = alone(found)
    sure, perhaps = threshold(found, rows, objective)
    around = AROUND if found.card is None else AROUND_BRIEF
    near = [row for row in rows if sure - around < _key(row) <= perhaps + around]
    lines = []
    for row in near or rows[: 2 * around]:
        better = row.better(objective, found.actions)
        costs = row.values[objective][2]
        told = TOSS_UP if better == "close" else better
        shown = number(costs, objective in SHARES).removeprefix("-")
        lines.append((found.scale.text(_key(row)), told, shown))
    return table([found.label, "better", "the other costs"], lines)


def _by_keys(found: Thresholds, objective: str) -> list[RenderableType]:
    """The limit by each of the other things that are known."""
    parts: list[RenderableType] = []
    first = found.actions[0]
    upto = "up to" if found.scale.step > 0 else "from"
    for name in by_what_it_is_worth(found, list(KEYS), objective):
        said = KEYS[name]
        rows = [row for row in found.rows if set(others_of(row)) == {name}]
        values = sorted({others_of(row)[name] for row in rows})
        if not values:
            continue
        limits = [_limit(found, rows, name, value, objective) for value in values]
        head = [said, *map(str, values)]
        parts += [Text(), table(head, [[f"{first} {upto}", *limits]])]
        if found.card is not None:
            break
    return parts


def _by_scores(found: Thresholds, objective: str) -> list[RenderableType]:
    """The limit by your score, down, and the best other's, across, if rows tell them apart."""
    rows = [row for row in found.rows if set(others_of(row)) == {OWN, OTHER}]
    owns, others = (sorted({others_of(row)[key] for row in rows}) for key in (OWN, OTHER))
    if not rows:
        return []
    lines = [
        [
            scores_text(own, BAND),
            *(
                limit_in_table(
                    found, [r for r in rows if others_of(r) == {OWN: own, OTHER: other}], objective
                )
                for other in others
            ),
        ]
        for own in owns
    ]
    return [Text(), table([SCORES, *(scores_text(other, BAND) for other in others)], lines)]


def _limit(found: Thresholds, rows: Iterable[Row], name: str, value: int, objective: str) -> str:
    here = (row for row in rows if others_of(row) == {name: value})
    return limit_in_table(found, here, objective)


def _how_sure(found: Thresholds) -> str:
    rounds = f"{found.games:,} {found.played}"
    return f"{rounds}, everybody plays {found.policy}; ± is a 95 % interval. More: -v"
