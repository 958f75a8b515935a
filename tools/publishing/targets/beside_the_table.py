"""Beside the table: a sheet of each game to print, for players without a computer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lama_odds.cli.common import start_kernels
from tools.publishing.reference.markdown import page
from tools.publishing.sheets import dice, lama, noprob, pikomino
from tools.publishing.sheets.limits import Played, sheet_of
from tools.publishing.target import POLICIES, Making, Target

FOLDER = "docs/table/"
SAMPLED = (
    "All players are taken to play well, for the points of this round. Near the end of a game the "
    "scores can change it: see [when to quit](../howto/when_to_quit.md#to-win-the-game)."
)
EXACT = (
    "For the worms of this turn. Near the end of a game the lead counts too: "
    "[enter the position](../howto/position_pikomino.md)."
)


@dataclass(frozen=True)
class Sheet:
    """A page. rounds: the option that says how many are played. basis: what it rests on."""

    name: str
    title: str
    parts: Callable[[Played], Iterator[str]]
    rounds: str
    basis: str = SAMPLED


SHEETS = (
    Sheet("lama", "L.A.M.A. beside the table", lama.parts, "rounds"),
    Sheet("dice", "Lama Dice beside the table", dice.parts, "rounds"),
    Sheet("pikomino", "Pickomino beside the table", pikomino.parts, "rounds", EXACT),
    Sheet("noprob", "No Prob-Lama beside the table", noprob.parts, "slow_rounds"),
)


def make(making: Making) -> None:
    """Write a page for each game."""
    start_kernels()
    for sheet in SHEETS:
        played = Played(making[sheet.rounds], making.threads)
        making.write(f"{FOLDER}{sheet.name}.md", _page(sheet, played, making))
        making.tell(sheet.title)


def _page(sheet: Sheet, played: Played, making: Making) -> str:
    parts = sheet_of(list(sheet.parts(played)))
    return page(
        sheet.title, parts, f"*{sheet.basis} Made by {making.made_by}.*", target=TARGET.name
    )


TARGET = Target(
    name="table",
    what="sheets to print: when to quit, cards to keep, by number of players",
    make=make,
    writes=tuple(f"{FOLDER}{sheet.name}.md" for sheet in SHEETS),
    reads=POLICIES,
    options={"rounds": 200_000, "slow_rounds": 10_000},
    quick={"rounds": 4_000, "slow_rounds": 1_000},
)
