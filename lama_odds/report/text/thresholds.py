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
from lama_odds.core.language import later, say
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.objectives import (
    MARGIN,
    ROUND,
    SHARES,
    ThresholdTable,
)
from lama_odds.games.shared.in_words import headed
from lama_odds.games.shared.seating import BAND, OTHER, OWN
from lama_odds.report.terminal import table
from lama_odds.report.text.numbers import FIELDS, cells, csv_text

ACROSS = 6  # columns of a table that goes across


def thresholds_text(found: answer.Thresholds) -> RenderableType:
    """By penalty alone; the threshold for each value of the other keys; how it was made."""
    parts: list[RenderableType] = [head_of_all(found)]
    if found.rows:
        parts += _sampled(found)
    parts += [Text(each.rule, style="bold") for each in found.tables if each.rule]
    for beside in found.tables:
        made = say("exact") if beside.made == EXACT else beside.made
        parts += [Text(), bold(f"{beside.title} ({made})"), *_beside(beside)]
    if found.rows:
        parts.append(_made(found))
    terms = [term for each in found.tables for term in each.terms]
    if terms:
        parts += [Text(), Text("\n".join(f"· {term}" for term in terms), style="dim")]
    return Group(*parts)


def head_of_all(found: answer.Thresholds) -> Text:
    """The first line of all thresholds."""
    about = {"rules": titled(found), "players": found.players}
    if found.policy:
        head = say("{rules}   {players} players, all {policy}", **about, policy=found.policy)
    else:
        head = say("{rules}   {players} players", **about)
    return Text(head, style="dim")


def _sampled(found: answer.Thresholds) -> list[RenderableType]:
    """What the decisions of self-play show."""
    first, second = found.told
    rules = [(answer.rule_text(found, alone(found), name), name) for name in found.objectives]
    parts: list[RenderableType] = [
        decisions_line(found),
        *(Text(say("{rule} (for {objective})", rule=rule, objective=name)) for rule, name in rules),
    ]
    rows = alone(found)
    columns = [say(found.label), say("per round")]
    for objective in found.objectives:
        columns += [f"{second} − {first}, {objective}", say("better")]
    parts += [Text(), table(columns, (_line(found, row) for row in rows))]
    for name in found.words:
        if any(set(row.others) == {name} for row in found.rows):
            title = say(
                "{action} at this {label} {onward}",
                action=first,
                label=say(found.label),
                onward=found.scale.onward,
            )
            parts += [Text(), bold(wording.capital(title)), _by_key(found, name)]
    return parts


def decisions_line(found: answer.Thresholds) -> Text:
    """Between what is decided, and when."""
    first, second = found.told
    return bold(
        say(
            "Decisions {when}: {first} or {second}?",
            when=say(found.decisions),
            first=first,
            second=second,
        )
    )


def precision_text(found: answer.Thresholds) -> str:
    """A line if the requested precision was not reached; else empty."""
    if found.precision is None or found.precision.met:
        return ""
    asked, reached = found.precision.asked, found.precision.reached
    return "· " + say(
        "wanted ± {asked}, reached ± {reached}: {played} are the most that --precision plays "
        "(--games plays more)\n",
        asked=wording.decimal(f"{asked:g}"),
        reached=wording.decimal(f"{reached:.2g}"),
        played=played_text(found),
    )


def _label_explained(found: answer.Thresholds) -> str:
    return say("{label}: {meaning}", label=say(found.label), meaning=found.scale.explained)


def played_text(found: answer.Thresholds) -> str:
    """How many rounds or games were played, in words."""
    if found.band is None:
        return say("{games} rounds", games=wording.thousands(found.games))
    return say("{games} games", games=wording.thousands(found.games))


def _made(found: answer.Thresholds) -> Text:
    first, second = found.told
    notes = [_label_explained(found)] if found.scale.explained else []
    notes += [
        say(
            "{second} − {first}: above 0, {first} is better; 95 % intervals",
            first=first,
            second=second,
        ),
        say(
            "{played}, seed {seed}, {seconds} s; both actions with the same cards and dice; "
            "everybody plays {policy} before and after",
            played=played_text(found),
            seed=found.seed,
            seconds=wording.rounded(found.seconds, 1),
            policy=found.policy,
        ),
        say("per round: how often such a decision arises"),
        say("--csv FILE has all {rows} rows, also by several keys at once", rows=len(found.rows)),
    ]
    return Text(precision_text(found) + "\n".join(f"· {note}" for note in notes), style="dim")


