"""``lama-odds policies``: who can play, and how each decides."""

from __future__ import annotations

from lama_odds.cli.common import AsJson, GameOrRules, Seed, show

EXAMPLES = """[bold]Examples[/bold]

lama-odds policies

lama-odds policies lama
"""


def policies(
    name: GameOrRules = None,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """Policies by name, with what they decide."""
    from lama_odds.api.positions import policies as ask

    found = ask(name).found
    show(as_json, found, found.text)
