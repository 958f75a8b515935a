"""``lama-odds runs`` and the option ``--run``: long runs that resume where they stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lama_odds.api.asked import runs as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import note, show_answer

EXAMPLES = """
lama-odds simulate lama/egmont --players 4 --policy matching:5 --games 1000000000 --run long

lama-odds runs long

lama-odds runs long --json
"""


@asks("folder verbose seed as_json", ask)
def runs(options: dict[str, Any], verbose: bool, as_json: bool) -> None:
    """How far is a long run, and what has it found so far? Works while it plays, too."""
    show_answer(ask(options["folder"]), as_json, verbose)


@contextmanager
def stopped_runs(options: Mapping[str, Any]) -> Iterator[None]:
    """After Ctrl-C, report where the games are; for commands without an early answer."""
    try:
        yield
    except KeyboardInterrupt:
        tell_kept(options)
        raise


def tell_stopped(answer: Any, options: Mapping[str, Any], message: str) -> None:
    """After a run that was stopped, report on what its answer rests, and where its games are."""
    if answer.interrupted:
        note(message)
        tell_kept(options)


def tell_kept(options: Mapping[str, Any]) -> None:
    """After a run was stopped, report where its games are; options: the options of the command."""
    if "run" in options:
        note(f"its games are kept in {options['run']}: the same command resumes there")
