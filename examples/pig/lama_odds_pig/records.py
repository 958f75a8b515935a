"""A game of Pig as text: written, read, replayed.

A record has one line for each turn. A turn ends with ``hold``, with the bust face, or at the
target::

    lama-odds record 1
    rules pig/classic
    players 2
    policies hold:20 random
    luck 0 155
    0 roll 4 roll 6 roll 5 roll 6 hold
    1 roll 3 roll 1

``final`` has the scores. A record may stop anywhere: it then ends with a decision.
"""

from dataclasses import dataclass, field

from lama_odds.core.notation import Part
from lama_odds.games.interface.capabilities import Record
from lama_odds.games.shared.record import RecordReader, head_lines, numbers_line
from lama_odds_pig.engine import HELD
from lama_odds_pig.rules import Rules, parse_rules


@dataclass
class Play(Record):
    """A game step by step. points: of the current turn, which is `seat`'s."""

    scores: list[int] = field(default_factory=list)
    seat: int = 0
    points: int = 0

    def step(self, face: int) -> bool:
        """Roll a face, or hold if it is HELD; return whether that ended the turn."""
        self.points = 0 if face == self.rules.bust else self.points + face
        if face != HELD and 0 < self.points < self.rules.target - self.scores[self.seat]:
            return False
        self.scores[self.seat] += self.points
        if self.scores[self.seat] >= self.rules.target:
            self.outcome = tuple(self.scores)
        self.points, self.seat = 0, (self.seat + 1) % self.players
        return True


def write_record(rules: Rules, names: list[str], luck: tuple[int, int], log: list[int]) -> str:
    """Return the record of a kernel's log: faces, and HELD; names: of the policies."""
    game = Play(rules, len(names), scores=[0] * len(names))
    lines = [*head_lines(rules.id, names, luck), "0"]
    for entry in log:
        lines[-1] += " hold" if entry == HELD else f" roll {entry}"
        if game.step(entry):
            lines.append(str(game.seat))
    lines[-1] = numbers_line("final", game.scores) if game.outcome else ""
    return "\n".join([*lines, ""])


class Reader(RecordReader):
    """What a record of Pig adds: turns of rolls; there are no rounds."""

    game = "pig"
    frame = ("rules", "players", "policies", "luck", "final")
    record: Play

    def read_rules(self, text: str) -> Rules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def begin(self, count: int) -> Play:
        """Return a record for this number of players."""
        return Play(self.rules, count, scores=[0] * count)

    def acting(self, words: list[Part]) -> int | None:
        """Return the seat to act; None when the game is over."""
        self.begun(words)
        return None if self.record.outcome else self.record.seat

    def final_scores(self) -> list[int] | None:
        """Return the scores when a player has won; None before."""
        return self.record.scores if self.record.outcome else None

    def turn(self, words: list[Part]) -> None:
        """Read a turn, which may be unfinished."""
        ended = self.record.points > 0  # the line before is an unfinished turn
        rest = iter(words[1:])
        for word in rest:
            roll = next(rest, None) if word.text == "roll" else None
            face = roll.integer("roll") if roll else HELD
            if ended or not (roll or (word.text == "hold" and self.record.points)):
                raise word.fail("no more of this turn" if ended else "roll FACE, or then hold")
            if roll and not 1 <= face <= self.rules.sides:
                raise roll.fail(f"a face from 1 to {self.rules.sides}", what="roll")
            ended = self.record.step(face)
