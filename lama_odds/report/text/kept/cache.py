"""What is kept on disk as text."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.kept_on_disk import KINDS, OTHERS, THIS, Cache
from lama_odds.jit.upkeep import UNUSED_DAYS, VERSIONS
from lama_odds.report.text.answers import table


def cache_text(found: Cache) -> RenderableType:
    """Its place, its size by kind and version, and when it is removed."""
    parts: list[RenderableType] = [Text(f"{place}", no_wrap=True) for place in found.places]
    if found.cleared is not None:
        parts.append(Text(f"Removed {size_text(found.cleared)}.", style="bold"))
    rows = []
    for kind in KINDS:
        for version, current in ((THIS, True), (OTHERS, False)):
            folders, files, size = found.total(kind, current)
            if files:
                rows.append((f"{kind}, {version}", f"{folders:,}", f"{files:,}", size_text(size)))
    if rows:
        rows.append(("in all", f"{len(found.entries):,}", "", size_text(found.bytes)))
        heads = ("kept", "folders", "files", "size")
        parts += [Text(), table(heads, rows), Text()]
    else:
        parts.append(Text("Nothing is kept."))
    parts += [Text(f"Not removed: {path} ({reason})") for path, reason in found.left]
    notes = (
        f"A folder is removed when it was not used for {UNUSED_DAYS} days. If a module has more "
        f"than {VERSIONS} versions, the oldest are removed after a day without use.",
        "cache --clear removes everything. The next command compiles again what it needs.",
    )
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def size_text(size: int) -> str:
    """Bytes in units that are easy to read."""
    if size < 1_000:
        return f"{size} bytes"
    if size < 1_000_000:
        return f"{size / 1_000:.0f} kB"
    return f"{size / 1_000_000:,.1f} MB"
