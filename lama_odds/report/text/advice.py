"""Advice in a few lines: what to do, what the other actions cost, how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.advise import STRONG
from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, ActionValue, Advice
from lama_odds.analysis.advice.guesses import Guess, Guesses
from lama_odds.analysis.advice.sensitivity import BEST_HERE, OPEN, WORSE
from lama_odds.analysis.variants.given import titled
from lama_odds.core import wording
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.language import later, say, say_count
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.chances import chance_words
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
UNCLEAR = {
    TOSS_UP: later("toss-up"),
    TOO_CLOSE: later("not known"),
}  # verdicts that are not an action


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
    return [] if advice.sensitivity is None else sensitivity_text(advice, verbose)


def verdict(
    advice: Advice,
    named: Callable[[str], str] = action_words,
    most: int = TOLD,
    way_out: bool = True,
) -> str:
    """What to do, in a sentence, and what the next best actions cost.

    named: how actions are called; most: actions that are mentioned; way_out: say which number of
    games would settle a toss-up.
    """
    best = named(advice.best)
    if len(advice.actions) == 1:
        return say("▶ {best}: nothing else is allowed.", best=wording.capital(best))
    second = advice.actions[1]
    other = named(second.action)
    if advice.rule:
        rules = [_rule(guesses, named) for guesses in advice.guesses if guesses.rule]
        return f"▷ {'  '.join(rules)}"
    if advice.verdict == TOSS_UP:
        same = [a.action for a in advice.actions if a.regret.value == a.regret.stderr == 0]
        if second.action in same:
            equal = wording.listed([named(action) for action in same])
            return say("≈ Toss-up: {actions} are worth the same.", actions=equal)
        return say("≈ Toss-up: {best} or {other}.", best=best, other=other)
    if advice.verdict == TOO_CLOSE and not advice.caution:
        ways = _more_games(advice) if way_out and advice.method != EXACT else ""
        return " ".join(filter(None, (_not_known(advice, named), _usual(advice, named), ways)))
    others = [
        f"{named(action.action)} {brief_cost(action, advice)}" for action in advice.actions[2:most]
    ]
    first = say("{action} costs {cost}", action=other, cost=cost(second, advice))
    costs = ", ".join((first, *others))
    if advice.caution:
        return say(
            "▷ Perhaps {best}: {costs}, but {caution}.",
            best=best,
            costs=costs,
            caution=advice.caution,
        )
    if advice.method == EXACT:
        return say("▶ {best}.  {costs}.", best=wording.capital(best), costs=wording.capital(costs))
    return say("▶ {best}.  Clear: {costs}.", best=wording.capital(best), costs=costs)


def _not_known(advice: Advice, named: Callable[[str], str]) -> str:
    """Which actions may be best, and how little the choice matters, if that is known."""
    best, other = named(advice.best), named(advice.actions[1].action)
    if advice.within is not None:
        rivals = [named(action.action) for action in advice.rivals]
        others = rivals if len(rivals) < TOLD else [_others(len(rivals))]
        return say(
            "≈ Close: {actions} differ by {amount}.",
            actions=wording.listed([best, *others]),
            amount=_less_than(advice.within, advice),
        )
    if advice.at_most is not None:
        return say(
            "? Not known yet: {best} or {other}. {capital} costs you {amount}.",
            best=best,
            other=other,
            capital=wording.capital(best),
            amount=_less_than(advice.at_most, advice),
        )
    return say("? Not known yet: {best} or {other}.", best=best, other=other)


def _others(actions: int) -> str:
    return say_count("{n} other", "{n} others", actions)


def _less_than(bound: float, advice: Advice) -> str:
    """A bound of a cost, rounded up, with its unit."""
    share = advice.counts.share
    unit = "percentage points" if share else advice.counts.unit
    most = wording.decimal(f"{math.ceil((1000 if share else 10) * bound) / 10:.1f}")
    return say("less than {amount}", amount=wording.with_unit(most, unit))


def _usual(advice: Advice, named: Callable[[str], str]) -> str:
    """What the best policy would do, and what it expects of that."""
    if advice.usual is None:
        return ""
    action = named(advice.usual[1])
    if advice.expects is None:
        return say("A strong player would {action}.", action=action)
    objective, value = advice.expects
    return say(
        "A strong player would {action}, and puts your {chance} at {number}.",
        action=action,
        chance=say(game_of(advice.rules).objectives[objective].brief),
        number=wording.in_percent(f"{100 * value:.0f}"),
    )


def _more_games(advice: Advice) -> str:
    """What more games would do for a verdict that is not known yet."""
    if not advice.games:
        return say("--games {games} plays them out.", games=SOME_GAMES)
    if advice.more is not None:
        return say(
            "About {time} more should settle it, if they differ as much as it seems.",
            time=_time(advice.more),
        )
    if advice.needed:
        return say(
            "--games {games} should settle it, if they differ as much as it seems.",
            games=advice.needed,
        )
    return say("More games will hardly settle it.")


def _time(seconds: float) -> str:
    """A time to wait, with one or two digits."""
    n = _two_digits(seconds)
    if n < LONG:
        return say_count("{n} second", "{n} seconds", n)
    n = _two_digits(seconds / 60)
    if n < LONG:
        return say_count("{n} minute", "{n} minutes", n)
    hours = max(1, round(seconds / 3600))
    return say_count("{n} hour", "{n} hours", hours, n=wording.thousands(hours))


def _two_digits(value: float) -> int:
    return max(1, int(float(f"{math.ceil(value):.2g}")))


def _rule(guesses: Guesses, named: Callable[[str], str]) -> str:
    """The rule by a guess, that it is one, and where it is not known: a sentence for each."""
    *cases, usual = guesses.rule
    texts = [say("{action} if {when}", action=named(step.action), when=step.when) for step in cases]
    rule = say(
        "{cases}, otherwise {usual}.  {guess}.",
        cases=wording.capital(", ".join(texts)),
        usual=named(usual.action),
        guess=wording.capital(guesses.what),
    )
    pairs = zip(guesses.labels, guesses.tried, strict=True)
    values = wording.either(label for label, guess in pairs if guess.verdict == TOO_CLOSE)
    return f"{rule} {say('Not known yet for {values}.', values=values)}" if values else rule


def by_value(advice: Advice) -> Fitted:
    """What is best with each value of the guess that the rule goes by, and what is next best."""
    chosen = next(guesses for guesses in advice.guesses if guesses.rule)
    assert chosen.guessed is not None
    heads = [f"{label}?" if at == chosen.at else label for at, label in enumerate(chosen.labels)]
    best = [verdict_words(guess.verdict) for guess in chosen.tried]
    costs = [_ahead(guess, advice.counts.share) for guess in chosen.tried]
    rows = ((say("best"), *best), (say("next best costs"), *costs))
    return Fitted((wording.capital(chosen.guessed.counted), *heads), rows, left=(0,))


def verdict_words(verdict: str) -> str:
    """A verdict in a cell: the action, or that there is none."""
    return say(UNCLEAR[verdict]) if verdict in UNCLEAR else action_words(verdict)


def _ahead(guess: Guess, share: bool) -> str:
    return wording.size(min(guess.loses.values(), key=lambda lost: lost.value), share)


def cost(action: ActionValue, advice: Advice) -> str:
    """What an action costs against the best, with its unit."""
    counts = advice.counts
    text = wording.with_unit(brief_cost(action, advice), counts.cost_unit)
    return say("about {amount}", amount=text) if _is_rough(action.regret, counts.share) else text


def brief_cost(action: ActionValue, advice: Advice) -> str:
    """The bare number, with the digits of the next best action's cost."""
    scale = 100 if advice.counts.share else 1
    value = scale * action.regret.value
    digits = wording.digits_of(advice.actions[1].regret, scale)
    return wording.rounded(value, max(digits, wording.first_digit(value)))


