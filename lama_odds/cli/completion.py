"""What the shell offers on TAB: rule sets with their options, policies, objectives.

Nothing here is loaded unless a shell asks; the names of rule sets come from the shipped table of
the best policies, so that they are there at once. What goes wrong offers nothing.
"""

from __future__ import annotations

import functools
import glob
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

import typer

BREAKS = "=:"  # at which bash parts words
EVERY_OBJECTIVE = ("points", "margin", "round", "win")

Offered = str | tuple[str, str]  # a word, with its meaning if there is room for it
Offer = Callable[..., list[Offered]]

_typed = ""  # what bash takes as words of their own before the one that is completed


def rejoin(environ: MutableMapping[str, str], variable: str) -> None:
    """Put the words that bash has parted at ``=`` and ``:`` together again.

    variable: the one with which the shell asks. What is offered must then be without what comes
    before the last of them (see `_quietly`).
    """
    global _typed
    if not environ.get(variable, "").endswith("bash"):
        return
    words = environ.get("COMP_WORDS", "").split("\n")
    at = environ.get("COMP_CWORD", "")
    if not at.isdigit() or int(at) > len(words):
        return
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
    _typed = joined[-1][: last + 1]


def _quietly(offer: Offer) -> Offer:
    """What is offered for a word begun; nothing if anything goes wrong."""

    @functools.wraps(offer)
    def asked(ctx: typer.Context, incomplete: str) -> list[Offered]:
        try:
            found = offer(ctx, incomplete)
        except Exception:  # a shell that waits for words must get no traceback
            return []
        fitting = [each for each in found if _word(each).startswith(incomplete)]
        return [_without_typed(each) for each in fitting]

    return asked


def _word(offered: Offered) -> str:
    return offered if isinstance(offered, str) else offered[0]


def _without_typed(offered: Offered) -> Offered:
    word = _word(offered).removeprefix(_typed)
    return word if isinstance(offered, str) else (word, offered[1])


@_quietly
def rule_sets(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Ids of rule sets; after a ``+`` the options that are not named yet."""
    if "+" not in incomplete:
        from lama_odds.core.data import data_json
        from lama_odds.games.best import BEST

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


@_quietly
def policies(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """Names of policies of the game that is asked about, and files after ``@``."""
    if incomplete.startswith("@"):
        return [f"@{path}" for path in sorted(glob.glob(f"{glob.escape(incomplete[1:])}*"))]
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
    return [each.name for each in _game(_rules_of(ctx)).families if each.searchable]


@_quietly
def objectives(ctx: typer.Context, incomplete: str) -> list[Offered]:
    """What a position can be valued by, in the game that is asked about if it is known."""
    del incomplete
    given = _rules_of(ctx)
    return list(_game(given).objectives if given else EVERY_OBJECTIVE)


def one_of(*names: str) -> Offer:
    """What offers these names."""

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
    given = ctx.params.get("rules") or ctx.params.get("name") or ""
    return given if isinstance(given, str) else str(given[0])


def _game(rules: str) -> Any:
    from lama_odds.cli.common import start_kernels
    from lama_odds.games.registry import game_of

    start_kernels()
    return game_of(rules)
