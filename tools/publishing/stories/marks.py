"""Marks on pages: a figure with its title, from the picture itself; a card of rules."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

from lama_odds.analysis.policy_files import published_card
from lama_odds.core.errors import ReadError, near_names
from lama_odds.games.registry import game_of

FOLDER = "docs/strategy/pictures/"
FIGURE = re.compile(
    r"(?P<begin><!-- figure: (?P<name>\w+) -->\n)(?P<text>.*?)(?=<!-- /figure -->)", re.S
)
CARD = re.compile(
    r"(?P<begin><!-- card: (?P<rules>\S+) (?P<players>\d) -->\n)(?P<text>.*?)(?=<!-- /card -->)",
    re.S,
)
TITLE = re.compile(r"<title>(.*?)</title>", re.S)


def titled(svg: str, title: str) -> str:
    """An SVG that names itself."""
    end = svg.index(">", svg.index("<svg")) + 1
    return f"{svg[:end]}<title>{escape(title)}</title>{svg[end:]}"


def with_cards(page: str) -> str:
    """Return a page with each card of rules at its marks, and what it wins."""

    def shown(mark: re.Match[str]) -> str:
        game = game_of(mark["rules"])
        card = published_card(game, game.rules(mark["rules"]), int(mark["players"]))
        if card is None:
            raise ReadError(f"no card of {mark['rules']} for {mark['players']} players")
        lines = "".join(f"{at}. {line}\n" for at, line in enumerate(card.lines, 1))
        return f"{mark['begin']}\n{lines}\n{card.said}\n\n"

    return CARD.sub(shown, page)


def with_figures(page: str, folder: Path) -> str:
    """Return a page with each figure at its marks. folder: where the pictures are."""

    def shown(mark: re.Match[str]) -> str:
        path = folder / f"{mark['name']}.svg"
        if not path.exists():
            known = [file.stem for file in folder.glob("*.svg")]
            raise ReadError(f"no figure {mark['name']!r}", hints=near_names(mark["name"], known))
        match = TITLE.search(path.read_text(encoding="utf-8"))
        title = unescape(match[1]) if match else ""
        return f"{mark['begin']}\n**{title}**\n\n![{title}](pictures/{path.name})\n\n"

    return FIGURE.sub(shown, page)
