"""The pages of docs/reference/ that are made from the code."""

from __future__ import annotations

from collections.abc import Iterator

from tools.publishing.reference.commands import commands_page
from tools.publishing.reference.contracts import contracts_page
from tools.publishing.reference.games import game_page, games, policies_page
from tools.publishing.reference.json_pages import json_page, schema_files
from tools.publishing.reference.records import records_page
from tools.publishing.target import POLICIES, Making, Target

FOLDER = "docs/reference/"
PAGES = (
    *("commands", "lama", "dice", "pikomino", "noprob"),
    *("policies", "record_format", "json", "contracts"),
)


def pages() -> Iterator[tuple[str, str]]:
    """Files with their texts."""
    yield FOLDER + "commands.md", commands_page()
    for game in games():
        yield f"{FOLDER}{game.name}.md", game_page(game)
    yield FOLDER + "policies.md", policies_page()
    yield FOLDER + "record_format.md", records_page()
    yield FOLDER + "json.md", json_page()
    yield FOLDER + "contracts.md", contracts_page()
    for name, text in schema_files():
        yield f"{FOLDER}schemas/{name}", text


def make(making: Making) -> None:
    """Write the pages."""
    for name, text in pages():
        making.write(name, text)
        making.tell(name)


TARGET = Target(
    name="reference",
    what="reference pages on commands, games, policies, records, JSON and contracts; schemas",
    make=make,
    writes=(*(f"{FOLDER}{name}.md" for name in PAGES), FOLDER + "schemas/"),
    reads=POLICIES,
)
