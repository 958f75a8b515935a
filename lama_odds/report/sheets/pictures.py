"""Cards and dice as SVG: simple shapes of our own, in the colours of the phone's page."""

from __future__ import annotations

from collections.abc import Sequence

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
    return "".join(each.replace("<svg ", f'<svg style="height:{height}" ') for each in pictures)


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
