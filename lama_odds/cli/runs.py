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
def runs(asked: dict[str, Any], verbose: bool, as_json: bool) -> None:
    """How far is a long run, and what has it found so far? Works while it plays, too."""
    show_answer(ask(asked["folder"]), as_json, verbose)


@contextmanager
def stopped_runs(asked: Mapping[str, Any]) -> Iterator[None]:
    """After Ctrl-C, report where the games are; for commands without an early answer."""
    try:
        yield
    except KeyboardInterrupt:
        tell_kept(asked)
        raise


def tell_stopped(found: Any, asked: Mapping[str, Any], told: str) -> None:
    """After a run that was stopped, report on what its answer rests, and where its games are."""
    if found.interrupted:
        note(told)
        tell_kept(asked)


def tell_kept(asked: Mapping[str, Any]) -> None:
    """After a run was stopped, report where its games are; asked: the options of the command."""
    if "run" in asked:
        note(f"its games are kept in {asked['run']}: the same command resumes there")
