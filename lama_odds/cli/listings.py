"""``lama-odds rules`` and ``lama-odds policies``: what there is to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.cli.common import AsJson, Seed, show
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import Family

if TYPE_CHECKING:
    from lama_odds.games.protocol import Game

RULES_EXAMPLES = """[bold]Examples[/bold]

lama-odds rules

lama-odds rules lama

lama-odds rules lama/party+drama
"""

POLICIES_EXAMPLES = """[bold]Examples[/bold]

lama-odds policies

lama-odds policies lama
"""

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="RULES", help="A game (lama, dice, pikomino) or a rule set (lama/party)."
    ),
]


def rules(name: Name = None, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Rule sets and their options, with their sources."""
    if name is not None and "/" in name:
        _one_rule_set(name, as_json)
    elif name is not None:
        _one_game(name, as_json)
    else:
        found = {id_: about for game in _games(None) for id_, about in _editions(game).items()}
        show(as_json, {"rules": found}, lambda: listing(found.items(), ("rule set", "what it is")))


def _editions(game: Game) -> dict[str, str]:
    return {f"{game.name}/{e}": f"{game.title}: {about}" for e, about in game.editions.items()}


def _one_game(name: str, as_json: bool) -> None:
    game = _games(name)[0]
    editions = _editions(game)
    options = {
        option: f"{entry.meaning}; {entry.allowed} ({entry.source})"
        for option, entry in game.options.items()
    }
    first = game.defaults[next(iter(game.editions))]
    answer = {"rules": editions, "options": options, "notes": list(game.notes)}

    def text() -> Any:
        from rich.console import Group

        rows = [
            (entry.format(option, first[option]), options[option])
            for option, entry in game.options.items()
        ]
        columns = (f"option, as in {next(iter(editions))}", "meaning; values (source)")
        editions_table = listing(editions.items(), ("rule set", "what it is"))
        return Group(editions_table, "", listing(rows, columns), "", *game.notes)

    show(as_json, answer, text)


def listing(rows: Any, columns: tuple[str, str]) -> Any:
    """A table of names and meanings."""
    from lama_odds.report.text import listing as made

    return made(rows, columns)


def _one_rule_set(name: str, as_json: bool) -> None:
    from lama_odds.games.registry import game_of

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
    found = {
        f"{game.name}: {family.usage}" if name is None else family.usage: _meaning(family)
        for game in _games(name)
        for family in game.families
    }
    show(as_json, {"policies": found}, lambda: listing(found.items(), ("policy", "what it does")))


def _meaning(family: Family) -> str:
    if not family.parameter:
        return family.meaning
    return f"{family.meaning} ({family.parameter} from {family.low} to {family.high})"


def _games(name: str | None) -> list[Game]:
    from lama_odds.games.registry import GAMES, game_of

    if name is None:
        return [game_of(known) for known in GAMES]
    if "/" in name:
        game_of(name).rules(name)
    elif "+" in name:
        raise ReadError(f"which edition? options follow game/edition, not {name!r}", name, 0)
    return [game_of(name)]
