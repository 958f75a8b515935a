"""A round as one player sees it, and the hidden points that are entered at its end."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lama_odds.core.estimate import with_unit
from lama_odds.games.shared.record import Refused


class Told(ABC):
    """What rounds with hidden cards share; a mixin before the game's `Round`.

    viewer: the seat whose cards are known. told: penalties by seat, once they have been entered.
    """

    viewer: int | None
    told: list[int] | None = None

    @abstractmethod
    def possible(self, seat: int) -> tuple[int, int]:
        """Return the least and the most points that a seat can have, by what is known."""

    @property
    def penalties(self) -> list[int]:
        """Return the points of each seat; raise Refused before they have been entered."""
        if self.told is None:
            raise Refused("the penalties of all seats come first: hidden cards were in play")
        return self.told

    def tell(self, penalties: list[int]) -> None:
        """Store the points of all hands; raise Refused if they are impossible."""
        if self.told is not None:
            raise Refused("the penalties of this round have been given already")
        for seat, points in enumerate(penalties):
            least, most = self.possible(seat)
            if least == most != points:
                raise Refused(f"seat {seat} has {with_unit(least)}, not {points}")
            if not least <= points <= most:
                raise Refused(f"seat {seat} cannot have {with_unit(points)}: {least} to {most}")
        self.told = list(penalties)