def _beside(advice: Advice, verbose: bool = False) -> list[str]:
    """What follows the best action, and what other objectives would choose; a line each.

    verbose: name all that are equally good there, however many.
    """
    uses = advice.then.get(advice.best, ())
    # After a draw it depends on the card: that is among the assumptions.
    lines = [say("Then {action}.", action=action_words(u.action)) for u in uses if not u.cards]
    for choice in advice.otherwise:
        scale = 100 if choice.counts.share else 1
        value = scale * choice.regret.value
        digits = max(wording.digits_of(choice.regret, scale), wording.first_digit(value))
        unit = "percentage points" if choice.counts.share else choice.counts.unit
        more = len(choice.alike)
        shown = [action_words(name) for name in choice.alike]
        alike = shown if verbose or more <= MOST_ALIKE else [_others(more)]
        arguments = {
            "aim": say(choice.counts.aims_at),
            "actions": wording.either([action_words(choice.action), *alike]),
            "best": action_words(advice.best),
            "cost": wording.with_unit(wording.rounded(value, digits), unit),
        }
        on = choice.goes_on_for
        if on:
            line = say(
                "For {aim}, if all play on for {on}: {actions} ({best} costs {cost} there).",
                on=say(on.aims_at),
                **arguments,
            )
        else:
            line = say("For {aim}: {actions} ({best} costs {cost} there).", **arguments)
        lines.append(line)
    return lines


