"""``lama-odds rules``: rule sets, and what their options mean."""

from __future__ import annotations

from lama_odds.cli.common import AsJson, GameOrRules, Seed, show

EXAMPLES = """[bold]Examples[/bold]

lama-odds rules

lama-odds rules lama

lama-odds rules lama/party+drama

lama-odds rules @quick.toml
"""


def rules(
    name: GameOrRules = None,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """Rule sets and their options, with their sources; of a variant in a file, what it changes."""
    from lama_odds.api.positions import rules as ask

    found = ask(name).found
    show(as_json, found, found.text)
