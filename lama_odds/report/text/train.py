"""Training in words: a position as a question, the answer, and what kind of player you are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lama_odds.analysis.coach.drills import Drill, is_right
from lama_odds.analysis.coach.training import Skill, Trait
from lama_odds.core import wording
from lama_odds.core.language import ENGLISH, language, later, say, say_count
from lama_odds.games.interface.actions import action_words
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
    if language() != ENGLISH:
        return action_words(action)
    game, _, position = position_of(drill)
    live = game.live_play()
    return action_text(live.on_screen, action, 0, position.players) if live else action


def question_lines(drill: Drill) -> list[str]:
    """Return the position in words: the rules and what counts, the table, your cards or dice."""
    game, rules, position = position_of(drill)
    counts = game.objectives[drill.objective]
    lines = [
        say(
            "{rules} · {players} players · you play for {aim}",
            rules=drill.rules,
            players=position.players,
            aim=say(counts.aims_at),
        )
    ]
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
    digits = 0 if scaled >= 10 else max(1, wording.first_digit(scaled))
    return wording.with_unit(
        wording.rounded(scaled, digits).removesuffix(wording.rounded(0, 1)[1:]), _unit(counts)
    )


def verdict_lines(drill: Drill, chosen: str, why: Sequence[str]) -> list[str]:
    """Return whether an answer was right, what it cost, and why, which is given in sentences."""
    counts = game_of(drill.rules).objectives[drill.objective]
    best = shown_action(drill, drill.best)
    if not chosen:
        first = say("The best is {best}.", best=best)
    elif is_right(drill.choice(chosen), counts):
        right = say("Right: {action}.", action=shown_action(drill, chosen))
        first = f"{right} {_others(drill, chosen, counts)}"
    else:
        lost = cost_text(drill.choice(chosen).cost, counts)
        first = say(
            "No: {best} is best. {action} costs {cost}.",
            best=best,
            action=wording.capital(shown_action(drill, chosen)),
            cost=lost,
        )
    return [first.strip(), *why]


def _others(drill: Drill, chosen: str, counts: Objective) -> str:
    """What other actions cost, the next best first."""
    others = [choice for choice in drill.choices if choice.action != chosen][:MOST_LISTED]
    costs = [
        say(
            "{action} costs {cost}",
            action=shown_action(drill, choice.action),
            cost=cost_text(choice.cost, counts),
        )
        for choice in others
    ]
    return f"{wording.capital(', '.join(costs))}." if costs else ""


def summary_text(drills: Sequence[Drill], chosen: Sequence[str], waiting: int) -> str:
    """Return how a session went. waiting: positions that come back another day."""
    if not drills:
        return say("No position was shown.")
    right, lost = 0, 0.0
    for drill, action in zip(drills, chosen, strict=True):
        counts = game_of(drill.rules).objectives[drill.objective]
        if action and is_right(drill.choice(action), counts):
            right += 1
        elif action:
            lost += drill.choice(action).cost
    counts = game_of(drills[0].rules).objectives[drills[0].objective]
    sentences = [say("{right} of {total} right.", right=right, total=len(drills))]
    if lost:
        sentences.append(say("The others cost {cost} in all.", cost=cost_text(lost, counts)))
    if waiting:
        sentences.append(
            say_count(
                "{n} position comes back in the next days.",
                "{n} positions come back in the next days.",
                waiting,
            )
        )
    return " ".join(sentences)


# The test of skill.

CAUTION = {
    1: later("You are too careful: you stop too early."),
    -1: later("You are too bold: you stop too late."),
    0: later("Whether you stop too early or too late is not known yet."),
}
IGNORED = {
    1: later("You hardly mind {what}."),
    -1: later("You mind {what}."),
    0: later("Whether you mind {what} is not known yet."),
}


def skill_lines(skill: Skill, counts: Objective) -> Iterator[str]:
    """Yield the result of a test: the cost per decision, then each trait with its interval."""
    scale = 100 if counts.share else 1
    cost = skill.cost
    cost_shown, low, high = (
        wording.rounded(scale * end, 1) for end in (cost.value, cost.low, cost.high)
    )
    yield say(
        "Per decision you give away {cost} ({low} to {high}), by {answers} answers.",
        cost=wording.with_unit(cost_shown, _unit(counts)),
        low=low,
        high=high,
        answers=skill.questions,
    )
    for trait in skill.traits:
        yield _trait_text(trait, counts)
    yield say("Ranges are 95 % intervals.")


def _unit(counts: Objective) -> str:
    return wording.POINTS_OF_CHANCE if counts.share else counts.unit


def _trait_text(trait: Trait, counts: Objective) -> str:
    """A trait in two sentences: what is shown, or that it is not known; and how far."""
    if trait.id == "caution":
        scale = 100 if counts.share else 1
        low, high = (
            wording.with_minus(scale * end, 1) for end in (trait.value.low, trait.value.high)
        )
        range_text = say(
            "Stopping seems to you worth {low} to {high} more than it is.",
            low=low,
            high=wording.with_unit(high, _unit(counts)),
        )
        return f"{say(CAUTION[trait.shown])} {range_text}"
    least, most = (round(100 * number) for number in (trait.value.low, trait.value.high))
    range_text = say("You ignore {least} to {most} % of their effect.", least=least, most=most)
    return f"{say(IGNORED[trait.shown], what=say(trait.id))} {range_text}"
