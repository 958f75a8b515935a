"""The commands as functions, for notebooks and programs: ``import lama_odds as lo``.

You write rule sets, positions and policies as on the command line. Every function returns an
`Answer`, which prints as the command does. Its attributes are those of the object found:
``answer.best``, for example. ``to_json()``, ``to_frame()`` and ``plot(file)`` give other shapes.
Numbers are estimates with the attributes ``value``, ``stderr``, ``low``, ``high``, ``n`` and
``method``.

All errors are a `LamaOddsError`. Its subclasses are ReadError (an argument cannot be read),
ImpossibleError (the position cannot occur), NothingToDecideError and LimitError. Large modules are
loaded by the first question.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lama_odds.api.asked import runs
    from lama_odds.api.batches import advise_many
    from lama_odds.api.comparisons import compare, plan, sweep
    from lama_odds.api.positions import advise, odds, policies, rules, thresholds
    from lama_odds.api.reviewing import review, review_many
    from lama_odds.api.tables import equity, simulate, simulate_rows, tournament, tune
    from lama_odds.core.checks import Delta
    from lama_odds.core.errors import LamaOddsError
    from lama_odds.report.answer import Answer

__all__ = [
    "Answer",
    "Delta",
    "LamaOddsError",
    "advise",
    "advise_many",
    "compare",
    "equity",
    "odds",
    "plan",
    "policies",
    "review",
    "review_many",
    "rules",
    "runs",
    "simulate",
    "simulate_rows",
    "sweep",
    "thresholds",
    "tournament",
    "tune",
]

# Where each name comes from. A module is loaded when one of its names is first used.
_MODULES = {
    "Answer": "lama_odds.report.answer",
    "Delta": "lama_odds.core.checks",
    "LamaOddsError": "lama_odds.core.errors",
    "advise": "lama_odds.api.positions",
    "advise_many": "lama_odds.api.batches",
    "compare": "lama_odds.api.comparisons",
    "equity": "lama_odds.api.tables",
    "odds": "lama_odds.api.positions",
    "plan": "lama_odds.api.comparisons",
    "policies": "lama_odds.api.positions",
    "review": "lama_odds.api.reviewing",
    "review_many": "lama_odds.api.reviewing",
    "rules": "lama_odds.api.positions",
    "runs": "lama_odds.api.asked",
    "simulate": "lama_odds.api.tables",
    "simulate_rows": "lama_odds.api.tables",
    "sweep": "lama_odds.api.comparisons",
    "thresholds": "lama_odds.api.positions",
    "tournament": "lama_odds.api.tables",
    "tune": "lama_odds.api.tables",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)
