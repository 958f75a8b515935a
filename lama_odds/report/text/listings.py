"""What there is to choose from: rule sets with their options, and policies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.variants.given import SUFFIX, Given, given_rules, names_file
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.policies import EVERYWHERE, Family
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import GAMES, defects, game_of, in_our_names, names
from lama_odds.report.terminal import Meanings

Table = tuple[tuple[str, str], tuple[tuple[str, str], ...]]  # heads of the columns, and rows
GIST = re.compile(r"[.;] | \(|: (?=the )|, which ")  # where the meaning of a policy becomes detail


@dataclass(frozen=True)
class Listing:
    """Names with their meanings, in tables.

    short: what is printed instead of them, unless everything is wanted; empty: the same.
    """

    plain: Mapping[str, Any]
    tables: tuple[Table, ...]
    head: str = ""
    notes: tuple[str, ...] = ()
    short: tuple[Table, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return dict(self.plain)

    def text(self, verbose: bool = False) -> RenderableType:
        """The tables one below the other, then the notes."""
        parts: list[RenderableType] = [Text(self.head), ""] if self.head else []
        brief = self.short if not verbose else ()
        for columns, rows in brief or self.tables:
            parts += [Meanings(columns, rows), ""]
        return Group(*parts, *(MORE if brief else ()), *self.notes)


def rules_listing(name: str | None = None) -> Listing:
    """Rule sets: all, those of a game with its options, or one with the values of its options.

    ReadError for an unknown game or rule set.
    """
    if name is None:
        rule_sets = {id_: about for game in _games(None) for id_, about in _editions(game).items()}
        table = _table(rule_sets.items(), "rule set", "what it is")
        return Listing({"rules": rule_sets}, (table,), notes=tuple(defects().values()))
    if "/" not in name and not names_file(name) and not name.endswith(SUFFIX):
        return _one_game(name)
    given = given_rules(name)
    return _one_variant(given) if given.variant else _one_rule_set(given.game, given.rules)


MORE = ("In full: lama-odds policies -v, or with a game or a policy, such as policies threshold.",)


def policies_listing(name: str | None = None) -> Listing:
    """Policies with what they decide: of all games, of one game, or those of one name.

    Names that are policies in every game come last. ReadError for an unknown name.
    """
    columns = "policy", "what it does"
    if name is not None and not any(mark in name for mark in "/+@"):
        named, known = name.partition(":")[0], _policy_names()
        if named in known:
            policies = _with_name(named)
            return Listing({"policies": policies}, (_table(policies.items(), *columns),))
        if in_our_names(name) not in names():
            hints = near_names(named, (*names(), *known))
            raise ReadError(f"unknown game or policy {name!r}", name, 0, hints)
    policies, short = {}, {}
    for game in _games(name):
        before = f"{game.name}: " if name is None else ""
        for family in game.families:
            policies[f"{before}{family.usage}"] = family.explained
            short[f"{before}{family.name}"] = _gist(family)
    policies |= EVERYWHERE
    short |= {usage: GIST.split(meaning)[0] for usage, meaning in EVERYWHERE.items()}
    shorter = (_table(short.items(), *columns),) if name is None else ()
    return Listing({"policies": policies}, (_table(policies.items(), *columns),), short=shorter)


def _policy_names() -> list[str]:
    """Return the names of all policies of all games, without their numbers."""
    own = [family.name for game in _games(None) for family in game.families]
    return list(dict.fromkeys((*own, *(name.partition(":")[0] for name in EVERYWHERE))))


def _with_name(name: str) -> dict[str, str]:
    """Return what the policies of this name do, of all games."""
    policies = {
        f"{game.name}: {family.usage}": family.explained
        for game in _games(None)
        for family in game.families
        if family.name == name
    }
    everywhere = EVERYWHERE.items()
    return policies | {usage: text for usage, text in everywhere if usage.partition(":")[0] == name}


def _gist(family: Family) -> str:
    """Return what a policy is, in a line or two."""
    if family.brief and family.brief != family.name:
        return family.brief.format(family.parameter)
    return GIST.split(family.meaning)[0]


def _table(rows: Iterable[tuple[str, str]], *columns: str) -> Table:
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
