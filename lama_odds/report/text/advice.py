"""Advice in a few lines: what to do, what the other actions cost, how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, ActionValue, Advice
from lama_odds.analysis.advice.guesses import Guess, Guesses
from lama_odds.analysis.advice.sensitivity import BEST_HERE, OPEN, WORSE
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.wording import (
    EXACT_DIGITS,
    capital,
    digits_of,
    error,
    first_digit,
    listed,
    number,
    percent,
    rounded,
    share_text,
    size,
    widest,
    with_unit,
)
from lama_odds.games.interface.objectives import POINTS
from lama_odds.games.registry import game_of
from lama_odds.report.terminal import Fitted, table
from lama_odds.report.text.odds import without_alike

MOST = 6  # actions in the table; the others are behind -v
BAR = 12  # characters of the longest bar
SHOWN_CHANCES = 3  # columns of chances
TOLD = 3  # actions that the sentence tells of
MOST_ALIKE = 1  # more actions that are as good for another objective are only counted
SOME_GAMES = 4_000  # where none were played
LONG = 100  # seconds or minutes, from which a larger unit is used
UNCLEAR = {TOSS_UP: "toss-up", TOO_CLOSE: "not known"}  # verdicts that are not an action


def advice_text(advice: Advice, verbose: bool = False) -> RenderableType:
    """The verdict, a table of the actions, and how sure it is; verbose: with all details."""
    if verbose:
        return Group(
            full_advice(advice, verdict(advice), _beside(advice, verbose=True)),
            *_models(advice, verbose=True),
        )
    shown = advice.actions[:MOST]
    parts: list[RenderableType] = [Text(advice.about or advice.position, style="dim"), Text()]
    parts += [Text(verdict(advice), style="bold"), *(Text(line) for line in _beside(advice))]
    parts += map(Text, reason_lines(advice))
    if len(advice.actions) > 1:
        parts += [Text(), _table(advice, shown)]
    if advice.rule:
        parts += [Text(), by_value(advice)]
    parts += [Text(), Text(_how_sure(advice), style="dim")]
    return Group(*parts, *_models(advice))


def _models(advice: Advice, verbose: bool = False) -> list[RenderableType]:
    """The answer against other kinds of opponents, if it was computed."""
    if advice.sensitivity is None:
        return []

    return sensitivity_text(advice, verbose)


def verdict(
    advice: Advice, named: Callable[[str], str] = str, most: int = TOLD, way_out: bool = True
) -> str:
    """What to do, in a sentence, and what the next best actions cost.

    named: how actions are called; most: actions that are mentioned; way_out: say which number of
    games would settle a toss-up.
    """
    best = named(advice.best)
    if len(advice.actions) == 1:
        return f"▶ {capital(best)}: nothing else is allowed."
    second = advice.actions[1]
    other = named(second.action)
    if advice.rule:
        rules = [_rule(guesses, named) for guesses in advice.guesses if guesses.rule]
        return f"▷ {'  '.join(rules)}"
    if advice.verdict == TOSS_UP:
        same = [a.action for a in advice.actions if a.regret.value == a.regret.stderr == 0]
        if second.action in same:
            return f"≈ Toss-up: {listed([named(action) for action in same])} are worth the same."
        return f"≈ Toss-up: {best} or {other}."
    if advice.verdict == TOO_CLOSE and not advice.caution:
        ways = _more_games(advice) if way_out and advice.method != EXACT else ""
        return f"{_not_known(advice, named)}{_usual(advice, named)}{ways}"
    others = [
        f"{named(action.action)} {brief_cost(action, advice)}" for action in advice.actions[2:most]
    ]
    told = ", ".join((f"{other} costs {cost(second, advice)}", *others))
    if advice.caution:
        return f"▷ Perhaps {best}: {told}, but {advice.caution}."
    return f"▶ {capital(best)}.  {capital(told) if advice.method == EXACT else f'Clear: {told}'}."


def _not_known(advice: Advice, named: Callable[[str], str]) -> str:
    """Which actions may be best, and how little the choice matters, if that is known."""
    best, other = named(advice.best), named(advice.actions[1].action)
    if advice.within is not None:
        rivals = [named(action.action) for action in advice.rivals]
        told = rivals if len(rivals) < TOLD else [f"{len(rivals)} others"]
        return f"≈ Close: {listed([best, *told])} differ by {_less_than(advice.within, advice)}."
    if advice.at_most is not None:
        return (
            f"? Not known yet: {best} or {other}. "
            f"{capital(best)} costs you {_less_than(advice.at_most, advice)}."
        )
    return f"? Not known yet: {best} or {other}."


def _less_than(bound: float, advice: Advice) -> str:
    """A bound of a cost, rounded up, with its unit."""
    share = advice.counts.share
    unit = "percentage points" if share else advice.counts.unit
    return f"less than {with_unit(f'{math.ceil((1000 if share else 10) * bound) / 10:.1f}', unit)}"


def _usual(advice: Advice, named: Callable[[str], str]) -> str:
    """What the best policy would do, and what it expects of that."""
    if advice.usual is None:
        return ""
    told = f" A strong player would {named(advice.usual[1])}"
    if advice.expects is None:
        return f"{told}."
    objective, value = advice.expects
    brief = game_of(advice.rules).objectives[objective].brief
    return f"{told}, and puts your {brief} at {100 * value:.0f} %."


def _more_games(advice: Advice) -> str:
    """What more games would do for a verdict that is not known yet."""
    if not advice.games:
        return f" --games {SOME_GAMES} plays them out."
    if advice.more is not None:
        return f" About {_time(advice.more)} more should settle it."
    if advice.needed:
        return f" --games {advice.needed} should settle it."
    return " More games will hardly settle it."


def _time(seconds: float) -> str:
    """A time to wait, with one or two digits."""
    for unit, each in (("second", 1), ("minute", 60)):
        n = max(1, int(float(f"{math.ceil(seconds / each):.2g}")))
        if n < LONG:
            return f"{n} {unit}{'s' * (n > 1)}"
    return f"{max(1, round(seconds / 3600)):,} hours"


def _rule(guesses: Guesses, named: Callable[[str], str]) -> str:
    """The rule by a guess, and that it is one, in two sentences."""
    *cases, usual = guesses.rule
    told = ", ".join(f"{named(step.action)} if {step.when}" for step in cases)
    return f"{capital(told)}, otherwise {named(usual.action)}.  {capital(guesses.what)}."


def by_value(advice: Advice) -> Fitted:
    """What is best with each value of the guess that the rule goes by, and what is next best."""
    found = next(guesses for guesses in advice.guesses if guesses.rule)
    assert found.guessed is not None
    heads = [f"{label}?" if at == found.at else label for at, label in enumerate(found.labels)]
    best = [UNCLEAR.get(guess.verdict, guess.verdict) for guess in found.tried]
    costs = [_ahead(guess, advice.counts.share) for guess in found.tried]
    rows = (("best", *best), ("next best costs", *costs))
    return Fitted((capital(found.guessed.counted), *heads), rows, left=(0,))


def _ahead(guess: Guess, share: bool) -> str:
    return size(min(guess.loses.values(), key=lambda lost: lost.value), share)


def cost(action: ActionValue, advice: Advice) -> str:
    """What an action costs against the best, with its unit."""
    counts = advice.counts
    about = "about " if _is_rough(action.regret, counts.share) else ""
    return f"{about}{with_unit(brief_cost(action, advice), counts.cost_unit)}"


def brief_cost(action: ActionValue, advice: Advice) -> str:
    """The bare number, with the digits of the next best action's cost."""
    scale = 100 if advice.counts.share else 1
    value = scale * action.regret.value
    digits = digits_of(advice.actions[1].regret, scale)
    return rounded(value, max(digits, first_digit(value)))


