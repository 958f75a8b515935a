"""The section of thresholds: when to quit, by penalty and what else can be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.thresholds import answer
from lama_odds.analysis.thresholds.thresholds import CHANCE_PRECISION, game_thresholds, thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.core.wording import POINTS_OF_CHANCE, capital, size_with_error, with_error, with_unit
from lama_odds.games.interface.objectives import MARGIN, ROUND, SHARES, WIN
from lama_odds.games.shared.seating import OTHER, OWN
from lama_odds.simulation.run import Play

# Chances that are counted as what is lost of them, and objectives as headings.
LOST = tuple(f"{name} lost" for name in SHARES)
HEADS = {MARGIN.name: MARGIN.head, f"{ROUND.name} lost": "chance to win the round"}
LOSES = {f"{ROUND.name} lost": "chance not to win the round"}  # what an action itself is worth
LEFT = "others"  # the key that says how many are left
FEWEST_SHOWN = 4  # penalties on a curve
OF_A_ROUND = "for the fewest points of a round alone"
AIMS = {WIN.name: "to win the game, on average over all scores", ROUND.name: "to win the round"}
PAST = 4  # penalties shown after the last at which anything is open
MOST_PANELS = 9
WIDEST = 1.5  # points: half-width of what is still drawn


def thresholds_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section:
    """When to quit, by penalty and what else can be seen."""
    sampled = thresholds(
        ask.game,
        ask.rules,
        ask.players,
        precision=ask.precision,
        play=Play(ask.seed, ask.threads, progress),
        beside=False,  # sections of their own
    )
    quits = sampled.actions[0]
    names = [name for name in sampled.rows[0].keys if name != "penalty"]
    figures: list[doc.Figure] = [by_penalty(sampled)]
    tables = []
    for name in names:
        lines = _values(sampled, name)
        if len(lines) > 1:
            figures.append(by_others(sampled) if name == LEFT else _curves_by(sampled, name))
            tables.append(_limits_table(sampled, name))
    tables += [_penalty_table(sampled), _all_rows(sampled)]
    return doc.Section(
        "thresholds",
        f"When to {quits}",
        doc.SAMPLED,
        f"{sampled.games:,} rounds of {sampled.players} players, in which "
        f"{doc.all_play(ask, 'points')}. At decisions {sampled.decisions}, both actions are played "
        "out with the same cards and dice.",
        headlines=tuple(_headlines(sampled)),
        text=tuple(_text(sampled)),
        figures=tuple(figures),
        tables=tuple(tables),
        games=sampled.games,
        interrupted=sampled.interrupted,
        lead=figures[0].title,
        story=("by_others" if any(f.name == "by_others" for f in figures) else "by_penalty",),
    )


def _place(thresholds: answer.Thresholds, row: answer.Row) -> int:
    """The first key of a row as it is shown."""
    return thresholds.shown(row.keys["penalty"]) or 0


def _alone(thresholds: answer.Thresholds) -> list[answer.Row]:
    return sorted((r for r in thresholds.rows if not r.others), key=lambda r: r.penalty)


def _with(thresholds: answer.Thresholds, name: str, value: int) -> list[answer.Row]:
    rows = (row for row in thresholds.rows if row.others == {name: value})
    return sorted(rows, key=lambda row: row.penalty)


def _values(thresholds: answer.Thresholds, name: str) -> list[int]:
    values = {row.others[name] for row in thresholds.rows if set(row.others) == {name}}
    return sorted(v for v in values if len(_with(thresholds, name, v)) >= FEWEST_SHOWN)


def _text(thresholds: answer.Thresholds) -> list[str]:
    """What the figures count."""
    quits, goes_on = thresholds.actions
    sentences = [
        f"Below the line: {goes_on}. Above it: {quits}. The curves show what {doc.going(goes_on)} "
        f"costs you compared with {doc.going(quits)}. Bands are 95 % intervals."
    ]
    if thresholds.scale.explained:
        sentences.append(f"The {thresholds.label}: {thresholds.scale.explained}.")
    if MARGIN.name in thresholds.objectives:
        sentences.append(
            "“Points” are your own at the end of the round. “Vs. others” is your points minus the "
            "mean of the others'."
        )
    return sentences


def _headlines(thresholds: answer.Thresholds) -> list[str]:
    """The rule for points, and what it costs to leave it."""
    main = thresholds.objectives[0]
    rows = _alone(thresholds)
    if not rows:
        return []
    perhaps = answer.threshold(thresholds, rows, main)[1]
    last = max(perhaps, rows[0].penalty)
    at = [row for row in rows if row.penalty in (last, last + 1)]
    meant = f" {thresholds.scale.meant}" if thresholds.scale.meant else ""
    rule = answer.small(answer.rule_sentence(thresholds, rows, main))
    return [
        f"{capital(OF_A_ROUND)}, {rule}{meant}",
        " ".join(_cost_said(thresholds, row) for row in at),
    ]


def _cost_said(thresholds: answer.Thresholds, row: answer.Row) -> str:
    """What the worse action costs in a situation, in a sentence."""
    gap = row.values[thresholds.objectives[0]][2]
    quits, goes_on = map(doc.going, thresholds.actions)
    place = thresholds.scale.text(row.penalty)
    where = (
        f"With {with_unit(place)}"
        if thresholds.label == "penalty"
        else f"At a {thresholds.label} of {place}"
    )
    if gap.low < 0 < gap.high:
        apart = with_unit(with_error(gap))
        return f"{where}, {goes_on} and {quits} cost about the same (difference: {apart})."
    worse, better = (goes_on, quits) if gap.value > 0 else (quits, goes_on)
    return f"{where}, {worse} costs {with_unit(size_with_error(gap))} more than {better}."


def _points(
    thresholds: answer.Thresholds, rows: Sequence[answer.Row], objective: str = ""
) -> list[tuple[float, Estimate]]:
    main = objective or thresholds.objectives[0]
    points = [(float(_place(thresholds, row)), row.values[main][2]) for row in rows]
    points.sort(key=lambda point: point[0])
    widest = 2 * WIDEST / (100 if main in SHARES else 1)
    return [(x, e) for x, e in points if e.high - e.low < widest] or points


def by_penalty(thresholds: answer.Thresholds) -> doc.Curves:
    """What continuing costs more than quitting, by penalty."""
    quits, goes_on = thresholds.actions
    rows = _alone(thresholds)
    share = thresholds.objectives[0] in SHARES
    unit = WIN.cost_unit if share else "points"
    return doc.Curves(
        "by_penalty",
        f"{capital(_aim(thresholds))}, "
        f"{answer.rule_part(thresholds, rows, thresholds.objectives[0])}."
        if rows
        else f"No {thresholds.label} is known.",
        f"Curve of the {unit} that {doc.going(goes_on)} costs you, by {thresholds.label}; "
        f"it crosses 0 after {answer.limit_text(thresholds, rows, thresholds.objectives[0])}.",
        f"your {thresholds.label} if you {quits} now",
        f"what {doc.going(goes_on)} costs, {unit}",
        (doc.line_of("all", _points(thresholds, rows), 100 if share else 1),),
        zero=(f"{goes_on} is better", f"{quits} is better"),
    )


def _aim(thresholds: answer.Thresholds) -> str:
    """What limits are for: those for points are not the ones that win games."""
    return AIMS.get(thresholds.objectives[0], OF_A_ROUND)


def _curves_by(thresholds: answer.Thresholds, name: str) -> doc.Curves:
    quits, goes_on = thresholds.actions
    lines = [doc.line_of("all", _points(thresholds, _alone(thresholds)))]
    lines += [
        doc.line_of(
            _valued(thresholds, name, value), _points(thresholds, _with(thresholds, name, value))
        )
        for value in _values(thresholds, name)[:MOST_PANELS]
    ]
    return doc.Curves(
        f"by_{name}",
        titles.of_apart(
            lines[1:],
            f"{OF_A_ROUND}, at a {thresholds.label} of {{x}}",
            doc.going(goes_on),
            "points",
        ),
        f"A small figure for each number, from {lines[1].label} to {lines[-1].label}. Each shows "
        "the curve of all decisions, too.",
        f"your {thresholds.label} if you {quits} now",
        f"what {doc.going(goes_on)} costs, points",
        tuple(lines),
        zero=(f"{goes_on} is better", f"{quits} is better"),
        panels=True,
    )


def by_others(thresholds: answer.Thresholds) -> doc.Beside:
    """Continuing against quitting near the limit: a curve for each number of players left."""
    quits, goes_on = thresholds.actions
    limits = [
        f"{_left(value)}, {_head(objective)}: "
        f"{quits} up to {answer.limit_text(thresholds, _with(thresholds, LEFT, value), objective)}"
        for objective in thresholds.objectives
        for value in _values(thresholds, LEFT)
    ]
    groups = [_with(thresholds, LEFT, value) for value in _values(thresholds, LEFT)]
    last = PAST + max(
        max(answer.threshold(thresholds, rows, objective)[1], rows[0].penalty)
        for objective in thresholds.objectives
        for rows in groups
    )
    parts = tuple(_others_part(thresholds, objective, last) for objective in thresholds.objectives)
    share = thresholds.objectives[0] in SHARES
    return doc.Beside(
        "by_others",
        titles.of_apart(
            parts[0].lines,
            f"{_aim(thresholds)}, at a {thresholds.label} of {{x}}",
            doc.going(goes_on),
            POINTS_OF_CHANCE if share else "points",
            100 if share else 1,
        ),
        f"Curves of what {doc.going(goes_on)} costs you, by {thresholds.label}, one for each "
        "number of "
        f"others still in. {'; '.join(limits)}.",
        parts,
    )


def _others_part(thresholds: answer.Thresholds, objective: str, last: int) -> doc.Curves:
    """The curves of one objective, up to a penalty."""
    quits, goes_on = thresholds.actions
    by_value = {value: _with(thresholds, LEFT, value) for value in _values(thresholds, LEFT)}
    share = objective in SHARES
    lines: list[doc.Line] = []
    for value, rows in by_value.items():
        near = [row for row in rows if row.penalty <= last]
        lines.append(doc.line_of(_left(value), _points(thresholds, near, objective)))
    return doc.Curves(
        f"by_others_{objective}",
        _head(objective),
        f"Curves of {_head(objective)}.",
        f"your {thresholds.label} if you {quits} now",
        f"what {doc.going(goes_on)} costs,\n{POINTS_OF_CHANCE if share else 'points'}",
        tuple(lines),
        share=share,
        zero=(f"{goes_on} is better", f"{quits} is better"),
    )


def _left(value: int) -> str:
    return f"{value} other{'s' if value > 1 else ''} in"


def _heading(thresholds: answer.Thresholds, name: str) -> str:
    """What a key is called in a heading."""
    return thresholds.words[name].heading if name in thresholds.words else name


def _valued(thresholds: answer.Thresholds, name: str, value: int) -> str:
    """``you hold 2``, short enough for a small figure."""
    return (
        thresholds.words[name].valued.format(value)
        if name in thresholds.words
        else f"{name}: {value}"
    )


def _kind(objective: str) -> str:
    """The kind of a column of costs."""
    return "change" if objective in (*SHARES, *LOST) else "number"


def _head(objective: str) -> str:
    """An objective as a heading."""
    return HEADS.get(objective, objective)


def _limits_table(thresholds: answer.Thresholds, name: str) -> doc.Table:
    """The limit for each number of what else is known."""
    columns = [doc.Column(_heading(thresholds, name))]
    columns += [doc.Column(_head(objective), "text") for objective in thresholds.objectives]
    rows: list[tuple[doc.Cell, ...]] = [
        (
            value,
            *(
                answer.limit_text(thresholds, _with(thresholds, name, value), o)
                for o in thresholds.objectives
            ),
        )
        for value in _values(thresholds, name)
    ]
    upto = (
        f"{thresholds.actions[0].capitalize()} at this {thresholds.label} {thresholds.scale.onward}"
    )
    return doc.Table(f"limits_by_{name}", upto, tuple(columns), tuple(rows))


def _penalty_table(thresholds: answer.Thresholds) -> doc.Table:
    quits, goes_on = thresholds.actions
    columns = [doc.Column(thresholds.label), doc.Column("times per round")]
    for objective in thresholds.objectives:
        cost = doc.Column(f"{doc.going(goes_on)} costs, {_head(objective)}", _kind(objective))
        columns += [cost, doc.Column(f"better, {_head(objective)}", "text")]
    rows: list[tuple[doc.Cell, ...]] = []
    for row in _alone(thresholds):
        line: list[doc.Cell] = [_place(thresholds, row), row.met]
        for objective in thresholds.objectives:
            line += [row.values[objective][2], row.verdict(objective, thresholds.actions)]
        rows.append(tuple(line))
    title = f"{quits.capitalize()} or {goes_on}, by {thresholds.label}"
    return doc.Table("thresholds_by_penalty", title, tuple(columns), tuple(rows), long=True)


def _all_rows(thresholds: answer.Thresholds) -> doc.Table:
    columns = [
        doc.Column(thresholds.label if key == "penalty" else _heading(thresholds, key))
        for key in thresholds.rows[0].keys
    ]
    columns += [doc.Column("times per round"), doc.Column("n")]
    for objective in thresholds.objectives:
        head = _head(objective)
        kind = "share" if objective in LOST else "number"
        worth = LOSES.get(objective, head)
        columns += [doc.Column(f"{action}, {worth}", kind) for action in thresholds.actions]
        columns += [
            doc.Column(f"{doc.going(thresholds.actions[1])} costs, {head}", _kind(objective))
        ]
        columns += [doc.Column(f"better, {head}", "text")]
    rows: list[tuple[doc.Cell, ...]] = []
    for row in thresholds.rows:
        line: list[doc.Cell] = [*thresholds.keys_shown(row).values()]
        line += [row.met, row.n]
        for objective in thresholds.objectives:
            line += [*row.values[objective], row.verdict(objective, thresholds.actions)]
        rows.append(tuple(line))
    title = "All situations that occurred often enough (–: any)"
    return doc.Table("thresholds", title, tuple(columns), tuple(rows), long=True)


# The section of thresholds for winning: when to quit, by the own score and the best other's.

PAST_SCORES = 4  # penalties shown after the last turning point
WIDEST_CHANCE = 0.15  # of the chance to win: half-width of what is still drawn


def win_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section:
    """When to quit if winning the game counts."""
    sampled = game_thresholds(
        ask.game,
        ask.rules,
        ask.players,
        # Coarser where points are, but not as much: chances of rare scores vary widely.
        precision=CHANCE_PRECISION * math.sqrt(ask.budget.precision / doc.DEFAULT_PRECISION),
        play=Play(ask.seed, ask.threads, progress),
    )
    quits, goes_on = sampled.actions
    figure = by_scores(sampled)
    return doc.Section(
        "thresholds_win",
        f"When to {quits} to win the game",
        doc.SAMPLED,
        f"{sampled.games:,} games of {sampled.players} players, in which {doc.all_play(ask)}. At "
        f"decisions {sampled.decisions}, both actions are played out to the end of the game with "
        "the same cards and dice.",
        headlines=tuple(_headlines_by_score(sampled)),
        text=(
            f"Below the line: {goes_on}. Above it: {quits}. The curves show what "
            f"{doc.going(goes_on)} costs you of the chance to win the game. Scores are those "
            "before the round. Bands are 95 % intervals.",
        ),
        figures=tuple(
            replace(part, title=_scores_said(sampled, low))
            for low, part in zip(_lows(sampled), figure.parts, strict=True)
        ),
        tables=(_limits_by_score(sampled), _all_rows_by_score(sampled)),
        games=sampled.games,
        interrupted=sampled.interrupted,
        lead=_scores_said(sampled, 0),
        story=tuple(part.name for part in figure.parts[:1]),
    )


def by_scores(thresholds: answer.Thresholds) -> doc.Beside:
    """A part for each own score, a small figure in it for each score of the best other."""
    quits, goes_on = thresholds.actions
    text = "; ".join(
        f"your score {_scores(thresholds, OWN, limit)} and best other "
        f"{_scores(thresholds, OTHER, limit)}: "
        f"{_limit_text(thresholds, limit, 0)}"
        for limit in thresholds.limits
    )
    return doc.Beside(
        "by_scores",
        f"To win the game: {quits} or {goes_on}, by your score and the best other's",
        f"Curves of what {doc.going(goes_on)} costs you of the chance to win, by "
        f"{thresholds.label}, a "
        f"small figure for each pair of scores. Last {thresholds.label} to {quits} with: {text}.",
        tuple(_part(thresholds, low) for low in _lows(thresholds)),
    )


def _lows(thresholds: answer.Thresholds) -> list[int]:
    """The own scores of which there are curves, by where each band begins."""
    lows = sorted({limit.keys[OWN] or 0 for limit in thresholds.limits})
    return [low for low in lows if _part(thresholds, low).lines]


def _scores_said(thresholds: answer.Thresholds, own: int) -> str:
    """Up to where to quit with one own score, by the best other's."""
    quits, band = thresholds.actions[0], thresholds.band or 1
    limits = [limit for limit in thresholds.limits if limit.keys[OWN] == own]
    begin = f"With a score of {answer.scores_text(own, band)}"
    low, high = (most(limits, key=lambda limit: limit.at[0]) for most in (min, max))
    if high.at[0] < 0:
        return f"{begin}, never {quits}."
    if low.at[0] == high.at[0]:
        return f"{begin}, {quits} with up to {with_unit(thresholds.shown(high.at[0]) or 0)}."
    against = f"against a score of {_scores(thresholds, OTHER, high)}"
    least = "never" if low.at[0] < 0 else f"with up to {thresholds.shown(low.at[0])}"
    return (
        f"{begin}, {quits} with up to {with_unit(thresholds.shown(high.at[0]) or 0)} {against}; "
        f"{least} "
        f"against {_scores(thresholds, OTHER, low)}."
    )


