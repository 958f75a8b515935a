"""Training in words: a position as a question, the answer, and what kind of player you are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lama_odds.analysis.coach.drills import Drill, is_right
from lama_odds.analysis.coach.skill import Skill, Trait
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import (
    POINTS_OF_CHANCE,
    capital,
    first_digit,
    rounded,
    with_minus,
    with_unit,
)
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.registry import game_of
from lama_odds.report.text.moves import action_text, table_text

MOST_LISTED = 3  # other actions whose cost is named


def position_of(drill: Drill) -> tuple[AnyGame, Any, Any]:
    """Return the game, the rule set and the position of a drill."""
    game = game_of(drill.rules)
    rules = game.rules(drill.rules)
    return game, rules, game.position(rules, drill.position)


def shown_action(drill: Drill, action: str) -> str:
    """Return an action as the screen names it: you are player 1."""
    game, _, position = position_of(drill)
    live = game.live_play()
    return action_text(live.on_screen, action, 0, position.players) if live else action


def question_lines(drill: Drill) -> list[str]:
    """Return the position in words: the rules and what counts, the table, your cards or dice."""
    game, rules, position = position_of(drill)
    counts = game.objectives[drill.objective]
    lines = [f"{drill.rules} · {position.players} players · you play for {counts.aims_at}"]
    live = game.live_play()
    if live is None:
        return [*lines, drill.position]
    return [*lines, table_text(game, position, 0), f"{live.on_screen.hand(rules, position)}."]


def choices_of(drill: Drill) -> list[str]:
    """Return the actions in the order in which they are listed: not best first."""
    return sorted(choice.action for choice in drill.choices)


def cost_text(value: float, counts: Objective) -> str:
    """Return what an action costs, with its unit."""
    scaled = (100 if counts.share else 1) * value
    digits = 0 if scaled >= 10 else max(1, first_digit(scaled))
    unit = POINTS_OF_CHANCE if counts.share else counts.unit
    return with_unit(rounded(scaled, digits).removesuffix(".0"), unit)


def interval_text(value: Estimate, counts: Objective) -> str:
    """Return a cost with its 95 % interval and unit."""
    scale = 100 if counts.share else 1
    shown = [rounded(scale * number, 1) for number in (value.value, value.low, value.high)]
    unit = POINTS_OF_CHANCE if counts.share else counts.unit
    return f"{shown[0]} {unit} ({shown[1]} to {shown[2]})"


def verdict_lines(drill: Drill, chosen: str, why: Sequence[str]) -> list[str]:
    """Return whether an answer was right, what it cost, and why, which is given in sentences."""
    counts = game_of(drill.rules).objectives[drill.objective]
    best = shown_action(drill, drill.best)
    if not chosen:
        first = f"The best is {best}."
    elif is_right(drill.choice(chosen), counts):
        first = f"Right: {shown_action(drill, chosen)}. {_others(drill, chosen, counts)}"
    else:
        lost = cost_text(drill.choice(chosen).cost, counts)
        first = f"No: {best} is best. {capital(shown_action(drill, chosen))} costs {lost}."
    return [first.strip(), *why]


def _others(drill: Drill, chosen: str, counts: Objective) -> str:
    """What other actions cost, the next best first."""
    others = [each for each in drill.choices if each.action != chosen][:MOST_LISTED]
    told = [
        f"{shown_action(drill, each.action)} costs {cost_text(each.cost, counts)}"
        for each in others
    ]
    return f"{capital(', '.join(told))}." if told else ""


def summary_text(drills: Sequence[Drill], chosen: Sequence[str], waiting: int) -> str:
    """Return how a session went. waiting: positions that come back another day."""
    if not drills:
        return "No position was shown."
    right, lost = 0, 0.0
    for drill, action in zip(drills, chosen, strict=True):
        counts = game_of(drill.rules).objectives[drill.objective]
        if action and is_right(drill.choice(action), counts):
            right += 1
        elif action:
            lost += drill.choice(action).cost
    counts = game_of(drills[0].rules).objectives[drills[0].objective]
    told = [f"{right} of {len(drills)} right."]
    if lost:
        told.append(f"The others cost {cost_text(lost, counts)} in all.")
    if waiting:
        many = "1 position comes" if waiting == 1 else f"{waiting} positions come"
        told.append(f"{many} back in the next days.")
    return " ".join(told)


# The test of skill.


def skill_lines(skill: Skill, counts: Objective) -> Iterator[str]:
    """Yield the result of a test: the cost per decision, then each trait with its interval."""
    yield (
        f"Per decision you give away {interval_text(skill.cost, counts)}, by "
        f"{skill.questions} answers."
    )
    for trait in skill.traits:
        yield _trait_text(trait, counts)
    yield "Ranges are 95 % intervals."


def _trait_text(trait: Trait, counts: Objective) -> str:
    """A trait in a sentence: what is shown, or that it is not known."""
    if trait.id == "caution":
        said = {
            1: "You are too careful: you stop too early.",
            -1: "You are too bold: you stop too late.",
            0: "Whether you stop too early or too late is not known yet.",
        }[trait.shown]
        scale = 100 if counts.share else 1
        low, high = (with_minus(scale * end, 1) for end in (trait.value.low, trait.value.high))
        unit = POINTS_OF_CHANCE if counts.share else counts.unit
        return f"{said} Stopping seems to you worth {low} to {high} {unit} more than it is."
    said = {
        1: f"You hardly mind {trait.id}.",
        -1: f"You mind {trait.id}.",
        0: f"Whether you mind {trait.id} is not known yet.",
    }[trait.shown]
    least, most = (round(100 * number) for number in (trait.value.low, trait.value.high))
    return f"{said} You ignore {least} to {most} % of their effect."
