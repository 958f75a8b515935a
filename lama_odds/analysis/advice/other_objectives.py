"""What other objectives would choose: on the games of the answer, or in games of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.guesses import seed_apart
from lama_odds.analysis.advice.otherwise import exact_choice, other_choices, sampled_choice
from lama_odds.analysis.advice.rollouts import Limits, Rollouts, roll_out
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import Effort
from lama_odds.statistics.anytime import ALPHA, FEWEST

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Question

# Another objective may need games of its own: one for every APART games of the answer. The search
# for what follows an action plays PLANNED times as many of them.
APART = 4
PLANNED = 4
EACH_APART = 0.6  # of the time of the answer: what all this takes for each such objective


def without_apart(limits: Limits, apart: tuple[str, ...] | None) -> Limits:
    """The limits of the answer alone; apart: objectives with games of their own after it."""
    return replace(limits, seconds=limits.seconds / (1 + EACH_APART * len(apart or ())))


def best_for(game: Game[R, P], rules: R, position: P, objective: str) -> Policy:
    """The policy with which everybody continues, for an objective: points, or winning."""
    return game.best_policy(rules, position.players, game.objectives[objective].aim)


def with_others(question: Question, advice: Advice, played: Rollouts | None) -> Advice:
    """The advice with what other objectives would choose, as far as it is known.

    All are counted in games in which everybody continues for the objective of the answer.
    """
    if question.brief:
        return advice
    game, asked = question.game, advice.objective
    actions = [(action.action, action.objectives) for action in advice.actions]
    mine = best_for(game, question.rules, question.position, asked)
    found = (
        choice
        if best_for(game, question.rules, question.position, choice.objective) == mine
        else replace(choice, goes_on_for=game.objectives[asked])
        for choice in other_choices(game.objectives, asked, actions, played)
    )
    return replace(advice, otherwise=tuple(found))


def with_others_apart(
    question: Question, advice: Advice, names: tuple[str, ...], solved: bool
) -> Advice:
    """The same where each objective needs an answer of its own; solved: if it may be solved."""
    game, limits = question.game, question.limits
    luck = seed_apart(question.seed)
    games = max(FEWEST, advice.games // APART)
    effort = Effort(PLANNED * games, None, limits.processors, luck)
    found = []
    for name in names:
        counts = game.objectives[name]
        solution = None
        if solved:
            solution = question.solved(name)
        if solution is not None:
            values = {valued.action: valued.values[name] for valued in solution.actions}
            found.append(exact_choice(name, counts, advice.best, values))
            continue
        fixed = Limits(games=games, threads=limits.threads)
        job = question.job(name, effort)
        played = roll_out(job, game.objectives, name, fixed, luck, None)
        if played.interrupted:
            return replace(advice, interrupted=True)
        choice = sampled_choice(name, counts, advice.best, played, ALPHA / len(names), True)
        found.append(choice)
    return replace(advice, otherwise=tuple(choice for choice in found if choice is not None))
