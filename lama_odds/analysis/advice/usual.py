"""What the policy that plays on would do at a position: an answer before any game is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lama_odds.analysis.advice.answer import TOO_CLOSE, Advice
from lama_odds.core.estimate import SIMULATION
from lama_odds.games.interface.records import Situation

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Question

MIDDLE = 1 << 63  # the random word that policies get which mix their actions


def at_once(question: Question) -> Advice | None:
    """What the policy would do, without values; None where games answer as soon.

    Games answer soon unless the use of a card has to be found before them.
    """
    game, rules, position = question.game, question.rules, question.position
    query = game.policy_query()
    if query is None or not game.has("asked_apart"):
        return None
    policy = question.policies[0]
    player = query.player(rules, policy, position.players)
    action = player.decides(Situation(0, position), MIDDLE)
    if action not in query.legal_actions(rules, position):
        return None
    return Advice(
        rules=rules.id,
        position=position.format(),
        objective=question.objective,
        verdict=TOO_CLOSE,
        best=action,
        actions=(),
        method=SIMULATION,
        games=0,
        seed=question.seed,
        seconds=question.clock.seconds,
        assumptions=(),
        counts=question.counts,
        usual=(policy.name, action),
    )


def with_usual(advice: Advice, early: Advice) -> Advice:
    """The advice with what the policy would do, if it tells no more and shows no better."""
    if advice.verdict != TOO_CLOSE or advice.caution:
        return advice
    worse = [action.action for action in advice.actions if action.regret.low > 0]
    return advice if early.best in worse else replace(advice, usual=early.usual)
