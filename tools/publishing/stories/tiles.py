"""The pictures of the tiles on the home page: a hand or a roll of each game, as SVG."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lama_odds.report.sheets import CARD, DIE, GAP, card, die

WIDTH, HEIGHT = 330, 132
SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)" aria-hidden="true"')

Row = Sequence[str]  # a letter each: cards, or dice

# Rows of cards or dice, from the top; a space leaves a gap.
TILES: Mapping[str, tuple[str, tuple[Row, ...], tuple[Row, ...]]] = {
    "lama": ("A hand of L.A.M.A.: 3, 3, 5, 5, 6 and 6; a 2 lies on top.", ("2", "335566"), ()),
    "dice": (
        "The llama row of Lama Dice, and three dice: llama, llama, 4.",
        ("123456L",),
        ("LL4",),
    ),
    "pikomino": (
        "A first roll of Pickomino: eight dice, one of them a worm.",
        (),
        ("1234", "455W"),
    ),
    "noprob": ("A grid of No Prob-Lama: two 10s beside each other.", ("10 10 ?", "3 ? J"), ()),
}


def tile(name: str) -> str:
    """The picture of a game."""
    title, cards, dice = TILES[name]
    rows = [(card, CARD, _values(row)) for row in cards] + [(die, DIE, _values(r)) for r in dice]
    room = sum(size[1] for _, size, _ in rows) + GAP * (len(rows) - 1)
    top = (HEIGHT - room) / 2
    parts = []
    for draw, (width, height), values in rows:
        left = (WIDTH - len(values) * width - (len(values) - 1) * GAP) / 2
        for at, value in enumerate(values):
            parts.append(_placed(draw(value), left + at * (width + GAP), top))
        top += height + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<title>{title}</title>{''.join(parts)}</svg>\n"
    )


def _values(row: Row) -> list[str]:
    return str(row).split() if " " in row else list(row)


def _placed(svg: str, x: float, y: float) -> str:
    """A picture at its place in a larger one."""
    return SIZE.sub(
        lambda match: (
            f'x="{x:g}" y="{y:g}" width="{match[1]}" height="{match[2]}" '
            f'viewBox="0 0 {match[1]} {match[2]}"'
        ),
        svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""),
    )