def _part(thresholds: answer.Thresholds, own: int) -> doc.Curves:
    """The curves of one own score, up to a few penalties after the last turning point."""
    quits, goes_on = thresholds.actions
    limits = [limit for limit in thresholds.limits if limit.keys[OWN] == own]
    last = PAST_SCORES + max(1, *(limit.at[0] for limit in limits))
    lines = (_line(thresholds, limit, last) for limit in limits)
    band = thresholds.band or 1
    return doc.Curves(
        f"by_scores_{own}",
        f"your score is {answer.scores_text(own, band)}",
        f"What {doc.going(goes_on)} costs you with a score of {answer.scores_text(own, band)}, by "
        f"{thresholds.label}, a small figure for each score of the best other.",
        f"your {thresholds.label} if you {quits} now",
        f"what {doc.going(goes_on)} costs, {POINTS_OF_CHANCE}",
        tuple(line for line in lines if len(line.x) > 1),
        share=True,
        zero=(f"{goes_on}", f"{quits}"),
        panels=True,
        separate=True,
    )


def _line(thresholds: answer.Thresholds, limit: answer.Limit, last: int) -> doc.Line:
    """The curve of an own score and one of the best other; what is hardly known is left out."""
    main = thresholds.objectives[0]
    rows = [row for row in thresholds.rows if all(row.keys[k] == v for k, v in limit.keys.items())]
    points = [
        (float(thresholds.shown(row.penalty) or 0), row.values[main][2])
        for row in sorted(rows, key=lambda row: row.penalty)
        if row.penalty <= last
    ]
    sure = [(x, e) for x, e in points if e.high - e.low < 2 * WIDEST_CHANCE]
    return doc.line_of(f"best other {_scores(thresholds, OTHER, limit)}", sure)


