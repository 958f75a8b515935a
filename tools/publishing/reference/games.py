"""A page for each game, and the page of policies, from what the games say of themselves."""

from __future__ import annotations

import re

from lama_odds.core.policies import EVERYWHERE
from lama_odds.games.interface.capabilities import CHOICE, LUCK
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import built_in
from tools.publishing.reference.markdown import cell, code, page, sentence, table

HOW_TO = {
    game: f"[Enter a position](../howto/position_{game}.md) has examples."
    for game in ("lama", "dice", "pikomino", "noprob")
}
TITLES = {"pikomino": "Pickomino"}  # as English speakers search for it
FOLLOWS = {LUCK: "what was drawn or rolled", CHOICE: "what was chosen"}


def title_of(game: AnyGame) -> str:
    """The name of a game on pages."""
    return TITLES.get(game.name, game.title)


def games() -> list[AnyGame]:
    """The built-in games."""
    return list(built_in())


def game_page(game: AnyGame) -> str:
    """Rule sets, options with their sources, positions, moves and objectives of a game."""
    editions = [(code(f"{game.name}/{name}"), cell(about)) for name, about in game.editions.items()]
    words = [(code(f"{name}="), sentence(cell(text))) for name, text in game.words.items()]
    objectives = [
        (code(name), sentence(cell(objective.meaning.partition(": ")[2])))
        for name, objective in game.objectives.items()
    ]
    return page(
        title_of(game),
        "## Rule sets",
        table(("rule set", "what it is"), editions),
        *map(sentence, game.notes),
        "## Options",
        f"Write an option after `+`: `{game.name}/{next(iter(game.editions))}+option=value`. "
        "A switch needs no value, and `=off` turns it off.",
        _options(game),
        "## Position",
        "One string of `name=value` words in any order, yours first, then the others in turn "
        "order. " + HOW_TO[game.name],
        table(("word", "meaning"), words),
        f"For example: `{game.example}`",
        "## Moves",
        "As `advise` names them and as a [record](record_format.md) writes them. Opponent 1 is the "
        "next player in turn order.",
        table(("verb", "what follows"), _moves(game)),
        "## Objectives",
        table(("`--objective`", "what it counts"), objectives),
    )


def policies_page() -> str:
    """The policies of all games."""
    parts = []
    for game in games():
        meant = [(family.usage, family.explained) for family in game.families]
        parts += [f"## {title_of(game)}", _listed(meant)]
    return page(
        "Policies",
        "A policy is how a simulated player decides: a family and its numbers. "
        "[Rollouts and policies](../explanation/policies.md) says what they are for.",
        *parts,
        "## Everywhere",
        _listed(list(EVERYWHERE.items())),
    )


def _listed(policies: list[tuple[str, str]]) -> str:
    """Policies one below the other, each with a heading: its name, which the search finds."""
    entries = []
    for usage, meaning in policies:
        name = re.split(r"[:\[]", usage)[0]
        shown = f"`{usage}`. " if usage != name else ""
        entries.append(f"### {name}\n\n{shown}{sentence(meaning)}")
    return "\n\n".join(entries)


def _options(game: AnyGame) -> str:
    rows = []
    for name, option in game.options.items():
        values = {
            edition: option.format(name, default[name]).partition("=")[2] or "on"
            for edition, default in game.defaults.items()
        }
        rows.append(
            (
                code(name),
                sentence(cell(option.meaning)),
                _defaults(values),
                cell(option.allowed),
                cell(option.source),
            )
        )
    return table(("option", "meaning", "default", "values", "source"), rows)


def _defaults(values: dict[str, str]) -> str:
    """The value of the first edition, and of those that have another."""
    first, *_ = values.values()
    others = [f"{edition}: {value}" for edition, value in values.items() if value != first]
    return "; ".join(map(cell, [first, *others]))


def _moves(game: AnyGame) -> list[tuple[str, str]]:
    recorded = game.recorded()
    assert recorded is not None, f"{game.name} has no records"
    return [(code(verb), FOLLOWS.get(follows, "–")) for verb, follows in recorded.verbs.items()]
