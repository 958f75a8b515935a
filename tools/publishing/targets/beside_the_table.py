"""Beside the table: a sheet of each game, to read and to print, for players without a computer.

A page of Markdown for each game in English, and one of HTML in each language that prints on A6, two
sides for each number of players.
"""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.core.language import ENGLISH, speaking
from lama_odds.games.interface.sheet import Sheet
from lama_odds.report.sheets import blocks, printed, sheets
from tools.publishing.reference.markdown import page, table
from tools.publishing.target import Making, Target

FOLDER = "docs/table/"
SPOKEN = {"en": "English", "de": "Deutsch", "pl": "polski", "fr": "français"}


def printed_name(name: str, language: str) -> str:
    """Return the name of a page to print; the site has the page of Markdown as ``NAME.html``."""
    return f"{name}_to_print{'' if language == ENGLISH else f'.{language}'}.html"


def markdown(sheet: Sheet) -> Iterator[str]:
    """Yield the sheet, part by part, for the site."""
    for block in blocks(sheet):
        if "heading" in block:
            yield f"## {block['heading']}"
        elif "table" in block:
            yield table(block["table"]["head"], block["table"]["rows"])
        else:
            yield block["text"]


def make(making: Making) -> None:
    """Write all pages of each game."""
    for name, sheet in sheets().items():
        links = [f"[{label}]({printed_name(name, spoken)})" for spoken, label in SPOKEN.items()]
        print_it = f"To print on A6, two sides for each number of players: {', '.join(links)}."
        parts = "\n\n".join([*markdown(sheet), print_it, f"*Made by {making.made_by}.*"])
        making.write(f"{FOLDER}{name}.md", page(sheet.title, parts, target=TARGET.name))
        for language in SPOKEN:
            with speaking(language):
                making.write(f"{FOLDER}{printed_name(name, language)}", printed(sheet))
        making.tell(sheet.title)


TARGET = Target(
    name="table",
    what="sheets to read and to print: the cards of rules of each game",
    make=make,
    writes=tuple(
        f"{FOLDER}{kind}"
        for name in sheets()
        for kind in (f"{name}.md", *(printed_name(name, language) for language in SPOKEN))
    ),
    reads=("data/cards.json",),
)