def _scores(thresholds: answer.Thresholds, key: str, limit: answer.Limit) -> str:
    return answer.scores_text(limit.keys[key] or 0, thresholds.band or 1)


def _limit_text(thresholds: answer.Thresholds, limit: answer.Limit, objective: int) -> str:
    """``5``, ``5 (4–7)`` where it is open, ``never``."""
    at, certain, perhaps = (x[objective] for x in (limit.at, limit.certain, limit.perhaps))
    text = "never" if at < 0 else str(thresholds.shown(at))
    if certain == perhaps or (at < 0 and perhaps <= 0):
        return text
    return f"{text} ({thresholds.shown(max(certain, 0))}–{thresholds.shown(max(perhaps, 0))})"


def _headlines_by_score(thresholds: answer.Thresholds) -> list[str]:
    """Where it turns at the start of the game, and how far the scores move it."""
    quits, goes_on = thresholds.actions
    often = max(thresholds.limits, key=lambda limit: limit.met)
    known = [limit for limit in thresholds.limits if limit.at[0] >= 0]
    first = (
        f"To win the game, your limit depends on the scores. {_with_scores(thresholds, often)}, "
        f"{_rule(thresholds, often)}."
        if often.at[0] >= 0
        else f"To win the game, {goes_on} more often. {_with_scores(thresholds, often)}, never "
        f"{quits}."
    )
    far = max(known, key=lambda limit: limit.at[0], default=often)
    return [
        first
        if far is often
        else f"{first} {_with_scores(thresholds, far)}, {_rule(thresholds, far)}."
    ]


