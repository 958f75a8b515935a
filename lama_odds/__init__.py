"""Strategy analyzer and odds calculator for push-your-luck games.

The commands are functions here: ``lama_odds.advise("lama/egmont", "hand=3356L top=4 opp=4,q2,6")``.
They are loaded when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # known to type checkers; the module `typing` takes a while to load
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Delta",
    "LamaOddsError",
    "__version__",
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

if TYPE_CHECKING:
    from lama_odds.api import (
        Answer,
        Delta,
        LamaOddsError,
        advise,
        advise_many,
        compare,
        equity,
        odds,
        plan,
        policies,
        review,
        review_many,
        rules,
        runs,
        simulate,
        simulate_rows,
        sweep,
        thresholds,
        tournament,
        tune,
    )


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lama_odds import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
