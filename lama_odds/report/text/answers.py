"""Answers as text that a player likes to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.advise import TOO_CLOSE, ActionValue, Advice
from lama_odds.analysis.odds import Odds
from lama_odds.analysis.simulate import Simulated
from lama_odds.analysis.strategy_report.report import CHANCES
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import SHARES
from lama_odds.report.terminal.console import Screen
from lama_odds.report.terminal.fitted import Fitted, Meanings

ORDER = ("points", "margin", "round", "win")  # of objectives beside the one that was asked for
# What an objective aims at, in a sentence.
AIMS = {"points": "points", "margin": "margin", "round": "the round", "win": "winning the game"}
# Chances of what comes next, as against those of the whole round.
NEXT = (
    *("three llamas", "match", "miss", "next blown", "next out"),
    *("playable", "new kind", "llama", "raises", "next bust", "next improves"),
    *("next completes a line", "next draw a special"),
)
WIDTH = 160  # of text that goes to a file or another program


def printed(answer: RenderableType, width: int | None = WIDTH, plain: bool = False) -> str:
    """An answer as it is printed; width None: that of the terminal; plain: without any style."""
    terminal = False if plain else None
    console = Screen(
        width=width, highlight=False, force_terminal=terminal, force_jupyter=False, no_color=plain
    )
    with console.capture() as captured:
        # What must stay on one line (a position to be copied) may be wider than the screen.
        console.print(answer, crop=False)
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def number(estimate: Estimate, share: bool = False) -> str:
    """A value with its half-width, as many digits as it deserves."""
    if share:
        return percent(estimate)
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return (
            f"{estimate.value:.4f}".rstrip("0").rstrip(".")
            if estimate.n == 0
            else f"{estimate.value:.3f}"
        )
    digits = 4 if half < 0.001 else 3 if half < 0.01 else 2
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def percent(estimate: Estimate) -> str:
    """A share in per cent with its half-width."""
    half = 50 * (estimate.high - estimate.low)
    if half == 0:
        return f"{100 * estimate.value:.2f} %"
    digits = 2 if half < 0.1 else 1
    return f"{100 * estimate.value:.{digits}f} ± {half:.{digits}f} %"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], keys: int = 1) -> Fitted:
    """A table without ruling lines; the first column to the left, the others to the right.

    keys: how many columns tell what a row is about: where all is too wide for the screen, it is
    shown in parts that each have them.
    """
    return Fitted(tuple(columns), tuple(map(tuple, rows)), keys)


def advice_text(advice: Advice) -> RenderableType:
    """The verdict, every action with its value and chances, and what the answer rests on."""
    share = advice.counts.share
    others = [name for name in ORDER if name != advice.objective and _all_have(advice, name)]
    columns = ["", advice.objective, "loses", *others]
    shown = [name for name in CHANCES if all(name in a.chances for a in advice.actions)]
    columns += [CHANCES[name] for name in shown]
    rows = []
    for action in advice.actions:
        row = [action.action, number(action.value, share), _loss(action, share)]
        row += [number(action.objectives[name], name in SHARES) for name in others]
        rows.append(row + [percent(action.chances[name]) for name in shown])
    parts: list[RenderableType] = [
        Text(f"{advice.rules}   {advice.position}", style="dim"),
        _verdict(advice, share),
        *_otherwise(advice),
        Text(),
        table(columns, rows),
        Text(),
        *_next(advice),
        _rests_on(advice),
    ]
    if advice.sensitivity is not None:
        parts += _sensitivity(advice, share)
    return Group(*parts)


def _sensitivity(advice: Advice, share: bool) -> list[RenderableType]:
    """The answer under other models of the others."""
    found = advice.sensitivity
    rows = [
        (
            model.like,
            model.policy,
            model.verdict,
            "–" if model.ahead is None else number(model.ahead, share),
            "–" if model.loses.value == 0 else number(model.loses, share),
            model.state,
        )
        for model in (*found.models, *found.dialled)
    ]
    columns = ["the others", "policy", "verdict", "ahead by", f"{found.action} loses", "it is"]
    return [
        Text(),
        Text(f"{_sentence(found.said)}.", style="bold"),
        Text(),
        table(columns, rows),
        Text(),
        Text("\n".join(f"· {note}" for note in _about_models(advice)), style="dim"),
    ]


def _about_models(advice: Advice) -> list[str]:
    """What the answers under other models rest on."""
    found = advice.sensitivity
    notes = ["best or worse: outside the 95 % interval of that model's answer; else open"]
    games = [model.games for model in (*found.models, *found.dialled) if model.games]
    if games:
        notes.append(f"at least {min(games):,} games for each model, seed {advice.seed}")
        if not advice.games:
            notes.append(f"--games {found.games} repeats this")
    return notes


def _all_have(advice: Advice, name: str) -> bool:
    return all(name in action.objectives for action in advice.actions)


def _loss(action: ActionValue, share: bool) -> str:
    if action.regret.value == 0 and action.regret.stderr == 0:
        return "–"
    return number(action.regret, share)


def _verdict(advice: Advice, share: bool) -> Text:
    best = advice.actions[0]
    if len(advice.actions) == 1:
        return Text(f"{_sentence(best.action)}: nothing else is allowed.", style="bold")
    second = advice.actions[1]
    unit = advice.counts.unit
    if advice.verdict == TOO_CLOSE:
        gap = _loss(second, share)
        said = "no difference" if gap == "–" else f"difference {gap} {unit}"
        return Text(f"Too close to call: {best.action} or {second.action} ({said}).", style="bold")
    loses = f"he next best, {second.action}, loses {number(second.regret, share)} {unit}"
    if advice.caution:
        return Text(f"Perhaps {best.action}: t{loses}, but {advice.caution}.", style="bold")
    return Text(f"{_sentence(best.action)}. T{loses}.", style="bold")


def _otherwise(advice: Advice) -> list[Text]:
    """What other objectives would choose, a line each."""
    found = []
    for choice in advice.otherwise:
        costs = f"{number(choice.regret, choice.counts.share)} {choice.counts.unit}"
        said = f"For {AIMS[choice.objective]}: {' or '.join((choice.action, *choice.alike))}"
        found.append(Text(f"{said}. There {advice.best} costs {costs}."))
    return found


def _sentence(action: str) -> str:
    return action[0].upper() + action[1:]


def _next(advice: Advice) -> list[Text]:
    for action in advice.actions:
        chances = {
            name.removeprefix("next "): chance
            for name, chance in action.chances.items()
            if name in NEXT
        }
        if chances:
            listed = ", ".join(f"{name} {percent(chance)}" for name, chance in chances.items())
            return [Text(f"Next {action.action}: {listed}")]
    return []


def _rests_on(advice: Advice) -> Text:
    how = (
        "exact" if advice.method == "exact" else f"{advice.games:,} games each, seed {advice.seed}"
    )
    lines = [f"{advice.counts.meaning} ({how}, {advice.seconds:.2f} s)"]
    if advice.why:
        lines.append(advice.why)
    lines += advice.assumptions
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def odds_text(odds: Odds) -> RenderableType:
    """Chances by name; means first."""
    rows = []
    for name, estimate in odds.events.items():
        mean = name.startswith("mean ")
        rows.append((name, number(estimate) if mean else percent(estimate)))
    title = Text(f"{odds.rules}   {odds.position or 'deal'}", style="dim")
    if not rows:
        return Group(
            title, Text("Nothing here is left to chance: there is no draw or roll to come.")
        )
    parts: list[RenderableType] = [title, table(["", "chance"], rows)]
    if odds.groups:
        names = list(next(iter(odds.groups.values())))
        shown = (
            [name, *(percent(group[name]) for group in odds.groups.values())] for name in names
        )
        parts += [Text(), table(["", *odds.groups], shown)]
    notes = ("exact", *odds.assumptions)
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def simulated_text(done: Simulated) -> RenderableType:
    """A row a seat, then the measures of the whole table."""
    names = list(done.seats[0])
    rows = [
        (f"seat {seat}", done.policies[seat], *(_measure(name, measures[name]) for name in names))
        for seat, measures in enumerate(done.seats)
    ]
    rest = [(name.replace("_", " "), _measure(name, value)) for name, value in done.table.items()]
    what = "rounds" if done.rounds else "games"
    speed = f"{done.games / done.seconds:,.0f} {what} a second" if done.seconds else ""
    return Group(
        Text(
            f"{done.rules}   {done.players} players, {done.games:,} {what}, seed {done.seed}",
            style="dim",
        ),
        table(["", "policy", *names], rows),
        Text(),
        table(["", f"per {what[:-1]}"], rest),
        Text(
            f"· 95 % intervals; {done.seconds:.2f} s on {done.threads} threads, {speed}",
            style="dim",
        ),
    )


def _measure(name: str, estimate: Estimate) -> str:
    return (
        percent(estimate) if name in ("win", "outright", "went_out", "blown") else number(estimate)
    )


def listing(rows: Iterable[tuple[str, str]], columns: tuple[str, str]) -> Meanings:
    """Names with their meanings, wrapped."""
    return Meanings(columns, tuple(rows))
