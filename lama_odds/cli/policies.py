"""``lama-odds policies``: who can play, and how each decides."""

from __future__ import annotations

from typing import Any

from lama_odds.api.positions import policies as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import show_answer

EXAMPLES = """
lama-odds policies

lama-odds policies lama

lama-odds policies meanfield
"""


@asks("name verbose seed as_json", ask)
def policies(options: dict[str, Any], verbose: bool, as_json: bool) -> None:
    """Policies by name, with what they decide."""
    show_answer(ask(options.get("name")), as_json, verbose)