def _table(advice: Advice, shown: Sequence[ActionValue]) -> Fitted:
    """A row an action: value, a bar, cost, points, and the chances in which the actions differ."""
    counts = advice.counts
    scale = 100 if counts.share else 1
    rough = _first_rough(shown, counts.share)
    digits = wording.EXACT_DIGITS if rough is None else wording.digits_of(rough, scale)
    titles = game_of(advice.rules).chances.titles
    chances = _told_chances(titles, shown)
    bars = _bars([a.value.value for a in shown])
    points = _points(advice, shown)
    rows = []
    for action, bar, more in zip(shown, bars, points, strict=True):
        value = wording.with_sign(wording.rounded(scale * action.value.value, digits), counts.share)
        lost = say("best") if action is shown[0] else brief_cost(action, advice)
        ways = (wording.share_text(action.chances[c]) for c in chances)
        rows.append((action_words(action.action), value, bar, lost, *more, *ways))
    better = say("(more is better)") if counts.higher else say("(fewer is better)")
    heads = [say(POINTS.head)] if any(points) else []
    heads += [say(titles[name]) for name in chances]
    return Fitted(("", say(counts.head), better, say("cost"), *heads), tuple(rows), left=(0, 2))


def _points(advice: Advice, shown: Sequence[ActionValue]) -> list[tuple[str, ...]]:
    """The points of the round beside the chance to win the game, for each action, if all have."""
    if not advice.counts.whole_game or not all(POINTS.name in a.objectives for a in shown):
        return [()] * len(shown)
    points = [action.objectives[POINTS.name] for action in shown]
    digits = min(1, *map(wording.digits_of, points))
    return [(wording.rounded(estimate.value, digits),) for estimate in points]


def _is_rough(estimate: Estimate, share: bool) -> bool:
    """Whether a number was sampled, or solved within a bound that shows in its digits."""
    half = (100 if share else 1) * (estimate.high - estimate.low) / 2
    return estimate.stderr > 0 or half >= 10**-wording.EXACT_DIGITS / 2


def _first_rough(actions: Sequence[ActionValue], share: bool) -> Estimate | None:
    """The value of the best action that is rough; quitting, say, may be certain."""
    return next((a.value for a in actions if _is_rough(a.value, share)), None)


def _told_chances(names: Iterable[str], shown: Sequence[ActionValue]) -> list[str]:
    """Those chances that all actions have and that differ by a percentage point or more."""
    differing = []
    for name in names:
        if all(name in action.chances for action in shown):
            values = [action.chances[name].value for action in shown]
            if max(values) - min(values) >= 0.01:
                differing.append(name)
    return differing[:SHOWN_CHANCES]


def _bars(values: Sequence[float]) -> list[str]:
    """A bar for each value, from 0 or the lowest below it."""
    least = min(0.0, *values)
    most = max(value - least for value in values) or 1.0
    return ["█" * round(BAR * (value - least) / most) for value in values]


