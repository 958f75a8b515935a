"""The sheet of a game: its cards of rules, a decision a row, for reading and for printing.

Everything on it is a policy that was played: see `reports/cards.md`. It speaks the language in
force.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from lama_odds.analysis.policy_files import PublishedCard, published_card
from lama_odds.core.language import language, say
from lama_odds.core.reading import read_text
from lama_odds.core.wording import thousands
from lama_odds.games.interface.sheet import Sheet
from lama_odds.games.registry import built_in, game_of
from lama_odds.games.shared.rule_cards import CardLanguage, Line, RuleCard, card_in

STYLE = read_text(Path(__file__).with_suffix(".css"), 100_000)


class Type(NamedTuple):
    """How large letters are: the class in the style sheet, letters on a line, lines on a side."""

    name: str
    letters: int
    lines: float


# The largest first. Words of some languages are long: so lines are broken as they will be.
TYPES = (Type("", 42, 21.5), Type("full", 48, 26), Type("fullest", 55, 32))
BESIDE = 11  # letters that a picture takes from a line
LEAST, BETWEEN, HEADING = 1.5, 0.5, 1.5  # lines: of a text, between two, of a heading


def sheets() -> dict[str, Sheet]:
    """Return all sheets by the name of their game."""
    return {game.name: game.sheet for game in built_in() if game.sheet is not None}


def blocks(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield what a sheet says: a ``heading``, a ``table`` or a ``text`` at a time."""
    played = say(
        "The first rule that fits counts. Each card was played: in every seat, one player of the "
        "card among strong ones."
    )
    yield {"text": f"{played} {say(sheet.points)}"}
    for rules_id, name in sheet.editions.items():
        for side in _sides(rules_id):
            players, lines = side.published.players, side.published.lines
            heading = say("{edition}, {players} players", edition=say(name), players=players)
            yield {"heading": heading}
            numbers = [str(number + 1) for number in range(len(side.card.lines))]
            marks = numbers + [say("Always")] * len(side.card.habits)
            rows = [list(row) for row in zip(marks, lines, strict=True)]
            yield {"table": {"head": ["", say("rule")], "rows": rows}}
            yield {"text": " ".join((side.published.said, *_why(sheet, side)))}


def printed(sheet: Sheet) -> str:
    """Return the cards of one edition as a page to print: two sides of A6 for each table."""
    spoken = language()
    edition = sheet.printed.get(spoken, next(iter(sheet.editions)))
    name = say(sheet.editions[edition])
    body = "".join(_front(sheet, name, side) + _back(sheet, side) for side in _sides(edition))
    title = escape(say(sheet.title))
    return (
        f'<!doctype html>\n<html lang="{spoken}"><head><meta charset="utf-8"><title>{title}'
        f"</title><style>\n{STYLE}</style></head><body>{body}</body></html>\n"
    )


class _Side(NamedTuple):
    """A card of rules: as it was published, what it can speak of, and what it says."""

    published: PublishedCard
    spoken: CardLanguage
    card: RuleCard


def _sides(rules_id: str) -> list[_Side]:
    """The cards of an edition, one for each number of players."""
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    cards = (published_card(game, rules, players) for players in rules.players)
    return [_Side(c, *card_in(game.policy(c.policy))) for c in cards if c is not None]


def _front(sheet: Sheet, name: str, side: _Side) -> str:
    lines = side.published.lines
    rows = [
        f"<li><span>{row(drawn, '8mm')}</span><span>{escape(line)}</span></li>"
        for drawn, line in zip(_pictures(sheet, side), lines, strict=True)
    ]
    rules, habits = rows[: len(side.card.lines)], rows[len(side.card.lines) :]
    first = say(
        "{players} players · the first rule that fits counts", players=side.published.players
    )
    body = f"<h1>{escape(name)}</h1>{_paragraph(first)}<ol>{''.join(rules)}</ol>"
    if habits:
        body += f"{_heading(say('Always'))}<ol>{''.join(habits)}</ol>"
    return _section(body, [first], lines)


def _back(sheet: Sheet, side: _Side) -> str:
    """Why, what limits count, and what the card wins."""
    why = _why(sheet, side)
    points, text = say(sheet.points), side.published.said
    games = thousands(side.published.wins.n)
    played = say("Played by lama-odds: {games} games, 95 % interval.", games=games)
    body = _heading(say("Why")) + "".join(map(_paragraph, why)) if why else ""
    body += _heading(say("Count your points")) + _paragraph(points)
    body += _heading(say("What it wins")) + _paragraph(text)
    return _section(f'{body}<p class="small">{escape(played)}</p>', [*why, points, text, played])


