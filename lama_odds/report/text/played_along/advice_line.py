"""An advice in a line, for the prompt of a game played along."""

from __future__ import annotations

from collections.abc import Callable

from lama_odds.analysis.advice.answer import Advice
from lama_odds.games.interface.solution import EXACT
from lama_odds.report.text.advice import verdict


def advice_line(advice: Advice, named: Callable[[str], str] = str) -> str:
    """What to do, and what the next best action costs; named: how actions are called."""
    return verdict(advice, named, most=2, way_out=False)


def rests_on(advice: Advice) -> str:
<<<<<<< HEAD
    """What advice of a session counts, in a line; the rest is behind ``?``."""
    how = "exact" if advice.method == EXACT else "from games played out at random"
    others = f" Opponents: {advice.others}." if advice.others else ""
    return f"Advice counts: {advice.counts.brief}, {how}.{others} More: ?"
=======
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
>>>>>>> recipes