def alone(found: answer.Thresholds) -> list[answer.Row]:
    """Rows by penalty alone."""
    return [row for row in found.rows if row.others == {}]


def _line(found: answer.Thresholds, row: answer.Row) -> list[str]:
    line = [found.scale.text(row.penalty), wording.rounded(row.met, 4)]
    for objective in found.objectives:
        difference = wording.number(row.values[objective][2], objective in SHARES)
        line += [difference, _better(found, row, objective)]
    return line


def _better(found: answer.Thresholds, row: answer.Row, objective: str) -> str:
    """The better action in words, or that it is too close to call."""
    better = row.better(objective, found.actions)
    return say(CLOSE) if better == CLOSE else action_words(better)


def _by_key(found: answer.Thresholds, name: str) -> RenderableType:
    values = sorted({row.others[name] for row in found.rows if set(row.others) == {name}})
    lines = []
    for objective in found.objectives:
        rows = ([r for r in found.rows if r.others == {name: value}] for value in values)
        lines.append([objective, *(answer.limit_text(found, some, objective) for some in rows)])
    return table([say(found.words[name].brief), *map(str, values)], lines)


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


def thresholds_csv(found: answer.Thresholds, beside: bool = True) -> str:
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
    head += [*(f"met {name}" for name in FIELDS[1:]), "n"]
    for objective in found.objectives:
        for action in (*found.actions, "difference"):
            head += [f"{objective} {action} {name}" for name in FIELDS]
        head.append(f"{objective} better")
    rows.append(head)
    for row in found.rows:
        often = (row.met, None, None, None) if row.often is None else cells(row.often)
        line = [*made, *found.keys_shown(row).values(), *often, row.n]
        for objective in found.objectives:
            for estimate in row.values[objective]:
                line += cells(estimate)
            line.append(row.better(objective, found.actions))
        rows.append(line)
    for sampled in (t for t in found.tables if beside and t.made != EXACT):
        rows += [[], *_rows_of_sampled(found, sampled)]
    return csv_text(rows)


def _rows_of_table(found: answer.Thresholds, shown: ThresholdTable) -> Iterator[list[object]]:
    """A table beside: its name first in every row."""
    yield ["table", "rules", "players", *shown.rows[0]]
    for row in shown.rows:
        values = [v.value if isinstance(v, Estimate) else v for v in row.values()]
        yield [shown.name, found.rules, found.players, *values]


def _rows_of_sampled(found: answer.Thresholds, sampled: ThresholdTable) -> Iterator[list[object]]:
    """A sampled table: its name first in every row, values with their errors."""
    head: list[object] = ["table", "rules", "players", "policy", "seed"]
    for name, value in sampled.rows[0].items():
        head += [f"{name} {part}" for part in FIELDS] if isinstance(value, Estimate) else [name]
    yield head
    for row in sampled.rows:
        line: list[object] = [sampled.name, found.rules, found.players, found.policy, found.seed]
        for value in row.values():
            line += cells(value) if isinstance(value, Estimate) else [value]
        yield line


# When to quit: a rule to keep in mind, the rows around the limit, other limits.

CORNER = later("your score, best other's →")
AROUND, AROUND_BRIEF = 4, 2  # rows on either side of the limit
CLOSE, TOSS_UP = later("close"), later("toss-up")
AIMS = {MARGIN.name: MARGIN.aims_at, "round lost": ROUND.aims_at}  # of second objectives


def short_text(found: answer.Thresholds, verbose: bool = False) -> RenderableType:
    """The rule, what the other choice costs around the limit, and limits by what else is known.

    Where there is a card, that is the answer: of the rest, only what is worth most follows.
    verbose: all rows, objectives and tables.
    """
    if verbose:
        return thresholds_text(found)
    if not found.rows:
        return _solved(found)
    objective = found.objectives[0]
    head = headed(titled(found), found.players, say(found.decisions))
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += _rule(found, objective)
    if found.card is None:
        parts += _another(found)
    if found.scale.explained:
        parts.append(Text(_label_explained(found), style="dim"))
    parts += [Text(each.rule, style="bold") for each in found.tables if each.rule]
    parts += [Text(), _around(found, objective), *_by_keys(found, objective)]
    parts += [*_by_scores(found, objective), Text()]
    return Group(*parts, Text(f"{precision_text(found)}{_how_sure(found)}", style="dim"))


