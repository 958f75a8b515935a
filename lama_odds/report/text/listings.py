"""What there is to choose from: rule sets with their options, and policies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.variants.given import SUFFIX, Given, given_rules, names_file
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import EVERYWHERE
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import GAMES, defects, game_of, names
from lama_odds.report.terminal import listing


@dataclass(frozen=True)
class Listing:
    """Names with their meanings, in tables. tables: heads of the columns, and rows."""

    plain: Mapping[str, Any]
    tables: tuple[tuple[tuple[str, str], tuple[tuple[str, str], ...]], ...]
    head: str = ""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return dict(self.plain)

    def text(self) -> RenderableType:
        """The tables one below the other, then the notes."""
        parts: list[RenderableType] = [Text(self.head), ""] if self.head else []
        for columns, rows in self.tables:
            parts += [listing(rows, columns), ""]
        return Group(*parts, *self.notes)


def rules_listing(name: str | None = None) -> Listing:
    """Rule sets: all, those of a game with its options, or one with the values of its options.

    ReadError for an unknown game or rule set.
    """
    if name is None:
        found = {id_: about for game in _games(None) for id_, about in _editions(game).items()}
        table = _table(found.items(), "rule set", "what it is")
        return Listing({"rules": found}, (table,), notes=tuple(defects().values()))
    if "/" not in name and not names_file(name) and not name.endswith(SUFFIX):
        return _one_game(name)
    given = given_rules(name)
    return _one_variant(given) if given.variant else _one_rule_set(given.game, given.rules)


def policies_listing(name: str | None = None) -> Listing:
    """Policies with what they decide: of all games, or of one; ReadError for another.

    Names that are policies in every game come last.
    """
    found = {
        f"{game.name}: {family.usage}" if name is None else family.usage: family.explained
        for game in _games(name)
        for family in game.families
    }
    found |= EVERYWHERE
    return Listing({"policies": found}, (_table(found.items(), "policy", "what it does"),))


def _table(
    rows: Iterable[tuple[str, str]], *columns: str
) -> tuple[tuple[str, str], tuple[tuple[str, str], ...]]:
    first, second = columns
    return (first, second), tuple(rows)


def _editions(game: AnyGame) -> dict[str, str]:
    return {f"{game.name}/{e}": f"{game.title}: {about}" for e, about in game.editions.items()}


def _one_game(name: str) -> Listing:
    game = _games(name)[0]
    editions = _editions(game)
    options = {
        option: f"{entry.meaning}; {entry.allowed} ({entry.source})"
        for option, entry in game.options.items()
    }
    first = game.defaults[next(iter(game.editions))]
    rows = [
        (entry.format(option, first[option]), options[option])
        for option, entry in game.options.items()
    ]
    columns = (f"option, as in {next(iter(editions))}", "meaning; values (source)")
    return Listing(
        {"rules": editions, "options": options, "notes": list(game.notes)},
        (_table(editions.items(), "rule set", "what it is"), _table(rows, *columns)),
        notes=tuple(game.notes),
    )


def _one_variant(given: Given) -> Listing:
    """A variant of a file: what it changes of its base, and the same as of any rule set."""
    assert given.variant is not None
    game, variant = given.game, given.variant
    base = game.rules(variant.base)
    whole = _one_rule_set(game, given.rules)
    changed = {
        name: (base.values[name], given.rules.values[name])
        for name in game.options
        if base.values[name] != given.rules.values[name]
    }
    plain = {
        **whole.plain,
        "name": variant.name,
        "about": variant.about,
        "base": variant.base,
        "changes": [
            {"option": name, "base": old, "variant": new} for name, (old, new) in changed.items()
        ],
    }
    rows = []
    for name, (old, new) in changed.items():
        option = game.options[name]
        was, now = (option.format(name, value).lstrip("+") for value in (old, new))
        if option.kind == "switch":
            was, now = (f"{name}={'on' if value else 'off'}" for value in (old, new))
        rows.append((now, f"{was.partition('=')[2]} in {variant.base}; {option.meaning}"))
    alike = f"It has the options of {variant.base}." if not changed else ""
    head = "\n".join(filter(None, (f"{variant.name}: {whole.head}", variant.about, alike)))
    tables = (_table(rows, "option", "what it was, and its meaning"),) if rows else ()
    return Listing(plain, tables, head, whole.notes)


def _one_rule_set(game: AnyGame, rule_set: Any) -> Listing:
    first, last = rule_set.players[0], rule_set.players[-1]
    values = {
        option: entry.format(option, rule_set.values[option]).lstrip("+")
        for option, entry in game.options.items()
    }
    plain = {
        "rules": rule_set.id,
        "players": [first, last],
        "options": {option: rule_set.values[option] for option in game.options},
        "notes": list(game.notes_of(rule_set)),
    }
    rows = [(value, game.options[option].meaning) for option, value in values.items()]
    return Listing(
        plain,
        (_table(rows, "option", "meaning"),),
        f"{rule_set.id}   {first} to {last} players",
        game.notes_of(rule_set),
    )


def _games(name: str | None) -> list[AnyGame]:
    if name is None:
        unusable = defects()
        return [game_of(known) for known in names() if known in GAMES or known not in unusable]
    if names_file(name):
        return [given_rules(name).game]
    if "/" in name:
        game_of(name).rules(name)
    elif "+" in name:
        raise ReadError(f"which edition? options follow game/edition, not {name!r}", name, 0)
    return [game_of(name)]
