"""An advice in a line, for the prompt of `play`."""

from __future__ import annotations

from collections.abc import Callable

from lama_odds.analysis.advice.answer import Advice
from lama_odds.core.estimate import EXACT
from lama_odds.report.text.advice import exactly, verdict


def advice_line(advice: Advice, named: Callable[[str], str] = str) -> str:
    """What to do, and what the next best action costs; named: how actions are called."""
    return verdict(advice, named, most=2, way_out=False)


def rests_on(advice: Advice) -> str:
    """The objective of a session's advice, in a line; ``?`` shows the rest."""
    how = exactly(advice) if advice.method == EXACT else "from games played out at random"
    others = f" Opponents: {advice.others}." if advice.others else ""
    return f"Advice counts: {advice.counts.brief}, {how}.{others} More: ?"
