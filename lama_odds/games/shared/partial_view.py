"""A round told from one seat: what that player sees of it, and what is told when it has ended."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lama_odds.games.shared.record import Refused


class Told(ABC):
    """What rounds with hidden cards share; a mixin before the game's `Round`.

    viewer: the seat whose cards are known. told: penalties by seat, once they have been told.
    """

    viewer: int | None
    told: list[int] | None = None

    @abstractmethod
    def possible(self, seat: int) -> tuple[int, int]:
        """The least and the most points that a seat can have, by what is known of its cards."""

    @property
    def penalties(self) -> list[int]:
        """Points of each seat; Refused before they have been told."""
        if self.told is None:
            raise Refused("the penalties of all seats come first: hidden cards were in play")
        return self.told

    def tell(self, penalties: list[int]) -> None:
        """Note what all cards came to; Refused if that cannot be."""
        if self.told is not None:
            raise Refused("the penalties of this round have been told")
        for seat, points in enumerate(penalties):
            least, most = self.possible(seat)
            if least == most != points:
                raise Refused(f"seat {seat} has {least} points, not {points}")
            if not least <= points <= most:
                raise Refused(f"seat {seat} cannot have {points} points: {least} to {most}")
        self.told = list(penalties)
