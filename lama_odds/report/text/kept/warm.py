"""What was compiled ahead, as text."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.warm.warm import Warmed

MOST_NAMED = 3  # rule sets


def warm_text(found: Warmed, keeping: str) -> RenderableType:
    """What was done, how long it took, and what follows; keeping: where machine code is kept."""
    rules = found.rules if len(found.rules) <= MOST_NAMED else (f"{len(found.rules)} rule sets",)
    about = ", ".join(rules)
    if found.nothing:
        first = f"Nothing to compile for {about}: all of it is there."
    else:
        made = [
            f"{count:,} {what}{'' if count == 1 else 's'}"
            for count, what in ((found.functions, "function"), (found.tables, "table"))
            if count
        ]
        first = f"Made {' and '.join(made)} for {about} in {found.seconds:.0f} s; {keeping}."
    lines = [Text(first, style="bold"), Text("Questions about them are now answered at once.")]
    lines += [Text(f"Left out: {what} ({why})", style="dim") for what, why in found.left_out]
    return Group(*lines)
