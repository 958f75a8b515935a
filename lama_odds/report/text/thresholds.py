"""Thresholds as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.policy_files import PublishedCard
from lama_odds.analysis.thresholds.answer import (
    Limit,
    Row,
    Thresholds,
    by_what_it_is_worth,
    limit_in_table,
    limit_text,
    rule_part,
    rule_sentence,
    rule_text,
    small,
    threshold,
)
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.wording import number, percent, with_unit
from lama_odds.games.interface.objectives import (
    MARGIN,
    ROUND,
    SHARES,
    ThresholdTable,
)
from lama_odds.games.shared.seating import BAND, OTHER, OWN
from lama_odds.report.terminal import table
from lama_odds.report.text.numbers import csv_text

ACROSS = 6  # columns of a table that goes across
VALUES = ("value", "stderr", "low", "high")


def thresholds_text(found: Thresholds) -> RenderableType:
    """By penalty alone; the threshold for each value of the other keys; how it was made."""
    who = f", all {found.policy}" if found.policy else ""
    parts: list[RenderableType] = [
        Text(f"{titled(found)}   {found.players} players{who}", style="dim")
    ]
    if found.rows:
        parts += _sampled(found)
    parts += [Text(each.rule, style="bold") for each in found.tables if each.rule]
    for beside in found.tables:
        parts += [Text(), Text(f"{beside.title} ({beside.made})", style="bold"), *_beside(beside)]
    if found.rows:
        parts.append(_made(found))
    terms = [term for each in found.tables for term in each.terms]
    if terms:
        parts += [Text(), Text("\n".join(f"· {term}" for term in terms), style="dim")]
    return Group(*parts)


def _sampled(found: Thresholds) -> list[RenderableType]:
    """What the decisions of self-play show."""
    first, second = found.actions
    parts: list[RenderableType] = [
        Text(f"Decisions {found.decisions}: {first} or {second}?", style="bold"),
        *(
            Text(f"{rule_text(found, alone(found), objective)} (for {objective})")
            for objective in found.objectives
        ),
    ]
    rows = alone(found)
    columns = [found.label, "per round"]
    for objective in found.objectives:
        columns += [f"{second} − {first}, {objective}", "better"]
    parts += [Text(), table(columns, (_line(found, row) for row in rows))]
    for name in found.words:
        if any(set(others_of(row)) == {name} for row in found.rows):
            parts += [
                Text(),
                Text(
                    f"{first.capitalize()} at this {found.label} {found.scale.onward}",
                    style="bold",
                ),
            ]
            parts += [_by_key(found, name)]
    return parts


def precision_text(found: Thresholds) -> str:
    """A line if the requested precision was not reached; else empty."""
    if found.precision is None or found.precision.met:
        return ""
    asked, reached = found.precision.asked, found.precision.reached
    return (
        f"· wanted ± {asked:g}, reached ± {reached:.2g}: {found.games:,} {found.played} are "
        "the most that --precision plays (--games plays more)\n"
    )


def _made(found: Thresholds) -> Text:
    first, second = found.actions
    about = f"· {found.label}: {found.scale.about}\n" if found.scale.about else ""
    return Text(
        f"{precision_text(found)}{about}"
        f"· {second} − {first}: above 0, {first} is better; 95 % intervals\n"
        f"· {found.games:,} rounds, seed {found.seed}, {found.seconds:.1f} s; both actions with "
        f"the same cards and dice; everybody plays {found.policy} before and after\n"
        "· per round: how often such a decision arises\n"
        f"· --csv FILE has all {len(found.rows)} rows, also by several keys at once",
        style="dim",
    )


def others_of(row: Row) -> dict[str, int]:
    """Keys given besides the penalty."""
    return {k: v for k, v in row.keys.items() if k != "penalty" and v is not None}


def alone(found: Thresholds) -> list[Row]:
    """Rows by penalty alone."""
    return [row for row in found.rows if others_of(row) == {}]


def _line(found: Thresholds, row: Row) -> list[str]:
    line = [found.scale.text(row.keys["penalty"] or 0), f"{row.met:.4f}"]
    for objective in found.objectives:
        difference = number(row.values[objective][2], objective in SHARES)
        line += [difference, row.better(objective, found.actions)]
    return line


def _by_key(found: Thresholds, name: str) -> RenderableType:
    values = sorted({others_of(row)[name] for row in found.rows if set(others_of(row)) == {name}})
    lines = []
    for objective in found.objectives:
        line = [objective]
        for value in values:
            line.append(
                limit_text(
                    found, (r for r in found.rows if others_of(r) == {name: value}), objective
                )
            )
        lines.append(line)
    return table([found.words[name].brief, *map(str, values)], lines)


def _beside(shown: ThresholdTable) -> list[RenderableType]:
    """A table beside, in parts if one of its columns goes across."""
    if shown.across:
        return _across(shown)
    columns = list(shown.rows[0])
    lines = ([_cell(shown, name, row[name]) for name in columns] for row in shown.rows)
    first = (at for at, name in enumerate(columns) if isinstance(shown.rows[0][name], Estimate))
    return [table(columns, lines, keys=next(first, 1))]


def _across(shown: ThresholdTable) -> list[RenderableType]:
    """The first value of each row, by the other key and the one that goes across."""
    down, value = _key_and_value(shown)
    cells = {(row[down], row[shown.across]): _cell(shown, value, row[value]) for row in shown.rows}
    keys = list(dict.fromkeys(row[down] for row in shown.rows))
    across = list(dict.fromkeys(row[shown.across] for row in shown.rows))
    parts: list[RenderableType] = []
    for at in range(0, len(across), ACROSS):
        some = across[at : at + ACROSS]
        head = [f"{down}, {value}", *(f"{shown.across} {name}" for name in some)]
        lines = ([str(key), *(cells.get((key, name), "–") for name in some)] for key in keys)
        parts += [Text(), table(head, lines)]
    return parts[1:]


def _key_and_value(shown: ThresholdTable) -> tuple[str, str]:
    """The columns of the other key and of the first estimate."""
    columns = shown.rows[0].items()
    key = next(name for name, _ in columns if name != shown.across)
    return key, next(name for name, value in columns if isinstance(value, Estimate))


def _cell(shown: ThresholdTable, name: str, value: object) -> str:
    if isinstance(value, Estimate):
        return percent(value) if name in shown.shares else number(value)
    return "–" if value is None else str(value)


def thresholds_csv(found: Thresholds, beside: bool = True) -> str:
    """All rows: keys (empty: any), frequency, then values and verdict per objective, with errors.

    The difference is the cost of the second action against the first. With `beside`, sampled tables
    follow, each after an empty line.
    """
    rows: list[list[object]] = []
    made = [found.rules, found.players, found.policy, found.seed, found.games]
    if not found.rows:
        for shown in found.tables:
            rows += _rows_of_table(found, shown)
        return csv_text(rows)
    keys = list(found.keys_shown(found.rows[0]))
    head: list[object] = ["rules", "players", "policy", "seed", found.played, *keys, "met"]
    head += [*(f"met {name}" for name in VALUES[1:]), "n"]
    for objective in found.objectives:
        for action in (*found.actions, "difference"):
            head += [f"{objective} {action} {name}" for name in VALUES]
        head.append(f"{objective} better")
    rows.append(head)
    for row in found.rows:
        often = (row.met, None, None, None) if row.often is None else _numbers(row.often)
        line = [*made, *found.keys_shown(row).values(), *often, row.n]
        for objective in found.objectives:
            for estimate in row.values[objective]:
                line += _numbers(estimate)
            line.append(row.better(objective, found.actions))
        rows.append(line)
    for sampled in (t for t in found.tables if beside and t.made != EXACT):
        rows += [[], *_rows_of_sampled(found, sampled)]
    return csv_text(rows)


def _rows_of_table(found: Thresholds, shown: ThresholdTable) -> Iterator[list[object]]:
    """A table beside: its name first in every row."""
    yield ["table", "rules", "players", *shown.rows[0]]
    for row in shown.rows:
        values = [v.value if isinstance(v, Estimate) else v for v in row.values()]
        yield [shown.name, found.rules, found.players, *values]


def _rows_of_sampled(found: Thresholds, sampled: ThresholdTable) -> Iterator[list[object]]:
    """A sampled table: its name first in every row, values with their errors."""
    head: list[object] = ["table", "rules", "players", "policy", "seed"]
    for name, value in sampled.rows[0].items():
        head += [f"{name} {part}" for part in VALUES] if isinstance(value, Estimate) else [name]
    yield head
    for row in sampled.rows:
        line: list[object] = [sampled.name, found.rules, found.players, found.policy, found.seed]
        for value in row.values():
            line += _numbers(value) if isinstance(value, Estimate) else [value]
        yield line


def _numbers(estimate: Estimate) -> list[float]:
    return [estimate.value, estimate.stderr, estimate.low, estimate.high]


# Thresholds by score as text: up to which penalty to quit, where winning the game counts.

PAST = 3  # penalties shown after the last at which anything is open
CORNER = "your score, best other's →"


def game_thresholds_text(found: Thresholds, verbose: bool = False) -> RenderableType:
    """Where it turns by both scores, and what it is for points; verbose: all differences."""
    if verbose:
        return _all(found)
    first = found.actions[0]
    head = f"{titled(found)} · {found.players} players · {found.decisions}"
    grid = f"To win the game, {first} at this {found.label} or less (in brackets: not settled)"
    sure = (
        f"{precision_text(found)}{found.games:,} games, everybody plays {found.policy}; brackets "
        "are 95 % intervals. More: -v"
    )
    return Group(
        Text(head, style="dim"),
        Text(),
        Text(f"▶ {finding(found)}", style="bold"),
        Text(),
        Text(grid),
        _grid(found, 0),
        Text(),
        Text(sure, style="dim"),
    )


def finding(found: Thresholds) -> str:
    """The limit at the scores that occur most often, to win and for points."""
    first = found.actions[0]
    limit = max(found.limits, key=lambda each: each.met)
    band = found.band or 1
    own, other = (scores_text(limit.keys[key] or 0, band) for key in (OWN, OTHER))
    told = []
    for objective in (0, 1):
        at = limit.at[objective]
        told.append(f"never {first}" if at < 0 else f"{first} with {found.shown(at)} or less")
    against = f"at {with_unit(own)} against {other} of the best other player"
    if told[0] == told[1]:
        return f"To win the game, {told[0]} {against}: the same as for points."
    return f"To win the game, {told[0]} {against}. For points against the same players, {told[1]}."


def _all(found: Thresholds) -> RenderableType:
    """Where it turns by both scores, how sure that is, differences, how it was made."""
    first, second = found.actions
    last = found.shown(max(limit.perhaps[0] for limit in found.limits) + PAST) or 0
    parts: list[RenderableType] = [
        Text(f"{titled(found)}   {found.players} players, all {found.policy}", style="dim"),
        Text(f"Decisions {found.decisions}: {first} or {second}?", style="bold"),
    ]
    titles = (
        f"To win the game: {first} at this {found.label} or less (in brackets: not "
        "settled between)",
        f"For the fewest points per round, at the same decisions: {first} at this or less",
    )
    for at, title in enumerate(titles):
        parts += [Text(), Text(title, style="bold"), _grid(found, at)]
    parts += [Text(), Text("Around the turning point, to win", style="bold"), _near(found)]
    parts += [Text(), Text(f"{first.capitalize()} − {second}, chance to win in %", style="bold")]
    for own in _lows(found, OWN):
        parts += [_differences(found, own, last), Text()]
    return Group(*parts, _made_by_score(found))


def scores_text(low: int, band: int) -> str:
    """A band of scores by its lowest."""
    return f"{low}–{low + band - 1}" if band > 1 else str(low)


def _lows(found: Thresholds, key: str) -> list[int]:
    return sorted({limit.keys[key] or 0 for limit in found.limits})


def _grid(found: Thresholds, objective: int) -> RenderableType:
    """Own score down, the best other's score across."""
    band = found.band or 1
    by_scores = {(limit.keys[OWN], limit.keys[OTHER]): limit for limit in found.limits}
    others = _lows(found, OTHER)
    lines = []
    for own in _lows(found, OWN):
        cells = [by_scores.get((own, other)) for other in others]
        lines.append([scores_text(own, band), *(_limit(found, cell, objective) for cell in cells)])
    return table([CORNER, *(scores_text(other, band) for other in others)], lines)


