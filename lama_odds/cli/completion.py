"""What the shell offers on TAB: rule sets with their options, policies, objectives.

This module is loaded only if a shell completes a word. The names of rule sets come from the shipped
table of the best policies, which loads quickly. After an error nothing is offered.
"""

from __future__ import annotations

import contextlib
import functools
import io
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any

import typer

from lama_odds.games.interface.objectives import SHARED

BREAKS = "=:"  # at which bash parts words

Offered = str | tuple[str, str]  # a word, with its meaning if there is room for it
Offer = Callable[..., list[Offered]]


def asked_by_bash(environ: Mapping[str, str], variable: str) -> bool:
    """Whether bash wants words. variable: the one that a shell sets for completion."""
    return environ.get(variable, "") == "complete_bash"


def offered_to_bash(environ: MutableMapping[str, str], answer: Callable[[], None]) -> None:
    """Answer bash, which takes what is before and after ``=`` or ``:`` as words of their own.

    These words are joined before anything is offered. Of each offer only the part after the last of
    these marks is shown, because bash inserts only that part.
    """
    typed = _rejoin(environ)
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            answer()
    finally:
        for line in output.getvalue().splitlines():
            print(line.removeprefix(typed))


def _rejoin(environ: MutableMapping[str, str]) -> str:
    """Join the split words again; also return the part of the last one that bash keeps."""
    words = environ.get("COMP_WORDS", "").split("\n")
    at = environ.get("COMP_CWORD", "")
    if not at.isdigit() or int(at) > len(words):
        return ""
    joined: list[str] = []
    glued = False
    for word in words[: int(at) + 1]:
        is_break = word != "" and not word.strip(BREAKS)
        if joined and (is_break or glued):
            joined[-1] += word
        else:
            joined.append(word)
        glued = is_break
    environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join(joined), str(len(joined) - 1)
    last = max(joined[-1].rfind(mark) for mark in BREAKS)
    return joined[-1][: last + 1]


def _quietly(offer: Offer) -> Offer:
    """The offers for the beginning of a word; nothing if there is any error."""

    @functools.wraps(offer)
    def asked(ctx: typer.Context, incomplete: str) -> list[Offered]:
        try:
            offers = offer(ctx, incomplete)
        except Exception:  # a shell that waits for words must get no traceback
            return []
        words = (entry if isinstance(entry, str) else entry[0] for entry in offers)
        return [
            entry for entry, word in zip(offers, words, strict=True) if word.startswith(incomplete)
        ]

    return asked


@_quietly
def rule_sets(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Ids of rule sets; after a ``+`` the options that are not used yet; files after ``@``."""
    if incomplete.startswith("@"):
        return _variants(incomplete)
    if "+" not in incomplete:
        from lama_odds.core.reading import data_json
        from lama_odds.games.interface.best import BEST

        best = data_json(BEST)["best"]
        return [f"{game}/{edition}" for game, editions in best.items() for edition in editions]
    before = incomplete.rpartition("+")[0]
    named = before
    if before == "" or before.startswith("+"):  # of the first rule set, in compare
        given = _rules_of(ctx)
        named = given + before
    named_options = {word.partition("=")[0] for word in before.split("+")[1:]}
    return [
        (f"{before}+{name}" + ("" if option.kind == "switch" else "="), option.meaning)
        for name, option in _game(named).options.items()
        if name not in named_options
    ]


def _files(beginning: str) -> list[str]:
    import glob

    return sorted(glob.glob(f"{glob.escape(beginning)}*"))


def _variants(incomplete: str) -> list[Offered]:
    """Files of variants and folders after ``@``; the variants of a file after ``#``."""
    from pathlib import Path

    from lama_odds.analysis.variants.files import variants_in
    from lama_odds.analysis.variants.given import SUFFIX

    file, mark, _ = incomplete.partition("#")
    if mark:
        return [(f"{file}#{v.name}", v.about) for v in variants_in(Path(file[1:]))]
    there = _files(file[1:])
    folders = (f"{path}/" for path in there if Path(path).is_dir())
    return [f"@{path}" for path in (*folders, *(path for path in there if path.endswith(SUFFIX)))]


@_quietly
def policies(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Names of policies of the game in question, and files after ``@``."""
    if incomplete.startswith("@"):
        return [f"@{path}" for path in _files(incomplete[1:])]
    return ["best", *_policy_names(ctx)]


@_quietly
def several_policies(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """The same for a list with commas: what its last part can be."""
    before, comma, _ = incomplete.rpartition(",")
    taken = before.split(",")
    return [before + comma + name for name in ("best", *_policy_names(ctx)) if name not in taken]


@_quietly
def families(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Families of policies of the game, those with anything to search."""
    del incomplete
    from lama_odds.games.shared.rule_cards import language_of

    known = _game(_rules_of(ctx)).families
    return [family.name for family in known if family.searchable or language_of(family)]


@_quietly
def objectives(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """The objectives of the game in question, or those of all games."""
    del incomplete
    given = _rules_of(ctx)
    return list(_game(given).objectives if given else SHARED)


@_quietly
def varied(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Options of the rule set in question, each to be followed by its values."""
    del incomplete
    options = _game(_rules_of(ctx)).options
    return [
        (name if option.kind == "switch" else f"{name}=", option.meaning)
        for name, option in options.items()
    ]


def one_of(*names: str) -> Offer:
    """A function that offers these names."""

    @_quietly
    def offer(ctx: typer.Context, incomplete: str) -> list[Offered]:
        del ctx, incomplete
        return list(names)

    return offer


def _policy_names(ctx: typer.Context) -> Iterable[str]:
    for family in _game(_rules_of(ctx)).families:
        needs = family.parameter and family.default is None
        yield f"{family.name}:" if needs else family.name


def _rules_of(ctx: typer.Context) -> str:
    """The rule set that the command line names so far, the first of several; empty if none."""
    given = ctx.params.get("rules") or ctx.params.get("name") or ()
    # While an option still lacks its value, its arguments stay in `ctx.args`.
    named = [given] if isinstance(given, str) else [*given, *ctx.args]
    rules = next((word for word in named if "/" in word or word.startswith("@")), "")
    if not rules.startswith("@"):
        return rules
    from lama_odds.analysis.variants.given import given_rules

    return str(given_rules(rules).rules.id)


def _game(rules: str) -> Any:
    from lama_odds.cli.common import start_kernels
    from lama_odds.games.registry import game_of

    start_kernels()
    return game_of(rules)
