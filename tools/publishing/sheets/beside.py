"""A sheet of a game: its cards of rules, a decision a row, for reading and for printing.

Everything on it is a policy that was played: see `reports/cards.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from lama_odds.analysis.policy_files import PublishedCard, published_card
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import Condition, Feature, RuleCard, card_in
from tools.publishing.reference.markdown import table
from tools.publishing.sheets import pictures

ALWAYS = "Always"  # above habits, which hold besides the rules
ROOM = 380  # letters of the rules that fit on a side in large type
STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Sheet:
    """What a sheet is about.

    name: of the page. title: the game. editions: of which there are cards, with their names; the
    first one is printed. points: what limits count, in a sentence. why: by feature of the cards,
    why it matters, in a sentence.
    """

    name: str
    title: str
    editions: Mapping[str, str]
    points: str
    why: Mapping[str, str]


def markdown(sheet: Sheet) -> Iterator[str]:
    """The sheet, part by part, for the site and the phone."""
    yield (
        "The first rule that fits counts. Each card was played: in every seat, one player of the "
        f"card among strong ones. {sheet.points}"
    )
    for rules_id, name in sheet.editions.items():
        for card in _cards(rules_id):
            yield f"## {name}, {card.players} players"
            rules = len(_rules(rules_id, card).lines)
            marks = [*map(str, range(1, rules + 1)), *[ALWAYS] * (len(card.lines) - rules)]
            yield table(("", "rule"), list(zip(marks, card.lines, strict=True)))
            yield " ".join((card.said, *_why(sheet, rules_id, card)))


def printed(sheet: Sheet) -> str:
    """The cards of the first edition as a page to print: two sides of A6 for each table."""
    rules_id, name = next(iter(sheet.editions.items()))
    sides = "".join(_sides(sheet, rules_id, name, card) for card in _cards(rules_id))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(sheet.title)}'
        f"</title><style>\n{STYLE}</style></head><body>{sides}</body></html>\n"
    )


def _cards(rules_id: str) -> list[PublishedCard]:
    game: Any = game_of(rules_id)
    rules = game.rules(rules_id)
    found = (published_card(game, rules, players) for players in rules.players)
    return [card for card in found if card is not None]


def _sides(sheet: Sheet, rules_id: str, name: str, card: PublishedCard) -> str:
    """The front with the rules, the back with why and what it wins."""
    rows = [
        f"<li><span>{picture}</span><span>{escape(line)}</span></li>"
        for picture, line in zip(_pictures(rules_id, card), card.lines, strict=True)
    ]
    rules = len(_rules(rules_id, card).lines)
    habits = f"<h2>{ALWAYS}</h2><ol>{''.join(rows[rules:])}</ol>" if rows[rules:] else ""
    why = "".join(f"<p>{escape(line)}</p>" for line in _why(sheet, rules_id, card))
    why = f"<h2>Why</h2>{why}" if why else ""
    full = ' class="full"' if sum(map(len, card.lines)) > ROOM else ""
    return (
        f"<section{full}><h1>{escape(name)}</h1><p>{card.players} players · the first rule that "
        f"fits counts</p><ol>{''.join(rows[:rules])}</ol>{habits}</section>"
        f"<section>{why}<h2>Count your points</h2><p>{escape(sheet.points)}</p>"
        f"<h2>What it wins</h2><p>{escape(card.said)}</p>"
        f'<p class="small">Played by lama-odds: {card.wins.n:,} games, 95 % interval.</p></section>'
    )


def _conditions(rules_id: str, card: PublishedCard) -> list[list[tuple[Feature, Condition]]]:
    """What each line of a card asks for."""
    language, rules = card_in(game_of(rules_id).policy(card.policy))
    return [[(language.features[c.feature], c) for c in line.conditions] for line in rules.lines]


def _rules(rules_id: str, card: PublishedCard) -> RuleCard:
    return card_in(game_of(rules_id).policy(card.policy))[1]


def _why(sheet: Sheet, rules_id: str, card: PublishedCard) -> list[str]:
    """Why the things matter that a card asks for, each once."""
    asked = [feature.name for line in _conditions(rules_id, card) for feature, _ in line]
    return [sheet.why[name] for name in dict.fromkeys(asked) if name in sheet.why]


def _pictures(rules_id: str, card: PublishedCard) -> list[str]:
    """A picture for each line and habit of a card; empty where there is nothing to draw."""
    asked = _conditions(rules_id, card)
    limits = _rules(rules_id, card).lines
    drawn = [
        _drawn(line) or [pictures.badge(_limit(at.limit))]
        for line, at in zip(asked, limits, strict=True)
    ]
    drawn += [_named(line) for line in card.lines[len(limits) :]]
    return [pictures.row(each, "8mm") for each in drawn]


def _limit(limit: int) -> str:
    return "∞" if limit < 0 else str(limit)


def _drawn(line: Sequence[tuple[Feature, Condition]]) -> list[str]:
    """Cards or dice for the first condition of a line that can be drawn."""
    for feature, condition in line:
        if condition.high == 0:
            continue
        number = condition.low if condition.high == feature.high else condition.high
        if feature.name in ("fewest", "down", "cards", "kinds", "row"):
            return [pictures.card("?")] * max(1, min(number, 2))
        if feature.name == "dice":
            return [pictures.die("?")] * max(1, min(number, 2))
        if feature.name in ("worms", "steal", "own"):
            return [pictures.die("W")] * max(1, min(number, 2))
    return []


def _named(habit: str) -> list[str]:
    """The llama or the worm, if a habit speaks of it."""
    if "llama" in habit:
        return [pictures.card("L")]
    return [pictures.die("W")] if "worm" in habit else []