def _beside(advice: Advice, verbose: bool = False) -> list[str]:
    """What follows the best action, and what other objectives would choose; a line each.

    verbose: name all that are equally good there, however many.
    """
    uses = advice.then.get(advice.best, ())
    # After a draw it depends on the card: that is among the assumptions.
    lines = [f"Then {use.action}." for use in uses if not use.cards]
    for choice in advice.otherwise:
        scale = 100 if choice.counts.share else 1
        value = scale * choice.regret.value
        digits = max(digits_of(choice.regret, scale), first_digit(value))
        unit = "percentage points" if choice.counts.share else choice.counts.unit
        more = len(choice.alike)
        alike = choice.alike if verbose or more <= MOST_ALIKE else (f"{more} others",)
        actions = " or ".join((choice.action, *alike))
        costs = with_unit(rounded(value, digits), unit)
        on = choice.goes_on_for
        counted = choice.counts.aims_at + (f", if all play on for {on.aims_at}" if on else "")
        lines.append(f"For {counted}: {actions} ({advice.best} costs {costs} there).")
    return lines


def _table(advice: Advice, shown: Sequence[ActionValue]) -> Fitted:
    """A row an action: value, a bar, cost, points, and the chances in which the actions differ."""
    counts = advice.counts
    scale = 100 if counts.share else 1
    rough = _first_rough(shown, counts.share)
    digits = EXACT_DIGITS if rough is None else digits_of(rough, scale)
    unit = " %" if counts.share else ""
    titles = game_of(advice.rules).chances.titles
    chances = _told_chances(titles, shown)
    bars = _bars([a.value.value for a in shown])
    points = _points(advice, shown)
    rows = []
    for action, bar, more in zip(shown, bars, points, strict=True):
        value = rounded(scale * action.value.value, digits) + unit
        lost = "best" if action is shown[0] else brief_cost(action, advice)
        ways = (share_text(action.chances[c]) for c in chances)
        rows.append((action.action, value, bar, lost, *more, *ways))
    better = "more is better" if counts.higher else "fewer is better"
    heads = ((POINTS.name,) if any(points) else ()) + tuple(titles[name] for name in chances)
    return Fitted(("", counts.head, f"({better})", "cost", *heads), tuple(rows), left=(0, 2))