def _limit(found: Thresholds, limit: Limit | None, objective: int) -> str:
    """The penalty, and its possible range if it is uncertain."""
    if limit is None:
        return ""
    at = limit.at[objective]
    shown = "never" if at < 0 else str(found.shown(at))
    certain, perhaps = limit.certain[objective], limit.perhaps[objective]
    if certain == perhaps:
        return shown
    return f"{shown} ({max(certain, 0)}–{max(perhaps, 0)})"


def _near(found: Thresholds) -> RenderableType:
    """For each two scores the differences on both sides of the turning point."""
    band = found.band or 1
    first, second = found.actions
    lines = []
    for limit in found.limits:
        sides = {row.keys["penalty"]: _at(found, row) for row in limit.near}
        before = [text for at, text in sides.items() if (at or 0) <= limit.at[0]]
        after = [text for at, text in sides.items() if (at or 0) > limit.at[0]]
        lines.append(
            [
                scores_text(limit.keys[OWN] or 0, band),
                scores_text(limit.keys[OTHER] or 0, band),
                f"{limit.met:.3f}",
                _limit(found, limit, 0),
                *(before or ["–"]),
                *(after or ["–"]),
                "yes" if limit.certain[0] == limit.perhaps[0] else "undecided",
            ]
        )
    columns = ["your score", "best other's", "per game", f"{first} at"]
    columns += [f"{first} − {second} there", "and at the next", "decided"]
    return table(columns, lines, keys=2)


