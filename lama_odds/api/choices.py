"""List rule sets and policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.core.checks import check_text
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.report.text.listings import Listing


def rules(name: str | None = None) -> Answer[Listing]:
    """Rule sets: all of them, those of a game with its options, or the options of one.

    name: None for all games, a game (``"dice"``), a rule set (``"dice/amigo"``), or ``"@FILE"`` for
    a variant in a file, with what it changes.

    The attribute ``tables`` has the columns and rows of the printed lists. ``to_json()`` and
    ``to_frame()`` have the same contents as plain values and as a table. Raises ReadError for an
    unknown name.

    >>> import lama_odds as lo
    >>> lo.rules("dice/amigo").to_json()["players"]
    [2, 6]
    """
    check_text(name, "name")
    from lama_odds.report.python import frames
    from lama_odds.report.text.listings import Listing, rules_listing

    return Answer(rules_listing(name), Listing.text, frames.listing_frame)


def policies(name: str | None = None) -> Answer[Listing]:
    """Policies with their meanings: those of all games, or of one.

    name: None for all games, or a game (``"dice"``).

    The attribute ``tables`` has the columns and rows of the printed lists. Raises ReadError for an
    unknown name.

    >>> import lama_odds as lo
    >>> [name for name in lo.policies("dice").to_frame()["name"]][0]
    'random'
    """
    check_text(name, "name")
    from lama_odds.report.python import frames
    from lama_odds.report.text.listings import Listing, policies_listing

    return Answer(policies_listing(name), Listing.text, frames.listing_frame)