def _points(advice: Advice, shown: Sequence[ActionValue]) -> list[tuple[str, ...]]:
    """The points of the round beside the chance to win the game, for each action, if all have."""
    if not advice.counts.whole_game or not all(POINTS.name in a.objectives for a in shown):
        return [()] * len(shown)
    points = [action.objectives[POINTS.name] for action in shown]
    digits = min(1, *map(digits_of, points))
    return [(rounded(each.value, digits),) for each in points]


def _is_rough(found: Estimate, share: bool) -> bool:
    """Whether a number was sampled, or solved within a bound that shows in its digits."""
    half = (100 if share else 1) * (found.high - found.low) / 2
    return found.stderr > 0 or half >= 10**-EXACT_DIGITS / 2


def _first_rough(actions: Sequence[ActionValue], share: bool) -> Estimate | None:
    """The value of the best action that is rough; quitting, say, may be certain."""
    return next((a.value for a in actions if _is_rough(a.value, share)), None)


def _told_chances(names: Iterable[str], shown: Sequence[ActionValue]) -> list[str]:
    """Those chances that all actions have and that differ by a percentage point or more."""
    found = []
    for name in names:
        if all(name in action.chances for action in shown):
            values = [action.chances[name].value for action in shown]
            if max(values) - min(values) >= 0.01:
                found.append(name)
    return found[:SHOWN_CHANCES]


def _bars(values: Sequence[float]) -> list[str]:
    """A bar for each value, from 0 or the lowest below it."""
    least = min(0.0, *values)
    most = max(value - least for value in values) or 1.0
    return ["█" * round(BAR * (value - least) / most) for value in values]


def exactly(advice: Advice) -> str:
    """How exact what was solved is: within the error of a table, where that shows."""
    counts = advice.counts
    if _first_rough(advice.actions, counts.share) is None:
        return "exact"
    within = widest([action.value for action in advice.actions], counts.share)
    by = ", the error of the match equity table" if counts.whole_game else ""
    return f"exact within {within}{by}"


def _how_sure(advice: Advice) -> str:
    """The objective, its precision, the opponents, and how to see more."""
    counts = advice.counts
    rough = _first_rough(advice.actions, counts.share)
    left_out = len(advice.actions) - MOST
    more = f"{left_out} more: -v" if left_out > 0 else "More: -v"
    if len(advice.actions) == 1:
        return more
    scores = ""
    if advice.starting is not None:
        scores = "Scores unknown: averaged over those that occur. Give scores= for yours.\n"
    if rough is None or advice.method == EXACT:
        return f"{scores}{capital(counts.brief)}, {exactly(advice)}. {more}"
    how = f"{capital(counts.brief)}, 95 % interval {error(rough, counts.share)}."
    others = f" Opponents: {advice.others}." if advice.others else ""
    return f"{scores}{how}{others} {more}"


# All details of an advice: every objective and chance, intervals, assumptions.

STATES = {BEST_HERE: "best", WORSE: "worse", OPEN: "not known"}


def full_advice(advice: Advice, verdict: str, beside: list[str]) -> RenderableType:
    """The position as it is written, the verdict, every action with all figures, and the notes."""
    share, game = advice.counts.share, game_of(advice.rules)
    others = [
        objective
        for name, objective in game.objectives.items()
        if name != advice.objective and _all_have(advice, name)
    ]
    titles = game.chances.titles
    shown = [name for name in titles if all(name in a.chances for a in advice.actions)]
    cost = "cost, percentage points" if share else "cost"
    columns = ["", advice.counts.head, cost, *(other.head for other in others)]
    columns += [titles[name] for name in shown]
    rows = []
    for action in advice.actions:
        row = [action.action, number(action.value, share), _cost(action, share)]
        row += [number(action.objectives[other.name], other.share) for other in others]
        rows.append(row + [percent(action.chances[name]) for name in shown])
    parts: list[RenderableType] = [
        Text(f"{titled(advice)}   {advice.position}", style="dim"),
        Text(),
        Text(verdict, style="bold"),
        *(Text(line) for line in beside),
        *map(Text, reason_lines(advice)),
        Text(),
        table(columns, rows),
        Text(),
        *_next(advice),
        _rests_on(advice),
    ]
    if advice.rule:
        parts[6:6] = [Text(), by_value(advice)]
    return Group(*parts)


