"""Thresholds by score as text: up to which penalty to quit, where winning the game counts."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.thresholds.answer import Limit, Row, Thresholds, scores_text, small
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.wording import capital, decimal, in_percent, rounded, with_unit
from lama_odds.games.shared.in_words import headed
from lama_odds.games.shared.seating import OTHER, OWN
from lama_odds.report.terminal import table
from lama_odds.report.text import thresholds

PAST = 3  # penalties shown after the last at which anything is open


def game_thresholds_text(answer: Thresholds, verbose: bool = False) -> RenderableType:
    """Where it turns by both scores, and what it is for points; verbose: all differences."""
    if verbose:
        return _all(answer)
    first = answer.told[0]
    head = headed(titled(answer), answer.players, say(answer.decisions))
    grid = say(
        "To win the game, {action} at this {label} or less (in brackets: not settled)",
        action=first,
        label=say(answer.label),
    )
    sure = thresholds.precision_text(answer) + say(
        "{played}, everybody plays {policy}; brackets are 95 % intervals. More: -v",
        played=thresholds.played_text(answer),
        policy=answer.policy,
    )
    return Group(
        Text(head, style="dim"),
        Text(),
        Text(f"▶ {finding(answer)}", style="bold"),
        Text(),
        Text(grid),
        _grid(answer, 0),
        Text(),
        Text(sure, style="dim"),
    )


def finding(thresholds: Thresholds) -> str:
    """The limit at the scores that occur most often, to win and for points."""
    first = thresholds.told[0]
    limit = max(thresholds.limits, key=lambda row: row.met)
    band = thresholds.band or 1
    own, other = (scores_text(limit.keys[key] or 0, band) for key in (OWN, OTHER))
    rules = []
    for objective in (0, 1):
        at = limit.at[objective]
        if at < 0:
            rules.append(say("never {action}", action=first))
        else:
            rules.append(say("{action} with {n} or less", action=first, n=thresholds.shown(at)))
    own, rule = with_unit(own), rules[0]
    if rules[0] == rules[1]:
        return say(
            "To win the game, {rule} at {own} against {other} of the best other player: the same "
            "as for points.",
            rule=rule,
            own=own,
            other=other,
        )
    return say(
        "To win the game, {rule} at {own} against {other} of the best other player. For points "
        "against the same players, {points}.",
        rule=rule,
        own=own,
        other=other,
        points=rules[1],
    )


def _all(answer: Thresholds) -> RenderableType:
    """Where it turns by both scores, how sure that is, differences, how it was made."""
    first, second = answer.told
    last = answer.shown(max(limit.perhaps[0] for limit in answer.limits) + PAST) or 0
    parts: list[RenderableType] = [
        thresholds.head_of_all(answer),
        thresholds.decisions_line(answer),
    ]
    titles = (
        say(
            "To win the game: {action} at this {label} or less (in brackets: not settled between)",
            action=first,
            label=say(answer.label),
        ),
        say(
            "For the fewest points per round, at the same decisions: {action} at this or less",
            action=first,
        ),
    )
    for at, title in enumerate(titles):
        parts += [Text(), Text(title, style="bold"), _grid(answer, at)]
    parts += [Text(), thresholds.bold(say("Around the turning point, to win")), _near(answer)]
    chances = say("{first} − {second}, chance to win in %", first=first, second=second)
    parts += [Text(), thresholds.bold(capital(chances))]
    for own in _lows(answer, OWN):
        parts += [_differences(answer, own, last), Text()]
    return Group(*parts, _made_by_score(answer))


def _lows(thresholds: Thresholds, key: str) -> list[int]:
    return sorted({limit.keys[key] or 0 for limit in thresholds.limits})


def _grid(answer: Thresholds, objective: int) -> RenderableType:
    """Own score down, the best other's score across."""
    band = answer.band or 1
    by_scores = {(limit.keys[OWN], limit.keys[OTHER]): limit for limit in answer.limits}
    others = _lows(answer, OTHER)
    lines = []
    for own in _lows(answer, OWN):
        cells = [by_scores.get((own, other)) for other in others]
        lines.append([scores_text(own, band), *(_limit(answer, cell, objective) for cell in cells)])
    return table([say(thresholds.CORNER), *(scores_text(other, band) for other in others)], lines)


