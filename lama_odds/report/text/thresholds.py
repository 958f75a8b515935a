"""Thresholds as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.policy_files import PublishedCard
from lama_odds.analysis.thresholds import answer
from lama_odds.analysis.variants.given import titled
from lama_odds.core import wording
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.language import later, say, say_count
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.objectives import (
    MARGIN,
    ROUND,
    ThresholdTable,
    is_share,
)
from lama_odds.games.shared.in_words import headed
from lama_odds.games.shared.seating import BAND, OTHER, OWN
from lama_odds.report.terminal import table
from lama_odds.report.text.numbers import FIELDS, cells, csv_text

ACROSS = 6  # columns of a table that goes across


def thresholds_text(thresholds: answer.Thresholds) -> RenderableType:
    """By penalty alone; the threshold for each value of the other keys; how it was made."""
    parts: list[RenderableType] = [head_of_all(thresholds)]
    if thresholds.rows:
        parts += _sampled(thresholds)
    parts += [Text(t.rule, style="bold") for t in thresholds.tables if t.rule]
    for shown in thresholds.tables:
        made = say("exact") if shown.made == EXACT else shown.made
        parts += [Text(), bold(f"{shown.title} ({made})"), *_beside(shown)]
    if thresholds.rows:
        parts.append(_made(thresholds))
    terms = [term for t in thresholds.tables for term in t.terms]
    if terms:
        parts += [Text(), Text("\n".join(f"· {term}" for term in terms), style="dim")]
    return Group(*parts)


def head_of_all(thresholds: answer.Thresholds) -> Text:
    """The first line of all thresholds."""
    about = {"rules": titled(thresholds), "players": thresholds.players}
    if thresholds.policy:
        head = say("{rules}   {players} players, all {policy}", **about, policy=thresholds.policy)
    else:
        head = say("{rules}   {players} players", **about)
    return Text(head, style="dim")


def _sampled(thresholds: answer.Thresholds) -> list[RenderableType]:
    """What the decisions of self-play show."""
    first, second = thresholds.told
    rules = [
        (answer.rule_text(thresholds, alone(thresholds), name), name)
        for name in thresholds.objectives
    ]
    parts: list[RenderableType] = [
        decisions_line(thresholds),
        *(Text(say("{rule} (for {objective})", rule=rule, objective=name)) for rule, name in rules),
    ]
    rows = alone(thresholds)
    columns = [say(thresholds.label), say("per round")]
    for objective in thresholds.objectives:
        columns += [f"{second} − {first}, {objective}", say("better")]
    parts += [Text(), table(columns, (_line(thresholds, row) for row in rows))]
    for name in thresholds.words:
        if any(set(row.others) == {name} for row in thresholds.rows):
            title = say(
                "{action} at this {label} {onward}",
                action=first,
                label=say(thresholds.label),
                onward=thresholds.scale.onward,
            )
            parts += [Text(), bold(wording.capital(title)), _by_key(thresholds, name)]
    return parts


def decisions_line(thresholds: answer.Thresholds) -> Text:
    """Between what is decided, and when."""
    first, second = thresholds.told
    return bold(
        say(
            "Decisions {when}: {first} or {second}?",
            when=say(thresholds.decisions),
            first=first,
            second=second,
        )
    )


def precision_text(thresholds: answer.Thresholds) -> str:
    """A line if the requested precision was not reached; else empty."""
    if thresholds.precision is None or thresholds.precision.met:
        return ""
    wanted, reached = thresholds.precision.asked, thresholds.precision.reached
    return "· " + say(
        "wanted ± {asked}, reached ± {reached}: {played} are the most that --precision plays "
        "(--games plays more)\n",
        asked=wording.decimal(f"{wanted:g}"),
        reached=wording.decimal(f"{reached:.2g}"),
        played=played_text(thresholds),
    )


def _label_explained(thresholds: answer.Thresholds) -> str:
    return say(
        "{label}: {meaning}", label=say(thresholds.label), meaning=thresholds.scale.explained
    )


def played_text(thresholds: answer.Thresholds) -> str:
    """How many rounds or games were played, in words."""
    if thresholds.band is None:
        return say("{games} rounds", games=wording.thousands(thresholds.games))
    return say("{games} games", games=wording.thousands(thresholds.games))


def _made(thresholds: answer.Thresholds) -> Text:
    first, second = thresholds.told
    notes = [_label_explained(thresholds)] if thresholds.scale.explained else []
    notes += [
        say(
            "{second} − {first}: above 0, {first} is better; 95 % intervals",
            first=first,
            second=second,
        ),
        say(
            "{played}, seed {seed}, {seconds} s; both actions with the same cards and dice; "
            "everybody plays {policy} before and after",
            played=played_text(thresholds),
            seed=thresholds.seed,
            seconds=wording.rounded(thresholds.seconds, 1),
            policy=thresholds.policy,
        ),
        say("per round: how often such a decision arises"),
        say(
            "--csv FILE has all {rows} rows, also by several keys at once",
            rows=len(thresholds.rows),
        ),
    ]
    return Text(precision_text(thresholds) + "\n".join(f"· {note}" for note in notes), style="dim")


def alone(thresholds: answer.Thresholds) -> list[answer.Row]:
    """Rows by penalty alone."""
    return [row for row in thresholds.rows if row.others == {}]


def _line(thresholds: answer.Thresholds, row: answer.Row) -> list[str]:
    line = [thresholds.scale.text(row.penalty), wording.rounded(row.met, 4)]
    for objective in thresholds.objectives:
        difference = wording.number(row.values[objective][2], is_share(objective))
        line += [difference, _better(thresholds, row, objective)]
    return line


def _better(thresholds: answer.Thresholds, row: answer.Row, objective: str) -> str:
    """The better action in words, or what is known instead."""
    verdict = row.verdict(objective, thresholds.actions)
    return action_words(verdict) if verdict in thresholds.actions else say(verdict)


def _by_key(thresholds: answer.Thresholds, name: str) -> RenderableType:
    values = sorted({row.others[name] for row in thresholds.rows if set(row.others) == {name}})
    lines = []
    for objective in thresholds.objectives:
        rows = ([r for r in thresholds.rows if r.others == {name: value}] for value in values)
        lines.append(
            [objective, *(answer.limit_text(thresholds, some, objective) for some in rows)]
        )
    return table([say(thresholds.words[name].brief), *map(str, values)], lines)


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
        return wording.percent(value) if name in shown.shares else wording.number(value)
    return "–" if value is None else str(value)


def thresholds_csv(thresholds: answer.Thresholds, beside: bool = True) -> str:
    """All rows: keys (empty: any), frequency, then values and verdict per objective, with errors.

    The difference is the cost of the second action against the first. With `beside`, sampled tables
    follow, each after an empty line.
    """
    rows: list[list[object]] = []
    made = [
        thresholds.rules,
        thresholds.players,
        thresholds.policy,
        thresholds.seed,
        thresholds.games,
    ]
    if not thresholds.rows:
        for shown in thresholds.tables:
            rows += _rows_of_table(thresholds, shown)
        return csv_text(rows)
    keys = list(thresholds.keys_shown(thresholds.rows[0]))
    head: list[object] = ["rules", "players", "policy", "seed", thresholds.played, *keys, "met"]
    head += [*(f"met {name}" for name in FIELDS[1:]), "n"]
    for objective in thresholds.objectives:
        for action in (*thresholds.actions, "difference"):
            head += [f"{objective} {action} {name}" for name in FIELDS]
        head.append(f"{objective} better")
    rows.append(head)
    for row in thresholds.rows:
        often = (row.met, None, None, None) if row.often is None else cells(row.often)
        line = [*made, *thresholds.keys_shown(row).values(), *often, row.n]
        for objective in thresholds.objectives:
            for estimate in row.values[objective]:
                line += cells(estimate)
            line.append(row.better(objective, thresholds.actions))
        rows.append(line)
    for sampled in (t for t in thresholds.tables if beside and t.made != EXACT):
        rows += [[], *_rows_of_sampled(thresholds, sampled)]
    return csv_text(rows)


def _rows_of_table(thresholds: answer.Thresholds, shown: ThresholdTable) -> Iterator[list[object]]:
    """A table beside: its name first in every row."""
    yield ["table", "rules", "players", *shown.rows[0]]
    for row in shown.rows:
        values = [v.value if isinstance(v, Estimate) else v for v in row.values()]
        yield [shown.name, thresholds.rules, thresholds.players, *values]


def _rows_of_sampled(
    thresholds: answer.Thresholds, sampled: ThresholdTable
) -> Iterator[list[object]]:
    """A sampled table: its name first in every row, values with their errors."""
    head: list[object] = ["table", "rules", "players", "policy", "seed"]
    for name, value in sampled.rows[0].items():
        head += [f"{name} {part}" for part in FIELDS] if isinstance(value, Estimate) else [name]
    yield head
    for row in sampled.rows:
        line: list[object] = [
            sampled.name,
            thresholds.rules,
            thresholds.players,
            thresholds.policy,
            thresholds.seed,
        ]
        for value in row.values():
            line += cells(value) if isinstance(value, Estimate) else [value]
        yield line


# When to quit: a rule to keep in mind, the rows around the limit, other limits.

CORNER = later("your score, best other's →")
AROUND, AROUND_BRIEF = 4, 2  # rows on either side of the limit
AIMS = {MARGIN.name: MARGIN.aims_at, "round lost": ROUND.aims_at}  # of second objectives


def short_text(thresholds: answer.Thresholds, verbose: bool = False) -> RenderableType:
    """The rule, what the other choice costs around the limit, and limits by what else is known.

    Where there is a card, that is the answer: of the rest, only what is worth most follows.
    verbose: all rows, objectives and tables.
    """
    if verbose:
        return thresholds_text(thresholds)
    if not thresholds.rows:
        return _solved(thresholds)
    objective = thresholds.main
    head = headed(titled(thresholds), thresholds.players, say(thresholds.decisions))
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += _rule(thresholds, objective)
    if thresholds.card is None:
        parts += _another(thresholds)
    if thresholds.scale.explained:
        parts.append(Text(_label_explained(thresholds), style="dim"))
    parts += [Text(t.rule, style="bold") for t in thresholds.tables if t.rule]
    parts += [Text(), _around(thresholds, objective), *_by_keys(thresholds, objective)]
    parts += [*_by_scores(thresholds, objective), Text()]
    return Group(*parts, Text(f"{precision_text(thresholds)}{_how_sure(thresholds)}", style="dim"))


def _rule(thresholds: answer.Thresholds, objective: str) -> list[Text]:
    """The card that was played as a rule, if there is one; then what single decisions say."""
    by_decisions = answer.rule_sentence(thresholds, alone(thresholds), objective)
    if thresholds.card is None:
        return [bold(f"▶ {by_decisions}")]
    text = say("Among strong players, by single decisions: {rule}", rule=answer.small(by_decisions))
    return [*_card_lines(thresholds.card), Text(text)]


def _card_lines(card: PublishedCard) -> list[Text]:
    """The rule that was played, and what it wins."""
    first, *others = card.lines
    return [bold(f"▶ {first}"), *(bold(f"  {line}") for line in others), Text(card.said)]


def _solved(thresholds: answer.Thresholds) -> RenderableType:
    """The rules of what is solved, and which tables there are."""
    about = {"rules": titled(thresholds), "players": thresholds.players}
    mark = "▶ " if thresholds.card is None else ""
    parts: list[RenderableType] = [
        Text(say("{rules} · {players} players", **about), style="dim"),
        *([] if thresholds.card is None else [Text(), *_card_lines(thresholds.card)]),
        *(line for t in thresholds.tables if t.rule for line in (Text(), bold(f"{mark}{t.rule}"))),
        Text(),
    ]
    if not any(shown.rule for shown in thresholds.tables):
        return thresholds_text(thresholds)
    more = say_count(
        "Exact. More: -v ({n} table)", "Exact. More: -v ({n} tables)", len(thresholds.tables)
    )
    return Group(*parts, Text(more, style="dim"))


def bold(text: str) -> Text:
    """A line in bold."""
    return Text(text, style="bold")


def _another(thresholds: answer.Thresholds) -> list[Text]:
    """The limit in the other objective, if it is another one."""
    first, rows = thresholds.main, alone(thresholds)
    limits = {name: answer.limit_text(thresholds, rows, name) for name in thresholds.objectives}
    return [
        Text(
            say("For {aim}: {rule}.", aim=_aim(name), rule=answer.rule_part(thresholds, rows, name))
        )
        for name in thresholds.objectives
        if limits[name] != limits[first]
    ]


def _aim(name: str) -> str:
    return say(AIMS[name]) if name in AIMS else name


def _around(thresholds: answer.Thresholds, objective: str) -> RenderableType:
    """The better action and what the other one costs, near the limit."""
    rows = alone(thresholds)
    sure, perhaps = answer.threshold(thresholds, rows, objective)
    around = AROUND if thresholds.card is None else AROUND_BRIEF
    near = [row for row in rows if sure - around < row.penalty <= perhaps + around]
    lines = []
    for row in near or rows[: 2 * around]:
        costs = row.values[objective][2]
        shown = wording.number(costs, is_share(objective)).removeprefix("-")
        better = _better(thresholds, row, objective)
        lines.append((thresholds.scale.text(row.penalty), better, shown))
    return table([say(thresholds.label), say("better"), say("the other costs")], lines)


def _by_keys(thresholds: answer.Thresholds, objective: str) -> list[RenderableType]:
    """The limit by each of the other things that are known."""
    parts: list[RenderableType] = []
    first = thresholds.told[0]
    upto = say("{action} up to", action=first)
    if thresholds.scale.step < 0:
        upto = say("{action} from", action=first)
    for name in answer.by_what_it_is_worth(thresholds, list(thresholds.words), objective):
        label = say(thresholds.words[name].brief)
        rows = [row for row in thresholds.rows if set(row.others) == {name}]
        values = sorted({row.others[name] for row in rows})
        if not values:
            continue
        here = ([row for row in rows if row.others == {name: value}] for value in values)
        limits = [answer.limit_in_table(thresholds, some, objective) for some in here]
        head = [label, *map(str, values)]
        parts += [Text(), table(head, [[upto, *limits]])]
        if thresholds.card is not None:
            break
    return parts


def _by_scores(thresholds: answer.Thresholds, objective: str) -> list[RenderableType]:
    """The limit by your score, down, and the best other's, across, if rows tell them apart."""
    rows = [row for row in thresholds.rows if set(row.others) == {OWN, OTHER}]
    owns, others = (sorted({row.others[key] for row in rows}) for key in (OWN, OTHER))
    if not rows:
        return []
    lines = [
        [
            answer.scores_text(own, BAND),
            *(
                answer.limit_in_table(
                    thresholds, [r for r in rows if r.others == {OWN: own, OTHER: other}], objective
                )
                for other in others
            ),
        ]
        for own in owns
    ]
    return [
        Text(),
        table([say(CORNER), *(answer.scores_text(other, BAND) for other in others)], lines),
    ]


def _how_sure(thresholds: answer.Thresholds) -> str:
    return say(
        "{played}, everybody plays {policy}; ± is a 95 % interval. More: -v",
        played=played_text(thresholds),
        policy=thresholds.policy,
    )
