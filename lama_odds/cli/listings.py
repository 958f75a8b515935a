"""``lama-odds rules`` and ``lama-odds policies``: what there is to choose from."""

from __future__ import annotations

from typing import Annotated

import typer

from lama_odds.cli import completion
from lama_odds.cli.common import AsJson, Seed, show

RULES_EXAMPLES = """[bold]Examples[/bold]

lama-odds rules

lama-odds rules lama

lama-odds rules lama/party+drama

lama-odds rules @quick.toml
"""

POLICIES_EXAMPLES = """[bold]Examples[/bold]

lama-odds policies

lama-odds policies lama
"""

Name = Annotated[
    str | None,
    typer.Argument(
        autocompletion=completion.rule_sets,
        metavar="RULES",
        help="A game (lama, dice, pikomino, noprob), a rule set (lama/party) or @FILE.",
    ),
]


def rules(
    name: Name = None,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """Rule sets and their options, with their sources; of a variant in a file, what it changes."""
    from lama_odds.api.choices import rules as ask

    found = ask(name).found
    show(as_json, found, found.text)


def policies(
    name: Name = None,
    seed: Seed = 0,  # noqa: ARG001 (every command takes it)
    as_json: AsJson = False,
) -> None:
    """Policies by name, with what they decide."""
    from lama_odds.api.choices import policies as ask

    found = ask(name).found
    show(as_json, found, found.text)
