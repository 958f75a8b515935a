"""``lama-odds rules`` and ``lama-odds policies``: what there is to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import AsJson, Seed, show
from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from lama_odds.games.protocol import Game

RULES_EXAMPLES = """[bold]Examples[/bold]

lama-odds rules

lama-odds rules dice

lama-odds rules dice/egmont+twenty
"""

POLICIES_EXAMPLES = """[bold]Examples[/bold]

lama-odds policies

lama-odds policies dice
"""

Name = Annotated[
    str | None, typer.Argument(metavar="[RULES]", help="A game (dice) or a rule set (dice/amigo).")
]


def rules(name: Name = None, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Rule sets and their options, with their sources."""
    from lama_odds.report.text import listing

    if name is not None and "/" in name:
        _one_rule_set(name, as_json)
        return
    found = {
        f"{game.name}/{edition}": f"{game.title}: {about}"
        for game in _games(name)
        for edition, about in game.editions.items()
    }
    options = (
        {
            option: f"{entry.meaning} ({entry.source})"
            for game in _games(name)
            for option, entry in game.options.items()
        }
        if name
        else {}
    )
    answer = {"rules": found} | (
        {"options": options, "notes": list(_games(name)[0].notes)} if name else {}
    )

    def text() -> Any:
        from rich.console import Group

        parts: list[Any] = [listing(found.items(), ("rule set", "what it is"))]
        if options:
            parts += [
                "",
                listing(options.items(), ("option", "meaning (source)")),
                "",
                *_games(name)[0].notes,
            ]
        return Group(*parts)

    show(as_json, answer, text)


def _one_rule_set(name: str, as_json: bool) -> None:
    from lama_odds.games.registry import game_of
    from lama_odds.report.text import listing

    game = game_of(name)
    rule_set = game.rules(name)
    values = {
        option: entry.format(option, rule_set.values[option]).lstrip("+")
        for option, entry in game.options.items()
    }
    answer = {
        "rules": rule_set.id,
        "players": [rule_set.players[0], rule_set.players[-1]],
        "options": {option: rule_set.values[option] for option in game.options},
        "notes": list(game.notes),
    }

    def text() -> Any:
        from rich.console import Group

        rows = [(value, game.options[option].meaning) for option, value in values.items()]
        head = f"{rule_set.id}   {rule_set.players[0]} to {rule_set.players[-1]} players"
        return Group(head, "", listing(rows, ("option", "meaning")), "", *game.notes)

    show(as_json, answer, text)


def policies(name: Name = None, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Policies by name, with what they decide."""
    from lama_odds.report.text import listing

    found = {
        f"{game.name}: {family.usage}" if name is None else family.usage: family.meaning
        for game in _games(name)
        for family in game.families
    }
    show(as_json, {"policies": found}, lambda: listing(found.items(), ("policy", "what it does")))


def _games(name: str | None) -> list[Game]:
    from lama_odds.games.registry import GAMES, game_of

    if name is None:
        return [game_of(known) for known in GAMES]
    if "/" in name:
        game_of(name).rules(name)
    elif "+" in name:
        raise ReadError(f"which edition? options follow game/edition, not {name!r}", name, 0)
    return [game_of(name)]
