"""The page of all commands, from their options."""

from __future__ import annotations

from typing import Any

import typer.main

from lama_odds.cli.commands import app
from lama_odds.cli.help_text import (
    NAME,
    argument_shown,
    examples_and_notes,
    in_order,
    meaning_of,
    names_of,
)
from tools.publishing.reference.markdown import cell, code, page, table

INTRO = (
    "`lama-odds COMMAND --help` shows the same. With `--json` a command prints one JSON object; "
    "[JSON](json.md) has the keys."
)


def commands_page() -> str:
    """A section for each command: what it answers, its options, examples."""
    group: Any = typer.main.get_command(app())
    sections = [_section(name, command) for name, command in group.commands.items()]
    return page("Commands", INTRO, *sections)


def _section(name: str, command: Any) -> str:
    parameters = [parameter for parameter in in_order(command.params) if parameter.name != "help"]
    arguments = [parameter for parameter in parameters if parameter.param_type_name == "argument"]
    usage = " ".join([NAME, name, *map(argument_shown, arguments), "[OPTIONS]"])
    rows = [(code(names_of(parameter)), _meaning(parameter)) for parameter in parameters]
    examples = "\n".join(examples_and_notes(command)[0])
    parts = [
        f"## {name}",
        cell((command.help or "").partition("\n\n")[0]),
        f"```text\n{usage}\n```",
        table(("option", "meaning"), rows),
        f"```text\n{examples}\n```" if examples else "",
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _meaning(parameter: Any) -> str:
    repeats = getattr(parameter, "multiple", False)
    return cell(meaning_of(parameter)) + (" May be given several times." if repeats else "")