def _section(body: str, texts: Sequence[str], pictured: Sequence[str] = ()) -> str:
    """A side in the largest type that fits. texts: on it; pictured: those that have a picture."""
    headings = HEADING * len(re.findall("<h[12]>", body))

    def used(size: Type) -> float:
        broken = [wrap(text, size.letters) for text in texts]
        broken += [wrap(text, size.letters - BESIDE) for text in pictured]
        return headings + sum(max(LEAST, len(lines)) + BETWEEN for lines in broken)

    name = next((size.name for size in TYPES if used(size) <= size.lines), TYPES[-1].name)
    kind = f' class="{name}"' if name else ""
    return f"<section{kind}>{body}</section>"


def _heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _why(sheet: Sheet, side: _Side) -> list[str]:
    """Why the things matter that a card asks for, each once."""
    features = side.spoken.features
    names = [features[c.feature].name for line in side.card.lines for c in line.conditions]
    return [say(sheet.why[name]) for name in dict.fromkeys(names) if name in sheet.why]


def _pictures(sheet: Sheet, side: _Side) -> Iterator[list[str]]:
    """Yield pictures for each line, then each habit of a card; none where nothing is drawn."""
    for line in side.card.lines:
        limit = "∞" if line.limit < 0 else str(line.limit)
        yield _asked(sheet, side.spoken, line) or [badge(limit)]
    names = list(side.spoken.habits)
    for habit in side.card.habits:
        yield _drawn(sheet, names[habit])


def _asked(sheet: Sheet, spoken: CardLanguage, line: Line) -> list[str]:
    """Cards or dice for the first condition of a line that can be drawn."""
    for condition in line.conditions:
        feature = spoken.features[condition.feature]
        if condition.high and feature.name in sheet.drawn:
            number = condition.low if condition.high == feature.high else condition.high
            return _drawn(sheet, feature.name) * max(1, min(number, 2))
    return []


def _drawn(sheet: Sheet, name: str) -> list[str]:
    """What is drawn for a feature or a habit."""
    kind, _, face = sheet.drawn.get(name, "").partition(" ")
    return [{"card": card, "die": die}[kind](face)] if kind else []


# Cards and dice as SVG: simple shapes of our own, in the colours of the phone's page.

COLOURS = {
    "1": ("#f7d54a", "#1b1b1b"),
    "2": ("#f4a03a", "#1b1b1b"),
    "3": ("#cf3f36", "#ffffff"),
    "4": ("#84429b", "#ffffff"),
    "5": ("#2a66ad", "#ffffff"),
    "6": ("#2c7a37", "#ffffff"),
}
PLAIN = ("#fffdf5", "#1b1b1b")
LLAMA = (
    "M11 9l2 4h4l2-4 2 6c0 3-1 5-3 6v4h7c4 0 6 2 6 5v9h-4v-6h-3v6h-4v-6h-1v6h-4V21c-3-1-5-3-4-6z"
)
WORM = "M-12 7c0-7 5-7 7 0s7 7 9 0 0-13 6-13"
CARD, DIE = (40, 52), (44, 44)
GAP = 5


def card(value: str) -> str:
    """A playing card: a number, L for the llama, ? for a hidden one."""
    return _face(value, CARD, 5)


def die(value: str) -> str:
    """A die: a number, L for the llama, W for the worm, ? for any."""
    return _face(value, DIE, 9)


def badge(text: str) -> str:
    """A limit, in a circle."""
    circle = '<circle cx="22" cy="22" r="20" fill="#2f4858"/>'
    return _drawing(44, 44, [circle, _letters(text, 22, 30, 22, "#ffffff")])


def row(pictures: Sequence[str], height: str = "1em") -> str:
    """Pictures beside each other."""
    return "".join(svg.replace("<svg ", f'<svg style="height:{height}" ') for svg in pictures)


def _face(value: str, size: tuple[int, int], radius: int) -> str:
    width, height = size
    fill, ink = COLOURS.get(value, PLAIN)
    parts = [_frame(size, radius, fill)]
    if value == "L":
        shift = f"translate({width / 2 - 20} {height / 2 - 23})"
        parts.append(f'<path d="{LLAMA}" fill="#6b4a2f" transform="{shift}"/>')
    elif value == "W":
        parts.append(
            f'<path d="{WORM}" fill="none" stroke="#b3372f" stroke-width="5.5" '
            f'stroke-linecap="round" transform="translate({width / 2:g} {height / 2:g}) scale(1)"/>'
        )
    else:
        points, down = (28, 10) if len(value) == 1 else (22, 8)
        parts.append(_letters(value, width / 2, height / 2 + down, points, ink))
    return _drawing(width, height, parts)


def _frame(size: tuple[int, int], radius: int, fill: str) -> str:
    width, height = size
    return (
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="{radius}" fill="{fill}" '
        'stroke="#7a7466" stroke-width="1.5"/>'
    )


def _letters(text: str, x: float, y: float, size: int, fill: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'font-family="system-ui, sans-serif" fill="{fill}">{text}</text>'
    )


def _drawing(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )
