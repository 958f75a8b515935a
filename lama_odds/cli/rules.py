"""``lama-odds rules``: rule sets, and what their options mean."""

from __future__ import annotations

from typing import Any

from lama_odds.api.positions import rules as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import show

EXAMPLES = """
lama-odds rules

lama-odds rules lama

lama-odds rules lama/party+drama

lama-odds rules @quick.toml
"""


@asks("name seed as_json", ask)
def rules(options: dict[str, Any], as_json: bool) -> None:
    """Rule sets and their options, with their sources; of a variant in a file, what it changes."""
    listing = ask(options.get("name")).found
    show(as_json, listing, listing.text)
