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

from dataclasses import dataclass

from lama_odds.core.notation import Part
from lama_odds.games.interface.capabilities import LUCK, NOTHING, Recorded, highest_wins
from lama_odds.games.shared.record import TableReader, head_lines, numbers_line
from lama_odds_pig.engine import HELD
from lama_odds_pig.rules import Position, Rules, parse_rules


@dataclass
class Play:
    """A game step by step. points: by seat. turn: points of the current one, which is `seat`'s."""

    rules: Rules
    points: list[int]
    seat: int = 0
    turn: int = 0

    @property
    def open_turn(self) -> bool:
        """Whether a turn has begun and is not over."""
        return self.turn > 0

    @property
    def over(self) -> bool:
        """Whether a player has won."""
        return max(self.points) >= self.rules.target

    def position(self, turn: int) -> Position:
        """Return what the player to act sees, with these points in the turn."""
        return Position(turn, tuple(self.points[self.seat :] + self.points[: self.seat]))

    def step(self, face: int) -> bool:
        """Roll a face, or hold if it is HELD; return whether that ended the turn."""
        self.turn = 0 if face == self.rules.bust else self.turn + face
        if face != HELD and 0 < self.turn < self.rules.target - self.points[self.seat]:
            return False
        self.points[self.seat] += self.turn
        self.turn, self.seat = 0, (self.seat + 1) % len(self.points)
        return True


def write_record(rules: Rules, names: list[str], luck: tuple[int, int], log: list[int]) -> str:
    """Return the record of a kernel's log: faces, and HELD; names: of the policies."""
    game = Play(rules, [0] * len(names))
    lines = [*head_lines(rules.id, names, luck), "0"]
    for entry in log:
        lines[-1] += " hold" if entry == HELD else f" roll {entry}"
        if game.step(entry):
            lines.append(str(game.seat))
    lines[-1] = numbers_line("final", game.points) if game.over else ""
    return "\n".join([*lines, ""])


VERBS = {"roll": LUCK, "hold": NOTHING}


class Reader(TableReader):
    """What a record of Pig adds: turns of rolls."""

    game = "pig"
    verbs = VERBS
    table: Play

    def read_rules(self, text: str) -> Rules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def at_start(self, count: int) -> Play:
        """Return the game of this number of players."""
        return Play(self.rules, [0] * count)

    def turn(self, words: list[Part]) -> None:
        """Read a turn, which may be unfinished."""
        ended = self.table.open_turn  # the line before is an unfinished turn
        rest = iter(words[1:])
        for word in rest:
            roll = next(rest, None) if word.text == "roll" else None
            face = roll.integer("roll") if roll else HELD
            if ended or not (roll or (word.text == "hold" and self.table.turn)):
                raise word.fail("no more of this turn" if ended else "roll FACE, or then hold")
            if roll and not 1 <= face <= self.rules.sides:
                raise roll.fail(f"a face from 1 to {self.rules.sides}", what="roll")
            ended = self.table.step(face)


RECORDED = Recorded(
    VERBS,
    Reader,
    luck="of own rolls, if the player decides on them at once",
    ranked=highest_wins,
)
