"""All details of an advice: every objective and chance, intervals, assumptions."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.advice.answer import CHANCES, ActionValue, Advice
from lama_odds.analysis.advice.sensitivity import BEST_HERE, OPEN, WORSE
from lama_odds.analysis.variants.given import titled
from lama_odds.games.registry import game_of
from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.advice import UNCLEAR, by_value
from lama_odds.report.text.answers import number, percent, sentence, table
from lama_odds.report.text.numbers import size
from lama_odds.report.text.odds import without_alike

STATES = {BEST_HERE: "best", WORSE: "worse", OPEN: "not known"}
# Chances of what comes next, as against those of the whole round.
NEXT = (
    *("three llamas", "match", "miss", "next blown", "next out"),
    *("playable", "llama", "raises", "next bust", "next improves"),
    *("next completes a line", "next draw a special"),
)


def full_advice(advice: Advice, verdict: str, beside: list[str]) -> RenderableType:
    """The position as it is written, the verdict, every action with all figures, and the notes."""
    share = advice.counts.share
    others = [
        objective
        for name, objective in game_of(advice.rules).objectives.items()
        if name != advice.objective and _all_have(advice, name)
    ]
    shown = [name for name in CHANCES if all(name in a.chances for a in advice.actions)]
    cost = "cost, percentage points" if share else "cost"
    columns = ["", advice.counts.head, cost, *(other.head for other in others)]
    columns += [CHANCES[name] for name in shown]
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
        Text(f"{sentence(found.said)}.", style="bold"),
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
        Text(f"{sentence(found.said)}.", style="bold"),
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
    for action in advice.actions:
        chances = {
            name.removeprefix("next "): chance
            for name, chance in action.chances.items()
            if name in NEXT
        }
        if chances:
            told = without_alike(chances)
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
