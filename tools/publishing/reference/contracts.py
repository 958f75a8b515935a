"""The page of contracts: what other programs may rely on, each with its version and a promise."""

from __future__ import annotations

import re

from lama_odds.cli import errors
from lama_odds.games.shared.record import HEADER
from lama_odds.luck import stream
from tools.publishing.reference.json_pages import JSON
from tools.publishing.reference.markdown import page, table

NOTATION = 1
EXIT_CODES = 1
RECORD = int(HEADER.split()[-1])
LUCK = int(re.findall(r"contract version (\d+)", stream.__doc__ or "")[0])

INTRO = """Other programs, records and papers rely on five things. Each has a version of its own,
a whole number, and a promise. A test compares this page with the code."""
ROWS = (
    (
        "Notation",
        NOTATION,
        "positions ([L.A.M.A.](../howto/position_lama.md), [Lama Dice](../howto/position_dice.md), "
        "[Pickomino](../howto/position_pikomino.md), "
        "[No Prob-Lama](../howto/position_noprob.md)), rule sets, policies, names of actions",
        "What is read now is still read, and means the same. More may become readable.",
    ),
    (
        "JSON",
        JSON,
        "the [keys of all answers](json.md), with schemas",
        "A key keeps its name, type, unit and meaning. New keys may come: ignore those that you "
        "do not know.",
    ),
    (
        "Record format",
        RECORD,
        "[games as text](record_format.md); the first line has the version",
        "Records of all versions stay readable, and replay the same game.",
    ),
    (
        "Exit codes",
        EXIT_CODES,
        "[below](#exit-codes)",
        "A code keeps its meaning.",
    ),
    (
        "Random numbers",
        LUCK,
        "cards and dice [of a seed](../howto/reproduce.md); `luck` in records",
        "A seed gives the same cards and dice, on any machine and number of threads.",
    ),
)
CHANGES = """## What may change

A promise ends only with the next version of its contract. Before lama-odds 1.0 that can happen
when the second number of its version rises (0.1 to 0.2). Later it takes a rise of the first.
[CHANGELOG.md](../../CHANGELOG.md) then says what to change on your side.

With any version, policies may play better and estimates may get tighter. The same question then has
another answer, although the cards and dice are the same: cite the version too. The changelog lists
this under *Answers that changed*.

The functions of the [Python API](python.md) keep their arguments as commands keep their options.
Nothing is promised for sentences, tables and pages, other modules, cached files and folders of
`--run`."""


def contracts_page() -> str:
    """The contracts with their versions, and the exit codes as `cli.errors` lists them."""
    rows = [(name, str(version), what, promise) for name, version, what, promise in ROWS]
    return page(
        "Contracts",
        INTRO,
        table(("contract", "version", "what", "promise"), rows),
        CHANGES,
        "## Exit codes",
        table(("code", "meaning"), exit_codes()),
    )


def exit_codes() -> list[tuple[str, str]]:
    """Codes with their meanings."""
    codes: list[tuple[str, str]] = re.findall(r"^- (\d+): (.+)$", errors.__doc__ or "", re.M)
    return codes