def sensitivity_text(advice: Advice, verbose: bool = False) -> list[RenderableType]:
    """The answer against other opponents; verbose: also those who quit earlier and earlier."""
    found, share = advice.sensitivity, advice.counts.share
    if not verbose:
        return _few_models(advice)
    rows = [
        (
            model.like,
            model.policy,
            model.verdict,
            "–" if model.ahead is None else number(model.ahead, share),
            "–" if model.loses.value == 0 else number(model.loses, share),
            STATES[model.state],
        )
        for model in (*found.models, *found.dialled)
    ]
    columns = ["opponents", "policy", "best", "ahead by", f"{found.action} costs", "it is"]
    return [
        Text(),
        Text(f"{capital(found.said)}.", style="bold"),
        Text(),
        table(columns, rows),
        Text(),
        Text("\n".join(f"· {note}" for note in _about_models(advice)), style="dim"),
    ]


def _few_models(advice: Advice) -> list[RenderableType]:
    """The best action against each kind of opponents, and what the advised one costs there."""
    found, share = advice.sensitivity, advice.counts.share
    rows = []
    for model in found.models:
        costs = size(model.loses, share) if model.state == WORSE else ""
        rows.append(
            (model.like, model.best if model.state != OPEN else UNCLEAR[model.verdict], costs)
        )
    return [
        Text(),
        Text(f"{capital(found.said)}.", style="bold"),
        Text(),
        Fitted(("opponents", "best", f"{found.action} costs"), tuple(rows), left=(0, 1)),
        Text(),
        Text(f"{len(rows)} of {len(rows) + len(found.dialled)} kinds of opponents; all: -v", "dim"),
    ]


def _about_models(advice: Advice) -> list[str]:
    """Notes on the answers against other opponents."""
    found = advice.sensitivity
    notes = [
        "best or worse: by the 95 % intervals against that kind of opponents; else not known",
        "a number: opponents who quit at this penalty or less",
    ]
    games = [model.games for model in (*found.models, *found.dialled) if model.games]
    if games:
        notes.append(
            f"at least {min(games):,} games for each kind of opponents, seed {advice.seed}"
        )
        if not advice.games:
            notes.append(f"--games {found.games} repeats this")
    return notes


def _all_have(advice: Advice, name: str) -> bool:
    return all(name in action.objectives for action in advice.actions)


def _cost(action: ActionValue, share: bool) -> str:
    if action.regret.value == 0 and action.regret.stderr == 0:
        return "best"
    return number(action.regret, share).removesuffix(" %")


def _next(advice: Advice) -> list[Text]:
    words = game_of(advice.rules).chances
    for action in advice.actions:
        chances = {
            name.removeprefix("next "): chance
            for name, chance in action.chances.items()
            if name in words.next
        }
        if chances:
            told = without_alike(words, chances)
            listed = ", ".join(f"{name} {percent(chance)}" for name, chance in told)
            return [Text(f"Next {action.action}: {listed}")]
    return []


def _rests_on(advice: Advice) -> Text:
    how = f"{advice.games:,} games each, seed {advice.seed}" if advice.games else "learned"
    if advice.method == "exact":
        how = "exact"
    lines = [f"{advice.counts.meaning} ({how}, {advice.seconds:.2f} s)"]
    if advice.why:
        lines.append(advice.why)
    lines += advice.assumptions
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


# An advice in a line, for the prompt of `play`.


def advice_line(advice: Advice, named: Callable[[str], str] = str) -> str:
    """What to do, and what the next best action costs; named: how actions are called."""
    return verdict(advice, named, most=2, way_out=False)


def reason_lines(advice: Advice) -> list[str]:
    """Why the best action is best, a line for each sentence."""
    return [f"  {reason.text}" for reason in advice.reasons]


def chosen_line(advice: Advice, chosen: str, named: Callable[[str], str] = str) -> str:
    """What a choice costs, and what was best, in a line; named: how actions are called."""
    best = named(advice.best)
    mine = next((action for action in advice.actions if action.action == chosen), None)
    if mine is None:
        return advice_line(advice, named)
    if mine.regret.low <= 0 and chosen != advice.best:
        return f"{capital(named(chosen))} may be as good as {best}."
    if chosen != advice.best:
        return f"No: {best} is best. {capital(named(chosen))} costs {cost(mine, advice)}."
    if advice.verdict != advice.best:
        return f"{capital(best)} may be best; it is not known yet."
    return f"Right: {best}."


def rests_on(advice: Advice) -> str:
    """The objective of a session's advice, in a line; ``?`` shows the rest."""
    how = exactly(advice) if advice.method == EXACT else "from games played out at random"
    others = f" Opponents: {advice.others}." if advice.others else ""
    return f"Advice counts: {advice.counts.brief}, {how}.{others} More: ?"
