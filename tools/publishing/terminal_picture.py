"""An answer as a picture: text of a terminal as SVG, light or dark as the reader's screen is.

Every word has the place of its column, whatever the font. Bars are drawn, so that no font has to
be shipped.
"""

from __future__ import annotations

import re
from html import escape

COLUMN, LINE, MARGIN = 8.2, 19.0, 18.0  # in pixels, for text of 13.6 px
BAR = "█"
WORDS = re.compile(rf"[^\s{BAR}]+(?: [^\s{BAR}]+)*")
BARS = re.compile(f"{BAR}+")
VERDICTS = ("▶", "▷", "≈")
STYLE = "\n".join(
    (
        "<style>",
        "rect.paper { fill: #fdfdfb; stroke: #d5d5cf } text { fill: #22262a }",
        ".bar { fill: #3f7fb5 }",
        ".typed { fill: #6a7178 } .verdict { font-weight: 700 }",
        'text { font: 13.6px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }',
        "@media (prefers-color-scheme: dark) {",
        "rect.paper { fill: #16191d; stroke: #3a4047 } text { fill: #e4e6e8 }",
        ".bar { fill: #6aa9dc }",
        ".typed { fill: #9aa2aa } }",
        "</style>",
    )
)


def picture(text: str) -> str:
    """Lines of text as SVG."""
    lines = text.rstrip().splitlines()
    width = 2 * MARGIN + COLUMN * max(map(len, lines))
    height = 2 * MARGIN + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">',
        STYLE,
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" '
        'rx="8"/>',
    ]
    for at, line in enumerate(lines):
        parts += _line(line, MARGIN + LINE * at)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(line: str, top: float) -> list[str]:
    kind = "typed" if line.startswith("$ ") else "verdict" if line.startswith(VERDICTS) else ""
    class_ = f' class="{kind}"' if kind else ""
    elements = [
        f'<text{class_} x="{MARGIN + COLUMN * words.start():.1f}" y="{top + 14:.0f}">'
        f"{escape(words[0], quote=False)}</text>"
        for words in WORDS.finditer(line)
    ]
    elements += [
        f'<rect class="bar" x="{MARGIN + COLUMN * bar.start():.1f}" y="{top + 3:.0f}" '
        f'width="{COLUMN * len(bar[0]):.1f}" height="13"/>'
        for bar in BARS.finditer(line)
    ]
    return elements