def _at(found: Thresholds, row: Row) -> str:
    return f"{found.shown(row.keys['penalty'])}: {_percent(row.values['win'][2])} %"


def _percent(difference: Estimate) -> str:
    half = 50 * (difference.high - difference.low)
    return f"{100 * difference.value:+.2f} ± {half:.2f}"


def _differences(found: Thresholds, own: int, last: int) -> RenderableType:
    """Penalties down, scores of the best other across, for one own score."""
    band = found.band or 1
    others = _lows(found, OTHER)
    cells: dict[tuple[int, int], str] = {}
    for row in found.rows:
        shown = found.shown(row.keys["penalty"]) or 0
        if row.keys[OWN] == own and shown <= last:
            cells[shown, row.keys[OTHER] or 0] = _percent(row.values["win"][2])
    lines = [
        [str(penalty), *(cells.get((penalty, other), "") for other in others)]
        for penalty in sorted({penalty for penalty, _ in cells})
    ]
    head = f"your score {scores_text(own, band)}, {found.label}"
    return table([head, *(f"best other {scores_text(other, band)}" for other in others)], lines)


def _made_by_score(found: Thresholds) -> Text:
    first, second = found.actions
    return Text(
        f"{precision_text(found)}"
        f"· {first} − {second}: above 0, {first} is better; 95 % intervals, each on its own\n"
        f"· in brackets: clearly better to {first} at the first, clearly better to {second} after "
        "the second; the number itself is where that gains the most in all\n"
        "· scores: points in tokens at the decision; best other's: the lowest of all others; per "
        "game: how often such a decision arises\n"
        f"· {found.games:,} games, seed {found.seed}, {found.seconds:.1f} s; both actions with "
        "the same cards and dice to the end of the game\n"
        f"· everybody plays {found.policy} before and after\n"
        f"· --csv FILE has all {len(found.rows)} rows, with chances to win and points",
        style="dim",
    )


# When to quit: a rule to keep in mind, the rows around the limit, other limits.

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
    said = f"Among strong players, by single decisions: {small(by_decisions)}"
    return [*_card_lines(found.card), Text(said)]


def _card_lines(card: PublishedCard) -> list[Text]:
    """The rule that was played, and what it wins."""
    first, *others = card.lines
    return [_bold(f"▶ {first}"), *(_bold(f"  {line}") for line in others), Text(card.said)]


def _solved(found: Thresholds) -> RenderableType:
    """The rules of what is solved, and which tables there are."""
    mark = "▶ " if found.card is None else ""
    parts: list[RenderableType] = [
        Text(f"{titled(found)} · {found.players} players", style="dim"),
        *([] if found.card is None else [Text(), *_card_lines(found.card)]),
        *(line for t in found.tables if t.rule for line in (Text(), _bold(f"{mark}{t.rule}"))),
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
    for name in by_what_it_is_worth(found, list(found.words), objective):
        said = found.words[name].brief
        rows = [row for row in found.rows if set(others_of(row)) == {name}]
        values = sorted({others_of(row)[name] for row in rows})
        if not values:
            continue
        limits = [_limit_in_words(found, rows, name, value, objective) for value in values]
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


def _limit_in_words(
    found: Thresholds, rows: Iterable[Row], name: str, value: int, objective: str
) -> str:
    here = (row for row in rows if others_of(row) == {name: value})
    return limit_in_table(found, here, objective)


def _how_sure(found: Thresholds) -> str:
    rounds = f"{found.games:,} {found.played}"
    return f"{rounds}, everybody plays {found.policy}; ± is a 95 % interval. More: -v"
