"""``lama-odds cache``: what is kept on disk, where, and how large it is."""

from __future__ import annotations

from typing import Annotated

from lama_odds.api.options import Option
from lama_odds.cli.asking import asks
from lama_odds.cli.common import show

EXAMPLES = """
lama-odds cache

lama-odds cache --clear
"""


@asks("clear seed as_json")
def cache(
    as_json: bool,
    clear: Annotated[
        bool, Option("Remove everything that is kept; nothing else is touched.")
    ] = False,
) -> None:
    """Show the machine code and solved tables that are kept on disk, or remove them.

    Functions are compiled for this machine at their first use, and some tables are solved once.
    Both are kept for next time, and removed if they are not used for a month.
    """
    from lama_odds.analysis import kept_on_disk
    from lama_odds.report.text.kept import cache_text

    kept = kept_on_disk.clear() if clear else kept_on_disk.look()
    show(as_json, kept, lambda: cache_text(kept))
