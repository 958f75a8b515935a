"""The page asks what its own controls offer: options are checked where a command reads them."""

from __future__ import annotations

from typing import Any

NAMED_SO = ""
FEWEST_ROLLOUTS, MAX_GAMES = 1_000, 2**60
OnProgress = Rules = Seed = Threads = None


def question(*alternatives: Any) -> Any:
    """Return the function unchanged."""
    del alternatives
    return lambda function: function


def Option(*words: Any, **more: Any) -> None:
    """Nothing is shown of an option here."""
    del words, more
