"""How help is laid out: what a command is for, its options, examples; on one screen of 80 columns.

Options of files, seed, threads and the like, which commands share, come last.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

NAME = "lama-odds"
_WIDEST, _NARROWEST = 80, 40  # columns
_NAMES = 24  # columns of names; a longer one stands alone on its line
_NUMBERS = ("int", "integer", "float")
# In this order.
SHARED_LAST = (
    *("plot", "html", "csv", "out", "format_", "as_json", "run", "seed", "threads", "engine"),
    *("install_completion", "show_completion", "help"),
)


class Command(TyperCommand):
    """A command with help in this layout."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        formatter.write(command_help(ctx.command_path, self, self.get_params(ctx)))


class Commands(TyperGroup):
    """The program, with help in this layout."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        rows = [(name, _paragraphs(command.help)[0]) for name, command in self.commands.items()]
        parts = (
            f"Usage: {ctx.command_path} COMMAND …",
            *map(wrapped, _paragraphs(self.help)),
            listed("Commands", rows),
            _section("Options", in_order(self.get_params(ctx))),
        )
        formatter.write("\n\n".join(parts) + "\n")


def command_help(path: str, command: Any, parameters: Iterable[Any]) -> str:
    """Return the help of a command. path: the program's name and the command's."""
    ordered = in_order(parameters)
    arguments = [parameter for parameter in ordered if parameter.param_type_name == "argument"]
    shared = [parameter for parameter in ordered if parameter.name in SHARED_LAST]
    own = [parameter for parameter in ordered if parameter not in shared]
    examples, notes = examples_and_notes(command)
    usage = " ".join((path, *map(argument_shown, arguments), "[OPTIONS]"))
    parts = (
        f"Usage: {usage}",
        *map(wrapped, _paragraphs(command.help)),
        _section("Options", own),
        _section("Output and engine", shared),
        "\n".join(("Examples:", *map(_example, examples))),
        *map(wrapped, notes),
    )
    return "\n\n".join(parts) + "\n"


def examples_and_notes(command: Any) -> tuple[list[str], list[str]]:
    """Return the paragraphs below the options of a command: its examples, and the others."""
    paragraphs = _paragraphs(command.epilog)
    examples = [paragraph for paragraph in paragraphs if paragraph.startswith(NAME)]
    return examples, [paragraph for paragraph in paragraphs if paragraph not in examples]


def in_order(parameters: Iterable[Any]) -> list[Any]:
    """Return the parameters of a command that its help shows: arguments first, shared ones last."""
    visible = [p for p in parameters if not getattr(p, "hidden", False)]
    last = {name: 1 + at for at, name in enumerate(SHARED_LAST)}
    return sorted(visible, key=lambda p: (p.param_type_name == "option", last.get(p.name, 0)))


def argument_shown(parameter: Any) -> str:
    """Return an argument as in a usage line: in brackets if it can be left out."""
    name = (parameter.metavar or parameter.human_readable_name).strip("[]").upper()
    return name if parameter.required else f"[{name}]"


def names_of(parameter: Any) -> str:
    """Return the names of an option, with what its value is; an argument's own."""
    if parameter.param_type_name == "argument":
        return argument_shown(parameter).strip("[]")
    names = ", ".join(sorted(parameter.opts, key=len))
    names += "".join(f" / {name}" for name in parameter.secondary_opts)
    if getattr(parameter, "is_flag", False):
        return names
    if parameter.metavar:
        return f"{names} {parameter.metavar}"
    return f"{names} {'N' if parameter.type.name.split()[0] in _NUMBERS else 'NAME'}"


def meaning_of(parameter: Any) -> str:
    """Return what a parameter is, and its default where the words do not have it."""
    text = " ".join((getattr(parameter, "help", None) or "").split())
    text += "" if text.endswith(".") else "."
    default = parameter.default
    if isinstance(default, int | float) and not isinstance(default, bool) and "default" not in text:
        text += f" Default: {default}."
    return text


def _paragraphs(text: str | None) -> list[str]:
    return (text or "").strip().split("\n\n")


def _width() -> int:
    return min(_WIDEST, max(_NARROWEST, shutil.get_terminal_size().columns))


def wrapped(text: str) -> str:
    """Return a paragraph in lines that fit."""
    return textwrap.fill(" ".join(text.split()), _width(), break_on_hyphens=False)


def _section(title: str, parameters: Iterable[Any]) -> str:
    return listed(title, [(names_of(parameter), meaning_of(parameter)) for parameter in parameters])


def listed(title: str, rows: list[tuple[str, str]]) -> str:
    """Return a title, and below it names with their meanings in two columns."""
    lines = [f"{title}:"]
    column = 2 + min(_NAMES, max(len(name) for name, _ in rows)) + 2
    for name, text in rows:
        fits = 2 + len(name) < column - 1
        wrapped = textwrap.wrap(text, _width() - column, break_on_hyphens=False)
        lines.append(f"  {name:{column - 2}}{wrapped[0] if fits else ''}".rstrip())
        lines += [" " * column + line for line in wrapped[1 if fits else 0 :]]
    return "\n".join(lines)


def _example(line: str) -> str:
    """Return a command, on several lines if it is wide, as a shell reads it."""
    words = re.findall(r"(?:--\S+ (?!-))?(?:[^\s\"]|\"[^\"]*\")+", line)
    lines = [f"  {words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > _width() - 2:
            lines[-1] += " \\"
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
