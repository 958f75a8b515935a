"""The page of all commands, from their options."""

from __future__ import annotations

import re
from typing import Any

import typer.main

from lama_odds.cli.commands import NAME, app
from tools.publishing.reference.markdown import cell, code, page, table

INTRO = (
    "`lama-odds COMMAND --help` shows the same. With `--json` a command prints one JSON object; "
    "[JSON](json.md) has the keys."
)
EXAMPLE = re.compile(rf"^{NAME} .*$", re.MULTILINE)


def commands_page() -> str:
    """A section for each command: what it answers, its options, examples."""
    group: Any = typer.main.get_command(app())
    sections = [_section(name, command) for name, command in group.commands.items()]
    return page("Commands", INTRO, *sections)


def _section(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    usage = " ".join([NAME, name, *(_argument(p) for p in arguments), "[OPTIONS]"])
    rows = [(code(_argument(p).strip("[]")), _meaning(p)) for p in arguments]
    rows += [(code(_option(p)), _meaning(p)) for p in options]
    examples = "\n".join(EXAMPLE.findall(command.epilog or ""))
    parts = [
        f"## {name}",
        cell((command.help or "").partition("\n\n")[0]),
        f"```text\n{usage}\n```",
        table(("option", "meaning"), rows),
        f"```text\n{examples}\n```" if examples else "",
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.human_readable_name).strip("[]").upper()
    return name if parameter.required else f"[{name}]"


def _option(parameter: Any) -> str:
    names = ", ".join(sorted(parameter.opts, key=len)) + "".join(
        f" / {name}" for name in parameter.secondary_opts
    )
    if getattr(parameter, "is_flag", False):
        return names
    return f"{names} {parameter.metavar or '…'}"


def _meaning(parameter: Any) -> str:
    text = cell(getattr(parameter, "help", None) or "")
    text += "" if text.endswith(".") else "."
    default = parameter.default
    if isinstance(default, int | float) and not isinstance(default, bool) and "default" not in text:
        text += f" Default: {default}."
    return text + (" May be given several times." if _repeats(parameter) else "")


def _repeats(parameter: Any) -> bool:
    return bool(getattr(parameter, "multiple", False))
