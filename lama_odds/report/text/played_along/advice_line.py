"""An advice in a line, for the prompt of a game played along."""

from __future__ import annotations

from collections.abc import Callable

from lama_odds.analysis.advice.answer import TOO_CLOSE, Advice
from lama_odds.core.estimate import Estimate
from lama_odds.report.text.answers import number, sentence

CLEAR, PERHAPS, CLOSE = "clear", "perhaps", "too close to call"


def state_of(advice: Advice) -> str:
    """Whether an advice is CLEAR, PERHAPS (it rests on a guess) or CLOSE."""
    if advice.verdict == TOO_CLOSE:
        return CLOSE
    return PERHAPS if advice.caution else CLEAR


def advice_line(advice: Advice, named: Callable[[str], str] = str) -> str:
    """What to do, how sure that is, and what the next best action costs; named: of actions."""
    best = named(advice.best)
    if len(advice.actions) == 1:
        return f"▶ {sentence(best)}: nothing else is allowed."
    second = advice.actions[1]
    other = named(second.action)
    state = state_of(advice)
    costs = _cost(second.regret, advice)
    if state == CLOSE:
        if second.regret.stderr == second.regret.value == 0:
            return f"≈ Toss-up: {best} and {other} are worth the same."
        return f"≈ Too close to call: {best} or {other} ({other} costs {costs})."
    if state == PERHAPS:
        return f"▷ Perhaps {best}: {other} costs {costs}, but that rests on a guess (? says which)."
    return f"▶ {sentence(best)}. {sentence(other)} costs {costs}."


def rests_on(advice: Advice) -> str:
    """What advice of a session rests on, in a line; the rest is behind ``?``."""
    how = "exact" if advice.method == "exact" else "by games played out at random"
    counted = advice.counts.meaning.split(";")[0]
    assumed = f" It assumes: {advice.assumptions[0]}." if advice.assumptions else ""
    return f"Advice counts {counted} ({how}).{assumed} More: ?"


def _cost(lost: Estimate, advice: Advice) -> str:
    if advice.counts.share:
        told = number(lost, share=True).replace(" %", "")
        return f"{told} percentage points of the {advice.counts.brief}"
    return f"{number(lost)} {advice.counts.unit}"
