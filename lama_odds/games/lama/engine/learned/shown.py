"""What players have shown of their hands by drawing and playing: a number for each of them.

It has a byte for each place of a card: how many cards the player has received since it seemed to
hold none that belongs there. A player who draws seems to hold no card like the top and none of the
next place: from then on only later cards count there. A card that is played is one fewer that may
be there. So 0 stands for a place that the player does not seem to fill. A hand may have fewer cards
than a byte says.

Only `learned` looks at it. Where nobody plays it, nothing is noted after the deal.
"""

from __future__ import annotations

from lama_odds.games.lama.rules.transition import ONES, PLACES
from lama_odds.jit import given_or, inlined, small

BYTE = 0xFF


@given_or("learned", False)
@inlined
def looked_at(_tables):
    """Return whether anybody looks at what is shown."""
    return True


@small
def shown_of(cards):
    """Return what a player has shown who received these cards and did nothing: they are any."""
    return ONES * cards


@small
def shown_after_draw(shown, top):
    """Return what a player has shown after drawing a card with this place on top."""
    after = top + 1 if top < PLACES - 1 else 0
    return (shown & ~(BYTE << 8 * top | BYTE << 8 * after)) + ONES


@small
def shown_after_play(shown, place):
    """Return what a player has shown after playing a card of a place."""
    return shown - ((1 << 8 * place) if shown >> 8 * place & BYTE else 0)