def exactly(advice: Advice) -> str:
    """How exact what was solved is: within the error of a table, where that shows."""
    counts = advice.counts
    if _first_rough(advice.actions, counts.share) is None:
        return say("exact")
    within = wording.widest([action.value for action in advice.actions], counts.share)
    if counts.whole_game:
        return say("exact within {error}, the error of the match equity table", error=within)
    return say("exact within {error}", error=within)


def _how_sure(advice: Advice) -> str:
    """The objective, its precision, the opponents, and how to see more."""
    counts = advice.counts
    rough = _first_rough(advice.actions, counts.share)
    left_out = len(advice.actions) - MOST
    more = say("{n} more: -v", n=left_out) if left_out > 0 else say("More: -v")
    if len(advice.actions) == 1:
        return more
    scores = ""
    if advice.starting is not None:
        scores = say("Scores unknown: averaged over those that occur. Give scores= for yours.\n")
    elif advice.unvalued:
        scores = say("Scores unknown: only this round counts. Give scores= to play for the game.\n")
    what = wording.capital(say(counts.brief))
    if rough is None or advice.method == EXACT:
        return f"{scores}{say('{what}, {how}.', what=what, how=exactly(advice))} {more}"
    how = say("{what}, 95 % interval {error}.", what=what, error=wording.error(rough, counts.share))
    return f"{scores}{how}{_opponents(advice)} {more}"


def _opponents(advice: Advice) -> str:
    """The policy assumed for the others, as a sentence after another one."""
    if not advice.others:
        return ""
    policy = say(STRONG) if advice.others == STRONG else advice.others
    return f" {say('Opponents: {policy}.', policy=policy)}"


# All details of an advice: every objective and chance, intervals, assumptions.

STATES = {BEST_HERE: later("best"), WORSE: later("worse"), OPEN: later("not known")}


