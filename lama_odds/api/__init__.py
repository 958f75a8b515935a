"""The commands as functions, for notebooks and programs: ``import lama_odds as lo``.

Rule sets, positions and policies are written as on the command line. Functions return an `Answer`,
which prints what the command prints. Large modules are loaded by the first question.
"""

from lama_odds.api.choices import policies, rules
from lama_odds.api.comparisons import compare
from lama_odds.api.positions import advise, odds, review, thresholds
from lama_odds.api.run_folders import runs
from lama_odds.api.tables import equity, simulate, tournament, tune
from lama_odds.core.delta import Delta
from lama_odds.core.errors import LamaOddsError
from lama_odds.report.python.answer import Answer

__all__ = [
    "Answer",
    "Delta",
    "LamaOddsError",
    "advise",
    "compare",
    "equity",
    "odds",
    "policies",
    "review",
    "rules",
    "runs",
    "simulate",
    "thresholds",
    "tournament",
    "tune",
]
