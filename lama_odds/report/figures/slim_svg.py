"""SVG as matplotlib writes it, made smaller: the same picture to a hundredth of a point.

Styles that are written out at every element become classes; what nothing refers to is removed.
"""

from __future__ import annotations

import re

_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.S)
_COMMENT = re.compile(r"\s*<!--.*?-->", re.S)
_UNTURNED = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_ID = re.compile(r' id="([^"]+)"')
_USED = re.compile(r'(?:url\(#|href="#)([^")]+)')
_TAG = re.compile(r"<[^>]*>")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_STYLE = re.compile(r' style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_GROUP = re.compile(r"(<g(?: [^>]*)?>|</g>)\n?")
_EMPTY = re.compile(r"<g(?: [^>]*)?/>\s*")
_DIGITS = 2


def slim(svg: bytes) -> bytes:
    """The same picture in fewer bytes."""
    text = _COMMENT.sub("", _METADATA.sub("", svg.decode()))
    text = _UNTURNED.sub("", text)
    used = set(_USED.findall(text))
    text = _ID.sub(lambda found: found[0] if found[1] in used else "", text)
    # Within tags: what is written in the figure stays.
    text = _TAG.sub(lambda tag: _LONG.sub(lambda found: _rounded(found[0]), tag[0]), text)
    text = _PATH.sub(lambda found: f' d="{" ".join(found[1].split())}"', text)
    return _classed(_ungrouped(re.sub(r">\s+<", ">\n<", text))).encode()


def _rounded(number: str) -> str:
    """A number with no more digits than can be seen."""
    short = f"{float(number):.{_DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _ungrouped(text: str) -> str:
    """Without groups that have no attributes."""
    parts: list[str] = []
    told: list[bool] = []
    for part in _GROUP.split(_EMPTY.sub("", text)):
        if part.startswith("<g"):
            told.append(part != "<g>")
        if not part.startswith(("<g", "</g")) or told[-1]:
            parts.append(part)
        if part == "</g>":
            told.pop()
    return "".join(parts)


def _classed(text: str) -> str:
    """Replace styles that occur more than once by classes, in the order of their first use."""
    styles = _STYLE.findall(text)
    names = {
        style: f"s{at}"
        for at, style in enumerate(dict.fromkeys(s for s in styles if styles.count(s) > 1))
    }
    text = _STYLE.sub(
        lambda found: f' class="{names[found[1]]}"' if found[1] in names else found[0], text
    )
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)