def _rule(found: answer.Thresholds, objective: str) -> list[Text]:
    """The card that was played as a rule, if there is one; then what single decisions say."""
    by_decisions = answer.rule_sentence(found, alone(found), objective)
    if found.card is None:
        return [bold(f"▶ {by_decisions}")]
    said = say("Among strong players, by single decisions: {rule}", rule=answer.small(by_decisions))
    return [*_card_lines(found.card), Text(said)]


def _card_lines(card: PublishedCard) -> list[Text]:
    """The rule that was played, and what it wins."""
    first, *others = card.lines
    return [bold(f"▶ {first}"), *(bold(f"  {line}") for line in others), Text(card.said)]


def _solved(found: answer.Thresholds) -> RenderableType:
    """The rules of what is solved, and which tables there are."""
    about = {"rules": titled(found), "players": found.players}
    mark = "▶ " if found.card is None else ""
    parts: list[RenderableType] = [
        Text(say("{rules} · {players} players", **about), style="dim"),
        *([] if found.card is None else [Text(), *_card_lines(found.card)]),
        *(line for t in found.tables if t.rule for line in (Text(), bold(f"{mark}{t.rule}"))),
        Text(),
    ]
    if not any(each.rule for each in found.tables):
        return thresholds_text(found)
    names = ", ".join(each.name.replace("_", " ") for each in found.tables)
    more = say("Exact. More: -v ({n} tables: {names})", n=len(found.tables), names=names)
    return Group(*parts, Text(more, style="dim"))


def bold(text: str) -> Text:
    """A line in bold."""
    return Text(text, style="bold")


def _another(found: answer.Thresholds) -> list[Text]:
    """The limit in the other objective, if it is another one."""
    first, *others = found.objectives
    rows = alone(found)
    limits = {name: answer.limit_text(found, rows, name) for name in found.objectives}
    return [
        Text(say("For {aim}: {rule}.", aim=_aim(name), rule=answer.rule_part(found, rows, name)))
        for name in others
        if limits[name] != limits[first]
    ]


def _aim(name: str) -> str:
    return say(AIMS[name]) if name in AIMS else name


def _around(found: answer.Thresholds, objective: str) -> RenderableType:
    """The better action and what the other one costs, near the limit."""
    rows = alone(found)
    sure, perhaps = answer.threshold(found, rows, objective)
    around = AROUND if found.card is None else AROUND_BRIEF
    near = [row for row in rows if sure - around < row.penalty <= perhaps + around]
    lines = []
    for row in near or rows[: 2 * around]:
        better = row.better(objective, found.actions)
        costs = row.values[objective][2]
        told = say(TOSS_UP) if better == CLOSE else action_words(better)
        shown = wording.number(costs, objective in SHARES).removeprefix("-")
        lines.append((found.scale.text(row.penalty), told, shown))
    return table([say(found.label), say("better"), say("the other costs")], lines)


def _by_keys(found: answer.Thresholds, objective: str) -> list[RenderableType]:
    """The limit by each of the other things that are known."""
    parts: list[RenderableType] = []
    first = found.told[0]
    upto = say("{action} up to", action=first)
    if found.scale.step < 0:
        upto = say("{action} from", action=first)
    for name in answer.by_what_it_is_worth(found, list(found.words), objective):
        said = say(found.words[name].brief)
        rows = [row for row in found.rows if set(row.others) == {name}]
        values = sorted({row.others[name] for row in rows})
        if not values:
            continue
        here = ([row for row in rows if row.others == {name: value}] for value in values)
        limits = [answer.limit_in_table(found, some, objective) for some in here]
        head = [said, *map(str, values)]
        parts += [Text(), table(head, [[upto, *limits]])]
        if found.card is not None:
            break
    return parts


def _by_scores(found: answer.Thresholds, objective: str) -> list[RenderableType]:
    """The limit by your score, down, and the best other's, across, if rows tell them apart."""
    rows = [row for row in found.rows if set(row.others) == {OWN, OTHER}]
    owns, others = (sorted({row.others[key] for row in rows}) for key in (OWN, OTHER))
    if not rows:
        return []
    lines = [
        [
            answer.scores_text(own, BAND),
            *(
                answer.limit_in_table(
                    found, [r for r in rows if r.others == {OWN: own, OTHER: other}], objective
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


def _how_sure(found: answer.Thresholds) -> str:
    return say(
        "{played}, everybody plays {policy}; ± is a 95 % interval. More: -v",
        played=played_text(found),
        policy=found.policy,
    )