def full_advice(advice: Advice, verdict: str, remarks: list[str]) -> RenderableType:
    """The position as it is written, the verdict, every action with all figures, and the notes."""
    share, game = advice.counts.share, game_of(advice.rules)
    others = [
        objective
        for name, objective in game.objectives.items()
        if name != advice.objective and all(name in a.objectives for a in advice.actions)
    ]
    titles = game.chances.titles
    shown = [name for name in titles if all(name in a.chances for a in advice.actions)]
    cost = say("cost, percentage points") if share else say("cost")
    columns = ["", say(advice.counts.head), cost, *(say(other.head) for other in others)]
    columns += [say(titles[name]) for name in shown]
    rows = []
    for action in advice.actions:
        row = [
            action_words(action.action),
            wording.number(action.value, share),
            _cost(action, share),
        ]
        row += [wording.number(action.objectives[other.name], other.share) for other in others]
        rows.append(row + [wording.percent(action.chances[name]) for name in shown])
    parts: list[RenderableType] = [
        Text(f"{titled(advice)}   {advice.position}", style="dim"),
        Text(),
        Text(verdict, style="bold"),
        *(Text(line) for line in remarks),
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
    sensitivity, share = advice.sensitivity, advice.counts.share
    begin = [Text(), Text(f"{wording.capital(sensitivity.said)}.", style="bold"), Text()]
    if not verbose:
        return [*begin, *_few_models(advice)]
    rows = [
        (
            say(model.like) if model in sensitivity.models else model.like,
            model.policy,
            verdict_words(model.verdict),
            "–" if model.ahead is None else wording.number(model.ahead, share),
            "–" if model.loses.value == 0 else wording.number(model.loses, share),
            say(STATES[model.state]),
        )
        for model in (*sensitivity.models, *sensitivity.dialled)
    ]
    columns = [say("opponents"), say("policy"), say("best"), say("ahead by")]
    columns += [say("{action} costs", action=action_words(sensitivity.action)), say("it is")]
    notes = "\n".join(f"· {note}" for note in _about_models(advice))
    return [*begin, table(columns, rows), Text(), Text(notes, style="dim")]


def _few_models(advice: Advice) -> list[RenderableType]:
    """The best action against each kind of opponents, and what the advised one costs there."""
    sensitivity, share = advice.sensitivity, advice.counts.share
    rows = []
    for model in sensitivity.models:
        costs = wording.size(model.loses, share) if model.state == WORSE else ""
        shown = model.best if model.state != OPEN else model.verdict
        rows.append((say(model.like), verdict_words(shown), costs))
    of = len(rows) + len(sensitivity.dialled)
    heads = (
        say("opponents"),
        say("best"),
        say("{action} costs", action=action_words(sensitivity.action)),
    )
    more = say("{n} of {of} kinds of opponents; all: -v", n=len(rows), of=of)
    return [Fitted(heads, tuple(rows), left=(0, 1)), Text(), Text(more, "dim")]


def _about_models(advice: Advice) -> list[str]:
    """Notes on the answers against other opponents."""
    sensitivity = advice.sensitivity
    notes = [
        say("best or worse: by the 95 % intervals against that kind of opponents; else not known"),
        say("a number: opponents who quit at this penalty or less"),
    ]
    games = [model.games for model in (*sensitivity.models, *sensitivity.dialled) if model.games]
    if games:
        least = wording.thousands(min(games))
        notes.append(
            say(
                "at least {games} games for each kind of opponents, seed {seed}",
                games=least,
                seed=advice.seed,
            )
        )
        if not advice.games:
            notes.append(say("--games {games} repeats this", games=sensitivity.games))
    return notes


def _cost(action: ActionValue, share: bool) -> str:
    if action.regret.value == 0 and action.regret.stderr == 0:
        return say("best")
    return wording.percentage(action.regret) if share else wording.number(action.regret)


def _next(advice: Advice) -> list[Text]:
    words = game_of(advice.rules).chances
    for action in advice.actions:
        chances = {
            name.removeprefix("next "): chance
            for name, chance in action.chances.items()
            if name in words.next
        }
        if chances:
            distinct = without_alike(words, chances)
            shown = ", ".join(
                f"{chance_words(name)} {wording.percent(chance)}" for name, chance in distinct
            )
            action_ = action_words(action.action)
            return [Text(say("Next {action}: {chances}", action=action_, chances=shown))]
    return []


def _rests_on(advice: Advice) -> Text:
    how = say("learned")
    if advice.method == EXACT:
        how = say("exact")
    elif advice.games:
        games = wording.thousands(advice.games)
        how = say("{games} games each, seed {seed}", games=games, seed=advice.seed)
    lines = [
        say(
            "{meaning} ({how}, {seconds} s)",
            meaning=say(advice.counts.meaning),
            how=how,
            seconds=wording.decimal(f"{advice.seconds:.2f}"),
        )
    ]
    if advice.why:
        lines.append(advice.why)
    lines += advice.assumptions
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


# An advice in a line, for the prompt of `play`.


def advice_line(advice: Advice, named: Callable[[str], str] = action_words) -> str:
    """What to do, and what the next best action costs; named: how actions are called."""
    return verdict(advice, named, most=2, way_out=False)


def reason_lines(advice: Advice) -> list[str]:
    """Why the best action is best, a line for each sentence."""
    return [f"  {reason.text}" for reason in advice.reasons]


def chosen_line(advice: Advice, chosen: str, named: Callable[[str], str] = action_words) -> str:
    """What a choice costs, and what was best, in a line; named: how actions are called."""
    best = named(advice.best)
    mine = next((action for action in advice.actions if action.action == chosen), None)
    if mine is None:
        return advice_line(advice, named)
    action = wording.capital(named(chosen))
    if mine.regret.low <= 0 and chosen != advice.best:
        return say("{action} may be as good as {best}.", action=action, best=best)
    if chosen != advice.best:
        return say(
            "No: {best} is best. {action} costs {cost}.",
            best=best,
            action=action,
            cost=cost(mine, advice),
        )
    if advice.verdict != advice.best:
        return say("{best} may be best; it is not known yet.", best=wording.capital(best))
    return say("Right: {best}.", best=best)


def rests_on(advice: Advice) -> str:
    """The objective of a session's advice, in a line; ``?`` shows the rest."""
    exact = advice.method == EXACT
    how = (
        exactly(advice)
        if exact
        else say("from games played out, with cards and dice drawn at random")
    )
    sentence = say("Advice counts: {what}, {how}.", what=say(advice.counts.brief), how=how)
    return f"{sentence}{_opponents(advice)} {say('More: ?')}"