def _limit(thresholds: Thresholds, limit: Limit | None, objective: int) -> str:
    """The penalty, and its possible range if it is uncertain."""
    if limit is None:
        return ""
    at = limit.at[objective]
    shown = small(say("Never")) if at < 0 else str(thresholds.shown(at))
    certain, perhaps = limit.certain[objective], limit.perhaps[objective]
    if certain == perhaps:
        return shown
    return f"{shown} ({max(certain, 0)}–{max(perhaps, 0)})"


def _near(thresholds: Thresholds) -> RenderableType:
    """For each two scores the differences on both sides of the turning point."""
    band = thresholds.band or 1
    first, second = thresholds.told
    lines = []
    for limit in thresholds.limits:
        sides = {row.keys["penalty"]: _at(thresholds, row) for row in limit.near}
        before = [text for at, text in sides.items() if (at or 0) <= limit.at[0]]
        after = [text for at, text in sides.items() if (at or 0) > limit.at[0]]
        lines.append(
            [
                scores_text(limit.keys[OWN] or 0, band),
                scores_text(limit.keys[OTHER] or 0, band),
                rounded(limit.met, 3),
                _limit(thresholds, limit, 0),
                *(before or ["–"]),
                *(after or ["–"]),
                say("yes") if limit.certain[0] == limit.perhaps[0] else say("undecided"),
            ]
        )
    columns = [say("your score"), say("best other's"), say("per game")]
    columns += [say("{action} at", action=first)]
    columns += [say("{first} − {second} there", first=first, second=second)]
    columns += [say("and at the next"), say("decided")]
    return table(columns, lines, keys=2)


def _at(thresholds: Thresholds, row: Row) -> str:
    chance = in_percent(_percent(row.values["win"][2]))
    return f"{thresholds.shown(row.keys['penalty'])}: {chance}"


def _percent(difference: Estimate) -> str:
    half = 50 * (difference.high - difference.low)
    return decimal(f"{100 * difference.value:+.2f} ± {half:.2f}")


def _differences(thresholds: Thresholds, own: int, last: int) -> RenderableType:
    """Penalties down, scores of the best other across, for one own score."""
    band = thresholds.band or 1
    others = _lows(thresholds, OTHER)
    cells: dict[tuple[int, int], str] = {}
    for row in thresholds.rows:
        shown = thresholds.shown(row.keys["penalty"]) or 0
        if row.keys[OWN] == own and shown <= last:
            cells[shown, row.keys[OTHER] or 0] = _percent(row.values["win"][2])
    lines = [
        [str(penalty), *(cells.get((penalty, other), "") for other in others)]
        for penalty in sorted({penalty for penalty, _ in cells})
    ]
    head = say(
        "your score {scores}, {label}", scores=scores_text(own, band), label=say(thresholds.label)
    )
    bands = (scores_text(other, band) for other in others)
    return table([head, *(say("best other {scores}", scores=scores) for scores in bands)], lines)


def _made_by_score(answer: Thresholds) -> Text:
    first, second = answer.told
    notes = [
        say(
            "{first} − {second}: above 0, {first} is better; 95 % intervals, each on its own",
            first=first,
            second=second,
        ),
        say(
            "in brackets: clearly better to {first} at the first, clearly better to {second} after "
            "the second; the number itself is where that gains the most in all",
            first=first,
            second=second,
        ),
        say(
            "scores: points in tokens at the decision; best other's: the lowest of all others; per "
            "game: how often such a decision arises"
        ),
        say(
            "{played}, seed {seed}, {seconds} s; both actions with the same cards and dice to the "
            "end of the game",
            played=thresholds.played_text(answer),
            seed=answer.seed,
            seconds=rounded(answer.seconds, 1),
        ),
        say("everybody plays {policy} before and after", policy=answer.policy),
        say(
            "--csv FILE has all {rows} rows, with chances to win and points", rows=len(answer.rows)
        ),
    ]
    return Text(
        thresholds.precision_text(answer) + "\n".join(f"· {note}" for note in notes), style="dim"
    )
