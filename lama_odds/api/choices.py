"""What there is to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.core.checks import check_text
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.report.text.listings import Listing


def rules(name: str | None = None) -> Answer[Listing]:
    """Rule sets: all, those of a game with its options, or the options of one."""
    check_text(name, "name")
    from lama_odds.report.python import frames
    from lama_odds.report.text.listings import Listing, rules_listing

    return Answer(rules_listing(name), Listing.text, frames.listing_frame)


def policies(name: str | None = None) -> Answer[Listing]:
    """Policies with what they decide: of all games, or of one."""
    check_text(name, "name")
    from lama_odds.report.python import frames
    from lama_odds.report.text.listings import Listing, policies_listing

    return Answer(policies_listing(name), Listing.text, frames.listing_frame)
