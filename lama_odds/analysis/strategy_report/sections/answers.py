"""The figures of single answers: of advice, odds, thresholds and tournaments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.odds import Odds
from lama_odds.analysis.strategy_report.by_game.own import GROUPS, TABLES
from lama_odds.analysis.strategy_report.document import Beside, Dots, Figure, dot_of
from lama_odds.analysis.strategy_report.sections.games import league_dots
from lama_odds.analysis.strategy_report.sections.rounds import by_penalty, by_scores
from lama_odds.analysis.thresholds.answer import Thresholds
from lama_odds.analysis.tournament import Tournament
from lama_odds.analysis.variants.given import titled
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.objectives import SHARES
from lama_odds.games.registry import game_of

MOST_CHANCES = 3  # beside the values


def figure_of(answer: Any) -> Figure:
    """The figure of an answer; LimitError if there is none of its kind."""
    if isinstance(answer, Advice):
        return figure_of_advice(answer)
    if isinstance(answer, Odds):
        return figure_of_odds(answer)
    if isinstance(answer, Thresholds):
        return figure_of_thresholds(answer)
    if isinstance(answer, Tournament):
        title = f"{titled(answer)}, {answer.players} players: win rates in the league"
        return league_dots(answer, title)
    raise LimitError("there is no figure of such an answer")


def figure_of_advice(advice: Advice) -> Figure:
    """Every action with its value, beside it the chances that it leads to."""
    share = advice.objective in SHARES
    better = "higher" if advice.counts.higher else "lower"
    parts = [
        Dots(
            "value",
            f"{advice.objective} ({better} is better)",
            f"Values for {advice.objective}.",
            "",
            tuple(dot_of(a.action, a.value) for a in advice.actions),
            share=share,
        )
    ]
    for name, shown in _chances(advice).items():
        dots = tuple(dot_of(a.action, a.chances[name]) for a in advice.actions)
        parts.append(Dots(name, shown, f"Chances to {shown}.", "", dots, share=True, bars=True))
    best, *others = advice.actions
    text = f"{best.action} {_said(best.value, share)}"
    text += "".join(f", {a.action} {_said(a.value, share)}" for a in others)
    verdict = f"best: {best.action}" if advice.verdict == best.action else advice.verdict
    return Beside(
        "advice",
        f"{titled(advice)}   {advice.position}\n{verdict}",
        f"Each action with its {advice.objective} and chances: {text}.",
        tuple(parts),
    )


def _chances(advice: Advice) -> dict[str, str]:
    """Chances that all actions have and that are not the same nothing for all."""
    titles = game_of(advice.rules).chances.titles
    names = [n for n in titles if all(n in a.chances for a in advice.actions)]
    possible = [n for n in names if any(a.chances[n].value > 0 for a in advice.actions)]
    return {name: titles[name] for name in possible[:MOST_CHANCES]}


def _said(value: Estimate, share: bool) -> str:
    return f"{100 * value.value:.1f} %" if share else f"{value.value:.2f}"


def figure_of_thresholds(thresholds: Thresholds) -> Figure:
    """Quit or continue, by penalty or by scores; for games that are solved, the map of it."""
    figure: Figure | None = None
    if thresholds.band is not None:
        curves = by_scores(thresholds)
        figure = curves if curves.parts else None
    elif thresholds.rows:
        figure = by_penalty(thresholds)
    else:
        maps = [TABLES[table.name](table) for table in thresholds.tables if table.name in TABLES]
        figure = maps[0] if maps else None
    if figure is None:
        raise LimitError("there is nothing to draw: no decision occurred often enough")
    who = f", all play {thresholds.policy}" if thresholds.policy else ""
    return replace(
        figure, title=f"{titled(thresholds)}   {thresholds.players} players{who}\n{figure.title}"
    )


def figure_of_odds(odds: Odds) -> Figure:
    """Chances by total where they stand apart; else all chances, beside their names."""
    title = f"{titled(odds)}   {odds.position or 'deal'}"
    drawn = next((GROUPS[group] for group in odds.groups if group in GROUPS), None)
    if drawn is not None:
        figure = drawn(odds.groups)
        return replace(figure, title=f"{title}\n{figure.title}")
    chances = {n: e for n, e in odds.events.items() if not n.startswith("mean ")}
    if not chances:
        raise LimitError("there is nothing to draw: nothing here is left to chance")
    return Dots(
        "odds",
        title,
        "Chances: " + ", ".join(f"{n} {100 * e.value:.1f} %" for n, e in chances.items()) + ".",
        "chance (exact)",
        tuple(dot_of(name, chance) for name, chance in chances.items()),
        share=True,
    )