def _with_scores(thresholds: answer.Thresholds, limit: answer.Limit) -> str:
    """At which scores, in words."""
    own, other = _scores(thresholds, OWN, limit), _scores(thresholds, OTHER, limit)
    if own == other:
        return f"When you and the best other have {with_unit(own)} each"
    return f"When you have {with_unit(own)} and the best other {other}"


def _rule(thresholds: answer.Thresholds, limit: answer.Limit) -> str:
    """Up to where to quit, and how uncertain that is."""
    quits = thresholds.actions[0]
    at, sure, perhaps = (x[0] for x in (limit.at, limit.certain, limit.perhaps))
    rule = f"{quits} with up to {thresholds.shown(at)} point{'s' * (thresholds.shown(at) != 1)}"
    if sure == perhaps:
        return rule
    low, high = thresholds.shown(max(sure, 0)), thresholds.shown(max(perhaps, 0))
    return f"{rule}, or {low} to {high} within the error"


def _limits_by_score(thresholds: answer.Thresholds) -> doc.Table:
    quits = thresholds.actions[0]
    lows = sorted({limit.keys[OTHER] or 0 for limit in thresholds.limits})
    by_scores = {(limit.keys[OWN], limit.keys[OTHER]): limit for limit in thresholds.limits}
    band = thresholds.band or 1
    rows: list[tuple[doc.Cell, ...]] = []
    for own in sorted({limit.keys[OWN] or 0 for limit in thresholds.limits}):
        limits = [by_scores.get((own, other)) for other in lows]
        cells = [None if limit is None else _limit_text(thresholds, limit, 0) for limit in limits]
        rows.append((answer.scores_text(own, band), *cells))
    columns = [doc.Column("your score", "text")]
    columns += [doc.Column(f"best other {answer.scores_text(low, band)}", "text") for low in lows]
    title = (
        f"To win the game: {quits} at this {thresholds.label} or less (in brackets: how uncertain)"
    )
    return doc.Table("limits_by_scores", title, tuple(columns), tuple(rows))


def _all_rows_by_score(thresholds: answer.Thresholds) -> doc.Table:
    quits, goes_on = thresholds.actions
    main = thresholds.objectives[0]
    columns = doc.columns_of(
        thresholds.label,
        "your score from",
        "best other's from",
        "times per game",
        "n",
        f"{quits}, win|share",
        f"{goes_on}, win|share",
        f"{doc.going(goes_on)} costs, {POINTS_OF_CHANCE}|change",
        "better|text",
    )
    rows: list[tuple[doc.Cell, ...]] = [
        (
            thresholds.shown(row.penalty),
            row.keys[OWN],
            row.keys[OTHER],
            row.met,
            row.n,
            *row.values[main],
            row.verdict(main, thresholds.actions),
        )
        for row in thresholds.rows
    ]
    title = "All situations that occurred often enough"
    return doc.Table("thresholds_win", title, columns, tuple(rows), long=True)
